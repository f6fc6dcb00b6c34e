/* SPDX-License-Identifier: MIT */

#include "vivgpu_timeline.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_EVENTS 1024

/* What was taken away leaves room at the front. */
static void
close_gap(struct vivgpu_timeline *timeline)
{
   memmove(timeline->events, timeline->events + timeline->first,
           vivgpu_timeline_count(timeline) * sizeof(*timeline->events));
   timeline->end -= timeline->first;
   timeline->first = 0;
}

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

   uint32_t size = timeline->size ? 2 * timeline->size : FIRST_EVENTS;
   struct vivgpu_timeline_event *events = realloc(timeline->events, size * sizeof(*events));
   if (!events)
      return false;
   timeline->events = events;
   timeline->size = size;
   return true;
}

static void
append(struct vivgpu_timeline *timeline, const struct vivgpu_span *span,
       enum vivgpu_event_type type)
{
   struct vivgpu_timeline_event *event = &timeline->events[timeline->end];

   *event = (struct vivgpu_timeline_event){
      .time_ns = type == VIVGPU_EVENT_END ? span->end_ns : span->begin_ns,
      .type = type,
      .id = timeline->last_id,
      .order = timeline->added++,
      .span = *span,
   };
   timeline->end++;
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
   append(timeline, span, spans ? VIVGPU_EVENT_BEGIN : VIVGPU_EVENT_INSTANT);
   if (spans)
      append(timeline, span, VIVGPU_EVENT_END);
}

static int
compare(const void *left, const void *right)
{
   const struct vivgpu_timeline_event *a = left, *b = right;

   if (a->time_ns != b->time_ns)
      return a->time_ns < b->time_ns ? -1 : 1;
   return a->order < b->order ? -1 : 1;
}

void
vivgpu_timeline_sort(struct vivgpu_timeline *timeline, uint32_t count)
{
   if (count > 1)
      qsort(timeline->events + timeline->end - count, count, sizeof(*timeline->events), compare);
}

static size_t
event_bytes(const struct vivgpu_timeline_event *event)
{
   return VIVGPU_EVENT_HEADER_BYTES + vivgpu_event_data_bytes(event->span.event);
}

size_t
vivgpu_timeline_bytes(const struct vivgpu_timeline *timeline)
{
   size_t bytes = 0;

   for (uint32_t i = timeline->first; i < timeline->end; i++)
      bytes += event_bytes(&timeline->events[i]);
   return bytes;
}

static uint8_t *
put32(uint8_t *to, uint32_t value)
{
   memcpy(to, &value, sizeof(value));
   return to + sizeof(value);
}

static uint8_t *
put64(uint8_t *to, uint64_t value)
{
   memcpy(to, &value, sizeof(value));
   return to + sizeof(value);
}

size_t
vivgpu_event_encode(const struct vivgpu_timeline_event *event, uint8_t *to)
{
   const struct vivgpu_span *span = &event->span;
   const struct vivgpu_event_info *info = vivgpu_event_info(span->event);
   uint8_t *start = to;

   to = put64(to, event->time_ns / 1000);
   to = put32(to, span->track);
   to = put32(to, event->id);
   to = put32(to, span->event);
   to = put32(to, event->type);
   for (unsigned i = 0; i < info->num_fields; i++)
      to = info->fields[i].size == 8 ? put64(to, span->values[i]) : put32(to, span->values[i]);
   return to - start;
}

size_t
vivgpu_timeline_take(struct vivgpu_timeline *timeline, void *data, size_t size)
{
   size_t done = 0;

   while (timeline->first < timeline->end &&
          event_bytes(&timeline->events[timeline->first]) <= size - done)
      done += vivgpu_event_encode(&timeline->events[timeline->first++], (uint8_t *)data + done);
   if (timeline->first == timeline->end)
      timeline->first = timeline->end = 0;
   timeline->lost = false;
   return done;
}

void
vivgpu_timeline_clear(struct vivgpu_timeline *timeline)
{
   free(timeline->events);
   memset(timeline, 0, sizeof(*timeline));
}
