/* SPDX-License-Identifier: MIT */
/* The virtual monitor's EDID: one block of EDID 1.4. */
#ifndef CARD_DC_EDID_H
#define CARD_DC_EDID_H

#include <stdint.h>

#define EDID_BYTES 128u

/* A video mode with its timing, in pixels and rows. */
struct edid_mode {
	const char *name; /* WIDTHxHEIGHT */
	uint32_t hz;      /* pixel clock, a multiple of 10 kHz */
	uint16_t width, hsync_start, hsync_end, htotal;
	uint16_t height, vsync_start, vsync_end, vtotal;
};

/** edid_mode_find - the mode with this name, or NULL */
const struct edid_mode *edid_mode_find(const char *name);

/** edid_mode_at - mode @index, or NULL past the last one */
const struct edid_mode *edid_mode_at(unsigned int index);

/** edid_mode_names - the names of all modes, with a space between them */
const char *edid_mode_names(void);

/**
 * edid_build - build the monitor's EDID
 * @edid: receives the block
 * @preferred: its first detailed timing; those of 1280x720 and 640x432 follow
 */
void edid_build(uint8_t edid[EDID_BYTES], const struct edid_mode *preferred);

#endif
