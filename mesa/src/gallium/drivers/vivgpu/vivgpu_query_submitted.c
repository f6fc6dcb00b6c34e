/* SPDX-License-Identifier: MIT */
/*
 * Queries of vertices and primitives submitted: counts the application's draws that are executed,
 * before they are converted or dropped because both faces are culled.
 */

#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "vivgpu_context.h"
#include "vivgpu_query.h"

struct submissions_query {
   struct vivgpu_query base;
   /** Count at begin; after the end, the result */
   uint64_t count;
   bool primitives, active;
};

static struct submissions_query *
vivgpu_query_submissions_query(struct vivgpu_query *query)
{
   return (struct submissions_query *)query;
}

/* Map the indices of a range for reading; NULL if they are not within the buffer. */
static const void *
vivgpu_query_map_indices(struct vivgpu_context *context, const struct pipe_draw_info *info,
                         const struct pipe_draw_start_count_bias *range,
                         struct pipe_transfer **transfer)
{
   uint64_t start = (uint64_t)range->start * info->index_size;
   uint64_t bytes = (uint64_t)range->count * info->index_size;

   *transfer = NULL;
   if (info->has_user_indices)
      return (const char *)info->index.user + start;
   if (!bytes || start + bytes > info->index.resource->width0)
      return NULL;
   return pipe_buffer_map_range(&context->base, info->index.resource, start, bytes, PIPE_MAP_READ,
                                transfer);
}

struct vivgpu_submitted
vivgpu_submitted_draws(struct vivgpu_context *context, const struct pipe_draw_info *info,
                       enum mesa_prim mode, const struct pipe_draw_start_count_bias *draws,
                       unsigned num_draws)
{
   struct vivgpu_submitted sum = {0};
   struct pipe_transfer *transfer;

   for (unsigned i = 0; i < num_draws; i++) {
      if (!info->index_size || !info->primitive_restart) {
         vivgpu_submitted_add(&sum, mode, draws[i].count, info->instance_count);
         continue;
      }

      const void *indices = vivgpu_query_map_indices(context, info, &draws[i], &transfer);

      if (indices)
         vivgpu_submitted_add_restarted(&sum, mode, indices, info->index_size, draws[i].count,
                                        info->restart_index, info->instance_count);
      if (transfer)
         pipe_buffer_unmap(&context->base, transfer);
   }
   return sum;
}

void
vivgpu_submissions_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                        const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   const struct vivgpu_shader_object *vs = context->program.bound[VIVGPU_VS];
   struct vivgpu_submitted sum;

   /* Pixel rectangles and bitmaps have no vertices, although Mesa draws them as quads. */
   if (!vs || vivgpu_shader_draws_pixels(vs))
      return;
   sum = vivgpu_submitted_draws(context, info, info->mode, draws, num_draws);
   context->submissions.vertices += sum.vertices;
   context->submissions.primitives += sum.primitives;
}

/* Return the count since @query->count. */
static uint64_t
vivgpu_query_counted(const struct vivgpu_context *context, const struct submissions_query *query)
{
   return (query->primitives ? context->submissions.primitives : context->submissions.vertices) -
          query->count;
}

static bool
vivgpu_query_submitted_begin(struct vivgpu_context *context, struct vivgpu_query *base)
{
   struct submissions_query *query = vivgpu_query_submissions_query(base);

   if (query->active)
      return false;
   /* With a count of 0 vivgpu_query_counted() returns the context's total. */
   query->count = 0;
   query->count = vivgpu_query_counted(context, query);
   query->active = true;
   context->submissions.active++;
   return true;
}

static bool
vivgpu_query_submitted_end(struct vivgpu_context *context, struct vivgpu_query *base)
{
   struct submissions_query *query = vivgpu_query_submissions_query(base);

   if (!query->active)
      return false;
   query->count = vivgpu_query_counted(context, query);
   query->active = false;
   context->submissions.active--;
   return true;
}

static bool
vivgpu_query_submitted_result(struct vivgpu_context *context, struct vivgpu_query *query, bool wait,
                              union pipe_query_result *out)
{
   out->u64 = vivgpu_query_submissions_query(query)->count;
   return true;
}

static void
vivgpu_query_submitted_destroy(struct vivgpu_context *context, struct vivgpu_query *query)
{
   vivgpu_query_submitted_end(context, query);
   FREE(query);
}

static const struct vivgpu_query_funcs funcs = {
   .destroy = vivgpu_query_submitted_destroy,
   .begin = vivgpu_query_submitted_begin,
   .end = vivgpu_query_submitted_end,
   .result = vivgpu_query_submitted_result,
};

struct vivgpu_query *
vivgpu_submissions_create(unsigned index)
{
   struct submissions_query *query;

   if (index != PIPE_STAT_QUERY_IA_VERTICES && index != PIPE_STAT_QUERY_IA_PRIMITIVES)
      return NULL;
   query = CALLOC_STRUCT(submissions_query);
   if (!query)
      return NULL;

   query->base.funcs = &funcs;
   query->base.type = PIPE_QUERY_PIPELINE_STATISTICS_SINGLE;
   query->base.job = VIVGPU_NO_JOB;
   query->primitives = index == PIPE_STAT_QUERY_IA_PRIMITIVES;
   return &query->base;
}
