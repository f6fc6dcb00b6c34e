// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inheritance: the jobs that a job with a deadline waits for get its deadline, and run on the
 * budget of its queue if that has a reservation (bandwidth inheritance: G. Lamastra, G. Lipari,
 * L. Abeni, "A Bandwidth Inheritance Algorithm for Real-Time Task Synchronization in Open
 * Systems", RTSS 2001).
 *
 * A job's dependencies are known when it is pushed: fences of shared buffers, sync objects and
 * sync_files. Deadlines are set on them with dma_fence_set_deadline(), so other drivers get
 * them, too. The jobs of this device are found by the owner of the DRM scheduler's fence,
 * which is the ring's fence of the job.
 */

#include <linux/dma-fence-unwrap.h>

#include "vivgpu_device.h"
#include "vivgpu_fence.h"
#include "vivgpu_inherit.h"
#include "vivgpu_job.h"
#include "vivgpu_queue.h"

/* The job of a fence runs on a queue's budget, if it is this device's and has no donor yet. */
static void vivgpu_inherit_donate(struct vivgpu_job *job, struct dma_fence *fence)
{
	struct drm_sched_fence *outer = to_drm_sched_fence(fence);

	if (!outer || outer->sched != &job->vdev->sched)
		return;

	/* The fence holds this reference until its job is freed. */
	vivgpu_queue_get(job->queue);
	if (!vivgpu_fence_set_donor(outer->owner, job->queue))
		vivgpu_queue_put(job->queue);
}

/**
 * vivgpu_inherit - hand a job's deadline to the jobs that it waits for
 * @job: the job, with all its dependencies, not armed; it has a deadline or its queue a
 *	reservation
 */
void vivgpu_inherit(struct vivgpu_job *job)
{
	const struct vivgpu_arbiter_queue *queue = &job->queue->arbiter;
	bool reserved = vivgpu_arbiter_has_server(queue);
	u64 deadline = job->arbiter.deadline_ns;
	struct dma_fence_unwrap iter;
	struct dma_fence *fence, *part;
	unsigned long index;

	if (!deadline)
		deadline = job->times.submitted_ns + queue->server.reservation.period_ns;
	deadline -= min(deadline, job->arbiter.cost_ns);
	xa_for_each(&job->base.dependencies, index, fence) {
		dma_fence_set_deadline(fence, ns_to_ktime(deadline));
		if (!reserved)
			continue;
		dma_fence_unwrap_for_each(part, &iter, fence)
			vivgpu_inherit_donate(job, part);
	}
}
