/* SPDX-License-Identifier: MIT */
/*
 * Pipeline statistics queries: the core's counts for jobs between begin and end, except for jobs in
 * which Mesa draws for itself. Pixel rectangles and bitmaps, which it draws as quads, have
 * fragments but neither vertices nor primitives: only the query of fragments counts the jobs that
 * draw them.
 */

#include "util/u_memory.h"
#include "vivgpu_context.h"
#include "vivgpu_query.h"

struct statistics_query {
   struct vivgpu_query base;
   struct vivgpu_acc_query acc;
   const struct vivgpu_counter_info *info;
};

static struct statistics_query *
vivgpu_query_statistics_query(struct vivgpu_query *query)
{
   return (struct statistics_query *)query;
}

static bool
vivgpu_query_statistics_begin(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct vivgpu_acc_query *acc = &vivgpu_query_statistics_query(query)->acc;

   if (acc->active)
      return false;
   vivgpu_acc_query_begin(context, acc);
   return true;
}

static bool
vivgpu_query_statistics_end(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct vivgpu_acc_query *acc = &vivgpu_query_statistics_query(query)->acc;

   if (!acc->active)
      return false;
   vivgpu_acc_query_end(context, acc);
   return true;
}

/* A job for whose counts memory was short is missing in the result: waiting cannot mend that. */
static bool
vivgpu_query_statistics_result(struct vivgpu_context *context, struct vivgpu_query *query,
                               bool wait, union pipe_query_result *out)
{
   struct statistics_query *statistics = vivgpu_query_statistics_query(query);

   if (!vivgpu_acc_query_collect(&statistics->acc, wait) && !wait)
      return false;
   out->u64 = vivgpu_counter_value(statistics->info, statistics->acc.sums).u64;
   return true;
}

static void
vivgpu_query_statistics_destroy(struct vivgpu_context *context, struct vivgpu_query *query)
{
   vivgpu_acc_query_fini(context, &vivgpu_query_statistics_query(query)->acc);
   FREE(query);
}

static const struct vivgpu_query_funcs funcs = {
   .destroy = vivgpu_query_statistics_destroy,
   .begin = vivgpu_query_statistics_begin,
   .end = vivgpu_query_statistics_end,
   .result = vivgpu_query_statistics_result,
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

   query->base.funcs = &funcs;
   query->base.type = PIPE_QUERY_PIPELINE_STATISTICS_SINGLE;
   query->base.job = VIVGPU_NO_JOB;
   query->info = info;
   vivgpu_acc_query_init(&query->acc, context,
                         index == PIPE_STAT_QUERY_PS_INVOCATIONS ? VIVGPU_SCOPE_APPLICATION
                                                                 : VIVGPU_SCOPE_PRIMITIVES);
   vivgpu_counter_sources(info, &query->acc.sources);
   vivgpu_acc_query_sources_added(&query->acc);
   return &query->base;
}
