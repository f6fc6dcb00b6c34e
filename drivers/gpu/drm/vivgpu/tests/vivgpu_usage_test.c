// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the arithmetic of time stamps, cycles and usage.
 */

#include <kunit/test.h>

#include <linux/time64.h>

#include "../vivgpu_usage.h"

static void clock_wraps_and_restarts(struct kunit *test)
{
	struct vivgpu_clock clock = { };

	vivgpu_clock_reset(&clock, 0xfffffff0, 0);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_update(&clock, 0x10, 1, 1), 0x20);
	vivgpu_clock_reset(&clock, 5, 2);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_update(&clock, 6, 3, 3), 0x21);
}

/*
 * The count of an idle GPU follows from the clock's rate within 1 ms of a reading; further away
 * the counter must be read.
 */
static void clock_of_an_idle_gpu(struct kunit *test)
{
	struct vivgpu_clock clock = { .hz = 528000000 };

	vivgpu_clock_update(&clock, 1000000, 5000000, 5000000);
	KUNIT_EXPECT_FALSE(test, vivgpu_clock_can_extrapolate(&clock, 3999999));
	KUNIT_EXPECT_TRUE(test, vivgpu_clock_can_extrapolate(&clock, 4000000));
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 4000000), 472000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 5000000), 1000000);
	KUNIT_EXPECT_TRUE(test, vivgpu_clock_can_extrapolate(&clock, 6000000));
	KUNIT_EXPECT_FALSE(test, vivgpu_clock_can_extrapolate(&clock, 6000001));
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 6000000), 1528000);
	/*
	 * A reading that took 84.5 ms may be from long after its begin. The estimate moves no
	 * further than the rate allows, and the reported cycles do not decrease.
	 */
	vivgpu_clock_update(&clock, 10000000, 5500000, 90000000);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 22045455);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 14545455), 6040000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 6000000), 6040000);

	clock.hz = U32_MAX;
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 23045455),
			10000000 + U32_MAX / 1000);
	clock = (struct vivgpu_clock){ .cycles = 7, .read_ns = 5000000 };
	KUNIT_EXPECT_FALSE(test, vivgpu_clock_can_extrapolate(&clock, 5000000));
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 5000001), 7);
}

/*
 * A reading moves the estimated time of the count only if the estimate is outside of the
 * reading's begin and end, and then to the nearer of the two.
 */
static void updates_narrow_the_clock_down(struct kunit *test)
{
	struct vivgpu_clock clock = { .hz = 1000000000 };

	vivgpu_clock_reset(&clock, 0, 1000);
	/* 500 ns after the reset, 1500, is within the reading. */
	vivgpu_clock_update(&clock, 500, 1400, 9000);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 1500);
	/* The estimates are after the readings' ends: 2000, then 2980. */
	vivgpu_clock_update(&clock, 1000, 1900, 1980);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 1980);
	vivgpu_clock_update(&clock, 2000, 2950, 2970);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 2970);
	/* The estimate is within a long reading, and stays. */
	vivgpu_clock_update(&clock, 3000, 3100, 90000);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 3970);
	/* The counter runs slower than its rate: the estimate is before the reading's begin. */
	vivgpu_clock_update(&clock, 4000, 5100, 5200);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 5100);
	/* Without a rate the count is that of the reading's end. */
	clock.hz = 0;
	vivgpu_clock_update(&clock, 5000, 6000, 7000);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 7000);
	/* The largest difference of the counts at the lowest rate does not overflow. */
	clock.hz = 1;
	vivgpu_clock_update(&clock, 4999, 8000, U64_MAX);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 7000 + U32_MAX * (u64)NSEC_PER_SEC);
}

/*
 * The counter of a busy GPU may stand still. Cycles of an event are interpolated between what
 * was reported last and the last reading.
 */
static void events_keep_cycles_and_time_together(struct kunit *test)
{
	struct vivgpu_clock clock = { .hz = 1000000000 };

	vivgpu_clock_reset(&clock, 0, 1000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 2000), 1000);
	/* 100 cycles in 1000 ns */
	vivgpu_clock_update(&clock, 1100, 3000, 9000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 2500), 1050);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 2500), 1050);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 2400), 1050);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 2999), 1099);
	/* The rate is assumed after the reading. */
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 4000), 2100);
	/* The counter is behind the cycles that were reported when a job was queued. */
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 5000), 3100);
	vivgpu_clock_update(&clock, 1200, 5100, 5200);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 5050), 3100);
	/* Interpolation over 2^63 ns and cycles does not overflow. */
	clock.cycles = U64_MAX / 2;
	clock.read_ns = U64_MAX / 2;
	clock.reported_cycles = 0;
	clock.reported_ns = 0;
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, U64_MAX / 4), U64_MAX / 4);
}

/* The counter is not read at each event, and a later reading shows that it stood still. */
static void events_between_readings(struct kunit *test)
{
	struct vivgpu_clock clock = { .hz = 1000000000 };

	vivgpu_clock_reset(&clock, 0, 1000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 2000), 1000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 3000), 2000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 4000), 3000);
	vivgpu_clock_update(&clock, 2500, 5000, 5000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 5000), 3000);
	/* The sum is right again. */
	vivgpu_clock_update(&clock, 4500, 6000, 6000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 6000), 4500);
	/* Too late to extrapolate */
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 6001 + NSEC_PER_MSEC), 4500);
}

/* The counter is read 200 ns after the stamp; the job has the cycles of its stamp. */
static void cycles_are_those_of_the_stamp(struct kunit *test)
{
	struct vivgpu_clock clock = { .hz = 500000000, .cycles = 500, .read_ns = 1000 };
	struct vivgpu_times a = { .queued_ns = 1000 };

	a.queued_cycles = vivgpu_clock_extrapolate(&clock, 1000);
	vivgpu_clock_update(&clock, 1100, 3200, 3200);
	vivgpu_times_finish(&a, &clock, 3000);
	KUNIT_EXPECT_EQ(test, a.cycles, 1000);
	KUNIT_EXPECT_EQ(test, clock.free_cycles, 1500);
	KUNIT_EXPECT_EQ(test, clock.cycles, 1600);
}

static void finish(struct vivgpu_clock *clock, struct vivgpu_times *times, u32 raw, u64 ns)
{
	vivgpu_clock_update(clock, raw, ns, ns);
	vivgpu_times_finish(times, clock, ns);
}

static void times_follow_the_one_before(struct kunit *test)
{
	struct vivgpu_times a = { .queued_ns = 100, .queued_cycles = 10 };
	struct vivgpu_times b = { .queued_ns = 110, .queued_cycles = 0 };
	struct vivgpu_times c = { .queued_ns = 500, .queued_cycles = 300 };
	struct vivgpu_clock clock = { };
	struct vivgpu_usage usage = { };

	finish(&clock, &a, 110, 200);
	KUNIT_EXPECT_EQ(test, a.started_ns, 100);
	KUNIT_EXPECT_EQ(test, a.cycles, 100);
	/* queued while a ran: starts when a finished */
	finish(&clock, &b, 160, 250);
	KUNIT_EXPECT_EQ(test, b.started_ns, 200);
	KUNIT_EXPECT_EQ(test, b.cycles, 50);
	/* queued on an idle GPU */
	finish(&clock, &c, 400, 600);
	KUNIT_EXPECT_EQ(test, c.started_ns, 500);
	KUNIT_EXPECT_EQ(test, c.cycles, 100);

	vivgpu_usage_add(&usage, &a);
	vivgpu_usage_add(&usage, &b);
	vivgpu_usage_add(&usage, &c);
	/* only a and c started on an idle GPU and count for the shortest latency */
	KUNIT_EXPECT_EQ(test, clock.min_latency_ns, 100);
	KUNIT_EXPECT_EQ(test, usage.busy_ns, 250);
	KUNIT_EXPECT_EQ(test, usage.cycles, 250);
	KUNIT_EXPECT_EQ(test, usage.jobs, 3);
}

static void times_of_one_interrupt(struct kunit *test)
{
	struct vivgpu_times a = { .queued_ns = 100 }, b = { .queued_ns = 105 };
	struct vivgpu_times late = { .queued_ns = 310 };
	struct vivgpu_clock clock = { };

	finish(&clock, &a, 50, 200);
	finish(&clock, &b, 50, 200);
	KUNIT_EXPECT_EQ(test, b.finished_ns - b.started_ns, 0);
	KUNIT_EXPECT_EQ(test, b.cycles, 0);
	/* the interrupt's stamp is older than that of queueing */
	finish(&clock, &late, 60, 305);
	KUNIT_EXPECT_EQ(test, late.queued_ns, 310);
	KUNIT_EXPECT_EQ(test, late.started_ns, 310);
	KUNIT_EXPECT_EQ(test, late.finished_ns, 310);
	KUNIT_EXPECT_EQ(test, clock.free_ns, 310);
}

/* A reader adds the running job to a copy of the sums; what is shown never decreases. */
static void usage_counts_what_runs(struct kunit *test)
{
	const struct vivgpu_times times = { .queued_ns = 1000, .queued_cycles = 50 };
	const struct vivgpu_clock clock = { .cycles = 60, .raw = 0xfffffff0, .free_ns = 1100 };
	struct vivgpu_usage shown = { }, usage = { .busy_ns = 7, .cycles = 5, .jobs = 2 };

	vivgpu_usage_add_running(&usage, &times, &clock, 0x10, 1500);
	KUNIT_EXPECT_EQ(test, usage.busy_ns, 7 + 400);
	KUNIT_EXPECT_EQ(test, usage.cycles, 5 + 0x20 + 10);
	KUNIT_EXPECT_EQ(test, usage.jobs, 2);
	vivgpu_usage_update_max(&shown, &usage);

	/* the interrupt's stamp was older than the reader's clock */
	usage = (struct vivgpu_usage){ .busy_ns = 7 + 390, .cycles = 100, .jobs = 3 };
	vivgpu_usage_update_max(&shown, &usage);
	KUNIT_EXPECT_EQ(test, shown.busy_ns, 7 + 400);
	KUNIT_EXPECT_EQ(test, shown.cycles, 100);
	KUNIT_EXPECT_EQ(test, shown.jobs, 3);
}

/* Points that one interrupt reports divide the time since the event before by their operations. */
static void clock_spreads_events(struct kunit *test)
{
	const struct vivgpu_clock clock = { .reported_ns = 1000 };

	KUNIT_EXPECT_EQ(test, vivgpu_clock_spread(&clock, 9000, 1, 8), 2000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_spread(&clock, 9000, 7, 8), 8000);
	/* the last one has the interrupt's time */
	KUNIT_EXPECT_EQ(test, vivgpu_clock_spread(&clock, 9000, 8, 8), 9000);
	/* the interrupt's stamp is older than the start of a job */
	KUNIT_EXPECT_EQ(test, vivgpu_clock_spread(&clock, 900, 1, 8), 900);
}

/* The latency is that of interrupts, not of times that were spread. */
static void clock_spread_is_no_latency(struct kunit *test)
{
	struct vivgpu_clock clock = { .spread = true };
	struct vivgpu_times times = { .queued_ns = 1000 };

	vivgpu_times_finish(&times, &clock, 1010);
	KUNIT_EXPECT_EQ(test, clock.min_latency_ns, 0);
	clock.spread = false;
	times.queued_ns = 2000;
	vivgpu_times_finish(&times, &clock, 2500);
	KUNIT_EXPECT_EQ(test, clock.min_latency_ns, 500);
}

/* A reader that reads no register takes the nominal rate since the last reading. */
static void clock_estimates_a_reading(struct kunit *test)
{
	struct vivgpu_clock clock = { .hz = 500000000, .raw = 0xfffffff0, .read_ns = 1000 };

	KUNIT_EXPECT_EQ(test, vivgpu_clock_estimate(&clock, 1000), 0xfffffff0);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_estimate(&clock, 1064), 0x10);
	/* another processor has updated the clock meanwhile */
	KUNIT_EXPECT_EQ(test, vivgpu_clock_estimate(&clock, 900), 0xfffffff0);
	/* not a wrap: the counter is read at least once in that time */
	KUNIT_EXPECT_EQ(test, vivgpu_clock_estimate(&clock, 1000 + 10ull * NSEC_PER_SEC),
			0xffffffef);
	clock.hz = 0;
	KUNIT_EXPECT_EQ(test, vivgpu_clock_estimate(&clock, 1064), 0xfffffff0);
}

/* Jobs that were counted, and jobs that are over. */
static void usage_sums_counts(struct kunit *test)
{
	struct vivgpu_job_counts counts = { .counts.value = { 3, 1, 100 }, .valid = true };
	struct vivgpu_usage usage = { };
	struct vivgpu_ended ended = { };

	vivgpu_usage_add_counts(&usage, &counts);
	counts.exact = true;
	counts.counts.value[VIVGPU_COUNT_FRAGMENTS] = U64_MAX / 2;
	vivgpu_usage_add_counts(&usage, &counts);
	KUNIT_EXPECT_EQ(test, usage.counted_jobs, 2);
	KUNIT_EXPECT_EQ(test, usage.exact_jobs, 1);
	KUNIT_EXPECT_EQ(test, usage.counts.value[VIVGPU_COUNT_VERTICES], 6);
	KUNIT_EXPECT_EQ(test, usage.counts.value[VIVGPU_COUNT_PRIMITIVES], 2);
	KUNIT_EXPECT_EQ(test, usage.counts.value[VIVGPU_COUNT_FRAGMENTS], U64_MAX / 2 + 100);

	vivgpu_ended_add(&ended, false, false);
	vivgpu_ended_add(&ended, true, false);
	vivgpu_ended_add(&ended, false, true);
	KUNIT_EXPECT_EQ(test, ended.finished, 3);
	KUNIT_EXPECT_EQ(test, ended.failed, 1);
	KUNIT_EXPECT_EQ(test, ended.events, 1);
}

/* Jobs with a deadline or a prediction. */
static void usage_sums_deadlines(struct kunit *test)
{
	const struct vivgpu_times times = { .started_ns = 100, .finished_ns = 130 };
	struct vivgpu_usage usage = { }, shown = { .overruns = 7 };

	vivgpu_usage_add_deadline(&usage, &times, 0, true, false);
	vivgpu_usage_add_deadline(&usage, &times, 20, false, true);
	vivgpu_usage_add_deadline(&usage, &times, 50, true, false);
	KUNIT_EXPECT_EQ(test, usage.missed, 2);
	KUNIT_EXPECT_EQ(test, usage.overruns, 1);
	KUNIT_EXPECT_EQ(test, usage.predicted_ns, 70);
	KUNIT_EXPECT_EQ(test, usage.predicted_busy_ns, 60);
	vivgpu_usage_update_max(&shown, &usage);
	KUNIT_EXPECT_EQ(test, shown.missed, 2);
	KUNIT_EXPECT_EQ(test, shown.overruns, 7);
	KUNIT_EXPECT_EQ(test, shown.predicted_ns, 70);
	KUNIT_EXPECT_EQ(test, shown.predicted_busy_ns, 60);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(clock_wraps_and_restarts),
	KUNIT_CASE(clock_of_an_idle_gpu),
	KUNIT_CASE(updates_narrow_the_clock_down),
	KUNIT_CASE(events_keep_cycles_and_time_together),
	KUNIT_CASE(events_between_readings),
	KUNIT_CASE(cycles_are_those_of_the_stamp),
	KUNIT_CASE(times_follow_the_one_before),
	KUNIT_CASE(times_of_one_interrupt),
	KUNIT_CASE(usage_counts_what_runs),
	KUNIT_CASE(clock_estimates_a_reading),
	KUNIT_CASE(clock_spreads_events),
	KUNIT_CASE(clock_spread_is_no_latency),
	KUNIT_CASE(usage_sums_deadlines),
	KUNIT_CASE(usage_sums_counts),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-usage",
	.test_cases = cases,
};

kunit_test_suite(suite);
