/* SPDX-License-Identifier: MIT */
/*
 * Alpha to coverage and alpha to one, which the core does not have. For alpha to coverage a draw
 * is repeated once for each sample with a sample mask of that sample, and the fragment shader
 * discards fragments whose alpha is too small for it. For alpha to one the shader writes 1.
 */
#ifndef VIVGPU_SAMPLES_H
#define VIVGPU_SAMPLES_H

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
unsigned vivgpu_samples_alpha(unsigned sample, unsigned count);

/** What was bound before */
struct vivgpu_samples {
   struct vivgpu_fragment_extras extras;
   unsigned mask;
   /** Of the target; 1 if alpha chooses none of them */
   unsigned count;
   /** The pass that comes next */
   unsigned next;
};

/** Begin to draw in passes. */
void vivgpu_samples_begin(struct vivgpu_context *context, struct vivgpu_samples *samples);

/** Bind what the next pass needs; false after the last, and everything is as it was before. */
bool vivgpu_samples_next(struct vivgpu_context *context, struct vivgpu_samples *samples);

#ifdef __cplusplus
}
#endif

#endif
