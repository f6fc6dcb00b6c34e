/* SPDX-License-Identifier: MIT */
/* Texture loading, piecewise linear; see vivgpu_thesis_models.h. */

#include "vivgpu_thesis_models.h"

#include <math.h>
#include <string.h>

/*
 * Fit both slopes for a knee; take it, and set @best, if the squares of the relative errors are
 * less than @best. Dividing by ns makes the fit one of relative errors. Sizes are no sequence, so
 * all have the same weight.
 */
static void
try_knee(struct vivgpu_model_texture *model, double knee, double *best)
{
   struct vivgpu_fit fit = {0};
   double squares = 0, slope, beyond;

   for (uint32_t i = 0; i < model->num_sizes; i++) {
      double bytes = model->sizes[i].bytes, ns = fmax(model->sizes[i].ns, 1);

      vivgpu_fit_add_equal(&fit, fmin(bytes, knee) / ns, fmax(bytes - knee, 0) / ns, 1);
   }
   vivgpu_fit_solve(&fit, &slope, &beyond);
   for (uint32_t i = 0; i < model->num_sizes; i++) {
      double bytes = model->sizes[i].bytes, ns = fmax(model->sizes[i].ns, 1);
      double error = (fmin(bytes, knee) * slope + fmax(bytes - knee, 0) * beyond) / ns - 1;

      squares += error * error;
   }
   if (squares >= *best)
      return;
   *best = squares;
   model->knee = knee;
   model->slope = slope;
   model->slope_beyond = beyond;
}

/*
 * Where the line through the origin and the first @count sizes meets the line through the others; 0
 * if not between sizes @count - 1 and @count. Least squares of relative errors, as above.
 */
static double
meeting_of(const struct vivgpu_model_texture *model, uint32_t count)
{
   /* Weighted sums for the lines on both sides; n: bytes, t: ns */
   double left_nt = 0, left_nn = 0, one = 0, n = 0, nn = 0, t = 0, nt = 0, determinant, a, slope,
          at;

   for (uint32_t i = 0; i < model->num_sizes; i++) {
      double bytes = model->sizes[i].bytes, ns = model->sizes[i].ns;
      double weight = 1 / (fmax(ns, 1) * fmax(ns, 1));

      if (i < count) {
         left_nt += weight * bytes * ns;
         left_nn += weight * bytes * bytes;
         continue;
      }
      one += weight;
      n += weight * bytes;
      nn += weight * bytes * bytes;
      t += weight * ns;
      nt += weight * bytes * ns;
   }
   determinant = one * nn - n * n;
   if (!(left_nn > 0) || !(determinant > 1e-9 * one * nn))
      return 0;
   a = (t * nn - nt * n) / determinant;
   slope = (nt * one - t * n) / determinant;
   at = a / (left_nt / left_nn - slope);
   return at > model->sizes[count - 1].bytes && at < model->sizes[count].bytes ? at : 0;
}

/* Return the entry for a size: added if there is room, else the nearest one. */
static uint32_t
size_of(struct vivgpu_model_texture *model, double bytes)
{
   uint32_t at = 0;

   while (at < model->num_sizes && model->sizes[at].bytes < bytes)
      at++;
   if (at < model->num_sizes && model->sizes[at].bytes == bytes)
      return at;
   if (model->num_sizes == VIVGPU_TEXTURE_SIZES) {
      if (at == model->num_sizes ||
          (at && bytes - model->sizes[at - 1].bytes < model->sizes[at].bytes - bytes))
         at--;
      return at;
   }
   memmove(&model->sizes[at + 1], &model->sizes[at],
           (model->num_sizes - at) * sizeof(model->sizes[0]));
   memset(&model->sizes[at], 0, sizeof(model->sizes[at]));
   model->sizes[at].bytes = bytes;
   model->num_sizes++;
   return at;
}

void
vivgpu_model_texture_add(struct vivgpu_model_texture *model, double bytes, double ns)
{
   uint32_t at = size_of(model, bytes);
   double best = INFINITY;

   model->sizes[at].count++;
   model->sizes[at].ns += (ns - model->sizes[at].ns) / model->sizes[at].count;
   for (uint32_t i = 0; i < model->num_sizes; i++) {
      double meeting = i ? meeting_of(model, i) : 0;

      if (meeting > 0)
         try_knee(model, meeting, &best);
      try_knee(model, model->sizes[i].bytes, &best);
   }
}

double
vivgpu_model_texture_ns(const struct vivgpu_model_texture *model, double bytes)
{
   return fmin(bytes, model->knee) * model->slope +
          fmax(bytes - model->knee, 0) * model->slope_beyond;
}
