/* SPDX-License-Identifier: MIT */
/* Ratios by amounts; see vivgpu_ratios.h. */

#include "vivgpu_ratios.h"

#include <math.h>
#include <string.h>

/* Amounts that differ by less, as a share of the larger one, are the same. */
#define SAME 0.005
/* Smallest weight of a new ratio in the mean of the same amount. */
#define WEIGHT 0.05

/* Number of samples in the ring */
static uint32_t
num_samples(const struct vivgpu_ratios *ratios)
{
   return ratios->count < VIVGPU_RATIO_SAMPLES ? ratios->count : VIVGPU_RATIO_SAMPLES;
}

double
vivgpu_ratios_at(const struct vivgpu_ratios *ratios, double amount, double otherwise)
{
   double below = -INFINITY, above = INFINITY, low = 0, high = 0;

   for (uint32_t i = 0; i < num_samples(ratios); i++) {
      double at = ratios->samples[i].amount;

      if (at <= amount && at > below) {
         below = at;
         low = ratios->samples[i].ratio;
      }
      if (at >= amount && at < above) {
         above = at;
         high = ratios->samples[i].ratio;
      }
   }
   if (below == above)
      return low;
   if (!isinf(below) && !isinf(above))
      return low + (high - low) * (amount - below) / (above - below);
   return otherwise;
}

void
vivgpu_ratios_add(struct vivgpu_ratios *ratios, double amount, double ratio)
{
   uint32_t at;

   for (uint32_t i = 0; i < num_samples(ratios); i++) {
      double other = ratios->samples[i].amount;

      if (fabs(other - amount) > SAME * fmax(other, amount))
         continue;
      ratios->samples[i].values++;
      ratios->samples[i].ratio +=
         fmax(WEIGHT, 1.0 / ratios->samples[i].values) * (ratio - ratios->samples[i].ratio);
      return;
   }
   at = ratios->count % VIVGPU_RATIO_SAMPLES;
   ratios->samples[at].amount = (float)amount;
   ratios->samples[at].ratio = (float)ratio;
   ratios->samples[at].values = 1;
   /* Once full, the ring stays full: the count does not overflow to 0. */
   if (++ratios->count == 2 * VIVGPU_RATIO_SAMPLES)
      ratios->count = VIVGPU_RATIO_SAMPLES;
}
