// SPDX-License-Identifier: MIT
/* DXT1, DXT2/3 and DXT4/5 blocks (EXT_texture_compression_s3tc, appendix). */
#include "gc/tx_format.h"

#include <string.h>

static uint32_t opaque(uint32_t r, uint32_t g, uint32_t b)
{
	return r | g << 8 | b << 16 | 0xff000000;
}

static void expand_565(uint32_t c, uint32_t rgb[3])
{
	uint32_t r = c >> 11, g = c >> 5 & 63, b = c & 31;

	rgb[0] = r << 3 | r >> 2;
	rgb[1] = g << 2 | g >> 4;
	rgb[2] = b << 3 | b >> 2;
}

/* @three: allows blocks with three colours and transparent black. */
static void color_palette(const uint8_t *block, bool three, uint32_t palette[4])
{
	uint32_t c0 = block[0] | block[1] << 8, c1 = block[2] | block[3] << 8;
	uint32_t a[3], b[3], m[3], n[3];

	expand_565(c0, a);
	expand_565(c1, b);
	palette[0] = opaque(a[0], a[1], a[2]);
	palette[1] = opaque(b[0], b[1], b[2]);
	if (three && c0 <= c1) {
		for (int i = 0; i < 3; i++)
			m[i] = (a[i] + b[i]) / 2;
		palette[2] = opaque(m[0], m[1], m[2]);
		palette[3] = 0;
		return;
	}
	for (int i = 0; i < 3; i++) {
		m[i] = (2 * a[i] + b[i]) / 3;
		n[i] = (a[i] + 2 * b[i]) / 3;
	}
	palette[2] = opaque(m[0], m[1], m[2]);
	palette[3] = opaque(n[0], n[1], n[2]);
}

static void decode_color(const uint8_t *block, bool three, uint32_t *texel)
{
	uint32_t palette[4], index;

	color_palette(block, three, palette);
	memcpy(&index, block + 4, sizeof(index));
	for (int i = 0; i < 16; i++)
		texel[i] = palette[index >> 2 * i & 3];
}

void tx_decode_dxt1(const uint8_t *block, const struct tx_format *format, bool srgb,
		    uint32_t *texel)
{
	decode_color(block, true, texel);
}

void tx_decode_dxt3(const uint8_t *block, const struct tx_format *format, bool srgb,
		    uint32_t *texel)
{
	uint64_t alpha;

	decode_color(block + 8, false, texel);
	memcpy(&alpha, block, sizeof(alpha));
	for (int i = 0; i < 16; i++)
		texel[i] = (texel[i] & 0xffffff) | (uint32_t)(alpha >> 4 * i & 15) * 17u << 24;
}

/* Eight values from @a to @b; if @a is not above @b, six, and 0 and 255. */
static void alpha_palette(uint32_t a, uint32_t b, uint32_t palette[8])
{
	palette[0] = a;
	palette[1] = b;
	if (a > b) {
		for (uint32_t i = 1; i < 7; i++)
			palette[i + 1] = ((7 - i) * a + i * b) / 7;
		return;
	}
	for (uint32_t i = 1; i < 5; i++)
		palette[i + 1] = ((5 - i) * a + i * b) / 5;
	palette[6] = 0;
	palette[7] = 255;
}

void tx_decode_dxt5(const uint8_t *block, const struct tx_format *format, bool srgb,
		    uint32_t *texel)
{
	uint32_t palette[8];
	uint64_t index;

	decode_color(block + 8, false, texel);
	alpha_palette(block[0], block[1], palette);
	memcpy(&index, block, sizeof(index));
	index >>= 16;
	for (int i = 0; i < 16; i++)
		texel[i] = (texel[i] & 0xffffff) | palette[index >> 3 * i & 7] << 24;
}
