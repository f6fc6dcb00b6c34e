/* SPDX-License-Identifier: MIT */

#include "vivgpu_blit.h"

#include "util/box.h"
#include "util/format/u_format.h"
#include "util/u_blitter.h"
#include "util/u_inlines.h"
#include "util/u_surface.h"
#include "vivgpu_context.h"
#include "vivgpu_cpu_blit.h"
#include "vivgpu_monitor.h"
#include "vivgpu_resource.h"
#include "vivgpu_rs.h"
#include "vivgpu_shadow.h"
#include "vivgpu_vendor.h"

void
vivgpu_blit_save(struct vivgpu_context *context, bool conditional)
{
   struct blitter_context *blitter = context->blitter;

   if (context->vertices.list.state)
      vivgpu_vertex_state_unbind(context);
   util_blitter_save_vertex_buffers(blitter, context->vertices.buffers,
                                    util_last_bit(context->vertices.mask));
   util_blitter_save_vertex_elements(blitter, context->elements);
   util_blitter_save_vertex_shader(blitter, context->program.bound[VIVGPU_VS]);
   util_blitter_save_fragment_shader(blitter, context->program.bound[VIVGPU_FS]);
   util_blitter_save_fragment_constant_buffer_slot(blitter, context->constants[VIVGPU_FS].buffers);
   util_blitter_save_fragment_sampler_states(blitter, context->textures.num_fragment_samplers,
                                             (void **)context->textures.samplers);
   util_blitter_save_fragment_sampler_views(blitter, context->textures.num_fragment_views,
                                            context->textures.views);
   util_blitter_save_rasterizer(blitter, context->rasterizer);
   util_blitter_save_viewport(blitter, &context->viewport.base);
   util_blitter_save_scissor(blitter, &context->scissor);
   util_blitter_save_blend(blitter, context->blend);
   util_blitter_save_depth_stencil_alpha(blitter, context->zsa);
   util_blitter_save_stencil_ref(blitter, &context->stencil_ref);
   util_blitter_save_sample_mask(blitter, context->sample_mask, 0);
   util_blitter_save_framebuffer(blitter, &context->framebuffer);
   if (!conditional)
      util_blitter_save_render_condition(blitter, (struct pipe_query *)context->condition.query,
                                         context->condition.value, context->condition.mode);
}

/* True if the blit is a copy: same size and format, all channels. */
static bool
vivgpu_blit_is_copy(const struct pipe_blit_info *info)
{
   unsigned all = util_format_get_mask(info->dst.format);

   return info->src.format == info->dst.format && (info->mask & all) == all &&
          info->src.format == info->src.resource->format &&
          info->dst.format == info->dst.resource->format && !info->scissor_enable &&
          !info->swizzle_enable && !info->alpha_blend &&
          info->src.box.width == info->dst.box.width &&
          info->src.box.height == info->dst.box.height && info->src.box.width > 0 &&
          info->src.box.height > 0 && info->src.box.depth == info->dst.box.depth;
}

/*
 * Copy layer by layer with the resolve engine. Returns false if it cannot copy one of them: the
 * whole blit is then done in another way.
 */
static bool
vivgpu_blit_copy_windows(struct vivgpu_context *context, const struct pipe_blit_info *info)
{
   if (!vivgpu_blit_is_copy(info))
      return false;

   for (int z = 0; z < info->src.box.depth; z++) {
      const struct vivgpu_rs_origin to = {vivgpu_resource(info->dst.resource), info->dst.level,
                                          info->dst.box.x, info->dst.box.y, info->dst.box.z + z};
      const struct vivgpu_rs_origin from = {vivgpu_resource(info->src.resource), info->src.level,
                                            info->src.box.x, info->src.box.y, info->src.box.z + z};

      if (!vivgpu_shadow_copy_window(context, &to, &from, info->src.box.width,
                                     info->src.box.height))
         return false;
   }
   return true;
}

/* Average the samples of each pixel, for all layers. */
static bool
vivgpu_blit_resolve_samples(struct vivgpu_context *context, struct pipe_resource *to,
                            struct pipe_resource *from)
{
   for (unsigned z = 0; z < from->array_size; z++) {
      const struct vivgpu_rs_origin dest = {vivgpu_resource(to), 0, 0, 0, z};
      const struct vivgpu_rs_origin samples = {vivgpu_resource(from), 0, 0, 0, z};

      if (!vivgpu_shadow_copy_window(context, &dest, &samples, from->width0, from->height0))
         return false;
   }
   return true;
}

/* Copy the first sample of each pixel of a depth buffer. */
static bool
vivgpu_blit_copy_first_samples(struct vivgpu_context *context, struct pipe_resource *to,
                               struct pipe_resource *from)
{
   struct pipe_blit_info whole = {
      .src = {.resource = from, .format = from->format},
      .dst = {.resource = to, .format = to->format},
      .mask = PIPE_MASK_Z,
   };

   u_box_2d(0, 0, from->width0, from->height0, &whole.src.box);
   whole.src.box.depth = from->array_size;
   whole.dst.box = whole.src.box;
   return vivgpu_cpu_blit(context, &whole);
}

/*
 * Create a texture with one sample per pixel from a multisampled surface. Returns NULL if memory is
 * short or the copy fails.
 */
static struct pipe_resource *
vivgpu_blit_create_single_sampled(struct vivgpu_context *context, struct pipe_resource *from)
{
   const bool depth = util_format_is_depth_or_stencil(from->format);
   const struct pipe_resource single = {
      .target = from->target,
      .format = from->format,
      .width0 = from->width0,
      .height0 = from->height0,
      .depth0 = from->depth0,
      .array_size = from->array_size,
      .bind = PIPE_BIND_SAMPLER_VIEW | (depth ? PIPE_BIND_DEPTH_STENCIL : 0),
   };
   struct pipe_resource *to = context->base.screen->resource_create(context->base.screen, &single);

   if (to &&
       !(depth ? vivgpu_blit_copy_first_samples : vivgpu_blit_resolve_samples)(context, to, from))
      pipe_resource_reference(&to, NULL);
   return to;
}

/*
 * Blit by drawing. Shaders cannot read samples, so a multisampled source is first copied to a
 * texture with one sample per pixel.
 */
static void
vivgpu_blit_draw_blit(struct vivgpu_context *context, const struct pipe_blit_info *base)
{
   struct pipe_blit_info info = *base;
   struct pipe_resource *single = NULL;

   if (info.src.resource->nr_samples > 1) {
      single = vivgpu_blit_create_single_sampled(context, info.src.resource);
      if (!single)
         return;
      info.src.resource = single;
   }
   if (util_blitter_is_blit_supported(context->blitter, &info)) {
      if (unlikely(context->monitor))
         vivgpu_monitor_copy_by(context, VIVGPU_COPY_DRAW);
      vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_COPIES, 1);
      vivgpu_blit_save(context, info.render_condition_enable);
      util_blitter_blit(context->blitter, &info, NULL);
   }
   pipe_resource_reference(&single, NULL);
}

/* True for blits that copy samples, instead of averaging or repeating them. */
static bool
vivgpu_blit_copies_samples(const struct pipe_blit_info *info)
{
   return info->src.resource->nr_samples > 1 &&
          info->src.resource->nr_samples == info->dst.resource->nr_samples;
}

/*
 * True for blits that shaders of these cores cannot do: they neither read nor write stencil, and
 * cannot read single samples.
 */
static bool
vivgpu_blit_needs_cpu(const struct pipe_blit_info *info)
{
   return info->mask & PIPE_MASK_S || vivgpu_blit_copies_samples(info) ||
          (info->mask & PIPE_MASK_Z && info->src.resource->nr_samples > 1);
}

/* Blit by the first way that can do it. Returns true if that was vivgpu_cpu_blit(). */
static bool
vivgpu_blit_one(struct vivgpu_context *context, const struct pipe_blit_info *base)
{
   struct pipe_blit_info info = *base;

   if (vivgpu_blit_copy_windows(context, &info)) {
      vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_COPIES, 1);
      return false;
   }
   /* This calls resource_copy_region(), which is counted there. */
   if (!vivgpu_blit_copies_samples(&info) &&
       util_try_blit_via_copy_region(&context->base, &info, false))
      return false;

   if (vivgpu_blit_needs_cpu(&info) && vivgpu_cpu_blit(context, &info)) {
      vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_COPIES, 1);
      return true;
   }
   /* Only the CPU copies stencil. */
   info.mask &= ~PIPE_MASK_S;
   if (info.mask)
      vivgpu_blit_draw_blit(context, &info);
   return false;
}

static void
vivgpu_blit(struct pipe_context *pcontext, const struct pipe_blit_info *info)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   bool by_cpu;

   if (context->blackhole || (info->render_condition_enable && !vivgpu_context_condition(context)))
      return;
   if (unlikely(context->monitor))
      vivgpu_monitor_open_copy(context, info);
   by_cpu = vivgpu_blit_one(context, info);
   if (unlikely(context->monitor) && by_cpu)
      vivgpu_monitor_copy_by(context, VIVGPU_COPY_CPU);
   if (unlikely(context->monitor))
      vivgpu_monitor_close(context, by_cpu);
}

static bool
vivgpu_blit_copy_region_windows(struct vivgpu_context *context, struct pipe_resource *to,
                                unsigned to_level, unsigned x, unsigned y, unsigned z,
                                struct pipe_resource *from, unsigned from_level,
                                const struct pipe_box *box)
{
   if (to->nr_samples != from->nr_samples || box->depth != 1)
      return false;

   const struct vivgpu_rs_origin dest = {vivgpu_resource(to), to_level, x, y, z};
   const struct vivgpu_rs_origin source = {vivgpu_resource(from), from_level, box->x, box->y,
                                           box->z};

   return vivgpu_shadow_copy_window(context, &dest, &source, box->width, box->height);
}

/*
 * Returns how the region was copied: VIVGPU_COPY_*. In blackhole mode textures are not copied, and
 * VIVGPU_COPY_ENGINE is returned.
 */
static unsigned
vivgpu_blit_copy_region(struct vivgpu_context *context, struct pipe_resource *to, unsigned to_level,
                        unsigned x, unsigned y, unsigned z, struct pipe_resource *from,
                        unsigned from_level, const struct pipe_box *box)
{
   bool textures = to->target != PIPE_BUFFER && from->target != PIPE_BUFFER;

   if (textures &&
       (context->blackhole ||
        vivgpu_blit_copy_region_windows(context, to, to_level, x, y, z, from, from_level, box)))
      return VIVGPU_COPY_ENGINE;
   if (textures && util_blitter_is_copy_supported(context->blitter, to, from)) {
      vivgpu_blit_save(context, false);
      util_blitter_copy_texture(context->blitter, to, to_level, x, y, z, from, from_level, box);
      return VIVGPU_COPY_DRAW;
   }
   util_resource_copy_region(&context->base, to, to_level, x, y, z, from, from_level, box);
   return VIVGPU_COPY_CPU;
}

static void
vivgpu_resource_copy_region(struct pipe_context *pcontext, struct pipe_resource *to,
                            unsigned to_level, unsigned x, unsigned y, unsigned z,
                            struct pipe_resource *from, unsigned from_level,
                            const struct pipe_box *box)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   const struct pipe_blit_info info = {
      .src = {.resource = from, .level = from_level, .box = *box, .format = from->format},
      .dst = {.resource = to, .level = to_level, .box = *box, .format = to->format},
   };
   unsigned by;

   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_COPIES, 1);
   if (unlikely(context->monitor))
      vivgpu_monitor_open_copy(context, &info);
   by = vivgpu_blit_copy_region(context, to, to_level, x, y, z, from, from_level, box);
   if (unlikely(context->monitor)) {
      vivgpu_monitor_copy_by(context, by);
      vivgpu_monitor_close(context, by == VIVGPU_COPY_CPU);
   }
}

static void
vivgpu_flush_resource(struct pipe_context *context, struct pipe_resource *resource)
{
   if (vivgpu_vendor(vivgpu_context(context)))
      vivgpu_vendor_swap(vivgpu_context(context), vivgpu_resource(resource));
   vivgpu_shadow_update_base(vivgpu_context(context), vivgpu_resource(resource), ~0u);
   vivgpu_rs_resolve(vivgpu_context(context), vivgpu_resource(resource));
}

void
vivgpu_blit_init(struct pipe_context *context)
{
   context->blit = vivgpu_blit;
   context->resource_copy_region = vivgpu_resource_copy_region;
   context->flush_resource = vivgpu_flush_resource;
}
