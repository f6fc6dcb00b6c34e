/* SPDX-License-Identifier: MIT */
/* The parts of the program timer_query, one a file. */
#ifndef TESTS_GL_TIMER_QUERY_H
#define TESTS_GL_TIMER_QUERY_H

#include "angle_timer_query.h"

#define MANY 12 /* queries of tests with several */
#define SIZE 128

/** Results: their size, when they are there, and whether the times are possible. */
void test_times(void);

#endif
