/* SPDX-License-Identifier: MIT */
/*
 * Performance monitors: several counters that count together (see vivgpu_acc_query.h),
 * and values that are made of their sums.
 */
#ifndef VIVGPU_PERFMON_H
#define VIVGPU_PERFMON_H

#include <stdbool.h>
#include <stdint.h>

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
   /** Signals that the monitors of a job may ask for */
   uint32_t max_signals;
   /** Jobs may have timestamp points */
   bool has_points;
   /** Offered counters, group by group: indices in vivgpu_counters, by Gallium's index */
   uint16_t *offered;
   uint32_t num_offered;
};

/** A context's side */
struct vivgpu_perfmon_context {
   /** Signals that the active monitors want, together */
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

/**
 * Make a query of @num counters, by their types (PIPE_QUERY_DRIVER_SPECIFIC and up);
 * its result is a batch. NULL if one of them isn't known, if the kernel doesn't count
 * so many in a job, or without memory.
 */
struct vivgpu_query *vivgpu_perfmon_create(struct vivgpu_context *context, unsigned num,
                                           const unsigned *types);

/**
 * A threaded context executes begin_query later and cannot return its failure. Wrap its functions
 * to count the signals of monitors at the call, so that a monitor beyond the limit is refused.
 */
void vivgpu_perfmon_threaded_init(struct vivgpu_perfmon_context *perfmon,
                                  struct pipe_context *threaded);

#endif
