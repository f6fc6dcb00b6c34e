/* SPDX-License-Identifier: MIT */
/* Packs sampler states, and the parts of texture views that belong to sampler states. */

#include <math.h>

#include "compiler/vivgpu_compiler.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/format/u_format.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "vivgpu_format.h"
#include "vivgpu_group.h"
#include "vivgpu_state.h"

/* Bits that Vivante's driver always sets */
#define ASTC_ALWAYS                                                                                \
   (VIVS_NTE_SAMPLER_ASTC0_UNK8(0xc) | VIVS_NTE_SAMPLER_ASTC0_UNK16(0xc) |                         \
    VIVS_NTE_SAMPLER_ASTC0_UNK24(0xc))

/* Levels of detail have five fractional bits. */
#define LOD_ONE 32

static uint32_t
vivgpu_sampler_fixed(float value)
{
   return (int32_t)roundf(value * LOD_ONE);
}

static uint32_t
vivgpu_sampler_fixed_log2(unsigned size)
{
   return vivgpu_sampler_fixed(log2f(size));
}

/*
 * These cores have no borders: the coordinate is clamped to the edge, and the shader blends the
 * border in. MIRROR_CLAMP modes are not exact, and not offered to applications.
 */
static uint32_t
vivgpu_sampler_wrap(unsigned mode)
{
   switch (mode) {
   case PIPE_TEX_WRAP_REPEAT:
      return TEXTURE_WRAPMODE_REPEAT;
   case PIPE_TEX_WRAP_MIRROR_REPEAT:
   case PIPE_TEX_WRAP_MIRROR_CLAMP:
   case PIPE_TEX_WRAP_MIRROR_CLAMP_TO_EDGE:
   case PIPE_TEX_WRAP_MIRROR_CLAMP_TO_BORDER:
      return TEXTURE_WRAPMODE_MIRRORED_REPEAT;
   default:
      return TEXTURE_WRAPMODE_CLAMP_TO_EDGE;
   }
}

static uint32_t
vivgpu_sampler_filter(unsigned mode)
{
   return mode == PIPE_TEX_FILTER_LINEAR ? TEXTURE_FILTER_LINEAR : TEXTURE_FILTER_NEAREST;
}

static uint32_t
vivgpu_sampler_mip_filter(unsigned mode)
{
   switch (mode) {
   case PIPE_TEX_MIPFILTER_NEAREST:
      return TEXTURE_FILTER_NEAREST;
   case PIPE_TEX_MIPFILTER_LINEAR:
      return TEXTURE_FILTER_LINEAR;
   default:
      return TEXTURE_FILTER_NONE;
   }
}

static uint32_t
vivgpu_sampler_comparison(unsigned func)
{
   static const uint8_t codes[] = {
      [PIPE_FUNC_NEVER] = TEXTURE_COMPARE_FUNC_NEVER,
      [PIPE_FUNC_LESS] = TEXTURE_COMPARE_FUNC_LESS,
      [PIPE_FUNC_EQUAL] = TEXTURE_COMPARE_FUNC_EQUAL,
      [PIPE_FUNC_LEQUAL] = TEXTURE_COMPARE_FUNC_LEQUAL,
      [PIPE_FUNC_GREATER] = TEXTURE_COMPARE_FUNC_GREATER,
      [PIPE_FUNC_NOTEQUAL] = TEXTURE_COMPARE_FUNC_NOTEQUAL,
      [PIPE_FUNC_GEQUAL] = TEXTURE_COMPARE_FUNC_GEQUAL,
      [PIPE_FUNC_ALWAYS] = TEXTURE_COMPARE_FUNC_ALWAYS,
   };

   return codes[func];
}

/*
 * Return the axes with a border (VIVGPU_BORDER_AXIS(), VIVGPU_BORDER_CLAMP()). GL_CLAMP uses it
 * only with linear filtering: @filtered.
 */
static unsigned
vivgpu_sampler_border_axes(const struct pipe_sampler_state *base, bool filtered)
{
   const unsigned modes[] = {base->wrap_s, base->wrap_t, base->wrap_r};
   unsigned axes = 0;

   for (unsigned axis = 0; axis < ARRAY_SIZE(modes); axis++) {
      if (modes[axis] == PIPE_TEX_WRAP_CLAMP_TO_BORDER)
         axes |= VIVGPU_BORDER_AXIS(axis);
      else if (modes[axis] == PIPE_TEX_WRAP_CLAMP && filtered)
         axes |= VIVGPU_BORDER_CLAMP(axis);
   }
   return axes;
}

static uint16_t
vivgpu_sampler_border(const struct pipe_sampler_state *base)
{
   bool mag = base->mag_img_filter == PIPE_TEX_FILTER_LINEAR;
   bool min = base->min_img_filter == PIPE_TEX_FILTER_LINEAR;
   unsigned axes = vivgpu_sampler_border_axes(base, mag || min);

   if (!axes)
      return 0;
   return axes | (mag ? VIVGPU_BORDER_MAG_LINEAR : 0) | (min ? VIVGPU_BORDER_MIN_LINEAR : 0) |
          (base->min_mip_filter != PIPE_TEX_MIPFILTER_NONE ? VIVGPU_BORDER_MIPMAPS : 0) |
          (base->min_mip_filter == PIPE_TEX_MIPFILTER_LINEAR ? VIVGPU_BORDER_MIP_LINEAR : 0) |
          VIVGPU_BORDER_COMPARES(base->compare_mode ? base->compare_func : 0);
}

/* The command monitor's description of a sampler: filter and anisotropy */
static uint8_t
vivgpu_sampler_describe(const struct pipe_sampler_state *base)
{
   return MAX2(base->max_anisotropy, 1) << VIVGPU_DESCRIBED_FILTER_BITS |
          (base->min_img_filter == PIPE_TEX_FILTER_LINEAR ? VIVGPU_FILTER_LINEAR : 0) |
          (base->min_mip_filter != PIPE_TEX_MIPFILTER_NONE ? VIVGPU_FILTER_MIPMAP : 0) |
          (base->min_mip_filter == PIPE_TEX_MIPFILTER_LINEAR ? VIVGPU_FILTER_TRILINEAR : 0);
}

void
vivgpu_sampler_init(struct vivgpu_sampler *sampler, const struct pipe_sampler_state *base)
{
   bool mipmaps = base->min_mip_filter != PIPE_TEX_MIPFILTER_NONE;
   bool nearest = base->min_img_filter == PIPE_TEX_FILTER_NEAREST ||
                  base->mag_img_filter == PIPE_TEX_FILTER_NEAREST;
   /* Without mipmaps the LOD still chooses between the two filters. */
   bool filters_differ = base->min_img_filter != base->mag_img_filter;
   bool biased = mipmaps || filters_differ;

   sampler->base = *base;
   sampler->border = vivgpu_sampler_border(base);
   sampler->described = vivgpu_sampler_describe(base);
   sampler->config0 =
      VIVS_TE_SAMPLER_CONFIG0_UWRAP(vivgpu_sampler_wrap(base->wrap_s)) |
      VIVS_TE_SAMPLER_CONFIG0_VWRAP(vivgpu_sampler_wrap(base->wrap_t)) |
      VIVS_TE_SAMPLER_CONFIG0_MAG(vivgpu_sampler_filter(base->mag_img_filter)) |
      VIVS_TE_SAMPLER_CONFIG0_MIN(vivgpu_sampler_filter(base->min_img_filter)) |
      VIVS_TE_SAMPLER_CONFIG0_MIP(vivgpu_sampler_mip_filter(base->min_mip_filter)) |
      VIVS_TE_SAMPLER_CONFIG0_ANISOTROPY(
         base->max_anisotropy > 1 ? vivgpu_sampler_fixed_log2(base->max_anisotropy) : 0) |
      /* ROUND_UV is more precise, but it moves the boundaries between texels. */
      (nearest ? 0 : VIVS_TE_SAMPLER_CONFIG0_ROUND_UV);
   sampler->config1 = base->seamless_cube_map ? VIVS_TE_SAMPLER_CONFIG1_SEAMLESS_CUBE_MAP : 0;
   sampler->config_3d = VIVS_TE_SAMPLER_3D_CONFIG_WRAP(vivgpu_sampler_wrap(base->wrap_r));
   sampler->lod_config = VIVS_TE_SAMPLER_LOD_CONFIG_BIAS(vivgpu_sampler_fixed(base->lod_bias)) |
                         (biased && base->lod_bias ? VIVS_TE_SAMPLER_LOD_CONFIG_BIAS_ENABLE : 0);
   sampler->baselod =
      VIVS_NTE_SAMPLER_BASELOD_COMPARE_FUNC(vivgpu_sampler_comparison(base->compare_func)) |
      (base->compare_mode ? VIVS_NTE_SAMPLER_BASELOD_COMPARE_ENABLE : 0);
   sampler->min_lod =
      mipmaps ? vivgpu_sampler_fixed(CLAMP(base->min_lod, 0, VIVGPU_MAX_LEVELS)) : 0;
   /* A minimum LOD above 0 always selects the minification filter. */
   if (!mipmaps && filters_differ && base->min_lod > 0)
      sampler->min_lod = 1;
   sampler->max_lod =
      mipmaps ? vivgpu_sampler_fixed(CLAMP(base->max_lod, 0, VIVGPU_MAX_LEVELS)) : 0;
   /*
    * With a maximum LOD of 0 the core always magnifies, which is right if the application set it.
    * If the limit is 0 because there is one level, raise it by the smallest step to allow
    * minification.
    */
   sampler->min_max_lod = filters_differ && base->max_lod > 0 ? 1 : 0;
}

float
vivgpu_sampler_lod(const struct vivgpu_sampler *sampler, unsigned levels, unsigned component)
{
   switch (component) {
   case 0:
      /* With a maximum LOD of 0 the result is always at most 0: return a very low bias. */
      return sampler->base.max_lod > 0 ? sampler->base.lod_bias : -1000;
   case 1:
      return (float)sampler->min_lod / LOD_ONE;
   default:
      return MIN2((float)sampler->max_lod / LOD_ONE, levels);
   }
}

static uint32_t
vivgpu_sampler_texture_type(enum pipe_texture_target target)
{
   switch (target) {
   case PIPE_TEXTURE_3D:
   case PIPE_TEXTURE_1D_ARRAY:
   case PIPE_TEXTURE_2D_ARRAY:
      return TEXTURE_TYPE_3D;
   case PIPE_TEXTURE_CUBE:
      return TEXTURE_TYPE_CUBE_MAP;
   default:
      return TEXTURE_TYPE_2D;
   }
}

static unsigned
vivgpu_sampler_swizzle(const struct pipe_sampler_view *base, unsigned channel)
{
   /* The core decodes DXT1 with alpha, and R8 is stored as luminance. */
   if (util_format_linear(base->format) == PIPE_FORMAT_DXT1_RGB && channel == PIPE_SWIZZLE_W)
      return PIPE_SWIZZLE_1;
   if (base->format == PIPE_FORMAT_R8_UNORM &&
       (channel == PIPE_SWIZZLE_Y || channel == PIPE_SWIZZLE_Z))
      return PIPE_SWIZZLE_0;
   return channel;
}

static uint32_t
vivgpu_sampler_swizzles(const struct pipe_sampler_view *base)
{
   STATIC_ASSERT(PIPE_SWIZZLE_X == TEXTURE_SWIZZLE_RED && PIPE_SWIZZLE_W == TEXTURE_SWIZZLE_ALPHA);
   STATIC_ASSERT(PIPE_SWIZZLE_0 == TEXTURE_SWIZZLE_ZERO && PIPE_SWIZZLE_1 == TEXTURE_SWIZZLE_ONE);
   return VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_R(vivgpu_sampler_swizzle(base, base->swizzle_r)) |
          VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_G(vivgpu_sampler_swizzle(base, base->swizzle_g)) |
          VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_B(vivgpu_sampler_swizzle(base, base->swizzle_b)) |
          VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_A(vivgpu_sampler_swizzle(base, base->swizzle_a));
}

/*
 * Pack the size of the view's first level, which is the core's level 0: the core magnifies below
 * LOD 0 of that one only. Layers of an array count as the third dimension, also for one-dimensional
 * arrays, whose coordinates the compiler extends by a second one.
 */
static void
vivgpu_sampler_init_sizes(struct vivgpu_view_state *view, const struct pipe_sampler_view *base,
                          const struct pipe_resource *texture)
{
   unsigned width = u_minify(texture->width0, view->first_level);
   unsigned height = u_minify(texture->height0, view->first_level);
   unsigned depth = u_minify(texture->depth0, view->first_level);

   if (base->target == PIPE_TEXTURE_1D_ARRAY || base->target == PIPE_TEXTURE_2D_ARRAY)
      depth = texture->array_size;
   view->size = VIVS_TE_SAMPLER_SIZE_WIDTH(width) | VIVS_TE_SAMPLER_SIZE_HEIGHT(height);
   view->log_size = VIVS_TE_SAMPLER_LOG_SIZE_WIDTH(vivgpu_sampler_fixed_log2(width)) |
                    VIVS_TE_SAMPLER_LOG_SIZE_HEIGHT(vivgpu_sampler_fixed_log2(height));
   view->config_3d = VIVS_TE_SAMPLER_3D_CONFIG_DEPTH(depth) |
                     VIVS_TE_SAMPLER_3D_CONFIG_LOG_DEPTH(vivgpu_sampler_fixed_log2(depth));
}

static void
vivgpu_sampler_init_format(struct vivgpu_view_state *view, enum pipe_format pipe_format)
{
   uint32_t format = vivgpu_format_texture(pipe_format), code = format & VIVGPU_TEXTURE_CODE;
   bool srgb = util_format_is_srgb(pipe_format);

   view->astc = ASTC_ALWAYS;
   if (format & VIVGPU_TEXTURE_ASTC) {
      view->config1 |= VIVS_TE_SAMPLER_CONFIG1_FORMAT_EXT(TEXTURE_FORMAT_EXT_ASTC);
      view->astc |=
         VIVS_NTE_SAMPLER_ASTC0_ASTC_FORMAT(code) | (srgb ? VIVS_NTE_SAMPLER_ASTC0_ASTC_SRGB : 0);
      view->log_size |= VIVS_TE_SAMPLER_LOG_SIZE_ASTC;
      return;
   }

   if (format & VIVGPU_TEXTURE_EXT)
      view->config1 |= VIVS_TE_SAMPLER_CONFIG1_FORMAT_EXT(code);
   else
      view->config0 |= VIVS_TE_SAMPLER_CONFIG0_FORMAT(code);
   if (srgb)
      view->log_size |= VIVS_TE_SAMPLER_LOG_SIZE_SRGB;
}

void
vivgpu_view_init(struct vivgpu_view_state *view, const struct pipe_sampler_view *base,
                 const struct pipe_resource *texture, const struct vivgpu_layout *layout)
{
   bool compressed = util_format_is_compressed(base->format);
   bool linear = layout->tiling == VIVGPU_LINEAR && !compressed;
   bool array = base->target == PIPE_TEXTURE_1D_ARRAY || base->target == PIPE_TEXTURE_2D_ARRAY;

   view->config0 = VIVS_TE_SAMPLER_CONFIG0_TYPE(vivgpu_sampler_texture_type(base->target)) |
                   VIVS_TE_SAMPLER_CONFIG0_ADDRESSING_MODE(linear ? TEXTURE_ADDRESSING_MODE_LINEAR
                                                                  : TEXTURE_ADDRESSING_MODE_TILED);
   view->config0_keep = ~0u;
   if (base->target == PIPE_TEXTURE_1D || base->target == PIPE_TEXTURE_1D_ARRAY) {
      /* A two-dimensional texture of height 1, for which the second coordinate has no effect */
      view->config0_keep = ~VIVS_TE_SAMPLER_CONFIG0_VWRAP__MASK;
      view->config0 |= VIVS_TE_SAMPLER_CONFIG0_VWRAP(TEXTURE_WRAPMODE_REPEAT);
   }

   view->config1 = VIVS_TE_SAMPLER_CONFIG1_HALIGN(vivgpu_layout_halign(layout, compressed)) |
                   (array ? VIVS_TE_SAMPLER_CONFIG1_TEXTURE_ARRAY : 0) |
                   vivgpu_sampler_swizzles(base);
   view->first_level = base->u.tex.first_level;
   view->linear_stride = linear ? layout->levels[view->first_level].stride : 0;
   vivgpu_sampler_init_sizes(view, base, texture);
   vivgpu_sampler_init_format(view, base->format);
   view->max_lod =
      (MIN2(base->u.tex.last_level, texture->last_level) - view->first_level) * LOD_ONE;
   /* vivgpu_sampler.min_max_lod would mix a little of the next level in. */
   if (!view->max_lod)
      view->config0_keep &= ~VIVS_TE_SAMPLER_CONFIG0_MIP__MASK;
   view->int_filter =
      vivgpu_format_int_filter(base->format) && !array && base->target != PIPE_TEXTURE_3D;
}

uint32_t
vivgpu_view_lod(const struct vivgpu_view_state *view, const struct vivgpu_sampler *sampler)
{
   uint32_t max = MAX2(MIN2(sampler->max_lod, view->max_lod), sampler->min_max_lod);

   return sampler->lod_config | VIVS_TE_SAMPLER_LOD_CONFIG_MAX(max) |
          VIVS_TE_SAMPLER_LOD_CONFIG_MIN(MIN2(sampler->min_lod, max));
}
