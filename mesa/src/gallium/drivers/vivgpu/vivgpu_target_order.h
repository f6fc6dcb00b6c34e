/* SPDX-License-Identifier: MIT */
/*
 * Render targets with different orders of channels in memory. The core has one channel mask and one
 * blend constant for all targets, in the order of its own formats; for the other order the fragment
 * shader exchanges red and blue, and so do mask and constant. If targets of both orders are bound,
 * and mask or constant tell red from blue, a draw is repeated: first for the targets of one order,
 * then for the others. The depth buffer is put back in between.
 */
#ifndef VIVGPU_TARGET_ORDER_H
#define VIVGPU_TARGET_ORDER_H

#include <stdbool.h>

#include "pipe/p_state.h"

struct vivgpu_context;

/** A draw that is repeated for both orders */
struct vivgpu_target_order {
   /** The application's framebuffer, bound again after the last pass */
   struct pipe_framebuffer_state framebuffer;
   /** The depth buffer before the first pass; NULL if the draw does not write to it */
   struct pipe_resource *depth;
   /** vivgpu_occlusion.paused before the first pass, restored after the last one */
   bool paused;
   /** Index of the next pass */
   unsigned next;
};

/** True if the next draw has to be repeated. */
bool vivgpu_target_order_matters(const struct vivgpu_context *context);

/** Begin a draw in passes. Returns false if memory is short. */
bool vivgpu_target_order_begin(struct vivgpu_context *context, struct vivgpu_target_order *order);

/**
 * Bind the targets of the next pass. Returns false after the last pass, with all targets bound
 * again.
 */
bool vivgpu_target_order_next_pass(struct vivgpu_context *context,
                                   struct vivgpu_target_order *order);

#endif
