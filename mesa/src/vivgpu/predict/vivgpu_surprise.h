/* SPDX-License-Identifier: MIT */
/*
 * Surprising values of a history.
 *
 * What is unexpected (vivgpu_series_is_unexpected) may be a change, or an error of one measurement: an
 * interrupt whose handler is late makes one job longer, and the next ones as much shorter. So such a
 * value waits for the next one, and is believed if that is unexpected as well. One that is not believed is
 * replaced by what was expected. A value like the last one that was not believed does not wait: values of
 * a period are like that.
 *
 * Meanwhile the forecast is a mean of the value and of what would have been expected without it, with more
 * weight for what was nearer to the next value after other surprises (vivgpu_advantage_share()).
 */
#ifndef VIVGPU_SURPRISE_H
#define VIVGPU_SURPRISE_H

#include "vivgpu_advantage.h"
#include "vivgpu_series.h"

struct vivgpu_surprise {
   /** A value waits: it is not in the history yet */
   bool waits;
   double value;
   /** Its forecast */
   struct vivgpu_forecast forecast;
   /** The last value that was not believed, negative: none */
   double rejected;
};

void vivgpu_surprise_init(struct vivgpu_surprise *surprise);

/**
 * vivgpu_series_forecast() of a history and the value that waits.
 *
 * @ahead: from the last value on, which is the waiting one if there is one
 * @follow: advantage of the values that waited over what was expected without them
 */
bool vivgpu_surprise_forecast(const struct vivgpu_surprise *surprise,
                              const struct vivgpu_series *series,
                              const struct vivgpu_advantage *follow, uint32_t ahead,
                              struct vivgpu_forecast *forecast);

/**
 * Append a value to a history, or let it wait; the experts of the history learn from it.
 *
 * @missing: values between the last one and this that never came
 * @forecast: of this value; NULL if there was none
 */
void vivgpu_surprise_add(struct vivgpu_surprise *surprise, struct vivgpu_series *series,
                         struct vivgpu_advantage *follow, uint32_t missing,
                         const struct vivgpu_forecast *forecast, double value);

#endif
