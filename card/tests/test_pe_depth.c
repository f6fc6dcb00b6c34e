// SPDX-License-Identifier: MIT
/*
 * Depth and stencil: truth tables against a simple reference, early and late tests, samples,
 * queries.
 */
#include <math.h>

#include "tests/check.h"
#include "tests/pixel_bench.h"

#define STRIDE 256
#define ALWAYS 7
#define LESS 1

static struct pixel_bench b;
static struct gc_quads quads;

/* Numbers of the functions, written out to test the encoding, too. */
static bool ref_compare(unsigned int func, uint32_t a, uint32_t r)
{
	switch (func) {
	case 0:
		return false;
	case 1:
		return a < r;
	case 2:
		return a == r;
	case 3:
		return a <= r;
	case 4:
		return a > r;
	case 5:
		return a != r;
	case 6:
		return a >= r;
	default:
		return true;
	}
}

static void poke(uint32_t address, uint32_t value, unsigned int bytes)
{
	memcpy(at(&b, address), &value, bytes);
}

TEST(depth_functions)
{
	static const float z[] = { 0.0f, 0.25f, 0.5f, 0.75f, 1.0f };
	uint32_t stored[] = { 0, 0x400000, 0x800000, 0xffffff };

	bench_open(&b, "gc3000");
	for (unsigned int n = 0; n < 8 * 2 * 2 * 5 * 4; n++) {
		unsigned int func = n % 8;
		bool d24 = n / 8 % 2, write = n / 16 % 2, pass;
		float v = z[n / 32 % 5];
		uint32_t old = stored[n / 160], now, want;
		uint32_t iz = (uint32_t)((double)v * (d24 ? 16777215.0 : 65535.0) + 0.5);

		old = d24 ? old : old >> 8;
		bench_depth(&b, d24, func, write, STRIDE);
		poke(DEPTH_BASE, d24 ? old << 8 | 0x5a : old, d24 ? 4 : 2);
		bench_quads(&quads, 1, 0, 0, v);
		gc_pe_begin_draw(b.gc);
		CHECK(gc_pe_depth(b.gc, &quads));
		pass = ref_compare(func, iz, old);
		CHECK_EQ(quads.quad[0].coverage & 1, pass);
		now = (uint32_t)peek(&b, DEPTH_BASE, d24 ? 4 : 2);
		want = pass && write ? iz : old;
		CHECK_EQ(now, d24 ? want << 8 | 0x5a : want);
	}
}

TEST(depth_is_clamped_and_rounded)
{
	static const struct {
		float z;
		uint32_t want;
	} cases[] = {
		{ -1.0f, 0 },
		{ 2.0f, 0xffffff },
		{ 1.0f, 0xffffff },
		{ 0.0f, 0 },
		{ 0.5f, 0x800000 },
		{ 1.0f / 16777215.0f, 1 },
		{ 0.4f / 16777215.0f, 0 },
		{ 0.6f / 16777215.0f, 1 },
		{ NAN, 0 },
		{ INFINITY, 0xffffff },
	};

	bench_open(&b, "gc3000");
	bench_depth(&b, true, ALWAYS, true, STRIDE);
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bench_quads(&quads, 1, 0, 0, cases[i].z);
		gc_pe_begin_draw(b.gc);
		CHECK(gc_pe_depth(b.gc, &quads));
		CHECK_EQ(peek(&b, DEPTH_BASE, 4) >> 8, cases[i].want);
	}
}

static uint8_t ref_op(unsigned int op, uint8_t v, uint8_t ref)
{
	switch (op) {
	case STENCIL_OP_KEEP:
		return v;
	case STENCIL_OP_ZERO:
		return 0;
	case STENCIL_OP_REPLACE:
		return ref;
	case STENCIL_OP_INCR:
		return v == 255 ? 255 : v + 1;
	case STENCIL_OP_DECR:
		return v == 0 ? 0 : v - 1;
	case STENCIL_OP_INVERT:
		return v ^ 255;
	case STENCIL_OP_INCR_WRAP:
		return (uint8_t)(v + 1);
	default:
		return (uint8_t)(v - 1);
	}
}

/* One side's settings. */
struct side {
	unsigned int func, fail, zfail, pass;
	uint8_t ref, mask, write_mask;
};

static void set_stencil(unsigned int mode, const struct side *f, const struct side *k)
{
	set(&b, VIVS_PE_STENCIL_OP,
	    VIVS_PE_STENCIL_OP_FUNC_FRONT(f->func) | VIVS_PE_STENCIL_OP_FAIL_FRONT(f->fail) |
		    VIVS_PE_STENCIL_OP_DEPTH_FAIL_FRONT(f->zfail) |
		    VIVS_PE_STENCIL_OP_PASS_FRONT(f->pass) | VIVS_PE_STENCIL_OP_FUNC_BACK(k->func) |
		    VIVS_PE_STENCIL_OP_FAIL_BACK(k->fail) |
		    VIVS_PE_STENCIL_OP_DEPTH_FAIL_BACK(k->zfail) |
		    VIVS_PE_STENCIL_OP_PASS_BACK(k->pass));
	set(&b, VIVS_PE_STENCIL_CONFIG,
	    mode | VIVS_PE_STENCIL_CONFIG_REF_FRONT(f->ref) |
		    VIVS_PE_STENCIL_CONFIG_MASK_FRONT(f->mask) |
		    VIVS_PE_STENCIL_CONFIG_WRITE_MASK_FRONT((uint32_t)f->write_mask));
	set(&b, VIVS_PE_STENCIL_CONFIG_EXT, VIVS_PE_STENCIL_CONFIG_EXT_REF_BACK(k->ref));
	set(&b, VIVS_PE_STENCIL_CONFIG_EXT2,
	    VIVS_PE_STENCIL_CONFIG_EXT2_MASK_BACK(k->mask) |
		    VIVS_PE_STENCIL_CONFIG_EXT2_WRITE_MASK_BACK(k->write_mask));
}

static struct side random_side(uint32_t *seed)
{
	static const uint8_t masks[] = { 0xff, 0x0f, 0xf0, 0x01, 0x00, 0x81 };
	static const uint8_t refs[] = { 0, 1, 0x7f, 0x80, 0xfe, 0xff };

	return (struct side){ next_random(seed) % 8,       next_random(seed) % 8,
			      next_random(seed) % 8,       next_random(seed) % 8,
			      refs[next_random(seed) % 6], masks[next_random(seed) % 6],
			      masks[next_random(seed) % 6] };
}

/* Random states: all functions and operations, stored values and references near their limits. */
TEST(stencil_truth_table)
{
	static const unsigned int modes[] = { VIVS_PE_STENCIL_CONFIG_MODE_ONE_SIDED,
					      VIVS_PE_STENCIL_CONFIG_MODE_TWO_SIDED };
	static const uint8_t values[] = { 0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, 0x5a };
	uint32_t seed = 99;

	bench_open(&b, "gc3000");
	for (unsigned int turn = 0; turn < 20000; turn++) {
		struct side front = random_side(&seed), back = random_side(&seed);
		unsigned int mode = modes[next_random(&seed) & 1];
		unsigned int zfunc = next_random(&seed) % 8;
		bool write = next_random(&seed) & 1, facing = next_random(&seed) & 1, spass, zpass;
		const struct side *s = facing || mode == modes[0] ? &front : &back;
		uint8_t value = values[next_random(&seed) % 8], next;
		uint32_t oldz = next_random(&seed) % 3 * 0x7fffff, want;

		bench_depth(&b, true, zfunc, write, STRIDE);
		set_stencil(mode, &front, &back);
		poke(DEPTH_BASE + 4, oldz << 8 | value, 4);
		bench_quads(&quads, 1, 0, 0, 0.5f);
		quads.quad[0].front = facing;
		quads.quad[0].coverage = 2;
		gc_pe_begin_draw(b.gc);
		CHECK(gc_pe_depth(b.gc, &quads));
		spass = ref_compare(s->func, s->ref & s->mask, value & s->mask);
		zpass = ref_compare(zfunc, 0x800000, oldz);
		next = ref_op(!spass ? s->fail : !zpass ? s->zfail : s->pass, value, s->ref);
		next = (uint8_t)((value & ~s->write_mask) | (next & s->write_mask));
		want = (spass && zpass && write ? 0x800000u : oldz) << 8 | next;
		CHECK_EQ(peek(&b, DEPTH_BASE + 4, 4), want);
		CHECK_EQ(quads.quad[0].coverage, spass && zpass ? 2 : 0);
	}
}

TEST(no_stencil_in_16_bits)
{
	struct side never = { 0, STENCIL_OP_ZERO, STENCIL_OP_ZERO, STENCIL_OP_ZERO, 1, 255, 255 };

	bench_open(&b, "gc3000");
	bench_depth(&b, false, ALWAYS, false, STRIDE);
	set_stencil(VIVS_PE_STENCIL_CONFIG_MODE_ONE_SIDED, &never, &never);
	poke(DEPTH_BASE, 0xabcd, 2);
	bench_quads(&quads, 1, 0, 0, 0.5f);
	gc_pe_begin_draw(b.gc);
	CHECK(gc_pe_depth(b.gc, &quads));
	CHECK_EQ(quads.quad[0].coverage, 15);
	CHECK_EQ(peek(&b, DEPTH_BASE, 2), 0xabcd);
}

/* Three quads of a batch on the same pixels: each is tested against the result of those before. */
TEST(order_within_a_batch)
{
	bench_open(&b, "gc3000");
	bench_depth(&b, true, LESS, true, STRIDE);
	memset(at(&b, DEPTH_BASE), 0xff, 4096);
	bench_quads(&quads, 3, 0, 0, 0.5f);
	quads.quad[1].x = quads.quad[2].x = 0;
	for (unsigned int i = 0; i < 4; i++) {
		quads.z[0][4 + i] = 0.75f;
		quads.z[0][8 + i] = 0.25f;
	}
	gc_pe_begin_draw(b.gc);
	CHECK(gc_pe_depth(b.gc, &quads));
	CHECK_EQ(quads.quad[0].coverage, 15);
	CHECK_EQ(quads.quad[1].coverage, 0);
	CHECK_EQ(quads.quad[2].coverage, 15);
	CHECK_EQ(peek(&b, DEPTH_BASE, 4) >> 8, 0x400000);
}

/* Each pixel is written at the layout's address, and nothing behind the surface. */
static void check_layout(const char *personality, bool super, bool d24)
{
	const unsigned int bytes = d24 ? 4 : 2;
	bool split;

	bench_open(&b, personality);
	bench_depth(&b, d24, ALWAYS, true, 128 * bytes);
	split = !b.gc->personality->single_buffer;
	/* tiled, of 32 or 16 bits a pixel */
	set(&b, VIVS_PE_LOGIC_OP, VIVS_PE_LOGIC_OP_SINGLE_BUFFER(d24 ? 2 : 3));
	set(&b, VIVS_PE_PIPE_DEPTH_ADDR(1), DEPTH_BASE + (split ? 128 * bytes * 64 : 0));
	if (super)
		set(&b, VIVS_PE_DEPTH_CONFIG,
		    gc_state_u32(&b.gc->state, VIVS_PE_DEPTH_CONFIG) |
			    VIVS_PE_DEPTH_CONFIG_SUPER_TILED);
	gc_pe_begin_draw(b.gc);
	for (unsigned int y = 0; y < 128; y += 2) {
		for (unsigned int x = 0; x < 128; x += 2) {
			bench_quads(&quads, 1, (int)x, (int)y, (float)(y * 128 + x) / 65535.0f);
			CHECK(gc_pe_depth(b.gc, &quads));
		}
	}
	for (unsigned int y = 0; y < 128; y++) {
		for (unsigned int x = 0; x < 128; x++) {
			enum gc_layout layout = gc_layout_from_bits(true, super, split);
			uint32_t pipe_y, pipe = gc_layout_split(layout, x, y, &pipe_y);
			uint32_t offset =
				gc_layout_offset(layout, b.gc->personality->supertile_mode,
						 128 * bytes, bytes, x, pipe_y);
			uint64_t z = peek(&b, DEPTH_BASE + pipe * 128 * bytes * 64 + offset, bytes);

			CHECK_EQ(z >> (d24 ? 16 : 0), (y & ~1u) * 128 + (x & ~1u));
		}
	}
	CHECK_EQ(peek(&b, DEPTH_BASE + 128 * 128 * bytes, 8), 0);
}

TEST(layouts)
{
	check_layout("gc3000", false, true);
	check_layout("gc3000", true, true);
	check_layout("gc3000", true, false);
	check_layout("gc2000", false, true);
	check_layout("gc2000", true, true);
	check_layout("gc2000", true, false);
}

static void ask_early(bool early)
{
	uint32_t config = gc_state_u32(&b.gc->state, VIVS_PE_DEPTH_CONFIG);

	config &= ~(VIVS_PE_DEPTH_CONFIG_EARLY_Z | VIVS_PE_DEPTH_CONFIG_DISABLE_ZS);
	set(&b, VIVS_PE_DEPTH_CONFIG, config | (early ? VIVS_PE_DEPTH_CONFIG_EARLY_Z : 0));
	/* Mesa always sets 0x30 */
	set(&b, VIVS_RA_EARLY_DEPTH, 0x30 | (early ? VIVS_RA_EARLY_DEPTH_TEST_ENABLE : 0));
}

TEST(when_depth_is_decided)
{
	bench_open(&b, "gc3000");
	bench_depth(&b, true, LESS, true, STRIDE);
	ask_early(true);
	CHECK(gc_pe_begin_draw(b.gc));
	CHECK(!gc_pe_early(b.gc)); /* gc_pe_shader() was not called yet */
	gc_pe_shader(b.gc, false, false);
	CHECK(gc_pe_early(b.gc));
	gc_pe_shader(b.gc, true, false);
	CHECK(!gc_pe_early(b.gc));
	gc_pe_shader(b.gc, false, true);
	CHECK(!gc_pe_early(b.gc));
	set(&b, VIVS_PE_ALPHA_OP, VIVS_PE_ALPHA_OP_ALPHA_TEST | VIVS_PE_ALPHA_OP_ALPHA_FUNC(4));
	gc_pe_begin_draw(b.gc);
	gc_pe_shader(b.gc, false, false);
	CHECK(!gc_pe_early(b.gc));
	set(&b, VIVS_PE_ALPHA_OP, 0);
	ask_early(false);
	gc_pe_begin_draw(b.gc);
	gc_pe_shader(b.gc, false, false);
	CHECK(!gc_pe_early(b.gc));

	bench_open(&b, "gc2000"); /* has no early Z, whatever the states are */
	bench_depth(&b, true, LESS, true, STRIDE);
	ask_early(true);
	gc_pe_begin_draw(b.gc);
	gc_pe_shader(b.gc, false, false);
	CHECK(!gc_pe_early(b.gc));
}

TEST(early_rejection_changes_nothing_in_memory)
{
	bench_open(&b, "gc3000");
	bench_depth(&b, true, LESS, true, STRIDE);
	ask_early(true);
	memset(at(&b, DEPTH_BASE), 0x80, 4096);
	gc_pe_begin_draw(b.gc);
	gc_pe_shader(b.gc, true, false);
	bench_quads(&quads, 2, 0, 0, 0.25f);
	for (unsigned int i = 0; i < 4; i++)
		quads.z[0][4 + i] = 0.9f;
	CHECK(gc_pe_early_test(b.gc, &quads));
	CHECK_EQ(quads.quad[0].coverage, 15);
	CHECK_EQ(quads.quad[1].coverage, 0);
	CHECK_EQ(peek(&b, DEPTH_BASE, 4), 0x80808080);
	CHECK_EQ(b.gc->counters.pe_killed_by_depth, 4);
	CHECK(gc_pe_depth(b.gc, &quads));
	CHECK_EQ(peek(&b, DEPTH_BASE, 4), 0x40000080);
	CHECK_EQ(b.gc->counters.pe_killed_by_depth, 4);
	CHECK_EQ(b.gc->counters.pe_drawn_by_depth, 4);
}

/* Where early rejection could be wrong, nothing is rejected. */
TEST(early_rejection_is_careful)
{
	struct side count = {
		ALWAYS, STENCIL_OP_KEEP, STENCIL_OP_INCR, STENCIL_OP_KEEP, 0, 255, 255
	};

	bench_open(&b, "gc3000");
	memset(at(&b, DEPTH_BASE), 0, 4096);
	bench_depth(&b, true, LESS, true, STRIDE);
	ask_early(true);
	set_stencil(VIVS_PE_STENCIL_CONFIG_MODE_ONE_SIDED, &count, &count);
	gc_pe_begin_draw(b.gc);
	gc_pe_shader(b.gc, true, false);
	bench_quads(&quads, 1, 0, 0, 0.5f);
	CHECK(gc_pe_early_test(b.gc, &quads));
	CHECK_EQ(quads.quad[0].coverage, 0xffff);
	set(&b, VIVS_PE_STENCIL_CONFIG, 0);
	gc_pe_begin_draw(b.gc);
	gc_pe_shader(b.gc, true, true); /* its depth is not final */
	CHECK(gc_pe_early_test(b.gc, &quads));
	CHECK_EQ(quads.quad[0].coverage, 0xffff);
	bench_depth(&b, true, 5, true, STRIDE); /* not equal */
	ask_early(true);
	gc_pe_begin_draw(b.gc);
	gc_pe_shader(b.gc, true, false);
	bench_quads(&quads, 1, 0, 0, 0);
	CHECK(gc_pe_early_test(b.gc, &quads));
	CHECK_EQ(quads.quad[0].coverage, 0xffff);
}

/* DISABLE_ZS with early Z: a test without writes, as Mesa uses it. */
TEST(read_only_depth)
{
	bench_open(&b, "gc3000");
	memset(at(&b, DEPTH_BASE), 0x80, 4096);
	bench_depth(&b, true, LESS, true, STRIDE);
	ask_early(true);
	set(&b, VIVS_PE_DEPTH_CONFIG,
	    gc_state_u32(&b.gc->state, VIVS_PE_DEPTH_CONFIG) | VIVS_PE_DEPTH_CONFIG_DISABLE_ZS);
	gc_pe_begin_draw(b.gc);
	gc_pe_shader(b.gc, false, false);
	CHECK(gc_pe_early(b.gc));
	bench_quads(&quads, 2, 0, 0, 0.25f);
	for (unsigned int i = 0; i < 4; i++)
		quads.z[0][4 + i] = 0.9f;
	CHECK(gc_pe_depth(b.gc, &quads));
	CHECK_EQ(quads.quad[0].coverage, 15);
	CHECK_EQ(quads.quad[1].coverage, 0);
	CHECK_EQ(peek(&b, DEPTH_BASE, 4), 0x80808080);
	/* neither early nor late: no test at all */
	ask_early(false);
	set(&b, VIVS_PE_DEPTH_CONFIG,
	    gc_state_u32(&b.gc->state, VIVS_PE_DEPTH_CONFIG) | VIVS_PE_DEPTH_CONFIG_DISABLE_ZS);
	CHECK(!gc_pe_begin_draw(b.gc));
	bench_quads(&quads, 1, 0, 0, 0.9f);
	CHECK(gc_pe_depth(b.gc, &quads));
	CHECK_EQ(quads.quad[0].coverage, 15);
}

TEST(samples_have_depths_of_their_own)
{
	bench_open(&b, "gc3000");
	bench_depth(&b, true, LESS, true, STRIDE);
	set(&b, VIVS_PE_LOGIC_OP, VIVS_PE_LOGIC_OP_SINGLE_BUFFER(2));
	set(&b, VIVS_GL_MULTI_SAMPLE_CONFIG,
	    VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_4X |
		    VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES(15));
	memset(at(&b, DEPTH_BASE), 0x80, 4096);
	gc_pe_begin_draw(b.gc);
	CHECK_EQ(gc_pe_samples(b.gc), 4);
	bench_quads(&quads, 1, 2, 0, 0.25f);
	quads.z[1][2] = 0.9f;            /* sample 1 of the lower left pixel */
	quads.quad[0].coverage = 0x7fff; /* sample 3 of the lower right pixel is not covered */
	CHECK(gc_pe_depth(b.gc, &quads));
	CHECK_EQ(quads.quad[0].coverage, 0x7fff & ~(1u << (4 + 2)));
	for (unsigned int y = 0; y < 4; y++) {
		for (unsigned int x = 0; x < 4; x++) {
			uint32_t offset = gc_layout_offset(GC_TILED, 2, STRIDE, 4, 4 + x, y);
			bool kept = (x == 1 && y == 2) || (x == 3 && y == 3);

			CHECK_EQ(peek(&b, DEPTH_BASE + offset, 4), kept ? 0x80808080 : 0x40000080);
		}
	}
}

TEST(sample_mask)
{
	bench_open(&b, "gc3000");
	set(&b, VIVS_GL_MULTI_SAMPLE_CONFIG,
	    VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_2X |
		    VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES(2));
	gc_pe_begin_draw(b.gc);
	CHECK_EQ(gc_pe_samples(b.gc), 2);
	bench_quads(&quads, 1, 0, 0, 0);
	CHECK(gc_pe_depth(b.gc, &quads));
	CHECK_EQ(quads.quad[0].coverage, 0xf0);
}

TEST(occlusion_query)
{
	uint64_t untouched = 0x1122334455667788;

	bench_open(&b, "gc3000");
	bench_depth(&b, true, LESS, true, STRIDE);
	memset(at(&b, DEPTH_BASE), 0x80, 4096);
	memcpy(at(&b, OTHER_BASE + 8), &untouched, 8);
	gc_pe_end_query(b.gc); /* no effect without a query */
	gc_pe_query_address(b.gc, OTHER_BASE);
	for (unsigned int turn = 0; turn < 3; turn++) {
		gc_pe_begin_draw(b.gc);
		bench_quads(&quads, 5, 0, 4 * (int)turn, 0.25f);
		quads.quad[1].coverage = 0x9;
		quads.z[0][9] = 0.9f;
		CHECK(gc_pe_depth(b.gc, &quads));
	}
	gc_pe_end_query(b.gc);
	CHECK_EQ(peek(&b, OTHER_BASE, 8), 3 * (4 + 2 + 3 + 4 + 4));
	CHECK_EQ(peek(&b, OTHER_BASE + 8, 8), untouched);
	/* counting stops */
	gc_pe_begin_draw(b.gc);
	bench_quads(&quads, 1, 32, 32, 0.25f);
	CHECK(gc_pe_depth(b.gc, &quads));
	CHECK_EQ(peek(&b, OTHER_BASE, 8), 51);
	/* an unmapped address faults, and the query ends */
	bench_enable_mmu(&b, RAM_BASE + RAM_BYTES);
	gc_pe_query_address(b.gc, 0x4000);
	gc_pe_end_query(b.gc);
	CHECK(b.gc->mmu.faulted);
}

TEST(reset_forgets_query_and_caches)
{
	bench_open(&b, "gc3000");
	bench_depth(&b, true, ALWAYS, true, STRIDE);
	gc_pe_query_address(b.gc, OTHER_BASE);
	gc_pe_begin_draw(b.gc);
	bench_quads(&quads, 4, 0, 0, 0.5f);
	CHECK(gc_pe_depth(b.gc, &quads));
	gc_pe_reset(b.gc);
	gc_pe_end_query(b.gc);
	CHECK_EQ(peek(&b, OTHER_BASE, 8), 0);
	gc_pe_flush(b.gc, true, true);
	CHECK_EQ(b.gc->work.depth_write_bytes, 0);
}

TEST(counters_and_traffic_of_a_scene)
{
	bench_open(&b, "gc3000");
	bench_depth(&b, true, LESS, true, STRIDE);
	memset(at(&b, DEPTH_BASE), 0x80, 65536);
	gc_pe_begin_draw(b.gc);
	/* 16 quads: eight tiles of one row; every other quad is behind */
	bench_quads(&quads, 16, 0, 0, 0.25f);
	for (unsigned int q = 1; q < 16; q += 2)
		for (unsigned int i = 0; i < 4; i++)
			quads.z[0][4 * q + i] = 0.9f;
	CHECK(gc_pe_depth(b.gc, &quads));
	CHECK_EQ(b.gc->counters.pe_drawn_by_depth, 32);
	CHECK_EQ(b.gc->counters.pe_killed_by_depth, 32);
	CHECK_EQ(b.gc->work.depth_read_bytes, 8 * 64);
	CHECK_EQ(b.gc->work.depth_write_bytes, 0);
	gc_pe_flush(b.gc, true, false);
	CHECK_EQ(b.gc->work.depth_write_bytes, 0);
	gc_pe_flush(b.gc, false, true);
	CHECK_EQ(b.gc->work.depth_write_bytes, 8 * 64);
	CHECK_EQ(b.gc->counters.pe_read_bytes, 8 * 64);
	CHECK_EQ(b.gc->counters.pe_write_bytes, 8 * 64);
}

TEST(fault_in_the_middle)
{
	bench_open(&b, "gc3000");
	bench_depth(&b, true, ALWAYS, true, STRIDE);
	bench_enable_mmu(&b, DEPTH_BASE + GC_PAGE_SIZE);
	set(&b, VIVS_PE_PIPE_DEPTH_ADDR(0), DEPTH_BASE + GC_PAGE_SIZE - 4 * STRIDE);
	gc_pe_begin_draw(b.gc);
	bench_quads(&quads, 2, 0, 0, 0.5f);
	quads.quad[1].y = 4; /* the next row of tiles is past the end of memory */
	CHECK(!gc_pe_depth(b.gc, &quads));
	CHECK(b.gc->mmu.faulted);
}

int main(void)
{
	int status = test_all();

	bench_close(&b);
	return status;
}
