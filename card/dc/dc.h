/* SPDX-License-Identifier: MIT */
/*
 * Interface of the display block to the board: registers, an interrupt line, memory traffic and
 * pictures. Described in Documentation/card/display.rst.
 */
#ifndef CARD_DC_DC_H
#define CARD_DC_DC_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/memory.h"
#include "clock/clock.h"
#include "dc/scan.h"
#include "dc/timing.h"

struct dc_block;

/* Functions and objects of the board that the block uses */
struct dc_host {
	void *ctx;
	const struct guest_memory *memory;
	struct card_clock *clock;
	/** @set_irq: called when the interrupt line changes to @level */
	void (*set_irq)(void *ctx, bool level);
	/** @traffic: called when the bandwidth of scan-out changes */
	void (*traffic)(void *ctx, uint64_t bytes_per_second);
};

/* A scanned-out frame. */
struct dc_picture {
	uint32_t width, height;
	const uint8_t *rgb; /* 3 * width * height bytes, top row first */
	uint32_t number;    /* frame counter */
	uint32_t crc;       /* if the viewer or the board requested it, otherwise 0 */
};

/* Receiver of scanned-out frames. */
struct dc_viewer {
	void *ctx;
	/** @show: called with each complete frame; @picture is valid during the call */
	void (*show)(void *ctx, const struct dc_picture *picture);
	bool crc; /* compute each frame's CRC */
};

/* State of the block, for the control protocol and tests. */
struct dc_status {
	const char *problem;     /* why the output does not run; NULL if it runs */
	struct dc_timing timing; /* valid while it runs */
	struct dc_frame frame;   /* what is scanned out */
	uint64_t vsync_ns;       /* card time of the last vsync */
	uint64_t traffic;        /* bytes a second */
};

struct dc_block *dc_create(const struct dc_host *host);
void dc_destroy(struct dc_block *dc);

/** dc_reset - power-on reset; clears frame counter, pixel clock and CRC, keeps statistics */
void dc_reset(struct dc_block *dc);

/** dc_read, dc_write - 32-bit register access at byte @offset, a multiple of 4 */
uint32_t dc_read(struct dc_block *dc, uint32_t offset);
void dc_write(struct dc_block *dc, uint32_t offset, uint32_t value);

/** dc_set_pixel_hz - set the board's pixel clock; used from the next panel commit or start on */
void dc_set_pixel_hz(struct dc_block *dc, uint32_t hz);

/** dc_set_viewer - set the receiver of frames; NULL: none */
void dc_set_viewer(struct dc_block *dc, const struct dc_viewer *viewer);

/** dc_set_crc - enable or disable the computation of frame CRCs */
void dc_set_crc(struct dc_block *dc, bool on);

/** dc_crc - CRC of the last complete frame with CRC enabled; @frame receives its number */
uint32_t dc_crc(const struct dc_block *dc, uint32_t *frame);

/**
 * dc_frame_count - vsyncs since the reset, including those at starts of the output, modulo 2^32
 */
uint32_t dc_frame_count(const struct dc_block *dc);

void dc_get_status(const struct dc_block *dc, struct dc_status *status);

/** dc_print_statistics - report statistics with stable names, in a fixed order */
void dc_print_statistics(const struct dc_block *dc,
			 void (*emit)(void *ctx, const char *name, uint64_t value), void *ctx);
void dc_clear_statistics(struct dc_block *dc);

#endif
