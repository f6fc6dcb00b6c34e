/* SPDX-License-Identifier: MIT */
/* Adaptive bounds of errors; see vivgpu_bound.h. */

#include "vivgpu_bound.h"

#include <math.h>
#include <string.h>

#define GROW    1.3f
/* GROW to the power of -1/150: one error outside balances 150 inside. */
#define SHRINK 0.998252f
/*
 * Step of the logarithm of the conformal factor: it grows by this times the level with an error
 * outside, and shrinks by this times the rest to 1 with one inside.
 */
#define FOLLOW 0.25

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
   /* Once full, the ring stays full: the count does not overflow to 0. */
   if (++bound->count == 2 * VIVGPU_BOUND_ERRORS)
      bound->count = VIVGPU_BOUND_ERRORS;
   bound->factor *= within ? SHRINK : GROW;
   bound->factor = fmaxf(bound->factor, 1);
}

/* Number of errors in the ring */
static uint32_t
stored(const struct vivgpu_bound *bound)
{
   return bound->count < VIVGPU_BOUND_ERRORS ? bound->count : VIVGPU_BOUND_ERRORS;
}

uint32_t
vivgpu_bound_needed(double level)
{
   return (uint32_t)ceil(level / (1 - level) - 1e-9);
}

/* The error that @count of the stored ones, from 1 to all, reach or exceed. */
static double
largest(const struct vivgpu_bound *bound, uint32_t count)
{
   /* In falling order; an error that is smaller than all of them falls off the end. */
   float top[VIVGPU_BOUND_ERRORS + 1];
   uint32_t used = 0;

   for (uint32_t i = 0; i < stored(bound); i++) {
      uint32_t at = used;

      for (; at && top[at - 1] < bound->errors[i]; at--)
         top[at] = top[at - 1];
      top[at] = bound->errors[i];
      used = used < count ? used + 1 : count;
   }
   return top[count - 1];
}

double
vivgpu_bound_conformal(const struct vivgpu_bound *bound, double level)
{
   uint32_t n = stored(bound);
   /* 1e-9: so that rounding does not raise a whole number to the next one. */
   uint32_t rank = (uint32_t)ceil((n + 1) * level - 1e-9);

   if (!n || rank > n)
      return INFINITY;
   return largest(bound, n - rank + 1) * exp(bound->log_factor);
}

void
vivgpu_bound_follow(struct vivgpu_bound *bound, double error, double level)
{
   double value = vivgpu_bound_conformal(bound, level);

   if (isfinite(value))
      bound->log_factor += (float)(FOLLOW * ((error > value) - (1 - level)));
}
