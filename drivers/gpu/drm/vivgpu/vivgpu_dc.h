/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_DC_H_
#define _VIVGPU_DC_H_

#include <linux/types.h>

#include <drm/drm_modes.h>

struct drm_format_info;

/**
 * struct vivgpu_dc_timing - a mode as the display block's registers have it
 */
struct vivgpu_dc_timing {
	/** @hsize: active and all pixels of a row */
	u32 hsize;
	/** @hsync: horizontal sync pulse */
	u32 hsync;
	/** @vsize: active and all rows of a frame */
	u32 vsize;
	/** @vsync: vertical sync pulse */
	u32 vsync;
	/** @pixel_hz: pixel clock */
	u32 pixel_hz;
};

enum drm_mode_status vivgpu_dc_mode_status(const struct drm_display_mode *mode);
void vivgpu_dc_timing(const struct drm_display_mode *mode, struct vivgpu_dc_timing *timing);
void vivgpu_dc_position(const struct drm_display_mode *mode, u32 location, int *vpos, int *hpos);
u64 vivgpu_dc_sync_ns(const struct drm_display_mode *mode);

#define VIVGPU_DC_FORMATS	25

/**
 * struct vivgpu_dc_layout - layout of a picture in memory
 */
struct vivgpu_dc_layout {
	/** @modifier: DRM's name for the order of the tiles */
	u64 modifier;
	/** @pitch: bytes from a row of pixels to the next */
	u32 pitch;
	/** @offset: bytes to the first pixel */
	u32 offset;
	/** @cpp: bytes of a pixel */
	u32 cpp;
};

bool vivgpu_dc_format(u32 fourcc, u32 *config);
void vivgpu_dc_format_list(u32 *list);
u32 vivgpu_dc_tile_mode(u64 modifier, bool gc2000);
u64 vivgpu_dc_size(const struct vivgpu_dc_layout *layout, u32 width, u32 height);
int vivgpu_dc_check_layout(const struct vivgpu_dc_layout *layout);
int vivgpu_dc_pixel(const struct vivgpu_dc_layout *layout, u32 x, u32 y, u32 *offset);

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
