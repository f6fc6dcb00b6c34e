/* SPDX-License-Identifier: MIT */
/*
 * Converts collected spans to the events that eglGetEventDataBRCM() returns: begins, ends and
 * instants, sorted by time within a batch. A begin and its end have the same id.
 *
 * It has no global state; the caller serializes calls for a timeline.
 */
#ifndef VIVGPU_TIMELINE_H
#define VIVGPU_TIMELINE_H

#include <stddef.h>

#include "util/u_dynarray.h"

#include "vivgpu_ring.h"

/** Largest number of events in a timeline */
#define VIVGPU_TIMELINE_EVENTS 65536

/** Size of an event's header, which precedes its fields, in bytes */
#define VIVGPU_EVENT_HEADER_BYTES 24

enum vivgpu_event_type {
   VIVGPU_EVENT_BEGIN,
   VIVGPU_EVENT_END,
   VIVGPU_EVENT_INSTANT,
};

struct vivgpu_timeline_event {
   uint64_t time_ns;
   uint32_t type;
   uint32_t id;
   struct vivgpu_span span;
};

struct vivgpu_timeline {
   /** struct vivgpu_timeline_event: those that were read, and from @first on the others */
   struct util_dynarray events;
   uint32_t first;
   /** Id of the span that was added last */
   uint32_t last_id;
   /** Index of the current batch's first event; from there on events are sorted by time */
   uint32_t batch;
   /** Spans were dropped since the last vivgpu_timeline_read() */
   bool lost;
};

/** Begin a batch: events that are added from now on are sorted by time among themselves. */
void vivgpu_timeline_begin_batch(struct vivgpu_timeline *timeline);

/**
 * Add a span: a begin and an end, or an instant. If there is no room for both, none is added, and
 * @timeline->lost is set. Insertion searches from the end, so it is fast if spans are added in
 * order of their ends. After a vivgpu_timeline_read() that left events, begin a batch first.
 */
void vivgpu_timeline_add(struct vivgpu_timeline *timeline, const struct vivgpu_span *span);

/** Number of unread events */
static inline uint32_t
vivgpu_timeline_count(const struct vivgpu_timeline *timeline)
{
   return util_dynarray_num_elements(&timeline->events, struct vivgpu_timeline_event) -
          timeline->first;
}

/** Size of all unread events, in bytes, when written by vivgpu_timeline_read() */
size_t vivgpu_timeline_bytes(const struct vivgpu_timeline *timeline);

/**
 * Write as many whole events as fit into @size bytes to @data, remove them from the timeline, and
 * reset @timeline->lost. Returns the number of bytes written.
 */
size_t vivgpu_timeline_read(struct vivgpu_timeline *timeline, void *data, size_t size);

/** Write one event, header and fields, to @to; returns the number of bytes written. */
size_t vivgpu_event_encode(const struct vivgpu_timeline_event *event, uint8_t *to);

/** Free all memory and reset the timeline to zero. */
void vivgpu_timeline_clear(struct vivgpu_timeline *timeline);

#endif
