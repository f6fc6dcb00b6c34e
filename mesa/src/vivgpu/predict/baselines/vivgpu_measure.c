/* SPDX-License-Identifier: MIT */
/* Measurement by polling and by glFinish; see vivgpu_measure.h. */

#include "vivgpu_measure.h"

/* Time of the first look that sees an end: looks are at multiples of the period. */
static uint64_t
look_at(uint64_t finished, uint64_t period)
{
   return (finished + period - 1) / period * period;
}

void
vivgpu_measure_polling(struct vivgpu_measured_group *groups, unsigned count, uint64_t period)
{
   uint64_t last = 0;

   for (unsigned first = 0, end; first < count; first = end) {
      uint64_t look = look_at(groups[first].finished_ns, period);
      uint64_t begin = groups[first].submitted_ns > last ? groups[first].submitted_ns : last;

      for (end = first; end < count && groups[end].finished_ns <= look; end++)
         ;
      for (unsigned i = first; i < end; i++)
         groups[i].ns = (double)(look - begin) / (end - first);
      last = look;
   }
}

void
vivgpu_measure_finish(struct vivgpu_measured_group *groups, unsigned count, uint64_t latency)
{
   uint64_t last = 0;

   for (unsigned i = 0; i < count; i++) {
      struct vivgpu_measured_group *group = &groups[i];
      uint64_t returned = group->finished_ns + latency;

      group->ns = (double)(returned - (group->submitted_ns > last ? group->submitted_ns : last));
      last = returned;
   }
}
