// SPDX-License-Identifier: MIT
/* Random sets of clients; the same seed gives the same set on each machine. */

#include <math.h>
#include <string.h>

#include <linux/minmax.h>

#include "taskset.h"

/* A budget, over the longest recorded frame */
#define MARGIN 1.25

/**
 * random_next - the next number of a generator (splitmix64)
 * @state: the generator; any value is a seed
 */
u64 random_next(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/**
 * random_below - a number less than a limit
 * @state: the generator
 * @limit: the limit, at least 1
 */
u64 random_below(u64 *state, u64 limit)
{
	return random_next(state) % limit;
}

static double random_unit(u64 *state)
{
	return (random_next(state) >> 11) * 0x1p-53;
}

/* A game that submits as fast as it can, with frames of 1 to 8 ms. */
static void add_game(struct taskset *set, u64 *state)
{
	set->tasks[set->count++] = (struct task){
		.bound_ns = MS + random_below(state, 7 * MS),
		.jobs = 1,
		.shortest_percent = 50,
		.loop = true,
		.has_cost = true,
		.cost_percent = 100,
	};
}

static void add_periodic(struct taskset *set, u64 *state, double utilisation, bool reservation)
{
	/* Displays of 120, 75, 60 and 50 Hz, and applications that draw less often */
	static const u64 periods_us[] = { 8333, 13333, 16667, 20000, 33333, 40000, 66667, 100000 };
	u64 period = periods_us[random_below(state, 8)] * 1000;

	set->tasks[set->count++] = (struct task){
		.period_ns = period,
		.bound_ns = max(50000ull, (u64)(utilisation * period)),
		.jitter_ns = random_below(state, 2) ? random_below(state, period / 4) : 0,
		.jobs = 1 + random_below(state, 3),
		.shortest_percent = 50 + random_below(state, 51),
		.wants_reservation = reservation,
		.has_cost = random_below(state, 4),
		.cost_percent = 100,
	};
}

/**
 * taskset_random - draw a set: some clients that ask for a reservation, which together need
 * half to all of the utilisation, two periodic ones that do not, and a game
 * @set: the set
 * @seed: its number
 * @utilisation: of the periodic clients
 */
void taskset_random(struct taskset *set, u64 seed, double utilisation)
{
	u64 state = seed * 1000003;
	u32 count = 2 + random_below(&state, 6), i;
	double reserved = (0.5 + 0.5 * random_unit(&state)) * utilisation, left = reserved;

	memset(set, 0, sizeof(*set));
	set->seed = seed;
	set->utilisation = utilisation;
	/* UUniFast: E. Bini, G. Buttazzo, "Measuring the Performance of Schedulability Tests" */
	for (i = 1; i <= count; i++) {
		double next = i < count ? left * pow(random_unit(&state), 1.0 / (count - i)) : 0;

		add_periodic(set, &state, left - next, true);
		left = next;
	}
	add_periodic(set, &state, 0.6 * (utilisation - reserved), false);
	add_periodic(set, &state, 0.4 * (utilisation - reserved), false);
	add_game(set, &state);
}

/**
 * task_frame - a frame of a recorded client
 * @task: the client
 * @number: frames before it
 *
 * Return: the recorded frame.
 */
const struct recorded_frame *task_frame(const struct task *task, u32 number)
{
	return &task->recorded->frames[(task->first + number) % task->recorded->count];
}

/**
 * taskset_recorded - draw a set as taskset_random() does, whose clients submit recorded frames
 * @set: the set
 * @seed: its number
 * @utilisation: of the periodic clients
 * @programs: recordings
 * @count: of them
 *
 * Times are scaled, as on a core of another speed, so that the longest frame of a client is 4/5 of
 * its bound: a program asks for more than its longest frame. Predictions are scaled with them, so
 * their relative errors are the recorded ones.
 */
void taskset_recorded(struct taskset *set, u64 seed, double utilisation,
		      const struct recorded *programs, u32 count)
{
	u64 state = seed * 7919;
	u32 i;

	taskset_random(set, seed, utilisation);
	for (i = 0; i < set->count; i++) {
		struct task *task = &set->tasks[i];

		task->recorded = &programs[random_below(&state, count)];
		task->first = random_below(&state, task->recorded->count);
		task->scale = task->bound_ns / MARGIN / task->recorded->longest_ns;
		task->has_cost = true;
	}
}

/**
 * taskset_cluster - an instrument cluster at 60 Hz, a map at 30 Hz, and a game at 15 Hz whose
 * frames are longer than a period of the cluster: 90 percent load
 * @set: the set
 */
void taskset_cluster(struct taskset *set)
{
	static const struct task cluster = { .period_ns = 16666667,
					     .bound_ns = 5 * MS,
					     .jobs = 2,
					     .shortest_percent = 70,
					     .wants_reservation = true,
					     .has_cost = true,
					     .cost_percent = 100 };
	static const struct task map = { .period_ns = 33333333,
					 .bound_ns = 6 * MS,
					 .jobs = 2,
					 .shortest_percent = 50,
					 .wants_reservation = true,
					 .has_cost = true,
					 .cost_percent = 100 };
	static const struct task game = { .period_ns = 66666667,
					  .bound_ns = 28 * MS,
					  .jobs = 4,
					  .shortest_percent = 95,
					  .jitter_ns = MS,
					  .has_cost = true,
					  .cost_percent = 100 };

	memset(set, 0, sizeof(*set));
	set->seed = 1;
	set->utilisation = 0.9;
	set->count = 3;
	set->tasks[0] = cluster;
	set->tasks[1] = map;
	set->tasks[2] = game;
}

/**
 * taskset_many - clients that each ask for a small reservation, and a game
 * @set: the set
 * @count: clients that ask for a reservation, less than MAX_TASKS
 */
void taskset_many(struct taskset *set, u32 count)
{
	u64 state = count;
	u32 i;

	memset(set, 0, sizeof(*set));
	set->seed = count;
	set->utilisation = 0.4;
	for (i = 0; i < count; i++) {
		add_periodic(set, &state, set->utilisation / count, true);
		/* The overhead of each job is a part of the budget. */
		set->tasks[i].jobs = 1;
	}
	add_game(set, &state);
}

/**
 * taskset_worst - let all jobs take as long as they may, and the game's jobs block the GPU as
 * long as is permitted
 * @set: the set
 * @blocking_ns: how long that is
 */
void taskset_worst(struct taskset *set, u64 blocking_ns)
{
	u32 i;

	for (i = 0; i < set->count; i++) {
		set->tasks[i].shortest_percent = 100;
		if (set->tasks[i].loop)
			set->tasks[i].bound_ns = blocking_ns;
	}
}

/**
 * taskset_overrun - let the first clients take longer than they said
 * @set: the set; of random ones the first two to seven clients ask for a reservation
 * @count: how many clients
 * @sum_ns: sum of their longest overruns
 */
void taskset_overrun(struct taskset *set, u32 count, u64 sum_ns)
{
	u32 i;

	for (i = 0; i < set->count && i < count; i++) {
		set->tasks[i].overrun_ns = sum_ns / count;
		set->tasks[i].overrun_percent = 20;
	}
}
