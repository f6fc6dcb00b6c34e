/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_USAGE_H_
#define _VIVGPU_USAGE_H_

#include <linux/types.h>

#include "vivgpu_counts.h"

/**
 * struct vivgpu_clock - 64-bit cycle count of the core, and the end of its last job
 * @hz: its rate, 0 if that is not known
 * @cycles: extended count at the last reading
 * @raw: the register's value at the last reading
 * @read_ns: best estimate of the time at which the counter had that value
 * @free_ns: when the last job finished
 * @free_cycles: cycles at that time
 * @reported_ns: time of the last start on an idle GPU or event that was reported
 * @reported_cycles: cycles that were reported for that time
 * @min_latency_ns: shortest time from the start of a job on an idle GPU to its interrupt;
 *	0 before the first
 * @spread: the present event's time was spread, see vivgpu_clock_spread(): it is not that of
 *	an interrupt
 */
struct vivgpu_clock {
	u32 hz;
	u64 cycles;
	u32 raw;
	u64 read_ns;
	u64 free_ns;
	u64 free_cycles;
	u64 reported_ns;
	u64 reported_cycles;
	u64 min_latency_ns;
	bool spread;
};

/**
 * struct vivgpu_times - timestamps of a job
 * @submitted_ns: start of the submit call
 * @queued_ns: when it entered the ring
 * @queued_cycles: cycles at that time
 * @started_ns: when the GPU began with it
 * @started_cycles: cycles at that time
 * @finished_ns: time of its interrupt
 * @cycles: cycles it took
 */
struct vivgpu_times {
	u64 submitted_ns;
	u64 queued_ns;
	u64 queued_cycles;
	u64 started_ns;
	u64 started_cycles;
	u64 finished_ns;
	u64 cycles;
};

/**
 * struct vivgpu_usage - use of the GPU by a client or by all clients
 * @busy_ns: time of finished jobs with commands
 * @cycles: their cycles
 * @jobs: their number
 * @counts: vertices, primitives, fragments of those that were counted
 * @counted_jobs: number of jobs that were counted
 * @exact_jobs: number of these with exact counts
 * @missed: number of jobs that ended after their deadline
 * @overruns: number of jobs that took longer than was assumed
 * @predicted_ns: sum of the predicted lengths of jobs that had one
 * @predicted_busy_ns: time of these jobs
 */
struct vivgpu_usage {
	u64 busy_ns;
	u64 cycles;
	u64 jobs;
	struct vivgpu_counts counts;
	u64 counted_jobs;
	u64 exact_jobs;
	u64 missed;
	u64 overruns;
	u64 predicted_ns;
	u64 predicted_busy_ns;
};

/**
 * struct vivgpu_ended - numbers of completed and failed jobs of a client or of all clients
 * @finished: number of jobs that have ended
 * @failed: number of these that failed
 * @events: number of these that had no commands
 */
struct vivgpu_ended {
	u64 finished;
	u64 failed;
	u64 events;
};

u64 vivgpu_clock_update(struct vivgpu_clock *clock, u32 raw, u64 begin_ns, u64 end_ns);
void vivgpu_clock_reset(struct vivgpu_clock *clock, u32 raw, u64 now_ns);
bool vivgpu_clock_can_extrapolate(const struct vivgpu_clock *clock, u64 ns);
u64 vivgpu_clock_extrapolate(struct vivgpu_clock *clock, u64 ns);
u32 vivgpu_clock_estimate(const struct vivgpu_clock *clock, u64 ns);
u64 vivgpu_clock_event(struct vivgpu_clock *clock, u64 ns);
u64 vivgpu_clock_spread(const struct vivgpu_clock *clock, u64 now_ns, u32 part, u32 all);
void vivgpu_times_start(struct vivgpu_times *times, const struct vivgpu_clock *clock);
void vivgpu_times_finish(struct vivgpu_times *times, struct vivgpu_clock *clock, u64 now_ns);
void vivgpu_usage_add(struct vivgpu_usage *usage, const struct vivgpu_times *times);
void vivgpu_usage_add_deadline(struct vivgpu_usage *usage, const struct vivgpu_times *times,
			       u64 cost_ns, bool missed, bool overrun);
void vivgpu_usage_add_counts(struct vivgpu_usage *usage, const struct vivgpu_job_counts *counts);
void vivgpu_ended_add(struct vivgpu_ended *ended, bool failed, bool event);
void vivgpu_usage_add_running(struct vivgpu_usage *usage, const struct vivgpu_times *times,
			      const struct vivgpu_clock *clock, u32 raw, u64 now_ns);
void vivgpu_usage_update_max(struct vivgpu_usage *shown, const struct vivgpu_usage *usage);

#endif
