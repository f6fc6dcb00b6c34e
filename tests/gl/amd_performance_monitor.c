// SPDX-License-Identifier: MIT
/*
 * Tests of GL_AMD_performance_monitor, one for each requirement of its specification; the tags
 * "pm." are those of Documentation/mesa/conformance-amd-performance-monitor.rst. Counts are
 * compared with what was drawn; amd_performance_monitor_exact.c compares them with the card's.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amd_performance_monitor.h"

#define SIZE 64
#define THREADS 4
/* Limit of the wait for a result in milliseconds. */
#define PATIENCE 20000

/* Shorter than the time in which the card draws the squares of the test. */
#define NO_WAIT_NS 50000

static void test_result(void)
{
	const char *const names[] = { "Draw Calls", "Vertices", "Vertices per Draw Call",
				      "Hardware Busy" };
	GLuint monitor = make_monitor(names, 4), words[16], size;
	struct monitor_result result;
	GLint written = -1;

	pm.begin(monitor);
	draw_square(0, 6);
	pm.end(monitor);
	size = monitor_state(monitor, GL_PERFMON_RESULT_SIZE_AMD);
	check("pm.data-size", size == 4 * 8 + 4 + 8 + 4 + 4, "%u bytes for four counters", size);
	get_result(monitor, &result);
	check("pm.data-result", result.sound && result.count == 4 && result.written == (GLint)size,
	      "group, counter and value of each");
	check("pm.data-values",
	      count_of(&result, "Draw Calls") == 6 && count_of(&result, "Vertices") == 24 &&
		      value_of(&result, "Vertices per Draw Call")->real == 4,
	      "in 32 bits, 64 bits and a float");

	/* With too little room whole words are written, also a half of a value. */
	for (GLuint room = 0; room <= size; room++) {
		const uint8_t *bytes = (const uint8_t *)words;
		GLuint whole = room & ~3u;

		memset(words, 0xa5, sizeof(words));
		pm.data(monitor, GL_PERFMON_RESULT_AMD, room, words, &written);
		check("pm.data-room",
		      written == (GLint)whole && bytes[whole] == 0xa5 &&
			      (!whole || words[whole / 4 - 1] != UNTOUCHED),
		      "room for %u bytes gets %d", room, written);
	}
	pm.data(monitor, GL_PERFMON_RESULT_AMD, sizeof(words), words, NULL);
	check_error("pm.data-no-written", GL_NO_ERROR, "nobody asks how much");
	pm.data(monitor, GL_PERFMON_RESULT_SIZE_AMD, sizeof(words), words, &written);
	check("pm.data-written", written == sizeof(GLuint) && words[0] == size,
	      "a size is 4 bytes");
	pm.data(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD, sizeof(words), words, &written);
	check("pm.data-written", written == sizeof(GLuint), "and so is whether it is available");
	delete_monitor(monitor);
}

static void test_data_errors(void)
{
	GLuint monitor = make_monitor(NULL, 0), word = UNTOUCHED;
	GLint written = 77;

	pm.data(monitor, GL_PERFMON_RESULT_AMD, 4, NULL, &written);
	check_error("pm.data-null", GL_INVALID_OPERATION, "nowhere to write to");
	pm.data(BAD, GL_PERFMON_RESULT_AMD, 4, &word, &written);
	check_error("pm.data-bad-monitor", GL_INVALID_VALUE, "a monitor that is none");
	pm.data(monitor, GL_COUNTER_TYPE_AMD, 4, &word, &written);
	check_error("pm.data-bad-pname", GL_INVALID_ENUM, "a name of something else");
	pm.data(monitor, GL_PERFMON_RESULT_AMD, -1, &word, &written);
	check_error("pm.data-negative", GL_INVALID_VALUE, "a size below zero");
	check("pm.data-negative", word == UNTOUCHED && written == 77,
	      "nothing was written by these four");
	delete_monitor(monitor);
}

/* The program only polls; nothing waits for the result. */
static void test_available(void)
{
	const char *const names[] = { "FE Draws", "PS Pixels" };
	GLuint monitor = make_monitor(names, 2), available = 0;
	struct monitor_result result;
	int64_t start, asked;

	glFinish();
	start = now_ns();
	pm.begin(monitor);
	draw_square(0, 20);
	pm.end(monitor);
	available = monitor_state(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD);
	asked = now_ns();
	/* The calls take no virtual time, but a wait for the draws would. */
	check("pm.begin-no-wait", !available && asked - start < NO_WAIT_NS,
	      "Begin, 20 squares, End and a question take %lld ns", (long long)(asked - start));
	for (int i = 0; i < PATIENCE && !available; i++) {
		available = monitor_state(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD);
		if (!available)
			usleep(1000);
	}
	check("pm.data-available", available == 1, "asking again and again ends");
	get_result(monitor, &result);
	check("pm.data-available",
	      count_of(&result, "FE Draws") == 20 &&
		      count_of(&result, "PS Pixels") == 20 * SIZE * SIZE,
	      "%lu draws of %lu pixels", (long)count_of(&result, "FE Draws"),
	      (long)count_of(&result, "PS Pixels"));
	delete_monitor(monitor);
}

/*
 * Begin and end are positions in the sequence of commands, so earlier and later draws do not count.
 */
static void test_in_order(void)
{
	const char *const names[] = { "Draw Calls", "FE Draws", "PS Pixels" };
	GLuint monitor = make_monitor(names, 3);
	struct monitor_result result;

	draw_square(0, 3);
	pm.begin(monitor);
	draw_square(0, 5);
	pm.end(monitor);
	draw_square(0, 2);
	get_result(monitor, &result);
	check("pm.begin-in-order",
	      count_of(&result, "FE Draws") == 5 && count_of(&result, "Draw Calls") == 5 &&
		      count_of(&result, "PS Pixels") == 5 * SIZE * SIZE,
	      "5 of 10 draws in a frame: %lu", (long)count_of(&result, "FE Draws"));

	pm.begin(monitor);
	for (int frame = 0; frame < 40; frame++) {
		draw_square(0, 2);
		glFlush();
		draw_square(0, 1);
		glFinish();
	}
	pm.end(monitor);
	get_result(monitor, &result);
	check("pm.begin-across-flushes",
	      count_of(&result, "FE Draws") == 120 && count_of(&result, "Draw Calls") == 120 &&
		      count_of(&result, "PS Pixels") == 120 * SIZE * SIZE,
	      "40 frames of 3 draws and two jobs: %lu draws", (long)count_of(&result, "FE Draws"));

	pm.begin(monitor);
	pm.end(monitor);
	get_result(monitor, &result);
	check("pm.begin-again",
	      result.count == 3 && count_of(&result, "FE Draws") == 0 &&
		      count_of(&result, "Draw Calls") == 0,
	      "a new session begins at zero");
	delete_monitor(monitor);
}

static void test_api_counts(void)
{
	const char *const names[] = { "Draw Calls",    "Vertices",      "Primitives",
				      "Instances",     "Clears",        "Flushes",
				      "Copies",        "State Changes", "Jobs",
				      "Command Bytes", "Job Buffers",   "Job Buffer Bytes",
				      "Buffer Memory" };
	GLuint monitor = make_monitor(names, COUNT(names));
	struct monitor_result result;

	pm.begin(monitor);
	glClear(GL_COLOR_BUFFER_BIT);
	draw_square(0, 7);
	glFlush();
	glFlush();
	pm.end(monitor);
	get_result(monitor, &result);
	check("pm.api",
	      count_of(&result, "Draw Calls") == 7 && count_of(&result, "Vertices") == 28 &&
		      count_of(&result, "Primitives") == 14 && count_of(&result, "Instances") == 7,
	      "draws and what they are made of");
	check("pm.api",
	      count_of(&result, "Clears") == 1 && count_of(&result, "Flushes") == 2 &&
		      count_of(&result, "Copies") == 0,
	      "%u clear, %u flushes, %u copies", (unsigned)count_of(&result, "Clears"),
	      (unsigned)count_of(&result, "Flushes"), (unsigned)count_of(&result, "Copies"));
	check("pm.api",
	      count_of(&result, "Jobs") >= 1 && count_of(&result, "Command Bytes") > 0 &&
		      count_of(&result, "Job Buffers") > 0,
	      "%u jobs, %lu bytes of commands", (unsigned)count_of(&result, "Jobs"),
	      (long)count_of(&result, "Command Bytes"));
	check("pm.api",
	      count_of(&result, "Job Buffer Bytes") >= SIZE * SIZE * 4 &&
		      count_of(&result, "Buffer Memory") >= SIZE * SIZE * 4,
	      "the target is among the buffers");
	check("pm.api", count_of(&result, "State Changes") > 0, "%u changes of state",
	      (unsigned)count_of(&result, "State Changes"));
	delete_monitor(monitor);
}

/* Values lie in their ranges. */
static void test_values_in_range(void)
{
	const char *const names[] = { "Hardware Busy", "RA Pixels per Quad", "Texture Cache Hits",
				      "Early Z Culled", "Bytes per Busy Cycle" };
	GLuint monitor = make_monitor(names, COUNT(names));
	struct monitor_result result;
	float range[2];

	pm.begin(monitor);
	draw_square(0, 10);
	glFinish();
	pm.end(monitor);
	get_result(monitor, &result);
	for (unsigned i = 0; i < COUNT(names); i++) {
		const struct monitor_value *value = value_of(&result, names[i]);

		pm.counter_info(value->group, value->id, GL_COUNTER_RANGE_AMD, range);
		check("pm.info-in-range", value->real >= range[0] && value->real <= range[1],
		      "%s is %g", names[i], value->real);
	}
	check("pm.info-in-range",
	      value_of(&result, "Hardware Busy")->real > 0 &&
		      value_of(&result, "Bytes per Busy Cycle")->real > 0,
	      "it was busy");
	/* Quads on the diagonal are there once for each of its two triangles. */
	check("pm.info-in-range",
	      value_of(&result, "RA Pixels per Quad")->real ==
		      (float)(SIZE * SIZE) / (SIZE / 2 * SIZE / 2 + SIZE / 2),
	      "quads of a square are nearly full");
	delete_monitor(monitor);
}

struct thread {
	pthread_t thread;
	EGLContext context;
	int draws;
	bool good;
};

/* Each context has monitors of its own, also at the same time. */
static void *count_in_thread(void *data)
{
	const char *const names[] = { "Draw Calls", "FE Draws", "PS Pixels" };
	struct thread *self = data;
	struct monitor_result result;
	GLuint monitor;

	use_context(self->context);
	make_target(SIZE, SIZE);
	use_plain_program();
	monitor = make_monitor(names, 3);
	self->good = true;
	for (int i = 0; i < 10; i++) {
		pm.begin(monitor);
		draw_square(0, self->draws);
		glFlush();
		draw_square(0, 1);
		pm.end(monitor);
		get_result(monitor, &result);
		self->good = self->good && glGetError() == GL_NO_ERROR &&
			     count_of(&result, "Draw Calls") == self->draws + 1u &&
			     count_of(&result, "FE Draws") == self->draws + 1u &&
			     count_of(&result, "PS Pixels") == (self->draws + 1u) * SIZE * SIZE;
	}
	delete_monitor(monitor);
	use_context(EGL_NO_CONTEXT);
	return NULL;
}

static void test_threads(EGLContext first)
{
	struct thread threads[THREADS];

	for (int i = 0; i < THREADS; i++) {
		threads[i] = (struct thread){ .context = make_context(API_ES2, first),
					      .draws = 3 * i + 1 };
		if (pthread_create(&threads[i].thread, NULL, count_in_thread, &threads[i]))
			give_up("no thread");
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i].thread, NULL);
		check("pm.threads", threads[i].good, "thread %d counts what it draws", i);
		eglDestroyContext(get_display(), threads[i].context);
	}
}

static void test_contexts(EGLContext first)
{
	const char *const names[] = { "Draw Calls" };
	EGLContext second = make_context(API_ES2, first);
	GLuint monitor = make_monitor(names, 1), other;

	pm.begin(monitor);
	use_context(second);
	pm.end(monitor);
	check_error("pm.contexts", GL_INVALID_VALUE, "another context doesn't know the monitor");
	other = make_monitor(names, 1);
	pm.begin(other);
	check_error("pm.contexts", GL_NO_ERROR, "and may have one active at the same time");
	use_context(first);
	pm.end(monitor);
	check_error("pm.contexts", GL_NO_ERROR, "the first one goes on");
	delete_monitor(monitor);
	/* With an active monitor. */
	eglDestroyContext(get_display(), second);
}

/* Mesa buffers vertices of glBegin() until another command needs them drawn. */
static void immediate_triangle(void)
{
	void (*begin)(GLenum) = get_function("glBegin");
	void (*vertex)(GLfloat, GLfloat) = get_function("glVertex2f");
	void (*end)(void) = get_function("glEnd");

	begin(GL_TRIANGLES);
	vertex(-1, -1);
	vertex(1, -1);
	vertex(1, 1);
	end();
}

static void test_immediate(void)
{
	const char *const names[] = { "Vertices", "FE Vertices" };
	EGLContext context = make_context(API_GL, EGL_NO_CONTEXT);
	void (*gl_begin)(GLenum) = get_function("glBegin");
	void (*gl_end)(void) = get_function("glEnd");
	struct monitor_result result;
	GLuint monitor;

	use_context(context);
	check("pm.extension", has_extension("GL_AMD_performance_monitor"), "in OpenGL's list");
	make_target(SIZE, SIZE);
	use_plain_program();
	monitor = make_monitor(names, 2);
	immediate_triangle();
	pm.begin(monitor);
	immediate_triangle();
	immediate_triangle();
	pm.end(monitor);
	get_result(monitor, &result);
	check("pm.begin-in-order",
	      count_of(&result, "Vertices") == 6 && count_of(&result, "FE Vertices") == 6,
	      "vertices that wait to be drawn: %lu and %lu of 9",
	      (long)count_of(&result, "Vertices"), (long)count_of(&result, "FE Vertices"));
	gl_begin(GL_TRIANGLES);
	pm.begin(monitor);
	gl_end();
	check_error("pm.begin-in-begin", GL_INVALID_OPERATION, "between glBegin and glEnd");
	delete_monitor(monitor);
	use_context(EGL_NO_CONTEXT);
	eglDestroyContext(get_display(), context);
}

/* The specification's sample: the size, then the result, straight after the end and without polling. */
static void test_sample(void)
{
	struct monitor_counter busy = find_counter("Hardware Busy");
	struct monitor_counter draws = find_counter("Draw Calls");
	GLuint monitor, *data, *of_draws = NULL;
	GLint size = 0, words = 0;
	GLsizei written = 0;

	pm.gen(1, &monitor);
	pm.select(monitor, GL_TRUE, busy.group, 1, &busy.id);
	pm.select(monitor, GL_TRUE, draws.group, 1, &draws.id);
	pm.begin(monitor);
	draw_square(0, 6);
	pm.end(monitor);
	pm.data(monitor, GL_PERFMON_RESULT_SIZE_AMD, sizeof(GLint), (GLuint *)&size, NULL);
	data = malloc(size);
	pm.data(monitor, GL_PERFMON_RESULT_AMD, size, data, &written);
	/* A percentage and a number of 32 bits */
	for (; 4 * words < written; words += 3) {
		if (data[words] == draws.group && data[words + 1] == draws.id)
			of_draws = &data[words + 2];
	}
	check("pm.sample",
	      size && written == size && 4 * words == written && of_draws && *of_draws == 6,
	      "%d of %d bytes, %d draws", written, size, of_draws ? (int)*of_draws : -1);
	free(data);
	pm.delete(1, &monitor);
}

static void test_results(void)
{
	test_result();
	test_sample();
	test_data_errors();
	test_available();
	test_in_order();
	test_api_counts();
	test_values_in_range();
}

int main(void)
{
	EGLContext context = make_context(API_ES2, EGL_NO_CONTEXT);

	use_context(context);
	check("pm.extension", has_extension("GL_AMD_performance_monitor"), "in OpenGL ES's list");
	load_monitor_calls();
	make_target(SIZE, SIZE);
	use_plain_program();
	test_lists();
	test_objects();
	test_results();
	test_contexts(context);
	use_context(context);
	test_threads(context);
	test_immediate();
	return end_checks();
}
