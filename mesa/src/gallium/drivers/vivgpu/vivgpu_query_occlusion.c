/* SPDX-License-Identifier: MIT */
/*
 * Occlusion queries. The core has one counter of passed samples and does not keep it from one job
 * to the next. So samples are counted in parts, which end with the job and whenever a query begins
 * or ends. A query is the sum of its parts; queries that overlap share parts.
 */

#include "util/u_dynarray.h"
#include "util/u_memory.h"
#include "vivgpu_bo.h"
#include "vivgpu_job.h"
#include "vivgpu_query.h"
#include "vivgpu_sample_counter.h"

/* An active query with this number of ranges adds up those whose jobs have ended. */
#define MAX_PENDING_RANGES 32

/* Consecutive parts in one job */
struct range {
   struct vivgpu_bo *bo;
   unsigned first, count;
};

struct occlusion_query {
   struct vivgpu_query base;
   struct list_head link;
   bool active;
   struct util_dynarray ranges;
   /** Sum of the ranges that were added up and removed from @ranges */
   uint64_t sum;
};

static struct occlusion_query *
vivgpu_query_occlusion_query(struct vivgpu_query *query)
{
   return (struct occlusion_query *)query;
}

static uint64_t
vivgpu_query_sum_of(const struct range *range)
{
   const uint64_t *numbers = vivgpu_bo_map(range->bo);
   uint64_t sum = 0;

   for (unsigned i = 0; numbers && i < range->count; i++)
      sum += numbers[range->first + i];
   return sum;
}

static void
vivgpu_query_release_ranges(struct occlusion_query *query)
{
   util_dynarray_foreach (&query->ranges, struct range, range)
      vivgpu_bo_unref(range->bo);
   util_dynarray_clear(&query->ranges);
   query->sum = 0;
}

/* Move the oldest ranges, whose jobs have ended, to the query's sum. */
static void
vivgpu_query_accumulate_finished(struct occlusion_query *query)
{
   struct range *ranges = util_dynarray_begin(&query->ranges);
   unsigned count = util_dynarray_num_elements(&query->ranges, struct range), done = 0;

   while (done < count && !vivgpu_bo_busy(ranges[done].bo, false)) {
      query->sum += vivgpu_query_sum_of(&ranges[done]);
      vivgpu_bo_unref(ranges[done].bo);
      done++;
   }
   memmove(ranges, ranges + done, (count - done) * sizeof(*ranges));
   query->ranges.size -= done * sizeof(*ranges);
}

/* Add the part that begins now to the query: entry @occlusion->parts of the buffer. */
static void
vivgpu_query_add_part(const struct vivgpu_occlusion *occlusion, struct occlusion_query *query)
{
   struct range *last = NULL;

   if (query->ranges.size)
      last = util_dynarray_top_ptr(&query->ranges, struct range);
   query->base.job = occlusion->job;
   if (last && last->bo == occlusion->bo && last->first + last->count == occlusion->parts) {
      last->count++;
      return;
   }

   struct range range = {vivgpu_bo_ref(occlusion->bo), occlusion->parts, 1};

   if (util_dynarray_num_elements(&query->ranges, struct range) >= MAX_PENDING_RANGES)
      vivgpu_query_accumulate_finished(query);
   util_dynarray_append(&query->ranges, struct range, range);
}

void
vivgpu_occlusion_resume(struct vivgpu_context *context)
{
   struct vivgpu_occlusion *occlusion = &context->occlusion;

   if (occlusion->counting || occlusion->paused || list_is_empty(&occlusion->active) ||
       !vivgpu_sample_counter_start(context))
      return;
   list_for_each_entry (struct occlusion_query, query, &occlusion->active, link)
      vivgpu_query_add_part(occlusion, query);
}

/*
 * Add a query to the active ones or remove it, which ends the current part. The next draw begins
 * another one (vivgpu_occlusion_resume()).
 */
static void
vivgpu_query_change_active(struct vivgpu_context *context, struct occlusion_query *query,
                           bool active)
{
   /* Even for 0 words this keeps VIVGPU_END_WORDS free, of which the stop takes some. */
   vivgpu_job_reserve(context, 0);
   vivgpu_sample_counter_stop(context);
   if (active)
      list_addtail(&query->link, &context->occlusion.active);
   else
      list_del(&query->link);
   query->active = active;
}

static bool
vivgpu_query_occlusion_begin(struct vivgpu_context *context, struct vivgpu_query *base)
{
   struct occlusion_query *query = vivgpu_query_occlusion_query(base);

   if (query->active)
      return false;
   vivgpu_query_release_ranges(query);
   query->base.job = VIVGPU_NO_JOB;
   vivgpu_query_change_active(context, query, true);
   return true;
}

/*
 * GL_ARB_occlusion_query: results become available in the order of the queries. So a query without
 * draws gets an empty range of the last job with a query, and becomes available with that job.
 */
static void
vivgpu_query_end_empty(struct vivgpu_context *context, struct occlusion_query *query)
{
   struct range range = {.bo = context->occlusion.bo};

   if (!range.bo)
      return;
   vivgpu_bo_ref(range.bo);
   util_dynarray_append(&query->ranges, struct range, range);
   query->base.job = context->occlusion.job;
}

static bool
vivgpu_query_occlusion_end(struct vivgpu_context *context, struct vivgpu_query *base)
{
   struct occlusion_query *query = vivgpu_query_occlusion_query(base);

   if (!query->active)
      return false;
   vivgpu_query_change_active(context, query, false);
   if (!query->ranges.size)
      vivgpu_query_end_empty(context, query);
   return true;
}

/* Jobs of a queue end in order: all are finished if the last one is. */
static bool
vivgpu_query_occlusion_is_available(const struct occlusion_query *query, bool wait)
{
   struct vivgpu_bo *bo;

   if (!query->ranges.size)
      return true;
   bo = util_dynarray_top_ptr(&query->ranges, struct range)->bo;
   if (wait)
      vivgpu_bo_wait(bo, false);
   return wait || !vivgpu_bo_busy(bo, false);
}

static bool
vivgpu_query_occlusion_result(struct vivgpu_context *context, struct vivgpu_query *base, bool wait,
                              union pipe_query_result *out)
{
   struct occlusion_query *query = vivgpu_query_occlusion_query(base);
   uint64_t sum = query->sum;

   if (!vivgpu_query_occlusion_is_available(query, wait))
      return false;

   util_dynarray_foreach (&query->ranges, struct range, range)
      sum += vivgpu_query_sum_of(range);
   if (query->base.type == PIPE_QUERY_OCCLUSION_COUNTER)
      out->u64 = sum;
   else
      out->b = sum != 0;
   return true;
}

static void
vivgpu_query_occlusion_destroy(struct vivgpu_context *context, struct vivgpu_query *base)
{
   struct occlusion_query *query = vivgpu_query_occlusion_query(base);

   if (query->active)
      vivgpu_query_change_active(context, query, false);
   vivgpu_query_release_ranges(query);
   util_dynarray_fini(&query->ranges);
   FREE(query);
}

static const struct vivgpu_query_funcs funcs = {
   .destroy = vivgpu_query_occlusion_destroy,
   .begin = vivgpu_query_occlusion_begin,
   .end = vivgpu_query_occlusion_end,
   .result = vivgpu_query_occlusion_result,
};

struct vivgpu_query *
vivgpu_occlusion_create(struct vivgpu_context *context, unsigned type)
{
   struct occlusion_query *query;

   if (type != PIPE_QUERY_OCCLUSION_COUNTER && type != PIPE_QUERY_OCCLUSION_PREDICATE &&
       type != PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE)
      return NULL;
   query = CALLOC_STRUCT(occlusion_query);
   if (!query)
      return NULL;

   query->base.funcs = &funcs;
   query->base.type = type;
   query->base.job = VIVGPU_NO_JOB;
   util_dynarray_init(&query->ranges, NULL);
   return &query->base;
}

void
vivgpu_occlusion_init(struct vivgpu_context *context)
{
   list_inithead(&context->occlusion.active);
}

void
vivgpu_occlusion_fini(struct vivgpu_context *context)
{
   vivgpu_bo_unref(context->occlusion.bo);
}
