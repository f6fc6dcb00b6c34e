// SPDX-License-Identifier: MIT
/*
 * GL_AMD_performance_monitor, sentence by sentence; the tags "pm." are those of
 * Documentation/mesa/conformance-amd-performance-monitor.rst. What is counted is
 * checked against what was drawn; the card's own figures are the judge in
 * amd_performance_monitor_exact.c.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "monitor.h"

#define BAD 0x7fffffffu
#define SIZE 64
#define UNTOUCHED 0xa5a5a5a5u
#define THREADS 4
/* A result comes at last; milliseconds. */
#define PATIENCE 20000

/* The squares that are asked for take the card more than this. */
#define NO_WAIT_NS 50000

static const char *const blocks[] = { "HW", "FE", "VS", "PS", "PA", "SE",
				      "RA", "TX", "PE", "MC", "HI", "API" };

static void test_groups(void)
{
	GLuint groups[MOST_GROUPS], part[3] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };
	GLint count = -1, again = -1;
	bool differ = true;

	pm.groups(&count, 0, NULL);
	check("pm.groups-count", count == COUNT(blocks), "%d groups", count);
	pm.groups(&again, MOST_GROUPS, groups);
	for (int i = 0; i < again; i++) {
		for (int j = 0; j < i; j++)
			differ = differ && groups[i] != groups[j];
	}
	check("pm.groups-list", again == count, "the list has %d", again);
	check("pm.groups-unique", differ, "no identifier is there twice");
	pm.groups(NULL, 2, part);
	check("pm.groups-part",
	      part[0] == groups[0] && part[1] == groups[1] && part[2] == UNTOUCHED,
	      "room for two gets two, without asking for the number");
	part[0] = UNTOUCHED;
	pm.groups(&again, 0, part);
	check("pm.groups-none", part[0] == UNTOUCHED && again == count, "no room, no list");
	pm.groups(NULL, 0, NULL);
	again = -1;
	pm.groups(&again, MOST_GROUPS, NULL);
	check("pm.groups-none", again == count, "room, but no place for a list");
	check_error("pm.groups-none", GL_NO_ERROR, "asking for nothing");
	pm.groups(&again, -1, part);
	check_error("pm.groups-negative", GL_INVALID_VALUE, "a size below zero");
	for (unsigned i = 0; i < COUNT(blocks); i++)
		check("pm.groups-blocks", find_group(blocks[i], &part[0]), "a group %s", blocks[i]);
}

static void test_counters_of(GLuint group)
{
	GLuint counters[MOST_COUNTERS], part[2] = { UNTOUCHED, UNTOUCHED };
	GLint count = -1, most = -1, again = -1;
	bool differ = true;

	pm.counters(group, &count, &most, 0, NULL);
	pm.counters(group, &again, NULL, MOST_COUNTERS, counters);
	for (int i = 0; i < again; i++) {
		for (int j = 0; j < i; j++)
			differ = differ && counters[i] != counters[j];
	}
	check("pm.counters-count", count > 0 && again == count, "group %u has %d", group, count);
	check("pm.counters-most", most > 0 && most <= count, "%d of them at a time", most);
	check("pm.counters-unique", differ, "no identifier is there twice");
	pm.counters(group, NULL, NULL, 1, part);
	check("pm.counters-part", part[0] == counters[0] && part[1] == UNTOUCHED,
	      "room for one gets one, without asking for numbers");
	part[0] = UNTOUCHED;
	pm.counters(group, NULL, NULL, 0, part);
	check("pm.counters-none", part[0] == UNTOUCHED, "no room, no list");
	again = -1;
	pm.counters(group, &again, NULL, MOST_COUNTERS, NULL);
	check("pm.counters-none", again == count, "room, but no place for a list");
}

static void test_counters(void)
{
	GLuint groups[MOST_GROUPS], list = UNTOUCHED;
	unsigned count = get_groups(groups);
	GLint number = 77;

	for (unsigned i = 0; i < count; i++)
		test_counters_of(groups[i]);
	check_error("pm.counters-count", GL_NO_ERROR, "all of that");
	pm.counters(BAD, &number, &number, 1, &list);
	check_error("pm.counters-bad-group", GL_INVALID_VALUE, "a group that is none");
	check("pm.counters-bad-group", number == 77 && list == UNTOUCHED, "nothing was written");
	pm.counters(groups[0], NULL, NULL, -1, &list);
	check_error("pm.counters-negative", GL_INVALID_VALUE, "a size below zero");
	check("pm.counters-negative", list == UNTOUCHED, "nothing was written");
}

/* A name's call with the group (and counter) that a test of strings is about. */
struct named {
	const char *prefix;
	GLuint group, counter;
	bool is_counter;
};

static void get_name(const struct named *of, GLsizei size, GLsizei *length, char *string)
{
	if (of->is_counter)
		pm.counter_string(of->group, of->counter, size, length, string);
	else
		pm.group_string(of->group, size, length, string);
}

static const char *tag_of(const struct named *of, const char *rest)
{
	static char tag[64];

	snprintf(tag, sizeof(tag), "pm.%s-%s", of->is_counter ? "counter-string" : "group-string",
		 rest);
	return tag;
}

static void test_string(const struct named *of)
{
	char whole[64], cut[8];
	GLsizei length = -1, needed = -1;

	memset(whole, '#', sizeof(whole));
	get_name(of, sizeof(whole), &length, whole);
	check(tag_of(of, "name"),
	      length > 0 && whole[length] == '\0' && strlen(whole) == (size_t)length &&
		      whole[length + 1] == '#',
	      "\"%s\" has %d characters, and nothing is written behind it", whole, length);
	get_name(of, 0, &needed, NULL);
	check(tag_of(of, "needed"), needed == length, "without a string: %d are needed", needed);

	memset(cut, '#', sizeof(cut));
	get_name(of, length, &needed, cut);
	check(tag_of(of, "cut"),
	      needed == length - 1 && cut[length - 1] == '\0' &&
		      memcmp(cut, whole, length - 1) == 0 && cut[length] == '#',
	      "room for one less: %d characters and the end", needed);
	memset(cut, '#', sizeof(cut));
	get_name(of, 1, &needed, cut);
	check(tag_of(of, "cut"), needed == 0 && cut[0] == '\0' && cut[1] == '#',
	      "room for the end only");
	cut[0] = '#';
	get_name(of, 0, &needed, cut);
	check(tag_of(of, "cut"), needed == 0 && cut[0] == '#', "no room, no character");
	get_name(of, sizeof(whole), NULL, whole);
	check_error(tag_of(of, "no-length"), GL_NO_ERROR, "nobody asks for the length");
	get_name(of, -1, &needed, cut);
	check_error(tag_of(of, "negative"), GL_INVALID_VALUE, "a size below zero");
	check(tag_of(of, "negative"), cut[0] == '#', "nothing was written");
}

/* "FE": its names are short enough for the buffers above. */
static void test_strings(void)
{
	struct named group = { .is_counter = false }, counter = { .is_counter = true };
	char string[64] = "#";
	GLsizei length = 77;

	if (!find_group("FE", &group.group))
		give_up("no group FE");
	test_string(&group);
	counter.group = find_counter("Jobs").group;
	counter.counter = find_counter("Jobs").id;
	test_string(&counter);

	pm.group_string(BAD, sizeof(string), &length, string);
	check_error("pm.group-string-bad-group", GL_INVALID_VALUE, "a group that is none");
	pm.counter_string(BAD, 0, sizeof(string), &length, string);
	check_error("pm.counter-string-bad-group", GL_INVALID_VALUE, "a group that is none");
	pm.counter_string(group.group, BAD, sizeof(string), &length, string);
	check_error("pm.counter-string-bad-counter", GL_INVALID_VALUE, "a counter that is none");
	check("pm.counter-string-bad-counter", length == 77 && string[0] == '#',
	      "nothing was written by these three");
}

/* The least and the greatest value, as the type lays them out. */
static bool range_is_sound(const struct monitor_counter *counter)
{
	union {
		GLuint words[6];
		uint64_t wide[3];
		float real[6];
	} range;

	for (unsigned i = 0; i < 6; i++)
		range.words[i] = UNTOUCHED;
	pm.counter_info(counter->group, counter->id, GL_COUNTER_RANGE_AMD, &range);
	switch (counter->type) {
	case GL_UNSIGNED_INT64_AMD:
		return range.wide[0] == 0 && range.wide[1] > 0 && range.words[4] == UNTOUCHED;
	case GL_UNSIGNED_INT:
		return range.words[0] == 0 && range.words[1] > 0 && range.words[2] == UNTOUCHED;
	case GL_PERCENTAGE_AMD:
		return range.real[0] == 0 && range.real[1] == 100 && range.words[2] == UNTOUCHED;
	default:
		return range.real[0] == 0 && range.real[1] > 0 && range.words[2] == UNTOUCHED;
	}
}

static void test_info(void)
{
	static const GLenum types[] = { GL_UNSIGNED_INT, GL_UNSIGNED_INT64_AMD, GL_PERCENTAGE_AMD,
					GL_FLOAT };
	unsigned seen[COUNT(types)] = { 0 }, known = 0, all = 0, sound = 0;
	GLuint groups[MOST_GROUPS], counters[MOST_COUNTERS];
	unsigned count = get_groups(groups);

	for (unsigned i = 0; i < count; i++) {
		unsigned number = get_counters(groups[i], counters);

		for (unsigned j = 0; j < number; j++) {
			struct monitor_counter counter = { groups[i], counters[j], 0 };

			pm.counter_info(groups[i], counters[j], GL_COUNTER_TYPE_AMD, &counter.type);
			for (unsigned k = 0; k < COUNT(types); k++) {
				seen[k] += counter.type == types[k];
				known += counter.type == types[k];
			}
			sound += range_is_sound(&counter);
			all++;
		}
	}
	check("pm.info-type", known == all, "%u of %u counters have a type of the four", known,
	      all);
	for (unsigned k = 0; k < COUNT(types); k++)
		check("pm.info-all-types", seen[k] > 0, "%u counters of type 0x%x", seen[k],
		      types[k]);
	check("pm.info-range", sound == all, "%u of %u ranges are sound, in the type's format",
	      sound, all);
	check_error("pm.info-range", GL_NO_ERROR, "all of that");
}

static void test_info_errors(void)
{
	struct monitor_counter counter = find_counter("Draw Calls");
	GLuint data = UNTOUCHED;

	pm.counter_info(BAD, counter.id, GL_COUNTER_TYPE_AMD, &data);
	check_error("pm.info-bad-group", GL_INVALID_VALUE, "a group that is none");
	pm.counter_info(counter.group, BAD, GL_COUNTER_TYPE_AMD, &data);
	check_error("pm.info-bad-counter", GL_INVALID_VALUE, "a counter that is none");
	pm.counter_info(counter.group, counter.id, GL_PERFMON_RESULT_AMD, &data);
	check_error("pm.info-bad-pname", GL_INVALID_ENUM, "a name of something else");
	check("pm.info-bad-pname", data == UNTOUCHED, "nothing was written by these three");
}

/* For tests/gl/run, which compares them with the page about them. */
static void print_counters(void)
{
	GLuint groups[MOST_GROUPS], counters[MOST_COUNTERS];
	unsigned count = get_groups(groups);
	char name[64];

	for (unsigned i = 0; i < count; i++) {
		unsigned number = get_counters(groups[i], counters);

		for (unsigned j = 0; j < number; j++) {
			pm.counter_string(groups[i], counters[j], sizeof(name), NULL, name);
			printf("# counter %s\n", name);
		}
	}
}

/* The names that the specification's example looks for. */
static void test_names(void)
{
	GLuint hw, api;

	check("pm.names", find_group("HW", &hw) && find_counter("Hardware Busy").group == hw,
	      "Hardware Busy is in HW");
	check("pm.names", find_group("API", &api) && find_counter("Draw Calls").group == api,
	      "Draw Calls is in API");
	check("pm.names", find_counter("Hardware Busy").type == GL_PERCENTAGE_AMD,
	      "Hardware Busy is a percentage");
}

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

/* Each group alone can do what it says. */
static void test_most(void)
{
	GLuint groups[MOST_GROUPS], counters[MOST_COUNTERS];
	unsigned count = get_groups(groups);
	struct monitor_result result;

	for (unsigned i = 0; i < count; i++) {
		GLuint monitor = make_monitor(NULL, 0);
		GLint most = 0;

		pm.counters(groups[i], NULL, &most, MOST_COUNTERS, counters);
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

/* All groups at once are more than a job may ask the kernel for. */
static void test_too_many(void)
{
	const char *const names[] = { "Draw Calls" };
	GLuint groups[MOST_GROUPS], counters[MOST_COUNTERS], other = make_monitor(names, 1);
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

/* Without anybody waiting for it. */
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
	/* In virtual time the calls take none, but a wait for the draws would. */
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

/* The beginning and the end are places in the row of commands. */
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

/* Vertices of glBegin() are held back until something else is to be done. */
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

static void test_objects(void)
{
	test_gen();
	test_delete();
	test_select();
	test_select_errors();
	test_select_invalidates();
	test_begin_end();
	test_most();
	test_too_many();
}

static void test_results(void)
{
	test_result();
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
	test_groups();
	test_counters();
	test_strings();
	test_info();
	test_info_errors();
	test_names();
	print_counters();
	test_objects();
	test_results();
	test_contexts(context);
	use_context(context);
	test_threads(context);
	test_immediate();
	return end_checks();
}
