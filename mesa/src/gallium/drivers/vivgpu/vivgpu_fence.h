/* SPDX-License-Identifier: MIT */
/* Fences: signaled by the kernel when a job ends. */
#ifndef VIVGPU_FENCE_H
#define VIVGPU_FENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_context.h"
#include "util/u_inlines.h"
#include "util/u_queue.h"
#include "vivgpu_kernel.h"

struct vivgpu_screen;

/**
 * A fence may exist before its job is submitted: the flush was deferred, or is still in the queue
 * of the threaded context.
 */
struct pipe_fence_handle {
   struct pipe_reference reference;
   struct vivgpu_kernel_fence kernel;
   /** Signaled once the job is submitted, or @same is set: only then may the kernel be asked */
   struct util_queue_fence submitted;
   /** The fence of the job if that is another one, set before @submitted is signaled; or NULL */
   struct pipe_fence_handle *same;
   /** vivgpu_stream.number of the context that submits the job; 0: the fence was imported */
   uint32_t stream;
   /** That context was asked to submit the job, because of a wait for the fence */
   bool requested;
   /** The fence is known to have signaled */
   bool signaled;
};

/**
 * Create a fence for a job that is not submitted yet. @stream: vivgpu_stream.number of its context.
 * Returns NULL if memory is short.
 */
struct pipe_fence_handle *vivgpu_fence_create(struct vivgpu_screen *screen, uint32_t stream);

/** Make a fence that was created for a flush stand for @same, the fence of the job. */
void vivgpu_fence_replace(struct pipe_fence_handle *fence, struct pipe_fence_handle *same);

void vivgpu_fence_context_init(struct pipe_context *context);

#endif
