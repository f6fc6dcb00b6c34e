/* SPDX-License-Identifier: MIT */
/*
 * Scan-out: rows of the screen as a pure function of a frame's description and memory. Order:
 * framebuffer, cursor, gamma.
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
	uint32_t stride;        /* bytes from one row of pixels to the next */
	uint32_t format;        /* enum dc_format, or undefined */
	uint32_t swizzle;       /* enum dc_swizzle */
	uint32_t tile;          /* enum dc_tile, or undefined */
	uint32_t x, y;          /* position of its first pixel on the screen */
	uint32_t width, height; /* visible size in pixels */
};

struct dc_cursor {
	bool shown;
	uint32_t address; /* of size * size ARGB8888 pixels */
	uint32_t size;
	int32_t x, y; /* position of its first pixel on the screen */
};

/* Description of a frame. */
struct dc_frame {
	uint32_t width, height; /* of the screen */
	bool lit;               /* false: all black */
	struct dc_framebuffer fb;
	struct dc_cursor cursor;
	const uint32_t *gamma; /* DC_GAMMA_ENTRIES words as in GAMMA_DATA; NULL: none */
};

/* Rows with something that could not be read and is left out. */
struct dc_trouble {
	uint64_t rows;    /* rows of framebuffer or cursor outside of memory */
	uint64_t configs; /* rows with an undefined format or tile mode */
};

/** dc_format_bytes - bytes per pixel of @format; 0 if undefined */
unsigned int dc_format_bytes(uint32_t format);

/**
 * dc_scan_row - compute a row of the screen
 * @frame: the frame, at most DC_MAX_SCREEN_SIZE wide
 * @memory: guest memory
 * @y: the row, less than frame->height
 * @rgb: receives frame->width pixels of three bytes
 * @trouble: counters of rows that could not be read
 */
void dc_scan_row(const struct dc_frame *frame, const struct guest_memory *memory, uint32_t y,
		 uint8_t *rgb, struct dc_trouble *trouble);

/** dc_frame_bytes - number of bytes that are read to scan out @frame */
uint64_t dc_frame_bytes(const struct dc_frame *frame);

#endif
