/* SPDX-License-Identifier: MIT */
/* Histories and forecasts; see vivgpu_series.h. */

#include "vivgpu_series.h"

#include <math.h>
#include <string.h>

#define ORDER VIVGPU_REGRESSION_ORDER

#define MEAN_VALUES 32
/* Numbers of values for least squares: trend and curve, long trend, long curve */
#define FIT        8
#define LONG_TREND 14
#define LONG_CURVE 20
/*
 * Weight of the newest error in the experts' mean squares: a mean over a quarter of the values
 * since the last unexpected one, between these. The longer nothing changes, the less does chance
 * decide. The first one is also the least weight in the mean error of the common forecast.
 */
#define SQUARE_WEIGHT_FIRST 0.1
#define SQUARE_WEIGHT_LAST  0.03
#define SQUARE_SHARE        0.25
/* How much the best expert is preferred. */
#define SHARPNESS 6.0
/*
 * Factor of the mean squares of experts that follow changes: they follow the noise of a steady
 * figure, too.
 */
#define CHASING 1.1
/* The largest square of an error that counts, in squares of the mean error of all */
#define LARGEST_MISS 16
/* Square of the relative error that all are taken to have: steps of the clock. */
#define FLOOR 4e-8
/*
 * A value is unexpected if its error is this many times the mean one, and this share of the value.
 */
#define UNEXPECTED       6.0
#define UNEXPECTED_SHARE 0.01
/* Weight of earlier errors of a lag */
#define LAG_DECAY 0.95f
/* Comparisons that a lag needs before it can be the period. */
#define LAG_COMPARISONS 12
/* Weight of earlier differences in the autoregression */
#define REGRESSION_DECAY 0.98

size_t
vivgpu_series_bytes(uint32_t capacity)
{
   /* Twice the values, and the errors of all lags */
   return (2 * (size_t)capacity + capacity) * sizeof(float);
}

void
vivgpu_series_init(struct vivgpu_series *series, uint32_t capacity, void *memory)
{
   series->values = memory;
   series->lag_errors = series->values + 2 * (size_t)capacity;
   series->capacity = capacity;
   vivgpu_series_clear(series);
}

void
vivgpu_series_clear(struct vivgpu_series *series)
{
   float *values = series->values, *lag_errors = series->lag_errors;
   uint32_t capacity = series->capacity;

   memset(series, 0, sizeof(*series));
   memset(lag_errors, 0, capacity * sizeof(*lag_errors));
   series->values = values;
   series->lag_errors = lag_errors;
   series->capacity = capacity;
   /* At first the next difference is expected to be like the last one. */
   series->weights[0] = 1;
   for (unsigned i = 0; i < ORDER; i++)
      series->inverse[i][i] = 1;
}

/* The value @ago before the last one, less than the number of values: 0 is the last one. */
static double
past(const struct vivgpu_series *series, uint32_t ago)
{
   return series->values[series->count - 1 - ago];
}

/* Median of the last three values, of at least three */
static double
median(const struct vivgpu_series *series)
{
   double a = past(series, 0), b = past(series, 1), c = past(series, 2);

   return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/*
 * Fit orthogonal polynomials 1, x, x² - (n² - 1) / 12 to the last n values, which are at x = -(n -
 * 1) / 2 to (n - 1) / 2. The sums of their squares are n, n (n² - 1) / 12 and n (n² - 1) (n² - 4) /
 * 180.
 */
static void
fit(const struct vivgpu_series *series, unsigned values, double ahead, double *trend, double *curve)
{
   double n = values, offset = (n * n - 1) / 12, at = (n - 1) / 2 + ahead;
   double constant = 0, linear = 0, square = 0;

   for (unsigned i = 0; i < values; i++) {
      double x = (n - 1) / 2 - i, value = past(series, i);

      constant += value;
      linear += value * x;
      square += value * (x * x - offset);
   }
   *trend = constant / n + linear / (n * offset) * at;
   *curve = *trend + square / (n * offset * (n * n - 4) / 15) * (at * at - offset);
}

/* Extrapolate differences by the autoregression. */
static double
regress(const struct vivgpu_series *series, uint32_t ahead)
{
   double differences[ORDER], value = past(series, 0);

   for (unsigned i = 0; i < ORDER; i++)
      differences[i] = past(series, i) - past(series, i + 1);
   while (ahead--) {
      double next = 0;

      for (unsigned i = 0; i < ORDER; i++)
         next += series->weights[i] * differences[i];
      memmove(&differences[1], &differences[0], sizeof(differences) - sizeof(differences[0]));
      differences[0] = next;
      value += next;
   }
   return value;
}

/*
 * Forecasts by the period, if one is known: the value a whole number of periods before, and the
 * last value changed as it changed then.
 */
static void
repeat(const struct vivgpu_series *series, uint32_t ahead, double *experts)
{
   uint32_t period = series->period, ago;

   if (!period)
      return;
   ago = (ahead + period - 1) / period * period - ahead;
   if (ago < series->count)
      experts[VIVGPU_EXPERT_PERIOD] = past(series, ago);
   ago = (ahead + period - 1) / period * period;
   if (ago < series->count)
      experts[VIVGPU_EXPERT_PERIOD_OFFSET] =
         past(series, 0) + past(series, ago - ahead) - past(series, ago);
}

/*
 * The experts' mean squares as they are compared, infinite where an expert has no forecast; returns
 * the smallest.
 */
static double
compared_squares(const struct vivgpu_series *series, const double *experts, double *squares)
{
   double floor = FLOOR * past(series, 0) * past(series, 0) + 1e-30, smallest = INFINITY;

   for (unsigned i = 0; i < VIVGPU_EXPERTS; i++) {
      double factor = i == VIVGPU_EXPERT_MEAN || i == VIVGPU_EXPERT_LONG_MEAN ? 1 : CHASING;

      squares[i] = INFINITY;
      if (isnan(experts[i]) || !series->compared[i])
         continue;
      squares[i] = factor * series->squares[i] + floor;
      smallest = fmin(smallest, squares[i]);
   }
   return smallest;
}

/*
 * The experts' common value. The best one counts 1, others the less the larger their mean squares
 * are: e^-SHARPNESS for twice the square. All have the figure's own noise in their squares, so a
 * small difference says much.
 */
static double
combine(const struct vivgpu_series *series, const double *experts)
{
   double squares[VIVGPU_EXPERTS], sum = 0, weights = 0, smallest;

   /* After an unexpected value the learnt weights are not used. */
   if (series->steady == 1)
      return experts[VIVGPU_EXPERT_LAST];
   smallest = compared_squares(series, experts, squares);
   for (unsigned i = 0; i < VIVGPU_EXPERTS; i++) {
      double weight;

      if (isinf(squares[i]))
         continue;
      weight = exp(SHARPNESS * (1 - squares[i] / smallest));
      weights += weight;
      sum += weight * experts[i];
   }
   return weights > 0 ? sum / weights : experts[VIVGPU_EXPERT_LAST];
}

/*
 * Keep a forecast in the range of the recent values and the one a period before, widened by half of
 * its width and a tenth of its largest value.
 */
static double
limit(const struct vivgpu_series *series, double value)
{
   double low = past(series, 0), high = low, margin;

   for (uint32_t i = 1; i < series->steady && i < MEAN_VALUES; i++) {
      low = fmin(low, past(series, i));
      high = fmax(high, past(series, i));
   }
   if (series->period) {
      double repeated = past(series, series->period - 1);

      low = fmin(low, repeated);
      high = fmax(high, repeated);
   }
   margin = 0.5 * (high - low) + 0.1 * high;
   return fmax(fmin(value, high + margin), fmax(low - margin, 0));
}

bool
vivgpu_series_forecast(const struct vivgpu_series *series, uint32_t ahead,
                       struct vivgpu_forecast *forecast)
{
   double *experts = forecast->experts, unused;
   uint32_t steady = series->steady;

   for (unsigned i = 0; i < VIVGPU_EXPERTS; i++)
      experts[i] = NAN;
   forecast->value = 0;
   forecast->error = series->errors ? series->error : -1;
   if (!series->count)
      return false;

   experts[VIVGPU_EXPERT_LAST] = past(series, 0);
   experts[VIVGPU_EXPERT_MEAN] = series->mean;
   experts[VIVGPU_EXPERT_LONG_MEAN] = series->long_mean;
   if (series->count >= 3)
      experts[VIVGPU_EXPERT_MEDIAN] = median(series);
   if (steady >= 2)
      experts[VIVGPU_EXPERT_LINE] = past(series, 0) + ahead * (past(series, 0) - past(series, 1));
   if (steady >= 3)
      experts[VIVGPU_EXPERT_PARABOLA] =
         experts[VIVGPU_EXPERT_LINE] +
         0.5 * ahead * (ahead + 1.0) * (past(series, 0) - 2 * past(series, 1) + past(series, 2));
   if (steady >= FIT)
      fit(series, FIT, ahead, &experts[VIVGPU_EXPERT_TREND], &experts[VIVGPU_EXPERT_CURVE]);
   if (steady >= LONG_TREND)
      fit(series, LONG_TREND, ahead, &experts[VIVGPU_EXPERT_LONG_TREND], &unused);
   if (steady >= LONG_CURVE)
      fit(series, LONG_CURVE, ahead, &unused, &experts[VIVGPU_EXPERT_LONG_CURVE]);
   /* From ORDER differences; further ahead its eighth value is taken. */
   if (steady > ORDER)
      experts[VIVGPU_EXPERT_REGRESSION] = regress(series, ahead < 8 ? ahead : 8);
   repeat(series, ahead, experts);
   forecast->value = limit(series, combine(series, experts));
   return true;
}

/* The best expert's square; negative if none was compared yet */
static double
best_square(const struct vivgpu_series *series)
{
   double smallest = INFINITY;

   for (unsigned i = 0; i < VIVGPU_EXPERTS; i++) {
      if (series->compared[i] && series->squares[i] < smallest)
         smallest = series->squares[i];
   }
   return isinf(smallest) ? -1 : smallest;
}

/* Learn which experts were right; @error: of the common forecast */
static void
compare_experts(struct vivgpu_series *series, const struct vivgpu_forecast *forecast, double value,
                double error)
{
   /* One unexpected value does not decide who is right. */
   double largest = LARGEST_MISS * series->error * series->error;
   double best = best_square(series), weight = 1 / fmax(SQUARE_SHARE * series->steady, 1);

   weight = fmin(fmax(weight, SQUARE_WEIGHT_LAST), SQUARE_WEIGHT_FIRST);
   for (unsigned i = 0; i < VIVGPU_EXPERTS; i++) {
      double miss = forecast->experts[i] - value;

      if (isnan(miss))
         continue;
      miss = miss * miss < largest ? miss * miss : largest;
      /* One lucky forecast proves little: a new expert begins with the best one's square. */
      if (!series->compared[i])
         series->squares[i] = best >= 0 ? best : 0.5 * (miss + error * error);
      series->squares[i] += weight * (miss - series->squares[i]);
      series->compared[i] = true;
   }
}

/* The largest error of a forecast at which the value is not unexpected */
static double
largest_usual_error(const struct vivgpu_series *series, double value)
{
   return fmax(UNEXPECTED * series->error, UNEXPECTED_SHARE * value);
}

bool
vivgpu_series_is_unexpected(const struct vivgpu_series *series,
                            const struct vivgpu_forecast *forecast, double value)
{
   return series->errors &&
          fabs(value - forecast->value) > largest_usual_error(series, value);
}

void
vivgpu_series_compare(struct vivgpu_series *series, const struct vivgpu_forecast *forecast,
                      double value)
{
   double error = fabs(value - forecast->value), n = series->errors;

   if (!series->count || isnan(forecast->experts[VIVGPU_EXPERT_LAST]))
      return;
   if (vivgpu_series_is_unexpected(series, forecast, value)) {
      series->steady = 0;
      error = largest_usual_error(series, value);
   }
   series->errors++;
   series->error += fmax(SQUARE_WEIGHT_FIRST, 1 / (n + 1)) * (error - series->error);
   compare_experts(series, forecast, value, error);
}

/*
 * Learn the weights of the autoregression from the newest difference, in units of the largest of
 * the ORDER before it. Nothing is learnt if these are as small as rounding, or from a jump.
 */
static void
learn_regression(struct vivgpu_series *series)
{
   double x[ORDER], gain[ORDER], unit = 0, error = past(series, 0) - past(series, 1), scale = 1;

   for (unsigned i = 0; i < ORDER; i++) {
      x[i] = past(series, i + 1) - past(series, i + 2);
      unit = fmax(unit, fabs(x[i]));
   }
   if (!(unit > 1e-7 * fabs(past(series, 0))) || fabs(error) > 8 * unit)
      return;
   error /= unit;
   for (unsigned i = 0; i < ORDER; i++) {
      x[i] /= unit;
      error -= series->weights[i] * x[i];
   }
   for (unsigned i = 0; i < ORDER; i++) {
      gain[i] = 0;
      for (unsigned j = 0; j < ORDER; j++)
         gain[i] += series->inverse[i][j] * x[j];
      scale += gain[i] * x[i];
   }
   for (unsigned i = 0; i < ORDER; i++) {
      series->weights[i] += gain[i] * error / scale;
      for (unsigned j = 0; j < ORDER; j++)
         series->inverse[i][j] -= gain[i] * gain[j] / scale;
   }
   /* Forget, but stay regularised: a variance does not pass that of the beginning. */
   for (unsigned i = 0; i < ORDER; i++) {
      if (series->inverse[i][i] > 1)
         return;
   }
   for (unsigned i = 0; i < ORDER; i++) {
      for (unsigned j = 0; j < ORDER; j++)
         series->inverse[i][j] /= REGRESSION_DECAY;
   }
}

/* Update the errors of all lags by the newest value, and find the best; the shortest of equals. */
static void
learn_period(struct vivgpu_series *series)
{
   uint32_t lags = series->count - 1 < series->capacity ? series->count - 1 : series->capacity - 1;
   const float *newest = &series->values[series->count - 1];
   float *errors = series->lag_errors, best;

   for (uint32_t lag = 1; lag <= lags; lag++)
      errors[lag] = LAG_DECAY * errors[lag] + fabsf(*newest - newest[-(ptrdiff_t)lag]);
   series->period = 0;
   if (lags <= LAG_COMPARISONS)
      return;
   best = INFINITY;
   for (uint32_t lag = 1; lag <= lags - LAG_COMPARISONS; lag++) {
      if (errors[lag] < best) {
         best = errors[lag];
         series->period = lag;
      }
   }
}

void
vivgpu_series_add(struct vivgpu_series *series, double value)
{
   uint32_t values;

   if (series->count == 2 * series->capacity) {
      memmove(series->values, series->values + series->capacity,
              series->capacity * sizeof(*series->values));
      series->count = series->capacity;
   }
   series->values[series->count++] = (float)value;
   series->steady++;
   values = series->steady < MEAN_VALUES ? series->steady : MEAN_VALUES;
   series->mean += (value - series->mean) / values;
   series->long_mean += (value - series->long_mean) / series->steady;
   /* It looks at ORDER + 2 values. */
   if (series->steady > ORDER + 1)
      learn_regression(series);
   learn_period(series);
}
