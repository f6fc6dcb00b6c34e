/* SPDX-License-Identifier: MIT */
/*
 * What differs between the generations of cores, as data: where states are that
 * moved, and what a core can't do. Cores before HALTI2 are as the GC2000 is,
 * those from HALTI2 on as the GC3000.
 */
#ifndef VIVGPU_GENERATION_H
#define VIVGPU_GENERATION_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct etna_core_info;

/** States of a sampler: sampler i's are 4 * i bytes further, 0 where there are none */
struct vivgpu_sampler_states {
   uint32_t config0, size, log_size, lod, linear_stride, config_3d, config1, astc, baselod;
   /** Address of level 0 of sampler 0; bytes from one sampler, and one level, to the next */
   uint32_t address, address_sampler, address_level;
   uint32_t count;
   /** Number of the vertex shader's first */
   uint32_t vertex;
};

struct vivgpu_generation {
   struct vivgpu_sampler_states samplers;
   /** Vertex streams: addresses, strides, number */
   uint32_t stream_address, stream_control, num_streams;
   /** Draws have instances, and attributes divisors and a fourth component of their type */
   bool instances;
   /** Uniforms of vertex and fragment shaders */
   uint32_t uniforms[2];
   /** The register with the fragment shader's first, where both have one file; 0 otherwise */
   uint32_t fragment_uniforms;
   /** Code of both is loaded as states; otherwise it is fetched from memory */
   bool loads_code;
   /** Integers are integers: in shaders, and as sizes of textures */
   bool integers;
   /** Formats of integers, floats and with a sign, and comparisons of depth, are sampled */
   bool halti2_textures;
   /** Each pixel pipe has half of a surface */
   bool split;
   /** Kinds that it draws: bits of enum mesa_prim */
   uint32_t primitives;
   /** Depth can be tested before the shader */
   bool early_depth;
   /** GL_BUG_FIXES is a state */
   bool bug_fixes;
};

/** First instruction of fragment shaders, where code is loaded as states. */
#define VIVGPU_FIRST_FRAGMENT_INSTRUCTION 256

/** What @info's core is like. False if it is none that this driver drives. */
bool vivgpu_generation_init(struct vivgpu_generation *generation,
                            const struct etna_core_info *info);

/**
 * Divide a file of uniforms that both stages share, so that neither moves when the other
 * changes: vertex shaders have @vertex registers at most.
 */
void vivgpu_generation_divide_uniforms(struct vivgpu_generation *generation, uint32_t vertex);

#ifdef __cplusplus
}
#endif

#endif
