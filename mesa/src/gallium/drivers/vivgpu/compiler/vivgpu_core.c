/*
 * SPDX-License-Identifier: MIT
 *
 * Properties of a core that the compiler depends on, from Mesa's core database, and the NIR
 * options that follow from them.
 */

#include "etnaviv/common/etna_core_info.h"
#include "util/macros.h"

#include "vivgpu_compiler_private.h"

/* Largest number of temporaries; no known core has more, though the encoding has seven bits. */
#define MAX_TEMPS 64u

/* Cores with an instruction cache fetch programs from memory; branch targets have 15 bits. */
#define MAX_ICACHE_INSTRUCTIONS 32767u

/* Other cores get programs by LOAD_STATE; this is one stage's part of the instruction memory. */
#define MAX_LOADED_INSTRUCTIONS 256u

/* On such cores loops of more iterations are not unrolled, to keep the code short. */
#define MAX_UNROLL_ITERATIONS 16u

/*
 * Uniform registers of each stage. From HALTI1 on both stages share one file of registers. It is
 * divided in a fixed ratio, so that any vertex shader fits beside any fragment shader. Older cores
 * have a file for each stage, whose sizes are those of etnaviv (etnaviv_screen.c). Uniforms that do
 * not fit are loaded from memory if the core has integers (vivgpu_legalize.c).
 */
static void
vivgpu_core_describe_uniforms(struct vivgpu_core *core, const struct etna_core_info *info)
{
   const unsigned constants = info->gpu.num_constants;
   unsigned *max = core->max_uniforms;

   if (info->halti >= 1) {
      max[MESA_SHADER_FRAGMENT] = constants * 2 / 5;
      max[MESA_SHADER_VERTEX] = constants - max[MESA_SHADER_FRAGMENT];
   } else {
      max[MESA_SHADER_FRAGMENT] = constants >= 256 && constants != 320 ? 256 : 64;
      max[MESA_SHADER_VERTEX] = constants >= 256 ? 256 : 168;
   }
}

/* Number of a vertex shader's first sampler; the samplers of both stages are numbered together. */
static unsigned
vivgpu_core_vertex_sampler_base(const struct etna_core_info *info)
{
   return info->halti >= 1 ? 16 : 8;
}

void
vivgpu_core_describe(struct vivgpu_core *core, const struct etna_core_info *info)
{
   const bool icache = etna_core_has_feature(info, ETNA_FEATURE_INSTRUCTION_CACHE);

   *core = (struct vivgpu_core){
      .integers = info->halti >= 2,
      .new_transcendentals = etna_core_has_feature(info, ETNA_FEATURE_HAS_FAST_TRANSCENDENTALS),
      .no_oneconst_limit = etna_core_has_feature(info, ETNA_FEATURE_SH_NO_ONECONST_LIMIT),
      .half_z = info->model < 0x1000 && info->model != 0x880,
      .sign_floor_ceil = etna_core_has_feature(info, ETNA_FEATURE_HAS_SIGN_FLOOR_CEIL),
      .sqrt_trig = etna_core_has_feature(info, ETNA_FEATURE_HAS_SQRT_TRIG),
      .max_temps = info->gpu.max_registers ? MIN2(info->gpu.max_registers, MAX_TEMPS) : MAX_TEMPS,
      .max_instructions = icache ? MAX_ICACHE_INSTRUCTIONS
                                 : MIN2(info->gpu.max_instructions, MAX_LOADED_INSTRUCTIONS),
      .vertex_sampler_base = vivgpu_core_vertex_sampler_base(info),
   };
   vivgpu_core_describe_uniforms(core, info);
}

/* Options for all cores: lowering of operations that none of them has. */
static const nir_shader_compiler_options common_options = {
   .fuse_ffma16 = true,
   .fuse_ffma32 = true,
   .fuse_ffma64 = true,
   .lower_flrp32 = true,
   .lower_fpow = true,
   .lower_fmod = true,
   .lower_fdiv = true,
   .lower_fdph = true,
   .lower_ftrunc = true,
   .lower_fround_even = true,
   .lower_ldexp = true,
   .lower_vector_cmp = true,
   .lower_bitops = true,
   .lower_find_lsb = true,
   .lower_ifind_msb = true,
   .lower_ufind_msb = true,
   .lower_mul_high = true,
   .lower_uadd_carry = true,
   .lower_usub_borrow = true,
   .lower_uadd_sat = true,
   .lower_usub_sat = true,
   .lower_iadd_sat = true,
   .lower_insert_byte = true,
   .lower_insert_word = true,
   .lower_extract_byte = true,
   .lower_extract_word = true,
   .lower_bitfield_extract = true,
   .lower_bitfield_insert = true,
   .lower_bitfield_reverse = true,
   .lower_bit_count = true,
   .lower_hadd = true,
   .lower_pack_32_2x16_split = true,
   .lower_pack_64_2x32_split = true,
   .lower_unpack_32_2x16_split = true,
   .lower_unpack_64_2x32_split = true,
   .lower_pack_half_2x16 = true,
   .lower_unpack_half_2x16 = true,
   .lower_pack_snorm_2x16 = true,
   .lower_pack_unorm_2x16 = true,
   .lower_pack_snorm_4x8 = true,
   .lower_pack_unorm_4x8 = true,
   .lower_unpack_snorm_2x16 = true,
   .lower_unpack_unorm_2x16 = true,
   .lower_unpack_snorm_4x8 = true,
   .lower_unpack_unorm_4x8 = true,
   .lower_all_io_to_temps = true,
   .has_texture_scaling = true,
   .has_uclz = true,
   .has_ddx_intrinsics = true,
   .force_indirect_unrolling = nir_var_all,
   .max_unroll_iterations = 32,
};

void
vivgpu_nir_options(nir_shader_compiler_options *options, const struct vivgpu_core *core)
{
   *options = common_options;
   options->no_integers = !core->integers;
   if (core->max_instructions <= MAX_LOADED_INSTRUCTIONS)
      options->max_unroll_iterations = MAX_UNROLL_ITERATIONS;
   options->lower_fsign = !core->sign_floor_ceil;
   options->lower_ffloor = !core->sign_floor_ceil;
   options->lower_fceil = !core->sign_floor_ceil;
   options->lower_fsqrt = !core->sqrt_trig;
   options->lower_sincos = !core->sqrt_trig;
   /*
    * Mesa need not lower indirect accesses of inputs and outputs: lower_all_io_to_temps makes them
    * accesses of variables, and vivgpu_nir_prepare() turns these into branches, since there is no
    * address register for temporaries.
    */
   options->support_indirect_inputs = (uint8_t)BITFIELD_MASK(MESA_SHADER_STAGES);
   options->support_indirect_outputs = (uint8_t)BITFIELD_MASK(MESA_SHADER_STAGES);
}
