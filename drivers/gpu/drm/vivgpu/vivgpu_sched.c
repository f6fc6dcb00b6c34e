// SPDX-License-Identifier: GPL-2.0-only
/*
 * The DRM scheduler's backend: run_job(), timedout_job(), free_job(), the workqueues, and
 * the stop of the scheduler for system sleep and unbind.
 *
 * Between run_job() and the signal of a job's fence nothing is allocated, because reclaim
 * may wait for that fence: fence, copied stream and credits are allocated by the submit
 * call.
 */

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include "vivgpu_client.h"
#include "vivgpu_compat.h"
#include "vivgpu_deadline.h"
#include "vivgpu_device.h"
#include "vivgpu_fence.h"
#include "vivgpu_hw.h"
#include "vivgpu_inherit.h"
#include "vivgpu_job.h"
#include "vivgpu_queue.h"
#include "vivgpu_sched.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"
#include "vivgpu_watchdog.h"

/* How long the close of a file waits for the works that free its jobs */
#define FREE_WAIT_JIFFIES		(HZ / 10)
/* Long enough for several jobs in the ring to hang one after the other */
#define FREEZE_TIMEOUT_MS	10000

/* Initialise a job's fence and append the job to the ready jobs. Returns the fence. */
static struct dma_fence *vivgpu_sched_enqueue(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	struct dma_fence *fence = &job->fence->base;
	unsigned long flags;

	spin_lock_irqsave(&vdev->lock, flags);
	vivgpu_fence_init(job->fence, job->queue->fence_context, ++job->queue->fence_seqno);
	dma_fence_get(fence);
	if (vdev->dead) {
		vivgpu_job_fail_results(job);
		vivgpu_job_retire(job);
		dma_fence_set_error(fence, -ENODEV);
		dma_fence_signal(fence);
	} else {
		job->alone = vivgpu_stream_wants_alone(vdev, job);
		vivgpu_inherit_end(job);
		list_add_tail(&job->arbiter.link, vivgpu_deadline_enqueue(vdev, job));
		/* Only a recovery restarts a core after a fault; without jobs none is asked for. */
		if (unlikely(vdev->fault))
			vivgpu_watchdog_ask(vdev);
	}
	spin_unlock_irqrestore(&vdev->lock, flags);
	return fence;
}

/* A job that does not reach the ring fails. */
static void vivgpu_sched_drop(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	vivgpu_job_fail_results(job);
	spin_lock_irq(&vdev->lock);
	vivgpu_job_retire(job);
	spin_unlock_irq(&vdev->lock);
}

static struct dma_fence *vivgpu_sched_run_job(struct drm_sched_job *sched_job)
{
	struct vivgpu_job *job = to_vivgpu_job(sched_job);
	struct vivgpu_device *vdev = job->vdev;
	struct dma_fence *fence = NULL;
	bool cookie;

	/* After a timeout the scheduler calls run_job() again to get the fences of jobs. */
	if (job->ran)
		return dma_fence_get(&job->fence->base);

	cookie = dma_fence_begin_signalling();
	job->ran = true;
	atomic_inc(&vdev->unfreed_jobs);
	/* If its queue was closed or the DRM scheduler cancelled it, it does not reach the ring. */
	if (!vivgpu_queue_job_started(job->queue, job->id)) {
		vivgpu_sched_drop(vdev, job);
		fence = ERR_PTR(-ESRCH);
	} else if (sched_job->s_fence->finished.error) {
		vivgpu_sched_drop(vdev, job);
	} else {
		fence = vivgpu_sched_enqueue(vdev, job);
		vivgpu_hw_submit_ready(vdev);
	}
	dma_fence_end_signalling(cookie);
	return fence;
}

/*
 * Work queued at the end of a job, and by the arbiter's timer: read the counters of a job that has
 * ended, if it has any, then start ready jobs.
 */
static void vivgpu_sched_work(struct work_struct *work)
{
	struct vivgpu_device *vdev = container_of(work, struct vivgpu_device, submit_work);
	bool cookie = dma_fence_begin_signalling();

	vivgpu_complete_counters(vdev);
	vivgpu_hw_submit_ready(vdev);
	dma_fence_end_signalling(cookie);
}

/*
 * The scheduler is stopped before the ring is examined, so that jobs that end meanwhile
 * are not freed. drm_sched_stop() drops the scheduler's references on the ring's fences;
 * drm_sched_resubmit_jobs() gets them again by calling run_job(), which returns the
 * existing fence of a job that ran before.
 */
static enum drm_gpu_sched_stat vivgpu_sched_timedout_job(struct drm_sched_job *sched_job)
{
	struct vivgpu_device *vdev = to_vivgpu_job(sched_job)->vdev;

	vivgpu_watchdog_begin(vdev);
	disable_work_sync(&vdev->submit_work);
	drm_sched_stop(&vdev->sched, sched_job);
	vivgpu_stretch_recovery(VIVGPU_STRETCH_TIMEOUT);
	if (vivgpu_recovery_needed(vdev)) {
		vivgpu_stretch_recovery(VIVGPU_STRETCH_RECOVERY);
		vivgpu_recovery_reset(vdev);
	}
	drm_sched_resubmit_jobs(&vdev->sched);
	drm_sched_start(&vdev->sched, 0);
	enable_and_queue_work(vdev->submit_wq, &vdev->submit_work);
	if (READ_ONCE(vdev->frozen))
		drm_sched_wqueue_stop(&vdev->sched);
	vivgpu_watchdog_end(vdev);
	return vdev->dead ? DRM_GPU_SCHED_STAT_ENODEV : DRM_GPU_SCHED_STAT_RESET;
}

/* A job that ran was freed: wake those who wait for it. */
static void vivgpu_sched_freed(struct vivgpu_device *vdev)
{
	vivgpu_stretch(VIVGPU_STRETCH_FREED);
	/* vivgpu_sched_stop() flushes the works that call this, so vdev is still valid. */
	atomic_dec(&vdev->unfreed_jobs);
	if (wq_has_sleeper(&vdev->idle_wait))
		wake_up(&vdev->idle_wait);
}

/* Work that frees a job. */
static void vivgpu_sched_cleanup_job(struct work_struct *work)
{
	struct vivgpu_job *job = container_of(work, struct vivgpu_job, free_work);
	struct vivgpu_device *vdev = job->vdev;
	bool ran = job->ran;

	vivgpu_stretch(VIVGPU_STRETCH_FREE);
	vivgpu_job_free(job);
	if (ran)
		vivgpu_sched_freed(vdev);
}

/*
 * run_job() runs on the same ordered workqueue, and the fences of all clients depend on
 * it. Dropping the last reference on a buffer or an address space may lock reservations; that
 * of an imported buffer may be held by another driver that waits for one of these fences. So
 * jobs for which that is needed are freed on another workqueue.
 */
static void vivgpu_sched_free_job(struct drm_sched_job *sched_job)
{
	struct vivgpu_job *job = to_vivgpu_job(sched_job);
	struct vivgpu_device *vdev = job->vdev;
	bool cookie = dma_fence_begin_signalling();
	bool ran = job->ran;

	vivgpu_fence_set_parent(job->fence, sched_job->s_fence);
	/* Jobs of a closed queue wait until here. After this they have no s_fence. */
	vivgpu_inherit_cancel(job);
	drm_sched_job_cleanup(sched_job);
	if (!vivgpu_job_try_free(job)) {
		INIT_WORK(&job->free_work, vivgpu_sched_cleanup_job);
		queue_work(vdev->free_wq, &job->free_work);
	} else if (ran) {
		vivgpu_sched_freed(vdev);
	}
	dma_fence_end_signalling(cookie);
}

static const struct drm_sched_backend_ops vivgpu_sched_ops = {
	.run_job = vivgpu_sched_run_job,
	.timedout_job = vivgpu_sched_timedout_job,
	.free_job = vivgpu_sched_free_job,
};

/* At the last reference on the device: until then, open files' entities point to the scheduler. */
static void vivgpu_sched_fini(struct drm_device *drm, void *data)
{
	drm_sched_fini(data);
}

static void vivgpu_sched_destroy_worker(struct drm_device *drm, void *data)
{
	destroy_workqueue(data);
}

/*
 * High priority: writing a job to the ring takes microseconds, and the GPU is idle until
 * it is done. Ordered: run_job(), free_job() and the start of ready jobs exclude each other.
 */
static int vivgpu_sched_create_worker(struct vivgpu_device *vdev)
{
	vdev->submit_wq = alloc_ordered_workqueue("vivgpu", WQ_HIGHPRI | WQ_MEM_RECLAIM);
	if (!vdev->submit_wq)
		return -ENOMEM;

	INIT_WORK(&vdev->submit_work, vivgpu_sched_work);
	return drmm_add_action_or_reset(&vdev->drm, vivgpu_sched_destroy_worker, vdev->submit_wq);
}

/*
 * Recovery. Reclaim may wait for a fence of a job that hangs, when no new kernel thread can be
 * had: the workqueue has one of its own.
 */
static int vivgpu_sched_create_rescuer(struct vivgpu_device *vdev, struct workqueue_struct **wq)
{
	*wq = alloc_ordered_workqueue("vivgpu-recovery", WQ_MEM_RECLAIM);
	if (!*wq)
		return -ENOMEM;

	return drmm_add_action_or_reset(&vdev->drm, vivgpu_sched_destroy_worker, *wq);
}

static int vivgpu_sched_create_cleaner(struct vivgpu_device *vdev)
{
	vdev->free_wq = alloc_workqueue("vivgpu-cleaner", WQ_UNBOUND, 0);
	if (!vdev->free_wq)
		return -ENOMEM;

	return drmm_add_action_or_reset(&vdev->drm, vivgpu_sched_destroy_worker, vdev->free_wq);
}

/**
 * vivgpu_sched_init - start the scheduler of the ring
 * @vdev: the device; the scheduler ends with it
 *
 * The scheduler's own timeout never comes: see vivgpu_watchdog.c.
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_sched_init(struct vivgpu_device *vdev)
{
	struct drm_sched_init_args args = {
		.ops = &vivgpu_sched_ops,
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
		.credit_limit = VIVGPU_CREDITS,
		.timeout = MAX_SCHEDULE_TIMEOUT,
		.name = "vivgpu",
		.dev = vdev->drm.dev,
	};
	int ret;

	ret = vivgpu_sched_create_worker(vdev);
	if (ret)
		return ret;

	ret = vivgpu_sched_create_rescuer(vdev, &args.timeout_wq);
	if (ret)
		return ret;

	ret = vivgpu_sched_create_cleaner(vdev);
	if (ret)
		return ret;

	vivgpu_watchdog_init(vdev);
	vivgpu_inherit_init(vdev);
	ret = vivgpu_deadline_init(vdev);
	if (ret)
		return ret;

	args.submit_wq = vdev->submit_wq;

	init_waitqueue_head(&vdev->idle_wait);
	ret = drm_sched_init(&vdev->sched, &args);
	return ret ?: drmm_add_action_or_reset(&vdev->drm, vivgpu_sched_fini, &vdev->sched);
}

/**
 * vivgpu_sched_fail - fail all jobs in the ring, all ready ones and all later ones
 * @vdev: the device, which does not work any more or is being unbound
 */
void vivgpu_sched_fail(struct vivgpu_device *vdev)
{
	spin_lock_irq(&vdev->lock);
	vdev->dead = true;
	vivgpu_events_clear(&vdev->events);
	vivgpu_complete_fail_all(vdev);
	spin_unlock_irq(&vdev->lock);
}

/**
 * vivgpu_sched_stop - fail all jobs, and wait until those in the ring are freed
 * @vdev: the device, unplugged
 *
 * Jobs in queues reach run_job() as usual, fail there with ENODEV, and hold no memory of
 * the device. Jobs that wait for other drivers' fences stay queued until those signal,
 * because their own fences must not signal before the fences they depend on.
 *
 * The work that recovers is cancelled twice: until the device is dead it may be asked for again.
 */
void vivgpu_sched_stop(struct vivgpu_device *vdev)
{
	/* Wait for a recovery that is running. */
	cancel_delayed_work_sync(&vdev->sched.work_tdr);
	vivgpu_sched_fail(vdev);
	vivgpu_stretch(VIVGPU_STRETCH_FAILED);
	vivgpu_queue_close_all(vdev);
	wait_event(vdev->idle_wait, !atomic_read(&vdev->unfreed_jobs));
	flush_work(&vdev->sched.work_free_job);
	flush_workqueue(vdev->free_wq);
	cancel_delayed_work_sync(&vdev->sched.work_tdr);
	vivgpu_deadline_stop(vdev);
	cancel_work_sync(&vdev->submit_work);
	vivgpu_watchdog_stop(vdev);
}

/**
 * vivgpu_sched_wait_freed - wait until a client's completed jobs are freed, at most 100 ms
 * @client: the client; its file is being closed, its queues are closed
 *
 * A job holds a reference on its client. If a work puts the last one, the client's module_ref
 * file is released by the kernel's delayed fput, and the module stays in use for a jiffy
 * after close() has returned. The wait makes rmmod work directly after close(). If the
 * scheduler is stopped for a reset or system sleep, the jobs are freed later.
 */
void vivgpu_sched_wait_freed(struct vivgpu_client *client)
{
	/*
	 * One reference is held by the file, the others by jobs; pending jobs are not waited
	 * for. A separate count of jobs cannot replace the reference count: a job would
	 * decrement it before it drops its reference, which could then be the last one.
	 */
	wait_event_timeout(client->vdev->idle_wait,
			   (int)kref_read(&client->ref) - 1 <= atomic_read(&client->pending),
			   FREE_WAIT_JIFFIES);
}

/**
 * vivgpu_sched_thaw - start the scheduler again after vivgpu_sched_freeze()
 * @vdev: the device
 */
void vivgpu_sched_thaw(struct vivgpu_device *vdev)
{
	WRITE_ONCE(vdev->frozen, false);
	drm_sched_wqueue_start(&vdev->sched);
}

static bool vivgpu_sched_ring_is_empty(struct vivgpu_device *vdev)
{
	bool empty;

	spin_lock_irq(&vdev->lock);
	empty = list_empty(&vdev->jobs) && list_empty(&vdev->ready_jobs) && !vdev->counters_job;
	spin_unlock_irq(&vdev->lock);
	return empty;
}

/**
 * vivgpu_sched_freeze - stop the scheduler and wait until the ring is empty
 * @vdev: the device
 *
 * A job that hangs meanwhile is handled by timedout_job(), which starts the scheduler
 * again. So the scheduler is stopped a second time, after the timeout work is cancelled.
 *
 * Return: 0, or -EBUSY if jobs do not end within 10 s.
 */
int vivgpu_sched_freeze(struct vivgpu_device *vdev)
{
	struct drm_gpu_scheduler *sched = &vdev->sched;

	WRITE_ONCE(vdev->frozen, true);
	drm_sched_wqueue_stop(sched);
	wait_event_timeout(vdev->idle_wait, vivgpu_sched_ring_is_empty(vdev),
			   msecs_to_jiffies(FREEZE_TIMEOUT_MS));
	cancel_delayed_work_sync(&sched->work_tdr);
	drm_sched_wqueue_stop(sched);
	if (vivgpu_sched_ring_is_empty(vdev))
		return 0;

	vivgpu_sched_thaw(vdev);
	return -EBUSY;
}
