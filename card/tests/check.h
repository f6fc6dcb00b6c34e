/* SPDX-License-Identifier: MIT */
/*
 * The few assertions that the card's unit tests need. A test program defines
 * functions and lists them in main(); every failed check is printed, fails its
 * test and ends it. (cmocka ends the whole process on a sanitizer report and
 * has no one-line total; this is smaller than adapting it.)
 *
 *	TEST(adds) { CHECK_EQ(add(1, 2), 3); }
 *	int main(void) { RUN(adds); return test_end(); }
 */
#ifndef CARD_TESTS_CHECK_H
#define CARD_TESTS_CHECK_H

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static unsigned int test_passed, test_failed;
static bool test_ok;

#define TEST(name) static void test_##name(void)

#define RUN(name)                                                  \
	do {                                                       \
		test_ok = true;                                    \
		test_##name();                                     \
		if (test_ok)                                       \
			test_passed++;                             \
		else {                                             \
			test_failed++;                             \
			printf("FAIL %s: %s\n", __FILE__, #name);  \
		}                                                  \
	} while (0)

#define CHECK(condition)                                                          \
	do {                                                                      \
		if (!(condition)) {                                               \
			printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
			test_ok = false;                                          \
			return;                                                   \
		}                                                                 \
	} while (0)

#define CHECK_EQ(got, want)                                                        \
	do {                                                                       \
		uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want);         \
		if (got_ != want_) {                                               \
			printf("%s:%d: %s is 0x%" PRIx64 ", expected 0x%" PRIx64 " (%s)\n", \
			       __FILE__, __LINE__, #got, got_, want_, #want);      \
			test_ok = false;                                           \
			return;                                                    \
		}                                                                  \
	} while (0)

/* Equal within @tolerance; NaN equals NaN. */
#define CHECK_NEAR(got, want, tolerance)                                          \
	do {                                                                      \
		double got_ = (got), want_ = (want);                              \
		if (!(fabs(got_ - want_) <= (tolerance) || got_ == want_ ||       \
		      (isnan(got_) && isnan(want_)))) {                           \
			printf("%s:%d: %s is %.9g, expected %.9g\n", __FILE__, __LINE__, #got, got_, want_); \
			test_ok = false;                                          \
			return;                                                   \
		}                                                                 \
	} while (0)

static int test_end(void)
{
	printf("%u passed, %u failed, 0 skipped\n", test_passed, test_failed);
	return test_failed ? 1 : 0;
}

#endif
