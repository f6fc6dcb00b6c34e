/* SPDX-License-Identifier: MIT */
/*
 * Shaders: Mesa's objects, their variants, and pairs of them.
 */
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

/** Words of a stage's uniform registers, at most: all the core has */
#define VIVGPU_MAX_UNIFORM_WORDS (4 * 320)

/** Uniform registers that are words of constant buffer 0 in a row */
struct vivgpu_uniform_run {
   /** Index of the first, and of its word */
   uint32_t first, word;
   uint32_t count;
};

/** A uniform register that is the address of a constant buffer */
struct vivgpu_uniform_address {
   uint16_t index;
   uint16_t buffer;
};

/** What a shader object became for one key */
struct vivgpu_variant {
   struct list_head link;
   struct vivgpu_shader_key key;
   /** No other variant of the process has this number */
   uint32_t number;
   struct vivgpu_shader *shader;
   /** Its code */
   struct vivgpu_bo *code;
   /** What its uniform registers hold, without those that depend on state */
   uint32_t *uniforms;
   /** Rows of them that are words of constant buffer 0 */
   struct vivgpu_uniform_run *runs;
   uint32_t num_runs;
   /** Those that are addresses of buffers, and the set of these buffers */
   struct vivgpu_uniform_address *addresses;
   uint32_t num_addresses;
   uint32_t buffers;
   /** Indices of those that depend on other state */
   uint16_t *computed;
   uint32_t num_computed;
};

/** A shader of the application's, shared between contexts */
struct vivgpu_shader_object {
   struct nir_shader *nir;
   /** No other shader of the process has this number */
   uint32_t number;
   unsigned char name[VIVGPU_CACHE_KEY_BYTES];
   simple_mtx_t lock;
   struct list_head variants;
   /** The application was told that it can't be compiled */
   bool failure_reported;
};

#define VIVGPU_LINK_WORDS 96

/** How a vertex and a fragment shader fit; pure, see vivgpu_link() */
struct vivgpu_link {
   VIVGPU_PACKED_STATE(VIVGPU_LINK_WORDS) packed;
   /** PA_CONFIG has only these bits */
   uint32_t pa_config_mask;
   uint32_t vs_output_count, vs_output_count_sized;
};

/** Is it the vertex shader of quads that Mesa draws in place of pixel rectangles and bitmaps? */
bool vivgpu_shader_draws_pixels(const struct vivgpu_shader_object *object);

/** What else linking depends on */
struct vivgpu_link_key {
   const struct etna_core_gpu_info *core;
   uint32_t num_elements;
   bool multisample;
   uint32_t num_targets;
   uint8_t output[VIVGPU_MAX_TARGETS];
};

/** A pair of variants that was linked */
struct vivgpu_linked_program {
   /** Of the variants; 0: nothing is here */
   uint32_t numbers[2];
   struct vivgpu_link_key key;
   struct vivgpu_link link;
   /** No other link of the context has this number */
   uint32_t link_number;
   /** Words to tell after the pair of this link, the last that it followed; 0: none yet */
   uint32_t delta_base;
   VIVGPU_PACKED_STATE(VIVGPU_LINK_WORDS) delta;
};

/** Pairs that a context remembers, in places that their numbers choose; a power of two */
#define VIVGPU_MAX_LINKED_PROGRAMS 32

/** What runs */
struct vivgpu_program {
   struct vivgpu_shader_object *bound[2];
   struct vivgpu_variant *variants[2];
   /** Their numbers, by which a change is seen; 0: none yet */
   uint32_t numbers[2];
   struct vivgpu_linked_program linked[VIVGPU_MAX_LINKED_PROGRAMS];
   /** Links there were */
   uint32_t num_links;
   /** The one of these that runs */
   struct vivgpu_linked_program *current;
   /** For how many vertex elements they are linked */
   uint32_t num_elements;
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

/** The variant for a key; compiled if it is new. NULL if it can't be compiled. */
struct vivgpu_variant *vivgpu_shader_variant(struct pipe_context *context,
                                             struct vivgpu_shader_object *object,
                                             const struct vivgpu_shader_key *key);

/** Choose variants and link them. False if nothing can be drawn. */
bool vivgpu_shader_update(struct vivgpu_context *context);

/** The first and the end of what differs between two arrays; false if nothing does. */
bool vivgpu_uniforms_changed(const uint32_t *before, const uint32_t *after, uint32_t count,
                             uint32_t *first, uint32_t *end);

/** Sort a variant's uniforms by where they come from. False if there is no memory. */
bool vivgpu_uniforms_sort(struct vivgpu_variant *variant);

/** Bring the uniform registers up to date; vivgpu_job_reserve() was asked. */
void vivgpu_uniforms_emit(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
