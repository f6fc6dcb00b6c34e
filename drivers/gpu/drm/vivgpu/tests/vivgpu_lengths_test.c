// SPDX-License-Identifier: GPL-2.0-only
/* KUnit tests of the assumed bounds of the lengths of jobs. */

#include <kunit/test.h>

#include "../vivgpu_lengths.h"

#define MS 1000000ull

static void old_lengths_are_dropped(struct kunit *test)
{
	struct vivgpu_lengths lengths = { };
	u32 i;

	vivgpu_lengths_learn(&lengths, 0, 9 * MS);
	for (i = 0; i < 127; i++)
		vivgpu_lengths_learn(&lengths, 0, 2 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 0, 0), 9 * MS);
	vivgpu_lengths_learn(&lengths, 0, 2 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 0, 0), 2 * MS);
}

/* Each job that was held back and then was short halves what is remembered of longer ones. */
static void an_exception_fades(struct kunit *test)
{
	struct vivgpu_lengths lengths = { };

	vivgpu_lengths_learn(&lengths, 2 * MS, 16 * MS);
	vivgpu_lengths_learn(&lengths, 2 * MS, MS);
	vivgpu_lengths_fade(&lengths, 2 * MS, MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 0, 0), 8 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 3 * MS, 0), 12 * MS);
	/* Without a prediction it tells nothing of predictions. */
	vivgpu_lengths_fade(&lengths, 0, 5 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 0, 0), 5 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 3 * MS, 0), 12 * MS);
}

/* Nor is it remembered by the window of samples before. */
static void an_exception_fades_in_both_windows(struct kunit *test)
{
	struct vivgpu_lengths lengths = { };
	u32 i;

	vivgpu_lengths_learn(&lengths, 0, 16 * MS);
	for (i = 0; i < 70; i++)
		vivgpu_lengths_learn(&lengths, 0, MS);
	vivgpu_lengths_fade(&lengths, 0, MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 0, 0), 8 * MS);
}

/* If the job that was held back is as long as it was assumed to be, nothing changes. */
static void long_jobs_are_remembered(struct kunit *test)
{
	struct vivgpu_lengths lengths = { };

	vivgpu_lengths_learn(&lengths, 2 * MS, 20 * MS);
	vivgpu_lengths_fade(&lengths, 2 * MS, 20 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, MS, 0), 20 * MS);
	vivgpu_lengths_fade(&lengths, 2 * MS, 16 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, MS, 0), 16 * MS);
}

/* A frame has several jobs; the longest of the last 64 to 128 frames counts. */
static void frames_are_sums(struct kunit *test)
{
	struct vivgpu_lengths lengths = { };
	u32 i;

	KUNIT_EXPECT_EQ(test, vivgpu_lengths_frame(&lengths), 0);
	vivgpu_lengths_learn_frame(&lengths, 0, 2 * MS);
	vivgpu_lengths_learn_frame(&lengths, 2 * MS, 5 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_frame(&lengths), 5 * MS);
	KUNIT_EXPECT_EQ(test, lengths.frame.count, 1);
	for (i = 0; i < 127; i++)
		vivgpu_lengths_learn_frame(&lengths, 0, 3 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_frame(&lengths), 5 * MS);
	vivgpu_lengths_learn_frame(&lengths, 0, 3 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_frame(&lengths), 3 * MS);
}

/* A predicted bound counts if it is larger than what was measured, and lowers nothing. */
static void predicted_bounds_only_raise(struct kunit *test)
{
	struct vivgpu_lengths lengths = { };

	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 0, 3 * MS), 3 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 2 * MS, 3 * MS), 3 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 2 * MS, MS), 2 * MS);
	/* 3/2 of the cost; without one the longest */
	vivgpu_lengths_learn(&lengths, 4 * MS, 6 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 2 * MS, 1), 3 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 2 * MS, 4 * MS), 4 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 0, 4 * MS), 6 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 0, 7 * MS), 7 * MS);
	/* No bound is longer than 10 s. */
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(&lengths, 2 * MS, U64_MAX), 10000 * MS);
}

static struct kunit_case lengths_cases[] = {
	KUNIT_CASE(old_lengths_are_dropped),
	KUNIT_CASE(an_exception_fades),
	KUNIT_CASE(an_exception_fades_in_both_windows),
	KUNIT_CASE(long_jobs_are_remembered),
	KUNIT_CASE(frames_are_sums),
	KUNIT_CASE(predicted_bounds_only_raise),
	{ }
};

static struct kunit_suite lengths_suite = {
	.name = "vivgpu-lengths",
	.test_cases = lengths_cases,
};

kunit_test_suite(lengths_suite);
