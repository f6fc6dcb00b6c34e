/* SPDX-License-Identifier: MIT */
/*
 * GL_AMD_performance_monitor for tests: its functions, counters by name, monitors of such counters,
 * and their results.
 */
#ifndef TESTS_GL_MONITOR_H
#define TESTS_GL_MONITOR_H

#include "harness.h"

struct monitor_calls {
	PFNGLGETPERFMONITORGROUPSAMDPROC groups;
	PFNGLGETPERFMONITORCOUNTERSAMDPROC counters;
	PFNGLGETPERFMONITORGROUPSTRINGAMDPROC group_string;
	PFNGLGETPERFMONITORCOUNTERSTRINGAMDPROC counter_string;
	PFNGLGETPERFMONITORCOUNTERINFOAMDPROC counter_info;
	PFNGLGENPERFMONITORSAMDPROC gen;
	PFNGLDELETEPERFMONITORSAMDPROC delete;
	PFNGLSELECTPERFMONITORCOUNTERSAMDPROC select;
	PFNGLBEGINPERFMONITORAMDPROC begin;
	PFNGLENDPERFMONITORAMDPROC end;
	PFNGLGETPERFMONITORCOUNTERDATAAMDPROC data;
};

/** Filled in by load_monitor_calls(). */
extern struct monitor_calls pm;

/** Load all functions; gives up if one is missing. */
void load_monitor_calls(void);

struct monitor_counter {
	GLuint group, id;
	GLenum type;
};

/** Limits of the groups, and of the counters of a group, that tests have arrays for */
#define MAX_GROUPS 32
#define MAX_COUNTERS 64

/** Get the numbers of all groups; returns how many there are. */
unsigned get_groups(GLuint groups[MAX_GROUPS]);

/** Get the numbers of a group's counters; returns how many there are. */
unsigned get_counters(GLuint group, GLuint counters[MAX_COUNTERS]);

/** Get the group with a name; false if there is none. */
bool find_group(const char *name, GLuint *group);

/** Return the counter with a name, in any group; gives up if there is none. */
struct monitor_counter find_counter(const char *name);

/** Return the size in bytes of a value of this type. */
unsigned value_bytes(GLenum type);

/** Create a monitor of the named counters. */
GLuint make_monitor(const char *const *names, unsigned count);

void delete_monitor(GLuint monitor);

/** PERFMON_RESULT_AVAILABLE_AMD or PERFMON_RESULT_SIZE_AMD. */
GLuint monitor_state(GLuint monitor, GLenum pname);

/** A monitor's result, with the values as numbers */
struct monitor_value {
	GLuint group, id;
	GLenum type;
	uint64_t integer; /* UNSIGNED_INT, UNSIGNED_INT64_AMD */
	float real;       /* FLOAT, PERCENTAGE_AMD */
};

#define MAX_VALUES 128

struct monitor_result {
	unsigned count;
	/** Number of bytes that were written, and whether they are whole values of known types */
	GLint written;
	bool sound;
	struct monitor_value values[MAX_VALUES];
};

/** Get a monitor's result; waits for it. */
void get_result(GLuint monitor, struct monitor_result *result);

/** Return a counter's value in a result by its name; gives up if it is missing. */
const struct monitor_value *value_of(const struct monitor_result *result, const char *name);

/** Likewise for integers. */
uint64_t count_of(const struct monitor_result *result, const char *name);

#endif
