// SPDX-License-Identifier: MIT
/* Scenes written and read as text. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define NAME(name) { #name, GL_##name }

/* Name of a command in the text, and the types of its values, one letter each: e enum, i integer,
 * f floating point, p primitive, v vertices. */
static const struct form {
	const char *name, *values;
} forms[OP_COUNT] = {
	[OP_ES] = { "es", "" },
	[OP_TARGET] = { "target", "eei" },
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
	[OP_LIMITS] = { "lod-limits", "ff" },
	[OP_BORDER] = { "border", "ffff" },
	[OP_LEVELS] = { "levels", "ii" },
	[OP_REPLACE] = { "replace-texels", "iiiiii" },
	[OP_FILL] = { "fill-texels", "iiiiiffff" },
	[OP_COPY] = { "copy-to-texture", "iiiiii" },
	[OP_BLIT] = { "blit", "iiiiiiii" },
	[OP_SECOND] = { "second-target", "e" },
	[OP_BUFFER] = { "mapped-buffer", "iiii" },
	[OP_SAMPLES] = { "copy-samples", "iiiii" },
	[OP_RESOLVE] = { "resolve-part", "iiii" },
	[OP_OTHER] = { "other-context", "iiiiii" },
	[OP_LIMIT] = { "limit", "i" },
	[OP_DRAW] = { "draw", "pv" },
};

/* Enums that are words in the text; all others, as GL_ZERO, GL_ONE and GL_INVERT, are numbers. */
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
	NAME(CLAMP_TO_BORDER),
	NAME(CLAMP),
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
	NAME(RGB565),
	NAME(DEPTH_COMPONENT16),
	NAME(DEPTH_COMPONENT24),
	NAME(DEPTH24_STENCIL8),
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

/* By the value of the enum, from GL_POINTS to GL_TRIANGLE_FAN */
static const char *const primitive_names[] = { "points",      "lines",     "line-loop",
					       "line-strip",  "triangles", "triangle-strip",
					       "triangle-fan" };

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
		       strcmp(primitive_names[i], word) != 0)
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
