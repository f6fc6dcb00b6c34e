// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jobs enter the ring: which of them may, the MMU switch or flush before them, and the
 * commands that set to zero the states that other clients wrote.
 *
 * Nothing is allocated here, because reclaim may wait for the fences of these jobs.
 */

#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_core.h"
#include "vivgpu_deadline.h"
#include "vivgpu_device.h"
#include "vivgpu_hw.h"
#include "vivgpu_inherit.h"
#include "vivgpu_job.h"
#include "vivgpu_mmu.h"
#include "vivgpu_mmu_table.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_regs.h"
#include "vivgpu_sample.h"
#include "vivgpu_stretch.h"
#include "vivgpu_trace.h"

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
 * Words of the commands that set to zero the states that other clients wrote and
 * the job's prologue does not load. The set of states is left in core->scratch. All
 * of up to 16384 states are counted: too long with interrupts off.
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

/* Value of VS_ICACHE_CONTROL between two clients' jobs: cores without the cache lack the bits. */
static u32 vivgpu_hw_icache_control(const struct vivgpu_device *vdev)
{
	return vdev->identity.features[4] & MINOR_FEATURE_3_INSTRUCTION_CACHE ?
	       VS_ICACHE_CONTROL_FLUSH : 0;
}

/*
 * Write the commands that set other clients' states to zero, to run before the job: up to
 * 64 KiB.
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

/* Write a job to the ring; lock held. */
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
void vivgpu_hw_update_running(struct vivgpu_device *vdev)
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
	/* Behind another job its start is that job's end, which the interrupt handler stamps. */
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
 * because the counters count for all jobs.
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

/* The oldest held job, or the one that the arbiter selects, if it may enter the ring now. */
static struct vivgpu_job *vivgpu_hw_next_held(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	spin_lock_irq(&vdev->lock);
	if (unlikely(vdev->deadlines.active)) {
		vivgpu_inherit_late(vdev);
		job = vivgpu_deadline_next(vdev);
	} else {
		job = list_first_entry_or_null(&vdev->held, struct vivgpu_job, arbiter.link);
	}
	if (job && !vivgpu_hw_can_submit(vdev, job))
		job = NULL;
	spin_unlock_irq(&vdev->lock);
	return job;
}

/**
 * vivgpu_hw_submit_held - write the held jobs that may enter the ring to it, in order
 * @vdev: the device
 *
 * Runs on the scheduler's ordered workqueue only. free_job() runs on the same workqueue, so
 * a job that fails meanwhile because the device is unbound is not freed before this
 * returns.
 */
void vivgpu_hw_submit_held(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	while ((job = vivgpu_hw_next_held(vdev))) {
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
 * vivgpu_hw_requeue - turn the jobs in the ring into held jobs, and undo their MMU switches
 * @vdev: the device, after a reset; its lock is held
 */
void vivgpu_hw_requeue(struct vivgpu_device *vdev)
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
	list_splice_init(&vdev->jobs, &vdev->held);
	/* Make the next job switch the MMU: the reset has undone its configuration. */
	vdev->vm_sequence = atomic_read(&vdev->vm->sequence) - 1;
}
