/* SPDX-License-Identifier: MIT */
/*
 * Measurement without the core's interrupts and timestamps (thesis 2.2): the times that these
 * methods would have found for groups of which submission and end are known. All times are in ns.
 */
#ifndef VIVGPU_MEASURE_H
#define VIVGPU_MEASURE_H

#include <stdint.h>

/** A group; groups are passed in the order in which they end */
struct vivgpu_measured_group {
   uint64_t submitted_ns, finished_ns;
   /** Set to what the method finds; what the group took, not used here but for comparison */
   double ns, true_ns;
};

/**
 * By polling a register that each group increments (Bautin and others, 2008): a thread looks every
 * @period ns. All groups that have ended since it last looked share the time evenly: since the last
 * look that found one, or since the submission of the first of them if that was later.
 */
void vivgpu_measure_polling(struct vivgpu_measured_group *groups, unsigned count, uint64_t period);

/**
 * By glFinish behind each group (Johnsson and Akenine-Möller, 2014): from the submission, or from
 * the return of the last glFinish if that was later, until glFinish returns, @latency ns after the
 * group has ended.
 */
void vivgpu_measure_finish(struct vivgpu_measured_group *groups, unsigned count, uint64_t latency);

#endif
