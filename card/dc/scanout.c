// SPDX-License-Identifier: MIT
/*
 * Reads a frame in bands while it is scanned out, and passes it to the viewer when it is
 * complete. Without a viewer nothing is read unless the board wants CRCs.
 */
#include <stdlib.h>
#include <zlib.h>

#include "dc/internal.h"

static uint32_t band_row(const struct dc_block *dc, unsigned int band)
{
	return (uint64_t)dc->frame.height * band / DC_BANDS;
}

static uint64_t band_ns(const struct dc_block *dc, unsigned int band)
{
	return dc_timing_row_ns(&dc->timing, dc->vsync, band_row(dc, band));
}

static void read_band(struct dc_block *dc)
{
	size_t row_bytes = 3 * (size_t)dc->frame.width;
	uint32_t end = band_row(dc, dc->next_band + 1);

	for (uint32_t y = band_row(dc, dc->next_band); y < end; y++) {
		uint8_t *rgb = dc->rgb + y * row_bytes;

		dc_scan_row(&dc->frame, dc->host.memory, y, rgb, &dc->statistics.trouble);
		if (dc->crc_due || dc->viewer.crc)
			dc->running_crc = (uint32_t)crc32(dc->running_crc, rgb, row_bytes);
	}
	dc->next_band++;
}

/* frame_count is still the frame's: on_vsync() counts the next one after dc_scan_finish(). */
static void show_frame(struct dc_block *dc)
{
	const struct dc_picture picture = { dc->frame.width, dc->frame.height, dc->rgb,
					    dc->frame_count, dc->running_crc };

	dc->statistics.frames++;
	if (dc->crc_due) {
		dc->crc = dc->running_crc;
		dc->crc_frame = dc->frame_count;
	}
	if (dc->viewer.show)
		dc->viewer.show(dc->viewer.ctx, &picture);
}

static void on_band(void *ctx)
{
	struct dc_block *dc = ctx;
	uint64_t now = clock_now(dc->host.clock);

	while (dc->next_band < DC_BANDS && band_ns(dc, dc->next_band) <= now)
		read_band(dc);
	if (dc->next_band == DC_BANDS)
		show_frame(dc);
	else
		clock_arm(dc->host.clock, &dc->band_event, band_ns(dc, dc->next_band));
}

void dc_scan_begin(struct dc_block *dc)
{
	dc_scan_stop(dc);
	dc->crc_due = dc->crc_wanted;
	if (!dc->crc_due && !dc->viewer.show)
		return;
	dc->rgb = reallocarray(dc->rgb, 3 * (size_t)dc->frame.width, dc->frame.height);
	if (!dc->rgb)
		return;
	dc->running_crc = 0;
	dc->next_band = 0;
	clock_arm(dc->host.clock, &dc->band_event, band_ns(dc, 0));
}

void dc_scan_finish(struct dc_block *dc)
{
	if (dc->next_band == DC_BANDS)
		return;
	while (dc->next_band < DC_BANDS)
		read_band(dc);
	show_frame(dc);
	dc_scan_stop(dc);
}

/* Also initialises the event, for dc_output_init(). */
void dc_scan_stop(struct dc_block *dc)
{
	dc->band_event.fn = on_band;
	dc->band_event.ctx = dc;
	clock_disarm(dc->host.clock, &dc->band_event);
	dc->next_band = DC_BANDS;
}
