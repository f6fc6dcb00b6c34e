/* SPDX-License-Identifier: MIT */

#include "vivgpu_stipple.h"

#include "util/u_inlines.h"
#include "util/u_prim.h"
#include "util/u_pstipple.h"
#include "vivgpu_context.h"

int
vivgpu_stipple_sampler(const BITSET_WORD *used, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (!BITSET_TEST(used, i))
         return i;
   }
   return -1;
}

void
vivgpu_stipple_update(struct vivgpu_context *context, unsigned mode)
{
   const struct pipe_rasterizer_state *rasterizer = &context->rasterizer->base;
   /* Triangles with coverage are smooth lines or points, which are not stippled. */
   bool on = rasterizer->poly_stipple_enable && u_reduced_prim(mode) == MESA_PRIM_TRIANGLES &&
             vivgpu_rasterizer_fill(rasterizer) == PIPE_POLYGON_MODE_FILL &&
             !context->per_draw.extras.coverage;

   if (on == context->stipple.enabled)
      return;
   context->stipple.enabled = on;
   vivgpu_context_dirty(context, VIVGPU_DIRTY_SHADERS);
}

/* Create a new texture: draws that are not submitted yet still read the old one. */
static bool
vivgpu_stipple_create_texture(struct vivgpu_context *context)
{
   struct vivgpu_stipple *stipple = &context->stipple;
   struct pipe_context *base = &context->base;
   struct pipe_resource *texture = util_pstipple_create_stipple_texture(base, stipple->pattern);

   pipe_sampler_view_reference(&stipple->view, NULL);
   if (!texture)
      return false;
   stipple->view = util_pstipple_create_sampler_view(base, texture);
   pipe_resource_reference(&texture, NULL);
   if (!stipple->sampler)
      stipple->sampler = util_pstipple_create_sampler(base);
   stipple->changed = !stipple->view || !stipple->sampler;
   return !stipple->changed;
}

/* No references are counted: what is replaced is put aside in a struct vivgpu_stipple_saved. */
static void
vivgpu_stipple_bind(struct vivgpu_context *context, const struct vivgpu_stipple_saved *what)
{
   context->textures.views[what->index] = what->view;
   context->textures.samplers[what->index] = what->sampler;
   context->textures.dirty |= 1u << what->index;
   vivgpu_context_dirty(context, VIVGPU_DIRTY_SAMPLERS);
}

/* The bound variant is stippled: its key has the sampler's number plus 1. */
bool
vivgpu_stipple_begin(struct vivgpu_context *context, struct vivgpu_stipple_saved *saved)
{
   struct vivgpu_stipple *stipple = &context->stipple;
   unsigned index = context->program.variants[VIVGPU_FS]->key.stipple - 1;
   struct vivgpu_stipple_saved pattern = {index};

   if ((stipple->changed || !stipple->view) && !vivgpu_stipple_create_texture(context))
      return false;
   saved->index = index;
   saved->view = context->textures.views[index];
   saved->sampler = context->textures.samplers[index];
   pattern.view = stipple->view;
   pattern.sampler = stipple->sampler;
   vivgpu_stipple_bind(context, &pattern);
   return true;
}

void
vivgpu_stipple_end(struct vivgpu_context *context, const struct vivgpu_stipple_saved *saved)
{
   vivgpu_stipple_bind(context, saved);
}

void
vivgpu_stipple_destroy(struct vivgpu_context *context)
{
   pipe_sampler_view_reference(&context->stipple.view, NULL);
   if (context->stipple.sampler)
      context->base.delete_sampler_state(&context->base, context->stipple.sampler);
}
