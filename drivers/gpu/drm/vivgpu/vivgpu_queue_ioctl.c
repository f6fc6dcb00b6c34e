// SPDX-License-Identifier: GPL-2.0-only
/* DRM_IOCTL_VIVGPU_QUEUE_CREATE and _DESTROY: checking of prologues, numbers of queues. */

#include <linux/bitmap.h>
#include <linux/capability.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_gem.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_cmd.h"
#include "vivgpu_deadline.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_queue.h"
#include "vivgpu_queue_ioctl.h"
#include "vivgpu_validate.h"

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

/* Numbers of queues are indices of words, and every buffer has a word for each. */
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
	args->reason = 0;
	if (!args->budget_ns)
		return 0;

	switch (vivgpu_deadline_reserve(queue, args->budget_ns, args->period_ns)) {
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
