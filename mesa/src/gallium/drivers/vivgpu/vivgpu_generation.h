/* SPDX-License-Identifier: MIT */
/*
 * Differences between generations of cores, as data: addresses of states that moved, and missing
 * features. Cores with HALTI0 are like the GC2000, those with HALTI2 to 4 like the GC3000; others
 * are not supported.
 */
#ifndef VIVGPU_GENERATION_H
#define VIVGPU_GENERATION_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct etna_core_info;

/** Bit of a primitive (enum mesa_prim) in sets of those that the core draws */
static inline uint32_t
vivgpu_primitive_bit(unsigned mode, bool indexed)
{
   return 1u << (mode + (indexed ? 16 : 0));
}

/** Bits of a set of primitives, with and without indices. @modes: bits of enum mesa_prim */
static inline uint32_t
vivgpu_primitive_bits(uint32_t modes)
{
   return modes | modes << 16;
}

/** States of a sampler, apart from the addresses of levels and the tile status */
enum vivgpu_sampler_state {
   VIVGPU_SAMPLER_CONFIG0,
   VIVGPU_SAMPLER_SIZE,
   VIVGPU_SAMPLER_LOG_SIZE,
   VIVGPU_SAMPLER_LOD,
   VIVGPU_SAMPLER_LINEAR_STRIDE,
   VIVGPU_SAMPLER_CONFIG_3D,
   VIVGPU_SAMPLER_CONFIG1,
   VIVGPU_SAMPLER_ASTC,
   VIVGPU_SAMPLER_BASELOD,
   VIVGPU_NUM_SAMPLER_STATES,
};

struct vivgpu_sampler_states {
   /** Addresses: those of sampler i are 4 * i bytes higher. 0: no such state */
   uint32_t states[VIVGPU_NUM_SAMPLER_STATES];
   /** Address of level 0 of sampler 0; bytes from one sampler, and from one level, to the next */
   uint32_t address, address_sampler, address_level;
   /**
    * Bytes from one sampler's second state for the linear stride to the next, or 0: the register
    * database has such a state for each sampler and level, etnaviv writes that of level i of
    * sampler 0 for sampler i
    */
   uint32_t second_stride;
   uint32_t count;
   /** Index of the first sampler of the vertex shader */
   uint32_t vertex;
};

struct vivgpu_generation {
   struct vivgpu_sampler_states samplers;
   /** Vertex streams: addresses of their states, and their number */
   uint32_t stream_address, stream_control, num_streams;
   /** Instances, divisors, primitive restart, and a fourth component of the attribute's type */
   bool instances;
   /** State addresses of the uniforms of vertex and fragment shaders */
   uint32_t uniforms[2];
   /** Index of the fragment shader's first uniform register if both stages share one file; or 0 */
   uint32_t fragment_uniforms;
   /** The code of both stages is loaded as states; otherwise it is fetched from memory */
   bool loads_code;
   /** Integers in shaders and as texture sizes; otherwise all values are floats */
   bool integers;
   /** Integer, float and signed textures and depth comparison can be sampled */
   bool halti2_textures;
   /** Each pixel pipe renders to its own half of a surface */
   bool split;
   /** Supported primitives: vivgpu_primitive_bit() */
   uint32_t primitives;
   /** Depth can be tested before the shader runs */
   bool early_depth;
   /** The state GL_BUG_FIXES exists */
   bool bug_fixes;
};

/** First instruction of fragment shaders if code is loaded as states */
#define VIVGPU_FIRST_FRAGMENT_INSTRUCTION 256

/** Fill in @generation for the core @info. Returns false if this driver does not support it. */
bool vivgpu_generation_init(struct vivgpu_generation *generation,
                            const struct etna_core_info *info);

/**
 * Divide a file of uniforms that both stages share: vertex shaders get the first @vertex registers,
 * so that a change of one shader does not move the other's uniforms.
 */
void vivgpu_generation_divide_uniforms(struct vivgpu_generation *generation, uint32_t vertex);

#ifdef __cplusplus
}
#endif

#endif
