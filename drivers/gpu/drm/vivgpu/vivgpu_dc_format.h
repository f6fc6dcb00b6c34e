/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_DC_FORMAT_H_
#define _VIVGPU_DC_FORMAT_H_

#include <linux/types.h>

struct drm_format_info;

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

#endif
