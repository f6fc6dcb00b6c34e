/* SPDX-License-Identifier: MIT */
/*
 * The list of offered counters. Names and numbers of signals come from the kernel. A counter that
 * needs a signal which the kernel does not have is not offered. Without kernel support only the
 * driver's own counts are offered.
 */

#include <string.h>

#include "util/u_memory.h"
#include "vivgpu_kernel.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_query.h"
#include "vivgpu_screen.h"

/* Store the kernel's numbers for the signal with these names, if the table has it. */
static void
vivgpu_perfmon_record_signal(struct vivgpu_perfmon_screen *perfmon,
                             const struct drm_vivgpu_perf_domain *domain,
                             const struct drm_vivgpu_perf_signal *signal)
{
   for (unsigned i = 0; i < VIVGPU_NUM_SIGNALS; i++) {
      if (strcmp(domain->name, vivgpu_signal_domain(VIVGPU_FIRST_SIGNAL + i)) ||
          strcmp(signal->name, vivgpu_signal_name(VIVGPU_FIRST_SIGNAL + i)))
         continue;
      perfmon->names[i].domain = signal->domain;
      perfmon->names[i].signal = signal->signal;
      perfmon->scales[i] = signal->scale;
   }
}

static void
vivgpu_perfmon_find_signals(struct vivgpu_perfmon_screen *perfmon, struct vivgpu_kernel *kernel)
{
   struct drm_vivgpu_perf_domain domain = {0};

   for (; kernel->perf_domain(kernel, &domain); domain.domain++) {
      struct drm_vivgpu_perf_signal signal = {.domain = domain.domain};

      for (; kernel->perf_signal(kernel, &signal); signal.signal++)
         vivgpu_perfmon_record_signal(perfmon, &domain, &signal);
   }
}

/* True if all sources of a counter are available. */
static bool
vivgpu_perfmon_available(const struct vivgpu_perfmon_screen *perfmon,
                         const struct vivgpu_counter_info *info)
{
   struct vivgpu_sources sources = {0};

   vivgpu_counter_sources(info, &sources);
   for (unsigned i = 0; i < VIVGPU_NUM_SIGNALS; i++) {
      if (vivgpu_sources_has(&sources, VIVGPU_FIRST_SIGNAL + i) && !perfmon->scales[i])
         return false;
   }
   return (perfmon->has_points || !vivgpu_sources_has(&sources, VIVGPU_SOURCE_ELAPSED)) &&
          vivgpu_sources_signals(&sources) <= perfmon->max_signals;
}

/* Return the number of offered counters in a group. */
static uint32_t
vivgpu_perfmon_group_size(const struct vivgpu_perfmon_screen *perfmon,
                          enum vivgpu_counter_group group)
{
   uint32_t size = 0;

   for (unsigned i = 0; i < perfmon->num_offered; i++)
      size += vivgpu_counters[perfmon->offered[i]].group == group;
   return size;
}

/* Return the group with this index among the groups that have counters, or -1. */
static int
vivgpu_perfmon_find_group(const struct vivgpu_perfmon_screen *perfmon, unsigned index)
{
   for (unsigned group = 0; group < VIVGPU_NUM_GROUPS; group++) {
      if (vivgpu_perfmon_group_size(perfmon, group) && index-- == 0)
         return group;
   }
   return -1;
}

static unsigned
vivgpu_perfmon_group_index(const struct vivgpu_perfmon_screen *perfmon,
                           enum vivgpu_counter_group group)
{
   unsigned index = 0;

   for (unsigned i = 0; i < group; i++)
      index += vivgpu_perfmon_group_size(perfmon, i) > 0;
   return index;
}

/* All counters of a group may be active at once, within the limit of signals of a job. */
static int
vivgpu_get_driver_query_group_info(struct pipe_screen *screen, unsigned index,
                                   struct pipe_driver_query_group_info *info)
{
   const struct vivgpu_perfmon_screen *perfmon = &vivgpu_screen(screen)->perfmon;

   if (!info)
      return vivgpu_perfmon_group_index(perfmon, VIVGPU_NUM_GROUPS);

   int group = vivgpu_perfmon_find_group(perfmon, index);

   if (group < 0)
      return 0;
   info->name = vivgpu_group_name(group);
   info->num_queries = vivgpu_perfmon_group_size(perfmon, group);
   info->max_active_queries = info->num_queries;
   return 1;
}

static int
vivgpu_get_driver_query_info(struct pipe_screen *screen, unsigned index,
                             struct pipe_driver_query_info *info)
{
   const struct vivgpu_perfmon_screen *perfmon = &vivgpu_screen(screen)->perfmon;

   /* Queries of command groups; they follow the counters, and are in no group of these. */
   unsigned num_groups = vivgpu_groups_queries(vivgpu_screen(screen));

   if (!info)
      return perfmon->num_offered + num_groups;
   if (index >= perfmon->num_offered + num_groups)
      return 0;
   if (index >= perfmon->num_offered) {
      vivgpu_groups_query_info(index - perfmon->num_offered, info);
      info->query_type = PIPE_QUERY_DRIVER_SPECIFIC + index;
      return 1;
   }

   const struct vivgpu_counter_info *counter = &vivgpu_counters[perfmon->offered[index]];

   *info = (struct pipe_driver_query_info){
      .name = counter->name,
      .query_type = PIPE_QUERY_DRIVER_SPECIFIC + index,
      .max_value = vivgpu_counter_max(counter),
      .type = counter->type,
      .result_type = PIPE_DRIVER_QUERY_RESULT_TYPE_AVERAGE,
      .group_id = vivgpu_perfmon_group_index(perfmon, counter->group),
      .flags = PIPE_DRIVER_QUERY_FLAG_BATCH,
   };
   return 1;
}

/*
 * Offer pipeline statistics if all of them are available, and each could be a monitor's counter as
 * well: then the kernel also counts the VIVGPU_STATISTICS_SIGNALS that are kept for them.
 */
static void
vivgpu_perfmon_offer_statistics(struct vivgpu_screen *screen)
{
   struct pipe_caps *caps = (struct pipe_caps *)&screen->base.caps;

   caps->query_pipeline_statistics_single = true;
   for (unsigned i = 0; i <= PIPE_STAT_QUERY_CS_INVOCATIONS; i++) {
      const struct vivgpu_counter_info *statistic = vivgpu_statistic(i);

      if (statistic && !vivgpu_perfmon_available(&screen->perfmon, statistic))
         caps->query_pipeline_statistics_single = false;
   }
}

void
vivgpu_perfmon_screen_init(struct vivgpu_screen *screen)
{
   struct vivgpu_perfmon_screen *perfmon = &screen->perfmon;

   screen->base.get_driver_query_info = vivgpu_get_driver_query_info;
   screen->base.get_driver_query_group_info = vivgpu_get_driver_query_group_info;
   perfmon->offered = CALLOC(vivgpu_num_counters, sizeof(perfmon->offered[0]));
   if (!perfmon->offered)
      return;
   if (screen->kernel->max_counters > VIVGPU_STATISTICS_SIGNALS)
      perfmon->max_signals = screen->kernel->max_counters - VIVGPU_STATISTICS_SIGNALS;
   perfmon->has_points = screen->kernel->max_points > 0;
   vivgpu_perfmon_find_signals(perfmon, screen->kernel);
   vivgpu_perfmon_offer_statistics(screen);
   for (unsigned i = 0; i < vivgpu_num_counters; i++) {
      if (vivgpu_perfmon_available(perfmon, &vivgpu_counters[i]))
         perfmon->offered[perfmon->num_offered++] = i;
   }
}

void
vivgpu_perfmon_screen_fini(struct vivgpu_screen *screen)
{
   FREE(screen->perfmon.offered);
}
