/* SPDX-License-Identifier: MIT */
/* Adaptive bounds of errors; see vivgpu_bound.h. */

#include "vivgpu_bound.h"

#include <math.h>
#include <string.h>

#define GROW    1.3f
#define LARGEST 8.0f
/* GROW to the power of -1/150: one error outside balances 150 inside. */
#define SHRINK 0.998252f

void
vivgpu_bound_init(struct vivgpu_bound *bound)
{
   memset(bound, 0, sizeof(*bound));
   bound->factor = 1;
}

double
vivgpu_bound_value(const struct vivgpu_bound *bound)
{
   uint32_t count = bound->count < VIVGPU_BOUND_ERRORS ? bound->count : VIVGPU_BOUND_ERRORS;
   float largest = 0;

   for (uint32_t i = 0; i < count; i++)
      largest = fmaxf(largest, bound->errors[i]);
   return largest * bound->factor;
}

void
vivgpu_bound_add(struct vivgpu_bound *bound, double error, int within)
{
   bound->errors[bound->count % VIVGPU_BOUND_ERRORS] = (float)error;
   /* Once full, the ring stays full. */
   if (++bound->count == 2 * VIVGPU_BOUND_ERRORS)
      bound->count = VIVGPU_BOUND_ERRORS;
   bound->factor *= within ? SHRINK : GROW;
   bound->factor = fminf(fmaxf(bound->factor, 1), LARGEST);
}
