/* SPDX-License-Identifier: MIT */
/*
 * pipe_context.draw_vbo: counts the application's draws, drops draws without effect, and passes a
 * draw to the core (vivgpu_draw.h) or to the fallbacks (vivgpu_draw_fallback.h).
 */

#include "util/u_draw.h"
#include "util/u_inlines.h"
#include "util/u_prim.h"
#include "vivgpu_context.h"
#include "vivgpu_deadline.h"
#include "vivgpu_draw.h"
#include "vivgpu_draw_fallback.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_swtnl.h"
#include "vivgpu_vendor.h"

/* True if all needed state objects are bound, there are instances, and the context is not lost. */
static bool
vivgpu_draw_can_draw(const struct vivgpu_context *context, const struct pipe_draw_info *info)
{
   return context->blend && context->zsa && context->rasterizer && context->elements &&
          info->instance_count && !context->lost;
}

/* True if both faces of all primitives are culled. The core can cull one only. */
static bool
vivgpu_draw_culls_all(const struct vivgpu_context *context, const struct pipe_draw_info *info)
{
   return context->rasterizer->base.cull_face == PIPE_FACE_FRONT_AND_BACK &&
          u_reduced_prim(info->mode) == MESA_PRIM_TRIANGLES;
}

/* Count the application's draws, including those that are dropped. */
static void
vivgpu_draw_count_draws(struct vivgpu_context *context, const struct pipe_draw_info *info,
                        const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   uint64_t vertices = 0, primitives = 0;

   for (unsigned i = 0; i < num_draws; i++) {
      vertices += draws[i].count;
      primitives += u_prims_for_vertices(info->mode, draws[i].count);
   }
   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_DRAWS, num_draws);
   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_INSTANCES,
                (uint64_t)num_draws * info->instance_count);
   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_VERTICES, vertices * info->instance_count);
   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_PRIMITIVES, primitives * info->instance_count);
}

/* Number of triangles that a primitive of @mode consists of. */
static unsigned
vivgpu_draw_triangles_of(enum mesa_prim mode)
{
   return mode == MESA_PRIM_QUADS || mode == MESA_PRIM_QUAD_STRIP ? 2 : 1;
}

/* ARB_pipeline_statistics_query: clipping input counts triangles even if both faces are culled. */
static void
vivgpu_draw_count_culled(struct vivgpu_context *context, const struct pipe_draw_info *info,
                         const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   enum mesa_prim mode = info->mode == MESA_PRIM_POLYGON ? MESA_PRIM_TRIANGLE_FAN : info->mode;
   struct vivgpu_submitted sum = vivgpu_submitted_draws(context, info, mode, draws, num_draws);

   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_CULLED,
                sum.primitives * vivgpu_draw_triangles_of(mode));
}

/*
 * True if the core draws this with the bound state without a fallback: it has the primitives, and
 * the draw command's fields have enough bits for the numbers of vertices and instances.
 */
static ALWAYS_INLINE bool
vivgpu_draw_is_native(const struct vivgpu_context *context, const struct pipe_draw_info *info,
                      const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   return context->rasterizer->native_prims & context->blend->native_prims &
             context->packed_framebuffer.native_prims &
             vivgpu_primitive_bit(info->mode, info->index_size) &&
          vivgpu_draw_counts_fit(info, draws, num_draws);
}

/* Draws of any kind: indirect, with queries or a render condition, or with fallbacks. */
static ATTRIBUTE_NOINLINE void
vivgpu_draw_any(struct pipe_context *pcontext, const struct pipe_draw_info *info,
                unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   if (indirect) {
      util_draw_indirect(pcontext, info, drawid_offset, indirect);
      return;
   }
   bool counted = vivgpu_acc_queries_active(&context->acc_queries) && !context->occlusion.paused &&
                  !context->fallback.in_primconvert;

   if (counted)
      vivgpu_draw_count_draws(context, info, draws, num_draws);
   if (!vivgpu_draw_can_draw(context, info) || !vivgpu_context_condition(context))
      return;
   if (unlikely(context->submissions.active) && !context->occlusion.paused &&
       !context->fallback.in_primconvert)
      vivgpu_submissions_draw(context, info, draws, num_draws);
   if (vivgpu_draw_is_native(context, info, draws, num_draws))
      vivgpu_draw_direct(context, info, draws, num_draws, counted);
   else if (!vivgpu_draw_culls_all(context, info))
      vivgpu_draw_fallback(context, info, draws, num_draws, counted);
   else if (counted && context->acc_queries.num_scoped)
      vivgpu_draw_count_culled(context, info, draws, num_draws);
}

/*
 * Called before draws that the command monitor lists: while queues of others have a budget, submit
 * the job if it has as many draws as it may. Returns how many of the draws may be added to the job,
 * at least 1. The draws of another command, such as a blit, are not divided.
 */
static ALWAYS_INLINE unsigned
vivgpu_draw_begin_piece(struct vivgpu_context *context, unsigned num_draws)
{
   struct vivgpu_frames *frames = &context->frames;

   if (likely(!frames->max_piece_ns) || context->monitor->builder.depth)
      return num_draws;
   if (frames->max_draws && frames->draws >= frames->max_draws) {
      vivgpu_job_submit(context, VIVGPU_GROUP_FULL_STREAM);
      frames->draws = 0;
   }
   if (frames->max_draws)
      num_draws = MIN2(num_draws, frames->max_draws - frames->draws);
   frames->draws += num_draws;
   return num_draws;
}

/* List a draw, with VIVGPU_DEBUG=boxes with its bounding box. */
static void
vivgpu_draw_open_listed(struct vivgpu_context *context, const struct pipe_draw_info *info,
                        const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct vivgpu_monitor *monitor = context->monitor;

   if (likely(!(context->screen->debug & VIVGPU_DEBUG_BOXES))) {
      vivgpu_monitor_open_draw(context, info, draws, num_draws);
      return;
   }
   monitor->box_pixels = vivgpu_swtnl_box(context, info, draws, num_draws);
   vivgpu_monitor_open_draw(context, info, draws, num_draws);
   /* Its box is in no key, so it may not be listed by the description of another draw. */
   monitor->builder.plain = false;
}

/*
 * Draw in a context that does something before or after each draw: the command monitor lists it, a
 * debug option acts, or vivgpu_draw_begin_piece() divides the draws among jobs.
 *
 * @native: the draws need nothing of vivgpu_draw_any().
 */
static ATTRIBUTE_NOINLINE void
vivgpu_draw_with_hooks(struct pipe_context *pcontext, const struct pipe_draw_info *info,
                       unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                       const struct pipe_draw_start_count_bias *draws, unsigned num_draws,
                       bool native)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   bool listed = context->monitor && !indirect && vivgpu_draw_can_draw(context, info);

   do {
      unsigned piece = listed ? vivgpu_draw_begin_piece(context, num_draws) : num_draws;

      if (native && context->draw_hooks == VIVGPU_HOOKS_MONITOR) {
         vivgpu_draw_direct_listed(context, info, draws, piece);
      } else {
         if (vivgpu_vendor(context))
            vivgpu_vendor_draw(context);
         if (listed)
            vivgpu_draw_open_listed(context, info, draws, piece);
         if (native)
            vivgpu_draw_direct(context, info, draws, piece, false);
         else
            vivgpu_draw_any(pcontext, info, drawid_offset, indirect, draws, piece);
         if (listed)
            vivgpu_monitor_close_draw(context);
         if (unlikely(context->screen->debug & VIVGPU_DEBUG_SYNC))
            vivgpu_job_submit(context, VIVGPU_GROUP_FLUSH);
      }
      drawid_offset += info->increment_draw_id ? piece : 0;
      draws += piece;
      num_draws -= piece;
   } while (num_draws);
}

/*
 * Choose the function that draws. Most draws are native and have no hooks: for them this is a few
 * tests and a tail call.
 *
 *    native  hooks                      function
 *    yes     none                       vivgpu_draw_direct()
 *    yes     the monitor's, no pieces   vivgpu_draw_direct_listed()
 *    no      none                       vivgpu_draw_any()
 *    either  any others                 vivgpu_draw_with_hooks(): one of these for each piece
 */
static ALWAYS_INLINE void
vivgpu_draw_bound(struct pipe_context *pcontext, const struct pipe_draw_info *info,
                  unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                  const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   bool native = !indirect && !vivgpu_acc_queries_active(&context->acc_queries) &&
                 !context->submissions.active && !context->blackhole && !context->condition.query &&
                 vivgpu_draw_can_draw(context, info) &&
                 vivgpu_draw_is_native(context, info, draws, num_draws);

   if (likely(native && !context->draw_hooks))
      vivgpu_draw_direct(context, info, draws, num_draws, false);
   else if (native && context->draw_hooks == VIVGPU_HOOKS_MONITOR && !context->frames.max_piece_ns)
      vivgpu_draw_direct_listed(context, info, draws, num_draws);
   else if (context->draw_hooks)
      vivgpu_draw_with_hooks(pcontext, info, drawid_offset, indirect, draws, num_draws, native);
   else
      vivgpu_draw_any(pcontext, info, drawid_offset, indirect, draws, num_draws);
}

static void
vivgpu_draw_vbo(struct pipe_context *context, const struct pipe_draw_info *info,
                unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   if (unlikely(vivgpu_context(context)->vertices.list.state))
      vivgpu_vertex_state_unbind(vivgpu_context(context));
   vivgpu_draw_bound(context, info, drawid_offset, indirect, draws, num_draws);
}

static void
vivgpu_draw_vertex_state(struct pipe_context *context, struct pipe_vertex_state *state,
                         uint32_t mask, struct pipe_draw_vertex_state_info list,
                         const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   const struct pipe_draw_info info = {
      .mode = list.mode,
      .index_size = state->input.indexbuf ? sizeof(uint32_t) : 0,
      .index.resource = state->input.indexbuf,
      .instance_count = 1,
      .max_index = ~0u,
   };

   if (vivgpu_vertex_state_bind(vivgpu_context(context), state, mask)) {
      vivgpu_context(context)->vertices.list.drawing = true;
      vivgpu_draw_bound(context, &info, 0, NULL, draws, num_draws);
      vivgpu_context(context)->vertices.list.drawing = false;
   }
   if (list.take_vertex_state_ownership)
      pipe_vertex_state_reference(&state, NULL);
}

void
vivgpu_draw_init(struct pipe_context *context)
{
   context->draw_vbo = vivgpu_draw_vbo;
   context->draw_vertex_state = vivgpu_draw_vertex_state;
}
