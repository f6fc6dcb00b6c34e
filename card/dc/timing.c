// SPDX-License-Identifier: MIT
/* Conversion between pixel clocks and nanoseconds, in 128-bit integers. */
#include "dc/timing.h"

#include <stddef.h>

#include "dc/registers.h"

#define NS_PER_SECOND 1000000000u

typedef unsigned __int128 wide;

static uint64_t frame_pixels(const struct dc_timing *t)
{
	return (uint64_t)t->row_pixels * t->rows;
}

static uint64_t round_up(wide value, wide divisor)
{
	return (uint64_t)((value + divisor - 1) / divisor);
}

/* Card time at which @pixels pixel clocks have passed since the start. */
static uint64_t pixels_to_ns(const struct dc_timing *t, wide pixels)
{
	return t->start_ns + round_up(pixels * NS_PER_SECOND, t->hz);
}

static wide ns_to_pixels(const struct dc_timing *t, uint64_t now_ns)
{
	return now_ns > t->start_ns ? (wide)(now_ns - t->start_ns) * t->hz / NS_PER_SECOND : 0;
}

const char *dc_timing_set(struct dc_timing *t, uint32_t hsize, uint32_t vsize, uint32_t vsync,
			  uint64_t hz)
{
	uint64_t frame_ns;

	t->width = DC_SIZE_ACTIVE(hsize);
	t->row_pixels = DC_SIZE_TOTAL(hsize);
	t->height = DC_SIZE_ACTIVE(vsize);
	t->rows = DC_SIZE_TOTAL(vsize);
	t->vsync_row = DC_PAIR_LOW(vsync);
	t->hz = hz;
	if (!hz)
		return "no pixel clock";
	if (!t->width || t->width >= t->row_pixels)
		return "no horizontal timing";
	if (!t->height || t->height >= t->rows)
		return "no vertical timing";
	if (t->width > DC_MAX_SCREEN_SIZE || t->height > DC_MAX_SCREEN_SIZE)
		return "more than 4096 pixels or rows";
	if (hz > DC_MAX_PIXEL_HZ)
		return "the pixel clock is above 600 MHz";
	/* a vsync in active rows or beyond the frame counts as one after the active rows */
	if (t->vsync_row < t->height || t->vsync_row >= t->rows)
		t->vsync_row = t->height;
	frame_ns = round_up((wide)frame_pixels(t) * NS_PER_SECOND, hz);
	if (frame_ns < DC_MIN_FRAME_NS)
		return "more than 1000 frames a second";
	if (frame_ns > DC_MAX_FRAME_NS)
		return "less than a frame a second";
	return NULL;
}

uint64_t dc_timing_vsync_ns(const struct dc_timing *t, uint64_t n)
{
	return pixels_to_ns(t, (wide)n * frame_pixels(t));
}

uint64_t dc_timing_row_ns(const struct dc_timing *t, uint64_t n, uint32_t row)
{
	uint64_t rows = t->rows - t->vsync_row + row;

	return pixels_to_ns(t, (wide)n * frame_pixels(t) + rows * t->row_pixels);
}

uint64_t dc_timing_vsyncs(const struct dc_timing *t, uint64_t now_ns)
{
	return (uint64_t)(ns_to_pixels(t, now_ns) / frame_pixels(t));
}

void dc_timing_location(const struct dc_timing *t, uint64_t now_ns, uint32_t *x, uint32_t *y)
{
	uint64_t pixel = (uint64_t)(ns_to_pixels(t, now_ns) % frame_pixels(t));

	*x = pixel % t->row_pixels;
	*y = (t->vsync_row + pixel / t->row_pixels) % t->rows;
}

uint64_t dc_timing_per_second(const struct dc_timing *t, uint64_t units)
{
	return round_up((wide)units * t->hz, frame_pixels(t));
}
