/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_DC_MODE_H_
#define _VIVGPU_DC_MODE_H_

#include <drm/drm_modes.h>

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

#endif
