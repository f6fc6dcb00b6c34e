/* SPDX-License-Identifier: MIT */
/* Simulation of a GPU that cannot preempt, under several scheduling policies. */
#ifndef SIMULATE_H
#define SIMULATE_H

#include "taskset.h"
#include "vivgpu_arbiter.h"

enum policy { FIFO, ROUND_ROBIN, FAIR, DRM_FAIR, EDF, PRT, PRT_AE, DEADLINE, POLICIES };

extern const char *const policy_names[POLICIES];

/**
 * struct task_result - what a client got
 * @admitted: its reservation was admitted
 * @frames: frames that ended, and had a deadline
 * @missed: of them, how many ended after it
 * @missed_promised: of these, those with no job whose assumed bound was above the client's budget,
 *	for which nothing is promised; with the deadline policy only
 * @overran: frames with a job that took longer than its bound
 * @jobs: jobs that ended
 * @beyond_bound: of them, how many took longer than the arbiter assumed
 * @failed: of the jobs, how many a recovery ended
 * @busy_ns: GPU time
 * @latest_ns: longest time from a frame's arrival to its end
 */
struct task_result {
	bool admitted;
	u64 frames;
	u64 missed;
	u64 missed_promised;
	u64 overran;
	u64 jobs;
	u64 beyond_bound;
	u64 failed;
	u64 busy_ns;
	u64 latest_ns;
};

/**
 * struct result - of a simulation
 * @tasks: of each client
 * @deepest: most jobs in the ring at once
 * @admitted: result of the admission test
 * @idle_ns: inserted idle time
 * @forced: jobs that were held back for the longest time
 */
struct result {
	struct task_result tasks[MAX_TASKS];
	u32 deepest;
	struct vivgpu_admission admitted;
	u64 idle_ns;
	u64 forced;
};

void simulate(const struct taskset *set, enum policy policy, u64 length_ns, struct result *result);

#endif
