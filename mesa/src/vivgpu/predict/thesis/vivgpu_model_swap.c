/* SPDX-License-Identifier: MIT */
/* Swaps; see vivgpu_thesis_models.h. */

#include "vivgpu_thesis_models.h"

void
vivgpu_model_swap_add(struct vivgpu_model_swap *model, double tiles, double rendered_tiles,
                      double ns)
{
   vivgpu_fit_add(&model->fit, tiles, rendered_tiles, ns);
}

double
vivgpu_model_swap_ns(const struct vivgpu_model_swap *model, double tiles, double rendered_tiles)
{
   double write, read;

   vivgpu_fit_solve(&model->fit, &write, &read);
   return write * tiles + read * rendered_tiles;
}
