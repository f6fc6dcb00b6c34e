// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jobs on their way through the ring: given to it by the scheduler, finished
 * by the interrupt, or taken out after a fault.
 *
 * Everything between the scheduler's call and the fence's signal runs without
 * allocating: a job brings its fence, its stream's copy and its credits along.
 */

#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>
#include <drm/drm_suballoc.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_dump.h"
#include "vivgpu_fence.h"
#include "vivgpu_mmu.h"
#include "vivgpu_pm.h"
#include "vivgpu_record.h"
#include "vivgpu_regs.h"
#include "vivgpu_sched.h"
#include "vivgpu_trace.h"

#define TIMEOUT_MS	500
/* How long a process that exits waits for its queued jobs to start */
#define QUEUE_FLUSH_JIFFIES	HZ
/* How long it waits for the works that free its jobs */
#define SETTLE_JIFFIES		(HZ / 10)
/* Long enough for several jobs in the ring to hang one after the other */
#define FREEZE_TIMEOUT_MS	(20 * TIMEOUT_MS)
/* The front end may be anywhere in a loop of two commands. */
#define FE_SPAN		16

/* Switch or flush the MMU for a job, if it needs either; lock held. */
static void prepare_mmu(struct vivgpu_device *vdev, const struct vivgpu_job *job,
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

/* Words that set to zero what others left for a job. Sets the scratch. */
static u32 scrub_words(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	struct vivgpu_core_state *core = &vdev->state;

	if (job->event_only)
		return 0;

	vivgpu_state_foreign(core, job->client->id, job->covered, &core->scratch);
	return vivgpu_state_scrub(NULL, &core->scratch);
}

/* Let a job begin with what sets others' state to zero. */
static void scrub(struct vivgpu_device *vdev, struct vivgpu_job *job,
		  struct vivgpu_ring_job *ring_job)
{
	struct vivgpu_scrub *scrub = &vdev->scrub;
	u32 at;

	/* These may be 64 KiB. */
	might_sleep();
	job->scrub_words = scrub_words(vdev, job);
	if (!job->scrub_words)
		return;

	at = vivgpu_scrub_take(scrub, job->scrub_words + LINK_WORDS);
	job->scrub_end = scrub->head;
	ring_job->first = scrub->words + at;
	ring_job->first_va = scrub->va + at * sizeof(u32);
	job->scrub_va = ring_job->first_va;
	ring_job->first_words = vivgpu_state_scrub(ring_job->first, &vdev->state.scratch);
}

/* Whose state is loaded when the ring is through; lock held. */
static void note_state(struct vivgpu_device *vdev, struct vivgpu_job *job, u32 prologue)
{
	job->loaded_words = prologue + job->scrub_words;
	if (job->loaded_words)
		job->flags |= DRM_VIVGPU_JOB_PROLOGUE;
	if (job->event_only)
		return;
	vivgpu_state_given(&vdev->state, job->client->id, &vdev->state.scratch, &job->written);
	vdev->queue = job->queue_id;
}

/*
 * What takes long of giving a job to the ring. The worker that gives is the only one
 * to use the memory's head and the core's states, so it needs no lock.
 */
static void prepare(struct vivgpu_device *vdev, struct vivgpu_job *job,
		    struct vivgpu_ring_job *ring_job)
{
	scrub(vdev, job, ring_job);
	if (job->nr_counters)
		vivgpu_perfmon_begin(vdev, job);
}

/* Write a job to the ring; lock held. */
static void emit(struct vivgpu_device *vdev, struct vivgpu_job *job,
		 struct vivgpu_ring_job *ring_job)
{
	u32 skip = vdev->queue == job->queue_id ? job->prologue_words : 0;
	u32 i, bit;

	ring_job->stream = job->words + skip;
	ring_job->va = job->va + skip * sizeof(u32);
	ring_job->words = job->total_words - skip;
	prepare_mmu(vdev, job, ring_job);
	for (i = 0; i < job->nr_points; i++) {
		bit = vivgpu_events_add(&vdev->events, job, i);
		vivgpu_ring_event(job->words + job->points[i].word, bit);
	}
	ring_job->event = vivgpu_events_add(&vdev->events, job, VIVGPU_EVENT_END);
	vivgpu_ring_emit(&vdev->ring, ring_job);
	job->slot = vdev->ring.slot;
	note_state(vdev, job, job->prologue_words - skip);
	vivgpu_device_ring_doorbell(vdev);
}

/* The MMU follows the ring. The old space is dropped when it surely has left. */
static void exchange_vm(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	if (vdev->vm == job->vm)
		return;
	job->old_vm = vdev->vm;
	vdev->vm = vivgpu_vm_get(job->vm);
}

/* For readers without the lock; lock held, within a write section of the count. */
static void note_running(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job = list_first_entry_or_null(&vdev->jobs, struct vivgpu_job, link);

	vdev->running.client = job && !job->event_only ? job->client : NULL;
	if (job)
		vdev->running.times = job->times;
}

/* A job was given to the ring this moment. */
static void stamp(struct vivgpu_device *vdev, struct vivgpu_times *times)
{
	times->queued_ns = ktime_get_ns();
	/* It starts when the one before it ends, and that will be read. */
	if (!list_empty(&vdev->jobs))
		return;
	/* The look may last as long as the job. */
	if (!vivgpu_clock_knows(&vdev->clock, times->queued_ns))
		vivgpu_device_update_clock(vdev);
	times->queued_cycles = vivgpu_clock_give(&vdev->clock, times->queued_ns);
}

/*
 * Give a job to the ring; its stamp is taken before anything can come between. Lock
 * held.
 */
static void give(struct vivgpu_device *vdev, struct vivgpu_job *job,
		 struct vivgpu_ring_job *ring_job)
{
	emit(vdev, job, ring_job);
	stamp(vdev, &job->times);
	trace_vivgpu_run(job);
	exchange_vm(vdev, job);
	write_seqcount_begin(&vdev->usage_seq);
	list_move_tail(&job->link, &vdev->jobs);
	note_running(vdev);
	write_seqcount_end(&vdev->usage_seq);
}

/* Is a job in the ring whose words lie where this one's do, in another space? */
static bool place_is_taken(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	const struct vivgpu_job *other;

	if (!READ_ONCE(vdev->places.shared))
		return false;

	list_for_each_entry(other, &vdev->jobs, link) {
		if (other->vm != job->vm && other->vm->place == job->vm->place)
			return true;
	}

	return false;
}

/* May a job be in the ring with those that are? Counting jobs are alone there. */
static bool fits(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	const struct vivgpu_job *last;

	if (vdev->counted)
		return false;
	if (list_empty(&vdev->jobs))
		return true;

	last = list_last_entry(&vdev->jobs, struct vivgpu_job, link);
	return !job->nr_counters && !last->nr_counters && !place_is_taken(vdev, job) &&
	       vivgpu_scrub_fits(&vdev->scrub, scrub_words(vdev, job) + LINK_WORDS);
}

/* The first held job, if it may enter the ring now; or NULL. */
static struct vivgpu_job *first_to_give(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	spin_lock_irq(&vdev->lock);
	job = list_first_entry_or_null(&vdev->held, struct vivgpu_job, link);
	if (job && !fits(vdev, job))
		job = NULL;
	spin_unlock_irq(&vdev->lock);
	return job;
}

/*
 * Give those of the held jobs to the ring that may enter it now. Called by the
 * scheduler's ordered worker alone, which also frees jobs: one that fails meanwhile
 * because the device goes is still there.
 */
static void give_held(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	while ((job = first_to_give(vdev))) {
		struct vivgpu_ring_job ring_job = { };

		prepare(vdev, job, &ring_job);
		spin_lock_irq(&vdev->lock);
		if (!vdev->dead)
			give(vdev, job, &ring_job);
		spin_unlock_irq(&vdev->lock);
	}
}

static void write_point(struct vivgpu_point *point, u64 ns, u64 cycles)
{
	if (!point->out)
		return;
	WRITE_ONCE(point->out[0], ns);
	WRITE_ONCE(point->out[1], cycles);
}

/* What a job should have written, of one that will not run to its end. */
static void spoil_results(struct vivgpu_job *job)
{
	u32 i;

	job->flags |= DRM_VIVGPU_JOB_FAILED;
	for (i = 0; i < job->nr_points; i++)
		write_point(&job->points[i], U64_MAX, U64_MAX);
	vivgpu_perfmon_fail(job);
}

/* A job is through: all that is left to do is to free it. */
static void leave(struct vivgpu_job *job)
{
	atomic_dec(&job->client->pending);
}

/* Let a job wait for the ring. Returns its fence. */
static struct dma_fence *hold(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	struct dma_fence *fence = &job->fence->base;
	unsigned long flags;

	spin_lock_irqsave(&vdev->lock, flags);
	vivgpu_fence_init(job->fence, vdev->fence_context, ++vdev->fence_seqno);
	dma_fence_get(fence);
	if (vdev->dead) {
		vdev->done_seqno = vdev->fence_seqno;
		spoil_results(job);
		leave(job);
		dma_fence_set_error(fence, -ENODEV);
		dma_fence_signal(fence);
	} else {
		list_add_tail(&job->link, &vdev->held);
		/* The front end may have stopped for good before the job came. */
		if (vdev->stray)
			drm_sched_fault(&vdev->sched);
	}
	spin_unlock_irqrestore(&vdev->lock, flags);
	return fence;
}

static struct dma_fence *run_job(struct drm_sched_job *sched_job)
{
	struct vivgpu_job *job = to_vivgpu_job(sched_job);
	struct vivgpu_device *vdev = job->vdev;
	struct dma_fence *fence = NULL;
	bool cookie;

	/* The scheduler was stopped and starts again; it needs the fence. */
	if (job->ran)
		return dma_fence_get(&job->fence->base);

	cookie = dma_fence_begin_signalling();
	job->ran = true;
	atomic_inc(&vdev->ran);
	if (sched_job->s_fence->finished.error) {
		spoil_results(job);
		leave(job);
	} else {
		fence = hold(vdev, job);
		give_held(vdev);
	}
	dma_fence_end_signalling(cookie);
	return fence;
}

/* A timestamp point was passed; lock held, clock up to date. */
static void pass_point(struct vivgpu_device *vdev, struct vivgpu_job *job,
		       struct vivgpu_point *point, u64 now_ns)
{
	write_point(point, now_ns, vivgpu_clock_event(&vdev->clock, now_ns));
	if (point->flags & DRM_VIVGPU_POINT_MARK)
		vivgpu_record_mark(vdev, job, point->cookie, now_ns);
}

/* A job leaves the ring; lock held. */
static void leave_ring(struct vivgpu_device *vdev, struct vivgpu_job *job, u64 now_ns)
{
	write_seqcount_begin(&vdev->usage_seq);
	vivgpu_times_finish(&job->times, &vdev->clock, now_ns);
	if (!job->event_only)
		vivgpu_usage_add(&job->client->usage, &job->times);
	list_del_init(&job->link);
	note_running(vdev);
	write_seqcount_end(&vdev->usage_seq);
}

/* A job that left the ring is through; lock held. It is gone when its fence signals. */
static void finish_job(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	struct dma_fence *fence = &job->fence->base;

	vivgpu_record_job(vdev, job);
	trace_vivgpu_done(job);
	vdev->done_seqno = fence->seqno;
	if (job->scrub_words)
		vivgpu_scrub_give(&vdev->scrub, job->scrub_end);
	if (list_empty(&vdev->jobs))
		wake_up(&vdev->idle_wait);
	leave(job);
	dma_fence_signal(fence);
}

/*
 * A job's last event happened; lock held. Its counters are read by the worker: these
 * are many accesses, and the ring waits for them, not the interrupt handler.
 */
static void end_job(struct vivgpu_device *vdev, struct vivgpu_job *job, u64 now_ns)
{
	if (vdev->events.first != vdev->events.next)
		job->flags |= DRM_VIVGPU_JOB_OVERLAPPED;
	leave_ring(vdev, job, now_ns);
	if (job->nr_counters)
		vdev->counted = job;
	else
		finish_job(vdev, job);
}

/* Read the counters of the job that ended, if it asked for some. */
static void read_counters(struct vivgpu_device *vdev)
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
		finish_job(vdev, job);
	}
	spin_unlock_irq(&vdev->lock);
}

/* What follows the end of a job. */
static void go_on(struct work_struct *work)
{
	struct vivgpu_device *vdev = container_of(work, struct vivgpu_device, giver);
	bool cookie = dma_fence_begin_signalling();

	read_counters(vdev);
	give_held(vdev);
	dma_fence_end_signalling(cookie);
}

/* The oldest events happened; lock held. */
static void pass_events(struct vivgpu_device *vdev, u32 n, u64 now_ns)
{
	if (n)
		vivgpu_device_update_clock(vdev);
	while (n--) {
		struct vivgpu_event *event = vivgpu_events_pop(&vdev->events);

		if (event->point == VIVGPU_EVENT_END)
			end_job(vdev, event->job, now_ns);
		else
			pass_point(vdev, event->job, &event->job->points[event->point], now_ns);
	}
}

/* An interrupt told of events; lock held. */
static void handle_events(struct vivgpu_device *vdev, u32 bits, u64 now_ns)
{
	u32 n = vivgpu_events_seen(&vdev->events, bits);

	/* A core that works on needs no reset for what was before. */
	if (n) {
		vdev->fault &= !vdev->stray;
		vdev->stray = false;
	}
	pass_events(vdev, n, now_ns);
}

/* Is the front end in what was given to it for a job? Lock held. */
static bool fe_within(struct vivgpu_device *vdev, const struct vivgpu_job *job, u32 address)
{
	const u32 link = LINK_WORDS * sizeof(u32);

	return vivgpu_ring_within(&vdev->ring, job->slot, address) ||
	       address - job->va < job->total_words * sizeof(u32) + link ||
	       (job->scrub_words &&
		address - job->scrub_va < job->scrub_words * sizeof(u32) + link);
}

/*
 * The front end stopped. It leaves a job only when the pixel engine is through
 * with it; so the jobs before the one it is in are done, whatever became of their
 * events. No two jobs in the ring have their words at the same address. Lock held.
 */
static void pass_to_fe(struct vivgpu_device *vdev)
{
	u32 address = vivgpu_read(vdev, FE_DMA_ADDRESS);
	struct vivgpu_job *job;

	list_for_each_entry(job, &vdev->jobs, link) {
		if (!fe_within(vdev, job, address))
			continue;
		pass_events(vdev, vivgpu_events_before(&vdev->events, job), ktime_get_ns());
		return;
	}
}

/* Each unit has four bits of the status and an address of its own. */
static u32 fault_address(struct vivgpu_device *vdev, u32 status)
{
	u32 unit = status ? __ffs(status) / 4 : 0;

	/* One of version 1 tells nothing. */
	if (vdev->mmu_v1)
		return 0;

	return vivgpu_read(vdev, MMUV2_EXCEPTION_ADDR(min(unit, MMUV2_UNITS - 1)));
}

static void handle_fault(struct vivgpu_device *vdev, u32 bits)
{
	/* An error while nothing runs is nobody's. */
	vdev->fault = true;
	vivgpu_device_update_clock(vdev);
	pass_to_fe(vdev);
	vdev->stray = list_empty(&vdev->jobs);
	vdev->fault_status = bits & HI_INTR_MMU_EXCEPTION ? vivgpu_read(vdev, MMUV2_STATUS) : 0;
	vdev->fault_address = fault_address(vdev, vdev->fault_status);
	trace_vivgpu_fault(vdev);
	vivgpu_record_fault(vdev, list_first_entry_or_null(&vdev->jobs, struct vivgpu_job, link));
	drm_sched_fault(&vdev->sched);
}

/**
 * vivgpu_interrupt - the core's interrupt handler
 * @irq: number
 * @data: the device
 *
 * The stamp is the first thing it takes: what comes with one interrupt has one
 * stamp.
 *
 * Return: whether it was the core's.
 */
irqreturn_t vivgpu_interrupt(int irq, void *data)
{
	struct vivgpu_device *vdev = data;
	u64 now_ns = ktime_get_ns();
	unsigned long flags;
	bool cookie;
	u32 bits;

	/* The line is shared, and a core that sleeps must not be read. */
	if (!READ_ONCE(vdev->awake))
		return IRQ_NONE;

	bits = vivgpu_read(vdev, HI_INTR_ACKNOWLEDGE);
	if (!bits || bits == U32_MAX)
		return IRQ_NONE;

	cookie = dma_fence_begin_signalling();
	spin_lock_irqsave(&vdev->lock, flags);
	handle_events(vdev, bits & HI_INTR_EVENTS, now_ns);
	if (bits & ~HI_INTR_EVENTS)
		handle_fault(vdev, bits);
	if (vdev->counted || !list_empty(&vdev->held))
		queue_work(vdev->worker, &vdev->giver);
	spin_unlock_irqrestore(&vdev->lock, flags);
	dma_fence_end_signalling(cookie);
	return IRQ_HANDLED;
}

/* Has the GPU moved since the last look? A long job is no hang. */
static bool progressed(struct vivgpu_device *vdev)
{
	u32 address = vivgpu_read(vdev, FE_DMA_ADDRESS);
	bool moved;

	spin_lock_irq(&vdev->lock);
	moved = vdev->done_seqno != vdev->fe_seqno ||
		abs_diff(address, vdev->fe_address) > FE_SPAN;
	vdev->fe_seqno = vdev->done_seqno;
	vdev->fe_address = address;
	spin_unlock_irq(&vdev->lock);
	return moved;
}

/* Take the oldest job out, as failed; lock held. */
static void fail_first(struct vivgpu_device *vdev, int error)
{
	struct vivgpu_job *job = list_first_entry(&vdev->jobs, struct vivgpu_job, link);

	spoil_results(job);
	dma_fence_set_error(&job->fence->base, error);
	leave_ring(vdev, job, ktime_get_ns());
	finish_job(vdev, job);
}

/* The job whose counters were not read yet will not get them; lock held. */
static void fail_counted(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job = vdev->counted;

	if (!job)
		return;

	vdev->counted = NULL;
	spoil_results(job);
	dma_fence_set_error(&job->fence->base, -ENODEV);
	finish_job(vdev, job);
}

/* Take all jobs out, those that wait for the ring too; lock held. */
static void fail_rest(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	fail_counted(vdev);
	list_for_each_entry(job, &vdev->held, link)
		job->times.queued_ns = ktime_get_ns();
	list_splice_tail_init(&vdev->held, &vdev->jobs);
	while (!list_empty(&vdev->jobs))
		fail_first(vdev, -ENODEV);
}

static void blame(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	/* No warning, and not often: any client can bring this about. */
	dev_notice_ratelimited(vdev->drm.dev,
			       "reset: job %u of client %u, front end at %08x, MMU %x at %08x\n",
			       job->id, job->client->id, vivgpu_read(vdev, FE_DMA_ADDRESS),
			       vdev->fault_status, vdev->fault_address);
	atomic_inc(&job->client->guilty);
}

/* The jobs in the ring wait for it again, as if they never had been given; lock held. */
static void take_back(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	list_for_each_entry_reverse(job, &vdev->jobs, link) {
		if (!job->old_vm)
			continue;
		/* This is not the last reference: the job has one. */
		vivgpu_vm_put(vdev->vm);
		vdev->vm = job->old_vm;
		job->old_vm = NULL;
	}
	list_splice_init(&vdev->jobs, &vdev->held);
	/* Whatever the MMU is set to, set it again. */
	vdev->vm_sequence = atomic_read(&vdev->vm->sequence) - 1;
}

/*
 * The job the core has to be reset for, or NULL: the oldest one, unless the error
 * was nobody's or the job that was stuck has ended since the last look for
 * progress. The scheduler is stopped, so the job stays even if it is taken out of
 * the ring.
 */
static struct vivgpu_job *find_guilty(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	spin_lock_irq(&vdev->lock);
	job = list_first_entry_or_null(&vdev->jobs, struct vivgpu_job, link);
	if (vdev->stray || (!vdev->fault && vdev->done_seqno != vdev->fe_seqno))
		job = NULL;
	spin_unlock_irq(&vdev->lock);
	return job;
}

/*
 * Reset the core. The guilty job fails, the others in the ring run again from
 * their beginning with the fences they have. vivgpu_sched_fail() may take all jobs
 * out of the ring meanwhile.
 */
static void recover(struct vivgpu_device *vdev)
{
	bool cookie = dma_fence_begin_signalling();
	struct vivgpu_job *guilty;
	int ret;

	/* From here to the end of the reset the interrupt handler does nothing. */
	vivgpu_device_close_clock(vdev);
	synchronize_irq(vdev->irq);
	guilty = find_guilty(vdev);
	vivgpu_dump_take(vdev, guilty);
	if (guilty)
		blame(vdev, guilty);
	ret = vivgpu_device_reset(vdev);

	spin_lock_irq(&vdev->lock);
	vdev->resets++;
	vivgpu_events_clear(&vdev->events);
	if (guilty && !vdev->dead)
		fail_first(vdev, -ETIME);
	vdev->dead |= ret != 0;
	if (vdev->dead)
		fail_rest(vdev);
	vivgpu_record_reset(vdev);
	trace_vivgpu_reset(vdev);
	take_back(vdev);
	spin_unlock_irq(&vdev->lock);
	dma_fence_end_signalling(cookie);
}

/*
 * Handle events whose interrupt was lost. A front end that waits behind the last
 * job has done them all. The register is read all the same: as long as it shows
 * something, nothing new can raise an edge. Returns whether a job ended, or none
 * is there.
 */
static bool complete_lost(struct vivgpu_device *vdev)
{
	u32 address = vivgpu_read(vdev, FE_DMA_ADDRESS);
	bool idle, ended;
	u32 bits;

	spin_lock_irq(&vdev->lock);
	bits = vivgpu_read(vdev, HI_INTR_ACKNOWLEDGE);
	idle = address - vivgpu_ring_idle(&vdev->ring) <= FE_SPAN && !(bits & ~HI_INTR_EVENTS);
	handle_events(vdev, idle ? HI_INTR_EVENTS : bits & HI_INTR_EVENTS, ktime_get_ns());
	if (!idle)
		pass_to_fe(vdev);
	ended = vdev->counted || vdev->done_seqno != vdev->fe_seqno;
	spin_unlock_irq(&vdev->lock);
	return idle || ended;
}

/* Nothing is in the ring of a dead device; its registers may be gone too. */
static bool needs_reset(struct vivgpu_device *vdev)
{
	if (READ_ONCE(vdev->dead))
		return false;

	return READ_ONCE(vdev->fault) || (!progressed(vdev) && !complete_lost(vdev));
}

/*
 * The scheduler is stopped before anything is looked at, so jobs that end meanwhile
 * stay. It forgets the ring's fences then and asks for them again by
 * drm_sched_resubmit_jobs(): run_job() knows jobs that it has given to the ring.
 */
static enum drm_gpu_sched_stat timedout_job(struct drm_sched_job *sched_job)
{
	struct vivgpu_device *vdev = to_vivgpu_job(sched_job)->vdev;

	disable_work_sync(&vdev->giver);
	drm_sched_stop(&vdev->sched, sched_job);
	if (needs_reset(vdev)) {
		/* Afterwards they are zero. */
		read_counters(vdev);
		recover(vdev);
	}
	drm_sched_resubmit_jobs(&vdev->sched);
	drm_sched_start(&vdev->sched);
	enable_and_queue_work(vdev->worker, &vdev->giver);
	if (READ_ONCE(vdev->frozen))
		drm_sched_wqueue_stop(&vdev->sched);
	return vdev->dead ? DRM_GPU_SCHED_STAT_ENODEV : DRM_GPU_SCHED_STAT_NOMINAL;
}

static void put_points(struct vivgpu_job *job)
{
	u32 i;

	for (i = 0; i < job->nr_points; i++) {
		struct vivgpu_point *point = &job->points[i];

		if (point->out)
			drm_gem_vunmap_unlocked(point->obj, &point->map);
	}
}

/**
 * vivgpu_job_free - free a job that the scheduler does not know, or is done with
 * @job: the job
 */
void vivgpu_job_free(struct vivgpu_job *job)
{
	u32 i;

	if (job->fence_id)
		dma_fence_put(xa_erase(&job->vdev->fences, job->fence_id));
	put_points(job);
	vivgpu_perfmon_put(job);
	for (i = 0; i < job->nr_bos; i++)
		drm_gem_object_put(job->bos[i].obj);
	vivgpu_fence_put(job->fence);
	if (job->old_vm)
		vivgpu_vm_put(job->old_vm);
	vivgpu_pm_put(job);
	vivgpu_client_put(job->client);
	kvfree(job);
}

/* Free a job, and tell who waits for that. */
static void clean_up(struct work_struct *work)
{
	struct vivgpu_job *job = container_of(work, struct vivgpu_job, cleanup);
	struct vivgpu_device *vdev = job->vdev;
	bool ran = job->ran;

	vivgpu_job_free(job);
	if (!ran)
		return;

	/* Whoever waits for this also waits until this work has ended. */
	atomic_dec(&vdev->ran);
	if (wq_has_sleeper(&vdev->idle_wait))
		wake_up(&vdev->idle_wait);
}

/*
 * Jobs are given to the ring by the same ordered worker, and fences of all clients
 * depend on that. Freeing a job may take reservations, of an imported buffer even
 * those of another driver, whose holder may wait for such a fence; so it is done by
 * another worker.
 */
static void free_job(struct drm_sched_job *sched_job)
{
	struct vivgpu_job *job = to_vivgpu_job(sched_job);
	bool cookie = dma_fence_begin_signalling();

	vivgpu_fence_tie(job->fence, sched_job->s_fence);
	drm_sched_job_cleanup(sched_job);
	INIT_WORK(&job->cleanup, clean_up);
	queue_work(job->vdev->cleaner, &job->cleanup);
	dma_fence_end_signalling(cookie);
}

static const struct drm_sched_backend_ops sched_ops = {
	.run_job = run_job,
	.timedout_job = timedout_job,
	.free_job = free_job,
};

/* When nobody has the device any more: entities point into the scheduler. */
static void fini_sched(struct drm_device *drm, void *data)
{
	drm_sched_fini(data);
}

static void destroy_worker(struct drm_device *drm, void *data)
{
	destroy_workqueue(data);
}

/*
 * What gives jobs to the ring goes before processes that compute: it takes a
 * moment, and meanwhile the GPU could work.
 */
static int create_worker(struct vivgpu_device *vdev)
{
	vdev->worker = alloc_ordered_workqueue("vivgpu", WQ_HIGHPRI | WQ_MEM_RECLAIM);
	if (!vdev->worker)
		return -ENOMEM;

	INIT_WORK(&vdev->giver, go_on);
	return drmm_add_action_or_reset(&vdev->drm, destroy_worker, vdev->worker);
}

static int create_cleaner(struct vivgpu_device *vdev)
{
	vdev->cleaner = alloc_workqueue("vivgpu-cleaner", WQ_UNBOUND, 0);
	if (!vdev->cleaner)
		return -ENOMEM;

	return drmm_add_action_or_reset(&vdev->drm, destroy_worker, vdev->cleaner);
}

/**
 * vivgpu_sched_init - start the scheduler of the ring
 * @vdev: the device; the scheduler ends with it
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_sched_init(struct vivgpu_device *vdev)
{
	struct drm_sched_init_args args = {
		.ops = &sched_ops,
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
		.credit_limit = VIVGPU_CREDITS,
		.timeout = msecs_to_jiffies(TIMEOUT_MS),
		.name = "vivgpu",
		.dev = vdev->drm.dev,
	};
	int ret;

	ret = create_worker(vdev);
	if (ret)
		return ret;

	ret = create_cleaner(vdev);
	if (ret)
		return ret;

	args.submit_wq = vdev->worker;

	init_waitqueue_head(&vdev->idle_wait);
	ret = drm_sched_init(&vdev->sched, &args);
	return ret ?: drmm_add_action_or_reset(&vdev->drm, fini_sched, &vdev->sched);
}

/* A queue of the device's list, taken off it and referenced; or NULL. */
static struct vivgpu_queue *take_queue(struct vivgpu_device *vdev)
{
	struct vivgpu_queue *queue, *next, *found = NULL;

	mutex_lock(&vdev->owners_lock);
	list_for_each_entry_safe(queue, next, &vdev->queues, link) {
		list_del_init(&queue->link);
		if (kref_get_unless_zero(&queue->ref)) {
			found = queue;
			break;
		}
	}
	mutex_unlock(&vdev->owners_lock);
	return found;
}

/* No more jobs, and those that did not run will not. */
static void kill_queue(struct vivgpu_queue *queue)
{
	mutex_lock(&queue->submit);
	queue->closed = true;
	drm_sched_entity_fini(&queue->entity);
	mutex_unlock(&queue->submit);
}

/**
 * vivgpu_sched_fail - fail what is in the ring and whatever will be given to it
 * @vdev: the device, of no use any more
 */
void vivgpu_sched_fail(struct vivgpu_device *vdev)
{
	spin_lock_irq(&vdev->lock);
	vdev->dead = true;
	vivgpu_events_clear(&vdev->events);
	fail_rest(vdev);
	spin_unlock_irq(&vdev->lock);
}

/**
 * vivgpu_sched_stop - fail all jobs, and wait until those in the ring are freed
 * @vdev: the device, unplugged
 *
 * Jobs in queues go the usual way, fail when they would run, and hold nothing of
 * the device. Those that wait for fences of others stay until those signal, as
 * the order of fences in buffers demands.
 */
void vivgpu_sched_stop(struct vivgpu_device *vdev)
{
	struct vivgpu_queue *queue;

	/* A recovery under way ends first. */
	cancel_delayed_work_sync(&vdev->sched.work_tdr);
	vivgpu_sched_fail(vdev);
	while ((queue = take_queue(vdev))) {
		mutex_lock(&queue->submit);
		queue->closed = true;
		mutex_unlock(&queue->submit);
		vivgpu_queue_put(queue);
	}
	wait_event(vdev->idle_wait, !atomic_read(&vdev->ran));
	flush_work(&vdev->sched.work_free_job);
	flush_workqueue(vdev->cleaner);
	cancel_delayed_work_sync(&vdev->sched.work_tdr);
	cancel_work_sync(&vdev->giver);
}

/**
 * vivgpu_sched_settle - wait until those of a client's jobs are freed that are through
 * @client: the client; its file is being closed, and its queues are
 *
 * They hold the client, and a client that goes in a worker's context keeps the
 * module for a jiffy longer: that is when the kernel puts a worker's files. Should
 * the scheduler be stopped for a reset or for system sleep, they go later.
 */
void vivgpu_sched_settle(struct vivgpu_client *client)
{
	/* One user is the file, the others are jobs. */
	wait_event_timeout(client->vdev->idle_wait,
			   (int)kref_read(&client->ref) - 1 <= atomic_read(&client->pending),
			   SETTLE_JIFFIES);
}

/**
 * vivgpu_sched_thaw - the end of vivgpu_sched_freeze()
 * @vdev: the device
 */
void vivgpu_sched_thaw(struct vivgpu_device *vdev)
{
	WRITE_ONCE(vdev->frozen, false);
	drm_sched_wqueue_start(&vdev->sched);
}

static bool ring_is_empty(struct vivgpu_device *vdev)
{
	bool empty;

	spin_lock_irq(&vdev->lock);
	empty = list_empty(&vdev->jobs) && list_empty(&vdev->held) && !vdev->counted;
	spin_unlock_irq(&vdev->lock);
	return empty;
}

/**
 * vivgpu_sched_freeze - let the ring run empty and give nothing more to it
 * @vdev: the device
 *
 * A job that hangs is dealt with as ever. That starts the scheduler for a
 * moment, so it is stopped again when nothing can start it any more.
 *
 * Return: 0, or -EBUSY if jobs do not end.
 */
int vivgpu_sched_freeze(struct vivgpu_device *vdev)
{
	struct drm_gpu_scheduler *sched = &vdev->sched;

	WRITE_ONCE(vdev->frozen, true);
	drm_sched_wqueue_stop(sched);
	wait_event_timeout(vdev->idle_wait, ring_is_empty(vdev),
			   msecs_to_jiffies(FREEZE_TIMEOUT_MS));
	cancel_delayed_work_sync(&sched->work_tdr);
	drm_sched_wqueue_stop(sched);
	if (ring_is_empty(vdev))
		return 0;

	vivgpu_sched_thaw(vdev);
	drm_sched_fault(sched);
	return -EBUSY;
}

static void release_queue(struct kref *ref)
{
	struct vivgpu_queue *queue = container_of(ref, struct vivgpu_queue, ref);

	mutex_lock(&queue->vdev->owners_lock);
	list_del(&queue->link);
	mutex_unlock(&queue->vdev->owners_lock);
	mutex_destroy(&queue->submit);
	kvfree(queue->prologue);
	kfree(queue);
}

/* Enter a queue in the device's list, unless the device went. */
static int add_queue(struct vivgpu_device *vdev, struct vivgpu_queue *queue)
{
	int ret;

	mutex_lock(&vdev->owners_lock);
	ret = vdev->gone ? -ENODEV : 0;
	if (!ret)
		list_add_tail(&queue->link, &vdev->queues);
	mutex_unlock(&vdev->owners_lock);
	return ret;
}

/**
 * vivgpu_queue_create - make a queue
 * @vdev: the device
 * @priority: of its jobs
 * @prologue: what loads its state, or NULL; freed with the queue
 *
 * Return: the queue or an error pointer; then @prologue is the caller's.
 */
struct vivgpu_queue *vivgpu_queue_create(struct vivgpu_device *vdev,
					 enum drm_sched_priority priority,
					 struct vivgpu_prologue *prologue)
{
	static atomic64_t last_id = ATOMIC64_INIT(0);
	struct drm_gpu_scheduler *sched = &vdev->sched;
	struct vivgpu_queue *queue = kzalloc(sizeof(*queue), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!queue)
		return ERR_PTR(-ENOMEM);

	ret = drm_sched_entity_init(&queue->entity, priority, &sched, 1, NULL);
	if (ret)
		goto err_free;

	kref_init(&queue->ref);
	mutex_init(&queue->submit);
	queue->vdev = vdev;
	queue->id = atomic64_inc_return(&last_id);
	ret = add_queue(vdev, queue);
	if (ret)
		goto err_entity;

	queue->prologue = prologue;
	return queue;

err_entity:
	drm_sched_entity_fini(&queue->entity);
	mutex_destroy(&queue->submit);
err_free:
	kfree(queue);
	return ERR_PTR(ret);
}

/**
 * vivgpu_queue_put - one user less
 * @queue: the queue
 */
void vivgpu_queue_put(struct vivgpu_queue *queue)
{
	kref_put(&queue->ref, release_queue);
}

/**
 * vivgpu_queue_close - no more jobs; those there are still run
 * @queue: the queue; the file's reference goes
 */
void vivgpu_queue_close(struct vivgpu_queue *queue)
{
	mutex_lock(&queue->submit);
	queue->closed = true;
	mutex_unlock(&queue->submit);
	drm_sched_entity_flush(&queue->entity, QUEUE_FLUSH_JIFFIES);
	kill_queue(queue);
	vivgpu_queue_put(queue);
}
