/* SPDX-License-Identifier: MIT */
/* Commands of constant time, with their distribution; see vivgpu_thesis_models.h. */

#include "vivgpu_thesis_models.h"

/* Steps of the histogram */
#define STEPS (sizeof(((struct vivgpu_model_constant *)0)->histogram) / sizeof(uint32_t))

void
vivgpu_model_constant_add(struct vivgpu_model_constant *model, double ns)
{
   double step = ns / VIVGPU_HISTOGRAM_NS;

   model->count++;
   model->mean += (ns - model->mean) / model->count;
   model->histogram[step < STEPS - 1 ? (unsigned)step : STEPS - 1]++;
}

double
vivgpu_model_constant_ns(const struct vivgpu_model_constant *model)
{
   return model->mean;
}

double
vivgpu_model_constant_quantile(const struct vivgpu_model_constant *model, double share)
{
   double wanted = share * model->count, seen = 0;

   for (unsigned i = 0; i < STEPS; i++) {
      seen += model->histogram[i];
      if (seen >= wanted)
         return (i + 1.0) * VIVGPU_HISTOGRAM_NS;
   }
   return STEPS * (double)VIVGPU_HISTOGRAM_NS;
}
