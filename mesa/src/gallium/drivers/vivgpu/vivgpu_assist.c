/* SPDX-License-Identifier: MIT */

#include "vivgpu_assist.h"

#include "compiler/nir/nir.h"
#include "util/u_prim.h"
#include "vivgpu_context.h"
#include "vivgpu_draw.h"
#include "vivgpu_convert.h"
#include "vivgpu_samples.h"
#include "vivgpu_soft.h"

/* Do lines or points that polygons are filled with have a stipple or smooth edges? */
static bool
is_fine(const struct pipe_rasterizer_state *rasterizer, unsigned fill)
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

/* The core draws the edges of triangles, all of them, and has one mode for both faces. */
static bool
needs_outlines(const struct pipe_rasterizer_state *rasterizer, unsigned mode, bool edge_flags)
{
   unsigned front =
      rasterizer->cull_face == PIPE_FACE_FRONT ? rasterizer->fill_back : rasterizer->fill_front;
   unsigned back =
      rasterizer->cull_face == PIPE_FACE_BACK ? rasterizer->fill_front : rasterizer->fill_back;

   if (front == PIPE_POLYGON_MODE_FILL && back == PIPE_POLYGON_MODE_FILL)
      return false;
   return front != back || mode >= MESA_PRIM_QUADS || edge_flags || is_fine(rasterizer, front);
}

bool
vivgpu_assist_soft(const struct pipe_rasterizer_state *rasterizer, unsigned mode, bool edge_flags)
{
   switch (u_reduced_prim(mode)) {
   case MESA_PRIM_POINTS:
      return rasterizer->point_smooth;
   case MESA_PRIM_LINES:
      return rasterizer->line_stipple_enable || rasterizer->line_smooth;
   case MESA_PRIM_TRIANGLES:
      return needs_outlines(rasterizer, mode, edge_flags);
   default:
      return false;
   }
}

/* Draw with the bound state: by the draw module, by the core, or with converted primitives. */
static void
draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
     const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   const struct shader_info *vs = &context->program.bound[VIVGPU_VS]->nir->info;

   if (vivgpu_assist_soft(&context->rasterizer->base, info->mode,
                          vs->outputs_written & VARYING_BIT_EDGE) &&
       vivgpu_soft_draw(context, info, draws, num_draws))
      return;
   if (BITFIELD_BIT(info->mode) & context->screen->generation.primitives)
      vivgpu_draw_direct(context, info, draws, num_draws, false);
   else
      vivgpu_convert_draw(context, info, draws, num_draws);
}

void
vivgpu_assist_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                   const struct pipe_draw_start_count_bias *draws, unsigned num_draws, bool counted)
{
   const struct vivgpu_program *program = &context->program;
   struct vivgpu_samples samples;

   if (!program->bound[VIVGPU_VS] || !program->bound[VIVGPU_FS] || info->mode > MESA_PRIM_POLYGON)
      return;
   if (counted)
      vivgpu_counting_draw(context);
   if (likely(context->blend->modes)) {
      draw(context, info, draws, num_draws);
      return;
   }
   vivgpu_samples_begin(context, &samples);
   while (vivgpu_samples_next(context, &samples))
      draw(context, info, draws, num_draws);
}
