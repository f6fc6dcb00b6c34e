// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Event bits
 *
 * The kernel's commands raise an interrupt by writing one of 30 event numbers to GL_EVENT; the
 * number is a bit of HI_INTR_ACKNOWLEDGE. Bits are allocated cyclically in the order of the
 * ring. All events are raised by the pixel engine and so happen in this order: an event
 * that an interrupt reports implies that all earlier ones have happened, even if their
 * interrupts were lost. A bit is free again when it, or a later one, was reported.
 *
 * The scheduler's credits (VIVGPU_EVENT_CREDITS) do not guarantee free bits: jobs take fewer while
 * the arbiter selects them. So vivgpu_events_fit() is asked before a job enters the ring.
 *
 * The caller serialises.
 */

#include <linux/export.h>

#include <kunit/visibility.h>

#include <linux/bug.h>

#include "vivgpu_event.h"

static u32 vivgpu_event_count(const struct vivgpu_events *events)
{
	return events->next - events->first;
}

/* Bit and slot of the event that is @n after the oldest. */
static u32 vivgpu_event_bit(const struct vivgpu_events *events, u32 n)
{
	return (events->oldest + n) % VIVGPU_EVENT_BITS;
}

/**
 * vivgpu_events_fit - whether bits are free
 * @events: the events
 * @count: how many are needed
 *
 * Return: true if they are.
 */
bool vivgpu_events_fit(const struct vivgpu_events *events, u32 count)
{
	return vivgpu_event_count(events) + count <= VIVGPU_EVENT_BITS;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_events_fit);

/**
 * vivgpu_events_add - allocate the next bit
 * @events: the events
 * @job: the job
 * @point: index of the timestamp point or VIVGPU_EVENT_END
 *
 * Return: the bit.
 */
u32 vivgpu_events_add(struct vivgpu_events *events, struct vivgpu_job *job, int point)
{
	u32 bit = vivgpu_event_bit(events, vivgpu_event_count(events));

	WARN_ON(vivgpu_event_count(events) >= VIVGPU_EVENT_BITS);
	events->slots[bit].job = job;
	events->slots[bit].point = point;
	events->next++;
	return bit;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_events_add);

/**
 * vivgpu_events_signaled - count the events that an interrupt reports
 * @events: the events
 * @bits: value of the interrupt register
 *
 * Return: number of the oldest events that have happened; bits that are not allocated
 * are ignored.
 */
u32 vivgpu_events_signaled(const struct vivgpu_events *events, u32 bits)
{
	u32 n = vivgpu_event_count(events);

	while (n && !(bits & 1u << vivgpu_event_bit(events, n - 1)))
		n--;
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_events_signaled);

/**
 * vivgpu_events_before - count the events before a job's first one
 * @events: the events
 * @job: the job
 *
 * Return: number of the oldest events that are of other jobs; all if it has none.
 */
u32 vivgpu_events_before(const struct vivgpu_events *events, const struct vivgpu_job *job)
{
	u32 n = 0;

	while (n < vivgpu_event_count(events) &&
	       events->slots[vivgpu_event_bit(events, n)].job != job)
		n++;
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_events_before);

/**
 * vivgpu_events_peek - get one of the oldest events
 * @events: the events
 * @n: its index, 0 for the oldest; less than their number
 *
 * Return: the event, which stays there.
 */
const struct vivgpu_event *vivgpu_events_peek(const struct vivgpu_events *events, u32 n)
{
	return &events->slots[vivgpu_event_bit(events, n)];
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_events_peek);

/**
 * vivgpu_events_pop - remove the oldest event
 * @events: the events, not empty
 *
 * Return: it, valid until the next one is added.
 */
struct vivgpu_event *vivgpu_events_pop(struct vivgpu_events *events)
{
	struct vivgpu_event *event = &events->slots[events->oldest];

	events->oldest = vivgpu_event_bit(events, 1);
	events->first++;
	return event;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_events_pop);

/**
 * vivgpu_events_clear - remove all events, after a reset
 * @events: the events
 */
void vivgpu_events_clear(struct vivgpu_events *events)
{
	events->first = 0;
	events->next = 0;
	events->oldest = 0;
}
