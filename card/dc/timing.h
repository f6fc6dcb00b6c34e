/* SPDX-License-Identifier: MIT */
/*
 * Conversion between card time and the position of scan-out, from video timing and pixel clock.
 * Pure functions. All times are computed from the start, so that rounding errors do not
 * accumulate.
 */
#ifndef CARD_DC_TIMING_H
#define CARD_DC_TIMING_H

#include <stdint.h>

#define DC_MAX_SCREEN_SIZE 4096u /* pixels per side */
#define DC_MAX_PIXEL_HZ 600000000u
#define DC_MIN_FRAME_NS 1000000u
#define DC_MAX_FRAME_NS 1000000000u

struct dc_timing {
	uint32_t width, height;    /* active, pixels and rows */
	uint32_t row_pixels, rows; /* total */
	uint32_t vsync_row;        /* row in which vsync begins; 0 is the first active one */
	uint64_t hz;               /* pixel clock */
	uint64_t start_ns;         /* card time of vsync 0 */
};

/**
 * dc_timing_set - decode a timing from registers
 * @timing: receives it
 * @hsize: register DC_HSIZE
 * @vsize: register DC_VSIZE
 * @vsync: register DC_VSYNC
 * @hz: pixel clock
 *
 * Returns: NULL, or an error message; then @timing is invalid.
 */
const char *dc_timing_set(struct dc_timing *timing, uint32_t hsize, uint32_t vsize, uint32_t vsync,
			  uint64_t hz);

/** dc_timing_vsync_ns - card time of vsync @n after the start, rounded up. */
uint64_t dc_timing_vsync_ns(const struct dc_timing *timing, uint64_t n);

/** dc_timing_row_ns - card time, rounded up, when row @row of the frame after vsync @n begins */
uint64_t dc_timing_row_ns(const struct dc_timing *timing, uint64_t n, uint32_t row);

/** dc_timing_vsyncs - number of vsyncs until @now_ns, without the one at the start */
uint64_t dc_timing_vsyncs(const struct dc_timing *timing, uint64_t now_ns);

/** dc_timing_location - pixel and row at @now_ns, counted from the first active ones */
void dc_timing_location(const struct dc_timing *timing, uint64_t now_ns, uint32_t *x, uint32_t *y);

/** dc_timing_per_second - convert @units per frame to units per second, rounded up */
uint64_t dc_timing_per_second(const struct dc_timing *timing, uint64_t units);

#endif
