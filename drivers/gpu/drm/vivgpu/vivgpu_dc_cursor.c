// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sizes of the display block's cursor. Pure: no hardware is touched here.
 */

#include <linux/export.h>
#include <linux/log2.h>
#include <linux/minmax.h>

#include <kunit/visibility.h>

#include "vivgpu_dc_cursor.h"

/**
 * vivgpu_dc_cursor_side - get the size of the block's smallest cursor that holds an image
 * @width: width of the image in pixels
 * @height: height of the image in pixels
 *
 * Return: its side in pixels, or 0 if there is no image or no cursor for it.
 */
u32 vivgpu_dc_cursor_side(u32 width, u32 height)
{
	u32 side = max(width, height);

	if (!width || !height || side > VIVGPU_DC_MAX_CURSOR_SIZE)
		return 0;

	return max_t(u32, roundup_pow_of_two(side), VIVGPU_DC_MIN_CURSOR_SIZE);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_cursor_side);

/**
 * vivgpu_dc_cursor_code - get the register field for a size
 * @side: result of vivgpu_dc_cursor_side(), not 0
 *
 * Return: 0 to 3.
 */
u32 vivgpu_dc_cursor_code(u32 side)
{
	return ilog2(side) - ilog2(VIVGPU_DC_MIN_CURSOR_SIZE);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_cursor_code);

/**
 * vivgpu_dc_cursor_readable - check whether the block can read an image without a copy
 * @cursor: the image
 *
 * Return: true if it is a square of a supported size without gaps between rows.
 */
bool vivgpu_dc_cursor_readable(const struct vivgpu_dc_cursor *cursor)
{
	u32 side = vivgpu_dc_cursor_side(cursor->width, cursor->height);

	return side && cursor->width == side && cursor->height == side && !cursor->x &&
	       cursor->pitch == side * VIVGPU_DC_CURSOR_CPP;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_cursor_readable);
