/* SPDX-License-Identifier: MIT */
/* Common functions of the baselines. */
#ifndef VIVGPU_BASELINE_H
#define VIVGPU_BASELINE_H

#include <string.h>

#include "vivgpu_predictor.h"

/** Fill a prediction without bound, whose only part is the flush; a negative time becomes 0. */
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

/**
 * True if the counts of a result can be its group's, and not those of two groups or of another one.
 */
static inline bool
vivgpu_baseline_counted(const struct vivgpu_group *group, const struct vivgpu_group_result *result)
{
   return (result->flags & VIVGPU_RESULT_COUNTS) && vivgpu_counts_are_possible(group, result);
}

#endif
