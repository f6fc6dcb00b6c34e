// SPDX-License-Identifier: GPL-2.0-only
/* Queues: entities of the scheduler with the state of their own that a prologue loads. */

#include <linux/slab.h>

#include "vivgpu_device.h"
#include "vivgpu_queue.h"

/* How long a process that exits waits for its queued jobs to start */
#define QUEUE_FLUSH_JIFFIES	HZ

/* A queue of the device's list, taken off it and referenced; or NULL. */
static struct vivgpu_queue *vivgpu_queue_get_first(struct vivgpu_device *vdev)
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
static void vivgpu_queue_kill(struct vivgpu_queue *queue)
{
	mutex_lock(&queue->submit);
	queue->closed = true;
	drm_sched_entity_fini(&queue->entity);
	mutex_unlock(&queue->submit);
}

/**
 * vivgpu_queue_close_all - no queue of the device takes jobs any more
 * @vdev: the device, unplugged
 */
void vivgpu_queue_close_all(struct vivgpu_device *vdev)
{
	struct vivgpu_queue *queue;

	while ((queue = vivgpu_queue_get_first(vdev))) {
		mutex_lock(&queue->submit);
		queue->closed = true;
		mutex_unlock(&queue->submit);
		vivgpu_queue_put(queue);
	}
}

static void vivgpu_queue_release(struct kref *ref)
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
static int vivgpu_queue_add(struct vivgpu_device *vdev, struct vivgpu_queue *queue)
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
	ret = vivgpu_queue_add(vdev, queue);
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
	kref_put(&queue->ref, vivgpu_queue_release);
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
	vivgpu_queue_kill(queue);
	vivgpu_queue_put(queue);
}
