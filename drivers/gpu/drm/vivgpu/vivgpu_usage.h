/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_USAGE_H_
#define _VIVGPU_USAGE_H_

#include <linux/types.h>

/* What is counted for each job, see struct drm_vivgpu_record */
enum vivgpu_count {
	VIVGPU_COUNT_VERTICES,
	VIVGPU_COUNT_PRIMITIVES,
	VIVGPU_COUNT_FRAGMENTS,
	VIVGPU_NR_COUNTS,
};

/**
 * struct vivgpu_counts - counts of a job, or sums of them
 * @value: by enum vivgpu_count
 */
struct vivgpu_counts {
	u64 value[VIVGPU_NR_COUNTS];
};

/**
 * struct vivgpu_raw_counts - values of the counters' registers
 * @value: by enum vivgpu_count
 */
struct vivgpu_raw_counts {
	u32 value[VIVGPU_NR_COUNTS];
};

/**
 * struct vivgpu_job_counts - counts of a job
 * @counts: the counts
 * @valid: the job was counted
 * @exact: the counts are of this job alone
 * @shared: the counts may contain work of another client
 */
struct vivgpu_job_counts {
	struct vivgpu_counts counts;
	bool valid;
	bool exact;
	bool shared;
};

/**
 * struct vivgpu_occupancy - jobs with commands that are in the ring at a reading
 * @jobs: number of jobs
 * @ended: number of these, the oldest, that have ended
 * @client: number of the oldest job's client
 * @shared: the jobs are of several clients
 */
struct vivgpu_occupancy {
	u32 jobs;
	u32 ended;
	u64 client;
	bool shared;
};

/**
 * struct vivgpu_counting - counts since the end of the last job
 * @raw: the last reading
 * @pending: counts up to that reading that are not attributed to a job yet
 * @known: @raw and @pending are valid
 * @idle: no job was in the ring when the last one ended, so @pending was zero then
 */
struct vivgpu_counting {
	struct vivgpu_raw_counts raw;
	struct vivgpu_counts pending;
	bool known;
	bool idle;
};

/**
 * vivgpu_counts_add - add counts to a sum
 * @sum: the sum
 * @counts: what is added
 */
static inline void vivgpu_counts_add(struct vivgpu_counts *sum, const struct vivgpu_counts *counts)
{
	u32 i;

	for (i = 0; i < VIVGPU_NR_COUNTS; i++)
		sum->value[i] += counts->value[i];
}

/**
 * vivgpu_job_counts_clear - turn the first job's counts into those of others that ended with it
 * @counts: the counts
 */
static inline void vivgpu_job_counts_clear(struct vivgpu_job_counts *counts)
{
	counts->counts = (struct vivgpu_counts){ };
	counts->exact = false;
}

/**
 * vivgpu_occupancy_add - add a job with commands to the jobs in the ring
 * @ring: the jobs added so far, older than this one; zero at first
 * @client: number of its client
 * @ended: the job has ended
 */
static inline void vivgpu_occupancy_add(struct vivgpu_occupancy *ring, u64 client, bool ended)
{
	if (!ring->jobs)
		ring->client = client;
	ring->shared |= ring->client != client;
	ring->jobs++;
	ring->ended += ended;
}

void vivgpu_counts_update_max(struct vivgpu_counts *shown, const struct vivgpu_counts *counts);
void vivgpu_counting_start(struct vivgpu_counting *counting, const struct vivgpu_raw_counts *raw);
void vivgpu_counting_update(struct vivgpu_counting *counting, const struct vivgpu_raw_counts *raw);
void vivgpu_counting_stop(struct vivgpu_counting *counting);
void vivgpu_counting_attribute(struct vivgpu_counting *counting,
			       const struct vivgpu_raw_counts *raw,
			       const struct vivgpu_occupancy *ring,
			       struct vivgpu_job_counts *first);

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
