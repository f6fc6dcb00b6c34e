// SPDX-License-Identifier: MIT
/* Parts of the display: video timings, EDID. */
#include "tests/check.h"

#include "dc/edid.h"
#include "dc/registers.h"
#include "dc/timing.h"

/* ---- timing ---- */

static struct dc_timing timing;

/* As a driver would program it. */
static const char *set_mode(const struct edid_mode *m)
{
	return dc_timing_set(&timing, m->width | (uint32_t)m->htotal << 16,
			     m->height | (uint32_t)m->vtotal << 16,
			     DC_PAIR(m->vsync_start, m->vsync_end), m->hz);
}

TEST(the_small_mode_is_sixty_hertz_exactly)
{
	CHECK(!set_mode(edid_mode_find("640x432")));
	timing.start_ns = 1000;
	CHECK_EQ(dc_timing_vsync_ns(&timing, 0), 1000);
	CHECK_EQ(dc_timing_vsync_ns(&timing, 1), 1000 + 16666667);
	CHECK_EQ(dc_timing_vsync_ns(&timing, 3), 1000 + 50000000);
	CHECK_EQ(dc_timing_vsync_ns(&timing, 60ull * 3600 * 24 * 365),
		 1000 + 31536000ull * 1000000000);
	CHECK_EQ(dc_timing_per_second(&timing, 640 * 432 * 4), 640 * 432 * 4 * 60);
}

TEST(every_mode_can_be_driven)
{
	for (unsigned int i = 0; edid_mode_at(i); i++) {
		const struct edid_mode *m = edid_mode_at(i);
		double hz;

		CHECK(!set_mode(m));
		CHECK_EQ(timing.vsync_row, m->vsync_start);
		hz = 1e9 / dc_timing_vsync_ns(&timing, 1000) * 1000;
		/* VESA's 800x600 has 60.3 Hz, its 1024x768 60.004. */
		CHECK_NEAR(hz, 60, m->width == 800 || m->width == 1024 ? 0.4 : 0.001);
	}
}

TEST(rows_and_places)
{
	uint32_t x, y;

	CHECK(!set_mode(edid_mode_find("1280x720")));
	timing.start_ns = 5000;
	for (uint64_t n = 0; n < 100; n += 33)
		for (uint32_t row = 0; row < 720; row += 7) {
			uint64_t ns = dc_timing_row_ns(&timing, n, row);

			dc_timing_location(&timing, ns, &x, &y);
			CHECK_EQ(y, row);
			/* a ns is less than a tenth of a pixel; times are rounded up */
			CHECK(x <= 1);
			dc_timing_location(&timing, ns - 1, &x, &y);
			CHECK_EQ(y, row ? row - 1 : 749);
			CHECK_EQ(x, 1649);
		}
	dc_timing_location(&timing, 5000, &x, &y);
	CHECK_EQ(x, 0);
	CHECK_EQ(y, 725);
	dc_timing_location(&timing, 0, &x, &y); /* before the start: as at the start */
	CHECK_EQ(y, 725);
}

TEST(vsyncs_are_counted_when_they_begin)
{
	CHECK(!set_mode(edid_mode_find("1280x720")));
	timing.start_ns = 77;
	for (uint64_t n = 1; n < 1000000000; n = n * 3 + 1) {
		uint64_t ns = dc_timing_vsync_ns(&timing, n);

		CHECK_EQ(dc_timing_vsyncs(&timing, ns), n);
		CHECK_EQ(dc_timing_vsyncs(&timing, ns - 1), n - 1);
	}
	CHECK_EQ(dc_timing_vsyncs(&timing, 0), 0);
}

TEST(a_vsync_outside_the_blanking_is_moved)
{
	CHECK(!dc_timing_set(&timing, 640 | 800 << 16, 480 | 525 << 16, DC_PAIR(100, 110),
			     25200000));
	CHECK_EQ(timing.vsync_row, 480);
	CHECK(!dc_timing_set(&timing, 640 | 800 << 16, 480 | 525 << 16, DC_PAIR(525, 530),
			     25200000));
	CHECK_EQ(timing.vsync_row, 480);
	CHECK(!dc_timing_set(&timing, 640 | 800 << 16, 480 | 525 << 16, DC_PAIR(524, 530),
			     25200000));
	CHECK_EQ(timing.vsync_row, 524);
}

/* ---- EDID ---- */

/* A detailed timing, read back as a driver does (VESA EDID 1.4, 3.10.2). */
static struct edid_mode read_timing(const uint8_t *d)
{
	struct edid_mode m = { .hz = (d[0] | d[1] << 8) * 10000u };

	m.width = d[2] | (d[4] & 0xf0) << 4;
	m.htotal = m.width + (d[3] | (d[4] & 0x0f) << 8);
	m.height = d[5] | (d[7] & 0xf0) << 4;
	m.vtotal = m.height + (d[6] | (d[7] & 0x0f) << 8);
	m.hsync_start = m.width + (d[8] | (d[11] & 0xc0) << 2);
	m.hsync_end = m.hsync_start + (d[9] | (d[11] & 0x30) << 4);
	m.vsync_start = m.height + (d[10] >> 4 | (d[11] & 0x0c) << 2);
	m.vsync_end = m.vsync_start + ((d[10] & 0x0f) | (d[11] & 0x03) << 4);
	return m;
}

static bool same_mode(const struct edid_mode *a, const struct edid_mode *b)
{
	return a->hz == b->hz && a->width == b->width && a->hsync_start == b->hsync_start &&
	       a->hsync_end == b->hsync_end && a->htotal == b->htotal && a->height == b->height &&
	       a->vsync_start == b->vsync_start && a->vsync_end == b->vsync_end &&
	       a->vtotal == b->vtotal;
}

/* Whether one of the descriptors is @mode. */
static bool offers(const uint8_t *edid, const struct edid_mode *mode)
{
	for (unsigned int i = 0; i < 4; i++) {
		struct edid_mode m = read_timing(edid + 54 + 18 * i);

		if (same_mode(&m, mode))
			return true;
	}
	return false;
}

TEST(edid)
{
	static const uint8_t header[8] = { 0, 255, 255, 255, 255, 255, 255, 0 };

	for (unsigned int i = 0; edid_mode_at(i); i++) {
		const struct edid_mode *preferred = edid_mode_at(i);
		uint8_t bytes[EDID_BYTES], sum = 0;
		struct edid_mode first;

		edid_build(bytes, preferred);
		for (unsigned int b = 0; b < EDID_BYTES; b++)
			sum += bytes[b];
		CHECK_EQ(sum, 0);
		CHECK(!memcmp(bytes, header, sizeof(header)));
		CHECK_EQ(bytes[126], 0); /* no extension */
		first = read_timing(bytes + 54);
		CHECK(same_mode(&first, preferred));
		CHECK(offers(bytes, edid_mode_find("1280x720")));
		CHECK(offers(bytes, edid_mode_find("640x432")));
		CHECK(!memcmp(bytes + 108, "\0\0\0\xfc\0vivgpu\n      ", 18));
	}
	CHECK(!edid_mode_find("1x1"));
}

int main(void)
{
	return test_all();
}
