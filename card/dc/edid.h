/* SPDX-License-Identifier: MIT */
/* What the virtual monitor says about itself: one block of EDID 1.4. */
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

/** edid_mode_find - the mode called @name, or NULL. */
const struct edid_mode *edid_mode_find(const char *name);

/** edid_mode_at - mode @index for listings, or NULL past the end. */
const struct edid_mode *edid_mode_at(unsigned int index);

/**
 * edid_build - a monitor's EDID
 * @preferred: its first mode; those that are always offered follow
 */
void edid_build(uint8_t edid[EDID_BYTES], const struct edid_mode *preferred);

#endif
