// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Counts without stopping the ring
 *
 * While a stream with DRM_VIVGPU_STREAM_COUNTS is open, three counters are read in each
 * interrupt that reports the end of a job. They are in three blocks (PA, RA, SH), so they are
 * selected once and then cost one register read each. None of them is divided among the
 * pixel pipes: to read those, each pipe has to be selected in HI_CLOCK_CONTROL, which may
 * hang a core that works. The counters of a block sum up its pipes.
 *
 * Exact counters (vivgpu_perfmon.c) select other counters of the same blocks, so the selection
 * is written again after them. Selecting does not change what is counted.
 *
 * Which job the counts belong to is decided in vivgpu_counts.c.
 */

#include "vivgpu_client.h"
#include "vivgpu_device.h"
#include "vivgpu_job.h"
#include "vivgpu_regs.h"
#include "vivgpu_sample.h"

/* RENDERED_PIXEL_COUNTER of SH; INPUT_VTX_COUNTER of PA and TOTAL_PRIMITIVE_COUNT of RA */
#define SELECT_SH	(8 << 24)
#define SELECT_PA_RA	(3 << 16 | 3 << 0)

/* Read the three counters; false if the card was pulled, whose registers are all ones. */
static bool vivgpu_sample_read(struct vivgpu_device *vdev, struct vivgpu_raw_counts *raw)
{
	struct vivgpu_sampling *sampling = &vdev->sampling;

	if (!sampling->selected) {
		vivgpu_write(vdev, MC_PROFILE_CONFIG(0), SELECT_SH);
		vivgpu_write(vdev, MC_PROFILE_CONFIG(1), SELECT_PA_RA);
		sampling->selected = true;
	}
	raw->value[VIVGPU_COUNT_VERTICES] = vivgpu_read(vdev, MC_PROFILE_PA);
	raw->value[VIVGPU_COUNT_PRIMITIVES] = vivgpu_read(vdev, MC_PROFILE_RA);
	raw->value[VIVGPU_COUNT_FRAGMENTS] = vivgpu_read(vdev, MC_PROFILE_SH);
	return raw->value[0] != U32_MAX || raw->value[1] != U32_MAX || raw->value[2] != U32_MAX;
}

/**
 * vivgpu_sample_start - read the counters before a job enters the ring, if necessary
 * @vdev: the device, its lock held
 *
 * They are read if their value is not known: after a reset, a resume, or after the first
 * stream was opened.
 */
void vivgpu_sample_start(struct vivgpu_device *vdev)
{
	struct vivgpu_sampling *sampling = &vdev->sampling;
	struct vivgpu_raw_counts raw;

	if (likely(!sampling->streams) || sampling->counting.known || !list_empty(&vdev->jobs))
		return;
	if (vdev->awake && vivgpu_sample_read(vdev, &raw))
		vivgpu_counting_start(&sampling->counting, &raw);
}

/* The jobs with commands that are in the ring. The oldest @events events have happened. */
static struct vivgpu_occupancy vivgpu_sample_occupancy(struct vivgpu_device *vdev, u32 events)
{
	u32 next = vdev->events.first + events;
	struct vivgpu_occupancy ring = { };
	const struct vivgpu_job *job;

	list_for_each_entry(job, &vdev->jobs, arbiter.link) {
		if (!job->event_only)
			vivgpu_occupancy_add(&ring, job->client->id,
					     (s32)(next - job->end_event) > 0);
	}
	return ring;
}

/**
 * vivgpu_sample_jobs - read the counters for jobs that have ended
 * @vdev: the device, its lock held; the jobs are still in the ring
 * @events: number of the oldest events, which have happened
 *
 * Called if a stream gets counts.
 */
void vivgpu_sample_jobs(struct vivgpu_device *vdev, u32 events)
{
	struct vivgpu_sampling *sampling = &vdev->sampling;
	struct vivgpu_job_counts counts;
	struct vivgpu_occupancy ring;
	struct vivgpu_raw_counts raw;
	struct vivgpu_job *job;

	ring = vivgpu_sample_occupancy(vdev, events);
	if (!ring.ended || !vdev->awake || !vivgpu_sample_read(vdev, &raw))
		return;

	vivgpu_counting_attribute(&sampling->counting, &raw, &ring, &counts);
	list_for_each_entry(job, &vdev->jobs, arbiter.link) {
		if (job->event_only)
			continue;
		job->counts = counts;
		if (!--ring.ended)
			break;
		vivgpu_job_counts_clear(&counts);
	}
}

/**
 * vivgpu_sample_poll - read the counters before they wrap, during a long job
 * @vdev: the device, its lock held
 */
void vivgpu_sample_poll(struct vivgpu_device *vdev)
{
	struct vivgpu_sampling *sampling = &vdev->sampling;
	struct vivgpu_raw_counts raw;

	if (likely(!sampling->streams) || !sampling->counting.known || list_empty(&vdev->jobs))
		return;
	if (vdev->awake && vivgpu_sample_read(vdev, &raw))
		vivgpu_counting_update(&sampling->counting, &raw);
}

/**
 * vivgpu_sample_stop - read the counters for the last time before a reset or suspend
 * @vdev: the device, its lock held, within a write section of its usage_seq
 *
 * What jobs in the ring did up to here is added to the device's counts: they fail, or run
 * again from their beginning.
 */
void vivgpu_sample_stop(struct vivgpu_device *vdev)
{
	struct vivgpu_sampling *sampling = &vdev->sampling;

	vivgpu_sample_poll(vdev);
	vivgpu_counts_add(&vdev->usage.counts, &sampling->counting.pending);
	vivgpu_counting_stop(&sampling->counting);
	sampling->selected = false;
}

/**
 * vivgpu_sample_add_stream - add a stream that gets counts
 * @vdev: the device, its lock held
 * @exact: the stream has an exact_interval
 */
void vivgpu_sample_add_stream(struct vivgpu_device *vdev, bool exact)
{
	vdev->sampling.streams++;
	vdev->sampling.exact_streams += exact;
}

/**
 * vivgpu_sample_remove_stream - remove a stream that gets counts
 * @vdev: the device, its lock held
 * @exact: as for vivgpu_sample_add_stream()
 */
void vivgpu_sample_remove_stream(struct vivgpu_device *vdev, bool exact)
{
	vdev->sampling.exact_streams -= exact;
	if (!--vdev->sampling.streams)
		vivgpu_counting_stop(&vdev->sampling.counting);
}
