// SPDX-License-Identifier: GPL-2.0-only
/*
 * A job's way through the core, in four parts:
 *
 *	vivgpu_hw_		ready jobs enter the ring
 *	vivgpu_hw_complete_	events complete jobs in the ring, a reset or unbind fails them
 *	vivgpu_hw_irq_		the interrupt, which reports events and faults
 *	vivgpu_hw_recovery_	after a hang or a fault: which job is guilty, and the reset
 *
 * What other files call of the last three begins with vivgpu_complete_, vivgpu_irq_ and
 * vivgpu_recovery_.
 */

#include <linux/dma-fence.h>
#include <linux/export.h>
#include <linux/interrupt.h>

#include <kunit/static_stub.h>
#include <kunit/visibility.h>

#include <drm/drm_print.h>
#include <drm/gpu_scheduler.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_core.h"
#include "vivgpu_deadline.h"
#include "vivgpu_device.h"
#include "vivgpu_fence.h"
#include "vivgpu_hw.h"
#include "vivgpu_inherit.h"
#include "vivgpu_job.h"
#include "vivgpu_mmu.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_queue.h"
#include "vivgpu_regs.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"
#include "vivgpu_trace.h"

/*
 * Jobs enter the ring: which of them may, the MMU switch or flush before them, and the scrub
 * commands: those that set to zero the states that other clients wrote.
 *
 * Nothing is allocated here, because reclaim may wait for the fences of these jobs.
 */

/* Switch or flush the MMU for a job, if it needs either; lock held. */
static void vivgpu_hw_prepare_mmu(struct vivgpu_device *vdev, const struct vivgpu_job *job,
				  struct vivgpu_ring_job *ring_job)
{
	u32 sequence = atomic_read(&job->vm->sequence);

	if (vdev->vm == job->vm && vdev->vm_sequence == sequence)
		return;

	vdev->vm_sequence = sequence;
	if (vdev->mmu_v1) {
		ring_job->mmu_state = GL_FLUSH_MMU;
		ring_job->mmu = GL_FLUSH_MMU_ALL;
	} else {
		ring_job->mmu_state = MMUV2_CONFIGURATION;
		ring_job->mmu = vivgpu_vm_table(job->vm) | MMUV2_CONFIGURATION_FLUSH;
	}
}

/*
 * Number of words of a job's scrub commands: for the states that other clients wrote and the
 * job's prologue does not load. The set of these states is left in core->scratch. Counting
 * them, out of up to 16,000, takes too long to do with interrupts off.
 */
static u32 vivgpu_hw_scrub_words(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	struct vivgpu_core_state *core = &vdev->state;

	might_sleep();
	if (job->event_only)
		return 0;

	vivgpu_state_foreign(core, job->client->id, job->covered, &core->scratch);
	return vivgpu_state_scrub(NULL, &core->scratch, 0);
}

/* Value of VS_ICACHE_CONTROL between two clients' jobs; 0 on cores without the cache. */
static u32 vivgpu_hw_icache_control(const struct vivgpu_device *vdev)
{
	return vdev->identity.features[4] & MINOR_FEATURE_3_INSTRUCTION_CACHE ?
	       VS_ICACHE_CONTROL_FLUSH : 0;
}

/*
 * Write the job's scrub commands, up to 64 KiB, which run before it.
 */
static void vivgpu_hw_scrub(struct vivgpu_device *vdev, struct vivgpu_job *job, u32 words,
			    struct vivgpu_ring_job *ring_job)
{
	struct vivgpu_scrub *scrub = &vdev->scrub;
	u32 at;

	job->scrub_words = words;
	if (!job->scrub_words)
		return;

	at = vivgpu_scrub_alloc(scrub, job->scrub_words + LINK_WORDS);
	job->scrub_end = scrub->head;
	ring_job->first = scrub->words + at;
	ring_job->first_va = scrub->va + at * sizeof(u32);
	job->scrub_va = ring_job->first_va;
	ring_job->first_words = vivgpu_state_scrub(ring_job->first, &vdev->state.scratch,
						   vivgpu_hw_icache_control(vdev));
}

/* Record which client's states the core will hold after this job; lock held. */
static void vivgpu_hw_update_state(struct vivgpu_device *vdev, struct vivgpu_job *job, u32 prologue)
{
	job->loaded_words = prologue + job->scrub_words;
	if (job->loaded_words)
		job->flags |= DRM_VIVGPU_JOB_PROLOGUE;
	if (job->event_only)
		return;
	vivgpu_state_emitted(&vdev->state, job->client->id, &vdev->state.scratch, &job->written);
	vdev->queue = job->queue_id;
}

/*
 * The slow part of writing a job to the ring, without the lock. Only the ordered
 * workqueue calls it, and nothing else uses the head of the scrub memory and the
 * record of the core's states.
 */
static void vivgpu_hw_prepare(struct vivgpu_device *vdev, struct vivgpu_job *job, u32 scrub_words,
			      struct vivgpu_ring_job *ring_job)
{
	vivgpu_hw_scrub(vdev, job, scrub_words, ring_job);
	if (job->nr_counters)
		vivgpu_perfmon_begin(vdev, job);
}

/*
 * Write a job to the ring; lock held. If the last job with commands was of the same queue, the core
 * has the states that the prologue loads, so it is skipped. After a reset vdev->queue is 0, which
 * is no queue's id.
 */
static void vivgpu_hw_emit(struct vivgpu_device *vdev, struct vivgpu_job *job,
			   struct vivgpu_ring_job *ring_job)
{
	u32 skip = vdev->queue == job->queue_id ? job->prologue_words : 0;
	u32 i, bit;

	ring_job->stream = job->words + skip;
	ring_job->va = job->va + skip * sizeof(u32);
	ring_job->words = job->total_words - skip;
	vivgpu_hw_prepare_mmu(vdev, job, ring_job);
	for (i = 0; i < job->nr_points; i++) {
		bit = vivgpu_events_add(&vdev->events, job, i);
		vivgpu_ring_event(job->words + job->points[i].word, bit);
	}
	job->end_event = vdev->events.next;
	ring_job->event = vivgpu_events_add(&vdev->events, job, VIVGPU_EVENT_END);
	vivgpu_ring_emit(&vdev->ring, ring_job);
	job->slot = vdev->ring.slot;
	vivgpu_hw_update_state(vdev, job, job->prologue_words - skip);
	vivgpu_device_ring_doorbell(vdev);
}

/*
 * Record the address space that the MMU is switched to before this job. The reference
 * on the old one is put when the job is freed: the MMU has left the old space by then.
 */
static void vivgpu_hw_switch_vm(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	if (vdev->vm == job->vm)
		return;
	job->old_vm = vdev->vm;
	vdev->vm = vivgpu_vm_get(job->vm);
}

/**
 * vivgpu_hw_update_running - copy the oldest job's figures for lockless readers (fdinfo)
 * @vdev: the device; its lock is held, within a write section of its usage_seq
 */
static void vivgpu_hw_update_running(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job = list_first_entry_or_null(&vdev->jobs, struct vivgpu_job,
							  arbiter.link);

	vdev->running.client = job && !job->event_only ? job->client : NULL;
	if (job)
		vdev->running.times = job->times;
}

/* Take the time and cycle stamp of a job that was written to the ring just now; lock held. */
static void vivgpu_hw_stamp(struct vivgpu_device *vdev, struct vivgpu_times *times)
{
	times->queued_ns = ktime_get_ns();
	/* Behind another job it starts when that one ends, which the interrupt handler stamps. */
	if (!list_empty(&vdev->jobs))
		return;
	/* Reading the counter may take as long as a short job, so avoid it if possible. */
	if (!vivgpu_clock_can_extrapolate(&vdev->clock, times->queued_ns))
		vivgpu_core_update_clock(vdev);
	times->queued_cycles = vivgpu_clock_extrapolate(&vdev->clock, times->queued_ns);
}

/*
 * Write a job to the ring. The stamp is taken directly afterwards, with interrupts off,
 * so that no delay lies between the start of the job and its stamp. Lock held.
 */
static void vivgpu_hw_submit(struct vivgpu_device *vdev, struct vivgpu_job *job,
			     struct vivgpu_ring_job *ring_job)
{
	vivgpu_sample_start(vdev);
	vivgpu_hw_emit(vdev, job, ring_job);
	vivgpu_hw_stamp(vdev, &job->times);
	vivgpu_deadline_start(vdev, job);
	job->ring_seqno = ++vdev->ring_seqno;
	trace_vivgpu_run(job);
	vivgpu_hw_switch_vm(vdev, job);
	vivgpu_watchdog_enter(vdev);
	vivgpu_stretch_spin(VIVGPU_STRETCH_EMIT);
	write_seqcount_begin(&vdev->usage_seq);
	list_move_tail(&job->arbiter.link, &vdev->jobs);
	vivgpu_hw_update_running(vdev);
	write_seqcount_end(&vdev->usage_seq);
}

/*
 * True if the words of a job in the ring have the same GPU addresses as this one's in
 * another address space: the front end's address would then fit both.
 */
static bool vivgpu_hw_address_in_use(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	const struct vivgpu_job *other;

	if (!READ_ONCE(vdev->cmd_slots.shared))
		return false;

	list_for_each_entry(other, &vdev->jobs, arbiter.link) {
		if (other->vm != job->vm && other->vm->cmd_slot == job->vm->cmd_slot)
			return true;
	}

	return false;
}

/*
 * True if a job may enter the ring now. A job that reads counters has to be alone there,
 * because the counters count for all jobs. An empty ring has room for the events of any job: one
 * for the end and up to VIVGPU_MAX_POINTS are fewer than VIVGPU_EVENT_BITS.
 */
static bool vivgpu_hw_can_submit(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	const struct vivgpu_job *last;

	if (vdev->counters_job)
		return false;
	if (list_empty(&vdev->jobs))
		return true;

	last = list_last_entry(&vdev->jobs, struct vivgpu_job, arbiter.link);
	return !vivgpu_job_is_alone(job) && !vivgpu_job_is_alone(last) &&
	       !vivgpu_hw_address_in_use(vdev, job) &&
	       vivgpu_events_fit(&vdev->events, 1 + job->nr_points);
}

/* True if there is memory for a job's scrub commands: all of it if the ring is empty. */
static bool vivgpu_hw_scrub_fits(struct vivgpu_device *vdev, u32 words)
{
	bool fits;

	spin_lock_irq(&vdev->lock);
	fits = list_empty(&vdev->jobs) || vivgpu_scrub_fits(&vdev->scrub, words + LINK_WORDS);
	spin_unlock_irq(&vdev->lock);
	return fits;
}

/* The oldest ready job, or the one that the arbiter selects, if it may enter the ring now. */
static struct vivgpu_job *vivgpu_hw_next_ready(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	spin_lock_irq(&vdev->lock);
	if (unlikely(vdev->deadlines.active)) {
		vivgpu_inherit_late(vdev);
		job = vivgpu_deadline_next(vdev);
	} else {
		job = list_first_entry_or_null(&vdev->ready_jobs, struct vivgpu_job, arbiter.link);
	}
	if (job && !vivgpu_hw_can_submit(vdev, job))
		job = NULL;
	spin_unlock_irq(&vdev->lock);
	return job;
}

/**
 * vivgpu_hw_submit_ready - write the ready jobs that may enter the ring to it, in order
 * @vdev: the device
 *
 * Runs on the scheduler's ordered workqueue only. free_job() runs on the same workqueue, so
 * a job that fails meanwhile because the device is unbound is not freed before this
 * returns.
 */
void vivgpu_hw_submit_ready(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	while ((job = vivgpu_hw_next_ready(vdev))) {
		u32 scrub_words = vivgpu_hw_scrub_words(vdev, job);
		struct vivgpu_ring_job ring_job = { };

		/* The end of a job in the ring frees its memory, and starts this again. */
		if (!vivgpu_hw_scrub_fits(vdev, scrub_words))
			break;
		vivgpu_hw_prepare(vdev, job, scrub_words, &ring_job);
		vivgpu_stretch(VIVGPU_STRETCH_RUN);
		spin_lock_irq(&vdev->lock);
		if (!vdev->dead)
			vivgpu_hw_submit(vdev, job, &ring_job);
		spin_unlock_irq(&vdev->lock);
	}
}

/**
 * vivgpu_hw_requeue - turn the jobs in the ring into ready jobs, and undo their MMU switches
 * @vdev: the device, after a reset; its lock is held
 */
static void vivgpu_hw_requeue(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	list_for_each_entry_reverse(job, &vdev->jobs, arbiter.link) {
		if (!job->old_vm)
			continue;
		/* Cannot free the space under the lock: the job has a reference, too. */
		vivgpu_vm_put(vdev->vm);
		vdev->vm = job->old_vm;
		job->old_vm = NULL;
	}
	vivgpu_deadline_requeue(vdev);
	list_splice_init(&vdev->jobs, &vdev->ready_jobs);
	/* Make the next job switch the MMU: the reset has undone its configuration. */
	vdev->vm_sequence = atomic_read(&vdev->vm->sequence) - 1;
}

/*
 * Jobs leave the ring: their events complete them and write timestamps and counters, or a
 * reset or unbind makes them fail.
 */

/* Number of cache flushes that are assumed to take as long as an operation, such as a draw */
#define FLUSHES_PER_OPERATION	64

#define DEADLINE_FLAGS	(DRM_VIVGPU_JOB_MISSED | DRM_VIVGPU_JOB_OVERRUN)

/* The event of a timestamp point happened; lock held, clock up to date. */
static void vivgpu_hw_complete_point(struct vivgpu_device *vdev, struct vivgpu_job *job,
				     struct vivgpu_point *point, u64 now_ns)
{
	vivgpu_job_write_point(point, now_ns, vivgpu_clock_event(&vdev->clock, now_ns));
	if (point->flags & DRM_VIVGPU_POINT_MARK)
		vivgpu_record_mark(vdev, job, point->cookie, now_ns);
}

/* Account whether a job kept its deadline, and its prediction; lock held. */
static void vivgpu_hw_complete_account_deadline(struct vivgpu_device *vdev,
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
static void vivgpu_hw_complete_account(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	vivgpu_usage_add(&job->client->usage, &job->times);
	vivgpu_usage_add(&vdev->usage, &job->times);
	if (unlikely(job->arbiter.cost_ns || job->flags & DEADLINE_FLAGS))
		vivgpu_hw_complete_account_deadline(vdev, job);
	if (likely(!job->counts.valid))
		return;

	vivgpu_usage_add_counts(&vdev->usage, &job->counts);
	if (!job->counts.shared)
		vivgpu_usage_add_counts(&job->client->usage, &job->counts);
}

/* Take a job off the list of jobs in the ring and account its time; lock held. */
static void vivgpu_hw_complete_retire(struct vivgpu_device *vdev, struct vivgpu_job *job,
				      u64 now_ns)
{
	write_seqcount_begin(&vdev->usage_seq);
	vivgpu_times_finish(&job->times, &vdev->clock, now_ns);
	vivgpu_deadline_retire(vdev, job);
	vdev->watchdog.progress = jiffies;
	if (!job->event_only)
		vivgpu_hw_complete_account(vdev, job);
	list_del_init(&job->arbiter.link);
	vivgpu_hw_update_running(vdev);
	write_seqcount_end(&vdev->usage_seq);
}

/* Complete a job that left the ring; lock held. It may be freed once its fence has signalled. */
static void vivgpu_hw_complete_job(struct vivgpu_device *vdev, struct vivgpu_job *job)
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
static void vivgpu_hw_complete_end(struct vivgpu_device *vdev, struct vivgpu_job *job, u64 now_ns)
{
	/* What is left are events of jobs behind this one. */
	if (vdev->events.first != vdev->events.next)
		job->flags |= DRM_VIVGPU_JOB_OVERLAPPED;
	if (job->alone)
		job->flags |= DRM_VIVGPU_JOB_COUNTED;
	vivgpu_hw_complete_retire(vdev, job, now_ns);
	if (job->nr_counters)
		vdev->counters_job = job;
	else
		vivgpu_hw_complete_job(vdev, job);
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
		vivgpu_hw_complete_job(vdev, job);
	}
	spin_unlock_irq(&vdev->lock);
}

/* True if one of the n oldest events is a timestamp point. */
static bool vivgpu_hw_complete_has_point(const struct vivgpu_device *vdev, u32 n)
{
	while (n--)
		if (vivgpu_events_peek(&vdev->events, n)->point != VIVGPU_EVENT_END)
			return true;
	return false;
}

/*
 * Read the cycle counter for the n oldest events. Reading takes as long as a short job, so it is
 * skipped if the last reading is recent and the cycles of single jobs are not reported.
 */
static void vivgpu_hw_complete_update_clock(struct vivgpu_device *vdev, u32 n, u64 now_ns)
{
	if (!vivgpu_clock_can_extrapolate(&vdev->clock, now_ns) || !list_empty(&vdev->streams) ||
	    trace_vivgpu_done_enabled() || vivgpu_hw_complete_has_point(vdev, n))
		vivgpu_core_update_clock(vdev);
}

/* The event of one job or point happened; lock held. */
static void vivgpu_hw_complete_event(struct vivgpu_device *vdev, const struct vivgpu_event *event,
				     u64 now_ns)
{
	if (event->point == VIVGPU_EVENT_END)
		vivgpu_hw_complete_end(vdev, event->job, now_ns);
	else
		vivgpu_hw_complete_point(vdev, event->job, &event->job->points[event->point],
					 now_ns);
}

/*
 * Estimated work between an event and the one before it, in units of one cache flush: the
 * operations in between, and the flush of the event itself. A job without points counts as one
 * operation.
 */
static u32 vivgpu_hw_complete_operations(const struct vivgpu_event *event)
{
	const struct vivgpu_job *job = event->job;
	u32 last = event->point == VIVGPU_EVENT_END ? job->nr_points : event->point;
	u32 before = last ? job->points[last - 1].operations : 0;
	u32 until = event->point == VIVGPU_EVENT_END ? job->operations :
						       job->points[event->point].operations;

	return FLUSHES_PER_OPERATION * (job->nr_points ? until - before : 1) + 1;
}

/*
 * vivgpu_hw_complete_oldest() for events with a timestamp point among them. The client measures
 * the intervals between its points, so each event gets a time of its own: see
 * vivgpu_clock_spread(). No event of a job is earlier than the job's entry into the ring.
 */
static void vivgpu_hw_complete_spread(struct vivgpu_device *vdev, u32 n, u64 now_ns)
{
	const struct vivgpu_clock before = vdev->clock;
	u32 i, part = 0, all = 0;

	for (i = 0; i < n; i++)
		all += vivgpu_hw_complete_operations(vivgpu_events_peek(&vdev->events, i));
	while (n--) {
		struct vivgpu_event *event = vivgpu_events_pop(&vdev->events);
		u64 ns;

		part += vivgpu_hw_complete_operations(event);
		ns = vivgpu_clock_spread(&before, now_ns, part, all);
		/* n events are left: the last one has the interrupt's own time. */
		vdev->clock.spread = n;
		vivgpu_hw_complete_event(vdev, event, max(ns, event->job->times.queued_ns));
	}
}

/* Handle the n oldest events, which have happened; lock held. */
static void vivgpu_hw_complete_oldest(struct vivgpu_device *vdev, u32 n, u64 now_ns)
{
	if (!n)
		return;

	vivgpu_hw_complete_update_clock(vdev, n, now_ns);
	if (unlikely(vdev->sampling.streams))
		vivgpu_sample_jobs(vdev, n);
	if (n > 1 && vivgpu_hw_complete_has_point(vdev, n)) {
		vivgpu_hw_complete_spread(vdev, n, now_ns);
		return;
	}

	while (n--)
		vivgpu_hw_complete_event(vdev, vivgpu_events_pop(&vdev->events), now_ns);
}

/**
 * vivgpu_hw_complete_events - handle the events that an interrupt reported
 * @vdev: the device; its lock is held
 * @bits: event bits that were raised
 * @now_ns: time of the interrupt
 */
static void vivgpu_hw_complete_events(struct vivgpu_device *vdev, u32 bits, u64 now_ns)
{
	u32 n = vivgpu_events_signaled(&vdev->events, bits);

	/* An error from before these jobs needs no reset: the core works. */
	if (n) {
		vdev->fault &= !vdev->idle_fault;
		vdev->idle_fault = false;
	}
	vivgpu_hw_complete_oldest(vdev, n, now_ns);
}

/* True if the front end's address is in a job's commands, their LINKs included; lock held. */
static bool vivgpu_hw_complete_fe_within(struct vivgpu_device *vdev, const struct vivgpu_job *job,
					 u32 address)
{
	const u32 link = LINK_WORDS * sizeof(u32);

	return vivgpu_ring_within(&vdev->ring, job->slot, address) ||
	       address - job->va < job->total_words * sizeof(u32) + link ||
	       (job->scrub_words &&
		address - job->scrub_va < job->scrub_words * sizeof(u32) + link);
}

/**
 * vivgpu_hw_complete_up_to_fe - complete the jobs before the one the front end is in
 * @vdev: the device, whose front end stopped; its lock is held
 *
 * The front end leaves a job only after a stall on the pixel engine, so all earlier jobs
 * are done even if their events were lost. FE_DMA_ADDRESS identifies the job because no two
 * jobs in the ring have their words at the same address.
 */
static void vivgpu_hw_complete_up_to_fe(struct vivgpu_device *vdev)
{
	u32 address = vivgpu_read(vdev, FE_DMA_ADDRESS);
	struct vivgpu_job *job;

	list_for_each_entry(job, &vdev->jobs, arbiter.link) {
		if (!vivgpu_hw_complete_fe_within(vdev, job, address))
			continue;
		vivgpu_hw_complete_oldest(vdev, vivgpu_events_before(&vdev->events, job),
					  ktime_get_ns());
		return;
	}
}

/**
 * vivgpu_hw_fail_first - fail the oldest job in the ring
 * @vdev: the device; its lock is held, a job is in the ring, and @events is empty: no event may
 *	refer to the job, which can be freed after this
 * @error: error to set on its fence
 */
static void vivgpu_hw_fail_first(struct vivgpu_device *vdev, int error)
{
	struct vivgpu_job *job = list_first_entry(&vdev->jobs, struct vivgpu_job, arbiter.link);

	vivgpu_job_fail_results(job);
	dma_fence_set_error(&job->fence->base, error);
	vivgpu_hw_complete_retire(vdev, job, ktime_get_ns());
	vivgpu_hw_complete_job(vdev, job);
}

/* Fail the job that ended and whose counters were not read yet; lock held. */
static void vivgpu_hw_complete_fail_counted(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job = vdev->counters_job;

	if (!job)
		return;

	vdev->counters_job = NULL;
	vivgpu_job_fail_results(job);
	dma_fence_set_error(&job->fence->base, -ENODEV);
	vivgpu_hw_complete_job(vdev, job);
}

/**
 * vivgpu_complete_fail_all - fail all jobs in the ring and all ready ones
 * @vdev: the device; its lock is held, it is marked as dead, and its @events is empty
 */
void vivgpu_complete_fail_all(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	vivgpu_hw_complete_fail_counted(vdev);
	list_for_each_entry(job, &vdev->ready_jobs, arbiter.link) {
		/* The jobs that are appended here are visited by this loop, too. */
		list_splice_tail_init(&job->queue->arbiter.behind, &vdev->ready_jobs);
		job->times.queued_ns = ktime_get_ns();
	}
	list_splice_tail_init(&vdev->ready_jobs, &vdev->jobs);
	while (!list_empty(&vdev->jobs))
		vivgpu_hw_fail_first(vdev, -ENODEV);
}

/*
 * DOC: The core's interrupt
 *
 * HI_INTR_ACKNOWLEDGE has a bit for each event, for MMU exceptions and for bus errors; reading
 * clears it. The line is high while a bit that HI_INTR_ENBL enables is set, and on most SoCs
 * the interrupt controller looks at its level: the handler is called again and again
 * until the register was read. The registers of a core that sleeps or is in a reset must not be
 * read, so the line has to be low before: see vivgpu_irq_quiesce().
 */

/* MMUv2 STATUS has four bits for each of four units, and EXCEPTION_ADDR one register each. */
static u32 vivgpu_hw_irq_fault_address(struct vivgpu_device *vdev, u32 status)
{
	u32 unit = status ? __ffs(status) / 4 : 0;

	/* An MMU of version 1 reports no faults. */
	if (vdev->mmu_v1)
		return 0;

	return vivgpu_read(vdev, MMUV2_EXCEPTION_ADDR(min(unit, MMUV2_UNITS - 1)));
}

/* Record a fault; starting the recovery is left to the caller. Lock held. */
static void vivgpu_hw_irq_record_fault(struct vivgpu_device *vdev, u32 bits)
{
	vdev->fault = true;
	vivgpu_core_update_clock(vdev);
	vivgpu_hw_complete_up_to_fe(vdev);
	/* If no job is left in the ring, no job is blamed for the fault. */
	vdev->idle_fault = list_empty(&vdev->jobs);
	vdev->fault_status = bits & HI_INTR_MMU_EXCEPTION ? vivgpu_read(vdev, MMUV2_STATUS) : 0;
	vdev->fault_address = vivgpu_hw_irq_fault_address(vdev, vdev->fault_status);
	trace_vivgpu_fault(vdev);
	vivgpu_record_fault(vdev, list_first_entry_or_null(&vdev->jobs, struct vivgpu_job,
							   arbiter.link));
}

/* Handle what the core reports in HI_INTR_ACKNOWLEDGE, not 0; lock held. */
static void vivgpu_hw_irq_handle(struct vivgpu_device *vdev, u32 bits, u64 now_ns)
{
	vivgpu_hw_complete_events(vdev, bits & HI_INTR_EVENTS, now_ns);
	if (bits & ~HI_INTR_EVENTS)
		vivgpu_hw_irq_record_fault(vdev, bits);
}

/* Read and clear what the core reports. A removed card reads as all ones: nothing is reported. */
static u32 vivgpu_hw_irq_read(struct vivgpu_device *vdev)
{
	u32 bits = vivgpu_read(vdev, HI_INTR_ACKNOWLEDGE);

	return bits == U32_MAX ? 0 : bits;
}

/*
 * vivgpu_hw_irq_read() outside of the handler, for tests to replace. The handler cannot use it: it
 * may interrupt the thread of a test.
 */
VISIBLE_IF_KUNIT u32 vivgpu_irq_acknowledge(struct vivgpu_device *vdev)
{
	KUNIT_STATIC_STUB_REDIRECT(vivgpu_irq_acknowledge, vdev);
	return vivgpu_hw_irq_read(vdev);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_irq_acknowledge);

/* Keep the line low, whatever is reported from now on. */
VISIBLE_IF_KUNIT void vivgpu_irq_mask(struct vivgpu_device *vdev)
{
	KUNIT_STATIC_STUB_REDIRECT(vivgpu_irq_mask, vdev);
	vivgpu_write(vdev, HI_INTR_ENBL, 0);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_irq_mask);

/* Wait for a handler that runs. */
VISIBLE_IF_KUNIT void vivgpu_irq_synchronize(struct vivgpu_device *vdev)
{
	KUNIT_STATIC_STUB_REDIRECT(vivgpu_irq_synchronize, vdev);
	synchronize_irq(vdev->irq);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_irq_synchronize);

/**
 * vivgpu_irq_quiesce - end the core's interrupts before a reset, a suspend or the removal
 * @vdev: the device; may sleep
 *
 * First the interrupts are masked, then what was reported before is read and handled, which
 * also makes sure that the write has arrived: the line is low. When no handler runs any more,
 * the core counts as asleep, and the handler reads none of its registers. A fault is recorded
 * without asking for a reset.
 */
void vivgpu_irq_quiesce(struct vivgpu_device *vdev)
{
	u64 now_ns = ktime_get_ns();
	u32 bits;

	spin_lock_irq(&vdev->lock);
	if (vdev->awake) {
		vivgpu_irq_mask(vdev);
		bits = vivgpu_irq_acknowledge(vdev);
		if (bits)
			vivgpu_hw_irq_handle(vdev, bits, now_ns);
	}
	spin_unlock_irq(&vdev->lock);
	vivgpu_irq_synchronize(vdev);
	vivgpu_core_stop_clock(vdev);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_irq_quiesce);

/**
 * vivgpu_irq_handler - the core's interrupt handler
 * @irq: number
 * @data: the device
 *
 * The time is read first, so that the stamp has the least latency. All events that one
 * interrupt reports get the same stamp, unless a timestamp point is among them
 * (vivgpu_hw_complete_spread()).
 *
 * The register is read with the lock held, as vivgpu_hw_recovery_complete_lost() does, which
 * may run on another CPU: event bits are used again, so bits that were read before other
 * jobs were completed and started could complete the wrong job.
 *
 * Return: IRQ_HANDLED if the core raised it, else IRQ_NONE.
 */
irqreturn_t vivgpu_irq_handler(int irq, void *data)
{
	struct vivgpu_device *vdev = data;
	u64 now_ns = ktime_get_ns();
	unsigned long flags;
	bool cookie;
	u32 bits;

	/* The line may be shared, and a suspended core's registers must not be read. */
	if (!READ_ONCE(vdev->awake))
		return IRQ_NONE;

	cookie = dma_fence_begin_signalling();
	vivgpu_stretch_spin(VIVGPU_STRETCH_IRQ);
	spin_lock_irqsave(&vdev->lock, flags);
	bits = vdev->awake ? vivgpu_hw_irq_read(vdev) : 0;
	if (bits)
		vivgpu_hw_irq_handle(vdev, bits, now_ns);
	if (bits & ~HI_INTR_EVENTS)
		vivgpu_watchdog_ask(vdev);
	if (bits && (vdev->counters_job ||
		     (!list_empty(&vdev->ready_jobs) && vivgpu_deadline_wants_work(vdev))))
		queue_work(vdev->submit_wq, &vdev->submit_work);
	spin_unlock_irqrestore(&vdev->lock, flags);
	dma_fence_end_signalling(cookie);
	return bits ? IRQ_HANDLED : IRQ_NONE;
}

/*
 * Recovery: detection of hangs and lost interrupts, choice of the guilty job, and the reset. The
 * arbiter also requests one, an eviction, to end a job that delays a reserved one for too long
 * (vivgpu_arbiter.c). It writes no dump: it must not take longer than the admission test assumes.
 */

/* Bytes of the idle loop (WAIT, LINK): the front end's address varies by that much. */
#define FE_WAIT_LOOP_BYTES		16

/*
 * True if a job completed or the front end moved since the last call: then the
 * timeout is due to a long job and not to a hang.
 */
static bool vivgpu_hw_recovery_progressed(struct vivgpu_device *vdev)
{
	u32 address = vivgpu_read(vdev, FE_DMA_ADDRESS);
	bool moved;

	spin_lock_irq(&vdev->lock);
	moved = vdev->done_seqno != vdev->fe_seqno ||
		abs_diff(address, vdev->fe_address) > FE_WAIT_LOOP_BYTES;
	vdev->fe_seqno = vdev->done_seqno;
	vdev->fe_address = address;
	spin_unlock_irq(&vdev->lock);
	return moved;
}

/* Report the guilty job, and count it for its client and queue. */
static void vivgpu_hw_recovery_blame(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	/* Any client can cause this, so it is a notice, rate limited. */
	dev_notice_ratelimited(vdev->drm.dev,
			       "reset: job %u of client %llu, front end at %08x, MMU %x at %08x\n",
			       job->id, job->client->id, vivgpu_read(vdev, FE_DMA_ADDRESS),
			       vdev->fault_status, vdev->fault_address);
	atomic_inc(&job->client->guilty);
	atomic_inc(&job->queue->guilty);
}

/*
 * The job that is guilty of a reset, or NULL. It is the oldest one, unless the error came while
 * no job ran, or the stuck job has ended since the last progress check; for an eviction, only if
 * it took longer than it may. The scheduler is stopped, so the job is not freed even if it is
 * taken out of the ring.
 */
static struct vivgpu_job *vivgpu_hw_recovery_find_guilty(struct vivgpu_device *vdev, bool evict)
{
	struct vivgpu_job *job;

	spin_lock_irq(&vdev->lock);
	job = list_first_entry_or_null(&vdev->jobs, struct vivgpu_job, arbiter.link);
	if (evict && !vdev->fault)
		job = vivgpu_deadline_is_over(vdev) ? job : NULL;
	else if (vdev->idle_fault || (!vdev->fault && vdev->done_seqno != vdev->fe_seqno))
		job = NULL;
	if (job)
		job->arbiter.guilty = true;
	spin_unlock_irq(&vdev->lock);
	return job;
}

/**
 * vivgpu_recovery_reset - reset the core
 * @vdev: the device; its scheduler is stopped
 *
 * The guilty job fails; the other jobs in the ring run again from their beginning and keep
 * their fences. A concurrent vivgpu_sched_fail() (unbind) may take all jobs out of the ring
 * at any moment the lock is not held.
 */
void vivgpu_recovery_reset(struct vivgpu_device *vdev)
{
	bool cookie = dma_fence_begin_signalling();
	bool evict = vdev->recovery_evicts;
	struct vivgpu_job *guilty;
	int ret;

	/* The core counts as asleep until the reset has ended. */
	vivgpu_irq_quiesce(vdev);
	/* A job with counters may have ended just now; the reset sets them to zero. */
	vivgpu_complete_counters(vdev);
	guilty = vivgpu_hw_recovery_find_guilty(vdev, evict);
	vivgpu_stretch_recovery(VIVGPU_STRETCH_GUILTY);
	if (!evict)
		vivgpu_dump_capture(vdev, guilty);
	if (guilty)
		vivgpu_hw_recovery_blame(vdev, guilty);
	ret = vivgpu_core_reset(vdev);
	vivgpu_stretch_recovery(VIVGPU_STRETCH_RESET);

	spin_lock_irq(&vdev->lock);
	vdev->resets++;
	vdev->evictions += evict;
	vivgpu_events_clear(&vdev->events);
	if (guilty && !vdev->dead)
		vivgpu_hw_fail_first(vdev, -ETIME);
	vdev->dead |= ret != 0;
	if (vdev->dead)
		vivgpu_complete_fail_all(vdev);
	vivgpu_record_reset(vdev);
	trace_vivgpu_reset(vdev);
	vivgpu_hw_requeue(vdev);
	spin_unlock_irq(&vdev->lock);
	dma_fence_end_signalling(cookie);
}

/*
 * Handle events whose interrupt was lost. If the front end is in the idle loop after the last
 * job, all events have happened. HI_INTR_ACKNOWLEDGE is read in any case: reading clears it,
 * and while a bit is set the interrupt line stays high and raises no new edge.
 * Returns true if a job ended or none is in the ring.
 */
static bool vivgpu_hw_recovery_complete_lost(struct vivgpu_device *vdev)
{
	u32 address = vivgpu_read(vdev, FE_DMA_ADDRESS);
	bool idle, ended;
	u32 bits;

	spin_lock_irq(&vdev->lock);
	bits = vivgpu_hw_irq_read(vdev);
	idle = address - vivgpu_ring_idle(&vdev->ring) <= FE_WAIT_LOOP_BYTES &&
	       !(bits & ~HI_INTR_EVENTS);
	vivgpu_hw_complete_events(vdev, idle ? HI_INTR_EVENTS : bits & HI_INTR_EVENTS,
				  ktime_get_ns());
	if (!idle)
		vivgpu_hw_complete_up_to_fe(vdev);
	ended = vdev->counters_job || vdev->done_seqno != vdev->fe_seqno;
	spin_unlock_irq(&vdev->lock);
	return idle || ended;
}

/*
 * Whether the arbiter has requested an eviction. Sets vdev->recovery_evicts if it is still needed:
 * not if the job has ended, and only the report of its end was late.
 */
static bool vivgpu_hw_recovery_was_asked_for(struct vivgpu_device *vdev)
{
	if (!READ_ONCE(vdev->deadlines.evict))
		return false;

	vivgpu_hw_recovery_complete_lost(vdev);
	spin_lock_irq(&vdev->lock);
	vdev->recovery_evicts = vivgpu_deadline_take_eviction(vdev);
	spin_unlock_irq(&vdev->lock);
	return true;
}

/**
 * vivgpu_recovery_needed - whether the core has to be reset
 * @vdev: the device; its scheduler is stopped
 *
 * Completes jobs whose interrupts were lost. The ring of a dead device is empty, and its
 * registers are not read, because the hardware may have been removed.
 *
 * Return: true if there was a fault, an eviction is needed, or the watchdog asked for a check and
 * the core has made no progress since the last one.
 */
bool vivgpu_recovery_needed(struct vivgpu_device *vdev)
{
	vdev->recovery_evicts = false;
	if (READ_ONCE(vdev->dead))
		return false;
	if (READ_ONCE(vdev->fault))
		return true;
	if (vivgpu_hw_recovery_was_asked_for(vdev))
		return vdev->recovery_evicts;

	return vdev->watchdog.check && !vivgpu_hw_recovery_progressed(vdev) &&
	       !vivgpu_hw_recovery_complete_lost(vdev);
}
