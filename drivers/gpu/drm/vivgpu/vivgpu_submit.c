// SPDX-License-Identifier: GPL-2.0-only
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

#include <linux/dma-resv.h>
#include <linux/sync_file.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_print.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_compat.h"
#include "vivgpu_deadline.h"
#include "vivgpu_debugfs.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_fence.h"
#include "vivgpu_gem.h"
#include "vivgpu_gem_va.h"
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

	/* As for timestamp points. */
	if (job->bos[bo].obj->import_attach)
		return -EINVAL;

	new->signal = signal;
	new->obj = job->bos[bo].obj;
	job->nr_counters++;
	*counter = new;
	return 0;
}

static void vivgpu_submit_copy_prologue(struct vivgpu_job *job,
					const struct vivgpu_prologue *prologue)
{
	memcpy(job->words, prologue->words, prologue->count * sizeof(u32));
	vivgpu_states_merge(&job->written, &prologue->written);
	*job->covered = prologue->covered;
}

/*
 * Copy the stream, extended by the commands of its timestamp points: the parts between the points,
 * which have to be NOPs. Counts the operations between the points.
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
	if (job->prologue_words)
		vivgpu_submit_copy_prologue(job, queue->prologue);
	ret = vivgpu_submit_copy_stream(sub, job->words);
	drm_dev_exit(cookie);
	return ret;
}

static u32 vivgpu_submit_credits(const struct vivgpu_job *job)
{
	if (unlikely(READ_ONCE(job->vdev->deadlines.active)))
		return 1;

	return (1 + job->nr_points) * VIVGPU_EVENT_CREDITS;
}

/**
 * vivgpu_submission_prepare - check the stream and copy it for the GPU
 * @sub: the submission, its stream and its points' offsets in words are there
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
	job->armed = !ret;
	/* Jobs of others, which may be held back, must not keep it from the arbiter. */
	if (unlikely(vivgpu_arbiter_has_server(&queue->arbiter)))
		job->base.credits = 0;
	return ret;
}

/**
 * vivgpu_submission_set_deadline - when a job is due, and how long it will take
 * @sub: the submission, not pushed
 * @deadline_ns: CLOCK_MONOTONIC, 0 for none
 * @cost_ns: predicted length, 0 if it is not known
 */
void vivgpu_submission_set_deadline(struct vivgpu_submission *sub, u64 deadline_ns, u64 cost_ns)
{
	struct vivgpu_job *job = sub->job;

	job->arbiter.cost_ns = cost_ns;
	if (likely(!deadline_ns))
		return;

	job->arbiter.deadline_ns = deadline_ns;
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
 * Add a buffer's fences as dependencies. Most are those of earlier frames: they have signalled, and
 * adding them would cost more than looking.
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
 * Reserve slots for the job's fence in each buffer; add the buffers' fences as dependencies. In a
 * reservation that buffers share the fence can be that of a writer and of a reader.
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
 * Arm the job, publish its fence, unlock the buffers, which the job holds only until it was pushed,
 * and push it. Cannot fail, and must not allocate.
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

/* Hand the job's deadline on to the jobs that it waits for, now and if one is set later. */
static int vivgpu_submit_inherit(struct vivgpu_job *job)
{
	if (xa_empty(&job->base.dependencies))
		return 0;
	if (job->arbiter.deadline_ns || vivgpu_arbiter_has_server(job->arbiter.queue))
		vivgpu_inherit(job);
	return vivgpu_inherit_prepare(job);
}

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
 * @fence_id: number by which the fence can be found, or NULL
 * @fence: the job's fence, referenced; on success only
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
	if (ret) {
		kvfree(bos);
		return ret;
	}

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
	if (!ret) {
		vivgpu_capture_add(vdev, sub->captured, &sub->stream);
		sub->captured = NULL;
	} else {
		drm_gem_unlock_reservations(bos, nr_resvs, &ctx);
	}
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

	if (sub->job->armed)
		drm_sched_job_cleanup(&sub->job->base);
	vivgpu_job_free(sub->job);
}
