/* SPDX-License-Identifier: MIT */

#include "vivgpu_event_sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <xf86drm.h>

#include "drm-uapi/vivgpu_drm.h"
#include "util/macros.h"
#include "vivgpu_events.h"
#include "vivgpu_records.h"
#include "vivgpu_timeline.h"

/* Records read with one call. */
#define RECORDS_AT_ONCE 64

/* Screens the sampler remembers; more than one is rare. */
#define MAX_SCREENS 16

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* All that follows is under the lock. */
static int screens[MAX_SCREENS];
static unsigned num_screens;
/* The kernel's stream while this process is the sampler, or -1 */
static int stream = -1;
/* Records it holds */
static uint32_t stream_records;
static struct vivgpu_losses losses;
static struct vivgpu_timeline timeline;
static bool collecting;
static uint64_t started_ns;

void
vivgpu_event_sampler_add_screen(int fd)
{
   pthread_mutex_lock(&lock);
   if (num_screens < MAX_SCREENS)
      screens[num_screens++] = fd;
   pthread_mutex_unlock(&lock);
}

void
vivgpu_event_sampler_remove_screen(int fd)
{
   pthread_mutex_lock(&lock);
   for (unsigned i = 0; i < num_screens; i++) {
      if (screens[i] == fd) {
         screens[i] = screens[--num_screens];
         break;
      }
   }
   pthread_mutex_unlock(&lock);
}

static const struct vivgpu_event_info *
event_info(unsigned event)
{
   return vivgpu_event_info(event);
}

static bool
present(void)
{
   pthread_mutex_lock(&lock);
   bool any = num_screens;
   pthread_mutex_unlock(&lock);
   return any;
}

/* A child has the sampler's memory, but it is not the sampler. */
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
   if (stream >= 0)
      close(stream);
   stream = -1;
   collecting = false;
   __atomic_fetch_and(&vivgpu_event_sinks, ~VIVGPU_SINK_SAMPLER, __ATOMIC_RELEASE);
   vivgpu_timeline_clear(&timeline);
   pthread_mutex_unlock(&lock);
}

static void
watch_forks(void)
{
   pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static int
open_stream(int fd)
{
   struct drm_vivgpu_get_param get = {.param = DRM_VIVGPU_PARAM_STREAM_RECORDS};
   struct drm_vivgpu_stream_open args = {
      .flags = DRM_VIVGPU_STREAM_ALL | DRM_VIVGPU_STREAM_EXCLUSIVE,
      .types = vivgpu_record_types(),
   };

   if (drmIoctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &get) ||
       drmIoctl(fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args))
      return -errno;
   fcntl(args.fd, F_SETFL, O_NONBLOCK);
   stream = args.fd;
   stream_records = get.value;
   losses = (struct vivgpu_losses){0};
   return 0;
}

static int
acquire(void)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   int ret = 0;

   pthread_once(&once, watch_forks);
   pthread_mutex_lock(&lock);
   if (stream < 0)
      ret = num_screens ? open_stream(screens[0]) : -ENODEV;
   pthread_mutex_unlock(&lock);
   return ret;
}

/*
 * Add a span, unless it began before events were collected. Its end is not looked
 * at: what is there by now counts, though a vertical blank's time is that of the
 * first pixel after it, which is yet to come when the kernel tells of it.
 */
static void
add(const struct vivgpu_span *span)
{
   if (collecting && span->begin_ns >= started_ns)
      vivgpu_timeline_add(&timeline, span);
}

/* Records that were read of the stream, and which of them is next. */
struct reader {
   struct drm_vivgpu_record records[RECORDS_AT_ONCE];
   unsigned count, next;
   /** The last read() got less than it asked for: until the next batch there is no more */
   bool emptied;
   /** Records that may still be read: twice what a stream holds, not for ever */
   uint32_t left;
};

/* The next record, or NULL if the stream is empty. */
static const struct drm_vivgpu_record *
next_record(struct reader *reader)
{
   if (reader->next < reader->count)
      return &reader->records[reader->next++];
   if (!reader->left)
      return NULL;

   /* A call that got less than it asked for took the last. */
   ssize_t size =
      reader->emptied ? 0 : read(stream, reader->records, sizeof(reader->records));

   reader->count = size > 0 ? size / sizeof(reader->records[0]) : 0;
   reader->emptied = reader->count < RECORDS_AT_ONCE;
   reader->left -= MIN2(reader->left, RECORDS_AT_ONCE);
   if (!reader->count) {
      timeline.lost |= vivgpu_losses_empty(&losses, stream_records);
      reader->left = 0;
      return NULL;
   }
   reader->next = 1;
   return &reader->records[0];
}

static void
add_record(const struct drm_vivgpu_record *record)
{
   struct vivgpu_span spans[VIVGPU_RECORD_SPANS];
   unsigned count = vivgpu_record_spans(record, spans);

   timeline.lost |= vivgpu_losses_record(&losses, record->sequence);
   for (unsigned i = 0; i < count; i++)
      add(&spans[i]);
}

/* Bring what happened to the timeline, whichever ended first; nothing unless collecting. */
static void
gather(void)
{
   struct reader reader;
   const struct drm_vivgpu_record *record;
   unsigned spans_left = VIVGPU_RING_SPANS;
   struct vivgpu_span span;
   bool more = vivgpu_ring_read(&vivgpu_event_ring, &span);

   reader.count = reader.next = 0;
   reader.emptied = false;
   reader.left = 2 * stream_records;
   record = next_record(&reader);
   vivgpu_timeline_begin_batch(&timeline);
   while (record || more) {
      if (record && (!more || record->time_ns <= span.end_ns)) {
         add_record(record);
         record = next_record(&reader);
      } else {
         add(&span);
         more = --spans_left && vivgpu_ring_read(&vivgpu_event_ring, &span);
      }
   }
   timeline.lost |= vivgpu_ring_lost(&vivgpu_event_ring) > 0;
}

static int
start(void)
{
   int ret = 0;

   pthread_mutex_lock(&lock);
   if (stream < 0) {
      ret = -EACCES;
   } else if (!collecting) {
      bool lost = timeline.lost;

      /* What came since the last stop is nobody's, and so are its losses. */
      gather();
      timeline.lost = lost;
      losses = (struct vivgpu_losses){0};
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
   if (stream >= 0)
      close(stream);
   stream = -1;
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
      data && size ? vivgpu_timeline_take(&timeline, data, size) : vivgpu_timeline_bytes(&timeline);
   pthread_mutex_unlock(&lock);
   return bytes;
}

PUBLIC const struct vivgpu_event_sampler *
driGetVivgpuEventSampler(void)
{
   static const struct vivgpu_event_sampler sampler = {
      .num_tracks = VIVGPU_NUM_TRACKS,
      .num_events = VIVGPU_NUM_EVENTS,
      .name_bytes = VIVGPU_EVENT_NAME_BYTES,
      .track_name = vivgpu_track_name,
      .event_info = event_info,
      .present = present,
      .acquire = acquire,
      .release = release,
      .start = start,
      .stop = stop,
      .collect = collect,
   };

   return &sampler;
}
