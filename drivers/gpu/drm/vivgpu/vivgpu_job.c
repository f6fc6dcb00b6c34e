// SPDX-License-Identifier: GPL-2.0-only
/* Jobs: writing their results, and freeing them. */

#include <linux/slab.h>

#include <drm/drm_gem.h>
#include <drm/drm_suballoc.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_compat.h"
#include "vivgpu_device.h"
#include "vivgpu_fence.h"
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
 * @job: the job; its timestamp points and counters become U64_MAX
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
 * vivgpu_job_retire - end a job's count as pending
 * @job: the job, which has completed or failed; only freeing it is left to do; the device's
 *	lock is held
 */
void vivgpu_job_retire(struct vivgpu_job *job)
{
	bool failed = job->flags & DRM_VIVGPU_JOB_FAILED;

	lockdep_assert_held(&job->vdev->lock);
	vivgpu_ended_add(&job->client->ended, failed, job->event_only);
	vivgpu_ended_add(&job->vdev->ended, failed, job->event_only);
	atomic_dec(&job->client->pending);
}

static void vivgpu_job_put_points(struct vivgpu_job *job)
{
	u32 i;

	for (i = 0; i < job->nr_points; i++) {
		struct vivgpu_point *point = &job->points[i];

		if (point->out)
			drm_gem_vunmap(point->obj, &point->map);
	}
}

/**
 * vivgpu_job_free - free a job and drop its references; may sleep
 * @job: the job, not initialised for the scheduler or already cleaned up by it
 */
void vivgpu_job_free(struct vivgpu_job *job)
{
	struct vivgpu_queue *donor;
	u32 i;

	if (job->fence_id)
		dma_fence_put(xa_erase(&job->client->fences, job->fence_id));
	vivgpu_job_put_points(job);
	vivgpu_perfmon_put(job);
	for (i = 0; i < job->nr_bos; i++)
		drm_gem_object_put(job->bos[i].obj);
	vivgpu_inherit_free(job);
	donor = vivgpu_fence_take_donor(job->fence);
	if (donor)
		vivgpu_queue_put(donor);
	vivgpu_fence_put(job->fence);
	if (job->old_vm)
		vivgpu_vm_put(job->old_vm);
	vivgpu_pm_put(job);
	vivgpu_queue_put(job->queue);
	vivgpu_client_put(job->client);
	kvfree(job);
}
