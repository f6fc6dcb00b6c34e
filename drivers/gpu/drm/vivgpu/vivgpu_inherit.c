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
 *
 * A deadline or a donor can also come later, while the job waits: SYNC_IOC_SET_DEADLINE, a page
 * flip, a submit of another client. The DRM scheduler stores such a deadline in its fence and
 * does not tell the driver. So while the arbiter is active, the device has a list of the jobs that
 * wait for fences of other queues. Before each selection their deadlines and donors are copied to
 * the jobs of this device that they wait for, by atomic accesses. A work sets the deadlines on
 * the fences of other devices, since their drivers may take locks for that, and fences are
 * signalled under the device's lock.
 *
 * Clients can let any number of jobs wait for any number of fences, so the work of a selection is
 * bounded. A deadline that is known at the submit reaches all fences. One that comes later reaches
 * the first VIVGPU_INHERIT_FENCES of a job, and a selection visits up to VIVGPU_INHERIT_VISITS jobs
 * and fences; the next one continues where it stopped. So with n jobs and fences in the list, a
 * deadline reaches a job's fences after n / VIVGPU_INHERIT_VISITS selections at the latest, and the
 * end of a chain of jobs that wait for each other after as many for each job of the chain.
 */

#include <linux/dma-fence-unwrap.h>
#include <linux/slab.h>

#include <kunit/visibility.h>

#include "vivgpu_device.h"
#include "vivgpu_fence.h"
#include "vivgpu_inherit.h"
#include "vivgpu_job.h"
#include "vivgpu_queue.h"

/*
 * The ring's fence of a job of this device, or NULL. It lives as long as the DRM scheduler's fence
 * @fence, which gets a reference on it before the job is freed (vivgpu_fence_set_parent()).
 */
static struct vivgpu_fence *vivgpu_inherit_own(const struct vivgpu_device *vdev,
					       struct dma_fence *fence)
{
	struct drm_sched_fence *outer = to_drm_sched_fence(fence);

	return outer && outer->sched == &vdev->sched ? outer->owner : NULL;
}

/* Let a job run on the budget of @donor unless it has a donor. The caller holds a reference. */
static void vivgpu_inherit_donate(struct vivgpu_fence *fence, struct vivgpu_queue *donor)
{
	/* The fence holds this reference until its job is freed. */
	vivgpu_queue_get(donor);
	if (!vivgpu_fence_set_donor(fence, donor))
		vivgpu_queue_put(donor);
}

/**
 * vivgpu_inherit - pass a job's deadline to the jobs that it waits for
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
		dma_fence_unwrap_for_each(part, &iter, fence) {
			struct vivgpu_fence *own = vivgpu_inherit_own(job->vdev, part);

			if (own)
				vivgpu_inherit_donate(own, job->queue);
		}
	}
}

/*
 * Whether a fence is not of the job's own queue. An entity's fences have two contexts: those that
 * signal when a job is scheduled, and those that signal when it has finished.
 */
static bool vivgpu_inherit_is_other(const struct vivgpu_job *job, const struct dma_fence *fence)
{
	return fence->context != job->queue->entity.fence_context + 1 &&
	       fence->context != job->queue->entity.fence_context;
}

/*
 * Number of fences that a job waits for, at most VIVGPU_INHERIT_FENCES; 0 if all of them are of its
 * own queue. Does not leave the loop early: the iterator drops its reference on a container only at
 * the loop's end.
 */
static u32 vivgpu_inherit_count(struct vivgpu_job *job)
{
	struct dma_fence_unwrap iter;
	struct dma_fence *fence, *part;
	bool other = false;
	unsigned long index;
	u32 count = 0;

	xa_for_each(&job->base.dependencies, index, fence) {
		dma_fence_unwrap_for_each(part, &iter, fence) {
			if (dma_fence_is_signaled(part))
				continue;
			count++;
			other |= vivgpu_inherit_is_other(job, part);
		}
	}

	return other ? min(count, VIVGPU_INHERIT_FENCES) : 0;
}

/* Take references on the first @space fences that a job waits for; loops as the function above. */
static void vivgpu_inherit_copy(struct vivgpu_job *job, struct vivgpu_waits *waits, u32 space)
{
	struct dma_fence_unwrap iter;
	struct dma_fence *fence, *part;
	unsigned long index;

	xa_for_each(&job->base.dependencies, index, fence) {
		dma_fence_unwrap_for_each(part, &iter, fence) {
			u32 at = waits->count;

			if (at == space || dma_fence_is_signaled(part))
				continue;
			waits->foreign |= !vivgpu_inherit_own(job->vdev, part);
			waits->count++;
			waits->fences[at] = dma_fence_get(part);
		}
	}
}

/**
 * vivgpu_inherit_prepare - allocate the record of the fences that a job waits for
 * @job: the job, with all its dependencies, not armed
 *
 * Return: 0 or -ENOMEM.
 */
int vivgpu_inherit_prepare(struct vivgpu_job *job)
{
	u32 space = vivgpu_inherit_count(job);
	struct vivgpu_waits *waits;

	if (!space)
		return 0;

	waits = kzalloc(struct_size(waits, fences, space), GFP_KERNEL_ACCOUNT);
	if (!waits)
		return -ENOMEM;

	kref_init(&waits->ref);
	INIT_LIST_HEAD(&waits->link);
	INIT_LIST_HEAD(&waits->late_link);
	waits->job = job;
	vivgpu_inherit_copy(job, waits, space);
	job->waits = waits;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_inherit_prepare);

/**
 * vivgpu_inherit_begin - a job begins to wait
 * @job: the job, armed, but its fence is not published; takes the device's lock
 */
void vivgpu_inherit_begin(struct vivgpu_job *job)
{
	struct vivgpu_device *vdev = job->vdev;

	if (likely(!job->waits))
		return;

	spin_lock_irq(&vdev->lock);
	list_add_tail(&job->waits->link, &vdev->deadlines.waiting);
	spin_unlock_irq(&vdev->lock);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_inherit_begin);

/**
 * vivgpu_inherit_end - a job stops waiting for fences
 * @job: the job; the device's lock is held
 */
void vivgpu_inherit_end(struct vivgpu_job *job)
{
	if (likely(!job->waits))
		return;

	list_del_init(&job->waits->link);
	list_del_init(&job->waits->late_link);
}

/**
 * vivgpu_inherit_cancel - vivgpu_inherit_end() for a job that is freed
 * @job: the job, which still has the DRM scheduler's fence; takes the device's lock
 *
 * A job that ends without ever having been handed to the device still is in the list.
 */
void vivgpu_inherit_cancel(struct vivgpu_job *job)
{
	struct vivgpu_device *vdev = job->vdev;

	if (likely(!job->waits))
		return;

	spin_lock_irq(&vdev->lock);
	vivgpu_inherit_end(job);
	spin_unlock_irq(&vdev->lock);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_inherit_cancel);

static void vivgpu_inherit_release(struct kref *ref)
{
	struct vivgpu_waits *waits = container_of(ref, struct vivgpu_waits, ref);
	u32 i;

	for (i = 0; i < waits->count; i++)
		dma_fence_put(waits->fences[i]);
	kfree(waits);
}

/**
 * vivgpu_inherit_free - free the record of the fences that a job waited for
 * @job: the job, which is being freed and does not wait
 */
void vivgpu_inherit_free(struct vivgpu_job *job)
{
	if (unlikely(job->waits))
		kref_put(&job->waits->ref, vivgpu_inherit_release);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_inherit_free);

/* Deadline for the fences that a job waits for, 0 if the job has none; lock held. */
static u64 vivgpu_inherit_deadline_of_waits(const struct vivgpu_waits *waits)
{
	const struct vivgpu_job *job = waits->job;
	u64 deadline = vivgpu_fence_deadline(job->fence, job->base.s_fence);
	u64 cost = job->arbiter.cost_ns;

	if (!deadline)
		return 0;

	return deadline > cost ? deadline - cost : 1;
}

/* Copy a job's deadline and donor to the jobs of this device that it waits for; lock held. */
static void vivgpu_inherit_propagate(const struct vivgpu_waits *waits)
{
	struct vivgpu_queue *donor = vivgpu_fence_donor(waits->job->fence);
	u64 deadline = vivgpu_inherit_deadline_of_waits(waits);
	u32 i;

	if (!deadline && !donor)
		return;

	for (i = 0; i < waits->count; i++) {
		struct vivgpu_fence *own = vivgpu_inherit_own(waits->job->vdev, waits->fences[i]);

		if (!own)
			continue;
		if (deadline)
			vivgpu_fence_require(own, deadline);
		if (donor)
			vivgpu_inherit_donate(own, donor);
	}
}

/* Whether fences of other devices need an earlier deadline than was set on them; lock held. */
static bool vivgpu_inherit_is_late(const struct vivgpu_waits *waits)
{
	u64 deadline = vivgpu_inherit_deadline_of_waits(waits);

	return waits->foreign && deadline &&
	       (!waits->handed_ns || deadline < waits->handed_ns);
}

static_assert(1 + VIVGPU_INHERIT_FENCES <= VIVGPU_INHERIT_VISITS);

/**
 * vivgpu_inherit_late - propagate deadlines and donors that were set after the submit
 * @vdev: the device, its lock held
 *
 * Visits no more than VIVGPU_INHERIT_VISITS jobs and fences. If there are more, the next call
 * continues with the others.
 */
void vivgpu_inherit_late(struct vivgpu_device *vdev)
{
	struct list_head *waiting = &vdev->deadlines.waiting;
	u32 left = VIVGPU_INHERIT_VISITS;
	struct vivgpu_waits *waits;

	/*
	 * A job is armed after those that it waits for, so the last ones come first. The first one
	 * always fits, so behind the one at which the loop stops there is one that was visited.
	 */
	list_for_each_entry_reverse(waits, waiting, link) {
		if (left < 1 + waits->count) {
			/* The next call begins with this one; those visited here come last. */
			list_rotate_to_front(waits->link.next, waiting);
			break;
		}

		left -= 1 + waits->count;
		vivgpu_inherit_propagate(waits);
		if (vivgpu_inherit_is_late(waits) && list_empty(&waits->late_link))
			list_add_tail(&waits->late_link, &vdev->deadlines.late);
	}
	if (!list_empty(&vdev->deadlines.late))
		queue_work(vdev->free_wq, &vdev->deadlines.late_work);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_inherit_late);

/* Take a job whose deadline has to be set on fences of other devices, referenced, or NULL. */
static struct vivgpu_waits *vivgpu_inherit_next_late(struct vivgpu_device *vdev)
{
	struct vivgpu_waits *late;

	spin_lock_irq(&vdev->lock);
	late = list_first_entry_or_null(&vdev->deadlines.late, struct vivgpu_waits, late_link);
	if (late) {
		list_del_init(&late->late_link);
		kref_get(&late->ref);
		late->handed_ns = vivgpu_inherit_deadline_of_waits(late);
	}
	spin_unlock_irq(&vdev->lock);
	return late;
}

/* Work that sets deadlines on fences of other devices. */
static void vivgpu_inherit_work(struct work_struct *work)
{
	struct vivgpu_device *vdev = container_of(work, struct vivgpu_device, deadlines.late_work);
	struct vivgpu_waits *waits;
	u32 i;

	/* Only this work changes handed_ns. */
	while ((waits = vivgpu_inherit_next_late(vdev))) {
		for (i = 0; i < waits->count; i++)
			dma_fence_set_deadline(waits->fences[i], ns_to_ktime(waits->handed_ns));
		kref_put(&waits->ref, vivgpu_inherit_release);
	}
}

/**
 * vivgpu_inherit_init - initialise the lists of waiting jobs and the work
 * @vdev: the device
 */
void vivgpu_inherit_init(struct vivgpu_device *vdev)
{
	INIT_LIST_HEAD(&vdev->deadlines.waiting);
	INIT_LIST_HEAD(&vdev->deadlines.late);
	INIT_WORK(&vdev->deadlines.late_work, vivgpu_inherit_work);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_inherit_init);
