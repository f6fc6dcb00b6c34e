// SPDX-License-Identifier: MIT
/*
 * ASTC blocks, LDR profile, two dimensions (Khronos Data Format
 * Specification 1.3, chapter 23). Sections named below are of that chapter.
 * Results have eight bits a channel; blocks that the profile does not allow,
 * and texels of partitions with an HDR mode, become magenta, the
 * specification's error colour.
 */
#include "gc/tx_format.h"

#include <string.h>

#include "gc/tx_astc_ise.h"

#define MAX_WEIGHTS 64
#define MAX_VALUES 18 /* endpoint values of all partitions */
#define ERROR_COLOR 0xffff00ffu

/* Decoded header of a block. */
struct astc_block {
	struct astc_bits bits;
	unsigned int grid_w, grid_h, weight_range;
	bool dual;
	unsigned int partitions, partition_seed;
	unsigned int mode[4]; /* colour endpoint mode of each partition */
	unsigned int plane;   /* component of the second weight plane */
	unsigned int values;  /* endpoint values */
	unsigned int value_range, value_start;
	int endpoint[4][2][4]; /* [partition][low, high][RGBA] */
	uint8_t weight[2][MAX_WEIGHTS];
};

/* Section "Block mode": extent of the weight grid. */
static bool decode_grid(struct astc_block *b, unsigned int mode, unsigned int *range)
{
	unsigned int a = mode >> 5 & 3, c = mode >> 7 & 3;
	bool high = mode >> 9 & 1;

	b->dual = mode >> 10 & 1;
	if (mode & 3) {
		*range = (mode & 3) << 1 | (mode >> 4 & 1);
		switch (mode >> 2 & 3) {
		case 0:
			b->grid_w = c + 4, b->grid_h = a + 2;
			break;
		case 1:
			b->grid_w = c + 8, b->grid_h = a + 2;
			break;
		case 2:
			b->grid_w = a + 2, b->grid_h = c + 8;
			break;
		default:
			b->grid_w = c & 2 ? (c & 1) + 2 : a + 2;
			b->grid_h = c & 2 ? a + 2 : (c & 1) + 6;
			break;
		}
	} else {
		*range = (mode >> 2 & 3) << 1 | (mode >> 4 & 1);
		switch (c) {
		case 0:
			b->grid_w = 12, b->grid_h = a + 2;
			break;
		case 1:
			b->grid_w = a + 2, b->grid_h = 12;
			break;
		case 2:
			b->grid_w = a + 6, b->grid_h = (mode >> 9 & 3) + 6;
			b->dual = high = false;
			break;
		default:
			if (a > 1)
				return false;
			b->grid_w = a ? 10 : 6, b->grid_h = a ? 6 : 10;
			break;
		}
	}
	if (*range < 2)
		return false;
	*range += high ? 4 : -2; /* index of the quantisation range */
	return true;
}

static bool decode_mode(struct astc_block *b, const struct tx_format *f, unsigned int *weight_bits)
{
	unsigned int count;

	if (!decode_grid(b, astc_get(&b->bits, 0, 11), &b->weight_range))
		return false;
	count = b->grid_w * b->grid_h * (b->dual ? 2 : 1);
	if (b->grid_w > f->block_w || b->grid_h > f->block_h || count > MAX_WEIGHTS)
		return false;
	*weight_bits = astc_ise_bits(b->weight_range, count);
	return *weight_bits >= 24 && *weight_bits <= 96;
}

/* Section "Color endpoint mode": partitions and their modes; returns bits taken below the weights. */
static unsigned int decode_modes(struct astc_block *b, unsigned int weight_bits)
{
	unsigned int field, class, extra, more;

	b->partitions = astc_get(&b->bits, 11, 2) + 1;
	if (b->partitions == 1) {
		b->mode[0] = astc_get(&b->bits, 13, 4);
		b->value_start = 17;
		return 0;
	}
	b->partition_seed = astc_get(&b->bits, 13, 10);
	b->value_start = 29;
	field = astc_get(&b->bits, 23, 6);
	class = field & 3;
	if (!class) {
		for (unsigned int p = 0; p < b->partitions; p++)
			b->mode[p] = field >> 2;
		return 0;
	}
	extra = 3 * b->partitions - 4;
	more = field >> 2 | astc_get(&b->bits, 128 - weight_bits - extra, extra) << 4;
	for (unsigned int p = 0; p < b->partitions; p++)
		b->mode[p] =
			(class - 1 + (more >> p & 1)) * 4 + (more >> (b->partitions + 2 * p) & 3);
	return extra;
}

/* The HDR modes are not part of the profile. */
static bool is_ldr(unsigned int mode)
{
	return (1u << mode & 0x3773) != 0; /* 0, 1, 4, 5, 6, 8, 9, 10, 12, 13 */
}

static bool decode_header(struct astc_block *b, const struct tx_format *f)
{
	unsigned int weight_bits, below;

	if (!decode_mode(b, f, &weight_bits))
		return false;
	below = 128 - weight_bits - decode_modes(b, weight_bits);
	if (b->dual) {
		if (b->partitions == 4)
			return false;
		below -= 2;
		b->plane = astc_get(&b->bits, below, 2);
	}
	b->values = 0;
	for (unsigned int p = 0; p < b->partitions; p++) {
		b->values += (b->mode[p] / 4 + 1) * 2;
	}
	if (b->values > MAX_VALUES || below < b->value_start)
		return false;
	return astc_ise_fit(b->values, below - b->value_start, &b->value_range);
}

static int clamp8(int v)
{
	return v < 0 ? 0 : v > 255 ? 255 : v;
}

static void set(int to[4], int r, int g, int b, int a)
{
	to[0] = clamp8(r);
	to[1] = clamp8(g);
	to[2] = clamp8(b);
	to[3] = clamp8(a);
}

static void set_contracted(int to[4], int r, int g, int b, int a)
{
	set(to, (r + b) >> 1, (g + b) >> 1, b, a);
}

/* Moves the top bit of an offset into its base and makes the rest signed. */
static void transfer(int *offset, int *base)
{
	*base = *base >> 1 | (*offset & 0x80);
	*offset = *offset >> 1 & 0x3f;
	if (*offset & 0x20)
		*offset -= 0x40;
}

static void direct_rgb(const int v[8], int low_a, int high_a, int e[2][4])
{
	if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
		set(e[0], v[0], v[2], v[4], low_a);
		set(e[1], v[1], v[3], v[5], high_a);
	} else {
		set_contracted(e[0], v[1], v[3], v[5], high_a);
		set_contracted(e[1], v[0], v[2], v[4], low_a);
	}
}

/* @v: bases and offsets after transfer(). */
static void offset_rgb(const int v[8], int base_a, int offset_a, int e[2][4])
{
	int r = v[0] + v[1], g = v[2] + v[3], b = v[4] + v[5], a = base_a + offset_a;

	if (v[1] + v[3] + v[5] >= 0) {
		set(e[0], v[0], v[2], v[4], base_a);
		set(e[1], r, g, b, a);
	} else {
		set_contracted(e[0], r, g, b, a);
		set_contracted(e[1], v[0], v[2], v[4], base_a);
	}
}

static void scaled_rgb(const int v[4], int low_a, int high_a, int e[2][4])
{
	set(e[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, low_a);
	set(e[1], v[0], v[1], v[2], high_a);
}

/* Modes of one or two channels. */
static void decode_luminance(unsigned int mode, int v[8], int e[2][4])
{
	int low, high;

	switch (mode) {
	case 0:
		set(e[0], v[0], v[0], v[0], 255);
		set(e[1], v[1], v[1], v[1], 255);
		break;
	case 1:
		low = v[0] >> 2 | (v[1] & 0xc0);
		high = low + (v[1] & 0x3f);
		set(e[0], low, low, low, 255);
		set(e[1], high, high, high, 255);
		break;
	case 4:
		set(e[0], v[0], v[0], v[0], v[2]);
		set(e[1], v[1], v[1], v[1], v[3]);
		break;
	default:
		transfer(&v[1], &v[0]);
		transfer(&v[3], &v[2]);
		set(e[0], v[0], v[0], v[0], v[2]);
		set(e[1], v[0] + v[1], v[0] + v[1], v[0] + v[1], v[2] + v[3]);
		break;
	}
}

static void set_error(int e[2][4])
{
	set(e[0], 255, 0, 255, 255);
	set(e[1], 255, 0, 255, 255);
}

/* Section "LDR endpoint decoding". */
static void decode_endpoints(unsigned int mode, int v[8], int e[2][4])
{
	switch (mode) {
	case 6:
		scaled_rgb(v, 255, 255, e);
		break;
	case 8:
		direct_rgb(v, 255, 255, e);
		break;
	case 9:
		for (int i = 0; i < 6; i += 2)
			transfer(&v[i + 1], &v[i]);
		offset_rgb(v, 255, 0, e);
		break;
	case 10:
		scaled_rgb(v, v[4], v[5], e);
		break;
	case 12:
		direct_rgb(v, v[6], v[7], e);
		break;
	case 13:
		for (int i = 0; i < 8; i += 2)
			transfer(&v[i + 1], &v[i]);
		offset_rgb(v, v[6], v[7], e);
		break;
	default:
		decode_luminance(mode, v, e);
		break;
	}
}

static void decode_colors(struct astc_block *b)
{
	uint8_t raw[MAX_VALUES];
	unsigned int at = 0;

	astc_ise_decode(&b->bits, b->value_start, b->value_range, b->values, raw);
	for (unsigned int p = 0; p < b->partitions; p++) {
		unsigned int count = (b->mode[p] / 4 + 1) * 2;
		int v[8] = { 0 };

		for (unsigned int i = 0; i < count; i++)
			v[i] = astc_color_value(b->value_range, raw[at + i]);
		if (is_ldr(b->mode[p]))
			decode_endpoints(b->mode[p], v, b->endpoint[p]);
		else
			set_error(b->endpoint[p]);
		at += count;
	}
}

/* Weights are read backwards from the block's end. */
static void decode_weights(struct astc_block *b)
{
	unsigned int planes = b->dual ? 2 : 1, count = b->grid_w * b->grid_h * planes;
	struct astc_bits reversed = astc_reverse(&b->bits);
	uint8_t raw[MAX_WEIGHTS];

	astc_ise_decode(&reversed, 0, b->weight_range, count, raw);
	for (unsigned int i = 0; i < count; i++)
		b->weight[i % planes][i / planes] =
			(uint8_t)astc_weight_value(b->weight_range, raw[i]);
}

/* Section "Weight infill": a texel's weight, interpolated between four weights of the grid. */
static int infill(const struct astc_block *b, const uint8_t *grid, const struct tx_format *f,
		  unsigned int x, unsigned int y)
{
	unsigned int s = (1024 + f->block_w / 2) / (f->block_w - 1u) * x;
	unsigned int t = (1024 + f->block_h / 2) / (f->block_h - 1u) * y;
	unsigned int gs = (s * (b->grid_w - 1) + 32) >> 6, gt = (t * (b->grid_h - 1) + 32) >> 6;
	unsigned int fs = gs & 15, ft = gt & 15, at = (gt >> 4) * b->grid_w + (gs >> 4);
	unsigned int w11 = (fs * ft + 8) >> 4, w10 = ft - w11, w01 = fs - w11;
	unsigned int sum = grid[at] * (16 - fs - ft + w11) + 8;

	/* neighbours with weight 0 may be outside the grid */
	sum += w01 ? grid[at + 1] * w01 : 0;
	sum += w10 ? grid[at + b->grid_w] * w10 : 0;
	sum += w11 ? grid[at + b->grid_w + 1] * w11 : 0;
	return (int)(sum >> 4);
}

static uint32_t hash52(uint32_t p)
{
	p ^= p >> 15;
	p -= p << 17;
	p += p << 7;
	p += p << 4;
	p ^= p >> 5;
	p += p << 16;
	p ^= p >> 7;
	p ^= p >> 3;
	p ^= p << 6;
	p ^= p >> 17;
	return p;
}

/* Section "Partition pattern generation". */
static unsigned int select_partition(const struct astc_block *b, const struct tx_format *f,
				     uint32_t x, uint32_t y)
{
	static const uint8_t offset[4] = { 14, 10, 6, 2 };
	uint32_t seed = b->partition_seed + (b->partitions - 1) * 1024;
	uint32_t hash = hash52(seed), best = 0, most = 0;
	uint32_t shift[2] = { seed & 2 ? 4 : 5, b->partitions == 3 ? 6 : 5 };

	if (b->partitions == 1)
		return 0;
	if (f->block_w * f->block_h < 31) {
		x <<= 1;
		y <<= 1;
	}
	for (uint32_t p = 0; p < b->partitions; p++) {
		uint32_t sx = hash >> 8 * p & 15, sy = hash >> (8 * p + 4) & 15, v;

		sx = sx * sx >> shift[seed & 1 ? 0 : 1];
		sy = sy * sy >> shift[seed & 1 ? 1 : 0];
		v = (sx * x + sy * y + (hash >> offset[p])) & 63;
		if (p == 0 || v > most) {
			most = v;
			best = p;
		}
	}
	return best;
}

/*
 * Section "Weight application": endpoints of 16 bits, weights of 1/64; the upper 8 bits of the
 * result.
 */
static uint32_t blend(const struct astc_block *b, unsigned int p, const int weight[2], bool srgb)
{
	uint32_t texel = 0;

	for (unsigned int c = 0; c < 4; c++) {
		int w = weight[b->dual && c == b->plane];
		int low = b->endpoint[p][0][c], high = b->endpoint[p][1][c];

		low = low << 8 | (srgb ? 0x80 : low);
		high = high << 8 | (srgb ? 0x80 : high);
		texel |= (uint32_t)((low * (64 - w) + high * w + 32) >> 14) << 8 * c;
	}
	return texel;
}

static void fill(const struct tx_format *f, uint32_t color, uint32_t *texel)
{
	for (unsigned int i = 0; i < (unsigned int)f->block_w * f->block_h; i++)
		texel[i] = color;
}

/*
 * Section "Void-extent blocks": a constant colour with 16 bits per channel; the extent must be
 * valid.
 */
static uint32_t void_extent(const struct astc_bits *bits)
{
	unsigned int low_s = astc_get(bits, 12, 13), high_s = astc_get(bits, 25, 13);
	unsigned int low_t = astc_get(bits, 38, 13), high_t = astc_get(bits, 51, 13);
	bool no_extent = (low_s & high_s & low_t & high_t) == 0x1fff;
	uint32_t color = 0;

	if (astc_get(bits, 9, 1) || (!no_extent && (low_s >= high_s || low_t >= high_t)))
		return ERROR_COLOR;
	for (unsigned int c = 0; c < 4; c++)
		color |= astc_get(bits, 64 + 16 * c + 8, 8) << 8 * c;
	return color;
}

void tx_decode_astc(const uint8_t *bytes, const struct tx_format *f, bool srgb, uint32_t *texel)
{
	struct astc_block b = { .bits = astc_load(bytes) };

	if (astc_get(&b.bits, 0, 9) == 0x1fc) {
		fill(f, void_extent(&b.bits), texel);
		return;
	}
	if (!decode_header(&b, f)) {
		fill(f, ERROR_COLOR, texel);
		return;
	}
	decode_colors(&b);
	decode_weights(&b);
	for (unsigned int y = 0; y < f->block_h; y++)
		for (unsigned int x = 0; x < f->block_w; x++) {
			int weight[2] = { infill(&b, b.weight[0], f, x, y), 0 };

			if (b.dual)
				weight[1] = infill(&b, b.weight[1], f, x, y);
			*texel++ = blend(&b, select_partition(&b, f, x, y), weight, srgb);
		}
}
