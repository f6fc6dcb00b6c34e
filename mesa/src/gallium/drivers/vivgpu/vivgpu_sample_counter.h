/* SPDX-License-Identifier: MIT */
/*
 * The core's counter of samples that pass the depth and stencil tests. It writes a number of 64
 * bits to memory when a count ends, and counts from zero again after the next start.
 */
#ifndef VIVGPU_SAMPLE_COUNTER_H
#define VIVGPU_SAMPLE_COUNTER_H

#include <stdbool.h>

struct vivgpu_context;

/** Words of a job that starting to count takes at most. */
#define VIVGPU_COUNT_WORDS 4

/**
 * Start to count, for number vivgpu_occlusion.parts of vivgpu_occlusion.bo. There is room for
 * VIVGPU_COUNT_WORDS. False without memory.
 */
bool vivgpu_sample_counter_start(struct vivgpu_context *context);

/**
 * End the count, if there is one. Each job ends with this, and has room for it: see
 * vivgpu_job_reserve().
 */
void vivgpu_sample_counter_stop(struct vivgpu_context *context);

#endif
