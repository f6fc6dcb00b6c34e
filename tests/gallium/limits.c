// SPDX-License-Identifier: MIT
/*
 * limits: programs made at random that need nearly all that the driver announces: uniforms, constants,
 * varyings, attributes, samplers; and instructions and temporaries, whose limits OpenGL ES does not
 * tell. Each draws the value that the CPU computes, or linking fails with a reason; within the
 * announced limits it draws. All values are integers that floats represent exactly.
 *
 *	limits [FIRST [COUNT]]	seeds; one if only FIRST is given
 *
 * Even seeds test the vertex shader, odd ones the fragment shader.
 */
#include "harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 12
#define SIDE 4
#define MAX_VECTORS 2048
#define MAX_SAMPLERS 32
/* Constants from here on have 24 significant bits. */
#define LARGE 8388609

static char source[2][1 << 19], *at;
static uint32_t seed;
/* The core runs programs of at most 256 instructions, and needs a register for each constant. */
static bool small_core;

static unsigned pick(unsigned below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % below;
}

/* write_source() appends to the source that was begun last. */
static void begin_source(char *to, bool fragment)
{
	at = to;
	*at = 0;
	if (fragment)
		at = stpcpy(at, "precision highp float;\n");
}

__attribute__((format(printf, 1, 2))) static void write_source(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	at += vsprintf(at, format, arguments);
	va_end(arguments);
}

/* A 4-vector of integers as the shader computes it. */
struct sum {
	int64_t value[4];
};

/* t = t.yzwx * sign + value; eight times that without value gives t again, so that sums stay small. */
static void add_rotated(struct sum *t, const int value[4])
{
	static const int sign[4] = { -1, 1, 1, 1 };
	struct sum old = *t;

	for (int c = 0; c < 4; c++)
		t->value[c] = old.value[(c + 1) % 4] * sign[c] + value[c];
}

/* The shader's result: a color of 0 to 255. */
static int result_of(const struct sum *t)
{
	int64_t sum = t->value[0] + 3 * t->value[1] + 5 * t->value[2] + 7 * t->value[3];

	return (int)((sum % 256 + 256) % 256);
}

#define RESULT "vec4(mod(dot(t, vec4(1.0, 3.0, 5.0, 7.0)), 256.0) / 255.0)"

static GLuint compile(GLenum type, const char *text)
{
	GLuint shader = glCreateShader(type);
	char log[1024];
	GLint good;

	glShaderSource(shader, 1, &text, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
	if (!good) {
		glGetShaderInfoLog(shader, sizeof(log), NULL, log);
		give_up("a shader is not accepted: %s\n%s", log, text);
	}
	return shader;
}

/* Link both sources and use the program. Returns 0 after a failure; @log: of 1,024 bytes, its reason. */
static GLuint link_sources(char *log)
{
	GLuint vertex = compile(GL_VERTEX_SHADER, source[0]), program = glCreateProgram();
	GLuint fragment = compile(GL_FRAGMENT_SHADER, source[1]);
	GLint good;

	glAttachShader(program, vertex);
	glAttachShader(program, fragment);
	glBindAttribLocation(program, 0, "position");
	glLinkProgram(program);
	glDeleteShader(vertex);
	glDeleteShader(fragment);
	glGetProgramiv(program, GL_LINK_STATUS, &good);
	glGetProgramInfoLog(program, 1024, NULL, log);
	if (good) {
		glUseProgram(program);
		return program;
	}
	glDeleteProgram(program);
	return 0;
}

/* Draw a square or a point that covers the target, check the result and delete the program. */
static void check_shape(const char *tag, GLuint program, bool point, const struct sum *want,
			const char *what)
{
	uint8_t pixel[4];

	glClearColor(0.5f, 0, 1, 0);
	glClear(GL_COLOR_BUFFER_BIT);
	if (point) {
		glDisableVertexAttribArray(0);
		glVertexAttrib4f(0, 0, 0, 0, 1);
		glDrawArrays(GL_POINTS, 0, 1);
	} else {
		draw_square(0, 1);
	}
	glReadPixels(1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	check(tag, pixel[0] == result_of(want) && pixel[1] == pixel[0] && pixel[2] == pixel[0],
	      "%s: %u %u %u, wanted %d", what, pixel[0], pixel[1], pixel[2], result_of(want));
	glUseProgram(0);
	glDeleteProgram(program);
}

static void check_drawn(const char *tag, GLuint program, const struct sum *want, const char *what)
{
	check_shape(tag, program, false, want, what);
}

/* The program draws @want. Unless it @must, it may also be refused with a reason. */
static void check_program(const char *tag, bool must, const struct sum *want, const char *what)
{
	char log[1024];
	GLuint program = link_sources(log);

	if (program)
		check_drawn(tag, program, want, what);
	else
		check(tag, !must && log[0], "%s: not linked: %s", what, log);
}

/* Uniforms and constants */

/* How the vectors of a shader are declared. */
struct uniforms {
	unsigned vectors, matrices, floats;
	/* Literals of 24 bits */
	unsigned constants;
	/* The array of vectors is also read with an index that is a uniform. */
	bool indexed;
};

/* Statements that add all uniforms to t; see add_rotated(). */
static void write_uniforms(const struct uniforms *u)
{
	for (unsigned i = 0; i < u->vectors; i++)
		write_source(" t = t.yzwx * sign + v[%u];\n", i);
	for (unsigned i = 0; i < 4 * u->matrices; i++)
		write_source(" t = t.yzwx * sign + m[%u][%u];\n", i / 4, i % 4);
	for (unsigned i = 0; i < u->floats; i++)
		write_source(" t.%c += f[%u];\n", "xyzw"[i % 4], i);
	if (u->indexed)
		write_source(
			" t = t.yzwx * sign + v[first];\n t = t.yzwx * sign + v[first + 1];\n");
	for (unsigned i = 0; i < u->constants; i++)
		write_source(" t.%c += %u.0 - base;\n", "xyzw"[i % 4], LARGE + 2 * i);
}

static void declare_uniforms(const struct uniforms *u)
{
	if (u->vectors)
		write_source("uniform vec4 v[%u];\n", u->vectors);
	if (u->matrices)
		write_source("uniform mat4 m[%u];\n", u->matrices);
	if (u->floats)
		write_source("uniform float f[%u];\n", u->floats);
	write_source("uniform float base; uniform int first;\n");
}

/*
 * Give all uniforms values and compute the sum, in the order of write_uniforms(). The driver
 * announces at most MAX_VECTORS. base is one less than LARGE, so that constants add 1, 3, 5...
 */
static struct sum set_uniforms(GLuint program, const struct uniforms *u)
{
	static float values[4 * MAX_VECTORS];
	static int integers[MAX_VECTORS][4];
	unsigned all = u->vectors + 4 * u->matrices, first = pick(u->vectors ? u->vectors - 1 : 1);
	struct sum t = { { 0 } };

	for (unsigned i = 0; i < 4 * MAX_VECTORS; i++)
		values[i] = (float)(integers[i / 4][i % 4] = (int)pick(256));
	glUniform4fv(glGetUniformLocation(program, "v"), (GLint)u->vectors, values);
	glUniformMatrix4fv(glGetUniformLocation(program, "m"), (GLint)u->matrices, GL_FALSE,
			   values + 4 * u->vectors);
	glUniform1fv(glGetUniformLocation(program, "f"), (GLint)u->floats, values + 4 * all);
	glUniform1f(glGetUniformLocation(program, "base"), LARGE - 1);
	glUniform1i(glGetUniformLocation(program, "first"), (GLint)first);
	for (unsigned i = 0; i < all; i++)
		add_rotated(&t, integers[i]);
	for (unsigned i = 0; i < u->floats; i++)
		t.value[i % 4] += (int)values[4 * all + i];
	for (unsigned i = 0; u->indexed && i < 2; i++)
		add_rotated(&t, integers[first + i]);
	for (unsigned i = 0; i < u->constants; i++)
		t.value[i % 4] += 1 + 2 * i;
	return t;
}

static void write_uniform_program(const struct uniforms *u, bool fragment)
{
	begin_source(source[0], false);
	write_source("attribute vec4 position; varying vec4 passed;\n");
	if (!fragment)
		declare_uniforms(u);
	write_source(
		"void main()\n{\n vec4 sign = vec4(-1.0, 1.0, 1.0, 1.0) * position.w, t = vec4(0.0);\n");
	if (!fragment)
		write_uniforms(u);
	write_source(" passed = %s;\n gl_Position = position;\n}\n", fragment ? "sign" : RESULT);
	begin_source(source[1], true);
	write_source("varying vec4 passed;\n");
	if (fragment)
		declare_uniforms(u);
	write_source("void main()\n{\n vec4 sign = floor(passed + 0.5), t = vec4(0.0);\n");
	if (fragment)
		write_uniforms(u);
	write_source(" gl_FragColor = %s;\n}\n", fragment ? RESULT : "passed");
}

static void check_uniforms(const char *tag, const struct uniforms *u, bool fragment, bool must)
{
	char log[1024], what[128];
	struct sum want;
	GLuint program;

	snprintf(what, sizeof(what), "%u vectors, %u matrices, %u floats, %u constants%s",
		 u->vectors, u->matrices, u->floats, u->constants, u->indexed ? ", indexed" : "");
	write_uniform_program(u, fragment);
	program = link_sources(log);
	if (!program) {
		check(tag, !must && log[0], "%s: not linked: %s", what, log);
		return;
	}
	want = set_uniforms(program, u);
	check_drawn(tag, program, &want, what);
}

/*
 * Nearly as many vectors as announced. The small core has a register for each constant and 256
 * instructions, so that it gets few constants and no more vectors and floats than it can add.
 */
static void uniforms(bool fragment)
{
	GLint limit;
	struct uniforms u = { 0 };
	unsigned left;

	glGetIntegerv(fragment ? GL_MAX_FRAGMENT_UNIFORM_VECTORS : GL_MAX_VERTEX_UNIFORM_VECTORS,
		      &limit);
	left = (unsigned)limit - 2 - pick(4); /* base and first are two */
	if (small_core && !fragment && left > 170)
		left = 170;
	u.matrices = pick(left / 8);
	left -= 4 * u.matrices;
	u.floats = pick(2) ? pick(small_core ? 24 : 4 * left / 2) : 0;
	left -= (u.floats + 3) / 4;
	u.vectors = left;
	u.indexed = !fragment && pick(2);
	u.constants = pick(small_core ? 8 : 600);
	check_uniforms(fragment ? "li.fragment-uniforms" : "li.vertex-uniforms", &u, fragment,
		       true);
}

/* Constants without many uniforms, around the number of registers. */
static void constants(bool fragment)
{
	const struct uniforms u = {
		.vectors = 4 + pick(60),
		.constants = small_core ? 20 + pick(60) : 500 + pick(700),
	};

	check_uniforms("li.constants", &u, fragment, !small_core);
}

/*
 * On the small core only: uniforms as announced, and more constants than it can have beside them.
 */
static void too_many_constants(bool fragment)
{
	struct uniforms u = { .constants = 900 };
	char log[1024];
	GLint limit;

	glGetIntegerv(fragment ? GL_MAX_FRAGMENT_UNIFORM_VECTORS : GL_MAX_VERTEX_UNIFORM_VECTORS,
		      &limit);
	u.vectors = (unsigned)limit - 2;
	write_uniform_program(&u, fragment);
	check("li.refused", !link_sources(log) && log[0], "%u vectors and %u constants: %s",
	      u.vectors, u.constants, log);
}

/* Inputs */

/*
 * The size of points is an output beside the varyings. The vertex shader is ended after the
 * fragment shader is written.
 */
static void varyings(void)
{
	GLint limit;
	int count;
	struct sum want = { { 0 } };
	char log[1024];

	glGetIntegerv(GL_MAX_VARYING_VECTORS, &limit);
	count = limit - (int)pick(2);
	begin_source(source[0], false);
	write_source("attribute vec4 position;\n");
	for (int i = 0; i < count; i++)
		write_source("varying vec4 w%d;\n", i);
	write_source("void main()\n{\n gl_Position = position;\n gl_PointSize = %d.0;\n", 2 * SIDE);
	begin_source(source[1], true);
	for (int i = 0; i < count; i++)
		write_source("varying vec4 w%d;\n", i);
	write_source("void main()\n{\n vec4 sign = vec4(-1.0, 1.0, 1.0, 1.0), t = vec4(0.0);\n");
	for (int i = 0; i < count; i++)
		write_source(" t = t.yzwx * sign + floor(w%d + 0.5);\n", i);
	write_source(" gl_FragColor = %s;\n}\n", RESULT);
	at = source[0] + strlen(source[0]);
	for (int i = 0; i < count; i++) {
		int value[4];

		for (int c = 0; c < 4; c++)
			value[c] = (int)pick(256);
		write_source(" w%d = vec4(%d, %d, %d, %d) * position.w;\n", i, value[0], value[1],
			     value[2], value[3]);
		add_rotated(&want, value);
	}
	write_source("}\n");
	check_program("li.varyings", true, &want, "varyings");
	check_shape("li.point-size", link_sources(log), true, &want, "varyings and a point");
}

/* Sources with @count attributes beside the position, and with the number of the instance if @numbered. */
static void write_attributes(int count, bool numbered)
{
	begin_source(source[0], false);
	if (numbered)
		write_source("#extension GL_EXT_draw_instanced : require\n");
	write_source("attribute vec4 position;\nvarying vec4 passed;\n");
	for (int i = 0; i < count; i++)
		write_source("attribute vec4 a%d;\n", i);
	write_source("void main()\n{\n vec4 sign = vec4(-1.0, 1.0, 1.0, 1.0), t = vec4(%s);\n",
		     numbered ? "float(gl_InstanceIDEXT)" : "0.0");
	for (int i = 0; i < count; i++)
		write_source(" t = t.yzwx * sign + a%d;\n", i);
	write_source(" passed = %s;\n gl_Position = position;\n}\n", RESULT);
	begin_source(source[1], true);
	write_source("varying vec4 passed;\nvoid main()\n{\n gl_FragColor = passed;\n}\n");
}

/* The number of the instance is an input of its own: if @numbered, one attribute less is possible. */
static void attributes(bool numbered)
{
	GLint limit;
	int count;
	struct sum want = { { 0 } };
	char log[1024];
	GLuint program;

	glGetIntegerv(GL_MAX_VERTEX_ATTRIBS, &limit);
	if (numbered) {
		write_attributes(limit - 1, true);
		check("li.refused", !link_sources(log) && log[0],
		      "%d attributes and the instance: %s", limit, log);
	}
	count = limit - 1 - (numbered ? 1 : (int)pick(2));
	write_attributes(count, numbered);
	program = link_sources(log);

	if (!check("li.attributes", program, "%d attributes link %s", count + 1, log))
		return;
	for (int i = 0; i < count; i++) {
		float value[4];
		int integers[4];
		char name[16];

		for (int c = 0; c < 4; c++)
			value[c] = (float)(integers[c] = (int)pick(256));
		snprintf(name, sizeof(name), "a%d", i);
		glVertexAttrib4fv((GLuint)glGetAttribLocation(program, name), value);
		add_rotated(&want, integers);
	}
	check_drawn("li.attributes", program, &want, "attributes");
}

/* All samplers of one stage, each with a texture of its own. */
static void samplers(bool fragment)
{
	GLint limit;
	int count;
	struct sum want = { { 0 } };
	GLuint textures[MAX_SAMPLERS], program;
	char log[1024];

	glGetIntegerv(fragment ? GL_MAX_TEXTURE_IMAGE_UNITS : GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS,
		      &limit);
	count = limit - (int)pick(2);
	for (int stage = 0; stage < 2; stage++) {
		begin_source(source[stage], stage);
		write_source(stage ? "varying vec4 passed;\n"
				   : "attribute vec4 position;\nvarying vec4 passed;\n");
		for (int i = 0; i < count && stage == fragment; i++)
			write_source("uniform sampler2D s%d;\n", i);
		write_source(
			"void main()\n{\n vec4 sign = vec4(-1.0, 1.0, 1.0, 1.0), t = vec4(0.0);\n");
		for (int i = 0; i < count && stage == fragment; i++)
			write_source(
				" t = t.yzwx * sign + floor(texture2D(s%d, vec2(0.5)) * 255.0 + 0.5);\n",
				i);
		if (stage)
			write_source(" gl_FragColor = %s;\n}\n", fragment ? RESULT : "passed");
		else
			write_source(" passed = %s;\n gl_Position = position;\n}\n",
				     fragment ? "sign" : RESULT);
	}
	program = link_sources(log);
	if (!check("li.samplers", program, "%d samplers link %s", count, log))
		return;
	glGenTextures(count, textures);
	for (int i = 0; i < count; i++) {
		uint8_t texel[4];
		int value[4];
		char name[16];

		for (int c = 0; c < 4; c++)
			value[c] = texel[c] = (uint8_t)pick(256);
		glActiveTexture(GL_TEXTURE0 + (GLenum)i);
		glBindTexture(GL_TEXTURE_2D, textures[i]);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
		snprintf(name, sizeof(name), "s%d", i);
		glUniform1i(glGetUniformLocation(program, name), i);
		add_rotated(&want, value);
	}
	check_drawn("li.samplers", program, &want,
		    fragment ? "fragment samplers" : "vertex samplers");
	glDeleteTextures(count, textures);
	glActiveTexture(GL_TEXTURE0);
}

/* Instructions and temporaries */

/* One of two stages computes a chain of @count operations. */
static void write_chain(bool fragment, unsigned count, struct sum *want)
{
	static const int none[4] = { 0, 0, 0, 0 };

	for (int stage = 0; stage < 2; stage++) {
		begin_source(source[stage], stage);
		write_source(stage ? "varying vec4 passed;\n"
				   : "attribute vec4 position;\nvarying vec4 passed;\n");
		write_source("void main()\n{\n");
		if (stage == fragment) {
			write_source(
				" vec4 sign = vec4(-1.0, 1.0, 1.0, 1.0) * %s, t = %s * vec4(1.0, 20.0, 47.0, 9.0);\n",
				stage ? "floor(passed.x + 0.5)" : "position.w",
				stage ? "floor(passed.x + 0.5)" : "position.w");
			for (unsigned i = 0; i < count; i++)
				write_source(" t = t.yzwx * sign;\n");
		}
		if (stage)
			write_source(" gl_FragColor = %s;\n}\n", fragment ? RESULT : "passed");
		else
			write_source(" passed = %s;\n gl_Position = position;\n}\n",
				     fragment ? "vec4(position.w)" : RESULT);
	}
	*want = (struct sum){ { 1, 20, 47, 9 } };
	for (unsigned i = 0; i < count; i++)
		add_rotated(want, none);
}

static void instructions(bool fragment)
{
	unsigned count = small_core ? 225 + pick(40) : 2000 + pick(500);
	struct sum want;
	char log[1024];

	write_chain(fragment, count, &want);
	check_program("li.instructions", !small_core, &want, "instructions near the limit");
	write_chain(fragment, count - 40, &want);
	check_program("li.instructions", true, &want, "instructions below the limit");
	if (!small_core)
		return;
	write_chain(fragment, 260 + pick(100), &want);
	check("li.refused", !link_sources(log) && log[0], "too many instructions: %s", log);
}

/* Each of @count values is used before and after the sum of all; @must as for check_program(). */
static void temporaries(bool fragment, unsigned count, bool must)
{
	struct sum want = { { 0 } }, total = { { 0 } };
	char what[32];

	for (int stage = 0; stage < 2; stage++) {
		begin_source(source[stage], stage);
		write_source(stage ? "varying vec4 passed;\n"
				   : "attribute vec4 position;\nvarying vec4 passed;\n");
		write_source("void main()\n{\n");
		if (stage == fragment) {
			write_source(
				" vec4 one = vec4(%s), sign = vec4(-1.0, 1.0, 1.0, 1.0) * one, t = vec4(0.0), all = t;\n",
				stage ? "floor(passed.x + 0.5)" : "position.w");
			/* A value is the one before, rotated, plus one: no constants. */
			write_source(" vec4 k0 = one;\n");
			for (unsigned i = 1; i < count; i++)
				write_source(" vec4 k%u = k%u.yzwx * sign + one;\n", i, i - 1);
			for (unsigned i = 0; i < count; i++)
				write_source(" all += k%u;\n", i);
			for (unsigned i = 0; i < count; i++)
				write_source(" t += k%u * all.yzwx;\n", i);
		}
		if (stage)
			write_source(" gl_FragColor = %s;\n}\n", fragment ? RESULT : "passed");
		else
			write_source(" passed = %s;\n gl_Position = position;\n}\n",
				     fragment ? "vec4(position.w)" : RESULT);
	}

	struct sum k = { { 1, 1, 1, 1 } };
	static const int ones[4] = { 1, 1, 1, 1 };

	for (unsigned i = 0; i < count; i++) {
		for (int c = 0; c < 4; c++)
			total.value[c] += k.value[c];
		add_rotated(&k, ones);
	}
	k = (struct sum){ { 1, 1, 1, 1 } };
	for (unsigned i = 0; i < count; i++) {
		for (int c = 0; c < 4; c++)
			want.value[c] += k.value[c] * total.value[(c + 1) % 4];
		add_rotated(&k, ones);
	}
	snprintf(what, sizeof(what), "%u values", count);
	check_program("li.temporaries", must, &want, what);
}

int main(int argc, char **argv)
{
	unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	unsigned count = argc > 2 ? (unsigned)atoi(argv[2]) : argc > 1 ? 1 : SEEDS;

	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	make_target(SIDE, SIDE);
	small_core = strstr((const char *)glGetString(GL_RENDERER), "GC2000");
	printf("# %s\n", (const char *)glGetString(GL_RENDERER));
	for (unsigned i = first; i < first + count; i++) {
		bool fragment = i % 2;

		seed = i * 2654435761u + 12345;
		printf("# seed %u\n", i);
		uniforms(fragment);
		constants(fragment);
		varyings();
		attributes(false);
		if (strstr((const char *)glGetString(GL_EXTENSIONS), "GL_EXT_draw_instanced"))
			attributes(true);
		samplers(fragment);
		instructions(fragment);
		temporaries(fragment, 20 + pick(30), true);
		temporaries(fragment, 60 + pick(small_core ? 30 : 100), !small_core);
		if (small_core)
			too_many_constants(fragment);
	}
	return end_checks();
}
