/* SPDX-License-Identifier: MIT */

#include "vivgpu_perfmon.h"

#include <string.h>

#include "pipe/p_context.h"
#include "util/u_memory.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"
#include "vivgpu_query.h"

/* Memory for the counts of several jobs. */
#define CHUNK_BYTES (16 * 1024)

struct chunk {
   struct list_head link;
   struct vivgpu_bo *bo;
   /** Jobs that write to it */
   uint32_t jobs;
};

struct perfmon {
   struct vivgpu_query base;
   const struct vivgpu_perfmon_screen *screen;
   /** In the context's list while it runs */
   struct list_head link;
   bool active;
   /** A threaded context was told to begin it, and not yet to end it */
   bool promised;
   /** It could not begin, or a job could not be counted: there will be no result */
   bool failed;
   /** Sources that its counters are made of, and how many of them are signals */
   struct vivgpu_sources sources;
   uint32_t num_signals;
   /** Beginning and end, if the time between them is wanted */
   struct vivgpu_stamp from, to;
   /** What was counted; of the driver's own counts, until the end, what they were before */
   uint64_t sums[VIVGPU_NUM_SOURCES];
   /** Counts of jobs that are not in the sums yet, oldest first */
   struct list_head chunks;
   uint32_t num_counters;
   /** Indices in vivgpu_counters */
   uint16_t counters[];
};

static struct perfmon *
perfmon(struct vivgpu_query *query)
{
   return (struct perfmon *)query;
}

static void
drop(struct chunk *chunk)
{
   list_del(&chunk->link);
   vivgpu_bo_unref(chunk->bo);
   FREE(chunk);
}

static void
drop_all(struct perfmon *monitor)
{
   list_for_each_entry_safe (struct chunk, chunk, &monitor->chunks, link)
      drop(chunk);
}

static void
deactivate(struct vivgpu_context *context, struct perfmon *monitor)
{
   list_del(&monitor->link);
   context->perfmon.num_signals -= monitor->num_signals;
   monitor->active = false;
}

static void
destroy(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct perfmon *monitor = perfmon(query);

   if (monitor->active)
      deactivate(context, monitor);
   drop_all(monitor);
   vivgpu_stamp_forget(&monitor->from);
   vivgpu_stamp_forget(&monitor->to);
   FREE(monitor);
}

static bool
wants_time(const struct perfmon *monitor)
{
   return vivgpu_sources_has(&monitor->sources, VIVGPU_SOURCE_ELAPSED);
}

static bool
begin(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct vivgpu_perfmon_context *all = &context->perfmon;
   struct perfmon *monitor = perfmon(query);

   if (monitor->active)
      return false;
   monitor->failed = all->num_signals + monitor->num_signals > monitor->screen->most_signals;
   if (wants_time(monitor) && !vivgpu_stamp_put(context, query, &monitor->from))
      monitor->failed = true;
   if (monitor->failed)
      return false;
   /* What was drawn before is none of it. */
   if (monitor->num_signals)
      vivgpu_context_submit(context);

   drop_all(monitor);
   memcpy(monitor->sums, all->counts, sizeof(monitor->sums));
   all->num_signals += monitor->num_signals;
   list_addtail(&monitor->link, &all->active);
   monitor->active = true;
   return true;
}

static bool
end(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct perfmon *monitor = perfmon(query);

   if (!monitor->active)
      return false;
   if (wants_time(monitor) && !vivgpu_stamp_put(context, query, &monitor->to))
      monitor->failed = true;
   if (monitor->num_signals)
      vivgpu_context_submit(context);
   deactivate(context, monitor);
   for (unsigned i = VIVGPU_FIRST_SOFTWARE; i < VIVGPU_NUM_SOURCES; i++)
      monitor->sums[i] = context->perfmon.counts[i] - monitor->sums[i];
   monitor->sums[VIVGPU_SOURCE_MEMORY] = vivgpu_bo_memory();
   return true;
}

/* Add up what jobs that are over left in a chunk, and free it. */
static void
collect(struct perfmon *monitor, struct chunk *chunk)
{
   const uint64_t *values = vivgpu_bo_map(chunk->bo);

   for (uint32_t i = 0; i < chunk->jobs; i++)
      values =
         vivgpu_signals_add(&monitor->sources, monitor->screen->scales, values, monitor->sums);
   drop(chunk);
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

   if (monitor->active || monitor->failed)
      return false;
   list_for_each_entry_safe (struct chunk, chunk, &monitor->chunks, link) {
      if (wait ? !vivgpu_bo_wait(chunk->bo, false) : vivgpu_bo_busy(chunk->bo, false))
         return false;
      collect(monitor, chunk);
   }
   if (!arrived(monitor, wait))
      return false;
   monitor->sums[VIVGPU_SOURCE_ELAPSED] = vivgpu_stamp_cycles(&monitor->from, &monitor->to);
   for (uint32_t i = 0; i < monitor->num_counters; i++)
      out->batch[i] = vivgpu_counter_value(&vivgpu_counters[monitor->counters[i]], monitor->sums);
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

   return monitor->base.kind == &kind && monitor->num_signals ? monitor : NULL;
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
   behind(context)->front.num_signals -= monitor->num_signals;
   monitor->promised = false;
}

static bool
begin_threaded(struct pipe_context *context, struct pipe_query *query)
{
   struct vivgpu_perfmon_front *front = &behind(context)->front;
   struct perfmon *monitor = with_signals(query);

   if (monitor) {
      if (monitor->promised ||
          front->num_signals + monitor->num_signals > monitor->screen->most_signals)
         return false;
      front->num_signals += monitor->num_signals;
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
   const struct vivgpu_perfmon_screen *screen = monitor->screen;
   unsigned place = type - PIPE_QUERY_DRIVER_SPECIFIC;

   if (type < PIPE_QUERY_DRIVER_SPECIFIC || place >= screen->num_offered)
      return false;
   monitor->counters[monitor->num_counters++] = screen->offered[place];
   vivgpu_counter_sources(&vivgpu_counters[screen->offered[place]], &monitor->sources);
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
   monitor->screen = &context->screen->perfmon;
   list_inithead(&monitor->chunks);
   for (unsigned i = 0; i < num; i++) {
      if (!add_counter(monitor, types[i]))
         goto fail;
   }
   monitor->num_signals = vivgpu_sources_signals(&monitor->sources);
   if (monitor->num_signals > monitor->screen->most_signals)
      goto fail;
   return &monitor->base;

fail:
   FREE(monitor);
   return NULL;
}

/* Memory for a job's counts, mapped. NULL without memory. */
static struct chunk *
add_chunk(struct vivgpu_context *context, struct perfmon *monitor)
{
   struct chunk *chunk = CALLOC_STRUCT(chunk);

   if (!chunk)
      return NULL;
   chunk->bo = vivgpu_bo_create(context->screen->kernel, CHUNK_BYTES);
   if (!chunk->bo || !vivgpu_bo_map(chunk->bo)) {
      vivgpu_bo_unref(chunk->bo);
      FREE(chunk);
      return NULL;
   }
   list_addtail(&chunk->link, &monitor->chunks);
   return chunk;
}

/* The chunk with room for a job; those that are full and written to are collected. */
static struct chunk *
find_chunk(struct vivgpu_context *context, struct perfmon *monitor, uint32_t bytes)
{
   struct chunk *last = list_is_empty(&monitor->chunks)
                           ? NULL
                           : list_last_entry(&monitor->chunks, struct chunk, link);

   if (last && (last->jobs + 1) * bytes <= CHUNK_BYTES)
      return last;
   list_for_each_entry_safe (struct chunk, chunk, &monitor->chunks, link) {
      if (vivgpu_bo_busy(chunk->bo, false))
         break;
      collect(monitor, chunk);
   }
   return add_chunk(context, monitor);
}

/* Ask for the monitor's signals in the job that is being written. */
static bool
request(struct vivgpu_context *context, struct perfmon *monitor)
{
   const uint32_t value_bytes = sizeof(struct drm_vivgpu_counter_value);
   uint32_t bytes = monitor->num_signals * value_bytes;
   struct chunk *chunk = find_chunk(context, monitor, bytes);

   if (!chunk)
      return false;

   uint32_t offset = chunk->jobs * bytes;

   /* That is what is there if the job is refused. */
   memset((char *)vivgpu_bo_map(chunk->bo) + offset, 0xff, bytes);
   chunk->jobs++;
   for (unsigned i = 0; i < VIVGPU_NUM_SIGNALS; i++) {
      if (!vivgpu_sources_has(&monitor->sources, VIVGPU_FIRST_SIGNAL + i))
         continue;
      if (!vivgpu_stream_count(&context->stream, monitor->screen->names[i].domain,
                               monitor->screen->names[i].signal, chunk->bo, offset))
         return false;
      offset += value_bytes;
   }
   return true;
}

/* What the driver itself knows of a job. */
static void
count_job(struct vivgpu_context *context)
{
   const struct vivgpu_stream *stream = &context->stream;
   uint64_t bytes = 0;

   for (uint32_t i = 0; i < stream->num_bos; i++)
      bytes += stream->bos[i]->size;
   vivgpu_perfmon_count(&context->perfmon, VIVGPU_SOURCE_JOBS, 1);
   vivgpu_perfmon_count(&context->perfmon, VIVGPU_SOURCE_COMMAND_BYTES,
                        stream->used * sizeof(uint32_t));
   vivgpu_perfmon_count(&context->perfmon, VIVGPU_SOURCE_JOB_BUFFERS, stream->num_bos);
   vivgpu_perfmon_count(&context->perfmon, VIVGPU_SOURCE_JOB_BUFFER_BYTES, bytes);
}

void
vivgpu_perfmon_job(struct vivgpu_context *context)
{
   if (!vivgpu_perfmon_active(&context->perfmon))
      return;
   count_job(context);
   list_for_each_entry (struct perfmon, monitor, &context->perfmon.active, link) {
      if (monitor->num_signals && !request(context, monitor))
         monitor->failed = true;
   }
}
