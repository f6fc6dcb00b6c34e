// SPDX-License-Identifier: MIT
/* Registers of the display block: stored bits and side effects. */
#include "dc/dc.h"

#include <stdlib.h>
#include <string.h>

#include "dc/internal.h"

/* Registers that store what is written; with a step, one for each of two outputs, 0 and 1. */
static const struct {
	uint32_t offset, step, mask;
} stored[] = {
	{ DC_TOP_IRQ_EN, 0, DC_IRQ_VSYNC(0) | DC_IRQ_VSYNC(1) },
	{ DC_FB_ADDRESS, 4, UINT32_MAX },
	{ DC_FB_STRIDE, 4, DC_FB_STRIDE_MASK },
	{ DC_FB_CONFIG, 4, UINT32_MAX },
	{ DC_FB_SIZE, 4, 0x3fffffff },
	{ DC_FB_CONFIG_EX, 4, UINT32_MAX },
	{ DC_FB_TOP_LEFT, 4, 0x3fffffff },
	{ DC_FB_BOTTOM_RIGHT, 4, 0x3fffffff },
	{ DC_FB_BLEND, 4, UINT32_MAX },
	{ DC_PANEL_CONFIG, 4, UINT32_MAX },
	{ DC_HSIZE, 4, 0x7fff7fff },
	{ DC_HSYNC, 4, UINT32_MAX },
	{ DC_VSIZE, 4, 0x7fff7fff },
	{ DC_VSYNC, 4, UINT32_MAX },
	{ DC_GAMMA_INDEX, 4, DC_GAMMA_ENTRIES - 1 },
	{ DC_GAMMA_DATA, 4, DC_GAMMA_DATA_MASK },
	{ DC_DPI_CONFIG, 4, UINT32_MAX },
	{ DC_PANEL_START, 0, UINT32_MAX },
	{ DC_PANEL_CONFIG_EX, 4, UINT32_MAX },
	{ DC_CURSOR_CONFIG, DC_CURSOR_STEP, UINT32_MAX },
	{ DC_CURSOR_ADDRESS, DC_CURSOR_STEP, UINT32_MAX },
	{ DC_CURSOR_LOCATION, DC_CURSOR_STEP, 0x7fff7fff },
};

/* Bits of @offset that are stored; 0: no such register. */
static uint32_t stored_mask(uint32_t offset)
{
	for (unsigned int i = 0; i < sizeof(stored) / sizeof(stored[0]); i++)
		if (offset == stored[i].offset ||
		    (stored[i].step && offset == stored[i].offset + stored[i].step))
			return stored[i].mask;
	return 0;
}

static uint32_t location(const struct dc_block *dc)
{
	uint32_t x, y;

	if (!dc->running)
		return 0;
	dc_timing_location(&dc->timing, clock_now(dc->host.clock), &x, &y);
	return DC_PAIR(x, y);
}

static uint32_t acknowledge(struct dc_block *dc)
{
	uint32_t pending = dc->irq_pending;

	dc->irq_pending = 0;
	dc_update_irq(dc);
	return pending;
}

uint32_t dc_read(struct dc_block *dc, uint32_t offset)
{
	switch (offset) {
	case DC_TOP_IRQ_ACK:
		return acknowledge(dc);
	case DC_TOP_CHIP_MODEL:
		return DC_CHIP_MODEL;
	case DC_TOP_CHIP_REV:
		return DC_CHIP_REV;
	case DC_TOP_CHIP_CUSTOMER:
		return DC_CHIP_CUSTOMER;
	case DC_CURRENT_LOCATION:
		return location(dc);
	default:
		return stored_mask(offset) ? dc->reg[offset / 4] : 0;
	}
}

/* The index is below DC_GAMMA_ENTRIES, a power of two: see its mask in stored[]. */
static void write_gamma(struct dc_block *dc, uint32_t value)
{
	uint32_t *index = &dc->reg[DC_GAMMA_INDEX / 4];

	dc->gamma[*index] = value & DC_GAMMA_DATA_MASK;
	*index = (*index + 1) % DC_GAMMA_ENTRIES;
}

/* Reset the registers; keeps statistics, the board's settings and the frame counter. */
static void reset_registers(struct dc_block *dc)
{
	dc_output_reset(dc);
	memset(dc->reg, 0, sizeof(dc->reg));
	memset(dc->gamma, 0, sizeof(dc->gamma));
	memset(&dc->frame, 0, sizeof(dc->frame));
	dc->irq_pending = 0;
	dc_update_irq(dc);
}

/* Side effects of a write. */
static void act(struct dc_block *dc, uint32_t offset, uint32_t value)
{
	switch (offset) {
	case DC_TOP_IRQ_EN:
		dc_update_irq(dc);
		break;
	case DC_GAMMA_DATA:
		write_gamma(dc, value);
		break;
	case DC_FB_CONFIG_EX:
	case DC_CURSOR_CONFIG:
	case DC_PANEL_CONFIG_EX:
		dc_commit(dc);
		break;
	case DC_PANEL_CONFIG:
	case DC_PANEL_START:
		dc_run_or_stop(dc);
		break;
	default:
		break;
	}
}

void dc_write(struct dc_block *dc, uint32_t offset, uint32_t value)
{
	uint32_t mask = stored_mask(offset);

	if (offset == DC_TOP_RST && value)
		reset_registers(dc);
	if (!mask)
		return;
	dc->reg[offset / 4] = value & mask;
	act(dc, offset, value);
}

struct dc_block *dc_create(const struct dc_host *host)
{
	struct dc_block *dc = calloc(1, sizeof(*dc));

	if (!dc)
		return NULL;
	dc->host = *host;
	dc_output_init(dc);
	return dc;
}

void dc_destroy(struct dc_block *dc)
{
	if (!dc)
		return;
	dc_output_reset(dc);
	free(dc->rgb);
	free(dc);
}

void dc_reset(struct dc_block *dc)
{
	reset_registers(dc);
	dc->pixel_hz = 0;
	dc->crc_wanted = false;
	dc->crc = 0;
	dc->crc_frame = 0;
	dc->frame_count = 0;
}

void dc_set_pixel_hz(struct dc_block *dc, uint32_t hz)
{
	dc->pixel_hz = hz;
}

void dc_set_viewer(struct dc_block *dc, const struct dc_viewer *viewer)
{
	dc->viewer = viewer ? *viewer : (struct dc_viewer){ 0 };
}

void dc_set_crc(struct dc_block *dc, bool on)
{
	dc->crc_wanted = on;
}

uint32_t dc_crc(const struct dc_block *dc, uint32_t *frame)
{
	*frame = dc->crc_frame;
	return dc->crc;
}

uint32_t dc_frame_count(const struct dc_block *dc)
{
	return dc->frame_count;
}

void dc_get_status(const struct dc_block *dc, struct dc_status *status)
{
	*status = (struct dc_status){
		.problem = dc->running ? NULL : dc->problem,
		.timing = dc->timing,
		.frame = dc->frame,
		.vsync_ns = dc->running ? dc_timing_vsync_ns(&dc->timing, dc->vsync) : 0,
		.traffic = dc->traffic,
	};
}

void dc_print_statistics(const struct dc_block *dc,
			 void (*emit)(void *ctx, const char *name, uint64_t value), void *ctx)
{
	emit(ctx, "dc.vsyncs", dc->statistics.vsyncs);
	emit(ctx, "dc.late_vsyncs", dc->statistics.late_vsyncs);
	emit(ctx, "dc.flips", dc->statistics.flips);
	emit(ctx, "dc.frames_read", dc->statistics.frames);
	emit(ctx, "dc.rows_outside_memory", dc->statistics.trouble.rows);
	emit(ctx, "dc.rows_of_unknown_format", dc->statistics.trouble.configs);
}

void dc_clear_statistics(struct dc_block *dc)
{
	memset(&dc->statistics, 0, sizeof(dc->statistics));
}
