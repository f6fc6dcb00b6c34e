/* SPDX-License-Identifier: MIT */

#include "vivgpu_swtnl.h"

#include <math.h>
#include <string.h>

#include "compiler/nir/nir.h"
#include "draw/draw_context.h"
#include "draw/draw_vbuf.h"
#include "nir/nir_to_tgsi.h"
#include "tgsi/tgsi_ureg.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_prim.h"
#include "vivgpu_context.h"
#include "vivgpu_swtnl_private.h"
#include "vivgpu_swtnl_texture.h"

/* Sizes of the caches of shaders */
#define MAX_VERTEX_SHADERS      8
#define MAX_PASSTHROUGH_SHADERS 8

/* Lines and points of any width are drawn by the core */
#define NEVER_WIDE 1e6f

struct cached_vertex_shader {
   /** vivgpu_shader_object.number of the application's shader; 0: unused entry */
   uint32_t number;
   struct draw_vertex_shader *shader;
};

struct vivgpu_swtnl {
   struct pipe_screen *screen;
   struct draw_context *draw;
   struct vivgpu_swtnl_textures *textures;
   struct vivgpu_swtnl_output output;
   /** Caches; the oldest entry is replaced */
   struct cached_vertex_shader vertex[MAX_VERTEX_SHADERS];
   struct vivgpu_swtnl_shader passthrough[MAX_PASSTHROUGH_SHADERS];
   unsigned next_vertex, next_passthrough;
   struct draw_fragment_shader *fragment;
   uint32_t fragment_number;
   /** Copy of the application's state that is bound in the draw module */
   struct pipe_rasterizer_state base;
   /** State that is bound while the core draws */
   struct vivgpu_rasterizer rasterizer;
   struct vivgpu_viewport window;
};

/** Mapped buffers that the draw module reads */
struct mapped {
   struct pipe_transfer *vertices[VIVGPU_MAX_STREAMS];
   struct pipe_transfer *constants[VIVGPU_MAX_CONST_BUFFERS];
   struct pipe_transfer *indices;
};

/** State bound by the application */
struct saved {
   struct vivgpu_shader_object *shader;
   struct vivgpu_vertex_elements *elements;
   struct vivgpu_rasterizer *rasterizer;
   struct vivgpu_viewport viewport;
   struct vivgpu_fragment_extras extras;
   struct pipe_vertex_buffer buffer;
   uint32_t buffer_mask, misaligned;
};

static bool
vivgpu_swtnl_init_draw_module(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context)
{
   struct vbuf_render *render;
   struct draw_stage *stage;

   /* Without LLVM, so that results do not depend on how Mesa was built. */
   swtnl->screen = context->base.screen;
   swtnl->output.base = &swtnl->base;
   swtnl->draw = draw_create_no_llvm(&context->base);
   swtnl->textures = vivgpu_swtnl_textures_create(context);
   if (!swtnl->draw || !swtnl->textures)
      return false;
   draw_texture_sampler(swtnl->draw, PIPE_SHADER_VERTEX,
                        vivgpu_swtnl_textures_sampler(swtnl->textures));
   render = vivgpu_swtnl_backend_create(context, &swtnl->output);
   if (!render)
      return false;
   /* The stage owns the render from here on; on failure draw_vbuf_stage() has destroyed it. */
   stage = draw_vbuf_stage(swtnl->draw, render);
   if (!stage)
      return false;
   draw_set_rasterize_stage(swtnl->draw, stage);
   draw_set_render(swtnl->draw, render);
   draw_wide_line_threshold(swtnl->draw, NEVER_WIDE);
   draw_wide_point_threshold(swtnl->draw, NEVER_WIDE);
   draw_wide_point_sprites(swtnl->draw, false);
   draw_enable_point_sprites(swtnl->draw, false);
   return true;
}

static struct vivgpu_swtnl *
vivgpu_swtnl_get_swtnl(struct vivgpu_context *context)
{
   if (context->fallback.swtnl)
      return context->fallback.swtnl;
   context->fallback.swtnl = CALLOC_STRUCT(vivgpu_swtnl);
   if (context->fallback.swtnl && !vivgpu_swtnl_init_draw_module(context->fallback.swtnl, context))
      vivgpu_swtnl_destroy(context);
   return context->fallback.swtnl;
}

void
vivgpu_swtnl_rasterizer(struct pipe_rasterizer_state *simple,
                        const struct pipe_rasterizer_state *base)
{
   *simple = *base;
   simple->clip_plane_enable = 0;
   simple->cull_face = PIPE_FACE_NONE;
   simple->fill_front = simple->fill_back = PIPE_POLYGON_MODE_FILL;
   simple->offset_point = simple->offset_line = simple->offset_tri = 0;
   simple->line_stipple_enable = 0;
   simple->line_smooth = simple->point_smooth = 0;
}

void
vivgpu_swtnl_viewport(struct vivgpu_viewport *window, const struct vivgpu_viewport *base)
{
   static const float half = VIVGPU_SWTNL_WINDOW / 2;
   const struct pipe_viewport_state state = {
      .scale = {half, half, 0.5},
      .translate = {half, half, 0.5},
   };

   vivgpu_viewport_init(window, &state);
   window->box = base->box;
}

/* Return the draw module's object for a vertex shader. */
static struct draw_vertex_shader *
vivgpu_swtnl_find_vertex_shader(struct vivgpu_swtnl *swtnl,
                                const struct vivgpu_shader_object *object)
{
   struct pipe_shader_state state = {.type = PIPE_SHADER_IR_NIR};
   struct cached_vertex_shader *entry;

   for (unsigned i = 0; i < MAX_VERTEX_SHADERS; i++) {
      if (swtnl->vertex[i].number == object->number)
         return swtnl->vertex[i].shader;
   }
   entry = &swtnl->vertex[swtnl->next_vertex++ % MAX_VERTEX_SHADERS];
   if (entry->shader)
      draw_delete_vertex_shader(swtnl->draw, entry->shader);
   state.ir.nir = nir_shader_clone(NULL, object->nir);
   entry->shader = draw_create_vertex_shader(swtnl->draw, &state);
   entry->number = entry->shader ? object->number : 0;
   return entry->shader;
}

/*
 * The draw module only scans a fragment shader for its inputs; without LLVM it can scan TGSI but
 * not NIR, hence the translation.
 */
static struct draw_fragment_shader *
vivgpu_swtnl_scan_fragment_shader(struct vivgpu_swtnl *swtnl,
                                  const struct vivgpu_shader_object *object)
{
   const struct tgsi_token *tokens =
      nir_to_tgsi(nir_shader_clone(NULL, object->nir), swtnl->screen);
   struct pipe_shader_state state = {.type = PIPE_SHADER_IR_TGSI, .tokens = tokens};
   struct draw_fragment_shader *shader = draw_create_fragment_shader(swtnl->draw, &state);

   ureg_free_tokens(tokens);
   return shader;
}

static bool
vivgpu_swtnl_bind_fragment_shader(struct vivgpu_swtnl *swtnl,
                                  const struct vivgpu_shader_object *object)
{
   if (swtnl->fragment_number == object->number)
      return true;
   draw_bind_fragment_shader(swtnl->draw, NULL);
   if (swtnl->fragment)
      draw_delete_fragment_shader(swtnl->draw, swtnl->fragment);
   swtnl->fragment = vivgpu_swtnl_scan_fragment_shader(swtnl, object);
   swtnl->fragment_number = swtnl->fragment ? object->number : 0;
   draw_bind_fragment_shader(swtnl->draw, swtnl->fragment);
   return swtnl->fragment;
}

static bool
vivgpu_swtnl_set_draw_state(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context)
{
   const struct pipe_surface *depth = context->framebuffer.zsbuf;
   struct draw_vertex_shader *vs =
      vivgpu_swtnl_find_vertex_shader(swtnl, context->program.bound[VIVGPU_VS]);

   if (!vs || !vivgpu_swtnl_bind_fragment_shader(swtnl, context->program.bound[VIVGPU_FS]))
      return false;
   swtnl->base = context->rasterizer->base;
   draw_set_rasterizer_state(swtnl->draw, &swtnl->base, context->rasterizer);
   draw_bind_vertex_shader(swtnl->draw, vs);
   draw_set_viewport_states(swtnl->draw, 0, 1, &context->viewport.base);
   draw_set_clip_state(swtnl->draw, &context->clip);
   draw_set_zs_format(swtnl->draw, depth ? depth->format : PIPE_FORMAT_NONE);
   draw_set_vertex_elements(swtnl->draw, context->elements->num_base, context->elements->base);
   draw_set_vertex_buffers(swtnl->draw, util_last_bit(context->vertices.mask),
                           context->vertices.buffers);
   /* Last, as it depends on the rest; vivgpu_swtnl_choose_passthrough() looks the outputs up. */
   draw_prepare_shader_outputs(swtnl->draw);
   return true;
}

static struct vivgpu_swtnl_shader *
vivgpu_swtnl_find_passthrough(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context,
                              const struct vivgpu_swtnl_vertex_format *format)
{
   struct vivgpu_swtnl_shader *entry;

   for (unsigned i = 0; i < MAX_PASSTHROUGH_SHADERS; i++) {
      const struct vivgpu_swtnl_vertex_format *candidate = &swtnl->passthrough[i].format;

      if (swtnl->passthrough[i].shader && candidate->varyings == format->varyings &&
          candidate->face == format->face && candidate->point_size == format->point_size &&
          candidate->coverage == format->coverage)
         return &swtnl->passthrough[i];
   }
   entry = &swtnl->passthrough[swtnl->next_passthrough++ % MAX_PASSTHROUGH_SHADERS];
   vivgpu_swtnl_shader_fini(entry, context);
   return vivgpu_swtnl_shader_init(entry, context, format) ? entry : NULL;
}

/* Return the passthrough shader for the inputs of the bound fragment shader; NULL on failure. */
static struct vivgpu_swtnl_shader *
vivgpu_swtnl_choose_passthrough(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context,
                                enum mesa_prim mode)
{
   const struct pipe_rasterizer_state *rasterizer = &context->rasterizer->base;
   const struct vivgpu_swtnl_vertex_format format = {
      .varyings = vivgpu_swtnl_varyings(context->program.bound[VIVGPU_FS]->nir->info.inputs_read),
      /* Only triangles have a face; points and lines of the application do not. */
      .face = u_reduced_prim(mode) == MESA_PRIM_TRIANGLES &&
              draw_find_shader_output(swtnl->draw, TGSI_SEMANTIC_FACE, 0) >= 0,
      .point_size = rasterizer->point_size_per_vertex &&
                    draw_find_shader_output(swtnl->draw, TGSI_SEMANTIC_PSIZE, 0) >= 0,
      .coverage = rasterizer->line_smooth || rasterizer->point_smooth,
   };
   struct vivgpu_swtnl_shader *passthrough = vivgpu_swtnl_find_passthrough(swtnl, context, &format);

   if (passthrough)
      vivgpu_swtnl_link(&format, swtnl->draw, &swtnl->output);
   return passthrough;
}

static bool
vivgpu_swtnl_map_vertices(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context,
                          struct mapped *mapped)
{
   u_foreach_bit (i, context->vertices.mask) {
      struct pipe_resource *resource = context->vertices.buffers[i].buffer.resource;
      const void *map = NULL;

      if (resource)
         map = pipe_buffer_map(&context->base, resource, PIPE_MAP_READ, &mapped->vertices[i]);
      if (resource && !map)
         return false;
      draw_set_mapped_vertex_buffer(swtnl->draw, i, map, map ? resource->width0 : 0);
   }
   return true;
}

static bool
vivgpu_swtnl_map_constants(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context,
                           struct mapped *mapped)
{
   for (unsigned i = 0; i < VIVGPU_MAX_CONST_BUFFERS; i++) {
      const struct pipe_constant_buffer *buffer = &context->constants[VIVGPU_VS].buffers[i];
      const void *map = buffer->user_buffer;

      if (buffer->buffer)
         map = pipe_buffer_map_range(&context->base, buffer->buffer, buffer->buffer_offset,
                                     buffer->buffer_size, PIPE_MAP_READ, &mapped->constants[i]);
      if (buffer->buffer && !map)
         return false;
      draw_set_mapped_constant_buffer(swtnl->draw, PIPE_SHADER_VERTEX, i, map,
                                      map ? buffer->buffer_size : 0);
   }
   return true;
}

static bool
vivgpu_swtnl_map_indices(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context,
                         const struct pipe_draw_info *info, struct mapped *mapped)
{
   const void *map = info->index.user;
   unsigned bytes = ~0;

   if (!info->index_size)
      return true;
   if (!info->has_user_indices) {
      bytes = info->index.resource->width0;
      map = pipe_buffer_map(&context->base, info->index.resource, PIPE_MAP_READ, &mapped->indices);
   }
   draw_set_indexes(swtnl->draw, map, info->index_size, bytes);
   return map;
}

/* Map all that the draw module reads. Returns false if memory is short. */
static bool
vivgpu_swtnl_map(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context,
                 const struct pipe_draw_info *info, struct mapped *mapped)
{
   return vivgpu_swtnl_map_vertices(swtnl, context, mapped) &&
          vivgpu_swtnl_map_constants(swtnl, context, mapped) &&
          vivgpu_swtnl_textures_map(swtnl->textures, context->program.bound[VIVGPU_VS]->nir) &&
          vivgpu_swtnl_map_indices(swtnl, context, info, mapped);
}

static void
vivgpu_swtnl_unmap(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context,
                   struct mapped *mapped)
{
   for (unsigned i = 0; i < VIVGPU_MAX_STREAMS; i++) {
      if (mapped->vertices[i])
         pipe_buffer_unmap(&context->base, mapped->vertices[i]);
      draw_set_mapped_vertex_buffer(swtnl->draw, i, NULL, 0);
   }
   for (unsigned i = 0; i < VIVGPU_MAX_CONST_BUFFERS; i++) {
      if (mapped->constants[i])
         pipe_buffer_unmap(&context->base, mapped->constants[i]);
   }
   if (mapped->indices)
      pipe_buffer_unmap(&context->base, mapped->indices);
   draw_set_indexes(swtnl->draw, NULL, 0, 0);
   draw_set_vertex_buffers(swtnl->draw, 0, NULL);
   vivgpu_swtnl_textures_unmap(swtnl->textures);
}

/* Mark all state as dirty that differs while simple primitives are drawn. */
static void
vivgpu_swtnl_set_dirty(struct vivgpu_context *context)
{
   context->dirty |= VIVGPU_DIRTY_SHADERS | VIVGPU_DIRTY_RASTERIZER | VIVGPU_DIRTY_VIEWPORT |
                     VIVGPU_DIRTY_ELEMENTS | VIVGPU_DIRTY_VERTEX_BUFFERS;
}

static void
vivgpu_swtnl_bind_passthrough(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context,
                              const struct vivgpu_swtnl_shader *passthrough, struct saved *saved)
{
   struct pipe_rasterizer_state simple;

   *saved = (struct saved){
      .shader = context->program.bound[VIVGPU_VS],
      .elements = context->elements,
      .rasterizer = context->rasterizer,
      .viewport = context->viewport,
      .extras = context->per_draw.extras,
      .buffer = context->vertices.buffers[0],
      .buffer_mask = context->vertices.mask,
      .misaligned = context->vertices.misaligned,
   };
   vivgpu_swtnl_rasterizer(&simple, &context->rasterizer->base);
   vivgpu_rasterizer_init(&swtnl->rasterizer, &simple);
   vivgpu_swtnl_viewport(&swtnl->window, &context->viewport);
   context->program.bound[VIVGPU_VS] = passthrough->shader;
   context->elements = passthrough->elements;
   context->rasterizer = &swtnl->rasterizer;
   context->viewport = swtnl->window;
   memset(&context->vertices.buffers[0], 0, sizeof(context->vertices.buffers[0]));
   context->vertices.mask |= 1;
   context->vertices.misaligned = 0;
   vivgpu_swtnl_set_dirty(context);
}

static void
vivgpu_swtnl_restore_saved(struct vivgpu_context *context, const struct saved *saved)
{
   pipe_vertex_buffer_unreference(&context->vertices.buffers[0]);
   context->program.bound[VIVGPU_VS] = saved->shader;
   context->elements = saved->elements;
   context->rasterizer = saved->rasterizer;
   context->viewport = saved->viewport;
   context->vertices.buffers[0] = saved->buffer;
   context->vertices.mask = saved->buffer_mask;
   context->vertices.misaligned = saved->misaligned;
   context->per_draw.extras = saved->extras;
   vivgpu_swtnl_set_dirty(context);
}

static void
vivgpu_swtnl_draw_mapped(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context,
                         const struct vivgpu_swtnl_shader *passthrough,
                         const struct pipe_draw_info *info,
                         const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct saved saved;

   vivgpu_swtnl_bind_passthrough(swtnl, context, passthrough, &saved);
   draw_vbo(swtnl->draw, info, 0, NULL, draws, num_draws, 0);
   draw_flush(swtnl->draw);
   vivgpu_swtnl_restore_saved(context, &saved);
}

bool
vivgpu_swtnl_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                  const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct vivgpu_swtnl *swtnl = vivgpu_swtnl_get_swtnl(context);
   const struct vivgpu_swtnl_shader *passthrough;
   struct mapped mapped = {{NULL}};
   bool good;

   if (!swtnl || !vivgpu_swtnl_set_draw_state(swtnl, context))
      return false;
   passthrough = vivgpu_swtnl_choose_passthrough(swtnl, context, info->mode);
   if (!passthrough)
      return false;
   good = vivgpu_swtnl_map(swtnl, context, info, &mapped);
   if (good)
      vivgpu_swtnl_draw_mapped(swtnl, context, passthrough, info, draws, num_draws);
   vivgpu_swtnl_unmap(swtnl, context, &mapped);
   return good;
}

uint32_t
vivgpu_swtnl_box_pixels(const float box[4], const struct pipe_scissor_state *limits)
{
   float left = MAX2(floorf(box[0]), limits->minx), right = MIN2(ceilf(box[2]), limits->maxx);
   float top = MAX2(floorf(box[1]), limits->miny), bottom = MIN2(ceilf(box[3]), limits->maxy);

   return left < right && top < bottom ? (uint32_t)((right - left) * (bottom - top)) + 1 : 1;
}

/* Run the draw module with a back end that only looks at positions. */
static void
vivgpu_swtnl_find_box(struct vivgpu_swtnl *swtnl, struct vivgpu_context *context,
                      const struct pipe_draw_info *info,
                      const struct pipe_draw_start_count_bias *draws, unsigned num_draws,
                      float box[4])
{
   static const struct vivgpu_swtnl_vertex_format positions = {0};

   vivgpu_swtnl_link(&positions, swtnl->draw, &swtnl->output);
   swtnl->output.box = box;
   draw_vbo(swtnl->draw, info, 0, NULL, draws, num_draws, 0);
   draw_flush(swtnl->draw);
   swtnl->output.box = NULL;
}

uint32_t
vivgpu_swtnl_box(struct vivgpu_context *context, const struct pipe_draw_info *info,
                 const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   float box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
   struct vivgpu_swtnl *swtnl = vivgpu_swtnl_get_swtnl(context);
   struct pipe_scissor_state limits;
   struct mapped mapped = {{NULL}};
   bool good;

   if (!swtnl || !vivgpu_swtnl_set_draw_state(swtnl, context))
      return 0;
   limits = vivgpu_scissor_box(&context->viewport,
                               context->rasterizer->base.scissor ? &context->scissor : NULL,
                               fb->width, fb->height);
   good = vivgpu_swtnl_map(swtnl, context, info, &mapped);
   if (good)
      vivgpu_swtnl_find_box(swtnl, context, info, draws, num_draws, box);
   vivgpu_swtnl_unmap(swtnl, context, &mapped);
   return good ? vivgpu_swtnl_box_pixels(box, &limits) : 0;
}

void
vivgpu_swtnl_destroy(struct vivgpu_context *context)
{
   struct vivgpu_swtnl *swtnl = context->fallback.swtnl;

   if (!swtnl)
      return;
   for (unsigned i = 0; i < MAX_PASSTHROUGH_SHADERS; i++)
      vivgpu_swtnl_shader_fini(&swtnl->passthrough[i], context);
   for (unsigned i = 0; i < MAX_VERTEX_SHADERS; i++) {
      if (swtnl->vertex[i].shader)
         draw_delete_vertex_shader(swtnl->draw, swtnl->vertex[i].shader);
   }
   if (swtnl->fragment)
      draw_delete_fragment_shader(swtnl->draw, swtnl->fragment);
   if (swtnl->draw)
      draw_destroy(swtnl->draw);
   vivgpu_swtnl_textures_destroy(swtnl->textures);
   FREE(swtnl);
   context->fallback.swtnl = NULL;
}
