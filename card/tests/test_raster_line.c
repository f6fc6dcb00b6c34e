// SPDX-License-Identifier: MIT
/*
 * Lines against GL's diamond-exit rule, decided for each pixel separately by intersecting the
 * line with the pixel's diamond.
 */
#include <stdlib.h>

#include "gc/clip.h"
#include "gc/raster.h"
#include "tests/check.h"

#define SIZE 64

static uint8_t count[SIZE][SIZE];
static uint32_t seed = 7;

static int32_t random_in(int32_t low, int32_t high)
{
	seed = seed * 1664525u + 1013904223u;
	return low + (int32_t)((seed >> 8) % (uint32_t)(high - low + 1));
}

static void collect(void *ctx, int x, int y, const uint64_t mask[GC_MAX_SAMPLES])
{
	(void)ctx;
	for (int j = 0; j < GC_BLOCK; j++)
		for (int i = 0; i < GC_BLOCK; i++)
			if (mask[0] & GC_BLOCK_BIT(i, j))
				count[y + j][x + i]++;
}

static struct gc_raster canvas(void)
{
	memset(count, 0, sizeof(count));
	return (struct gc_raster){ .scissor = { 0, 0, SIZE, SIZE },
				   .samples = 1,
				   .sample = { { 8, 8 } },
				   .block = collect };
}

static void draw(int32_t x0, int32_t y0, int32_t x1, int32_t y1, unsigned int width)
{
	struct gc_raster r = canvas();

	gc_raster_line(&r, (int32_t[]){ x0, x1 }, (int32_t[]){ y0, y1 }, width, false);
}

/*
 * Whether the segment goes through the open diamond of pixel (i, j) and does
 * not end in it. A segment that only touches it counts as not: @touches tells.
 */
static bool exits(const double p[4], int i, int j, bool *touches)
{
	double low = 0.0, high = 1.0, cx = 16 * i + 8, cy = 16 * j + 8;
	bool end_inside = fabs(p[2] - cx) + fabs(p[3] - cy) < 8.0;

	for (int side = 0; side < 4; side++) {
		double sx = side & 1 ? 1 : -1, sy = side & 2 ? 1 : -1;
		double at0 = sx * (p[0] - cx) + sy * (p[1] - cy) - 8.0;
		double at1 = sx * (p[2] - cx) + sy * (p[3] - cy) - 8.0;

		if (at0 >= 0.0 && at1 >= 0.0) {
			*touches |= at0 == 0.0 || at1 == 0.0;
			return false;
		}
		if (at0 > 0.0)
			low = fmax(low, at0 / (at0 - at1));
		else if (at1 > 0.0)
			high = fmin(high, at0 / (at0 - at1));
	}
	*touches |= fabs(high - low) < 1e-9;
	return high > low + 1e-9 && !end_inside;
}

TEST(thin_lines_leave_their_diamonds)
{
	unsigned int compared = 0;

	for (unsigned int n = 0; n < 4000; n++) {
		int32_t reach = n % 3 ? 400 : 40, cx = random_in(450, 550),
			cy = random_in(450, 550);
		int32_t x0 = cx + random_in(-reach, reach), y0 = cy + random_in(-reach, reach);
		int32_t x1 = cx + random_in(-reach, reach), y1 = cy + random_in(-reach, reach);
		double p[4] = { x0, y0, x1, y1 };
		bool want[SIZE][SIZE], touches = false;

		for (int j = 0; j < SIZE; j++)
			for (int i = 0; i < SIZE; i++)
				want[j][i] = exits(p, i, j, &touches);
		if (touches)
			continue; /* not defined by the rule; see the tests of ties */
		compared++;
		draw(x0, y0, x1, y1, 1);
		for (int j = 0; j < SIZE; j++)
			for (int i = 0; i < SIZE; i++)
				CHECK_EQ(count[j][i], want[j][i]);
	}
	CHECK(compared > 1000);
}

/* Every column between the ends of an x-major line gets one pixel, ties or not. */
TEST(columns_get_one_fragment)
{
	for (unsigned int n = 0; n < 2000; n++) {
		int32_t x0 = random_in(0, 500), y0 = random_in(100, 900);
		int32_t x1 = x0 + random_in(64, 500), y1;
		int32_t slope = x1 - x0;

		y1 = y0 + random_in(-slope, slope);
		if (y1 < 0 || y1 > 1000)
			continue;
		draw(x0, y0, x1, y1, 1);
		for (int i = x0 / 16 + 1; i < x1 / 16; i++) {
			unsigned int sum = 0;

			for (int j = 0; j < SIZE; j++)
				sum += count[j][i];
			CHECK_EQ(sum, 1);
		}
	}
}

/* A line that is cut at one of its points draws the same pixels. */
TEST(strips_do_not_overlap_and_have_no_holes)
{
	for (unsigned int n = 0; n < 2000; n++) {
		int32_t sx = random_in(-30, 30), sy = random_in(-30, 30), parts = 13;
		int32_t x0 = random_in(420, 600), y0 = random_in(420, 600), at = random_in(1, 12);
		uint8_t whole[SIZE][SIZE], first[SIZE][SIZE];

		draw(x0, y0, x0 + sx * parts, y0 + sy * parts, 1);
		memcpy(whole, count, sizeof(whole));
		draw(x0, y0, x0 + sx * at, y0 + sy * at, 1);
		memcpy(first, count, sizeof(first));
		draw(x0 + sx * at, y0 + sy * at, x0 + sx * parts, y0 + sy * parts, 1);
		for (int j = 0; j < SIZE; j++)
			for (int i = 0; i < SIZE; i++)
				CHECK_EQ(count[j][i] + first[j][i], whole[j][i]);
	}
}

/* Pixel centre to pixel centre: the first pixel is drawn, the last is not. */
TEST(half_open)
{
	static const int32_t to[8][2] = { { 8, 0 },  { 8, 5 },   { 5, 8 },  { 0, 8 },
					  { -8, 3 }, { -8, -8 }, { 0, -8 }, { 2, -8 } };

	for (unsigned int n = 0; n < 8; n++) {
		int32_t x1 = 30 + to[n][0], y1 = 30 + to[n][1];
		unsigned int sum = 0;

		draw(16 * 30 + 8, 16 * 30 + 8, 16 * x1 + 8, 16 * y1 + 8, 1);
		for (int j = 0; j < SIZE; j++)
			for (int i = 0; i < SIZE; i++)
				sum += count[j][i];
		CHECK_EQ(sum, 8);
		CHECK_EQ(count[30][30], 1);
		CHECK_EQ(count[y1][x1], 0);
	}
}

TEST(last_pixel_on_request)
{
	struct gc_raster r = canvas();

	gc_raster_line(&r, (int32_t[]){ 168, 168 + 160 }, (int32_t[]){ 168, 168 }, 1, true);
	for (int i = 0; i < SIZE; i++)
		CHECK_EQ(count[10][i], i >= 10 && i <= 20);
}

/* Exactly between two rows the upper one is drawn, exactly between two columns the left one. */
TEST(ties_go_up_and_left)
{
	draw(16 * 4 + 8, 16 * 10, 16 * 9 + 8, 16 * 10, 1);
	for (int i = 5; i < 9; i++) {
		CHECK_EQ(count[9][i], 1);
		CHECK_EQ(count[10][i], 0);
	}
	draw(16 * 10, 16 * 4 + 8, 16 * 10, 16 * 9 + 8, 1);
	for (int j = 5; j < 9; j++) {
		CHECK_EQ(count[j][9], 1);
		CHECK_EQ(count[j][10], 0);
	}
}

TEST(wide_lines_repeat_across_the_minor_axis)
{
	for (unsigned int width = 2; width <= 7; width++) {
		uint8_t thin[SIZE][SIZE];

		draw(16 * 10 + 8, 16 * 20 + 8, 16 * 40 + 8, 16 * 30 + 8, 1);
		memcpy(thin, count, sizeof(thin));
		draw(16 * 10 + 8, 16 * 20 + 8, 16 * 40 + 8, 16 * 30 + 8, width);
		for (int i = 0; i < SIZE; i++) {
			unsigned int sum = 0, was = 0;

			for (int j = 0; j < SIZE; j++) {
				sum += count[j][i];
				was += thin[j][i];
				CHECK(count[j][i] <= 1);
				if (thin[j][i]) /* is a part of the wide line */
					CHECK(count[j][i] == 1);
			}
			CHECK_EQ(sum, was * width);
		}
	}
}

TEST(nothing_of_nothing)
{
	struct gc_raster r = canvas();

	draw(100, 100, 100, 100, 1);
	for (int j = 0; j < SIZE; j++)
		for (int i = 0; i < SIZE; i++)
			CHECK_EQ(count[j][i], 0);
	r.scissor = (struct gc_rect){ 10, 10, 10, 20 };
	gc_raster_line(&r, (int32_t[]){ 0, 1000 }, (int32_t[]){ 0, 1000 }, 5, false);
	for (int j = 0; j < SIZE; j++)
		for (int i = 0; i < SIZE; i++)
			CHECK_EQ(count[j][i], 0);
}

/* From one end of the guard band to the other: fast, and with the right pixels. */
TEST(huge_lines)
{
	const int32_t far = GC_GUARD_BAND * GC_SUBPIXELS;

	draw(-far, -far, far, far, 1);
	for (int i = 0; i < SIZE; i++)
		CHECK_EQ(count[i][i], 1);
	draw(far, 8, -far, 8, 1);
	for (int i = 0; i < SIZE; i++)
		CHECK_EQ(count[0][i], 1);
	draw(40, far, 40, -far, 3);
	for (int j = 0; j < SIZE; j++)
		CHECK_EQ(count[j][1] + count[j][2] + count[j][3], 3);
}

int main(void)
{
	return test_all();
}
