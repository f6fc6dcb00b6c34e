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
 * The least alpha, in eighths, that sample @sample of @count is covered with: as many samples as
 * alpha says, rounded. Pure.
 */
unsigned vivgpu_alpha_to_coverage_ref(unsigned sample, unsigned count);

/** What was bound before */
struct vivgpu_alpha_to_coverage {
   struct vivgpu_fragment_extras extras;
   unsigned mask;
   /** Of the target; 1 if alpha chooses none of them */
   unsigned count;
   /** The pass that comes next */
   unsigned next;
};

/** Begin to draw in passes. */
void vivgpu_alpha_to_coverage_begin(struct vivgpu_context *context,
                                    struct vivgpu_alpha_to_coverage *samples);

/** Bind what the next pass needs; false after the last, and everything is as it was before. */
bool vivgpu_alpha_to_coverage_next_pass(struct vivgpu_context *context,
                                        struct vivgpu_alpha_to_coverage *samples);

#ifdef __cplusplus
}
#endif

#endif
