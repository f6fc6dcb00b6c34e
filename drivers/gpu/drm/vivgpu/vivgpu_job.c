// SPDX-License-Identifier: GPL-2.0-only
/* Jobs: writing their results, and freeing them. */

#include <linux/mm.h>
#include <linux/slab.h>

#include <drm/drm_gem.h>
#include <drm/drm_suballoc.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_device.h"
#include "vivgpu_fence.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_inherit.h"
#include "vivgpu_job.h"
#include "vivgpu_mmu.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_pm.h"
#include "vivgpu_queue.h"

/**
 * vivgpu_job_write_point - write the result of a timestamp point
 * @point: the point; without a buffer nothing is written
 * @ns: time, or U64_MAX if the job failed
 * @cycles: the core's cycles, or U64_MAX if the job failed
 */
void vivgpu_job_write_point(struct vivgpu_point *point, u64 ns, u64 cycles)
{
	if (!point->out)
		return;
	WRITE_ONCE(point->out[0], ns);
	WRITE_ONCE(point->out[1], cycles);
}

/**
 * vivgpu_job_fail_results - write the results of a job that will not complete
 * @job: the job; its timestamp points and counters become U64_MAX; counters of etnaviv's calls only
 *	get their sequence number
 */
void vivgpu_job_fail_results(struct vivgpu_job *job)
{
	u32 i;

	job->flags |= DRM_VIVGPU_JOB_FAILED;
	for (i = 0; i < job->nr_points; i++)
		vivgpu_job_write_point(&job->points[i], U64_MAX, U64_MAX);
	vivgpu_perfmon_fail(job);
}

/**
 * vivgpu_job_retire - count a job as ended, and tell user space
 * @job: the job, which has completed or failed; only freeing it is left to do; the device's
 *	lock is held
 */
void vivgpu_job_retire(struct vivgpu_job *job)
{
	bool failed = job->flags & DRM_VIVGPU_JOB_FAILED;

	lockdep_assert_held(&job->vdev->lock);
	vivgpu_ended_add(&job->client->ended, failed, job->event_only);
	vivgpu_ended_add(&job->vdev->ended, failed, job->event_only);
	vivgpu_queue_job_ended(job->queue, job->id);
	atomic_dec(&job->client->pending);
}

static void vivgpu_job_put_points(struct vivgpu_job *job)
{
	u32 i;

	for (i = 0; i < job->nr_points; i++)
		vivgpu_gem_vunmap(job->points[i].map);
}

/* Remove a job's fence from the client's table of fences. */
static void vivgpu_job_remove_fence_id(struct vivgpu_job *job)
{
	if (job->fence_id)
		dma_fence_put(xa_erase(&job->client->fences, job->fence_id));
	job->fence_id = 0;
}

/* Drop a reference unless it is the last one. */
static bool vivgpu_job_drop(struct kref *ref)
{
	return refcount_dec_not_one(&ref->refcount);
}

/* Drop the references on buffers that are not the last ones. Returns true if none is left. */
static bool vivgpu_job_drop_bos(struct vivgpu_job *job)
{
	u32 i, kept = 0;

	for (i = 0; i < job->nr_bos; i++) {
		if (!vivgpu_job_drop(&job->bos[i].obj->refcount))
			job->bos[kept++] = job->bos[i];
	}
	job->nr_bos = kept;
	return !kept;
}

/* Likewise for address space, queue and client. Those that were dropped are NULL then. */
static bool vivgpu_job_drop_owners(struct vivgpu_job *job)
{
	if (job->old_vm && !vivgpu_job_drop(&job->old_vm->ref))
		return false;

	job->old_vm = NULL;
	if (!vivgpu_job_drop(&job->queue->ref))
		return false;

	job->queue = NULL;
	if (!vivgpu_job_drop(&job->client->ref))
		return false;

	job->client = NULL;
	return true;
}

/* The device may be gone: no other reference of the job is left. */
static void vivgpu_job_release(struct vivgpu_job *job)
{
	vivgpu_fence_put(job->fence);
	kvfree(job);
}

/**
 * vivgpu_job_try_free - free a job if that does not sleep
 * @job: the job, cleaned up by the scheduler
 *
 * It does not if the job has nothing to unmap and if none of its references is the last one,
 * which holds for most jobs.
 *
 * Return: false if vivgpu_job_free() has to be called where sleeping is allowed; it frees what
 * is left.
 */
bool vivgpu_job_try_free(struct vivgpu_job *job)
{
	if (job->nr_points || job->nr_counters || job->waits || is_vmalloc_addr(job) ||
	    !vivgpu_fence_refuse_donor(job->fence))
		return false;

	vivgpu_job_remove_fence_id(job);
	vivgpu_pm_put(job);
	if (!vivgpu_job_drop_bos(job) || !vivgpu_job_drop_owners(job))
		return false;

	vivgpu_job_release(job);
	return true;
}

/**
 * vivgpu_job_free - free a job and drop its references; may sleep
 * @job: the job, not initialised for the scheduler or already cleaned up by it
 */
void vivgpu_job_free(struct vivgpu_job *job)
{
	struct vivgpu_queue *donor;
	u32 i;

	vivgpu_job_remove_fence_id(job);
	vivgpu_job_put_points(job);
	vivgpu_perfmon_put(job);
	for (i = 0; i < job->nr_bos; i++)
		drm_gem_object_put(job->bos[i].obj);
	vivgpu_inherit_free(job);
	donor = vivgpu_fence_take_donor(job->fence);
	if (donor)
		vivgpu_queue_put(donor);
	if (job->old_vm)
		vivgpu_vm_put(job->old_vm);
	vivgpu_pm_put(job);
	if (job->queue)
		vivgpu_queue_put(job->queue);
	if (job->client)
		vivgpu_client_put(job->client);
	vivgpu_job_release(job);
}
