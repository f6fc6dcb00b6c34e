/* SPDX-License-Identifier: MIT */
/*
 * The display block as the board sees it: registers in, an interrupt line,
 * memory traffic and pictures out. Documentation/card/display.rst describes it.
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

/* What the block needs of its surroundings. */
struct dc_host {
	void *ctx;
	const struct guest_memory *memory;
	struct card_clock *clock;
	/** @set_irq: the interrupt line is now @level. */
	void (*set_irq)(void *ctx, bool level);
	/** @traffic: from now on scan-out reads this many bytes a second. */
	void (*traffic)(void *ctx, uint64_t bytes_per_second);
};

/* A frame as the monitor got it. */
struct dc_picture {
	uint32_t width, height;
	const uint8_t *rgb; /* 3 * width * height bytes, rows from the top */
	uint32_t number;    /* of the frame */
	uint32_t crc;       /* if the viewer or the board wants it, else 0 */
};

/* Who looks at the pictures. */
struct dc_viewer {
	void *ctx;
	/** @show: a frame has been scanned out whole; @picture is valid during the call. */
	void (*show)(void *ctx, const struct dc_picture *picture);
	bool crc; /* wants each picture's CRC */
};

/* What the block is doing, for people and tests. */
struct dc_status {
	const char *problem;     /* why the output does not run; NULL: it does */
	struct dc_timing timing; /* valid while it runs */
	struct dc_frame frame;   /* what is shown */
	uint64_t vsync_ns;       /* card time of the last vsync */
	uint64_t traffic;        /* bytes a second */
};

struct dc_block *dc_create(const struct dc_host *host);
void dc_destroy(struct dc_block *dc);

/** dc_reset - as at power-on; the frame counter, the pixel clock and the CRC are 0 again, statistics stay. */
void dc_reset(struct dc_block *dc);

/** dc_read, dc_write - a 32-bit register access at byte @offset, multiple of 4. */
uint32_t dc_read(struct dc_block *dc, uint32_t offset);
void dc_write(struct dc_block *dc, uint32_t offset, uint32_t value);

/** dc_set_pixel_hz - the pixel clock that the board offers; used from the next commit or start of the panel on. */
void dc_set_pixel_hz(struct dc_block *dc, uint32_t hz);

/** dc_set_viewer - who sees each frame from now on; NULL: nobody. */
void dc_set_viewer(struct dc_block *dc, const struct dc_viewer *viewer);

/** dc_set_crc - whether the CRC of each further frame is computed. */
void dc_set_crc(struct dc_block *dc, bool on);

/** dc_crc - of the last whole frame that was scanned with it on; @frame gets its number. */
uint32_t dc_crc(const struct dc_block *dc, uint32_t *frame);

/** dc_frame_count - vsyncs since the reset, starts included, modulo 2^32. */
uint32_t dc_frame_count(const struct dc_block *dc);

void dc_get_status(const struct dc_block *dc, struct dc_status *status);

/** dc_print_statistics - figures by stable names, in a fixed order. */
void dc_print_statistics(const struct dc_block *dc,
			 void (*emit)(void *ctx, const char *name, uint64_t value), void *ctx);
void dc_clear_statistics(struct dc_block *dc);

#endif
