/* SPDX-License-Identifier: MIT */
/*
 * Occlusion queries. The core counts samples that pass and writes the number at
 * the end; since it keeps nothing from one job to the next, each job's part gets
 * a number of its own.
 */

#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/u_memory.h"
#include "util/u_threaded_context.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"

/* Numbers a query's buffer has room for; when they are used up, they are added up. */
#define MOST_PARTS 512

/* Any value ends a count. */
#define END_OF_COUNT 0x1df5e76

/* Words that starting or ending a count takes at most. */
#define COUNT_WORDS 4

struct pipe_query {
   struct threaded_query base;
   struct list_head link;
   unsigned type;
   struct vivgpu_bo *bo;
   unsigned parts;
   /** What was read from the buffer already */
   uint64_t sum;
   bool active;
};

static bool
is_occlusion(unsigned type)
{
   return type == PIPE_QUERY_OCCLUSION_COUNTER || type == PIPE_QUERY_OCCLUSION_PREDICATE ||
          type == PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE;
}

static struct pipe_query *
vivgpu_create_query(struct pipe_context *pcontext, unsigned type, unsigned index)
{
   struct pipe_query *query;

   if (!is_occlusion(type))
      return NULL;
   query = CALLOC_STRUCT(pipe_query);
   if (query)
      query->type = type;
   return query;
}

static void
vivgpu_destroy_query(struct pipe_context *pcontext, struct pipe_query *query)
{
   if (query->active)
      list_del(&query->link);
   vivgpu_bo_unref(query->bo);
   FREE(query);
}

/* Add up what the GPU wrote. */
static void
collect(struct pipe_query *query)
{
   const uint64_t *numbers = vivgpu_bo_map(query->bo);

   for (unsigned i = 0; numbers && i < query->parts; i++)
      query->sum += numbers[i];
   query->parts = 0;
}

static void
start(struct vivgpu_context *context, struct pipe_query *query)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_pack(&pack, VIVS_GL_OCCLUSION_QUERY_ADDR,
               vivgpu_stream_use(&context->stream, query->bo, query->parts * sizeof(uint64_t),
                                 VIVGPU_WRITE));
   vivgpu_stream_end(&context->stream, &pack);
}

static void
stop(struct vivgpu_context *context, struct pipe_query *query)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_pack(&pack, VIVS_GL_OCCLUSION_QUERY_CONTROL, END_OF_COUNT);
   vivgpu_stream_end(&context->stream, &pack);
   query->parts++;
}

/* At the end of a job, which has room for it: see vivgpu_context_reserve(). */
void
vivgpu_query_pause(struct vivgpu_context *context)
{
   list_for_each_entry (struct pipe_query, query, &context->active_queries, link)
      stop(context, query);
}

/* At the beginning of the next. */
void
vivgpu_query_resume(struct vivgpu_context *context)
{
   list_for_each_entry (struct pipe_query, query, &context->active_queries, link) {
      if (query->parts == MOST_PARTS && vivgpu_bo_wait(query->bo, true))
         collect(query);
      start(context, query);
   }
}

static bool
vivgpu_begin_query(struct pipe_context *pcontext, struct pipe_query *query)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   if (!vivgpu_context_reserve(context, COUNT_WORDS))
      return false;
   vivgpu_bo_unref(query->bo);
   query->bo = vivgpu_bo_create(context->screen->dev, MOST_PARTS * sizeof(uint64_t));
   if (!query->bo)
      return false;
   query->parts = 0;
   query->sum = 0;
   query->active = true;
   start(context, query);
   list_addtail(&query->link, &context->active_queries);
   return true;
}

static bool
vivgpu_end_query(struct pipe_context *pcontext, struct pipe_query *query)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   if (!query->active)
      return false;
   if (!vivgpu_context_reserve(context, COUNT_WORDS))
      return false;
   stop(context, query);
   list_del(&query->link);
   query->active = false;
   return true;
}

static bool
vivgpu_get_query_result(struct pipe_context *pcontext, struct pipe_query *query, bool wait,
                        union pipe_query_result *result)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   if (!query->bo)
      return false;
   /* Asking must make it come, sooner or later. */
   if (vivgpu_context_uses(context, query->bo, false))
      vivgpu_context_submit(context);
   if (!wait && vivgpu_bo_busy(query->bo, false))
      return false;
   if (!vivgpu_bo_wait(query->bo, false))
      return false;

   collect(query);
   if (query->type == PIPE_QUERY_OCCLUSION_COUNTER)
      result->u64 = query->sum;
   else
      result->b = query->sum != 0;
   return true;
}

/* Mesa's own draws (copies, mipmaps) don't count. */
static void
vivgpu_set_active_query_state(struct pipe_context *pcontext, bool enable)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   if (list_is_empty(&context->active_queries) || !vivgpu_context_reserve(context, COUNT_WORDS))
      return;
   if (enable && context->queries_paused)
      vivgpu_query_resume(context);
   else if (!enable && !context->queries_paused)
      vivgpu_query_pause(context);
   context->queries_paused = !enable;
}

static void
vivgpu_render_condition(struct pipe_context *pcontext, struct pipe_query *query, bool value,
                        enum pipe_render_cond_flag mode)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   context->condition = query;
   context->condition_value = value;
   context->condition_mode = mode;
}

bool
vivgpu_context_condition(struct vivgpu_context *context)
{
   bool wait = context->condition_mode == PIPE_RENDER_COND_WAIT ||
               context->condition_mode == PIPE_RENDER_COND_BY_REGION_WAIT;
   union pipe_query_result result = {0};
   struct pipe_query *query = context->condition;
   bool passed;

   if (!query || !vivgpu_get_query_result(&context->base, query, wait, &result))
      return true;
   passed = query->type == PIPE_QUERY_OCCLUSION_COUNTER ? result.u64 != 0 : result.b;
   return passed != context->condition_value;
}

void
vivgpu_query_init(struct pipe_context *context)
{
   list_inithead(&vivgpu_context(context)->active_queries);
   context->create_query = vivgpu_create_query;
   context->destroy_query = vivgpu_destroy_query;
   context->begin_query = vivgpu_begin_query;
   context->end_query = vivgpu_end_query;
   context->get_query_result = vivgpu_get_query_result;
   context->set_active_query_state = vivgpu_set_active_query_state;
   context->render_condition = vivgpu_render_condition;
}
