/* SPDX-License-Identifier: MIT */
/*
 * Recursive estimation of coefficients: y = f(coefficients) is observed, one y after the other,
 * and only few coefficients matter for each. This is recursive least squares in the form of a
 * Kalman filter. It is
 *
 * - regularised: a coefficient begins with a prior value and a standard deviation;
 * - forgetful: before each observation the variances of the coefficients in it grow by a random
 *   walk, so that old observations count less, and coefficients that are not in use keep theirs;
 * - non-negative: values below 0 are set to 0;
 * - robust: an observation far outside of its expected deviation counts less, unless it is at least
 *   the third one in sequence with the same sign.
 *
 * The number of coefficients is fixed; a new one replaces the one that was unused for longest.
 */
#ifndef VIVGPU_RLS_H
#define VIVGPU_RLS_H

#include <stdbool.h>
#include <stdint.h>

/** Coefficients; kinds of observations, distinguished by a hash of the coefficients in them */
#define VIVGPU_RLS_SIZE  128
#define VIVGPU_RLS_KINDS 32

struct vivgpu_coefficient {
   double value;
   /** Value at its creation: the unit of the random walk if the value becomes 0 */
   double prior;
   /** Number of the observation that used it last */
   uint64_t used;
   /** Number of observations that used it */
   uint32_t observations;
};

struct vivgpu_rls {
   /** Keys of the coefficients; 0: unused */
   uint64_t keys[VIVGPU_RLS_SIZE];
   struct vivgpu_coefficient coefficients[VIVGPU_RLS_SIZE];
   double covariance[VIVGPU_RLS_SIZE][VIVGPU_RLS_SIZE];
   /** Number of observations */
   uint64_t observations;
   /**
    * Relative variances of observations about their expectation, and numbers of observations, by
    * kind: a model may describe one kind well and another badly.
    */
   double noises[VIVGPU_RLS_KINDS];
   uint32_t observed[VIVGPU_RLS_KINDS];
   /** As how many observations the noise that is assumed at first counts */
   double first;
   /** Standard deviation of the random walk in one observation, relative to the value */
   double drift;
   /**
    * Number of outliers in sequence, positive or negative as their errors, by kind: one may be
    * wrong each time while others are right.
    */
   int outliers[VIVGPU_RLS_KINDS];
   /** The last observation is an outlier, and not yet one of a change */
   bool is_outlier;
};

/** A coefficient in an observation: its index and the derivative of y by it */
struct vivgpu_gradient {
   unsigned index;
   double derivative;
};

/**
 * Begin without coefficients.
 *
 * @drift: standard deviation of the random walk in one observation, relative to the value
 * @first: as how many observations the noise that is assumed at first counts
 */
void vivgpu_rls_init(struct vivgpu_rls *rls, double drift, double first);

/** Index of the coefficient with a key, or -1 */
int vivgpu_rls_find(const struct vivgpu_rls *rls, uint64_t key);

/**
 * Index of the coefficient with a key, which is created if necessary.
 *
 * @prior: initial value, more than 0
 * @spread: its standard deviation, relative to @prior
 */
unsigned vivgpu_rls_add(struct vivgpu_rls *rls, uint64_t key, double prior, double spread);

/**
 * The variance up to which a coefficient becomes uncertain while nothing is observed: a deviation of
 * twice the value or the prior, whichever is larger
 */
double vivgpu_rls_limit(const struct vivgpu_coefficient *coefficient);

/** Variance of the expectation of y, by the coefficients' covariance; without the noise */
double vivgpu_rls_variance(const struct vivgpu_rls *rls, const struct vivgpu_gradient *gradients,
                           unsigned count);

/**
 * Learn from an observation.
 *
 * @gradients: @count coefficients in it, each index once
 * @expected: f(coefficients)
 * @observed: y
 * @doubt: standard deviation of what is known to be uncertain in y, beside its noise
 */
void vivgpu_rls_observe(struct vivgpu_rls *rls, const struct vivgpu_gradient *gradients,
                        unsigned count, double expected, double observed, double doubt);

#endif
