/* SPDX-License-Identifier: MIT */
/*
 * Puts the context's state into the stream.
 */
#ifndef VIVGPU_EMIT_H
#define VIVGPU_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_context;
struct vivgpu_generation;

/** Words that states and one draw take at most. */
#define VIVGPU_MAX_EMIT_WORDS 6144

/** Words of a queue's prologue, at most. */
#define VIVGPU_MAX_PROLOGUE_WORDS 1024

/**
 * What a queue's jobs rely on and never set: run when another queue's job was in
 * between. It leaves no address and no sampler of others behind. Returns the
 * number of words.
 */
uint32_t vivgpu_emit_prologue(const struct vivgpu_generation *generation,
                              uint32_t words[VIVGPU_MAX_PROLOGUE_WORDS]);

/**
 * Tell the GPU what is dirty. vivgpu_job_reserve() was asked for
 * VIVGPU_MAX_EMIT_WORDS words, and shaders were chosen.
 */
void vivgpu_emit_state(struct vivgpu_context *context);

/** Let what was drawn reach memory before something else reads or writes it there. */
void vivgpu_emit_flush(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
