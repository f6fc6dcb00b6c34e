/* SPDX-License-Identifier: MIT */
/*
 * Disjoint queries (GL_EXT_disjoint_timer_query): whether timestamps can be compared. They cannot
 * after a reset, which aborts jobs, a change of the core's clock, or a refused job.
 */

#include "util/u_memory.h"
#include "vivgpu_context.h"
#include "vivgpu_kernel.h"
#include "vivgpu_query.h"

#define NS_PER_SECOND UINT64_C(1000000000)

/* What makes times disjoint if it changes between begin and end */
struct condition {
   struct vivgpu_disjoint_state seen;
   /** A job was refused, or @seen cannot be read: times are not comparable from here on */
   bool lost;
};

struct disjoint_query {
   struct vivgpu_query base;
   struct condition begin, end;
};

static struct disjoint_query *
vivgpu_query_disjoint_query(struct vivgpu_query *query)
{
   return (struct disjoint_query *)query;
}

static struct condition
vivgpu_query_current_condition(const struct vivgpu_context *context)
{
   struct vivgpu_kernel *kernel = context->screen->kernel;
   struct condition condition = {0};

   condition.lost = !kernel->get_disjoint_state(kernel, &condition.seen) || context->lost;
   return condition;
}

static bool
vivgpu_query_disjoint_begin(struct vivgpu_context *context, struct vivgpu_query *query)
{
   vivgpu_query_disjoint_query(query)->begin = vivgpu_query_current_condition(context);
   return true;
}

static bool
vivgpu_query_disjoint_end(struct vivgpu_context *context, struct vivgpu_query *query)
{
   vivgpu_query_disjoint_query(query)->end = vivgpu_query_current_condition(context);
   return true;
}

static bool
vivgpu_query_disjoint_result(struct vivgpu_context *context, struct vivgpu_query *query, bool wait,
                             union pipe_query_result *out)
{
   const struct condition *from = &vivgpu_query_disjoint_query(query)->begin;
   const struct condition *to = &vivgpu_query_disjoint_query(query)->end;

   /*
    * @from->lost need not be tested: a lost context stays lost, and a state that could not be read
    * has a clock of 0, which differs.
    */
   out->timestamp_disjoint.frequency = NS_PER_SECOND;
   out->timestamp_disjoint.disjoint =
      from->seen.resets != to->seen.resets || from->seen.core_hz != to->seen.core_hz || to->lost;
   return true;
}

static void
vivgpu_query_disjoint_destroy(struct vivgpu_context *context, struct vivgpu_query *query)
{
   FREE(query);
}

static const struct vivgpu_query_funcs funcs = {
   .destroy = vivgpu_query_disjoint_destroy,
   .begin = vivgpu_query_disjoint_begin,
   .end = vivgpu_query_disjoint_end,
   .result = vivgpu_query_disjoint_result,
};

struct vivgpu_query *
vivgpu_disjoint_create(struct vivgpu_context *context, unsigned type)
{
   struct disjoint_query *query;

   if (!context->screen->kernel->max_points || type != PIPE_QUERY_TIMESTAMP_DISJOINT)
      return NULL;
   query = CALLOC_STRUCT(disjoint_query);
   if (!query)
      return NULL;

   query->base.funcs = &funcs;
   query->base.type = type;
   query->base.job = VIVGPU_NO_JOB;
   return &query->base;
}
