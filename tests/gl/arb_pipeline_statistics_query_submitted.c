// SPDX-License-Identifier: MIT
/*
 * VERTICES_SUBMITTED and PRIMITIVES_SUBMITTED of GL_ARB_pipeline_statistics_query: all
 * kinds of draws of all kinds of primitives. Prints "count KIND MODE VERTICES
 * PRIMITIVES" for each, which tests/gl/run compares with llvmpipe's. The tags are "psq.".
 */

#include "statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIZE 64
#define MAX_VERTICES 12
#define INSTANCES 3
/* More than Mesa's buffers for glBegin and for display lists hold. */
#define LONG_VERTICES 300000

#define QUADS 7
#define QUAD_STRIP 8
#define POLYGON 9
#define COMPILE 0x1300
#define COMPILE_AND_EXECUTE 0x1301
#define PRIMITIVE_RESTART_NV 0x8558
#define FEEDBACK 0x1C01
#define RENDER 0x1C00
#define FEEDBACK_2D 0x0600
#define QUERY_WAIT_NV 0x8E13

static struct {
	void (*begin)(GLenum);
	void (*end)(void);
	void (*vertex)(GLfloat, GLfloat);
	void (*rect)(GLfloat, GLfloat, GLfloat, GLfloat);
	void (*array_element)(GLint);
	void (*draw_range)(GLenum, GLuint, GLuint, GLsizei, GLenum, const void *);
	void (*multi_arrays)(GLenum, const GLint *, const GLsizei *, GLsizei);
	void (*multi_elements)(GLenum, const GLsizei *, GLenum, const void *const *, GLsizei);
	void (*draw_instanced)(GLenum, GLint, GLsizei, GLsizei);
	void (*elements_instanced)(GLenum, GLsizei, GLenum, const void *, GLsizei);
	GLuint (*gen_lists)(GLsizei);
	void (*new_list)(GLuint, GLenum);
	void (*end_list)(void);
	void (*call_list)(GLuint);
	void (*delete_lists)(GLuint, GLsizei);
	void (*enable_client)(GLenum);
	void (*disable_client)(GLenum);
	void (*restart_index)(GLuint);
	GLint (*render_mode)(GLenum);
	void (*feedback_buffer)(GLsizei, GLenum, GLfloat *);
	void (*begin_condition)(GLuint, GLenum);
	void (*end_condition)(void);
} gl;

static void load(void)
{
	load_query_calls();
	gl.begin = get_function("glBegin");
	gl.end = get_function("glEnd");
	gl.vertex = get_function("glVertex2f");
	gl.rect = get_function("glRectf");
	gl.array_element = get_function("glArrayElement");
	gl.draw_range = get_function("glDrawRangeElements");
	gl.multi_arrays = get_function("glMultiDrawArrays");
	gl.multi_elements = get_function("glMultiDrawElements");
	gl.draw_instanced = get_function("glDrawArraysInstancedARB");
	gl.elements_instanced = get_function("glDrawElementsInstancedARB");
	gl.gen_lists = get_function("glGenLists");
	gl.new_list = get_function("glNewList");
	gl.end_list = get_function("glEndList");
	gl.call_list = get_function("glCallList");
	gl.delete_lists = get_function("glDeleteLists");
	gl.enable_client = get_function("glEnableClientState");
	gl.disable_client = get_function("glDisableClientState");
	gl.restart_index = get_function("glPrimitiveRestartIndexNV");
	gl.render_mode = get_function("glRenderMode");
	gl.feedback_buffer = get_function("glFeedbackBuffer");
	gl.begin_condition = get_function("glBeginConditionalRenderNV");
	gl.end_condition = get_function("glEndConditionalRenderNV");
}

/* Draws of whole primitives, and how many those are. */
static const struct mode {
	const char *name;
	GLenum mode;
	GLsizei count;
	unsigned primitives;
} modes[] = {
	{ "points", GL_POINTS, 5, 5 },
	{ "lines", GL_LINES, 6, 3 },
	{ "line-loop", GL_LINE_LOOP, 5, 5 },
	{ "line-strip", GL_LINE_STRIP, 5, 4 },
	{ "two-point-strip", GL_LINE_STRIP, 2, 1 },
	{ "triangles", GL_TRIANGLES, 6, 2 },
	{ "triangle-strip", GL_TRIANGLE_STRIP, 7, 5 },
	{ "one-triangle-strip", GL_TRIANGLE_STRIP, 3, 1 },
	{ "triangle-fan", GL_TRIANGLE_FAN, 6, 4 },
	{ "quads", QUADS, 8, 2 },
	{ "one-quad", QUADS, 4, 1 },
	{ "quad-strip", QUAD_STRIP, 8, 3 },
	{ "polygon", POLYGON, 6, 1 },
	{ "triangle-polygon", POLYGON, 3, 1 },
};

/* What the functions below draw */
static const struct mode *mode;
static float ring[2 * MAX_VERTICES];
static const GLubyte bytes[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
static const GLushort shorts[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
static const GLuint ints[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
static GLuint vertex_buffer, index_buffer;

static void make_buffers(void)
{
	for (int i = 0; i < MAX_VERTICES; i++) {
		ring[2 * i] = 0.8f * cosf(0.5f * i);
		ring[2 * i + 1] = 0.8f * sinf(0.5f * i);
	}
	glGenBuffers(1, &vertex_buffer);
	glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(ring), ring, GL_STATIC_DRAW);
	glGenBuffers(1, &index_buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, index_buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(shorts), shorts, GL_STATIC_DRAW);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
	glEnableVertexAttribArray(0);
}

/* Vertices in memory or in a buffer. */
static void use_memory(void)
{
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, ring);
}

static void use_buffer(void)
{
	glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
}

/* ---- ways to draw the mode ---- */

static void by_memory(void)
{
	use_memory();
	glDrawArrays(mode->mode, 0, mode->count);
}

static void by_buffer(void)
{
	use_buffer();
	glDrawArrays(mode->mode, 2, mode->count);
}

static void by_bytes(void)
{
	use_memory();
	glDrawElements(mode->mode, mode->count, GL_UNSIGNED_BYTE, bytes);
}

static void by_shorts(void)
{
	use_buffer();
	glDrawElements(mode->mode, mode->count, GL_UNSIGNED_SHORT, shorts);
}

static void by_ints(void)
{
	use_buffer();
	glDrawElements(mode->mode, mode->count, GL_UNSIGNED_INT, ints);
}

static void by_index_buffer(void)
{
	use_buffer();
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, index_buffer);
	glDrawElements(mode->mode, mode->count, GL_UNSIGNED_SHORT, (void *)4);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
}

static void by_range(void)
{
	use_memory();
	gl.draw_range(mode->mode, 0, MAX_VERTICES - 1, mode->count, GL_UNSIGNED_SHORT, shorts);
}

static void by_multi_arrays(void)
{
	const GLint first[] = { 0, 1, 2 };
	const GLsizei counts[] = { mode->count, 0, mode->count };

	use_buffer();
	gl.multi_arrays(mode->mode, first, counts, 3);
}

static void by_multi_elements(void)
{
	const void *const indices[] = { shorts, shorts + 1, shorts + 2 };
	const GLsizei counts[] = { mode->count, 0, mode->count };

	use_buffer();
	gl.multi_elements(mode->mode, counts, GL_UNSIGNED_SHORT, indices, 3);
}

static void by_instances(void)
{
	use_buffer();
	gl.draw_instanced(mode->mode, 0, mode->count, INSTANCES);
}

static void by_indexed_instances(void)
{
	use_buffer();
	gl.elements_instanced(mode->mode, mode->count, GL_UNSIGNED_SHORT, shorts, INSTANCES);
}

static void begin_end(void)
{
	gl.begin(mode->mode);
	for (int i = 0; i < mode->count; i++)
		gl.vertex(ring[2 * i], ring[2 * i + 1]);
	gl.end();
}

/* Mesa may merge the second draw with the first. */
static void by_begin(void)
{
	begin_end();
	begin_end();
}

static void by_array_elements(void)
{
	use_memory();
	gl.begin(mode->mode);
	for (int i = 0; i < mode->count; i++)
		gl.array_element(i);
	gl.end();
}

static void arrays_twice(void)
{
	use_memory();
	glDrawArrays(mode->mode, 0, mode->count);
	glDrawElements(mode->mode, mode->count, GL_UNSIGNED_SHORT, shorts);
}

/*
 * Compile a list of what @draw draws, and call it. Compiling draws with @how COMPILE_AND_EXECUTE
 * only; each call does.
 */
static void call(void (*draw)(void), int calls, GLenum how)
{
	GLuint list = gl.gen_lists(1);

	gl.new_list(list, how);
	draw();
	gl.end_list();
	for (int i = 0; i < calls; i++)
		gl.call_list(list);
	gl.delete_lists(list, 1);
}

static void by_list(void)
{
	call(by_begin, 2, COMPILE);
}

static void by_list_of_arrays(void)
{
	call(arrays_twice, 1, COMPILE);
}

static void by_executed_list(void)
{
	call(begin_end, 0, COMPILE_AND_EXECUTE);
}

static void by_uncalled_list(void)
{
	call(begin_end, 0, COMPILE);
}

static const struct {
	const char *tag, *name;
	void (*draw)(void);
	/* How often the mode's vertices and primitives are submitted */
	unsigned times;
} kinds[] = {
	{ "psq.arrays", "memory", by_memory, 1 },
	{ "psq.arrays", "buffer", by_buffer, 1 },
	{ "psq.elements", "bytes", by_bytes, 1 },
	{ "psq.elements", "shorts", by_shorts, 1 },
	{ "psq.elements", "ints", by_ints, 1 },
	{ "psq.elements", "index-buffer", by_index_buffer, 1 },
	{ "psq.elements", "range", by_range, 1 },
	{ "psq.multi", "multi-arrays", by_multi_arrays, 2 },
	{ "psq.multi", "multi-elements", by_multi_elements, 2 },
	{ "psq.instances", "instances", by_instances, INSTANCES },
	{ "psq.instances", "indexed-instances", by_indexed_instances, INSTANCES },
	{ "psq.begin-end", "begin", by_begin, 2 },
	{ "psq.begin-end", "array-elements", by_array_elements, 1 },
	{ "psq.list", "list", by_list, 4 },
	{ "psq.list", "list-of-arrays", by_list_of_arrays, 2 },
	{ "psq.list", "executed-list", by_executed_list, 1 },
	{ "psq.list", "uncalled-list", by_uncalled_list, 0 },
};

/*
 * From display lists Mesa draws strips as lines, or as triangles joined by degenerate ones;
 * tests/gl/run compares their number with llvmpipe's.
 */
static bool is_remade(const char *tag)
{
	return strcmp(tag, "psq.list") == 0 &&
	       (mode->mode == GL_LINE_STRIP || mode->mode == GL_TRIANGLE_STRIP);
}

/* The first vertex of a line loop may be counted twice. */
static bool right_vertices(uint64_t vertices, uint64_t expected, unsigned times)
{
	return vertices == expected ||
	       (mode->mode == GL_LINE_LOOP && vertices > expected && vertices <= expected + times);
}

static void test_kind(size_t i)
{
	uint64_t results[NR_TARGETS], primitives, vertices;
	unsigned wrong = 0;

	if (strcmp(kinds[i].tag, "psq.instances") == 0 && !has_extension("GL_ARB_draw_instanced")) {
		skip(kinds[i].tag,
		     "GL_ARB_draw_instanced is not offered: the core has no instances");
		return;
	}
	for (mode = modes; mode < modes + COUNT(modes); mode++) {
		count(kinds[i].draw, results);
		vertices = (uint64_t)mode->count * kinds[i].times;
		primitives = (uint64_t)mode->primitives * kinds[i].times;
		printf("count %s %s %llu %llu\n", kinds[i].name, mode->name,
		       (unsigned long long)results[VERTICES],
		       (unsigned long long)results[PRIMITIVES]);
		if (right_vertices(results[VERTICES], vertices, kinds[i].times) &&
		    results[PRIMITIVES] == primitives)
			continue;
		if (is_remade(kinds[i].tag) && results[VERTICES] >= vertices &&
		    results[PRIMITIVES] >= primitives)
			continue;
		wrong++;
		printf("# %s %s: expected %llu %llu\n", kinds[i].name, mode->name,
		       (unsigned long long)vertices, (unsigned long long)primitives);
	}
	check(kinds[i].tag, wrong == 0, "%s: %u of %zu kinds of primitives are wrong",
	      kinds[i].name, wrong, COUNT(modes));
}

/* ---- more than fits a buffer ---- */

static void long_begin_end(void)
{
	gl.begin(mode->mode);
	for (int i = 0; i < LONG_VERTICES; i++)
		gl.vertex(0.001f * (i % 7), 0.001f * (i % 5));
	gl.end();
}

static void long_list(void)
{
	call(long_begin_end, 1, COMPILE);
}

/*
 * At the end of Mesa's buffer the primitive is split, and some of its vertices are submitted again;
 * a polygon becomes several.
 */
static bool right_long(const uint64_t *results)
{
	return results[VERTICES] >= LONG_VERTICES &&
	       results[VERTICES] <= LONG_VERTICES + LONG_VERTICES / 100 &&
	       (mode->mode == POLYGON ? results[PRIMITIVES] >= 1 && results[PRIMITIVES] < 1000
				      : results[PRIMITIVES] == mode->primitives);
}

static void test_long(void)
{
	static const struct mode long_modes[] = {
		{ "lines", GL_LINES, LONG_VERTICES, LONG_VERTICES / 2 },
		{ "line-loop", GL_LINE_LOOP, LONG_VERTICES, LONG_VERTICES },
		{ "line-strip", GL_LINE_STRIP, LONG_VERTICES, LONG_VERTICES - 1 },
		{ "triangles", GL_TRIANGLES, LONG_VERTICES, LONG_VERTICES / 3 },
		{ "triangle-strip", GL_TRIANGLE_STRIP, LONG_VERTICES, LONG_VERTICES - 2 },
		{ "quads", QUADS, LONG_VERTICES, LONG_VERTICES / 4 },
		{ "quad-strip", QUAD_STRIP, LONG_VERTICES, LONG_VERTICES / 2 - 1 },
		{ "polygon", POLYGON, LONG_VERTICES, 1 },
	};
	void (*const draws[])(void) = { long_begin_end, long_list };
	uint64_t results[NR_TARGETS];

	for (size_t i = 0; i < 2 * COUNT(long_modes); i++) {
		mode = &long_modes[i / 2];
		count(draws[i % 2], results);
		check("psq.long", right_long(results), "%s, %s: %llu vertices, %llu primitives",
		      i % 2 ? "list" : "begin", mode->name, (unsigned long long)results[VERTICES],
		      (unsigned long long)results[PRIMITIVES]);
	}
}

/* ---- what is special ---- */

static void expect(const char *tag, void (*draw)(void), uint64_t vertices, uint64_t primitives,
		   const char *what)
{
	uint64_t results[NR_TARGETS];

	count(draw, results);
	check(tag, results[VERTICES] == vertices && results[PRIMITIVES] == primitives,
	      "%s: %llu vertices, %llu primitives", what, (unsigned long long)results[VERTICES],
	      (unsigned long long)results[PRIMITIVES]);
}

static void draw_nothing(void)
{
}

static void draw_rectangle(void)
{
	gl.rect(-0.5f, -0.5f, 0.5f, 0.5f);
}

/* Rows of 4, 3, 0 and 3 indices, and of 4, 0, 4 and 0; 999 is the index that restarts. */
static const GLushort strips[] = { 0, 1, 2, 3, 999, 4, 5, 6, 999, 999, 7, 8, 9 };
static const GLushort quads[] = { 0, 1, 2, 3, 999, 999, 4, 5, 6, 7, 999 };

static void draw_restarting(void)
{
	use_buffer();
	glDrawElements(GL_TRIANGLE_STRIP, COUNT(strips), GL_UNSIGNED_SHORT, strips);
	glDrawElements(GL_LINE_STRIP, COUNT(strips), GL_UNSIGNED_SHORT, strips);
	glDrawElements(POLYGON, COUNT(strips), GL_UNSIGNED_SHORT, strips);
	glDrawElements(QUADS, COUNT(quads), GL_UNSIGNED_SHORT, quads);
}

static void draw_restarting_buffer(void)
{
	GLuint buffer;

	use_buffer();
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(strips), strips, GL_STATIC_DRAW);
	gl.elements_instanced(GL_TRIANGLE_STRIP, COUNT(strips), GL_UNSIGNED_SHORT, NULL, 2);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
	glDeleteBuffers(1, &buffer);
}

static void test_restart(void)
{
	if (!has_extension("GL_NV_primitive_restart")) {
		skip("psq.restart",
		     "GL_NV_primitive_restart is not offered: the core does not restart");
		return;
	}
	gl.enable_client(PRIMITIVE_RESTART_NV);
	gl.restart_index(999);
	expect("psq.restart", draw_restarting, 3 * 10 + 8, 4 + 7 + 3 + 2, "in memory");
	expect("psq.restart", draw_restarting_buffer, 2 * 10, 2 * 4, "in a buffer, two instances");
	gl.disable_client(PRIMITIVE_RESTART_NV);
}

static void draw_incomplete(void)
{
	use_buffer();
	glDrawArrays(GL_TRIANGLES, 0, 8);
	glDrawArrays(QUADS, 0, 3);
}

/* Vertices of incomplete primitives may be counted, and the primitives. */
static void test_incomplete(void)
{
	uint64_t results[NR_TARGETS];

	count(draw_incomplete, results);
	check("psq.incomplete",
	      results[VERTICES] >= 6 && results[VERTICES] <= 11 && results[PRIMITIVES] >= 2 &&
		      results[PRIMITIVES] <= 4,
	      "%llu vertices, %llu primitives", (unsigned long long)results[VERTICES],
	      (unsigned long long)results[PRIMITIVES]);
}

static void draw_feedback(void)
{
	static GLfloat values[1024];

	gl.feedback_buffer(COUNT(values), FEEDBACK_2D, values);
	gl.render_mode(FEEDBACK);
	by_memory();
	gl.render_mode(RENDER);
	by_memory();
}

static GLuint condition;

static void draw_condition(void)
{
	gl.begin_condition(condition, QUERY_WAIT_NV);
	by_memory();
	begin_end();
	gl.end_condition();
	by_memory();
}

/* Draws discarded by a condition are not counted as submitted. */
static void test_condition(void)
{
	query.gen(1, &condition);
	query.begin(SAMPLES_PASSED, condition);
	query.end(SAMPLES_PASSED);
	expect("psq.condition", draw_condition, mode->count, mode->primitives, "nothing passed");
	query.begin(SAMPLES_PASSED, condition);
	by_memory();
	query.end(SAMPLES_PASSED);
	expect("psq.condition", draw_condition, 3 * mode->count, 3 * mode->primitives,
	       "something passed");
	query.delete(1, &condition);
}

/* Queries of two targets that overlap: each is active for two of the draws. */
static void test_overlap(void)
{
	uint64_t vertices, primitives;
	GLuint ids[2];

	query.gen(2, ids);
	query.begin(VERTICES_SUBMITTED, ids[0]);
	by_memory();
	query.begin(PRIMITIVES_SUBMITTED, ids[1]);
	by_memory();
	query.end(VERTICES_SUBMITTED);
	by_memory();
	query.end(PRIMITIVES_SUBMITTED);
	by_memory();
	query.get64(ids[0], QUERY_RESULT, &vertices);
	query.get64(ids[1], QUERY_RESULT, &primitives);
	check("psq.overlap", vertices == 2ull * mode->count && primitives == 2 * mode->primitives,
	      "two of three draws each: %llu vertices, %llu primitives",
	      (unsigned long long)vertices, (unsigned long long)primitives);
	query.delete(2, ids);
}

int main(void)
{
	use_context(make_context(API_GL, EGL_NO_CONTEXT));
	load();
	make_target(SIZE, SIZE);
	use_plain_program();
	make_buffers();
	for (size_t i = 0; i < COUNT(kinds); i++)
		test_kind(i);
	test_long();
	expect("psq.zero", draw_nothing, 0, 0, "no draws");
	expect("psq.begin-end", draw_rectangle, 4, 1, "glRect");
	test_restart();
	test_incomplete();
	mode = &modes[5]; /* triangles */
	expect("psq.feedback", draw_feedback, mode->count, mode->primitives,
	       "a draw for feedback, which Mesa does by itself, and one to render");
	test_condition();
	test_overlap();
	check_error("psq.no-error", GL_NO_ERROR, "after everything");
	return end_checks();
}
