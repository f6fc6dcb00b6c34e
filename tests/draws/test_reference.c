// SPDX-License-Identifier: MIT
/*
 * The reference against values computed by hand from OpenGL 2.1.
 */
#include "check.h"

#include <stdlib.h>

#include "blend.h"
#include "fragment.h"
#include "reference.h"
#include "texture.h"
#include "upload.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct range at(double value)
{
	return (struct range){ value, value };
}

/* --- Blending ---------------------------------------------------------------------- */

static const double source[4] = { 0.5, 0.25, 0.75, 0.4 };
static const double target[4] = { 0.2, 0.6, 0.1, 0.8 };
static const double constant[4] = { 0.1, 0.3, 0.9, 0.7 };

/* @result: NAN where the reference permits more than one value */
static void blend(GLenum equation, GLenum source_factor, GLenum target_factor, double result[4])
{
	struct blend state = { .enabled = true,
			       .equations = { equation, equation },
			       .factors = { source_factor, target_factor, source_factor,
					    target_factor } };
	struct range from[4], to[4], out[4];

	for (int i = 0; i < 4; i++) {
		from[i] = at(source[i]);
		to[i] = at(target[i]);
		state.constant[i] = at(constant[i]);
	}
	blend_color(&state, from, to, out);
	for (int i = 0; i < 4; i++)
		result[i] = out[i].low == out[i].high ? out[i].low : NAN;
}

TEST(blend_equations_are_those_of_section_4_1_8)
{
	static const struct {
		GLenum equation;
		double expected[4];
	} cases[] = {
		{ GL_FUNC_ADD, { 0.7, 0.85, 0.85, 1.2 } },
		{ GL_FUNC_SUBTRACT, { 0.3, -0.35, 0.65, -0.4 } },
		{ GL_FUNC_REVERSE_SUBTRACT, { -0.3, 0.35, -0.65, 0.4 } },
		{ GL_MIN, { 0.2, 0.25, 0.1, 0.4 } },
		{ GL_MAX, { 0.5, 0.6, 0.75, 0.8 } },
	};
	double result[4];

	for (unsigned i = 0; i < COUNT(cases); i++) {
		blend(cases[i].equation, GL_ONE, GL_ONE, result);
		for (int j = 0; j < 4; j++)
			CHECK_NEAR(result[j], cases[i].expected[j], 1e-12);
	}
	/* Factors count for sums only. */
	blend(GL_MIN, GL_ZERO, GL_ZERO, result);
	CHECK_NEAR(result[0], 0.2, 1e-12);
}

TEST(blend_factors_are_those_of_table_4_2)
{
	/* Products of the source, 0.5 0.25 0.75 0.4, with each factor. */
	static const struct {
		GLenum factor;
		double expected[4];
	} cases[] = {
		{ GL_ZERO, { 0, 0, 0, 0 } },
		{ GL_ONE, { 0.5, 0.25, 0.75, 0.4 } },
		{ GL_SRC_COLOR, { 0.25, 0.0625, 0.5625, 0.16 } },
		{ GL_ONE_MINUS_SRC_COLOR, { 0.25, 0.1875, 0.1875, 0.24 } },
		{ GL_DST_COLOR, { 0.1, 0.15, 0.075, 0.32 } },
		{ GL_ONE_MINUS_DST_COLOR, { 0.4, 0.1, 0.675, 0.08 } },
		{ GL_SRC_ALPHA, { 0.2, 0.1, 0.3, 0.16 } },
		{ GL_ONE_MINUS_SRC_ALPHA, { 0.3, 0.15, 0.45, 0.24 } },
		{ GL_DST_ALPHA, { 0.4, 0.2, 0.6, 0.32 } },
		{ GL_ONE_MINUS_DST_ALPHA, { 0.1, 0.05, 0.15, 0.08 } },
		{ GL_CONSTANT_COLOR, { 0.05, 0.075, 0.675, 0.28 } },
		{ GL_ONE_MINUS_CONSTANT_COLOR, { 0.45, 0.175, 0.075, 0.12 } },
		{ GL_CONSTANT_ALPHA, { 0.35, 0.175, 0.525, 0.28 } },
		{ GL_ONE_MINUS_CONSTANT_ALPHA, { 0.15, 0.075, 0.225, 0.12 } },
		{ GL_SRC_ALPHA_SATURATE, { 0.1, 0.05, 0.15, 0.4 } },
	};
	double result[4];

	for (unsigned i = 0; i < COUNT(cases); i++) {
		blend(GL_FUNC_ADD, cases[i].factor, GL_ZERO, result);
		for (int j = 0; j < 4; j++)
			CHECK_NEAR(result[j], cases[i].expected[j], 1e-12);
	}
	/* Of the target, 0.2 0.6 0.1 0.8. */
	blend(GL_FUNC_ADD, GL_ZERO, GL_CONSTANT_COLOR, result);
	CHECK_NEAR(result[2], 0.09, 1e-12);
}

TEST(logic_operations_are_those_of_table_4_3)
{
	/* Source 0011 and target 0101 of 4 bits, in the order of the names from CLEAR to SET. */
	static const int expected[16] = { 0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7,
					  0x8, 0x9, 0xa, 0xb, 0xc, 0xd, 0xe, 0xf };

	for (int i = 0; i < 16; i++) {
		struct range result = logic_operation(GL_CLEAR + i, at(3 / 15.0), at(5 / 15.0), 4);
		static const int names[16] = {
			[GL_CLEAR - GL_CLEAR] = 0x0,         [GL_AND - GL_CLEAR] = 0x1,
			[GL_AND_REVERSE - GL_CLEAR] = 0x2,   [GL_COPY - GL_CLEAR] = 0x3,
			[GL_AND_INVERTED - GL_CLEAR] = 0x4,  [GL_NOOP - GL_CLEAR] = 0x5,
			[GL_XOR - GL_CLEAR] = 0x6,           [GL_OR - GL_CLEAR] = 0x7,
			[GL_NOR - GL_CLEAR] = 0x8,           [GL_EQUIV - GL_CLEAR] = 0x9,
			[GL_INVERT - GL_CLEAR] = 0xa,        [GL_OR_REVERSE - GL_CLEAR] = 0xb,
			[GL_COPY_INVERTED - GL_CLEAR] = 0xc, [GL_OR_INVERTED - GL_CLEAR] = 0xd,
			[GL_NAND - GL_CLEAR] = 0xe,          [GL_SET - GL_CLEAR] = 0xf,
		};

		CHECK_EQ(names[i], expected[i]);
		CHECK_NEAR(result.low * 15, expected[i], 1e-9);
		CHECK_NEAR(result.high * 15, expected[i], 1e-9);
	}
}

TEST(values_are_stored_in_bits_by_rounding)
{
	struct range stored = store_bits(at(0.5), 5, 0);

	/* 15.5 of 31 may become either. */
	CHECK_NEAR(stored.low * 31, 15, 1e-9);
	CHECK_NEAR(stored.high * 31, 16, 1e-9);
	stored = store_bits(at(100.4 / 255), 8, 0.02);
	CHECK_NEAR(stored.low * 255, 100, 1e-9);
	CHECK_NEAR(stored.high * 255, 100, 1e-9);
	stored = store_bits(at(0.4), 1, 0);
	CHECK_NEAR(stored.high, 0, 0);
	stored = store_bits((struct range){ -1, 2 }, 6, 0);
	CHECK_NEAR(stored.low, 0, 0);
	CHECK_NEAR(stored.high, 1, 0);
	/* No bits of alpha are an alpha of 1. */
	stored = store_bits(at(0.2), 0, 0);
	CHECK_NEAR(stored.low, 1, 0);
}

/* --- Tests of fragments ------------------------------------------------------------ */

TEST(comparisons_are_sure_where_ranges_are_apart)
{
	static const GLenum functions[] = { GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
					    GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS };
	/* 1 and 2, 2 and 2, 3 and 2, 1 to 3 and 2 */
	static const enum sure expected[][4] = {
		{ NO, NO, NO, NO },      { YES, NO, NO, MAYBE }, { NO, YES, NO, MAYBE },
		{ YES, YES, NO, MAYBE }, { NO, NO, YES, MAYBE }, { YES, NO, YES, MAYBE },
		{ NO, YES, YES, MAYBE }, { YES, YES, YES, YES },
	};

	for (unsigned i = 0; i < COUNT(functions); i++) {
		for (int j = 0; j < 3; j++)
			CHECK_EQ(compare_ranges(functions[i], at(1 + j), at(2)), expected[i][j]);
		CHECK_EQ(compare_ranges(functions[i], (struct range){ 1, 3 }, at(2)),
			 expected[i][3]);
	}
}

TEST(stencil_test_masks_both_sides)
{
	struct stencil stencil = { .function = GL_LESS, .reference = 0x35, .mask = 0x0f };

	CHECK_EQ(test_stencil(&stencil, at(0x16)), YES); /* 5 < 6 */
	CHECK_EQ(test_stencil(&stencil, at(0xf5)), NO);
	stencil.function = GL_EQUAL;
	CHECK_EQ(test_stencil(&stencil, at(0xf5)), YES);
	CHECK_EQ(test_stencil(&stencil, (struct range){ 4, 6 }), MAYBE);
	stencil.mask = 0;
	CHECK_EQ(test_stencil(&stencil, at(0x77)), YES);
}

TEST(stencil_operations_are_those_of_section_4_1_5)
{
	static const struct {
		GLenum operation;
		unsigned old, new;
	} cases[] = {
		{ GL_KEEP, 200, 200 },  { GL_ZERO, 200, 0 },       { GL_REPLACE, 200, 0x35 },
		{ GL_INCR, 200, 201 },  { GL_INCR, 255, 255 },     { GL_DECR, 200, 199 },
		{ GL_DECR, 0, 0 },      { GL_INVERT, 0xa5, 0x5a }, { GL_INCR_WRAP, 255, 0 },
		{ GL_INCR_WRAP, 7, 8 }, { GL_DECR_WRAP, 0, 255 },  { GL_DECR_WRAP, 7, 6 },
	};
	struct stencil stencil = { .reference = 0x35, .mask = 255, .write = 255 };
	struct range changed;

	for (unsigned i = 0; i < COUNT(cases); i++) {
		changed = change_stencil(&stencil, cases[i].operation, at(cases[i].old));
		CHECK_EQ(changed.low, cases[i].new);
		CHECK_EQ(changed.high, cases[i].new);
	}
	stencil.write = 0x0f;
	changed = change_stencil(&stencil, GL_REPLACE, at(0xa1));
	CHECK_EQ(changed.low, 0xa5);
	CHECK_EQ(changed.high, 0xa5);
}

/* --- Textures ---------------------------------------------------------------------- */

TEST(wraps_are_those_of_table_3_19)
{
	static const struct {
		GLenum mode;
		int expected[8]; /* of texels -3 to 4 in a row of 2 */
	} cases[] = {
		{ GL_REPEAT, { 1, 0, 1, 0, 1, 0, 1, 0 } },
		{ GL_CLAMP_TO_EDGE, { 0, 0, 0, 0, 1, 1, 1, 1 } },
		{ GL_MIRRORED_REPEAT, { 1, 1, 0, 0, 1, 1, 0, 0 } },
		{ GL_CLAMP_TO_BORDER, { -1, -1, -1, 0, 1, -1, -1, -1 } },
	};

	for (unsigned i = 0; i < COUNT(cases); i++)
		for (int j = 0; j < 8; j++)
			CHECK_EQ(wrap_texel(cases[i].mode, j - 3, 2), cases[i].expected[j]);
}

/* A texture of this format whose texel x, y of level l has a red of x * 0.2 + y * 0.1 + l * 0.5. */
static void make(struct texture *texture, GLenum format, unsigned width, unsigned height,
		 unsigned levels)
{
	const struct command command = { OP_TEXTURE, 5, { format, width, height, levels, 1 } };

	memset(texture, 0, sizeof(*texture));
	texture->limits[0] = -1000;
	texture->limits[1] = 1000;
	texture->wrap[0] = texture->wrap[1] = GL_REPEAT;
	texture->minify = texture->magnify = GL_NEAREST;
	make_texture(texture, &command);
	for (unsigned l = 0; l < levels; l++)
		for (unsigned y = 0; y < SIZE; y++)
			for (unsigned x = 0; x < SIZE; x++)
				texture->texels[l][y][x][0] = at(x * 0.2 + y * 0.1 + l * 0.5);
}

/* The red of a sample, where a pixel is @scale texels of level 0. */
static struct range red(const struct texture *texture, double s, double t, double scale)
{
	const double place[2] = { s, t },
		     slopes[4] = { scale / texture->width, 0, 0, scale / texture->height };
	struct range result[4];

	sample_texture(texture, place, slopes, 0, result);
	return result[0];
}

/* The range has the value, and is not wider than @slack. */
#define CHECK_RANGE(range_, value, slack)                                               \
	do {                                                                            \
		struct range range__ = (range_);                                        \
		CHECK(range__.low <= (value) + 1e-9 && range__.high >= (value) - 1e-9); \
		CHECK(range__.high - range__.low <= (slack));                           \
	} while (0)

TEST(filters_weigh_texels_by_their_distance)
{
	struct texture texture;

	make(&texture, GL_RGBA8, 4, 2, 1);
	CHECK_RANGE(red(&texture, 2.3 / 4, 1.4 / 2, 0.5), 0.5, 1e-9);
	CHECK_RANGE(red(&texture, -0.7 / 4, 0.4 / 2, 0.5), 0.6, 1e-9);
	texture.magnify = GL_LINEAR;
	/* A quarter on from the centre of 1, 0: 3/4 of 0.2 and 1/4 of 0.4. */
	CHECK_RANGE(red(&texture, 1.75 / 4, 0.5 / 2, 0.5), 0.25, 0.02);
	/* The middle of four texels: 0.2, 0.4, 0.3, 0.5. */
	CHECK_RANGE(red(&texture, 2.0 / 4, 1.0 / 2, 0.5), 0.35, 0.02);
}

TEST(borders_are_outside_and_mixed_in_at_edges)
{
	struct texture texture;

	make(&texture, GL_RGBA8, 4, 2, 1);
	texture.border[0] = 1;
	texture.wrap[0] = GL_CLAMP_TO_BORDER;
	CHECK_RANGE(red(&texture, -0.2 / 4, 0.4 / 2, 0.5), 1, 1e-9);
	CHECK_RANGE(red(&texture, 3.9 / 4, 0.4 / 2, 0.5), 0.6, 1e-9);
	texture.magnify = GL_LINEAR;
	/* Half of 0.6 and half of the border's 1 at the edge. */
	CHECK_RANGE(red(&texture, 1, 0.5 / 2, 0.5), 0.8, 0.02);
	CHECK_RANGE(red(&texture, 1.3, 0.5 / 2, 0.5), 1, 0.02);
	/* GL_CLAMP gets no further than to the edge, and has no border if texels are not mixed. */
	texture.wrap[0] = GL_CLAMP;
	CHECK_RANGE(red(&texture, 1.3, 0.5 / 2, 0.5), 0.8, 0.02);
	texture.magnify = GL_NEAREST;
	CHECK_RANGE(red(&texture, 1.3, 0.5 / 2, 0.5), 0.6, 1e-9);
}

TEST(levels_and_filters_follow_the_level_of_detail)
{
	struct texture texture;

	make(&texture, GL_RGBA8, 4, 4, 3);
	texture.wrap[0] = texture.wrap[1] = GL_CLAMP_TO_EDGE;
	texture.minify = GL_NEAREST_MIPMAP_NEAREST;
	CHECK_RANGE(red(&texture, 0.1, 0.1, 1.1), 0, 1e-9);
	CHECK_RANGE(red(&texture, 0.1, 0.1, 2), 0.5, 1e-9);
	CHECK_RANGE(red(&texture, 0.1, 0.1, 100), 1, 1e-9);
	texture.bias = 1;
	CHECK_RANGE(red(&texture, 0.1, 0.1, 2), 1, 1e-9);
	texture.limits[1] = 1.25;
	CHECK_RANGE(red(&texture, 0.1, 0.1, 100), 0.5, 1e-9);
	texture.limits[0] = texture.limits[1] = 2;
	CHECK_RANGE(red(&texture, 0.1, 0.1, 0.1), 1, 1e-9);
	texture.limits[0] = texture.bias = 0;
	texture.minify = GL_NEAREST_MIPMAP_LINEAR;
	/* Level 0.5: halfway from 0 to 0.5; LEVEL_SLACK makes it 0.2 to 0.3. */
	CHECK_RANGE(red(&texture, 0.1, 0.1, M_SQRT2), 0.25, 0.12);
}

TEST(base_level_is_the_first_of_the_levels)
{
	struct texture texture;

	/* Level 1 is 2 x 2 texels, of which 0, 0 is 0.5; level 2 one of 1. */
	make(&texture, GL_RGBA8, 4, 4, 3);
	set_levels(&texture, 1, 2);
	CHECK_RANGE(red(&texture, 0.1, 0.1, 0.5), 0.5, 1e-9);
	/* Two texels of level 0 a pixel are one of the base level: it is magnified up to here. */
	texture.minify = GL_LINEAR_MIPMAP_NEAREST;
	CHECK_RANGE(red(&texture, 0.1, 0.1, 1.8), 0.5, 1e-9);
	texture.minify = GL_NEAREST_MIPMAP_NEAREST;
	CHECK_RANGE(red(&texture, 0.1, 0.1, 4), 1, 1e-9);
	/* The last level is the highest. */
	set_levels(&texture, 1, 1);
	CHECK_RANGE(red(&texture, 0.1, 0.1, 4), 0.5, 1e-9);
	/* A base level after the last is the last. */
	set_levels(&texture, 7, 0);
	CHECK_RANGE(red(&texture, 0.1, 0.1, 0.1), 1, 1e-9);
	/* Limits count from the base level. */
	set_levels(&texture, 1, 2);
	texture.limits[0] = 1;
	CHECK_RANGE(red(&texture, 0.1, 0.1, 0.1), 1, 1e-9);
}

TEST(texels_are_replaced_in_a_part_of_a_level)
{
	static const struct command fill = { OP_FILL, 9, { 0, 1, 1, 2, 9, 0.6, 0, 0, 1 } };
	static const struct command replace = { OP_REPLACE, 6, { 0, 2, 0, 9, 1, 77 } };
	struct texture texture;
	uint8_t texel[4];

	make(&texture, GL_RGBA8, 4, 2, 1);
	fill_texels(&texture, &fill);
	CHECK_RANGE(red(&texture, 1.5 / 4, 1.5 / 2, 0.5), 0.6, 1e-9);
	CHECK_RANGE(red(&texture, 0.5 / 4, 0.5 / 2, 0.5), 0, 1e-9);
	replace_texels(&texture, &replace);
	make_texel(77, 0, 1, 0, texel);
	CHECK_RANGE(red(&texture, 3.5 / 4, 0.5 / 2, 0.5), texel[0] / 255.0, 1e-9);
	CHECK_RANGE(red(&texture, 1.5 / 4, 0.5 / 2, 0.5), 0.2, 1e-9);
}

TEST(formats_keep_their_parts)
{
	const struct range color[4] = { at(0.2), at(0.4), at(0.6), at(0.8) };
	static const struct {
		GLenum format;
		double expected[4];
	} cases[] = {
		{ GL_RGBA8, { 0.2, 0.4, 0.6, 0.8 } },
		{ GL_RGB8, { 0.2, 0.4, 0.6, 1 } },
		{ GL_ALPHA8, { 1, 1, 1, 0.8 } },
		{ GL_LUMINANCE8, { 0.2, 0.2, 0.2, 1 } },
		{ GL_LUMINANCE8_ALPHA8, { 0.2, 0.2, 0.2, 0.8 } },
		{ GL_INTENSITY8, { 0.2, 0.2, 0.2, 0.2 } },
		{ GL_RGBA4, { 0.2, 0.4, 0.6, 0.8 } },
		{ GL_RGB565, { 6 / 31.0, 25 / 63.0, 19 / 31.0, 1 } },
		{ GL_RGB5_A1, { 6 / 31.0, 12 / 31.0, 19 / 31.0, 1 } },
	};
	const double place[2] = { 0.1, 0.1 }, slopes[4] = { 0 };
	struct texture texture;
	struct range result[4];

	for (unsigned i = 0; i < COUNT(cases); i++) {
		make(&texture, cases[i].format, 1, 1, 1);
		copy_texel(&texture, 0, 0, color);
		sample_texture(&texture, place, slopes, 0, result);
		for (int j = 0; j < 4; j++)
			CHECK_RANGE(result[j], cases[i].expected[j],
				    cases[i].format == GL_RGB5_A1 && j == 3 ? 0.25 : 0.09);
	}
	/* A program multiplies by no colour where the fixed function keeps its own. */
	make(&texture, GL_ALPHA8, 1, 1, 1);
	texture.es = true;
	copy_texel(&texture, 0, 0, color);
	sample_texture(&texture, place, slopes, 0, result);
	CHECK_RANGE(result[0], 0, 0);
}

TEST(texels_are_packed_with_the_first_part_in_the_highest_bits)
{
	uint8_t texel[4], bytes[SIZE * SIZE * 4];
	uint16_t packed;

	make_texel(7, 0, 0, 0, texel); /* multiples of 17 */
	pack_texels(upload_of(GL_RGBA4), 7, 0, 1, 1, bytes);
	memcpy(&packed, bytes, 2);
	CHECK_EQ(packed,
		 texel[0] / 17 << 12 | texel[1] / 17 << 8 | texel[2] / 17 << 4 | texel[3] / 17);
	pack_texels(upload_of(GL_RGB565), 7, 0, 1, 1, bytes);
	memcpy(&packed, bytes, 2);
	CHECK_EQ(packed >> 11, lrint(texel[0] / 255.0 * 31));
	CHECK_EQ(packed >> 5 & 63, lrint(texel[1] / 255.0 * 63));
	CHECK_EQ(packed & 31, lrint(texel[2] / 255.0 * 31));
	/* Rows begin at multiples of 4 bytes. */
	pack_texels(upload_of(GL_LUMINANCE8), 7, 0, 3, 2, bytes);
	make_texel(7, 0, 0, 1, texel);
	CHECK_EQ(bytes[4], texel[0]);
}

/* --- Scenes ------------------------------------------------------------------------ */

static struct allowed pixels[SIZE][SIZE];

/* Draw a scene written as text. @depth: bits of depth; with 24 there is stencil, too. */
static void draw_text(const char *text, int depth)
{
	const struct choices choices = { .target = { 8, 8, 8, 8 },
					 .depth = depth,
					 .stencil = depth == 24 ? 8 : 0 };
	static struct scene scene;
	FILE *file = fmemopen((void *)text, strlen(text), "r");

	if (!file || !read_scene(file, &scene))
		abort();
	fclose(file);
	draw_reference(&scene, &choices, pixels);
}

/* The lower left half of the target at this depth in white. */
#define TRIANGLE(z) \
	"draw triangles 0 0 " z " 1 1 1 1 0 0 32 0 " z " 1 1 1 1 0 0 0 32 " z " 1 1 1 1 0 0\n"

TEST(depth_is_tested_and_written)
{
	draw_text("depth LESS 1\nclear 256 0 0 0 0 0.5 0\n" TRIANGLE("0.25"), 24);
	CHECK_NEAR(pixels[4][4].color[0].low, 1, 0);
	CHECK_NEAR(pixels[4][4].depth.low, 0.25, 1e-6);
	CHECK_NEAR(pixels[30][30].color[0].high, 0, 0);
	CHECK_NEAR(pixels[30][30].depth.high, 0.5, 1e-6);
	draw_text("depth LESS 1\nclear 256 0 0 0 0 0.5 0\n" TRIANGLE("0.75"), 24);
	CHECK_NEAR(pixels[4][4].color[0].high, 0, 0);
	/* GL_LESS fails for equal depths. */
	draw_text("depth LESS 1\nclear 256 0 0 0 0 0 0\n" TRIANGLE("0"), 24);
	CHECK_NEAR(pixels[4][4].color[0].high, 0, 0);
	/* With 16 bits, depths within a step of each other give MAYBE. */
	draw_text("depth LESS 1\nclear 256 0 0 0 0 0.5 0\n" TRIANGLE("0.499995"), 16);
	CHECK_NEAR(pixels[4][4].color[0].low, 0, 0);
	CHECK_NEAR(pixels[4][4].color[0].high, 1, 0);
	/* Without a buffer everything passes. */
	draw_text("depth NEVER 1\n" TRIANGLE("0.5"), 0);
	CHECK_NEAR(pixels[4][4].color[0].low, 1, 0);
}

TEST(offset_moves_depth_by_slope_and_units)
{
	/* Depth increases by 1/64 for each pixel. */
	static const char scene[] = "depth ALWAYS 1\npolygon-offset 2 65536\n"
				    "draw triangles 0 0 0 1 1 1 1 0 0 32 0 0.5 1 1 1 1 0 0 "
				    "0 32 0 1 1 1 1 0 0\n";

	draw_text(scene, 24);
	/* 4.5 / 64, twice 1 / 64, and one to two times 65536 / 2^24. */
	CHECK_NEAR(pixels[4][4].depth.low, 4.5 / 64 + 2.0 / 64 + 1 / 256.0, 1e-3);
	CHECK_NEAR(pixels[4][4].depth.high, 4.5 / 64 + 2.0 / 64 + 2 / 256.0, 1e-3);
}

TEST(faces_are_determined_by_their_direction)
{
	draw_text("cull BACK CCW\n" TRIANGLE("0.5"), 24);
	CHECK_NEAR(pixels[4][4].color[0].low, 1, 0);
	draw_text("cull BACK CW\n" TRIANGLE("0.5"), 24);
	CHECK_NEAR(pixels[4][4].color[0].high, 0, 0);
	draw_text("stencil FRONT ALWAYS 3 255 KEEP KEEP REPLACE 255\n"
		  "stencil BACK ALWAYS 5 255 KEEP KEEP REPLACE 255\n" TRIANGLE("0.5"),
		  24);
	CHECK_EQ(pixels[4][4].stencil.low, 3);
	/* Points are of the front. */
	draw_text("stencil FRONT ALWAYS 3 255 KEEP KEEP REPLACE 255\n"
		  "stencil BACK ALWAYS 5 255 KEEP KEEP REPLACE 255\n"
		  "draw points 4.5 4.5 0.5 1 1 1 1 0 0\n",
		  24);
	CHECK_EQ(pixels[4][4].stencil.low, 3);
}

TEST(blits_mirror_and_are_cut_by_the_scissor)
{
	static const char scene[] = "scissor 0 0 1 1\nclear 16384 1 0 0 0 1 0\nscissor 8 8 2 1\n"
				    "blit 16384 0 0 4 1 6 8 1\n";

	draw_text(scene, 24);
	/* Pixel 0 is copied to 9. */
	CHECK_NEAR(pixels[8][9].color[0].low, 1, 0);
	CHECK_NEAR(pixels[8][8].color[0].high, 0, 0);
	CHECK_NEAR(pixels[0][0].color[0].low, 1, 0);
}

TEST(other_context_shows_the_texture_in_its_area)
{
	static const char scene[] = "clear 16384 0 1 0 0 1 0\ntexture RGBA8 1 1 1 8\n"
				    "scissor 0 0 4 32\nother-context 0 0 2 0 4 1\n";
	uint8_t texel[4];

	make_texel(8, 0, 0, 0, texel);
	draw_text(scene, 24);
	CHECK_NEAR(pixels[0][3].color[0].low, texel[0] / 255.0, 0.01);
	CHECK_NEAR(pixels[0][1].color[0].high, 0, 0);
	CHECK_NEAR(pixels[0][4].color[0].high, 0, 0);
}

TEST(second_target_has_its_own_bits)
{
	static struct picture_read picture;
	struct choices choices = { .target = { 8, 8, 8, 8 }, .second = { 5, 6, 5, 0 } };

	picture.second[3][4][1] = 9;
	use_second(&choices, &picture);
	CHECK_EQ(choices.target[1], 6);
	CHECK_EQ(picture.color[3][4][1], 9);
}

TEST(strips_and_fans_share_vertices)
{
	static const struct {
		GLenum mode;
		unsigned count, last;
		unsigned corners[3]; /* of the last primitive of 5 vertices */
	} cases[] = {
		{ GL_POINTS, 1, 4, { 4 } },
		{ GL_LINES, 2, 1, { 2, 3 } },
		{ GL_LINE_STRIP, 2, 3, { 3, 4 } },
		{ GL_LINE_LOOP, 2, 4, { 4, 0 } },
		{ GL_TRIANGLES, 3, 0, { 0, 1, 2 } },
		{ GL_TRIANGLE_STRIP, 3, 2, { 2, 3, 4 } },
		{ GL_TRIANGLE_FAN, 3, 2, { 0, 3, 4 } },
	};
	unsigned corners[3];

	for (unsigned i = 0; i < COUNT(cases); i++) {
		struct command draw = { OP_DRAW, 1 + 5 * VERTEX, { cases[i].mode } };

		CHECK_EQ(primitive_corners(&draw, cases[i].last, corners), cases[i].count);
		for (unsigned j = 0; j < cases[i].count; j++)
			CHECK_EQ(corners[j], cases[i].corners[j]);
		CHECK_EQ(primitive_corners(&draw, cases[i].last + 1, corners), 0);
	}
	/* The second of a strip goes round as the first does. */
	struct command draw = { OP_DRAW, 1 + 5 * VERTEX, { GL_TRIANGLE_STRIP } };

	CHECK_EQ(primitive_corners(&draw, 1, corners), 3);
	CHECK_EQ(corners[1], 3);
	CHECK_EQ(corners[2], 2);
}

TEST(scenes_are_read_as_they_are_written)
{
	static struct scene made, read;
	char *text = NULL;
	size_t size = 0;
	FILE *file;

	for (unsigned i = 0; i < 200; i++) {
		make_scene(&made, 3, i, true);
		file = open_memstream(&text, &size);
		print_scene(file, &made);
		fclose(file);
		file = fmemopen(text, size, "r");
		CHECK(read_scene(file, &read));
		fclose(file);
		CHECK_EQ(read.count, made.count);
		for (unsigned j = 0; j < made.count; j++) {
			CHECK_EQ(read.commands[j].op, made.commands[j].op);
			CHECK_EQ(read.commands[j].count, made.commands[j].count);
			CHECK(!memcmp(read.commands[j].values, made.commands[j].values,
				      made.commands[j].count * sizeof(double)));
		}
		free(text);
	}
}

TEST(a_difference_is_found_and_named)
{
	const struct choices choices = { .target = { 8, 8, 8, 8 }, .depth = 24, .stencil = 8 };
	static struct picture_read picture = { .has_depth = true, .has_stencil = true };
	char text[160];

	draw_text("clear 17664 0.2 0.4 0.6 0.8 0.5 7\n", 24);
	for (int i = 0; i < SIZE * SIZE; i++) {
		const uint8_t color[4] = { 51, 102, 153, 204 };

		memcpy(picture.color[i / SIZE][i % SIZE], color, 4);
		picture.depth[i / SIZE][i % SIZE] = 0.5;
		picture.stencil[i / SIZE][i % SIZE] = 7;
	}
	CHECK(!find_difference(pixels, &choices, &picture, NULL));
	CHECK_EQ(count_sure(pixels, &choices), 4 * SIZE * SIZE);
	picture.stencil[3][2] = 8;
	CHECK(find_difference(pixels, &choices, &picture, text));
	CHECK(strncmp(text, "pixel 2, 3: stencil is 8,", 25) == 0);
	picture.stencil[3][2] = 7;
	picture.color[9][1][1]++;
	CHECK(find_difference(pixels, &choices, &picture, text));
	CHECK(strncmp(text, "pixel 1, 9: green is 103,", 25) == 0);
}

int main(void)
{
	return test_all();
}
