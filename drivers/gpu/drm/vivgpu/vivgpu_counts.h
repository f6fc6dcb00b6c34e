/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_COUNTS_H_
#define _VIVGPU_COUNTS_H_

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

#endif
