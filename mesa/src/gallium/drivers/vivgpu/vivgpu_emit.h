/* SPDX-License-Identifier: MIT */
/* Emits the context's state into the command stream. */
#ifndef VIVGPU_EMIT_H
#define VIVGPU_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_context;
struct vivgpu_generation;

/** Limit of the words that all states and one draw take */
#define VIVGPU_MAX_EMIT_WORDS 6144

/** Limit of the words of a queue's prologue */
#define VIVGPU_MAX_PROLOGUE_WORDS 1024

/**
 * Write the prologue of a queue: states that its jobs rely on and never set. It is executed when
 * jobs of another queue ran in between; it clears addresses and switches samplers off, so that none
 * of that queue's remain. Returns the number of words.
 */
uint32_t vivgpu_emit_prologue(const struct vivgpu_generation *generation,
                              uint32_t words[VIVGPU_MAX_PROLOGUE_WORDS]);

/**
 * Emit the dirty states. The caller has reserved VIVGPU_MAX_EMIT_WORDS words by
 * vivgpu_job_reserve() and has chosen shaders by vivgpu_shader_update().
 */
void vivgpu_emit_state(struct vivgpu_context *context);

/** Flush the pixel engine's caches, so that other units and the CPU see what was rendered. */
void vivgpu_emit_flush(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
