// SPDX-License-Identifier: MIT
/*
 * Addresses of pixels in the surface layouts of Vivante cores. All tiled layouts store the 16
 * pixels of a 4x4 tile consecutively, row by row; they differ in the order of the tiles. The
 * bits of a pixel's number in a supertile are, from low to high:
 *
 *  mode 1           x0 x1 y0 y1 x2 y2 y3 x3 x4 x5 y4 y5
 *  mode 2 [chosen]  x0 x1 y0 y1 x2 y2 x3 y3 x4 y4 x5 y5
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

uint32_t gc_layout_offset(enum gc_layout layout, unsigned int supertile_mode, uint32_t stride,
			  unsigned int bytes, uint32_t x, uint32_t y)
{
	enum gc_layout single = gc_layout_single(layout);

	if (single == GC_LINEAR)
		return y * stride + x * bytes;
	return gc_layout_tile(single, supertile_mode, stride, bytes, x / GC_TILE_SIZE,
			      y / GC_TILE_SIZE) +
	       (y % GC_TILE_SIZE * GC_TILE_SIZE + x % GC_TILE_SIZE) * bytes;
}

unsigned int gc_layout_split(enum gc_layout layout, uint32_t x, uint32_t y, uint32_t *pipe_y)
{
	if (!gc_layout_is_multi(layout)) {
		*pipe_y = y;
		return 0;
	}
	/* two rows of tiles become one row in each half; the pipe alternates like a chessboard */
	*pipe_y = (y >> 3) << 2 | (y & 3);
	return (x >> 2 ^ y >> 2) & 1;
}
