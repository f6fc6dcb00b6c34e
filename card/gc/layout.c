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
