// SPDX-License-Identifier: MIT
/*
 * The deadline scheduler of the kernel driver, compiled from its own files, in simulations:
 *
 *	deadline [SETS]
 *
 * With random sets of clients (200) of utilisation 0.3 to 0.95 no client whose reservation is
 * admitted misses a deadline, if all jobs keep their bounds; if some overrun theirs, none but
 * those clients do. The table shows the other policies beside it. Prints what was checked
 * and a line of totals.
 */

#include <stdio.h>
#include <stdlib.h>

#include <linux/minmax.h>

#include "simulate.h"

#define LENGTH_NS (10000 * MS)
#define CLASSES 4

/**
 * struct totals - of the sets of one class of utilisation, under one policy
 * @sets: sets with a client whose reservation is admitted
 * @missing: sets in which such a client missed a deadline
 * @frames: frames of such clients
 * @missed: of them, how many were late
 * @first: least utilisation of a set with a miss, 2 if there is none
 */
struct totals {
	u32 sets;
	u32 missing;
	u64 frames;
	u64 missed;
	double first;
};

static u32 passed, failed;
static struct totals totals[POLICIES][CLASSES];

static void check(bool good, const char *what)
{
	printf("%s  %s\n", good ? "ok  " : "FAIL", what);
	passed += good;
	failed += !good;
}

/* Frames of clients with a reservation; without those of clients that overran if asked. */
static void count_frames(const struct taskset *set, const struct result *result, bool overrunners,
			 u64 *frames, u64 *missed)
{
	u32 i;

	*frames = 0;
	*missed = 0;
	for (i = 0; i < set->count; i++) {
		if (!result->tasks[i].admitted ||
		    (!overrunners && (set->tasks[i].overrun_ns || set->tasks[i].hurry)))
			continue;
		*frames += result->tasks[i].frames;
		*missed += result->tasks[i].missed;
	}
}

static void count_set(const struct taskset *set, enum policy policy, const struct result *result,
		      u32 class)
{
	struct totals *sum = &totals[policy][class];
	u64 frames, missed;

	count_frames(set, result, true, &frames, &missed);
	sum->sets += frames > 0;
	sum->missing += missed > 0;
	sum->frames += frames;
	sum->missed += missed;
	if (missed && set->utilisation < sum->first)
		sum->first = set->utilisation;
}

static double utilisation_of(u32 number, u32 sets)
{
	return sets > 1 ? 0.3 + 0.65 * number / (sets - 1) : 0.6;
}

static void print_table(void)
{
	static const char *const classes[CLASSES] = { "0.30-0.46", "0.46-0.62", "0.62-0.78",
						      "0.78-0.95" };
	u32 policy, class;

	printf("\n%-12s %-10s %5s %12s %10s %9s %8s %11s\n", "policy", "load", "sets",
	       "sets missing", "frames", "missed", "percent", "first miss");
	for (policy = 0; policy < POLICIES; policy++) {
		for (class = 0; class < CLASSES; class ++) {
			const struct totals *sum = &totals[policy][class];

			printf("%-12s %-10s %5u %12u %10llu %9llu %8.3f ", policy_names[policy],
			       classes[class], sum->sets, sum->missing, sum->frames, sum->missed,
			       sum->frames ? 100.0 * sum->missed / sum->frames : 0.0);
			if (sum->first < 2)
				printf("%11.3f\n", sum->first);
			else
				printf("%11s\n", "none");
		}
	}
	printf("\n");
}

/* All policies on each random set. */
static void random_sets(u32 sets)
{
	u64 idle = 0, asked = 0, admitted = 0;
	struct taskset set;
	struct result result;
	u32 i, j, policy, deepest = 0, missing = 0;

	for (policy = 0; policy < POLICIES; policy++) {
		for (j = 0; j < CLASSES; j++)
			totals[policy][j].first = 2;
	}
	for (i = 0; i < sets; i++) {
		taskset_random(&set, i + 1, utilisation_of(i, sets));
		for (policy = 0; policy < POLICIES; policy++) {
			simulate(&set, policy, LENGTH_NS, &result);
			count_set(&set, policy, &result, i * CLASSES / sets);
		}
		idle += result.idle_ns;
		deepest = max(deepest, result.deepest);
		for (j = 0; j < set.count; j++) {
			asked += set.tasks[j].wants_reservation;
			admitted += result.tasks[j].admitted;
		}
	}
	print_table();
	printf("%llu of %llu reservations admitted; inserted idle time %.2f percent\n\n", admitted,
	       asked, 100.0 * idle / ((double)sets * LENGTH_NS));
	for (j = 0; j < CLASSES; j++)
		missing += totals[DEADLINE][j].missing;
	check(!missing,
	      "no client with a reservation misses a deadline while jobs keep their bounds");
	check(totals[FIFO][CLASSES - 1].missed > 0, "the sets are hard: under FIFO clients miss");
	check(admitted * 2 > asked, "the test admits more than half of the reservations");
	check(deepest <= VIVGPU_ARBITER_DEPTH, "the ring holds at most two jobs");
}

/* All jobs take their bound, one client overruns, best-effort jobs are as long as permitted. */
static void worst(u32 sets)
{
	struct taskset set;
	struct result result;
	u64 frames, missed, sum = 0, game = 0;
	u32 i;

	for (i = 0; i < sets; i++) {
		taskset_random(&set, i + 1, utilisation_of(i, sets));
		simulate(&set, DEADLINE, MS, &result);
		taskset_worst(&set, result.admitted.blocking_ns);
		taskset_overrun(&set, 1, arbiter_policy.admission.overrun_ns);
		simulate(&set, DEADLINE, LENGTH_NS, &result);
		count_frames(&set, &result, false, &frames, &missed);
		sum += missed;
		game += result.tasks[set.count - 1].busy_ns > 0;
	}
	check(!sum, "nobody misses beside the longest blocking and an overrun");
	check(game == sets, "best-effort jobs of the permitted length are served in each set");
}

/* Misses of clients that keep their bounds, beside clients that do not; of all sets. */
static u64 hurt_by_overruns(u32 sets, u32 overrunners, u64 sum_ns, u64 *overruns)
{
	struct taskset set;
	struct result result;
	u64 frames, missed, sum = 0;
	u32 i, j;

	for (i = 0; i < sets; i++) {
		taskset_random(&set, i + 1, utilisation_of(i, sets));
		taskset_overrun(&set, overrunners, sum_ns);
		simulate(&set, DEADLINE, LENGTH_NS, &result);
		count_frames(&set, &result, false, &frames, &missed);
		sum += missed;
		for (j = 0; j < set.count; j++)
			*overruns += result.tasks[j].overran;
	}
	return sum;
}

static void overruns(u32 sets)
{
	u64 one = 0, some = 0, far = 0, hurt;

	check(!hurt_by_overruns(sets, 1, arbiter_policy.admission.overrun_ns, &one) && one,
	      "overruns of one client make nobody else miss");
	check(!hurt_by_overruns(sets, 3, arbiter_policy.admission.overrun_ns, &some) && some,
	      "overruns of three clients within the tolerated sum make nobody else miss");
	hurt = hurt_by_overruns(sets, 1, 20 * arbiter_policy.admission.overrun_ns, &far);
	printf("      %llu overruns, %llu; up to 20 times the tolerated sum: %llu, %llu misses of others\n",
	       one, some, far, hurt);
	check(hurt * 20 < far, "of overruns far beyond that few make others miss");
}

/* One client with a reservation submits four times as much as its budget. */
static void greedy(u32 sets)
{
	struct taskset set;
	struct result result;
	u64 frames, missed, sum = 0, late = 0;
	u32 i;

	for (i = 0; i < sets; i++) {
		taskset_random(&set, i + 1, utilisation_of(i, sets));
		set.tasks[0].hurry = 4;
		simulate(&set, DEADLINE, LENGTH_NS, &result);
		count_frames(&set, &result, false, &frames, &missed);
		sum += missed;
		late += result.tasks[0].missed;
	}
	check(!sum, "a client that submits more than its budget makes nobody else miss");
	check(late, "that client misses deadlines itself");
}

/* A game whose predictions are a tenth of the truth, beside each random set. */
static void lies(u32 sets)
{
	struct taskset set;
	struct result result;
	u64 frames, missed, sum = 0, game = 0;
	u32 i;

	for (i = 0; i < sets; i++) {
		struct task *liar;

		taskset_random(&set, i + 1, utilisation_of(i, sets));
		liar = &set.tasks[set.count - 1];
		liar->bound_ns = arbiter_policy.admission.min_blocking_ns +
				 arbiter_policy.admission.overrun_ns;
		liar->cost_percent = 10;
		simulate(&set, DEADLINE, LENGTH_NS, &result);
		count_frames(&set, &result, true, &frames, &missed);
		sum += missed;
		game += result.tasks[set.count - 1].busy_ns;
	}
	check(!sum, "wrong predictions of a best-effort client make nobody miss");
	check(game > 0, "that client is served");
}

/* 10,000 frames of an instrument cluster at 90 percent load. */
static void cluster(void)
{
	const u64 length = 10001 * 16666667ull;
	struct result fifo, ours;
	struct taskset set;

	taskset_cluster(&set);
	simulate(&set, FIFO, length, &fifo);
	simulate(&set, DEADLINE, length, &ours);
	check(fifo.tasks[0].missed * 10 > fifo.tasks[0].frames,
	      "under FIFO an instrument cluster misses more than 10 percent");
	printf("      cluster: %llu of %llu frames late under FIFO, %llu of %llu with deadlines;"
	       " game %.1f and %.1f percent of the GPU\n",
	       fifo.tasks[0].missed, fifo.tasks[0].frames, ours.tasks[0].missed,
	       ours.tasks[0].frames, 100.0 * fifo.tasks[2].busy_ns / length,
	       100.0 * ours.tasks[2].busy_ns / length);
	check(ours.tasks[0].admitted && ours.tasks[1].admitted, "cluster and map are admitted");
	check(ours.tasks[0].frames >= 10000 && !ours.tasks[0].missed && !ours.tasks[1].missed,
	      "an instrument cluster misses none of 10,000 frames");
}

static void many(void)
{
	struct taskset set;
	struct result result;
	u64 frames, missed;
	u32 i, admitted = 0;

	taskset_many(&set, VIVGPU_MAX_RESERVATIONS + 1);
	simulate(&set, DEADLINE, LENGTH_NS, &result);
	count_frames(&set, &result, true, &frames, &missed);
	for (i = 0; i < set.count; i++)
		admitted += result.tasks[i].admitted;
	check(admitted == VIVGPU_MAX_RESERVATIONS,
	      "64 reservations are admitted, and not one more");
	check(frames && !missed, "none of 64 clients misses a deadline");
}

int main(int argc, char **argv)
{
	u32 sets = argc > 1 ? atoi(argv[1]) : 200;

	random_sets(sets);
	worst(sets);
	overruns(sets);
	greedy(sets);
	lies(sets);
	cluster();
	many();
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
