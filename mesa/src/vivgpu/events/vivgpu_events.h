/* SPDX-License-Identifier: MIT */
/*
 * How the driver tells what it does. While nobody collects, that costs one
 * branch that is never taken:
 *
 *	uint64_t begin = vivgpu_events_begin();
 *	work();
 *	vivgpu_events_end(begin, VIVGPU_EVENT_UPLOAD, bytes);
 *
 * A look at the clock may be a system call: what happens in each frame takes the
 * kernel's times, or is told with something else, or only if it takes long.
 *
 * Spans go to the ring of this process's sampler (vivgpu_event_sampler.h), and to a
 * file that VIVGPU_EVENTS names: a struct vivgpu_ring that a tool shares with
 * the program, or with several.
 */
#ifndef VIVGPU_EVENTS_H
#define VIVGPU_EVENTS_H

#include <stddef.h>

#include "vivgpu_ring.h"

/** Who collects */
enum {
   VIVGPU_SINK_SAMPLER = 1 << 0,
   VIVGPU_SINK_FILE = 1 << 1,
};

/** A set of those, accessed atomically; 0 nearly always */
extern uint32_t vivgpu_event_sinks;

/** The sampler's ring */
extern struct vivgpu_ring vivgpu_event_ring;

/** CLOCK_MONOTONIC in ns, the clock of the kernel's records. */
uint64_t vivgpu_events_now(void);

/** Look at VIVGPU_EVENTS, once; anybody may call it again. */
void vivgpu_events_init(void);

/** A span of the calling thread; @values follow the thread's number. */
void vivgpu_events_span(uint64_t begin_ns, uint64_t end_ns, enum vivgpu_event event,
                        const uint64_t *values, size_t count);

/** Client number of an open device file, as in the kernel's records; 0 if it is not told. */
uint64_t vivgpu_events_client(int fd);

/** Does anybody collect? */
static inline bool
vivgpu_events_enabled(void)
{
   return __builtin_expect(__atomic_load_n(&vivgpu_event_sinks, __ATOMIC_RELAXED) != 0, 0);
}

/** Something begins: the time, or 0 if nobody collects. */
static inline uint64_t
vivgpu_events_begin(void)
{
   return vivgpu_events_enabled() ? vivgpu_events_now() : 0;
}

/** A span whose times are known; the event's fields after the thread's number follow. */
#define vivgpu_events_record(begin, end, event, ...)                                                 \
   do {                                                                                            \
      const uint64_t values_[] = {__VA_ARGS__};                                                    \
      vivgpu_events_span(begin, end, event, values_, sizeof(values_) / sizeof(values_[0]));        \
   } while (0)

/** It ends now; the event's fields after the thread's number follow. */
#define vivgpu_events_end(begin, event, ...)                                                       \
   do {                                                                                            \
      if (__builtin_expect((begin) != 0, 0))                                                       \
         vivgpu_events_record(begin, vivgpu_events_now(), event, __VA_ARGS__);                     \
   } while (0)

#endif
