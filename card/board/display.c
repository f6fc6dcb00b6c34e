// SPDX-License-Identifier: MIT
/* EDID, pixel clock and frame CRC registers of the board. */
#include "board/display.h"

#include <string.h>

bool board_display_init(struct board_display *display, const struct dc_host *host,
			const struct edid_mode *mode)
{
	display->first = mode;
	board_display_plug(display, mode);
	display->monitor_changes = 0;
	display->dc = dc_create(host);
	return display->dc;
}

void board_display_destroy(struct board_display *display)
{
	dc_destroy(display->dc);
	display->dc = NULL;
}

/* dc_reset() sets the block's pixel clock and CRC to the values set here. */
void board_display_reset(struct board_display *display)
{
	if (!display->dc)
		return;
	dc_reset(display->dc);
	display->pixel_hz = 0;
	display->crc_enabled = false;
	board_display_plug(display, display->first);
	display->monitor_changes = 0;
}

void board_display_plug(struct board_display *display, const struct edid_mode *mode)
{
	display->monitor = mode;
	display->monitor_changes++;
	memset(display->edid, 0, sizeof(display->edid));
	if (mode)
		edid_build(display->edid, mode);
}

uint32_t board_display_monitor(const struct board_display *display)
{
	return display->monitor_changes << 1 | (display->monitor ? 1 : 0);
}

void board_display_set_pixel_hz(struct board_display *display, uint32_t hz)
{
	display->pixel_hz = hz;
	dc_set_pixel_hz(display->dc, hz);
}

uint32_t board_display_edid(const struct board_display *display, uint32_t offset)
{
	const uint8_t *at = display->edid + offset;

	if (offset >= EDID_BYTES)
		return 0;
	return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

uint32_t board_display_read(const struct board_display *display, uint32_t offset)
{
	uint32_t frame, crc = dc_crc(display->dc, &frame);

	switch (offset) {
	case DISPLAY_CRC_CONTROL:
		return display->crc_enabled ? DISPLAY_CRC_ENABLE : 0;
	case DISPLAY_CRC:
		return crc;
	case DISPLAY_CRC_FRAME:
		return frame;
	case DISPLAY_FRAME_COUNT:
		return dc_frame_count(display->dc);
	default:
		return UINT32_MAX;
	}
}

void board_display_write(struct board_display *display, uint32_t offset, uint32_t value)
{
	if (offset != DISPLAY_CRC_CONTROL)
		return;
	display->crc_enabled = value & DISPLAY_CRC_ENABLE;
	dc_set_crc(display->dc, display->crc_enabled);
}
