/* SPDX-License-Identifier: MIT */
/*
 * The board's part of the display: the pixel clock, the monitor's EDID, and registers with the
 * CRC of scanned-out frames.
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

#define DISPLAY_EDID_AREA 0x100u /* bytes; zero after the EDID */

struct board_display {
	struct dc_block *dc;           /* NULL: no display block */
	uint8_t edid[EDID_BYTES];      /* zeros while no monitor is plugged */
	const struct edid_mode *first; /* preferred by the monitor after a reset */
	/* preferred by the plugged monitor; NULL: none is plugged */
	const struct edid_mode *monitor;
	uint32_t monitor_changes;
	uint32_t pixel_hz;
	bool crc_enabled;
};

/**
 * board_display_init - create a display block with a monitor that prefers @mode; false if out
 * of memory
 */
bool board_display_init(struct board_display *display, const struct dc_host *host,
			const struct edid_mode *mode);
void board_display_destroy(struct board_display *display);

/** board_display_reset - power-on reset; no effect without a display block */
void board_display_reset(struct board_display *display);

/* The board calls the functions below only if there is a display block (display->dc). */

/** board_display_set_pixel_hz - set the pixel clock to @hz (write of BOARD_PIXEL_HZ) */
void board_display_set_pixel_hz(struct board_display *display, uint32_t hz);

/**
 * board_display_plug - replace the monitor
 * @mode: preferred by the new one; NULL: none is plugged
 *
 * The display block does not depend on it: it has no input for a monitor's presence.
 */
void board_display_plug(struct board_display *display, const struct edid_mode *mode);

/** board_display_monitor - the register BOARD_MONITOR */
uint32_t board_display_monitor(const struct board_display *display);

/** board_display_edid - the word at byte @offset of the EDID area; a multiple of 4 */
uint32_t board_display_edid(const struct board_display *display, uint32_t offset);

/** board_display_read, board_display_write - registers at BOARD_CRC_BASE + @offset */
uint32_t board_display_read(const struct board_display *display, uint32_t offset);
void board_display_write(struct board_display *display, uint32_t offset, uint32_t value);

#endif
