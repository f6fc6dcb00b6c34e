// SPDX-License-Identifier: MIT
/*
 * Tests of GL_ANGLE_timer_query, one for each requirement of its specification; the tags "tq."
 * are those of Documentation/mesa/conformance-angle-timer-query.rst. query_truth.c tests the
 * precision of the times.
 */

#include "timer_query.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define UNTOUCHED 0x5a5a5a5a
#define THREADS 2

static void test_offer(void)
{
	EGLContext gl;

	check("tq.renderer", strstr((const char *)glGetString(GL_RENDERER), "Vivante") != NULL,
	      "%s draws", glGetString(GL_RENDERER));
	check("tq.offered",
	      strncmp((const char *)glGetString(GL_VERSION), "OpenGL ES 2.0", 13) == 0 &&
		      has_extension("GL_ANGLE_timer_query"),
	      "in the string of %s", glGetString(GL_VERSION));
	check("tq.types", sizeof(GLint64ANGLE) == 8 && sizeof(GLuint64ANGLE) == 8,
	      "64 bits in the arguments of i64 and ui64");
	gl = make_context(API_GL, EGL_NO_CONTEXT);
	use_context(gl);
	check("tq.es-only", !has_extension("GL_ANGLE_timer_query"), "not in OpenGL's string");
	use_context(EGL_NO_CONTEXT);
	eglDestroyContext(get_display(), gl);
	eglBindAPI(EGL_OPENGL_ES_API);
}

/*
 * libglvnd returns a function for every name, which has no effect if the driver has none. So each
 * of the eleven is called with an invalid argument and has to report it; and Begin is called with a
 * name that Gen did not return, which EXT_disjoint_timer_query's Begin refuses.
 */
static void test_functions(void)
{
	PFNGLBEGINQUERYEXTPROC begin_ext = get_function("glBeginQueryEXT");
	GLuint64ANGLE ui64;
	GLint64ANGLE i64;
	GLuint ui, id = 4711;
	GLint i;

	angleGenQueries(-1, &ui);
	check_error("tq.functions", GL_INVALID_VALUE, "GenQueries");
	angleDeleteQueries(-1, &ui);
	check_error("tq.functions", GL_INVALID_VALUE, "DeleteQueries");
	angleBeginQuery(GL_POINTS, id);
	check_error("tq.functions", GL_INVALID_ENUM, "BeginQuery");
	angleEndQuery(GL_POINTS);
	check_error("tq.functions", GL_INVALID_ENUM, "EndQuery");
	angleQueryCounter(id, GL_POINTS);
	check_error("tq.functions", GL_INVALID_ENUM, "QueryCounter");
	angleGetQueryiv(GL_POINTS, GL_CURRENT_QUERY_ANGLE, &i);
	check_error("tq.functions", GL_INVALID_ENUM, "GetQueryiv");
	angleGetQueryObjectiv(id, GL_QUERY_RESULT_ANGLE, &i);
	check_error("tq.functions", GL_INVALID_OPERATION, "GetQueryObjectiv");
	angleGetQueryObjectuiv(id, GL_QUERY_RESULT_ANGLE, &ui);
	check_error("tq.functions", GL_INVALID_OPERATION, "GetQueryObjectuiv");
	angleGetQueryObjecti64v(id, GL_QUERY_RESULT_ANGLE, &i64);
	check_error("tq.functions", GL_INVALID_OPERATION, "GetQueryObjecti64v");
	angleGetQueryObjectui64v(id, GL_QUERY_RESULT_ANGLE, &ui64);
	check_error("tq.functions", GL_INVALID_OPERATION, "GetQueryObjectui64v");
	begin_ext(GL_TIME_ELAPSED_ANGLE, id);
	check_error("tq.functions", GL_INVALID_OPERATION, "EXT's BeginQuery of such a name");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	check_error("tq.functions", GL_NO_ERROR, "ANGLE's BeginQuery of the same name");
	check("tq.functions", angleIsQuery(id), "IsQuery");
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	angleDeleteQueries(1, &id);
}

static void test_names(void)
{
	GLuint names[MANY] = { 0 }, more[MANY] = { 0 };
	bool distinct = true, marked = true, objects = false;

	angleGenQueries(MANY, names);
	angleGenQueries(MANY, more);
	for (int i = 0; i < MANY; i++) {
		distinct &= names[i] != 0;
		objects |= angleIsQuery(names[i]);
		for (int j = 0; j < MANY; j++) {
			distinct &= i == j || names[i] != names[j];
			marked &= names[i] != more[j];
		}
	}
	check("tq.gen-names", distinct, "%d names, none twice, none zero", MANY);
	check("tq.gen-used", marked, "other names the next time");
	check("tq.gen-no-object", !objects, "no object yet");
	angleGenQueries(0, names);
	check_error("tq.gen-names", GL_NO_ERROR, "no names");
	more[0] = UNTOUCHED;
	angleGenQueries(-1, more);
	check_error("tq.gen-negative", GL_INVALID_VALUE, "n = -1");
	check("tq.gen-negative", more[0] == UNTOUCHED, "nothing was written");
	angleDeleteQueries(MANY, names);
}

/* A query that was begun and ended. */
static GLuint make_elapsed(void)
{
	GLuint id;

	angleGenQueries(1, &id);
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	return id;
}

static void test_is_query(void)
{
	GLuint elapsed = make_elapsed(), stamp = angle_make_timestamp();

	check("tq.is-query", angleIsQuery(elapsed) && angleIsQuery(stamp), "objects of both kinds");
	check("tq.is-query-not", !angleIsQuery(0), "zero is none");
	check("tq.is-query-not", !angleIsQuery(0xfffffff0), "nor an unused name");
	angleDeleteQueries(1, &elapsed);
	check("tq.delete", !angleIsQuery(elapsed), "the name is unused when it was deleted");
	angleQueryCounter(elapsed, GL_TIMESTAMP_ANGLE);
	check_error("tq.delete", GL_NO_ERROR, "it may be another kind's after that");
	angleDeleteQueries(1, &elapsed);
	angleDeleteQueries(1, &stamp);
	check_error("tq.delete", GL_NO_ERROR, "deleting");
}

static void test_delete_ignored(void)
{
	GLuint names[3] = { 0, 0xfffffff0, 0 };

	angleGenQueries(1, &names[2]);
	angleDeleteQueries(3, names);
	angleDeleteQueries(3, names);
	check_error("tq.delete-unused", GL_NO_ERROR, "zero, unused, deleted twice");
	angleDeleteQueries(-1, names);
	check_error("tq.delete-negative", GL_INVALID_VALUE, "n = -1");
}

static GLint current(GLenum target)
{
	GLint id = -1;

	angleGetQueryiv(target, GL_CURRENT_QUERY_ANGLE, &id);
	return id;
}

static void test_delete_active(void)
{
	GLuint id, other = make_elapsed();

	angleGenQueries(1, &id);
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	angleDeleteQueries(1, &id);
	check_error("tq.delete-active", GL_NO_ERROR, "deleting what is active");
	check("tq.delete-active", !angleIsQuery(id), "its name is unused at once");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, other);
	check_error("tq.delete-active", GL_INVALID_OPERATION, "but it is still active");
	angleQueryCounter(id, GL_TIMESTAMP_ANGLE);
	check_error("tq.delete-active", GL_NO_ERROR, "the name serves another object meanwhile");
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	check_error("tq.delete-active", GL_NO_ERROR, "it ends as if nothing had been");
	check("tq.delete-active", current(GL_TIME_ELAPSED_ANGLE) == 0 && angleIsQuery(id),
	      "and the other object of the name stays");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, other);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	check_error("tq.delete-active", GL_NO_ERROR, "then the next may begin");
	angleDeleteQueries(1, &id);
	angleDeleteQueries(1, &other);
}

/* The name of a deleted query that is active stays that of the active query, for another object, too. */
static void test_delete_reused(void)
{
	PFNGLBEGINQUERYEXTPROC begin = get_function("glBeginQueryEXT");
	PFNGLENDQUERYEXTPROC end = get_function("glEndQueryEXT");
	GLuint id, names[MANY];
	int count = 0;

	angleGenQueries(1, &id);
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	angleDeleteQueries(1, &id);
	do
		angleGenQueries(1, &names[count]);
	while (names[count++] != id && count < MANY);
	check("tq.delete-reused", names[count - 1] == id, "the unused name is generated again");
	check("tq.delete-reused", current(GL_TIME_ELAPSED_ANGLE) == (GLint)id,
	      "it is that of the active query");
	begin(GL_ANY_SAMPLES_PASSED_EXT, id);
	check_error("tq.delete-reused", GL_INVALID_OPERATION, "which cannot begin again");
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	begin(GL_ANY_SAMPLES_PASSED_EXT, id);
	end(GL_ANY_SAMPLES_PASSED_EXT);
	check_error("tq.delete-reused", GL_NO_ERROR, "another object can, when it has ended");
	angleDeleteQueries(count, names);
}

/* A context that ends with an active query of @target that was deleted. */
static bool context_ends(EGLContext context, GLenum target)
{
	PFNGLBEGINQUERYEXTPROC begin = get_function("glBeginQueryEXT");
	EGLContext other = make_context(API_ES2, EGL_NO_CONTEXT);
	GLuint id;

	use_context(other);
	make_target(SIZE, SIZE);
	use_plain_program();
	angleGenQueries(1, &id);
	begin(target, id);
	draw_square(0, 1);
	angleDeleteQueries(1, &id);
	use_context(context);
	return eglDestroyContext(get_display(), other) == EGL_TRUE;
}

/*
 * Such a query ends with its context, and its memory is free then: MANY contexts leave less than 1
 * KiB each. As many are made before, so that what the driver keeps for later ones is there.
 */
static void test_context_ends(EGLContext context)
{
	static const GLenum targets[] = { GL_TIME_ELAPSED_ANGLE, GL_ANY_SAMPLES_PASSED_EXT,
					  GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT };

	for (unsigned i = 0; i < COUNT(targets); i++) {
		uint64_t before = 0;
		bool good = true;

		for (int turn = 0; turn < 2 * MANY; turn++) {
			if (turn == MANY)
				before = gpu_memory();
			good &= context_ends(context, targets[i]);
		}
		check("tq.delete-active", good && gpu_memory() < before + MANY,
		      "%d contexts end with a deleted query 0x%x that is active: %ld KiB more",
		      MANY, targets[i], (long)(gpu_memory() - before));
	}
}

static void test_unused_name(void)
{
	const GLuint id = 4711;
	GLuint names[MANY];
	bool again = false;

	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	check_error("tq.begin-unused", GL_NO_ERROR, "a name that nobody generated");
	check("tq.begin-unused", angleIsQuery(id) && current(GL_TIME_ELAPSED_ANGLE) == (GLint)id,
	      "it is an object's now");
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	angleGenQueries(MANY, names);
	for (int i = 0; i < MANY; i++)
		again |= names[i] == id;
	check("tq.begin-unused", !again, "and is marked as used");
	angleDeleteQueries(MANY, names);
	angleDeleteQueries(1, &id);
}

static void test_begin_errors(void)
{
	GLuint elapsed = make_elapsed(), stamp = angle_make_timestamp(), boolean = 0;
	PFNGLBEGINQUERYEXTPROC begin_other = get_function("glBeginQueryEXT");
	PFNGLENDQUERYEXTPROC end_other = get_function("glEndQueryEXT");

	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, 0);
	check_error("tq.begin-zero", GL_INVALID_OPERATION, "name zero");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, stamp);
	check_error("tq.begin-type", GL_INVALID_OPERATION, "an object of the other kind");
	angleBeginQuery(GL_TIMESTAMP_ANGLE, stamp);
	check_error("tq.begin-target", GL_INVALID_ENUM, "TIMESTAMP");
	angleBeginQuery(GL_ANY_SAMPLES_PASSED_EXT, 4712);
	check_error("tq.begin-target", GL_INVALID_ENUM, "a target of another extension");
	check("tq.begin-target", !angleIsQuery(4712), "no object came of it");

	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, elapsed);
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, elapsed);
	check_error("tq.begin-in-progress", GL_INVALID_OPERATION, "the same query twice");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, 4713);
	check_error("tq.begin-active", GL_INVALID_OPERATION, "another one of the target is active");
	check("tq.begin-active",
	      !angleIsQuery(4713) && current(GL_TIME_ELAPSED_ANGLE) == (GLint)elapsed,
	      "nothing changed");
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);

	angleGenQueries(1, &boolean);
	begin_other(GL_ANY_SAMPLES_PASSED_EXT, boolean);
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, boolean);
	check_error("tq.begin-in-progress", GL_INVALID_OPERATION, "active for another kind");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, elapsed);
	end_other(GL_ANY_SAMPLES_PASSED_EXT);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	check_error("tq.simultaneous", GL_NO_ERROR, "a timer beside an occlusion query");
	angleDeleteQueries(3, (GLuint[]){ elapsed, stamp, boolean });
}

static void test_end_errors(void)
{
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	check_error("tq.end-none", GL_INVALID_OPERATION, "nothing is active");
	angleEndQuery(GL_TIMESTAMP_ANGLE);
	check_error("tq.end-target", GL_INVALID_ENUM, "TIMESTAMP");
	angleEndQuery(GL_ANY_SAMPLES_PASSED_EXT);
	check_error("tq.end-target", GL_INVALID_ENUM, "a target of another extension");
}

static void test_counter_errors(void)
{
	GLuint elapsed = make_elapsed();

	angleQueryCounter(4714, GL_TIMESTAMP_ANGLE);
	check_error("tq.counter-unused", GL_NO_ERROR, "a name that nobody generated");
	check("tq.counter-unused", angleIsQuery(4714) && angle_result(4714), "is an object's");
	angleQueryCounter(4714, GL_TIME_ELAPSED_ANGLE);
	check_error("tq.counter-target", GL_INVALID_ENUM, "TIME_ELAPSED");
	angleQueryCounter(0, GL_TIMESTAMP_ANGLE);
	check_error("tq.counter-zero", GL_INVALID_OPERATION, "zero is reserved");
	angleQueryCounter(elapsed, GL_TIMESTAMP_ANGLE);
	check_error("tq.counter-type", GL_INVALID_OPERATION, "an object of the other kind");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, elapsed);
	angleQueryCounter(elapsed, GL_TIMESTAMP_ANGLE);
	check_error("tq.counter-in-use", GL_INVALID_OPERATION, "inside its own Begin and End");
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	angleDeleteQueries(2, (GLuint[]){ elapsed, 4714 });
}

static void test_get_query(void)
{
	GLint bits[2] = { 0 }, value = UNTOUCHED;
	GLuint id;

	angleGetQueryiv(GL_TIME_ELAPSED_ANGLE, GL_QUERY_COUNTER_BITS_ANGLE, &bits[0]);
	angleGetQueryiv(GL_TIMESTAMP_ANGLE, GL_QUERY_COUNTER_BITS_ANGLE, &bits[1]);
	check("tq.bits", bits[0] >= 30 && bits[1] >= 30, "%d bits of time, %d of stamps", bits[0],
	      bits[1]);
	angleGenQueries(1, &id);
	check("tq.current", current(GL_TIME_ELAPSED_ANGLE) == 0, "zero when none is active");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	check("tq.current", current(GL_TIME_ELAPSED_ANGLE) == (GLint)id, "the active one's name");
	check("tq.current", current(GL_TIMESTAMP_ANGLE) == 0, "stamps are never active");
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	check("tq.current", current(GL_TIME_ELAPSED_ANGLE) == 0, "zero after its end");
	check_error("tq.current", GL_NO_ERROR, "asking");

	angleGetQueryiv(GL_ANY_SAMPLES_PASSED_EXT, GL_CURRENT_QUERY_ANGLE, &value);
	check_error("tq.get-target", GL_INVALID_ENUM, "a target of another extension");
	angleGetQueryiv(GL_TIME_ELAPSED_ANGLE, GL_QUERY_RESULT_ANGLE, &value);
	check_error("tq.get-pname", GL_INVALID_ENUM, "QUERY_RESULT");
	check("tq.get-pname", value == UNTOUCHED, "nothing was written");
	angleDeleteQueries(1, &id);
}

/* Each of the four functions for @pname of @id fails with @error and writes nothing. */
static void refuse(const char *tag, GLuint id, GLenum pname, GLenum error, const char *what)
{
	GLint64ANGLE i64 = UNTOUCHED;
	GLuint64ANGLE ui64 = UNTOUCHED;
	GLint i = UNTOUCHED;
	GLuint ui = UNTOUCHED;

	angleGetQueryObjectiv(id, pname, &i);
	check_error(tag, error, what);
	angleGetQueryObjectuiv(id, pname, &ui);
	check_error(tag, error, what);
	angleGetQueryObjecti64v(id, pname, &i64);
	check_error(tag, error, what);
	angleGetQueryObjectui64v(id, pname, &ui64);
	check_error(tag, error, what);
	check(tag, i == UNTOUCHED && ui == UNTOUCHED && i64 == UNTOUCHED && ui64 == UNTOUCHED,
	      "%s: nothing was written", what);
}

static void test_object_errors(void)
{
	GLuint id;

	angleGenQueries(1, &id);
	refuse("tq.object-unknown", 0, GL_QUERY_RESULT_ANGLE, GL_INVALID_OPERATION, "zero");
	refuse("tq.object-unknown", 0xfffffff0, GL_QUERY_RESULT_ANGLE, GL_INVALID_OPERATION,
	       "an unused name");
	refuse("tq.object-unknown", id, GL_QUERY_RESULT_AVAILABLE_ANGLE, GL_INVALID_OPERATION,
	       "a name without an object");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	refuse("tq.object-active", id, GL_QUERY_RESULT_ANGLE, GL_INVALID_OPERATION, "active");
	refuse("tq.object-active", id, GL_QUERY_RESULT_AVAILABLE_ANGLE, GL_INVALID_OPERATION,
	       "active");
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	refuse("tq.object-pname", id, GL_CURRENT_QUERY_ANGLE, GL_INVALID_ENUM, "CURRENT_QUERY");
	refuse("tq.object-pname", id, 0x82ea /* QUERY_TARGET of OpenGL 4.5 */, GL_INVALID_ENUM,
	       "QUERY_TARGET");
	angleDeleteQueries(1, &id);
}

static void test_not_shared(EGLContext context)
{
	EGLContext other = make_context(API_ES2, context);
	GLuint id = make_elapsed();

	glFinish();
	use_context(other);
	check("tq.not-shared", !angleIsQuery(id),
	      "the name means nothing in a context that shares");
	refuse("tq.not-shared", id, GL_QUERY_RESULT_ANGLE, GL_INVALID_OPERATION, "result there");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	use_context(context);
	check("tq.not-shared", current(GL_TIME_ELAPSED_ANGLE) == 0 && angle_available(id),
	      "the same name active there is another object");
	use_context(other);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	check_error("tq.not-shared", GL_NO_ERROR, "use of the name there");
	use_context(context);
	eglDestroyContext(get_display(), other);
	angleDeleteQueries(1, &id);
}

/* The specification's two examples, each for N objects to draw. */
static void test_examples(void)
{
	GLuint elapsed[MANY], stamps[MANY + 1];
	uint64_t sum = 0, all;

	angleGenQueries(MANY, elapsed);
	angleGenQueries(MANY + 1, stamps);
	for (int i = 0; i < MANY; i++) {
		angleQueryCounter(stamps[i], GL_TIMESTAMP_ANGLE);
		angleBeginQuery(GL_TIME_ELAPSED_ANGLE, elapsed[i]);
		draw_square(0, 1 + i);
		angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	}
	angleQueryCounter(stamps[MANY], GL_TIMESTAMP_ANGLE);
	while (!angle_available(stamps[MANY]))
		usleep(100);
	for (int i = 0; i < MANY; i++)
		sum += angle_result(elapsed[i]);
	all = angle_result(stamps[MANY]) - angle_result(stamps[0]);
	check("tq.examples", sum > 0 && sum <= all, "%llu ns in parts, %llu from first to last",
	      (unsigned long long)sum, (unsigned long long)all);
	angleDeleteQueries(MANY, elapsed);
	angleDeleteQueries(MANY + 1, stamps);
}

/* Each thread has a context; queries of different contexts are independent. */
static void *work_in_thread(void *good)
{
	EGLContext context = make_context(API_ES2, EGL_NO_CONTEXT);
	bool *result = good;

	use_context(context);
	make_target(SIZE, SIZE);
	use_plain_program();
	*result = true;
	for (int i = 0; i < MANY; i++) {
		int64_t start = now_ns();
		GLuint id = 1 + i;

		angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
		draw_square(0, 1 + i);
		angleEndQuery(GL_TIME_ELAPSED_ANGLE);
		*result &= (int64_t)angle_result(id) <= now_ns() - start;
	}
	*result &= glGetError() == GL_NO_ERROR;
	use_context(EGL_NO_CONTEXT);
	eglDestroyContext(get_display(), context);
	eglReleaseThread();
	return NULL;
}

static void test_threads(void)
{
	pthread_t threads[THREADS];
	bool good[THREADS] = { false };

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work_in_thread, &good[i]))
			give_up("no thread");
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		check("tq.threads", good[i], "queries of thread %d", i);
	}
}

int main(void)
{
	EGLContext context = make_context(API_ES2, EGL_NO_CONTEXT);

	use_context(context);
	test_offer();
	use_context(context);
	angle_load();
	make_target(SIZE, SIZE);
	use_plain_program();
	test_functions();
	test_names();
	test_is_query();
	test_delete_ignored();
	test_delete_active();
	test_delete_reused();
	test_context_ends(context);
	test_unused_name();
	test_begin_errors();
	test_end_errors();
	test_counter_errors();
	test_get_query();
	test_object_errors();
	test_times();
	test_not_shared(context);
	test_examples();
	test_threads();
	check_error("tq.no-error", GL_NO_ERROR, "after everything");
	return end_checks();
}
