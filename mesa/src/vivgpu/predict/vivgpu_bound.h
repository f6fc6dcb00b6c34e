/* SPDX-License-Identifier: MIT */
/*
 * Bound of the relative error of predictions: the largest of the last errors, times a factor that
 * grows with each error outside of the bound and shrinks slowly, so that about one error in 150 is
 * outside whatever their distribution (adaptive conformal prediction).
 */
#ifndef VIVGPU_BOUND_H
#define VIVGPU_BOUND_H

#include <stdint.h>

#define VIVGPU_BOUND_ERRORS 128

struct vivgpu_bound {
   /** Relative errors, a ring */
   float errors[VIVGPU_BOUND_ERRORS];
   /** Number of errors so far */
   uint32_t count;
   /** 1 to 8 */
   float factor;
};

void vivgpu_bound_init(struct vivgpu_bound *bound);

/** The bound of the next relative error; 0 if there were no errors yet. */
double vivgpu_bound_value(const struct vivgpu_bound *bound);

/** Learn a relative error, and whether it was within the bound that was promised. */
void vivgpu_bound_add(struct vivgpu_bound *bound, double error, int within);

#endif
