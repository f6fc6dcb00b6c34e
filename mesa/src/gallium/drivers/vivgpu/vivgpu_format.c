/* SPDX-License-Identifier: MIT */

#include "vivgpu_format.h"

#include "etna_core_info.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/format/u_format.h"
#include "util/macros.h"

/* Codes are stored plus one: 0 means that the unit does not support the format. */
struct codes {
   uint16_t vertex, texture, target;
   bool swap;
};

/* Codes as vertex, as texture (in one of three register fields), and as render target */
#define V(code)      .vertex = FE_DATA_TYPE_##code + 1
#define T(code)      .texture = TEXTURE_FORMAT_##code + 1
#define X(code)      .texture = (TEXTURE_FORMAT_EXT_##code | VIVGPU_TEXTURE_EXT) + 1
#define A(code)      .texture = (TEXTURE_FORMAT_ASTC_RGBA_##code | VIVGPU_TEXTURE_ASTC) + 1
#define C(code)      .target = PE_FORMAT_##code + 1
#define SWAPPED      .swap = true
#define F(name, ...) [PIPE_FORMAT_##name] = {__VA_ARGS__}

/* Formats of one to four components of the same type, for vertices only */
#define V4(bits, kind, code)                                                                       \
   F(R##bits##_##kind, V(code)), F(R##bits##G##bits##_##kind, V(code)),                            \
      F(R##bits##G##bits##B##bits##_##kind, V(code)),                                              \
      F(R##bits##G##bits##B##bits##A##bits##_##kind, V(code))

static const struct codes table[PIPE_FORMAT_COUNT] = {
   V4(8, USCALED, UNSIGNED_BYTE),
   V4(8, SSCALED, BYTE),
   V4(16, UNORM, UNSIGNED_SHORT),
   V4(16, SNORM, SHORT),
   V4(16, USCALED, UNSIGNED_SHORT),
   V4(16, SSCALED, SHORT),
   V4(32, UNORM, UNSIGNED_INT),
   V4(32, SNORM, INT),
   V4(32, USCALED, UNSIGNED_INT),
   V4(32, SSCALED, INT),
   V4(32, FIXED, FIXED),
   F(R8G8B8_UNORM, V(UNSIGNED_BYTE)),
   F(R8G8B8_SNORM, V(BYTE)),
   F(R16G16B16_FLOAT, V(HALF_FLOAT)),
   F(R32G32B32_FLOAT, V(FLOAT)),
   F(R32G32B32A32_FLOAT, V(FLOAT)),
   F(R10G10B10A2_SNORM, V(INT_2_10_10_10_REV)),
   F(R10G10B10A2_USCALED, V(UNSIGNED_INT_2_10_10_10_REV)),
   F(R10G10B10A2_SSCALED, V(INT_2_10_10_10_REV)),

   /* Fetched as floats, which leaves the bits unchanged */
   F(R32_UINT, V(FLOAT)),
   F(R32_SINT, V(FLOAT)),
   F(R32G32_UINT, V(FLOAT)),
   F(R32G32_SINT, V(FLOAT)),
   F(R32G32B32_UINT, V(FLOAT)),
   F(R32G32B32_SINT, V(FLOAT)),
   F(R32G32B32A32_UINT, V(FLOAT)),
   F(R32G32B32A32_SINT, V(FLOAT)),

   F(A8_UNORM, T(A8)),
   F(L8_UNORM, T(L8)),
   F(I8_UNORM, T(I8)),
   F(L8A8_UNORM, T(A8L8)),
   F(R8_UNORM, V(UNSIGNED_BYTE), T(L8)),
   F(R8_SNORM, V(BYTE), X(R8_SNORM)),
   F(R8G8_UNORM, V(UNSIGNED_BYTE), X(G8R8), C(G8R8)),
   F(R8G8_SNORM, V(BYTE), X(G8R8_SNORM)),

   F(B4G4R4A4_UNORM, T(A4R4G4B4), C(A4R4G4B4)),
   F(B4G4R4X4_UNORM, T(X4R4G4B4), C(X4R4G4B4)),
   F(B5G6R5_UNORM, T(R5G6B5), C(R5G6B5)),
   F(B5G5R5A1_UNORM, T(A1R5G5B5), C(A1R5G5B5)),
   F(B5G5R5X1_UNORM, T(X1R5G5B5), C(X1R5G5B5)),

   F(B8G8R8A8_UNORM, T(A8R8G8B8), C(A8R8G8B8)),
   F(B8G8R8X8_UNORM, T(X8R8G8B8), C(X8R8G8B8)),
   F(R8G8B8A8_UNORM, V(UNSIGNED_BYTE), T(A8B8G8R8), C(A8R8G8B8), SWAPPED),
   F(R8G8B8X8_UNORM, T(X8B8G8R8), C(X8R8G8B8), SWAPPED),
   F(R8G8B8A8_SNORM, V(BYTE), X(A8B8G8R8_SNORM)),
   F(R8G8B8X8_SNORM, X(X8B8G8R8_SNORM)),
   F(R10G10B10A2_UNORM, V(UNSIGNED_INT_2_10_10_10_REV), X(A2B10G10R10), C(A2B10G10R10)),
   F(R10G10B10X2_UNORM, X(A2B10G10R10), C(A2B10G10R10)),

   F(R16_FLOAT, V(HALF_FLOAT), X(R16F), C(R16F)),
   F(R16G16_FLOAT, V(HALF_FLOAT), X(G16R16F), C(G16R16F)),
   F(R16G16B16A16_FLOAT, V(HALF_FLOAT), X(A16B16G16R16F), C(A16B16G16R16F)),
   F(R32_FLOAT, V(FLOAT), X(R32F), C(R32F)),
   F(R32G32_FLOAT, V(FLOAT), X(G32R32F), C(G32R32F)),
   F(R11G11B10_FLOAT, X(B10G11R11F), C(B10G11R11F)),
   F(R9G9B9E5_FLOAT, T(E5B9G9R9)),

   F(Z16_UNORM, T(D16)),
   F(X8Z24_UNORM, T(D24X8)),
   F(S8_UINT_Z24_UNORM, T(D24X8)),

   F(DXT1_RGB, T(DXT1)),
   F(DXT1_RGBA, T(DXT1)),
   F(DXT3_RGBA, T(DXT2_DXT3)),
   F(DXT5_RGBA, T(DXT4_DXT5)),
   F(ETC1_RGB8, T(ETC1)),
   F(ASTC_4x4, A(4x4)),
   F(ASTC_5x4, A(5x4)),
   F(ASTC_5x5, A(5x5)),
   F(ASTC_6x5, A(6x5)),
   F(ASTC_6x6, A(6x6)),
   F(ASTC_8x5, A(8x5)),
   F(ASTC_8x6, A(8x6)),
   F(ASTC_8x8, A(8x8)),
   F(ASTC_10x5, A(10x5)),
   F(ASTC_10x6, A(10x6)),
   F(ASTC_10x8, A(10x8)),
   F(ASTC_10x10, A(10x10)),
   F(ASTC_12x10, A(12x10)),
   F(ASTC_12x12, A(12x12)),
};

static uint32_t
vivgpu_format_code(uint16_t stored)
{
   return stored ? stored - 1 : VIVGPU_NO_FORMAT;
}

uint32_t
vivgpu_format_vertex(enum pipe_format format)
{
   return vivgpu_format_code(table[format].vertex);
}

uint32_t
vivgpu_format_texture(enum pipe_format format)
{
   return vivgpu_format_code(table[util_format_linear(format)].texture);
}

bool
vivgpu_format_decompresses(const struct etna_core_info *info, enum pipe_format format)
{
   switch (util_format_description(format)->layout) {
   case UTIL_FORMAT_LAYOUT_S3TC:
      return etna_core_has_feature(info, ETNA_FEATURE_DXT_TEXTURE_COMPRESSION);
   case UTIL_FORMAT_LAYOUT_ETC:
      return etna_core_has_feature(info, ETNA_FEATURE_ETC1_TEXTURE_COMPRESSION);
   case UTIL_FORMAT_LAYOUT_ASTC:
      return etna_core_has_feature(info, ETNA_FEATURE_TEXTURE_ASTC) &&
             !etna_core_has_feature(info, ETNA_FEATURE_NO_ASTC);
   default:
      return true;
   }
}

/* The pixel engine of these cores writes no sRGB. */
uint32_t
vivgpu_format_target(enum pipe_format format)
{
   return vivgpu_format_code(table[format].target);
}

bool
vivgpu_format_rb_swap(enum pipe_format format)
{
   return table[format].swap;
}

uint32_t
vivgpu_format_depth(enum pipe_format format)
{
   switch (format) {
   case PIPE_FORMAT_Z16_UNORM:
      return VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D16;
   case PIPE_FORMAT_X8Z24_UNORM:
   case PIPE_FORMAT_S8_UINT_Z24_UNORM:
      return VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8;
   default:
      return VIVGPU_NO_FORMAT;
   }
}

uint32_t
vivgpu_format_resolve(enum pipe_format format)
{
   uint32_t target = vivgpu_format_target(format);

   /* Checks that the resolve engine's codes equal the pixel engine's, which are used for both. */
   STATIC_ASSERT(RS_FORMAT_X4R4G4B4 == PE_FORMAT_X4R4G4B4);
   STATIC_ASSERT(RS_FORMAT_A8R8G8B8 == PE_FORMAT_A8R8G8B8);
   return target <= RS_FORMAT_A8R8G8B8 ? target : VIVGPU_NO_FORMAT;
}

uint32_t
vivgpu_format_copy(unsigned bytes)
{
   switch (bytes) {
   case 2:
      return RS_FORMAT_A4R4G4B4;
   case 4:
      return RS_FORMAT_A8R8G8B8;
   case 8:
      return RS_FORMAT_64BPP_CLEAR;
   default:
      return VIVGPU_NO_FORMAT;
   }
}

bool
vivgpu_format_can_tile(enum pipe_format format)
{
   unsigned bytes = util_format_get_blocksize(format);

   return !util_format_is_compressed(format) && (bytes == 2 || bytes == 4);
}

bool
vivgpu_format_int_filter(enum pipe_format format)
{
   return util_format_is_unorm(format) && !util_format_is_srgb(format) &&
          !util_format_is_depth_or_stencil(format) &&
          util_format_description(format)->layout != UTIL_FORMAT_LAYOUT_ASTC &&
          format != PIPE_FORMAT_R10G10B10A2_UNORM && format != PIPE_FORMAT_R10G10B10X2_UNORM;
}
