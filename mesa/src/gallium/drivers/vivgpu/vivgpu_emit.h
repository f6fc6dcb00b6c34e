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
 * Write the prologue of a queue: states that its jobs rely on and never set. It also clears
 * addresses and switches samplers off, so that nothing of other queues remains. It is executed
 * before a job if jobs of another queue ran since the last one, or before each job without
 * vivgpu_kernel.has_prologue. Returns the number of words.
 */
uint32_t vivgpu_emit_prologue(const struct vivgpu_generation *generation,
                              uint32_t words[VIVGPU_MAX_PROLOGUE_WORDS]);

/**
 * Emit the dirty states. The caller has reserved VIVGPU_MAX_EMIT_WORDS words by
 * vivgpu_job_reserve() and has chosen shaders by vivgpu_shader_update().
 *
 * The order, by VIVGPU_DIRTY_*, and what it depends on:
 *
 * 1. SAMPLERS decides which samplers are active, whose textures are compared with what the
 *    texture caches may hold (struct vivgpu_seen, step 2).
 * 2. Caches: those of the pixel engine are flushed before its states change (ZSA, STENCIL_REF,
 *    BLEND, FRAMEBUFFER), those of textures are invalidated before a draw reads them. Whether a
 *    flush is needed is known only when the states have been compared, so these are packed here
 *    and appended in step 5.
 * 3. FRAMEBUFFER, SAMPLE_MASK: GL_MULTI_SAMPLE_CONFIG resets the fragment shader's counts, so LINK
 *    comes after it and is emitted again.
 * 4. FRAMEBUFFER, STATUS: the addresses of the targets and their tile status.
 * 5. RASTERIZER, VIEWPORT, ELEMENTS, VERTEX_BUFFERS, SCISSOR, BLEND_COLOR and the states that were
 *    packed in step 2: they depend on nothing else here.
 * 6. LINK, samplers, PROGRAM, then CONSTANTS and CLIP_PLANES: loading code stalls the pixel engine
 *    once (vivgpu_emit_pe_stall()), and the uniforms are those of the program that was loaded.
 *
 * SHADERS is vivgpu_shader_update()'s: it sets PROGRAM, LINK and SAMPLERS before this is called.
 */
void vivgpu_emit_state(struct vivgpu_context *context);

/** Flush the pixel engine's caches, so that other units and the CPU see what was rendered. */
void vivgpu_emit_flush(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
