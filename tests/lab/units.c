// SPDX-License-Identifier: MIT
/* Tests of the lab's pure functions; prints what is wrong, exits with 1 if anything is. */

#include <stdio.h>

#include "truth.h"

static int failed;

#define CHECK(condition)                                                       \
	do {                                                                   \
		if (!(condition)) {                                            \
			printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			failed = 1;                                            \
		}                                                              \
	} while (0)

static struct truth_event event_at(uint64_t ns, uint64_t delay)
{
	return (struct truth_event){ .arrival_ns = ns + delay, .delay_ns = delay };
}

/* Jobs of one program, whose stamps are before, at, and long after the interrupts. */
static void test_truth_stamps(void)
{
	struct truth_event events[] = { event_at(100000, 0), event_at(200000, 0),
					event_at(205500, 0) };
	struct truth truth = { .events = events, .count = 3 };

	CHECK(truth_find(&truth, 50000, 99800) == &events[0]);
	CHECK(truth_find(&truth, 99800, 199900) == &events[1]);
	/* The handler of the second interrupt was busy for longer than the third job. */
	CHECK(truth_find(&truth, 199900, 211100) == &events[2]);
	CHECK(!truth_find(&truth, 211100, 300000));
}

/* Other clients' events are before the start. */
static void test_truth_others(void)
{
	struct truth_event events[] = { event_at(100000, 0), event_at(200000, 0),
					event_at(300000, 0) };
	struct truth truth = { .events = events, .count = 3 };

	CHECK(truth_find(&truth, 200000, 300100) == &events[2]);
	CHECK(!truth_find(&truth, 300100, 400000));
}

/* One handler saw two jobs' events, the second before its delayed interrupt. */
static void test_truth_together(void)
{
	struct truth_event events[] = { event_at(100000, 3000), event_at(103000, 4000) };
	struct truth truth = { .events = events, .count = 2 };

	CHECK(truth_find(&truth, 50000, 104000) == &events[0]);
	CHECK(truth_find(&truth, 104000, 104000) == &events[1]);
}

int main(void)
{
	test_truth_stamps();
	test_truth_others();
	test_truth_together();
	return failed;
}
