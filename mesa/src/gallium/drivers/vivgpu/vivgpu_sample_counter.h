/* SPDX-License-Identifier: MIT */
/*
 * The core's counter of samples that pass the depth and stencil tests. When a count is stopped, the
 * core writes it to memory as a 64-bit number; the next one starts at 0.
 */
#ifndef VIVGPU_SAMPLE_COUNTER_H
#define VIVGPU_SAMPLE_COUNTER_H

#include <stdbool.h>

struct vivgpu_context;

/** Limit of the words to start a count */
#define VIVGPU_COUNT_WORDS 4

/**
 * Start a count, which is stored as entry vivgpu_occlusion.parts of vivgpu_occlusion.bo. The caller
 * has reserved VIVGPU_COUNT_WORDS. Returns false if memory is short.
 */
bool vivgpu_sample_counter_start(struct vivgpu_context *context);

/**
 * Stop the count, if one was started. Called at the end of each job; vivgpu_job_reserve() keeps
 * space for it.
 */
void vivgpu_sample_counter_stop(struct vivgpu_context *context);

#endif
