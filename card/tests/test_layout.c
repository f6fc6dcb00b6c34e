// SPDX-License-Identifier: MIT
/* Surface layouts: each pixel has an address of its own, and tiles are contiguous. */
#include <stdlib.h>

#include "gc/layout.h"
#include "tests/check.h"

#define SIZE 128

static uint8_t seen[SIZE * SIZE * 2];

/* Each pixel of a SIZE x SIZE surface has a different offset inside the surface. */
static bool is_bijection(enum gc_layout layout, unsigned int mode, unsigned int bytes)
{
	memset(seen, 0, sizeof(seen));
	for (uint32_t y = 0; y < SIZE; y++) {
		for (uint32_t x = 0; x < SIZE; x++) {
			uint32_t offset = gc_layout_offset(layout, mode, SIZE * bytes, bytes, x, y);

			if (offset % bytes || offset / bytes >= SIZE * SIZE || seen[offset / bytes])
				return false;
			seen[offset / bytes] = 1;
		}
	}
	return true;
}

TEST(bijective)
{
	static const unsigned int sizes[] = { 1, 2, 4, 8 };

	for (unsigned int i = 0; i < 4; i++) {
		CHECK(is_bijection(GC_LINEAR, 1, sizes[i]));
		CHECK(is_bijection(GC_TILED, 1, sizes[i]));
		CHECK(is_bijection(GC_SUPERTILED, 1, sizes[i]));
		CHECK(is_bijection(GC_SUPERTILED, 2, sizes[i]));
	}
}

TEST(tiles_are_contiguous)
{
	for (unsigned int mode = 1; mode <= 2; mode++) {
		for (unsigned int l = GC_TILED; l <= GC_SUPERTILED; l++) {
			for (uint32_t i = 0; i < SIZE * SIZE; i++) {
				uint32_t x = i % SIZE, y = i / SIZE;
				uint32_t tile =
					gc_layout_offset(l, mode, SIZE * 4, 4, x & ~3u, y & ~3u);

				CHECK_EQ(tile % 64, 0);
				CHECK_EQ(gc_layout_tile(l, mode, SIZE * 4, 4, x / 4, y / 4), tile);
				CHECK_EQ(gc_layout_offset(l, mode, SIZE * 4, 4, x, y),
					 tile + ((y & 3) * 4 + (x & 3)) * 4);
			}
		}
	}
}

TEST(supertile_mode_1_bits)
{
	/* bits of the pixel number, low to high: 'x' or 'y' and the bit's number */
	static const char axis[] = "xxyyxyyxxxyy";
	static const int bit[] = { 0, 1, 0, 1, 2, 2, 3, 3, 4, 5, 4, 5 };

	for (int i = 0; i < 12; i++) {
		uint32_t x = axis[i] == 'x' ? 1u << bit[i] : 0;
		uint32_t y = axis[i] == 'y' ? 1u << bit[i] : 0;

		CHECK_EQ(gc_layout_offset(GC_SUPERTILED, 1, 64, 1, x, y), 1u << i);
	}
}

TEST(strides_and_origins)
{
	CHECK_EQ(gc_layout_offset(GC_LINEAR, 1, 1000, 4, 3, 7), 7012);
	CHECK_EQ(gc_layout_offset(GC_TILED, 1, 1024, 4, 4, 0), 64);
	CHECK_EQ(gc_layout_offset(GC_TILED, 1, 1024, 4, 0, 4), 4096);
	CHECK_EQ(gc_layout_offset(GC_TILED, 1, 1024, 2, 5, 6), 4096 + 32 + (2 * 4 + 1) * 2);
	CHECK_EQ(gc_layout_offset(GC_SUPERTILED, 1, 1024, 4, 64, 0), 64 * 64 * 4);
	CHECK_EQ(gc_layout_offset(GC_SUPERTILED, 2, 1024, 4, 0, 64), 64 * 1024);
}

/* Both halves together contain each pixel once, half of them each, in whole tiles. */
static bool splits_well(enum gc_layout layout)
{
	unsigned int share[2] = { 0, 0 };

	memset(seen, 0, sizeof(seen));
	for (uint32_t y = 0; y < SIZE; y++) {
		for (uint32_t x = 0; x < SIZE; x++) {
			uint32_t pipe_y, tile_y;
			unsigned int pipe = gc_layout_split(layout, x, y, &pipe_y);
			uint32_t offset = gc_layout_offset(layout, 1, SIZE, 1, x, pipe_y);
			uint32_t place = pipe * SIZE * SIZE / 2 + offset;

			if (pipe > 1 || pipe_y >= SIZE / 2 || seen[place])
				return false;
			if (gc_layout_split(layout, x & ~3u, y & ~3u, &tile_y) != pipe ||
			    pipe_y - tile_y != (y & 3))
				return false;
			seen[place] = 1;
			share[pipe]++;
		}
	}
	return share[0] == share[1];
}

TEST(split)
{
	uint32_t pipe_y;

	CHECK(splits_well(GC_MULTI_TILED));
	CHECK(splits_well(GC_MULTI_SUPERTILED));
	CHECK_EQ(gc_layout_split(GC_TILED, 4, 9, &pipe_y), 0);
	CHECK_EQ(pipe_y, 9);
	/* Neighbouring tiles belong to different pipes, both ways. */
	CHECK(gc_layout_split(GC_MULTI_TILED, 0, 0, &pipe_y) !=
	      gc_layout_split(GC_MULTI_TILED, 4, 0, &pipe_y));
	CHECK(gc_layout_split(GC_MULTI_TILED, 0, 0, &pipe_y) !=
	      gc_layout_split(GC_MULTI_TILED, 0, 4, &pipe_y));
}

TEST(names)
{
	CHECK_EQ(gc_layout_from_bits(false, false, false), GC_LINEAR);
	CHECK_EQ(gc_layout_from_bits(true, false, false), GC_TILED);
	CHECK_EQ(gc_layout_from_bits(true, true, false), GC_SUPERTILED);
	CHECK_EQ(gc_layout_from_bits(true, false, true), GC_MULTI_TILED);
	CHECK_EQ(gc_layout_from_bits(true, true, true), GC_MULTI_SUPERTILED);
	CHECK_EQ(gc_layout_single(GC_MULTI_SUPERTILED), GC_SUPERTILED);
	CHECK_EQ(gc_layout_single(GC_MULTI_TILED), GC_TILED);
	CHECK_EQ(gc_layout_single(GC_LINEAR), GC_LINEAR);
	CHECK(gc_layout_is_multi(GC_MULTI_TILED) && !gc_layout_is_multi(GC_SUPERTILED));
}

int main(void)
{
	RUN(bijective);
	RUN(tiles_are_contiguous);
	RUN(supertile_mode_1_bits);
	RUN(strides_and_origins);
	RUN(split);
	RUN(names);
	return test_end();
}
