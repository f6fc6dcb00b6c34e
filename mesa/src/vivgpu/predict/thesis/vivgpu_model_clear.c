/* SPDX-License-Identifier: MIT */
/* Full clears; see vivgpu_thesis_models.h. */

#include "vivgpu_thesis_models.h"

void
vivgpu_model_clear_add(struct vivgpu_model_clear *model, double bytes, double ns)
{
   vivgpu_fit_add(&model->fit, bytes, 0, ns);
}

double
vivgpu_model_clear_ns(const struct vivgpu_model_clear *model, double bytes)
{
   double per_byte, unused;

   vivgpu_fit_solve(&model->fit, &per_byte, &unused);
   return per_byte * bytes;
}
