/* SPDX-License-Identifier: MIT */
/* Emits the addresses of render targets and of their tile status, and sample positions. */

#include "vivgpu_emit_private.h"

#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "vivgpu_bo.h"
#include "vivgpu_resource.h"

/* Address of a surface, or of the dummy buffer if unbound; pipe_offset() is added per pipe. */
static uint32_t
use_surface(struct vivgpu_context *context, struct pipe_surface *surface)
{
   if (!surface)
      return vivgpu_stream_use(&context->stream, context->dummy, 0, VIVGPU_READ | VIVGPU_WRITE);
   return vivgpu_stream_use(&context->stream, vivgpu_surface(surface)->render->bo,
                            vivgpu_surface(surface)->offset, VIVGPU_READ | VIVGPU_WRITE);
}

static uint32_t
pipe_offset(struct pipe_surface *surface, unsigned pipe)
{
   const struct vivgpu_layout *layout = surface ? &vivgpu_surface(surface)->render->layout : NULL;

   return layout && pipe ? layout->levels[surface->u.tex.level].pipe1_offset : 0;
}

void
vivgpu_emit_sample_positions(struct vivgpu_context *context)
{
   const struct vivgpu_framebuffer *fb = &context->packed_framebuffer;

   context->emitted_multisample = context->rasterizer->base.multisample;
   if (context->emitted_multisample)
      vivgpu_stream_append(&context->stream, fb->sample_positions.words,
                           fb->sample_positions.count);
   else
      vivgpu_stream_append(&context->stream, fb->center_positions.words,
                           fb->center_positions.count);
}

void
vivgpu_emit_surfaces(struct vivgpu_context *context)
{
   struct pipe_surface *surfaces[PIPE_MAX_COLOR_BUFS] = {NULL}, *depth = context->framebuffer.zsbuf;
   unsigned count = vivgpu_bound_targets(&context->framebuffer, surfaces);

   vivgpu_stream_append(&context->stream, context->packed_framebuffer.packed.words,
                        context->packed_framebuffer.packed.count);
   if (context->packed_framebuffer.multisample)
      vivgpu_emit_sample_positions(context);

   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   for (unsigned i = 0; i < MAX2(count, 1); i++) {
      uint32_t address = use_surface(context, surfaces[i]);

      for (unsigned pipe = 0; pipe < VIVGPU_PIXEL_PIPES; pipe++)
         vivgpu_pack(&pack, i ? VIVS_PE_RT_ADDR_8_PIPE(i - 1, pipe) : VIVS_PE_PIPE_COLOR_ADDR(pipe),
                     address + pipe_offset(surfaces[i], pipe));
   }
   if (depth) {
      uint32_t address = use_surface(context, depth);

      for (unsigned pipe = 0; pipe < VIVGPU_PIXEL_PIPES; pipe++)
         vivgpu_pack(&pack, VIVS_PE_PIPE_DEPTH_ADDR(pipe), address + pipe_offset(depth, pipe));
   }
   vivgpu_stream_end(&context->stream, &pack);
}

static const struct vivgpu_tile_status *
status_of(struct pipe_surface *surface)
{
   const struct vivgpu_tile_status *status =
      surface && surface->u.tex.level == 0 ? &vivgpu_surface(surface)->render->status : NULL;

   return status && status->valid ? status : NULL;
}

/*
 * True if the surface's tags stand for larger tiles, as with multisampling; the COMPRESSION bits
 * select that.
 */
static bool
small_msaa(const struct pipe_surface *surface)
{
   return surface->texture->nr_samples > 1;
}

static uint32_t
color_status(struct vivgpu_context *context, struct vivgpu_pack *pack, struct pipe_surface *surface)
{
   const struct vivgpu_tile_status *status = status_of(surface);

   if (!status)
      return 0;
   vivgpu_pack(pack, VIVS_TS_COLOR_STATUS_BASE,
               vivgpu_stream_use(&context->stream, status->bo, 0, VIVGPU_READ | VIVGPU_WRITE));
   vivgpu_pack(pack, VIVS_TS_COLOR_SURFACE_BASE,
               vivgpu_surface(surface)->render->bo->va + vivgpu_surface(surface)->offset);
   vivgpu_pack(pack, VIVS_TS_COLOR_CLEAR_VALUE, status->clear_value);
   vivgpu_pack(pack, VIVS_TS_COLOR_CLEAR_VALUE_EXT, status->clear_value >> 32);
   return VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR |
          (small_msaa(surface) ? VIVS_TS_MEM_CONFIG_COLOR_COMPRESSION : 0);
}

static uint32_t
depth_status(struct vivgpu_context *context, struct vivgpu_pack *pack, struct pipe_surface *surface)
{
   const struct vivgpu_tile_status *status = status_of(surface);

   if (!status)
      return 0;
   vivgpu_pack(pack, VIVS_TS_DEPTH_STATUS_BASE,
               vivgpu_stream_use(&context->stream, status->bo, 0, VIVGPU_READ | VIVGPU_WRITE));
   vivgpu_pack(pack, VIVS_TS_DEPTH_SURFACE_BASE,
               vivgpu_surface(surface)->render->bo->va + vivgpu_surface(surface)->offset);
   vivgpu_pack(pack, VIVS_TS_DEPTH_CLEAR_VALUE, status->clear_value);
   return VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR |
          (small_msaa(surface) ? VIVS_TS_MEM_CONFIG_DEPTH_COMPRESSION : 0);
}

void
vivgpu_emit_tile_status(struct vivgpu_context *context)
{
   struct pipe_surface *surfaces[PIPE_MAX_COLOR_BUFS] = {NULL};
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);
   uint32_t config = context->packed_framebuffer.ts_mem_config;

   vivgpu_bound_targets(&context->framebuffer, surfaces);
   vivgpu_pack(&pack, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
   config |= color_status(context, &pack, surfaces[0]);
   config |= depth_status(context, &pack, context->framebuffer.zsbuf);
   vivgpu_pack(&pack, VIVS_TS_MEM_CONFIG, config);
   vivgpu_stream_end(&context->stream, &pack);
}
