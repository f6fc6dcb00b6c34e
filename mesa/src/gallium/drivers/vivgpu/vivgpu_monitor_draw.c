/* SPDX-License-Identifier: MIT */
/* Parameters of draws; see vivgpu_monitor.h. */

#include <string.h>

#include "compiler/nir/nir.h"
#include "compiler/vivgpu_compiler.h"
#include "util/format/u_format.h"
#include "util/u_math.h"
#include "util/u_prim.h"
#include "util/xxhash.h"
#include "vivgpu_context.h"
#include "vivgpu_monitor.h"
#include "vivgpu_resource.h"

static uint16_t
limit16(unsigned value)
{
   return MIN2(value, UINT16_MAX);
}

static uint8_t
limit8(unsigned value)
{
   return MIN2(value, UINT8_MAX);
}

static void
describe_target(const struct vivgpu_context *context, struct vivgpu_group_target *target)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   const struct pipe_surface *first = fb->zsbuf;

   target->width = fb->width;
   target->height = fb->height;
   for (int i = (int)fb->nr_cbufs - 1; i >= 0; i--) {
      if (!fb->cbufs[i])
         continue;
      first = fb->cbufs[i];
      target->color_format = first->format;
      target->color_bytes += util_format_get_blocksize(first->format);
      target->num_colors++;
   }
   if (fb->zsbuf) {
      target->depth_format = fb->zsbuf->format;
      target->depth_bytes = util_format_get_blocksize(fb->zsbuf->format);
   }
   target->samples = MAX2(first ? first->texture->nr_samples : fb->samples, 1);
   /* A framebuffer without attachments has no resource; no buffer has this number. */
   target->id = first ? vivgpu_resource(first->texture)->bo->handle : UINT32_MAX;
}

static bool
has_status(const struct pipe_surface *surface)
{
   return surface && !surface->u.tex.level &&
          ((const struct vivgpu_surface *)surface)->render->status.valid;
}

static uint32_t
describe_state(const struct vivgpu_context *context)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   const struct vivgpu_zsa *zsa = context->zsa;
   const struct pipe_rasterizer_state *rasterizer = &context->rasterizer->base;
   const struct pipe_blend_state *blend = &context->blend->base;
   bool depth = fb->zsbuf;

   return (depth && zsa->tests_depth ? VIVGPU_DRAW_DEPTH_TEST : 0) |
          (depth && zsa->writes_depth ? VIVGPU_DRAW_DEPTH_WRITE : 0) |
          (depth && zsa->uses_stencil ? VIVGPU_DRAW_STENCIL : 0) |
          (blend->rt[0].blend_enable || blend->logicop_enable ? VIVGPU_DRAW_BLEND : 0) |
          (rasterizer->cull_face != PIPE_FACE_NONE ? VIVGPU_DRAW_CULL : 0) |
          (rasterizer->scissor ? VIVGPU_DRAW_SCISSOR : 0) |
          (fb->nr_cbufs && has_status(fb->cbufs[0]) ? VIVGPU_DRAW_COLOR_TS : 0) |
          (has_status(fb->zsbuf) ? VIVGPU_DRAW_DEPTH_TS : 0);
}

/* The pixels that draws can change: origin and size. */
static void
describe_area(const struct vivgpu_context *context, uint16_t area[4])
{
   const struct pipe_scissor_state box = vivgpu_scissor_box(
      &context->viewport, context->rasterizer->base.scissor ? &context->scissor : NULL,
      context->framebuffer.width, context->framebuffer.height);

   area[0] = box.minx;
   area[1] = box.miny;
   area[2] = box.maxx > box.minx ? box.maxx - box.minx : 0;
   area[3] = box.maxy > box.miny ? box.maxy - box.miny : 0;
}

/* Primitives that the core draws for @count vertices: triangles for quads and polygons. */
static uint32_t
num_primitives(enum mesa_prim mode, uint32_t count)
{
   switch (mode) {
   case MESA_PRIM_QUADS:
   case MESA_PRIM_QUAD_STRIP:
      return 2 * u_decomposed_prims_for_vertices(mode, count);
   case MESA_PRIM_POLYGON:
      return u_decomposed_prims_for_vertices(MESA_PRIM_TRIANGLE_FAN, count);
   default:
      return u_decomposed_prims_for_vertices(mode, count);
   }
}

/* True if this is a draw by which Mesa clears a part of the framebuffer. */
static bool
clears(const struct vivgpu_context *context)
{
   const struct vivgpu_shader_object *vs = context->program.bound[VIVGPU_VS];
   const struct shader_info *info = vs ? &vs->nir->info : NULL;

   return info && info->internal && info->name && !strcmp(info->name, "clear VS");
}

static void
describe_clear(const struct vivgpu_context *context, struct vivgpu_command *command)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   struct vivgpu_command_clear *clear = &command->clear;
   unsigned bytes = 0;

   command->type = VIVGPU_COMMAND_CLEAR;
   clear->kind = VIVGPU_CLEAR_DRAW;
   describe_area(context, clear->area);
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      unsigned mask = context->blend->base.rt[0].colormask;

      if (fb->cbufs[i] && mask) {
         clear->buffers |= PIPE_CLEAR_COLOR0 << i;
         bytes += util_format_get_blocksize(fb->cbufs[i]->format);
      }
   }
   if (fb->zsbuf && context->zsa->writes_depth)
      clear->buffers |= PIPE_CLEAR_DEPTH;
   if (fb->zsbuf && context->zsa->writes_stencil)
      clear->buffers |= PIPE_CLEAR_STENCIL;
   if (clear->buffers & PIPE_CLEAR_DEPTHSTENCIL)
      bytes += command->target.depth_bytes;
   clear->bytes = (uint32_t)clear->area[2] * clear->area[3] * bytes * command->target.samples;
}

static uint16_t
vertex_bytes(const struct vivgpu_vertex_elements *elements)
{
   uint16_t bytes = 0;

   for (unsigned i = 0; i < elements->num_base; i++)
      bytes += util_format_get_blocksize(elements->base[i].src_format);
   return bytes;
}

/* State on which the description of a draw depends, beside samplers */
#define DESCRIBED_STATE                                                                            \
   (VIVGPU_DIRTY_BLEND | VIVGPU_DIRTY_ZSA | VIVGPU_DIRTY_RASTERIZER | VIVGPU_DIRTY_VIEWPORT |      \
    VIVGPU_DIRTY_SCISSOR | VIVGPU_DIRTY_FRAMEBUFFER | VIVGPU_DIRTY_ELEMENTS |                      \
    VIVGPU_DIRTY_SHADERS | VIVGPU_DIRTY_PROGRAM | VIVGPU_DIRTY_SAMPLERS | VIVGPU_DIRTY_STATUS |    \
    VIVGPU_DIRTY_LINK)

/*
 * True if the last command that was opened is a draw, with words, in the state of this one: state
 * that differs from the last draw's words is dirty.
 */
static bool
has_same_state(const struct vivgpu_context *context, const struct pipe_draw_info *info)
{
   const struct vivgpu_monitor *monitor = context->monitor;
   const struct vivgpu_command *last = &monitor->builder.open;

   return monitor->open_is_described && last->type == VIVGPU_COMMAND_DRAW &&
          last->draw.mode == info->mode && !(context->dirty & DESCRIBED_STATE) &&
          !(context->dirty_samplers & context->active_samplers);
}

/* Describe the state of a draw. Returns false if it is Mesa's clear of a part. */
static bool
describe_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
              struct vivgpu_command *command)
{
   struct vivgpu_command_draw *draw = &command->draw;

   memset(command, 0, sizeof(*command));
   describe_target(context, &command->target);
   if (unlikely(clears(context))) {
      describe_clear(context, command);
      return false;
   }
   command->type = VIVGPU_COMMAND_DRAW;
   draw->mode = info->mode;
   draw->state = describe_state(context);
   draw->vertex_bytes = vertex_bytes(context->elements);
   describe_area(context, draw->area);
   return true;
}

void
vivgpu_monitor_open_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                         const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct vivgpu_group_builder *builder = &context->monitor->builder;
   bool same_state = has_same_state(context, info);
   struct vivgpu_command *command =
      vivgpu_group_begin(builder, context->stream.used * sizeof(uint32_t));
   struct vivgpu_command_draw *draw;

   /* Nothing of a draw within another command is listed. */
   if (!command)
      return;
   context->monitor->open_is_described = same_state;
   if (!same_state && !describe_draw(context, info, command))
      return;
   command->flags = 0;
   draw = &command->draw;
   draw->instances = info->instance_count;
   draw->index_bytes = info->index_size;
   draw->state &= ~VIVGPU_DRAW_INDEXED;
   draw->state |= info->index_size ? VIVGPU_DRAW_INDEXED : 0;
   draw->count = draw->primitives = 0;
   for (unsigned i = 0; i < num_draws; i++) {
      draw->count += draws[i].count;
      draw->primitives += num_primitives(info->mode, draws[i].count) * info->instance_count;
   }
}

void
vivgpu_monitor_set_swtnl(struct vivgpu_context *context, bool swtnl)
{
   struct vivgpu_command *open = vivgpu_group_opened(&context->monitor->builder);

   if (!open || open->type != VIVGPU_COMMAND_DRAW)
      return;
   open->draw.state &= ~VIVGPU_DRAW_SWTNL;
   open->draw.state |= swtnl ? VIVGPU_DRAW_SWTNL : 0;
}

/* Hash of a shader's code: the same in each run. It is computed once. */
static uint32_t
code_hash(struct vivgpu_variant *variant)
{
   uint32_t hash = p_atomic_read(&variant->code_hash);

   if (!hash) {
      hash = XXH32(variant->shader->code,
                   variant->shader->num_instructions * VIVGPU_INSTRUCTION_WORDS * sizeof(uint32_t),
                   0);
      hash += !hash;
      p_atomic_set(&variant->code_hash, hash);
   }
   return hash;
}

static void
describe_texture(struct vivgpu_group_texture *texture, const struct pipe_sampler_view *view,
                 const struct vivgpu_sampler *sampler)
{
   const struct pipe_resource *resource = view->texture;
   const struct pipe_sampler_state *state = &sampler->base;
   unsigned first = view->u.tex.first_level;
   bool mipmap = state->min_mip_filter != PIPE_TEX_MIPFILTER_NONE;

   texture->width = limit16(u_minify(resource->width0, first));
   texture->height = limit16(u_minify(resource->height0, first));
   texture->format = view->format;
   texture->layers = resource->target == PIPE_TEXTURE_3D ? u_minify(resource->depth0, first)
                                                         : MAX2(resource->array_size, 1);
   texture->levels = view->u.tex.last_level - first + 1;
   texture->anisotropy = MAX2(state->max_anisotropy, 1);
   texture->filter =
      (state->min_img_filter == PIPE_TEX_FILTER_LINEAR ? VIVGPU_FILTER_LINEAR : 0) |
      (mipmap ? VIVGPU_FILTER_MIPMAP : 0) |
      (state->min_mip_filter == PIPE_TEX_MIPFILTER_LINEAR ? VIVGPU_FILTER_TRILINEAR : 0);
}

static void
describe_textures(const struct vivgpu_context *context, struct vivgpu_command_draw *draw,
                  uint32_t samplers, unsigned first)
{
   u_foreach_bit (i, samplers) {
      const struct pipe_sampler_view *view = context->views[first + i];
      const struct vivgpu_sampler *sampler = context->samplers[first + i];

      if (!view || !sampler || view->target == PIPE_BUFFER)
         continue;
      draw->texture_bytes += vivgpu_resource(view->texture)->layout.size;
      if (draw->num_textures < VIVGPU_DRAW_TEXTURES)
         describe_texture(&draw->textures[draw->num_textures], view, sampler);
      draw->num_textures = limit8(draw->num_textures + 1);
   }
}

static void
describe_stage(struct vivgpu_command_draw *draw, unsigned stage, const struct vivgpu_shader *shader)
{
   draw->instructions[stage] = limit16(shader->num_instructions);
   draw->lookups[stage] = limit8(shader->stats.textures);
   draw->temporaries[stage] = limit8(shader->num_temps);
}

void
vivgpu_monitor_finish_draw(struct vivgpu_context *context)
{
   struct vivgpu_group_builder *builder = &context->monitor->builder;
   struct vivgpu_variant **variants = context->program.variants;
   struct vivgpu_command_draw *draw = &builder->open.draw;
   const struct vivgpu_shader *vs, *fs;

   if (builder->depth != 1 || builder->open.type != VIVGPU_COMMAND_DRAW || draw->program ||
       !variants[VIVGPU_VS] || !variants[VIVGPU_FS])
      return;
   vs = variants[VIVGPU_VS]->shader;
   fs = variants[VIVGPU_FS]->shader;
   draw->program = code_hash(variants[VIVGPU_VS]) * 31 + code_hash(variants[VIVGPU_FS]);
   draw->varyings = limit8(fs->num_inputs);
   describe_stage(draw, 0, vs);
   describe_stage(draw, 1, fs);
   if (fs->uses_kill || fs->writes_depth)
      draw->state |= VIVGPU_DRAW_LATE_DEPTH;
   describe_textures(context, draw, fs->samplers, 0);
   describe_textures(context, draw, vs->samplers, VIVGPU_VERTEX_SAMPLERS);
   context->monitor->open_is_described = !(draw->state & VIVGPU_DRAW_SWTNL);
}
