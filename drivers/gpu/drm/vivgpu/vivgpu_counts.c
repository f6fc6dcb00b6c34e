// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Which job was counted
 *
 * The core has one set of counters for all jobs, and they never stop. They are read in the
 * interrupt handler when jobs have ended, and the difference from the reading before is
 * attributed:
 *
 * - It is the ended job's. If one interrupt reports the end of several jobs, it is the first
 *   one's, and the others have zero, as with durations.
 * - It is exact if no other job was in the ring from the end of the job before to this one's
 *   reading. Otherwise the next job may already have been counted, or this one's beginning
 *   was counted for the job before.
 * - It is shared if jobs of several clients were in the ring at the reading. Only those can
 *   have contributed: a job that ended earlier was read earlier, and a job that came later did
 *   not run yet. A shared count is not shown to a client without privilege, because the
 *   other client's work is in it.
 *
 * So no count is lost or counted twice: the sum over all jobs is what the core has counted,
 * and so is the sum over a client's jobs between two readings at which the ring was empty.
 *
 * Submits without commands are counted neither as jobs nor as neighbours.
 *
 * The functions are pure arithmetic; the caller serialises.
 */

#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <kunit/visibility.h>

#include "vivgpu_counts.h"

/**
 * vivgpu_counts_update_max - take the maximum of each count
 * @shown: the highest counts so far, updated
 * @counts: the new counts
 */
void vivgpu_counts_update_max(struct vivgpu_counts *shown, const struct vivgpu_counts *counts)
{
	u32 i;

	for (i = 0; i < VIVGPU_NR_COUNTS; i++)
		shown->value[i] = max(shown->value[i], counts->value[i]);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_counts_update_max);

/**
 * vivgpu_counting_start - begin to count
 * @counting: the counts so far, which are dropped
 * @raw: reading of the counters; no job is in the ring
 */
void vivgpu_counting_start(struct vivgpu_counting *counting, const struct vivgpu_raw_counts *raw)
{
	*counting = (struct vivgpu_counting){ .raw = *raw, .known = true, .idle = true };
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_counting_start);

/**
 * vivgpu_counting_update - account a reading at which no job ended
 * @counting: the counts so far
 * @raw: reading of the counters, 32 bit wide: they must be read at least once each wrap
 */
void vivgpu_counting_update(struct vivgpu_counting *counting, const struct vivgpu_raw_counts *raw)
{
	u32 i;

	for (i = 0; i < VIVGPU_NR_COUNTS && counting->known; i++)
		counting->pending.value[i] += (u32)(raw->value[i] - counting->raw.value[i]);
	counting->raw = *raw;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_counting_update);

/**
 * vivgpu_counting_stop - end counting: the counters change without their value being known
 * @counting: the counts so far, which are dropped
 */
void vivgpu_counting_stop(struct vivgpu_counting *counting)
{
	memset(counting, 0, sizeof(*counting));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_counting_stop);

/**
 * vivgpu_counting_attribute - account a reading at which jobs ended
 * @counting: the counts so far; they begin here if counting was stopped
 * @raw: reading of the counters
 * @ring: the jobs in the ring, those that ended among them; at least one has
 * @first: out, counts of the oldest of the ended jobs; see vivgpu_job_counts_clear() for others
 */
void vivgpu_counting_attribute(struct vivgpu_counting *counting,
			       const struct vivgpu_raw_counts *raw,
			       const struct vivgpu_occupancy *ring,
			       struct vivgpu_job_counts *first)
{
	vivgpu_counting_update(counting, raw);
	first->counts = counting->pending;
	first->valid = counting->known;
	first->exact = counting->known && counting->idle && ring->jobs == 1;
	first->shared = ring->shared;
	counting->pending = (struct vivgpu_counts){ };
	counting->known = true;
	counting->idle = ring->ended == ring->jobs;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_counting_attribute);
