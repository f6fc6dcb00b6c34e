// SPDX-License-Identifier: MIT
/*
 * GL_AMD_performance_monitor for tests.
 */

#include "monitor.h"

#include <string.h>

#define NAME_BYTES 64

struct monitor_calls pm;

void load_monitor_calls(void)
{
	pm.groups = get_function("glGetPerfMonitorGroupsAMD");
	pm.counters = get_function("glGetPerfMonitorCountersAMD");
	pm.group_string = get_function("glGetPerfMonitorGroupStringAMD");
	pm.counter_string = get_function("glGetPerfMonitorCounterStringAMD");
	pm.counter_info = get_function("glGetPerfMonitorCounterInfoAMD");
	pm.gen = get_function("glGenPerfMonitorsAMD");
	pm.delete = get_function("glDeletePerfMonitorsAMD");
	pm.select = get_function("glSelectPerfMonitorCountersAMD");
	pm.begin = get_function("glBeginPerfMonitorAMD");
	pm.end = get_function("glEndPerfMonitorAMD");
	pm.data = get_function("glGetPerfMonitorCounterDataAMD");
}

unsigned get_groups(GLuint groups[MAX_GROUPS])
{
	GLint count = 0;

	pm.groups(&count, MAX_GROUPS, groups);
	if (count < 1 || count > MAX_GROUPS)
		give_up("%d groups", count);
	return count;
}

unsigned get_counters(GLuint group, GLuint counters[MAX_COUNTERS])
{
	GLint count = 0;

	pm.counters(group, &count, NULL, MAX_COUNTERS, counters);
	if (count < 1 || count > MAX_COUNTERS)
		give_up("%d counters in group %u", count, group);
	return count;
}

/* Without such a group *@group is the last one. */
bool find_group(const char *name, GLuint *group)
{
	GLuint groups[MAX_GROUPS];
	unsigned count = get_groups(groups);
	char found[NAME_BYTES];

	for (unsigned i = 0; i < count; i++) {
		pm.group_string(groups[i], sizeof(found), NULL, found);
		*group = groups[i];
		if (strcmp(found, name) == 0)
			return true;
	}
	return false;
}

static bool find_in_group(GLuint group, const char *name, struct monitor_counter *counter)
{
	GLuint counters[MAX_COUNTERS];
	unsigned count = get_counters(group, counters);
	char found[NAME_BYTES];

	for (unsigned i = 0; i < count; i++) {
		pm.counter_string(group, counters[i], sizeof(found), NULL, found);
		if (strcmp(found, name))
			continue;
		*counter = (struct monitor_counter){ .group = group, .id = counters[i] };
		pm.counter_info(group, counters[i], GL_COUNTER_TYPE_AMD, &counter->type);
		return true;
	}
	return false;
}

struct monitor_counter find_counter(const char *name)
{
	struct monitor_counter counter;
	GLuint groups[MAX_GROUPS];
	unsigned count = get_groups(groups);

	for (unsigned i = 0; i < count; i++) {
		if (find_in_group(groups[i], name, &counter))
			return counter;
	}
	give_up("no counter %s", name);
}

unsigned value_bytes(GLenum type)
{
	return type == GL_UNSIGNED_INT64_AMD ? sizeof(uint64_t) : sizeof(GLuint);
}

GLuint make_monitor(const char *const *names, unsigned count)
{
	GLuint monitor = 0;

	pm.gen(1, &monitor);
	for (unsigned i = 0; i < count; i++) {
		struct monitor_counter counter = find_counter(names[i]);

		pm.select(monitor, GL_TRUE, counter.group, 1, &counter.id);
	}
	return monitor;
}

void delete_monitor(GLuint monitor)
{
	pm.delete(1, &monitor);
}

GLuint monitor_state(GLuint monitor, GLenum pname)
{
	GLuint value = ~0u;

	pm.data(monitor, pname, sizeof(value), &value, NULL);
	return value;
}

/* Parse one value at @words. Returns its size in words, 0 if it is not valid. */
static unsigned read_value(const GLuint *words, unsigned left, struct monitor_value *value)
{
	unsigned size;

	if (left < 3)
		return 0;
	*value = (struct monitor_value){ .group = words[0], .id = words[1] };
	pm.counter_info(words[0], words[1], GL_COUNTER_TYPE_AMD, &value->type);
	size = value_bytes(value->type);
	if (left < 2 + size / sizeof(GLuint))
		return 0;
	if (value->type == GL_FLOAT || value->type == GL_PERCENTAGE_AMD)
		memcpy(&value->real, words + 2, size);
	else
		memcpy(&value->integer, words + 2, size);
	return 2 + size / sizeof(GLuint);
}

void get_result(GLuint monitor, struct monitor_result *result)
{
	GLuint words[MAX_VALUES * 4];
	unsigned used = 0, left, step = 1;

	memset(result, 0, sizeof(*result));
	pm.data(monitor, GL_PERFMON_RESULT_AMD, sizeof(words), words, &result->written);
	left = result->written / sizeof(GLuint);
	while (left && step && result->count < MAX_VALUES) {
		step = read_value(words + used, left, &result->values[result->count]);
		result->count += step != 0;
		used += step;
		left -= step;
	}
	result->sound = !left && result->written % sizeof(GLuint) == 0;
}

const struct monitor_value *value_of(const struct monitor_result *result, const char *name)
{
	struct monitor_counter counter = find_counter(name);

	for (unsigned i = 0; i < result->count; i++) {
		if (result->values[i].group == counter.group && result->values[i].id == counter.id)
			return &result->values[i];
	}
	give_up("%s is not in the result", name);
}

uint64_t count_of(const struct monitor_result *result, const char *name)
{
	return value_of(result, name)->integer;
}
