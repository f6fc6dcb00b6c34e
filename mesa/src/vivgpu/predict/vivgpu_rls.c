/* SPDX-License-Identifier: MIT */
/* Recursive least squares as a Kalman filter; see vivgpu_rls.h. */

#include "vivgpu_rls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative variance of observations at first, and its smallest value. */
#define FIRST_NOISE    (0.05 * 0.05)
#define SMALLEST_NOISE (2e-4 * 2e-4)
/* Weight of one observation in the noise. */
#define NOISE_WEIGHT 0.02
/* An error of more standard deviations than this is an outlier. */
#define OUTLIER 3.0
/* This many outliers in sequence with the same sign are a change of the costs. */
#define CHANGE 3
/* Standard deviation that is added to coefficients then, relative to their values. */
#define CHANGE_SPREAD 0.3

void
vivgpu_rls_init(struct vivgpu_rls *rls, double drift)
{
   memset(rls, 0, sizeof(*rls));
   rls->noise = FIRST_NOISE;
   rls->drift = drift;
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
vivgpu_rls_variance(const struct vivgpu_rls *rls, const struct vivgpu_gradient *gradients,
                    unsigned count)
{
   double variance = 0;

   for (unsigned i = 0; i < count; i++) {
      const double *row = rls->covariance[gradients[i].index];
      double sum = 0;

      for (unsigned j = 0; j < count; j++)
         sum += row[gradients[j].index] * gradients[j].derivative;
      variance += sum * gradients[i].derivative;
   }
   return variance > 0 ? variance : 0;
}

/* Let the variances of the coefficients in an observation grow. */
static void
walk(struct vivgpu_rls *rls, const struct vivgpu_gradient *gradients, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      struct vivgpu_coefficient *coefficient = &rls->coefficients[gradients[i].index];
      double unit = fmax(coefficient->value, 0.01 * coefficient->prior);
      double step = rls->drift * unit;
      double *variance = &rls->covariance[gradients[i].index][gradients[i].index];
      /* Never wider than the first guess. */
      double limit = 4 * fmax(unit * unit, coefficient->prior * coefficient->prior);

      if (*variance < limit)
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

/* Factor by which the variance of an observation grows because it is an outlier; 1 if it is not. */
static double
outlier_factor(struct vivgpu_rls *rls, double error, double variance)
{
   double deviations = fabs(error) / sqrt(variance);
   int sign = error > 0 ? 1 : -1;

   if (deviations <= OUTLIER) {
      rls->outliers = 0;
      return 1;
   }
   rls->outliers = rls->outliers * sign > 0 ? rls->outliers + sign : sign;
   if (rls->outliers * sign >= CHANGE)
      return 1;
   return deviations / OUTLIER;
}

/* Correct values and covariance; gain is the covariance's product with the gradient. */
static void
correct(struct vivgpu_rls *rls, const double *gain, double error, double variance)
{
   unsigned changed[VIVGPU_RLS_SIZE], count = 0;

   for (unsigned i = 0; i < VIVGPU_RLS_SIZE; i++) {
      if (gain[i] != 0)
         changed[count++] = i;
   }
   for (unsigned a = 0; a < count; a++) {
      unsigned i = changed[a];
      struct vivgpu_coefficient *coefficient = &rls->coefficients[i];

      coefficient->value = fmax(coefficient->value + gain[i] * error / variance, 0);
      for (unsigned b = 0; b < count; b++) {
         unsigned j = changed[b];

         rls->covariance[i][j] -= gain[i] * gain[j] / variance;
      }
      /* Rounding must not make a variance negative. */
      if (rls->covariance[i][i] < 1e-12 * coefficient->prior * coefficient->prior)
         rls->covariance[i][i] = 1e-12 * coefficient->prior * coefficient->prior;
   }
}

void
vivgpu_rls_observe(struct vivgpu_rls *rls, const struct vivgpu_gradient *gradients, unsigned count,
                   double expected, double observed)
{
   double gain[VIVGPU_RLS_SIZE] = {0};
   double error = observed - expected, variance = 0, scale, relative;

   rls->observations++;
   walk(rls, gradients, count);
   for (unsigned i = 0; i < count; i++) {
      const double *row = rls->covariance[gradients[i].index];

      for (unsigned j = 0; j < VIVGPU_RLS_SIZE; j++)
         gain[j] += row[j] * gradients[i].derivative;
   }
   for (unsigned i = 0; i < count; i++)
      variance += gain[gradients[i].index] * gradients[i].derivative;
   scale = fmax(observed, expected);
   if (!(scale > 0))
      return;
   /* What the coefficients' variance does not explain is noise. */
   variance = fmax(variance, 0);
   relative = fmin(fmax(error * error - variance, 0) / (scale * scale), 0.25);
   variance += rls->noise * scale * scale;
   variance *= outlier_factor(rls, error, variance);
   rls->noise = fmax(rls->noise + NOISE_WEIGHT * (relative - rls->noise), SMALLEST_NOISE);
   correct(rls, gain, error, variance);
   if (abs(rls->outliers) >= CHANGE)
      widen(rls, gradients, count);
}
