/* SPDX-License-Identifier: MIT */
/* Shaders: Mesa's objects, their compiled variants, and linked pairs of variants. */
#ifndef VIVGPU_SHADER_H
#define VIVGPU_SHADER_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/vivgpu_compiler.h"
#include "util/list.h"
#include "util/simple_mtx.h"
#include "vivgpu_cache.h"
#include "vivgpu_state.h"

#ifdef __cplusplus
extern "C" {
#endif

struct etna_core_gpu_info;
struct nir_shader;
struct pipe_context;
struct vivgpu_bo;
struct vivgpu_context;

/** Words of a stage's uniform registers: limit of all cores */
#define VIVGPU_MAX_UNIFORM_WORDS (4 * 320)

/** A run of uniform registers that hold consecutive words of constant buffer 0 */
struct vivgpu_uniform_run {
   /** Index of the first register, and of its word in the buffer */
   uint32_t first, word;
   uint32_t count;
};

/** A uniform register that is the address of a constant buffer */
struct vivgpu_uniform_address {
   uint16_t index;
   uint16_t buffer;
};

/** A shader object compiled for one key */
struct vivgpu_variant {
   struct list_head link;
   struct vivgpu_shader_key key;
   /** Unique in the process */
   uint32_t number;
   /** Hash of its code for the command monitor; 0: not computed yet */
   uint32_t code_hash;
   struct vivgpu_shader *shader;
   /** Its code in memory */
   struct vivgpu_bo *code;
   /** Initial values of its uniform registers, without those that depend on state */
   uint32_t *uniforms;
   /** Runs of registers that hold words of constant buffer 0 */
   struct vivgpu_uniform_run *runs;
   uint32_t num_runs;
   /** Words of that buffer up to the last one in @runs */
   uint32_t run_words;
   /** Registers that hold addresses of constant buffers, and the bit set of these buffers */
   struct vivgpu_uniform_address *addresses;
   uint32_t num_addresses;
   uint32_t buffers;
   /** Indices of registers that depend on other state */
   uint16_t *computed;
   uint32_t num_computed;
};

/** A shader of the application, shared between contexts */
struct vivgpu_shader_object {
   struct nir_shader *nir;
   /** Unique in the process */
   uint32_t number;
   /** Hash of @nir in keys of the disk cache; not set without one */
   unsigned char name[VIVGPU_CACHE_KEY_BYTES];
   simple_mtx_t lock;
   struct list_head variants;
   /** The failure to compile it has been reported to the application */
   bool failure_reported;
};

#define VIVGPU_LINK_WORDS 96

/** Registers that depend on both the vertex and the fragment shader; computed by vivgpu_link() */
struct vivgpu_link {
   VIVGPU_PACKED_STATE(VIVGPU_LINK_WORDS) packed;
   /** Bits of PA_CONFIG that these shaders allow */
   uint32_t pa_config_mask;
   /** VS_OUTPUT_COUNT without and with the point size */
   uint32_t vs_output_count, vs_output_count_sized;
};

/** True for the vertex shader of the quads that Mesa draws for pixel rectangles and bitmaps. */
bool vivgpu_shader_draws_pixels(const struct vivgpu_shader_object *object);

/** Other state on which linking depends */
struct vivgpu_link_key {
   const struct etna_core_gpu_info *core;
   uint32_t num_elements;
   bool multisample;
   uint32_t num_targets;
   uint8_t output[VIVGPU_MAX_TARGETS];
};

/** What the command monitor tells of a pair of variants */
struct vivgpu_described_program {
   /** Hash of both codes; 0: not described yet */
   uint32_t hash;
   uint16_t instructions[2];
   uint8_t lookups[2], temporaries[2];
   uint8_t varyings;
   /** Discards fragments or writes depth */
   bool late_depth;
   /** Samplers that the pair reads, those of vertices from VIVGPU_VERTEX_SAMPLERS on */
   uint32_t samplers;
};

/**
 * The bound state on which a pair of variants and its link depend, apart from textures. Compared by
 * memcmp(): no padding
 */
struct vivgpu_program_key {
   /** Numbers of the shaders */
   uint32_t objects[2];
   struct vivgpu_framebuffer_key framebuffer;
   struct vivgpu_rasterizer_key rasterizer;
   /** 0 unless points are drawn */
   uint8_t sprite_coord_enable;
   struct vivgpu_fragment_extras extras;
   bool stippled;
   uint8_t num_elements;
};

/** A linked pair of variants */
struct vivgpu_linked_program {
   struct vivgpu_program_key key;
   /** The variants depend on @key only; they exist while the shaders do */
   bool complete;
   struct vivgpu_variant *variants[2];
   /** Numbers of the variants; 0 if the entry is unused */
   uint32_t numbers[2];
   /** Samplers that the pair reads, those of vertices from VIVGPU_VERTEX_SAMPLERS on */
   uint32_t samplers;
   struct vivgpu_link link;
   struct vivgpu_described_program described;
   /** Unique in the context */
   uint32_t link_number;
   /** link_number of the pair emitted before this one when @delta was computed; 0: not computed */
   uint32_t delta_base;
   VIVGPU_PACKED_STATE(VIVGPU_LINK_WORDS) delta;
};

/**
 * Size of a context's cache of linked pairs, and of its sets, found by a hash of the key; powers of
 * two. Not a util/hash_table, which grows without limit: a pair has about 1 KiB, is read at each
 * change of program, and may stay behind when its shaders are deleted, since numbers are not used
 * again.
 */
#define VIVGPU_MAX_LINKED_PROGRAMS 32
#define VIVGPU_LINKED_PROGRAM_WAYS 4

/** The shaders of a context */
struct vivgpu_program {
   struct vivgpu_shader_object *bound[2];
   /** Of the bound pair; both NULL if there is none */
   struct vivgpu_variant *variants[2];
   /**
    * State on which the choice of a pair depends, apart from the number of vertex elements:
    * VIVGPU_DIRTY_*
    */
   uint32_t depends;
   /** Numbers of the bound variants, compared to find changes; 0: none bound yet */
   uint32_t numbers[2];
   struct vivgpu_linked_program linked[VIVGPU_MAX_LINKED_PROGRAMS];
   /** Number of links so far */
   uint32_t num_links;
   /** The bound pair, an entry of @linked */
   struct vivgpu_linked_program *current;
   /** link_number of @current when it was bound: the entry may be another pair since */
   uint32_t link_number;
};

/** Index of a stage in arrays of two. */
static inline unsigned
vivgpu_stage(enum pipe_shader_type type)
{
   return type == PIPE_SHADER_FRAGMENT ? 1 : 0;
}

#define VIVGPU_VS 0
#define VIVGPU_FS 1

/** Registers of the shader units for a pair of shaders. */
void vivgpu_link(struct vivgpu_link *link, const struct vivgpu_shader *vs,
                 const struct vivgpu_shader *fs, const struct vivgpu_link_key *key);

/** Return the variant for a key, compiled if it is new. NULL if it cannot be compiled. */
struct vivgpu_variant *vivgpu_shader_variant(struct pipe_context *context,
                                             struct vivgpu_shader_object *object,
                                             const struct vivgpu_shader_key *key);

/** Choose variants for the bound state and link them. Returns false if nothing can be drawn. */
bool vivgpu_shader_update(struct vivgpu_context *context);

/** Sort a variant's uniforms by their source. Returns false if memory is short. */
bool vivgpu_uniforms_sort(struct vivgpu_variant *variant);

/** Emit changed uniform registers. The caller has reserved words by vivgpu_job_reserve(). */
void vivgpu_uniforms_emit(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
