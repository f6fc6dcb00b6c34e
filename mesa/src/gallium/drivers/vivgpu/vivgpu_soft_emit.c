/* SPDX-License-Identifier: MIT */
/* Primitives that the draw module made go to the core. */

#include "draw/draw_vbuf.h"
#include "util/u_draw.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"
#include "vivgpu_context.h"
#include "vivgpu_draw.h"
#include "vivgpu_soft_output.h"

/* Vertices and indices that are collected before they are drawn. */
#define BATCH_BYTES   (64 * 1024)
#define BATCH_INDICES (16 * 1024)

struct emit {
   struct vbuf_render base;
   struct vivgpu_context *context;
   const struct vivgpu_soft_output *output;
   enum mesa_prim mode;
   /** Of a vertex */
   unsigned size;
   unsigned num_vertices;
   char vertices[BATCH_BYTES];
};

static struct emit *
emit(struct vbuf_render *render)
{
   return (struct emit *)render;
}

static const struct vertex_info *
get_vertex_info(struct vbuf_render *render)
{
   return &emit(render)->output->info;
}

static bool
allocate_vertices(struct vbuf_render *render, uint16_t size, uint16_t count)
{
   emit(render)->size = size;
   return (unsigned)size * count <= BATCH_BYTES;
}

static void *
map_vertices(struct vbuf_render *render)
{
   return emit(render)->vertices;
}

static void
unmap_vertices(struct vbuf_render *render, uint16_t min, uint16_t max)
{
   emit(render)->num_vertices = max + 1;
}

static void
set_primitive(struct vbuf_render *render, enum mesa_prim mode)
{
   emit(render)->mode = mode;
}

/* They are bound in place of the application's first buffer: see vivgpu_soft.c. */
static bool
upload_vertices(struct emit *emit)
{
   struct vivgpu_context *context = emit->context;
   struct pipe_vertex_buffer *buffer = &context->vertex_buffers[0];

   u_upload_data(context->base.stream_uploader, 0, emit->num_vertices * emit->size, 4,
                 emit->vertices, &buffer->buffer_offset, &buffer->buffer.resource);
   context->dirty |= VIVGPU_DIRTY_VERTEX_BUFFERS;
   return buffer->buffer.resource;
}

/* Triangles have their face from the core; the draw module says nothing of it. */
static void
choose_face(struct emit *emit)
{
   bool input = emit->output->face && emit->mode != MESA_PRIM_TRIANGLES;

   if (emit->context->face_input == input)
      return;
   emit->context->face_input = input;
   emit->context->dirty |= VIVGPU_DIRTY_SHADERS;
}

static void
draw_uploaded(struct emit *emit, const struct pipe_draw_info *info, unsigned start, unsigned count)
{
   struct pipe_draw_start_count_bias range = {.start = start, .count = count};

   choose_face(emit);
   if (upload_vertices(emit))
      vivgpu_draw_direct(emit->context, info, &range, 1, false);
}

static void
draw_elements(struct vbuf_render *render, const uint16_t *indices, unsigned count)
{
   struct pipe_draw_info info;

   util_draw_init_info(&info);
   info.mode = emit(render)->mode;
   info.index_size = sizeof(*indices);
   info.has_user_indices = true;
   info.index.user = indices;
   draw_uploaded(emit(render), &info, 0, count);
}

static void
draw_arrays(struct vbuf_render *render, unsigned start, unsigned count)
{
   struct pipe_draw_info info;

   util_draw_init_info(&info);
   info.mode = emit(render)->mode;
   draw_uploaded(emit(render), &info, start, count);
}

static void
release_vertices(struct vbuf_render *render)
{
   emit(render)->num_vertices = 0;
}

static void
destroy(struct vbuf_render *render)
{
   FREE(emit(render));
}

struct vbuf_render *
vivgpu_soft_emit_create(struct vivgpu_context *context, const struct vivgpu_soft_output *output)
{
   struct emit *emit = CALLOC_STRUCT(emit);

   if (!emit)
      return NULL;
   emit->context = context;
   emit->output = output;
   emit->base = (struct vbuf_render){
      .max_indices = BATCH_INDICES,
      .max_vertex_buffer_bytes = BATCH_BYTES,
      .get_vertex_info = get_vertex_info,
      .allocate_vertices = allocate_vertices,
      .map_vertices = map_vertices,
      .unmap_vertices = unmap_vertices,
      .set_primitive = set_primitive,
      .draw_elements = draw_elements,
      .draw_arrays = draw_arrays,
      .release_vertices = release_vertices,
      .destroy = destroy,
   };
   return &emit->base;
}
