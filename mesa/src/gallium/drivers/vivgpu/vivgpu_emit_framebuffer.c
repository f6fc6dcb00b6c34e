/* SPDX-License-Identifier: MIT */
/* Emits the addresses of render targets and of their tile status, and sample positions. */

#include "vivgpu_emit_private.h"

#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "vivgpu_bo.h"
#include "vivgpu_resource.h"

/*
 * Address of a surface, or of the dummy buffer if unbound; vivgpu_emit_pipe_offset() is added for
 * each pipe.
 */
static uint32_t
vivgpu_emit_use_surface(struct vivgpu_context *context, struct pipe_surface *surface)
{
   if (!surface)
      return vivgpu_stream_use(&context->stream, context->dummy, 0, VIVGPU_READ | VIVGPU_WRITE);
   return vivgpu_stream_use(&context->stream, vivgpu_surface(surface)->render->bo,
                            vivgpu_surface(surface)->offset, VIVGPU_READ | VIVGPU_WRITE);
}

static uint32_t
vivgpu_emit_pipe_offset(struct pipe_surface *surface, unsigned pipe)
{
   const struct vivgpu_layout *layout = surface ? &vivgpu_surface(surface)->render->layout : NULL;

   return layout && pipe ? layout->levels[surface->u.tex.level].pipe1_offset : 0;
}

void
vivgpu_emit_sample_positions(struct vivgpu_context *context)
{
   const struct vivgpu_framebuffer *fb = &context->packed_framebuffer;

   context->emitted.multisample = context->rasterizer->base.multisample;
   if (context->emitted.multisample)
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
      uint32_t address = vivgpu_emit_use_surface(context, surfaces[i]);

      for (unsigned pipe = 0; pipe < VIVGPU_PIXEL_PIPES; pipe++)
         vivgpu_pack(&pack, i ? VIVS_PE_RT_ADDR_8_PIPE(i - 1, pipe) : VIVS_PE_PIPE_COLOR_ADDR(pipe),
                     address + vivgpu_emit_pipe_offset(surfaces[i], pipe));
   }
   if (depth) {
      uint32_t address = vivgpu_emit_use_surface(context, depth);

      for (unsigned pipe = 0; pipe < VIVGPU_PIXEL_PIPES; pipe++)
         vivgpu_pack(&pack, VIVS_PE_PIPE_DEPTH_ADDR(pipe),
                     address + vivgpu_emit_pipe_offset(depth, pipe));
   }
   vivgpu_stream_end(&context->stream, &pack);
}

static const struct vivgpu_tile_status *
vivgpu_emit_status_of(struct pipe_surface *surface)
{
   const struct vivgpu_tile_status *status =
      surface && surface->u.tex.level == 0 ? &vivgpu_surface(surface)->render->status : NULL;

   return status && status->valid ? status : NULL;
}

/*
 * True for multisampled surfaces: their tags stand for larger tiles, which the COMPRESSION bits
 * select.
 */
static bool
vivgpu_emit_has_sample_tiles(const struct pipe_surface *surface)
{
   return surface->texture->nr_samples > 1;
}

/* Addresses of the states that describe the tile status of a target */
struct status_states {
   uint32_t tags, surface, clear_value;
   uint32_t clear_value_ext; /* bits 63:32 of the clear value, or 0: no such state */
};

/*
 * Emit the addresses and the clear value of a surface's tile status. Returns false if it has none.
 */
static bool
vivgpu_emit_pack_status(struct vivgpu_context *context, struct vivgpu_pack *pack,
                        struct pipe_surface *surface, const struct status_states *states)
{
   const struct vivgpu_tile_status *status = vivgpu_emit_status_of(surface);

   if (!status)
      return false;
   vivgpu_pack(pack, states->tags,
               vivgpu_stream_use(&context->stream, status->bo, 0, VIVGPU_READ | VIVGPU_WRITE));
   vivgpu_pack(pack, states->surface,
               vivgpu_surface(surface)->render->bo->va + vivgpu_surface(surface)->offset);
   vivgpu_pack(pack, states->clear_value, status->clear_value);
   if (states->clear_value_ext)
      vivgpu_pack(pack, states->clear_value_ext, status->clear_value >> 32);
   return true;
}

static uint32_t
vivgpu_emit_color_status(struct vivgpu_context *context, struct vivgpu_pack *pack,
                         struct pipe_surface *surface)
{
   static const struct status_states states = {
      .tags = VIVS_TS_COLOR_STATUS_BASE,
      .surface = VIVS_TS_COLOR_SURFACE_BASE,
      .clear_value = VIVS_TS_COLOR_CLEAR_VALUE,
      .clear_value_ext = VIVS_TS_COLOR_CLEAR_VALUE_EXT,
   };

   if (!vivgpu_emit_pack_status(context, pack, surface, &states))
      return 0;
   return VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR |
          (vivgpu_emit_has_sample_tiles(surface) ? VIVS_TS_MEM_CONFIG_COLOR_COMPRESSION : 0);
}

static uint32_t
vivgpu_emit_depth_status(struct vivgpu_context *context, struct vivgpu_pack *pack,
                         struct pipe_surface *surface)
{
   static const struct status_states states = {
      .tags = VIVS_TS_DEPTH_STATUS_BASE,
      .surface = VIVS_TS_DEPTH_SURFACE_BASE,
      .clear_value = VIVS_TS_DEPTH_CLEAR_VALUE,
   };

   if (!vivgpu_emit_pack_status(context, pack, surface, &states))
      return 0;
   return VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR |
          (vivgpu_emit_has_sample_tiles(surface) ? VIVS_TS_MEM_CONFIG_DEPTH_COMPRESSION : 0);
}

/*
 * Emit the tile status of a render target other than the first, which has the TS_COLOR states.
 * TS_RT states are counted from 0 like targets; those of number 0 are not used.
 */
static void
vivgpu_emit_pack_further_status(struct vivgpu_context *context, struct vivgpu_pack *pack,
                                unsigned target, struct pipe_surface *surface)
{
   const struct status_states states = {
      .tags = VIVS_TS_RT_STATUS_BASE(target),
      .surface = VIVS_TS_RT_SURFACE_BASE(target),
      .clear_value = VIVS_TS_RT_CLEAR_VALUE(target),
      .clear_value_ext = VIVS_TS_RT_CLEAR_VALUE2(target),
   };
   uint32_t config = 0;

   if (vivgpu_emit_pack_status(context, pack, surface, &states))
      config = VIVS_TS_RT_CONFIG_ENABLE |
               (vivgpu_emit_has_sample_tiles(surface) ? VIVS_TS_RT_CONFIG_COMPRESSION : 0);
   vivgpu_pack(pack, VIVS_TS_RT_CONFIG(target), config);
}

void
vivgpu_emit_tile_status(struct vivgpu_context *context)
{
   struct pipe_surface *surfaces[PIPE_MAX_COLOR_BUFS] = {NULL};
   unsigned count = vivgpu_bound_targets(&context->framebuffer, surfaces);
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);
   uint32_t config = context->packed_framebuffer.ts_mem_config;

   vivgpu_pack(&pack, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
   config |= vivgpu_emit_color_status(context, &pack, surfaces[0]);
   config |= vivgpu_emit_depth_status(context, &pack, context->framebuffer.zsbuf);
   vivgpu_pack(&pack, VIVS_TS_MEM_CONFIG, config);
   for (unsigned i = 1; i < count; i++)
      vivgpu_emit_pack_further_status(context, &pack, i, surfaces[i]);
   vivgpu_stream_end(&context->stream, &pack);
}
