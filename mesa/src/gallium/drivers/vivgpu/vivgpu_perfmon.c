/* SPDX-License-Identifier: MIT */

#include "vivgpu_perfmon.h"

#include "pipe/p_context.h"
#include "util/u_memory.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"
#include "vivgpu_query.h"

/* A performance monitor; vivgpu_monitor.h is about the command monitor. */
struct perfmon {
   struct vivgpu_query base;
   struct vivgpu_acc_query acc;
   /** With a threaded context: begun by the caller and not ended yet */
   bool begun_by_tc;
   /** Begin failed, or memory was short: there will be no result */
   bool failed;
   /** Timestamps of begin and end, if a counter needs the elapsed time */
   struct vivgpu_timestamp from, to;
   uint32_t num_counters;
   /** Indices in vivgpu_counters */
   uint16_t counters[];
};

static struct perfmon *
vivgpu_perfmon_one(struct vivgpu_query *query)
{
   return (struct perfmon *)query;
}

/* Release the query's signals; called before it becomes inactive. */
static void
vivgpu_perfmon_release_signals(struct vivgpu_context *context, const struct vivgpu_acc_query *acc)
{
   if (acc->active)
      context->perfmon.num_signals -= acc->num_signals;
}

static void
vivgpu_perfmon_destroy(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct perfmon *monitor = vivgpu_perfmon_one(query);

   vivgpu_perfmon_release_signals(context, &monitor->acc);
   vivgpu_acc_query_fini(context, &monitor->acc);
   vivgpu_timestamp_release(&monitor->from);
   vivgpu_timestamp_release(&monitor->to);
   FREE(monitor);
}

static bool
vivgpu_perfmon_wants_time(const struct perfmon *monitor)
{
   return vivgpu_sources_has(&monitor->acc.sources, VIVGPU_SOURCE_ELAPSED);
}

static bool
vivgpu_perfmon_begin(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct perfmon *monitor = vivgpu_perfmon_one(query);
   struct vivgpu_acc_query *acc = &monitor->acc;
   uint32_t num_signals = context->perfmon.num_signals + acc->num_signals;

   if (acc->active)
      return false;
   monitor->failed = num_signals > acc->screen->max_signals;
   if (vivgpu_perfmon_wants_time(monitor) && !vivgpu_timestamp_emit(context, query, &monitor->from))
      monitor->failed = true;
   if (monitor->failed)
      return false;

   context->perfmon.num_signals = num_signals;
   vivgpu_acc_query_begin(context, acc);
   return true;
}

static bool
vivgpu_perfmon_end(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct perfmon *monitor = vivgpu_perfmon_one(query);

   if (!monitor->acc.active)
      return false;
   if (vivgpu_perfmon_wants_time(monitor) && !vivgpu_timestamp_emit(context, query, &monitor->to))
      monitor->failed = true;
   vivgpu_perfmon_release_signals(context, &monitor->acc);
   vivgpu_acc_query_end(context, &monitor->acc);
   monitor->acc.sums[VIVGPU_SOURCE_MEMORY] = vivgpu_bo_memory();
   return true;
}

/*
 * True if the timestamps are written. That of the end is in the last job, so its availability
 * decides. A monitor without timestamps needs none.
 */
static bool
vivgpu_perfmon_is_available(const struct perfmon *monitor, bool wait)
{
   struct vivgpu_bo *bo = monitor->to.bo;

   if (!bo)
      return true;
   return wait ? vivgpu_bo_wait(bo, false) : !vivgpu_bo_busy(bo, false);
}

static bool
vivgpu_perfmon_result(struct vivgpu_context *context, struct vivgpu_query *query, bool wait,
                      union pipe_query_result *out)
{
   struct perfmon *monitor = vivgpu_perfmon_one(query);
   uint64_t *sums = monitor->acc.sums;

   if (monitor->acc.active || monitor->failed || monitor->acc.failed)
      return false;
   if (!vivgpu_acc_query_collect(&monitor->acc, wait) ||
       !vivgpu_perfmon_is_available(monitor, wait))
      return false;
   sums[VIVGPU_SOURCE_ELAPSED] = vivgpu_timestamp_cycles(&monitor->from, &monitor->to);
   for (uint32_t i = 0; i < monitor->num_counters; i++)
      out->batch[i] = vivgpu_counter_value(&vivgpu_counters[monitor->counters[i]], sums);
   return true;
}

static const struct vivgpu_query_funcs funcs = {
   .destroy = vivgpu_perfmon_destroy,
   .begin = vivgpu_perfmon_begin,
   .end = vivgpu_perfmon_end,
   .result = vivgpu_perfmon_result,
};

/* Return a threaded context's query if it is a monitor that uses signals; else NULL. */
static struct perfmon *
vivgpu_perfmon_with_signals(struct pipe_query *query)
{
   struct perfmon *monitor = vivgpu_perfmon_one(vivgpu_query(query));

   return monitor->base.funcs == &funcs && monitor->acc.num_signals ? monitor : NULL;
}

static struct vivgpu_perfmon_context *
vivgpu_perfmon_driver_perfmon(struct pipe_context *context)
{
   return &vivgpu_context(threaded_context(context)->pipe)->perfmon;
}

static void
vivgpu_perfmon_release_tc_signals(struct pipe_context *context, struct pipe_query *query)
{
   struct perfmon *monitor = vivgpu_perfmon_with_signals(query);

   if (!monitor || !monitor->begun_by_tc)
      return;
   vivgpu_perfmon_driver_perfmon(context)->front.num_signals -= monitor->acc.num_signals;
   monitor->begun_by_tc = false;
}

static bool
vivgpu_perfmon_begin_threaded(struct pipe_context *context, struct pipe_query *query)
{
   struct vivgpu_perfmon_front *front = &vivgpu_perfmon_driver_perfmon(context)->front;
   struct perfmon *monitor = vivgpu_perfmon_with_signals(query);

   if (monitor) {
      uint32_t num_signals = front->num_signals + monitor->acc.num_signals;

      if (monitor->begun_by_tc || num_signals > monitor->acc.screen->max_signals)
         return false;
      front->num_signals = num_signals;
      monitor->begun_by_tc = true;
   }
   return front->begin(context, query);
}

static bool
vivgpu_perfmon_end_threaded(struct pipe_context *context, struct pipe_query *query)
{
   vivgpu_perfmon_release_tc_signals(context, query);
   return vivgpu_perfmon_driver_perfmon(context)->front.end(context, query);
}

static void
vivgpu_perfmon_destroy_threaded(struct pipe_context *context, struct pipe_query *query)
{
   vivgpu_perfmon_release_tc_signals(context, query);
   vivgpu_perfmon_driver_perfmon(context)->front.destroy(context, query);
}

void
vivgpu_perfmon_threaded_init(struct vivgpu_perfmon_context *perfmon, struct pipe_context *threaded)
{
   perfmon->front = (struct vivgpu_perfmon_front){
      .begin = threaded->begin_query,
      .end = threaded->end_query,
      .destroy = threaded->destroy_query,
   };
   threaded->begin_query = vivgpu_perfmon_begin_threaded;
   threaded->end_query = vivgpu_perfmon_end_threaded;
   threaded->destroy_query = vivgpu_perfmon_destroy_threaded;
}

static bool
vivgpu_perfmon_add_counter(struct perfmon *monitor, unsigned type)
{
   const struct vivgpu_perfmon_screen *screen = monitor->acc.screen;
   unsigned index = type - PIPE_QUERY_DRIVER_SPECIFIC;

   if (type < PIPE_QUERY_DRIVER_SPECIFIC || index >= screen->num_offered)
      return false;
   monitor->counters[monitor->num_counters++] = screen->offered[index];
   vivgpu_counter_sources(&vivgpu_counters[screen->offered[index]], &monitor->acc.sources);
   return true;
}

struct vivgpu_query *
vivgpu_perfmon_create(struct vivgpu_context *context, unsigned num, const unsigned *types)
{
   struct perfmon *monitor =
      CALLOC_VARIANT_LENGTH_STRUCT(perfmon, num * sizeof(monitor->counters[0]));

   if (!monitor)
      return NULL;
   monitor->base.funcs = &funcs;
   monitor->base.type = PIPE_QUERY_DRIVER_SPECIFIC;
   monitor->base.job = VIVGPU_NO_JOB;
   vivgpu_acc_query_init(&monitor->acc, context, VIVGPU_SCOPE_ALL);
   for (unsigned i = 0; i < num; i++) {
      if (!vivgpu_perfmon_add_counter(monitor, types[i]))
         goto fail;
   }
   vivgpu_acc_query_sources_added(&monitor->acc);
   if (monitor->acc.num_signals > monitor->acc.screen->max_signals)
      goto fail;
   return &monitor->base;

fail:
   FREE(monitor);
   return NULL;
}
