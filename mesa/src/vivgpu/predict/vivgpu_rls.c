/* SPDX-License-Identifier: MIT */
/* Recursive least squares as a Kalman filter; see vivgpu_rls.h. */

#include "vivgpu_rls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative variance of observations at first, and its smallest value. */
#define FIRST_NOISE    (0.04 * 0.04)
#define SMALLEST_NOISE (2e-4 * 2e-4)
/* Smallest weight of one observation in the noise. */
#define NOISE_WEIGHT 0.02
/* An error of more standard deviations than this is an outlier. */
#define OUTLIER 3.0
/* This many outliers in sequence with the same sign are a change of the costs. */
#define CHANGE 3
/* Standard deviation that is added to coefficients then, relative to their values. */
#define CHANGE_SPREAD 0.3

void
vivgpu_rls_init(struct vivgpu_rls *rls, double drift, double first)
{
   memset(rls, 0, sizeof(*rls));
   for (unsigned i = 0; i < VIVGPU_RLS_KINDS; i++)
      rls->noises[i] = FIRST_NOISE;
   rls->drift = drift;
   rls->first = first;
}

int
vivgpu_rls_find(const struct vivgpu_rls *rls, uint64_t key)
{
   for (unsigned i = 0; i < VIVGPU_RLS_SIZE; i++) {
      if (rls->keys[i] == key)
         return (int)i;
   }
   return -1;
}

/* A coefficient to create a new one in: unused, or unused for longest. */
static unsigned
replaceable(const struct vivgpu_rls *rls)
{
   unsigned best = 0;

   for (unsigned i = 0; i < VIVGPU_RLS_SIZE; i++) {
      if (!rls->keys[i])
         return i;
      if (rls->coefficients[i].used < rls->coefficients[best].used)
         best = i;
   }
   return best;
}

unsigned
vivgpu_rls_add(struct vivgpu_rls *rls, uint64_t key, double prior, double spread)
{
   int found = vivgpu_rls_find(rls, key);
   unsigned index;

   if (found >= 0)
      return (unsigned)found;
   index = replaceable(rls);
   for (unsigned i = 0; i < VIVGPU_RLS_SIZE; i++)
      rls->covariance[index][i] = rls->covariance[i][index] = 0;
   rls->covariance[index][index] = (prior * spread) * (prior * spread);
   rls->keys[index] = key;
   rls->coefficients[index] = (struct vivgpu_coefficient){
      .value = prior,
      .prior = prior,
      .used = rls->observations + 1,
   };
   return index;
}

double
vivgpu_rls_limit(const struct vivgpu_coefficient *coefficient)
{
   double largest = fmax(coefficient->value, coefficient->prior);

   return 4 * largest * largest;
}

double
vivgpu_rls_variance(const struct vivgpu_rls *rls, const struct vivgpu_gradient *gradients,
                    unsigned count)
{
   double variance = 0;

   /* The covariance is symmetric: each pair counts twice. */
   for (unsigned i = 0; i < count; i++) {
      const double *row = rls->covariance[gradients[i].index];
      double sum = 0.5 * row[gradients[i].index] * gradients[i].derivative;

      for (unsigned j = 0; j < i; j++)
         sum += row[gradients[j].index] * gradients[j].derivative;
      variance += 2 * sum * gradients[i].derivative;
   }
   return variance > 0 ? variance : 0;
}

/* Let the variances of the coefficients in an observation grow, and count their use. */
static void
walk(struct vivgpu_rls *rls, const struct vivgpu_gradient *gradients, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      struct vivgpu_coefficient *coefficient = &rls->coefficients[gradients[i].index];
      double step = rls->drift * fmax(coefficient->value, 0.01 * coefficient->prior);
      double *variance = &rls->covariance[gradients[i].index][gradients[i].index];

      if (*variance < vivgpu_rls_limit(coefficient))
         *variance += step * step;
      coefficient->used = rls->observations;
      coefficient->observations++;
   }
}

/* The costs have changed: let the coefficients find new values quickly. */
static void
widen(struct vivgpu_rls *rls, const struct vivgpu_gradient *gradients, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      unsigned index = gradients[i].index;
      double step = CHANGE_SPREAD * rls->coefficients[index].value;

      rls->covariance[index][index] += step * step;
   }
}

/* The kind of observations with these coefficients: a hash, so others may have the same */
static unsigned
kind_of(const struct vivgpu_gradient *gradients, unsigned count)
{
   unsigned sum = count;

   for (unsigned i = 0; i < count; i++)
      sum = sum * 31 + gradients[i].index;
   return sum % VIVGPU_RLS_KINDS;
}

/* Learn the noise of a kind from the relative square of an error that nothing else explains. */
static void
learn_noise(struct vivgpu_rls *rls, unsigned kind, double square)
{
   double weight = fmax(NOISE_WEIGHT, 1 / (++rls->observed[kind] + rls->first));

   rls->noises[kind] =
      fmax(rls->noises[kind] + weight * (square - rls->noises[kind]), SMALLEST_NOISE);
}

/*
 * Count an outlier. Returns the factor by which the variance of the observation grows because it is
 * one; 1 if it is not, or is one of a change.
 */
static double
outlier_factor(int *outliers, double error, double variance)
{
   double deviations = fabs(error) / sqrt(variance);
   int sign = error > 0 ? 1 : -1;

   if (deviations <= OUTLIER) {
      *outliers = 0;
      return 1;
   }
   *outliers = *outliers * sign > 0 ? *outliers + sign : sign;
   if (*outliers * sign >= CHANGE)
      return 1;
   return deviations / OUTLIER;
}

/* Number of coefficients from the first to the last one in use. */
static unsigned
size_of(const struct vivgpu_rls *rls)
{
   unsigned size = VIVGPU_RLS_SIZE;

   while (size && !rls->keys[size - 1])
      size--;
   return size;
}

/* Correct values and covariance; gain is the covariance's product with the gradient. */
static void
correct(struct vivgpu_rls *rls, const double *gain, unsigned size, double error, double variance)
{
   double inverse = 1 / variance;

   for (unsigned i = 0; i < size; i++) {
      struct vivgpu_coefficient *coefficient = &rls->coefficients[i];
      double *row = rls->covariance[i];

      if (gain[i] == 0)
         continue;
      coefficient->value = fmax(coefficient->value + gain[i] * error / variance, 0);
      /* The order of the products keeps the covariance symmetric. */
      for (unsigned j = 0; j < size; j++)
         row[j] -= gain[i] * gain[j] * inverse;
      /* Rounding must not make a variance negative. */
      row[i] = fmax(row[i], 1e-12 * coefficient->prior * coefficient->prior);
   }
}

/*
 * Gain of an observation, the covariance's product with the gradient, without coefficients that are
 * held. Returns its variance.
 */
static double
gain_of(const struct vivgpu_rls *rls, const struct vivgpu_gradient *gradients, unsigned count,
        unsigned size, const bool *held, double *gain)
{
   double variance = 0;

   memset(gain, 0, VIVGPU_RLS_SIZE * sizeof(*gain));
   for (unsigned i = 0; i < count; i++) {
      const double *row = rls->covariance[gradients[i].index];

      if (held[gradients[i].index])
         continue;
      for (unsigned j = 0; j < size; j++)
         gain[j] += row[j] * gradients[i].derivative;
   }
   for (unsigned i = 0; i < count; i++)
      variance += gain[gradients[i].index] * gradients[i].derivative;
   return fmax(variance, 0);
}

/*
 * Coefficients that would become negative are 0, and not correlated with others any more: the
 * others have to explain the observation. Only to cut them off would leave their variances too
 * small, and what they cannot explain would never be learnt. Returns how many there are.
 *
 * @factor: coefficients change by their gain times this
 * @held: set for each of these coefficients
 * @error: grows by what they contributed to the expectation
 */
static unsigned
hold_at_zero(struct vivgpu_rls *rls, const struct vivgpu_gradient *gradients, unsigned count,
             unsigned size, const double *gain, double factor, bool *held, double *error)
{
   unsigned number = 0;

   for (unsigned i = 0; i < size; i++) {
      double variance = rls->covariance[i][i];

      held[i] = gain[i] * factor < 0 && rls->coefficients[i].value + gain[i] * factor <= 0;
      if (!held[i])
         continue;
      for (unsigned j = 0; j < size; j++)
         rls->covariance[i][j] = rls->covariance[j][i] = 0;
      rls->covariance[i][i] = variance;
      number++;
   }
   for (unsigned i = 0; number && i < count; i++) {
      struct vivgpu_coefficient *coefficient = &rls->coefficients[gradients[i].index];

      if (held[gradients[i].index])
         *error += coefficient->value * gradients[i].derivative;
   }
   for (unsigned i = 0; number && i < size; i++) {
      if (held[i])
         rls->coefficients[i].value = 0;
   }
   return number;
}

void
vivgpu_rls_observe(struct vivgpu_rls *rls, const struct vivgpu_gradient *gradients, unsigned count,
                   double expected, double observed, double doubt)
{
   double gain[VIVGPU_RLS_SIZE], scale = fmax(observed, expected);
   double error = observed - expected, variance, relative, noise, factor;
   bool held[VIVGPU_RLS_SIZE] = {false};
   unsigned size = size_of(rls), kind = kind_of(gradients, count);
   int *outliers = &rls->outliers[kind];

   rls->observations++;
   rls->is_outlier = false;
   walk(rls, gradients, count);
   variance = gain_of(rls, gradients, count, size, held, gain);
   if (!(scale > 0))
      return;
   doubt *= doubt; /* a variance from here on */
   /* The part of the squared error that the coefficients' variance does not explain is noise. */
   relative = fmin(fmax(error * error - variance - doubt, 0) / (scale * scale), 0.25);
   noise = rls->noises[kind] * scale * scale + doubt;
   factor = outlier_factor(outliers, error, variance + noise);
   rls->is_outlier = factor > 1;
   /* Once the noise is known, an outlier counts less for it as well. */
   if (rls->observed[kind] >= 1 / NOISE_WEIGHT)
      relative /= factor;
   learn_noise(rls, kind, relative);
   if (hold_at_zero(rls, gradients, count, size, gain, error / ((variance + noise) * factor), held,
                    &error))
      variance = gain_of(rls, gradients, count, size, held, gain);
   correct(rls, gain, size, error, (variance + noise) * factor);
   if (abs(*outliers) >= CHANGE)
      widen(rls, gradients, count);
}
