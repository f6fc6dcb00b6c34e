// SPDX-License-Identifier: MIT
/*
 * GL_ARB_pipeline_statistics_query: its rules, and its counts, compared with
 * scenes whose counts are known and with GL_AMD_performance_monitor. The tags are "psq.".
 */

#include "arb_pipeline_statistics_query.h"
#include "monitor.h"

#include <stdio.h>
#include <string.h>

#define FRAMES 5
#define DRAWS 100
/* Upper limit of the number of the core's counters in one monitor. */
#define MAX_SIGNALS 64

#define TIME_ELAPSED 0x88BF
#define MIN_BITS 32

static GLint color;
static GLuint texture;

static void load(void)
{
	load_query_calls();
	load_monitor_calls();
}

static void draw(GLenum mode, const float *corners, int vertices)
{
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, corners);
	glEnableVertexAttribArray(0);
	glDrawArrays(mode, 0, vertices);
}

void print_results(const uint64_t results[NR_TARGETS])
{
	printf("#");
	for (int i = 0; i < NR_TARGETS; i++)
		printf(" %llu", (unsigned long long)results[i]);
	printf("\n");
}

/* All of it, in the order of enum place. */
static void expect(const char *tag, const uint64_t results[NR_TARGETS],
		   const uint64_t expected[NR_TARGETS], const char *what)
{
	if (!check(tag, memcmp(results, expected, sizeof(uint64_t[NR_TARGETS])) == 0, "%s", what))
		print_results(results);
}

/* ---- rules ---- */

static void test_offered(void)
{
	GLint bits;

	check("psq.renderer", strstr((const char *)glGetString(GL_RENDERER), "Vivante") != NULL,
	      "%s", (const char *)glGetString(GL_RENDERER));
	check("psq.offered", has_extension("GL_ARB_pipeline_statistics_query"), "in the list");
	for (int i = 0; i < NR_TARGETS; i++) {
		bits = -1;
		query.parameter(targets[i], QUERY_COUNTER_BITS, &bits);
		check("psq.bits", bits >= MIN_BITS, "0x%x: %d bits", targets[i], bits);
	}
}

/* Targets of stages that don't exist are no targets. */
static void test_stages(void)
{
	static const GLenum missing[] = { TESS_CONTROL_SHADER_PATCHES,
					  TESS_EVALUATION_SHADER_INVOCATIONS,
					  GEOMETRY_SHADER_INVOCATIONS,
					  GEOMETRY_SHADER_PRIMITIVES_EMITTED,
					  COMPUTE_SHADER_INVOCATIONS };
	GLint bits;
	GLuint id;

	query.gen(1, &id);
	for (size_t i = 0; i < COUNT(missing); i++) {
		query.begin(missing[i], id);
		check_error("psq.stages", GL_INVALID_ENUM, "begin");
		query.parameter(missing[i], QUERY_COUNTER_BITS, &bits);
		check_error("psq.stages", GL_INVALID_ENUM, "bits");
	}
	query.begin(CLIPPING_OUTPUT_PRIMITIVES + 1, id);
	check_error("psq.begin-target", GL_INVALID_ENUM, "a target that nobody knows");
	query.end(CLIPPING_OUTPUT_PRIMITIVES + 1);
	check_error("psq.end-target", GL_INVALID_ENUM, "a target that nobody knows");
	query.delete(1, &id);
}

static void test_index(GLenum of, GLuint id)
{
	query.begin_indexed(of, 1, id);
	check_error("psq.index", GL_INVALID_VALUE, "begin, index 1");
	query.begin_indexed(of, 0, id);
	check_error("psq.index", GL_NO_ERROR, "begin, index 0");
	query.end_indexed(of, 1);
	check_error("psq.index", GL_INVALID_VALUE, "end, index 1");
	query.end_indexed(of, 0);
	check_error("psq.index", GL_NO_ERROR, "end, index 0");
}

static void test_active(GLenum of, const GLuint ids[2])
{
	GLint current = 0;
	GLuint result;

	query.begin(of, ids[0]);
	check_error("psq.begin", GL_NO_ERROR, "begin");
	query.parameter(of, CURRENT_QUERY, &current);
	check("psq.current", current == (GLint)ids[0], "while it is active: %d", current);
	query.begin(of, ids[1]);
	check_error("psq.begin-active", GL_INVALID_OPERATION, "the target has an active query");
	query.get(ids[0], QUERY_RESULT, &result);
	check_error("psq.get-active", GL_INVALID_OPERATION, "result of an active query");
	query.begin(SAMPLES_PASSED, ids[0]);
	check_error("psq.begin-in-progress", GL_INVALID_OPERATION, "active for another target");
	query.end(of);
	check_error("psq.begin", GL_NO_ERROR, "end");
	query.parameter(of, CURRENT_QUERY, &current);
	check("psq.current", current == 0, "and then none: %d", current);
	query.end(of);
	check_error("psq.end-none", GL_INVALID_OPERATION, "end without begin");
}

static void test_rules(void)
{
	GLuint ids[3];

	for (int i = 0; i < NR_TARGETS; i++) {
		query.gen(3, ids);
		test_active(targets[i], ids);
		test_index(targets[i], ids[0]);
		query.begin(targets[i], 0);
		check_error("psq.begin-zero", GL_INVALID_OPERATION, "the name 0");
		query.begin(targets[(i + 1) % NR_TARGETS], ids[0]);
		check_error("psq.begin-type", GL_INVALID_OPERATION, "a query of another target");
		query.begin(targets[i], ids[2]);
		query.delete(3, ids);
		check_error("psq.delete-active", GL_NO_ERROR, "an active one deleted");
		query.end(targets[i]);
		glGetError(); /* the end of a deleted query may be an error */
	}
}

/* ---- what is counted ---- */

static void draw_nothing(void)
{
}

static void draw_one(void)
{
	draw_square(0, 1);
}

static void draw_many(void)
{
	draw_square(0, DRAWS);
}

static void draw_flushes(void)
{
	for (int i = 0; i < DRAWS; i++) {
		draw_square(0, 1);
		glFlush();
	}
}

static void draw_frames(void)
{
	for (int i = 0; i < FRAMES; i++) {
		glClear(GL_COLOR_BUFFER_BIT);
		draw_square(0, 1);
		glFinish();
	}
}

/* Of n squares in strips of four vertices. */
void expect_squares(const char *tag, void (*what)(void), unsigned n, const char *text)
{
	const uint64_t expected[NR_TARGETS] = {
		4 * n, 2 * n, 4 * n, 2 * n, 2 * n, n * SIZE * SIZE
	};
	uint64_t results[NR_TARGETS];

	count(what, results);
	expect(tag, results, expected, text);
}

static void test_squares(void)
{
	expect_squares("psq.zero", draw_nothing, 0, "nothing, with all targets");
	expect_squares("psq.counts", draw_one, 1, "a square");
	expect_squares("psq.counts", draw_many, DRAWS, "a hundred squares");
	expect_squares("psq.flushes", draw_flushes, DRAWS, "a hundred jobs");
	expect_squares("psq.frames", draw_frames, FRAMES, "five frames");
	draw_many();
	expect_squares("psq.zero", draw_one, 1, "what was drawn before doesn't count");
}

/* A query is used again. */
static void test_again(void)
{
	uint64_t results[3];
	GLuint id;

	query.gen(1, &id);
	for (int i = 0; i < 3; i++) {
		query.begin(FRAGMENT_SHADER_INVOCATIONS, id);
		draw_square(0, i);
		query.end(FRAGMENT_SHADER_INVOCATIONS);
		query.get64(id, QUERY_RESULT, &results[i]);
	}
	check("psq.again",
	      results[0] == 0 && results[1] == SIZE * SIZE && results[2] == 2 * SIZE * SIZE,
	      "three times the same: %llu, %llu, %llu", (unsigned long long)results[0],
	      (unsigned long long)results[1], (unsigned long long)results[2]);
	query.delete(1, &id);
}

/*
 * Queries of fragments in sequence, each with draws of its own. When the last result is there all
 * are, and only then they are read.
 */
static void test_polled(void)
{
	GLuint ids[DRAWS], available = 0, result;
	bool right = true;

	query.gen(DRAWS, ids);
	for (int i = 0; i < DRAWS; i++) {
		query.begin(FRAGMENT_SHADER_INVOCATIONS, ids[i]);
		draw_square(0, i % 3);
		query.end(FRAGMENT_SHADER_INVOCATIONS);
	}
	while (!available)
		query.get(ids[DRAWS - 1], QUERY_RESULT_AVAILABLE, &available);
	for (int i = 0; i < DRAWS; i++) {
		query.get(ids[i], QUERY_RESULT_AVAILABLE, &available);
		query.get(ids[i], QUERY_RESULT, &result);
		right &= available && result == (GLuint)(i % 3 * SIZE * SIZE);
	}
	check("psq.available", right, "a hundred queries, asked for until the last is there");
	query.delete(DRAWS, ids);
}

/* A primitive with a vertex inside counts at least once, one without may count. */
static void test_clipping(void)
{
	static const float scenes[][9] = {
		{ -1, -1, 0, 1, -1, 0, 0, 1, 0 },  { 0, 0, 0, 9, 0, 0, 0, 9, 0 },
		{ -9, -9, 0, 9, -9, 0, 0, 9, 0 },  { 5, 5, 0, 6, 5, 0, 5, 6, 0 },
		{ 0, 0, 0.5f, 0, 0, 7, 1, 0, -7 },
	};
	static const char *const names[] = { "inside", "cut", "around", "outside", "near and far" };
	uint64_t results[NR_TARGETS];
	GLuint ids[NR_TARGETS];

	for (size_t i = 0; i < COUNT(scenes); i++) {
		begin_all(ids);
		draw(GL_TRIANGLES, scenes[i], 3);
		end_all();
		get_all(ids, results);
		check("psq.clipping-input", results[CLIPPING_INPUT] == 1, "%s: %llu", names[i],
		      (unsigned long long)results[CLIPPING_INPUT]);
		check("psq.clipping-output",
		      results[CLIPPING_OUTPUT] >= (i == 0 || i == 1 || i == 4), "%s: %llu",
		      names[i], (unsigned long long)results[CLIPPING_OUTPUT]);
	}
}

static void test_culling(void)
{
	static const struct {
		GLenum face;
		uint64_t fragments;
	} all[] = { { GL_FRONT, 0 }, { GL_BACK, SIZE * SIZE }, { GL_FRONT_AND_BACK, 0 } };
	uint64_t results[NR_TARGETS];

	glEnable(GL_CULL_FACE);
	for (size_t i = 0; i < COUNT(all); i++) {
		glCullFace(all[i].face);
		count(draw_one, results);
		if (!check("psq.culled",
			   results[CLIPPING_INPUT] == 2 && results[CLIPPING_OUTPUT] >= 2 &&
				   results[FRAGMENT_SHADER] == all[i].fragments,
			   "face 0x%x: clipped before that, no fragments", all[i].face))
			print_results(results);
	}
	glDisable(GL_CULL_FACE);
}

static void test_fragments(void)
{
	uint64_t results[NR_TARGETS];

	glEnable(GL_SCISSOR_TEST);
	glScissor(3, 5, 17, 11);
	count(draw_one, results);
	check("psq.fragments", results[FRAGMENT_SHADER] == 17 * 11, "in a scissor: %llu",
	      (unsigned long long)results[FRAGMENT_SHADER]);
	glDisable(GL_SCISSOR_TEST);
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	count(draw_one, results);
	check("psq.fragments",
	      results[FRAGMENT_SHADER] == 0 || results[FRAGMENT_SHADER] == SIZE * SIZE,
	      "without a colour: %llu", (unsigned long long)results[FRAGMENT_SHADER]);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

/* ---- together with other queries ---- */

static void draw_scene(void)
{
	static const float cut[] = { 0, 0, 0, 9, 0, 0, 0, 9, 0, -9, 0, 0, 0, -9, 0, 0, 0.5f, 0 };
	static const float points[] = { 0, 0, 0, 0.5f, 0, 0, 0, 0.5f, 0 };

	draw_square(0, 3);
	draw(GL_TRIANGLES, cut, 6);
	glFlush();
	draw(GL_POINTS, points, 3);
	draw(GL_LINE_LOOP, points, 3);
}

/* The monitor's counters of the same draws are the same. */
static void test_monitor(void)
{
	static const char *const names[] = { "VS Vertices", "PA Input Primitives", "PS Pixels",
					     "FE Draws" };
	static struct monitor_result result;
	GLuint monitor = make_monitor(names, COUNT(names)), ids[NR_TARGETS];
	uint64_t results[NR_TARGETS];

	for (int inside = 0; inside < 2; inside++) {
		if (!inside)
			pm.begin(monitor);
		begin_all(ids);
		if (inside)
			pm.begin(monitor);
		draw_scene();
		if (inside)
			pm.end(monitor);
		end_all();
		if (!inside)
			pm.end(monitor);
		get_all(ids, results);
		get_result(monitor, &result);
		check("psq.monitor",
		      results[VERTEX_SHADER] == count_of(&result, "VS Vertices") &&
			      results[CLIPPING_INPUT] == count_of(&result, "PA Input Primitives") &&
			      results[CLIPPING_OUTPUT] == results[CLIPPING_INPUT] &&
			      results[FRAGMENT_SHADER] == count_of(&result, "PS Pixels") &&
			      results[FRAGMENT_SHADER] > 3 * SIZE * SIZE &&
			      count_of(&result, "FE Draws") == 6,
		      "%s: %llu vertices, %llu primitives, %llu pixels",
		      inside ? "in the queries" : "around the queries",
		      (unsigned long long)results[VERTEX_SHADER],
		      (unsigned long long)results[CLIPPING_INPUT],
		      (unsigned long long)results[FRAGMENT_SHADER]);
	}
	delete_monitor(monitor);
}

/* A monitor of the maximum number of counters. Ratios are computed from others. */
static GLuint make_full_monitor(void)
{
	GLuint groups[MAX_GROUPS], counters[MAX_COUNTERS], monitor, type, api, left = MAX_SIGNALS;
	unsigned nr_groups = get_groups(groups), nr;

	pm.gen(1, &monitor);
	if (!find_group("API", &api))
		give_up("no group API");
	for (unsigned i = 0; i < nr_groups; i++) {
		nr = groups[i] == api ? 0 : get_counters(groups[i], counters);
		for (unsigned k = 0; k < nr && left; k++) {
			pm.counter_info(groups[i], counters[k], GL_COUNTER_TYPE_AMD, &type);
			if (type != GL_UNSIGNED_INT64_AMD)
				continue;
			pm.select(monitor, GL_TRUE, groups[i], 1, &counters[k]);
			left--;
		}
	}
	return monitor;
}

/* All targets, a monitor with all counters that it may have, samples and time, at once. */
static void test_together(void)
{
	const uint64_t expected[NR_TARGETS] = { 8, 4, 8, 4, 4, 2 * SIZE * SIZE };
	GLuint monitor = make_full_monitor(), ids[NR_TARGETS], more[2];
	uint64_t results[NR_TARGETS], samples, time;

	query.gen(2, more);
	query.begin(SAMPLES_PASSED, more[0]);
	query.begin(TIME_ELAPSED, more[1]);
	pm.begin(monitor);
	check_error("psq.together", GL_NO_ERROR, "a monitor of 64 counters");
	begin_all(ids);
	draw_square(0, 2);
	end_all();
	check_error("psq.together", GL_NO_ERROR, "queries beside it");
	pm.end(monitor);
	query.end(TIME_ELAPSED);
	query.end(SAMPLES_PASSED);
	get_all(ids, results);
	expect("psq.together", results, expected, "all that can be asked for");
	query.get64(more[0], QUERY_RESULT, &samples);
	query.get64(more[1], QUERY_RESULT, &time);
	check("psq.together", samples == 2 * SIZE * SIZE && time > 0, "%llu samples in %llu ns",
	      (unsigned long long)samples, (unsigned long long)time);
	check("psq.together", monitor_state(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD) == 1,
	      "the monitor has a result");
	query.delete(2, more);
	delete_monitor(monitor);
}

/*
 * What a lost job submitted counts, what the core would have done in it does not; the query ends,
 * and the next one is right.
 */
static void test_reset(void)
{
	uint64_t results[NR_TARGETS];
	GLuint ids[NR_TARGETS];

	begin_all(ids);
	draw_square(0, 1);
	glFinish();
	hang_core();
	draw_square(0, 1);
	end_all();
	get_all(ids, results);
	if (!check("psq.reset",
		   results[VERTICES] == 8 && results[PRIMITIVES] == 4 &&
			   results[VERTEX_SHADER] == 4 && results[CLIPPING_INPUT] == 2 &&
			   results[CLIPPING_OUTPUT] == 2 && results[FRAGMENT_SHADER] == SIZE * SIZE,
		   "the second of two jobs was lost"))
		print_results(results);
	expect_squares("psq.reset", draw_one, 1, "afterwards");
}

int main(void)
{
	use_context(make_context(API_GL, EGL_NO_CONTEXT));
	load();
	make_target(SIZE, SIZE);
	add_depth(GL_DEPTH_COMPONENT16, SIZE, SIZE);
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	color = glGetUniformLocation(use_plain_program(), "color");
	glUniform4f(color, 1, 0, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	test_offered();
	test_stages();
	test_rules();
	test_squares();
	test_again();
	test_polled();
	test_clipping();
	test_culling();
	test_fragments();
	test_ignored();
	test_monitor();
	test_together();
	check_error("psq.no-error", GL_NO_ERROR, "after everything");
	test_reset();
	return end_checks();
}
