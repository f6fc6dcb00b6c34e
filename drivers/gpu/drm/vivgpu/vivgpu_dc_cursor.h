/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_DC_CURSOR_H_
#define _VIVGPU_DC_CURSOR_H_

#include <linux/types.h>

/* Limits of the side of a cursor, which is a square with a power of two as side */
#define VIVGPU_DC_MIN_CURSOR_SIZE	32
#define VIVGPU_DC_MAX_CURSOR_SIZE	256
#define VIVGPU_DC_CURSOR_CPP	4

/**
 * struct vivgpu_dc_cursor - the part of a framebuffer that is the cursor
 */
struct vivgpu_dc_cursor {
	/** @x: first pixel, from the framebuffer's left edge */
	u32 x;
	/** @width: in pixels */
	u32 width;
	/** @height: in pixels */
	u32 height;
	/** @pitch: bytes from a row to the next */
	u32 pitch;
};

u32 vivgpu_dc_cursor_side(u32 width, u32 height);
u32 vivgpu_dc_cursor_code(u32 side);
bool vivgpu_dc_cursor_readable(const struct vivgpu_dc_cursor *cursor);

#endif
