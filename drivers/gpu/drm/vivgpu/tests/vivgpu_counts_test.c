// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the attribution of counts to jobs.
 */

#include <kunit/test.h>

#include "../vivgpu_usage.h"

/* Counters as they move on: vertices by 3, primitives by 1, fragments by 100 a unit of work. */
static struct vivgpu_raw_counts reading(u32 start, u32 work)
{
	return (struct vivgpu_raw_counts){
		.value = {
			[VIVGPU_COUNT_VERTICES] = start + 3 * work,
			[VIVGPU_COUNT_PRIMITIVES] = start + work,
			[VIVGPU_COUNT_FRAGMENTS] = start + 100 * work,
		},
	};
}

static void expect_work(struct kunit *test, const struct vivgpu_counts *counts, u64 work)
{
	KUNIT_EXPECT_EQ(test, counts->value[VIVGPU_COUNT_VERTICES], 3 * work);
	KUNIT_EXPECT_EQ(test, counts->value[VIVGPU_COUNT_PRIMITIVES], work);
	KUNIT_EXPECT_EQ(test, counts->value[VIVGPU_COUNT_FRAGMENTS], 100 * work);
}

/*
 * A reading at which jobs have ended. The ring is a string with a letter for each job that is
 * in it, oldest first, which is the job's client; capital letters have ended.
 */
struct ending {
	const char *ring;
	u32 work;	/* counted by then, since the beginning */
	u64 first;	/* expected: work of the oldest job that ended */
	bool valid, exact, shared;
};

/* Returns the sum of the work that was attributed. The endings end with one without a ring. */
static u64 run_endings(struct kunit *test, struct vivgpu_counting *counting, u32 start,
		       const struct ending *endings)
{
	const struct ending *ending;
	u64 sum = 0;

	for (ending = endings; ending->ring; ending++) {
		struct vivgpu_raw_counts raw = reading(start, ending->work);
		struct vivgpu_job_counts first;
		struct vivgpu_occupancy ring = { };
		const char *job;

		for (job = ending->ring; *job; job++)
			vivgpu_occupancy_add(&ring, *job | 0x20, *job < 'a');
		vivgpu_counting_attribute(counting, &raw, &ring, &first);
		expect_work(test, &first.counts, ending->first);
		KUNIT_EXPECT_EQ_MSG(test, first.valid, ending->valid, "%td", ending - endings);
		KUNIT_EXPECT_EQ_MSG(test, first.exact, ending->exact, "%td", ending - endings);
		KUNIT_EXPECT_EQ_MSG(test, first.shared, ending->shared, "%td", ending - endings);
		sum += first.counts.value[VIVGPU_COUNT_PRIMITIVES];
		/* what jobs get that ended at the same reading, behind the first one */
		vivgpu_job_counts_clear(&first);
		expect_work(test, &first.counts, 0);
		KUNIT_EXPECT_EQ(test, first.valid, ending->valid);
		KUNIT_EXPECT_FALSE(test, first.exact);
		KUNIT_EXPECT_EQ(test, first.shared, ending->shared);
	}
	return sum;
}

static struct vivgpu_counting begin(u32 start)
{
	struct vivgpu_raw_counts raw = reading(start, 0);
	struct vivgpu_counting counting;

	vivgpu_counting_start(&counting, &raw);
	return counting;
}

/* Each job is alone from the end of the one before to its own: all are exact. */
static void one_job_at_a_time(struct kunit *test)
{
	static const struct ending endings[] = {
		{ "A", 7, 7, true, true, false },
		{ "A", 7, 0, true, true, false },
		{ "B", 19, 12, true, true, false },
		{ "A", 20, 1, true, true, false },
		{ }
	};
	struct vivgpu_counting counting = begin(0);

	KUNIT_EXPECT_EQ(test, run_endings(test, &counting, 0, endings), 20);
}

/*
 * Jobs of one client overlap: none is exact, also not the last, whose beginning was counted
 * for the one before. The one after it is.
 */
static void one_client_overlapping(struct kunit *test)
{
	static const struct ending endings[] = {
		{ "Aa", 12, 12, true, false, false },
		{ "Aaa", 20, 8, true, false, false },
		{ "Aa", 31, 11, true, false, false },
		{ "A", 40, 9, true, false, false },
		{ "A", 50, 10, true, true, false },
		{ }
	};
	struct vivgpu_counting counting = begin(0);

	KUNIT_EXPECT_EQ(test, run_endings(test, &counting, 0, endings), 50);
}

/* Two clients in alternation: what both may be part of is shared, and neither sees it. */
static void two_clients_interleaved(struct kunit *test)
{
	static const struct ending endings[] = {
		{ "Ab", 12, 12, true, false, true },
		{ "Ba", 20, 8, true, false, true },
		/* Only this one ran: of A alone, though a part of it was counted before. */
		{ "A", 31, 11, true, false, false },
		{ "Bb", 40, 9, true, false, false },
		{ "Bba", 41, 1, true, false, true },
		{ "Ba", 42, 1, true, false, true },
		{ "A", 43, 1, true, false, false },
		{ "B", 44, 1, true, true, false },
		{ }
	};
	struct vivgpu_counting counting = begin(0);

	KUNIT_EXPECT_EQ(test, run_endings(test, &counting, 0, endings), 44);
}

/* One interrupt for several jobs: the first has all, and nothing is exact. */
static void several_end_at_once(struct kunit *test)
{
	static const struct ending endings[] = {
		{ "AA", 10, 10, true, false, false },
		{ "AAa", 20, 10, true, false, false },
		{ "A", 21, 1, true, false, false },
		{ "AB", 30, 9, true, false, true },
		{ "ABc", 40, 10, true, false, true },
		{ "C", 41, 1, true, false, false },
		{ "C", 42, 1, true, true, false },
		{ }
	};
	struct vivgpu_counting counting = begin(0);

	KUNIT_EXPECT_EQ(test, run_endings(test, &counting, 0, endings), 42);
}

/* The registers have 32 bits; during a job that counts more they are read before they wrap. */
static void registers_wrap(struct kunit *test)
{
	static const struct ending endings[] = {
		{ "A", 0x100, 0x100, true, true, false },
		{ "A", 0x1100, 0x1000, true, true, false },
		{ }
	};
	struct vivgpu_counting counting = begin(0xffffff00);
	struct vivgpu_job_counts first;
	struct vivgpu_occupancy ring = { };
	struct vivgpu_raw_counts raw;
	u32 i;

	KUNIT_EXPECT_EQ(test, run_endings(test, &counting, 0xffffff00, endings), 0x1100);

	counting = begin(5);
	for (i = 1; i <= 8; i++) {
		raw = reading(5, i * 0x1000000);
		vivgpu_counting_update(&counting, &raw);
	}
	vivgpu_occupancy_add(&ring, 'a', true);
	vivgpu_counting_attribute(&counting, &raw, &ring, &first);
	expect_work(test, &first.counts, 0x8000000);
	KUNIT_EXPECT_TRUE(test, first.exact);
}

/* After a reset or a resume the registers start anywhere; the job that ran first is exact. */
static void counters_are_reset(struct kunit *test)
{
	static const struct ending before[] = { { "Ab", 50, 50, true, false, true }, { } };
	static const struct ending after[] = {
		{ "B", 3, 3, true, true, false },
		{ "A", 4, 1, true, true, false },
		{ }
	};
	struct vivgpu_counting counting = begin(1000);
	struct vivgpu_raw_counts raw = reading(1000, 70);

	run_endings(test, &counting, 1000, before);
	vivgpu_counting_update(&counting, &raw);
	expect_work(test, &counting.pending, 20);
	vivgpu_counting_stop(&counting);
	KUNIT_EXPECT_FALSE(test, counting.known);
	expect_work(test, &counting.pending, 0);

	raw = reading(0, 0);
	vivgpu_counting_start(&counting, &raw);
	KUNIT_EXPECT_EQ(test, run_endings(test, &counting, 0, after), 4);
}

/*
 * Counting begins while jobs are in the ring: those that ended have no counts, the one that
 * runs has a part.
 */
static void counting_begins_late(struct kunit *test)
{
	static const struct ending endings[] = {
		{ "Ab", 1000, 0, false, false, true },
		{ "B", 1005, 5, true, false, false },
		{ "A", 1010, 5, true, true, false },
		{ }
	};
	struct vivgpu_raw_counts raw = reading(0, 900);
	struct vivgpu_counting counting = { };

	/* A reading before the beginning counts nothing. */
	vivgpu_counting_update(&counting, &raw);
	expect_work(test, &counting.pending, 0);
	KUNIT_EXPECT_EQ(test, run_endings(test, &counting, 0, endings), 10);
}

/* The clients of the jobs in the ring, and how many have ended. */
static void occupancy(struct kunit *test)
{
	struct vivgpu_occupancy ring = { };

	vivgpu_occupancy_add(&ring, 5, true);
	KUNIT_EXPECT_EQ(test, ring.client, 5);
	KUNIT_EXPECT_FALSE(test, ring.shared);
	vivgpu_occupancy_add(&ring, 5, false);
	KUNIT_EXPECT_FALSE(test, ring.shared);
	vivgpu_occupancy_add(&ring, 6, false);
	KUNIT_EXPECT_TRUE(test, ring.shared);
	vivgpu_occupancy_add(&ring, 5, false);
	KUNIT_EXPECT_TRUE(test, ring.shared);
	KUNIT_EXPECT_EQ(test, ring.jobs, 4);
	KUNIT_EXPECT_EQ(test, ring.ended, 1);
}

static void highest_counts(struct kunit *test)
{
	struct vivgpu_counts shown = { .value = { 1, 20, 3 } };
	struct vivgpu_counts counts = { .value = { 2, 2, 3 } };

	vivgpu_counts_update_max(&shown, &counts);
	KUNIT_EXPECT_EQ(test, shown.value[0], 2);
	KUNIT_EXPECT_EQ(test, shown.value[1], 20);
	KUNIT_EXPECT_EQ(test, shown.value[2], 3);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(one_job_at_a_time),
	KUNIT_CASE(one_client_overlapping),
	KUNIT_CASE(two_clients_interleaved),
	KUNIT_CASE(several_end_at_once),
	KUNIT_CASE(registers_wrap),
	KUNIT_CASE(counters_are_reset),
	KUNIT_CASE(counting_begins_late),
	KUNIT_CASE(occupancy),
	KUNIT_CASE(highest_counts),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-counts",
	.test_cases = cases,
};

kunit_test_suite(suite);
