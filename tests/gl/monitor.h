/* SPDX-License-Identifier: MIT */
/*
 * GL_AMD_performance_monitor for tests: its functions, counters by name, monitors
 * made of such names, and their results.
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

/** Find all functions; gives up if one is missing. */
void load_monitor_calls(void);

struct monitor_counter {
	GLuint group, id;
	GLenum type;
};

/** Most groups, and counters in one of them, that tests make room for. */
#define MOST_GROUPS 32
#define MOST_COUNTERS 64

/** The numbers of all groups; returns how many. */
unsigned get_groups(GLuint groups[MOST_GROUPS]);

/** The numbers of a group's counters; returns how many. */
unsigned get_counters(GLuint group, GLuint counters[MOST_COUNTERS]);

/** The group with a name; false if there is none. */
bool find_group(const char *name, GLuint *group);

/** The counter with a name, in whatever group; gives up if there is none. */
struct monitor_counter find_counter(const char *name);

/** The bytes of a value of this type. */
unsigned value_bytes(GLenum type);

/** A monitor of the counters named. */
GLuint make_monitor(const char *const *names, unsigned count);

void delete_monitor(GLuint monitor);

/** PERFMON_RESULT_AVAILABLE_AMD or PERFMON_RESULT_SIZE_AMD. */
GLuint monitor_state(GLuint monitor, GLenum pname);

/** A monitor's result, with the values as numbers; waits for it. */
struct monitor_value {
	GLuint group, id;
	GLenum type;
	uint64_t integer; /* UNSIGNED_INT, UNSIGNED_INT64_AMD */
	float real;       /* FLOAT, PERCENTAGE_AMD */
};

#define MOST_VALUES 128

struct monitor_result {
	unsigned count;
	/** Bytes that were written, and whether they are whole values of known types. */
	GLint written;
	bool sound;
	struct monitor_value values[MOST_VALUES];
};

void get_result(GLuint monitor, struct monitor_result *result);

/** A counter's value in a result by its name; gives up if it isn't there. */
const struct monitor_value *value_of(const struct monitor_result *result, const char *name);

/** The same of integers. */
uint64_t count_of(const struct monitor_result *result, const char *name);

#endif
