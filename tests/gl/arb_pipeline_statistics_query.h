/* SPDX-License-Identifier: MIT */
/* The parts of the program arb_pipeline_statistics_query, one a file. */
#ifndef TESTS_GL_ARB_PIPELINE_STATISTICS_QUERY_H
#define TESTS_GL_ARB_PIPELINE_STATISTICS_QUERY_H

#include "statistics.h"

#define SIZE 64

/** Print the results as a comment of the output. */
void print_results(const uint64_t results[NR_TARGETS]);

/** Check that @what, which draws @n squares and nothing else that counts, has their numbers. */
void expect_squares(const char *tag, void (*what)(void), unsigned n, const char *text);

/** Commands that the driver draws itself, which do not count, and pixel rectangles. */
void test_ignored(void);

#endif
