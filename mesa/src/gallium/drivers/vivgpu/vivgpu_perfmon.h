/* SPDX-License-Identifier: MIT */
/*
 * Performance monitors: several counters that are active together (see vivgpu_acc_query.h), and
 * values computed from their sums.
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

/** What this kernel can count, and the counters offered for it */
struct vivgpu_perfmon_screen {
   /**
    * For each signal: the kernel's numbers for it, which are not its names, and the factor from
    * counts to its unit (0 if the kernel does not have it)
    */
   struct {
      uint32_t domain, signal;
   } names[VIVGPU_NUM_SIGNALS];
   uint32_t scales[VIVGPU_NUM_SIGNALS];
   /** Limit of the signals of a job's monitors: the kernel's, less VIVGPU_STATISTICS_SIGNALS */
   uint32_t max_signals;
   /** Jobs can have timestamp points */
   bool has_points;
   /** Offered counters, sorted by group: Gallium's index to index in vivgpu_counters */
   uint16_t *offered;
   uint32_t num_offered;
};

/** Performance monitors of a context */
struct vivgpu_perfmon_context {
   /** Number of signals of all active monitors */
   uint32_t num_signals;
   /**
    * With a threaded context: its functions before they were wrapped, and the number of signals of
    * the monitors that are active for its callers
    */
   struct vivgpu_perfmon_front {
      bool (*begin)(struct pipe_context *context, struct pipe_query *query);
      bool (*end)(struct pipe_context *context, struct pipe_query *query);
      void (*destroy)(struct pipe_context *context, struct pipe_query *query);
      uint32_t num_signals;
   } front;
};

/** vivgpu_perfmon_screen.c: read what the kernel can count, and offer counters to Mesa. */
void vivgpu_perfmon_screen_init(struct vivgpu_screen *screen);
void vivgpu_perfmon_screen_fini(struct vivgpu_screen *screen);

/**
 * Create a query for @num counters of types PIPE_QUERY_DRIVER_SPECIFIC and up; its result is a
 * batch. Returns NULL for an unknown counter, if the kernel cannot count so many in a job, or if
 * memory is short.
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
