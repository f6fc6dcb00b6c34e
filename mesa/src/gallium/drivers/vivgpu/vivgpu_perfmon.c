/* SPDX-License-Identifier: MIT */

#include "vivgpu_perfmon.h"

#include "pipe/p_context.h"
#include "util/u_memory.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"
#include "vivgpu_query.h"

struct perfmon {
   struct vivgpu_query base;
   struct vivgpu_counting counting;
   /** A threaded context was told to begin it, and not yet to end it */
   bool promised;
   /** It could not begin, or there was no memory for a stamp: there will be no result */
   bool failed;
   /** Beginning and end, if the time between them is wanted */
   struct vivgpu_stamp from, to;
   uint32_t num_counters;
   /** Indices in vivgpu_counters */
   uint16_t counters[];
};

static struct perfmon *
perfmon(struct vivgpu_query *query)
{
   return (struct perfmon *)query;
}

/* Before it is no longer active. */
static void
release_signals(struct vivgpu_context *context, const struct vivgpu_counting *counting)
{
   if (counting->active)
      context->perfmon.num_signals -= counting->num_signals;
}

static void
destroy(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct perfmon *monitor = perfmon(query);

   release_signals(context, &monitor->counting);
   vivgpu_counting_fini(context, &monitor->counting);
   vivgpu_stamp_forget(&monitor->from);
   vivgpu_stamp_forget(&monitor->to);
   FREE(monitor);
}

static bool
wants_time(const struct perfmon *monitor)
{
   return vivgpu_sources_has(&monitor->counting.sources, VIVGPU_SOURCE_ELAPSED);
}

static bool
begin(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct perfmon *monitor = perfmon(query);
   struct vivgpu_counting *counting = &monitor->counting;
   uint32_t num_signals = context->perfmon.num_signals + counting->num_signals;

   if (counting->active)
      return false;
   monitor->failed = num_signals > counting->screen->most_signals;
   if (wants_time(monitor) && !vivgpu_stamp_put(context, query, &monitor->from))
      monitor->failed = true;
   if (monitor->failed)
      return false;

   context->perfmon.num_signals = num_signals;
   vivgpu_counting_begin(context, counting);
   return true;
}

static bool
end(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct perfmon *monitor = perfmon(query);

   if (!monitor->counting.active)
      return false;
   if (wants_time(monitor) && !vivgpu_stamp_put(context, query, &monitor->to))
      monitor->failed = true;
   release_signals(context, &monitor->counting);
   vivgpu_counting_end(context, &monitor->counting);
   monitor->counting.sums[VIVGPU_SOURCE_MEMORY] = vivgpu_bo_memory();
   return true;
}

/* The end's point, which is in the last job. */
static bool
arrived(const struct perfmon *monitor, bool wait)
{
   struct vivgpu_bo *bo = monitor->to.bo;

   if (!bo)
      return true;
   return wait ? vivgpu_bo_wait(bo, false) : !vivgpu_bo_busy(bo, false);
}

static bool
result(struct vivgpu_context *context, struct vivgpu_query *query, bool wait,
       union pipe_query_result *out)
{
   struct perfmon *monitor = perfmon(query);
   uint64_t *sums = monitor->counting.sums;

   if (monitor->counting.active || monitor->failed || monitor->counting.failed)
      return false;
   if (!vivgpu_counting_collect(&monitor->counting, wait) || !arrived(monitor, wait))
      return false;
   sums[VIVGPU_SOURCE_ELAPSED] = vivgpu_stamp_cycles(&monitor->from, &monitor->to);
   for (uint32_t i = 0; i < monitor->num_counters; i++)
      out->batch[i] = vivgpu_counter_value(&vivgpu_counters[monitor->counters[i]], sums);
   return true;
}

static const struct vivgpu_query_kind kind = {
   .destroy = destroy,
   .begin = begin,
   .end = end,
   .result = result,
};

/* The monitor behind a query of a threaded context's, if it wants signals; else NULL. */
static struct perfmon *
with_signals(struct pipe_query *query)
{
   struct perfmon *monitor = perfmon(vivgpu_query(query));

   return monitor->base.kind == &kind && monitor->counting.num_signals ? monitor : NULL;
}

static struct vivgpu_perfmon_context *
behind(struct pipe_context *context)
{
   return &vivgpu_context(threaded_context(context)->pipe)->perfmon;
}

static void
break_promise(struct pipe_context *context, struct pipe_query *query)
{
   struct perfmon *monitor = with_signals(query);

   if (!monitor || !monitor->promised)
      return;
   behind(context)->front.num_signals -= monitor->counting.num_signals;
   monitor->promised = false;
}

static bool
begin_threaded(struct pipe_context *context, struct pipe_query *query)
{
   struct vivgpu_perfmon_front *front = &behind(context)->front;
   struct perfmon *monitor = with_signals(query);

   if (monitor) {
      uint32_t num_signals = front->num_signals + monitor->counting.num_signals;

      if (monitor->promised || num_signals > monitor->counting.screen->most_signals)
         return false;
      front->num_signals = num_signals;
      monitor->promised = true;
   }
   return front->begin(context, query);
}

static bool
end_threaded(struct pipe_context *context, struct pipe_query *query)
{
   break_promise(context, query);
   return behind(context)->front.end(context, query);
}

static void
destroy_threaded(struct pipe_context *context, struct pipe_query *query)
{
   break_promise(context, query);
   behind(context)->front.destroy(context, query);
}

void
vivgpu_perfmon_threaded_init(struct vivgpu_perfmon_context *perfmon, struct pipe_context *threaded)
{
   perfmon->front = (struct vivgpu_perfmon_front){
      .begin = threaded->begin_query,
      .end = threaded->end_query,
      .destroy = threaded->destroy_query,
   };
   threaded->begin_query = begin_threaded;
   threaded->end_query = end_threaded;
   threaded->destroy_query = destroy_threaded;
}

static bool
add_counter(struct perfmon *monitor, unsigned type)
{
   const struct vivgpu_perfmon_screen *screen = monitor->counting.screen;
   unsigned place = type - PIPE_QUERY_DRIVER_SPECIFIC;

   if (type < PIPE_QUERY_DRIVER_SPECIFIC || place >= screen->num_offered)
      return false;
   monitor->counters[monitor->num_counters++] = screen->offered[place];
   vivgpu_counter_sources(&vivgpu_counters[screen->offered[place]], &monitor->counting.sources);
   return true;
}

struct vivgpu_query *
vivgpu_perfmon_create(struct vivgpu_context *context, unsigned num, const unsigned *types)
{
   struct perfmon *monitor =
      CALLOC_VARIANT_LENGTH_STRUCT(perfmon, num * sizeof(monitor->counters[0]));

   if (!monitor)
      return NULL;
   monitor->base.kind = &kind;
   monitor->base.type = PIPE_QUERY_DRIVER_SPECIFIC;
   monitor->base.job = VIVGPU_NO_JOB;
   vivgpu_counting_init(&monitor->counting, context, VIVGPU_SCOPE_ALL);
   for (unsigned i = 0; i < num; i++) {
      if (!add_counter(monitor, types[i]))
         goto fail;
   }
   vivgpu_counting_ready(&monitor->counting);
   if (monitor->counting.num_signals > monitor->counting.screen->most_signals)
      goto fail;
   return &monitor->base;

fail:
   FREE(monitor);
   return NULL;
}
