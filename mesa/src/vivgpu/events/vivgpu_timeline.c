/* SPDX-License-Identifier: MIT */
/*
 * The sorted list of collected events and their encoding for eglGetEventDataBRCM(); see
 * vivgpu_timeline.h.
 */

#include "vivgpu_timeline.h"

#include <stdlib.h>
#include <string.h>

#define INITIAL_EVENTS 1024

/* Moves the events to the front of the array, over those that were read. */
static void
close_gap(struct vivgpu_timeline *timeline)
{
   memmove(timeline->events, timeline->events + timeline->first,
           vivgpu_timeline_count(timeline) * sizeof(*timeline->events));
   timeline->end -= timeline->first;
   timeline->batch -= timeline->first < timeline->batch ? timeline->first : timeline->batch;
   timeline->first = 0;
}

/* Makes room for @count events; false if there are too many or memory is short. */
static bool
reserve(struct vivgpu_timeline *timeline, uint32_t count)
{
   if (timeline->end + count <= timeline->size)
      return true;
   if (vivgpu_timeline_count(timeline) + count > VIVGPU_TIMELINE_EVENTS)
      return false;
   if (timeline->first)
      close_gap(timeline);
   if (timeline->end + count <= timeline->size)
      return true;

   uint32_t size = timeline->size ? 2 * timeline->size : INITIAL_EVENTS;
   struct vivgpu_timeline_event *events = realloc(timeline->events, size * sizeof(*events));
   if (!events)
      return false;
   timeline->events = events;
   timeline->size = size;
   return true;
}

/* Inserts an event in the current batch, after events of the same time. */
static void
insert(struct vivgpu_timeline *timeline, const struct vivgpu_span *span,
       enum vivgpu_event_type type)
{
   uint64_t time_ns = type == VIVGPU_EVENT_END ? span->end_ns : span->begin_ns;
   struct vivgpu_timeline_event *events = timeline->events;
   uint32_t at = timeline->end;

   while (at > timeline->batch && events[at - 1].time_ns > time_ns)
      at--;
   if (at < timeline->end)
      memmove(&events[at + 1], &events[at], (timeline->end - at) * sizeof(*events));
   timeline->end++;
   events[at].time_ns = time_ns;
   events[at].type = type;
   events[at].id = timeline->last_id;
   events[at].span = *span;
}

void
vivgpu_timeline_begin_batch(struct vivgpu_timeline *timeline)
{
   timeline->batch = timeline->end;
}

void
vivgpu_timeline_add(struct vivgpu_timeline *timeline, const struct vivgpu_span *span)
{
   bool spans = vivgpu_event_info(span->event)->spans;

   if (!reserve(timeline, spans ? 2 : 1)) {
      timeline->lost = true;
      return;
   }
   timeline->last_id++;
   insert(timeline, span, spans ? VIVGPU_EVENT_BEGIN : VIVGPU_EVENT_INSTANT);
   if (spans)
      insert(timeline, span, VIVGPU_EVENT_END);
}

static size_t
event_bytes(const struct vivgpu_timeline_event *event)
{
   return VIVGPU_EVENT_HEADER_BYTES + vivgpu_event_info(event->span.event)->data_bytes;
}

size_t
vivgpu_timeline_bytes(const struct vivgpu_timeline *timeline)
{
   size_t bytes = 0;

   for (uint32_t i = timeline->first; i < timeline->end; i++)
      bytes += event_bytes(&timeline->events[i]);
   return bytes;
}

/** Precedes an event's fields: EGL_BRCM_event_monitor, VIVGPU_EVENT_HEADER_BYTES */
struct header {
   uint64_t us;
   uint32_t track, id, event, type;
};

size_t
vivgpu_event_encode(const struct vivgpu_timeline_event *event, uint8_t *to)
{
   const struct vivgpu_span *span = &event->span;
   const struct vivgpu_event_info *info = vivgpu_event_info(span->event);
   const struct header header = {
      .us = event->time_ns / 1000,
      .track = span->track,
      .id = event->id,
      .event = span->event,
      .type = event->type,
   };

   memcpy(to, &header, sizeof(header));
   to += sizeof(header);

   const uint64_t *value = span->values;
   const uint8_t *end = to + info->data_bytes;

   for (unsigned wide = info->wide; to < end; wide >>= 1, value++) {
      if (wide & 1) {
         memcpy(to, value, 8);
         to += 8;
      } else {
         uint32_t word = *value;

         memcpy(to, &word, 4);
         to += 4;
      }
   }
   return sizeof(header) + info->data_bytes;
}

size_t
vivgpu_timeline_read(struct vivgpu_timeline *timeline, void *data, size_t size)
{
   size_t done = 0;

   while (timeline->first < timeline->end &&
          event_bytes(&timeline->events[timeline->first]) <= size - done)
      done += vivgpu_event_encode(&timeline->events[timeline->first++], (uint8_t *)data + done);
   if (timeline->first == timeline->end)
      timeline->first = timeline->end = timeline->batch = 0;
   timeline->lost = false;
   return done;
}

void
vivgpu_timeline_clear(struct vivgpu_timeline *timeline)
{
   free(timeline->events);
   memset(timeline, 0, sizeof(*timeline));
}
