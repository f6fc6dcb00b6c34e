// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jobs leave the ring: their events complete them and write timestamps and counters, or a
 * reset or unbind fails them.
 */

#include <linux/dma-fence.h>

#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_complete.h"
#include "vivgpu_core.h"
#include "vivgpu_deadline.h"
#include "vivgpu_device.h"
#include "vivgpu_fence.h"
#include "vivgpu_hw.h"
#include "vivgpu_job.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_record.h"
#include "vivgpu_regs.h"
#include "vivgpu_sample.h"
#include "vivgpu_stretch.h"
#include "vivgpu_trace.h"

/* How many flushes of the caches are taken to last as long as an operation. */
#define FLUSHES_PER_OPERATION	64

#define DEADLINE_FLAGS	(DRM_VIVGPU_JOB_MISSED | DRM_VIVGPU_JOB_OVERRUN)

/* The event of a timestamp point happened; lock held, clock up to date. */
static void vivgpu_complete_point(struct vivgpu_device *vdev, struct vivgpu_job *job,
				  struct vivgpu_point *point, u64 now_ns)
{
	vivgpu_job_write_point(point, now_ns, vivgpu_clock_event(&vdev->clock, now_ns));
	if (point->flags & DRM_VIVGPU_POINT_MARK)
		vivgpu_record_mark(vdev, job, point->cookie, now_ns);
}

/* Account whether a job kept its deadline, and its prediction; lock held. */
static void vivgpu_complete_account_deadline(struct vivgpu_device *vdev,
					     const struct vivgpu_job *job)
{
	bool missed = job->flags & DRM_VIVGPU_JOB_MISSED;
	bool overrun = job->flags & DRM_VIVGPU_JOB_OVERRUN;

	vivgpu_usage_add_deadline(&job->client->usage, &job->times, job->arbiter.cost_ns, missed,
				  overrun);
	vivgpu_usage_add_deadline(&vdev->usage, &job->times, job->arbiter.cost_ns, missed,
				  overrun);
}

/* Account a job's time and counts to its client and to the device; lock held. */
static void vivgpu_complete_account(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	vivgpu_usage_add(&job->client->usage, &job->times);
	vivgpu_usage_add(&vdev->usage, &job->times);
	if (unlikely(job->arbiter.cost_ns || job->flags & DEADLINE_FLAGS))
		vivgpu_complete_account_deadline(vdev, job);
	if (likely(!job->counts.valid))
		return;

	vivgpu_usage_add_counts(&vdev->usage, &job->counts);
	if (!job->counts.shared)
		vivgpu_usage_add_counts(&job->client->usage, &job->counts);
}

/* Take a job off the list of jobs in the ring and account its time; lock held. */
static void vivgpu_complete_retire(struct vivgpu_device *vdev, struct vivgpu_job *job,
				   u64 now_ns)
{
	write_seqcount_begin(&vdev->usage_seq);
	vivgpu_times_finish(&job->times, &vdev->clock, now_ns);
	vivgpu_deadline_retire(vdev, job);
	if (!job->event_only)
		vivgpu_complete_account(vdev, job);
	list_del_init(&job->arbiter.link);
	vivgpu_hw_update_running(vdev);
	write_seqcount_end(&vdev->usage_seq);
}

/* Complete a job that left the ring; lock held. It may be freed once its fence has signalled. */
static void vivgpu_complete_job(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	struct dma_fence *fence = &job->fence->base;

	WARN_ON(test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags));
	vivgpu_record_job(vdev, job);
	trace_vivgpu_done(job);
	vdev->done_seqno = max(vdev->done_seqno, job->ring_seqno);
	if (job->scrub_words)
		vivgpu_scrub_free(&vdev->scrub, job->scrub_end);
	if (list_empty(&vdev->jobs) && wq_has_sleeper(&vdev->idle_wait))
		wake_up(&vdev->idle_wait);
	vivgpu_job_retire(job);
	vivgpu_stretch_spin(VIVGPU_STRETCH_SIGNAL);
	dma_fence_signal_timestamp(fence, ns_to_ktime(job->times.finished_ns));
	vivgpu_stretch_spin(VIVGPU_STRETCH_SIGNALED);
}

/*
 * A job's last event happened; lock held. If it has counters, a work reads them: these
 * are up to 68 register reads for each pixel pipe, too many for an interrupt handler.
 * The ring stays empty until they are read.
 */
static void vivgpu_complete_end(struct vivgpu_device *vdev, struct vivgpu_job *job, u64 now_ns)
{
	if (vdev->events.first != vdev->events.next)
		job->flags |= DRM_VIVGPU_JOB_OVERLAPPED;
	if (job->alone)
		job->flags |= DRM_VIVGPU_JOB_COUNTED;
	vivgpu_complete_retire(vdev, job, now_ns);
	if (job->nr_counters)
		vdev->counters_job = job;
	else
		vivgpu_complete_job(vdev, job);
}

/**
 * vivgpu_complete_counters - read the counters of the job that ended last, and complete it
 * @vdev: the device
 *
 * Does nothing if that job has no counters. Runs on the scheduler's ordered workqueue, or
 * while that is disabled.
 */
void vivgpu_complete_counters(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job = READ_ONCE(vdev->counters_job);

	if (!job)
		return;

	vivgpu_perfmon_end(vdev, job);
	vivgpu_stretch(VIVGPU_STRETCH_COUNTERS);
	spin_lock_irq(&vdev->lock);
	/* NULL if vivgpu_sched_fail() failed the job meanwhile. */
	if (vdev->counters_job) {
		vdev->counters_job = NULL;
		job->flags |= DRM_VIVGPU_JOB_COUNTED;
		vivgpu_complete_job(vdev, job);
	}
	spin_unlock_irq(&vdev->lock);
}

/* True if one of the n oldest events is a timestamp point. */
static bool vivgpu_complete_has_point(const struct vivgpu_device *vdev, u32 n)
{
	while (n--)
		if (vivgpu_events_peek(&vdev->events, n)->point != VIVGPU_EVENT_END)
			return true;
	return false;
}

/*
 * Read the counter for the n oldest events. Reading takes as long as a short job, so it is left
 * out if it was read not long ago and the cycles of single jobs are not reported.
 */
static void vivgpu_complete_update_clock(struct vivgpu_device *vdev, u32 n, u64 now_ns)
{
	if (!vivgpu_clock_can_extrapolate(&vdev->clock, now_ns) || !list_empty(&vdev->streams) ||
	    trace_vivgpu_done_enabled() || vivgpu_complete_has_point(vdev, n))
		vivgpu_core_update_clock(vdev);
}

/* The event of one job or point happened; lock held. */
static void vivgpu_complete_event(struct vivgpu_device *vdev, const struct vivgpu_event *event,
				  u64 now_ns)
{
	if (event->point == VIVGPU_EVENT_END)
		vivgpu_complete_end(vdev, event->job, now_ns);
	else
		vivgpu_complete_point(vdev, event->job, &event->job->points[event->point], now_ns);
}

/*
 * Operations between an event and the one before it, in units of which the flush of the event
 * itself is one. A job without points is taken as one operation.
 */
static u32 vivgpu_complete_operations(const struct vivgpu_event *event)
{
	const struct vivgpu_job *job = event->job;
	u32 last = event->point == VIVGPU_EVENT_END ? job->nr_points : event->point;
	u32 before = last ? job->points[last - 1].operations : 0;
	u32 until = event->point == VIVGPU_EVENT_END ? job->operations :
						       job->points[event->point].operations;

	return FLUSHES_PER_OPERATION * (job->nr_points ? until - before : 1) + 1;
}

/*
 * Handle the n oldest events, which have happened; lock held. A point is among them, and an
 * interval between two points is a measurement of the client: each gets a time of its own, see
 * vivgpu_clock_spread(). A job's points are not before its submission.
 */
static void vivgpu_complete_spread(struct vivgpu_device *vdev, u32 n, u64 now_ns)
{
	const struct vivgpu_clock before = vdev->clock;
	u32 i, part = 0, all = 0;

	for (i = 0; i < n; i++)
		all += vivgpu_complete_operations(vivgpu_events_peek(&vdev->events, i));
	while (n--) {
		struct vivgpu_event *event = vivgpu_events_pop(&vdev->events);
		u64 ns;

		part += vivgpu_complete_operations(event);
		ns = vivgpu_clock_spread(&before, now_ns, part, all);
		vdev->clock.spread = n;
		vivgpu_complete_event(vdev, event, max(ns, event->job->times.queued_ns));
	}
}

/* Handle the n oldest events, which have happened; lock held. */
static void vivgpu_complete_oldest(struct vivgpu_device *vdev, u32 n, u64 now_ns)
{
	if (!n)
		return;

	vivgpu_complete_update_clock(vdev, n, now_ns);
	if (unlikely(vdev->sampling.streams))
		vivgpu_sample_jobs(vdev, n);
	if (n > 1 && vivgpu_complete_has_point(vdev, n)) {
		vivgpu_complete_spread(vdev, n, now_ns);
		return;
	}

	while (n--)
		vivgpu_complete_event(vdev, vivgpu_events_pop(&vdev->events), now_ns);
}

/**
 * vivgpu_complete_events - handle the events that an interrupt reported
 * @vdev: the device; its lock is held
 * @bits: event bits that were raised
 * @now_ns: time of the interrupt
 */
void vivgpu_complete_events(struct vivgpu_device *vdev, u32 bits, u64 now_ns)
{
	u32 n = vivgpu_events_signaled(&vdev->events, bits);

	/* A core that completes jobs needs no reset for an error of before them. */
	if (n) {
		vdev->fault &= !vdev->idle_fault;
		vdev->idle_fault = false;
	}
	vivgpu_complete_oldest(vdev, n, now_ns);
}

/* True if the front end's address is in a job's commands, their LINKs included; lock held. */
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
 * The front end leaves a job only after a stall on the pixel engine, so all earlier jobs
 * are done even if their events were lost. FE_DMA_ADDRESS identifies the job because no two
 * jobs in the ring have their words at the same address.
 */
void vivgpu_complete_up_to_fe(struct vivgpu_device *vdev)
{
	u32 address = vivgpu_read(vdev, FE_DMA_ADDRESS);
	struct vivgpu_job *job;

	list_for_each_entry(job, &vdev->jobs, arbiter.link) {
		if (!vivgpu_complete_fe_within(vdev, job, address))
			continue;
		vivgpu_complete_oldest(vdev, vivgpu_events_before(&vdev->events, job),
				       ktime_get_ns());
		return;
	}
}

/**
 * vivgpu_complete_fail_first - fail the oldest job in the ring
 * @vdev: the device; its lock is held, and a job is in the ring
 * @error: error to set on its fence
 */
void vivgpu_complete_fail_first(struct vivgpu_device *vdev, int error)
{
	struct vivgpu_job *job = list_first_entry(&vdev->jobs, struct vivgpu_job, arbiter.link);

	vivgpu_job_fail_results(job);
	dma_fence_set_error(&job->fence->base, error);
	vivgpu_complete_retire(vdev, job, ktime_get_ns());
	vivgpu_complete_job(vdev, job);
}

/* Fail the job that ended and whose counters were not read yet; lock held. */
static void vivgpu_complete_fail_counted(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job = vdev->counters_job;

	if (!job)
		return;

	vdev->counters_job = NULL;
	vivgpu_job_fail_results(job);
	dma_fence_set_error(&job->fence->base, -ENODEV);
	vivgpu_complete_job(vdev, job);
}

/**
 * vivgpu_complete_fail_all - fail all jobs in the ring and all held ones
 * @vdev: the device; its lock is held
 */
void vivgpu_complete_fail_all(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	vivgpu_complete_fail_counted(vdev);
	list_for_each_entry(job, &vdev->held, arbiter.link)
		job->times.queued_ns = ktime_get_ns();
	list_splice_tail_init(&vdev->held, &vdev->jobs);
	while (!list_empty(&vdev->jobs))
		vivgpu_complete_fail_first(vdev, -ENODEV);
}
