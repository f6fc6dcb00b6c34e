/* SPDX-License-Identifier: MIT */
/*
 * What a board has around its display block: the pixel clock, the monitor's
 * EDID, and registers that tell the CRC of what was scanned out.
 */
#ifndef CARD_BOARD_DISPLAY_H
#define CARD_BOARD_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "dc/dc.h"
#include "dc/edid.h"

/* Offsets from BOARD_CRC_BASE */
#define DISPLAY_CRC_CONTROL 0x00u
#define DISPLAY_CRC 0x04u
#define DISPLAY_CRC_FRAME 0x08u
#define DISPLAY_FRAME_COUNT 0x0cu
#define DISPLAY_CRC_BYTES 0x10u

#define DISPLAY_CRC_ENABLE (1u << 0)

#define DISPLAY_EDID_AREA 0x100u /* bytes; what is beyond the EDID reads zero */

struct board_display {
	struct dc_block *dc; /* NULL: none is fitted */
	uint8_t edid[EDID_BYTES];
	uint32_t pixel_hz;
	bool crc_enabled;
};

/** board_display_init - fit one, with a monitor that prefers @mode; false if out of memory. */
bool board_display_init(struct board_display *display, const struct dc_host *host,
			const struct edid_mode *mode);
void board_display_destroy(struct board_display *display);

/** board_display_reset - as at power-on. */
void board_display_reset(struct board_display *display);

/** board_display_set_pixel_hz - the pixel clock register was written. */
void board_display_set_pixel_hz(struct board_display *display, uint32_t hz);

/** board_display_edid - the word at byte @offset of the EDID area, multiple of 4. */
uint32_t board_display_edid(const struct board_display *display, uint32_t offset);

/** board_display_read, board_display_write - the CRC area's registers. */
uint32_t board_display_read(const struct board_display *display, uint32_t offset);
void board_display_write(struct board_display *display, uint32_t offset, uint32_t value);

#endif
