// SPDX-License-Identifier: MIT
/*
 * Tile status: tags of both widths, tiles of all sizes, and that no other tile is changed; the
 * cache of tags; states; faults.
 */
#include "gc/ts.h"
#include "tests/check.h"
#include "tests/pixel_bench.h"

#define TILES 64

static struct pixel_bench b;
static struct gc_ts_cache cache;

static void open_bench(const char *personality)
{
	bench_open(&b, personality);
	gc_ts_cache_clear(&cache);
}

static struct gc_tile_status status(unsigned int bits, unsigned int tile_bytes)
{
	return (struct gc_tile_status){ .enabled = true,
					.status_address = TAGS_BASE,
					.surface_address = COLOR_BASE,
					.clear_value = 0x8877665544332211,
					.tile_bytes = tile_bytes,
					.bits = bits,
					.client = GC_CLIENT_PE };
}

static unsigned int tag(unsigned int bits, unsigned int index)
{
	return *at(&b, TAGS_BASE + index * bits / 8) >> index * bits % 8 & ((1u << bits) - 1);
}

static void check_fill(unsigned int bits, unsigned int tile_bytes)
{
	struct gc_tile_status ts = status(bits, tile_bytes);

	for (unsigned int t = 0; t < TILES; t++) {
		bool cleared;

		memset(at(&b, COLOR_BASE), 0xee, TILES * tile_bytes);
		memset(at(&b, TAGS_BASE), bits == 2 ? 0x55 : 0x11, 256);
		/* any address in the tile will do */
		CHECK(gc_ts_is_cleared(b.gc, &ts, COLOR_BASE + t * tile_bytes + t % tile_bytes,
				       &cleared));
		CHECK(cleared);
		CHECK(gc_ts_fill(b.gc, &ts, COLOR_BASE + t * tile_bytes + tile_bytes - 1));
		for (unsigned int i = 0; i < TILES; i++) {
			CHECK_EQ(tag(bits, i), i == t ? GC_TS_NORMAL : GC_TS_CLEARED);
			CHECK_EQ(peek(&b, COLOR_BASE + i * tile_bytes, 8),
				 i == t ? ts.clear_value : 0xeeeeeeeeeeeeeeee);
			CHECK_EQ(peek(&b, COLOR_BASE + (i + 1) * tile_bytes - 8, 8),
				 i == t ? ts.clear_value : 0xeeeeeeeeeeeeeeee);
		}
		/* a second time it stays as it is */
		memset(at(&b, COLOR_BASE + t * tile_bytes), 0x12, 8);
		CHECK(gc_ts_fill(b.gc, &ts, COLOR_BASE + t * tile_bytes));
		CHECK_EQ(peek(&b, COLOR_BASE + t * tile_bytes, 8), 0x1212121212121212);
	}
}

TEST(fill)
{
	bench_open(&b, "gc3000");
	check_fill(2, 64);
	check_fill(2, 256);
	check_fill(4, 64);
	check_fill(4, 128);
	check_fill(4, 256);
}

/* Filling a tile, and the reported results. */
TEST(a_tile_is_filled_once)
{
	struct gc_tile_status ts = status(2, 64);
	bool cleared;

	open_bench("gc3000");
	*at(&b, TAGS_BASE) = 0x55;
	memset(at(&b, COLOR_BASE), 0xee, 256);
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 2, &cleared));
	CHECK(cleared);
	CHECK_EQ(*at(&b, TAGS_BASE), 0x55);
	CHECK_EQ(*at(&b, COLOR_BASE + 127), 0xee);
	CHECK(!memcmp(at(&b, COLOR_BASE + 128), &ts.clear_value, sizeof(ts.clear_value)));
	CHECK(!memcmp(at(&b, COLOR_BASE + 184), &ts.clear_value, sizeof(ts.clear_value)));
	CHECK_EQ(*at(&b, COLOR_BASE + 192), 0xee);
	memset(at(&b, COLOR_BASE + 128), 0xdd, 64);
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 2, &cleared));
	CHECK(!cleared);
	CHECK_EQ(*at(&b, COLOR_BASE + 128), 0xdd);
	gc_ts_cache_flush(b.gc, &cache);
	CHECK_EQ(*at(&b, TAGS_BASE), 0x45);
}

/* Four tiles at once, if all or none are cleared and nothing can fault. */
TEST(a_run_is_filled_at_once)
{
	struct gc_tile_status ts = status(2, 64);
	bool cleared;

	open_bench("gc3000");
	memset(at(&b, TAGS_BASE), 0x55, 4);
	memset(at(&b, COLOR_BASE), 0xee, 1024);
	CHECK(!gc_ts_fill_run(b.gc, &cache, &ts, 4, &cleared)); /* no tag is cached yet */
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 12, &cleared));
	gc_mmu_flush(&b.gc->mmu);
	CHECK(!gc_ts_fill_run(b.gc, &cache, &ts, 4, &cleared)); /* no translation is cached */
	CHECK_EQ(peek(&b, COLOR_BASE + 256, 8), 0xeeeeeeeeeeeeeeee);
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 13, &cleared));
	CHECK(gc_ts_fill_run(b.gc, &cache, &ts, 4, &cleared));
	CHECK(cleared);
	CHECK_EQ(peek(&b, COLOR_BASE + 248, 8), 0xeeeeeeeeeeeeeeee);
	for (unsigned int i = 0; i < 32; i++)
		CHECK_EQ(peek(&b, COLOR_BASE + 256 + 8 * i, 8), ts.clear_value);
	CHECK_EQ(peek(&b, COLOR_BASE + 512, 8), 0xeeeeeeeeeeeeeeee);
	memset(at(&b, COLOR_BASE + 256), 0xdd, 256);
	CHECK(gc_ts_fill_run(b.gc, &cache, &ts, 4, &cleared));
	CHECK(!cleared);
	CHECK_EQ(peek(&b, COLOR_BASE + 256, 8), 0xdddddddddddddddd);
	CHECK(!gc_ts_fill_run(b.gc, &cache, &ts, 12, &cleared)); /* two of them are not cleared */
	gc_ts_cache_flush(b.gc, &cache);
	CHECK_EQ(peek(&b, TAGS_BASE, 4), 0x50550055);
}

/* Tags inside the surface they describe: all tiles are filled by the tags read before. */
TEST(tags_within_their_tiles)
{
	struct gc_tile_status ts = status(2, 64);
	bool cleared;

	open_bench("gc3000");
	ts.status_address = COLOR_BASE;
	memset(at(&b, COLOR_BASE), 0x55, 256);
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 0, &cleared));
	CHECK_EQ(peek(&b, COLOR_BASE, 8), ts.clear_value);
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 1, &cleared));
	CHECK(cleared);
	gc_ts_cache_flush(b.gc, &cache);
	CHECK_EQ(peek(&b, COLOR_BASE, 4), 0x55555550);
}

/*
 * A fast clear by the resolve engine while tags of draws are cached: without a flush before it, the
 * clear is not seen, and a later flush overwrites it.
 */
TEST(a_cached_line_hides_and_overwrites_memory)
{
	struct gc_tile_status ts = status(2, 64);
	bool cleared;

	open_bench("gc3000");
	memset(at(&b, TAGS_BASE), 0x55, 128);
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 2, &cleared));
	CHECK(gc_ts_cache_is_dirty(&cache));
	memset(at(&b, TAGS_BASE), 0x55, 128); /* the fast clear */
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 2, &cleared));
	CHECK(!cleared);
	gc_ts_cache_flush(b.gc, &cache);
	CHECK_EQ(*at(&b, TAGS_BASE), 0x45);
	CHECK(!gc_ts_cache_is_dirty(&cache));
	/* with a flush before it */
	memset(at(&b, TAGS_BASE), 0x55, 128);
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 2, &cleared));
	CHECK(cleared);
	gc_ts_cache_flush(b.gc, &cache);
	CHECK_EQ(b.gc->work.ts_read_bytes, 128);
	CHECK_EQ(b.gc->work.ts_write_bytes, 128);
}

/* A set has two lines; the least recently used one is replaced, and written back only if dirty. */
TEST(the_oldest_line_is_written_back)
{
	const uint32_t tiles = 4 * GC_TS_LINE_BYTES, in_set = tiles * GC_TS_SETS;
	struct gc_tile_status ts = status(2, 64);
	bool cleared;

	open_bench("gc3000");
	memset(at(&b, TAGS_BASE), 0x55, 1024);
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 0, &cleared));
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, in_set, &cleared));
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, tiles, &cleared)); /* another set */
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 1, &cleared));
	CHECK_EQ(b.gc->work.ts_read_bytes, 3 * 64);
	CHECK_EQ(b.gc->work.ts_write_bytes, 0);
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 2 * in_set, &cleared));
	CHECK_EQ(b.gc->work.ts_write_bytes, 64);
	CHECK_EQ(*at(&b, TAGS_BASE), 0x55);
	CHECK_EQ(*at(&b, TAGS_BASE + GC_TS_SETS * 64), 0x54);
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 0, &cleared));
	CHECK(!cleared);
	gc_ts_cache_clear(&cache); /* a reset drops what was not written back */
	gc_ts_cache_flush(b.gc, &cache);
	CHECK_EQ(*at(&b, TAGS_BASE), 0x55);
	CHECK_EQ(*at(&b, TAGS_BASE + 64), 0x55);
	CHECK_EQ(b.gc->work.ts_write_bytes, 64);
}

/* Read-only tags: the fault happens when they are written back. */
TEST(a_line_that_cannot_be_written_back)
{
	struct gc_tile_status ts = status(2, 64);
	bool cleared;

	open_bench("gc3000");
	bench_enable_mmu(&b, RAM_BASE + RAM_BYTES);
	b.table[1 + (TAGS_BASE - RAM_BASE) / (4u << 20)][TAGS_BASE >> 12 & 1023] = TAGS_BASE | 1;
	memset(at(&b, TAGS_BASE), 0x55, 64);
	CHECK(gc_ts_fill_tile(b.gc, &cache, &ts, 0, &cleared));
	CHECK(!b.gc->mmu.faulted);
	gc_ts_cache_flush(b.gc, &cache);
	CHECK(b.gc->mmu.faulted);
	CHECK_EQ(*at(&b, TAGS_BASE), 0x55);
	CHECK(!gc_ts_cache_is_dirty(&cache));
}

TEST(only_one_tag_means_cleared)
{
	bench_open(&b, "gc3000");
	for (unsigned int bits = 2; bits <= 4; bits += 2) {
		struct gc_tile_status ts = status(bits, 64);

		for (unsigned int value = 0; value < 1u << bits; value++) {
			bool cleared;

			*at(&b, TAGS_BASE) = (uint8_t)value;
			CHECK(gc_ts_is_cleared(b.gc, &ts, COLOR_BASE, &cleared));
			CHECK_EQ(cleared, value == 1);
		}
	}
}

/* Drawing to a tile that is neither normal nor cleared hangs the core, unless compression is on. */
TEST(tags_of_no_clear_hang)
{
	open_bench("gc3000");
	for (unsigned int value = 0; value < 4; value++)
		for (unsigned int compressed = 0; compressed < 2; compressed++) {
			struct gc_tile_status ts = status(2, 64);
			bool cleared, works = value < 2 || compressed;

			ts.compressed = compressed;
			gc_ts_cache_clear(&cache);
			*at(&b, TAGS_BASE) = (uint8_t)value;
			CHECK_EQ(gc_ts_fill_tile(b.gc, &cache, &ts, 0, &cleared), works);
			CHECK_EQ(!b.gc->hang, works);
			b.gc->hang = NULL;
		}
}

TEST(decoding)
{
	struct gc_tile_status ts;

	bench_open(&b, "gc3000");
	set(&b, VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR);
	set(&b, VIVS_TS_COLOR_STATUS_BASE, TAGS_BASE);
	set(&b, VIVS_TS_COLOR_SURFACE_BASE, COLOR_BASE + 5);
	set(&b, VIVS_TS_COLOR_CLEAR_VALUE, 0x11223344);
	set(&b, VIVS_TS_COLOR_CLEAR_VALUE_EXT, 0x55667788);
	set(&b, VIVS_TS_DEPTH_CLEAR_VALUE, 0xffffff00);
	set(&b, VIVS_TS_DEPTH_STATUS_BASE, TAGS_BASE + 4096);
	set(&b, VIVS_TS_DEPTH_SURFACE_BASE, DEPTH_BASE);
	gc_ts_color(b.gc, 8, &ts);
	CHECK(ts.enabled);
	CHECK_EQ(ts.surface_address, COLOR_BASE);
	CHECK_EQ(ts.status_address, TAGS_BASE);
	CHECK_EQ(ts.clear_value, 0x5566778811223344);
	CHECK_EQ(ts.tile_bytes, 64);
	CHECK_EQ(ts.bits, 2);
	gc_ts_color(b.gc, 4, &ts); /* whatever the second word is */
	CHECK_EQ(ts.clear_value, 0x1122334411223344);
	gc_ts_depth(b.gc, &ts);
	CHECK(!ts.enabled);
	CHECK_EQ(ts.clear_value, 0xffffff00ffffff00);
	CHECK_EQ(ts.surface_address, DEPTH_BASE);
	/* this core's states declare multisampled surfaces as compressed */
	set(&b, VIVS_TS_MEM_CONFIG,
	    VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR | VIVS_TS_MEM_CONFIG_DEPTH_COMPRESSION);
	gc_ts_depth(b.gc, &ts);
	CHECK(ts.enabled);
	CHECK_EQ(ts.tile_bytes, 256);
	set(&b, VIVS_TS_RT_CONFIG(2), VIVS_TS_RT_CONFIG_ENABLE);
	set(&b, VIVS_TS_RT_SURFACE_BASE(2), OTHER_BASE);
	set(&b, VIVS_TS_RT_CLEAR_VALUE(2), 7);
	gc_ts_target(b.gc, 2, 8, &ts);
	CHECK(ts.enabled);
	CHECK_EQ(ts.surface_address, OTHER_BASE);
	CHECK_EQ(ts.clear_value, 7);
	gc_ts_target(b.gc, 1, 8, &ts);
	CHECK(!ts.enabled);

	bench_open(&b, "gc2000"); /* no 64-bit targets, no large tiles */
	set(&b, VIVS_TS_MEM_CONFIG,
	    VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR | VIVS_TS_MEM_CONFIG_COLOR_COMPRESSION);
	set(&b, VIVS_TS_COLOR_CLEAR_VALUE, 0x11223344);
	set(&b, VIVS_TS_COLOR_CLEAR_VALUE_EXT, 0x55667788);
	gc_ts_color(b.gc, 4, &ts);
	CHECK_EQ(ts.clear_value, 0x1122334411223344);
	CHECK_EQ(ts.tile_bytes, 64);
}

TEST(faults)
{
	struct gc_tile_status ts = status(2, 64);
	bool cleared;

	open_bench("gc3000");
	bench_enable_mmu(&b, COLOR_BASE + GC_PAGE_SIZE);
	CHECK(!gc_ts_is_cleared(b.gc, &ts, COLOR_BASE, &cleared)); /* no tags there */
	CHECK(!gc_ts_fill_tile(b.gc, &cache, &ts, 0, &cleared));
	CHECK(b.gc->mmu.faulted);
	/* tags within, surface beyond */
	ts.status_address = COLOR_BASE;
	ts.surface_address = DEPTH_BASE;
	memset(at(&b, COLOR_BASE), 0x55, 64);
	CHECK(!gc_ts_fill(b.gc, &ts, DEPTH_BASE + 64));
	CHECK_EQ(peek(&b, COLOR_BASE, 1), 0x55);
	CHECK(!gc_ts_fill_tile(b.gc, &cache, &ts, 1, &cleared));
	CHECK(!gc_ts_cache_is_dirty(&cache));
}

int main(void)
{
	int status = test_all();

	bench_close(&b);
	return status;
}
