/* SPDX-License-Identifier: MIT */
/*
 * When which pixel is shown: a video timing and a pixel clock turned into card
 * time. Pure; everything is computed from the start, so roundings never add up.
 */
#ifndef CARD_DC_TIMING_H
#define CARD_DC_TIMING_H

#include <stdint.h>

#define DC_MAX_SCREEN_SIZE 4096u /* pixels, both ways */
#define DC_MAX_PIXEL_HZ 600000000u
#define DC_MIN_FRAME_NS 1000000u
#define DC_MAX_FRAME_NS 1000000000u

struct dc_timing {
	uint32_t width, height;    /* active, pixels and rows */
	uint32_t row_pixels, rows; /* total */
	uint32_t vsync_row;        /* row in which vsync begins, 0 = first active */
	uint64_t hz;               /* pixel clock */
	uint64_t start_ns;         /* card time of vsync 0 */
};

/**
 * dc_timing_set - take a timing from registers
 * @hsize, @vsize, @vsync: as the registers of these names
 * @hz: pixel clock
 *
 * Returns: NULL, or what is wrong with it; then @timing is not usable.
 */
const char *dc_timing_set(struct dc_timing *timing, uint32_t hsize, uint32_t vsize, uint32_t vsync,
			  uint64_t hz);

/** dc_timing_vsync_ns - card time of vsync @n after the start, rounded up. */
uint64_t dc_timing_vsync_ns(const struct dc_timing *timing, uint64_t n);

/** dc_timing_row_ns - card time at which active row @row of the frame after vsync @n begins, rounded up. */
uint64_t dc_timing_row_ns(const struct dc_timing *timing, uint64_t n, uint32_t row);

/** dc_timing_vsyncs - how many vsyncs have begun at @now_ns, besides the start's. */
uint64_t dc_timing_vsyncs(const struct dc_timing *timing, uint64_t now_ns);

/** dc_timing_location - the pixel and row (from the first active one) at @now_ns. */
void dc_timing_location(const struct dc_timing *timing, uint64_t now_ns, uint32_t *x, uint32_t *y);

/** dc_timing_per_second - @units a frame in units a second, rounded up. */
uint64_t dc_timing_per_second(const struct dc_timing *timing, uint64_t units);

#endif
