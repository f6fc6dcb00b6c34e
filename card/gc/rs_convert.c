// SPDX-License-Identifier: MIT
/*
 * Pixel conversion of the resolve engine. All conversions go through 8-bit channels: smaller
 * channels are widened with rounding, averages round half up, narrowing rounds to nearest or
 * dithers.
 */
#include <string.h>

#include "gc/rs_internal.h"
#include "hw/common.xml.h"
#include "hw/state_3d.xml.h"

unsigned int rs_format_bytes(unsigned int format)
{
	const struct gc_format *f = gc_format_rs(format);

	switch (format) {
	case RS_FORMAT_YUY2:
		return 2;
	case RS_FORMAT_64BPP_CLEAR:
		return 8;
	default:
		return f ? f->bytes : 0;
	}
}

/* Read pixels of 2 or 4 bytes as 32-bit words. */
static void load_pixels(const struct rs_block *block, unsigned int bytes, uint32_t *restrict out)
{
	uint16_t half[RS_BLOCK_PIXELS];

	if (bytes == 4) {
		memcpy(out, block->byte, RS_BLOCK_PIXELS * sizeof(*out));
		return;
	}
	memcpy(half, block->byte, sizeof(half));
	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++)
		out[i] = half[i];
}

static void store_pixels(struct rs_block *block, unsigned int bytes, const uint32_t *restrict in)
{
	uint16_t half[RS_BLOCK_PIXELS];

	if (bytes == 4) {
		memcpy(block->byte, in, RS_BLOCK_PIXELS * sizeof(*in));
		return;
	}
	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++)
		half[i] = (uint16_t)in[i];
	memcpy(block->byte, half, sizeof(half));
}

/*
 * Rounded v * 255 / (2^bits - 1) as a product and a shift; exact for every
 * value of these widths, which are all that the formats of gc_format_rs() have.
 */
static const struct {
	uint16_t factor, offset, shift;
} widen[9] = {
	[1] = { 255, 0, 0 },  [4] = { 17, 0, 0 }, [5] = { 527, 23, 6 },
	[6] = { 259, 33, 6 }, [8] = { 1, 0, 0 },
};

static void unpack_channel(const struct gc_channel *ch, const uint32_t *restrict in,
			   uint8_t *restrict out)
{
	const uint32_t mask = (1u << ch->bits) - 1, shift = ch->shift;
	const uint32_t factor = widen[ch->bits].factor, offset = widen[ch->bits].offset;
	const uint32_t down = widen[ch->bits].shift;

	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++)
		out[i] = (uint8_t)(((in[i] >> shift & mask) * factor + offset) >> down);
}

/* Bytes in memory: Y0 U Y1 V. */
static void unpack_yuy2(const struct rs_block *block, struct rs_texels *texels)
{
	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++) {
		const uint8_t *pair = block->byte + (i / 2) * 4;
		uint8_t rgb[3];

		gc_yuv_to_rgb(pair[2 * (i & 1)], pair[1], pair[3], rgb);
		for (unsigned int c = 0; c < 3; c++)
			texels->c[c][i] = rgb[c];
		texels->c[3][i] = 255;
	}
}

/* ITU-R BT.601, limited range, as pack_yuy2() */
static uint8_t luma(const struct rs_texels *t, unsigned int i)
{
	return gc_clamp_byte(((66 * t->c[0][i] + 129 * t->c[1][i] + 25 * t->c[2][i] + 128) >> 8) +
			     16);
}

/* The chroma of pixels i and i + 1 is that of their mean colour. */
static void pack_yuy2(const struct rs_texels *t, struct rs_block *block)
{
	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i += 2) {
		uint8_t *pair = block->byte + i * 2;
		int r = t->c[0][i] + t->c[0][i + 1], g = t->c[1][i] + t->c[1][i + 1];
		int b = t->c[2][i] + t->c[2][i + 1];

		pair[0] = luma(t, i);
		pair[1] = gc_clamp_byte(((-38 * r - 74 * g + 112 * b + 256) >> 9) + 128);
		pair[2] = luma(t, i + 1);
		pair[3] = gc_clamp_byte(((112 * r - 94 * g - 18 * b + 256) >> 9) + 128);
	}
}

void rs_unpack(unsigned int format, const struct rs_block *block, struct rs_texels *texels)
{
	const struct gc_format *f = gc_format_rs(format);
	uint32_t pixels[RS_BLOCK_PIXELS];

	if (format == RS_FORMAT_YUY2) {
		unpack_yuy2(block, texels);
		return;
	}
	load_pixels(block, f->bytes, pixels);
	for (unsigned int c = 0; c < 4; c++) {
		if (f->channel[c].bits)
			unpack_channel(&f->channel[c], pixels, texels->c[c]);
		else
			memset(texels->c[c], 255, RS_BLOCK_PIXELS);
	}
}

/* v * top / 255, rounded, without a division: exact for products of two bytes. */
static void narrow(const struct gc_channel *ch, const uint8_t *restrict in, uint32_t *restrict out)
{
	const uint32_t top = (1u << ch->bits) - 1, shift = ch->shift;

	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++) {
		uint32_t product = in[i] * top + 128;

		out[i] |= (product + (product >> 8)) >> 8 << shift;
	}
}

/* @bias, which replaces the rounding, has one value for each pixel of the block. */
static void narrow_dithered(const struct gc_channel *ch, const float *restrict bias,
			    const uint8_t *restrict in, uint32_t *restrict out)
{
	const float top = (float)((1u << ch->bits) - 1);
	const uint32_t shift = ch->shift;

	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++)
		out[i] |= (uint32_t)(int32_t)((float)in[i] * top / 255.0f + bias[i]) << shift;
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
	uint32_t pixels[RS_BLOCK_PIXELS];

	if (conversion->destination == RS_FORMAT_YUY2) {
		pack_yuy2(texels, block);
		return;
	}
	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++)
		pixels[i] = f->pad;
	for (unsigned int c = 0; c < 4; c++) {
		const struct gc_channel *ch = &f->channel[c];

		if (ch->bits && ch->bits < 8 && c < 3 && conversion->dither)
			narrow_dithered(ch, conversion->bias, texels->c[c], pixels);
		else if (ch->bits)
			narrow(ch, texels->c[c], pixels);
	}
	store_pixels(block, f->bytes, pixels);
}

/* Add the pixels of source block (@bx, @by) to the sums of their destination pixels. */
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

/* Convert 1, 2 or 4 source blocks, row by row, to channels of one block; one is only unpacked. */
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

/*
 * Whether average_bytes(), which averages the bytes of 32-bit words, gives the same result as
 * average() and rs_pack(). Channels of eight bits are not dithered.
 */
static bool averages_bytes(const struct rs_conversion *conversion)
{
	return conversion->source == conversion->destination && !conversion->swap_rb &&
	       (conversion->source == RS_FORMAT_A8R8G8B8 ||
		conversion->source == RS_FORMAT_X8R8G8B8);
}

/* Sums of the source pixels' even and odd bytes for each destination pixel, 16 bits each. */
struct byte_sums {
	uint32_t even[RS_BLOCK_PIXELS], odd[RS_BLOCK_PIXELS];
};

/* Add one row of a source block to the sums of its destination pixels. */
static inline void add_row(unsigned int shift_x, const uint32_t *in, uint32_t *even, uint32_t *odd)
{
	for (unsigned int i = 0; i < RS_BLOCK; i++) {
		even[i >> shift_x] += in[i] & 0x00ff00ff;
		odd[i >> shift_x] += in[i] >> 8 & 0x00ff00ff;
	}
}

static void add_block(const struct rs_conversion *conversion, const struct rs_block *source,
		      unsigned int bx, unsigned int by, struct byte_sums *sums)
{
	uint32_t in[RS_BLOCK_PIXELS];

	memcpy(in, source->byte, sizeof(in));
	for (unsigned int row = 0; row < RS_BLOCK; row++) {
		unsigned int y = (by * RS_BLOCK + row) >> conversion->shift_y;
		unsigned int to = y * RS_BLOCK + (bx * RS_BLOCK >> conversion->shift_x);

		if (conversion->shift_x)
			add_row(1, in + row * RS_BLOCK, sums->even + to, sums->odd + to);
		else
			add_row(0, in + row * RS_BLOCK, sums->even + to, sums->odd + to);
	}
}

static void average_bytes(const struct rs_conversion *conversion, const struct rs_block *source,
			  struct rs_block *destination)
{
	const unsigned int shift = conversion->shift_x + conversion->shift_y;
	const uint32_t half = (1u << shift >> 1) * 0x00010001;
	const uint32_t pad = gc_format_rs(conversion->destination)->pad;
	struct byte_sums sums = { { 0 }, { 0 } };

	for (unsigned int by = 0; by < 1u << conversion->shift_y; by++)
		for (unsigned int bx = 0; bx < 1u << conversion->shift_x; bx++)
			add_block(conversion, source++, bx, by, &sums);
	for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++)
		sums.even[i] = ((sums.even[i] + half) >> shift & 0x00ff00ff) |
			       ((sums.odd[i] + half) >> shift & 0x00ff00ff) << 8 | pad;
	memcpy(destination->byte, sums.even, sizeof(sums.even));
}

void rs_convert(const struct rs_conversion *conversion, const struct rs_block *source,
		struct rs_block *destination)
{
	struct rs_texels texels;

	if (conversion->raw) {
		*destination = *source;
	} else if (averages_bytes(conversion)) {
		average_bytes(conversion, source, destination);
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
