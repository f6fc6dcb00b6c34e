/* SPDX-License-Identifier: MIT */
/*
 * Scan-out: what the screen shows, as a pure function of a frame's description
 * and memory. Framebuffer, then cursor, then gamma.
 */
#ifndef CARD_DC_SCAN_H
#define CARD_DC_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/memory.h"
#include "dc/registers.h"
#include "dc/timing.h"

#define DC_MAX_CURSOR_SIZE 256u

struct dc_framebuffer {
	bool shown;
	uint32_t address;       /* bus address of the surface */
	uint32_t stride;        /* bytes from a row of pixels to the next */
	uint32_t format;        /* enum dc_format, or anything */
	uint32_t swizzle;       /* enum dc_swizzle */
	uint32_t tile;          /* enum dc_tile, or anything */
	uint32_t x, y;          /* of its first pixel on the screen */
	uint32_t width, height; /* shown, pixels */
};

struct dc_cursor {
	bool shown;
	uint32_t address; /* of size * size ARGB8888 pixels */
	uint32_t size;
	int32_t x, y; /* of its first pixel on the screen */
};

/* What a frame shows. */
struct dc_frame {
	uint32_t width, height; /* of the screen */
	bool lit;               /* not: all black */
	struct dc_framebuffer fb;
	struct dc_cursor cursor;
	const uint32_t *gamma; /* DC_GAMMA_ENTRIES words as GAMMA_DATA's; NULL: none */
};

/* What could not be shown as asked. */
struct dc_trouble {
	uint64_t rows;    /* of framebuffer or cursor that lie outside memory, black */
	uint64_t configs; /* rows of a format or tile mode without meaning, black */
};

/** dc_format_bytes - bytes a pixel of @format has; 0 if there is no such format. */
unsigned int dc_format_bytes(uint32_t format);

/**
 * dc_scan_row - one row of the screen
 * @frame: what is shown
 * @memory: guest memory
 * @y: the row, below frame->height; the frame is at most DC_MAX_SCREEN_SIZE wide
 * @rgb: gets frame->width pixels of three bytes
 * @trouble: counted up
 */
void dc_scan_row(const struct dc_frame *frame, const struct guest_memory *memory, uint32_t y,
		 uint8_t *rgb, struct dc_trouble *trouble);

/** dc_frame_bytes - memory that showing @frame reads, bytes. */
uint64_t dc_frame_bytes(const struct dc_frame *frame);

#endif
