// SPDX-License-Identifier: MIT
/*
 * Addresses of pixels in the surface layouts of Vivante cores. Every tiled
 * layout keeps the 16 pixels of a 4x4 tile together, row by row; they differ
 * in the order of the tiles.
 */
#include "gc/layout.h"

enum gc_layout gc_layout_from_bits(bool tiled, bool super, bool multi)
{
	if (!tiled && !super)
		return GC_LINEAR;
	if (multi)
		return super ? GC_MULTI_SUPERTILED : GC_MULTI_TILED;
	return super ? GC_SUPERTILED : GC_TILED;
}

enum gc_layout gc_layout_single(enum gc_layout layout)
{
	switch (layout) {
	case GC_MULTI_TILED:
		return GC_TILED;
	case GC_MULTI_SUPERTILED:
		return GC_SUPERTILED;
	default:
		return layout;
	}
}

bool gc_layout_is_multi(enum gc_layout layout)
{
	return layout == GC_MULTI_TILED || layout == GC_MULTI_SUPERTILED;
}

/* abcd -> 0a0b0c0d */
static uint32_t spread4(uint32_t v)
{
	v = (v | v << 2) & 0x33;
	return (v | v << 1) & 0x55;
}

/* Pixel number within a 4x4 tile: address bits x0 x1 y0 y1, low to high. */
static uint32_t in_tile(uint32_t x, uint32_t y)
{
	return (x & 3) | (y & 3) << 2;
}

/* Mode 1: x0 x1 y0 y1 x2 y2 y3 x3 x4 x5 y4 y5. */
static uint32_t in_supertile_1(uint32_t x, uint32_t y)
{
	return in_tile(x, y) | (x & 4) << 2 | (y & 0xc) << 3 | (x & 0x38) << 4 | (y & 0x30) << 6;
}

/* Mode 2 [chosen]: x0 x1 y0 y1, then the tiles in Z order: x2 y2 x3 y3 x4 y4 x5 y5. */
static uint32_t in_supertile_2(uint32_t x, uint32_t y)
{
	return in_tile(x, y) | spread4(x >> 2 & 15) << 4 | spread4(y >> 2 & 15) << 5;
}

uint32_t gc_layout_offset(enum gc_layout layout, unsigned int supertile_mode, uint32_t stride,
			  unsigned int bytes, uint32_t x, uint32_t y)
{
	uint32_t pixel;

	switch (gc_layout_single(layout)) {
	case GC_LINEAR:
		return y * stride + x * bytes;
	case GC_TILED:
		return (y >> 2) * 4 * stride + ((x >> 2) * 16 + in_tile(x, y)) * bytes;
	default:
		pixel = supertile_mode == 1 ? in_supertile_1(x, y) : in_supertile_2(x, y);
		return (y >> 6) * 64 * stride + ((x >> 6) * 4096 + pixel) * bytes;
	}
}

unsigned int gc_layout_split(enum gc_layout layout, uint32_t x, uint32_t y, uint32_t *pipe_y)
{
	if (!gc_layout_is_multi(layout)) {
		*pipe_y = y;
		return 0;
	}
	/* Two rows of tiles share a row in each half; who gets which alternates by column. */
	*pipe_y = (y >> 3) << 2 | (y & 3);
	return (x >> 2 ^ y >> 2) & 1;
}
