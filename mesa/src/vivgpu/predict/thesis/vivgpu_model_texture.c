/* SPDX-License-Identifier: MIT */
/* Texture loading, piecewise linear; see vivgpu_thesis_models.h. */

#include "vivgpu_thesis_models.h"

#include <math.h>

/* Fit both slopes for a knee; returns the sum of the squares of the relative errors. */
static double
fit_knee(const struct vivgpu_model_texture *model, double knee, double *slope, double *beyond)
{
   struct vivgpu_fit fit = {0};
   double squares = 0;

   for (uint32_t i = 0; i < model->num_sizes; i++) {
      double bytes = model->sizes[i].bytes, ns = fmax(model->sizes[i].ns, 1);

      vivgpu_fit_add(&fit, fmin(bytes, knee) / ns, fmax(bytes - knee, 0) / ns, 1);
   }
   vivgpu_fit_solve(&fit, slope, beyond);
   for (uint32_t i = 0; i < model->num_sizes; i++) {
      double bytes = model->sizes[i].bytes, ns = fmax(model->sizes[i].ns, 1);
      double error = (fmin(bytes, knee) * *slope + fmax(bytes - knee, 0) * *beyond) / ns - 1;

      squares += error * error;
   }
   return squares;
}

/* The entry for a size. */
static uint32_t
size_of(struct vivgpu_model_texture *model, double bytes)
{
   uint32_t nearest = 0;

   for (uint32_t i = 0; i < model->num_sizes; i++) {
      if (model->sizes[i].bytes == bytes)
         return i;
      if (fabs(model->sizes[i].bytes - bytes) < fabs(model->sizes[nearest].bytes - bytes))
         nearest = i;
   }
   if (model->num_sizes == VIVGPU_TEXTURE_SIZES)
      return nearest;
   model->sizes[model->num_sizes].bytes = bytes;
   return model->num_sizes++;
}

void
vivgpu_model_texture_add(struct vivgpu_model_texture *model, double bytes, double ns)
{
   uint32_t at = size_of(model, bytes);
   double best = INFINITY;

   model->sizes[at].count++;
   model->sizes[at].ns += (ns - model->sizes[at].ns) / model->sizes[at].count;
   for (uint32_t i = 0; i < model->num_sizes; i++) {
      double slope, beyond;
      double squares = fit_knee(model, model->sizes[i].bytes, &slope, &beyond);

      if (squares < best) {
         best = squares;
         model->knee = model->sizes[i].bytes;
         model->slope = slope;
         model->slope_beyond = beyond;
      }
   }
}

double
vivgpu_model_texture_ns(const struct vivgpu_model_texture *model, double bytes)
{
   return fmin(bytes, model->knee) * model->slope +
          fmax(bytes - model->knee, 0) * model->slope_beyond;
}
