// SPDX-License-Identifier: MIT
/* The resolve engine: conversions of formats, YUV, averages, byte order, dithering. */
#include "tests/rs_bench.h"

#define FORMATS 7 /* RS_FORMAT_X4R4G4B4 .. RS_FORMAT_A8R8G8B8 */

/* Channel widths of the formats in the order of their numbers: R, G, B, A, and where they lie. */
static const struct {
	unsigned int bytes, bits[4], shift[4];
} formats[FORMATS] = {
	{ 2, { 4, 4, 4, 0 }, { 8, 4, 0, 0 } },   { 2, { 4, 4, 4, 4 }, { 8, 4, 0, 12 } },
	{ 2, { 5, 5, 5, 0 }, { 10, 5, 0, 0 } },  { 2, { 5, 5, 5, 1 }, { 10, 5, 0, 15 } },
	{ 2, { 5, 6, 5, 0 }, { 11, 5, 0, 0 } },  { 4, { 8, 8, 8, 0 }, { 16, 8, 0, 0 } },
	{ 4, { 8, 8, 8, 8 }, { 16, 8, 0, 24 } },
};

static int channel(unsigned int format, unsigned int c, uint32_t pixel)
{
	unsigned int bits = formats[format].bits[c];

	return bits ? (int)(pixel >> formats[format].shift[c] & ((1u << bits) - 1)) : -1;
}

/* A channel as a fraction; missing alpha is 1. */
static double fraction(unsigned int format, unsigned int c, uint32_t pixel)
{
	int v = channel(format, c, pixel);

	return v < 0 ? 1.0 : v / (double)((1u << formats[format].bits[c]) - 1);
}

static void check_conversion(unsigned int from, unsigned int to, bool swap)
{
	struct surface s = { COLOR_BASE, GC_TILED, formats[from].bytes };
	struct surface d = { OTHER_BASE, GC_LINEAR, formats[to].bytes };

	randomize(COLOR_BASE, SIZE * SIZE * 4, 17);
	set_source(&s);
	set_destination(&d);
	set_config(&s, from, &d, to, swap ? VIVS_RS_CONFIG_SWAP_RB : 0);
	set_window(SIZE, SIZE);
	gc_rs_kick(b.gc);
	for (uint32_t y = 0; y < SIZE; y++) {
		for (uint32_t x = 0; x < SIZE; x++) {
			uint32_t in = (uint32_t)peek(&b, address(&s, x, y), s.bytes);
			uint32_t out = (uint32_t)peek(&b, address(&d, x, y), d.bytes);

			for (unsigned int c = 0; c < 4; c++) {
				double want = fraction(from, swap && c != 3 ? 2 - c : c, in);
				double top = (1u << formats[to].bits[c]) - 1;

				/* half a step of the result, and half a step of the eight bits between */
				if (channel(to, c, out) >= 0)
					CHECK_NEAR(channel(to, c, out), want * top,
						   0.5 + top / 510 + 1e-9);
			}
		}
	}
}

TEST(all_conversions)
{
	bench_open(&b, "gc3000");
	for (unsigned int from = 0; from < FORMATS; from++) {
		for (unsigned int to = 0; to < FORMATS; to++) {
			if (from != to)
				check_conversion(from, to, false);
			check_conversion(from, to, true);
		}
	}
}

/* Widening and narrowing again preserves the value. */
TEST(widening_loses_nothing)
{
	struct rs_conversion c = { .dither = false };
	struct rs_block in, out;
	struct rs_texels texels;

	for (unsigned int f = 0; f < 5; f++) {
		c.source = c.destination = f;
		for (unsigned int base = 0; base < 65536; base += RS_BLOCK_PIXELS) {
			for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++) {
				uint16_t v = (uint16_t)(base + i);

				v |= (uint16_t)gc_format_rs(f)->pad;
				memcpy(in.byte + 2 * i, &v, 2);
			}
			rs_unpack(f, &in, &texels);
			rs_pack(&c, &texels, &out);
			CHECK(!memcmp(in.byte, out.byte, 2 * RS_BLOCK_PIXELS));
		}
	}
}

TEST(yuv)
{
	static const struct {
		uint8_t rgb[3], y, u, v;
	} colors[] = {
		{ { 0, 0, 0 }, 16, 128, 128 },   { { 255, 255, 255 }, 235, 128, 128 },
		{ { 255, 0, 0 }, 82, 90, 240 },  { { 0, 255, 0 }, 144, 54, 34 },
		{ { 0, 0, 255 }, 41, 240, 110 },
	};
	struct rs_conversion c = { .source = RS_FORMAT_A8R8G8B8, .destination = RS_FORMAT_YUY2 };
	struct rs_texels t, back;
	struct rs_block block;

	for (unsigned int i = 0; i < 5; i++) {
		for (unsigned int ch = 0; ch < 4; ch++)
			memset(t.c[ch], ch < 3 ? colors[i].rgb[ch] : 255, RS_BLOCK_PIXELS);
		rs_pack(&c, &t, &block);
		CHECK_NEAR(block.byte[0], colors[i].y, 1.01);
		CHECK_NEAR(block.byte[1], colors[i].u, 1.01);
		CHECK_NEAR(block.byte[2], colors[i].y, 1.01);
		CHECK_NEAR(block.byte[3], colors[i].v, 1.01);
		rs_unpack(RS_FORMAT_YUY2, &block, &back);
		for (unsigned int ch = 0; ch < 3; ch++)
			CHECK_NEAR(back.c[ch][7], colors[i].rgb[ch], 3.01);
	}
}

static void check_downsample(unsigned int sx, unsigned int sy, enum gc_layout to)
{
	struct surface s = { COLOR_BASE, GC_SUPERTILED, 4 }, d = { OTHER_BASE, to, 4 };

	randomize(COLOR_BASE, SIZE * SIZE * 4, 21);
	memset(at(&b, OTHER_BASE), 0, SIZE * SIZE * 4);
	set_source(&s);
	set_destination(&d);
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8,
		   (sx ? VIVS_RS_CONFIG_DOWNSAMPLE_X : 0) | (sy ? VIVS_RS_CONFIG_DOWNSAMPLE_Y : 0));
	set_window(SIZE, SIZE);
	gc_rs_kick(b.gc);
	for (uint32_t y = 0; y < SIZE; y++) {
		for (uint32_t x = 0; x < SIZE; x++) {
			uint32_t out = (uint32_t)peek(&b, address(&d, x, y), 4);
			double sum[4] = { 0 }, n = 1u << (sx + sy);

			if (x >= SIZE >> sx || y >= SIZE >> sy) {
				CHECK_EQ(out, 0);
				continue;
			}
			for (uint32_t i = 0; i < 1u << (sx + sy); i++) {
				uint32_t px = (x << sx) + (sx ? i & 1 : 0);
				uint32_t py = (y << sy) + (sy ? i >> sx : 0);
				uint32_t in = (uint32_t)peek(&b, address(&s, px, py), 4);

				for (unsigned int c = 0; c < 4; c++)
					sum[c] += in >> 8 * c & 255;
			}
			for (unsigned int c = 0; c < 4; c++)
				CHECK_NEAR(out >> 8 * c & 255, sum[c] / n, 0.5);
		}
	}
}

TEST(multisample_resolve)
{
	bench_open(&b, "gc3000");
	check_downsample(1, 0, GC_LINEAR);
	check_downsample(0, 1, GC_TILED);
	check_downsample(1, 1, GC_LINEAR);
	check_downsample(1, 1, GC_SUPERTILED);
	CHECK_EQ(b.gc->work.rs_read_bytes, 4 * SIZE * SIZE * 4);
	CHECK_EQ(b.gc->work.rs_write_bytes, (2 + 2 + 1 + 1) * SIZE * SIZE);
	CHECK_EQ(b.gc->work.rs_pixels, 4 * SIZE * SIZE);
	bench_open(&b, "gc2000");
	check_downsample(1, 1, GC_LINEAR);
}

/*
 * The fast path for 8888 gives the same result as the general one, which is taken if red and blue
 * are exchanged.
 */
TEST(averaging_whole_words_changes_no_bit)
{
	static struct rs_block in[4], out, swapped;
	uint32_t seed = 1;

	for (unsigned int turn = 0; turn < 4000; turn++) {
		struct rs_conversion c = { .shift_x = turn & 1, .shift_y = turn >> 1 & 1 };

		c.source = c.destination = turn & 4 ? RS_FORMAT_A8R8G8B8 : RS_FORMAT_X8R8G8B8;
		for (unsigned int i = 0; i < sizeof(in); i++)
			((uint8_t *)in)[i] = (uint8_t)(next_random(&seed) >> 8);
		rs_convert(&c, in, &out);
		c.swap_rb = true;
		rs_convert(&c, in, &swapped);
		for (unsigned int i = 0; i < RS_BLOCK_PIXELS; i++) {
			CHECK_EQ(out.byte[4 * i], swapped.byte[4 * i + 2]);
			CHECK_EQ(out.byte[4 * i + 1], swapped.byte[4 * i + 1]);
			CHECK_EQ(out.byte[4 * i + 2], swapped.byte[4 * i]);
			CHECK_EQ(out.byte[4 * i + 3], swapped.byte[4 * i + 3]);
		}
	}
}

TEST(endian)
{
	struct surface s = { COLOR_BASE, GC_LINEAR, 4 }, d = { OTHER_BASE, GC_LINEAR, 4 };
	uint32_t pixel = 0x11223344;

	bench_open(&b, "gc3000");
	memcpy(at(&b, COLOR_BASE), &pixel, 4);
	set_source(&s);
	set_destination(&d);
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_A8R8G8B8, 0);
	set_window(16, 4);
	set(&b, VIVS_RS_EXTRA_CONFIG, VIVS_RS_EXTRA_CONFIG_ENDIAN(ENDIAN_MODE_SWAP_16));
	gc_rs_kick(b.gc);
	CHECK_EQ(peek(&b, OTHER_BASE, 4), 0x22114433);
	set(&b, VIVS_RS_EXTRA_CONFIG, VIVS_RS_EXTRA_CONFIG_ENDIAN(ENDIAN_MODE_SWAP_32));
	gc_rs_kick(b.gc);
	CHECK_EQ(peek(&b, OTHER_BASE, 4), 0x44332211);
}

TEST(dither)
{
	struct surface s = { COLOR_BASE, GC_LINEAR, 4 }, d = { OTHER_BASE, GC_LINEAR, 2 };
	unsigned int sum = 0;

	bench_open(&b, "gc3000");
	memset(at(&b, COLOR_BASE), 100, SIZE * SIZE * 4); /* 12.16 of 31 */
	set_source(&s);
	set_destination(&d);
	set_config(&s, RS_FORMAT_A8R8G8B8, &d, RS_FORMAT_R5G6B5, 0);
	set(&b, VIVS_RS_DITHER(0), 0x6e4ca280);
	set(&b, VIVS_RS_DITHER(1), 0x5d7f91b3);
	set_window(16, 4);
	gc_rs_kick(b.gc);
	for (uint32_t i = 0; i < 16; i++) {
		unsigned int blue = peek(&b, address(&d, i % 4, i / 4), 2) & 31;

		CHECK(blue == 12 || blue == 13);
		sum += blue;
	}
	CHECK_NEAR(sum / 16.0, 100 * 31 / 255.0, 1 / 16.0);
}

int main(void)
{
	int status = test_all();

	bench_close(&b);
	return status;
}
