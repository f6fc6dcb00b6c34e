// SPDX-License-Identifier: GPL-2.0-only
/*
 * Display modes and the display block's timing registers. Pure: no hardware is
 * touched here.
 */

#include <linux/export.h>
#include <linux/math64.h>

#include <kunit/visibility.h>

#include "vivgpu_contiguous.h"
#include "vivgpu_dc_mode.h"
#include "vivgpu_dc_regs.h"

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
 * vivgpu_dc_sync_ns - from the vertical sync pulse to the first pixel after it
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
