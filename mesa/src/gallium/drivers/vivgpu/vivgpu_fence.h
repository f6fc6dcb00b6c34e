/* SPDX-License-Identifier: MIT */
/*
 * Fences: the end of a job, which the kernel signals.
 */
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
   /** Known to have happened */
   bool signaled;
};

/** A fence that waits for a job to come. NULL if there is no memory. */
struct pipe_fence_handle *vivgpu_fence_create(struct vivgpu_screen *screen);

void vivgpu_fence_context_init(struct pipe_context *context);

#endif
