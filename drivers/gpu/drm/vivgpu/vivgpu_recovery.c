// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recovery: detection of hangs and lost interrupts, choice of the guilty job, and the reset. The
 * arbiter also asks for one, to end a job that is in the way of a reserved one for too long
 * (vivgpu_arbiter.c). That needs no dump, and takes no longer than the admission test assumes.
 */

#include <drm/drm_print.h>

#include "vivgpu_client.h"
#include "vivgpu_complete.h"
#include "vivgpu_core.h"
#include "vivgpu_deadline.h"
#include "vivgpu_device.h"
#include "vivgpu_dump.h"
#include "vivgpu_hw.h"
#include "vivgpu_irq.h"
#include "vivgpu_job.h"
#include "vivgpu_queue.h"
#include "vivgpu_record.h"
#include "vivgpu_recovery.h"
#include "vivgpu_regs.h"
#include "vivgpu_stretch.h"
#include "vivgpu_trace.h"

/* Bytes of the idle loop (WAIT, LINK): the front end's address varies by that much. */
#define FE_WAIT_LOOP_BYTES		16

/*
 * True if a job completed or the front end moved since the last call: then the
 * timeout is due to a long job and not to a hang.
 */
static bool vivgpu_recovery_progressed(struct vivgpu_device *vdev)
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

static void vivgpu_recovery_blame(struct vivgpu_device *vdev, struct vivgpu_job *job)
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
 * The job that is guilty of a reset, or NULL. It is the oldest one, unless the error
 * came while no job ran, or the stuck job has ended since the last progress check. The
 * scheduler is stopped, so the job is not freed even if it is taken out of the ring.
 */
static struct vivgpu_job *vivgpu_recovery_find_guilty(struct vivgpu_device *vdev, bool evict)
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
	guilty = vivgpu_recovery_find_guilty(vdev, evict);
	vivgpu_stretch_recovery(VIVGPU_STRETCH_GUILTY);
	if (!evict)
		vivgpu_dump_capture(vdev, guilty);
	if (guilty)
		vivgpu_recovery_blame(vdev, guilty);
	ret = vivgpu_core_reset(vdev);
	vivgpu_stretch_recovery(VIVGPU_STRETCH_RESET);

	spin_lock_irq(&vdev->lock);
	vdev->resets++;
	vdev->evictions += evict;
	vivgpu_events_clear(&vdev->events);
	if (guilty && !vdev->dead)
		vivgpu_complete_fail_first(vdev, -ETIME);
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
 * Handle events whose interrupt was lost. If the front end waits behind the last job,
 * all events have happened. HI_INTR_ACKNOWLEDGE is read in any case: reading clears it,
 * and while a bit is set the interrupt line stays high and raises no new edge.
 * Returns true if a job ended or none is in the ring.
 */
static bool vivgpu_recovery_complete_lost(struct vivgpu_device *vdev)
{
	u32 address = vivgpu_read(vdev, FE_DMA_ADDRESS);
	bool idle, ended;
	u32 bits;

	spin_lock_irq(&vdev->lock);
	bits = vivgpu_read(vdev, HI_INTR_ACKNOWLEDGE);
	idle = address - vivgpu_ring_idle(&vdev->ring) <= FE_WAIT_LOOP_BYTES &&
	       !(bits & ~HI_INTR_EVENTS);
	vivgpu_complete_events(vdev, idle ? HI_INTR_EVENTS : bits & HI_INTR_EVENTS, ktime_get_ns());
	if (!idle)
		vivgpu_complete_up_to_fe(vdev);
	ended = vdev->counters_job || vdev->done_seqno != vdev->fe_seqno;
	spin_unlock_irq(&vdev->lock);
	return idle || ended;
}

/*
 * Whether the arbiter has asked for this recovery. It is needed if the job still runs, and its
 * end was not only reported late.
 */
static bool vivgpu_recovery_was_asked_for(struct vivgpu_device *vdev)
{
	if (!READ_ONCE(vdev->deadlines.evict))
		return false;

	vivgpu_recovery_complete_lost(vdev);
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
 * Return: true if there was a fault, or the core made no progress since the last call.
 */
bool vivgpu_recovery_needed(struct vivgpu_device *vdev)
{
	vdev->recovery_evicts = false;
	if (READ_ONCE(vdev->dead))
		return false;
	if (READ_ONCE(vdev->fault))
		return true;
	if (vivgpu_recovery_was_asked_for(vdev))
		return vdev->recovery_evicts;

	return !vivgpu_recovery_progressed(vdev) && !vivgpu_recovery_complete_lost(vdev);
}
