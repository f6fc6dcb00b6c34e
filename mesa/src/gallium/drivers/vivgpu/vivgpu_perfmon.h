/* SPDX-License-Identifier: MIT */
/*
 * Performance monitors: what a context's jobs count between a beginning and an
 * end. A monitor that wants counters of the hardware splits the job at both, and
 * each job in between asks the kernel for what all active monitors want, so that
 * sums are exact, whatever flushes come and whoever else uses the GPU.
 */
#ifndef VIVGPU_PERFMON_H
#define VIVGPU_PERFMON_H

#include <stdbool.h>
#include <stdint.h>

#include "util/list.h"
#include "vivgpu_perfmon_table.h"

struct pipe_context;
struct pipe_query;
struct vivgpu_context;
struct vivgpu_query;
struct vivgpu_screen;

/** What this kernel counts, and which counters can be had of it */
struct vivgpu_perfmon_screen {
   /** By signal: how to ask for it, and what a difference is times to be in its unit; 0: unknown */
   struct {
      uint32_t domain, signal;
   } names[VIVGPU_NUM_SIGNALS];
   uint32_t scales[VIVGPU_NUM_SIGNALS];
   /** Signals that a job may ask for */
   uint32_t most_signals;
   /** Jobs may have timestamp points */
   bool has_points;
   /** Indices in vivgpu_counters of what is offered, group by group; those who ask know places in here */
   uint16_t *offered;
   uint32_t num_offered;
};

/** A context's side */
struct vivgpu_perfmon_context {
   /** What the driver did since the context began, for sources from VIVGPU_FIRST_SOFTWARE on */
   uint64_t counts[VIVGPU_NUM_SOURCES];
   /** Monitors between their beginning and end */
   struct list_head active;
   /** Signals they want, together */
   uint32_t num_signals;
   /** With a threaded context: its own functions, and the signals as its callers know them */
   struct vivgpu_perfmon_front {
      bool (*begin)(struct pipe_context *context, struct pipe_query *query);
      bool (*end)(struct pipe_context *context, struct pipe_query *query);
      void (*destroy)(struct pipe_context *context, struct pipe_query *query);
      uint32_t num_signals;
   } front;
};

/** vivgpu_perfmon_screen.c: find out what the kernel counts, and tell Mesa. */
void vivgpu_perfmon_screen_init(struct vivgpu_screen *screen);
void vivgpu_perfmon_screen_fini(struct vivgpu_screen *screen);

static inline void
vivgpu_perfmon_init(struct vivgpu_perfmon_context *perfmon)
{
   list_inithead(&perfmon->active);
}

/**
 * Make a query of @num counters, by their types (PIPE_QUERY_DRIVER_SPECIFIC and up);
 * its result is a batch. NULL if one of them isn't known, if the kernel doesn't count
 * so many in a job, or without memory.
 */
struct vivgpu_query *vivgpu_perfmon_create(struct vivgpu_context *context, unsigned num,
                                           const unsigned *types);

/**
 * A threaded context begins queries later and can't say that one did not. Have it
 * count the signals of monitors as they are begun, to refuse one too many at once.
 */
void vivgpu_perfmon_threaded_init(struct vivgpu_perfmon_context *perfmon,
                                  struct pipe_context *threaded);

/** A job is about to be submitted: ask for what the active monitors want. */
void vivgpu_perfmon_job(struct vivgpu_context *context);

/** Does any monitor run? Only then are things counted that would cost something. */
static inline bool
vivgpu_perfmon_active(const struct vivgpu_perfmon_context *perfmon)
{
   return !list_is_empty(&perfmon->active);
}

/** The driver did something that is counted. */
static inline void
vivgpu_perfmon_count(struct vivgpu_perfmon_context *perfmon, enum vivgpu_source source,
                     uint64_t amount)
{
   perfmon->counts[source] += amount;
}

#endif
