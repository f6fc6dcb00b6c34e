// SPDX-License-Identifier: MIT
/*
 * Judges of the driver's own files that share no code with them:
 *
 *	judge [--whole]
 *
 * An oracle of what can be late (oracle.c) judges the admission test, and random walks of the models of the
 * rules (model.c, and order.c for best-effort jobs) the arbiter; --whole: with more sets and walks. Prints what
 * was checked and a line of totals. The models alone are searched by check_model.c.
 */

#include <stdio.h>
#include <string.h>

#include "admission.h"
#include "oracle.h"
#include "order.h"
#include "replay.h"
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

/* --- Walks --------------------------------------------------------------- */

/*
 * Budget and period, length of a frame, jobs in a frame; a stranger may do anything. In the names:
 * budget and period of each client, s for a stranger.
 */
#define FRAMES(q, t, length, jobs) { q, t, length, jobs, false }
#define WAITS(q, t, length, jobs) { q, t, length, jobs, true }
#define STRANGER(q, t) { q, t, 0, 0, false }

static const struct model walks[] = {
	{ .name = "2/9 in two jobs, 1/6 s",
	  .nr_servers = 2,
	  .servers = { FRAMES(2, 9, 2, 2), STRANGER(1, 6) },
	  .bounds_of_strangers = 3 },
	{ .name = "1/6, 2/9 s",
	  .nr_servers = 2,
	  .servers = { FRAMES(1, 6, 1, 1), STRANGER(2, 9) },
	  .bounds_of_strangers = 3 },
	{ .name = "2/8 in two jobs, 2/10 s",
	  .nr_servers = 2,
	  .servers = { FRAMES(2, 8, 2, 2), STRANGER(2, 10) },
	  .bounds_of_strangers = 2 },
	{ .name = "2/9 that waits, 1/6 s",
	  .nr_servers = 2,
	  .servers = { WAITS(2, 9, 1, 1), STRANGER(1, 6) },
	  .bounds_of_strangers = 2 },
	{ .name = "3/9 in two jobs that waits, 1/7 s",
	  .nr_servers = 2,
	  .servers = { WAITS(3, 9, 2, 2), STRANGER(1, 7) },
	  .bounds_of_strangers = 2 },
	{ .name = "2/8 in two jobs, 3/14 s",
	  .nr_servers = 2,
	  .servers = { FRAMES(2, 8, 2, 2), STRANGER(3, 14) },
	  .bounds_of_strangers = 3 },
	{ .name = "3/14 in two jobs, 2/8 s",
	  .nr_servers = 2,
	  .servers = { FRAMES(3, 14, 3, 2), STRANGER(2, 8) },
	  .bounds_of_strangers = 3 },
	{ .name = "twice 2/10 in two jobs, 1/6 s",
	  .nr_servers = 3,
	  .servers = { FRAMES(2, 10, 2, 2), FRAMES(2, 10, 2, 2), STRANGER(1, 6) },
	  .bounds_of_strangers = 3 },
	{ .name = "2/11 that waits, 2/11, 1/7 s",
	  .nr_servers = 3,
	  .servers = { WAITS(2, 11, 1, 1), FRAMES(2, 11, 2, 1), STRANGER(1, 7) },
	  .bounds_of_strangers = 3 },
	{ .name = "1/8, 1/7 s and 1/7 s",
	  .nr_servers = 3,
	  .servers = { FRAMES(1, 8, 1, 1), STRANGER(1, 7), STRANGER(1, 7) },
	  .bounds_of_strangers = 3 },
	{ .name = "2/9 in two jobs, 1/6 s, five in the ring",
	  .nr_servers = 2,
	  .servers = { FRAMES(2, 9, 2, 2), STRANGER(1, 6) },
	  .bounds_of_strangers = 3,
	  .ring = MODEL_RING },
	{ .name = "3/12 in three jobs, 1/7 s, five in the ring",
	  .nr_servers = 2,
	  .servers = { FRAMES(3, 12, 3, 3), STRANGER(1, 7) },
	  .bounds_of_strangers = 3,
	  .ring = MODEL_RING,
	  .waiting = 3 },
	{ .name = "1/8, 2/10 s of three jobs, five in the ring",
	  .nr_servers = 2,
	  .servers = { FRAMES(1, 8, 1, 1), STRANGER(2, 10) },
	  .bounds_of_strangers = 3,
	  .ring = MODEL_RING,
	  .waiting = 3 },
};

#define NR_WALKS ((u32)(sizeof(walks) / sizeof(walks[0])))

static struct replay_totals replay(int flags, u32 count, bool print)
{
	struct replay_totals sum = { 0 };
	u32 i;

	for (i = 0; i < NR_WALKS && !sum.diverged; i++) {
		struct model model = walks[i];

		model.flags = flags;
		replay_walks(&model, 1 + i * 7919, count / NR_WALKS, print, &sum);
	}
	return sum;
}

/* The arbiter decides as the model on random walks, and not as models of other rules. */
static void judge_arbiter(u32 count)
{
	static const struct {
		int flags;
		const char *what;
	} planted[] = {
		{ MODEL_OWNS_PAST,
		  "planted: a server that owns the time in which it was held back" },
		{ MODEL_REFILL, "planted: a whole budget at an early wake-up" },
		{ MODEL_BEHIND_SERVERS, "planted: best-effort jobs behind servers' jobs" },
		{ MODEL_NO_ENDING, "planted: no job is ended" },
		{ MODEL_NO_ROOM, "planted: recoveries later by O / 2" },
		{ MODEL_BUDGET_EACH, "planted: each job in the ring may use a budget" },
		{ MODEL_LONG_AS_SERVER, "planted: a job above its budget is ended with it" },
		{ MODEL_DONATE_ALL, "planted: donation without a limit" },
		{ MODEL_CHARGE_ALL, "planted: a donated job is charged for more than its bound" },
		{ MODEL_REFUSED_WAKES, "planted: a refused donation wakes its server up" },
		{ MODEL_LEAVES_JOB, "planted: a donation leaves the longest job" },
	};
	struct replay_totals sum = replay(0, count, true);
	u32 i;

	printf("      %lu walks, %lu events, %lu decisions, of which %lu were stricter since the arbiter's slack\n"
	       "      is an estimate; %lu walks were cut, %lu since a reservation had been given back\n",
	       sum.walks, sum.steps, sum.decisions, sum.stricter, sum.cut + sum.absent, sum.absent);
	check(!sum.diverged && sum.walks, "on random walks the arbiter decides as the model");
	check((sum.cut + sum.absent) * 2 < sum.walks, "more than half of the walks are whole");
	check(sum.stricter * 100 < sum.decisions, "less than 1 % of the decisions are stricter");
	for (i = 0; i < sizeof(planted) / sizeof(planted[0]); i++)
		check(replay(planted[i].flags, 10000, false).diverged > 0, planted[i].what);
}

/* The arbiter's order of best-effort jobs is that of the rules, and not that of others. */
static void judge_order(u32 count)
{
	uint64_t decisions;
	u32 others = replay_order(count, 0, &decisions);

	printf("      order of best-effort jobs: %u walks, %lu decisions\n", count, decisions);
	check(!others && decisions, "on random walks with hints the arbiter has the model's order");
	check(replay_order(count, ORDER_HINTS_FOREVER, &decisions) > 0,
	      "planted: hints of a queue that is ahead of the others");
	check(replay_order(count, ORDER_OWNS_PAST, &decisions) > 0,
	      "planted: a queue that was idle catches up with all");
	check(replay_order(count, ORDER_NEW_AS_SERVED, &decisions) > 0,
	      "planted: a new queue begins with what the least served one had");
}

int main(int argc, char **argv)
{
	bool whole = argc > 1 && !strcmp(argv[1], "--whole");

	known_sets();
	judge_admission(whole ? 20000 : 1000, 2);
	judge_admission(whole ? 1000 : 40, 3);
	judge_arbiter(whole ? 100000 : 5000);
	judge_order(whole ? 100000 : 2000);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
