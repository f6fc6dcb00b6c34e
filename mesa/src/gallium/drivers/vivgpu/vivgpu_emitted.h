/* SPDX-License-Identifier: MIT */
/*
 * The values of states that the current job has emitted, so that a state is loaded only if its
 * value changes: each word of a stream is copied, checked by the kernel and parsed by the front
 * end.
 */
#ifndef VIVGPU_EMITTED_H
#define VIVGPU_EMITTED_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "vivgpu_pack.h"

#ifdef __cplusplus
extern "C" {
#endif

/** States whose fields come from several state objects, or that depend on the draw */
enum vivgpu_emitted_state {
   VIVGPU_EMITTED_VERTEX_ELEMENT_CONFIG,
   VIVGPU_EMITTED_INDEX_ADDRESS,
   VIVGPU_EMITTED_INDEX_CONTROL,
   VIVGPU_EMITTED_RESTART_INDEX,
   VIVGPU_EMITTED_PA_CONFIG,
   VIVGPU_EMITTED_VS_OUTPUT_COUNT,
   VIVGPU_EMITTED_DEPTH_BIAS,
   VIVGPU_EMITTED_EARLY_DEPTH,
   VIVGPU_EMITTED_DEPTH_CONFIG,
   VIVGPU_EMITTED_STENCIL_OP,
   VIVGPU_EMITTED_STENCIL_CONFIG,
   VIVGPU_EMITTED_STENCIL_CONFIG_EXT,
   VIVGPU_EMITTED_STENCIL_CONFIG_EXT2,
   VIVGPU_EMITTED_ALPHA_OP,
   VIVGPU_EMITTED_COLOR_FORMAT,
   VIVGPU_EMITTED_LOGIC_OP,
   VIVGPU_EMITTED_MULTI_SAMPLE_CONFIG,
   VIVGPU_NUM_EMITTED_STATES,
};

/** Byte addresses of the states */
static const uint32_t vivgpu_emitted_addresses[VIVGPU_NUM_EMITTED_STATES] = {
   [VIVGPU_EMITTED_VERTEX_ELEMENT_CONFIG] = VIVS_GL_VERTEX_ELEMENT_CONFIG,
   [VIVGPU_EMITTED_INDEX_ADDRESS] = VIVS_FE_INDEX_STREAM_BASE_ADDR,
   [VIVGPU_EMITTED_INDEX_CONTROL] = VIVS_FE_INDEX_STREAM_CONTROL,
   [VIVGPU_EMITTED_RESTART_INDEX] = VIVS_FE_PRIMITIVE_RESTART_INDEX,
   [VIVGPU_EMITTED_PA_CONFIG] = VIVS_PA_CONFIG,
   [VIVGPU_EMITTED_VS_OUTPUT_COUNT] = VIVS_VS_OUTPUT_COUNT,
   [VIVGPU_EMITTED_DEPTH_BIAS] = VIVS_SE_DEPTH_BIAS,
   [VIVGPU_EMITTED_EARLY_DEPTH] = VIVS_RA_EARLY_DEPTH,
   [VIVGPU_EMITTED_DEPTH_CONFIG] = VIVS_PE_DEPTH_CONFIG,
   [VIVGPU_EMITTED_STENCIL_OP] = VIVS_PE_STENCIL_OP,
   [VIVGPU_EMITTED_STENCIL_CONFIG] = VIVS_PE_STENCIL_CONFIG,
   [VIVGPU_EMITTED_STENCIL_CONFIG_EXT] = VIVS_PE_STENCIL_CONFIG_EXT,
   [VIVGPU_EMITTED_STENCIL_CONFIG_EXT2] = VIVS_PE_STENCIL_CONFIG_EXT2,
   [VIVGPU_EMITTED_ALPHA_OP] = VIVS_PE_ALPHA_OP,
   [VIVGPU_EMITTED_COLOR_FORMAT] = VIVS_PE_COLOR_FORMAT,
   [VIVGPU_EMITTED_LOGIC_OP] = VIVS_PE_LOGIC_OP,
   [VIVGPU_EMITTED_MULTI_SAMPLE_CONFIG] = VIVS_GL_MULTI_SAMPLE_CONFIG,
};

/** Emitted values; a value above 32 bits marks a state that was not emitted */
struct vivgpu_emitted {
   uint64_t values[VIVGPU_NUM_EMITTED_STATES];
};

/** Mark all states as not emitted: each is loaded at its next use. */
static inline void
vivgpu_emitted_invalidate(struct vivgpu_emitted *emitted)
{
   memset(emitted->values, 0xff, sizeof(emitted->values));
}

/** Load a state, unless @value is what was emitted last. */
static inline void
vivgpu_emitted_pack(struct vivgpu_emitted *emitted, struct vivgpu_pack *pack,
                    enum vivgpu_emitted_state state, uint32_t value)
{
   if (emitted->values[state] == value)
      return;
   vivgpu_pack(pack, vivgpu_emitted_addresses[state], value);
   emitted->values[state] = value;
}

/**
 * Compute the commands that have to be emitted if @before is already emitted: those states of
 * @words whose values differ. From the first command on that loads other states than the command at
 * the same position of @before, all states are included. Returns the number of words written to
 * @changes, which is at most @count.
 * @words, @count: packed state to be emitted. @before, @before_count: emitted packed state.
 */
uint32_t vivgpu_emitted_delta(uint32_t *changes, const uint32_t *before, uint32_t before_count,
                              const uint32_t *words, uint32_t count);

/**
 * Find the range of states in a row that has to be loaded: those whose values differ, and those
 * that were not emitted yet. Returns false if there are none.
 * @before: emitted values, of which the first @known are known. @after: the values to emit.
 */
bool vivgpu_emitted_range(const uint32_t *before, uint32_t known, const uint32_t *after,
                          uint32_t count, uint32_t *first, uint32_t *end);

#ifdef __cplusplus
}
#endif

#endif
