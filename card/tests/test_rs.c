// SPDX-License-Identifier: MIT
/*
 * The resolve engine: copies between all layouts, fills, tile status, pixel pipes, reported work.
 * Conversions: test_rs_convert.c.
 */
#include "tests/rs_bench.h"

static void check_copy(enum gc_layout from, enum gc_layout to, unsigned int bytes)
{
	struct surface s = { COLOR_BASE, from, bytes }, d = { OTHER_BASE, to, bytes };

	randomize(COLOR_BASE, SIZE * SIZE * bytes, 5 + from * 7 + to);
	memset(at(&b, OTHER_BASE), 0, SIZE * SIZE * bytes + 64);
	set_source(&s);
	set_destination(&d);
	set_config(&s, raw_format(bytes), &d, raw_format(bytes), 0);
	set_window(SIZE, SIZE);
	gc_rs_kick(b.gc);
	for (uint32_t y = 0; y < SIZE; y++)
		for (uint32_t x = 0; x < SIZE; x++)
			CHECK_EQ(peek(&b, address(&d, x, y), bytes),
				 peek(&b, address(&s, x, y), bytes));
	CHECK_EQ(peek(&b, OTHER_BASE + SIZE * SIZE * bytes, 8), 0);
}

static void all_copies(const char *personality)
{
	static const unsigned int sizes[] = { 2, 4, 8 };

	bench_open(&b, personality);
	for (unsigned int from = GC_LINEAR; from <= GC_MULTI_SUPERTILED; from++)
		for (unsigned int to = GC_LINEAR; to <= GC_MULTI_SUPERTILED; to++)
			for (unsigned int i = 0; i < 3; i++)
				check_copy(from, to, sizes[i]);
}

TEST(copies_between_all_layouts)
{
	all_copies("gc3000");
	all_copies("gc2000");
}

TEST(part_of_a_surface)
{
	struct surface s = { COLOR_BASE, GC_TILED, 4 }, d = { OTHER_BASE, GC_LINEAR, 4 };

	bench_open(&b, "gc3000");
	randomize(COLOR_BASE, SIZE * SIZE * 4, 3);
	set_source(&s);
	set_destination(&d);
	/* the driver moves the bases to the corner of its box */
	set(&b, VIVS_RS_PIPE_SOURCE_ADDR(0), address(&s, 16, 8));
	set(&b, VIVS_RS_PIPE_DEST_ADDR(0), address(&d, 32, 4));
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8, 0);
	set_window(48, 20);
	gc_rs_kick(b.gc);
	for (uint32_t y = 0; y < SIZE; y++) {
		for (uint32_t x = 0; x < SIZE; x++) {
			bool in = x >= 32 && x < 80 && y >= 4 && y < 24;

			CHECK_EQ(peek(&b, address(&d, x, y), 4),
				 in ? peek(&b, address(&s, x - 16, y + 4), 4) : 0);
		}
	}
	CHECK_EQ(b.gc->work.rs_pixels, 48 * 20);
	CHECK_EQ(b.gc->work.rs_read_bytes, 48 * 20 * 4);
	CHECK_EQ(b.gc->work.rs_write_bytes, 48 * 20 * 4);
	CHECK_EQ(b.gc->counters.rs_resolves, 1);
	CHECK_EQ(b.gc->counters.rs_pixels, 48 * 20);
}

TEST(rows_that_are_no_whole_block)
{
	struct surface s = { COLOR_BASE, GC_LINEAR, 4 }, d = { OTHER_BASE, GC_LINEAR, 4 };

	bench_open(&b, "gc3000");
	randomize(COLOR_BASE, 64 * SIZE * 4, 3);
	set_source(&s);
	set_destination(&d);
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_R5G6B5, 0);
	set(&b, VIVS_RS_DEST_STRIDE, SIZE * 2);
	d.bytes = 2;
	set_window(16, 6);
	gc_rs_kick(b.gc);
	CHECK(peek(&b, address(&d, 0, 5), 8) != 0);
	CHECK_EQ(peek(&b, address(&d, 0, 6), 8), 0);
}

TEST(flip)
{
	struct surface s = { COLOR_BASE, GC_TILED, 4 }, d = { OTHER_BASE, GC_LINEAR, 4 };
	static const char *const names[] = { "gc3000", "gc2000" };

	for (unsigned int i = 0; i < 2; i++) {
		bench_open(&b, names[i]);
		randomize(COLOR_BASE, SIZE * SIZE * 4, 8);
		set_source(&s);
		set_destination(&d);
		set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8, VIVS_RS_CONFIG_FLIP);
		set_window(SIZE, SIZE);
		gc_rs_kick(b.gc);
		for (uint32_t y = 0; y < SIZE; y++)
			for (uint32_t x = 0; x < SIZE; x++)
				CHECK_EQ(peek(&b, address(&d, x, SIZE - 1 - y), 4),
					 peek(&b, address(&s, x, y), 4));
	}
}

/* Rows that the last block does not have are zero: they are stored, too. */
TEST(flip_of_a_part_of_a_block)
{
	struct surface s = { COLOR_BASE, GC_LINEAR, 4 }, d = { OTHER_BASE, GC_LINEAR, 4 };

	bench_open(&b, "gc3000");
	randomize(COLOR_BASE, SIZE * SIZE * 4, 8);
	randomize(OTHER_BASE, SIZE * SIZE * 4, 9);
	set_source(&s);
	set_destination(&d);
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8, VIVS_RS_CONFIG_FLIP);
	set_window(SIZE, 6);
	gc_rs_kick(b.gc);
	for (uint32_t y = 0; y < 8; y++)
		for (uint32_t x = 0; x < SIZE; x++)
			CHECK_EQ(peek(&b, address(&d, x, y), 4),
				 y < 2 ? 0 : peek(&b, address(&s, x, 7 - y), 4));
}

static void set_fill(unsigned int mode, uint32_t bits, const uint32_t value[4])
{
	set(&b, VIVS_RS_CLEAR_CONTROL, mode | VIVS_RS_CLEAR_CONTROL_BITS(bits));
	for (unsigned int i = 0; i < 4; i++)
		set(&b, VIVS_RS_FILL_VALUE(i), value[i]);
}

/* Byte @i of memory, relative to an address aligned to 16, after the fill. */
static uint8_t filled(unsigned int mode, unsigned int bytes, const uint32_t value[4],
		      unsigned int i)
{
	unsigned int word = mode == VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1
				    ? (bytes == 8 ? i / 4 & 1 : 0)
				    : i / 4 & 3;

	return (uint8_t)(value[word] >> 8 * (i & 3));
}

static void check_fill(enum gc_layout layout, unsigned int bytes, unsigned int mode, uint32_t bits)
{
	static const uint32_t value[4] = { 0x01020304, 0x15263748, 0xa1b2c3d4, 0xdeadbeef };
	struct surface d = { OTHER_BASE, layout, bytes };

	memset(at(&b, OTHER_BASE), 0x99, SIZE * SIZE * bytes + 16);
	set_destination(&d);
	set_config(&d, raw_format(bytes), &d, raw_format(bytes), 0);
	set_window(SIZE, SIZE);
	set_fill(mode, bits, value);
	gc_rs_kick(b.gc);
	for (uint32_t i = 0; i < SIZE * SIZE * bytes; i++)
		CHECK_EQ(*at(&b, OTHER_BASE + i),
			 bits >> (i & (mode == VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1 ? 3 : 15)) & 1
				 ? filled(mode, bytes, value, i & 15)
				 : 0x99);
	CHECK_EQ(peek(&b, OTHER_BASE + SIZE * SIZE * bytes, 8), 0x9999999999999999);
}

TEST(fills)
{
	static const unsigned int modes[] = { VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1,
					      VIVS_RS_CLEAR_CONTROL_MODE_ENABLED4,
					      VIVS_RS_CLEAR_CONTROL_MODE_ENABLED4_2 };
	/* all, depth only, stencil only, a pattern that matches neither */
	static const uint32_t bits[] = { 0xffff, 0xeeee, 0x1111, 0x8421 };
	static const unsigned int sizes[] = { 2, 4, 8 };

	for (unsigned int p = 0; p < 2; p++) {
		bench_open(&b, p ? "gc2000" : "gc3000");
		for (unsigned int layout = GC_LINEAR; layout <= GC_MULTI_SUPERTILED; layout++)
			for (unsigned int i = 0; i < 3 * 3 * 4; i++)
				check_fill(layout, sizes[i % 3], modes[i / 3 % 3], bits[i / 9]);
	}
}

TEST(fill_reports)
{
	bench_open(&b, "gc3000");
	check_fill(GC_SUPERTILED, 4, VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1, 0xffff);
	CHECK_EQ(b.gc->work.rs_pixels, SIZE * SIZE);
	CHECK_EQ(b.gc->work.rs_read_bytes, 0);
	CHECK_EQ(b.gc->work.rs_write_bytes, SIZE * SIZE * 4);
}

/* Clear tags as drivers do, by a tiled fill 16 pixels wide; then enable fast clear. */
static void clear_tags(uint32_t bytes)
{
	static const uint32_t value[4] = { 0x55555555 };
	struct surface d = { TAGS_BASE, GC_TILED, 4 };

	set_config(&d, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8, 0);
	set(&b, VIVS_RS_DEST_STRIDE, 0x40 << 2);
	set(&b, VIVS_RS_PIPE_DEST_ADDR(0), TAGS_BASE);
	set_window(16, bytes / 0x40);
	set_fill(VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1, 0xffff, value);
	gc_rs_kick(b.gc);
	set(&b, VIVS_TS_COLOR_STATUS_BASE, TAGS_BASE);
	set(&b, VIVS_TS_COLOR_SURFACE_BASE, COLOR_BASE);
	set(&b, VIVS_TS_COLOR_CLEAR_VALUE, 0xff00ff00);
	set(&b, VIVS_TS_COLOR_CLEAR_VALUE_EXT, 0xff00ff00);
	set(&b, VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR);
}

TEST(source_through_tile_status)
{
	struct surface s = { COLOR_BASE, GC_SUPERTILED, 4 }, d = { OTHER_BASE, GC_LINEAR, 4 };
	uint32_t tag_bytes = SIZE * SIZE * 4 / 64 / 4;

	bench_open(&b, "gc3000");
	clear_tags(tag_bytes);
	CHECK_EQ(peek(&b, TAGS_BASE + tag_bytes - 8, 8), 0x5555555555555555);
	CHECK_EQ(peek(&b, TAGS_BASE + tag_bytes, 8), 0);
	randomize(COLOR_BASE, SIZE * SIZE * 4, 31);
	*at(&b, TAGS_BASE + 3) = 0x51; /* tile 13 is as in memory */
	memset(&b.gc->work, 0, sizeof(b.gc->work));
	set_source(&s);
	set_destination(&d);
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8, 0);
	set_window(SIZE, SIZE);
	gc_rs_kick(b.gc);
	for (uint32_t y = 0; y < SIZE; y++) {
		for (uint32_t x = 0; x < SIZE; x++) {
			uint32_t from = address(&s, x, y);
			bool real = (from - COLOR_BASE) / 64 == 13;

			CHECK_EQ(peek(&b, address(&d, x, y), 4),
				 real ? peek(&b, from, 4) : 0xff00ff00);
		}
	}
	CHECK_EQ(b.gc->work.rs_read_bytes, 64); /* cleared tiles are not read */
	CHECK_EQ(b.gc->work.rs_write_bytes, SIZE * SIZE * 4);
	CHECK(b.gc->work.ts_read_bytes >= tag_bytes);
	CHECK_EQ(*at(&b, TAGS_BASE), 0x55); /* the source stays as it was */
}

/* 4x samples on a core with small multisampling: tags stand for 256 bytes. */
TEST(multisample_source_through_tile_status)
{
	struct surface s = { COLOR_BASE, GC_SUPERTILED, 4 }, d = { OTHER_BASE, GC_LINEAR, 4 };

	bench_open(&b, "gc3000");
	clear_tags(SIZE * SIZE * 4 / 256 / 4);
	set_source(&s);
	set(&b, VIVS_RS_SOURCE_STRIDE, stride_word(&s) | VIVS_RS_SOURCE_STRIDE_TS_MODE(1));
	set_destination(&d);
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8,
		   VIVS_RS_CONFIG_DOWNSAMPLE_X | VIVS_RS_CONFIG_DOWNSAMPLE_Y);
	set_window(SIZE, SIZE);
	gc_rs_kick(b.gc);
	for (uint32_t y = 0; y < SIZE / 2; y++)
		for (uint32_t x = 0; x < SIZE / 2; x++)
			CHECK_EQ(peek(&b, address(&d, x, y), 4), 0xff00ff00);
}

TEST(in_place)
{
	uint32_t tiles = SIZE * SIZE * 4 / 64;

	bench_open(&b, "gc3000");
	clear_tags(tiles / 4);
	memset(at(&b, COLOR_BASE), 0x33, SIZE * SIZE * 4 + 64);
	*at(&b, TAGS_BASE + 1) = 0x54; /* tile 4 is not cleared */
	memset(&b.gc->work, 0, sizeof(b.gc->work));
	gc_rs_kick_inplace(b.gc, tiles);
	for (uint32_t t = 0; t < tiles; t++)
		for (uint32_t i = 0; i < 64; i += 4)
			CHECK_EQ(peek(&b, COLOR_BASE + t * 64 + i, 4),
				 t == 4 ? 0x33333333 : 0xff00ff00);
	CHECK_EQ(peek(&b, COLOR_BASE + tiles * 64, 8), 0x3333333333333333);
	CHECK_EQ(*at(&b, TAGS_BASE), 0);
	CHECK_EQ(*at(&b, TAGS_BASE + tiles / 4 - 1), 0);
	CHECK_EQ(b.gc->work.rs_write_bytes, (tiles - 1) * 64);
	CHECK_EQ(b.gc->work.ts_read_bytes, tiles / 4);
	/* without tile status it has no effect */
	clear_tags(tiles / 4);
	set(&b, VIVS_TS_MEM_CONFIG, 0);
	gc_rs_kick_inplace(b.gc, tiles);
	CHECK_EQ(*at(&b, TAGS_BASE), 0x55);
	/* a count that is no multiple of what a byte holds */
	set(&b, VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR);
	gc_rs_kick_inplace(b.gc, 3);
	CHECK_EQ(*at(&b, TAGS_BASE), 0x40);
}

/* Both pixel pipes' halves are drawn, then resolved: the picture is complete. */
TEST(split_target_to_linear)
{
	struct surface s = { COLOR_BASE, GC_MULTI_SUPERTILED, 4 }, d = { OTHER_BASE, GC_LINEAR, 4 };
	static struct gc_quads quads;
	static struct gc_vec4 color;

	bench_open(&b, "gc2000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, true, SIZE * 4);
	set(&b, VIVS_PE_PIPE_COLOR_ADDR(1), COLOR_BASE + SIZE * 4 * SIZE / 2);
	gc_pe_begin_draw(b.gc);
	for (int y = 0; y < (int)SIZE; y += 2) {
		for (int x = 0; x < (int)SIZE; x += 2) {
			bench_quads(&quads, 1, x, y, 0);
			bench_color(&color, (float)x / 255, (float)y / 255, 0, 1);
			gc_pe_color(b.gc, &quads, &color);
		}
	}
	set_source(&s);
	set_destination(&d);
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8, 0);
	set_window(SIZE, SIZE);
	gc_rs_kick(b.gc);
	for (uint32_t y = 0; y < SIZE; y++)
		for (uint32_t x = 0; x < SIZE; x++)
			CHECK_EQ(peek(&b, address(&d, x, y), 4),
				 0xff000000 | (x & ~1u) << 16 | (y & ~1u) << 8);
}

/* Drivers give both pipes the same window if the height cannot be halved. */
TEST(equal_offsets)
{
	struct surface s = { COLOR_BASE, GC_TILED, 4 }, d = { OTHER_BASE, GC_LINEAR, 4 };

	bench_open(&b, "gc2000");
	randomize(COLOR_BASE, SIZE * SIZE * 4, 77);
	set_source(&s);
	set_destination(&d);
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8, 0);
	set(&b, VIVS_RS_WINDOW_SIZE,
	    VIVS_RS_WINDOW_SIZE_WIDTH(SIZE) | VIVS_RS_WINDOW_SIZE_HEIGHT(4));
	gc_rs_kick(b.gc);
	CHECK_EQ(b.gc->work.rs_write_bytes, SIZE * 4 * 4);
	CHECK_EQ(peek(&b, address(&d, 100, 3), 4), peek(&b, address(&s, 100, 3), 4));
}

TEST(impossible_conversions)
{
	struct surface s = { COLOR_BASE, GC_LINEAR, 4 }, d = { OTHER_BASE, GC_LINEAR, 4 };
	static const unsigned int pairs[][2] = { { 9, RS_FORMAT_A8R8G8B8 },
						 { RS_FORMAT_A8R8G8B8, 31 },
						 { RS_FORMAT_64BPP_CLEAR, RS_FORMAT_A8R8G8B8 },
						 { RS_FORMAT_R5G6B5, RS_FORMAT_64BPP_CLEAR } };

	bench_open(&b, "gc3000");
	memset(at(&b, COLOR_BASE), 1, 4096);
	for (unsigned int i = 0; i < 4; i++) {
		set_source(&s);
		set_destination(&d);
		set_config(&s, pairs[i][0], &d, pairs[i][1], 0);
		set_window(16, 4);
		gc_rs_kick(b.gc);
		CHECK_EQ(peek(&b, OTHER_BASE, 8), 0);
		CHECK_EQ(b.gc->counters.rs_resolves, 0);
	}
}

TEST(fault_in_the_middle)
{
	struct surface s = { COLOR_BASE, GC_TILED, 4 }, d = { COLOR_BASE, GC_TILED, 4 };

	bench_open(&b, "gc3000");
	bench_enable_mmu(&b, COLOR_BASE + 4 * GC_PAGE_SIZE);
	set_source(&s);
	set_destination(&d);
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8, 0);
	set_window(SIZE, SIZE);
	gc_rs_kick(b.gc);
	CHECK(b.gc->mmu.faulted);
	CHECK_EQ(b.gc->work.rs_write_bytes, 4 * GC_PAGE_SIZE);
}

TEST(long_resolves_can_be_stopped)
{
	struct surface s = { COLOR_BASE, GC_TILED, 4 }, d = { OTHER_BASE, GC_TILED, 4 };

	bench_open(&b, "gc3000");
	set_source(&s);
	set_destination(&d);
	/* all rows of tiles are the same one: no fault, and a very long resolve */
	set(&b, VIVS_RS_SOURCE_STRIDE, 0);
	set(&b, VIVS_RS_DEST_STRIDE, 0);
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8, 0);
	set_window(65535, 65535);
	b.stop_after = 10;
	gc_rs_kick(b.gc);
	CHECK_EQ(b.yields, 10);
	CHECK(b.gc->work.rs_pixels <= 10 * 4096); /* 256 blocks of 16 pixels between yields */
	bench_open(&b, "gc3000");
	set(&b, VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR);
	b.stop_after = 3;
	gc_rs_kick_inplace(b.gc, 0xffffffff);
	CHECK_EQ(b.yields, 3);
	CHECK(b.gc->work.ts_read_bytes <= 3 * 128);
}

TEST(hostile_states)
{
	static const uint32_t words[] = {
		VIVS_RS_CONFIG,
		VIVS_RS_SOURCE_STRIDE,
		VIVS_RS_DEST_STRIDE,
		VIVS_RS_PIPE_SOURCE_ADDR(0),
		VIVS_RS_PIPE_SOURCE_ADDR(1),
		VIVS_RS_PIPE_DEST_ADDR(0),
		VIVS_RS_PIPE_DEST_ADDR(1),
		VIVS_RS_WINDOW_SIZE,
		VIVS_RS_PIPE_OFFSET(0),
		VIVS_RS_PIPE_OFFSET(1),
		VIVS_RS_DITHER(0),
		VIVS_RS_CLEAR_CONTROL,
		VIVS_RS_EXTRA_CONFIG,
		VIVS_RS_SINGLE_BUFFER,
		VIVS_TS_MEM_CONFIG,
		VIVS_TS_COLOR_STATUS_BASE,
		VIVS_TS_COLOR_SURFACE_BASE,
	};
	uint32_t seed = 12345;

	for (unsigned int turn = 0; turn < 2000; turn++) {
		bool near = next_random(&seed) & 1;

		bench_open(&b, turn & 1 ? "gc3000" : "gc2000");
		bench_enable_mmu(&b, RAM_BASE + RAM_BYTES);
		for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			uint32_t value = next_random(&seed);

			/* in half of the turns, five of eight words are addresses in memory */
			if (near && (value >> 24) < 0xa0)
				value = RAM_BASE + value % RAM_BYTES;
			set(&b, words[i], value);
		}
		/* known formats more often than chance has it */
		if (next_random(&seed) & 1)
			set(&b, VIVS_RS_CONFIG,
			    gc_state_u32(&b.gc->state, VIVS_RS_CONFIG) & ~0x1818u);
		b.stop_after = 32;
		gc_rs_kick(b.gc);
		b.gc->abort = false;
		b.yields = 0;
		b.stop_after = 128;
		gc_rs_kick_inplace(b.gc, next_random(&seed));
	}
}

int main(void)
{
	int status = test_all();

	bench_close(&b);
	return status;
}
