/* SPDX-License-Identifier: MIT */
/*
 * Collected spans as the events that programs get: begins, ends and instants
 * with numbers that pair them, and how they are written to memory.
 *
 * Pure: the caller locks.
 */
#ifndef VIVGPU_TIMELINE_H
#define VIVGPU_TIMELINE_H

#include <stddef.h>

#include "vivgpu_ring.h"

/** Events a timeline holds at most */
#define VIVGPU_TIMELINE_EVENTS 65536

/** Bytes before an event's fields */
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
   struct vivgpu_timeline_event *events;
   /** The first that was not collected, and the end of those that are there */
   uint32_t first, end;
   /** Events there is room for */
   uint32_t size;
   /** Of the span that was added last */
   uint32_t last_id;
   /** The batch that is added to: events from here on are in order of their times */
   uint32_t batch;
   /** Something was dropped since events were taken away */
   bool lost;
};

/** Begin a batch: events that are added from now on are put in order among themselves. */
void vivgpu_timeline_begin_batch(struct vivgpu_timeline *timeline);

/**
 * Add a span; if there is no room for all of it, none is added, and that is noted.
 * Cheap if spans come by their ends, which is when they are known.
 */
void vivgpu_timeline_add(struct vivgpu_timeline *timeline, const struct vivgpu_span *span);

/** Events that are there */
static inline uint32_t
vivgpu_timeline_count(const struct vivgpu_timeline *timeline)
{
   return timeline->end - timeline->first;
}

/** Bytes that all events need. */
size_t vivgpu_timeline_bytes(const struct vivgpu_timeline *timeline);

/**
 * Write as many whole events as fit into @size bytes, take these away, and
 * forget that something was lost. Returns the bytes written.
 */
size_t vivgpu_timeline_read(struct vivgpu_timeline *timeline, void *data, size_t size);

/** Write one event; returns the bytes. */
size_t vivgpu_event_encode(const struct vivgpu_timeline_event *event, uint8_t *to);

/** Forget everything, free the memory. */
void vivgpu_timeline_clear(struct vivgpu_timeline *timeline);

#endif
