/* SPDX-License-Identifier: MIT */
/*
 * A display block for tests, with 4 MiB of memory and virtual time; records interrupts, traffic
 * and pictures.
 */
#ifndef CARD_TESTS_DC_RIG_H
#define CARD_TESTS_DC_RIG_H

#include <stdlib.h>

#include "dc/dc.h"

#define RIG_MEMORY 0x40000000u /* where memory begins */
#define RIG_BYTES 0x400000u

static struct {
	struct guest_memory memory;
	struct card_clock *clock;
	struct dc_block *dc;
	bool irq;
	unsigned int irqs, pictures;
	uint64_t traffic;
	uint64_t irq_ns[64];                 /* when it rose: rise i is in i % 64 */
	uint32_t width, height, number, crc; /* of the last picture */
	uint8_t *rgb;
} rig;

static void rig_set_irq(void *ctx, bool level)
{
	if (level && !rig.irq)
		rig.irq_ns[rig.irqs++ % 64] = clock_now(rig.clock);
	rig.irq = level;
}

static void rig_traffic(void *ctx, uint64_t bytes_per_second)
{
	rig.traffic = bytes_per_second;
}

static void rig_show(void *ctx, const struct dc_picture *picture)
{
	size_t bytes = 3 * (size_t)picture->width * picture->height;

	rig.pictures++;
	rig.width = picture->width;
	rig.height = picture->height;
	rig.number = picture->number;
	rig.crc = picture->crc;
	rig.rgb = realloc(rig.rgb, bytes);
	memcpy(rig.rgb, picture->rgb, bytes);
}

static inline void rig_begin(void)
{
	static const struct dc_host host = { NULL, &rig.memory, NULL, rig_set_irq, rig_traffic };
	struct dc_host mine = host;

	memset(&rig, 0, sizeof(rig));
	rig.memory.count = 1;
	rig.memory.region[0] = (struct guest_region){ RIG_MEMORY, RIG_BYTES, calloc(1, RIG_BYTES) };
	rig.clock = clock_create(true);
	mine.clock = rig.clock;
	rig.dc = dc_create(&mine);
}

static inline void rig_look(bool on)
{
	static const struct dc_viewer viewer = { NULL, rig_show, true };

	dc_set_viewer(rig.dc, on ? &viewer : NULL);
}

static inline void rig_end(void)
{
	dc_destroy(rig.dc);
	clock_destroy(rig.clock);
	free(rig.memory.region[0].host);
	free(rig.rgb);
}

/* Let time pass until the clock is at @until_ns. */
static inline void rig_pass(uint64_t until_ns)
{
	while (clock_next(rig.clock) <= until_ns) {
		clock_set_now(rig.clock, clock_next(rig.clock));
		clock_run_due(rig.clock);
	}
	clock_set_now(rig.clock, until_ns);
}

static inline void rig_set(uint32_t offset, uint32_t value)
{
	dc_write(rig.dc, offset, value);
}

static inline uint32_t rig_get(uint32_t offset)
{
	return dc_read(rig.dc, offset);
}

static inline uint8_t *rig_at(uint32_t address)
{
	return rig.memory.region[0].host + (address - RIG_MEMORY);
}

#define RIG_LIT (DC_PANEL_CONFIG_DE_EN | DC_PANEL_CONFIG_DAT_EN | DC_PANEL_CONFIG_CLK_EN)

/*
 * A panel of 64 x 48 pixels in 100 x 60 at 6 MHz: frames of exactly 1 ms, vsync
 * begins in row 50.
 */
#define RIG_WIDTH 64u
#define RIG_HEIGHT 48u
#define RIG_FRAME_NS 1000000u
#define RIG_ROW_NS (RIG_FRAME_NS / 60)
#define RIG_ACTIVE_ROW 10u /* rows from the begin of vsync to the first visible row */

static inline void rig_panel(void)
{
	dc_set_pixel_hz(rig.dc, 6000000);
	rig_set(DC_HSIZE, 64 | 100 << 16);
	rig_set(DC_HSYNC, DC_PAIR(70, 80));
	rig_set(DC_VSIZE, 48 | 60 << 16);
	rig_set(DC_VSYNC, DC_PAIR(50, 55));
	rig_set(DC_PANEL_CONFIG, RIG_LIT | DC_PANEL_CONFIG_RUNNING);
}

/* A linear framebuffer of the panel's size at the start of memory. */
static inline void rig_framebuffer(uint32_t format)
{
	rig_set(DC_FB_ADDRESS, RIG_MEMORY);
	rig_set(DC_FB_STRIDE, RIG_WIDTH * dc_format_bytes(format));
	rig_set(DC_FB_CONFIG, format << 26);
	rig_set(DC_FB_SIZE, DC_PAIR(RIG_WIDTH, RIG_HEIGHT));
	rig_set(DC_FB_TOP_LEFT, 0);
	rig_set(DC_FB_BOTTOM_RIGHT, DC_PAIR(RIG_WIDTH, RIG_HEIGHT));
	rig_set(DC_FB_CONFIG_EX, DC_FB_CONFIG_EX_FB_EN | DC_FB_CONFIG_EX_COMMIT);
}

static inline void rig_start(void)
{
	rig_set(DC_PANEL_START, DC_PANEL_START_RUNNING(0));
}

#endif
