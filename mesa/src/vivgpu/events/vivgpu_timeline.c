/* SPDX-License-Identifier: MIT */
/*
 * The sorted list of collected events and their encoding for eglGetEventDataBRCM(); see
 * vivgpu_timeline.h.
 */

#include "vivgpu_timeline.h"

#include <string.h>

/* Moves the events to the front of the array, over those that were read. */
static void
close_gap(struct vivgpu_timeline *timeline)
{
   unsigned bytes = timeline->first * sizeof(struct vivgpu_timeline_event);
   char *events = util_dynarray_begin(&timeline->events);

   timeline->events.size -= bytes;
   memmove(events, events + bytes, timeline->events.size);
   timeline->batch -= timeline->first < timeline->batch ? timeline->first : timeline->batch;
   timeline->first = 0;
}

/* Makes room for @count events; false if there are too many or memory is short. */
static bool
reserve(struct vivgpu_timeline *timeline, uint32_t count)
{
   unsigned bytes = count * sizeof(struct vivgpu_timeline_event);

   if (vivgpu_timeline_count(timeline) + count > VIVGPU_TIMELINE_EVENTS)
      return false;
   if (timeline->first && timeline->events.size + bytes > timeline->events.capacity)
      close_gap(timeline);
   return util_dynarray_ensure_cap(&timeline->events, timeline->events.size + bytes);
}

/*
 * Inserts an event, for which there is room, in the current batch, after those of its time: a
 * span's end after its begin. No event of the batch has been read, so all of it may be moved.
 */
static void
insert(struct vivgpu_timeline *timeline, const struct vivgpu_span *span,
       enum vivgpu_event_type type)
{
   uint64_t time_ns = type == VIVGPU_EVENT_END ? span->end_ns : span->begin_ns;
   struct vivgpu_timeline_event *at =
      util_dynarray_grow(&timeline->events, struct vivgpu_timeline_event, 1);
   const struct vivgpu_timeline_event *batch =
      util_dynarray_element(&timeline->events, struct vivgpu_timeline_event, timeline->batch);

   for (; at > batch && at[-1].time_ns > time_ns; at--)
      *at = at[-1];
   *at = (struct vivgpu_timeline_event){time_ns, type, timeline->last_id, *span};
}

void
vivgpu_timeline_begin_batch(struct vivgpu_timeline *timeline)
{
   timeline->batch = util_dynarray_num_elements(&timeline->events, struct vivgpu_timeline_event);
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

static const struct vivgpu_timeline_event *
first_unread(const struct vivgpu_timeline *timeline)
{
   return util_dynarray_element(&timeline->events, struct vivgpu_timeline_event, timeline->first);
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

   for (uint32_t i = 0; i < vivgpu_timeline_count(timeline); i++)
      bytes += event_bytes(first_unread(timeline) + i);
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

   /* A value of a field of 4 bytes, signed or not, is the lower half. */
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

   for (; vivgpu_timeline_count(timeline) && event_bytes(first_unread(timeline)) <= size - done;
        timeline->first++)
      done += vivgpu_event_encode(first_unread(timeline), (uint8_t *)data + done);
   if (!vivgpu_timeline_count(timeline))
      timeline->events.size = timeline->first = timeline->batch = 0;
   timeline->lost = false;
   return done;
}

void
vivgpu_timeline_clear(struct vivgpu_timeline *timeline)
{
   util_dynarray_fini(&timeline->events);
   memset(timeline, 0, sizeof(*timeline));
}
