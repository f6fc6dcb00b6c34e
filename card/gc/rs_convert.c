// SPDX-License-Identifier: MIT
/*
 * Pixel conversion of the resolve engine. Everything but plain copies goes
 * through 8-bit channels: fewer bits are widened by rounding, averages round
 * half up, narrowing rounds to nearest or dithers.
 */
#include <string.h>

#include "gc/rs_internal.h"
#include "hw/common.xml.h"
#include "hw/state_3d.xml.h"

unsigned int rs_format_bytes(unsigned int format)
{
	const struct gc_format *f = gc_format_rs(format);

	switch (format) {
	case RS_FORMAT_YUY2: return 2;
	case RS_FORMAT_64BPP_CLEAR: return 8;
	default: return f ? f->bytes : 0;
	}
}

static uint32_t load_pixel(const struct rs_block *block, unsigned int bytes, unsigned int i)
{
	uint32_t value = 0;

	memcpy(&value, block->byte + i * bytes, bytes);
	return value;
}

static void store_pixel(struct rs_block *block, unsigned int bytes, unsigned int i, uint32_t value)
{
	memcpy(block->byte + i * bytes, &value, bytes);
}

static void unpack_channel(const struct gc_format *f, unsigned int c, const struct rs_block *block,
			   uint8_t *out)
{
	const struct gc_channel *ch = &f->channel[c];
	uint32_t top = (1u << ch->bits) - 1;

	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++)
		out[i] = (uint8_t)(((load_pixel(block, f->bytes, i) >> ch->shift & top) * 255 +
				    top / 2) / top);
}

static uint8_t to_byte(int value)
{
	return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* BT.601 with Y 16..235 [chosen], 8 fraction bits. Bytes in memory: Y0 U Y1 V. */
static void unpack_yuy2(const struct rs_block *block, struct rs_texels *texels)
{
	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++) {
		const uint8_t *pair = block->byte + (i / 2) * 4;
		int y = 298 * (pair[2 * (i & 1)] - 16), u = pair[1] - 128, v = pair[3] - 128;

		texels->c[0][i] = to_byte((y + 409 * v + 128) >> 8);
		texels->c[1][i] = to_byte((y - 100 * u - 208 * v + 128) >> 8);
		texels->c[2][i] = to_byte((y + 516 * u + 128) >> 8);
		texels->c[3][i] = 255;
	}
}

static uint8_t luma(const struct rs_texels *t, unsigned int i)
{
	return to_byte(((66 * t->c[0][i] + 129 * t->c[1][i] + 25 * t->c[2][i] + 128) >> 8) + 16);
}

/* Chroma of the mean colour of pixels i and i + 1. */
static void pack_yuy2(const struct rs_texels *t, struct rs_block *block)
{
	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i += 2) {
		uint8_t *pair = block->byte + i * 2;
		int r = t->c[0][i] + t->c[0][i + 1], g = t->c[1][i] + t->c[1][i + 1];
		int b = t->c[2][i] + t->c[2][i + 1];

		pair[0] = luma(t, i);
		pair[1] = to_byte(((-38 * r - 74 * g + 112 * b + 256) >> 9) + 128);
		pair[2] = luma(t, i + 1);
		pair[3] = to_byte(((112 * r - 94 * g - 18 * b + 256) >> 9) + 128);
	}
}

void rs_unpack(unsigned int format, const struct rs_block *block, struct rs_texels *texels)
{
	const struct gc_format *f = gc_format_rs(format);

	if (format == RS_FORMAT_YUY2) {
		unpack_yuy2(block, texels);
		return;
	}
	for (unsigned int c = 0; c < 4; c++) {
		if (f->channel[c].bits)
			unpack_channel(f, c, block, texels->c[c]);
		else
			memset(texels->c[c], 255, RS_BLOCK_PIXELS);
	}
}

static uint32_t narrow(const struct rs_conversion *conversion, uint32_t top, bool color,
		       unsigned int i, uint8_t value)
{
	if (conversion->dither && color && top < 255)
		return (uint32_t)((float)(value * top) / 255.0f + conversion->bias[i]);
	return (value * top + 127) / 255;
}

static void swap_bytes(uint8_t *bytes, unsigned int unit)
{
	for (unsigned int at = 0; at < RS_BLOCK_BYTES; at += unit) {
		for (unsigned int i = 0; i < unit / 2; i++) {
			uint8_t byte = bytes[at + i];

			bytes[at + i] = bytes[at + unit - 1 - i];
			bytes[at + unit - 1 - i] = byte;
		}
	}
}

static void apply_endian(unsigned int mode, struct rs_block *block)
{
	if (mode == ENDIAN_MODE_SWAP_16)
		swap_bytes(block->byte, 2);
	else if (mode == ENDIAN_MODE_SWAP_32)
		swap_bytes(block->byte, 4);
}

void rs_pack(const struct rs_conversion *conversion, const struct rs_texels *texels,
	     struct rs_block *block)
{
	const struct gc_format *f = gc_format_rs(conversion->destination);

	if (conversion->destination == RS_FORMAT_YUY2) {
		pack_yuy2(texels, block);
		return;
	}
	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++) {
		uint32_t value = f->pad;

		for (unsigned int c = 0; c < 4; c++) {
			const struct gc_channel *ch = &f->channel[c];

			if (ch->bits)
				value |= narrow(conversion, (1u << ch->bits) - 1, c < 3, i,
						texels->c[c][i]) << ch->shift;
		}
		store_pixel(block, f->bytes, i, value);
	}
}

/* Adds the pixels of source block (@bx, @by) to the sums of the pixels they become. */
static void accumulate(const struct rs_conversion *conversion, unsigned int bx, unsigned int by,
		       const struct rs_texels *texels, uint16_t sum[4][RS_BLOCK_PIXELS])
{
	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++) {
		unsigned int x = (bx * RS_BLOCK + i % RS_BLOCK) >> conversion->shift_x;
		unsigned int y = (by * RS_BLOCK + i / RS_BLOCK) >> conversion->shift_y;

		for (unsigned int c = 0; c < 4; c++)
			sum[c][y * RS_BLOCK + x] += texels->c[c][i];
	}
}

static void average(const struct rs_conversion *conversion, const struct rs_block *source,
		    struct rs_texels *texels)
{
	unsigned int shift = conversion->shift_x + conversion->shift_y;
	uint16_t sum[4][RS_BLOCK_PIXELS] = { { 0 } };
	struct rs_texels one;

	for (unsigned int by = 0; by < 1u << conversion->shift_y; by++) {
		for (unsigned int bx = 0; bx < 1u << conversion->shift_x; bx++) {
			rs_unpack(conversion->source, source++, &one);
			accumulate(conversion, bx, by, &one, sum);
		}
	}
	for (unsigned int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++)
			texels->c[c][i] = (uint8_t)((sum[c][i] + ((1u << shift) >> 1)) >> shift);
}

void rs_convert(const struct rs_conversion *conversion, const struct rs_block *source,
		struct rs_block *destination)
{
	struct rs_texels texels;

	if (conversion->raw) {
		*destination = *source;
	} else {
		uint8_t red[RS_BLOCK_PIXELS];

		average(conversion, source, &texels);
		if (conversion->swap_rb) {
			memcpy(red, texels.c[0], sizeof(red));
			memcpy(texels.c[0], texels.c[2], sizeof(red));
			memcpy(texels.c[2], red, sizeof(red));
		}
		rs_pack(conversion, &texels, destination);
	}
	apply_endian(conversion->endian, destination);
}
