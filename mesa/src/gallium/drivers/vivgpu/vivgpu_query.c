/* SPDX-License-Identifier: MIT */
/*
 * Dispatches Gallium's query functions to the types of queries. Conditional rendering is decided by
 * the CPU, since the core has no predicate.
 */

#include "vivgpu_query.h"

#include "util/u_atomic.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_sample_counter.h"

/* Each returns NULL if the type is not its own. */
static struct vivgpu_query *(*const constructors[])(struct vivgpu_context *, unsigned) = {
   vivgpu_occlusion_create,
   vivgpu_time_create,
   vivgpu_disjoint_create,
};

static struct pipe_query *
vivgpu_create_query(struct pipe_context *pcontext, unsigned type, unsigned index)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   struct vivgpu_query *query = NULL;

   if (type >= PIPE_QUERY_DRIVER_SPECIFIC + context->screen->perfmon.num_offered) {
      unsigned number = type - PIPE_QUERY_DRIVER_SPECIFIC - context->screen->perfmon.num_offered;

      return number < vivgpu_groups_queries(context->screen)
                ? (struct pipe_query *)vivgpu_groups_create(number)
                : NULL;
   }
   if (type >= PIPE_QUERY_DRIVER_SPECIFIC)
      return (struct pipe_query *)vivgpu_perfmon_create(context, 1, &type);
   if (type == PIPE_QUERY_PIPELINE_STATISTICS_SINGLE) {
      query = vivgpu_submissions_create(index);
      return (struct pipe_query *)(query ? query : vivgpu_statistics_create(context, index));
   }
   for (unsigned i = 0; i < ARRAY_SIZE(constructors) && !query; i++)
      query = constructors[i](context, type);
   return (struct pipe_query *)query;
}

static struct pipe_query *
vivgpu_create_batch_query(struct pipe_context *context, unsigned num, unsigned *types)
{
   return (struct pipe_query *)vivgpu_perfmon_create(vivgpu_context(context), num, types);
}

static void
vivgpu_destroy_query(struct pipe_context *context, struct pipe_query *query)
{
   vivgpu_query(query)->funcs->destroy(vivgpu_context(context), vivgpu_query(query));
}

static bool
vivgpu_begin_query(struct pipe_context *pcontext, struct pipe_query *pquery)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_query *query = vivgpu_query(pquery);
   bool begun;

   if (!query->funcs->begin)
      return false;
   if (unlikely(context->monitor))
      vivgpu_monitor_open_query(context, query->type, false);
   begun = query->funcs->begin(context, query);
   if (unlikely(context->monitor))
      vivgpu_monitor_close(context, true);
   return begun;
}

static bool
vivgpu_end_query(struct pipe_context *pcontext, struct pipe_query *pquery)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_query *query = vivgpu_query(pquery);
   bool ended;

   if (unlikely(context->monitor))
      vivgpu_monitor_open_query(context, query->type, true);
   ended = query->funcs->end(context, query);
   if (unlikely(context->monitor))
      vivgpu_monitor_close(context, true);
   return ended;
}

/*
 * True if the result depends on the job being written. Flushed queries do not: they may be polled
 * while another thread writes the job.
 */
static bool
vivgpu_query_unsubmitted(const struct vivgpu_context *context, const struct vivgpu_query *query)
{
   return !p_atomic_read(&query->base.flushed) && query->job == context->stream.jobs;
}

static bool
vivgpu_get_query_result(struct pipe_context *pcontext, struct pipe_query *pquery, bool wait,
                        union pipe_query_result *result)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_query *query = vivgpu_query(pquery);

   /* ARB_occlusion_query: polling must make the result available in finite time, so submit. */
   if (vivgpu_query_unsubmitted(context, query))
      vivgpu_job_submit(context, VIVGPU_GROUP_QUERY);
   return query->funcs->result(context, query, wait, result);
}

/*
 * Mesa's own draws (copies, mipmaps) are not counted: pipeline statistics leave out jobs with them,
 * so a change ends the job, and the sample count stops. No count is started while it is paused.
 */
static void
vivgpu_set_active_query_state(struct pipe_context *pcontext, bool enable)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   if (context->occlusion.paused == enable)
      vivgpu_acc_query_split_job(context);
   /* Even for 0 words this keeps VIVGPU_END_WORDS free, of which the stop takes some. */
   if (!enable && vivgpu_job_reserve(context, 0))
      vivgpu_sample_counter_stop(context);
   context->occlusion.paused = !enable;
}

static void
vivgpu_render_condition(struct pipe_context *pcontext, struct pipe_query *query, bool value,
                        enum pipe_render_cond_flag mode)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   context->condition.query = query ? vivgpu_query(query) : NULL;
   context->condition.value = value;
   context->condition.mode = mode;
}

/* The caller, vivgpu_context_condition(), has made sure that there is a query. */
bool
vivgpu_query_condition(struct vivgpu_context *context)
{
   bool wait = context->condition.mode == PIPE_RENDER_COND_WAIT ||
               context->condition.mode == PIPE_RENDER_COND_BY_REGION_WAIT;
   struct vivgpu_query *query = context->condition.query;
   union pipe_query_result result = {0};
   bool passed;

   /* Without waiting, draw if the result is not available, and do not submit for it. */
   if (vivgpu_query_unsubmitted(context, query)) {
      if (!wait)
         return true;
      vivgpu_job_submit(context, VIVGPU_GROUP_QUERY);
   }
   if (!query->funcs->result(context, query, wait, &result))
      return true;
   passed = query->type == PIPE_QUERY_OCCLUSION_COUNTER ? result.u64 != 0 : result.b;
   return passed != context->condition.value;
}

void
vivgpu_query_init(struct pipe_context *context)
{
   vivgpu_occlusion_init(vivgpu_context(context));
   vivgpu_acc_queries_init(vivgpu_context(context));
   context->create_batch_query = vivgpu_create_batch_query;
   context->create_query = vivgpu_create_query;
   context->destroy_query = vivgpu_destroy_query;
   context->begin_query = vivgpu_begin_query;
   context->end_query = vivgpu_end_query;
   context->get_query_result = vivgpu_get_query_result;
   context->set_active_query_state = vivgpu_set_active_query_state;
   context->render_condition = vivgpu_render_condition;
}

void
vivgpu_query_fini(struct vivgpu_context *context)
{
   vivgpu_acc_queries_fini(context);
   vivgpu_occlusion_fini(context);
   vivgpu_time_fini(context);
}
