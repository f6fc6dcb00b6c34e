/* SPDX-License-Identifier: MIT */
/* The display block's inside, for the files of card/dc/ only. */
#ifndef CARD_DC_INTERNAL_H
#define CARD_DC_INTERNAL_H

#include "dc/dc.h"

#define DC_REGISTER_BYTES 0x2600u

/* A frame is read from memory in this many parts, each when its first row is shown. */
#define DC_BANDS 8u

struct dc_block {
	struct dc_host host;
	struct dc_viewer viewer; /* show = NULL: none */

	uint32_t reg[DC_REGISTER_BYTES / 4]; /* as written */
	uint32_t irq_pending;
	uint32_t gamma[DC_GAMMA_ENTRIES];
	uint32_t pixel_hz; /* as offered; the one in use is in timing */

	/* the output */
	bool running;
	const char *problem;     /* why not */
	struct dc_timing timing; /* valid while it runs */
	struct dc_frame frame;   /* taken over from the registers */
	uint64_t vsync;          /* number of the last one since the start */
	uint32_t frame_count;
	uint64_t traffic;
	struct clock_event vsync_event;

	/* scan-out of the frame at hand */
	struct clock_event band_event;
	unsigned int next_band; /* DC_BANDS: nothing to do */
	bool crc_wanted;        /* by the board */
	bool crc_due;           /* for the frame at hand */
	uint8_t *rgb;
	uint32_t running_crc;    /* of the rows so far */
	uint32_t crc, crc_frame; /* finished */

	struct {
		uint64_t vsyncs, late_vsyncs, frames, flips;
		struct dc_trouble trouble;
	} statistics;
};

/** dc_decode_framebuffer, dc_decode_cursor - what registers @reg (by offset / 4) describe on a screen of @frame's size. */
void dc_decode_framebuffer(struct dc_frame *frame, const uint32_t *reg);
void dc_decode_cursor(struct dc_frame *frame, const uint32_t *reg);

/** dc_update_irq - set the interrupt line to pending and enabled. */
void dc_update_irq(struct dc_block *dc);

/** dc_commit - COMMIT was written somewhere: take it over now if nothing runs. */
void dc_commit(struct dc_block *dc);

/** dc_run_or_stop - RUNNING or PANEL_START was written. */
void dc_run_or_stop(struct dc_block *dc);

/** dc_output_init, dc_output_reset - the events of the output; off, at once. */
void dc_output_init(struct dc_block *dc);
void dc_output_reset(struct dc_block *dc);

/** dc_scan_begin - a frame begins with the vsync that just was: read it if anybody looks. */
void dc_scan_begin(struct dc_block *dc);

/** dc_scan_finish - its time is over: what has not been read is read now. */
void dc_scan_finish(struct dc_block *dc);

/** dc_scan_stop - it is never finished. */
void dc_scan_stop(struct dc_block *dc);

#endif
