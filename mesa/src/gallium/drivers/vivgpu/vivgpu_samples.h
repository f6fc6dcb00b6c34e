/* SPDX-License-Identifier: MIT */
/*
 * Samples that are chosen by alpha, and alpha that becomes 1. The core can do neither: for the
 * first a draw is done once for each sample, without the others, and the fragment shader kills
 * what has too little alpha for it; for the second it writes 1.
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
