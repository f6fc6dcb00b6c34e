/* SPDX-License-Identifier: MIT */
/*
 * Queries of pipeline statistics: what the core counts in the jobs between the
 * beginning and the end of a query, but for those in which Mesa draws for itself.
 */

#include "util/u_memory.h"
#include "vivgpu_context.h"
#include "vivgpu_query.h"

struct statistics_query {
   struct vivgpu_query base;
   struct vivgpu_counting counting;
   const struct vivgpu_counter_info *info;
};

static struct statistics_query *
statistics_query(struct vivgpu_query *query)
{
   return (struct statistics_query *)query;
}

static bool
begin(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct vivgpu_counting *counting = &statistics_query(query)->counting;

   if (counting->active)
      return false;
   vivgpu_counting_begin(context, counting);
   return true;
}

static bool
end(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct vivgpu_counting *counting = &statistics_query(query)->counting;

   if (!counting->active)
      return false;
   vivgpu_counting_end(context, counting);
   return true;
}

/* Who waits gets what there is: a job that there was no memory to count is left out. */
static bool
result(struct vivgpu_context *context, struct vivgpu_query *query, bool wait,
       union pipe_query_result *out)
{
   struct statistics_query *statistics = statistics_query(query);

   if (!vivgpu_counting_collect(&statistics->counting, wait) && !wait)
      return false;
   out->u64 = vivgpu_counter_value(statistics->info, statistics->counting.sums).u64;
   return true;
}

static void
destroy(struct vivgpu_context *context, struct vivgpu_query *query)
{
   vivgpu_counting_fini(context, &statistics_query(query)->counting);
   FREE(query);
}

static const struct vivgpu_query_kind kind = {
   .destroy = destroy,
   .begin = begin,
   .end = end,
   .result = result,
};

struct vivgpu_query *
vivgpu_statistics_create(struct vivgpu_context *context, unsigned index)
{
   const struct vivgpu_counter_info *info = vivgpu_statistic(index);
   struct statistics_query *query;

   if (!info)
      return NULL;
   query = CALLOC_STRUCT(statistics_query);
   if (!query)
      return NULL;

   query->base.kind = &kind;
   query->base.type = PIPE_QUERY_PIPELINE_STATISTICS_SINGLE;
   query->base.job = VIVGPU_NO_JOB;
   query->info = info;
   vivgpu_counting_init(&query->counting, context,
                        index == PIPE_STAT_QUERY_PS_INVOCATIONS ? VIVGPU_SCOPE_APPLICATION
                                                                : VIVGPU_SCOPE_PRIMITIVES);
   vivgpu_counter_sources(info, &query->counting.sources);
   vivgpu_counting_ready(&query->counting);
   return &query->base;
}
