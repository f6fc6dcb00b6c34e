/*
 * SPDX-License-Identifier: MIT
 *
 * Internal interface of the compiler: the description of the core, which is the same for all
 * shaders, and the passes over NIR that run before instruction selection.
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

/* Properties of a core that the generated code depends on. */
struct vivgpu_core {
   bool integers;            /* HALTI2: integers, immediates, LOAD and STORE, DP2 */
   bool new_transcendentals; /* SIN, COS, LOG give two factors; SIN, COS: period 2, else 4 */
   bool no_oneconst_limit;   /* an instruction may read several uniform registers */
   bool half_z;              /* the vertex shader has to convert z from -w..w to 0..w */
   bool sign_floor_ceil;     /* has SIGN, FLOOR, CEIL */
   bool sqrt_trig;           /* has SQRT, SIN, COS */
   unsigned max_temps;
   unsigned max_instructions;
   unsigned max_uniforms[MESA_SHADER_FRAGMENT + 1]; /* by stage */
   unsigned vertex_sampler_base;                    /* number of a vertex shader's first sampler */
   unsigned scratch_slots;                          /* see vivgpu_spill.c */
};

/* Register classes of the allocator: which sets of components a register may be assigned. */
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

/* vivgpu_core_describe: fill in core from Mesa's description of the core. */
void vivgpu_core_describe(struct vivgpu_core *core, const struct etna_core_info *info);

/* vivgpu_nir_options: fill in the options by which Mesa lowers NIR for the core. */
void vivgpu_nir_options(nir_shader_compiler_options *options, const struct vivgpu_core *core);

/* Properties of input variables that nir_lower_io() removes with the variables. */
struct vivgpu_nir_io {
   uint8_t interpolation[VARYING_SLOT_MAX]; /* enum glsl_interp_mode */
};

/*
 * vivgpu_nir_prepare: lower and optimise s for instruction selection. Afterwards phis are NIR
 * registers, and inputs and outputs are accessed by intrinsics. io: filled in.
 */
void vivgpu_nir_prepare(nir_shader *s, const struct vivgpu_core *core,
                        const struct vivgpu_shader_key *key, struct vivgpu_nir_io *io);

/*
 * Bases of load_push_constant, in bytes; its offset is 0. OpenGL has no push constants, so this
 * compiler uses the intrinsic for sampler state for which NIR has none: 16 bytes for each value
 * and sampler. Instruction selection replaces it by VIVGPU_UNIFORM_BORDER_COLOR or _SAMPLER_LOD.
 */
#define VIVGPU_PUSH_BORDER_COLOR(sampler) (16 * (sampler))
#define VIVGPU_PUSH_SAMPLER_LOD(sampler)  (16 * (VIVGPU_MAX_SAMPLERS + (sampler)))

/* Passes of vivgpu_nir_prepare(), declared for unit tests. Each returns true if it changed s. */

/*
 * vivgpu_nir_lower_borders: add the border's colour to texture lookups. It has to run before
 * nir_lower_tex() turns one-dimensional textures into two-dimensional ones, whose second axis
 * has no border.
 */
bool vivgpu_nir_lower_borders(nir_shader *s, const struct vivgpu_shader_key *key);

/*
 * vivgpu_nir_lower_alpha: apply coverage, alpha_ref and alpha_to_one of extras to colour outputs.
 * It has to run before nir_lower_fragcolor(), which writes gl_FragColor to several outputs.
 */
bool vivgpu_nir_lower_alpha(nir_shader *s, struct vivgpu_fragment_extras extras);

/* True if the weight of the border (VIVGPU_BORDER_*) depends on the level of detail. */
static inline bool
vivgpu_border_needs_lod(unsigned border)
{
   return border & VIVGPU_BORDER_MIPMAPS ||
          !(border & VIVGPU_BORDER_MAG_LINEAR) != !(border & VIVGPU_BORDER_MIN_LINEAR);
}

/*
 * vivgpu_nir_lower_textures: lower borders, projections, rectangle and one-dimensional textures,
 * sizes, and the shadow comparisons of key.
 */
bool vivgpu_nir_lower_textures(nir_shader *s, const struct vivgpu_shader_key *key);

/* vivgpu_nir_scale_angles: convert the angles of sin and cos from radians to the core's unit. */
bool vivgpu_nir_scale_angles(nir_shader *s, const struct vivgpu_core *core);

/* vivgpu_nir_fold_uniform_offsets: add constant offsets of load_uniform to its base. */
bool vivgpu_nir_fold_uniform_offsets(nir_shader *s);

#ifdef __cplusplus
}
#endif

#endif
