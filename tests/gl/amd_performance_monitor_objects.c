// SPDX-License-Identifier: MIT
/* GL_AMD_performance_monitor: generating, deleting, selecting counters, beginning and ending. */

#include "amd_performance_monitor.h"

static void check_initial(const char *tag, GLuint monitor, const char *when)
{
	GLuint result = UNTOUCHED;

	check(tag, monitor_state(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD) == 0,
	      "%s no result is available", when);
	check(tag, monitor_state(monitor, GL_PERFMON_RESULT_SIZE_AMD) == 0, "%s its size is 0",
	      when);
	pm.data(monitor, GL_PERFMON_RESULT_AMD, sizeof(result), &result, NULL);
	check(tag, result == 0, "%s the result is 0, not %u", when, result);
}

static void test_gen(void)
{
	GLuint monitors[3] = { 0, 0, 0 };

	pm.gen(3, monitors);
	check("pm.gen",
	      monitors[0] && monitors[1] && monitors[2] && monitors[0] != monitors[1] &&
		      monitors[1] != monitors[2] && monitors[0] != monitors[2],
	      "monitors %u, %u, %u", monitors[0], monitors[1], monitors[2]);
	check_initial("pm.gen-initial", monitors[0], "at first");
	pm.begin(monitors[0]);
	pm.end(monitors[0]);
	check_error("pm.gen-nothing-selected", GL_NO_ERROR, "a session of nothing");
	check("pm.gen-nothing-selected",
	      monitor_state(monitors[0], GL_PERFMON_RESULT_SIZE_AMD) == 0, "has nothing to tell");
	check("pm.gen-nothing-selected",
	      monitor_state(monitors[0], GL_PERFMON_RESULT_AVAILABLE_AMD) == 1,
	      "and that is available at once");
	pm.gen(-1, monitors);
	check_error("pm.gen-negative", GL_INVALID_VALUE, "a number below zero");
	pm.delete(3, monitors);
	check_error("pm.delete", GL_NO_ERROR, "deleting them");
	for (unsigned i = 0; i < 3; i++) {
		pm.begin(monitors[i]);
		check_error("pm.delete", GL_INVALID_VALUE, "one that is gone");
	}
}

static void test_delete(void)
{
	const char *const names[] = { "Draw Calls", "FE Draws" };
	GLuint monitor = make_monitor(names, 2), other = make_monitor(names, 1);
	GLuint list[3] = { monitor, BAD, other };

	pm.delete(3, list);
	check_error("pm.delete-bad", GL_INVALID_VALUE, "one in the list is none");
	pm.begin(monitor);
	check_error("pm.delete-bad", GL_NO_ERROR, "none was deleted");
	pm.delete(1, &monitor);
	check_error("pm.delete-active", GL_NO_ERROR, "an active one");
	pm.begin(other);
	check_error("pm.delete-active", GL_NO_ERROR, "then another can begin");
	pm.end(other);
	list[0] = list[1] = other;
	pm.delete(2, list);
	check_error("pm.delete", GL_NO_ERROR, "one that is in the list twice");
	pm.delete(-1, list);
	check_error("pm.delete-negative", GL_INVALID_VALUE, "a number below zero");
}

static void test_select(void)
{
	struct monitor_counter a = find_counter("Draw Calls"), b = find_counter("Vertices");
	GLuint monitor = make_monitor(NULL, 0), list[2] = { a.id, b.id };
	unsigned bytes = 4 * sizeof(GLuint) + value_bytes(a.type) + value_bytes(b.type);

	pm.select(monitor, GL_TRUE, a.group, 2, list);
	pm.select(monitor, GL_TRUE, a.group, 1, list);
	pm.select(monitor, GL_TRUE, a.group, 0, NULL);
	check_error("pm.select", GL_NO_ERROR, "two, one of them again, and an empty list");
	pm.begin(monitor);
	pm.end(monitor);
	check("pm.select", monitor_state(monitor, GL_PERFMON_RESULT_SIZE_AMD) == bytes,
	      "two are in the result");
	pm.select(monitor, GL_FALSE, a.group, 1, list);
	pm.begin(monitor);
	pm.end(monitor);
	bytes -= 2 * sizeof(GLuint) + value_bytes(a.type);
	check("pm.select-disable", monitor_state(monitor, GL_PERFMON_RESULT_SIZE_AMD) == bytes,
	      "one is left");
	delete_monitor(monitor);
}

static void test_select_errors(void)
{
	const char *const names[] = { "Draw Calls" };
	struct monitor_counter a = find_counter("Draw Calls");
	GLuint monitor = make_monitor(names, 1), bad = BAD, size;

	pm.begin(monitor);
	pm.end(monitor);
	size = monitor_state(monitor, GL_PERFMON_RESULT_SIZE_AMD);
	pm.select(BAD, GL_TRUE, a.group, 1, &a.id);
	check_error("pm.select-bad-monitor", GL_INVALID_VALUE, "a monitor that is none");
	pm.select(monitor, GL_TRUE, BAD, 1, &a.id);
	check_error("pm.select-bad-group", GL_INVALID_VALUE, "a group that is none");
	pm.select(monitor, GL_TRUE, a.group, -1, &a.id);
	check_error("pm.select-negative", GL_INVALID_VALUE, "a number below zero");
	pm.select(monitor, GL_TRUE, a.group, 1, &bad);
	check_error("pm.select-bad-counter", GL_INVALID_VALUE, "a counter that is none");
	check("pm.select-bad-counter",
	      size > 0 && monitor_state(monitor, GL_PERFMON_RESULT_SIZE_AMD) == size,
	      "a call with an error leaves the result");
	delete_monitor(monitor);
}

static void test_select_invalidates(void)
{
	const char *const names[] = { "Draw Calls" };
	struct monitor_counter b = find_counter("FE Draws");
	GLuint monitor = make_monitor(names, 1);
	struct monitor_result result;

	pm.begin(monitor);
	draw_square(0, 3);
	pm.end(monitor);
	get_result(monitor, &result);
	check("pm.select-invalidates", result.count == 1 && count_of(&result, "Draw Calls") == 3,
	      "a result is there");
	pm.select(monitor, GL_TRUE, b.group, 1, &b.id);
	check_initial("pm.select-invalidates", monitor, "after a selection");

	pm.begin(monitor);
	draw_square(0, 2);
	pm.select(monitor, GL_FALSE, b.group, 1, &b.id);
	check_initial("pm.select-active", monitor, "after a selection in a session");
	draw_square(0, 4);
	pm.end(monitor);
	check_error("pm.select-active", GL_NO_ERROR, "the session goes on");
	get_result(monitor, &result);
	check("pm.select-active", result.count == 1 && count_of(&result, "Draw Calls") == 4,
	      "with the new selection, from there on");
	delete_monitor(monitor);
}

static void test_begin_end(void)
{
	const char *const names[] = { "Draw Calls", "FE Draws" };
	GLuint monitor = make_monitor(names, 2), other = make_monitor(names, 2);

	pm.end(monitor);
	check_error("pm.end-without-begin", GL_INVALID_OPERATION, "an end without a beginning");
	pm.begin(monitor);
	check_error("pm.begin", GL_NO_ERROR, "a beginning");
	pm.begin(monitor);
	check_error("pm.begin-nested", GL_INVALID_OPERATION, "the same once more");
	pm.begin(other);
	check_error("pm.begin-nested", GL_INVALID_OPERATION, "another one meanwhile");
	pm.end(other);
	check_error("pm.end-other", GL_INVALID_OPERATION, "the end of another one");
	check_initial("pm.data-active", monitor, "in a session");
	pm.end(monitor);
	check_error("pm.end", GL_NO_ERROR, "the end");
	pm.end(monitor);
	check_error("pm.end-without-begin", GL_INVALID_OPERATION, "the end once more");
	pm.begin(other);
	pm.end(other);
	check_error("pm.begin", GL_NO_ERROR, "now the other one");
	pm.begin(BAD);
	check_error("pm.begin-bad-monitor", GL_INVALID_VALUE, "a monitor that is none");
	pm.end(BAD);
	check_error("pm.end-bad-monitor", GL_INVALID_VALUE, "a monitor that is none");
	delete_monitor(monitor);
	delete_monitor(other);
}

/* Each group alone allows the number of active counters that it reports. */
static void test_max_active(void)
{
	GLuint groups[MAX_GROUPS], counters[MAX_COUNTERS];
	unsigned count = get_groups(groups);
	struct monitor_result result;

	for (unsigned i = 0; i < count; i++) {
		GLuint monitor = make_monitor(NULL, 0);
		GLint most = 0;

		pm.counters(groups[i], NULL, &most, MAX_COUNTERS, counters);
		pm.select(monitor, GL_TRUE, groups[i], most, counters);
		pm.begin(monitor);
		draw_square(0, 1);
		pm.end(monitor);
		check_error("pm.counters-most", GL_NO_ERROR, "as many as a group says");
		get_result(monitor, &result);
		check("pm.counters-most", result.sound && (GLint)result.count == most,
		      "%u values of %d counters of group %u", result.count, most, groups[i]);
		delete_monitor(monitor);
	}
}

/*
 * All groups together exceed the number of counters that a job may request from the kernel, 64. One
 * group less does not, though there are more than 64 values: ratios and those of API need none of
 * these.
 */
static void test_too_many(void)
{
	const char *const names[] = { "Draw Calls" };
	GLuint groups[MAX_GROUPS], counters[MAX_COUNTERS], other = make_monitor(names, 1);
	unsigned count = get_groups(groups);
	GLuint monitor = make_monitor(NULL, 0);
	struct monitor_result result;

	for (unsigned i = 0; i < count; i++)
		pm.select(monitor, GL_TRUE, groups[i], get_counters(groups[i], counters), counters);
	check_error("pm.begin-unable", GL_NO_ERROR, "all counters can be selected");
	pm.begin(monitor);
	check_error("pm.begin-unable", GL_INVALID_OPERATION, "but not sampled together");
	pm.end(monitor);
	check_error("pm.begin-unable", GL_INVALID_OPERATION, "there is no session to end");
	check_initial("pm.begin-unable", monitor, "after that");
	pm.begin(other);
	pm.end(other);
	check_error("pm.begin-unable", GL_NO_ERROR, "and another can begin");

	if (find_group("MC", &groups[0]))
		pm.select(monitor, GL_FALSE, groups[0], get_counters(groups[0], counters),
			  counters);
	pm.begin(monitor);
	draw_square(0, 1);
	pm.end(monitor);
	check_error("pm.begin-unable", GL_NO_ERROR, "with a group less it can");
	get_result(monitor, &result);
	check("pm.begin-unable", result.sound && result.count > 64, "and gives %u values",
	      result.count);
	delete_monitor(monitor);
	delete_monitor(other);
}

void test_objects(void)
{
	test_gen();
	test_delete();
	test_select();
	test_select_errors();
	test_select_invalidates();
	test_begin_end();
	test_max_active();
	test_too_many();
}
