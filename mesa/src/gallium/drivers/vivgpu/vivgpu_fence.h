/* SPDX-License-Identifier: MIT */
/* Fences: signaled by the kernel when a job ends. */
#ifndef VIVGPU_FENCE_H
#define VIVGPU_FENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_context.h"
#include "util/u_inlines.h"
#include "vivgpu_kernel.h"

struct vivgpu_screen;

struct pipe_fence_handle {
   struct pipe_reference reference;
   struct vivgpu_kernel_fence kernel;
   /** The fence is known to have signaled */
   bool signaled;
};

/** Create a fence for a job that is not submitted yet. Returns NULL if memory is short. */
struct pipe_fence_handle *vivgpu_fence_create(struct vivgpu_screen *screen);

void vivgpu_fence_context_init(struct pipe_context *context);

#endif
