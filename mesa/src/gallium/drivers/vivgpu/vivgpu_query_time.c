/* SPDX-License-Identifier: MIT */
/*
 * Time queries. A query adds a timestamp point to the stream; the kernel writes the time to it when
 * the GPU has finished everything before the point. Neither a submit nor waiting is needed.
 * Consecutive points without commands between them share one point. Times are CLOCK_MONOTONIC in
 * ns, like glGetInteger64v(GL_TIMESTAMP).
 */

#include "util/u_memory.h"
#include "vivgpu_bo.h"
#include "vivgpu_job.h"
#include "vivgpu_kernel.h"
#include "vivgpu_query.h"

/* What the kernel writes for a point */
struct timestamp_value {
   uint64_t ns, cycles;
};

/* Value that the kernel writes for a point that a reset has aborted */
#define TIMESTAMP_LOST UINT64_MAX

struct time_query {
   struct vivgpu_query base;
   struct vivgpu_timestamp begin, end;
};

static struct time_query *
vivgpu_query_time_query(struct vivgpu_query *query)
{
   return (struct time_query *)query;
}

void
vivgpu_timestamp_release(struct vivgpu_timestamp *timestamp)
{
   vivgpu_bo_unref(timestamp->bo);
   timestamp->bo = NULL;
}

static struct timestamp_value *
vivgpu_query_value_at(const struct vivgpu_timestamp *timestamp)
{
   return (struct timestamp_value *)vivgpu_bo_map(timestamp->bo) + timestamp->index;
}

/*
 * Advance to the next point's memory, which has room since the job has fewer points than
 * max_points. Each job has its own buffer, so that waiting for it does not wait for later jobs.
 */
static bool
vivgpu_query_next_timestamp(struct vivgpu_context *context)
{
   struct vivgpu_time *time = &context->time;

   if (time->last.bo && time->job == context->stream.jobs) {
      time->last.index++;
   } else {
      vivgpu_timestamp_release(&time->last);
      time->last.bo =
         vivgpu_bo_create(context->screen->kernel,
                          context->screen->kernel->max_points * sizeof(struct timestamp_value));
      time->last.index = 0;
      time->job = context->stream.jobs;
   }
   if (!time->last.bo || !vivgpu_bo_map(time->last.bo))
      return false;
   *vivgpu_query_value_at(&time->last) = (struct timestamp_value){0};
   return true;
}

/* True if nothing was written after the last point. */
static bool
vivgpu_query_at_last_point(const struct vivgpu_context *context)
{
   return context->time.last.bo && context->time.job == context->stream.jobs &&
          context->time.end == context->stream.used;
}

/* Emit a point; in the next job if this one has the maximum number of points. */
static bool
vivgpu_query_emit_point(struct vivgpu_context *context)
{
   struct vivgpu_time *time = &context->time;

   if (context->stream.num_points == context->screen->kernel->max_points)
      vivgpu_job_submit(context, VIVGPU_GROUP_TOO_MANY_POINTS);
   if (!vivgpu_job_reserve(context, VIVGPU_POINT_WORDS))
      return false;
   if (!vivgpu_query_next_timestamp(context) ||
       !vivgpu_stream_point(&context->stream, time->last.bo,
                            time->last.index * sizeof(struct timestamp_value))) {
      /* Nothing may share a point that is not in the stream. */
      vivgpu_timestamp_release(&time->last);
      return false;
   }
   time->end = context->stream.used;
   return true;
}

bool
vivgpu_timestamp_emit(struct vivgpu_context *context, struct vivgpu_query *query,
                      struct vivgpu_timestamp *timestamp)
{
   if (!vivgpu_query_at_last_point(context) && !vivgpu_query_emit_point(context))
      return false;
   vivgpu_timestamp_release(timestamp);
   *timestamp = context->time.last;
   vivgpu_bo_ref(timestamp->bo);
   query->job = context->time.job;
   return true;
}

static bool
vivgpu_query_time_begin(struct vivgpu_context *context, struct vivgpu_query *query)
{
   return vivgpu_timestamp_emit(context, query, &vivgpu_query_time_query(query)->begin);
}

static bool
vivgpu_query_time_end(struct vivgpu_context *context, struct vivgpu_query *query)
{
   return vivgpu_timestamp_emit(context, query, &vivgpu_query_time_query(query)->end);
}

/*
 * True if the time is written or never will be. It may be written before the job ends, but on
 * 32-bit CPUs the read of the 64-bit value is not atomic: there, wait for the job's end.
 */
static bool
vivgpu_query_time_is_available(const struct vivgpu_timestamp *timestamp)
{
   bool whole = sizeof(void *) >= sizeof(uint64_t);

   return (whole && p_atomic_read(&vivgpu_query_value_at(timestamp)->ns)) ||
          !vivgpu_bo_busy(timestamp->bo, false);
}

/*
 * Return the time of a point that is available (vivgpu_query_time_is_available()); TIMESTAMP_LOST
 * if it will never be written.
 */
static uint64_t
vivgpu_query_time_of(const struct vivgpu_timestamp *timestamp)
{
   uint64_t ns = timestamp->bo ? p_atomic_read(&vivgpu_query_value_at(timestamp)->ns) : 0;

   return ns ? ns : TIMESTAMP_LOST;
}

uint64_t
vivgpu_timestamp_cycles(const struct vivgpu_timestamp *from, const struct vivgpu_timestamp *to)
{
   if (!from->bo || !to->bo || vivgpu_query_time_of(from) == TIMESTAMP_LOST ||
       vivgpu_query_time_of(to) == TIMESTAMP_LOST)
      return 0;
   return vivgpu_query_value_at(to)->cycles - vivgpu_query_value_at(from)->cycles;
}

static bool
vivgpu_query_time_result(struct vivgpu_context *context, struct vivgpu_query *base, bool wait,
                         union pipe_query_result *out)
{
   struct time_query *query = vivgpu_query_time_query(base);
   bool elapsed = base->type == PIPE_QUERY_TIME_ELAPSED;
   uint64_t from, to;

   out->u64 = 0;
   if (!query->end.bo)
      return true;
   if (!vivgpu_query_time_is_available(&query->end)) {
      if (!wait)
         return false;
      vivgpu_bo_wait(query->end.bo, false);
   }
   from = elapsed ? vivgpu_query_time_of(&query->begin) : 0;
   to = vivgpu_query_time_of(&query->end);
   if (from != TIMESTAMP_LOST && to != TIMESTAMP_LOST)
      out->u64 = to - from;
   return true;
}

static void
vivgpu_query_time_destroy(struct vivgpu_context *context, struct vivgpu_query *base)
{
   vivgpu_timestamp_release(&vivgpu_query_time_query(base)->begin);
   vivgpu_timestamp_release(&vivgpu_query_time_query(base)->end);
   FREE(base);
}

static const struct vivgpu_query_funcs funcs = {
   .destroy = vivgpu_query_time_destroy,
   .begin = vivgpu_query_time_begin,
   .end = vivgpu_query_time_end,
   .result = vivgpu_query_time_result,
};

struct vivgpu_query *
vivgpu_time_create(struct vivgpu_context *context, unsigned type)
{
   struct time_query *query;

   if (!context->screen->kernel->max_points ||
       (type != PIPE_QUERY_TIME_ELAPSED && type != PIPE_QUERY_TIMESTAMP))
      return NULL;
   query = CALLOC_STRUCT(time_query);
   if (!query)
      return NULL;

   query->base.funcs = &funcs;
   query->base.type = type;
   query->base.job = VIVGPU_NO_JOB;
   return &query->base;
}

void
vivgpu_time_fini(struct vivgpu_context *context)
{
   vivgpu_timestamp_release(&context->time.last);
}

static uint64_t
vivgpu_get_timestamp(struct pipe_screen *pscreen)
{
   struct vivgpu_kernel *kernel = vivgpu_screen(pscreen)->kernel;

   return kernel->get_time(kernel);
}

void
vivgpu_time_screen_init(struct vivgpu_screen *screen)
{
   struct pipe_caps *caps = (struct pipe_caps *)&screen->base.caps;

   if (!screen->kernel->max_points)
      return;
   caps->query_time_elapsed = caps->query_timestamp = true;
   caps->timer_resolution = screen->kernel->timer_resolution_ns;
   screen->base.get_timestamp = vivgpu_get_timestamp;
}
