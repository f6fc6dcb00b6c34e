/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats of render targets and of the resolve engine: where the
 * channels lie in a pixel, and conversion between pixels and registers.
 * Pure functions; the texture unit has its own formats.
 */
#ifndef CARD_GC_FORMAT_H
#define CARD_GC_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/batch.h"

enum gc_format_kind {
	GC_FORMAT_UNORM,
	GC_FORMAT_FLOAT16,
	GC_FORMAT_FLOAT32, /* stored as they come, so 32-bit integers use it too */
	GC_FORMAT_UFLOAT,  /* 11 or 10 bits, without a sign */
	GC_FORMAT_INTEGER, /* the low bits of the register, signed or not */
};

/* One channel; bits = 0 says that the format has none. */
struct gc_channel {
	uint8_t bits, shift; /* within its 32-bit word */
	uint8_t word;        /* 0 or 1, of 64-bit pixels */
};

struct gc_format {
	const char *name;
	uint8_t bytes; /* of a pixel: 1, 2, 4 or 8 */
	enum gc_format_kind kind;
	struct gc_channel channel[4]; /* R, G, B, A */
	uint32_t pad;                 /* bits that hold no channel, written as ones */
};

/* Pixels as they lie in memory, one a lane; hi means something to 64-bit formats only. */
struct gc_pixels {
	uint32_t lo[GC_LANES], hi[GC_LANES];
} __attribute__((aligned(64)));

/** gc_format_color - the format called PE_FORMAT_* @pe_format, or NULL if no core renders to it. */
const struct gc_format *gc_format_color(unsigned int pe_format);

/** gc_format_rs - the format called RS_FORMAT_* @rs_format, or NULL; YUY2 and 64BPP_CLEAR are not here. */
const struct gc_format *gc_format_rs(unsigned int rs_format);

/**
 * gc_format_mask - pixel bits that a channel mask lets through
 * @components: bit 0 R .. bit 3 A; padding goes with any channel
 * @mask: the bits of the low and the high word
 *
 * Returns: whether that is every bit of the pixel.
 */
bool gc_format_mask(const struct gc_format *format, unsigned int components, uint32_t mask[2]);

/* Conversions work on blocks of this many lanes. */
#define GC_FORMAT_BLOCK 16

/**
 * gc_format_pack - registers to pixels
 * @first, @end: lanes, multiples of GC_FORMAT_BLOCK
 * @bias: UNORM: what to add before cutting off the fraction, a lane; NULL means 0.5
 *
 * With @bias, only colour channels of fewer than eight bits use it.
 */
void gc_format_pack(const struct gc_format *format, const struct gc_vec4 *color, unsigned int first,
		    unsigned int end, const float *bias, struct gc_pixels *pixels);

/** gc_format_pack_color - the same, of components that lie anywhere. */
void gc_format_pack_color(const struct gc_format *format, const struct gc_color *color,
			  unsigned int first, unsigned int end, const float *bias,
			  struct gc_pixels *pixels);

/** gc_format_is_8888 - whether it is A8R8G8B8 or X8R8G8B8. */
bool gc_format_is_8888(const struct gc_format *format);

/** gc_format_unpack - pixels to registers; absent channels are 0, 0, 0, 1. */
void gc_format_unpack(const struct gc_format *format, const struct gc_pixels *pixels,
		      unsigned int first, unsigned int end, struct gc_vec4 *color);

/** gc_format_srgb_encode, gc_format_srgb_decode - R, G, B of 8-bit targets, in place; steps of 1/255. */
void gc_format_srgb_encode(struct gc_vec4 *color, unsigned int first, unsigned int end);
void gc_format_srgb_decode(struct gc_vec4 *color, unsigned int first, unsigned int end);

/**
 * gc_dither_bias - rounding offsets of a 4x4 dither matrix
 * @matrix: the two PE_DITHER or RS_DITHER words, a nibble a position, row by row
 * @bias: out, 0..1 by 4 * (y & 3) + (x & 3)
 *
 * Returns: false for a matrix of equal nibbles, which is how dithering is turned off.
 */
bool gc_dither_bias(const uint32_t matrix[2], float bias[16]);

/** gc_half_from_float - to nearest even, overflow to infinity, NaN stays NaN. */
uint16_t gc_half_from_float(float value);

/** gc_half_to_float - exact. */
float gc_half_to_float(uint16_t half);

/** gc_ufloat_from_float - 5 exponent and @mantissa bits; negative is 0, too large the largest finite. */
uint32_t gc_ufloat_from_float(float value, unsigned int mantissa);

/** gc_ufloat_to_float - exact. */
float gc_ufloat_to_float(uint32_t value, unsigned int mantissa);

#endif
