/* SPDX-License-Identifier: MIT */

#include "vivgpu_draw_fallback.h"

#include "compiler/nir/nir.h"
#include "util/u_prim.h"
#include "util/u_split_draw.h"
#include "vivgpu_context.h"
#include "vivgpu_draw.h"
#include "vivgpu_monitor.h"
#include "vivgpu_primconvert.h"
#include "vivgpu_alpha_to_coverage.h"
#include "vivgpu_swtnl.h"
#include "vivgpu_target_order.h"

/* True if lines or points of polygons drawn as outlines are stippled or smooth. */
static bool
vivgpu_draw_is_stippled_or_smooth(const struct pipe_rasterizer_state *rasterizer, unsigned fill)
{
   switch (fill) {
   case PIPE_POLYGON_MODE_LINE:
      return rasterizer->line_stipple_enable || rasterizer->line_smooth;
   case PIPE_POLYGON_MODE_POINT:
      return rasterizer->point_smooth;
   default:
      return false;
   }
}

/*
 * True if outlines need the draw module: the core draws all edges of triangles, and has one fill
 * mode for both faces.
 */
static bool
vivgpu_draw_outlines_need_swtnl(const struct pipe_rasterizer_state *rasterizer, unsigned mode,
                                bool edge_flags)
{
   unsigned front =
      rasterizer->cull_face == PIPE_FACE_FRONT ? rasterizer->fill_back : rasterizer->fill_front;
   unsigned back =
      rasterizer->cull_face == PIPE_FACE_BACK ? rasterizer->fill_front : rasterizer->fill_back;

   if (front == PIPE_POLYGON_MODE_FILL && back == PIPE_POLYGON_MODE_FILL)
      return false;
   return front != back || mode >= MESA_PRIM_QUADS || edge_flags ||
          vivgpu_draw_is_stippled_or_smooth(rasterizer, front);
}

bool
vivgpu_needs_swtnl(const struct pipe_rasterizer_state *rasterizer, unsigned mode, bool edge_flags)
{
   switch (u_reduced_prim(mode)) {
   case MESA_PRIM_POINTS:
      return rasterizer->point_smooth;
   case MESA_PRIM_LINES:
      return rasterizer->line_stipple_enable || rasterizer->line_smooth;
   case MESA_PRIM_TRIANGLES:
      return vivgpu_draw_outlines_need_swtnl(rasterizer, mode, edge_flags);
   default:
      return false;
   }
}

/* Draw by the draw module, by the core, or with converted primitives. */
static void
vivgpu_draw_pass(struct vivgpu_context *context, const struct pipe_draw_info *info,
                 const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   const struct shader_info *vs = &context->program.bound[VIVGPU_VS]->nir->info;
   bool swtnl = vivgpu_needs_swtnl(&context->rasterizer->base, info->mode,
                                   vs->outputs_written & VARYING_BIT_EDGE);

   if (unlikely(context->monitor))
      vivgpu_monitor_set_swtnl(context, swtnl);
   if (swtnl && vivgpu_swtnl_draw(context, info, draws, num_draws))
      return;
   if (unlikely(context->monitor))
      vivgpu_monitor_set_swtnl(context, false);
   if (vivgpu_primitive_bit(info->mode, info->index_size) & context->screen->generation.primitives)
      vivgpu_draw_direct(context, info, draws, num_draws, false);
   else
      vivgpu_primconvert_draw(context, info, draws, num_draws);
}

/*
 * True if a draw can be divided into draws of consecutive vertices. Fans, loops and polygons
 * cannot: each part would need the first vertex of all.
 */
static bool
vivgpu_draw_is_divisible(const struct pipe_draw_info *info)
{
   const unsigned modes = BITFIELD_BIT(MESA_PRIM_POINTS) | BITFIELD_BIT(MESA_PRIM_LINES) |
                          BITFIELD_BIT(MESA_PRIM_LINE_STRIP) | BITFIELD_BIT(MESA_PRIM_TRIANGLES) |
                          BITFIELD_BIT(MESA_PRIM_TRIANGLE_STRIP);

   return BITFIELD_BIT(info->mode) & modes && !info->primitive_restart &&
          info->instance_count <= VIVGPU_DRAW_MAX_COUNT;
}

/*
 * True for quads, which are converted to draws that the draw command can count, or that come here
 * again.
 */
static bool
vivgpu_draw_is_converted(const struct pipe_draw_info *info)
{
   return (info->mode == MESA_PRIM_QUADS || info->mode == MESA_PRIM_QUAD_STRIP) &&
          info->instance_count <= VIVGPU_DRAW_MAX_COUNT;
}

/*
 * Draw in parts. Those of strips have vertices in common; their limit is even, so that each begins
 * at an even vertex and its triangles keep their orientation.
 */
static void
vivgpu_draw_parts(struct vivgpu_context *context, const struct pipe_draw_info *info,
                  const struct pipe_draw_start_count_bias *draw)
{
   struct pipe_draw_start_count_bias part = *draw;
   uint32_t left = draw->count, step;

   do {
      part.count = left;
      u_split_draw(info, VIVGPU_DRAW_MAX_COUNT - 1, &part.count, &step);
      vivgpu_draw_pass(context, info, &part, 1);
      part.start += step;
      left -= step;
   } while (left);
}

/* Draw what the draw command cannot count: in parts, or by the draw module. */
static void
vivgpu_draw_large(struct vivgpu_context *context, const struct pipe_draw_info *info,
                  const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   for (unsigned i = 0; i < num_draws; i++) {
      if (vivgpu_draw_counts_fit(info, &draws[i], 1) || vivgpu_draw_is_converted(info)) {
         vivgpu_draw_pass(context, info, &draws[i], 1);
      } else if (vivgpu_draw_is_divisible(info)) {
         vivgpu_draw_parts(context, info, &draws[i]);
      } else {
         if (unlikely(context->monitor))
            vivgpu_monitor_set_swtnl(context, true);
         vivgpu_swtnl_draw(context, info, &draws[i], 1);
      }
   }
}

/* Draw with the bound state. */
static void
vivgpu_draw_all(struct vivgpu_context *context, const struct pipe_draw_info *info,
                const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   if (likely(vivgpu_draw_counts_fit(info, draws, num_draws)))
      vivgpu_draw_pass(context, info, draws, num_draws);
   else
      vivgpu_draw_large(context, info, draws, num_draws);
}

/*
 * Draw to the bound targets: once, or with alpha to coverage or alpha to one, for which the blend
 * state's native_prims are 0, in the passes of vivgpu_alpha_to_coverage.h.
 */
static void
vivgpu_draw_targets(struct vivgpu_context *context, const struct pipe_draw_info *info,
                    const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct vivgpu_alpha_to_coverage samples;

   if (likely(context->blend->native_prims)) {
      vivgpu_draw_all(context, info, draws, num_draws);
      return;
   }
   vivgpu_alpha_to_coverage_begin(context, &samples);
   while (vivgpu_alpha_to_coverage_next_pass(context, &samples))
      vivgpu_draw_all(context, info, draws, num_draws);
}

void
vivgpu_draw_fallback(struct vivgpu_context *context, const struct pipe_draw_info *info,
                     const struct pipe_draw_start_count_bias *draws, unsigned num_draws,
                     bool counted)
{
   const struct vivgpu_program *program = &context->program;
   struct vivgpu_target_order order;

   if (!program->bound[VIVGPU_VS] || !program->bound[VIVGPU_FS] || info->mode > MESA_PRIM_POLYGON)
      return;
   if (counted)
      vivgpu_acc_query_before_draw(context);
   if (likely(!vivgpu_target_order_matters(context)))
      vivgpu_draw_targets(context, info, draws, num_draws);
   else if (vivgpu_target_order_begin(context, &order))
      while (vivgpu_target_order_next_pass(context, &order))
         vivgpu_draw_targets(context, info, draws, num_draws);
}
