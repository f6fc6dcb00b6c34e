/* SPDX-License-Identifier: MIT */
/*
 * The values of states that the current job has emitted, so that a state is loaded only if its
 * value changes: each word of a stream is copied, checked by the kernel and parsed by the front
 * end.
 */
#ifndef VIVGPU_KNOWN_H
#define VIVGPU_KNOWN_H

#include <stdint.h>
#include <string.h>

#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "vivgpu_pack.h"

#ifdef __cplusplus
extern "C" {
#endif

/** States whose fields come from several state objects, or that depend on the draw */
enum vivgpu_known_state {
   VIVGPU_KNOWN_VERTEX_ELEMENT_CONFIG,
   VIVGPU_KNOWN_INDEX_ADDRESS,
   VIVGPU_KNOWN_INDEX_CONTROL,
   VIVGPU_KNOWN_RESTART_INDEX,
   VIVGPU_KNOWN_PA_CONFIG,
   VIVGPU_KNOWN_VS_OUTPUT_COUNT,
   VIVGPU_KNOWN_DEPTH_BIAS,
   VIVGPU_KNOWN_EARLY_DEPTH,
   VIVGPU_KNOWN_DEPTH_CONFIG,
   VIVGPU_KNOWN_STENCIL_OP,
   VIVGPU_KNOWN_STENCIL_CONFIG,
   VIVGPU_KNOWN_STENCIL_CONFIG_EXT,
   VIVGPU_KNOWN_STENCIL_CONFIG_EXT2,
   VIVGPU_KNOWN_ALPHA_OP,
   VIVGPU_KNOWN_COLOR_FORMAT,
   VIVGPU_KNOWN_LOGIC_OP,
   VIVGPU_KNOWN_STATES,
};

/** Byte addresses of the states */
static const uint32_t vivgpu_known_addresses[VIVGPU_KNOWN_STATES] = {
   [VIVGPU_KNOWN_VERTEX_ELEMENT_CONFIG] = VIVS_GL_VERTEX_ELEMENT_CONFIG,
   [VIVGPU_KNOWN_INDEX_ADDRESS] = VIVS_FE_INDEX_STREAM_BASE_ADDR,
   [VIVGPU_KNOWN_INDEX_CONTROL] = VIVS_FE_INDEX_STREAM_CONTROL,
   [VIVGPU_KNOWN_RESTART_INDEX] = VIVS_FE_PRIMITIVE_RESTART_INDEX,
   [VIVGPU_KNOWN_PA_CONFIG] = VIVS_PA_CONFIG,
   [VIVGPU_KNOWN_VS_OUTPUT_COUNT] = VIVS_VS_OUTPUT_COUNT,
   [VIVGPU_KNOWN_DEPTH_BIAS] = VIVS_SE_DEPTH_BIAS,
   [VIVGPU_KNOWN_EARLY_DEPTH] = VIVS_RA_EARLY_DEPTH,
   [VIVGPU_KNOWN_DEPTH_CONFIG] = VIVS_PE_DEPTH_CONFIG,
   [VIVGPU_KNOWN_STENCIL_OP] = VIVS_PE_STENCIL_OP,
   [VIVGPU_KNOWN_STENCIL_CONFIG] = VIVS_PE_STENCIL_CONFIG,
   [VIVGPU_KNOWN_STENCIL_CONFIG_EXT] = VIVS_PE_STENCIL_CONFIG_EXT,
   [VIVGPU_KNOWN_STENCIL_CONFIG_EXT2] = VIVS_PE_STENCIL_CONFIG_EXT2,
   [VIVGPU_KNOWN_ALPHA_OP] = VIVS_PE_ALPHA_OP,
   [VIVGPU_KNOWN_COLOR_FORMAT] = VIVS_PE_COLOR_FORMAT,
   [VIVGPU_KNOWN_LOGIC_OP] = VIVS_PE_LOGIC_OP,
};

/** Emitted values; a value above 32 bits marks a state that was not emitted */
struct vivgpu_known {
   uint64_t values[VIVGPU_KNOWN_STATES];
};

/** Mark all states as not emitted: each is loaded at its next use. */
static inline void
vivgpu_known_forget(struct vivgpu_known *known)
{
   memset(known->values, 0xff, sizeof(known->values));
}

/** Load a state, unless @value is what was emitted last. */
static inline void
vivgpu_known_pack(struct vivgpu_known *known, struct vivgpu_pack *pack,
                  enum vivgpu_known_state state, uint32_t value)
{
   if (known->values[state] == value)
      return;
   vivgpu_pack(pack, vivgpu_known_addresses[state], value);
   known->values[state] = value;
}

/**
 * Commands that load those states which @words, @count of them, load with other values
 * than @before do, @before_count of them. From the first command on that loads other
 * states than the one in its place, all states. Returns the number of words, which is
 * not above @count.
 */
uint32_t vivgpu_known_changes(uint32_t *changes, const uint32_t *before, uint32_t before_count,
                              const uint32_t *words, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
