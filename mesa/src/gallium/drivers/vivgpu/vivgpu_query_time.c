/* SPDX-License-Identifier: MIT */
/*
 * Queries of time. A query leaves a timestamp point in the stream, into which the
 * kernel writes the time when the GPU is through with everything before it: no
 * submit, no waiting. Points one after the other, with nothing between them, are
 * one point. Times are CLOCK_MONOTONIC in ns, as of glGetInteger64v(GL_TIMESTAMP).
 */

#include "util/u_memory.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"
#include "vivgpu_kernel.h"
#include "vivgpu_query.h"

/* What the kernel writes at a point. */
struct written {
   uint64_t ns, cycles;
};

/* The value that the kernel writes for a point that was lost in a reset. */
#define LOST UINT64_MAX

struct time_query {
   struct vivgpu_query base;
   struct vivgpu_stamp begin, end;
};

static struct time_query *
time_query(struct vivgpu_query *query)
{
   return (struct time_query *)query;
}

void
vivgpu_stamp_forget(struct vivgpu_stamp *stamp)
{
   vivgpu_bo_unref(stamp->bo);
   stamp->bo = NULL;
}

static struct written *
written_at(const struct vivgpu_stamp *stamp)
{
   return (struct written *)vivgpu_bo_map(stamp->bo) + stamp->index;
}

/*
 * A place for the next point. Each job has a buffer of its own, so that nobody
 * waits for later ones.
 */
static bool
next_place(struct vivgpu_context *context)
{
   struct vivgpu_time *time = &context->time;

   if (time->last.bo && time->job == context->stream.jobs) {
      time->last.index++;
   } else {
      vivgpu_stamp_forget(&time->last);
      time->last.bo = vivgpu_bo_create(context->screen->kernel,
                                       context->screen->kernel->most_points * sizeof(struct written));
      time->last.index = 0;
      time->job = context->stream.jobs;
   }
   if (!time->last.bo || !vivgpu_bo_map(time->last.bo))
      return false;
   *written_at(&time->last) = (struct written){0};
   return true;
}

/* Is the last point at the end of what was written so far? */
static bool
at_last_point(const struct vivgpu_context *context)
{
   return context->time.last.bo && context->time.job == context->stream.jobs &&
          context->time.end == context->stream.used;
}

/* Leave a point here, in the next job if this one has as many as the kernel takes. */
static bool
put_point(struct vivgpu_context *context)
{
   struct vivgpu_time *time = &context->time;

   if (context->stream.num_points == context->screen->kernel->most_points)
      vivgpu_context_submit(context);
   if (!vivgpu_context_reserve(context, VIVGPU_POINT_WORDS) || !next_place(context))
      return false;
   vivgpu_stream_point(&context->stream, time->last.bo, time->last.index * sizeof(struct written));
   time->end = context->stream.used;
   return true;
}

bool
vivgpu_stamp_put(struct vivgpu_context *context, struct vivgpu_query *query,
                 struct vivgpu_stamp *stamp)
{
   if (!at_last_point(context) && !put_point(context))
      return false;
   vivgpu_stamp_forget(stamp);
   *stamp = context->time.last;
   vivgpu_bo_ref(stamp->bo);
   query->job = context->time.job;
   return true;
}

static bool
begin(struct vivgpu_context *context, struct vivgpu_query *query)
{
   return vivgpu_stamp_put(context, query, &time_query(query)->begin);
}

static bool
end(struct vivgpu_context *context, struct vivgpu_query *query)
{
   return vivgpu_stamp_put(context, query, &time_query(query)->end);
}

/*
 * Was the time written, or will it never be? It is there before the job ends; but
 * a processor of 32 bits might see a half of it, and asks for the job's end.
 */
static bool
arrived(const struct vivgpu_stamp *stamp)
{
   bool whole = sizeof(void *) >= sizeof(uint64_t);

   return (whole && p_atomic_read(&written_at(stamp)->ns)) || !vivgpu_bo_busy(stamp->bo, false);
}

/* A time that was written; LOST for one that never will be. */
static uint64_t
time_of(const struct vivgpu_stamp *stamp)
{
   uint64_t ns = stamp->bo ? p_atomic_read(&written_at(stamp)->ns) : 0;

   return ns ? ns : LOST;
}

uint64_t
vivgpu_stamp_cycles(const struct vivgpu_stamp *from, const struct vivgpu_stamp *to)
{
   if (!from->bo || !to->bo || time_of(from) == LOST || time_of(to) == LOST)
      return 0;
   return written_at(to)->cycles - written_at(from)->cycles;
}

static bool
result(struct vivgpu_context *context, struct vivgpu_query *base, bool wait,
       union pipe_query_result *out)
{
   struct time_query *query = time_query(base);
   bool elapsed = base->type == PIPE_QUERY_TIME_ELAPSED;
   uint64_t from, to;

   out->u64 = 0;
   if (!query->end.bo)
      return true;
   if (!arrived(&query->end)) {
      if (!wait)
         return false;
      vivgpu_bo_wait(query->end.bo, false);
   }
   from = elapsed ? time_of(&query->begin) : 0;
   to = time_of(&query->end);
   if (from != LOST && to != LOST)
      out->u64 = to - from;
   return true;
}

static void
destroy(struct vivgpu_context *context, struct vivgpu_query *base)
{
   vivgpu_stamp_forget(&time_query(base)->begin);
   vivgpu_stamp_forget(&time_query(base)->end);
   FREE(base);
}

static const struct vivgpu_query_kind kind = {
   .destroy = destroy,
   .begin = begin,
   .end = end,
   .result = result,
};

struct vivgpu_query *
vivgpu_time_create(struct vivgpu_context *context, unsigned type)
{
   struct time_query *query;

   if (!context->screen->kernel->most_points ||
       (type != PIPE_QUERY_TIME_ELAPSED && type != PIPE_QUERY_TIMESTAMP))
      return NULL;
   query = CALLOC_STRUCT(time_query);
   if (!query)
      return NULL;

   query->base.kind = &kind;
   query->base.type = type;
   query->base.job = VIVGPU_NO_JOB;
   return &query->base;
}

void
vivgpu_time_fini(struct vivgpu_context *context)
{
   vivgpu_stamp_forget(&context->time.last);
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

   if (!screen->kernel->most_points)
      return;
   caps->query_time_elapsed = caps->query_timestamp = true;
   caps->timer_resolution = screen->kernel->time_quantum_ns;
   screen->base.get_timestamp = vivgpu_get_timestamp;
}
