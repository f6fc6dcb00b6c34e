// SPDX-License-Identifier: MIT
/* Tests of the lab's pure functions; prints what is wrong, exits with 1 if anything is. */

#include <math.h>
#include <stdio.h>

#include "disturb.h"
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

/* Jobs of one program: two stamps are 0.2 and 0.1 us before the events, one 5.6 us after. */
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

/* Two jobs that are shorter than what stamps can be wrong by. */
static void test_truth_short(void)
{
	struct truth_event events[] = { event_at(100000, 0), event_at(101500, 0),
					event_at(103000, 0) };
	struct truth truth = { .events = events, .count = 3 };

	CHECK(truth_find(&truth, 50000, 99900) == &events[0]);
	CHECK(truth_find(&truth, 99900, 101400) == &events[1]);
	CHECK(truth_find(&truth, 101400, 102900) == &events[2]);
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

#define GROUPS 10000
#define GROUP_NS 100000
#define GROUP_CYCLES 50000
#define GAP_NS 5000

/* Groups of equal length, each submitted when the one before has ended, or long before. */
static struct vivgpu_group_result result_at(unsigned int i, bool waits)
{
	const uint64_t start = 1000000 + (uint64_t)i * (GROUP_NS + (waits ? GAP_NS : 0));
	const uint64_t submitted = waits ? start : start - (i ? GROUP_NS / 2 : 0);

	return (struct vivgpu_group_result){ .submitted_ns = submitted,
					     .queued_ns = submitted,
					     .started_ns = start,
					     .finished_ns = start + GROUP_NS,
					     .cycles = GROUP_CYCLES };
}

static double taken(const struct vivgpu_group_result *result)
{
	return (double)(result->finished_ns - result->started_ns);
}

/* Without a disturbance nothing changes. */
static void test_undisturbed(bool waits)
{
	struct disturbance none = { 0 };

	for (unsigned int i = 0; i < 100; i++) {
		struct vivgpu_group_result result = result_at(i, waits), recorded = result;

		CHECK(disturb(&none, &result) == GROUP_NS);
		CHECK(result.started_ns == recorded.started_ns);
		CHECK(result.finished_ns == recorded.finished_ns);
		CHECK(result.cycles == recorded.cycles);
	}
}

/*
 * Late handlers: groups that waited are measured too long, queued ones lose what the one before has
 * too much.
 */
static void test_late(bool waits)
{
	struct disturbance late = { .late = true };
	unsigned int longer = 0, shorter = 0, none = 0;
	double largest = 0, sum = 0;

	for (unsigned int i = 0; i < GROUPS; i++) {
		struct vivgpu_group_result result = result_at(i, waits);

		CHECK(disturb(&late, &result) == GROUP_NS);
		longer += taken(&result) > GROUP_NS;
		shorter += taken(&result) < GROUP_NS;
		none += taken(&result) == 0;
		largest = fmax(largest, taken(&result) - GROUP_NS);
		sum += taken(&result);
		/* The clock is as it was, however late the stamp. */
		CHECK(fabs((double)result.cycles - taken(&result) * GROUP_CYCLES / GROUP_NS) <=
		      0.5);
	}
	CHECK(longer > GROUPS / DISTURB_LATE_OF / 2 && longer < 2 * GROUPS / DISTURB_LATE_OF);
	CHECK(largest > 0.9 * DISTURB_LATE_NS && largest <= DISTURB_LATE_NS);
	CHECK(waits ? !shorter && !none : shorter > longer && none > longer / 2);
	CHECK(waits || fabs(sum / GROUPS / GROUP_NS - 1) < 1e-3);
}

static void test_bus_and_clock(void)
{
	struct disturbance bus = { .bus = true }, clock = { .clock = true };
	const double most = DISTURB_BUS_NS / 2.0 * GROUP_NS / DISTURB_BUS_GROUP_NS;
	double least = 0, largest = 0, sum = 0;

	for (unsigned int i = 0; i < GROUPS; i++) {
		struct vivgpu_group_result one = result_at(i, false), two = one;
		double difference = disturb(&bus, &one) - GROUP_NS;

		CHECK(fabs(taken(&one) - GROUP_NS - difference) <= 1);
		least = fmin(least, difference);
		largest = fmax(largest, difference);
		sum += difference;
		CHECK(disturb(&clock, &two) == GROUP_NS * (i / DISTURB_CLOCK_GROUPS % 2 ? 2 : 1));
		CHECK(two.cycles == GROUP_CYCLES);
	}
	CHECK(fabs(largest / most - 1) < 0.01 && fabs(-least / most - 1) < 0.01);
	CHECK(fabs(sum / GROUPS) < 0.05 * most);
}

/* Each sequence is another one, and repeatable. */
static void test_sequences(void)
{
	struct disturbance bus[] = { { .bus = true },
				     { .bus = true, .sequence = 1 },
				     { .bus = true, .sequence = 1 } };
	unsigned int equal = 0;

	for (unsigned int i = 0; i < 100; i++) {
		struct vivgpu_group_result result[] = { result_at(i, true), result_at(i, true),
							result_at(i, true) };
		double ns[3];

		for (unsigned int n = 0; n < 3; n++)
			ns[n] = disturb(&bus[n], &result[n]);
		CHECK(ns[1] == ns[2]);
		equal += ns[0] == ns[1];
	}
	CHECK(equal < 2);
}

/* A program that is started again has the same errors of measurement. */
static void test_restart(void)
{
	struct disturbance first = { .late = true, .bus = true, .clock = true, .sequence = 7 };
	struct disturbance again;

	for (unsigned int i = 0; i < 100; i++) {
		struct vivgpu_group_result result = result_at(i, true);

		disturb(&first, &result);
	}
	again = first = disturb_restarted(&first);
	CHECK(again.late && again.bus && again.clock && again.sequence == 7 && !again.groups);
	again = disturb_restarted(&again);
	for (unsigned int i = 0; i < 100; i++) {
		struct vivgpu_group_result one = result_at(i, true), two = one;

		CHECK(disturb(&first, &one) == disturb(&again, &two));
	}
}

int main(void)
{
	test_undisturbed(true);
	test_undisturbed(false);
	test_late(true);
	test_late(false);
	test_bus_and_clock();
	test_sequences();
	test_restart();
	test_truth_stamps();
	test_truth_short();
	test_truth_others();
	test_truth_together();
	return failed;
}
