// SPDX-License-Identifier: MIT
/*
 * Surface layouts: each pixel has an address of its own, tiles are contiguous, spans end with
 * pages, and two pixel pipes have a half each.
 */
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

/* Whether a span ends where the addresses, taken one by one, are no longer contiguous. */
static bool span_is_right(const struct gc_surface *surface, uint32_t x, uint32_t y)
{
	const struct gc_span span = gc_surface_span(surface, x, y);
	uint32_t bytes = 0, at_x = x, at_y = y;

	/* as many following pixels as are contiguous, in order, in the page of the first */
	while (span.address / GC_PAGE_SIZE == (span.address + bytes) / GC_PAGE_SIZE &&
	       gc_surface_address(surface, at_x, at_y) == span.address + bytes) {
		bytes += surface->bytes;
		at_x++;
		if (surface->layout != GC_LINEAR && at_x % GC_TILE_SIZE == 0) {
			at_x -= GC_TILE_SIZE;
			at_y++;
			if (at_y % GC_TILE_SIZE == 0)
				break;
		}
	}
	return span.address % GC_PAGE_SIZE + span.bytes <= GC_PAGE_SIZE && span.bytes == bytes &&
	       span.bytes > 0;
}

static bool surface_is_right(const struct gc_surface *surface, uint32_t width, uint32_t height)
{
	const uint32_t tile = 16 * surface->bytes;

	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++) {
			if (!span_is_right(surface, x, y))
				return false;
			if (gc_surface_has_whole_tiles(surface) && !(x % 4) && !(y % 4) &&
			    gc_surface_span(surface, x, y).bytes != tile)
				return false;
		}
	return true;
}

/* All layouts, sizes of pixels, widths, and bases that make tiles and rows end at, before and after a page's end. */
TEST(spans_end_with_pages)
{
	for (unsigned int i = 0; i < 5 * 2 * 4 * 8 * 6 && test_ok; i++) {
		const uint32_t base = 0x10000000 + 0xf00 + i % 8 * 64, bytes = 1u << i / 8 % 4;
		const uint32_t width = 4u << i / 320 % 6;
		const enum gc_layout layout = (enum gc_layout)(i / 32 % 5);
		const bool super = layout == GC_SUPERTILED || layout == GC_MULTI_SUPERTILED;
		struct gc_surface surface = {
			.layout = layout,
			.supertile_mode = 1 + i / 160 % 2,
			.bytes = bytes,
			.stride = (super && width < 64 ? 64 : width) * bytes,
			.base = { base, base },
		};

		if (gc_layout_is_multi(layout))
			surface.base[1] += 0x100000 + 64;
		CHECK(surface_is_right(&surface, width, super ? 64 : 20));
	}
}

/* Tiles of 128 bytes at a multiple of 64 can cross a page's end: only their halves are whole. */
TEST(whole_tiles)
{
	struct gc_surface surface = { GC_TILED, 1, 8, 64, { 0x1fc0, 0x1fc0 } };

	CHECK(!gc_surface_has_whole_tiles(&surface));
	CHECK_EQ(gc_surface_span(&surface, 0, 0).bytes, 64);
	CHECK_EQ(gc_surface_span(&surface, 2, 1).bytes, 16);
	CHECK_EQ(gc_surface_span(&surface, 0, 2).bytes, 64);
	surface.base[0] = surface.base[1] = 0x1f80;
	CHECK(gc_surface_has_whole_tiles(&surface));
	CHECK_EQ(gc_surface_span(&surface, 0, 0).bytes, 128);
	surface.bytes = 4;
	surface.base[0] = 0x1fc0;
	CHECK(gc_surface_has_whole_tiles(&surface));
	surface.layout = GC_LINEAR;
	CHECK(!gc_surface_has_whole_tiles(&surface));
	CHECK_EQ(gc_surface_span(&surface, 3, 0).bytes, 52);
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
	return test_all();
}
