/* SPDX-License-Identifier: MIT */
/* The parts of the program amd_performance_monitor, one a file. */
#ifndef TESTS_GL_AMD_PERFORMANCE_MONITOR_H
#define TESTS_GL_AMD_PERFORMANCE_MONITOR_H

#include "monitor.h"

/** A name that no group, counter or monitor has. */
#define BAD 0x7fffffffu
/** Set before a call, to find out what it wrote. */
#define UNTOUCHED 0xa5a5a5a5u

/** Groups, counters, their names, types and ranges; prints the names of all counters. */
void test_lists(void);

/** Monitors: generating, deleting, selecting counters, beginning and ending. */
void test_objects(void);

#endif
