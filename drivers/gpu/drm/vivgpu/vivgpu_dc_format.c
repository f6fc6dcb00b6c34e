// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pixel formats and memory layouts of the display block's framebuffer. Pure: no
 * hardware is touched here.
 */

#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/math.h>

#include <drm/drm_fourcc.h>
#include <kunit/visibility.h>

#include "vivgpu_dc_format.h"
#include "vivgpu_dc_regs.h"

/* Sides of the squares that keep their pixels together */
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
 * @height: number of rows
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
 * vivgpu_dc_pixel - compute the scan-out address for a first pixel
 * @layout: the layout
 * @x: the pixel, from the left
 * @y: and from the top
 * @offset: bytes
 *
 * Return: 0, or -EINVAL if the pixel is not the first of its tile.
 */
int vivgpu_dc_pixel(const struct vivgpu_dc_layout *layout, u32 x, u32 y, u32 *offset)
{
	u32 side = vivgpu_dc_format_tile_size(layout->modifier);

	if (x % side || y % side)
		return -EINVAL;

	*offset = layout->offset + y * layout->pitch + x * side * layout->cpp;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_dc_pixel);
