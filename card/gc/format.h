/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats of render targets and of the resolve engine: position of the channels in a
 * pixel, and conversion between pixels and registers. Pure functions. The texture unit's
 * formats are in tx_format.h.
 */
#ifndef CARD_GC_FORMAT_H
#define CARD_GC_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/batch.h"
#include "gc/personality.h"

enum gc_format_kind {
	GC_FORMAT_UNORM,
	GC_FORMAT_FLOAT16,
	GC_FORMAT_FLOAT32, /* stored unchanged, so used for 32-bit integers too */
	GC_FORMAT_UFLOAT,  /* 11 or 10 bits, without a sign */
	GC_FORMAT_INTEGER, /* the low bits of the register, signed or unsigned */
};

/* A channel of a format; bits is 0 if the format does not have it. */
struct gc_channel {
	uint8_t bits, shift; /* within its 32-bit word */
	uint8_t word;        /* 0 or 1, of 64-bit pixels */
};

struct gc_format {
	const char *name;
	uint8_t bytes; /* of a pixel: 1, 2, 4 or 8 */
	enum gc_format_kind kind;
	struct gc_channel channel[4]; /* R, G, B, A */
	uint32_t pad;                 /* bits that belong to no channel; written as ones */
};

/* Pixels of a batch, one per lane; hi is used by 64-bit formats only. */
struct gc_pixels {
	uint32_t lo[GC_LANES], hi[GC_LANES];
} __attribute__((aligned(64)));

/**
 * gc_format_color - the format with the number PE_FORMAT_*, or NULL if it cannot be rendered to
 */
const struct gc_format *gc_format_color(unsigned int pe_format);

/**
 * gc_format_lacks - the feature that core @p would need to render to @format, or NULL if it can
 */
const char *gc_format_lacks(const struct gc_personality *p, const struct gc_format *format);

/**
 * gc_format_rs - the format with the number RS_FORMAT_*, or NULL; does not include YUY2 and
 * 64BPP_CLEAR
 */
const struct gc_format *gc_format_rs(unsigned int rs_format);

/**
 * gc_format_mask - pixel bits that a channel mask enables
 * @components: bit 0 R .. bit 3 A; padding bits are enabled with any channel of their word
 * @mask: receives the bits of the low and of the high word
 *
 * Returns: whether all bits of the pixel are enabled.
 */
bool gc_format_mask(const struct gc_format *format, unsigned int components, uint32_t mask[2]);

/* Conversions work on blocks of this many lanes. */
#define GC_FORMAT_BLOCK 16

/**
 * gc_format_pack - convert registers to pixels
 * @color: the registers
 * @first: first lane, a multiple of GC_FORMAT_BLOCK
 * @end: past the last lane, a multiple of GC_FORMAT_BLOCK
 * @bias: rounding offset of each lane for dithering, used for colour channels of UNORM formats
 *     with fewer than eight bits; NULL: 0.5
 * @pixels: receives the pixels
 */
void gc_format_pack(const struct gc_format *format, const struct gc_vec4 *color, unsigned int first,
		    unsigned int end, const float *bias, struct gc_pixels *pixels);

/** gc_format_pack_color - the same for components in separate registers */
void gc_format_pack_color(const struct gc_format *format, const struct gc_color *color,
			  unsigned int first, unsigned int end, const float *bias,
			  struct gc_pixels *pixels);

/** gc_format_is_8888 - whether it is A8R8G8B8 or X8R8G8B8. */
bool gc_format_is_8888(const struct gc_format *format);

/** gc_format_unpack - pixels to registers; absent channels are 0, 0, 0, 1. */
void gc_format_unpack(const struct gc_format *format, const struct gc_pixels *pixels,
		      unsigned int first, unsigned int end, struct gc_vec4 *color);

/** gc_clamp_byte - @value, or the nearer of 0 and 255 */
static inline uint8_t gc_clamp_byte(int value)
{
	return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/** gc_yuv_to_rgb - BT.601 with Y in 16..235 [chosen], 8 fraction bits */
static inline void gc_yuv_to_rgb(uint8_t y, uint8_t u, uint8_t v, uint8_t rgb[3])
{
	const int luma = 298 * (y - 16) + 128, cb = u - 128, cr = v - 128;

	rgb[0] = gc_clamp_byte((luma + 409 * cr) >> 8);
	rgb[1] = gc_clamp_byte((luma - 100 * cb - 208 * cr) >> 8);
	rgb[2] = gc_clamp_byte((luma + 516 * cb) >> 8);
}

/** gc_srgb_decode - linear value of an 8-bit sRGB code (IEC 61966-2-1) */
float gc_srgb_decode(uint8_t code);

/** gc_exp2_32nds - 2 to the power of @n / 32, rounded to a float; @n below 4096 */
float gc_exp2_32nds(unsigned int n);

/**
 * gc_dither_bias - decode a 4x4 dither matrix
 * @matrix: the two PE_DITHER or RS_DITHER words, 4 bits per position, row by row
 * @bias: receives rounding offsets in 0..1, indexed by 4 * (y & 3) + (x & 3)
 *
 * Returns: false if all positions are equal, the value with which drivers disable dithering.
 */
bool gc_dither_bias(const uint32_t matrix[2], float bias[16]);

/** gc_half_from_float - round to nearest even; overflow gives infinity, NaN stays NaN */
uint16_t gc_half_from_float(float value);

/** gc_half_to_float - exact conversion */
float gc_half_to_float(uint16_t half);

/**
 * gc_ufloat_from_float - convert to unsigned float with 5 exponent and @mantissa bits
 *
 * Negative numbers give 0, finite numbers that are too large the largest finite value; infinity and
 * NaN stay.
 */
uint32_t gc_ufloat_from_float(float value, unsigned int mantissa);

/** gc_ufloat_to_float - exact conversion */
float gc_ufloat_to_float(uint32_t value, unsigned int mantissa);

#endif
