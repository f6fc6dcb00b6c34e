// SPDX-License-Identifier: MIT
/*
 * The rasteriser against brute force: each sample is decided separately, with the fill rule in
 * another form: a sample on an edge is moved slightly to the right, then slightly down.
 */
#include <stdlib.h>

#include "gc/clip.h"
#include "gc/raster.h"
#include "tests/check.h"

#define SIZE 192 /* pixels of the canvas, each way */

static uint8_t count[GC_MAX_SAMPLES][SIZE][SIZE];
static uint32_t seed = 1;

static uint32_t random_u32(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 8;
}

static int32_t random_in(int32_t low, int32_t high)
{
	return low + (int32_t)(random_u32() % (uint32_t)(high - low + 1));
}

static void collect(void *ctx, int x, int y, const uint64_t mask[GC_MAX_SAMPLES])
{
	const struct gc_raster *r = ctx;

	for (unsigned int s = 0; s < r->samples; s++)
		for (int j = 0; j < GC_BLOCK; j++)
			for (int i = 0; i < GC_BLOCK; i++)
				if (mask[s] & GC_BLOCK_BIT(i, j))
					count[s][y + j][x + i]++;
	if ((x | y) & 1)
		count[0][0][0] = 99; /* blocks begin at even pixels */
}

static struct gc_raster canvas(unsigned int samples)
{
	static const struct gc_sample_point points[5][GC_MAX_SAMPLES] = {
		[1] = { { 8, 8 } },
		[2] = { { 2, 2 }, { 10, 10 } },
		[4] = { { 6, 2 }, { 14, 6 }, { 2, 10 }, { 10, 14 } },
	};
	struct gc_raster r = { .scissor = { 0, 0, SIZE, SIZE },
			       .samples = samples,
			       .block = collect };

	memcpy(r.sample, points[samples], sizeof(r.sample));
	memset(count, 0, sizeof(count));
	return r;
}

static bool sample_inside(const int32_t x[3], const int32_t y[3], int64_t px, int64_t py)
{
	for (int i = 0; i < 3; i++) {
		int64_t dx = x[(i + 1) % 3] - x[i], dy = y[(i + 1) % 3] - y[i];
		int64_t e = dx * (py - y[i]) - dy * (px - x[i]);

		e = e ? e : -dy ? -dy : dx; /* right, then down */
		if (e <= 0)
			return false;
	}
	return true;
}

static int64_t area(const int32_t x[3], const int32_t y[3])
{
	return (int64_t)(x[1] - x[0]) * (y[2] - y[0]) - (int64_t)(x[2] - x[0]) * (y[1] - y[0]);
}

/* Rasterise and compare the whole canvas; true if equal. */
static bool same_as_reference(struct gc_raster *r, const int32_t x[3], const int32_t y[3])
{
	memset(count, 0, sizeof(count));
	r->ctx = r;
	gc_raster_triangle(r, x, y);
	for (unsigned int s = 0; s < r->samples; s++)
		for (int j = 0; j < SIZE; j++)
			for (int i = 0; i < SIZE; i++) {
				bool in = i >= r->scissor.left && i < r->scissor.right &&
					  j >= r->scissor.top && j < r->scissor.bottom &&
					  sample_inside(x, y, 16 * i + r->sample[s].x,
							16 * j + r->sample[s].y);

				if (count[s][j][i] != in) {
					printf("sample %u pixel %d,%d: %u, expected %d\n", s, i, j,
					       count[s][j][i], in);
					return false;
				}
			}
	return true;
}

/* Random corners, both coordinates from @low to @high sixteenths of a pixel, made clockwise. */
static void random_triangle(int32_t low, int32_t high, int32_t x[3], int32_t y[3])
{
	for (int i = 0; i < 3; i++) {
		x[i] = random_in(low, high);
		y[i] = random_in(low, high);
	}
	if (area(x, y) < 0) {
		int32_t t = x[1];

		x[1] = x[2];
		x[2] = t;
		t = y[1];
		y[1] = y[2];
		y[2] = t;
	}
}

TEST(triangles_equal_brute_force)
{
	static const int32_t reach[] = { 60, 300, 1500, 16 * SIZE };

	for (unsigned int samples = 1; samples <= 4; samples *= 2) {
		struct gc_raster r = canvas(samples);

		for (unsigned int i = 0; i < 240; i++) {
			int32_t x[3], y[3], at = random_in(0, 16 * SIZE / 2);

			random_triangle(at, at + reach[i % 4], x, y);
			if (area(x, y) > 0)
				CHECK(same_as_reference(&r, x, y));
		}
	}
}

TEST(huge_triangles_equal_brute_force)
{
	struct gc_raster r = canvas(1);
	const int32_t far = GC_GUARD_BAND * GC_SUBPIXELS;

	for (unsigned int i = 0; i < 200; i++) {
		int32_t x[3], y[3];

		random_triangle(-far, far, x, y);
		x[i % 3] = i & 1 ? far : -far; /* on the guard band's edge */
		if (area(x, y) > 0)
			CHECK(same_as_reference(&r, x, y));
	}
	CHECK(same_as_reference(&r, (int32_t[]){ -far, far, far }, (int32_t[]){ -far, -far, far }));
	CHECK(same_as_reference(&r, (int32_t[]){ -far, far, -far }, (int32_t[]){ -far, far, far }));
}

TEST(thin_and_tiny_triangles_equal_brute_force)
{
	struct gc_raster r = canvas(4);

	for (unsigned int i = 0; i < 300; i++) {
		int32_t x[3], y[3];

		random_triangle(500, 500 + 1 + (int32_t)(i % 40), x, y);
		x[2] = i % 3 ? x[2] : x[1] + 2000;
		if (area(x, y) > 0)
			CHECK(same_as_reference(&r, x, y));
	}
}

TEST(scissor_cuts)
{
	struct gc_raster r = canvas(1);

	for (unsigned int i = 0; i < 100; i++) {
		int32_t x[3], y[3];

		r.scissor.left = random_in(0, 100);
		r.scissor.top = random_in(0, 100);
		r.scissor.right = r.scissor.left + random_in(0, 90);
		r.scissor.bottom = r.scissor.top + random_in(0, 90);
		random_triangle(-1000, 16 * SIZE + 1000, x, y);
		if (area(x, y) > 0)
			CHECK(same_as_reference(&r, x, y));
	}
}

/* A mesh of jittered points: inside it each sample is covered exactly once. */
TEST(meshes_cover_each_sample_once)
{
	enum { N = 12 };
	int32_t px[N + 1][N + 1], py[N + 1][N + 1];

	for (unsigned int samples = 1; samples <= 4; samples *= 2) {
		struct gc_raster r = canvas(samples);

		r.ctx = &r;
		for (int j = 0; j <= N; j++)
			for (int i = 0; i <= N; i++) {
				bool rim = !i || !j || i == N || j == N;

				px[j][i] = 16 * 16 * i + (rim ? 0 : random_in(-60, 60));
				py[j][i] = 16 * 16 * j + (rim ? 0 : random_in(-60, 60));
			}
		for (int j = 0; j < N; j++)
			for (int i = 0; i < N; i++) {
				int32_t xa[3] = { px[j][i], px[j][i + 1], px[j + 1][i + 1] };
				int32_t ya[3] = { py[j][i], py[j][i + 1], py[j + 1][i + 1] };
				int32_t xb[3] = { px[j][i], px[j + 1][i + 1], px[j + 1][i] };
				int32_t yb[3] = { py[j][i], py[j + 1][i + 1], py[j + 1][i] };

				CHECK(area(xa, ya) > 0 && area(xb, yb) > 0);
				gc_raster_triangle(&r, xa, ya);
				gc_raster_triangle(&r, xb, yb);
			}
		for (unsigned int s = 0; s < samples; s++)
			for (int j = 0; j < SIZE; j++)
				for (int i = 0; i < SIZE; i++)
					CHECK_EQ(count[s][j][i], 1);
	}
}

/* A fan around a point that lies exactly on a sample. */
TEST(corners_on_samples_belong_to_one_triangle)
{
	struct gc_raster r = canvas(1);
	const int32_t cx = 16 * 50 + 8, cy = 16 * 50 + 8;
	const int32_t rx[] = { 16, 0, -16, -16, -16, 0, 16, 16 };
	const int32_t ry[] = { 16, 16, 16, 0, -16, -16, -16, 0 };

	r.ctx = &r;
	for (int i = 0; i < 8; i++) {
		int32_t x[3] = { cx, cx + 5 * rx[i], cx + 5 * rx[(i + 1) % 8] };
		int32_t y[3] = { cy, cy + 5 * ry[i], cy + 5 * ry[(i + 1) % 8] };

		gc_raster_triangle(&r, x, y);
	}
	/* the square from centre -5 to +5: left and top edges in, right and bottom out */
	for (int j = 40; j < 62; j++)
		for (int i = 40; i < 62; i++)
			CHECK_EQ(count[0][j][i], i >= 45 && i < 55 && j >= 45 && j < 55);
}

TEST(boxes)
{
	for (unsigned int samples = 1; samples <= 4; samples *= 2) {
		struct gc_raster r = canvas(samples);

		for (unsigned int n = 0; n < 150; n++) {
			int32_t l = random_in(-200, 3000), t = random_in(-200, 3000);
			int32_t right = l + random_in(1, 800), b = t + random_in(1, 800);

			memset(count, 0, sizeof(count));
			r.ctx = &r;
			gc_raster_box(&r, l, t, right, b);
			for (unsigned int s = 0; s < samples; s++)
				for (int j = 0; j < SIZE; j++)
					for (int i = 0; i < SIZE; i++) {
						int32_t x = 16 * i + r.sample[s].x;
						int32_t y = 16 * j + r.sample[s].y;

						CHECK_EQ(count[s][j][i],
							 x >= l && x < right && y >= t && y < b);
					}
		}
	}
}

TEST(snap_rounds_to_nearest_ties_up)
{
	CHECK_EQ(gc_snap(0.0f), 0);
	CHECK_EQ(gc_snap(0.03124f), 0);
	CHECK_EQ(gc_snap(0.03125f), 1);
	CHECK_EQ(gc_snap(0.09375f), 2);
	CHECK_EQ(gc_snap(-0.03125f), 0);
	CHECK_EQ(gc_snap(-0.03126f), -1);
	CHECK_EQ(gc_snap(-0.09375f), -1);
	CHECK_EQ(gc_snap(1e30f), GC_GUARD_BAND * GC_SUBPIXELS);
	CHECK_EQ(gc_snap(-1e30f), -GC_GUARD_BAND * GC_SUBPIXELS);
	CHECK_EQ(gc_snap(INFINITY), GC_GUARD_BAND * GC_SUBPIXELS);
	CHECK_EQ(gc_snap(NAN), 0);
}

/*
 * What gc_raster.tiles counts are blocks of 8x8 pixels: an aligned box of 8x8 pixels is one; of a
 * triangle, those that none of its edges excludes as a whole.
 */
TEST(tiles_are_counted)
{
	struct gc_raster r = canvas(1);

	r.ctx = &r;
	gc_raster_box(&r, 128, 128, 256, 256);
	CHECK_EQ(r.tiles, 1);
	gc_raster_triangle(&r, (int32_t[]){ 96, 160, 96 }, (int32_t[]){ 96, 96, 160 });
	CHECK_EQ(r.tiles, 5); /* pixels 6..9 both ways: four blocks */
	gc_raster_triangle(&r, (int32_t[]){ 0, 2048, 0 }, (int32_t[]){ 0, 0, 2048 });
	CHECK_EQ(r.tiles, 5 + 16 * 17 / 2);
}

static unsigned int wholes;

static void collect_whole(void *ctx, int x, int y)
{
	static const uint64_t all[GC_MAX_SAMPLES] = { UINT64_MAX };

	wholes++;
	if ((x | y) % GC_BLOCK)
		count[0][0][0] = 99;
	collect(ctx, x, y, all);
}

/* With the callback for whole blocks, fully covered blocks are reported to it, once each. */
TEST(whole_blocks_have_their_own_callback)
{
	struct gc_raster r = canvas(1);

	r.whole = collect_whole;
	CHECK(same_as_reference(&r, (int32_t[]){ 0, 4096, 0 }, (int32_t[]){ 0, 0, 4096 }));
	CHECK(wholes > 64);
}

static unsigned int tiles, some_whole; /* tiles of which all blocks are whole, or some */

static void collect_tile(void *ctx, int x, int y, uint64_t blocks)
{
	tiles += blocks == UINT64_MAX;
	some_whole += blocks != UINT64_MAX;
	if ((x | y) % GC_TILE || !blocks)
		count[0][0][0] = 99;
	for (; blocks; blocks &= blocks - 1) {
		int i = __builtin_ctzll(blocks);

		collect_whole(ctx, x + i % GC_TILE_ROW * GC_BLOCK, y + i / GC_TILE_ROW * GC_BLOCK);
	}
}

/* With the callback for tiles, a tile's whole blocks are reported to it together. */
TEST(whole_blocks_of_a_tile_are_one_call)
{
	struct gc_raster r = canvas(1);

	wholes = 0;
	r.whole = collect_whole;
	r.tile = collect_tile;
	CHECK(same_as_reference(&r, (int32_t[]){ 0, 4096, 0 }, (int32_t[]){ 0, 0, 4096 }));
	CHECK(tiles > 0);
	CHECK(some_whole > 0);
	CHECK(wholes > GC_TILE_BLOCKS * tiles);
}

/* Neither do the pixels depend on the callbacks, nor the number of examined blocks (r.tiles). */
TEST(tiles_have_the_same_pixels_as_blocks)
{
	some_whole = 0;
	for (unsigned int n = 0; n < 500; n++) {
		struct gc_raster r = canvas(1), blocks = canvas(1);
		int32_t x[3], y[3];

		random_triangle(-16 * SIZE, 32 * SIZE, x, y);
		r.scissor = blocks.scissor =
			(struct gc_rect){ random_in(0, 90), random_in(0, 90), random_in(100, SIZE),
					  random_in(100, SIZE) };
		r.tile = collect_tile;
		blocks.ctx = &blocks;
		gc_raster_triangle(&blocks, x, y);
		CHECK(same_as_reference(&r, x, y));
		CHECK_EQ(r.tiles, blocks.tiles);
	}
	CHECK(some_whole > 500);
}

int main(void)
{
	return test_all();
}
