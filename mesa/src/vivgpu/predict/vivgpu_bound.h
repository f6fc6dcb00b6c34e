/* SPDX-License-Identifier: MIT */
/*
 * Bound of the relative error of predictions: the largest of the last errors, times a factor that
 * grows with each error outside of the bound and shrinks slowly, so that at most about one error in
 * 150 is outside whatever their distribution (adaptive conformal prediction).
 */
#ifndef VIVGPU_BOUND_H
#define VIVGPU_BOUND_H

#include <stdint.h>

#define VIVGPU_BOUND_ERRORS 128

struct vivgpu_bound {
   /** Relative errors, a ring */
   float errors[VIVGPU_BOUND_ERRORS];
   /** Number of errors so far; less than twice VIVGPU_BOUND_ERRORS: vivgpu_bound_add() */
   uint32_t count;
   /** At least 1 */
   float factor;
   /** Logarithm of the factor of conformal bounds */
   float log_factor;
};

void vivgpu_bound_init(struct vivgpu_bound *bound);

/** The bound of the next relative error; 0 if there were no errors yet. */
double vivgpu_bound_value(const struct vivgpu_bound *bound);

/** Learn a relative error, and whether it was within the bound that was promised. */
void vivgpu_bound_add(struct vivgpu_bound *bound, double error, int within);

/**
 * Errors that a conformal bound of a level (0 to 1) needs: with fewer none of them is large enough.
 * 99 for 0.99; a level needs at most VIVGPU_BOUND_ERRORS, so it is at most 0.9922.
 */
uint32_t vivgpu_bound_needed(double level);

/**
 * The bound of the next relative error at a level, by split conformal prediction: of n errors the
 * one that ceil((n + 1) level) of them do not exceed. If the next error is as likely as any of
 * these to be the largest, it is within with at least this probability. Times a factor that follows
 * the share of errors that were outside, so that over a long time it is 1 - level, however the
 * errors change (adaptive conformal inference). INFINITY if there are not enough errors.
 */
double vivgpu_bound_conformal(const struct vivgpu_bound *bound, double level);

/** Before vivgpu_bound_add(): let the factor of conformal bounds of this level follow an error. */
void vivgpu_bound_follow(struct vivgpu_bound *bound, double error, double level);

#endif
