/* SPDX-License-Identifier: MIT */
/*
 * The event sampler behind EGL_BRCM_event_monitor; see vivgpu_event_sampler.h.
 *
 * It merges two sources into one timeline: the kernel's records (vivgpu_record_stream.h) and the
 * ring to which the driver's threads write (vivgpu_ring.h). Both are read when events are
 * collected, when collection starts or stops, and before a screen is removed.
 */

#include "vivgpu_event_sampler.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "drm-uapi/vivgpu_drm.h"
#include "pipe/p_event_monitor.h"
#include "vivgpu_events.h"
#include "vivgpu_record_stream.h"
#include "vivgpu_records.h"
#include "vivgpu_timeline.h"

/* Largest number of screens; records of further ones are not collected. */
#define MAX_SCREENS 16

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* All variables below are protected by the lock. */
static struct {
   int fd;
   /** Stream of this screen's records with scope OWN_PROCESS, else NULL */
   struct vivgpu_record_stream *own;
} screens[MAX_SCREENS];
static unsigned num_screens;
/* Whose events this process may collect */
static enum {
   NOT_ACQUIRED,
   OWN_PROCESS,
   ALL_PROCESSES,
} scope;
/* The exclusive stream with scope ALL_PROCESSES, else NULL */
static struct vivgpu_record_stream *all;
static struct vivgpu_timeline timeline;
static bool collecting;
/* When collection started: CLOCK_MONOTONIC */
static uint64_t started_ns;

/* Lists the open streams; returns their number. */
static unsigned
open_streams(struct vivgpu_record_stream *streams[MAX_SCREENS])
{
   unsigned count = 0;

   if (all)
      streams[count++] = all;
   for (unsigned i = 0; i < num_screens && !all; i++) {
      if (screens[i].own)
         streams[count++] = screens[i].own;
   }
   return count;
}

static void
close_streams(void)
{
   vivgpu_record_stream_close(all);
   all = NULL;
   for (unsigned i = 0; i < num_screens; i++) {
      vivgpu_record_stream_close(screens[i].own);
      screens[i].own = NULL;
   }
   scope = NOT_ACQUIRED;
}

/* Add a span to the timeline if events are collected and it did not begin before that. */
static void
add(const struct vivgpu_span *span)
{
   if (collecting && span->begin_ns >= started_ns)
      vivgpu_timeline_add(&timeline, span);
}

static void
add_record(const struct drm_vivgpu_record *record)
{
   struct vivgpu_span spans[VIVGPU_RECORD_SPANS];
   unsigned count = vivgpu_record_spans(record, spans);

   for (unsigned i = 0; i < count; i++)
      add(&spans[i]);
}

/*
 * Returns the earliest record of all streams and sets *source to its stream; NULL if there are no
 * more. Records without a client are in each stream: those of all streams but the first are
 * skipped.
 */
static const struct drm_vivgpu_record *
earliest(struct vivgpu_record_stream **streams, unsigned count,
         struct vivgpu_record_stream **source)
{
   const struct drm_vivgpu_record *found = NULL, *record;

   for (unsigned i = 0; i < count; i++) {
      while ((record = vivgpu_record_stream_next(streams[i])) && i && !record->client)
         vivgpu_record_stream_consume(streams[i]);
      if (record && (!found || record->time_ns < found->time_ns)) {
         found = record;
         *source = streams[i];
      }
   }
   return found;
}

/*
 * Read all pending records and spans, in order of their ends, and add them to the timeline.
 * While events are not collected they are read and dropped. Reads at most VIVGPU_RING_SPANS spans,
 * so that it ends even if threads write spans all the time.
 */
static void
gather(void)
{
   struct vivgpu_record_stream *streams[MAX_SCREENS], *source = NULL;
   unsigned count = open_streams(streams), spans_left = VIVGPU_RING_SPANS;
   const struct drm_vivgpu_record *record;
   struct vivgpu_span span;
   bool more = vivgpu_ring_read(&vivgpu_event_ring, &span);

   for (unsigned i = 0; i < count; i++)
      vivgpu_record_stream_begin(streams[i]);
   record = earliest(streams, count, &source);
   vivgpu_timeline_begin_batch(&timeline);
   while (record || more) {
      if (record && (!more || record->time_ns <= span.end_ns)) {
         add_record(record);
         vivgpu_record_stream_consume(source);
         record = earliest(streams, count, &source);
      } else {
         add(&span);
         more = --spans_left && vivgpu_ring_read(&vivgpu_event_ring, &span);
      }
   }
   for (unsigned i = 0; i < count; i++)
      timeline.lost |= vivgpu_record_stream_lost(streams[i]);
   timeline.lost |= vivgpu_ring_lost(&vivgpu_event_ring) > 0;
}

void
vivgpu_event_sampler_add_screen(int fd)
{
   pthread_mutex_lock(&lock);
   if (num_screens < MAX_SCREENS) {
      screens[num_screens].fd = fd;
      screens[num_screens].own = NULL;
      if (scope == OWN_PROCESS && vivgpu_record_stream_open(fd, 0, &screens[num_screens].own))
         timeline.lost = true;
      num_screens++;
   }
   pthread_mutex_unlock(&lock);
}

void
vivgpu_event_sampler_remove_screen(int fd)
{
   pthread_mutex_lock(&lock);
   for (unsigned i = 0; i < num_screens; i++) {
      if (screens[i].fd == fd) {
         /* The last events of this screen's jobs are still in its stream. */
         if (collecting && screens[i].own)
            gather();
         vivgpu_record_stream_close(screens[i].own);
         screens[i] = screens[--num_screens];
         break;
      }
   }
   pthread_mutex_unlock(&lock);
}

static void
event_info(unsigned event, struct pipe_event_info *info)
{
   const struct vivgpu_event_info *own = vivgpu_event_info(event);

   info->name = own->name;
   info->num_fields = own->num_fields;
   info->data_bytes = own->data_bytes;
}

static void
field_info(unsigned event, unsigned field, struct pipe_event_field_info *info)
{
   const struct vivgpu_field_info *own = &vivgpu_event_info(event)->fields[field];

   info->name = own->name;
   info->is_signed = own->is_signed;
   info->bytes = own->size;
}

/*
 * Fork handlers. The lock is held during fork(), so that the child gets consistent variables. The
 * child has not acquired the sampler: it closes its copies of the streams and clears the timeline.
 */
static void
before_fork(void)
{
   pthread_mutex_lock(&lock);
}

static void
after_fork(void)
{
   pthread_mutex_unlock(&lock);
}

static void
after_fork_in_child(void)
{
   close_streams();
   collecting = false;
   __atomic_fetch_and(&vivgpu_event_sinks, ~VIVGPU_SINK_SAMPLER, __ATOMIC_RELEASE);
   vivgpu_timeline_clear(&timeline);
   pthread_mutex_unlock(&lock);
}

static void
register_fork_handlers(void)
{
   pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

/*
 * Open the exclusive stream or, if this process lacks CAP_PERFMON, one stream for each screen.
 * Returns 0, -ENODEV if there is no screen, or the error of vivgpu_record_stream_open().
 */
static int
open_all(void)
{
   int ret = num_screens ? 0 : -ENODEV;

   if (!ret)
      ret = vivgpu_record_stream_open(screens[0].fd,
                                      DRM_VIVGPU_STREAM_ALL | DRM_VIVGPU_STREAM_EXCLUSIVE, &all);
   scope = ALL_PROCESSES;
   if (ret == -EACCES) {
      scope = OWN_PROCESS;
      ret = 0;
      for (unsigned i = 0; i < num_screens && !ret; i++)
         ret = vivgpu_record_stream_open(screens[i].fd, 0, &screens[i].own);
   }
   if (ret)
      close_streams();
   return ret;
}

static int
acquire(void)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   int ret;

   pthread_once(&once, register_fork_handlers);
   pthread_mutex_lock(&lock);
   ret = scope == NOT_ACQUIRED ? open_all() : 0;
   pthread_mutex_unlock(&lock);
   return ret;
}

static int
start(void)
{
   struct vivgpu_record_stream *streams[MAX_SCREENS];
   int ret = 0;

   pthread_mutex_lock(&lock);
   if (scope == NOT_ACQUIRED) {
      ret = -EACCES;
   } else if (!collecting) {
      bool lost = timeline.lost;

      /* Drop records and spans since the last stop; losses among them are not reported. */
      gather();
      timeline.lost = lost;
      for (unsigned i = open_streams(streams); i-- > 0;)
         vivgpu_record_stream_reset_losses(streams[i]);
      started_ns = vivgpu_events_now();
      collecting = true;
      __atomic_fetch_or(&vivgpu_event_sinks, VIVGPU_SINK_SAMPLER, __ATOMIC_RELEASE);
   }
   pthread_mutex_unlock(&lock);
   return ret;
}

static void
stop_locked(void)
{
   if (!collecting)
      return;
   __atomic_fetch_and(&vivgpu_event_sinks, ~VIVGPU_SINK_SAMPLER, __ATOMIC_RELEASE);
   gather();
   collecting = false;
}

static void
stop(void)
{
   pthread_mutex_lock(&lock);
   stop_locked();
   pthread_mutex_unlock(&lock);
}

static void
release(void)
{
   pthread_mutex_lock(&lock);
   stop_locked();
   close_streams();
   pthread_mutex_unlock(&lock);
}

static size_t
collect(void *data, size_t size, bool *lost, uint64_t *now)
{
   size_t bytes;

   pthread_mutex_lock(&lock);
   if (collecting)
      gather();
   *now = vivgpu_events_now() / 1000;
   *lost = timeline.lost;
   bytes =
      data && size ? vivgpu_timeline_read(&timeline, data, size) : vivgpu_timeline_bytes(&timeline);
   pthread_mutex_unlock(&lock);
   return bytes;
}

const struct pipe_event_monitor *
vivgpu_event_sampler(void)
{
   static const struct pipe_event_monitor sampler = {
      .num_tracks = VIVGPU_NUM_TRACKS,
      .num_events = VIVGPU_NUM_EVENTS,
      .name_bytes = VIVGPU_EVENT_NAME_BYTES,
      .track_name = vivgpu_track_name,
      .event_info = event_info,
      .field_info = field_info,
      .acquire = acquire,
      .release = release,
      .start = start,
      .stop = stop,
      .collect = collect,
   };

   return &sampler;
}
