/* SPDX-License-Identifier: MIT */
/*
 * The event sampler of this process, as EGL_BRCM_event_monitor has it: who may
 * collect, when, and what was collected.
 *
 * There is one for all displays and threads. The kernel gives it to one process
 * at a time, with the stream of records that it reads; the stream is closed with
 * the process. All calls may come from any thread.
 */
#ifndef VIVGPU_EVENT_SAMPLER_H
#define VIVGPU_EVENT_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vivgpu_event_info;

/** What libEGL asks of the driver; see driGetVivgpuEventSampler(). */
struct vivgpu_event_sampler {
   uint32_t num_tracks, num_events, name_bytes;
   const char *(*track_name)(unsigned track);
   const struct vivgpu_event_info *(*event_info)(unsigned event);

   /** Has this process a screen of the driver's? */
   bool (*present)(void);

   /**
    * Become the sampler. 0, also if this process is it already; -EBUSY: another
    * process is; -EACCES: not allowed (CAP_PERFMON); -ENODEV: no screen;
    * others: no memory, no descriptors.
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

/**
 * The sampler. libEGL finds it by this symbol of libgallium; its name is among
 * those that libgallium exports.
 */
const struct vivgpu_event_sampler *driGetVivgpuEventSampler(void);

/** A screen is there, or gone: its descriptor is how the kernel is asked. */
void vivgpu_event_sampler_add_screen(int fd);
void vivgpu_event_sampler_remove_screen(int fd);

#endif
