// SPDX-License-Identifier: MIT
#include "limits.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "shaders.h"

/* A larger limit, which only drivers without a GPU have, counts as this one. */
#define MOST 1024
/* Vectors beside the list: the size of points, and what the sum should be. */
#define OTHERS 2
/* Vectors that are compared with constants of their own */
#define CONSTANTS 100
/* Units whose textures have values of their own */
#define UNITS 32
#define SOURCE 65536

/* A program, made when it is first used, and what it uses. */
struct limited {
	bool made;
	GLuint program;
	unsigned count;
};

struct source {
	char text[SOURCE];
	size_t length;
};

__attribute__((format(printf, 2, 3))) static void append(struct source *source, const char *format,
							 ...)
{
	va_list args;

	va_start(args, format);
	source->length +=
		vsnprintf(source->text + source->length, SOURCE - source->length, format, args);
	va_end(args);
	if (source->length >= SOURCE)
		give_up("a shader is too long");
}

static unsigned limit_of(GLenum name)
{
	GLint value = 0;

	glGetIntegerv(name, &value);
	return value < MOST ? value : MOST;
}

static unsigned count_of(enum limit limit)
{
	unsigned count;

	switch (limit) {
	case LIMIT_VERTEX:
		return limit_of(GL_MAX_VERTEX_UNIFORM_VECTORS) - OTHERS;
	case LIMIT_FRAGMENT:
		return limit_of(GL_MAX_FRAGMENT_UNIFORM_VECTORS) - OTHERS;
	case LIMIT_CONSTANTS:
		count = limit_of(GL_MAX_FRAGMENT_UNIFORM_VECTORS) - OTHERS;
		return count < CONSTANTS ? count : CONSTANTS;
	case LIMIT_VARYINGS:
		return limit_of(GL_MAX_VARYING_VECTORS);
	default:
		count = limit_of(GL_MAX_TEXTURE_IMAGE_UNITS);
		return count < UNITS ? count : UNITS;
	}
}

/* Component @i of a vector of the list: different in neighbours, and its sums are exact. */
static double value_at(unsigned vector, unsigned i)
{
	return (vector * 5 + i * 3) % 16 / 4.0;
}

static void append_sum(struct source *source, unsigned count)
{
	append(source,
	       "	vec4 sum = vec4(0.0);\n"
	       "	for (int i = 0; i < %u; i++) sum += list[i];\n"
	       "	float good = all(equal(sum, expected)) ? 1.0 : 0.0;\n",
	       count);
}

/* In main() of the shader that has the list of uniforms: whether all have their values. */
static void append_check(struct source *source, enum limit limit, unsigned count)
{
	if (limit != LIMIT_CONSTANTS) {
		append_sum(source, count);
		return;
	}
	append(source, "	float good = 1.0;\n");
	/*
	 * The same values as in set_values(), different in each vector, so that no constants are
	 * shared.
	 */
	for (unsigned i = 0; i < count; i++)
		append(source, "	if (list[%u] != vec4(%g, %g, %u.5, %g)) good = 0.0;\n", i,
		       value_at(i, 0) + 0.125, value_at(i, 1) + 0.125, i, value_at(i, 3) + 0.125);
}

static void write_vertex(struct source *source, enum limit limit, unsigned count)
{
	append(source, "attribute vec4 position, value;\n"
		       "uniform float size;\n");
	if (limit == LIMIT_VARYINGS)
		append(source, "varying vec4 part[%u];\n", count);
	else
		append(source, "varying vec4 color;\n");
	if (limit == LIMIT_VERTEX)
		append(source, "uniform vec4 list[%u], expected;\n", count);
	append(source, "void main() {\n"
		       "	gl_Position = position;\n"
		       "	gl_PointSize = size;\n");
	if (limit == LIMIT_VERTEX)
		append_sum(source, count);
	for (unsigned i = 0; limit == LIMIT_VARYINGS && i < count; i++)
		append(source, "	part[%u] = value * %u.0;\n", i, i + 1);
	if (limit != LIMIT_VARYINGS)
		append(source, "	color = value%s;\n",
		       limit == LIMIT_VERTEX ? " * good" : "");
	append(source, "}\n");
}

static void write_fragment(struct source *source, enum limit limit, unsigned count)
{
	append(source, HIGH_PRECISION);
	if (limit == LIMIT_VARYINGS)
		append(source, "varying vec4 part[%u];\n", count);
	else
		append(source, "varying vec4 color;\n");
	if (limit == LIMIT_FRAGMENT || limit == LIMIT_CONSTANTS)
		append(source, "uniform vec4 list[%u], expected;\n", count);
	if (limit == LIMIT_UNITS)
		append(source, "uniform sampler2D image[%u];\n", count);
	append(source, "void main() {\n");
	if (limit == LIMIT_FRAGMENT || limit == LIMIT_CONSTANTS)
		append_check(source, limit, count);
	if (limit == LIMIT_UNITS)
		append(source, "	float good = 1.0;\n");
	for (unsigned i = 0; limit == LIMIT_UNITS && i < count; i++)
		append(source,
		       "	if (abs(texture2D(image[%u], vec2(0.5)).x * 255.0 - %u.0) > 0.5) "
		       "good = 0.0;\n",
		       i, 7 * (i + 1));
	if (limit == LIMIT_VARYINGS) {
		append(source, "	vec4 sum = vec4(0.0);\n");
		for (unsigned i = 0; i < count; i++)
			append(source, "	sum += part[%u];\n", i);
		append(source, "	gl_FragColor = sum / %u.0;\n}\n", count * (count + 1) / 2);
	} else {
		append(source, "	gl_FragColor = color%s;\n}\n",
		       limit == LIMIT_VERTEX ? "" : " * good");
	}
}

/* The texture that the scene has bound */
static GLint scene_texture;

/* Textures of one texel; unit @i has 7 * (i + 1) in all components. */
static void bind_units(unsigned count)
{
	static GLuint textures[UNITS];

	for (unsigned i = 0; i < count; i++) {
		uint8_t texel[4];

		memset(texel, 7 * (i + 1), sizeof(texel));
		glActiveTexture(GL_TEXTURE0 + i);
		if (textures[i]) {
			glBindTexture(GL_TEXTURE_2D, textures[i]);
			continue;
		}
		glGenTextures(1, &textures[i]);
		glBindTexture(GL_TEXTURE_2D, textures[i]);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	}
	glActiveTexture(GL_TEXTURE0);
}

static void set_values(const struct limited *limited, enum limit limit)
{
	GLint list = glGetUniformLocation(limited->program, "list[0]");
	GLfloat values[MOST][4], sum[4] = { 0 };
	GLint units[MOST];

	for (unsigned i = 0; i < limited->count; i++) {
		for (unsigned j = 0; j < 4; j++) {
			values[i][j] = value_at(i, j) + (limit == LIMIT_CONSTANTS ? 0.125 : 0);
			if (limit == LIMIT_CONSTANTS && j == 2)
				values[i][j] = i + 0.5;
			sum[j] += values[i][j];
		}
		units[i] = i;
	}
	if (limit == LIMIT_UNITS)
		glUniform1iv(glGetUniformLocation(limited->program, "image[0]"), limited->count,
			     units);
	else if (list >= 0)
		glUniform4fv(list, limited->count, values[0]);
	glUniform4fv(glGetUniformLocation(limited->program, "expected"), 1, sum);
}

static void make_limited(struct limited *limited, enum limit limit)
{
	static struct source vertex, fragment;

	vertex.length = fragment.length = 0;
	limited->made = true;
	limited->count = count_of(limit);
	write_vertex(&vertex, limit, limited->count);
	write_fragment(&fragment, limit, limited->count);
	limited->program = try_program(vertex.text, fragment.text);
	if (!limited->program)
		return;
	glUseProgram(limited->program);
	set_values(limited, limit);
}

GLuint use_limit(enum limit limit)
{
	static struct limited all[LIMITS];
	struct limited *limited = &all[limit];

	if (!limited->made)
		make_limited(limited, limit);
	if (!limited->program)
		return 0;
	glUseProgram(limited->program);
	glGetIntegerv(GL_TEXTURE_BINDING_2D, &scene_texture);
	if (limit == LIMIT_UNITS)
		bind_units(limited->count);
	return limited->program;
}

void end_limit(void)
{
	glBindTexture(GL_TEXTURE_2D, scene_texture);
}
