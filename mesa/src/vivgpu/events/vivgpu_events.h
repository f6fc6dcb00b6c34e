/* SPDX-License-Identifier: MIT */
/*
 * Recording of spans by the driver. If events are not collected, this costs a load and a branch:
 *
 *	uint64_t begin = vivgpu_events_begin();
 *	work();
 *	vivgpu_events_end(begin, VIVGPU_EVENT_UPLOAD, bytes);
 *
 * Reading the clock may be a system call. Hence events of every frame use times that the kernel
 * returns (flush), are recorded only if they take long (wait, large uploads) or are summed up in
 * another event's field (small uploads).
 *
 * Spans are written to the ring of this process's sampler (vivgpu_event_sampler.h) and to the
 * file that the environment variable VIVGPU_EVENTS names: a struct vivgpu_ring that a tool shares
 * with one or more programs.
 */
#ifndef VIVGPU_EVENTS_H
#define VIVGPU_EVENTS_H

#include <stddef.h>

#include "vivgpu_ring.h"

/** Destinations of spans */
enum {
   VIVGPU_SINK_SAMPLER = 1 << 0,
   VIVGPU_SINK_FILE = 1 << 1,
};

/** Set of VIVGPU_SINK_*, accessed atomically; 0 if events are not collected */
extern uint32_t vivgpu_event_sinks;

/** The sampler's ring */
extern struct vivgpu_ring vivgpu_event_ring;

/** CLOCK_MONOTONIC in ns, the clock of the kernel's records. */
uint64_t vivgpu_events_now(void);

/**
 * Map the file VIVGPU_EVENTS, and let child processes have numbers of their own from now on. Only
 * the first call has an effect; it may come from any thread.
 */
void vivgpu_events_init(void);

/**
 * Record a span of the calling thread.
 *
 * @begin_ns, @end_ns: CLOCK_MONOTONIC
 * @event: an event whose first field is the thread's number
 * @values: values of the other fields
 * @count: number of @values, less than VIVGPU_EVENT_FIELDS
 */
void vivgpu_events_span(uint64_t begin_ns, uint64_t end_ns, enum vivgpu_event event,
                        const uint64_t *values, size_t count);

/** Client number (drm-client-id) of an open device file, as in records; 0 if not in fdinfo. */
uint64_t vivgpu_events_client(int fd);

/** True if events are collected. */
static inline bool
vivgpu_events_enabled(void)
{
   return __builtin_expect(__atomic_load_n(&vivgpu_event_sinks, __ATOMIC_RELAXED) != 0, 0);
}

/** Returns the time at which a span begins, in ns, or 0 if events are not collected. */
static inline uint64_t
vivgpu_events_begin(void)
{
   return vivgpu_events_enabled() ? vivgpu_events_now() : 0;
}

/** Record a span of given times; the values of all fields but the thread's number follow. */
#define vivgpu_events_record(begin, end, event, ...)                                               \
   do {                                                                                            \
      const uint64_t values_[] = {__VA_ARGS__};                                                    \
      vivgpu_events_span(begin, end, event, values_, sizeof(values_) / sizeof(values_[0]));        \
   } while (0)

/**
 * Record a span that ends now, unless @begin, the result of vivgpu_events_begin(), is 0. The
 * values of all fields but the thread's number follow.
 */
#define vivgpu_events_end(begin, event, ...)                                                       \
   do {                                                                                            \
      if (__builtin_expect((begin) != 0, 0))                                                       \
         vivgpu_events_record(begin, vivgpu_events_now(), event, __VA_ARGS__);                     \
   } while (0)

#endif
