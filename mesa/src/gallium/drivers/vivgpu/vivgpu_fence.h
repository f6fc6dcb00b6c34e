/* SPDX-License-Identifier: MIT */
/*
 * Fences: one sync object of the kernel each.
 */
#ifndef VIVGPU_FENCE_H
#define VIVGPU_FENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_context.h"
#include "util/u_inlines.h"

struct vivgpu_screen;

struct pipe_fence_handle {
   struct pipe_reference reference;
   uint32_t syncobj;
   /** Known to have happened */
   bool over;
};

/** A fence that waits for a job to come, or for nothing if @over. NULL if there is no memory. */
struct pipe_fence_handle *vivgpu_fence_create(struct vivgpu_screen *screen, bool over);

void vivgpu_fence_context_init(struct pipe_context *context);

#endif
