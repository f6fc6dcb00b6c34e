/* SPDX-License-Identifier: MIT */

#include "vivgpu_acc_query.h"

#include <string.h>

#include "vivgpu_bo.h"
#include "vivgpu_job.h"

void
vivgpu_acc_queries_init(struct vivgpu_context *context)
{
   list_inithead(&context->acc_queries.active);
}

void
vivgpu_acc_queries_fini(struct vivgpu_context *context)
{
   vivgpu_bo_unref(context->acc_queries.last);
}

void
vivgpu_acc_query_init(struct vivgpu_acc_query *query, struct vivgpu_context *context,
                      enum vivgpu_scope scope)
{
   query->screen = &context->screen->perfmon;
   query->scope = scope;
   list_inithead(&query->chunks);
}

void
vivgpu_acc_query_sources_added(struct vivgpu_acc_query *query)
{
   query->num_signals = vivgpu_sources_signals(&query->sources);
}

static void
vivgpu_acc_deactivate(struct vivgpu_context *context, struct vivgpu_acc_query *query)
{
   list_del(&query->link);
   context->acc_queries.num_scoped -= vivgpu_acc_query_is_scoped(query);
   query->active = false;
}

void
vivgpu_acc_query_fini(struct vivgpu_context *context, struct vivgpu_acc_query *query)
{
   if (query->active)
      vivgpu_acc_deactivate(context, query);
   vivgpu_acc_query_release_counts(query);
}

void
vivgpu_acc_query_begin(struct vivgpu_context *context, struct vivgpu_acc_query *query)
{
   struct vivgpu_acc_queries *all = &context->acc_queries;

   /* End the job being written, so that earlier draws are not counted. */
   if (query->num_signals)
      vivgpu_job_submit(context, VIVGPU_GROUP_QUERY);
   vivgpu_acc_query_release_counts(query);
   memcpy(query->sums, all->counts, sizeof(query->sums));
   list_addtail(&query->link, &all->active);
   all->num_scoped += vivgpu_acc_query_is_scoped(query);
   query->failed = false;
   query->active = true;
}

void
vivgpu_acc_query_end(struct vivgpu_context *context, struct vivgpu_acc_query *query)
{
   if (query->num_signals)
      vivgpu_job_submit(context, VIVGPU_GROUP_QUERY);
   /*
    * GL_ARB_pipeline_statistics_query: results become available in the order of the queries. A
    * query without draws waits for the last job of the queries before it.
    */
   if (vivgpu_acc_query_is_scoped(query) && list_is_empty(&query->chunks) &&
       context->acc_queries.last)
      query->previous = vivgpu_bo_ref(context->acc_queries.last);
   vivgpu_acc_deactivate(context, query);
   for (unsigned i = VIVGPU_FIRST_SOFTWARE; i < VIVGPU_NUM_SOURCES; i++)
      query->sums[i] = context->acc_queries.counts[i] - query->sums[i];
}

void
vivgpu_acc_query_split_job(struct vivgpu_context *context)
{
   if (context->acc_queries.num_scoped)
      vivgpu_job_submit(context, VIVGPU_GROUP_QUERY);
}

void
vivgpu_acc_query_before_draw(struct vivgpu_context *context)
{
   struct vivgpu_acc_queries *all = &context->acc_queries;
   bool pixels;

   if (!all->num_scoped || !context->program.bound[VIVGPU_VS])
      return;
   pixels = vivgpu_shader_draws_pixels(context->program.bound[VIVGPU_VS]);
   if (pixels != all->pixels)
      vivgpu_job_submit(context, VIVGPU_GROUP_QUERY);
   all->pixels = pixels;
}
