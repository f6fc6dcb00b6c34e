/* SPDX-License-Identifier: MIT */
/* Least squares with two coefficients; see vivgpu_fit.h. */

#include "vivgpu_fit.h"

#include <math.h>

void
vivgpu_fit_add_equal(struct vivgpu_fit *fit, double u, double v, double y)
{
   fit->uu += u * u;
   fit->uv += u * v;
   fit->vv += v * v;
   fit->uy += u * y;
   fit->vy += v * y;
}

void
vivgpu_fit_add(struct vivgpu_fit *fit, double u, double v, double y)
{
   fit->uu *= VIVGPU_FIT_DECAY;
   fit->uv *= VIVGPU_FIT_DECAY;
   fit->vv *= VIVGPU_FIT_DECAY;
   fit->uy *= VIVGPU_FIT_DECAY;
   fit->vy *= VIVGPU_FIT_DECAY;
   vivgpu_fit_add_equal(fit, u, v, y);
}

void
vivgpu_fit_solve(const struct vivgpu_fit *fit, double *a, double *b)
{
   double determinant = fit->uu * fit->vv - fit->uv * fit->uv;

   *a = *b = 0;
   if (determinant > 1e-9 * fit->uu * fit->vv) {
      *a = (fit->uy * fit->vv - fit->vy * fit->uv) / determinant;
      *b = (fit->vy * fit->uu - fit->uy * fit->uv) / determinant;
   } else if (fit->uu + fit->vv > 0) {
      /*
       * u and v, which are not negative, are proportional: the solution in the direction of (u, v)
       */
      double u = sqrt(fit->uu), v = sqrt(fit->vv), y = (fit->uy * u + fit->vy * v);
      double square = fit->uu + fit->vv;

      *a = y * u / (square * square);
      *b = y * v / (square * square);
   }
   /* What would be negative is 0, and the other is fitted alone. */
   if (*a < 0) {
      *a = 0;
      *b = fit->vv > 0 ? fmax(fit->vy / fit->vv, 0) : 0;
   } else if (*b < 0) {
      *b = 0;
      *a = fit->uu > 0 ? fmax(fit->uy / fit->uu, 0) : 0;
   }
}
