/* SPDX-License-Identifier: MIT */
/*
 * What a driver offers for EGL_BRCM_event_monitor: events of the hardware and of the
 * driver, on tracks, with the times at which they began and ended.
 */
#ifndef P_EVENT_MONITOR_H
#define P_EVENT_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An event's description; strings live as long as the library. */
struct pipe_event_info {
   const char *name;
   unsigned num_fields;
   /** Bytes of all fields together */
   unsigned data_bytes;
};

/** A data field's description. */
struct pipe_event_field_info {
   const char *name;
   bool is_signed;
   /** 4 or 8 */
   unsigned bytes;
};

/**
 * The event sampler of a process: one for all of the driver's screens. It lives as
 * long as the library. All calls may come from any thread.
 */
struct pipe_event_monitor {
   unsigned num_tracks, num_events;
   /** Most bytes of a name, with its terminating zero */
   unsigned name_bytes;

   /** A track's name; @track is below num_tracks. */
   const char *(*track_name)(unsigned track);

   /** Describe an event; @event is below num_events. */
   void (*event_info)(unsigned event, struct pipe_event_info *info);

   /** Describe a field; @field is below the event's num_fields. */
   void (*field_info)(unsigned event, unsigned field, struct pipe_event_field_info *info);

   /**
    * Become the sampler. 0, also if this process is it already; -EBUSY: another
    * process is; -ENODEV: no screen is left; others: no memory, no descriptors.
    */
   int (*acquire)(void);

   /** Collect no more, and let others. What was collected stays. */
   void (*release)(void);

   /** Collect, or go on collecting; -EACCES if this process is not the sampler. */
   int (*start)(void);
   void (*stop)(void);

   /**
    * Take events away: at most @size bytes to @data; or, if @data is NULL or
    * @size is 0, say how many there are. Returns the bytes.
    *
    * @lost: was something dropped since events were taken away?
    * @now: the time in µs; no event is later
    */
   size_t (*collect)(void *data, size_t size, bool *lost, uint64_t *now);
};

#ifdef __cplusplus
}
#endif

#endif
