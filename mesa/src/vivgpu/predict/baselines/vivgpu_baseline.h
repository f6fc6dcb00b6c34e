/* SPDX-License-Identifier: MIT */
/* Common functions of the baselines. */
#ifndef VIVGPU_BASELINE_H
#define VIVGPU_BASELINE_H

#include <string.h>

#include "vivgpu_predictor.h"

/** Fill a prediction that has no parts and no bound; a negative time becomes 0. */
static inline void
vivgpu_baseline_fill(struct vivgpu_prediction *prediction, double ns, double fragments)
{
   memset(prediction, 0, sizeof(*prediction));
   if (ns > 0)
      prediction->time_ns = (uint64_t)((ns < 3.6e12 ? ns : 3.6e12) + 0.5);
   if (fragments > 0)
      prediction->fragments = (uint64_t)((fragments < 1e15 ? fragments : 1e15) + 0.5);
   prediction->parts_ns[VIVGPU_PREDICT_PART_FLUSH] = prediction->time_ns;
}

#endif
