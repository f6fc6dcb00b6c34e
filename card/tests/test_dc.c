// SPDX-License-Identifier: MIT
/* The display block: registers, latching, vsyncs, interrupts, CRC, traffic. */
#include "tests/check.h"
#include "tests/dc_rig.h"

#include <zlib.h>

TEST(identity_and_storage)
{
	rig_begin();
	CHECK_EQ(rig_get(DC_TOP_CHIP_MODEL), 0x8200);
	CHECK_EQ(rig_get(DC_TOP_CHIP_REV), 0x5720);
	CHECK_EQ(rig_get(DC_FB_ADDRESS), 0);
	rig_set(DC_FB_ADDRESS, 0x12345678);
	rig_set(DC_FB_ADDRESS + 4, 0x9abcdef0);
	rig_set(DC_FB_STRIDE, 0xffffffff);
	rig_set(DC_TOP_CHIP_MODEL, 1);
	rig_set(0x0004, 1);
	rig_set(0xfffc, 1);
	CHECK_EQ(rig_get(DC_FB_ADDRESS), 0x12345678);
	CHECK_EQ(rig_get(DC_FB_ADDRESS + 4), 0x9abcdef0);
	CHECK_EQ(rig_get(DC_FB_STRIDE), 0x3ffff);
	CHECK_EQ(rig_get(DC_TOP_CHIP_MODEL), 0x8200);
	CHECK_EQ(rig_get(0x0004), 0);
	CHECK_EQ(rig_get(0xfffc), 0);
	rig_set(DC_TOP_RST, 1);
	CHECK_EQ(rig_get(DC_FB_ADDRESS), 0);
	CHECK_EQ(rig_get(DC_TOP_RST), 0);
	rig_end();
}

TEST(vsync_interrupts)
{
	rig_begin();
	rig_panel();
	rig_set(DC_TOP_IRQ_EN, DC_IRQ_VSYNC(0));
	clock_set_now(rig.clock, 500);
	rig_start();
	CHECK_EQ(dc_frame_count(rig.dc), 1);
	rig_pass(500 + RIG_FRAME_NS - 1);
	CHECK_EQ(rig.irqs, 0);
	rig_pass(500 + RIG_FRAME_NS);
	CHECK_EQ(rig.irqs, 1);
	CHECK_EQ(rig.irq_ns[0], 500 + RIG_FRAME_NS);
	CHECK_EQ(dc_frame_count(rig.dc), 2);
	rig_pass(500 + 3 * RIG_FRAME_NS); /* not acknowledged: the line stays active */
	CHECK_EQ(rig.irqs, 1);
	CHECK(rig.irq);
	CHECK_EQ(rig_get(DC_TOP_IRQ_ACK), DC_IRQ_VSYNC(0));
	CHECK(!rig.irq);
	CHECK_EQ(rig_get(DC_TOP_IRQ_ACK), 0);
	rig_pass(500 + 4 * RIG_FRAME_NS);
	CHECK_EQ(rig.irqs, 2);
	rig_get(DC_TOP_IRQ_ACK);
	rig_set(DC_TOP_IRQ_EN, 0);
	rig_pass(500 + 6 * RIG_FRAME_NS);
	rig_set(DC_TOP_IRQ_EN, DC_IRQ_VSYNC(0)); /* earlier vsyncs are not recorded */
	CHECK_EQ(rig.irqs, 2);
	CHECK_EQ(rig_get(DC_TOP_IRQ_ACK), 0);
	rig_pass(500 + 7 * RIG_FRAME_NS);
	CHECK_EQ(rig.irqs, 3);
	CHECK_EQ(dc_frame_count(rig.dc), 8);
	rig_end();
}

TEST(stopping_is_at_once)
{
	rig_begin();
	rig_panel();
	rig_framebuffer(DC_FORMAT_X8R8G8B8);
	rig_look(true);
	rig_set(DC_TOP_IRQ_EN, DC_IRQ_VSYNC(0));
	rig_start();
	CHECK(rig.traffic);
	rig_pass(RIG_FRAME_NS / 2);
	rig_set(DC_PANEL_START, 0);
	CHECK_EQ(rig.traffic, 0);
	CHECK_EQ(clock_next(rig.clock), CARD_TIME_NEVER); /* no events are armed */
	rig_pass(10 * RIG_FRAME_NS);
	CHECK_EQ(rig.irqs, 0);
	CHECK_EQ(rig.pictures, 0);
	CHECK_EQ(rig_get(DC_CURRENT_LOCATION), 0);
	rig_start();
	rig_pass(11 * RIG_FRAME_NS);
	CHECK_EQ(rig.irqs, 1);
	rig_set(DC_PANEL_CONFIG, RIG_LIT); /* without RUNNING */
	CHECK_EQ(clock_next(rig.clock), CARD_TIME_NEVER);
	rig_end();
}

TEST(bad_timings_do_not_run)
{
	static const struct {
		uint32_t hsize, vsize, hz;
	} bad[] = {
		/* no clock, no columns, no blank columns, no blank rows, no rows */
		{ 64 | 100 << 16, 48 | 60 << 16, 0 },
		{ 0 | 100 << 16, 48 | 60 << 16, 6000000 },
		{ 64 | 64 << 16, 48 | 60 << 16, 6000000 },
		{ 64 | 100 << 16, 60 | 60 << 16, 6000000 },
		{ 64 | 100 << 16, 0 | 60 << 16, 6000000 },
		/* beyond limits: 1000 frames a second, one, 600 MHz, 4096 pixels, 4096 rows */
		{ 64 | 100 << 16, 48 | 60 << 16, 6010000 },
		{ 64 | 100 << 16, 48 | 60 << 16, 5999 },
		{ 1 | 2 << 16, 1 | 2 << 16, 0xffffffff },
		{ 4097 | 5000 << 16, 48 | 1000 << 16, 100000000 },
		{ 64 | 5000 << 16, 4097 | 5000 << 16, 100000000 },
	};

	rig_begin();
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct dc_status status;

		rig_set(DC_PANEL_START, 0);
		rig_panel();
		rig_set(DC_HSIZE, bad[i].hsize);
		rig_set(DC_VSIZE, bad[i].vsize);
		dc_set_pixel_hz(rig.dc, bad[i].hz);
		rig_start();
		dc_get_status(rig.dc, &status);
		CHECK(status.problem != NULL);
		CHECK_EQ(clock_next(rig.clock), CARD_TIME_NEVER);
	}
	rig_panel(); /* valid now: a commit starts it */
	rig_set(DC_PANEL_CONFIG_EX, DC_PANEL_CONFIG_EX_COMMIT);
	CHECK(clock_next(rig.clock) != CARD_TIME_NEVER);
	rig_end();
}

/* Fill the framebuffer at @address with one colour. */
static void paint(uint32_t address, uint32_t colour)
{
	for (uint32_t i = 0; i < RIG_WIDTH * RIG_HEIGHT; i++)
		memcpy(rig_at(address) + 4 * i, &colour, 4);
}

static uint32_t shown_colour(void)
{
	return rig.rgb[0] << 16 | rig.rgb[1] << 8 | rig.rgb[2];
}

TEST(commits_wait_for_vsync)
{
	rig_begin();
	paint(RIG_MEMORY, 0x112233);
	paint(RIG_MEMORY + 0x10000, 0x445566);
	rig_panel();
	rig_framebuffer(DC_FORMAT_X8R8G8B8);
	/* at once, as the output does not run */
	CHECK_EQ(rig_get(DC_FB_CONFIG_EX), DC_FB_CONFIG_EX_FB_EN);
	rig_look(true);
	rig_start();
	rig_pass(RIG_FRAME_NS - 1);
	CHECK_EQ(shown_colour(), 0x112233);
	rig_set(DC_FB_ADDRESS, RIG_MEMORY + 0x10000);
	rig_pass(3 * RIG_FRAME_NS - 1);
	CHECK_EQ(shown_colour(), 0x112233);
	rig_set(DC_FB_CONFIG_EX, DC_FB_CONFIG_EX_FB_EN | DC_FB_CONFIG_EX_COMMIT);
	CHECK_EQ(rig_get(DC_FB_CONFIG_EX), DC_FB_CONFIG_EX_FB_EN | DC_FB_CONFIG_EX_COMMIT);
	rig_pass(3 * RIG_FRAME_NS);
	CHECK_EQ(rig_get(DC_FB_CONFIG_EX), DC_FB_CONFIG_EX_FB_EN);
	CHECK_EQ(shown_colour(), 0x112233);
	rig_pass(4 * RIG_FRAME_NS - 1);
	CHECK_EQ(shown_colour(), 0x445566);
	rig_end();
}

TEST(memory_is_read_while_it_is_shown)
{
	rig_begin();
	paint(RIG_MEMORY, 0x111111);
	rig_panel();
	rig_framebuffer(DC_FORMAT_X8R8G8B8);
	rig_look(true);
	rig_start();
	rig_pass((RIG_ACTIVE_ROW + RIG_HEIGHT / 2) * RIG_ROW_NS - 1000);
	paint(RIG_MEMORY, 0x222222); /* in the middle of the frame: tears */
	rig_pass(RIG_FRAME_NS - 1);
	CHECK_EQ(rig.pictures, 1);
	CHECK_EQ(shown_colour(), 0x111111);
	CHECK_EQ(rig.rgb[3 * RIG_WIDTH * (RIG_HEIGHT / 2 - 1)], 0x11);
	CHECK_EQ(rig.rgb[3 * RIG_WIDTH * (RIG_HEIGHT / 2)], 0x22);
	rig_end();
}

TEST(crc_of_what_was_shown)
{
	uint32_t frame;

	rig_begin();
	paint(RIG_MEMORY, 0x123456);
	rig_panel();
	rig_framebuffer(DC_FORMAT_X8R8G8B8);
	rig_start();
	rig_pass(RIG_FRAME_NS / 2);
	dc_set_crc(rig.dc, true);
	rig_pass(2 * RIG_FRAME_NS - 1);
	CHECK(dc_crc(rig.dc, &frame));
	CHECK_EQ(frame, 2);
	CHECK_EQ(dc_frame_count(rig.dc), 2);
	rig_look(true);
	rig_pass(3 * RIG_FRAME_NS - 1);
	CHECK_EQ(dc_crc(rig.dc, &frame), crc32(0, rig.rgb, 3 * RIG_WIDTH * RIG_HEIGHT));
	CHECK_EQ(frame, 3);
	CHECK_EQ(rig.number, 3);
	CHECK_EQ(rig.crc, dc_crc(rig.dc, &frame));
	dc_set_crc(rig.dc, false);
	rig_pass(6 * RIG_FRAME_NS);
	dc_crc(rig.dc, &frame);
	CHECK_EQ(frame, 3);
	rig_end();
}

TEST(location)
{
	rig_begin();
	rig_panel();
	rig_start();
	CHECK_EQ(rig_get(DC_CURRENT_LOCATION), DC_PAIR(0, 50));
	rig_pass(RIG_ACTIVE_ROW * RIG_FRAME_NS / 60 + 1);
	CHECK_EQ(rig_get(DC_CURRENT_LOCATION), DC_PAIR(0, 0));
	rig_pass((RIG_ACTIVE_ROW + 30) * RIG_FRAME_NS / 60 + 7001);
	CHECK_EQ(rig_get(DC_CURRENT_LOCATION), DC_PAIR(42, 30));
	rig_end();
}

TEST(traffic)
{
	rig_begin();
	rig_panel();
	rig_framebuffer(DC_FORMAT_R5G6B5);
	CHECK_EQ(rig.traffic, 0);
	rig_start();
	CHECK_EQ(rig.traffic, 64 * 48 * 2 * 1000);
	rig_set(DC_CURSOR_LOCATION, 60 | 40 << 16);
	rig_set(DC_CURSOR_CONFIG, DC_CURSOR_FMT_ARGB8888 | DC_CURSOR_CONFIG_COMMIT);
	rig_pass(RIG_FRAME_NS);
	CHECK_EQ(rig.traffic, (64 * 48 * 2 + 4 * 8 * 4) * 1000);
	CHECK_EQ(rig_get(DC_CURSOR_CONFIG), DC_CURSOR_FMT_ARGB8888);
	rig_end();
}

TEST(a_new_timing_begins_at_a_vsync)
{
	rig_begin();
	rig_panel();
	rig_set(DC_TOP_IRQ_EN, DC_IRQ_VSYNC(0));
	rig_start();
	rig_set(DC_VSIZE, 48 | 120 << 16);
	rig_set(DC_PANEL_CONFIG_EX, DC_PANEL_CONFIG_EX_COMMIT);
	rig_pass(RIG_FRAME_NS);
	CHECK_EQ(rig.irq_ns[0], RIG_FRAME_NS);
	rig_get(DC_TOP_IRQ_ACK);
	rig_pass(3 * RIG_FRAME_NS);
	CHECK_EQ(rig.irqs, 2);
	CHECK_EQ(rig.irq_ns[1], 3 * RIG_FRAME_NS);
	rig_set(DC_VSIZE, 0);
	rig_set(DC_PANEL_CONFIG_EX, DC_PANEL_CONFIG_EX_COMMIT);
	rig_pass(20 * RIG_FRAME_NS);
	CHECK_EQ(clock_next(rig.clock), CARD_TIME_NEVER);
	rig_end();
}

int main(void)
{
	return test_all();
}
