/*
 * SPDX-License-Identifier: MIT
 *
 * Inside the compiler: what does not change from shader to shader, and the
 * passes over NIR that come before instruction selection.
 */

#ifndef VIVGPU_COMPILER_PRIVATE_H
#define VIVGPU_COMPILER_PRIVATE_H

#include "nir.h"
#include "vivgpu_compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ra_regs;
struct ra_class;

/* What the compiler has to know of a core. */
struct vivgpu_core {
   bool integers;        /* HALTI2: integers, immediates, LOAD and STORE, DP2 */
   bool new_transcendentals;         /* SIN, COS, LOG give two factors; SIN and COS have period 2 */
   bool no_oneconst_limit;    /* an instruction may read several uniform registers */
   bool half_z;          /* clip space's z has to be lowered to 0..w in the shader */
   bool sign_floor_ceil; /* has SIGN, FLOOR, CEIL */
   bool sqrt_trig;       /* has SQRT, SIN, COS */
   unsigned max_temps;
   unsigned max_instructions;
   unsigned max_uniforms[MESA_SHADER_FRAGMENT + 1]; /* by stage */
   unsigned vertex_sampler_base;                    /* number of a vertex shader's first sampler */
   unsigned scratch_slots;                          /* see vivgpu_spill.c */
};

/* Sets of components a value of the allocator's class may be put into. */
enum vir_class {
   VIR_CLASS_ANY_1, /* any one component */
   VIR_CLASS_ANY_2,
   VIR_CLASS_ANY_3,
   VIR_CLASS_ANY_4,
   VIR_CLASS_START_1,      /* exactly x */
   VIR_CLASS_START_2,      /* exactly xy */
   VIR_CLASS_START_3,      /* exactly xyz */
   VIR_CLASS_FACTORS,      /* xy or zw */
   VIR_CLASS_CONTIGUOUS_2, /* xy, yz or zw */
   VIR_CLASS_CONTIGUOUS_3, /* xyz or yzw */
   VIR_CLASSES,
};

struct vivgpu_compiler {
   struct vivgpu_core core;
   nir_shader_compiler_options options;
   struct ra_regs *regs;
   struct ra_class *classes[VIR_CLASSES];
};

/* vivgpu_core_describe: take what matters to the compiler from Mesa's description of the core. */
void vivgpu_core_describe(struct vivgpu_core *core, const struct etna_core_info *info);

/* vivgpu_nir_options: how NIR has to look for the core. */
void vivgpu_nir_options(nir_shader_compiler_options *options, const struct vivgpu_core *core);

/* What gets lost when inputs and outputs are lowered. */
struct vivgpu_nir_io {
   uint8_t interpolation[VARYING_SLOT_MAX]; /* enum glsl_interp_mode */
};

/*
 * vivgpu_nir_prepare: lower and optimise s for the core until instructions can
 * be selected: out of SSA where blocks meet, inputs and outputs as intrinsics.
 */
void vivgpu_nir_prepare(nir_shader *s, const struct vivgpu_core *core,
                        const struct vivgpu_shader_key *key, struct vivgpu_nir_io *io);

/*
 * Bases of load_push_constant, in bytes, with an offset of 0. OpenGL has no push constants, so
 * the intrinsic is free for values of a sampler's state that NIR has no intrinsic for: 16 bytes
 * each, by sampler number. Instruction selection makes VIVGPU_UNIFORM_* of them.
 */
#define VIVGPU_PUSH_BORDER_COLOR(sampler) (16 * (sampler))
#define VIVGPU_PUSH_SAMPLER_LOD(sampler)  (16 * (VIVGPU_MAX_SAMPLERS + (sampler)))

/* Parts of it, for tests. */

/* vivgpu_nir_lower_borders: borders of textures, before one-dimensional ones get a second axis. */
bool vivgpu_nir_lower_borders(nir_shader *s, const struct vivgpu_shader_key *key);

/* vivgpu_nir_lower_alpha: coverage, least alpha, alpha of 1; before gl_FragColor is several. */
bool vivgpu_nir_lower_alpha(nir_shader *s, struct vivgpu_fragment_extras extras);

/* Does the border depend on the level of detail? */
static inline bool
vivgpu_border_needs_lod(unsigned border)
{
   return border & VIVGPU_BORDER_MIPMAPS ||
          !(border & VIVGPU_BORDER_MAG_LINEAR) != !(border & VIVGPU_BORDER_MIN_LINEAR);
}

/* vivgpu_nir_lower_textures: projection, rectangles, sizes, comparisons the core cannot do. */
bool vivgpu_nir_lower_textures(nir_shader *s, const struct vivgpu_shader_key *key);

/* vivgpu_nir_scale_angles: sin(x) and cos(x) take x in the core's unit. */
bool vivgpu_nir_scale_angles(nir_shader *s, const struct vivgpu_core *core);

/* vivgpu_nir_fold_uniform_offsets: constant offsets of load_uniform go into its base. */
bool vivgpu_nir_fold_uniform_offsets(nir_shader *s);

#ifdef __cplusplus
}
#endif

#endif
