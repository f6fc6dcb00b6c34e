/* SPDX-License-Identifier: MIT */
/*
 * The parts of vivgpu_emit_state() that are in files of their own. For each,
 * vivgpu_job_reserve() was asked for VIVGPU_MAX_EMIT_WORDS words.
 */
#ifndef VIVGPU_EMIT_PRIVATE_H
#define VIVGPU_EMIT_PRIVATE_H

#include "pipe/p_state.h"

struct vivgpu_context;

/** Collect the bound render targets in order, without gaps. Returns their number. */
static inline unsigned
vivgpu_bound_targets(const struct pipe_framebuffer_state *fb, struct pipe_surface **surfaces)
{
   unsigned count = 0;

   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if (fb->cbufs[i])
         surfaces[count++] = fb->cbufs[i];
   }
   return count;
}

/** Emit a new framebuffer: its packed state and the addresses of its surfaces. */
void vivgpu_emit_surfaces(struct vivgpu_context *context);

/** Emit sample positions: all at the pixel's centre if the rasterizer's multisample is off. */
void vivgpu_emit_sample_positions(struct vivgpu_context *context);

/**
 * Emit the addresses of the targets' tile status. The tile status cache is flushed before they
 * change.
 */
void vivgpu_emit_tile_status(struct vivgpu_context *context);

/** Emit dirty samplers; those that are not active are switched off. */
void vivgpu_emit_samplers(struct vivgpu_context *context);

#endif
