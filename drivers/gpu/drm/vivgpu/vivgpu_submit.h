/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_SUBMIT_H_
#define _VIVGPU_SUBMIT_H_

#include <linux/types.h>

struct drm_device;
struct drm_file;
struct dma_fence;
struct sync_file;
struct drm_suballoc;
struct vivgpu_counter;
struct vivgpu_job;
struct vivgpu_queue;
struct vivgpu_signal;

/* Streams up to this number of words are copied to vivgpu_submission.inline_stream */
#define VIVGPU_INLINE_WORDS	16

/**
 * struct vivgpu_submission - data of a submit call
 * @file: the caller
 * @queue: the queue to submit to
 * @job: the job; NULL once it is pushed to the scheduler
 * @part: memory of the stream's copy
 * @stream: the caller's words, copied, before they are checked
 * @words: number of words
 * @job_id: the job's number, once it is pushed
 * @captured: entry for the captured stream, or NULL
 * @inline_stream: memory of @stream if it is short
 */
struct vivgpu_submission {
	struct drm_file *file;
	struct vivgpu_queue *queue;
	struct vivgpu_job *job;
	struct drm_suballoc *part;
	u32 *stream;
	u32 words;
	u32 job_id;
	struct vivgpu_captured_stream *captured;
	u32 inline_stream[VIVGPU_INLINE_WORDS];
};

/**
 * struct vivgpu_submission_size - numbers of elements of a submit call
 * @words: maximum of the words of the stream, even; 0 for an event
 * @nr_bos: number of buffers
 * @nr_points: number of timestamp points
 * @nr_counters: number of counters
 */
struct vivgpu_submission_size {
	u32 words;
	u32 nr_bos;
	u32 nr_points;
	u32 nr_counters;
};

int vivgpu_submission_init(struct vivgpu_submission *sub, struct drm_file *file,
			   struct vivgpu_queue *queue, const struct vivgpu_submission_size *size,
			   u64 entered_ns);
int vivgpu_submission_add_bo(struct vivgpu_submission *sub, u32 handle, u32 flags, u64 fixed,
			     u64 *va);
int vivgpu_submission_add_counter(struct vivgpu_submission *sub, const struct vivgpu_signal *signal,
				  u32 bo, struct vivgpu_counter **counter);
int vivgpu_submission_prepare(struct vivgpu_submission *sub);
int vivgpu_submission_fence_in(struct vivgpu_submission *sub, int fd);
int vivgpu_submission_push(struct vivgpu_submission *sub, bool implicit, u32 *fence_id,
			   struct dma_fence **fence);
void vivgpu_submission_fini(struct vivgpu_submission *sub);

int vivgpu_ioctl_submit(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_job_wait(struct drm_device *drm, void *data, struct drm_file *file);

#endif
