// SPDX-License-Identifier: GPL-2.0-only

#include <linux/capability.h>
#include <linux/dma-resv.h>
#include <linux/err.h>
#include <linux/overflow.h>
#include <linux/sync_file.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_print.h>
#include <drm/drm_syncobj.h>
#include <drm/drm_utils.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_cmd.h"
#include "vivgpu_compat.h"
#include "vivgpu_deadline.h"
#include "vivgpu_debugfs.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_fence.h"
#include "vivgpu_gem.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_inherit.h"
#include "vivgpu_job.h"
#include "vivgpu_mmu.h"
#include "vivgpu_pm.h"
#include "vivgpu_queue.h"
#include "vivgpu_regs.h"
#include "vivgpu_ring.h"
#include "vivgpu_stretch.h"
#include "vivgpu_submit.h"
#include "vivgpu_trace.h"
#include "vivgpu_validate.h"

/*
 * From a submit call to a job in a queue. Native calls and those of etnaviv's
 * user space go through the same steps:
 *
 *	init	allocate the job and a buffer for the stream
 *	add_bo	look buffers up and find their addresses
 *	prepare	check the stream, copy it to where the GPU reads it
 *	push	fences: in, out, and those of buffers
 *
 * Everything that can fail, and all allocation, comes before the job is armed.
 */

/* The empty set of covered states, of jobs without a prologue; never written. */
static struct vivgpu_states vivgpu_submit_none_covered;

/* Reserve a part of an allocation at its end, aligned to 8. Returns the part's offset. */
static size_t vivgpu_submit_reserve_space(size_t *end, size_t size)
{
	size_t at = ALIGN(*end, sizeof(u64));

	*end = at + size;
	return at;
}

/*
 * Allocate a job and its arrays as one block. The callers limit the arrays' lengths, so
 * the sum does not overflow.
 */
static struct vivgpu_job *vivgpu_submit_alloc_job(const struct vivgpu_submission_size *size,
						  bool prologue)
{
	size_t end = sizeof(struct vivgpu_job);
	size_t covered =
		vivgpu_submit_reserve_space(&end, prologue ? sizeof(struct vivgpu_states) : 0);
	size_t points =
		vivgpu_submit_reserve_space(&end, size->nr_points * sizeof(struct vivgpu_point));
	size_t counters = vivgpu_submit_reserve_space(&end, size->nr_counters *
								    sizeof(struct vivgpu_counter));
	size_t bos = vivgpu_submit_reserve_space(&end, size->nr_bos * sizeof(struct vivgpu_job_bo));
	void *start = kvzalloc(end, GFP_KERNEL_ACCOUNT);
	struct vivgpu_job *job = start;

	if (!job)
		return NULL;

	job->covered = prologue ? start + covered : &vivgpu_submit_none_covered;
	job->points = start + points;
	job->counters = start + counters;
	job->bos = start + bos;
	return job;
}

static int vivgpu_submit_alloc_buffers(struct vivgpu_submission *sub)
{
	struct vivgpu_job *job = sub->job;

	job->fence = vivgpu_fence_alloc(job->client->module_ref);
	sub->captured = vivgpu_capture_alloc(job->vdev);
	/* A captured stream outlives this call, so it must not be on the stack. */
	if (sub->words > ARRAY_SIZE(sub->inline_stream) || sub->captured)
		sub->stream = kvmalloc_array(sub->words, sizeof(u32), GFP_KERNEL);
	else
		sub->stream = sub->inline_stream;
	return job->fence && sub->stream ? 0 : -ENOMEM;
}

/**
 * vivgpu_submission_init - begin a submission: allocate the job
 * @sub: the submission, to be finished with vivgpu_submission_fini() in any case
 * @file: the caller
 * @queue: the queue to submit to
 * @size: numbers of elements of the call
 * @entered_ns: when the call was entered, CLOCK_MONOTONIC
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_submission_init(struct vivgpu_submission *sub, struct drm_file *file,
			   struct vivgpu_queue *queue, const struct vivgpu_submission_size *size,
			   u64 entered_ns)
{
	struct vivgpu_file *vfile = file->driver_priv;
	struct vivgpu_job *job;

	memset(sub, 0, sizeof(*sub));
	sub->file = file;
	sub->queue = queue;
	sub->words = size->words;
	job = vivgpu_submit_alloc_job(size, queue->prologue);
	if (!job)
		return -ENOMEM;

	sub->job = job;
	INIT_LIST_HEAD(&job->arbiter.link);
	job->times.submitted_ns = entered_ns;
	job->vdev = to_vivgpu(file->minor->dev);
	job->client = vfile->client;
	kref_get(&job->client->ref);
	job->vm = vfile->vm;
	job->queue = vivgpu_queue_get(queue);
	job->queue_id = queue->id;
	job->queue_number = queue->number;
	job->event_only = !size->words;
	job->arbiter.queue = &queue->arbiter;
	job->arbiter.empty = job->event_only;
	job->stream_size = size->words * sizeof(u32);
	return vivgpu_module_ref_create(&job->client->module_ref, &job->vdev->drm) ?:
	       vivgpu_submit_alloc_buffers(sub);
}

/**
 * vivgpu_submission_add_bo - add a buffer to the job
 * @sub: the submission
 * @handle: the caller's handle
 * @flags: DRM_VIVGPU_SUBMIT_BO_*
 * @fixed: address to map it at, or 0 for any
 * @va: receives its address
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_submission_add_bo(struct vivgpu_submission *sub, u32 handle, u32 flags, u64 fixed,
			     u64 *va)
{
	struct vivgpu_job *job = sub->job;
	struct vivgpu_job_bo *bo = &job->bos[job->nr_bos];
	int ret;

	if (flags & ~(DRM_VIVGPU_SUBMIT_BO_READ | DRM_VIVGPU_SUBMIT_BO_WRITE))
		return -EINVAL;

	bo->obj = drm_gem_object_lookup(sub->file, handle);
	if (!bo->obj)
		return -ENOENT;

	bo->flags = flags;
	job->nr_bos++;
	vivgpu_stretch(VIVGPU_STRETCH_SUBMIT_BO);
	ret = vivgpu_gem_map(sub->file, bo->obj, fixed, va);
	if (!ret)
		bo->va = *va;
	return ret;
}

/**
 * vivgpu_submission_add_counter - request a counter for the job
 * @sub: the submission, with its buffers looked up
 * @signal: the counter of the core
 * @bo: index of the buffer for the result
 * @counter: receives the counter; the caller maps the places of its results
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_submission_add_counter(struct vivgpu_submission *sub, const struct vivgpu_signal *signal,
				  u32 bo, struct vivgpu_counter **counter)
{
	struct vivgpu_job *job = sub->job;
	struct vivgpu_counter *new = &job->counters[job->nr_counters];

	if (!signal || bo >= job->nr_bos)
		return -EINVAL;

	/* Another driver's buffer may be I/O memory, which plain stores must not access. */
	if (job->bos[bo].obj->import_attach)
		return -EINVAL;

	new->signal = signal;
	new->obj = job->bos[bo].obj;
	job->nr_counters++;
	*counter = new;
	return 0;
}

/*
 * Copy the stream, which was validated: no command has a length of 0. At each timestamp point it
 * has a NOP, of two words, which is replaced by room for the commands of the point. Counts the
 * operations before each point. -EINVAL if points do not ascend, or if one is not at a NOP.
 */
static int vivgpu_submit_copy_stream(struct vivgpu_submission *sub, u32 *to)
{
	u32 from, length, copied = 0, point = 0;
	struct vivgpu_job *job = sub->job;

	to += job->prologue_words;
	for (from = 0; job->nr_points && from < sub->words; from += length) {
		length = vivgpu_validate_command(sub->stream[from]);
		job->operations += vivgpu_validate_is_operation(sub->stream[from]);
		if (point == job->nr_points || job->points[point].word != from)
			continue;
		if (FE_OPCODE(sub->stream[from]) != FE_OP_NOP)
			return -EINVAL;
		memcpy(to, sub->stream + copied, (from - copied) * sizeof(u32));
		to += from - copied;
		job->points[point].operations = job->operations;
		job->points[point++].word = to - job->words;
		to += VIVGPU_POINT_WORDS;
		copied = from + length;
	}
	memcpy(to, sub->stream + copied, (sub->words - copied) * sizeof(u32));
	return point == job->nr_points ? 0 : -EINVAL;
}

/* Copy prologue and stream to the memory that the GPU reads; -ENODEV after unbind. */
static int vivgpu_submit_copy_all(struct vivgpu_submission *sub)
{
	struct vivgpu_job *job = sub->job;
	struct vivgpu_cmd *cmd = &job->client->cmd;
	struct vivgpu_queue *queue = sub->queue;
	int ret, cookie;

	if (!drm_dev_enter(&job->vdev->drm, &cookie))
		return -ENODEV;

	vivgpu_stretch(VIVGPU_STRETCH_SUBMIT_COPY);
	job->words = vivgpu_cmd_words(cmd, sub->part);
	job->va = vivgpu_cmd_va(cmd, sub->part);
	/* Then job->covered is the job's own memory, see vivgpu_submit_alloc_job(). */
	if (job->prologue_words) {
		memcpy(job->words, queue->prologue->words, job->prologue_words * sizeof(u32));
		vivgpu_states_merge(&job->written, &queue->prologue->written);
		*job->covered = queue->prologue->covered;
	}
	ret = vivgpu_submit_copy_stream(sub, job->words);
	drm_dev_exit(cookie);
	return ret;
}

/* Number of the DRM scheduler's credits that a job takes, see VIVGPU_EVENT_CREDITS. */
static u32 vivgpu_submit_credits(const struct vivgpu_job *job)
{
	if (unlikely(READ_ONCE(job->vdev->deadlines.active)))
		return 1;

	return (1 + job->nr_points) * VIVGPU_EVENT_CREDITS;
}

/**
 * vivgpu_submission_prepare - check the stream and copy it for the GPU
 * @sub: the submission, with its stream and the offsets of its points
 *
 * Return: 0; -EPERM or -EINVAL for a bad stream, -E2BIG for a long one.
 */
int vivgpu_submission_prepare(struct vivgpu_submission *sub)
{
	struct vivgpu_cmd *cmd = &sub->job->client->cmd;
	struct vivgpu_queue *queue = sub->queue;
	struct vivgpu_job *job = sub->job;
	size_t where;
	int ret;

	ret = vivgpu_validate(sub->stream, sub->words, &where, &job->written);
	if (ret) {
		drm_dbg(&job->vdev->drm, "stream refused at word %zu: %08x\n", where,
			sub->stream[where]);
		return ret;
	}

	job->prologue_words = job->event_only || !queue->prologue ? 0 : queue->prologue->count;
	job->total_words = job->prologue_words + sub->words +
			   job->nr_points * (VIVGPU_POINT_WORDS - 2);
	if (job->total_words * sizeof(u32) > VIVGPU_MAX_CMD_BYTES)
		return -E2BIG;

	sub->part = vivgpu_cmd_alloc(cmd, (job->total_words + LINK_WORDS) * sizeof(u32));
	if (IS_ERR(sub->part)) {
		ret = PTR_ERR(sub->part);
		sub->part = NULL;
		return ret;
	}

	ret = vivgpu_submit_copy_all(sub);
	if (ret)
		return ret;

	/* vivgpu_inherit.c finds jobs by the owner. */
	ret = drm_sched_job_init(&job->base, &queue->entity, vivgpu_submit_credits(job),
				 job->fence, sub->file->client_id);
	job->sched_initialised = !ret;
	/* It must reach the arbiter even if jobs that are held back have taken all credits. */
	if (unlikely(vivgpu_arbiter_has_server(&queue->arbiter)))
		job->base.credits = 0;
	return ret;
}

/**
 * vivgpu_submit_set_deadline - set when a job is due, and how long it will take
 * @sub: the submission, not pushed
 * @args: of the call: deadline, predicted cost and bound, each 0 if there is none
 */
static void vivgpu_submit_set_deadline(struct vivgpu_submission *sub,
				       const struct drm_vivgpu_submit *args)
{
	struct vivgpu_job *job = sub->job;

	job->arbiter.cost_ns = args->cost_ns;
	job->arbiter.predicted_bound_ns = args->bound_ns;
	if (likely(!args->deadline_ns))
		return;

	job->arbiter.deadline_ns = args->deadline_ns;
	vivgpu_deadline_activate(job->vdev, job->times.submitted_ns);
}

/**
 * vivgpu_submission_fence_in - wait for a sync_file
 * @sub: the submission, prepared
 * @fd: file descriptor of the sync_file
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_submission_fence_in(struct vivgpu_submission *sub, int fd)
{
	struct dma_fence *fence = sync_file_get_fence(fd);

	if (!fence)
		return -EINVAL;

	return drm_sched_job_add_dependency(&sub->job->base, fence);
}

/*
 * Add a buffer's fences as dependencies. Most are those of earlier frames and have signalled:
 * checking for that costs less than adding them.
 */
static int vivgpu_submit_add_dependencies(struct vivgpu_job *job, struct drm_gem_object *obj,
					  bool write)
{
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	int ret;

	dma_resv_for_each_fence(&cursor, obj->resv, dma_resv_usage_rw(write), fence) {
		if (dma_fence_is_signaled(fence))
			continue;
		ret = drm_sched_job_add_dependency(&job->base, dma_fence_get(fence));
		if (ret)
			return ret;
	}

	return 0;
}

/*
 * Reserve slots for the job's fence in each buffer; add the buffers' fences as dependencies. If
 * buffers share a reservation, the fence may be added to it twice: as a writer and as a reader.
 */
static int vivgpu_submit_prepare_bos(struct vivgpu_job *job, bool implicit, u32 nr_resvs)
{
	const u32 slots = nr_resvs < job->nr_bos ? 2 : 1;
	u32 i;
	int ret;

	for (i = 0; i < job->nr_bos; i++) {
		struct drm_gem_object *obj = job->bos[i].obj;

		/* The reservation is held until the fence is added: it cannot be purged before. */
		if (to_vivgpu_bo(obj)->purged)
			return -EFAULT;
		ret = dma_resv_reserve_fences(obj->resv, slots);
		if (ret)
			return ret;
		if (!implicit)
			continue;
		ret = vivgpu_submit_add_dependencies(job, obj, job->bos[i].flags &
						     DRM_VIVGPU_SUBMIT_BO_WRITE);
		if (ret)
			return ret;
	}

	return 0;
}

/* Usage of the job's fence in a buffer: BOOKKEEP without implicit synchronisation. */
static enum dma_resv_usage vivgpu_submit_resv_usage(u32 flags, bool implicit)
{
	if (!implicit)
		return DMA_RESV_USAGE_BOOKKEEP;

	return flags & DRM_VIVGPU_SUBMIT_BO_WRITE ? DMA_RESV_USAGE_WRITE : DMA_RESV_USAGE_READ;
}

/*
 * Arm the job, publish its fence, unlock the buffers, and push the job. In this order, because a
 * job that was pushed may be freed at any time, with its references on the buffers. Cannot fail,
 * and must not allocate.
 */
static struct dma_fence *vivgpu_submit_arm_and_push(struct vivgpu_submission *sub, bool implicit,
						    struct drm_gem_object **bos, u32 nr_resvs,
						    struct ww_acquire_ctx *ctx)
{
	bool cookie = dma_fence_begin_signalling();
	struct vivgpu_job *job = sub->job;
	struct dma_fence *fence;
	u32 i;

	drm_sched_job_arm(&job->base);
	fence = dma_fence_get(&job->base.s_fence->finished);
	/* A job armed while the arbiter is not active is a barrier: see vivgpu_deadline.c. */
	if (unlikely(READ_ONCE(job->vdev->deadlines.active)))
		set_bit(DRM_SCHED_FENCE_DONT_PIPELINE, &fence->flags);
	else
		job->arbiter.barrier = true;
	vivgpu_inherit_begin(job);
	job->id = atomic_inc_return(&job->client->last_job);
	WRITE_ONCE(job->queue->last_job, job->id);
	sub->job_id = job->id;
	atomic_inc(&job->client->pending);
	atomic64_inc(&job->client->submitted);
	atomic64_inc(&job->vdev->submitted);
	trace_vivgpu_submit(job);
	vivgpu_capture_set_job(sub->captured, job);
	for (i = 0; i < job->nr_bos; i++) {
		dma_resv_add_fence(job->bos[i].obj->resv, fence,
				   vivgpu_submit_resv_usage(job->bos[i].flags, implicit));
		WRITE_ONCE(to_vivgpu_bo(job->bos[i].obj)->used, true);
	}
	drm_gem_unlock_reservations(bos, nr_resvs, ctx);
	/* Does not allocate: vivgpu_submit_alloc_fence_id() has reserved the entry. */
	if (job->fence_id)
		xa_store(&job->client->fences, job->fence_id, dma_fence_get(fence), 0);
	drm_suballoc_free(sub->part, fence);
	sub->part = NULL;
	sub->job = NULL;
	vivgpu_stretch(VIVGPU_STRETCH_SUBMIT_ARMED);
	drm_sched_entity_push_job(&job->base);
	vivgpu_stretch(VIVGPU_STRETCH_SUBMIT_PUSHED);
	dma_fence_end_signalling(cookie);
	return fence;
}

/* Pass the job's deadline to the jobs that it waits for, and prepare for one that is set later. */
static int vivgpu_submit_inherit(struct vivgpu_job *job)
{
	if (xa_empty(&job->base.dependencies))
		return 0;
	if (job->arbiter.deadline_ns || vivgpu_arbiter_has_server(job->arbiter.queue))
		vivgpu_inherit(job);
	return vivgpu_inherit_prepare(job);
}

/* Reserve a number by which the client can find the job's fence. */
static int vivgpu_submit_alloc_fence_id(struct vivgpu_job *job)
{
	struct vivgpu_client *client = job->client;
	int ret = xa_alloc_cyclic(&client->fences, &job->fence_id, NULL, XA_LIMIT(1, INT_MAX),
				  &client->next_fence, GFP_KERNEL);

	return ret < 0 ? ret : 0;
}

/**
 * vivgpu_submission_push - push the job to its queue
 * @sub: the submission, prepared
 * @implicit: wait for, and be waited for by, other users of the buffers
 * @fence_id: receives a number by which the client can find the fence, or NULL
 * @fence: receives the job's fence, referenced; on success only
 *
 * Return: 0 or a negative error number; then nothing happened.
 */
int vivgpu_submission_push(struct vivgpu_submission *sub, bool implicit, u32 *fence_id,
			   struct dma_fence **fence)
{
	struct vivgpu_job *job = sub->job;
	struct vivgpu_device *vdev = job->vdev;
	struct ww_acquire_ctx ctx;
	u32 nr_resvs = job->nr_bos;
	struct drm_gem_object **bos;
	int ret;

	if (fence_id) {
		ret = vivgpu_submit_alloc_fence_id(job);
		if (ret)
			return ret;
		*fence_id = job->fence_id;
	}

	ret = vivgpu_pm_get(job);
	if (ret)
		return ret;

	vivgpu_stretch(VIVGPU_STRETCH_SUBMIT_POWER);
	bos = kvmalloc_array(nr_resvs, sizeof(*bos), GFP_KERNEL);
	if (!bos)
		return -ENOMEM;
	for (u32 i = 0; i < job->nr_bos; i++)
		bos[i] = job->bos[i].obj;
	ret = vivgpu_gem_lock(bos, &nr_resvs, &ctx);
	if (ret)
		goto free_bos;

	vivgpu_stretch(VIVGPU_STRETCH_SUBMIT_RESERVED);
	ret = vivgpu_submit_prepare_bos(job, implicit, nr_resvs);
	if (unlikely(READ_ONCE(vdev->deadlines.active)) && !ret)
		ret = vivgpu_submit_inherit(job);
	mutex_lock(&sub->queue->submit);
	if (READ_ONCE(job->vdev->dead))
		ret = -ENODEV;
	else if (sub->queue->closed)
		ret = ret ?: -ENOENT;
	if (!ret)
		*fence = vivgpu_submit_arm_and_push(sub, implicit, bos, nr_resvs, &ctx);
	mutex_unlock(&sub->queue->submit);
	if (ret) {
		drm_gem_unlock_reservations(bos, nr_resvs, &ctx);
		goto free_bos;
	}

	vivgpu_capture_add(vdev, sub->captured, &sub->stream);
	sub->captured = NULL;
free_bos:
	kvfree(bos);
	return ret;
}

/**
 * vivgpu_submission_fini - end a submission: free the job unless it was pushed
 * @sub: the submission
 */
void vivgpu_submission_fini(struct vivgpu_submission *sub)
{
	if (sub->stream != sub->inline_stream)
		kvfree(sub->stream);
	kfree(sub->captured);
	if (sub->part)
		drm_suballoc_free(sub->part, NULL);
	if (!sub->job)
		return;

	if (sub->job->sched_initialised)
		drm_sched_job_cleanup(&sub->job->base);
	vivgpu_job_free(sub->job);
}

/*
 * DRM_IOCTL_VIVGPU_SUBMIT: checks and copies the caller's arrays, looks up handles, and goes
 * through the steps above. At the end of the file DRM_IOCTL_VIVGPU_JOB_WAIT.
 */

#define MAX_PIECES	1024
#define MAX_BOS		65536
#define MAX_SYNCS	1024
#define POINT_FLAGS	(DRM_VIVGPU_POINT_MARK | DRM_VIVGPU_POINT_NO_BO)
#define SUBMIT_FLAGS	(DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC | DRM_VIVGPU_SUBMIT_FENCE_FD_IN | \
			 DRM_VIVGPU_SUBMIT_FENCE_FD_OUT | DRM_VIVGPU_SUBMIT_LEFT_NS)

static struct vivgpu_queue *vivgpu_submit_find_queue(struct vivgpu_file *vfile, u32 id)
{
	struct vivgpu_queue *queue;

	xa_lock(&vfile->queues);
	queue = xa_load(&vfile->queues, id);
	if (queue)
		kref_get(&queue->ref);
	xa_unlock(&vfile->queues);
	return queue;
}

static int vivgpu_submit_copy_pieces(struct vivgpu_submission *sub,
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

/*
 * Look up the call's buffers. Copies 16 entries at a time: the cost of copy_from_user() is mostly
 * per call.
 */
static int vivgpu_submit_add_bos(struct vivgpu_submission *sub,
				 const struct drm_vivgpu_submit *args)
{
	const struct drm_vivgpu_submit_bo __user *bos = u64_to_user_ptr(args->bos);
	struct drm_vivgpu_submit_bo some[16];
	u32 i, part;
	u64 va;
	int ret;

	for (i = 0; i < args->nr_bos; i++) {
		part = i % ARRAY_SIZE(some);
		if (!part && copy_from_user(some, &bos[i], sizeof(*some) *
					    min_t(u32, args->nr_bos - i, ARRAY_SIZE(some))))
			return -EFAULT;
		ret = vivgpu_submission_add_bo(sub, some[part].handle, some[part].flags, 0, &va);
		if (ret)
			return ret;
	}

	return 0;
}

/* Map the buffer that a point's time and cycles are written to. */
static int vivgpu_submit_map_point(struct vivgpu_job *job, struct vivgpu_point *point,
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

static int vivgpu_submit_add_point(struct vivgpu_job *job, const struct drm_vivgpu_point *in)
{
	struct vivgpu_point *point = &job->points[job->nr_points];
	int ret;

	if (in->flags & ~POINT_FLAGS || in->pad || in->stream_offset % 8)
		return -EINVAL;

	point->word = in->stream_offset / sizeof(u32);
	point->flags = in->flags;
	point->cookie = in->cookie;
	if (!(in->flags & DRM_VIVGPU_POINT_NO_BO)) {
		ret = vivgpu_submit_map_point(job, point, in);
		if (ret)
			return ret;
	} else if (!(in->flags & DRM_VIVGPU_POINT_MARK) || in->bo_index || in->bo_offset) {
		return -EINVAL;
	}

	job->nr_points++;
	return 0;
}

static int vivgpu_submit_add_points(struct vivgpu_submission *sub,
				    const struct drm_vivgpu_submit *args)
{
	const struct drm_vivgpu_point __user *points = u64_to_user_ptr(args->points);
	struct drm_vivgpu_point point;
	u32 i;
	int ret;

	for (i = 0; i < args->nr_points; i++) {
		if (copy_from_user(&point, &points[i], sizeof(point)))
			return -EFAULT;
		ret = vivgpu_submit_add_point(sub->job, &point);
		if (ret)
			return ret;
	}

	return 0;
}

static int vivgpu_submit_add_counter(struct vivgpu_submission *sub,
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

static int vivgpu_submit_add_counters(struct vivgpu_submission *sub,
				      const struct drm_vivgpu_submit *args)
{
	const struct drm_vivgpu_counter __user *counters = u64_to_user_ptr(args->counters);
	struct drm_vivgpu_counter counter;
	u32 i;
	int ret;

	for (i = 0; i < args->nr_counters; i++) {
		if (copy_from_user(&counter, &counters[i], sizeof(counter)))
			return -EFAULT;
		ret = vivgpu_submit_add_counter(sub, &counter);
		if (ret)
			return ret;
	}

	return 0;
}

static int vivgpu_submit_add_in_syncs(struct vivgpu_submission *sub,
				      const struct drm_vivgpu_submit *args)
{
	const struct drm_vivgpu_sync __user *syncs = u64_to_user_ptr(args->in_syncs);
	struct drm_vivgpu_sync sync;
	struct dma_fence *fence;
	u32 i;
	int ret;

	for (i = 0; i < args->nr_in_syncs; i++) {
		if (copy_from_user(&sync, &syncs[i], sizeof(sync)))
			return -EFAULT;
		if (sync.pad)
			return -EINVAL;
		/* Not drm_sched_job_add_syncobj_dependency(): it takes the point as 32 bits. */
		ret = drm_syncobj_find_fence(sub->file, sync.handle, sync.point, 0, &fence);
		if (ret)
			return ret;
		ret = drm_sched_job_add_dependency(&sub->job->base, fence);
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

static void vivgpu_submit_put_out_syncs(struct out_syncs *outs, u32 count)
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

static int vivgpu_submit_get_out_sync(struct drm_file *file, struct out_sync *out,
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

static int vivgpu_submit_get_out_syncs(struct drm_file *file, const struct drm_vivgpu_submit *args,
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
		      vivgpu_submit_get_out_sync(file, &outs->all[i], &sync);
		if (ret) {
			vivgpu_submit_put_out_syncs(outs, args->nr_out_syncs);
			return ret;
		}
	}

	return 0;
}

static void vivgpu_submit_signal_out_syncs(struct out_sync *outs, u32 count,
					   struct dma_fence *fence)
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

static int vivgpu_submit_check(const struct drm_vivgpu_submit *args)
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
	struct vivgpu_submission_size size = {
		.nr_bos = args->nr_bos,
		.nr_points = args->nr_points,
		.nr_counters = args->nr_counters,
	};
	struct drm_vivgpu_piece few[2], *pieces = few;
	struct vivgpu_submission sub;
	struct vivgpu_fence_out out;
	struct vivgpu_queue *queue;
	struct dma_fence *fence;
	struct out_syncs outs;
	int ret;

	args->entered_ns = ktime_get_ns();
	ret = vivgpu_submit_check(args);
	if (ret)
		goto left;

	queue = vivgpu_submit_find_queue(file->driver_priv, args->queue);
	if (!queue) {
		ret = -ENOENT;
		goto left;
	}
	vivgpu_stretch(VIVGPU_STRETCH_SUBMIT_QUEUE);

	/* Most calls have one piece. */
	if (args->nr_pieces > ARRAY_SIZE(few)) {
		pieces = memdup_array_user(u64_to_user_ptr(args->pieces), args->nr_pieces,
					   sizeof(*pieces));
		if (IS_ERR(pieces)) {
			ret = PTR_ERR(pieces);
			goto put_queue;
		}
	} else if (copy_from_user(few, u64_to_user_ptr(args->pieces),
				  args->nr_pieces * sizeof(*few))) {
		ret = -EFAULT;
		goto put_queue;
	}
	ret = vivgpu_validate_pieces(pieces, args->nr_pieces, VIVGPU_MAX_CMD_BYTES);
	if (ret < 0)
		goto free_pieces;
	size.words = ret / sizeof(u32);

	/* Copy and check everything that the call passes. */
	ret = vivgpu_submission_init(&sub, file, queue, &size, args->entered_ns);
	if (ret)
		goto end_submission;
	sub.job->cookie = args->cookie;
	vivgpu_submit_set_deadline(&sub, args);
	ret = vivgpu_submit_copy_pieces(&sub, pieces, args->nr_pieces);
	if (ret)
		goto end_submission;
	ret = vivgpu_submit_add_bos(&sub, args);
	if (ret)
		goto end_submission;
	ret = vivgpu_submit_add_points(&sub, args);
	if (ret)
		goto end_submission;
	ret = vivgpu_submit_add_counters(&sub, args);
	if (ret)
		goto end_submission;
	ret = vivgpu_submission_prepare(&sub);
	if (ret)
		goto end_submission;
	ret = vivgpu_submit_add_in_syncs(&sub, args);
	if (ret)
		goto end_submission;
	ret = vivgpu_submit_get_out_syncs(file, args, &outs);
	if (ret)
		goto end_submission;
	ret = vivgpu_fence_out_init(&out, args->flags & DRM_VIVGPU_SUBMIT_FENCE_FD_OUT);
	if (ret)
		goto put_out_syncs;

	ret = vivgpu_submission_push(&sub, args->flags & DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC, NULL,
				     &fence);
	if (ret) {
		vivgpu_fence_out_fini(&out, NULL, NULL);
		goto put_out_syncs;
	}

	/* The job is in its queue: nothing below fails. */
	vivgpu_submit_signal_out_syncs(outs.all, args->nr_out_syncs, fence);
	args->job = sub.job_id;
	args->max_piece_ns = vivgpu_deadline_max_piece(&to_vivgpu(drm)->deadlines);
	vivgpu_fence_out_fini(&out, fence, &args->fence_fd);
	dma_fence_put(fence);
put_out_syncs:
	vivgpu_submit_put_out_syncs(&outs, args->nr_out_syncs);
end_submission:
	vivgpu_submission_fini(&sub);
free_pieces:
	if (pieces != few)
		kfree(pieces);
put_queue:
	vivgpu_queue_put(queue);
left:
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

	queue = vivgpu_submit_find_queue(file->driver_priv, args->queue);
	if (!queue)
		return -ENOENT;

	/* Without a limit neither the clock nor a timer is needed. */
	if (args->timeout_ns != S64_MAX)
		timeout = drm_timeout_abs_to_jiffies(args->timeout_ns);
	ret = vivgpu_queue_wait_job(queue, args->job, timeout);
	vivgpu_queue_put(queue);
	return ret;
}
