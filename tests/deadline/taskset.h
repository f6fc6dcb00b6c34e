/* SPDX-License-Identifier: MIT */
/* Random sets of clients for the simulation of the deadline scheduler. */
#ifndef TASKSET_H
#define TASKSET_H

#include <linux/types.h>

#include "recorded.h"

#define MS 1000000ull
#define MAX_TASKS 80

/**
 * struct task - a client that submits jobs to one queue
 * @period_ns: shortest time between two frames
 * @bound_ns: bound of the time of a frame's jobs together
 * @jitter_ns: a frame can come so much later than a period after the frame before
 * @jobs: jobs of a frame, submitted at once
 * @shortest_percent: a job takes this to 100 percent of its bound
 * @wants_reservation: it asks for a budget of @bound_ns in each @period_ns
 * @loop: it submits a frame when its last but one has ended, without a period
 * @has_cost: it predicts each job's bound as its cost, as all without a reservation do
 * @cost_percent: its prediction in percent of the bound
 * @overrun_ns: some frames' first jobs take up to this longer than their bound
 * @overrun_percent: how many of the frames
 * @recorded: it submits these frames, from @first on, again and again; NULL: random ones
 * @first: the first frame
 * @scale: by which their times are multiplied
 * @hurry: it submits so many times as often as its period says; 0 is once
 */
struct task {
	u64 period_ns;
	u64 bound_ns;
	u64 jitter_ns;
	u32 jobs;
	u32 shortest_percent;
	bool wants_reservation;
	bool loop;
	bool has_cost;
	u32 cost_percent;
	u64 overrun_ns;
	u32 overrun_percent;
	const struct recorded *recorded;
	u32 first;
	double scale;
	u32 hurry;
};

/**
 * struct taskset - clients that share a GPU
 * @seed: of the numbers that a simulation draws
 * @utilisation: of all tasks that have a period
 * @count: of @tasks
 * @tasks: the clients
 */
struct taskset {
	u64 seed;
	double utilisation;
	u32 count;
	struct task tasks[MAX_TASKS];
};

u64 random_next(u64 *state);
u64 random_below(u64 *state, u64 limit);
const struct recorded_frame *task_frame(const struct task *task, u32 number);
void taskset_recorded(struct taskset *set, u64 seed, double utilisation,
		      const struct recorded *programs, u32 count);
void taskset_random(struct taskset *set, u64 seed, double utilisation);
void taskset_cluster(struct taskset *set);
void taskset_many(struct taskset *set, u32 count);
void taskset_worst(struct taskset *set, u64 blocking_ns);
void taskset_overrun(struct taskset *set, u32 count, u64 sum_ns);

#endif
