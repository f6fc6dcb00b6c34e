/* SPDX-License-Identifier: MIT */
/* State of draws that the command monitor describes, for the monitor's own files. */
#ifndef VIVGPU_MONITOR_STATE_H
#define VIVGPU_MONITOR_STATE_H

#include "vivgpu_context.h"

/* State from which the area of draws is computed */
#define VIVGPU_DESCRIBED_AREA                                                                      \
   (VIVGPU_DIRTY_VIEWPORT | VIVGPU_DIRTY_SCISSOR | VIVGPU_DIRTY_RASTERIZER |                       \
    VIVGPU_DIRTY_FRAMEBUFFER)

/* State after whose change the shaders have to be chosen and linked again */
#define VIVGPU_DESCRIBED_PROGRAM (VIVGPU_DIRTY_SHADERS | VIVGPU_DIRTY_PROGRAM | VIVGPU_DIRTY_LINK)

static inline bool
vivgpu_has_status(const struct pipe_surface *surface)
{
   return surface && *((const struct vivgpu_surface *)surface)->has_status;
}

/* VIVGPU_DRAW_* that follow from the bound state objects */
static inline uint32_t
vivgpu_describe_state(const struct vivgpu_context *context)
{
   return (context->framebuffer.zsbuf ? context->zsa->described : 0) | context->blend->described |
          context->rasterizer->described;
}

/* Tile status may change within a draw, so its bits are described for each. */
static inline uint32_t
vivgpu_describe_status(const struct vivgpu_context *context)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;

   return (fb->nr_cbufs && vivgpu_has_status(fb->cbufs[0]) ? VIVGPU_DRAW_COLOR_TS : 0) |
          (vivgpu_has_status(fb->zsbuf) ? VIVGPU_DRAW_DEPTH_TS : 0);
}

#endif
