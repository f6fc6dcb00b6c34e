/* SPDX-License-Identifier: MIT */
/*
 * History of a figure that has one value per frame, and its forecast. Several simple experts
 * forecast; their recent errors decide how much each counts. So a steady figure with noise is
 * averaged, a smooth animation is extrapolated, a periodic one is repeated.
 *
 * After an unexpected value (a cut, a changed scene) extrapolation starts again, while the
 * repeating experts may still use older values.
 */
#ifndef VIVGPU_SERIES_H
#define VIVGPU_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum vivgpu_expert {
   /** The last value */
   VIVGPU_EXPERT_LAST,
   /** Mean of the values since the last unexpected one: of about the last 32, and of all */
   VIVGPU_EXPERT_MEAN,
   VIVGPU_EXPERT_LONG_MEAN,
   /** Median of the last three values: not misled by a single outlier */
   VIVGPU_EXPERT_MEDIAN,
   /** Straight line and parabola through the last values */
   VIVGPU_EXPERT_LINE,
   VIVGPU_EXPERT_PARABOLA,
   /** Straight line and parabola of least squares through the last 8 values, and through more */
   VIVGPU_EXPERT_TREND,
   VIVGPU_EXPERT_CURVE,
   VIVGPU_EXPERT_LONG_TREND,
   VIVGPU_EXPERT_LONG_CURVE,
   /** Autoregression: the next difference from the last four */
   VIVGPU_EXPERT_REGRESSION,
   /** The value one period before; the last value, changed as it changed one period before */
   VIVGPU_EXPERT_PERIOD,
   VIVGPU_EXPERT_PERIOD_OFFSET,
   VIVGPU_EXPERTS,
};

#define VIVGPU_REGRESSION_ORDER 4

/** Forecasts of one value: one of each expert, NaN if it has none, and of all together */
struct vivgpu_forecast {
   double experts[VIVGPU_EXPERTS];
   double value;
   /** Expected absolute error; negative if no forecast was compared yet */
   double error;
};

struct vivgpu_series {
   /** The last values, the newest last; room for twice @capacity */
   float *values;
   /** For each lag: weighted sum of |value - value that many before| */
   float *lag_errors;
   uint32_t capacity;
   /** Number of values in @values */
   uint32_t count;
   /** Number of values since the last unexpected one, which is included */
   uint32_t steady;
   /** Lag that repeats best; 0 if unknown */
   uint32_t period;
   double mean, long_mean;
   /** Mean square errors of the experts, and whether they are known */
   double squares[VIVGPU_EXPERTS];
   bool compared[VIVGPU_EXPERTS];
   /** Mean absolute error of the common forecast, limited to what is not unexpected */
   double error;
   /** Number of errors in it */
   uint32_t errors;
   /** Autoregression: weights and inverse correlation */
   double weights[VIVGPU_REGRESSION_ORDER];
   double inverse[VIVGPU_REGRESSION_ORDER][VIVGPU_REGRESSION_ORDER];
};

/** Bytes of memory that a series of this capacity needs for vivgpu_series_init() */
size_t vivgpu_series_bytes(uint32_t capacity);

/** Begin without values; @memory, of vivgpu_series_bytes(), belongs to the series from now on. */
void vivgpu_series_init(struct vivgpu_series *series, uint32_t capacity, void *memory);

/** Remove all values. */
void vivgpu_series_clear(struct vivgpu_series *series);

/**
 * Forecast the value @ahead after the last one: 1 is the next. False if there are no values.
 */
bool vivgpu_series_forecast(const struct vivgpu_series *series, uint32_t ahead,
                            struct vivgpu_forecast *forecast);

/** True if a value differs from its forecast by far more than usual. */
bool vivgpu_series_is_unexpected(const struct vivgpu_series *series,
                                 const struct vivgpu_forecast *forecast, double value);

/** Learn which experts were right, before vivgpu_series_add() of the value. */
void vivgpu_series_compare(struct vivgpu_series *series, const struct vivgpu_forecast *forecast,
                           double value);

/** Append a value. */
void vivgpu_series_add(struct vivgpu_series *series, double value);

#endif
