/* SPDX-License-Identifier: MIT */
/* Back end of the draw module: draws its primitives on the core. */

#include "draw/draw_vbuf.h"
#include "util/u_draw.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_prim.h"
#include "util/u_upload_mgr.h"
#include "vivgpu_context.h"
#include "vivgpu_draw.h"
#include "vivgpu_swtnl_private.h"
#include "vivgpu_swtnl_smooth.h"

/* Limits of the vertices and indices that are collected before a draw */
#define BATCH_BYTES   (64 * 1024)
#define BATCH_INDICES (16 * 1024)

struct emit {
   struct vbuf_render base;
   struct vivgpu_context *context;
   const struct vivgpu_swtnl_output *output;
   enum mesa_prim mode;
   /** Bytes of a vertex */
   unsigned size;
   unsigned num_vertices;
   char vertices[BATCH_BYTES];
};

static struct emit *
vivgpu_swtnl_emit(struct vbuf_render *render)
{
   return (struct emit *)render;
}

static const struct vertex_info *
vivgpu_swtnl_get_vertex_info(struct vbuf_render *render)
{
   return &vivgpu_swtnl_emit(render)->output->info;
}

static bool
vivgpu_swtnl_allocate_vertices(struct vbuf_render *render, uint16_t size, uint16_t count)
{
   vivgpu_swtnl_emit(render)->size = size;
   return (unsigned)size * count <= BATCH_BYTES;
}

static void *
vivgpu_swtnl_backend_map_vertices(struct vbuf_render *render)
{
   return vivgpu_swtnl_emit(render)->vertices;
}

static void
vivgpu_swtnl_unmap_vertices(struct vbuf_render *render, uint16_t min, uint16_t max)
{
   vivgpu_swtnl_emit(render)->num_vertices = max + 1;
}

static void
vivgpu_swtnl_set_primitive(struct vbuf_render *render, enum mesa_prim mode)
{
   vivgpu_swtnl_emit(render)->mode = mode;
}

/* Upload the vertices and bind them as buffer 0; vivgpu_swtnl.c restores the application's. */
static bool
vivgpu_swtnl_upload_vertices(struct emit *emit)
{
   struct vivgpu_context *context = emit->context;
   struct pipe_vertex_buffer *buffer = &context->vertices.buffers[0];

   u_upload_data(context->base.stream_uploader, 0, emit->num_vertices * emit->size, 4,
                 emit->vertices, &buffer->buffer_offset, &buffer->buffer.resource);
   context->dirty |= VIVGPU_DIRTY_VERTEX_BUFFERS;
   return buffer->buffer.resource;
}

/* Return which coverage the fragment shader computes for the primitives; WHOLE is 0. */
static enum vivgpu_coverage
vivgpu_swtnl_coverage(const struct emit *emit)
{
   const struct pipe_rasterizer_state *base = emit->output->base;

   if (emit->mode == MESA_PRIM_LINES && base->line_smooth)
      return VIVGPU_COVERAGE_LINE;
   return emit->mode == MESA_PRIM_POINTS && base->point_smooth ? VIVGPU_COVERAGE_POINT
                                                               : VIVGPU_COVERAGE_WHOLE;
}

/*
 * Points and lines made of triangles read the face from a vertex attribute; triangles get it from
 * the core.
 */
static void
vivgpu_swtnl_choose_extras(struct emit *emit)
{
   struct vivgpu_fragment_extras *extras = &emit->context->per_draw.extras;
   bool face_input = emit->output->format.face && emit->mode != MESA_PRIM_TRIANGLES;
   enum vivgpu_coverage kind = vivgpu_swtnl_coverage(emit);

   if (extras->face_input == face_input && extras->coverage == kind)
      return;
   extras->face_input = face_input;
   extras->coverage = kind;
   emit->context->dirty |= VIVGPU_DIRTY_SHADERS;
}

static void
vivgpu_swtnl_draw_uploaded(struct emit *emit, const struct pipe_draw_info *info, unsigned start,
                           unsigned count)
{
   struct pipe_draw_start_count_bias range = {.start = start, .count = count};

   vivgpu_swtnl_choose_extras(emit);
   if (vivgpu_swtnl_upload_vertices(emit))
      vivgpu_draw_direct(emit->context, info, &range, 1, false);
}

/* Return vertex @i of @indices, or vertex number @i without indices. */
static const float *
vivgpu_swtnl_vertex_of(const struct emit *emit, const uint16_t *indices, unsigned i)
{
   return (const float *)(emit->vertices + (indices ? indices[i] : i) * emit->size);
}

/*
 * Return a smooth point's size: the attribute, which precedes the four floats of the coverage, or
 * the rasterizer's.
 */
static float
vivgpu_swtnl_size_of(const struct emit *emit, const float *vertex)
{
   return emit->output->format.point_size ? vertex[emit->size / sizeof(float) - 5]
                                          : emit->output->base->point_size;
}

/*
 * Convert smooth lines or points to triangles. They are wound as front faces, since points and
 * lines are front faces. Returns the number of vertices.
 */
static unsigned
vivgpu_swtnl_make_smooth(const struct emit *emit, const uint16_t *indices, unsigned count,
                         float *vertices)
{
   const unsigned floats = emit->size / sizeof(float), step = u_prim_vertex_count(emit->mode)->min;
   const int side = emit->output->base->front_ccw ? -1 : 1;
   unsigned made = 0;

   for (unsigned i = 0; i + step <= count; i += step) {
      const float *first = vivgpu_swtnl_vertex_of(emit, indices, i);
      float *to = vertices + made * floats;

      if (step == 1
             ? vivgpu_swtnl_smooth_point(to, first, floats, vivgpu_swtnl_size_of(emit, first), side)
             : vivgpu_swtnl_smooth_line(to, first, vivgpu_swtnl_vertex_of(emit, indices, i + 1),
                                        floats, emit->output->base->line_width, side))
         made += VIVGPU_SWTNL_SMOOTH_VERTICES;
   }
   return made;
}

static void
vivgpu_swtnl_draw_smooth(struct emit *emit, const uint16_t *indices, unsigned count)
{
   struct vivgpu_context *context = emit->context;
   struct pipe_vertex_buffer *buffer = &context->vertices.buffers[0];
   struct pipe_draw_start_count_bias range = {0};
   struct pipe_draw_info info;
   void *vertices = NULL;

   u_upload_alloc(context->base.stream_uploader, 0,
                  count * VIVGPU_SWTNL_SMOOTH_VERTICES * emit->size, 4, &buffer->buffer_offset,
                  &buffer->buffer.resource, &vertices);
   if (!vertices)
      return;
   range.count = vivgpu_swtnl_make_smooth(emit, indices, count, vertices);
   context->dirty |= VIVGPU_DIRTY_VERTEX_BUFFERS;
   vivgpu_swtnl_choose_extras(emit);
   util_draw_init_info(&info);
   info.mode = MESA_PRIM_TRIANGLES;
   vivgpu_draw_direct(context, &info, &range, 1, false);
}

/* Add the positions of vertices to the box that is looked for. */
static void
vivgpu_swtnl_grow_box(const struct emit *emit, const uint16_t *indices, unsigned start,
                      unsigned count)
{
   float *box = emit->output->box;

   for (unsigned i = start; i < start + count; i++) {
      const float *position = vivgpu_swtnl_vertex_of(emit, indices, i);

      for (unsigned axis = 0; axis < 2; axis++) {
         box[axis] = MIN2(box[axis], position[axis]);
         box[2 + axis] = MAX2(box[2 + axis], position[axis]);
      }
   }
}

static void
vivgpu_swtnl_draw_elements(struct vbuf_render *render, const uint16_t *indices, unsigned count)
{
   struct pipe_draw_info info;

   if (vivgpu_swtnl_emit(render)->output->box) {
      vivgpu_swtnl_grow_box(vivgpu_swtnl_emit(render), indices, 0, count);
      return;
   }
   if (vivgpu_swtnl_coverage(vivgpu_swtnl_emit(render))) {
      vivgpu_swtnl_draw_smooth(vivgpu_swtnl_emit(render), indices, count);
      return;
   }

   util_draw_init_info(&info);
   info.mode = vivgpu_swtnl_emit(render)->mode;
   info.index_size = sizeof(*indices);
   info.has_user_indices = true;
   info.index.user = indices;
   vivgpu_swtnl_draw_uploaded(vivgpu_swtnl_emit(render), &info, 0, count);
}

/*
 * vbuf_render has to have it, but the draw module calls it only without its pipeline, which is
 * always used here. So it knows nothing of smooth lines and points.
 */
static void
vivgpu_swtnl_draw_arrays(struct vbuf_render *render, unsigned start, unsigned count)
{
   struct pipe_draw_info info;

   if (vivgpu_swtnl_emit(render)->output->box) {
      vivgpu_swtnl_grow_box(vivgpu_swtnl_emit(render), NULL, start, count);
      return;
   }
   util_draw_init_info(&info);
   info.mode = vivgpu_swtnl_emit(render)->mode;
   vivgpu_swtnl_draw_uploaded(vivgpu_swtnl_emit(render), &info, start, count);
}

/* Always true: without its pipeline the draw module would emit strips and fans, too. */
static bool
vivgpu_swtnl_need_pipeline(const struct vbuf_render *render,
                           const struct pipe_rasterizer_state *rasterizer, unsigned mode)
{
   return true;
}

static void
vivgpu_swtnl_release_vertices(struct vbuf_render *render)
{
   vivgpu_swtnl_emit(render)->num_vertices = 0;
}

static void
vivgpu_swtnl_backend_destroy(struct vbuf_render *render)
{
   FREE(vivgpu_swtnl_emit(render));
}

struct vbuf_render *
vivgpu_swtnl_backend_create(struct vivgpu_context *context,
                            const struct vivgpu_swtnl_output *output)
{
   struct emit *emit = CALLOC_STRUCT(emit);

   if (!emit)
      return NULL;
   emit->context = context;
   emit->output = output;
   emit->base = (struct vbuf_render){
      .max_indices = BATCH_INDICES,
      .max_vertex_buffer_bytes = BATCH_BYTES,
      .need_pipeline = vivgpu_swtnl_need_pipeline,
      .get_vertex_info = vivgpu_swtnl_get_vertex_info,
      .allocate_vertices = vivgpu_swtnl_allocate_vertices,
      .map_vertices = vivgpu_swtnl_backend_map_vertices,
      .unmap_vertices = vivgpu_swtnl_unmap_vertices,
      .set_primitive = vivgpu_swtnl_set_primitive,
      .draw_elements = vivgpu_swtnl_draw_elements,
      .draw_arrays = vivgpu_swtnl_draw_arrays,
      .release_vertices = vivgpu_swtnl_release_vertices,
      .destroy = vivgpu_swtnl_backend_destroy,
   };
   return &emit->base;
}
