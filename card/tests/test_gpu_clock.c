// SPDX-License-Identifier: MIT
/* Conversion of card time to cycles and back: frequencies, gating, holding, large numbers. */
#include "check.h"
#include "clock/clock.h"
#include "clock/gpu_clock.h"

#define MHZ 1000000ull
#define MS 1000000ull

TEST(counts_at_its_frequency)
{
	struct gpu_clock c;

	gpu_clock_init(&c, 5000, 528 * MHZ);
	CHECK_EQ(gpu_clock_cycles(&c, 5000), 0);
	CHECK_EQ(gpu_clock_cycles(&c, 0), 0); /* before its creation: not negative */
	CHECK_EQ(gpu_clock_cycles(&c, 5000 + MS), 528000);
	/* 116 days: the product of ns and Hz is larger than 64 bits */
	CHECK_EQ(gpu_clock_cycles(&c, 5000 + 10000000000000000ull), 5280000000000000ull);
}

/*
 * At the time of gpu_clock_ns_at() the counter has reached the cycle; one nanosecond earlier it
 * has not.
 */
TEST(time_of_a_cycle_is_exact)
{
	struct gpu_clock c;

	gpu_clock_init(&c, 1000, 528 * MHZ);
	for (uint64_t cycle = 1; cycle < 2000; cycle += 7) {
		uint64_t ns = gpu_clock_ns_at(&c, 1000, cycle);

		CHECK(gpu_clock_cycles(&c, ns) >= cycle);
		CHECK(gpu_clock_cycles(&c, ns - 1) < cycle);
		/* the time does not depend on when it is computed */
		CHECK_EQ(gpu_clock_ns_at(&c, (1000 + ns) / 2, cycle), ns);
	}
	CHECK_EQ(gpu_clock_ns_at(&c, 5000, 1), 5000); /* past: now */
	CHECK_EQ(gpu_clock_ns_at(&c, 1000, UINT64_MAX), CARD_TIME_NEVER);
}

TEST(changes_frequency)
{
	struct gpu_clock c;

	gpu_clock_init(&c, 0, 500 * MHZ);
	gpu_clock_set_hz(&c, MS, 250 * MHZ);
	CHECK_EQ(gpu_clock_cycles(&c, MS), 500000);
	CHECK_EQ(gpu_clock_cycles(&c, 2 * MS), 750000);
	gpu_clock_set_hz(&c, 2 * MS, 0);
	CHECK_EQ(gpu_clock_cycles(&c, 9 * MS), 750000);
	CHECK_EQ(gpu_clock_ns_at(&c, 9 * MS, 750001), CARD_TIME_NEVER);
	gpu_clock_set_hz(&c, 9 * MS, 1000 * MHZ);
	CHECK_EQ(gpu_clock_cycles(&c, 10 * MS), 1750000);
}

/* Software is slower than the model: the counter stops at the frontier. */
TEST(waits_at_the_frontier)
{
	struct gpu_clock c;

	gpu_clock_init(&c, 0, 500 * MHZ);
	gpu_clock_hold(&c, MS, 600000);
	CHECK_EQ(gpu_clock_cycles(&c, MS), 500000);
	CHECK_EQ(gpu_clock_cycles(&c, 5 * MS), 600000);
	/* the operation's cost is known: the frontier moves, and elapsed time counts up to it */
	gpu_clock_hold(&c, 5 * MS, 900000);
	CHECK_EQ(gpu_clock_cycles(&c, 5 * MS), 900000);
	gpu_clock_release(&c, 5 * MS);
	CHECK_EQ(gpu_clock_cycles(&c, 5 * MS), 900000);
	CHECK_EQ(gpu_clock_cycles(&c, 6 * MS), 1400000);
}

/* Software is faster than the model: holding changes nothing. */
TEST(holding_is_invisible_when_fast)
{
	struct gpu_clock c;

	gpu_clock_init(&c, 0, 500 * MHZ);
	gpu_clock_hold(&c, MS, 5000000);
	gpu_clock_release(&c, 2 * MS);
	CHECK_EQ(gpu_clock_cycles(&c, 2 * MS), 1000000);
	gpu_clock_release(&c, 3 * MS); /* not held: nothing */
	CHECK_EQ(gpu_clock_cycles(&c, 4 * MS), 2000000);
}

TEST(a_frontier_in_the_past_stops_it)
{
	struct gpu_clock c;

	gpu_clock_init(&c, 0, 500 * MHZ);
	gpu_clock_hold(&c, 2 * MS, 10);
	CHECK_EQ(gpu_clock_cycles(&c, 3 * MS), 1000000);
	CHECK_EQ(gpu_clock_ns_at(&c, 3 * MS, 1000500), 3 * MS + 1000);
	gpu_clock_release(&c, 3 * MS);
	CHECK_EQ(gpu_clock_cycles(&c, 4 * MS), 1500000);
}

/* The counter never decreases, in any order of calls. */
TEST(never_goes_back)
{
	struct gpu_clock c;
	uint64_t random = 1, now = 0, last = 0;

	gpu_clock_init(&c, 0, 100 * MHZ);
	for (unsigned int i = 0; i < 100000; i++) {
		random = random * 6364136223846793005ull + 1442695040888963407ull;
		now += random >> 52;
		switch (random >> 40 & 3) {
		case 0:
			gpu_clock_set_hz(&c, now, (random >> 20 & 7) * 100 * MHZ);
			break;
		case 1:
			gpu_clock_hold(&c, now, last + (random >> 20 & 0xffff));
			break;
		case 2:
			gpu_clock_release(&c, now);
			break;
		}
		CHECK(gpu_clock_cycles(&c, now) >= last);
		last = gpu_clock_cycles(&c, now);
	}
}

int main(void)
{
	return test_all();
}
