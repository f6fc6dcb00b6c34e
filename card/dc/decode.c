// SPDX-License-Identifier: MIT
/*
 * Decodes registers of framebuffer and cursor. The framebuffer is clipped to the screen here, the
 * cursor during scan-out.
 */
#include "dc/internal.h"

static uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Number of the @size pixels from @at on that are before both @end and the screen's edge. */
static uint32_t clip(uint32_t at, uint32_t size, uint32_t end, uint32_t screen)
{
	end = min_u32(min_u32(at + size, end), screen);
	return end > at ? end - at : 0;
}

void dc_decode_framebuffer(struct dc_frame *frame, const uint32_t *reg)
{
	uint32_t config = reg[DC_FB_CONFIG / 4], size = reg[DC_FB_SIZE / 4];
	uint32_t from = reg[DC_FB_TOP_LEFT / 4], to = reg[DC_FB_BOTTOM_RIGHT / 4];
	struct dc_framebuffer *fb = &frame->fb;

	fb->address = reg[DC_FB_ADDRESS / 4];
	fb->stride = reg[DC_FB_STRIDE / 4];
	fb->format = DC_FB_CONFIG_FMT(config);
	fb->swizzle = DC_FB_CONFIG_SWIZZLE(config);
	fb->tile = DC_FB_CONFIG_TILE_MODE(config);
	fb->x = DC_PAIR_LOW(from);
	fb->y = DC_PAIR_HIGH(from);
	fb->width = clip(fb->x, DC_PAIR_LOW(size), DC_PAIR_LOW(to), frame->width);
	fb->height = clip(fb->y, DC_PAIR_HIGH(size), DC_PAIR_HIGH(to), frame->height);
	fb->shown = (reg[DC_FB_CONFIG_EX / 4] & DC_FB_CONFIG_EX_FB_EN) &&
		    !(config & DC_FB_CONFIG_CLEAR_EN) && fb->width && fb->height;
}

void dc_decode_cursor(struct dc_frame *frame, const uint32_t *reg)
{
	uint32_t config = reg[DC_CURSOR_CONFIG / 4], location = reg[DC_CURSOR_LOCATION / 4];
	uint32_t size = 32u << DC_CURSOR_CONFIG_SIZE(config);

	frame->cursor = (struct dc_cursor){
		.shown = DC_CURSOR_CONFIG_FMT(config) == DC_CURSOR_FMT_ARGB8888 &&
			 size <= DC_MAX_CURSOR_SIZE,
		.address = reg[DC_CURSOR_ADDRESS / 4],
		.size = size,
		.x = (int32_t)DC_CURSOR_LOCATION_X(location) -
		     (int32_t)DC_CURSOR_CONFIG_X_OFFSET(config),
		.y = (int32_t)DC_CURSOR_LOCATION_Y(location) -
		     (int32_t)DC_CURSOR_CONFIG_Y_OFFSET(config),
	};
}
