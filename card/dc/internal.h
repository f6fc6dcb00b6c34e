/* SPDX-License-Identifier: MIT */
/* Types and functions for the files of card/dc/ only. */
#ifndef CARD_DC_INTERNAL_H
#define CARD_DC_INTERNAL_H

#include "dc/dc.h"

#define DC_REGISTER_BYTES 0x2600u

/*
 * Number of parts in which a frame is read from memory, each when its first row is scanned out.
 */
#define DC_BANDS 8u

struct dc_block {
	struct dc_host host;
	struct dc_viewer viewer; /* show = NULL: none */

	uint32_t reg[DC_REGISTER_BYTES / 4]; /* as written */
	uint32_t irq_pending;
	uint32_t gamma[DC_GAMMA_ENTRIES];
	uint32_t pixel_hz; /* offered by the board; the one in use is in timing */

	/* output */
	bool running;
	const char *problem;     /* why it does not run */
	struct dc_timing timing; /* valid while it runs */
	struct dc_frame frame;   /* latched from the registers */
	uint64_t vsync;          /* number of the last vsync since the start */
	uint32_t frame_count;
	uint64_t traffic;
	struct clock_event vsync_event;

	/* scan-out of the current frame */
	struct clock_event band_event;
	unsigned int next_band; /* DC_BANDS: none */
	bool crc_wanted;        /* requested by the board */
	bool crc_due;           /* requested for the current frame */
	uint8_t *rgb;
	uint32_t running_crc;    /* of the rows so far */
	uint32_t crc, crc_frame; /* of the last complete frame */

	struct {
		uint64_t vsyncs, late_vsyncs, frames, flips;
		struct dc_trouble trouble;
	} statistics;
};

/**
 * dc_decode_framebuffer, dc_decode_cursor - decode registers @reg
 * @frame: its size is set; the framebuffer is clipped to it, the cursor is not
 */
void dc_decode_framebuffer(struct dc_frame *frame, const uint32_t *reg);
void dc_decode_cursor(struct dc_frame *frame, const uint32_t *reg);

/** dc_update_irq - set the interrupt line from the pending and enabled bits */
void dc_update_irq(struct dc_block *dc);

/**
 * dc_commit - a register with a COMMIT bit was written
 *
 * While the output runs, the next vsync latches. Otherwise the bits are cleared, since a start
 * latches all registers; a panel commit starts the output if that is now possible.
 */
void dc_commit(struct dc_block *dc);

/** dc_run_or_stop - RUNNING or PANEL_START was written: start or stop the output */
void dc_run_or_stop(struct dc_block *dc);

/** dc_output_init, dc_output_reset - initialise the output's events; stop it at once */
void dc_output_init(struct dc_block *dc);
void dc_output_reset(struct dc_block *dc);

/** dc_scan_begin - begin to read the frame after a vsync, for the viewer or its CRC */
void dc_scan_begin(struct dc_block *dc);

/** dc_scan_finish - the frame's time has passed: read the rest of it */
void dc_scan_finish(struct dc_block *dc);

/** dc_scan_stop - drop the current frame */
void dc_scan_stop(struct dc_block *dc);

#endif
