// SPDX-License-Identifier: MIT
/*
 * microbench: cases of GPU work that depend on one parameter, to see how modelled time
 * depends on it.
 *
 *	microbench CASE...	measure them
 *	microbench --list	print the names of all
 *
 * Prints lines "case,series,parameter,ns,cycles": the time by GL_TIME_ELAPSED and the card's
 * busy cycles of the work (with the flush at its end), both means of REPEAT times. Values
 * that the driver does not offer on this core have no line. Needs
 * CARDCTL in the environment, as tests/gl do, and virtual time for exact results.
 */

#include <GL/gl.h>
#include <GL/glext.h>

#include "microbench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARM_UP 2
#define REPEAT 2
#define LARGEST_PATTERN 1024

static const struct bench_case *const tables[] = { pixel_cases, texture_cases, vertex_cases,
						   job_cases };

void append(struct text *text, const char *format, ...)
{
	unsigned int room = sizeof(text->bytes) - text->length;
	va_list args;
	int count;

	va_start(args, format);
	count = vsnprintf(text->bytes + text->length, room, format, args);
	va_end(args);
	if (count < 0 || (unsigned int)count >= room)
		give_up("a program is too long");
	text->length += (unsigned int)count;
}

void use_fragments(const char *declarations, const char *body)
{
	struct text fragment = { .length = 0 };
	GLint sampler;

	append(&fragment,
	       "#version 120\nvarying vec4 place;\n%s\n"
	       "void main() {\nvec4 c = place;\n%s\ngl_FragData[0] = c;\n}\n",
	       declarations, body);
	sampler = glGetUniformLocation(use_program(VERTEX_HEAD "void main() {\n"
							       "gl_Position = position;\n"
							       "place = position;\n}\n",
						   fragment.bytes),
				       "image");
	if (sampler >= 0)
		glUniform1i(sampler, 0);
}

void use_vertices(const float *xyz, unsigned int count)
{
	GLuint buffer;

	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, count * 3 * sizeof(float), xyz, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
}

void use_square(unsigned int side, unsigned int target, float z)
{
	float end = 2.0f * (float)side / (float)target - 1.0f;
	const float corners[] = { -1, -1, z, end, -1, z, -1, end, z, end, end, z };

	use_vertices(corners, 4);
}

void draw_prepared_square(void)
{
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

GLuint make_pattern(unsigned int size)
{
	static uint8_t texels[LARGEST_PATTERN * LARGEST_PATTERN * 4];
	GLuint texture;

	if (size > LARGEST_PATTERN)
		give_up("no pattern of %u texels", size);
	for (unsigned int i = 0; i < size * size * 4; i++)
		texels[i] = (uint8_t)(i * 7 + i / 256);
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, (int)size, (int)size, 0, GL_RGBA, GL_UNSIGNED_BYTE,
		     texels);
	return texture;
}

/* Do the work once. Returns its time by the query in ns. */
static uint64_t run_job(const struct bench_case *bench, unsigned int series, unsigned int value)
{
	GLuint query;
	GLuint64 elapsed = 0;

	glGenQueries(1, &query);
	glBeginQuery(GL_TIME_ELAPSED, query);
	bench->work(series, value);
	glEndQuery(GL_TIME_ELAPSED);
	glFinish();
	glGetQueryObjectui64v(query, GL_QUERY_RESULT, &elapsed);
	glDeleteQueries(1, &query);
	return elapsed;
}

/* One point, in the current context. */
static void measure(const struct bench_case *bench, unsigned int series, unsigned int value)
{
	uint64_t ns = 0, before;

	bench->prepare(series, value);
	for (unsigned int i = 0; i < WARM_UP; i++)
		run_job(bench, series, value);
	before = card_total("gc.busy_cycles");
	for (unsigned int i = 0; i < REPEAT; i++)
		ns += run_job(bench, series, value);
	printf("%s,%s,%u,%llu,%llu\n", bench->name, bench->series[series], value,
	       (unsigned long long)(ns / REPEAT),
	       (unsigned long long)(card_total("gc.busy_cycles") - before) / REPEAT);
	fflush(stdout);
	if (glGetError() != GL_NO_ERROR)
		give_up("%s: a GL error", bench->name);
}

/* One point with GL state of its own, or none if the driver does not have what it needs. */
static void measure_alone(const struct bench_case *bench, unsigned int series, unsigned int value)
{
	EGLContext context = make_context(API_GL, EGL_NO_CONTEXT);

	use_context(context);
	if (!bench->offers || bench->offers(value))
		measure(bench, series, value);
	use_context(EGL_NO_CONTEXT);
	eglDestroyContext(get_display(), context);
}

static void measure_case(const struct bench_case *bench)
{
	for (unsigned int s = 0; s < MAX_SERIES && bench->series[s]; s++)
		for (unsigned int v = 0; v < MAX_VALUES && bench->values[v] != END; v++)
			measure_alone(bench, s, bench->values[v]);
}

/* Call @act for the cases with this name, NULL: all of them. Returns how many there are. */
static unsigned int for_cases(const char *name, void (*act)(const struct bench_case *bench))
{
	unsigned int found = 0;

	for (unsigned int t = 0; t < COUNT(tables); t++)
		for (const struct bench_case *bench = tables[t]; bench->name; bench++)
			if (!name || strcmp(name, bench->name) == 0) {
				act(bench);
				found++;
			}
	return found;
}

static void print_name(const struct bench_case *bench)
{
	puts(bench->name);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		give_up("usage: microbench --list | CASE...");
	if (strcmp(argv[1], "--list") == 0)
		return !for_cases(NULL, print_name);
	for (int i = 1; i < argc; i++)
		if (!for_cases(argv[i], measure_case))
			give_up("no case %s", argv[i]);
	return 0;
}
