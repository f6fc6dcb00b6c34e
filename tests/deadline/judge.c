// SPDX-License-Identifier: MIT
/*
 * A judge of the driver's own files that shares no code with them:
 *
 *	judge [--whole]
 *
 * An oracle of what can be late (oracle.c) judges the admission test; --whole: with more sets. Prints
 * what was checked and a line of totals.
 */

#include <stdio.h>
#include <string.h>

#include "admission.h"
#include "oracle.h"
#include "vivgpu_arbiter.h"

static u32 passed, failed;

static void check(bool good, const char *what)
{
	printf("%s  %s\n", good ? "ok  " : "FAIL", what);
	fflush(stdout);
	passed += good;
	failed += !good;
}

/* Sets whose worst case is known. */
static void known_sets(void)
{
	/* 2 + 3 in 5: both are in time whatever comes first. */
	const struct oracle_set fits = { 2, { 2, 3 }, { 5, 5 }, 0, 0 };
	/* A job of 4 that starts directly before the other arrives leaves it 1 of the 2 it needs. */
	const struct oracle_set later_blocks = { 2, { 2, 4 }, { 5, 12 }, 0, 0 };
	const struct oracle_set later_fits = { 2, { 2, 3 }, { 5, 12 }, 0, 0 };
	/* The same by a job without a deadline, and by lost time */
	const struct oracle_set blocked = { 1, { 2 }, { 5 }, 4, 0 };
	const struct oracle_set not_blocked = { 1, { 2 }, { 5 }, 3, 0 };
	const struct oracle_set lost = { 1, { 2 }, { 5 }, 3, 1 };

	check(!oracle_breaks(&fits, NULL) && oracle_breaks(&later_blocks, NULL) &&
		      !oracle_breaks(&later_fits, NULL) && oracle_breaks(&blocked, NULL) &&
		      !oracle_breaks(&not_blocked, NULL) && oracle_breaks(&lost, NULL),
	      "the oracle knows sets that were computed by hand");
}

static void judge_admission(u32 sets, u32 tasks)
{
	u64 recovery_ns = vivgpu_arbiter_driver_policy.admission.recovery_ns;
	struct admission_judgement sum;

	admission_judge(sets, tasks, recovery_ns, &sum);
	printf("      of %u sets of %u reservations %u are admitted; the oracle breaks %u of these, and %u if\n"
	       "      the blocking is 0.5 ms longer; of %u that it does not break %u are refused; %llu states\n",
	       sum.sets, tasks, sum.admitted, sum.broken, sum.tight, sum.harmless, sum.refused,
	       sum.states);
	check(sum.admitted && !sum.broken, "no admitted set is broken by the oracle");
	check(sum.refused * 10 <= sum.harmless,
	      "of the sets that the oracle does not break at most 10 % are refused");
	admission_judge(sets / 4, tasks, 0, &sum);
	check(sum.broken > 0, "planted: without the time of a recovery the oracle breaks some");
}

int main(int argc, char **argv)
{
	bool whole = argc > 1 && !strcmp(argv[1], "--whole");

	known_sets();
	judge_admission(whole ? 20000 : 1000, 2);
	judge_admission(whole ? 1000 : 40, 3);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
