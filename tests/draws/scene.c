// SPDX-License-Identifier: MIT
/* Scenes made from a seed. As text: scene_text.c. */
#include "maker.h"

#include <stdlib.h>
#include <string.h>

static const GLenum factors[] = {
	GL_ZERO,
	GL_ONE,
	GL_SRC_COLOR,
	GL_ONE_MINUS_SRC_COLOR,
	GL_DST_COLOR,
	GL_ONE_MINUS_DST_COLOR,
	GL_SRC_ALPHA,
	GL_ONE_MINUS_SRC_ALPHA,
	GL_DST_ALPHA,
	GL_ONE_MINUS_DST_ALPHA,
	GL_CONSTANT_COLOR,
	GL_ONE_MINUS_CONSTANT_COLOR,
	GL_CONSTANT_ALPHA,
	GL_ONE_MINUS_CONSTANT_ALPHA,
	GL_SRC_ALPHA_SATURATE,
};
static const GLenum equations[] = { GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN,
				    GL_MAX };
static const GLenum functions[] = { GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
				    GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS };
static const GLenum stencil_operations[] = { GL_KEEP, GL_ZERO,   GL_REPLACE,   GL_INCR,
					     GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP };
/* ES_*: number of leading entries of a list that OpenGL ES 2.0 has too. */
static const GLenum wraps[] = { GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT, GL_CLAMP_TO_BORDER,
				GL_CLAMP };
#define ES_WRAPS 3
/* The first two are also those of magnification. */
static const GLenum filters[] = { GL_NEAREST,
				  GL_LINEAR,
				  GL_NEAREST_MIPMAP_NEAREST,
				  GL_LINEAR_MIPMAP_NEAREST,
				  GL_NEAREST_MIPMAP_LINEAR,
				  GL_LINEAR_MIPMAP_LINEAR };
static const GLenum targets[] = { GL_RGBA8, GL_RGB8, GL_RGBA4, GL_RGB5_A1, GL_RGB565, GL_RGB5 };
#define ES_TARGETS 5
static const GLenum depths[] = { GL_DEPTH_COMPONENT16, 0, GL_DEPTH_COMPONENT24 };
#define ES_DEPTHS 2
static const GLenum textures[] = { GL_RGBA8,      GL_RGB8,   GL_RGBA4,      GL_RGB5_A1,
				   GL_RGB565,     GL_ALPHA8, GL_LUMINANCE8, GL_LUMINANCE8_ALPHA8,
				   GL_INTENSITY8, GL_RGB5 };
#define ES_TEXTURES 8
static const GLenum primitives[] = { GL_POINTS, GL_LINES, GL_LINE_STRIP, GL_LINE_LOOP };
static const GLenum polygons[] = { GL_TRIANGLES, GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN };

uint64_t next_number(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

void make_texel(unsigned seed, unsigned level, unsigned x, unsigned y, uint8_t texel[4])
{
	uint64_t state = ((uint64_t)seed << 32) + (level << 24) + (y << 12) + x;
	uint64_t bits = next_number(&state);

	for (int i = 0; i < 4; i++)
		texel[i] = (bits >> (4 * i) & 15) * 17;
}

/* --- Making ------------------------------------------------------------------------ */

unsigned below(struct maker *maker, unsigned end)
{
	return (next_number(&maker->state) >> 20) % end;
}

bool chance(struct maker *maker, unsigned percent)
{
	return below(maker, 100) < percent;
}

/* MAX_COMMANDS is not tested: a scene has four draws at most, each with less than 30 commands. */
struct command *add(struct maker *maker, enum op op)
{
	struct scene *scene = maker->scene;
	struct command *command = &scene->commands[scene->count++];

	command->op = op;
	command->count = 0;
	return command;
}

void put(struct command *command, double value)
{
	command->values[command->count++] = value;
}

/* From 0 to 1, in fifteenths, which 4 and 8 bits have, and now and then between. */
static double part(struct maker *maker)
{
	return chance(maker, 70) ? below(maker, 16) / 15.0 : below(maker, 256) / 255.0;
}

void add_clear(struct maker *maker, unsigned bits)
{
	struct command *command = add(maker, OP_CLEAR);

	put(command, bits);
	for (int i = 0; i < 4; i++)
		put(command, part(maker));
	put(command, chance(maker, 40) ? 1 : below(maker, 65) / 64.0);
	put(command, below(maker, 256));
}

static void add_blend(struct maker *maker)
{
	struct command *command = add(maker, OP_BLEND);

	put(command, ONE_OF(maker, equations));
	put(command, ONE_OF(maker, equations));
	for (int i = 0; i < 4; i++)
		/* OpenGL 2.1 has no SRC_ALPHA_SATURATE, the last, among destination factors. */
		put(command, factors[below(maker, COUNT(factors) - i % 2)]);
	command = add(maker, OP_CONSTANT);
	for (int i = 0; i < 4; i++)
		put(command, part(maker));
}

static void add_stencil(struct maker *maker, GLenum face)
{
	struct command *command = add(maker, OP_STENCIL);

	put(command, face);
	put(command, ONE_OF(maker, functions));
	put(command, below(maker, 256));
	put(command, chance(maker, 5) ? 0 : chance(maker, 50) ? 255 : below(maker, 256));
	for (int i = 0; i < 3; i++)
		put(command, ONE_OF(maker, stencil_operations));
	put(command, chance(maker, 50) ? 255 : below(maker, 256));
}

void add_texture(struct maker *maker)
{
	struct command *command = add(maker, OP_TEXTURE);
	bool even = chance(maker, 60);
	unsigned levels = 1;

	put(command, ONE_OF_API(maker, textures, ES_TEXTURES));
	for (int i = 0; i < 2; i++)
		put(command, even ? 1u << below(maker, 6) : 1 + below(maker, SIZE));
	while (value_of(command, 1) >> levels || value_of(command, 2) >> levels)
		levels++;
	put(command, levels);
	put(command, below(maker, 1 << 30));
	maker->texture = *command;
	command = add(maker, OP_SAMPLER);
	put(command, ONE_OF_API(maker, wraps, ES_WRAPS));
	put(command, ONE_OF_API(maker, wraps, ES_WRAPS));
	put(command, ONE_OF(maker, filters));
	put(command, filters[below(maker, 2)]);
	put(command, chance(maker, 60) ? 0 : (int)below(maker, 25) / 4.0 - 3);
	adjust_sampler(maker, command);
	if (maker->es)
		return;
	if (chance(maker, 20)) {
		command = add(maker, OP_LIMITS);
		put(command, chance(maker, 50) ? 0 : below(maker, 9) / 4.0);
		put(command, command->values[0] + below(maker, 9) / 4.0);
	}
	command = add(maker, OP_BORDER);
	for (int i = 0; i < 4; i++)
		put(command, part(maker));
}

void add_area(struct command *command, struct maker *maker, bool small)
{
	unsigned x = below(maker, SIZE - 1), y = below(maker, SIZE - 1);

	put(command, x);
	put(command, y);
	put(command, 1 + below(maker, (small ? SIZE - x : 2 * SIZE)));
	put(command, 1 + below(maker, (small ? SIZE - y : 2 * SIZE)));
}

/* Changes of what tests fragments. */
static void add_tests(struct maker *maker)
{
	struct command *command;

	if (chance(maker, 40)) {
		command = add(maker, OP_DEPTH);
		put(command, ONE_OF(maker, functions));
		put(command, chance(maker, 70));
	} else if (chance(maker, 20)) {
		add(maker, OP_NO_DEPTH);
	}
	if (chance(maker, 30)) {
		add_stencil(maker, maker->sided ? GL_FRONT : GL_FRONT_AND_BACK);
		if (maker->sided)
			add_stencil(maker, GL_BACK);
	} else if (chance(maker, 30)) {
		add(maker, OP_NO_STENCIL);
	}
	if (chance(maker, 20))
		add_area(add(maker, OP_SCISSOR), maker, false);
	else if (chance(maker, 50))
		add(maker, OP_NO_SCISSOR);
	if (!maker->es && chance(maker, 15)) {
		command = add(maker, OP_ALPHA);
		put(command, ONE_OF(maker, functions));
		/* Between the fifteenths that most colours have */
		put(command, below(maker, 16) / 15.0 + 1 / 64.0);
	} else if (!maker->es && chance(maker, 60)) {
		add(maker, OP_NO_ALPHA);
	}
}

/* Random changes of per-fragment state and of primitives */
static void add_state(struct maker *maker)
{
	struct command *command;

	if (chance(maker, 60))
		add_blend(maker);
	else if (chance(maker, 40))
		add(maker, OP_NO_BLEND);
	if (chance(maker, 20)) {
		command = add(maker, OP_MASK);
		for (int i = 0; i < 4; i++)
			put(command, chance(maker, 60));
	}
	if (!maker->es && chance(maker, 10))
		put(add(maker, OP_LOGIC), GL_CLEAR + below(maker, 16));
	else if (!maker->es && chance(maker, 70))
		add(maker, OP_NO_LOGIC);
	if (chance(maker, 20)) {
		command = add(maker, OP_CULL);
		put(command, chance(maker, 50) ? GL_FRONT : GL_BACK);
		put(command, chance(maker, 50) ? GL_CW : GL_CCW);
	} else if (chance(maker, 50)) {
		add(maker, OP_NO_CULL);
	}
	if (chance(maker, 15)) {
		command = add(maker, OP_OFFSET);
		put(command, (int)below(maker, 9) - 4);
		/* In 256ths of the range of depth, whatever the format's step is */
		put(command, ((int)below(maker, 9) - 4) *
				     (maker->depth == GL_DEPTH_COMPONENT16 ? 256.0 : 65536.0));
	} else if (chance(maker, 50)) {
		add(maker, OP_NO_OFFSET);
	}
	add(maker, chance(maker, 15) ? OP_DITHER : OP_NO_DITHER);
	if (chance(maker, 40))
		add_texture(maker);
	else if (chance(maker, 40))
		add(maker, OP_NO_TEXTURE);
}

/*
 * Texture coordinates are a linear function of the position, the same for all vertices of a draw; 1/512
 * keeps them from the edges of texels.
 */
static void add_vertices(struct command *command, struct maker *maker, unsigned count)
{
	bool flat = chance(maker, 60), even = chance(maker, 50);
	bool points = command->values[0] == GL_POINTS, large = chance(maker, 50);
	double color[4], z = below(maker, 65) / 64.0, scale[2], shift[2];

	for (int i = 0; i < 4; i++)
		color[i] = part(maker);
	for (int i = 0; i < 2; i++) {
		scale[i] = (1 + below(maker, 32)) / scale_divisor(maker);
		shift[i] = below(maker, 64) / 32.0 - 1 + 1 / 512.0;
	}
	for (unsigned i = 0; i < count; i++) {
		double x = (large ? (int)below(maker, 1024) - 256 : (int)below(maker, 512)) / 16.0;
		double y = (large ? (int)below(maker, 1024) - 256 : (int)below(maker, 512)) / 16.0;

		/* Their sizes are odd, so that no edge is at a pixel's centre. */
		if (points) {
			x = (int)x + 0.5;
			y = (int)y + 0.5;
		}
		put(command, x);
		put(command, y);
		put(command, even ? z : below(maker, 65) / 64.0);
		for (int j = 0; j < 4; j++)
			put(command, flat ? color[j] : part(maker));
		put(command, x * scale[0] + shift[0]);
		put(command, y * scale[1] + shift[1]);
	}
}

static unsigned count_vertices(struct maker *maker, GLenum primitive)
{
	switch (primitive) {
	case GL_POINTS:
		return 1 + below(maker, 6);
	case GL_LINES:
		return 4;
	case GL_TRIANGLES:
		return chance(maker, 50) ? 3 : 6;
	default:
		return 3 + below(maker, MAX_VERTICES - 2);
	}
}

static void add_draw(struct maker *maker)
{
	GLenum primitive = chance(maker, 80) ? ONE_OF(maker, polygons) : ONE_OF(maker, primitives);
	struct command *command;

	if (primitive == GL_POINTS)
		put(add(maker, OP_POINT), 1 + 2 * below(maker, 6));
	else if (primitive < GL_TRIANGLES)
		put(add(maker, OP_LINE), 1 + below(maker, 8));
	command = add(maker, OP_DRAW);
	put(command, primitive);
	add_vertices(command, maker, count_vertices(maker, primitive));
}

void add_copy(struct maker *maker)
{
	struct command *command;

	if (maker->es || chance(maker, 50)) {
		unsigned size = 1 << (1 + below(maker, 4));

		command = add(maker, OP_COPY);
		for (int i = 0; i < 2; i++)
			put(command, chance(maker, 50) ? 0 : below(maker, 8));
		put(command, below(maker, SIZE - size));
		put(command, below(maker, SIZE - size));
		put(command, size);
		put(command, size);
		return;
	}
	command = add(maker, OP_BLIT);
	put(command, chance(maker, 70)
			     ? GL_COLOR_BUFFER_BIT
			     : GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	add_area(command, maker, true);
	put(command, below(maker, SIZE - value_of(command, 3) + 1));
	put(command, below(maker, SIZE - value_of(command, 4) + 1));
	put(command, chance(maker, 30));
}

/*
 * Two colour buffers are not copied. OpenGL ES copies to textures with alpha only from targets with
 * alpha.
 */
bool can_copy(const struct maker *maker)
{
	if (maker->kind == KIND_TARGETS)
		return false;
	return !maker->es || (maker->color != GL_RGB8 && maker->color != GL_RGB565);
}

static void add_target(struct maker *maker)
{
	struct command *command;

	if (maker->es)
		add(maker, OP_ES);
	command = add(maker, OP_TARGET);
	maker->depth =
		chance(maker, 70) ? GL_DEPTH24_STENCIL8 : ONE_OF_API(maker, depths, ES_DEPTHS);
	maker->color = chance(maker, 60) ? GL_RGBA8 : ONE_OF_API(maker, targets, ES_TARGETS);
	put(command, maker->color);
	put(command, maker->depth);
	maker->samples = choose_samples(maker, !maker->es && chance(maker, 15) ? 4 : 0);
	put(command, maker->samples);
	if (maker->kind == KIND_TARGETS)
		put(add(maker, OP_SECOND), ONE_OF(maker, targets));
}

void make_scene(struct scene *scene, uint64_t seed, uint64_t number, bool kinds)
{
	struct maker maker = { .scene = scene,
			       .state = seed * 0x100000001b3u + number * 0x9e3779b1u + 1 };
	unsigned draws = 1 + below(&maker, 4);

	scene->count = 0;
	maker.sided = chance(&maker, 40);
	maker.es = chance(&maker, 20);
	if (kinds)
		begin_kind(&maker, number);
	add_target(&maker);
	add_clear(&maker, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	for (unsigned i = 0; i < draws; i++) {
		if (!is_bare(&maker)) {
			add_tests(&maker);
			add_state(&maker);
		}
		add_before_draw(&maker);
		add_draw(&maker);
		add_after_draw(&maker);
		if (chance(&maker, 15))
			add_clear(&maker, (chance(&maker, 60) ? GL_COLOR_BUFFER_BIT : 0) |
						  (chance(&maker, 50) ? GL_DEPTH_BUFFER_BIT : 0) |
						  (chance(&maker, 50) ? GL_STENCIL_BUFFER_BIT : 0));
		if (chance(&maker, 15) && can_copy(&maker))
			add_copy(&maker);
	}
	end_kind(&maker);
}

/*
 * Coordinates go from -0.25 to 1.25 and from -0.125 to 1.125, so that some are outside of the
 * texture; 1/512 more keeps them from the edges of texels.
 */
const struct command other_square = {
	OP_DRAW,
	1 + 4 * VERTEX,
	{ GL_TRIANGLE_STRIP,  0,    0,    0, 1, 1, 1, 1, -0.25 + 1 / 512.0,
	  -0.125 + 1 / 512.0, SIZE, 0,    0, 1, 1, 1, 1, 1.25 + 1 / 512.0,
	  -0.125 + 1 / 512.0, 0,    SIZE, 0, 1, 1, 1, 1, -0.25 + 1 / 512.0,
	  1.125 + 1 / 512.0,  SIZE, SIZE, 0, 1, 1, 1, 1, 1.25 + 1 / 512.0,
	  1.125 + 1 / 512.0 },
};

bool is_renderable(GLenum format, bool es)
{
	switch (format) {
	case GL_RGBA8:
	case GL_RGBA4:
	case GL_RGB5_A1:
		return true;
	case GL_RGB565:
		return es;
	case GL_RGB8:
		return !es;
	default:
		return false;
	}
}

const struct command *find_command(const struct scene *scene, enum op op)
{
	for (unsigned i = 0; i < scene->count; i++)
		if (scene->commands[i].op == op)
			return &scene->commands[i];
	return NULL;
}

unsigned scene_samples(const struct scene *scene)
{
	const struct command *command = find_command(scene, OP_TARGET);

	return command ? value_of(command, 2) : 0;
}

unsigned primitive_corners(const struct command *draw, unsigned i, unsigned corners[3])
{
	/* The enums are points, three kinds of lines and GL_TRIANGLES, then strip and fan. */
	unsigned mode = value_of(draw, 0), count = draw->count / VERTEX;
	unsigned size = mode == GL_POINTS ? 1 : mode < GL_TRIANGLES ? 2 : 3;
	unsigned step = mode == GL_LINES || mode == GL_TRIANGLES ? size : 1;
	bool closing = mode == GL_LINE_LOOP && count > 1 && i + 1 == count;

	if (i * step + size > count && !closing)
		return 0;
	for (unsigned j = 0; j < size; j++)
		corners[j] = (i * step + j) % count;
	if (mode == GL_TRIANGLE_STRIP && i % 2) {
		corners[1] = i + 2;
		corners[2] = i + 1;
	} else if (mode == GL_TRIANGLE_FAN) {
		corners[0] = 0;
	}
	return size;
}
