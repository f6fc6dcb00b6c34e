// SPDX-License-Identifier: MIT
/* The calendar: order, equal times, re-arming, disarming, in real and virtual time. */
#include "tests/check.h"

#include <stdlib.h>

#include "clock/clock.h"

#define MANY 200

static struct card_clock *cal;
static unsigned int trail[MANY], trail_length;

struct entry {
	struct clock_event event;
	unsigned int id;
	uint64_t again_ns; /* re-arms itself for this time if not 0 */
};

static void note(void *ctx)
{
	struct entry *entry = ctx;

	if (trail_length < MANY)
		trail[trail_length++] = entry->id;
	if (entry->again_ns)
		clock_arm(cal, &entry->event, entry->again_ns);
}

static void entry_init(struct entry *entry, unsigned int id)
{
	*entry = (struct entry){ .event = { .fn = note, .ctx = entry }, .id = id };
}

static void begin(bool virtual_time)
{
	cal = clock_create(virtual_time);
	trail_length = 0;
}

TEST(empty)
{
	begin(true);
	CHECK_EQ(clock_next(cal), CARD_TIME_NEVER);
	CHECK_EQ(clock_run_due(cal), 0);
	CHECK(clock_is_virtual(cal));
	clock_destroy(cal);
}

TEST(order_of_time)
{
	struct entry e[MANY];
	unsigned int random = 12345;

	begin(true);
	for (unsigned int i = 0; i < MANY; i++) {
		random = random * 1103515245 + 12345;
		entry_init(&e[i], random >> 16 & 0x3fff);
		clock_arm(cal, &e[i].event, e[i].id);
	}
	clock_set_now(cal, 0x4000);
	CHECK_EQ(clock_run_due(cal), MANY);
	for (unsigned int i = 1; i < MANY; i++)
		CHECK(trail[i - 1] <= trail[i]);
	CHECK_EQ(clock_next(cal), CARD_TIME_NEVER);
	clock_destroy(cal);
}

TEST(equal_times_keep_order)
{
	struct entry e[9];

	begin(true);
	for (unsigned int i = 0; i < 9; i++) {
		entry_init(&e[i], i);
		clock_arm(cal, &e[i].event, 70);
	}
	clock_arm(cal, &e[3].event, 70); /* armed again: now the last */
	clock_set_now(cal, 70);
	CHECK_EQ(clock_run_due(cal), 9);
	CHECK_EQ(trail[3], 4);
	CHECK_EQ(trail[8], 3);
	clock_destroy(cal);
}

TEST(only_what_is_due)
{
	struct entry a, b;

	begin(true);
	entry_init(&a, 1);
	entry_init(&b, 2);
	clock_arm(cal, &a.event, 100);
	clock_arm(cal, &b.event, 101);
	clock_set_now(cal, 99);
	CHECK_EQ(clock_run_due(cal), 0);
	clock_set_now(cal, 100);
	CHECK_EQ(clock_run_due(cal), 1);
	CHECK_EQ(trail[0], 1);
	CHECK_EQ(clock_next(cal), 101);
	CHECK_EQ(a.event.slot, 0);
	CHECK(b.event.slot != 0);
	clock_destroy(cal);
	CHECK_EQ(b.event.slot, 0);
}

TEST(disarm_from_the_middle)
{
	struct entry e[32];

	begin(true);
	for (unsigned int i = 0; i < 32; i++) {
		entry_init(&e[i], (i * 7) % 32);
		clock_arm(cal, &e[i].event, 10 + e[i].id);
	}
	for (unsigned int i = 0; i < 32; i += 2)
		clock_disarm(cal, &e[i].event);
	clock_disarm(cal, &e[0].event); /* no effect */
	clock_set_now(cal, 100);
	CHECK_EQ(clock_run_due(cal), 16);
	for (unsigned int i = 1; i < 16; i++)
		CHECK(trail[i - 1] < trail[i]);
	clock_destroy(cal);
}

TEST(rearming_itself_ends)
{
	struct entry a, b;

	begin(true);
	clock_set_now(cal, 50);
	entry_init(&a, 1);
	entry_init(&b, 2);
	a.again_ns = 10; /* in the past: runs as soon as possible */
	clock_arm(cal, &a.event, 20);
	clock_arm(cal, &b.event, 30);
	CHECK_EQ(clock_run_due(cal), 2);
	CHECK_EQ(trail[0], 1);
	CHECK_EQ(trail[1], 2);
	CHECK_EQ(clock_next(cal), 50);
	CHECK_EQ(clock_run_due(cal), 1);
	clock_destroy(cal);
}

TEST(virtual_time_never_goes_back)
{
	begin(true);
	clock_set_now(cal, 500);
	clock_set_now(cal, 400);
	CHECK_EQ(clock_now(cal), 500);
	clock_destroy(cal);
}

TEST(real_time_passes)
{
	struct entry a;
	uint64_t start;

	begin(false);
	CHECK(!clock_is_virtual(cal));
	start = clock_now(cal);
	entry_init(&a, 1);
	clock_arm(cal, &a.event, start + 200000);
	while (!clock_run_due(cal))
		CHECK(clock_now(cal) < start + 10000000000ull);
	CHECK(clock_now(cal) >= start + 200000);
	clock_destroy(cal);
}

int main(void)
{
	return test_all();
}
