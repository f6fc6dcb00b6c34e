/* SPDX-License-Identifier: MIT */

#include "vivgpu_primconvert.h"

#include "indices/u_indices.h"
#include "indices/u_primconvert.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "vivgpu_context.h"
#include "vivgpu_draw.h"
#include "vivgpu_index_cache.h"

/* Minimum of the quads that a shared index buffer is made for */
#define MIN_QUADS 256

/* The primitives that are the result of conversion */
#define LISTS (BITFIELD_BIT(MESA_PRIM_TRIANGLES) | BITFIELD_BIT(MESA_PRIM_LINES))

/* Indices that all draws of one kind of quads use; unlike vivgpu_resource.shared */
struct shared {
   struct pipe_resource *indices;
   unsigned num_quads;
};

struct vivgpu_primconvert {
   struct primconvert_context *mesa;
   struct vivgpu_index_cache index_cache;
   /** Index buffers for quads 0, 1, 2...: [quads or quad strips][first vertex is provoking] */
   struct shared shared[2][2];
};

static struct vivgpu_primconvert *
vivgpu_primconvert_get_primconvert(struct vivgpu_context *context)
{
   struct vivgpu_primconvert *convert = context->fallback.primconvert;

   if (convert)
      return convert;
   convert = CALLOC_STRUCT(vivgpu_primconvert);
   if (!convert)
      return NULL;
   convert->mesa = util_primconvert_create(&context->base, LISTS);
   if (convert->mesa)
      context->fallback.primconvert = convert;
   else
      FREE(convert);
   return context->fallback.primconvert;
}

unsigned
vivgpu_primconvert_quads(enum mesa_prim mode, unsigned count)
{
   return mode == MESA_PRIM_QUADS ? count / 4 : count < 4 ? 0 : count / 2 - 1;
}

unsigned
vivgpu_primconvert_vertices(enum mesa_prim mode, unsigned quads)
{
   return mode == MESA_PRIM_QUADS ? 4 * quads : 2 * quads + 2;
}

/* A polygon has the same vertices in the same order as a triangle fan. */
static void
vivgpu_primconvert_draw_fan(struct vivgpu_context *context, const struct pipe_draw_info *info,
                            const struct pipe_draw_start_count_bias *range)
{
   struct pipe_draw_info fan = *info;

   fan.mode = MESA_PRIM_TRIANGLE_FAN;
   vivgpu_draw_direct(context, &fan, range, 1, false);
}

/*
 * Generate the indices of @count quads, which have at most 0xfffe vertices: for these
 * u_index_generator() makes 16-bit indices. @pv: PV_FIRST or PV_LAST. Returns false if memory is
 * short.
 */
static bool
vivgpu_primconvert_generate_indices(struct vivgpu_context *context, struct shared *shared,
                                    enum mesa_prim mode, unsigned count, unsigned pv)
{
   unsigned index_size, num_indices;
   enum mesa_prim made;
   u_generate_func generate;
   void *words;

   u_index_generator(LISTS, mode, 0, vivgpu_primconvert_vertices(mode, count), pv, pv, &made,
                     &index_size, &num_indices, &generate);
   words = malloc(num_indices * index_size);
   if (!words)
      return false;
   generate(0, num_indices, words);
   pipe_resource_reference(&shared->indices, NULL);
   shared->indices =
      pipe_buffer_create_with_data(&context->base, PIPE_BIND_INDEX_BUFFER, PIPE_USAGE_IMMUTABLE,
                                   num_indices * index_size, words);
   shared->num_quads = shared->indices ? count : 0;
   free(words);
   return shared->indices;
}

/* Draw quads without indices, in parts that 16-bit indices can address. */
static void
vivgpu_primconvert_draw_shared(struct vivgpu_context *context, struct vivgpu_primconvert *convert,
                               const struct pipe_draw_info *info,
                               const struct pipe_draw_start_count_bias *range)
{
   const unsigned max_quads = vivgpu_primconvert_quads(info->mode, UINT16_MAX);
   const bool first = context->rasterizer->base.flatshade_first;
   struct shared *shared = &convert->shared[info->mode == MESA_PRIM_QUAD_STRIP][first];
   unsigned left = vivgpu_primconvert_quads(info->mode, range->count), start = range->start;
   struct pipe_draw_info indexed = *info;

   indexed.mode = MESA_PRIM_TRIANGLES;
   indexed.index_size = 2;
   indexed.has_user_indices = indexed.index_bounds_valid = indexed.primitive_restart = false;
   while (left) {
      unsigned count = MIN2(left, max_quads);
      unsigned room = CLAMP(util_next_power_of_two(count), MIN_QUADS, max_quads);
      struct pipe_draw_start_count_bias piece = {.count = 6 * count, .index_bias = (int)start};

      if (shared->num_quads < count &&
          !vivgpu_primconvert_generate_indices(context, shared, info->mode, room,
                                               first ? PV_FIRST : PV_LAST))
         return;
      indexed.index.resource = shared->indices;
      vivgpu_draw_direct(context, &indexed, &piece, 1, false);
      left -= count;
      start += (info->mode == MESA_PRIM_QUADS ? 4 : 2) * count;
   }
}

/* u_primconvert calls draw_vbo(), which must not count the draw a second time. */
static void
vivgpu_primconvert_draw_converted(struct vivgpu_context *context,
                                  struct vivgpu_primconvert *convert,
                                  const struct pipe_draw_info *info,
                                  const struct pipe_draw_start_count_bias *range)
{
   context->fallback.in_primconvert = true;
   util_primconvert_save_rasterizer_state(convert->mesa, &context->rasterizer->base);
   util_primconvert_draw_vbo(convert->mesa, info, 0, NULL, range, 1);
   context->fallback.in_primconvert = false;
}

void
vivgpu_primconvert_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                        const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   bool quads = info->mode == MESA_PRIM_QUADS || info->mode == MESA_PRIM_QUAD_STRIP;
   struct vivgpu_primconvert *convert = vivgpu_primconvert_get_primconvert(context);

   for (unsigned i = 0; i < num_draws && convert; i++) {
      if (info->mode == MESA_PRIM_POLYGON && !context->rasterizer->base.flatshade)
         vivgpu_primconvert_draw_fan(context, info, &draws[i]);
      else if (quads && !info->index_size)
         vivgpu_primconvert_draw_shared(context, convert, info, &draws[i]);
      else if (!vivgpu_index_cache_draw(context, &convert->index_cache, info, &draws[i]))
         vivgpu_primconvert_draw_converted(context, convert, info, &draws[i]);
   }
}

void
vivgpu_primconvert_destroy(struct vivgpu_context *context)
{
   struct vivgpu_primconvert *convert = context->fallback.primconvert;

   if (!convert)
      return;
   util_primconvert_destroy(convert->mesa);
   vivgpu_index_cache_fini(&convert->index_cache);
   for (unsigned i = 0; i < 4; i++)
      pipe_resource_reference(&convert->shared[i / 2][i % 2].indices, NULL);
   FREE(convert);
}
