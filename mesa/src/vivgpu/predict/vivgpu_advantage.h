/* SPDX-License-Identifier: MIT */
/* Which of two alternatives has smaller errors. */
#ifndef VIVGPU_ADVANTAGE_H
#define VIVGPU_ADVANTAGE_H

#include <math.h>
#include <stdint.h>

/* How much the better alternative is preferred, and the least weight of one comparison. */
#define VIVGPU_ADVANTAGE_SHARPNESS 25.0
#define VIVGPU_ADVANTAGE_WEIGHT    0.02

/** By how much the first of two alternatives was better: -1 to 1, a mean of comparisons */
struct vivgpu_advantage {
   double mean;
   uint32_t count;
};

/** Share of the first of two alternatives by its advantage */
static inline double
vivgpu_advantage_share(const struct vivgpu_advantage *advantage)
{
   return 1 / (1 + exp(-VIVGPU_ADVANTAGE_SHARPNESS * advantage->mean));
}

/**
 * Learn from the errors of both: the mean of a number that is 1 if the first is right, -1 if the
 * second is, and 0 if they are equal, so that few large errors do not decide.
 */
static inline void
vivgpu_advantage_compare(struct vivgpu_advantage *advantage, double first, double second)
{
   double squares = first * first + second * second, value = 0;

   if (squares > 0)
      value = (second * second - first * first) / squares;
   advantage->count++;
   advantage->mean +=
      fmax(VIVGPU_ADVANTAGE_WEIGHT, 1.0 / advantage->count) * (value - advantage->mean);
}

#endif
