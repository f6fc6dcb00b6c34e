// SPDX-License-Identifier: MIT
/*
 * Texel formats: the table by register value, and conversion of uncompressed texels. Names list
 * channels from the most significant one, as in the register database.
 */
#include "gc/tx_format.h"
#include "gc/float_bits.h"
#include "gc/format.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"

/* neither depth nor compressed; has nothing to do with CARD_PLAIN */
#define PLAIN(format, size) \
	{ .name = #format, .kind = TX_##format, .bytes = size, .block_w = 1, .block_h = 1 }
#define DEPTH(format, size)    \
	{ .name = #format,     \
	  .kind = TX_##format, \
	  .bytes = size,       \
	  .block_w = 1,        \
	  .block_h = 1,        \
	  .depth = true }
#define BLOCK(label, what, size, w, h, fn) \
	{ .name = label,                   \
	  .kind = TX_BLOCK_##what,         \
	  .bytes = size,                   \
	  .block_w = w,                    \
	  .block_h = h,                    \
	  .decode = fn }

#define EAC(label, size, fn, most) \
	{ .name = label,           \
	  .kind = TX_BLOCK_RG16,   \
	  .bytes = size,           \
	  .block_w = 4,            \
	  .block_h = 4,            \
	  .decode = fn,            \
	  .eac_scale = 1.0f / (most) }

/* CONFIG0.FORMAT */
static const struct tx_format tx_formats[32] = {
	[TEXTURE_FORMAT_A8] = PLAIN(A8, 1),
	[TEXTURE_FORMAT_L8] = PLAIN(L8, 1),
	[TEXTURE_FORMAT_I8] = PLAIN(I8, 1),
	[TEXTURE_FORMAT_A8L8] = PLAIN(A8L8, 2),
	[TEXTURE_FORMAT_A4R4G4B4] = PLAIN(A4R4G4B4, 2),
	[TEXTURE_FORMAT_X4R4G4B4] = PLAIN(X4R4G4B4, 2),
	[TEXTURE_FORMAT_A8R8G8B8] = PLAIN(A8R8G8B8, 4),
	[TEXTURE_FORMAT_X8R8G8B8] = PLAIN(X8R8G8B8, 4),
	[TEXTURE_FORMAT_A8B8G8R8] = PLAIN(A8B8G8R8, 4),
	[TEXTURE_FORMAT_X8B8G8R8] = PLAIN(X8B8G8R8, 4),
	[TEXTURE_FORMAT_R5G6B5] = PLAIN(R5G6B5, 2),
	[TEXTURE_FORMAT_A1R5G5B5] = PLAIN(A1R5G5B5, 2),
	[TEXTURE_FORMAT_X1R5G5B5] = PLAIN(X1R5G5B5, 2),
	[TEXTURE_FORMAT_YUY2] = PLAIN(YUY2, 2),
	[TEXTURE_FORMAT_UYVY] = PLAIN(UYVY, 2),
	[TEXTURE_FORMAT_D16] = DEPTH(D16, 2),
	[TEXTURE_FORMAT_D24X8] = DEPTH(D24X8, 4),
	[TEXTURE_FORMAT_DXT1] = BLOCK("DXT1", RGBA8, 8, 4, 4, tx_decode_dxt1),
	[TEXTURE_FORMAT_DXT2_DXT3] = BLOCK("DXT3", RGBA8, 16, 4, 4, tx_decode_dxt3),
	[TEXTURE_FORMAT_DXT4_DXT5] = BLOCK("DXT5", RGBA8, 16, 4, 4, tx_decode_dxt5),
	[TEXTURE_FORMAT_E5B9G9R9] = PLAIN(E5B9G9R9, 4),
	[TEXTURE_FORMAT_ETC1] = BLOCK("ETC1", RGBA8, 8, 4, 4, tx_decode_etc2_rgb),
};

/* CONFIG1.FORMAT_EXT */
static const struct tx_format tx_formats_ext[64] = {
	/* FORMAT is 0 as well, as Mesa has it */
	[TEXTURE_FORMAT_EXT_NONE] = BLOCK("ETC2_RGB8", RGBA8, 8, 4, 4, tx_decode_etc2_rgb),
	[TEXTURE_FORMAT_EXT_RGB8_PUNCHTHROUGH_ALPHA1_ETC2] =
		BLOCK("ETC2_RGB8A1", RGBA8, 8, 4, 4, tx_decode_etc2_punch),
	[TEXTURE_FORMAT_EXT_RGBA8_ETC2_EAC] =
		BLOCK("ETC2_RGBA8", RGBA8, 16, 4, 4, tx_decode_etc2_rgba),
	[TEXTURE_FORMAT_EXT_R11_EAC] = EAC("EAC_R11", 8, tx_decode_eac_r11, 2047),
	[TEXTURE_FORMAT_EXT_RG11_EAC] = EAC("EAC_RG11", 16, tx_decode_eac_rg11, 2047),
	[TEXTURE_FORMAT_EXT_SIGNED_R11_EAC] = EAC("EAC_R11_SNORM", 8, tx_decode_eac_r11s, 1023),
	[TEXTURE_FORMAT_EXT_SIGNED_RG11_EAC] = EAC("EAC_RG11_SNORM", 16, tx_decode_eac_rg11s, 1023),
	[TEXTURE_FORMAT_EXT_G8R8] = PLAIN(G8R8, 2),
	[TEXTURE_FORMAT_EXT_R16F] = PLAIN(R16F, 2),
	[TEXTURE_FORMAT_EXT_G16R16F] = PLAIN(G16R16F, 4),
	[TEXTURE_FORMAT_EXT_A16B16G16R16F] = PLAIN(A16B16G16R16F, 8),
	[TEXTURE_FORMAT_EXT_R32F] = PLAIN(R32F, 4),
	[TEXTURE_FORMAT_EXT_G32R32F] = PLAIN(G32R32F, 8),
	[TEXTURE_FORMAT_EXT_A2B10G10R10] = PLAIN(A2B10G10R10, 4),
	[TEXTURE_FORMAT_EXT_R8_SNORM] = PLAIN(R8_SNORM, 1),
	[TEXTURE_FORMAT_EXT_G8R8_SNORM] = PLAIN(G8R8_SNORM, 2),
	[TEXTURE_FORMAT_EXT_X8B8G8R8_SNORM] = PLAIN(X8B8G8R8_SNORM, 4),
	[TEXTURE_FORMAT_EXT_A8B8G8R8_SNORM] = PLAIN(A8B8G8R8_SNORM, 4),
	[TEXTURE_FORMAT_EXT_R8I] = PLAIN(R8I, 1),
	[TEXTURE_FORMAT_EXT_G8R8I] = PLAIN(G8R8I, 2),
	[TEXTURE_FORMAT_EXT_A8B8G8R8I] = PLAIN(A8B8G8R8I, 4),
	[TEXTURE_FORMAT_EXT_R16I] = PLAIN(R16I, 2),
	[TEXTURE_FORMAT_EXT_G16R16I] = PLAIN(G16R16I, 4),
	[TEXTURE_FORMAT_EXT_A16B16G16R16I] = PLAIN(A16B16G16R16I, 8),
	[TEXTURE_FORMAT_EXT_B10G11R11F] = PLAIN(B10G11R11F, 4),
	[TEXTURE_FORMAT_EXT_A2B10G10R10UI] = PLAIN(A2B10G10R10UI, 4),
	[TEXTURE_FORMAT_EXT_R8] = PLAIN(R8, 1),
	[TEXTURE_FORMAT_EXT_D24S8] = DEPTH(D24X8, 4),
	[TEXTURE_FORMAT_EXT_R32I] = PLAIN(R32I, 4),
	[TEXTURE_FORMAT_EXT_G32R32I] = PLAIN(G32R32I, 8),
};

#define ASTC(w, h)                             \
	[TEXTURE_FORMAT_ASTC_RGBA_##w##x##h] = \
		BLOCK("ASTC_" #w "x" #h, RGBA8, 16, w, h, tx_decode_astc)

/* ASTC0.ASTC_FORMAT */
static const struct tx_format tx_formats_astc[16] = {
	ASTC(4, 4), ASTC(5, 4),  ASTC(5, 5),  ASTC(6, 5),  ASTC(6, 6),   ASTC(8, 5),   ASTC(8, 6),
	ASTC(8, 8), ASTC(10, 5), ASTC(10, 6), ASTC(10, 8), ASTC(10, 10), ASTC(12, 10), ASTC(12, 12),
};

#define OLD_ETC2(label, size, fn) \
	{ .name = label,          \
	  .kind = TX_BLOCK_RGBA8, \
	  .bytes = size,          \
	  .block_w = 4,           \
	  .block_h = 4,           \
	  .decode = fn,           \
	  .t_swapped = true }

/* found by the decoder: ETC1 becomes ETC2_RGB8, whose T blocks it does not have */
static const struct tx_format tx_formats_old[] = {
	OLD_ETC2("ETC2_RGB8", 8, tx_decode_etc2_rgb),
	OLD_ETC2("ETC2_RGB8A1", 8, tx_decode_etc2_punch),
	OLD_ETC2("ETC2_RGBA8", 16, tx_decode_etc2_rgba),
};

const struct tx_format *tx_format_before_halti1(const struct tx_format *format)
{
	for (unsigned int i = 0; i < sizeof(tx_formats_old) / sizeof(tx_formats_old[0]); i++)
		if (format && tx_formats_old[i].decode == format->decode)
			return &tx_formats_old[i];
	return format;
}

const struct tx_format *tx_format_find(unsigned int format, unsigned int ext)
{
	const struct tx_format *found;

	if (format)
		found = &tx_formats[format % 32];
	else
		found = &tx_formats_ext[ext % 64];
	return found->bytes ? found : NULL;
}

const struct tx_format *tx_format_astc(unsigned int astc)
{
	const struct tx_format *found = &tx_formats_astc[astc % 16];

	return found->bytes ? found : NULL;
}

static const char *lacks_feature(const struct gc_personality *p, const struct tx_format *format)
{
	/* ETC1 only; ETC2 belongs to the extended formats, which HALTI0 has */
	if (format == &tx_formats[TEXTURE_FORMAT_ETC1])
		return p->features & chipFeatures_ETC1_TEXTURE_COMPRESSION
			       ? NULL
			       : "ETC1_TEXTURE_COMPRESSION";
	/* the DXT formats have successive numbers */
	if (format >= &tx_formats[TEXTURE_FORMAT_DXT1] &&
	    format <= &tx_formats[TEXTURE_FORMAT_DXT4_DXT5])
		return p->features & chipFeatures_DXT_TEXTURE_COMPRESSION
			       ? NULL
			       : "DXT_TEXTURE_COMPRESSION";
	if (format->decode == tx_decode_astc)
		return p->minor_features[4] & chipMinorFeatures4_TEXTURE_ASTC ? NULL
									      : "TEXTURE_ASTC";
	return NULL;
}

/* As etnaviv's gpu_supports_texture_format() has it */
const char *tx_format_lacks(const struct gc_personality *p, const struct tx_format *format)
{
	switch (format->kind) {
	case TX_R8_SNORM:
	case TX_G8R8_SNORM:
	case TX_X8B8G8R8_SNORM:
	case TX_A8B8G8R8_SNORM:
		return p->halti >= 1 ? NULL : "HALTI1";
	case TX_E5B9G9R9:
	case TX_R16F:
	case TX_G16R16F:
	case TX_A16B16G16R16F:
	case TX_R32F:
	case TX_G32R32F:
	case TX_B10G11R11F:
		return p->halti >= 2 ? NULL : "HALTI2";
	default:
		if (tx_format_is_integer(format))
			return p->halti >= 2 ? NULL : "HALTI2";
		return lacks_feature(p, format);
	}
}

static inline uint32_t pack(uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
	return r | g << 8 | b << 16 | a << 24;
}

/* Extend four, five and six bits to eight by repeating the upper ones. */
static inline uint32_t widen4(uint32_t v)
{
	return (v & 15) * 17;
}

static inline uint32_t widen5(uint32_t v)
{
	v &= 31;
	return v << 3 | v >> 2;
}

static inline uint32_t widen6(uint32_t v)
{
	v &= 63;
	return v << 2 | v >> 4;
}

static uint32_t yuv_to_rgb(uint8_t y, uint8_t u, uint8_t v)
{
	uint8_t rgb[3];

	gc_yuv_to_rgb(y, u, v, rgb);
	return pack(rgb[0], rgb[1], rgb[2], 255);
}

static inline uint32_t swap_rb(uint32_t v)
{
	return (v & 0xff00ff00) | (v & 0xff) << 16 | (v >> 16 & 0xff);
}

uint32_t tx_unpack_rgba8(enum tx_texel_kind kind, uint32_t v, bool odd)
{
	switch (kind) {
	case TX_A8:
		return v << 24;
	case TX_L8:
		return (v & 0xff) * 0x010101 | 0xff000000;
	case TX_I8:
		return (v & 0xff) * 0x01010101;
	case TX_R8:
		return (v & 0xff) | 0xff000000;
	case TX_A8L8:
		return (v & 0xff) * 0x010101 | (v & 0xff00) << 16;
	case TX_G8R8:
		return (v & 0xffff) | 0xff000000;
	case TX_A4R4G4B4:
		return pack(widen4(v >> 8), widen4(v >> 4), widen4(v), widen4(v >> 12));
	case TX_X4R4G4B4:
		return pack(widen4(v >> 8), widen4(v >> 4), widen4(v), 255);
	case TX_R5G6B5:
		return pack(widen5(v >> 11), widen6(v >> 5), widen5(v), 255);
	case TX_A1R5G5B5:
		return pack(widen5(v >> 10), widen5(v >> 5), widen5(v), v & 0x8000 ? 255 : 0);
	case TX_X1R5G5B5:
		return pack(widen5(v >> 10), widen5(v >> 5), widen5(v), 255);
	case TX_A8R8G8B8:
		return swap_rb(v);
	case TX_X8R8G8B8:
		return swap_rb(v) | 0xff000000;
	case TX_A8B8G8R8:
		return v;
	case TX_X8B8G8R8:
		return v | 0xff000000;
	case TX_YUY2:
		return yuv_to_rgb(v >> (odd ? 16 : 0) & 0xff, v >> 8 & 0xff, v >> 24);
	case TX_UYVY:
		return yuv_to_rgb(v >> (odd ? 24 : 8) & 0xff, v & 0xff, v >> 16 & 0xff);
	default:
		return v;
	}
}

static float snorm8(uint8_t v)
{
	int s = (int8_t)v;

	return s <= -127 ? -1.0f : (float)s / 127.0f;
}

static void shared_exponent(uint32_t v, float out[4])
{
	int exponent = (int)(v >> 27) - 15 - 9;

	for (int i = 0; i < 3; i++)
		out[i] = ldexpf((float)(v >> 9 * i & 511), exponent);
}

static inline uint32_t load32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint16_t load16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void put_bits(float *out, uint32_t bits)
{
	memcpy(out, &bits, sizeof(bits));
}

/* Integers, zero-extended; a missing alpha is the integer one. */
static void unpack_integer(enum tx_texel_kind kind, const uint8_t *p, float out[4])
{
	uint32_t v[4] = { 0, 0, 0, 1 };

	switch (kind) {
	case TX_A8B8G8R8I:
		v[2] = p[2], v[3] = p[3]; /* fall through */
	case TX_G8R8I:
		v[1] = p[1]; /* fall through */
	case TX_R8I:
		v[0] = p[0];
		break;
	case TX_A16B16G16R16I:
		v[2] = load16(p + 4), v[3] = load16(p + 6); /* fall through */
	case TX_G16R16I:
		v[1] = load16(p + 2); /* fall through */
	case TX_R16I:
		v[0] = load16(p);
		break;
	case TX_G32R32I:
		v[1] = load32(p + 4); /* fall through */
	case TX_R32I:
		v[0] = load32(p);
		break;
	default:
		v[0] = load32(p) & 1023, v[1] = load32(p) >> 10 & 1023;
		v[2] = load32(p) >> 20 & 1023, v[3] = load32(p) >> 30;
		break;
	}
	for (int i = 0; i < 4; i++)
		put_bits(&out[i], v[i]);
}

void tx_unpack_float(enum tx_texel_kind kind, const uint8_t *p, float out[4])
{
	out[0] = out[1] = out[2] = 0.0f;
	out[3] = 1.0f;
	switch (kind) {
	case TX_D16:
		out[0] = out[1] = out[2] = (float)load16(p) / 65535.0f;
		break;
	case TX_D24X8: /* depth is above eight bits of stencil */
		out[0] = out[1] = out[2] = (float)((load32(p) >> 8) / 16777215.0);
		break;
	case TX_E5B9G9R9:
		shared_exponent(load32(p), out);
		break;
	case TX_A16B16G16R16F:
		out[2] = gc_half_to_float(load16(p + 4));
		out[3] = gc_half_to_float(load16(p + 6)); /* fall through */
	case TX_G16R16F:
		out[1] = gc_half_to_float(load16(p + 2)); /* fall through */
	case TX_R16F:
		out[0] = gc_half_to_float(load16(p));
		break;
	case TX_G32R32F:
		put_bits(&out[1], load32(p + 4)); /* fall through */
	case TX_R32F:
		put_bits(&out[0], load32(p));
		break;
	case TX_A2B10G10R10:
		for (int i = 0; i < 3; i++)
			out[i] = (float)(load32(p) >> 10 * i & 1023) / 1023.0f;
		out[3] = (float)(load32(p) >> 30) / 3.0f;
		break;
	case TX_A8B8G8R8_SNORM:
		out[3] = snorm8(p[3]); /* fall through */
	case TX_X8B8G8R8_SNORM:
		out[2] = snorm8(p[2]); /* fall through */
	case TX_G8R8_SNORM:
		out[1] = snorm8(p[1]); /* fall through */
	case TX_R8_SNORM:
		out[0] = snorm8(p[0]);
		break;
	case TX_B10G11R11F:
		out[0] = gc_ufloat_to_float(load32(p) & 0x7ff, 6);
		out[1] = gc_ufloat_to_float(load32(p) >> 11 & 0x7ff, 6);
		out[2] = gc_ufloat_to_float(load32(p) >> 22, 5);
		break;
	default:
		unpack_integer(kind, p, out);
		break;
	}
}
