// SPDX-License-Identifier: MIT
/*
 * Colour output: targets in all layouts, masks, alpha test, dithering, multisampling, several
 * targets, fast clear, faults, counters. Special cases: test_pe_color_paths.c.
 */
#include "tests/check.h"
#include "tests/pixel_bench.h"

#define STRIDE 512 /* 128 pixels of 32 bits */
#define SIZE 128

static struct pixel_bench b;
static struct gc_quads quads;
static struct gc_vec4 color;
static const struct gc_color lanes = {
	.c = { &color.c[0], &color.c[1], &color.c[2], &color.c[3] },
};

static uint32_t offset_of(enum gc_layout layout, uint32_t stride, unsigned int bytes, uint32_t x,
			  uint32_t y)
{
	uint32_t pipe_y, pipe = gc_layout_split(layout, x, y, &pipe_y);

	return pipe * stride * SIZE / 2 + gc_layout_offset(layout,
							   b.gc->personality->supertile_mode,
							   stride, bytes, x, pipe_y);
}

/* Write a different colour to each pixel and look for it at the layout's address. */
static void check_layout(const char *personality, unsigned int format, bool super, bool linear)
{
	const unsigned int bytes = gc_format_color(format)->bytes;
	const uint32_t stride = SIZE * bytes;
	enum gc_layout layout;
	bool split;

	bench_open(&b, personality);
	split = !b.gc->personality->single_buffer;
	layout = gc_layout_from_bits(!linear, super, split);
	bench_target(&b, format, super, stride);
	if (linear)
		set(&b, VIVS_PE_LOGIC_OP,
		    VIVS_PE_LOGIC_OP_OP(LOGIC_OP_COPY) | VIVS_PE_LOGIC_OP_SINGLE_BUFFER(1));
	set(&b, VIVS_PE_PIPE_COLOR_ADDR(1), COLOR_BASE + (split ? stride * SIZE / 2 : 0));
	CHECK(gc_pe_begin_draw(b.gc));
	for (int y = 0; y < SIZE; y += 2) {
		for (int x = 0; x < SIZE; x += 32) {
			bench_quads(&quads, 16, x, y, 0);
			for (unsigned int i = 0; i < GC_LANES; i++) {
				int px = x + (int)(i / 4) * 2 + (int)(i & 1), py = y + (i >> 1 & 1);

				color.c[0].f[i] = (float)(px & 31) / 31.0f;
				color.c[1].f[i] = (float)(py & 63) / 63.0f;
				color.c[2].f[i] = (float)(px >> 5 | py >> 6 << 2) / 31.0f;
				color.c[3].f[i] = 1.0f;
			}
			CHECK(gc_pe_color(b.gc, &quads, &color));
		}
	}
	for (uint32_t y = 0; y < SIZE; y++) {
		for (uint32_t x = 0; x < SIZE; x++) {
			uint32_t at_ = COLOR_BASE + offset_of(layout, stride, bytes, x, y);
			uint32_t pixel = (uint32_t)peek(&b, at_, bytes);
			uint32_t r = x & 31, g = y & 63, bl = x >> 5 | y >> 6 << 2;

			if (bytes == 2) {
				CHECK_EQ(pixel, r << 11 | g << 5 | bl);
			} else {
				CHECK_EQ(pixel, 0xff000000 | (r * 255 * 2 + 31) / 62 << 16 |
							(g * 255 * 2 + 63) / 126 << 8 |
							(bl * 255 * 2 + 31) / 62);
			}
		}
	}
	CHECK_EQ(peek(&b, COLOR_BASE + stride * SIZE, 8), 0);
}

TEST(layouts)
{
	check_layout("gc3000", PE_FORMAT_A8R8G8B8, false, false);
	check_layout("gc3000", PE_FORMAT_A8R8G8B8, true, false);
	check_layout("gc3000", PE_FORMAT_A8R8G8B8, false, true);
	check_layout("gc3000", PE_FORMAT_R5G6B5, true, false);
	check_layout("gc3000", PE_FORMAT_R5G6B5, false, true);
	check_layout("gc2000", PE_FORMAT_A8R8G8B8, false, false);
	check_layout("gc2000", PE_FORMAT_A8R8G8B8, true, false);
	check_layout("gc2000", PE_FORMAT_R5G6B5, true, false);
}

TEST(all_formats_are_written)
{
	for (unsigned int format = 0; format < 64; format++) {
		const struct gc_format *f = gc_format_color(format);
		struct gc_pixels want;

		if (!f)
			continue;
		bench_open(&b, "gc3000");
		bench_target(&b, format, true, 64 * f->bytes);
		bench_quads(&quads, 1, 2, 2, 0);
		bench_color(&color, 0.25f, 0.5f, 0.75f, 1);
		gc_format_pack(f, &color, 0, 16, NULL, &want);
		CHECK(gc_pe_begin_draw(b.gc));
		CHECK(gc_pe_color(b.gc, &quads, &color));
		for (unsigned int p = 0; p < 4; p++) {
			uint32_t at_ =
				COLOR_BASE + gc_layout_offset(GC_SUPERTILED, 2, 64 * f->bytes,
							      f->bytes, 2 + (p & 1), 2 + (p >> 1));

			CHECK_EQ(peek(&b, at_, f->bytes), (uint64_t)want.hi[p] << 32 | want.lo[p]);
		}
	}
}

TEST(no_target)
{
	bench_open(&b, "gc3000");
	CHECK(!gc_pe_begin_draw(b.gc)); /* no states set: no components */
	bench_target(&b, PE_FORMAT_YUY2, false, STRIDE);
	CHECK(!gc_pe_begin_draw(b.gc));
	bench_target(&b, 9, false, STRIDE);
	CHECK(!gc_pe_begin_draw(b.gc));
	bench_quads(&quads, 1, 0, 0, 0);
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(b.gc->counters.pe_drawn_by_color, 0);
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	set(&b, VIVS_PE_DEPTH_CONFIG, VIVS_PE_DEPTH_CONFIG_ONLY_DEPTH);
	CHECK(!gc_pe_begin_draw(b.gc));
	gc_pe_query_address(b.gc, OTHER_BASE);
	CHECK(gc_pe_begin_draw(b.gc)); /* a query is active */
}

/* A GC2000 renders to no floats: the first target is not drawn, and neither is the second. */
TEST(refused_formats)
{
	bench_open(&b, "gc2000");
	bench_target(&b, PE_FORMAT_A16B16G16R16F, false, STRIDE);
	CHECK(!gc_pe_begin_draw(b.gc));
	CHECK_EQ(b.gc->counters.pe_refused_formats, 1);
	set(&b, VIVS_PS_CONTROL, VIVS_PS_CONTROL_RT_COUNT(1));
	set(&b, VIVS_PE_RT_CONFIG_4(0), RT_CONFIG_FORMAT(PE_FORMAT_G8R8) | RT_CONFIG_STRIDE(256));
	CHECK(!gc_pe_begin_draw(b.gc));
	CHECK_EQ(b.gc->counters.pe_refused_formats, 3);
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	CHECK(gc_pe_begin_draw(b.gc));
	CHECK_EQ(b.gc->counters.pe_refused_formats, 4);
}

TEST(channel_masks)
{
	uint32_t old = 0x11223344;

	bench_open(&b, "gc3000");
	bench_color(&color, 1, 1, 1, 1);
	bench_quads(&quads, 1, 0, 0, 0);
	for (unsigned int mask = 1; mask < 16; mask++) {
		uint32_t bits = (mask & 1 ? 0xff0000 : 0) | (mask & 2 ? 0xff00 : 0) |
				(mask & 4 ? 0xff : 0) | (mask & 8 ? 0xff000000 : 0);

		bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
		set(&b, VIVS_PE_COLOR_FORMAT,
		    VIVS_PE_COLOR_FORMAT_FORMAT(PE_FORMAT_A8R8G8B8) |
			    VIVS_PE_COLOR_FORMAT_COMPONENTS(mask));
		memcpy(at(&b, COLOR_BASE), &old, 4);
		CHECK(gc_pe_begin_draw(b.gc));
		CHECK(gc_pe_color(b.gc, &quads, &color));
		CHECK_EQ(peek(&b, COLOR_BASE, 4), (old & ~bits) | bits);
	}
}

TEST(channel_masks_of_64_bit_pixels)
{
	uint64_t old = 0x1111222233334444, white = 0x3c003c003c003c00, now;

	bench_open(&b, "gc3000");
	bench_color(&color, 1, 1, 1, 1);
	bench_quads(&quads, 1, 0, 0, 0);
	for (unsigned int mask = 1; mask < 16; mask++) {
		uint64_t bits = 0;

		for (unsigned int c = 0; c < 4; c++)
			bits |= mask >> c & 1 ? 0xffffull << 16 * c : 0;
		bench_target(&b, PE_FORMAT_A16B16G16R16F, false, STRIDE);
		set(&b, VIVS_PE_COLOR_FORMAT,
		    (gc_state_u32(&b.gc->state, VIVS_PE_COLOR_FORMAT) &
		     ~VIVS_PE_COLOR_FORMAT_COMPONENTS__MASK) |
			    VIVS_PE_COLOR_FORMAT_COMPONENTS(mask));
		memcpy(at(&b, COLOR_BASE), &old, 8);
		CHECK(gc_pe_begin_draw(b.gc));
		CHECK(gc_pe_color(b.gc, &quads, &color));
		now = peek(&b, COLOR_BASE, 8);
		CHECK_EQ(now, (old & ~bits) | (white & bits));
	}
}

TEST(coverage)
{
	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	bench_color(&color, 1, 1, 1, 1);
	for (unsigned int c = 0; c < 16; c++) {
		memset(at(&b, COLOR_BASE), 0, 64);
		bench_quads(&quads, 1, 2, 2, 0);
		quads.quad[0].coverage = (uint16_t)c;
		CHECK(gc_pe_begin_draw(b.gc));
		CHECK(gc_pe_color(b.gc, &quads, &color));
		for (unsigned int p = 0; p < 16; p++) {
			bool inside = p % 4 >= 2 && p / 4 >= 2;
			unsigned int bit = (p & 1) | (p / 4 & 1) << 1;

			CHECK_EQ(peek(&b, COLOR_BASE + 4 * p, 4),
				 inside && c >> bit & 1 ? 0xffffffff : 0);
		}
	}
}

static bool ref_compare(unsigned int func, double a, double r)
{
	bool table[] = { false, a < r, a == r, a <= r, a > r, a != r, a >= r, true };

	return table[func];
}

/* @half: the core takes the reference as a half float, otherwise as eight bits. */
static void check_alpha_test(const char *personality, bool half)
{
	static const float alphas[] = { 0, 0.1f, 0.25f, 0.5f, 0.75f, 1, 2, -1 };

	bench_open(&b, personality);
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	for (unsigned int n = 0; n < 8 * 8 * 8; n++) {
		unsigned int func = n % 8;
		float ref = alphas[n / 8 % 6], alpha = alphas[n / 64];
		double a = alpha < 0 ? 0 : alpha > 1 ? 1 : (double)alpha;
		bool pass;

		set(&b, VIVS_PE_ALPHA_OP,
		    VIVS_PE_ALPHA_OP_ALPHA_TEST | VIVS_PE_ALPHA_OP_ALPHA_FUNC(func) |
			    VIVS_PE_ALPHA_OP_ALPHA_REF((uint32_t)(ref * 255 + 0.5f)));
		/* cores without half-float references must ignore this one, which differs */
		set(&b, VIVS_PE_STENCIL_CONFIG_EXT,
		    VIVS_PE_STENCIL_CONFIG_EXT_EXTRA_ALPHA_REF(
			    (uint32_t)gc_half_from_float(half ? ref : 1 - ref)));
		gc_pe_begin_draw(b.gc);
		b.gc->counters.pe_killed_by_color = 0;
		bench_quads(&quads, 1, 0, 0, 0);
		quads.quad[0].coverage = 0x7;
		bench_color(&color, 0, 0, 0, alpha);
		gc_pe_alpha(b.gc, &quads, &lanes);
		pass = ref_compare(func, a, (double)ref);
		CHECK_EQ(quads.quad[0].coverage, pass ? 7 : 0);
		CHECK_EQ(b.gc->counters.pe_killed_by_color, pass ? 0 : 3);
	}
}

TEST(alpha_test)
{
	check_alpha_test("gc3000", true);
	check_alpha_test("gc2000", false);
}

TEST(alpha_test_kills_all_samples)
{
	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	set(&b, VIVS_PE_ALPHA_OP, VIVS_PE_ALPHA_OP_ALPHA_TEST | VIVS_PE_ALPHA_OP_ALPHA_FUNC(1));
	set(&b, VIVS_PE_STENCIL_CONFIG_EXT,
	    VIVS_PE_STENCIL_CONFIG_EXT_EXTRA_ALPHA_REF((uint32_t)gc_half_from_float(0.5f)));
	gc_pe_begin_draw(b.gc);
	bench_quads(&quads, 1, 0, 0, 0);
	bench_color(&color, 0, 0, 0, 0.25f);
	color.c[3].f[2] = 0.75f;
	gc_pe_alpha(b.gc, &quads, &lanes);
	CHECK_EQ(quads.quad[0].coverage, 0xbbbb);
	CHECK_EQ(b.gc->counters.pe_killed_by_color, 1);
}

TEST(dithering)
{
	unsigned int high = 0;

	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_R5G6B5, false, STRIDE);
	set(&b, VIVS_PE_DITHER(0), 0x6e4ca280);
	set(&b, VIVS_PE_DITHER(1), 0x5d7f91b3);
	bench_color(&color, 10.25f / 31, 0, 0, 1);
	CHECK(gc_pe_begin_draw(b.gc));
	for (int y = 0; y < 4; y += 2) {
		bench_quads(&quads, 2, 0, y, 0);
		CHECK(gc_pe_color(b.gc, &quads, &color));
	}
	for (unsigned int i = 0; i < 16; i++) {
		unsigned int red = (unsigned int)peek(&b, COLOR_BASE + 2 * i, 2) >> 11;

		CHECK(red == 10 || red == 11);
		high += red == 11;
	}
	CHECK_EQ(high, 4); /* a quarter of the pixels for a quarter of a step */
	/* off: nearest */
	set(&b, VIVS_PE_DITHER(0), 0xffffffff);
	set(&b, VIVS_PE_DITHER(1), 0xffffffff);
	CHECK(gc_pe_begin_draw(b.gc));
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(peek(&b, COLOR_BASE + 24, 2) >> 11, 10);
}

TEST(multisampling)
{
	for (unsigned int log2 = 1; log2 <= 2; log2++) {
		unsigned int sx = 2, sy = log2 == 2 ? 2 : 1, n = 1u << log2;

		bench_open(&b, "gc3000");
		bench_target(&b, PE_FORMAT_A8R8G8B8, true, STRIDE);
		bench_samples(&b, log2);
		CHECK(gc_pe_begin_draw(b.gc));
		bench_quads(&quads, 1, 6, 10, 0);
		quads.quad[0].coverage = 0x8421; /* sample s of pixel s only */
		for (unsigned int i = 0; i < 4; i++) {
			color.c[0].f[i] = (float)(i + 1) / 255.0f;
			color.c[1].f[i] = color.c[2].f[i] = color.c[3].f[i] = 0;
		}
		CHECK(gc_pe_color(b.gc, &quads, &color));
		for (unsigned int i = 0; i < 16 * sx * sy; i++) {
			unsigned int x = 4 * sx + i % (4 * sx), y = 8 * sy + i / (4 * sx);
			unsigned int px = x / sx, py = y / sy, s = x % sx + y % sy * sx;
			unsigned int p = (px & 1) | (py & 1) << 1;
			bool mine = px >= 6 && px < 8 && py >= 10 && py < 12 && s == p && s < n;
			uint32_t o = gc_layout_offset(GC_SUPERTILED, 2, STRIDE, 4, x, y);

			CHECK_EQ(peek(&b, COLOR_BASE + o, 4), mine ? (p + 1) << 16 : 0);
		}
	}
}

TEST(several_targets)
{
	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, true, STRIDE);
	set(&b, VIVS_PS_CONTROL, VIVS_PS_CONTROL_RT_COUNT(2));
	for (unsigned int i = 0; i < 2; i++) {
		set(&b, VIVS_PE_RT_ADDR_8_PIPE(i, 0), OTHER_BASE + i * 0x10000);
		set(&b, VIVS_PE_RT_ADDR_8_PIPE(i, 1), OTHER_BASE + i * 0x10000);
	}
	set(&b, VIVS_PE_RT_CONFIG_8(0),
	    RT_CONFIG_FORMAT(PE_FORMAT_R5G6B5) | RT_CONFIG_STRIDE(256) | RT_CONFIG_SUPER_TILED);
	set(&b, VIVS_PE_RT_CONFIG_8(1),
	    RT_CONFIG_FORMAT(PE_FORMAT_G16R16F) | RT_CONFIG_STRIDE(256));
	CHECK(gc_pe_begin_draw(b.gc));
	CHECK_EQ(gc_pe_targets(b.gc), 3);
	bench_quads(&quads, 1, 0, 0, 0);
	bench_color(&color, 1, 0, 0, 0);
	CHECK(gc_pe_color_target(b.gc, 0, &quads, &lanes));
	bench_color(&color, 0, 1, 0, 0);
	CHECK(gc_pe_color_target(b.gc, 1, &quads, &lanes));
	bench_color(&color, 2, 0, 0, 0);
	CHECK(gc_pe_color_target(b.gc, 2, &quads, &lanes));
	CHECK(gc_pe_color_target(b.gc, 3, &quads, &lanes)); /* no such target: no effect */
	CHECK_EQ(peek(&b, COLOR_BASE, 4), 0xff0000);
	CHECK_EQ(peek(&b, OTHER_BASE, 2), 0x7e0);
	CHECK_EQ(peek(&b, OTHER_BASE + 0x10000, 4), 0x4000);
	CHECK_EQ(b.gc->counters.pe_drawn_by_color, 4);
}

TEST(drawing_into_a_fast_cleared_target)
{
	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, true, STRIDE);
	bench_fast_clear(&b, 0xcafebabe, 0xcafebabe);
	memset(at(&b, COLOR_BASE), 0x77, 65536);
	CHECK(gc_pe_begin_draw(b.gc));
	bench_quads(&quads, 1, 4, 0, 0); /* second tile in Z order */
	quads.quad[0].coverage = 1;
	bench_color(&color, 0, 0, 0, 0);
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(peek(&b, COLOR_BASE + 64, 4), 0);
	for (unsigned int i = 1; i < 16; i++)
		CHECK_EQ(peek(&b, COLOR_BASE + 64 + 4 * i, 4), 0xcafebabe);
	CHECK_EQ(peek(&b, COLOR_BASE + 60, 4), 0x77777777);
	CHECK_EQ(peek(&b, COLOR_BASE + 128, 4), 0x77777777);
	CHECK_EQ(b.gc->pe->ts_cache.line[0][1].tags[0], 0x51);
	/* the cleared tile did not come from memory */
	CHECK_EQ(b.gc->work.color_read_bytes, 0);
	CHECK_EQ(b.gc->work.ts_read_bytes, 64);
	/* and its tag is not read again in this draw */
	b.gc->pe->ts_cache.line[0][1].tags[0] = 0x55;
	bench_quads(&quads, 1, 8, 0, 0);
	CHECK(gc_pe_color(b.gc, &quads, &color));
	bench_quads(&quads, 1, 4, 0, 0);
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(b.gc->pe->ts_cache.line[0][1].tags[0], 0x55);
}

TEST(fast_cleared_multisample_tiles_are_larger)
{
	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, true, STRIDE);
	bench_fast_clear(&b, 0x01020304, 0x01020304);
	bench_samples(&b, VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_4X);
	CHECK(gc_pe_begin_draw(b.gc));
	bench_quads(&quads, 1, 0, 0, 0);
	quads.quad[0].coverage = 1;
	bench_color(&color, 0, 0, 0, 0);
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(peek(&b, COLOR_BASE, 4), 0);
	CHECK_EQ(peek(&b, COLOR_BASE + 252, 4), 0x01020304);
	CHECK_EQ(peek(&b, COLOR_BASE + 256, 4), 0);
	gc_pe_flush_status(b.gc);
	CHECK_EQ(peek(&b, TAGS_BASE, 1), 0x54);
}

TEST(fast_clear_of_64_bit_pixels)
{
	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A16B16G16R16F, true, STRIDE);
	bench_fast_clear(&b, 0x11112222, 0x33334444);
	CHECK(gc_pe_begin_draw(b.gc));
	bench_quads(&quads, 1, 0, 0, 0);
	quads.quad[0].coverage = 1;
	bench_color(&color, 0, 0, 0, 0);
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(peek(&b, COLOR_BASE, 8), 0);
	CHECK_EQ(peek(&b, COLOR_BASE + 8, 8), 0x3333444411112222);
	gc_pe_flush_status(b.gc);
	CHECK_EQ(peek(&b, TAGS_BASE, 1), 0x54); /* only half of the 128 bytes of a 4x4 tile */
}

TEST(counters_and_traffic_of_a_scene)
{
	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	bench_color(&color, 1, 1, 1, 1);
	CHECK(gc_pe_begin_draw(b.gc));
	for (int y = 0; y < 4; y += 2) {
		bench_quads(&quads, 8, 0, y, 0); /* four tiles in two rows of quads */
		CHECK(gc_pe_color(b.gc, &quads, &color));
	}
	CHECK_EQ(b.gc->counters.pe_drawn_by_color, 64);
	CHECK_EQ(b.gc->work.color_read_bytes, 0);
	CHECK_EQ(b.gc->work.color_write_bytes, 0);
	gc_pe_flush(b.gc, true, true);
	CHECK_EQ(b.gc->work.color_write_bytes, 4 * 64);
	/* with a channel mask, the target is read */
	set(&b, VIVS_PE_COLOR_FORMAT,
	    VIVS_PE_COLOR_FORMAT_FORMAT(PE_FORMAT_A8R8G8B8) | VIVS_PE_COLOR_FORMAT_COMPONENTS(7));
	CHECK(gc_pe_begin_draw(b.gc));
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(b.gc->work.color_read_bytes, 4 * 64);
	gc_pe_flush(b.gc, true, true);
	CHECK_EQ(b.gc->work.color_write_bytes, 8 * 64);
	CHECK_EQ(b.gc->counters.pe_read_bytes, 4 * 64);
	CHECK_EQ(b.gc->counters.pe_write_bytes, 8 * 64);
}

TEST(fault_in_the_middle)
{
	bench_open(&b, "gc3000");
	bench_enable_mmu(&b, COLOR_BASE + GC_PAGE_SIZE);
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	bench_color(&color, 1, 1, 1, 1);
	CHECK(gc_pe_begin_draw(b.gc));
	bench_quads(&quads, 2, 0, 4, 0);
	CHECK(gc_pe_color(b.gc, &quads, &color));
	quads.quad[1].y = 8; /* on the second page */
	CHECK(!gc_pe_color(b.gc, &quads, &color));
	CHECK(b.gc->mmu.faulted);
	CHECK_EQ(peek(&b, COLOR_BASE + GC_PAGE_SIZE, 4), 0);
}

/* Low bits of addresses and strides are ignored, so that no pixel crosses a page. */
TEST(no_access_crosses_a_page)
{
	bench_open(&b, "gc3000");
	bench_enable_mmu(&b, COLOR_BASE + GC_PAGE_SIZE);
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	bench_color(&color, 1, 1, 1, 1);
	set(&b, VIVS_PE_PIPE_COLOR_ADDR(0), COLOR_BASE + GC_PAGE_SIZE - 6);
	CHECK(gc_pe_begin_draw(b.gc));
	bench_quads(&quads, 1, 2, 2, 0);
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(peek(&b, COLOR_BASE + GC_PAGE_SIZE - 4, 4), 0xffffffff);
	memset(at(&b, COLOR_BASE), 0, GC_PAGE_SIZE);
	set(&b, VIVS_PE_PIPE_COLOR_ADDR(0), COLOR_BASE);
	set(&b, VIVS_PE_COLOR_STRIDE, 1020); /* 1008 */
	CHECK(gc_pe_begin_draw(b.gc));
	bench_quads(&quads, 1, 2, 6, 0);
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(peek(&b, COLOR_BASE + 4 * 1008 + 60, 4), 0xffffffff);
	for (uint32_t i = 0; i < 128; i += 8)
		CHECK_EQ(peek(&b, COLOR_BASE + GC_PAGE_SIZE + i, 8), 0);
}

/* Random states and positions must end in pixels or faults. */
TEST(hostile_states)
{
	static const uint32_t words[] = {
		VIVS_PE_COLOR_FORMAT,
		VIVS_PE_COLOR_STRIDE,
		VIVS_PE_PIPE_COLOR_ADDR(0),
		VIVS_PE_PIPE_COLOR_ADDR(1),
		VIVS_PE_DEPTH_CONFIG,
		VIVS_PE_DEPTH_STRIDE,
		VIVS_PE_PIPE_DEPTH_ADDR(0),
		VIVS_PE_DEPTH_NORMALIZE,
		VIVS_PE_STENCIL_OP,
		VIVS_PE_STENCIL_CONFIG,
		VIVS_PE_STENCIL_CONFIG_EXT,
		VIVS_PE_STENCIL_CONFIG_EXT2,
		VIVS_PE_ALPHA_OP,
		VIVS_PE_ALPHA_CONFIG,
		VIVS_PE_LOGIC_OP,
		VIVS_PE_DITHER(0),
		VIVS_TS_MEM_CONFIG,
		VIVS_TS_COLOR_STATUS_BASE,
		VIVS_TS_COLOR_SURFACE_BASE,
		VIVS_TS_DEPTH_STATUS_BASE,
		VIVS_TS_DEPTH_SURFACE_BASE,
		VIVS_PS_CONTROL,
		VIVS_GL_MULTI_SAMPLE_CONFIG,
		VIVS_PE_RT_CONFIG_8(0),
		VIVS_PE_RT_ADDR_8_PIPE(0, 0),
		VIVS_RA_EARLY_DEPTH,
	};
	uint32_t seed = 4711;

	for (unsigned int turn = 0; turn < 3000; turn++) {
		bool near = next_random(&seed) & 1;

		bench_open(&b, turn & 1 ? "gc3000" : "gc2000");
		bench_enable_mmu(&b, RAM_BASE + RAM_BYTES);
		for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			uint32_t value = next_random(&seed);

			/* in half of the turns, half of the words are addresses in memory */
			if (near && (value >> 24) < 0x80)
				value = RAM_BASE + value % RAM_BYTES;
			set(&b, words[i], value);
		}
		gc_pe_begin_draw(b.gc);
		gc_pe_shader(b.gc, next_random(&seed) & 1, next_random(&seed) & 1);
		bench_quads(&quads, 16, 0, 0, random_unit(&seed));
		for (unsigned int q = 0; q < 16; q++) {
			quads.quad[q].x = (int16_t)(next_random(&seed) & ~1u);
			quads.quad[q].y = (int16_t)(next_random(&seed) & ~1u);
			quads.quad[q].coverage = (uint16_t)next_random(&seed);
		}
		gc_pe_early_test(b.gc, &quads);
		gc_pe_alpha(b.gc, &quads, &lanes);
		gc_pe_depth(b.gc, &quads);
		for (unsigned int t = 0; t < gc_pe_targets(b.gc); t++)
			gc_pe_color_target(b.gc, t, &quads, &lanes);
		gc_pe_flush(b.gc, true, true);
	}
}

int main(void)
{
	int status = test_all();

	bench_close(&b);
	return status;
}
