// SPDX-License-Identifier: GPL-2.0-only

#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include <kunit/visibility.h>

#include <drm/drm_fourcc.h>

#include "vivgpu_dc.h"
#include "vivgpu_dc_regs.h"
#include "vivgpu_gem.h"

/*
 * What the display block supports, in three parts: modes and timing registers, formats and layouts
 * of framebuffers, sizes of cursors. Pure: no hardware is touched here.
 */

/* Pixel clock in kHz: what 3840x2160 at 60 Hz takes, the DC8200's largest mode. */
#define MAX_CLOCK_KHZ	594000
/* Bytes of a pixel in the formats that user space expects to work. */
#define DEFAULT_CPP	4

/**
 * vivgpu_dc_mode_status - check whether the display block supports a mode
 * @mode: the mode
 *
 * Return: MODE_OK, or the reason.
 */
enum drm_mode_status vivgpu_dc_mode_status(const struct drm_display_mode *mode)
{
	if (mode->flags & DRM_MODE_FLAG_INTERLACE)
		return MODE_NO_INTERLACE;
	if (mode->flags & DRM_MODE_FLAG_DBLSCAN || mode->vscan > 1)
		return MODE_NO_DBLESCAN;
	if (mode->clock <= 0)
		return MODE_CLOCK_LOW;
	if (mode->clock > MAX_CLOCK_KHZ)
		return MODE_CLOCK_HIGH;
	if (mode->htotal > DC_MAX_TIMING || mode->hdisplay >= mode->htotal)
		return MODE_BAD_HVALUE;
	if (mode->vtotal > DC_MAX_TIMING || mode->vdisplay >= mode->vtotal)
		return MODE_BAD_VVALUE;
	/* A framebuffer is one piece of memory. */
	if (mode->hdisplay * mode->vdisplay > VIVGPU_MAX_CONTIGUOUS_BYTES / DEFAULT_CPP)
		return MODE_MEM;

	return MODE_OK;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_mode_status);

static u32 vivgpu_dc_mode_size_reg(u32 active, u32 total)
{
	return FIELD_PREP(DC_SIZE_ACTIVE, active) | FIELD_PREP(DC_SIZE_TOTAL, total);
}

static u32 vivgpu_dc_mode_sync_reg(u32 start, u32 end, bool negative)
{
	return FIELD_PREP(DC_SYNC_START, start) | FIELD_PREP(DC_SYNC_END, end) | DC_SYNC_ENABLE |
	       (negative ? DC_SYNC_POLARITY : 0);
}

/**
 * vivgpu_dc_timing - compute a mode's register values
 * @mode: the mode; vivgpu_dc_mode_status() found it good
 * @timing: the values
 */
void vivgpu_dc_timing(const struct drm_display_mode *mode, struct vivgpu_dc_timing *timing)
{
	timing->hsize = vivgpu_dc_mode_size_reg(mode->hdisplay, mode->htotal);
	timing->hsync = vivgpu_dc_mode_sync_reg(mode->hsync_start, mode->hsync_end,
						mode->flags & DRM_MODE_FLAG_NHSYNC);
	timing->vsize = vivgpu_dc_mode_size_reg(mode->vdisplay, mode->vtotal);
	timing->vsync = vivgpu_dc_mode_sync_reg(mode->vsync_start, mode->vsync_end,
						mode->flags & DRM_MODE_FLAG_NVSYNC);
	timing->pixel_hz = mode->clock * 1000;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_timing);

/**
 * vivgpu_dc_position - compute the scan-out position in a frame
 * @mode: the mode
 * @location: the register CURRENT_LOCATION
 * @vpos: row; negative in the blanking before row 0
 * @hpos: pixel
 *
 * In DRM a frame begins with the blanking before it. Here that is the vertical
 * sync pulse, because this is when the block counts a frame; the front porch
 * belongs to the frame before.
 */
void vivgpu_dc_position(const struct drm_display_mode *mode, u32 location, int *vpos, int *hpos)
{
	*hpos = FIELD_GET(DC_X, location);
	*vpos = FIELD_GET(DC_Y, location);
	if (*vpos >= mode->vsync_start)
		*vpos -= mode->vtotal;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_position);

/**
 * vivgpu_dc_sync_ns - from the start of the vertical sync pulse to the first pixel after it
 * @mode: the mode
 *
 * Return: the time in ns.
 */
u64 vivgpu_dc_sync_ns(const struct drm_display_mode *mode)
{
	return div_u64(mul_u32_u32((mode->vtotal - mode->vsync_start) * mode->htotal, 1000000),
		       mode->clock);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_sync_ns);

/*
 * Pixel formats and memory layouts of the display block's framebuffer. Pure: no
 * hardware is touched here.
 */

/* Sides of a tile and of a supertile in pixels */
#define TILE_SIDE	4
#define SUPERTILE_SIDE	64

struct format {
	u32 fourcc;
	u8 code;
	u8 swizzle;
};

static const struct format vivgpu_dc_format_formats[] = {
	{ DRM_FORMAT_XRGB8888, DC_FMT_X8R8G8B8, DC_SWIZZLE_ARGB },
	{ DRM_FORMAT_ARGB8888, DC_FMT_A8R8G8B8, DC_SWIZZLE_ARGB },
	{ DRM_FORMAT_XBGR8888, DC_FMT_X8R8G8B8, DC_SWIZZLE_ABGR },
	{ DRM_FORMAT_ABGR8888, DC_FMT_A8R8G8B8, DC_SWIZZLE_ABGR },
	{ DRM_FORMAT_RGBX8888, DC_FMT_X8R8G8B8, DC_SWIZZLE_RGBA },
	{ DRM_FORMAT_RGBA8888, DC_FMT_A8R8G8B8, DC_SWIZZLE_RGBA },
	{ DRM_FORMAT_BGRX8888, DC_FMT_X8R8G8B8, DC_SWIZZLE_BGRA },
	{ DRM_FORMAT_BGRA8888, DC_FMT_A8R8G8B8, DC_SWIZZLE_BGRA },
	{ DRM_FORMAT_RGB565, DC_FMT_R5G6B5, DC_SWIZZLE_ARGB },
	{ DRM_FORMAT_BGR565, DC_FMT_R5G6B5, DC_SWIZZLE_ABGR },
	{ DRM_FORMAT_XRGB1555, DC_FMT_X1R5G5B5, DC_SWIZZLE_ARGB },
	{ DRM_FORMAT_ARGB1555, DC_FMT_A1R5G5B5, DC_SWIZZLE_ARGB },
	{ DRM_FORMAT_XBGR1555, DC_FMT_X1R5G5B5, DC_SWIZZLE_ABGR },
	{ DRM_FORMAT_ABGR1555, DC_FMT_A1R5G5B5, DC_SWIZZLE_ABGR },
	{ DRM_FORMAT_RGBX5551, DC_FMT_X1R5G5B5, DC_SWIZZLE_RGBA },
	{ DRM_FORMAT_RGBA5551, DC_FMT_A1R5G5B5, DC_SWIZZLE_RGBA },
	{ DRM_FORMAT_XRGB4444, DC_FMT_X4R4G4B4, DC_SWIZZLE_ARGB },
	{ DRM_FORMAT_ARGB4444, DC_FMT_A4R4G4B4, DC_SWIZZLE_ARGB },
	{ DRM_FORMAT_XBGR4444, DC_FMT_X4R4G4B4, DC_SWIZZLE_ABGR },
	{ DRM_FORMAT_ABGR4444, DC_FMT_A4R4G4B4, DC_SWIZZLE_ABGR },
	{ DRM_FORMAT_RGBX4444, DC_FMT_X4R4G4B4, DC_SWIZZLE_RGBA },
	{ DRM_FORMAT_XRGB2101010, DC_FMT_A2R10G10B10, DC_SWIZZLE_ARGB },
	{ DRM_FORMAT_ARGB2101010, DC_FMT_A2R10G10B10, DC_SWIZZLE_ARGB },
	{ DRM_FORMAT_XBGR2101010, DC_FMT_A2R10G10B10, DC_SWIZZLE_ABGR },
	{ DRM_FORMAT_ABGR2101010, DC_FMT_A2R10G10B10, DC_SWIZZLE_ABGR },
};

static_assert(ARRAY_SIZE(vivgpu_dc_format_formats) == VIVGPU_DC_FORMATS);

/**
 * vivgpu_dc_format - get the bits of a format in the framebuffer's configuration
 * @fourcc: the format
 * @config: the bits
 *
 * Return: true if the block has the format.
 */
bool vivgpu_dc_format(u32 fourcc, u32 *config)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vivgpu_dc_format_formats); i++) {
		if (vivgpu_dc_format_formats[i].fourcc != fourcc)
			continue;
		*config = FIELD_PREP(DC_FB_CONFIG_FMT, vivgpu_dc_format_formats[i].code) |
			  FIELD_PREP(DC_FB_CONFIG_SWIZZLE, vivgpu_dc_format_formats[i].swizzle);
		return true;
	}

	return false;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_format);

/**
 * vivgpu_dc_format_list - all formats
 * @list: gets VIVGPU_DC_FORMATS of them, the best one first
 */
void vivgpu_dc_format_list(u32 *list)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vivgpu_dc_format_formats); i++)
		list[i] = vivgpu_dc_format_formats[i].fourcc;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_format_list);

/**
 * vivgpu_dc_tile_mode - get the tile mode of a modifier
 * @modifier: one that vivgpu_dc_check_layout() accepts
 * @gc2000: the GPU orders the tiles of a supertile as a GC2000 does
 *
 * Return: DC_TILE_*.
 */
u32 vivgpu_dc_tile_mode(u64 modifier, bool gc2000)
{
	if (modifier == DRM_FORMAT_MOD_VIVANTE_TILED)
		return DC_TILE_4X4;
	if (modifier == DRM_FORMAT_MOD_VIVANTE_SUPER_TILED)
		return gc2000 ? DC_TILE_SUPER_GC2000 : DC_TILE_SUPER_GC3000;

	return DC_TILE_LINEAR;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_tile_mode);

static u32 vivgpu_dc_format_tile_size(u64 modifier)
{
	if (modifier == DRM_FORMAT_MOD_VIVANTE_TILED)
		return TILE_SIDE;

	return modifier == DRM_FORMAT_MOD_VIVANTE_SUPER_TILED ? SUPERTILE_SIDE : 1;
}

/**
 * vivgpu_dc_size - compute the size of a picture in bytes, including its offset
 * @layout: its layout in memory
 * @width: pixels of a row
 * @height: number of rows, not 0
 *
 * Return: offset of the end of its last byte.
 */
u64 vivgpu_dc_size(const struct vivgpu_dc_layout *layout, u32 width, u32 height)
{
	u32 side = vivgpu_dc_format_tile_size(layout->modifier);
	u64 rows = round_up((u64)height, side) - side;

	/* Whole rows of tiles, then the tiles of the last row. */
	return layout->offset + rows * layout->pitch +
	       (u64)round_up(width, side) * side * layout->cpp;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_size);

/**
 * vivgpu_dc_check_layout - check whether the block can read a layout
 * @layout: the layout
 *
 * Return: 0 or -EINVAL.
 */
int vivgpu_dc_check_layout(const struct vivgpu_dc_layout *layout)
{
	u32 side = vivgpu_dc_format_tile_size(layout->modifier);

	if (side == 1 && layout->modifier != DRM_FORMAT_MOD_LINEAR)
		return -EINVAL;
	if (layout->pitch > DC_MAX_FB_STRIDE || layout->pitch % (side * layout->cpp))
		return -EINVAL;

	return layout->offset % (side * side * layout->cpp) ? -EINVAL : 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_check_layout);

/**
 * vivgpu_dc_pixel - compute where the scan-out of a part of a picture begins
 * @layout: the layout
 * @x: first column of the part
 * @y: first row of the part
 * @offset: out, bytes from the start of the memory, @layout's offset included
 *
 * Return: 0, or -EINVAL if the pixel is not the first of its tile.
 */
int vivgpu_dc_pixel(const struct vivgpu_dc_layout *layout, u32 x, u32 y, u32 *offset)
{
	u32 side = vivgpu_dc_format_tile_size(layout->modifier);

	if (x % side || y % side)
		return -EINVAL;

	/* y rows are above the tile's row of tiles, and x / side tiles of side * side before it. */
	*offset = layout->offset + y * layout->pitch + x * side * layout->cpp;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_pixel);

/*
 * Sizes of the display block's cursor. Pure: no hardware is touched here.
 */

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
