/* SPDX-License-Identifier: MIT */

#include "vivgpu_generation.h"

#include "compiler/shader_enums.h"
#include "etna_core_info.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

static const struct vivgpu_generation halti2 = {
   .samplers =
      {
         .states =
            {
               [VIVGPU_SAMPLER_CONFIG0] = VIVS_NTE_SAMPLER_CONFIG0(0),
               [VIVGPU_SAMPLER_SIZE] = VIVS_NTE_SAMPLER_SIZE(0),
               [VIVGPU_SAMPLER_LOG_SIZE] = VIVS_NTE_SAMPLER_LOG_SIZE(0),
               [VIVGPU_SAMPLER_LOD] = VIVS_NTE_SAMPLER_LOD_CONFIG(0),
               [VIVGPU_SAMPLER_LINEAR_STRIDE] = VIVS_NTE_SAMPLER_LINEAR_STRIDE(0, 0),
               [VIVGPU_SAMPLER_CONFIG_3D] = VIVS_NTE_SAMPLER_3D_CONFIG(0),
               [VIVGPU_SAMPLER_CONFIG1] = VIVS_NTE_SAMPLER_CONFIG1(0),
               [VIVGPU_SAMPLER_ASTC] = VIVS_NTE_SAMPLER_ASTC0(0),
               [VIVGPU_SAMPLER_BASELOD] = VIVS_NTE_SAMPLER_BASELOD(0),
            },
         .address = VIVS_NTE_SAMPLER_ADDR_LOD(0, 0),
         .address_sampler = VIVS_NTE_SAMPLER_ADDR_LOD(1, 0) - VIVS_NTE_SAMPLER_ADDR_LOD(0, 0),
         .address_level = VIVS_NTE_SAMPLER_ADDR_LOD(0, 1) - VIVS_NTE_SAMPLER_ADDR_LOD(0, 0),
         .count = 32,
         .vertex = 16,
      },
   .stream_address = VIVS_NFE_VERTEX_STREAMS_BASE_ADDR(0),
   .stream_control = VIVS_NFE_VERTEX_STREAMS_CONTROL(0),
   .num_streams = 16,
   .instances = true,
   .uniforms = {VIVS_SH_UNIFORMS(0), VIVS_SH_UNIFORMS(0)},
   .integers = true,
   .halti2_textures = true,
};

static const struct vivgpu_generation halti0 = {
   .samplers =
      {
         .states =
            {
               [VIVGPU_SAMPLER_CONFIG0] = VIVS_TE_SAMPLER_CONFIG0(0),
               [VIVGPU_SAMPLER_SIZE] = VIVS_TE_SAMPLER_SIZE(0),
               [VIVGPU_SAMPLER_LOG_SIZE] = VIVS_TE_SAMPLER_LOG_SIZE(0),
               [VIVGPU_SAMPLER_LOD] = VIVS_TE_SAMPLER_LOD_CONFIG(0),
               [VIVGPU_SAMPLER_LINEAR_STRIDE] = VIVS_TE_SAMPLER_LINEAR_STRIDE(0, 0),
               [VIVGPU_SAMPLER_CONFIG_3D] = VIVS_TE_SAMPLER_3D_CONFIG(0),
               [VIVGPU_SAMPLER_CONFIG1] = VIVS_TE_SAMPLER_CONFIG1(0),
            },
         .address = VIVS_TE_SAMPLER_LOD_ADDR(0, 0),
         .address_sampler = VIVS_TE_SAMPLER_LOD_ADDR(1, 0) - VIVS_TE_SAMPLER_LOD_ADDR(0, 0),
         .address_level = VIVS_TE_SAMPLER_LOD_ADDR(0, 1) - VIVS_TE_SAMPLER_LOD_ADDR(0, 0),
         .second_stride = VIVS_TE_SAMPLER_LINEAR_STRIDE__ESIZE,
         .count = 12,
         .vertex = 8,
      },
   .stream_address = VIVS_FE_VERTEX_STREAMS_BASE_ADDR(0),
   .stream_control = VIVS_FE_VERTEX_STREAMS_CONTROL(0),
   .num_streams = VIVS_FE_VERTEX_STREAMS__LEN,
   .uniforms = {VIVS_VS_UNIFORMS(0), VIVS_PS_UNIFORMS(0)},
   .loads_code = true,
   .split = true,
};

static bool
vivgpu_generation_has(const struct etna_core_info *info, enum etna_feature feature)
{
   return etna_core_has_feature(info, feature);
}

/*
 * GC3000 and similar: both pipes render to one surface, which may be linear, and supertiles can be
 * sampled.
 */
static bool
vivgpu_generation_is_halti2(const struct etna_core_info *info)
{
   return info->halti >= 2 && info->halti < 5 &&
          vivgpu_generation_has(info, ETNA_FEATURE_SINGLE_BUFFER) &&
          vivgpu_generation_has(info, ETNA_FEATURE_INSTRUCTION_CACHE) &&
          vivgpu_generation_has(info, ETNA_FEATURE_SUPERTILED_TEXTURE) &&
          vivgpu_generation_has(info, ETNA_FEATURE_LINEAR_PE);
}

/*
 * GC2000 and similar: each of two pipes renders to its half of a surface, and one memory holds the
 * code of both stages.
 */
static bool
vivgpu_generation_is_halti0(const struct etna_core_info *info)
{
   return info->halti == 0 && info->gpu.pixel_pipes == 2 && info->gpu.stream_count > 1 &&
          info->gpu.max_instructions >= 2 * VIVGPU_FIRST_FRAGMENT_INSTRUCTION &&
          !vivgpu_generation_has(info, ETNA_FEATURE_SINGLE_BUFFER) &&
          !vivgpu_generation_has(info, ETNA_FEATURE_INSTRUCTION_CACHE);
}

bool
vivgpu_generation_init(struct vivgpu_generation *generation, const struct etna_core_info *info)
{
   if (info->type != ETNA_CORE_GPU || !vivgpu_generation_has(info, ETNA_FEATURE_SUPER_TILED) ||
       !vivgpu_generation_has(info, ETNA_FEATURE_LINEAR_TEXTURE_SUPPORT) ||
       vivgpu_generation_has(info, ETNA_FEATURE_CACHE128B256BPERLINE) ||
       vivgpu_generation_has(info, ETNA_FEATURE_BLT_ENGINE))
      return false;

   if (vivgpu_generation_is_halti2(info))
      *generation = halti2;
   else if (vivgpu_generation_is_halti0(info))
      *generation = halti0;
   else
      return false;
   generation->primitives = vivgpu_primitive_bits(BITFIELD_MASK(MESA_PRIM_QUADS));
   if (!vivgpu_generation_has(info, ETNA_FEATURE_LINE_LOOP))
      generation->primitives &= ~vivgpu_primitive_bits(BITFIELD_BIT(MESA_PRIM_LINE_LOOP));
   /* Without BUG_FIXES8 the core draws indexed strips wrongly (etnaviv_screen.c). */
   if (!vivgpu_generation_has(info, ETNA_FEATURE_BUG_FIXES8))
      generation->primitives &= ~vivgpu_primitive_bit(MESA_PRIM_TRIANGLE_STRIP, true);
   generation->early_depth = !vivgpu_generation_has(info, ETNA_FEATURE_NO_EARLY_Z);
   generation->bug_fixes = vivgpu_generation_has(info, ETNA_FEATURE_BUG_FIXES18);
   return true;
}

void
vivgpu_generation_divide_uniforms(struct vivgpu_generation *generation, uint32_t vertex)
{
   uint32_t *uniforms = generation->uniforms;

   if (uniforms[0] != uniforms[1])
      return;
   generation->fragment_uniforms = vertex;
   uniforms[1] += vertex * 4 * sizeof(uint32_t);
}
