// SPDX-License-Identifier: GPL-2.0-only

#include <linux/bitmap.h>
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <kunit/visibility.h>

#include <drm/drm_gem.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_cmd.h"
#include "vivgpu_deadline.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_queue.h"
#include "vivgpu_stretch.h"
#include "vivgpu_validate.h"

/* Queues: a scheduler entity and, optionally, a prologue that loads the state its jobs need. */

/* How long the close of queues waits for a job of theirs to start */
#define CLOSE_JIFFIES	HZ

/*
 * Remove queues from the device's list, up to the first one that is not being freed. Returns that
 * one with a reference, or NULL.
 */
static struct vivgpu_queue *vivgpu_queue_get_first(struct vivgpu_device *vdev)
{
	struct vivgpu_queue *queue, *next, *found = NULL;

	mutex_lock(&vdev->owners_lock);
	list_for_each_entry_safe(queue, next, &vdev->queues, link) {
		list_del_init(&queue->link);
		vivgpu_stretch_rare(VIVGPU_STRETCH_QUEUE_WALK);
		if (kref_get_unless_zero(&queue->ref)) {
			found = queue;
			break;
		}
	}
	mutex_unlock(&vdev->owners_lock);
	return found;
}

/**
 * vivgpu_queue_close_all - make submits to all queues of the device fail
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
	vivgpu_stretch(VIVGPU_STRETCH_QUEUE_LINK);
	list_del(&queue->link);
	mutex_unlock(&queue->vdev->owners_lock);
	/* Each job has a reference on its queue, so the entity has none left. */
	drm_sched_entity_fini(&queue->entity);
	mutex_destroy(&queue->submit);
	if (queue->progress) {
		vivgpu_gem_vunmap(queue->progress_map);
		drm_gem_object_put(queue->progress);
	}
	kvfree(queue->prologue);
	kfree(queue);
}

/* Add a queue to the device's list; -ENODEV if the device was unbound. */
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

static u32 vivgpu_queue_arbiter_priority(enum drm_sched_priority priority)
{
	switch (priority) {
	case DRM_SCHED_PRIORITY_LOW:
		return 0;
	case DRM_SCHED_PRIORITY_NORMAL:
		return 1;
	default:
		return VIVGPU_ARBITER_PRIORITIES - 1;
	}
}

/**
 * vivgpu_queue_create - create a queue
 * @vdev: the device
 * @priority: priority of its jobs
 * @prologue: stream that loads its state, or NULL; freed with the queue
 *
 * Return: the queue, or an error pointer; on error the caller keeps @prologue.
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
	init_waitqueue_head(&queue->waiters);
	queue->vdev = vdev;
	queue->id = atomic64_inc_return(&last_id);
	queue->fence_context = dma_fence_context_alloc(1);
	vivgpu_arbiter_init_queue(&queue->arbiter, vivgpu_queue_arbiter_priority(priority));
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
 * vivgpu_queue_set_progress - set the buffer that gets the numbers of ended jobs
 * @queue: the queue, without jobs
 * @obj: the buffer; the queue takes a reference
 *
 * Return: 0 or a negative error number, -EINVAL for another driver's buffer: that may be I/O
 * memory, which plain stores must not access; -EFAULT if the buffer was purged.
 */
int vivgpu_queue_set_progress(struct vivgpu_queue *queue, struct drm_gem_object *obj)
{
	int ret = obj->import_attach ? -EINVAL : vivgpu_gem_dma_prepare(obj);
	u32 *words;

	if (ret)
		return ret;

	words = vivgpu_gem_vmap(obj, 0, &queue->progress_map);
	if (IS_ERR(words))
		return PTR_ERR(words);

	drm_gem_object_get(obj);
	queue->progress = obj;
	queue->progress_words = words;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_queue_set_progress);

/**
 * vivgpu_queue_init_jobs - set the number after which those of a queue's jobs begin
 * @queue: the queue, without jobs
 * @job: the number
 */
static void vivgpu_queue_init_jobs(struct vivgpu_queue *queue, u32 job)
{
	queue->last_job = job;
	queue->started_job = job;
	vivgpu_queue_job_ended(queue, job);
}

/**
 * vivgpu_queue_job_started - the scheduler runs a job
 * @queue: its queue
 * @job: its number
 *
 * Return: false if the queue was closed and its jobs are dropped: the job must not reach the ring.
 */
bool vivgpu_queue_job_started(struct vivgpu_queue *queue, u32 job)
{
	WRITE_ONCE(queue->started_job, job);
	if (wq_has_sleeper(&queue->waiters))
		wake_up(&queue->waiters);
	return !READ_ONCE(queue->killed);
}

/**
 * vivgpu_queue_job_ended - tell user space that a job has ended
 * @queue: its queue
 * @job: its number; its results are written
 *
 * Calls for a queue are serialised by the device's lock; the first one comes before it is used.
 */
void vivgpu_queue_job_ended(struct vivgpu_queue *queue, u32 job)
{
	if (queue->progress_words) {
		/* Pairs with user space's load: who sees the number sees the job's results. */
		smp_store_release(&queue->progress_words[queue->number], job);
	}
	WRITE_ONCE(queue->ended_job, job);
	if (wq_has_sleeper(&queue->waiters))
		wake_up(&queue->waiters);
}

static bool vivgpu_queue_has_ended(struct vivgpu_queue *queue, u32 job)
{
	return (s32)(READ_ONCE(queue->ended_job) - job) >= 0 || READ_ONCE(queue->killed);
}

/**
 * vivgpu_queue_wait_job - wait until a job has ended, or its queue is closed
 * @queue: its queue
 * @job: its number
 * @timeout: jiffies; 0 does not wait
 *
 * Return: 0, also if the queue was closed and the job has not ended; -ETIMEDOUT, -ERESTARTSYS, or
 * -EINVAL if no such job was submitted.
 */
int vivgpu_queue_wait_job(struct vivgpu_queue *queue, u32 job, long timeout)
{
	long ret;

	if ((s32)(READ_ONCE(queue->last_job) - job) < 0)
		return -EINVAL;

	ret = wait_event_interruptible_timeout(queue->waiters, vivgpu_queue_has_ended(queue, job),
					       timeout);
	if (ret < 0)
		return ret;

	return ret ? 0 : -ETIMEDOUT;
}

/**
 * vivgpu_queue_get - take a reference on a queue
 * @queue: the queue
 *
 * Return: @queue.
 */
struct vivgpu_queue *vivgpu_queue_get(struct vivgpu_queue *queue)
{
	kref_get(&queue->ref);
	return queue;
}

/**
 * vivgpu_queue_put - drop a reference on a queue
 * @queue: the queue
 */
void vivgpu_queue_put(struct vivgpu_queue *queue)
{
	kref_put(&queue->ref, vivgpu_queue_release);
}

/* Wait until a job after @started has started; false if none has at @until, in jiffies. */
static bool vivgpu_queue_wait_start(struct vivgpu_queue *queue, u32 started, unsigned long until)
{
	long left = max_t(long, until - jiffies, 0);

	return wait_event_timeout(queue->waiters, READ_ONCE(queue->started_job) != started, left);
}

/**
 * vivgpu_queue_close_bound - until when a vivgpu_queue_close() that begins now may wait
 *
 * Return: the end of the wait as a value of jiffies.
 */
unsigned long vivgpu_queue_close_bound(void)
{
	return jiffies + CLOSE_JIFFIES;
}

/**
 * vivgpu_queue_close - close a queue and drop the file's reference
 * @queue: the queue
 * @until: the bound of the wait, shared by queues that are closed together; set it to
 *	vivgpu_queue_close_bound() before the first one
 *
 * Jobs submitted before still run. A job can wait for a fence of another driver, which may never
 * signal, so the function waits for no more than 1 s in which none of them starts, and in a process
 * that exits for no more than 1 s for all queues together. The jobs that have not started then are
 * dropped: they have failed results, and their fences signal with ESRCH when those that they depend
 * on have.
 */
void vivgpu_queue_close(struct vivgpu_queue *queue, unsigned long *until)
{
	u32 started;

	mutex_lock(&queue->submit);
	queue->closed = true;
	mutex_unlock(&queue->submit);
	while ((started = READ_ONCE(queue->started_job)) != queue->last_job) {
		if (!vivgpu_queue_wait_start(queue, started, *until))
			break;
		if (!(current->flags & PF_EXITING))
			*until = vivgpu_queue_close_bound();
	}
	vivgpu_stretch(VIVGPU_STRETCH_QUEUE_CLOSE);
	WRITE_ONCE(queue->killed, true);
	wake_up(&queue->waiters);
	vivgpu_deadline_release(queue);
	vivgpu_queue_put(queue);
}

/* DRM_IOCTL_VIVGPU_QUEUE_CREATE and _DESTROY: checking of prologues, numbers of queues. */

#define MAX_QUEUES	64

/* Validate a prologue, which may only load states, and compute the sets of states it loads. */
static int vivgpu_queue_ioctl_check_prologue(struct vivgpu_prologue *prologue)
{
	unsigned long *loaded;
	size_t where;
	int ret;

	ret = vivgpu_validate(prologue->words, prologue->count, &where, &prologue->written);
	if (ret)
		return ret;
	if (!vivgpu_validate_prologue(prologue->words, prologue->count))
		return -EPERM;

	loaded = bitmap_zalloc(VIVGPU_STATE_WORDS, GFP_KERNEL);
	if (!loaded)
		return -ENOMEM;

	vivgpu_validate_loads(prologue->words, prologue->count, loaded);
	vivgpu_states_covered(&prologue->covered, loaded);
	bitmap_free(loaded);
	return 0;
}

static struct vivgpu_prologue *
vivgpu_queue_ioctl_copy_prologue(const struct drm_vivgpu_queue_create *args)
{
	struct vivgpu_prologue *prologue;
	int ret = 0;

	prologue = kvzalloc(sizeof(*prologue) + args->prologue_size, GFP_KERNEL_ACCOUNT);
	if (!prologue)
		return ERR_PTR(-ENOMEM);

	prologue->count = args->prologue_size / sizeof(u32);
	if (copy_from_user(prologue->words, u64_to_user_ptr(args->prologue), args->prologue_size))
		ret = -EFAULT;
	ret = ret ?: vivgpu_queue_ioctl_check_prologue(prologue);
	if (!ret)
		return prologue;

	kvfree(prologue);
	return ERR_PTR(ret);
}

static enum drm_sched_priority vivgpu_queue_ioctl_priority(struct drm_vivgpu_queue_create *args)
{
	/* The arbiter has to know of these jobs before it selects others. */
	if (args->budget_ns)
		return DRM_SCHED_PRIORITY_KERNEL;

	switch (args->priority) {
	case DRM_VIVGPU_PRIORITY_LOW:
		return DRM_SCHED_PRIORITY_LOW;
	case DRM_VIVGPU_PRIORITY_HIGH:
		return DRM_SCHED_PRIORITY_HIGH;
	default:
		return DRM_SCHED_PRIORITY_NORMAL;
	}
}

/*
 * Give a queue its number and publish it in the file's table. The queue is changed under the
 * table's lock, so that a submit that finds it sees that. Its jobs get numbers after those of
 * the client's earlier jobs.
 */
static int vivgpu_queue_ioctl_publish(struct vivgpu_file *vfile, struct vivgpu_queue *queue,
				      u32 *number)
{
	int ret;

	xa_lock(&vfile->queues);
	ret = __xa_alloc(&vfile->queues, number, queue, XA_LIMIT(1, MAX_QUEUES), GFP_KERNEL);
	if (!ret) {
		queue->number = *number;
		vivgpu_queue_init_jobs(queue, atomic_read(&vfile->client->last_job));
	}
	xa_unlock(&vfile->queues);
	return ret == -EBUSY ? -ENOSPC : ret;
}

/* Numbers of queues are indices of words, and the smallest buffer has a word for each. */
static_assert((MAX_QUEUES + 1) * sizeof(u32) <= PAGE_SIZE);

static int vivgpu_queue_ioctl_set_progress(struct drm_file *file, struct vivgpu_queue *queue,
					   u32 handle)
{
	struct drm_gem_object *obj;
	int ret;

	if (!handle)
		return 0;

	obj = drm_gem_object_lookup(file, handle);
	if (!obj)
		return -ENOENT;

	ret = vivgpu_queue_set_progress(queue, obj);
	drm_gem_object_put(obj);
	return ret;
}

/* Give a queue the budget that the caller asks for; the reason if that is refused. */
static int vivgpu_queue_ioctl_reserve(struct vivgpu_queue *queue,
				      struct drm_vivgpu_queue_create *args)
{
	enum vivgpu_admission_verdict verdict;
	int ret;

	args->reason = 0;
	if (!args->budget_ns)
		return 0;

	ret = vivgpu_deadline_reserve(queue, args->budget_ns, args->period_ns, &verdict);
	if (ret)
		return ret;

	switch (verdict) {
	case VIVGPU_ADMITTED:
		return 0;
	case VIVGPU_REFUSED_VALUES:
		return -EINVAL;
	case VIVGPU_REFUSED_COUNT:
		args->reason = DRM_VIVGPU_REFUSED_COUNT;
		break;
	case VIVGPU_REFUSED_UTILISATION:
		args->reason = DRM_VIVGPU_REFUSED_UTILISATION;
		break;
	case VIVGPU_REFUSED_BLOCKING:
		args->reason = DRM_VIVGPU_REFUSED_BLOCKING;
		break;
	case VIVGPU_REFUSED_EFFORT:
		args->reason = DRM_VIVGPU_REFUSED_EFFORT;
		break;
	}

	return -EBUSY;
}

/**
 * vivgpu_ioctl_queue_create - DRM_IOCTL_VIVGPU_QUEUE_CREATE
 * @drm: the device
 * @data: &struct drm_vivgpu_queue_create
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_queue_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;
	struct drm_vivgpu_queue_create *args = data;
	struct vivgpu_queue *queue;
	struct vivgpu_prologue *prologue = NULL;
	unsigned long until;
	int ret;

	/* A prologue leaves half of the memory of a job to the stream behind it. */
	if (args->flags || args->priority > DRM_VIVGPU_PRIORITY_HIGH ||
	    args->prologue_size % 8 || args->prologue_size > VIVGPU_MAX_CMD_BYTES / 2)
		return -EINVAL;
	if (!!args->budget_ns != !!args->period_ns)
		return -EINVAL;
	if ((args->priority == DRM_VIVGPU_PRIORITY_HIGH || args->budget_ns) &&
	    !capable(CAP_SYS_NICE))
		return -EACCES;

	if (args->prologue_size) {
		prologue = vivgpu_queue_ioctl_copy_prologue(args);
		if (IS_ERR(prologue))
			return PTR_ERR(prologue);
	}

	queue = vivgpu_queue_create(to_vivgpu(drm), vivgpu_queue_ioctl_priority(args), prologue);
	if (IS_ERR(queue)) {
		kvfree(prologue);
		return PTR_ERR(queue);
	}

	ret = vivgpu_queue_ioctl_set_progress(file, queue, args->progress);
	ret = ret ?: vivgpu_queue_ioctl_reserve(queue, args);
	ret = ret ?: vivgpu_queue_ioctl_publish(vfile, queue, &args->queue);
	if (ret) {
		until = vivgpu_queue_close_bound();
		vivgpu_queue_close(queue, &until);
	}
	return ret;
}

/**
 * vivgpu_ioctl_queue_destroy - DRM_IOCTL_VIVGPU_QUEUE_DESTROY
 * @drm: the device
 * @data: &struct drm_vivgpu_queue_destroy
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_queue_destroy(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;
	struct drm_vivgpu_queue_destroy *args = data;
	unsigned long until = vivgpu_queue_close_bound();
	struct vivgpu_queue *queue;

	if (args->pad)
		return -EINVAL;

	queue = xa_erase(&vfile->queues, args->queue);
	if (!queue)
		return -ENOENT;

	vivgpu_queue_close(queue, &until);
	return 0;
}
