// SPDX-License-Identifier: MIT
/* Scenes: made from a seed, written and read as text. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define NAME(name) { #name, GL_##name }

/* What a command is called, and of what its values are: e enum, i whole number, f number,
 * v vertices. */
static const struct form {
	const char *name, *values;
} forms[OP_COUNT] = {
	[OP_TARGET] = { "target", "ei" },
	[OP_CLEAR] = { "clear", "ifffffi" },
	[OP_BLEND] = { "blend", "eeeeee" },
	[OP_NO_BLEND] = { "no-blend", "" },
	[OP_CONSTANT] = { "blend-constant", "ffff" },
	[OP_MASK] = { "colour-mask", "iiii" },
	[OP_DEPTH] = { "depth", "ei" },
	[OP_NO_DEPTH] = { "no-depth", "" },
	[OP_STENCIL] = { "stencil", "eeiieeei" },
	[OP_NO_STENCIL] = { "no-stencil", "" },
	[OP_SCISSOR] = { "scissor", "iiii" },
	[OP_NO_SCISSOR] = { "no-scissor", "" },
	[OP_LOGIC] = { "logic-operation", "e" },
	[OP_NO_LOGIC] = { "no-logic-operation", "" },
	[OP_ALPHA] = { "alpha-test", "ef" },
	[OP_NO_ALPHA] = { "no-alpha-test", "" },
	[OP_CULL] = { "cull", "ee" },
	[OP_NO_CULL] = { "no-cull", "" },
	[OP_OFFSET] = { "polygon-offset", "ff" },
	[OP_NO_OFFSET] = { "no-polygon-offset", "" },
	[OP_DITHER] = { "dither", "" },
	[OP_NO_DITHER] = { "no-dither", "" },
	[OP_POINT] = { "point-size", "f" },
	[OP_LINE] = { "line-width", "f" },
	[OP_TEXTURE] = { "texture", "eiiii" },
	[OP_NO_TEXTURE] = { "no-texture", "" },
	[OP_SAMPLER] = { "sampler", "eeeef" },
	[OP_COPY] = { "copy-to-texture", "iiiiii" },
	[OP_BLIT] = { "blit", "iiiiiiii" },
	[OP_DRAW] = { "draw", "pv" },
};

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
static const GLenum wraps[] = { GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT };
static const GLenum filters[] = { GL_NEAREST,
				  GL_LINEAR,
				  GL_NEAREST_MIPMAP_NEAREST,
				  GL_LINEAR_MIPMAP_NEAREST,
				  GL_NEAREST_MIPMAP_LINEAR,
				  GL_LINEAR_MIPMAP_LINEAR };
static const GLenum targets[] = { GL_RGBA8, GL_RGB8, GL_RGBA4, GL_RGB5_A1, GL_RGB5 };
static const GLenum textures[] = {
	GL_RGBA8,     GL_RGB8, GL_RGBA4, GL_RGB5_A1, GL_ALPHA8, GL_LUMINANCE8, GL_LUMINANCE8_ALPHA8,
	GL_INTENSITY8
};
static const GLenum primitives[] = { GL_TRIANGLES, GL_POINTS, GL_LINES };

static const struct name {
	const char *name;
	GLenum value;
} names[] = {
	NAME(SRC_COLOR),
	NAME(ONE_MINUS_SRC_COLOR),
	NAME(DST_COLOR),
	NAME(ONE_MINUS_DST_COLOR),
	NAME(SRC_ALPHA),
	NAME(ONE_MINUS_SRC_ALPHA),
	NAME(DST_ALPHA),
	NAME(ONE_MINUS_DST_ALPHA),
	NAME(CONSTANT_COLOR),
	NAME(ONE_MINUS_CONSTANT_COLOR),
	NAME(CONSTANT_ALPHA),
	NAME(ONE_MINUS_CONSTANT_ALPHA),
	NAME(SRC_ALPHA_SATURATE),
	NAME(FUNC_ADD),
	NAME(FUNC_SUBTRACT),
	NAME(FUNC_REVERSE_SUBTRACT),
	NAME(MIN),
	NAME(MAX),
	NAME(NEVER),
	NAME(LESS),
	NAME(EQUAL),
	NAME(LEQUAL),
	NAME(GREATER),
	NAME(NOTEQUAL),
	NAME(GEQUAL),
	NAME(ALWAYS),
	NAME(KEEP),
	NAME(REPLACE),
	NAME(INCR),
	NAME(DECR),
	NAME(INVERT),
	NAME(INCR_WRAP),
	NAME(DECR_WRAP),
	NAME(REPEAT),
	NAME(CLAMP_TO_EDGE),
	NAME(MIRRORED_REPEAT),
	NAME(NEAREST),
	NAME(LINEAR),
	NAME(NEAREST_MIPMAP_NEAREST),
	NAME(LINEAR_MIPMAP_NEAREST),
	NAME(NEAREST_MIPMAP_LINEAR),
	NAME(LINEAR_MIPMAP_LINEAR),
	NAME(RGBA8),
	NAME(RGB8),
	NAME(RGBA4),
	NAME(RGB5_A1),
	NAME(RGB5),
	NAME(ALPHA8),
	NAME(LUMINANCE8),
	NAME(LUMINANCE8_ALPHA8),
	NAME(INTENSITY8),
	NAME(FRONT),
	NAME(BACK),
	NAME(FRONT_AND_BACK),
	NAME(CW),
	NAME(CCW),
	NAME(CLEAR),
	NAME(AND),
	NAME(AND_REVERSE),
	NAME(COPY),
	NAME(AND_INVERTED),
	NAME(NOOP),
	NAME(XOR),
	NAME(OR),
	NAME(NOR),
	NAME(EQUIV),
	NAME(OR_REVERSE),
	NAME(COPY_INVERTED),
	NAME(OR_INVERTED),
	NAME(NAND),
	NAME(SET),
};

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

static unsigned below(uint64_t *state, unsigned end)
{
	return (next_number(state) >> 20) % end;
}

static bool chance(uint64_t *state, unsigned percent)
{
	return below(state, 100) < percent;
}

#define ONE_OF(state, list) ((list)[below(state, COUNT(list))])

static struct command *add(struct scene *scene, enum op op)
{
	struct command *command = &scene->commands[scene->count++];

	command->op = op;
	command->count = 0;
	return command;
}

static void put(struct command *command, double value)
{
	command->values[command->count++] = value;
}

/* From 0 to 1, in fifteenths, which 4 and 8 bits have, and now and then between. */
static double part(uint64_t *state)
{
	return chance(state, 70) ? below(state, 16) / 15.0 : below(state, 256) / 255.0;
}

static void add_clear(struct scene *scene, uint64_t *state, unsigned bits)
{
	struct command *command = add(scene, OP_CLEAR);

	put(command, bits);
	for (int i = 0; i < 4; i++)
		put(command, part(state));
	put(command, chance(state, 40) ? 1 : below(state, 65) / 64.0);
	put(command, below(state, 256));
}

static void add_blend(struct scene *scene, uint64_t *state)
{
	struct command *command = add(scene, OP_BLEND);

	put(command, ONE_OF(state, equations));
	put(command, ONE_OF(state, equations));
	for (int i = 0; i < 4; i++)
		/* OpenGL 2.1 has no SRC_ALPHA_SATURATE among destination factors. */
		put(command, factors[below(state, COUNT(factors) - i % 2)]);
	command = add(scene, OP_CONSTANT);
	for (int i = 0; i < 4; i++)
		put(command, part(state));
}

static void add_stencil(struct scene *scene, uint64_t *state, GLenum face)
{
	struct command *command = add(scene, OP_STENCIL);

	put(command, face);
	put(command, ONE_OF(state, functions));
	put(command, below(state, 256));
	put(command, chance(state, 50) ? 255 : below(state, 256));
	for (int i = 0; i < 3; i++)
		put(command, ONE_OF(state, stencil_operations));
	put(command, chance(state, 50) ? 255 : below(state, 256));
}

static void add_texture(struct scene *scene, uint64_t *state)
{
	struct command *command = add(scene, OP_TEXTURE);
	unsigned levels = 1;

	put(command, ONE_OF(state, textures));
	for (int i = 0; i < 2; i++)
		put(command, 1 << (1 + below(state, 5)));
	while (value_of(command, 1) >> levels || value_of(command, 2) >> levels)
		levels++;
	put(command, levels);
	put(command, below(state, 1 << 30));
	command = add(scene, OP_SAMPLER);
	put(command, ONE_OF(state, wraps));
	put(command, ONE_OF(state, wraps));
	put(command, ONE_OF(state, filters));
	put(command, filters[below(state, 2)]);
	put(command, chance(state, 60) ? 0 : (int)below(state, 25) / 4.0 - 3);
}

static void add_area(struct command *command, uint64_t *state, bool small)
{
	unsigned x = below(state, SIZE - 1), y = below(state, SIZE - 1);

	put(command, x);
	put(command, y);
	put(command, 1 + below(state, (small ? SIZE - x : 2 * SIZE)));
	put(command, 1 + below(state, (small ? SIZE - y : 2 * SIZE)));
}

/* Changes of what tests fragments; @sided: stencil is not the same for both faces. */
static void add_tests(struct scene *scene, uint64_t *state, bool sided)
{
	struct command *command;

	if (chance(state, 40)) {
		command = add(scene, OP_DEPTH);
		put(command, ONE_OF(state, functions));
		put(command, chance(state, 70));
	} else if (chance(state, 20)) {
		add(scene, OP_NO_DEPTH);
	}
	if (chance(state, 30)) {
		add_stencil(scene, state, sided ? GL_FRONT : GL_FRONT_AND_BACK);
		if (sided)
			add_stencil(scene, state, GL_BACK);
	} else if (chance(state, 30)) {
		add(scene, OP_NO_STENCIL);
	}
	if (chance(state, 20))
		add_area(add(scene, OP_SCISSOR), state, false);
	else if (chance(state, 50))
		add(scene, OP_NO_SCISSOR);
	if (chance(state, 15)) {
		command = add(scene, OP_ALPHA);
		put(command, ONE_OF(state, functions));
		put(command, below(state, 16) / 15.0 + 1 / 64.0);
	} else if (chance(state, 60)) {
		add(scene, OP_NO_ALPHA);
	}
}

/* Changes of what becomes of fragments, and of primitives. */
static void add_state(struct scene *scene, uint64_t *state)
{
	struct command *command;

	if (chance(state, 60))
		add_blend(scene, state);
	else if (chance(state, 40))
		add(scene, OP_NO_BLEND);
	if (chance(state, 20)) {
		command = add(scene, OP_MASK);
		for (int i = 0; i < 4; i++)
			put(command, chance(state, 60));
	}
	if (chance(state, 10))
		put(add(scene, OP_LOGIC), GL_CLEAR + below(state, 16));
	else if (chance(state, 70))
		add(scene, OP_NO_LOGIC);
	if (chance(state, 20)) {
		command = add(scene, OP_CULL);
		put(command, chance(state, 50) ? GL_FRONT : GL_BACK);
		put(command, chance(state, 50) ? GL_CW : GL_CCW);
	} else if (chance(state, 50)) {
		add(scene, OP_NO_CULL);
	}
	if (chance(state, 15)) {
		command = add(scene, OP_OFFSET);
		put(command, (int)below(state, 9) - 4);
		put(command, ((int)below(state, 9) - 4) * 65536.0);
	} else if (chance(state, 50)) {
		add(scene, OP_NO_OFFSET);
	}
	add(scene, chance(state, 15) ? OP_DITHER : OP_NO_DITHER);
	if (chance(state, 40))
		add_texture(scene, state);
	else if (chance(state, 40))
		add(scene, OP_NO_TEXTURE);
}

/* Colours and texture coordinates that change along straight lines of the target. */
static void add_vertices(struct command *command, uint64_t *state, unsigned count)
{
	bool flat = chance(state, 60), even = chance(state, 50);
	bool points = command->values[0] == GL_POINTS, large = chance(state, 50);
	double color[4], z = below(state, 65) / 64.0, scale[2], shift[2];

	for (int i = 0; i < 4; i++)
		color[i] = part(state);
	for (int i = 0; i < 2; i++) {
		scale[i] = (1 + below(state, 32)) / 128.0;
		shift[i] = below(state, 64) / 32.0 - 1 + 1 / 512.0;
	}
	for (unsigned i = 0; i < count; i++) {
		double x = (large ? (int)below(state, 1024) - 256 : (int)below(state, 512)) / 16.0;
		double y = (large ? (int)below(state, 1024) - 256 : (int)below(state, 512)) / 16.0;

		if (points) {
			x = (int)x + 0.5;
			y = (int)y + 0.5;
		}
		put(command, x);
		put(command, y);
		put(command, even ? z : below(state, 65) / 64.0);
		for (int j = 0; j < 4; j++)
			put(command, flat ? color[j] : part(state));
		put(command, x * scale[0] + shift[0]);
		put(command, y * scale[1] + shift[1]);
	}
}

static void add_draw(struct scene *scene, uint64_t *state, bool triangles)
{
	GLenum primitive =
		triangles || chance(state, 70) ? GL_TRIANGLES : ONE_OF(state, primitives);
	struct command *command;

	if (primitive == GL_POINTS)
		put(add(scene, OP_POINT), 1 + 2 * below(state, 6));
	if (primitive == GL_LINES)
		put(add(scene, OP_LINE), 1 + below(state, 8));
	command = add(scene, OP_DRAW);
	put(command, primitive);
	add_vertices(command, state, primitive == GL_LINES ? 4 : chance(state, 50) ? 3 : 6);
}

static void add_copy(struct scene *scene, uint64_t *state)
{
	struct command *command;

	if (chance(state, 50)) {
		unsigned size = 1 << (1 + below(state, 4));

		command = add(scene, OP_COPY);
		put(command, 0);
		put(command, 0);
		put(command, below(state, SIZE - size));
		put(command, below(state, SIZE - size));
		put(command, size);
		put(command, size);
		return;
	}
	command = add(scene, OP_BLIT);
	put(command, chance(state, 70)
			     ? GL_COLOR_BUFFER_BIT
			     : GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	add_area(command, state, true);
	put(command, below(state, SIZE - value_of(command, 3) + 1));
	put(command, below(state, SIZE - value_of(command, 4) + 1));
	put(command, chance(state, 30));
}

void make_scene(struct scene *scene, uint64_t seed, uint64_t number)
{
	uint64_t state = seed * 0x100000001b3u + number * 0x9e3779b1u + 1;
	unsigned draws = 1 + below(&state, 4);
	/* Points and lines under stencil of two faces are kept few: see expected-etnaviv.txt. */
	bool sided = chance(&state, 40), triangles = sided && chance(&state, 94);
	struct command *command;

	scene->count = 0;
	command = add(scene, OP_TARGET);
	put(command, chance(&state, 60) ? GL_RGBA8 : ONE_OF(&state, targets));
	put(command, chance(&state, 15) ? 4 : 0);
	add_clear(scene, &state, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	for (unsigned i = 0; i < draws && scene->count < MAX_COMMANDS - 20; i++) {
		add_tests(scene, &state, sided);
		add_state(scene, &state);
		add_draw(scene, &state, triangles);
		if (chance(&state, 15))
			add_clear(scene, &state,
				  (chance(&state, 60) ? GL_COLOR_BUFFER_BIT : 0) |
					  (chance(&state, 50) ? GL_DEPTH_BUFFER_BIT : 0) |
					  (chance(&state, 50) ? GL_STENCIL_BUFFER_BIT : 0));
		if (chance(&state, 15))
			add_copy(scene, &state);
	}
}

/* --- Text -------------------------------------------------------------------------- */

static const char *name_of(unsigned value, char number[16])
{
	for (unsigned i = 0; i < COUNT(names); i++)
		if (names[i].value == value)
			return names[i].name;
	snprintf(number, 16, "%u", value);
	return number;
}

static bool value_of_name(const char *name, double *value)
{
	char *end;

	for (unsigned i = 0; i < COUNT(names); i++) {
		if (strcmp(names[i].name, name) == 0) {
			*value = names[i].value;
			return true;
		}
	}
	*value = strtod(name, &end);
	return *end == '\0';
}

static const char *const primitive_names[] = { "points", "lines", [GL_TRIANGLES] = "triangles" };

void print_scene(FILE *file, const struct scene *scene)
{
	char number[16];

	for (unsigned i = 0; i < scene->count; i++) {
		const struct command *command = &scene->commands[i];
		const char *form = forms[command->op].values;

		fprintf(file, "%s", forms[command->op].name);
		for (unsigned j = 0; j < command->count; j++) {
			char kind = form[0] == 'p' ? (j ? 'v' : 'p') : form[j];

			if (kind == 'e')
				fprintf(file, " %s", name_of(value_of(command, j), number));
			else if (kind == 'p')
				fprintf(file, " %s", primitive_names[value_of(command, j)]);
			else
				fprintf(file, " %.17g", command->values[j]);
		}
		fputc('\n', file);
	}
	fputs("end\n", file);
}

static bool read_command(char *line, struct command *command)
{
	char *rest, *word = strtok_r(line, " \n", &rest);
	unsigned op = 0;

	while (op < OP_COUNT && strcmp(forms[op].name, word) != 0)
		op++;
	if (op == OP_COUNT)
		return false;
	command->op = op;
	command->count = 0;
	while ((word = strtok_r(NULL, " \n", &rest))) {
		double *value = &command->values[command->count];
		unsigned i = 0;

		if (command->count++ == MAX_VALUES)
			return false;
		while (op == OP_DRAW && i < COUNT(primitive_names) &&
		       (!primitive_names[i] || strcmp(primitive_names[i], word) != 0))
			i++;
		if (op == OP_DRAW && i < COUNT(primitive_names))
			*value = i;
		else if (!value_of_name(word, value))
			return false;
	}
	return op == OP_DRAW ? command->count % VERTEX == 1
			     : command->count == strlen(forms[op].values);
}

bool read_scene(FILE *file, struct scene *scene)
{
	char line[4096];

	scene->count = 0;
	while (fgets(line, sizeof(line), file)) {
		if (strcmp(line, "end\n") == 0)
			return true;
		if (line[0] == '#' || line[0] == '\n')
			continue;
		if (scene->count == MAX_COMMANDS ||
		    !read_command(line, &scene->commands[scene->count++]))
			return false;
	}
	return scene->count > 0;
}
