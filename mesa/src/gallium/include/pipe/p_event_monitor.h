/* SPDX-License-Identifier: MIT */
/*
 * Interface between libEGL's EGL_BRCM_event_monitor and a driver's event sampler. Events of the
 * hardware and the driver belong to tracks and have the times at which they began and ended.
 */
#ifndef P_EVENT_MONITOR_H
#define P_EVENT_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An event's description; strings are valid as long as the library is loaded. */
struct pipe_event_info {
   const char *name;
   unsigned num_fields;
   /** Size of all fields together, in bytes */
   unsigned data_bytes;
};

/** A data field's description. */
struct pipe_event_field_info {
   const char *name;
   bool is_signed;
   /** Size of the field in bytes: 4 or 8 */
   unsigned bytes;
};

/**
 * The event sampler of a process: one for all of the driver's screens, valid as long as the
 * library is loaded. Its functions may be called from any thread.
 */
struct pipe_event_monitor {
   unsigned num_tracks, num_events;
   /** Size of the longest name in bytes, with its terminating zero */
   unsigned name_bytes;

   /** A track's name; @track is below num_tracks. */
   const char *(*track_name)(unsigned track);

   /** Describe an event; @event is below num_events. */
   void (*event_info)(unsigned event, struct pipe_event_info *info);

   /** Describe a field; @field is below the event's num_fields. */
   void (*field_info)(unsigned event, unsigned field, struct pipe_event_field_info *info);

   /**
    * Acquire the sampler for this process. Returns 0, also if this process has acquired it
    * already; -EBUSY if another process has; -ENODEV if there is no screen; or another negative
    * errno if memory or file descriptors are short.
    */
   int (*acquire)(void);

   /** Stop, and let other processes acquire the sampler. Collected events can still be read. */
   void (*release)(void);

   /** Start or resume collection. Returns 0, or -EACCES if the sampler is not acquired. */
   int (*start)(void);

   /** Stop collection; no effect if it is stopped. */
   void (*stop)(void);

   /**
    * Read collected events and remove them: as many whole events as fit into @size bytes are
    * written to @data. If @data is NULL or @size is 0, nothing is read. Returns the number of bytes
    * written, or in the latter case the size of all events.
    *
    * @lost: set to true if events were lost since the last call that read events
    * @now: set to the current time in µs; no event is later
    */
   size_t (*collect)(void *data, size_t size, bool *lost, uint64_t *now);
};

#ifdef __cplusplus
}
#endif

#endif
