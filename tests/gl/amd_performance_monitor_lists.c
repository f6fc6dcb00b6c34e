// SPDX-License-Identifier: MIT
/* GL_AMD_performance_monitor: groups, counters, their names, types and ranges. */

#include "amd_performance_monitor.h"

#include <stdio.h>
#include <string.h>

static const char *const blocks[] = { "HW", "FE", "VS", "PS", "PA", "SE",
				      "RA", "TX", "PE", "MC", "HI", "API" };

static void test_groups(void)
{
	GLuint groups[MAX_GROUPS], part[3] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };
	GLint count = -1, again = -1;
	bool differ = true;

	pm.groups(&count, 0, NULL);
	check("pm.groups-count", count == COUNT(blocks), "%d groups", count);
	pm.groups(&again, MAX_GROUPS, groups);
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
	pm.groups(&again, MAX_GROUPS, NULL);
	check("pm.groups-none", again == count, "room, but no place for a list");
	check_error("pm.groups-none", GL_NO_ERROR, "asking for nothing");
	pm.groups(&again, -1, part);
	check_error("pm.groups-negative", GL_INVALID_VALUE, "a size below zero");
	for (unsigned i = 0; i < COUNT(blocks); i++)
		check("pm.groups-blocks", find_group(blocks[i], &part[0]), "a group %s", blocks[i]);
}

static void test_counters_of(GLuint group)
{
	GLuint counters[MAX_COUNTERS], part[2] = { UNTOUCHED, UNTOUCHED };
	GLint count = -1, most = -1, again = -1;
	bool differ = true;

	pm.counters(group, &count, &most, 0, NULL);
	pm.counters(group, &again, NULL, MAX_COUNTERS, counters);
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
	pm.counters(group, &again, NULL, MAX_COUNTERS, NULL);
	check("pm.counters-none", again == count, "room, but no place for a list");
}

static void test_counters(void)
{
	GLuint groups[MAX_GROUPS], list = UNTOUCHED;
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

/* A group or a counter, whose name test_string() gets. */
struct named {
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
	      "\"%s\" has %d characters, and nothing is written after it", whole, length);
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

/* Of group "FE" and counter "Jobs": names that fit the short buffer of test_string(). */
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

/* The smallest and the largest value, in the layout of the counter's type. */
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
	GLuint groups[MAX_GROUPS], counters[MAX_COUNTERS];
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

/* Print the names for tests/gl/run, which compares them with Documentation/mesa/counters.rst. */
static void print_counters(void)
{
	GLuint groups[MAX_GROUPS], counters[MAX_COUNTERS];
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

/* The names that the specification's example uses */
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

void test_lists(void)
{
	test_groups();
	test_counters();
	test_strings();
	test_info();
	test_info_errors();
	test_names();
	print_counters();
}
