// SPDX-License-Identifier: MIT
/*
 * The calendar of clock/clock.h: a binary heap of events, ordered by time and, for equal times,
 * by the order of clock_arm() calls.
 */
#include "clock/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CLOCK_FIRST_SLOTS 16

struct card_clock {
	bool virtual_time;
	uint64_t now_ns;   /* virtual time only */
	uint64_t sequence; /* of the last clock_arm() */
	unsigned int count, room;
	struct clock_event **heap; /* at index event->slot - 1 */
};

static bool before(const struct clock_event *a, const struct clock_event *b)
{
	if (a->when_ns != b->when_ns)
		return a->when_ns < b->when_ns;
	return a->sequence < b->sequence;
}

static void put(struct card_clock *clock, unsigned int index, struct clock_event *event)
{
	clock->heap[index] = event;
	event->slot = index + 1;
}

/* Move the event at @index up until its parent is earlier. */
static void sift_up(struct card_clock *clock, unsigned int index)
{
	struct clock_event *event = clock->heap[index];

	while (index > 0) {
		unsigned int parent = (index - 1) / 2;

		if (!before(event, clock->heap[parent]))
			break;
		put(clock, index, clock->heap[parent]);
		index = parent;
	}
	put(clock, index, event);
}

/* Move the event at @index down until both children are later. */
static void sift_down(struct card_clock *clock, unsigned int index)
{
	struct clock_event *event = clock->heap[index];

	for (;;) {
		unsigned int child = 2 * index + 1;

		if (child >= clock->count)
			break;
		if (child + 1 < clock->count && before(clock->heap[child + 1], clock->heap[child]))
			child++;
		if (!before(clock->heap[child], event))
			break;
		put(clock, index, clock->heap[child]);
		index = child;
	}
	put(clock, index, event);
}

static void make_room(struct card_clock *clock)
{
	if (clock->count < clock->room)
		return;
	clock->room = clock->room ? 2 * clock->room : CLOCK_FIRST_SLOTS;
	clock->heap = realloc(clock->heap, clock->room * sizeof(*clock->heap));
	if (!clock->heap) {
		fputs("vivgpu-card: no memory for the calendar\n", stderr);
		abort();
	}
}

struct card_clock *clock_create(bool virtual_time)
{
	struct card_clock *clock = calloc(1, sizeof(*clock));

	if (clock)
		clock->virtual_time = virtual_time;
	return clock;
}

void clock_destroy(struct card_clock *clock)
{
	if (!clock)
		return;
	for (unsigned int i = 0; i < clock->count; i++)
		clock->heap[i]->slot = 0;
	free(clock->heap);
	free(clock);
}

bool clock_is_virtual(const struct card_clock *clock)
{
	return clock->virtual_time;
}

uint64_t clock_now(const struct card_clock *clock)
{
	struct timespec ts;

	if (clock->virtual_time)
		return clock->now_ns;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void clock_set_now(struct card_clock *clock, uint64_t now_ns)
{
	if (now_ns > clock->now_ns)
		clock->now_ns = now_ns;
}

/*
 * A time in the past is replaced by the current time, so that events which were due before run
 * first, and clock_run_due() can distinguish them.
 */
void clock_arm(struct card_clock *clock, struct clock_event *event, uint64_t when_ns)
{
	uint64_t now = clock_now(clock);

	clock_disarm(clock, event);
	make_room(clock);
	event->when_ns = when_ns < now ? now : when_ns;
	event->sequence = ++clock->sequence;
	put(clock, clock->count, event);
	sift_up(clock, clock->count++);
}

void clock_disarm(struct card_clock *clock, struct clock_event *event)
{
	unsigned int index = event->slot - 1;
	struct clock_event *last;

	if (!event->slot)
		return;
	event->slot = 0;
	last = clock->heap[--clock->count];
	if (last == event)
		return;
	put(clock, index, last);
	sift_up(clock, index);
	sift_down(clock, last->slot - 1);
}

uint64_t clock_next(const struct card_clock *clock)
{
	return clock->count ? clock->heap[0]->when_ns : CARD_TIME_NEVER;
}

/*
 * Events that are armed for the current time by the callbacks run in the next call; otherwise
 * an event that re-arms itself would never let this function return.
 */
unsigned int clock_run_due(struct card_clock *clock)
{
	uint64_t newest = clock->sequence;
	unsigned int ran = 0;
	uint64_t now;

	if (!clock->count)
		return 0;
	now = clock_now(clock);
	while (clock->count) {
		struct clock_event *event = clock->heap[0];

		if (event->when_ns > now || event->sequence > newest)
			break;
		clock_disarm(clock, event);
		event->fn(event->ctx);
		ran++;
	}
	return ran;
}
