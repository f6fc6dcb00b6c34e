/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_EVENT_H_
#define _VIVGPU_EVENT_H_

#include <linux/types.h>

struct vivgpu_job;

/* Bits 30 and 31 of the interrupt register are errors. */
#define VIVGPU_EVENT_BITS	30
/* Value of vivgpu_event.point for the event that ends the job */
#define VIVGPU_EVENT_END	(-1)

/**
 * struct vivgpu_event - one event in the ring
 * @job: the job
 * @point: index of the timestamp point, or VIVGPU_EVENT_END
 */
struct vivgpu_event {
	struct vivgpu_job *job;
	int point;
};

/**
 * struct vivgpu_events - the events of jobs in the ring, in the order of the ring
 * @slots: a ring; the index of an event is its bit
 * @first: number of the oldest
 * @next: number of the next; numbers wrap, and VIVGPU_EVENT_BITS is no power of two, so a bit does
 *	not follow from a number
 * @oldest: bit of the oldest
 */
struct vivgpu_events {
	struct vivgpu_event slots[VIVGPU_EVENT_BITS];
	u32 first;
	u32 next;
	u32 oldest;
};

bool vivgpu_events_fit(const struct vivgpu_events *events, u32 count);
u32 vivgpu_events_add(struct vivgpu_events *events, struct vivgpu_job *job, int point);
u32 vivgpu_events_signaled(const struct vivgpu_events *events, u32 bits);
u32 vivgpu_events_before(const struct vivgpu_events *events, const struct vivgpu_job *job);
const struct vivgpu_event *vivgpu_events_peek(const struct vivgpu_events *events, u32 n);
struct vivgpu_event *vivgpu_events_pop(struct vivgpu_events *events);
void vivgpu_events_clear(struct vivgpu_events *events);

#endif
