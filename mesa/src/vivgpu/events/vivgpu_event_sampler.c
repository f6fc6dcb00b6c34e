/* SPDX-License-Identifier: MIT */
/*
 * The event sampler behind EGL_BRCM_event_monitor; see vivgpu_event_sampler.h.
 *
 * It merges two sources into one timeline: the kernel's records (vivgpu_record_stream.h) and the
 * ring to which the driver's threads write (vivgpu_ring.h). Both are read by gather(): when
 * collection starts or stops, and while it lasts when the application asks for events (collect())
 * and before a screen with a stream is removed.
 */

#include "vivgpu_event_sampler.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#include "drm-uapi/vivgpu_drm.h"
#include "pipe/p_event_monitor.h"
#include "util/u_dynarray.h"
#include "vivgpu_event_device.h"
#include "vivgpu_events.h"
#include "vivgpu_record_stream.h"
#include "vivgpu_records.h"
#include "vivgpu_timeline.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/** A device of which the process has acquired the sampler */
struct device {
   /** vivgpu_event_device() of its screens */
   uint64_t number;
   /** File that locks it, or -1 */
   int lock;
   /** The exclusive stream, then its screens have none; NULL without CAP_PERFMON: each has one */
   struct vivgpu_record_stream *all;
};

struct screen {
   int fd;
   /** vivgpu_event_device() */
   uint64_t device;
   /** Stream of this screen's records, or NULL */
   struct vivgpu_record_stream *own;
};

/**
 * An open stream. Records without a client are in each stream of a device; they are taken from the
 * first one only.
 */
struct source {
   struct vivgpu_record_stream *stream;
   bool first;
};

/* All variables below are protected by the lock. */
static struct util_dynarray screens;
static bool acquired;
/* Devices of screens, while @acquired; they stay if their screens are removed */
static struct util_dynarray devices;
/*
 * What gather() reads, listed by vivgpu_event_sampler_list_sources(): room for one a screen and one
 * a device. Valid until a stream is closed.
 */
static struct util_dynarray sources;
static struct vivgpu_timeline timeline;
static bool collecting;
/* When collection started: CLOCK_MONOTONIC */
static uint64_t started_ns;

/* Make room for the source of another screen or device. Returns false if memory is short. */
static bool
vivgpu_event_sampler_reserve_source(void)
{
   unsigned count = util_dynarray_num_elements(&screens, struct screen) +
                    util_dynarray_num_elements(&devices, struct device) + 1;

   return util_dynarray_ensure_cap(&sources, count * sizeof(struct source));
}

/* List the open streams in @sources, where vivgpu_event_sampler_reserve_source() made room. */
static void
vivgpu_event_sampler_list_sources(void)
{
   util_dynarray_clear(&sources);
   util_dynarray_foreach (&devices, struct device, device) {
      bool first = true;

      if (device->all) {
         util_dynarray_append(&sources, struct source, ((struct source){device->all, true}));
         first = false;
      }
      util_dynarray_foreach (&screens, struct screen, screen) {
         if (screen->own && screen->device == device->number) {
            util_dynarray_append(&sources, struct source, ((struct source){screen->own, first}));
            first = false;
         }
      }
   }
}

/*
 * Close all streams and unlock the devices: the sampler is no longer acquired. The caller has
 * stopped collection, or does so next.
 */
static void
close_streams(void)
{
   util_dynarray_foreach (&devices, struct device, device) {
      vivgpu_record_stream_close(device->all);
      if (device->lock >= 0)
         close(device->lock);
   }
   util_dynarray_clear(&devices);
   util_dynarray_foreach (&screens, struct screen, screen) {
      vivgpu_record_stream_close(screen->own);
      screen->own = NULL;
   }
   acquired = false;
}

/*
 * Acquire the sampler of a screen's device, if it is another one than those of the screens before;
 * all whose number is unknown count as one. Sets *found to the device. Returns 0 or a negative
 * errno.
 */
static int
vivgpu_event_sampler_acquire_device(const struct screen *screen, struct device **found)
{
   struct device device = {.number = screen->device};
   int ret;

   util_dynarray_foreach (&devices, struct device, other) {
      if (other->number == screen->device) {
         *found = other;
         return 0;
      }
   }
   if (!vivgpu_event_sampler_reserve_source() ||
       !util_dynarray_ensure_cap(&devices, devices.size + sizeof(device)))
      return -ENOMEM;
   device.lock = vivgpu_event_device_lock(screen->fd);
   if (device.lock == -EBUSY)
      return -EBUSY;
   ret = vivgpu_record_stream_open(screen->fd, DRM_VIVGPU_STREAM_ALL | DRM_VIVGPU_STREAM_EXCLUSIVE,
                                   &device.all);
   if (ret && ret != -EACCES) {
      if (device.lock >= 0)
         close(device.lock);
      return ret;
   }
   util_dynarray_append(&devices, struct device, device);
   *found = util_dynarray_top_ptr(&devices, struct device);
   return 0;
}

/*
 * Acquire the device of a screen that has no stream of its own, and open that stream unless the
 * device has one of all records. Returns 0 or a negative errno.
 */
static int
vivgpu_event_sampler_open_streams(struct screen *screen)
{
   struct device *device;
   int ret = vivgpu_event_sampler_acquire_device(screen, &device);

   if (ret || device->all)
      return ret;
   return vivgpu_record_stream_open(screen->fd, 0, &screen->own);
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
 * Returns the earliest record of all sources and sets *from to its stream; NULL if there are no
 * more. Consumes records without a client of all but the first stream of their device.
 */
static const struct drm_vivgpu_record *
earliest(struct vivgpu_record_stream **from)
{
   const struct drm_vivgpu_record *found = NULL, *record;

   util_dynarray_foreach (&sources, struct source, source) {
      while ((record = vivgpu_record_stream_next(source->stream)) && !source->first &&
             !record->client)
         vivgpu_record_stream_consume(source->stream);
      if (record && (!found || record->time_ns < found->time_ns)) {
         found = record;
         *from = source->stream;
      }
   }
   return found;
}

/*
 * Read all pending records and spans, in order of their ends, and add them to the timeline as one
 * batch. While events are not collected they are read and dropped. Reads at most VIVGPU_RING_SPANS
 * spans, so that it ends even if threads write spans all the time.
 */
static void
gather(void)
{
   struct vivgpu_record_stream *from = NULL;
   unsigned spans_left = VIVGPU_RING_SPANS;
   const struct drm_vivgpu_record *record;
   struct vivgpu_span span;
   bool more = vivgpu_ring_read(&vivgpu_event_ring, &span);

   vivgpu_event_sampler_list_sources();
   util_dynarray_foreach (&sources, struct source, source)
      vivgpu_record_stream_begin(source->stream);
   record = earliest(&from);
   vivgpu_timeline_begin_batch(&timeline);
   while (record || more) {
      if (record && (!more || record->time_ns <= span.end_ns)) {
         add_record(record);
         vivgpu_record_stream_consume(from);
         record = earliest(&from);
      } else {
         add(&span);
         more = --spans_left && vivgpu_ring_read(&vivgpu_event_ring, &span);
      }
   }
   util_dynarray_foreach (&sources, struct source, source)
      timeline.lost |= vivgpu_record_stream_lost(source->stream);
   timeline.lost |= vivgpu_ring_lost(&vivgpu_event_ring) > 0;
}

void
vivgpu_event_sampler_add_screen(int fd)
{
   struct screen *screen = NULL;

   pthread_mutex_lock(&lock);
   if (vivgpu_event_sampler_reserve_source())
      screen = util_dynarray_grow(&screens, struct screen, 1);
   if (screen) {
      *screen = (struct screen){.fd = fd, .device = vivgpu_event_device(fd)};
      /* A screen whose records will be missing can only be reported so. */
      if (acquired && vivgpu_event_sampler_open_streams(screen))
         timeline.lost = true;
   } else {
      timeline.lost = true;
   }
   pthread_mutex_unlock(&lock);
}

void
vivgpu_event_sampler_remove_screen(int fd)
{
   pthread_mutex_lock(&lock);
   util_dynarray_foreach (&screens, struct screen, screen) {
      if (screen->fd == fd) {
         /* The last events of this screen's jobs are still in its stream. */
         if (collecting && screen->own)
            gather();
         vivgpu_record_stream_close(screen->own);
         *screen = util_dynarray_pop(&screens, struct screen);
         break;
      }
   }
   pthread_mutex_unlock(&lock);
}

/* event_info() to collect() are the functions of struct pipe_event_monitor (p_event_monitor.h). */
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
 * Spans that are left in its copy of the ring are dropped by its start().
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

/* Returns 0, -ENODEV if there is no screen, or the error of vivgpu_event_sampler_open_streams(). */
static int
open_all(void)
{
   int ret = screens.size ? 0 : -ENODEV;

   /* Undone by close_streams() after an error */
   acquired = true;
   util_dynarray_foreach (&screens, struct screen, screen) {
      if (!ret)
         ret = vivgpu_event_sampler_open_streams(screen);
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
   ret = acquired ? 0 : open_all();
   pthread_mutex_unlock(&lock);
   return ret;
}

static int
start(void)
{
   int ret = 0;

   pthread_mutex_lock(&lock);
   if (!acquired) {
      ret = -EACCES;
   } else if (!collecting) {
      bool lost = timeline.lost;

      /*
       * Drop records and spans since the last stop: losses among them are not reported, those
       * before it that collect() has not reported yet still are.
       */
      gather();
      timeline.lost = lost;
      util_dynarray_foreach (&sources, struct source, source)
         vivgpu_record_stream_reset_losses(source->stream);
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
   /* In µs, as the events' times */
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
