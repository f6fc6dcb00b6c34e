/* SPDX-License-Identifier: MIT */
/* Clears of whole render targets. Parts of a target are cleared by drawing. */

#include "util/format/u_format.h"
#include "util/u_blitter.h"
#include "util/u_math.h"
#include "util/u_pack_color.h"
#include "util/u_surface.h"
#include "util/u_transfer.h"
#include "vivgpu_blit.h"
#include "vivgpu_emit.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_resource.h"
#include "vivgpu_rs.h"
#include "vivgpu_shadow.h"
#include "vivgpu_vendor.h"

/* @bits of vivgpu_rs_fill(): bytes of depth and of stencil, if both share a 32-bit word */
#define DEPTH_BYTES   0xeeee
#define STENCIL_BYTES 0x1111
#define ALL_BYTES     0xffff

/* Repeat a pixel to fill 64 bits. */
static uint64_t
vivgpu_clear_repeat(uint64_t value, unsigned bytes)
{
   switch (bytes) {
   case 1:
      value |= value << 8;
      FALLTHROUGH;
   case 2:
      value |= value << 16;
      FALLTHROUGH;
   case 4:
      return value | value << 32;
   default:
      return value;
   }
}

static uint64_t
vivgpu_clear_color_value(enum pipe_format format, const union pipe_color_union *color)
{
   unsigned bytes = util_format_get_blocksize(format);
   union util_color packed = {0};
   uint64_t value;

   util_pack_color_union(format, &packed, color);
   value = (uint64_t)packed.ui[1] << 32 | packed.ui[0];
   return vivgpu_clear_repeat(bytes < 8 ? value & BITFIELD64_MASK(8 * bytes) : value, bytes);
}

static uint64_t
vivgpu_clear_depth_value(enum pipe_format format, double depth, unsigned stencil)
{
   return vivgpu_clear_repeat(util_pack_z_stencil(format, depth, stencil),
                              util_format_get_blocksize(format));
}

/* Clear without tile status: write all pixels of a layer. */
static void
vivgpu_clear_fill(struct vivgpu_context *context, struct vivgpu_surface *surface, uint64_t value,
                  uint32_t bits)
{
   struct vivgpu_resource *resource = surface->render;
   const struct vivgpu_level *level = &resource->layout.levels[surface->base.u.tex.level];
   const struct vivgpu_rs_surface to = {
      .bo = resource->bo,
      .offset = surface->offset,
      .stride = level->stride,
      .tiling = resource->layout.tiling,
      .pipe1_offset = level->pipe1_offset,
   };

   /*
    * Rows of an imported buffer may end within a window of the resolve engine. That then writes the
    * begin of the next row as well, which gets the same value.
    */
   vivgpu_rs_fill(context, &to, util_format_get_blocksize(surface->base.format),
                  align(level->padded_width, VIVGPU_WINDOW_WIDTH), level->padded_height, value,
                  bits);
}

/*
 * True if the clear can be done by tags only: it has to cover all of level 0, of a texture that can have
 * tags: one with several layers gets none by vivgpu_resource_add_status(). Others who use the memory of an
 * imported one do not know of the tags. VIVGPU_DEBUG=vendor clears as the vendor's driver does.
 */
static bool
vivgpu_clear_clears_fast(const struct vivgpu_context *context, struct vivgpu_resource *resource,
                         const struct pipe_surface *surface, uint32_t bits)
{
   if (surface->u.tex.level || bits != ALL_BYTES || resource->imported ||
       (vivgpu_vendor(context) && vivgpu_vendor_clears_fully(context)))
      return false;
   vivgpu_resource_add_status(resource);
   return resource->status.bo;
}

static void
vivgpu_clear_surface(struct vivgpu_context *context, struct pipe_surface *psurface,
                     unsigned buffers, uint64_t value, uint32_t bits)
{
   struct vivgpu_surface *surface = vivgpu_surface(psurface);
   struct vivgpu_resource *resource = surface->render;
   bool first = psurface->u.tex.level == 0;
   bool fast = vivgpu_clear_clears_fast(context, resource, psurface, bits);

   /* Depth or stencil, or layers, that are not cleared have to be up to date. */
   if (bits != ALL_BYTES || psurface->texture->target != PIPE_TEXTURE_2D)
      vivgpu_shadow_update(context, vivgpu_resource(psurface->texture), resource,
                           1u << psurface->u.tex.level);
   if (first && bits != ALL_BYTES)
      vivgpu_rs_resolve(context, resource);
   if (!vivgpu_job_reserve(context, VIVGPU_MAX_RS_WORDS))
      return;
   if (unlikely(context->monitor))
      vivgpu_monitor_clear_surface(
         context, fast ? VIVGPU_CLEAR_FAST : VIVGPU_CLEAR_FULL, buffers, psurface,
         fast ? resource->status.size
              : resource->layout.levels[psurface->u.tex.level].layer_stride);

   if (fast) {
      vivgpu_rs_fast_clear(context, resource, value);
   } else {
      vivgpu_clear_fill(context, surface, value, bits);
      if (first)
         resource->status.valid = false;
   }
   context->dirty |= VIVGPU_DIRTY_STATUS;
   vivgpu_surface_mark_written(context, psurface);
}

static uint32_t
vivgpu_clear_depth_bits(enum pipe_format format, unsigned buffers)
{
   if (format != PIPE_FORMAT_S8_UINT_Z24_UNORM)
      return buffers & PIPE_CLEAR_DEPTH ? ALL_BYTES : 0;
   return (buffers & PIPE_CLEAR_DEPTH ? DEPTH_BYTES : 0) |
          (buffers & PIPE_CLEAR_STENCIL ? STENCIL_BYTES : 0);
}

/*
 * Clear depth and stencil. Tags clear both: if only depth is cleared, and all pixels have the same
 * stencil, they get that again.
 */
static void
vivgpu_clear_clear_depth_stencil(struct vivgpu_context *context, unsigned buffers, double depth,
                                 unsigned stencil)
{
   struct pipe_surface *surface = context->framebuffer.zsbuf;
   struct vivgpu_resource *resource = vivgpu_surface(surface)->render;
   uint32_t bits = vivgpu_clear_depth_bits(surface->format, buffers);

   if (!bits)
      return;
   if (bits == DEPTH_BYTES && resource->stencil != VIVGPU_STENCIL_UNKNOWN &&
       vivgpu_clear_clears_fast(context, resource, surface, ALL_BYTES)) {
      bits = ALL_BYTES;
      stencil = resource->stencil;
   }
   vivgpu_clear_surface(context, surface, buffers & PIPE_CLEAR_DEPTHSTENCIL,
                        vivgpu_clear_depth_value(surface->format, depth, stencil), bits);
   if (bits & STENCIL_BYTES && surface->u.tex.level == 0 &&
       surface->texture->target == PIPE_TEXTURE_2D)
      resource->stencil = stencil & 0xff;
}

static void
vivgpu_clear_surfaces(struct vivgpu_context *context, unsigned buffers,
                      const union pipe_color_union *color, double depth, unsigned stencil)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;

   vivgpu_emit_flush(context);
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if (fb->cbufs[i] && buffers & PIPE_CLEAR_COLOR0 << i)
         vivgpu_clear_surface(context, fb->cbufs[i], PIPE_CLEAR_COLOR0 << i,
                              vivgpu_clear_color_value(fb->cbufs[i]->format, color), ALL_BYTES);
   }
   if (fb->zsbuf && buffers & PIPE_CLEAR_DEPTHSTENCIL) {
      /* As in etnaviv: a GC600 hangs without. */
      if (buffers & PIPE_CLEAR_COLOR && vivgpu_job_reserve(context, VIVGPU_MAX_RS_WORDS))
         vivgpu_emit_flush(context);
      vivgpu_clear_clear_depth_stencil(context, buffers, depth, stencil);
   }

   /* Finish the clears before the next draw accesses these pixels. */
   if (vivgpu_job_reserve(context, VIVGPU_MAX_RS_WORDS)) {
      struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

      vivgpu_pack_stall(&pack, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
      vivgpu_stream_end(&context->stream, &pack);
   }
}

static void
vivgpu_clear(struct pipe_context *pcontext, unsigned buffers,
             const struct pipe_scissor_state *scissor, const union pipe_color_union *color,
             double depth, unsigned stencil)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_CLEARS, 1);
   if (!vivgpu_context_condition(context) || !vivgpu_job_reserve(context, VIVGPU_MAX_RS_WORDS))
      return;
   if (unlikely(context->monitor))
      vivgpu_monitor_open_clear(context);
   vivgpu_clear_surfaces(context, buffers, color, depth, stencil);
   if (unlikely(context->monitor))
      vivgpu_monitor_close_clear(context);
}

static void
vivgpu_clear_render_target(struct pipe_context *pcontext, struct pipe_surface *surface,
                           const union pipe_color_union *color, unsigned x, unsigned y,
                           unsigned width, unsigned height, bool conditional)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_CLEARS, 1);
   if (unlikely(context->monitor))
      vivgpu_monitor_open_clear_draw(context, PIPE_CLEAR_COLOR0, surface, x, y, width, height);
   vivgpu_blit_save(context, conditional);
   util_blitter_clear_render_target(context->blitter, surface, color, x, y, width, height);
   if (unlikely(context->monitor))
      vivgpu_monitor_close(context, false);
}

static void
vivgpu_clear_depth_stencil(struct pipe_context *pcontext, struct pipe_surface *surface,
                           unsigned flags, double depth, unsigned stencil, unsigned x, unsigned y,
                           unsigned width, unsigned height, bool conditional)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_CLEARS, 1);
   if (unlikely(context->monitor))
      vivgpu_monitor_open_clear_draw(context, flags, surface, x, y, width, height);
   vivgpu_blit_save(context, conditional);
   util_blitter_clear_depth_stencil(context->blitter, surface, flags, depth, stencil, x, y, width,
                                    height);
   if (unlikely(context->monitor))
      vivgpu_monitor_close(context, false);
}

void
vivgpu_clear_init(struct pipe_context *context)
{
   context->clear = vivgpu_clear;
   context->clear_render_target = vivgpu_clear_render_target;
   context->clear_depth_stencil = vivgpu_clear_depth_stencil;
   context->clear_buffer = u_default_clear_buffer;
   context->clear_texture = u_default_clear_texture;
}
