/* SPDX-License-Identifier: MIT */
/*
 * Texel formats: conversion of texels and compressed blocks to values.
 *
 * There are two classes. Formats with unsigned normalised channels of at most eight bits are
 * converted to packed RGBA8 (R in the low byte), filtered as integers 0..255 (sRGB: as floats) and
 * divided by 255 in the end. All others are converted to the four floats that the shader receives.
 */
#ifndef CARD_GC_TX_FORMAT_H
#define CARD_GC_TX_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/personality.h"

#define TX_MAX_BLOCK_TEXELS 144 /* ASTC 12x12 */

enum tx_texel_kind {
	/* at most eight bits a channel, one texel a block */
	TX_A8,
	TX_L8,
	TX_I8,
	TX_R8,
	TX_A8L8,
	TX_G8R8,
	TX_A4R4G4B4,
	TX_X4R4G4B4,
	TX_R5G6B5,
	TX_A1R5G5B5,
	TX_X1R5G5B5,
	TX_A8R8G8B8,
	TX_X8R8G8B8,
	TX_A8B8G8R8,
	TX_X8B8G8R8,
	/* two texels share their chroma */
	TX_YUY2,
	TX_UYVY,
	/* eight bits a channel, compressed */
	TX_BLOCK_RGBA8,
	/* compressed, two signed 16-bit values a texel */
	TX_BLOCK_RG16,
	/* converted to floats */
	TX_D16,
	TX_D24X8,
	TX_E5B9G9R9,
	TX_R16F,
	TX_G16R16F,
	TX_A16B16G16R16F,
	TX_R32F,
	TX_G32R32F,
	TX_A2B10G10R10,
	TX_R8_SNORM,
	TX_G8R8_SNORM,
	TX_X8B8G8R8_SNORM,
	TX_A8B8G8R8_SNORM,
	TX_B10G11R11F,
	/* integers: bits go to the shader unchanged and are never filtered */
	TX_R8I,
	TX_G8R8I,
	TX_A8B8G8R8I,
	TX_R16I,
	TX_G16R16I,
	TX_A16B16G16R16I,
	TX_R32I,
	TX_G32R32I,
	TX_A2B10G10R10UI,
};

struct tx_format {
	const char *name;
	enum tx_texel_kind kind;
	uint8_t bytes;            /* per texel or compressed block */
	uint8_t block_w, block_h; /* 1x1 unless compressed */
	/** @decode: compressed formats: write block_w * block_h entries to @texel, row by row */
	void (*decode)(const uint8_t *block, const struct tx_format *format, bool srgb,
		       uint32_t *texel);
	bool depth;
	bool t_swapped;  /* ETC2: the two colours of T blocks are exchanged */
	float eac_scale; /* TX_BLOCK_RG16: value of one step */
};

/**
 * tx_format_find - by CONFIG0.FORMAT, or by CONFIG1.FORMAT_EXT if that is 0; NULL if undefined
 */
const struct tx_format *tx_format_find(unsigned int format, unsigned int ext);

/**
 * tx_format_before_halti1 - the variant of @format that cores before HALTI1 implement
 *
 * These cores expect the two base colours of ETC2's T blocks in the other order; Mesa rewrites
 * the blocks for them.
 */
const struct tx_format *tx_format_before_halti1(const struct tx_format *format);

/** tx_format_lacks - the feature that core @p would need to read @format, or NULL if it can */
const char *tx_format_lacks(const struct gc_personality *p, const struct tx_format *format);

/** tx_format_astc - ASTC by TEXTURE_FORMAT_ASTC_RGBA_*, or NULL. */
const struct tx_format *tx_format_astc(unsigned int astc);

/** tx_format_is_rgba8 - whether texels are converted to packed RGBA8. */
static inline bool tx_format_is_rgba8(const struct tx_format *format)
{
	return format->kind <= TX_BLOCK_RGBA8;
}

/** tx_format_is_integer - whether the shader receives integers */
static inline bool tx_format_is_integer(const struct tx_format *format)
{
	return format->kind >= TX_R8I;
}

/** tx_format_is_compressed - whether a block has several texels (except for YUV pairs) */
static inline bool tx_format_is_compressed(const struct tx_format *format)
{
	return format->decode;
}

/**
 * tx_unpack_rgba8 - convert a texel of a format with 8-bit channels to packed RGBA8
 * @raw: the texel, little endian
 * @odd: YUV: the second texel of the pair
 */
uint32_t tx_unpack_rgba8(enum tx_texel_kind kind, uint32_t raw, bool odd);

/** tx_unpack_float - convert a texel of a float or integer format */
void tx_unpack_float(enum tx_texel_kind kind, const uint8_t *texel, float out[4]);

/* Block decoders (tx_s3tc.c, tx_etc.c, tx_astc.c); see struct tx_format. */
void tx_decode_dxt1(const uint8_t *block, const struct tx_format *format, bool srgb,
		    uint32_t *texel);
void tx_decode_dxt3(const uint8_t *block, const struct tx_format *format, bool srgb,
		    uint32_t *texel);
void tx_decode_dxt5(const uint8_t *block, const struct tx_format *format, bool srgb,
		    uint32_t *texel);
void tx_decode_etc2_rgb(const uint8_t *block, const struct tx_format *format, bool srgb,
			uint32_t *texel);
void tx_decode_etc2_punch(const uint8_t *block, const struct tx_format *format, bool srgb,
			  uint32_t *texel);
void tx_decode_etc2_rgba(const uint8_t *block, const struct tx_format *format, bool srgb,
			 uint32_t *texel);
void tx_decode_eac_r11(const uint8_t *block, const struct tx_format *format, bool srgb,
		       uint32_t *texel);
void tx_decode_eac_rg11(const uint8_t *block, const struct tx_format *format, bool srgb,
			uint32_t *texel);
void tx_decode_eac_r11s(const uint8_t *block, const struct tx_format *format, bool srgb,
			uint32_t *texel);
void tx_decode_eac_rg11s(const uint8_t *block, const struct tx_format *format, bool srgb,
			 uint32_t *texel);
void tx_decode_astc(const uint8_t *block, const struct tx_format *format, bool srgb,
		    uint32_t *texel);

#endif
