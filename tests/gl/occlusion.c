// SPDX-License-Identifier: MIT
/*
 * Occlusion queries and conditional drawing in OpenGL. Prints "count NAME N" for
 * each scene, which tests/gl/run compares with llvmpipe's; checks what must be so on
 * any driver. The tags are "oq.".
 */

#include "harness.h"

#include <math.h>
#include <stdio.h>

#define SIZE 256
/*
 * Corners lie on sixteenths of a pixel, which all rasterisers have; so many are half of the target.
 */
#define GRID (SIZE / 2 * 16)
#define FLUSHES 100
#define LINE_POINTS 24
#define HALF (SIZE / 2)

#define SAMPLES_PASSED 0x8914
#define ANY_SAMPLES_PASSED 0x8C2F
#define QUERY_RESULT 0x8866
#define QUERY_RESULT_AVAILABLE 0x8867
#define QUERY_WAIT_NV 0x8E13
#define QUERY_NO_WAIT_NV 0x8E14

static void (*gen_queries)(GLsizei, GLuint *);
static void (*delete_queries)(GLsizei, const GLuint *);
static void (*begin_query)(GLenum, GLuint);
static void (*end_query)(GLenum);
static void (*get_result)(GLuint, GLenum, GLuint *);
static void (*begin_condition)(GLuint, GLenum);
static void (*end_condition)(void);

static GLint color;

static void load(void)
{
	gen_queries = get_function("glGenQueries");
	delete_queries = get_function("glDeleteQueries");
	begin_query = get_function("glBeginQuery");
	end_query = get_function("glEndQuery");
	get_result = get_function("glGetQueryObjectuiv");
	begin_condition = get_function("glBeginConditionalRenderNV");
	end_condition = get_function("glEndConditionalRenderNV");
}

static void draw(GLenum mode, const float *corners, int count)
{
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, corners);
	glEnableVertexAttribArray(0);
	glDrawArrays(mode, 0, count);
}

/* ---- scenes ---- */

static void scene_nothing(void)
{
}

static void scene_square(void)
{
	draw_square(0, 1);
}

static void scene_twice(void)
{
	draw_square(0, 2);
}

static void scene_triangles(void)
{
	static const float grid[] = { -1907, -1451, 0, 1783, -681, 0, 227,  1967, 0,
				      -3481, 409,   0, -921, 2867, 0, 2457, 61,   0 };
	float corners[COUNT(grid)];

	for (size_t i = 0; i < COUNT(grid); i++)
		corners[i] = grid[i] / GRID;
	draw(GL_TRIANGLES, corners, 6);
}

/* A plane that cuts a slanted one. */
static void scene_depth(void)
{
	static const float slanted[] = { -1, -1, -0.9f, 1, -1, 0.8f, -1, 1, -0.3f, 1, 1, 0.9f };

	draw_square(0.1f, 1);
	draw(GL_TRIANGLE_STRIP, slanted, 4);
}

static void scene_hidden(void)
{
	draw_square(0.5f, 1);
}

static void scene_scissor(void)
{
	glEnable(GL_SCISSOR_TEST);
	glScissor(13, 17, 101, 59);
	draw_square(0, 1);
	glDisable(GL_SCISSOR_TEST);
}

static void scene_masked(void)
{
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	draw_square(0, 1);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

static void scene_discard(void)
{
	GLint before;

	glGetIntegerv(GL_CURRENT_PROGRAM, &before);
	use_program("attribute vec4 position;\n"
		    "void main() { gl_Position = position; }\n",
		    "void main() {\n"
		    "  if (mod(floor(gl_FragCoord.x) + 2.0 * floor(gl_FragCoord.y), 5.0) < 1.5)\n"
		    "    discard;\n"
		    "  gl_FragColor = vec4(1.0);\n"
		    "}\n");
	draw_square(0, 1);
	glUseProgram(before);
}

static void scene_lines(void)
{
	float points[3 * LINE_POINTS];

	for (int i = 0; i < LINE_POINTS; i++) {
		points[3 * i] = roundf(0.9f * GRID * sinf(2.7f * i)) / GRID;
		points[3 * i + 1] = roundf(0.9f * GRID * cosf(1.9f * i)) / GRID;
		points[3 * i + 2] = 0;
	}
	draw(GL_LINE_STRIP, points, LINE_POINTS);
}

/* In several jobs. */
static void scene_flushes(void)
{
	for (int i = 0; i < FLUSHES; i++) {
		scene_triangles();
		glFlush();
	}
}

/* Mesa's own draws do not count, nor do clears. */
static void scene_own_draws(void)
{
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	draw_square(0, 1);
	glGenerateMipmap(GL_TEXTURE_2D);
	glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 5, 5, 40, 40);
	glEnable(GL_SCISSOR_TEST);
	glScissor(3, 3, 50, 50);
	glClear(GL_COLOR_BUFFER_BIT);
	glDisable(GL_SCISSOR_TEST);
	draw_square(0, 1);
	glDeleteTextures(1, &texture);
}

static const struct {
	const char *name;
	void (*draw)(void);
	/* A square is in front of it */
	bool covered;
	/* The expected count, or -1 if it is only compared with llvmpipe's */
	int samples;
} scenes[] = {
	{ "nothing", scene_nothing, false, 0 },
	{ "square", scene_square, false, SIZE *SIZE },
	{ "twice", scene_twice, false, 2 * SIZE *SIZE },
	{ "triangles", scene_triangles, false, -1 },
	{ "depth", scene_depth, false, -1 },
	{ "half-covered", scene_hidden, true, SIZE *HALF },
	{ "scissor", scene_scissor, false, 101 * 59 },
	{ "masked", scene_masked, false, SIZE *SIZE },
	{ "discard", scene_discard, false, -1 },
	{ "lines", scene_lines, false, -1 },
	{ "flushes", scene_flushes, false, -1 },
	{ "own-draws", scene_own_draws, false, 2 * SIZE *SIZE },
};

/* A query of a scene on a clean target, of which a nearer square may cover the left half. */
static GLuint run(size_t i, GLenum target, GLuint id)
{
	GLuint result = ~0u;

	glDepthFunc(GL_LEQUAL);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	if (scenes[i].covered) {
		glViewport(0, 0, HALF, SIZE);
		draw_square(-0.5f, 1);
		glViewport(0, 0, SIZE, SIZE);
	}
	begin_query(target, id);
	scenes[i].draw();
	end_query(target);
	get_result(id, QUERY_RESULT, &result);
	return result;
}

static void test_counts(void)
{
	GLuint ids[2];

	gen_queries(2, ids);
	for (size_t i = 0; i < COUNT(scenes); i++) {
		GLuint samples = run(i, SAMPLES_PASSED, ids[0]);
		GLuint any = run(i, ANY_SAMPLES_PASSED, ids[1]);

		printf("count %s %u\n", scenes[i].name, samples);
		check("oq.samples", scenes[i].samples < 0 || (int)samples == scenes[i].samples,
		      "%s: %u", scenes[i].name, samples);
		check("oq.any", any == (samples != 0), "%s: %u", scenes[i].name, any);
	}
	delete_queries(2, ids);
}

/*
 * Several queries in one job. When the last result is there all are, and only then they are read.
 */
static void test_several(void)
{
	GLuint ids[COUNT(scenes)], available = 0, result;
	bool order = true, right = true;

	glDisable(GL_DEPTH_TEST);
	gen_queries(COUNT(ids), ids);
	for (size_t i = 0; i < COUNT(ids); i++) {
		begin_query(SAMPLES_PASSED, ids[i]);
		draw_square(0, i % 3);
		end_query(SAMPLES_PASSED);
	}
	while (!available)
		get_result(ids[COUNT(ids) - 1], QUERY_RESULT_AVAILABLE, &available);
	for (size_t i = 0; i < COUNT(ids); i++) {
		get_result(ids[i], QUERY_RESULT_AVAILABLE, &available);
		order &= available == GL_TRUE;
		get_result(ids[i], QUERY_RESULT, &result);
		right &= result == i % 3 * SIZE * SIZE;
	}
	check("oq.several", right, "%zu queries of one job", COUNT(ids));
	check("oq.order", order, "all are available when the last one is");
	delete_queries(COUNT(ids), ids);
	glEnable(GL_DEPTH_TEST);
}

static bool red_in_middle(void)
{
	uint8_t pixel[4] = { 0 };

	glReadPixels(HALF, HALF, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	return pixel[0] == 255;
}

/* Draw if a query of @squares squares permits it; @finish: its result is known before. */
static bool drawn(int squares, GLenum mode, bool finish)
{
	GLuint id;

	gen_queries(1, &id);
	glUniform4f(color, 0, 1, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	begin_query(SAMPLES_PASSED, id);
	draw_square(0, squares);
	end_query(SAMPLES_PASSED);
	if (finish)
		glFinish();
	glUniform4f(color, 1, 0, 0, 1);
	begin_condition(id, mode);
	draw_square(0, 1);
	end_condition();
	delete_queries(1, &id);
	return red_in_middle();
}

static void test_condition(void)
{
	check("oq.condition-wait", drawn(1, QUERY_WAIT_NV, false), "drawn when samples passed");
	check("oq.condition-wait", !drawn(0, QUERY_WAIT_NV, false), "not drawn when none did");
	check("oq.condition-no-wait", drawn(1, QUERY_NO_WAIT_NV, true), "drawn when known to pass");
	check("oq.condition-no-wait", !drawn(0, QUERY_NO_WAIT_NV, true),
	      "not drawn when known not to");
	check("oq.condition-no-wait", drawn(1, QUERY_NO_WAIT_NV, false),
	      "drawn when it will pass, known or not");
}

int main(void)
{
	use_context(make_context(API_GL, EGL_NO_CONTEXT));
	load();
	make_target(SIZE, SIZE);
	add_depth(GL_DEPTH_COMPONENT16, SIZE, SIZE);
	glEnable(GL_DEPTH_TEST);
	color = glGetUniformLocation(use_plain_program(), "color");
	test_counts();
	test_several();
	test_condition();
	check_error("oq.no-error", GL_NO_ERROR, "after everything");
	return end_checks();
}
