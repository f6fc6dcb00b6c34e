/* SPDX-License-Identifier: MIT */
/* Draws of one program; see vivgpu_thesis_models.h. */

#include "vivgpu_thesis_models.h"

void
vivgpu_model_draw_add(struct vivgpu_model_draw *model, double vertices, double fragments, double ns)
{
   vivgpu_fit_add(&model->fit, vertices, fragments, ns);
}

double
vivgpu_model_draw_ns(const struct vivgpu_model_draw *model, double vertices, double fragments,
                     double *vertex_ns)
{
   double per_vertex, per_fragment;

   vivgpu_fit_solve(&model->fit, &per_vertex, &per_fragment);
   *vertex_ns = per_vertex * vertices;
   return *vertex_ns + per_fragment * fragments;
}
