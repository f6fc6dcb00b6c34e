/* SPDX-License-Identifier: MIT */
/* Draws of one program; see vivgpu_thesis_models.h. */

#include "vivgpu_thesis_models.h"

#include <math.h>

void
vivgpu_model_draw_add(struct vivgpu_model_draw *model, double vertices, double fragments, double ns)
{
   if (fragments <= 0) {
      model->still_vertices += vertices;
      model->still_ns += ns;
      return;
   }
   model->vertices = VIVGPU_FIT_DECAY * model->vertices + vertices;
   model->fragments = VIVGPU_FIT_DECAY * model->fragments + fragments;
   model->ns = VIVGPU_FIT_DECAY * model->ns + ns;
   vivgpu_fit_add(&model->fit, vertices, fragments, ns);
}

/* What a vertex and a fragment cost: see struct vivgpu_model_draw. */
static void
costs(const struct vivgpu_model_draw *model, double *per_vertex, double *per_fragment)
{
   if (model->still_vertices <= 0) {
      vivgpu_fit_solve(&model->fit, per_vertex, per_fragment);
      return;
   }
   *per_vertex = model->still_ns / model->still_vertices;
   *per_fragment = 0;
   if (model->fragments > 0)
      *per_fragment = fmax(model->ns - *per_vertex * model->vertices, 0) / model->fragments;
}

double
vivgpu_model_draw_ns(const struct vivgpu_model_draw *model, double vertices, double fragments,
                     double *vertex_ns)
{
   double per_vertex, per_fragment;

   costs(model, &per_vertex, &per_fragment);
   *vertex_ns = per_vertex * vertices;
   return *vertex_ns + per_fragment * fragments;
}
