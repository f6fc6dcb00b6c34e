/* SPDX-License-Identifier: MIT */

#include "vivgpu_soft.h"

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
#include "vivgpu_soft_output.h"
#include "vivgpu_soft_texture.h"

/* Shaders that are remembered. */
#define VERTEX_SHADERS  8
#define PASSING_SHADERS 8

/* Lines and points of any width are the core's. */
#define NEVER_WIDE 1e6f

struct remembered {
   /** Of the application's shader; 0: nothing is here */
   uint32_t number;
   struct draw_vertex_shader *shader;
};

struct vivgpu_soft {
   struct pipe_screen *screen;
   struct draw_context *draw;
   struct vivgpu_soft_textures *textures;
   struct vivgpu_soft_output output;
   /** The oldest of each is forgotten for a new one */
   struct remembered vertex[VERTEX_SHADERS];
   struct vivgpu_soft_shader passing[PASSING_SHADERS];
   unsigned next_vertex, next_passing;
   struct draw_fragment_shader *fragment;
   uint32_t fragment_number;
   /** The application's, as the draw module has it */
   struct pipe_rasterizer_state base;
   /** What is bound while the core draws */
   struct vivgpu_rasterizer rasterizer;
   struct vivgpu_viewport window;
};

/** What the draw module reads */
struct mapped {
   struct pipe_transfer *vertices[VIVGPU_MAX_STREAMS];
   struct pipe_transfer *constants[VIVGPU_MAX_CONST_BUFFERS];
   struct pipe_transfer *indices;
};

/** What the application bound */
struct saved {
   struct vivgpu_shader_object *shader;
   struct vivgpu_vertex_elements *elements;
   struct vivgpu_rasterizer *rasterizer;
   struct vivgpu_viewport viewport;
   struct vivgpu_fragment_extras extras;
   struct pipe_vertex_buffer buffer;
   uint32_t buffer_mask;
};

static bool
init(struct vivgpu_soft *soft, struct vivgpu_context *context)
{
   struct vbuf_render *render;
   struct draw_stage *stage;

   /* Without LLVM, so that results do not depend on how Mesa was built. */
   soft->screen = context->base.screen;
   soft->output.base = &soft->base;
   soft->draw = draw_create_no_llvm(&context->base);
   soft->textures = vivgpu_soft_textures_create(context);
   if (!soft->draw || !soft->textures)
      return false;
   draw_texture_sampler(soft->draw, PIPE_SHADER_VERTEX,
                        vivgpu_soft_textures_sampler(soft->textures));
   render = vivgpu_soft_emit_create(context, &soft->output);
   if (!render)
      return false;
   /* The stage owns the render from here on; on failure draw_vbuf_stage() has destroyed it. */
   stage = draw_vbuf_stage(soft->draw, render);
   if (!stage)
      return false;
   draw_set_rasterize_stage(soft->draw, stage);
   draw_set_render(soft->draw, render);
   draw_wide_line_threshold(soft->draw, NEVER_WIDE);
   draw_wide_point_threshold(soft->draw, NEVER_WIDE);
   draw_wide_point_sprites(soft->draw, false);
   draw_enable_point_sprites(soft->draw, false);
   return true;
}

static struct vivgpu_soft *
get(struct vivgpu_context *context)
{
   if (context->soft)
      return context->soft;
   context->soft = CALLOC_STRUCT(vivgpu_soft);
   if (context->soft && !init(context->soft, context))
      vivgpu_soft_destroy(context);
   return context->soft;
}

void
vivgpu_soft_rasterizer(struct pipe_rasterizer_state *simple,
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
vivgpu_soft_viewport(struct vivgpu_viewport *window, const struct vivgpu_viewport *base)
{
   static const float half = VIVGPU_SOFT_WINDOW / 2;
   const struct pipe_viewport_state state = {
      .scale = {half, half, 0.5},
      .translate = {half, half, 0.5},
   };

   vivgpu_viewport_init(window, &state);
   window->box = base->box;
}

/* The draw module's form of a vertex shader. */
static struct draw_vertex_shader *
find_vertex_shader(struct vivgpu_soft *soft, const struct vivgpu_shader_object *object)
{
   struct pipe_shader_state state = {.type = PIPE_SHADER_IR_NIR};
   struct remembered *place;

   for (unsigned i = 0; i < VERTEX_SHADERS; i++) {
      if (soft->vertex[i].number == object->number)
         return soft->vertex[i].shader;
   }
   place = &soft->vertex[soft->next_vertex++ % VERTEX_SHADERS];
   if (place->shader)
      draw_delete_vertex_shader(soft->draw, place->shader);
   state.ir.nir = nir_shader_clone(NULL, object->nir);
   place->shader = draw_create_vertex_shader(soft->draw, &state);
   place->number = place->shader ? object->number : 0;
   return place->shader;
}

/*
 * The draw module only scans a fragment shader for its inputs; without LLVM it can scan TGSI but
 * not NIR, hence the translation.
 */
static struct draw_fragment_shader *
scan_fragment_shader(struct vivgpu_soft *soft, const struct vivgpu_shader_object *object)
{
   const struct tgsi_token *tokens = nir_to_tgsi(nir_shader_clone(NULL, object->nir), soft->screen);
   struct pipe_shader_state state = {.type = PIPE_SHADER_IR_TGSI, .tokens = tokens};
   struct draw_fragment_shader *shader = draw_create_fragment_shader(soft->draw, &state);

   ureg_free_tokens(tokens);
   return shader;
}

static bool
bind_fragment_shader(struct vivgpu_soft *soft, const struct vivgpu_shader_object *object)
{
   if (soft->fragment_number == object->number)
      return true;
   draw_bind_fragment_shader(soft->draw, NULL);
   if (soft->fragment)
      draw_delete_fragment_shader(soft->draw, soft->fragment);
   soft->fragment = scan_fragment_shader(soft, object);
   soft->fragment_number = soft->fragment ? object->number : 0;
   draw_bind_fragment_shader(soft->draw, soft->fragment);
   return soft->fragment;
}

static bool
tell_state(struct vivgpu_soft *soft, struct vivgpu_context *context)
{
   const struct pipe_surface *depth = context->framebuffer.zsbuf;
   struct draw_vertex_shader *vs = find_vertex_shader(soft, context->program.bound[VIVGPU_VS]);

   if (!vs || !bind_fragment_shader(soft, context->program.bound[VIVGPU_FS]))
      return false;
   soft->base = context->rasterizer->base;
   draw_set_rasterizer_state(soft->draw, &soft->base, context->rasterizer);
   draw_bind_vertex_shader(soft->draw, vs);
   draw_set_viewport_states(soft->draw, 0, 1, &context->viewport.base);
   draw_set_clip_state(soft->draw, &context->clip);
   draw_set_zs_format(soft->draw, depth ? depth->format : PIPE_FORMAT_NONE);
   draw_set_vertex_elements(soft->draw, context->elements->num_base, context->elements->base);
   draw_set_vertex_buffers(soft->draw, util_last_bit(context->vertex_buffer_mask),
                           context->vertex_buffers);
   draw_prepare_shader_outputs(soft->draw);
   return true;
}

static struct vivgpu_soft_shader *
find_passing(struct vivgpu_soft *soft, struct vivgpu_context *context,
             const struct vivgpu_soft_format *format)
{
   struct vivgpu_soft_shader *place;

   for (unsigned i = 0; i < PASSING_SHADERS; i++) {
      const struct vivgpu_soft_format *known = &soft->passing[i].format;

      if (soft->passing[i].shader && known->varyings == format->varyings &&
          known->face == format->face && known->point_size == format->point_size &&
          known->coverage == format->coverage)
         return &soft->passing[i];
   }
   place = &soft->passing[soft->next_passing++ % PASSING_SHADERS];
   vivgpu_soft_shader_fini(place, context);
   return vivgpu_soft_shader_init(place, context, format) ? place : NULL;
}

/* The shader for what the application's fragment shader reads; NULL if there is none. */
static struct vivgpu_soft_shader *
choose_passing(struct vivgpu_soft *soft, struct vivgpu_context *context, enum mesa_prim mode)
{
   const struct pipe_rasterizer_state *rasterizer = &context->rasterizer->base;
   const struct vivgpu_soft_format format = {
      .varyings =
         vivgpu_soft_varyings(context->program.bound[VIVGPU_FS]->nir->info.inputs_read),
      /* Lines and points of the application's have no face. */
      .face = u_reduced_prim(mode) == MESA_PRIM_TRIANGLES &&
              draw_find_shader_output(soft->draw, TGSI_SEMANTIC_FACE, 0) >= 0,
      .point_size = rasterizer->point_size_per_vertex &&
                    draw_find_shader_output(soft->draw, TGSI_SEMANTIC_PSIZE, 0) >= 0,
      .coverage = rasterizer->line_smooth || rasterizer->point_smooth,
   };
   struct vivgpu_soft_shader *passing = find_passing(soft, context, &format);

   if (passing)
      vivgpu_soft_link(&format, soft->draw, &soft->output);
   return passing;
}

static void
map_vertices(struct vivgpu_soft *soft, struct vivgpu_context *context, struct mapped *mapped)
{
   u_foreach_bit (i, context->vertex_buffer_mask) {
      struct pipe_resource *resource = context->vertex_buffers[i].buffer.resource;
      const void *map = NULL;

      if (resource)
         map = pipe_buffer_map(&context->base, resource, PIPE_MAP_READ, &mapped->vertices[i]);
      draw_set_mapped_vertex_buffer(soft->draw, i, map, map ? resource->width0 : 0);
   }
}

static void
map_constants(struct vivgpu_soft *soft, struct vivgpu_context *context, struct mapped *mapped)
{
   for (unsigned i = 0; i < VIVGPU_MAX_CONST_BUFFERS; i++) {
      const struct pipe_constant_buffer *buffer = &context->constants[VIVGPU_VS].buffers[i];
      const void *map = buffer->user_buffer;

      if (buffer->buffer)
         map = pipe_buffer_map_range(&context->base, buffer->buffer, buffer->buffer_offset,
                                     buffer->buffer_size, PIPE_MAP_READ, &mapped->constants[i]);
      draw_set_mapped_constant_buffer(soft->draw, PIPE_SHADER_VERTEX, i, map,
                                      map ? buffer->buffer_size : 0);
   }
}

static bool
map_indices(struct vivgpu_soft *soft, struct vivgpu_context *context,
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
   draw_set_indexes(soft->draw, map, info->index_size, bytes);
   return map;
}

static void
unmap(struct vivgpu_soft *soft, struct vivgpu_context *context, struct mapped *mapped)
{
   for (unsigned i = 0; i < VIVGPU_MAX_STREAMS; i++) {
      if (mapped->vertices[i])
         pipe_buffer_unmap(&context->base, mapped->vertices[i]);
      draw_set_mapped_vertex_buffer(soft->draw, i, NULL, 0);
   }
   for (unsigned i = 0; i < VIVGPU_MAX_CONST_BUFFERS; i++) {
      if (mapped->constants[i])
         pipe_buffer_unmap(&context->base, mapped->constants[i]);
   }
   if (mapped->indices)
      pipe_buffer_unmap(&context->base, mapped->indices);
   draw_set_indexes(soft->draw, NULL, 0, 0);
   draw_set_vertex_buffers(soft->draw, 0, NULL);
}

/* All that differs for the core while simple primitives are drawn. */
static void
set_dirty(struct vivgpu_context *context)
{
   context->dirty |= VIVGPU_DIRTY_SHADERS | VIVGPU_DIRTY_RASTERIZER | VIVGPU_DIRTY_VIEWPORT |
                     VIVGPU_DIRTY_ELEMENTS | VIVGPU_DIRTY_VERTEX_BUFFERS;
}

static void
bind_passing(struct vivgpu_soft *soft, struct vivgpu_context *context,
             const struct vivgpu_soft_shader *passing, struct saved *saved)
{
   struct pipe_rasterizer_state simple;

   *saved = (struct saved){
      .shader = context->program.bound[VIVGPU_VS],
      .elements = context->elements,
      .rasterizer = context->rasterizer,
      .viewport = context->viewport,
      .extras = context->extras,
      .buffer = context->vertex_buffers[0],
      .buffer_mask = context->vertex_buffer_mask,
   };
   vivgpu_soft_rasterizer(&simple, &context->rasterizer->base);
   vivgpu_rasterizer_init(&soft->rasterizer, &simple);
   vivgpu_soft_viewport(&soft->window, &context->viewport);
   context->program.bound[VIVGPU_VS] = passing->shader;
   context->elements = passing->elements;
   context->rasterizer = &soft->rasterizer;
   context->viewport = soft->window;
   memset(&context->vertex_buffers[0], 0, sizeof(context->vertex_buffers[0]));
   context->vertex_buffer_mask |= 1;
   set_dirty(context);
}

static void
bind_saved(struct vivgpu_context *context, const struct saved *saved)
{
   pipe_vertex_buffer_unreference(&context->vertex_buffers[0]);
   context->program.bound[VIVGPU_VS] = saved->shader;
   context->elements = saved->elements;
   context->rasterizer = saved->rasterizer;
   context->viewport = saved->viewport;
   context->vertex_buffers[0] = saved->buffer;
   context->vertex_buffer_mask = saved->buffer_mask;
   context->extras = saved->extras;
   set_dirty(context);
}

static void
draw_mapped(struct vivgpu_soft *soft, struct vivgpu_context *context,
            const struct vivgpu_soft_shader *passing, const struct pipe_draw_info *info,
            const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct saved saved;

   bind_passing(soft, context, passing, &saved);
   draw_vbo(soft->draw, info, 0, NULL, draws, num_draws, 0);
   draw_flush(soft->draw);
   bind_saved(context, &saved);
}

bool
vivgpu_soft_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                 const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct vivgpu_soft *soft = get(context);
   const struct vivgpu_soft_shader *passing;
   struct mapped mapped = {{NULL}};

   if (!soft || !tell_state(soft, context))
      return false;
   passing = choose_passing(soft, context, info->mode);
   if (!passing)
      return false;
   map_vertices(soft, context, &mapped);
   map_constants(soft, context, &mapped);
   if (vivgpu_soft_textures_map(soft->textures, context->program.bound[VIVGPU_VS]->nir) &&
       map_indices(soft, context, info, &mapped))
      draw_mapped(soft, context, passing, info, draws, num_draws);
   unmap(soft, context, &mapped);
   vivgpu_soft_textures_unmap(soft->textures);
   return true;
}

void
vivgpu_soft_destroy(struct vivgpu_context *context)
{
   struct vivgpu_soft *soft = context->soft;

   if (!soft)
      return;
   for (unsigned i = 0; i < PASSING_SHADERS; i++)
      vivgpu_soft_shader_fini(&soft->passing[i], context);
   for (unsigned i = 0; i < VERTEX_SHADERS; i++) {
      if (soft->vertex[i].shader)
         draw_delete_vertex_shader(soft->draw, soft->vertex[i].shader);
   }
   if (soft->fragment)
      draw_delete_fragment_shader(soft->draw, soft->fragment);
   if (soft->draw)
      draw_destroy(soft->draw);
   vivgpu_soft_textures_destroy(soft->textures);
   FREE(soft);
   context->soft = NULL;
}
