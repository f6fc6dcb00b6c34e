/* SPDX-License-Identifier: MIT */
/* Draws of primitives that the core has: their state, their indices and the command. */

#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_prim.h"
#include "vivgpu_context.h"
#include "vivgpu_draw.h"
#include "vivgpu_emit.h"
#include "vivgpu_events.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_resource.h"
#include "vivgpu_sample_counter.h"
#include "vivgpu_translate.h"

/* Words of index states and the draw itself. */
#define DRAW_WORDS 16

/* Quads and polygons are converted before: see vivgpu_draw_fallback.h. */
static const uint8_t primitives[] = {
   [MESA_PRIM_POINTS] = PRIMITIVE_TYPE_POINTS,
   [MESA_PRIM_LINES] = PRIMITIVE_TYPE_LINES,
   [MESA_PRIM_LINE_STRIP] = PRIMITIVE_TYPE_LINE_STRIP,
   [MESA_PRIM_LINE_LOOP] = PRIMITIVE_TYPE_LINE_LOOP,
   [MESA_PRIM_TRIANGLES] = PRIMITIVE_TYPE_TRIANGLES,
   [MESA_PRIM_TRIANGLE_STRIP] = PRIMITIVE_TYPE_TRIANGLE_STRIP,
   [MESA_PRIM_TRIANGLE_FAN] = PRIMITIVE_TYPE_TRIANGLE_FAN,
};

/* Strips and fans reuse vertices. etnaviv sets UNK0 always; what it does is not known. */
static uint32_t
vivgpu_draw_vertex_element_config(enum mesa_prim mode)
{
   bool reuses = mode == MESA_PRIM_LINE_LOOP || mode == MESA_PRIM_LINE_STRIP ||
                 mode == MESA_PRIM_TRIANGLE_STRIP || mode == MESA_PRIM_TRIANGLE_FAN;

   return VIVS_GL_VERTEX_ELEMENT_CONFIG_UNK0 | (reuses ? VIVS_GL_VERTEX_ELEMENT_CONFIG_REUSE : 0);
}

static uint32_t
vivgpu_draw_index_control(const struct pipe_draw_info *info)
{
   uint32_t type = info->index_size == 1   ? VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_CHAR
                   : info->index_size == 2 ? VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_SHORT
                                           : VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_INT;

   return type | (info->primitive_restart ? VIVS_FE_INDEX_STREAM_CONTROL_PRIMITIVE_RESTART : 0);
}

static void
vivgpu_draw_emit_indices(struct vivgpu_context *context, struct vivgpu_pack *pack,
                         const struct pipe_draw_info *info, struct pipe_resource *buffer,
                         unsigned offset)
{
   bool locked = vivgpu_lock_buffers(context->screen);
   uint32_t address =
      vivgpu_stream_use(&context->stream, vivgpu_resource(buffer)->bo, offset, VIVGPU_READ);

   vivgpu_unlock_buffers(context->screen, locked);
   vivgpu_emitted_pack(&context->emitted.values, pack, VIVGPU_EMITTED_INDEX_ADDRESS, address);
   vivgpu_emitted_pack(&context->emitted.values, pack, VIVGPU_EMITTED_INDEX_CONTROL,
                       vivgpu_draw_index_control(info));
   if (info->primitive_restart)
      vivgpu_emitted_pack(&context->emitted.values, pack, VIVGPU_EMITTED_RESTART_INDEX,
                          info->restart_index);
}

/* Draw command of cores before HALTI2: counts primitives, and has no instances. */
static void
vivgpu_draw_emit_plain_draw(struct vivgpu_pack *pack, const struct pipe_draw_info *info,
                            const struct pipe_draw_start_count_bias *draw)
{
   uint32_t count = u_prims_for_vertices(info->mode, draw->count);

   vivgpu_pack_end(pack);
   pack->words[pack->used++] = info->index_size
                                  ? VIV_FE_DRAW_INDEXED_PRIMITIVES_HEADER_OP_DRAW_INDEXED_PRIMITIVES
                                  : VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES;
   pack->words[pack->used++] = primitives[info->mode];
   pack->words[pack->used++] = info->index_size ? 0 : draw->start;
   pack->words[pack->used++] = count;
   if (info->index_size) {
      pack->words[pack->used++] = (uint32_t)draw->index_bias;
      pack->words[pack->used++] = 0;
   }
}

static void
vivgpu_draw_emit_draw(struct vivgpu_pack *pack, const struct pipe_draw_info *info,
                      const struct pipe_draw_start_count_bias *draw)
{
   uint32_t instances = info->instance_count;

   vivgpu_pack_end(pack);
   pack->words[pack->used++] = VIV_FE_DRAW_INSTANCED_HEADER_OP_DRAW_INSTANCED |
                               (info->index_size ? VIV_FE_DRAW_INSTANCED_HEADER_INDEXED : 0) |
                               VIV_FE_DRAW_INSTANCED_HEADER_TYPE(primitives[info->mode]) |
                               VIV_FE_DRAW_INSTANCED_HEADER_INSTANCE_COUNT_LO(instances);
   pack->words[pack->used++] = VIV_FE_DRAW_INSTANCED_COUNT_INSTANCE_COUNT_HI(instances >> 16) |
                               VIV_FE_DRAW_INSTANCED_COUNT_VERTEX_COUNT(draw->count);
   pack->words[pack->used++] = VIV_FE_DRAW_INSTANCED_START_INDEX(
      info->index_size ? (uint32_t)draw->index_bias : draw->start);
   pack->words[pack->used++] = 0;
}

/* Emit the indices of a draw (NULL: none) and its command. */
static ALWAYS_INLINE void
vivgpu_draw_emit_range(struct vivgpu_context *context, struct vivgpu_pack *pack,
                       const struct pipe_draw_info *info,
                       const struct pipe_draw_start_count_bias *range,
                       struct pipe_resource *indices, unsigned index_offset)
{
   if (indices)
      vivgpu_draw_emit_indices(context, pack, info, indices,
                               index_offset + range->start * info->index_size);
   if (context->screen->generation.instances)
      vivgpu_draw_emit_draw(pack, info, range);
   else
      vivgpu_draw_emit_plain_draw(pack, info, range);
   if (vivgpu_events_enabled()) {
      context->stream.draws++;
      context->stream.vertices += (uint64_t)range->count * info->instance_count;
   }
}

/* Emit dirty state, then the draw command. */
static void
vivgpu_draw_one(struct vivgpu_context *context, const struct pipe_draw_info *info,
                const struct pipe_draw_start_count_bias *range, struct pipe_resource *indices,
                unsigned index_offset)
{
   /* Copies of constants use memory that is not reused within a job: submit to limit it. */
   if (unlikely(context->job.copied_constant_bytes > VIVGPU_MAX_COPIED_BYTES))
      vivgpu_job_submit(context, VIVGPU_GROUP_FULL_UPLOAD);
   /* VIVGPU_COUNT_WORDS are for vivgpu_occlusion_resume(). */
   if (!vivgpu_job_reserve(context, VIVGPU_MAX_EMIT_WORDS + VIVGPU_COUNT_WORDS))
      return;
   if (unlikely(!list_is_empty(&context->occlusion.active)))
      vivgpu_occlusion_resume(context);
   vivgpu_emit_state(context);

   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_emitted_pack(&context->emitted.values, &pack, VIVGPU_EMITTED_VERTEX_ELEMENT_CONFIG,
                       vivgpu_draw_vertex_element_config(info->mode));
   vivgpu_draw_emit_range(context, &pack, info, range, indices, index_offset);
   vivgpu_stream_end(&context->stream, &pack);
}

/*
 * Mark the targets as written, so that texture caches are invalidated before they are sampled. Most
 * draws find them marked.
 */
static ALWAYS_INLINE void
vivgpu_draw_mark_targets_written(struct vivgpu_context *context)
{
   const struct vivgpu_screen *screen = context->screen;

   if (unlikely(!context->seen.targets_marked ||
                context->seen.targets != p_atomic_read(&screen->write_seqno) ||
                context->seen.invalidations != p_atomic_read(&screen->texture_invalidations)))
      vivgpu_targets_mark_written(context);
}

static void
vivgpu_draw_range(struct vivgpu_context *context, const struct pipe_draw_info *info,
                  const struct pipe_draw_start_count_bias *range)
{
   struct pipe_draw_start_count_bias trimmed = *range;
   struct vivgpu_translate_saved saved;
   struct pipe_resource *indices = NULL;
   unsigned offset = 0;

   if (!info->primitive_restart && !u_trim_pipe_prim(info->mode, &trimmed.count))
      return;
   if (!trimmed.count)
      return;
   if (info->index_size && !info->has_user_indices)
      indices = info->index.resource;
   if (info->index_size && info->has_user_indices &&
       !util_upload_index_buffer(&context->base, info, &trimmed, &indices, &offset, 4))
      return;

   saved.elements = NULL;
   if (likely(!context->elements->translate && !context->vertices.misaligned))
      vivgpu_draw_one(context, info, &trimmed, indices, offset);
   else if (vivgpu_translate_begin(context, info, range, &saved))
      vivgpu_draw_one(context, info, &trimmed, indices, offset);
   if (saved.elements)
      vivgpu_translate_end(context, &saved);
   if (info->has_user_indices)
      pipe_resource_reference(&indices, NULL);
}

/* True if the draws after the first one of a multi-draw need its state only. */
static bool
vivgpu_draw_repeats(const struct vivgpu_context *context, const struct pipe_draw_info *info)
{
   return !context->dirty && !context->textures.dirty && !context->elements->translate &&
          !context->vertices.misaligned && !info->has_user_indices &&
          list_is_empty(&context->occlusion.active) && context->stream.used;
}

/*
 * Draw without looking at the state again. Returns the number of draws for which the job has space.
 */
static unsigned
vivgpu_draw_repeated(struct vivgpu_context *context, const struct pipe_draw_info *info,
                     const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct vivgpu_stream *stream = &context->stream;
   struct vivgpu_pack pack = vivgpu_stream_begin(stream);
   struct pipe_resource *indices = info->index_size ? info->index.resource : NULL;
   unsigned i;

   for (i = 0; i < num_draws; i++) {
      struct pipe_draw_start_count_bias range = draws[i];

      if (stream->used + pack.used + DRAW_WORDS + VIVGPU_END_WORDS > stream->limit)
         break;
      if ((info->primitive_restart || u_trim_pipe_prim(info->mode, &range.count)) && range.count)
         vivgpu_draw_emit_range(context, &pack, info, &range, indices, 0);
   }
   vivgpu_stream_end(stream, &pack);
   return i;
}

/* True if nothing was bound or written since vivgpu_resolve_surfaces(). */
static ALWAYS_INLINE bool
vivgpu_draw_surfaces_resolved(const struct vivgpu_context *context)
{
   return !(context->dirty & (VIVGPU_DIRTY_FRAMEBUFFER | VIVGPU_DIRTY_SAMPLERS)) &&
          context->seen.resolved == p_atomic_read(&context->screen->write_seqno) &&
          context->seen.resolvable == p_atomic_read(&context->screen->num_resolvable);
}

static ALWAYS_INLINE void
vivgpu_draw_ranges(struct vivgpu_context *context, const struct pipe_draw_info *info,
                   const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   if (!vivgpu_draw_surfaces_resolved(context))
      vivgpu_resolve_surfaces(context);
   for (unsigned i = 0; i < num_draws;) {
      vivgpu_draw_range(context, info, &draws[i++]);
      if (i < num_draws && vivgpu_draw_repeats(context, info))
         i += vivgpu_draw_repeated(context, info, &draws[i], num_draws - i);
   }
   vivgpu_draw_mark_targets_written(context);
}

/* Texture coordinates are replaced for points only; other primitives use their own. */
static void
vivgpu_draw_update_point_sprites(struct vivgpu_context *context, enum mesa_prim mode)
{
   bool on = context->rasterizer->base.sprite_coord_enable && mode == MESA_PRIM_POINTS;

   if (on == context->per_draw.point_sprites)
      return;
   context->per_draw.point_sprites = on;
   vivgpu_context_dirty(context, VIVGPU_DIRTY_SHADERS);
}

/* Points and lines have no face to choose between two stencil states: they use the front's. */
static void
vivgpu_draw_update_stencil_faces(struct vivgpu_context *context, enum mesa_prim mode)
{
   bool stencil_front_only = context->zsa->two_sided && u_reduced_prim(mode) != MESA_PRIM_TRIANGLES;

   if (stencil_front_only == context->per_draw.stencil_front_only)
      return;
   context->per_draw.stencil_front_only = stencil_front_only;
   vivgpu_context_dirty(context, VIVGPU_DIRTY_STENCIL_REF);
}

void
vivgpu_draw_direct(struct vivgpu_context *context, const struct pipe_draw_info *info,
                   const struct pipe_draw_start_count_bias *draws, unsigned num_draws, bool counted)
{
   struct vivgpu_stipple_saved saved;
   bool stippled;

   if (unlikely(context->rasterizer->base.poly_stipple_enable || context->stipple.enabled))
      vivgpu_stipple_update(context, info->mode);
   if (unlikely(context->rasterizer->base.sprite_coord_enable || context->per_draw.point_sprites))
      vivgpu_draw_update_point_sprites(context, info->mode);
   if (unlikely(context->zsa->two_sided || context->per_draw.stencil_front_only))
      vivgpu_draw_update_stencil_faces(context, info->mode);
   if (!vivgpu_program_chosen(context) && !vivgpu_shader_update(context))
      return;
   if (counted)
      vivgpu_acc_query_before_draw(context);
   stippled = context->program.variants[VIVGPU_FS]->key.stipple;
   if (unlikely(stippled) && !vivgpu_stipple_begin(context, &saved))
      return;
   vivgpu_draw_ranges(context, info, draws, num_draws);
   if (unlikely(stippled))
      vivgpu_stipple_end(context, &saved);
}

/* State on which the description of a draw by the command monitor depends */
#define DESCRIBED_STATE                                                                            \
   (VIVGPU_DIRTY_BLEND | VIVGPU_DIRTY_ZSA | VIVGPU_DIRTY_RASTERIZER | VIVGPU_DIRTY_VIEWPORT |      \
    VIVGPU_DIRTY_SCISSOR | VIVGPU_DIRTY_FRAMEBUFFER | VIVGPU_DIRTY_ELEMENTS |                      \
    VIVGPU_DIRTY_SHADERS | VIVGPU_DIRTY_PROGRAM | VIVGPU_DIRTY_SAMPLERS | VIVGPU_DIRTY_STATUS |    \
    VIVGPU_DIRTY_LINK)

/*
 * Open a draw that repeats the last one with other counts: in the list it is an item of 16 bytes
 * (vivgpu_group_builder.h). Returns false, with nothing opened, if the state is another one.
 */
static ALWAYS_INLINE bool
vivgpu_draw_repeat_listed(struct vivgpu_context *context, const struct pipe_draw_info *info,
                          const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct vivgpu_monitor *monitor = context->monitor;

   return !(context->dirty & DESCRIBED_STATE) && num_draws == 1 &&
          monitor->repeat_key == vivgpu_monitor_key(info) &&
          vivgpu_group_repeat(&monitor->builder, context->stream.used * sizeof(uint32_t),
                              monitor->repeat_head, draws->count, info->instance_count);
}

/* A draw in another state than the last one. */
static ATTRIBUTE_NOINLINE void
vivgpu_draw_other_listed(struct vivgpu_context *context, const struct pipe_draw_info *info,
                         const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   vivgpu_monitor_open_draw(context, info, draws, num_draws);
   vivgpu_draw_direct(context, info, draws, num_draws, false);
   vivgpu_monitor_close_draw(context);
}

/*
 * A draw in the state of the last one, of the same mode, has the same shaders and needs nothing of
 * what vivgpu_draw_direct() does for points, lines, stipples and two faces.
 */
void
vivgpu_draw_direct_listed(struct vivgpu_context *context, const struct pipe_draw_info *info,
                          const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   if (!vivgpu_draw_repeat_listed(context, info, draws, num_draws)) {
      vivgpu_draw_other_listed(context, info, draws, num_draws);
      return;
   }
   vivgpu_draw_ranges(context, info, draws, 1);
   if (!vivgpu_group_repeated(&context->monitor->builder, context->stream.used * sizeof(uint32_t)))
      vivgpu_monitor_close_draw(context);
}
