// SPDX-License-Identifier: GPL-2.0-only
/*
 * DRM_IOCTL_VIVGPU_SUBMIT: checks and copies the caller's arrays, looks up handles, and
 * calls vivgpu_submit.c. DRM_IOCTL_VIVGPU_JOB_WAIT.
 */

#include <linux/capability.h>
#include <linux/err.h>
#include <linux/overflow.h>
#include <linux/sync_file.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include <drm/drm_gem.h>
#include <drm/drm_syncobj.h>
#include <drm/drm_utils.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_cmd.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_fence.h"
#include "vivgpu_gem_vmap.h"
#include "vivgpu_job.h"
#include "vivgpu_queue.h"
#include "vivgpu_stretch.h"
#include "vivgpu_submit.h"
#include "vivgpu_validate.h"

#define MAX_PIECES	1024
#define MAX_BOS		65536
#define MAX_SYNCS	1024
#define POINT_FLAGS	(DRM_VIVGPU_POINT_MARK | DRM_VIVGPU_POINT_NO_BO)
#define SUBMIT_FLAGS	(DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC | DRM_VIVGPU_SUBMIT_FENCE_FD_IN | \
			 DRM_VIVGPU_SUBMIT_FENCE_FD_OUT | DRM_VIVGPU_SUBMIT_LEFT_NS)

static struct vivgpu_queue *vivgpu_ioctl_find_queue(struct vivgpu_file *vfile, u32 id)
{
	struct vivgpu_queue *queue;

	xa_lock(&vfile->queues);
	queue = xa_load(&vfile->queues, id);
	if (queue)
		kref_get(&queue->ref);
	xa_unlock(&vfile->queues);
	return queue;
}

static int vivgpu_ioctl_copy_pieces(struct vivgpu_submission *sub,
				    const struct drm_vivgpu_piece *pieces, u32 count)
{
	u32 *at = sub->stream, i;

	for (i = 0; i < count; i++) {
		if (copy_from_user(at, u64_to_user_ptr(pieces[i].words), pieces[i].size))
			return -EFAULT;
		at += pieces[i].size / sizeof(u32);
	}

	return 0;
}

static int vivgpu_ioctl_add_bo_batch(struct vivgpu_submission *sub,
				     const struct drm_vivgpu_submit_bo *bos, u32 count)
{
	u64 va;
	u32 i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = vivgpu_submission_add_bo(sub, bos[i].handle, bos[i].flags, 0, &va);
		if (ret)
			return ret;
	}

	return 0;
}

/* Copy 16 entries at a time: one copy_from_user() costs more than the 128 bytes it copies. */
static int vivgpu_ioctl_add_bos(struct vivgpu_submission *sub, const struct drm_vivgpu_submit *args)
{
	const struct drm_vivgpu_submit_bo __user *bos = u64_to_user_ptr(args->bos);
	struct drm_vivgpu_submit_bo some[16];
	u32 i, count;
	int ret;

	for (i = 0; i < args->nr_bos; i += count) {
		count = min_t(u32, args->nr_bos - i, ARRAY_SIZE(some));
		if (copy_from_user(some, &bos[i], count * sizeof(*some)))
			return -EFAULT;
		ret = vivgpu_ioctl_add_bo_batch(sub, some, count);
		if (ret)
			return ret;
	}

	return 0;
}

/* A point without a buffer must be a mark, and its buffer fields zero. */
static int vivgpu_ioctl_check_mark_point(const struct drm_vivgpu_point *in)
{
	bool good = in->flags & DRM_VIVGPU_POINT_MARK && !in->bo_index && !in->bo_offset;

	return good ? 0 : -EINVAL;
}

/* Map the buffer that a point's time and cycles are written to. */
static int vivgpu_ioctl_map_point(struct vivgpu_job *job, struct vivgpu_point *point,
				  const struct drm_vivgpu_point *in)
{
	struct drm_gem_object *obj;
	u64 *out;

	if (in->bo_index >= job->nr_bos || in->bo_offset % 8)
		return -EINVAL;

	obj = job->bos[in->bo_index].obj;
	if (obj->size < 16 || in->bo_offset > obj->size - 16)
		return -EINVAL;
	/* Another driver's buffer may be I/O memory, which plain stores must not access. */
	if (obj->import_attach)
		return -EINVAL;

	out = vivgpu_gem_vmap(obj, in->bo_offset, &point->map);
	if (IS_ERR(out))
		return PTR_ERR(out);

	point->out = out;
	return 0;
}

static int vivgpu_ioctl_add_point(struct vivgpu_job *job, const struct drm_vivgpu_point *in)
{
	struct vivgpu_point *point = &job->points[job->nr_points];
	int ret;

	if (in->flags & ~POINT_FLAGS || in->pad || in->stream_offset % 8)
		return -EINVAL;

	point->word = in->stream_offset / sizeof(u32);
	point->flags = in->flags;
	point->cookie = in->cookie;
	ret = in->flags & DRM_VIVGPU_POINT_NO_BO ? vivgpu_ioctl_check_mark_point(in) :
						   vivgpu_ioctl_map_point(job, point, in);
	if (!ret)
		job->nr_points++;
	return ret;
}

static int vivgpu_ioctl_add_points(struct vivgpu_submission *sub,
				   const struct drm_vivgpu_submit *args)
{
	const struct drm_vivgpu_point __user *points = u64_to_user_ptr(args->points);
	struct drm_vivgpu_point point;
	u32 i;
	int ret;

	for (i = 0; i < args->nr_points; i++) {
		if (copy_from_user(&point, &points[i], sizeof(point)))
			return -EFAULT;
		ret = vivgpu_ioctl_add_point(sub->job, &point);
		if (ret)
			return ret;
	}

	return 0;
}

static int vivgpu_ioctl_add_counter(struct vivgpu_submission *sub,
				    const struct drm_vivgpu_counter *in)
{
	struct vivgpu_counter *counter;
	u64 *value;
	int ret;

	if (in->flags || in->bo_offset % 8)
		return -EINVAL;

	ret = vivgpu_submission_add_counter(sub, vivgpu_perfmon_signal(in->domain, in->signal),
					    in->bo_index, &counter);
	if (ret)
		return ret;
	/* Buffers are whole pages, so the difference cannot be negative. */
	if (in->bo_offset > counter->obj->size - sizeof(*counter->value))
		return -EINVAL;

	value = vivgpu_gem_vmap(counter->obj, in->bo_offset, &counter->map);
	if (IS_ERR(value))
		return PTR_ERR(value);

	counter->value = value;
	return 0;
}

static int vivgpu_ioctl_add_counters(struct vivgpu_submission *sub,
				     const struct drm_vivgpu_submit *args)
{
	const struct drm_vivgpu_counter __user *counters = u64_to_user_ptr(args->counters);
	struct drm_vivgpu_counter counter;
	u32 i;
	int ret;

	for (i = 0; i < args->nr_counters; i++) {
		if (copy_from_user(&counter, &counters[i], sizeof(counter)))
			return -EFAULT;
		ret = vivgpu_ioctl_add_counter(sub, &counter);
		if (ret)
			return ret;
	}

	return 0;
}

/* Not drm_sched_job_add_syncobj_dependency(): it takes the point as 32 bits. */
static int vivgpu_ioctl_add_in_sync(struct vivgpu_submission *sub,
				    const struct drm_vivgpu_sync *sync)
{
	struct dma_fence *fence;
	int ret;

	ret = drm_syncobj_find_fence(sub->file, sync->handle, sync->point, 0, &fence);
	if (ret)
		return ret;

	return drm_sched_job_add_dependency(&sub->job->base, fence);
}

static int vivgpu_ioctl_add_in_syncs(struct vivgpu_submission *sub,
				     const struct drm_vivgpu_submit *args)
{
	const struct drm_vivgpu_sync __user *syncs = u64_to_user_ptr(args->in_syncs);
	struct drm_vivgpu_sync sync;
	u32 i;
	int ret;

	for (i = 0; i < args->nr_in_syncs; i++) {
		if (copy_from_user(&sync, &syncs[i], sizeof(sync)))
			return -EFAULT;
		if (sync.pad)
			return -EINVAL;
		ret = vivgpu_ioctl_add_in_sync(sub, &sync);
		if (ret)
			return ret;
	}

	if (args->flags & DRM_VIVGPU_SUBMIT_FENCE_FD_IN)
		return vivgpu_submission_fence_in(sub, args->fence_fd);

	return 0;
}

/**
 * struct out_sync - a sync object that receives a job's fence
 * @syncobj: the sync object, referenced
 * @chain: memory for the timeline's point, NULL if binary
 * @point: the point
 */
struct out_sync {
	struct drm_syncobj *syncobj;
	struct dma_fence_chain *chain;
	u64 point;
};

/**
 * struct out_syncs - the sync objects that a submit call signals
 * @all: array of them
 * @inline_syncs: memory of @all if there are at most two, to save an allocation
 */
struct out_syncs {
	struct out_sync *all;
	struct out_sync inline_syncs[2];
};

static void vivgpu_ioctl_put_out_syncs(struct out_syncs *outs, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		dma_fence_chain_free(outs->all[i].chain);
		if (outs->all[i].syncobj)
			drm_syncobj_put(outs->all[i].syncobj);
	}
	if (outs->all != outs->inline_syncs)
		kvfree(outs->all);
}

static int vivgpu_ioctl_get_out_sync(struct drm_file *file, struct out_sync *out,
				     const struct drm_vivgpu_sync *sync)
{
	if (sync->pad)
		return -EINVAL;

	out->syncobj = drm_syncobj_find(file, sync->handle);
	if (!out->syncobj)
		return -ENOENT;

	out->point = sync->point;
	if (!sync->point)
		return 0;

	out->chain = dma_fence_chain_alloc();
	return out->chain ? 0 : -ENOMEM;
}

static int vivgpu_ioctl_get_out_syncs(struct drm_file *file, const struct drm_vivgpu_submit *args,
				      struct out_syncs *outs)
{
	const struct drm_vivgpu_sync __user *syncs = u64_to_user_ptr(args->out_syncs);
	struct drm_vivgpu_sync sync;
	u32 i;
	int ret;

	*outs = (struct out_syncs){ .all = outs->inline_syncs };
	if (args->nr_out_syncs > ARRAY_SIZE(outs->inline_syncs))
		outs->all = kvcalloc(args->nr_out_syncs, sizeof(*outs->all), GFP_KERNEL);
	if (!outs->all)
		return -ENOMEM;

	for (i = 0; i < args->nr_out_syncs; i++) {
		ret = copy_from_user(&sync, &syncs[i], sizeof(sync)) ? -EFAULT :
		      vivgpu_ioctl_get_out_sync(file, &outs->all[i], &sync);
		if (ret) {
			vivgpu_ioctl_put_out_syncs(outs, args->nr_out_syncs);
			return ret;
		}
	}

	return 0;
}

static void vivgpu_ioctl_signal_out_syncs(struct out_sync *outs, u32 count, struct dma_fence *fence)
{
	u32 i;

	for (i = 0; i < count; i++) {
		if (outs[i].chain)
			drm_syncobj_add_point(outs[i].syncobj, outs[i].chain, fence,
					      outs[i].point);
		else
			drm_syncobj_replace_fence(outs[i].syncobj, fence);
		outs[i].chain = NULL;
	}
}

static int vivgpu_ioctl_check_submit(const struct drm_vivgpu_submit *args)
{
	bool event_only = !args->nr_pieces;

	if (args->flags & ~SUBMIT_FLAGS || args->nr_counters > VIVGPU_MAX_COUNTERS ||
	    (event_only && (args->nr_points || args->nr_counters)) ||
	    args->nr_pieces > MAX_PIECES || args->nr_bos > MAX_BOS ||
	    args->nr_in_syncs > MAX_SYNCS || args->nr_out_syncs > MAX_SYNCS ||
	    args->nr_points > VIVGPU_MAX_POINTS)
		return -EINVAL;

	return 0;
}

/* Copy and check everything that the call passes. */
static int vivgpu_ioctl_prepare_job(struct vivgpu_submission *sub,
				    const struct drm_vivgpu_submit *args,
				    const struct drm_vivgpu_piece *pieces)
{
	int ret;

	sub->job->cookie = args->cookie;
	vivgpu_submission_set_deadline(sub, args->deadline_ns, args->cost_ns);
	ret = vivgpu_ioctl_copy_pieces(sub, pieces, args->nr_pieces);
	ret = ret ?: vivgpu_ioctl_add_bos(sub, args);
	ret = ret ?: vivgpu_ioctl_add_points(sub, args);
	ret = ret ?: vivgpu_ioctl_add_counters(sub, args);
	ret = ret ?: vivgpu_submission_prepare(sub);
	return ret ?: vivgpu_ioctl_add_in_syncs(sub, args);
}

static int vivgpu_ioctl_push_job(struct vivgpu_submission *sub, struct drm_vivgpu_submit *args)
{
	struct vivgpu_fence_out out;
	struct out_syncs outs;
	struct dma_fence *fence;
	int ret;

	ret = vivgpu_ioctl_get_out_syncs(sub->file, args, &outs);
	if (ret)
		return ret;

	ret = vivgpu_fence_out_init(&out, args->flags & DRM_VIVGPU_SUBMIT_FENCE_FD_OUT);
	if (ret)
		goto out_syncs;

	ret = vivgpu_submission_push(sub, args->flags & DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC, NULL,
				     &fence);
	if (ret) {
		vivgpu_fence_out_fini(&out, NULL, NULL);
		goto out_syncs;
	}

	vivgpu_ioctl_signal_out_syncs(outs.all, args->nr_out_syncs, fence);
	args->job = sub->job_id;
	vivgpu_fence_out_fini(&out, fence, &args->fence_fd);
	dma_fence_put(fence);
out_syncs:
	vivgpu_ioctl_put_out_syncs(&outs, args->nr_out_syncs);
	return ret;
}

static int vivgpu_ioctl_submit_pieces(struct drm_file *file, struct vivgpu_queue *queue,
				      struct drm_vivgpu_submit *args,
				      const struct drm_vivgpu_piece *pieces)
{
	struct vivgpu_submission_size size = {
		.nr_bos = args->nr_bos,
		.nr_points = args->nr_points,
		.nr_counters = args->nr_counters,
	};
	struct vivgpu_submission sub;
	int ret;

	ret = vivgpu_validate_pieces(pieces, args->nr_pieces, VIVGPU_MAX_CMD_BYTES);
	if (ret < 0)
		return ret;

	size.words = ret / sizeof(u32);
	ret = vivgpu_submission_init(&sub, file, queue, &size, args->entered_ns);
	ret = ret ?: vivgpu_ioctl_prepare_job(&sub, args, pieces);
	ret = ret ?: vivgpu_ioctl_push_job(&sub, args);
	vivgpu_submission_fini(&sub);
	return ret;
}

/* Most calls have one piece: up to two are copied to the stack. */
static int vivgpu_ioctl_copy_pieces_and_submit(struct drm_file *file, struct vivgpu_queue *queue,
					       struct drm_vivgpu_submit *args)
{
	const void __user *from = u64_to_user_ptr(args->pieces);
	struct drm_vivgpu_piece few[2], *pieces;
	int ret;

	if (args->nr_pieces <= ARRAY_SIZE(few)) {
		if (copy_from_user(few, from, args->nr_pieces * sizeof(*few)))
			return -EFAULT;
		return vivgpu_ioctl_submit_pieces(file, queue, args, few);
	}

	pieces = memdup_array_user(from, args->nr_pieces, sizeof(*pieces));
	if (IS_ERR(pieces))
		return PTR_ERR(pieces);

	ret = vivgpu_ioctl_submit_pieces(file, queue, args, pieces);
	kfree(pieces);
	return ret;
}

static int vivgpu_ioctl_find_queue_and_submit(struct drm_file *file, struct drm_vivgpu_submit *args)
{
	struct vivgpu_queue *queue;
	int ret;

	ret = vivgpu_ioctl_check_submit(args);
	if (ret)
		return ret;

	queue = vivgpu_ioctl_find_queue(file->driver_priv, args->queue);
	if (!queue)
		return -ENOENT;

	vivgpu_stretch(VIVGPU_STRETCH_SUBMIT_QUEUE);
	ret = vivgpu_ioctl_copy_pieces_and_submit(file, queue, args);
	vivgpu_queue_put(queue);
	return ret;
}

/**
 * vivgpu_ioctl_submit - DRM_IOCTL_VIVGPU_SUBMIT
 * @drm: the device
 * @data: &struct drm_vivgpu_submit
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_submit(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vivgpu_submit *args = data;
	int ret;

	args->entered_ns = ktime_get_ns();
	ret = vivgpu_ioctl_find_queue_and_submit(file, args);
	if (args->flags & DRM_VIVGPU_SUBMIT_LEFT_NS)
		args->left_ns = ktime_get_ns();
	return ret;
}

/**
 * vivgpu_ioctl_job_wait - DRM_IOCTL_VIVGPU_JOB_WAIT
 * @drm: the device
 * @data: &struct drm_vivgpu_job_wait
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_job_wait(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vivgpu_job_wait *args = data;
	long timeout = MAX_SCHEDULE_TIMEOUT;
	struct vivgpu_queue *queue;
	int ret;

	queue = vivgpu_ioctl_find_queue(file->driver_priv, args->queue);
	if (!queue)
		return -ENOENT;

	/* Without a limit neither the clock nor a timer is needed. */
	if (args->timeout_ns != S64_MAX)
		timeout = drm_timeout_abs_to_jiffies(args->timeout_ns);
	ret = vivgpu_queue_wait_job(queue, args->job, timeout);
	vivgpu_queue_put(queue);
	return ret;
}
