/* SPDX-License-Identifier: MIT */
/*
 * Assertions for the card's unit tests. A test program defines tests, and main() runs them all in
 * the order in which they stand in the file. A failed check is printed, makes its test fail, and
 * returns from the function that it is in: from the test, or from a helper, after which the test
 * goes on. (Reasons against cmocka: Documentation/decisions.rst.)
 *
 *  TEST(adds) { CHECK_EQ(add(1, 2), 3); }
 *  int main(void) { return test_all(); }
 *
 * A test that walks a table names each row by ROW(): a failed check prints that name.
 */
#ifndef CARD_TESTS_CHECK_H
#define CARD_TESTS_CHECK_H

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/*
 * Limits after which a test counts as hung and its name is printed: processor time, and a
 * longer elapsed time for tests that sleep, since the machine may be busy.
 */
#define TEST_SECONDS 120
#define TEST_SECONDS_ASLEEP 1200

struct test {
	const char *file, *name;
	void (*run)(void);
	int line;
	struct test *next;
};

static struct test *test_first; /* by line */
static unsigned int test_passed, test_failed;
static bool test_ok;
static const char *test_name;
static char test_row[200];

static void test_hangs(int number)
{
	fprintf(stderr, "FAIL %s hangs\n", test_name);
	_exit(1);
}

static void test_limit(unsigned int processor_seconds, unsigned int seconds)
{
	const struct itimerval limit = { .it_value.tv_sec = processor_seconds };

	setitimer(ITIMER_PROF, &limit, NULL);
	alarm(seconds);
}

/* By line, since the order in which a program's constructors run is the compiler's. */
static void test_add(struct test *test)
{
	struct test **at = &test_first;

	while (*at && (*at)->line < test->line)
		at = &(*at)->next;
	test->next = *at;
	*at = test;
}

#define TEST(name)                                                                          \
	static void test_##name(void);                                                      \
	__attribute__((constructor)) static void test_add_##name(void)                      \
	{                                                                                   \
		static struct test test = { __FILE__, #name, test_##name, __LINE__, NULL }; \
                                                                                            \
		test_add(&test);                                                            \
	}                                                                                   \
	static void test_##name(void)

static void test_run(const struct test *test)
{
	test_ok = true;
	test_name = test->name;
	test_row[0] = '\0';
	signal(SIGPROF, test_hangs);
	signal(SIGALRM, test_hangs);
	test_limit(TEST_SECONDS, TEST_SECONDS_ASLEEP);
	test->run();
	test_limit(0, 0);
	if (test_ok) {
		test_passed++;
		return;
	}
	test_failed++;
	printf("FAIL %s: %s\n", test->file, test->name);
}

/* Runs all tests and prints the counts; the status for main() to return. */
static int test_all(void)
{
	for (const struct test *test = test_first; test; test = test->next)
		test_run(test);
	printf("%u passed, %u failed, 0 skipped\n", test_passed, test_failed);
	fflush(stdout); /* LeakSanitizer, after leaks of a failed test, ends a program without it */
	return test_failed ? 1 : 0;
}

/* printf arguments: the checks from here to the next ROW(), or to the end of the test, are about this row. */
#define ROW(...) snprintf(test_row, sizeof(test_row), __VA_ARGS__)

static inline void test_fails(const char *file, int line)
{
	test_ok = false;
	printf("%s:%d: %s%s", file, line, test_row, test_row[0] ? ": " : "");
}

#define CHECK(condition)                                      \
	do {                                                  \
		if (!(condition)) {                           \
			test_fails(__FILE__, __LINE__);       \
			printf("not true: %s\n", #condition); \
			return;                               \
		}                                             \
	} while (0)

#define CHECK_EQ(got, want)                                                                      \
	do {                                                                                     \
		uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want);                       \
		if (got_ != want_) {                                                             \
			test_fails(__FILE__, __LINE__);                                          \
			printf("%s is 0x%" PRIx64 ", expected 0x%" PRIx64 " (%s)\n", #got, got_, \
			       want_, #want);                                                    \
			return;                                                                  \
		}                                                                                \
	} while (0)

#define CHECK_STR(got, want)                                                      \
	do {                                                                      \
		const char *got_ = (got), *want_ = (want);                        \
		if (strcmp(got_, want_) != 0) {                                   \
			test_fails(__FILE__, __LINE__);                           \
			printf("%s is '%s', expected '%s'\n", #got, got_, want_); \
			return;                                                   \
		}                                                                 \
	} while (0)

/* Equal within @tolerance; NaN equals NaN. */
#define CHECK_NEAR(got, want, tolerance)                                          \
	do {                                                                      \
		double got_ = (got), want_ = (want);                              \
		if (!(fabs(got_ - want_) <= (tolerance) || got_ == want_ ||       \
		      (isnan(got_) && isnan(want_)))) {                           \
			test_fails(__FILE__, __LINE__);                           \
			printf("%s is %.9g, expected %.9g\n", #got, got_, want_); \
			return;                                                   \
		}                                                                 \
	} while (0)

#endif
