// SPDX-License-Identifier: GPL-2.0-only
/* Jobs leave the ring: their events, timestamps and counters, or their failure. */

#include <linux/dma-fence.h>

#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_complete.h"
#include "vivgpu_core.h"
#include "vivgpu_device.h"
#include "vivgpu_fence.h"
#include "vivgpu_hw.h"
#include "vivgpu_job.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_record.h"
#include "vivgpu_regs.h"
#include "vivgpu_trace.h"

/* A timestamp point was passed; lock held, clock up to date. */
static void vivgpu_complete_point(struct vivgpu_device *vdev, struct vivgpu_job *job,
				  struct vivgpu_point *point, u64 now_ns)
{
	vivgpu_job_write_point(point, now_ns, vivgpu_clock_event(&vdev->clock, now_ns));
	if (point->flags & DRM_VIVGPU_POINT_MARK)
		vivgpu_record_mark(vdev, job, point->cookie, now_ns);
}

/* A job leaves the ring; lock held. */
static void vivgpu_complete_leave_ring(struct vivgpu_device *vdev, struct vivgpu_job *job,
				       u64 now_ns)
{
	write_seqcount_begin(&vdev->usage_seq);
	vivgpu_times_finish(&job->times, &vdev->clock, now_ns);
	if (!job->event_only)
		vivgpu_usage_add(&job->client->usage, &job->times);
	list_del_init(&job->link);
	vivgpu_hw_update_running(vdev);
	write_seqcount_end(&vdev->usage_seq);
}

/* A job that left the ring is through; lock held. It is gone when its fence signals. */
static void vivgpu_complete_job(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	struct dma_fence *fence = &job->fence->base;

	vivgpu_record_job(vdev, job);
	trace_vivgpu_done(job);
	vdev->done_seqno = fence->seqno;
	if (job->scrub_words)
		vivgpu_scrub_give(&vdev->scrub, job->scrub_end);
	if (list_empty(&vdev->jobs))
		wake_up(&vdev->idle_wait);
	vivgpu_job_retire(job);
	dma_fence_signal(fence);
}

/*
 * A job's last event happened; lock held. Its counters are read by the worker: these
 * are many accesses, and the ring waits for them, not the interrupt handler.
 */
static void vivgpu_complete_end(struct vivgpu_device *vdev, struct vivgpu_job *job, u64 now_ns)
{
	if (vdev->events.first != vdev->events.next)
		job->flags |= DRM_VIVGPU_JOB_OVERLAPPED;
	vivgpu_complete_leave_ring(vdev, job, now_ns);
	if (job->nr_counters)
		vdev->counted = job;
	else
		vivgpu_complete_job(vdev, job);
}

/**
 * vivgpu_complete_counters - read the counters of the job that ended last
 * @vdev: the device
 *
 * Does nothing if that job did not ask for counters. Called by the scheduler's ordered
 * worker, or when it does not run.
 */
void vivgpu_complete_counters(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job = READ_ONCE(vdev->counted);

	if (!job)
		return;

	vivgpu_perfmon_end(vdev, job);
	spin_lock_irq(&vdev->lock);
	/* It has failed if the device went meanwhile. */
	if (vdev->counted) {
		vdev->counted = NULL;
		job->flags |= DRM_VIVGPU_JOB_COUNTED;
		vivgpu_complete_job(vdev, job);
	}
	spin_unlock_irq(&vdev->lock);
}

/* The oldest events happened; lock held. */
static void vivgpu_complete_oldest(struct vivgpu_device *vdev, u32 n, u64 now_ns)
{
	if (n)
		vivgpu_core_update_clock(vdev);
	while (n--) {
		struct vivgpu_event *event = vivgpu_events_pop(&vdev->events);

		if (event->point == VIVGPU_EVENT_END)
			vivgpu_complete_end(vdev, event->job, now_ns);
		else
			vivgpu_complete_point(vdev, event->job,
					      &event->job->points[event->point], now_ns);
	}
}

/**
 * vivgpu_complete_events - complete what an interrupt's events stand for
 * @vdev: the device; its lock is held
 * @bits: event bits that were raised
 * @now_ns: time of the interrupt
 */
void vivgpu_complete_events(struct vivgpu_device *vdev, u32 bits, u64 now_ns)
{
	u32 n = vivgpu_events_seen(&vdev->events, bits);

	/* A core that works on needs no reset for what was before. */
	if (n) {
		vdev->fault &= !vdev->stray;
		vdev->stray = false;
	}
	vivgpu_complete_oldest(vdev, n, now_ns);
}

/* Is the front end in what was given to it for a job? Lock held. */
static bool vivgpu_complete_fe_within(struct vivgpu_device *vdev, const struct vivgpu_job *job,
				      u32 address)
{
	const u32 link = LINK_WORDS * sizeof(u32);

	return vivgpu_ring_within(&vdev->ring, job->slot, address) ||
	       address - job->va < job->total_words * sizeof(u32) + link ||
	       (job->scrub_words &&
		address - job->scrub_va < job->scrub_words * sizeof(u32) + link);
}

/**
 * vivgpu_complete_up_to_fe - complete the jobs before the one the front end is in
 * @vdev: the device, whose front end stopped; its lock is held
 *
 * The front end leaves a job only when the pixel engine is through with it; so the jobs
 * before the one it is in are done, whatever became of their events. No two jobs in the
 * ring have their words at the same address.
 */
void vivgpu_complete_up_to_fe(struct vivgpu_device *vdev)
{
	u32 address = vivgpu_read(vdev, FE_DMA_ADDRESS);
	struct vivgpu_job *job;

	list_for_each_entry(job, &vdev->jobs, link) {
		if (!vivgpu_complete_fe_within(vdev, job, address))
			continue;
		vivgpu_complete_oldest(vdev, vivgpu_events_before(&vdev->events, job),
				       ktime_get_ns());
		return;
	}
}

/**
 * vivgpu_complete_fail_first - take the oldest job out of the ring, as failed
 * @vdev: the device; its lock is held, and a job is in the ring
 * @error: error of its fence
 */
void vivgpu_complete_fail_first(struct vivgpu_device *vdev, int error)
{
	struct vivgpu_job *job = list_first_entry(&vdev->jobs, struct vivgpu_job, link);

	vivgpu_job_fail_results(job);
	dma_fence_set_error(&job->fence->base, error);
	vivgpu_complete_leave_ring(vdev, job, ktime_get_ns());
	vivgpu_complete_job(vdev, job);
}

/* The job whose counters were not read yet will not get them; lock held. */
static void vivgpu_complete_fail_counted(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job = vdev->counted;

	if (!job)
		return;

	vdev->counted = NULL;
	vivgpu_job_fail_results(job);
	dma_fence_set_error(&job->fence->base, -ENODEV);
	vivgpu_complete_job(vdev, job);
}

/**
 * vivgpu_complete_fail_all - fail all jobs in the ring and those that wait for it
 * @vdev: the device; its lock is held
 */
void vivgpu_complete_fail_all(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	vivgpu_complete_fail_counted(vdev);
	list_for_each_entry(job, &vdev->held, link)
		job->times.queued_ns = ktime_get_ns();
	list_splice_tail_init(&vdev->held, &vdev->jobs);
	while (!list_empty(&vdev->jobs))
		vivgpu_complete_fail_first(vdev, -ENODEV);
}
