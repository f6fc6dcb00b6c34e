// SPDX-License-Identifier: MIT
/*
 * The output: start and stop, vsyncs, and the registers that are latched at a vsync. Timed by
 * the calendar; pixels are read in scanout.c.
 */
#include "dc/internal.h"

void dc_update_irq(struct dc_block *dc)
{
	dc->host.set_irq(dc->host.ctx, dc->irq_pending & dc->reg[DC_TOP_IRQ_EN / 4]);
}

/* Whether the commit bit @bit of register @offset is set; if so, clears it and the bits @more. */
static bool latch_commit(struct dc_block *dc, uint32_t offset, uint32_t bit, uint32_t more)
{
	uint32_t *reg = &dc->reg[offset / 4];
	bool set = *reg & bit;

	if (set)
		*reg &= ~(bit | more);
	return set;
}

static void clear_commits(struct dc_block *dc)
{
	latch_commit(dc, DC_FB_CONFIG_EX, DC_FB_CONFIG_EX_COMMIT, 0);
	latch_commit(dc, DC_CURSOR_CONFIG, DC_CURSOR_CONFIG_COMMIT, DC_CURSOR_CONFIG_UPDATE);
	latch_commit(dc, DC_PANEL_CONFIG_EX, DC_PANEL_CONFIG_EX_COMMIT, 0);
}

/*
 * Latch the panel's registers except for the timing. Of gamma only its use is latched: an entry of
 * the table that is written later counts for the rows that are read next.
 */
static void latch_panel(struct dc_block *dc)
{
	const uint32_t lit =
		DC_PANEL_CONFIG_DE_EN | DC_PANEL_CONFIG_DAT_EN | DC_PANEL_CONFIG_CLK_EN;
	uint32_t config = dc->reg[DC_PANEL_CONFIG / 4];

	dc->frame.lit = (config & lit) == lit;
	dc->frame.gamma = config & DC_PANEL_CONFIG_GAMMA ? dc->gamma : NULL;
}

static void update_traffic(struct dc_block *dc)
{
	uint64_t traffic =
		dc->running ? dc_timing_per_second(&dc->timing, dc_frame_bytes(&dc->frame)) : 0;

	if (traffic == dc->traffic)
		return;
	dc->traffic = traffic;
	dc->host.traffic(dc->host.ctx, traffic);
}

static const char *read_timing(const struct dc_block *dc, struct dc_timing *timing)
{
	return dc_timing_set(timing, dc->reg[DC_HSIZE / 4], dc->reg[DC_VSIZE / 4],
			     dc->reg[DC_VSYNC / 4], dc->pixel_hz);
}

static bool same_timing(const struct dc_timing *a, const struct dc_timing *b)
{
	return a->width == b->width && a->height == b->height && a->row_pixels == b->row_pixels &&
	       a->rows == b->rows && a->vsync_row == b->vsync_row && a->hz == b->hz;
}

static void stop(struct dc_block *dc, const char *why)
{
	clock_disarm(dc->host.clock, &dc->vsync_event);
	dc_scan_stop(dc);
	dc->running = false;
	dc->problem = why;
	update_traffic(dc);
}

static void arm_vsync(struct dc_block *dc)
{
	clock_arm(dc->host.clock, &dc->vsync_event, dc_timing_vsync_ns(&dc->timing, dc->vsync + 1));
}

/* Start with a vsync at @now_ns, and latch all registers. */
static void start(struct dc_block *dc, const struct dc_timing *timing, uint64_t now_ns)
{
	dc->running = true;
	dc->problem = NULL;
	dc->timing = *timing;
	dc->timing.start_ns = now_ns;
	dc->vsync = 0;
	dc->frame.width = timing->width;
	dc->frame.height = timing->height;
	latch_panel(dc);
	dc_decode_framebuffer(&dc->frame, dc->reg);
	dc_decode_cursor(&dc->frame, dc->reg);
	clear_commits(dc);
}

static bool is_wanted(const struct dc_block *dc)
{
	return (dc->reg[DC_PANEL_START / 4] & DC_PANEL_START_RUNNING(0)) &&
	       (dc->reg[DC_PANEL_CONFIG / 4] & DC_PANEL_CONFIG_RUNNING);
}

/* Begin the frame after a vsync. */
static void begin_frame(struct dc_block *dc)
{
	dc_scan_begin(dc);
	update_traffic(dc);
	arm_vsync(dc);
}

void dc_run_or_stop(struct dc_block *dc)
{
	struct dc_timing timing = { 0 };
	const char *problem;

	if (!is_wanted(dc)) {
		stop(dc, "it was not started");
		return;
	}
	if (dc->running)
		return;
	problem = read_timing(dc, &timing);
	if (problem) {
		stop(dc, problem);
		return;
	}
	start(dc, &timing, clock_now(dc->host.clock));
	dc->frame_count++; /* for a start by retime(), on_vsync() has counted it */
	begin_frame(dc);
}

/* A panel commit at a vsync with another timing: the new timing starts with this vsync. */
static void retime(struct dc_block *dc)
{
	struct dc_timing timing = { 0 };
	const char *problem = read_timing(dc, &timing);

	if (problem)
		stop(dc, problem);
	else if (!same_timing(&timing, &dc->timing))
		start(dc, &timing, dc_timing_vsync_ns(&dc->timing, dc->vsync));
	else
		latch_panel(dc);
}

static void latch_commits(struct dc_block *dc)
{
	if (latch_commit(dc, DC_FB_CONFIG_EX, DC_FB_CONFIG_EX_COMMIT, 0)) {
		dc_decode_framebuffer(&dc->frame, dc->reg);
		dc->statistics.flips++;
	}
	if (latch_commit(dc, DC_CURSOR_CONFIG, DC_CURSOR_CONFIG_COMMIT, DC_CURSOR_CONFIG_UPDATE))
		dc_decode_cursor(&dc->frame, dc->reg);
	if (latch_commit(dc, DC_PANEL_CONFIG_EX, DC_PANEL_CONFIG_EX_COMMIT, 0))
		retime(dc);
}

void dc_commit(struct dc_block *dc)
{
	bool panel = dc->reg[DC_PANEL_CONFIG_EX / 4] & DC_PANEL_CONFIG_EX_COMMIT;

	if (dc->running)
		return;
	clear_commits(dc);
	if (panel)
		dc_run_or_stop(dc); /* registers may be valid now */
}

/*
 * In real time this may be late by several frames; those missed are counted only. At least one
 * vsync has passed, since the event's time was rounded up. A disabled interrupt does not become
 * pending.
 */
static void on_vsync(void *ctx)
{
	struct dc_block *dc = ctx;
	uint64_t vsync = dc_timing_vsyncs(&dc->timing, clock_now(dc->host.clock));
	uint64_t passed = vsync - dc->vsync;

	dc_scan_finish(dc);
	dc->vsync = vsync;
	dc->frame_count += passed;
	dc->statistics.vsyncs += passed;
	dc->statistics.late_vsyncs += passed - 1;
	latch_commits(dc);
	dc->irq_pending |= DC_IRQ_VSYNC(0) & dc->reg[DC_TOP_IRQ_EN / 4];
	dc_update_irq(dc);
	if (dc->running)
		begin_frame(dc);
}

void dc_output_init(struct dc_block *dc)
{
	dc->vsync_event = (struct clock_event){ .fn = on_vsync, .ctx = dc };
	dc_scan_stop(dc);
	dc->problem = "it was not started";
}

void dc_output_reset(struct dc_block *dc)
{
	stop(dc, "it was not started");
}
