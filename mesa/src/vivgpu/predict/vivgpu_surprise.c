/* SPDX-License-Identifier: MIT */
/* Surprising values of a history; see vivgpu_surprise.h. */

#include "vivgpu_surprise.h"

#include <math.h>
#include <string.h>

void
vivgpu_surprise_init(struct vivgpu_surprise *surprise)
{
   memset(surprise, 0, sizeof(*surprise));
   surprise->rejected = -1;
}

bool
vivgpu_surprise_forecast(const struct vivgpu_surprise *surprise, const struct vivgpu_series *series,
                         const struct vivgpu_advantage *follow, uint32_t ahead,
                         struct vivgpu_forecast *forecast)
{
   double share;

   if (!surprise->waits)
      return vivgpu_series_forecast(series, ahead, forecast);
   vivgpu_series_forecast(series, ahead + 1, forecast);
   share = vivgpu_advantage_share(follow);
   forecast->value = share * surprise->value + (1 - share) * forecast->value;
   return true;
}

/* Append what was expected of the next value. */
static void
append_expected(struct vivgpu_series *series)
{
   struct vivgpu_forecast forecast;

   vivgpu_series_forecast(series, 1, &forecast);
   vivgpu_series_add(series, forecast.value);
}

/* Append a value that is believed. */
static void
append(struct vivgpu_series *series, const struct vivgpu_forecast *forecast, double value)
{
   if (forecast)
      vivgpu_series_compare(series, forecast, value);
   vivgpu_series_add(series, value);
}

/*
 * Decide on the value that waits. Returns whether the next one is unexpected as well.
 *
 * @expected: forecast of the next one without the value that waits
 */
static bool
settle(struct vivgpu_surprise *surprise, struct vivgpu_series *series,
       struct vivgpu_advantage *follow, const struct vivgpu_forecast *expected, double value)
{
   bool changed = vivgpu_series_is_unexpected(series, expected, value);

   vivgpu_advantage_compare(follow, surprise->value - value, expected->value - value);
   surprise->waits = false;
   if (changed) {
      append(series, &surprise->forecast, surprise->value);
      return true;
   }
   surprise->rejected = surprise->value;
   append_expected(series);
   return false;
}

/* True if a value is like the last one that was not believed, which then was no error. */
static bool
recurs(const struct vivgpu_surprise *surprise, const struct vivgpu_series *series, double value)
{
   struct vivgpu_forecast rejected = {.value = surprise->rejected};

   return surprise->rejected >= 0 && !vivgpu_series_is_unexpected(series, &rejected, value);
}

void
vivgpu_surprise_add(struct vivgpu_surprise *surprise, struct vivgpu_series *series,
                    struct vivgpu_advantage *follow, uint32_t missing,
                    const struct vivgpu_forecast *forecast, double value)
{
   struct vivgpu_forecast expected;
   bool changed = false;

   if (surprise->waits) {
      vivgpu_series_forecast(series, missing + 2, &expected);
      forecast = &expected;
      changed = settle(surprise, series, follow, &expected, value);
   }
   /* If more than 8 values are missing, none of them is filled in. */
   while (series->count && missing-- && missing < 8)
      append_expected(series);
   if (forecast && !changed && vivgpu_series_is_unexpected(series, forecast, value) &&
       !recurs(surprise, series, value)) {
      surprise->waits = true;
      surprise->value = value;
      surprise->forecast = *forecast;
      return;
   }
   append(series, forecast, value);
}
