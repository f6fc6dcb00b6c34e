/* SPDX-License-Identifier: MIT */
/*
 * A ratio that depends on an amount, by samples: between two samples it is interpolated.
 *
 * Of a frame that is split in different places, each part has another amount of vertices. What
 * costs per unit do not explain, since the draws of a frame differ, changes slowly with the amount.
 */
#ifndef VIVGPU_RATIOS_H
#define VIVGPU_RATIOS_H

#include <stdint.h>

#define VIVGPU_RATIO_SAMPLES 48

struct vivgpu_ratios {
   struct {
      float amount, ratio;
      /** Number of values that the ratio is the mean of */
      uint32_t values;
   } samples[VIVGPU_RATIO_SAMPLES];
   /** Samples so far, in a ring; less than twice VIVGPU_RATIO_SAMPLES: vivgpu_ratios_add() */
   uint32_t count;
};

/** The ratio at an amount; @otherwise if it is outside of all samples. */
double vivgpu_ratios_at(const struct vivgpu_ratios *ratios, double amount, double otherwise);

/** Add a sample: to the mean of one with nearly the same amount, or in place of the oldest. */
void vivgpu_ratios_add(struct vivgpu_ratios *ratios, double amount, double ratio);

#endif
