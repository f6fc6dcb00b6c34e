// SPDX-License-Identifier: GPL-2.0-only
/* KUnit tests of the delays of stretched windows. */

#include <kunit/test.h>

#include "../vivgpu_stretch.h"

#define PHASES	256
#define PASSES	64
#define COUNT	(PHASES * PASSES)

/* Count the delayed passes of a point in all phases; their delays must be in the range. */
static u32 count_delays(struct kunit *test, u64 seed, u32 point,
			enum vivgpu_stretch_kind kind)
{
	u32 pass, delays = 0;

	for (pass = 0; pass < COUNT; pass++) {
		u32 us = vivgpu_stretch_us(seed, point, pass / PASSES, pass, kind);

		if (!us)
			continue;
		delays++;
		KUNIT_EXPECT_GE(test, us, kind == VIVGPU_STRETCH_SPIN ? 4 : 64);
		KUNIT_EXPECT_LE(test, us, kind == VIVGPU_STRETCH_SPIN ? 8192 : 1 << 20);
	}
	return delays;
}

/* Every second pass is delayed in one of eight phases, at rare places in every second or in all. */
static void delays_are_rare_and_short(struct kunit *test)
{
	u32 seed, point, delays;

	for (seed = 1; seed <= 4; seed++) {
		for (point = 0; point < VIVGPU_STRETCH_POINTS; point++) {
			delays = count_delays(test, seed, point, VIVGPU_STRETCH_SLEEP);
			KUNIT_EXPECT_GE(test, delays, COUNT / 32);
			KUNIT_EXPECT_LE(test, delays, COUNT / 8);
			KUNIT_EXPECT_EQ(test, delays,
					count_delays(test, seed, point, VIVGPU_STRETCH_SPIN));
			delays = count_delays(test, seed, point, VIVGPU_STRETCH_RARE);
			KUNIT_EXPECT_GE(test, delays, COUNT / 8);
			KUNIT_EXPECT_LE(test, delays, COUNT / 2);
			delays = count_delays(test, seed, point, VIVGPU_STRETCH_ALWAYS);
			KUNIT_EXPECT_GE(test, delays, COUNT / 4);
			KUNIT_EXPECT_LE(test, delays, COUNT - COUNT / 4);
		}
	}
}

/* In a phase, a place is delayed in many passes or in none. */
static void phases_select_places(struct kunit *test)
{
	u32 phase, pass, delayed = 0;

	for (phase = 0; phase < PHASES; phase++) {
		u32 delays = 0;

		for (pass = 0; pass < PASSES; pass++)
			delays += !!vivgpu_stretch_us(1, 0, phase, pass, VIVGPU_STRETCH_SLEEP);
		if (!delays)
			continue;
		delayed++;
		KUNIT_EXPECT_GE(test, delays, PASSES / 4);
	}
	KUNIT_EXPECT_GE(test, delayed, PHASES / 16);
	KUNIT_EXPECT_LE(test, delayed, PHASES / 4);
}

/* Two seeds delay different passes, and so do two points. */
static void delays_follow_from_the_seed(struct kunit *test)
{
	u32 pass, same = 0, other_seed = 0, other_point = 0;

	for (pass = 0; pass < COUNT; pass++) {
		u32 phase = pass / PASSES;
		u32 us = vivgpu_stretch_us(1, 0, phase, pass, VIVGPU_STRETCH_SLEEP);

		same += us != vivgpu_stretch_us(1, 0, phase, pass, VIVGPU_STRETCH_SLEEP);
		other_seed += us != vivgpu_stretch_us(2, 0, phase, pass, VIVGPU_STRETCH_SLEEP);
		other_point += us != vivgpu_stretch_us(1, 1, phase, pass, VIVGPU_STRETCH_SLEEP);
	}
	KUNIT_EXPECT_EQ(test, same, 0);
	KUNIT_EXPECT_GT(test, other_seed, COUNT / 32);
	KUNIT_EXPECT_GT(test, other_point, COUNT / 32);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(delays_are_rare_and_short),
	KUNIT_CASE(phases_select_places),
	KUNIT_CASE(delays_follow_from_the_seed),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-stretch",
	.test_cases = cases,
};

kunit_test_suite(suite);
