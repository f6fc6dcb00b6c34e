// SPDX-License-Identifier: MIT
/*
 * The deadline scheduler of the kernel driver, compiled from its own files, in simulations:
 *
 *	deadline [SETS]
 *
 * With random sets of clients (200) of utilisation 0.3 to 0.95 no client whose reservation is
 * admitted misses a deadline, if all jobs keep their bounds; if some overrun theirs by no more than
 * is tolerated, none but those clients do. The tables show the other policies beside it, once with
 * random lengths of jobs and once with recorded ones and their predictions (groups.csv, read from
 * the repository's top). Besides: policies against values computed by hand, single sets of clients,
 * attacks (attacks.c) and a short search for others (adversary.c). Prints what was checked and a
 * line of totals.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/minmax.h>

#include "adversary.h"
#include "attacks.h"
#include "edf_test.h"
#include "fair.h"
#include "recorded.h"
#include "simulate.h"
#include "timegraph.h"
#include "totals.h"

#define LENGTH_NS (10000 * MS)
#define RECORDING "tests/deadline/groups.csv"

static u32 passed, failed;

static void check(bool good, const char *what)
{
	printf("%s  %s\n", good ? "ok  " : "FAIL", what);
	passed += good;
	failed += !good;
}

static double utilisation_of(u32 number, u32 sets)
{
	return sets > 1 ? 0.3 + 0.65 * number / (sets - 1) : 0.6;
}

/**
 * struct sets - what was found of all policies on many sets
 * @totals: of frames, by policy and utilisation
 * @asked: reservations that were asked for
 * @admitted: of these, how many were admitted
 * @idle_ns: inserted idle time, of all sets
 * @deepest: most jobs in the ring at once
 * @jobs: jobs of clients with a reservation, with the deadline policy
 * @missed_promised: late frames of these clients, for which the promise held
 * @beyond_bound: of the jobs, how many took longer than was assumed
 * @tested: sets of which the published test says that EDF keeps all deadlines
 * @tested_missing: of these, in how many EDF missed one
 */
struct sets {
	struct totals totals[POLICIES][CLASSES];
	u64 asked;
	u64 admitted;
	u64 idle_ns;
	u32 deepest;
	u64 jobs;
	u64 missed_promised;
	u64 beyond_bound;
	u32 tested;
	u32 tested_missing;
};

/* Draws one of the sets: the number, of how many */
typedef void (*draw_set)(struct taskset *set, u32 number, u32 sets);

static void draw_random(struct taskset *set, u32 number, u32 sets)
{
	taskset_random(set, number + 1, utilisation_of(number, sets));
}

static struct recorded programs[MAX_PROGRAMS];
static u32 nr_programs;

static void draw_recorded(struct taskset *set, u32 number, u32 sets)
{
	taskset_recorded(set, number + 1, utilisation_of(number, sets), programs, nr_programs);
}

/* The published test beside the simulation of EDF. */
static void count_tested(struct sets *sum, const struct taskset *set, const struct result *result)
{
	u64 missed = 0;
	u32 i;

	if (!edf_test(set))
		return;
	for (i = 0; i < set->count; i++)
		missed += result->tasks[i].missed;
	sum->tested++;
	sum->tested_missing += missed > 0;
}

static void count_deadline(struct sets *sum, const struct taskset *set, const struct result *result)
{
	u32 i;

	sum->idle_ns += result->idle_ns;
	sum->deepest = max(sum->deepest, result->deepest);
	for (i = 0; i < set->count; i++) {
		sum->asked += set->tasks[i].wants_reservation;
		if (!result->tasks[i].admitted)
			continue;
		sum->admitted++;
		sum->jobs += result->tasks[i].jobs;
		sum->missed_promised += result->tasks[i].missed_promised;
		sum->beyond_bound += result->tasks[i].beyond_bound;
	}
}

/*
 * All policies on each set. DEADLINE is the last of them, so that its result is left for
 * count_deadline(). Classes go by the set's number, as utilisation_of() does.
 */
static void simulate_sets(struct sets *sum, u32 sets, draw_set draw)
{
	struct taskset set;
	struct result result;
	u32 i, policy;

	memset(sum, 0, sizeof(*sum));
	totals_init(sum->totals);
	for (i = 0; i < sets; i++) {
		draw(&set, i, sets);
		for (policy = 0; policy < POLICIES; policy++) {
			simulate(&set, policy, LENGTH_NS, &result);
			totals_count(&sum->totals[policy][i * CLASSES / sets], &set, &result);
			if (policy == EDF)
				count_tested(sum, &set, &result);
		}
		count_deadline(sum, &set, &result);
	}
	totals_print(sum->totals);
	printf("%llu of %llu reservations admitted; inserted idle time %.2f percent\n",
	       sum->admitted, sum->asked, 100.0 * sum->idle_ns / ((double)sets * LENGTH_NS));
	printf("published test of EDF: %u of %u sets; EDF misses in %u of these\n", sum->tested,
	       sets, sum->tested_missing);
	printf("%llu of %llu jobs took longer than assumed\n\n", sum->beyond_bound, sum->jobs);
}

/* Positions of two queues, computed by hand from the DRM scheduler's source */
static void drm_fair(void)
{
	struct fair_queue queues[2] = { 0 };
	struct fair fair = { .queues = queues, .count = 2 };
	bool shorter_first, charged;

	fair_push(&fair, 0);
	fair_push(&fair, 0);
	fair_take(&fair, 0);
	fair_ended(&fair, 0, MS);
	fair_push(&fair, 1);
	shorter_first = fair_first(&fair) == 1 && queues[1].position == -1;
	fair_take(&fair, 1);
	fair_ended(&fair, 1, 2 * MS);
	fair_take(&fair, 0);

	fair_push(&fair, 0);
	fair_push(&fair, 0);
	fair_take(&fair, 0);
	charged = queues[0].position == 16 * MS;
	/* Its jobs are longer than the average of 1.25 ms. */
	fair_push(&fair, 1);
	check(shorter_first && charged && fair_first(&fair) == 0 &&
		      queues[1].position == 16 * MS + 1,
	      "DRM fair orders two queues as computed by hand");
}

/* Random sets, and sets of recorded frames with their predictions. */
static void all_policies(u32 sets)
{
	static struct sets sum;

	printf("\nrandom lengths\n");
	simulate_sets(&sum, sets, draw_random);
	check(!totals_missing(sum.totals[DEADLINE]),
	      "no client with a reservation misses a deadline while jobs keep their bounds");
	check(sum.totals[FIFO][CLASSES - 1].missed > 0,
	      "the sets are hard: under FIFO clients miss");
	check(sum.admitted * 2 > sum.asked, "the test admits more than half of the reservations");
	check(sum.deepest <= VIVGPU_ARBITER_MAX_DEPTH,
	      "the ring holds no more jobs than may be there");
	check(!sum.tested_missing, "no set that the published test admits misses under EDF");

	printf("\nrecorded groups of glmark2 and piglit, with their predictions\n");
	nr_programs = recorded_read(RECORDING, programs);
	check(nr_programs > 0, "the recording is read");
	if (!nr_programs)
		return;
	simulate_sets(&sum, sets, draw_recorded);
	check(!sum.missed_promised,
	      "recorded: no frame is late whose jobs were assumed to fit into the budget");
	check(totals_missing(sum.totals[DEADLINE]) * 50 < max(sets, 200u),
	      "recorded: with a budget of 5/4 of the longest frame less than 2 % of the sets miss");
	check(sum.totals[FIFO][CLASSES - 1].missed > 0, "recorded: under FIFO clients miss");
	check(sum.admitted * 2 > sum.asked,
	      "recorded: more than half of the reservations admitted");
	check(!sum.tested_missing, "recorded: no set that the published test admits misses");
}

/*
 * All jobs take their bound, one client overruns, best-effort jobs are as long as permitted: how
 * long that is the first, short simulation tells. The last client of a random set is the game.
 */
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
		taskset_overrun(&set, 1, vivgpu_arbiter_driver_policy.admission.overrun_ns);
		simulate(&set, DEADLINE, LENGTH_NS, &result);
		totals_frames(&set, &result, false, &frames, &missed);
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
		totals_frames(&set, &result, false, &frames, &missed);
		sum += missed;
		for (j = 0; j < set.count; j++)
			*overruns += result.tasks[j].overran;
	}
	return sum;
}

static void overruns(u32 sets)
{
	u64 one = 0, some = 0, far = 0, hurt;

	check(!hurt_by_overruns(sets, 1, vivgpu_arbiter_driver_policy.admission.overrun_ns, &one) &&
		      one,
	      "overruns of one client make nobody else miss");
	check(!hurt_by_overruns(sets, 3, vivgpu_arbiter_driver_policy.admission.overrun_ns,
				&some) &&
		      some,
	      "overruns of three clients within the tolerated sum make nobody else miss");
	hurt = hurt_by_overruns(sets, 1, 20 * vivgpu_arbiter_driver_policy.admission.overrun_ns,
				&far);
	printf("      %llu overruns, %llu; up to 20 times the tolerated sum: %llu, %llu misses of others\n",
	       one, some, far, hurt);
	check(hurt * 20 < far, "of overruns far beyond that few make others miss");
}

/* The first client, which asks for a reservation, submits four times as much as its budget. */
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
		totals_frames(&set, &result, false, &frames, &missed);
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
		liar->bound_ns = vivgpu_arbiter_driver_policy.admission.min_blocking_ns +
				 vivgpu_arbiter_driver_policy.admission.overrun_ns;
		liar->cost_percent = 10;
		simulate(&set, DEADLINE, LENGTH_NS, &result);
		totals_frames(&set, &result, true, &frames, &missed);
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
	totals_frames(&set, &result, true, &frames, &missed);
	for (i = 0; i < set.count; i++)
		admitted += result.tasks[i].admitted;
	check(admitted == VIVGPU_MAX_RESERVATIONS,
	      "64 reservations are admitted, and not one more");
	check(frames && !missed, "none of 64 clients misses a deadline");
}

/* Adversaries that broke the promise under earlier rules */
static void adversaries(void)
{
	u32 i;

	for (i = 0; i < nr_attacks; i++) {
		u32 frames = 0, late = 0;
		u64 worst_ns = 0;

		attacks[i].run(&frames, &late, &worst_ns);
		printf("      %u of %u frames late, by %.1f ms at most\n", late, frames,
		       worst_ns / 1e6);
		check(frames && !late, attacks[i].name);
	}
}

/* A short search; make test-adversary searches longer. */
static void search(void)
{
	struct adversary_found found[2];
	u32 done = adversary_search(20000, 0, 1, found);

	printf("      %u evaluations; the closest frames were done %.3f and %.3f ms before they were due\n",
	       done, -found[0].closest_ns / 1e6, -found[1].closest_ns / 1e6);
	check(!found[0].late, "no adversary without privilege is found");
	check(!found[1].late, "no adversary with a reservation is found");
}

int main(int argc, char **argv)
{
	u32 sets = argc > 1 ? atoi(argv[1]) : 200;

	drm_fair();
	check(timegraph_is_right(), "TimeGraph's budgets by hand");
	all_policies(sets);
	worst(sets);
	overruns(sets);
	greedy(sets);
	lies(sets);
	cluster();
	many();
	adversaries();
	search();
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
