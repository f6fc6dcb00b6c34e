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

const uint8_t gc_supertile[2][2][16] = {
	{ { 0, 1, 8, 9, 16, 17, 24, 25, 32, 33, 40, 41, 48, 49, 56, 57 },
	  { 0, 2, 4, 6, 64, 66, 68, 70, 128, 130, 132, 134, 192, 194, 196, 198 } },
	{ { 0, 1, 4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81, 84, 85 },
	  { 0, 2, 8, 10, 32, 34, 40, 42, 128, 130, 136, 138, 160, 162, 168, 170 } },
};

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
