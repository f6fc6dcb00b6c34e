/* SPDX-License-Identifier: MIT */
/*
 * Alpha to coverage and alpha to one, which the core does not have. For alpha to coverage a draw
 * is repeated once for each sample with a sample mask of that sample, and the fragment shader
 * discards fragments whose alpha is too small for it. For alpha to one the shader writes 1.
 */
#ifndef VIVGPU_ALPHA_TO_COVERAGE_H
#define VIVGPU_ALPHA_TO_COVERAGE_H

#include <stdbool.h>

#include "compiler/vivgpu_compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_context;

/**
 * Return the smallest alpha, in eighths, at which sample @sample of @count is covered. The number
 * of covered samples is alpha times @count, rounded. Pure.
 */
unsigned vivgpu_alpha_to_coverage_ref(unsigned sample, unsigned count);

/** State of a draw that is repeated for each sample, and what was bound before it */
struct vivgpu_alpha_to_coverage {
   /** vivgpu_per_draw.extras and vivgpu_context.sample_mask before the draw */
   struct vivgpu_fragment_extras extras;
   unsigned mask;
   /** Number of passes: samples of the target, or 1 if alpha to coverage has no effect */
   unsigned count;
   /** Index of the sample of the next pass; samples outside of @mask are skipped */
   unsigned next;
};

/** Begin a draw in passes: save the state that the passes change. */
void vivgpu_alpha_to_coverage_begin(struct vivgpu_context *context,
                                    struct vivgpu_alpha_to_coverage *samples);

/**
 * Bind the state of the next pass. Returns false after the last pass, with the saved state bound
 * again.
 */
bool vivgpu_alpha_to_coverage_next_pass(struct vivgpu_context *context,
                                        struct vivgpu_alpha_to_coverage *samples);

#ifdef __cplusplus
}
#endif

#endif
