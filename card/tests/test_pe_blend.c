// SPDX-License-Identifier: MIT
/*
 * Blending and logic operations against a reference in double precision: all equations with all
 * pairs of factors, for colour and alpha separately.
 */
#include "tests/check.h"
#include "tests/pixel_bench.h"

#define FACTORS 15
#define EQUATIONS 5
#define STRIDE 256

static struct pixel_bench b;
static struct gc_quads quads;
static struct gc_vec4 color;

static double ref_factor(unsigned int func, unsigned int c, const double s[4], const double d[4],
			 const double k[4])
{
	switch (func) {
	case BLEND_FUNC_ZERO:
		return 0;
	case BLEND_FUNC_ONE:
		return 1;
	case BLEND_FUNC_SRC_COLOR:
		return s[c];
	case BLEND_FUNC_ONE_MINUS_SRC_COLOR:
		return 1 - s[c];
	case BLEND_FUNC_SRC_ALPHA:
		return s[3];
	case BLEND_FUNC_ONE_MINUS_SRC_ALPHA:
		return 1 - s[3];
	case BLEND_FUNC_DST_ALPHA:
		return d[3];
	case BLEND_FUNC_ONE_MINUS_DST_ALPHA:
		return 1 - d[3];
	case BLEND_FUNC_DST_COLOR:
		return d[c];
	case BLEND_FUNC_ONE_MINUS_DST_COLOR:
		return 1 - d[c];
	case BLEND_FUNC_SRC_ALPHA_SATURATE:
		return c == 3 ? 1 : fmin(s[3], 1 - d[3]);
	case BLEND_FUNC_CONSTANT_ALPHA:
		return k[3];
	case BLEND_FUNC_ONE_MINUS_CONSTANT_ALPHA:
		return 1 - k[3];
	case BLEND_FUNC_CONSTANT_COLOR:
		return k[c];
	default:
		return 1 - k[c];
	}
}

static double ref_blend(unsigned int equation, double s, double sf, double d, double df)
{
	switch (equation) {
	case BLEND_EQ_ADD:
		return s * sf + d * df;
	case BLEND_EQ_SUBTRACT:
		return s * sf - d * df;
	case BLEND_EQ_REVERSE_SUBTRACT:
		return d * df - s * sf;
	case BLEND_EQ_MIN:
		return fmin(s, d);
	default:
		return fmax(s, d);
	}
}

static double clamp01(double v)
{
	return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* Set both forms of the blend constant as Mesa etnaviv does: EXT0_B has red, EXT1_R has blue. */
static void set_constant(const double k[4])
{
	uint16_t h[4];

	for (unsigned int c = 0; c < 4; c++)
		h[c] = gc_half_from_float((float)k[c]);
	set(&b, VIVS_PE_ALPHA_COLOR_EXT0,
	    VIVS_PE_ALPHA_COLOR_EXT0_B(h[0]) | VIVS_PE_ALPHA_COLOR_EXT0_G(h[1]));
	set(&b, VIVS_PE_ALPHA_COLOR_EXT1,
	    VIVS_PE_ALPHA_COLOR_EXT1_R(h[2]) | VIVS_PE_ALPHA_COLOR_EXT1_A(h[3]));
	set(&b, VIVS_PE_ALPHA_BLEND_COLOR,
	    VIVS_PE_ALPHA_BLEND_COLOR_R((uint32_t)(k[0] * 255 + 0.5)) |
		    VIVS_PE_ALPHA_BLEND_COLOR_G((uint32_t)(k[1] * 255 + 0.5)) |
		    VIVS_PE_ALPHA_BLEND_COLOR_B((uint32_t)(k[2] * 255 + 0.5)) |
		    VIVS_PE_ALPHA_BLEND_COLOR_A((uint32_t)(k[3] * 255 + 0.5)));
}

static uint32_t blend_config(unsigned int eq_c, unsigned int src_c, unsigned int dst_c,
			     unsigned int eq_a, unsigned int src_a, unsigned int dst_a)
{
	return VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR | VIVS_PE_ALPHA_CONFIG_BLEND_SEPARATE_ALPHA |
	       VIVS_PE_ALPHA_CONFIG_EQ_COLOR(eq_c) | VIVS_PE_ALPHA_CONFIG_SRC_FUNC_COLOR(src_c) |
	       VIVS_PE_ALPHA_CONFIG_DST_FUNC_COLOR(dst_c) | VIVS_PE_ALPHA_CONFIG_EQ_ALPHA(eq_a) |
	       VIVS_PE_ALPHA_CONFIG_SRC_FUNC_ALPHA(src_a) |
	       VIVS_PE_ALPHA_CONFIG_DST_FUNC_ALPHA(dst_a);
}

/* Where @lane of sixteen quads in the first row of a tiled A8R8G8B8 target is. */
static uint32_t pixel_address(unsigned int lane)
{
	uint32_t x = 2 * (lane / 4) + (lane & 1), y = lane >> 1 & 1;

	return COLOR_BASE + gc_layout_offset(GC_TILED, 1, STRIDE, 4, x, y);
}

static uint32_t random_pixels[GC_LANES];

static void random_scene(uint32_t *seed)
{
	for (unsigned int i = 0; i < GC_LANES; i++) {
		uint32_t pixel = next_random(seed);

		random_pixels[i] = i & 1 ? pixel : pixel | 0xff000000;
		memcpy(at(&b, pixel_address(i)), &random_pixels[i], 4);
		for (unsigned int c = 0; c < 4; c++)
			color.c[c].f[i] = random_unit(seed) * 1.5f - 0.25f;
	}
}

static unsigned int shift_of(unsigned int c)
{
	static const unsigned int shift[] = { 16, 8, 0, 24 };

	return shift[c];
}

/* Check all lanes after blending; returns false if one differs. */
static bool matches(const unsigned int eq[2], const unsigned int src[2], const unsigned int dst[2],
		    const double k[4])
{
	for (unsigned int i = 0; i < GC_LANES; i++) {
		uint32_t pixel = (uint32_t)peek(&b, pixel_address(i), 4);
		double s[4], d[4];

		for (unsigned int c = 0; c < 4; c++) {
			s[c] = clamp01((double)color.c[c].f[i]);
			d[c] = (random_pixels[i] >> shift_of(c) & 0xff) / 255.0;
		}
		for (unsigned int c = 0; c < 4; c++) {
			unsigned int a = c == 3;
			double want = clamp01(ref_blend(eq[a], s[c], ref_factor(src[a], c, s, d, k),
							d[c], ref_factor(dst[a], c, s, d, k)));

			if (fabs((pixel >> shift_of(c) & 0xff) - want * 255.0) > 0.5 + 1e-3)
				return false;
		}
	}
	return true;
}

TEST(all_equations_and_factors)
{
	const double k[4] = { 0.25, 0.75, 0.5, 0.375 };
	uint32_t seed = 7;

	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	bench_quads(&quads, 16, 0, 0, 0.5f);
	set_constant(k);
	for (unsigned int n = 0; n < EQUATIONS * FACTORS * FACTORS; n++) {
		unsigned int eq[2] = { n % EQUATIONS, (n + 2) % EQUATIONS };
		unsigned int src[2] = { n / EQUATIONS % FACTORS, (n / EQUATIONS + 4) % FACTORS };
		unsigned int dst[2] = { n / EQUATIONS / FACTORS,
					(n / EQUATIONS / FACTORS + 9) % FACTORS };

		random_scene(&seed);
		set(&b, VIVS_PE_ALPHA_CONFIG,
		    blend_config(eq[0], src[0], dst[0], eq[1], src[1], dst[1]));
		CHECK(gc_pe_begin_draw(b.gc));
		CHECK(gc_pe_color(b.gc, &quads, &color));
		if (!matches(eq, src, dst, k))
			printf("equations %u %u, factors %u %u, %u %u\n", eq[0], eq[1], src[0],
			       src[1], dst[0], dst[1]);
		CHECK(matches(eq, src, dst, k));
	}
}

TEST(constants_of_eight_bits)
{
	double k[4] = { 0.2, 0.4, 0.6, 0.8 };

	bench_open(&b, "gc2000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	set_constant(k);
	set(&b, VIVS_PE_ALPHA_CONFIG,
	    blend_config(BLEND_EQ_ADD, BLEND_FUNC_CONSTANT_COLOR, BLEND_FUNC_ZERO, BLEND_EQ_ADD,
			 BLEND_FUNC_CONSTANT_ALPHA, BLEND_FUNC_ZERO));
	bench_quads(&quads, 1, 0, 0, 0.5f);
	bench_color(&color, 1, 1, 1, 1);
	CHECK(gc_pe_begin_draw(b.gc));
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(peek(&b, COLOR_BASE, 4), 0xcc336699);
}

TEST(alpha_follows_colour_unless_separate)
{
	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	set(&b, VIVS_PE_ALPHA_CONFIG,
	    blend_config(BLEND_EQ_ADD, BLEND_FUNC_ONE, BLEND_FUNC_ZERO, BLEND_EQ_ADD,
			 BLEND_FUNC_ZERO, BLEND_FUNC_ZERO) &
		    ~VIVS_PE_ALPHA_CONFIG_BLEND_SEPARATE_ALPHA);
	bench_quads(&quads, 1, 0, 0, 0.5f);
	bench_color(&color, 1, 0, 0, 1);
	CHECK(gc_pe_begin_draw(b.gc));
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(peek(&b, COLOR_BASE, 4), 0xffff0000);
}

/* Eight quads of a batch on the same pixels: each is blended with the result of those before it. */
TEST(order_within_a_batch)
{
	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	set(&b, VIVS_PE_ALPHA_CONFIG,
	    blend_config(BLEND_EQ_ADD, BLEND_FUNC_ONE, BLEND_FUNC_ONE, BLEND_EQ_ADD, BLEND_FUNC_ONE,
			 BLEND_FUNC_ONE));
	bench_quads(&quads, 16, 0, 0, 0.5f);
	for (unsigned int q = 0; q < 16; q++)
		quads.quad[q].x = (int16_t)(q % 2 * 2);
	bench_color(&color, 10 / 255.0f, 0, 0, 0);
	CHECK(gc_pe_begin_draw(b.gc));
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(peek(&b, pixel_address(0), 4), 80 << 16);
	CHECK_EQ(peek(&b, pixel_address(4), 4), 80 << 16);
}

/* Float targets clamp neither sources nor results. */
TEST(float_targets_do_not_clamp)
{
	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A16B16G16R16F, false, STRIDE);
	set(&b, VIVS_PE_ALPHA_CONFIG,
	    blend_config(BLEND_EQ_ADD, BLEND_FUNC_ONE, BLEND_FUNC_ONE, BLEND_EQ_SUBTRACT,
			 BLEND_FUNC_ONE, BLEND_FUNC_ONE));
	bench_quads(&quads, 1, 0, 0, 0.5f);
	bench_color(&color, 100, -2, 0.5f, 1);
	for (unsigned int turn = 0; turn < 2; turn++) {
		CHECK(gc_pe_begin_draw(b.gc));
		CHECK(gc_pe_color(b.gc, &quads, &color));
	}
	CHECK_EQ(peek(&b, COLOR_BASE, 2), gc_half_from_float(200));
	CHECK_EQ(peek(&b, COLOR_BASE + 2, 2), gc_half_from_float(-4));
	CHECK_EQ(peek(&b, COLOR_BASE + 4, 2), gc_half_from_float(1));
	CHECK_EQ(peek(&b, COLOR_BASE + 6, 2), gc_half_from_float(0));
}

/* Cores before HALTI3 do not encode what they write. */
TEST(no_srgb_targets)
{
	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	set(&b, VIVS_PE_LOGIC_OP,
	    gc_state_u32(&b.gc->state, VIVS_PE_LOGIC_OP) | VIVS_PE_LOGIC_OP_SRGB);
	bench_quads(&quads, 1, 0, 0, 0.5f);
	bench_color(&color, 0.5f, 1, 0, 0.5f);
	CHECK(gc_pe_begin_draw(b.gc));
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(peek(&b, COLOR_BASE, 4), 0x8080ff00);
}

static uint32_t ref_logic(unsigned int op, uint32_t s, uint32_t d)
{
	switch (op) {
	case LOGIC_OP_CLEAR:
		return 0;
	case LOGIC_OP_NOR:
		return ~(s | d);
	case LOGIC_OP_AND_INVERTED:
		return ~s & d;
	case LOGIC_OP_COPY_INVERTED:
		return ~s;
	case LOGIC_OP_AND_REVERSE:
		return s & ~d;
	case LOGIC_OP_INVERT:
		return ~d;
	case LOGIC_OP_XOR:
		return s ^ d;
	case LOGIC_OP_NAND:
		return ~(s & d);
	case LOGIC_OP_AND:
		return s & d;
	case LOGIC_OP_EQUIV:
		return ~(s ^ d);
	case LOGIC_OP_NOOP:
		return d;
	case LOGIC_OP_OR_INVERTED:
		return ~s | d;
	case LOGIC_OP_COPY:
		return s;
	case LOGIC_OP_OR_REVERSE:
		return s | ~d;
	case LOGIC_OP_OR:
		return s | d;
	default:
		return 0xffffffff;
	}
}

TEST(logic_operations)
{
	uint32_t old = 0x12345678, source = 0xffcc33aa;

	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, STRIDE);
	bench_quads(&quads, 1, 0, 0, 0.5f);
	bench_color(&color, 0xcc / 255.0f, 0x33 / 255.0f, 0xaa / 255.0f, 1);
	for (unsigned int op = 0; op < 16; op++) {
		set(&b, VIVS_PE_LOGIC_OP,
		    VIVS_PE_LOGIC_OP_OP(op) | VIVS_PE_LOGIC_OP_SINGLE_BUFFER(2));
		memcpy(at(&b, COLOR_BASE), &old, 4);
		CHECK(gc_pe_begin_draw(b.gc));
		CHECK(gc_pe_color(b.gc, &quads, &color));
		CHECK_EQ(peek(&b, COLOR_BASE, 4), ref_logic(op, source, old));
	}
}

int main(void)
{
	int status = test_all();

	bench_close(&b);
	return status;
}
