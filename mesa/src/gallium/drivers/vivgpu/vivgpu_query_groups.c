/* SPDX-License-Identifier: MIT */
/*
 * Command groups that ended between begin and end of the query, and the time in which the core ran
 * them: for GALLIUM_HUD. Both are the kernel's totals of this client (DRM_IOCTL_VIVGPU_USAGE), so
 * the command monitor need not be on, and no job is split or waited for.
 */

#include "util/u_memory.h"
#include "vivgpu_context.h"
#include "vivgpu_kernel.h"
#include "vivgpu_query.h"

struct groups_query {
   struct vivgpu_query base;
   /** Entry 1 of infos: the time; otherwise the number of groups */
   bool time;
   /** Total at begin; after the end, the difference */
   uint64_t value;
};

static struct groups_query *
vivgpu_query_groups_query(struct vivgpu_query *query)
{
   return (struct groups_query *)query;
}

/* Groups (jobs with commands) or ns so far; false if the device is gone. */
static bool
vivgpu_query_total(struct vivgpu_context *context, const struct groups_query *query,
                   uint64_t *value)
{
   struct vivgpu_kernel *kernel = context->screen->kernel;
   struct drm_vivgpu_usage usage = {0};

   if (!kernel->usage(kernel, &usage))
      return false;
   *value = query->time ? usage.engine_ns : usage.finished - usage.events;
   return true;
}

static void
vivgpu_query_groups_destroy(struct vivgpu_context *context, struct vivgpu_query *query)
{
   FREE(query);
}

static bool
vivgpu_query_groups_begin(struct vivgpu_context *context, struct vivgpu_query *query)
{
   return vivgpu_query_total(context, vivgpu_query_groups_query(query),
                             &vivgpu_query_groups_query(query)->value);
}

static bool
vivgpu_query_groups_end(struct vivgpu_context *context, struct vivgpu_query *query)
{
   struct groups_query *groups = vivgpu_query_groups_query(query);
   uint64_t now;

   if (!vivgpu_query_total(context, groups, &now))
      return false;
   groups->value = now - groups->value;
   return true;
}

static bool
vivgpu_query_groups_result(struct vivgpu_context *context, struct vivgpu_query *query, bool wait,
                           union pipe_query_result *out)
{
   const struct groups_query *groups = vivgpu_query_groups_query(query);

   out->u64 = groups->time ? groups->value / 1000 : groups->value;
   return true;
}

static const struct vivgpu_query_funcs funcs = {
   .destroy = vivgpu_query_groups_destroy,
   .begin = vivgpu_query_groups_begin,
   .end = vivgpu_query_groups_end,
   .result = vivgpu_query_groups_result,
};

/* The maxima are the initial scales of the HUD's graphs; 16667 us: a frame at 60 Hz. */
static const struct pipe_driver_query_info infos[] = {
   {
      .name = "Command Groups",
      .max_value.u64 = 10,
      .type = PIPE_DRIVER_QUERY_TYPE_UINT64,
   },
   {
      .name = "Command Group Time",
      .max_value.u64 = 16667,
      .type = PIPE_DRIVER_QUERY_TYPE_MICROSECONDS,
   },
};

unsigned
vivgpu_groups_queries(const struct vivgpu_screen *screen)
{
   return screen->kernel->usage ? ARRAY_SIZE(infos) : 0;
}

void
vivgpu_groups_query_info(unsigned index, struct pipe_driver_query_info *info)
{
   *info = infos[index];
   info->result_type = PIPE_DRIVER_QUERY_RESULT_TYPE_AVERAGE;
   /* In no group: performance monitors do not have them. */
   info->group_id = ~0u;
}

struct vivgpu_query *
vivgpu_groups_create(unsigned index)
{
   struct groups_query *query = CALLOC_STRUCT(groups_query);

   if (!query)
      return NULL;
   query->base.funcs = &funcs;
   query->base.type = PIPE_QUERY_DRIVER_SPECIFIC;
   query->base.job = VIVGPU_NO_JOB;
   query->time = index;
   return &query->base;
}
