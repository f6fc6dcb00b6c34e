/* SPDX-License-Identifier: MIT */
/*
 * Functions shared by the files that implement vivgpu_emit_state(). For each of them the caller has
 * reserved VIVGPU_MAX_EMIT_WORDS words by vivgpu_job_reserve().
 */
#ifndef VIVGPU_EMIT_PRIVATE_H
#define VIVGPU_EMIT_PRIVATE_H

#include "hw/common.xml.h"
#include "vivgpu_context.h"

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

/**
 * Let the front end wait until the pixel engine is idle, at most once a draw. Needed before changes
 * of registers that the core applies at once instead of passing them down its pipeline with the
 * draw. Inline, so that the compiler keeps @pack in registers.
 */
static inline void
vivgpu_emit_pe_stall(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   if (!context->pe_stalled)
      vivgpu_pack_stall(pack, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
   context->pe_stalled = true;
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
