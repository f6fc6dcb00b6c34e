/* SPDX-License-Identifier: MIT */
/*
 * The value that at least a third of the observations has: a candidate that equal values confirm
 * and others use up.
 *
 * It tells counts of a job that include a part of a neighbour's, or lack their own: the vertices
 * that were counted are in another ratio to the submitted ones than usually. Of the same commands
 * it is always the same, whatever the core's vertex cache does.
 */
#ifndef VIVGPU_MAJORITY_H
#define VIVGPU_MAJORITY_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/** Count from which on equal values add nothing, so that a changed value is accepted soon */
#define VIVGPU_MAJORITY_LIMIT 16

struct vivgpu_majority {
   double value;
   uint32_t count;
};

/** Observe a value; true if it is the majority's now. */
static inline bool
vivgpu_majority_add(struct vivgpu_majority *majority, double value)
{
   bool same = fabs(value - majority->value) <= 1e-7 * fabs(majority->value);

   if (!majority->count) {
      *majority = (struct vivgpu_majority){.value = value, .count = 1};
      return true;
   }
   /* A third of all values is enough: the others differ from each other. */
   if (same && majority->count < VIVGPU_MAJORITY_LIMIT)
      majority->count += 3;
   else if (!same)
      majority->count--;
   return same;
}

#endif
