// SPDX-License-Identifier: MIT
/*
 * ETC1, ETC2 and EAC blocks (OpenGL ES 3.2, appendix C). A block is a big-endian 64-bit word;
 * its pixels are in column order.
 */
#include "gc/tx_format.h"

#include <string.h>

/* Differences for the pixel indices 0 and 1; 2 and 3 are their negatives. */
static const int modifiers[8][2] = {
	{ 2, 8 },   { 5, 17 },  { 9, 29 },   { 13, 42 },
	{ 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 },
};

static const int distances[8] = { 3, 6, 11, 16, 23, 32, 41, 64 };

static const int eac_modifiers[16][8] = {
	{ -3, -6, -9, -15, 2, 5, 8, 14 }, { -3, -7, -10, -13, 2, 6, 9, 12 },
	{ -2, -5, -8, -13, 1, 4, 7, 12 }, { -2, -4, -6, -13, 1, 3, 5, 12 },
	{ -3, -6, -8, -12, 2, 5, 7, 11 }, { -3, -7, -9, -11, 2, 6, 8, 10 },
	{ -4, -7, -8, -11, 3, 6, 7, 10 }, { -3, -5, -8, -11, 2, 4, 7, 10 },
	{ -2, -6, -8, -10, 1, 5, 7, 9 },  { -2, -5, -8, -10, 1, 4, 7, 9 },
	{ -2, -4, -8, -10, 1, 3, 7, 9 },  { -2, -5, -7, -10, 1, 4, 6, 9 },
	{ -3, -4, -7, -10, 2, 3, 6, 9 },  { -1, -2, -3, -10, 0, 1, 2, 9 },
	{ -4, -6, -8, -9, 3, 5, 7, 8 },   { -3, -5, -7, -9, 2, 4, 6, 8 },
};

static uint64_t load_be(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap64(v);
}

/* Bits @high..@low of the block. */
static inline int bits(uint64_t block, int high, int low)
{
	return (int)(block >> low & ((2ull << (high - low)) - 1));
}

static inline uint32_t clamp8(int v)
{
	return v < 0 ? 0 : v > 255 ? 255 : (uint32_t)v;
}

static uint32_t shade(const int rgb[3], int by)
{
	return clamp8(rgb[0] + by) | clamp8(rgb[1] + by) << 8 | clamp8(rgb[2] + by) << 16 |
	       0xff000000;
}

/* Two-bit index of the pixel in column @x, row @y. */
static inline int pixel_index(uint64_t block, int x, int y)
{
	int i = 4 * x + y;

	return (int)(block >> (16 + i) & 1) << 1 | (int)(block >> i & 1);
}

static void paint(uint64_t block, const uint32_t color[4], uint32_t *texel)
{
	for (int i = 0; i < 16; i++)
		texel[i] = color[pixel_index(block, i & 3, i >> 2)];
}

/* Individual and differential modes: two halves, each with a base colour. */
static void decode_halves(uint64_t block, const int base[2][3], bool opaque, uint32_t *texel)
{
	bool flip = bits(block, 32, 32);
	uint32_t color[2][4];

	for (int h = 0; h < 2; h++) {
		const int *m = modifiers[h ? bits(block, 36, 34) : bits(block, 39, 37)];

		color[h][0] = shade(base[h], opaque ? m[0] : 0);
		color[h][1] = shade(base[h], m[1]);
		color[h][2] = opaque ? shade(base[h], -m[0]) : 0;
		color[h][3] = shade(base[h], -m[1]);
	}
	for (int i = 0; i < 16; i++) {
		int x = i & 3, y = i >> 2;

		texel[i] = color[(flip ? y : x) >> 1][pixel_index(block, x, y)];
	}
}

static void widen4(int rgb[3])
{
	for (int i = 0; i < 3; i++)
		rgb[i] *= 17;
}

static void decode_t(uint64_t block, bool opaque, bool swapped, uint32_t *texel)
{
	int a[3] = { bits(block, 60, 59) << 2 | bits(block, 57, 56), bits(block, 55, 52),
		     bits(block, 51, 48) };
	int b[3] = { bits(block, 47, 44), bits(block, 43, 40), bits(block, 39, 36) };
	int d = distances[bits(block, 35, 34) << 1 | bits(block, 32, 32)];
	uint32_t color[4];
	const int *single = swapped ? b : a, *triple = swapped ? a : b;

	widen4(a);
	widen4(b);
	color[0] = shade(single, 0);
	color[1] = shade(triple, d);
	color[2] = opaque ? shade(triple, 0) : 0;
	color[3] = shade(triple, -d);
	paint(block, color, texel);
}

static void decode_h(uint64_t block, bool opaque, uint32_t *texel)
{
	int a[3] = { bits(block, 62, 59), bits(block, 58, 56) << 1 | bits(block, 52, 52),
		     bits(block, 51, 51) << 3 | bits(block, 49, 47) };
	int b[3] = { bits(block, 46, 43), bits(block, 42, 39), bits(block, 38, 35) };
	int order = (a[0] << 8 | a[1] << 4 | a[2]) >= (b[0] << 8 | b[1] << 4 | b[2]);
	int d = distances[bits(block, 34, 34) << 2 | bits(block, 32, 32) << 1 | order];
	uint32_t color[4];

	widen4(a);
	widen4(b);
	color[0] = shade(a, d);
	color[1] = shade(a, -d);
	color[2] = opaque ? shade(b, d) : 0;
	color[3] = shade(b, -d);
	paint(block, color, texel);
}

static int widen6(int v)
{
	return v << 2 | v >> 4;
}

static int widen7(int v)
{
	return v << 1 | v >> 6;
}

static void decode_planar(uint64_t block, uint32_t *texel)
{
	int o[3] = {
		widen6(bits(block, 62, 57)), widen7(bits(block, 56, 56) << 6 | bits(block, 54, 49)),
		widen6(bits(block, 48, 48) << 5 | bits(block, 44, 43) << 3 | bits(block, 41, 39))
	};
	int h[3] = { widen6(bits(block, 38, 34) << 1 | bits(block, 32, 32)),
		     widen7(bits(block, 31, 25)), widen6(bits(block, 24, 19)) };
	int v[3] = { widen6(bits(block, 18, 13)), widen7(bits(block, 12, 6)),
		     widen6(bits(block, 5, 0)) };

	for (int i = 0; i < 16; i++) {
		int x = i & 3, y = i >> 2, rgb[3];

		for (int c = 0; c < 3; c++)
			rgb[c] = (x * (h[c] - o[c]) + y * (v[c] - o[c]) + 4 * o[c] + 2) >> 2;
		texel[i] = shade(rgb, 0);
	}
}

static int widen5(int v)
{
	return v << 3 | v >> 2;
}

static int signed3(int v)
{
	return v & 4 ? v - 8 : v;
}

/* Blocks with the differential bit: sums out of range select ETC2's other modes. */
static void decode_differential(uint64_t block, bool opaque, bool swapped, uint32_t *texel)
{
	int base[2][3];

	for (int c = 0; c < 3; c++) {
		int first = bits(block, 63 - 8 * c, 59 - 8 * c);
		int second = first + signed3(bits(block, 58 - 8 * c, 56 - 8 * c));

		if (second < 0 || second > 31) {
			if (c == 0)
				decode_t(block, opaque, swapped, texel);
			else if (c == 1)
				decode_h(block, opaque, texel);
			else
				decode_planar(block, texel);
			return;
		}
		base[0][c] = widen5(first);
		base[1][c] = widen5(second);
	}
	decode_halves(block, base, opaque, texel);
}

static void decode_individual(uint64_t block, uint32_t *texel)
{
	int base[2][3];

	for (int c = 0; c < 3; c++) {
		base[0][c] = bits(block, 63 - 8 * c, 60 - 8 * c) * 17;
		base[1][c] = bits(block, 59 - 8 * c, 56 - 8 * c) * 17;
	}
	decode_halves(block, base, true, texel);
}

void tx_decode_etc2_rgb(const uint8_t *bytes, const struct tx_format *format, bool srgb,
			uint32_t *texel)
{
	uint64_t block = load_be(bytes);

	if (bits(block, 33, 33))
		decode_differential(block, true, format->t_swapped, texel);
	else
		decode_individual(block, texel);
}

/* Punch-through alpha: the differential bit means opaque. */
void tx_decode_etc2_punch(const uint8_t *bytes, const struct tx_format *format, bool srgb,
			  uint32_t *texel)
{
	uint64_t block = load_be(bytes);

	decode_differential(block, bits(block, 33, 33), format->t_swapped, texel);
}

/* What the three-bit index of pixel @i selects; @i counts by rows, the indices are by columns. */
static int eac_modifier(uint64_t block, int i)
{
	int pixel = (i & 3) * 4 + (i >> 2);

	return eac_modifiers[bits(block, 51, 48)][block >> (45 - 3 * pixel) & 7];
}

void tx_decode_etc2_rgba(const uint8_t *bytes, const struct tx_format *format, bool srgb,
			 uint32_t *texel)
{
	uint64_t alpha = load_be(bytes);

	tx_decode_etc2_rgb(bytes + 8, format, srgb, texel);
	for (int i = 0; i < 16; i++) {
		int a = bits(alpha, 63, 56) + eac_modifier(alpha, i) * bits(alpha, 55, 52);

		texel[i] = (texel[i] & 0xffffff) | clamp8(a) << 24;
	}
}

static int clamp_to(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

/* Eleven-bit values of one channel. */
static void decode_eac(const uint8_t *bytes, bool is_signed, int value[16])
{
	uint64_t block = load_be(bytes);
	int multiplier = bits(block, 55, 52), base = bits(block, 63, 56);

	multiplier = multiplier ? multiplier * 8 : 1;
	if (is_signed) {
		base = (int8_t)base;
		base = base < -127 ? -127 : base;
	}
	for (int i = 0; i < 16; i++) {
		int v = base * 8 + eac_modifier(block, i) * multiplier;

		value[i] = is_signed ? clamp_to(v, -1023, 1023) : clamp_to(v + 4, 0, 2047);
	}
}

static void decode_channels(const uint8_t *bytes, int channels, bool is_signed, uint32_t *texel)
{
	int value[16];

	memset(texel, 0, 16 * sizeof(*texel));
	for (int c = 0; c < channels; c++) {
		decode_eac(bytes + 8 * c, is_signed, value);
		for (int i = 0; i < 16; i++)
			texel[i] |= (uint32_t)(uint16_t)value[i] << 16 * c;
	}
}

void tx_decode_eac_r11(const uint8_t *block, const struct tx_format *format, bool srgb,
		       uint32_t *texel)
{
	decode_channels(block, 1, false, texel);
}

void tx_decode_eac_rg11(const uint8_t *block, const struct tx_format *format, bool srgb,
			uint32_t *texel)
{
	decode_channels(block, 2, false, texel);
}

void tx_decode_eac_r11s(const uint8_t *block, const struct tx_format *format, bool srgb,
			uint32_t *texel)
{
	decode_channels(block, 1, true, texel);
}

void tx_decode_eac_rg11s(const uint8_t *block, const struct tx_format *format, bool srgb,
			 uint32_t *texel)
{
	decode_channels(block, 2, true, texel);
}
