/* SPDX-License-Identifier: MIT */
/* Groups as lines of CSV; see vivgpu_group_text.h. */

#include "vivgpu_group_text.h"

#include <inttypes.h>

#include "vivgpu_group_out.h"

const char *
vivgpu_group_csv_columns(void)
{
   return "sequence,cookie,job,queue,frame,reason,submitted_ns,started_ns,finished_ns,"
          "execution_ns,cycles,vertices,primitives,fragments,flags,stream_bytes,draws,commands,"
          "lost_commands,submitted_vertices,predicted_ns,bound_ns";
}

/* The columns from started_ns to flags, with a comma before each */
static void
put_result(struct vivgpu_group_out *out, const struct vivgpu_group_result *result)
{
   if (!result) {
      vivgpu_group_put(out, ",,,,,,,,");
      return;
   }
   vivgpu_group_put(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, result->started_ns,
                    result->finished_ns, result->finished_ns - result->started_ns, result->cycles);
   if (result->flags & VIVGPU_RESULT_COUNTS)
      vivgpu_group_put(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, result->vertices,
                       result->primitives, result->fragments);
   else
      vivgpu_group_put(out, ",,,");
   vivgpu_group_put(out, ",%u", result->flags);
}

int
vivgpu_group_csv(char *text, size_t size, const struct vivgpu_group *group,
                 const struct vivgpu_group_result *result)
{
   struct vivgpu_group_out out = {text, size, 0};

   if (group)
      vivgpu_group_put(&out, "%" PRIu64 ",%" PRIu64 ",%u,%u,%u,%s,%" PRIu64, group->sequence,
                       group->cookie, group->job, group->queue, group->frame,
                       vivgpu_group_reason_name(group->reason), group->submitted_ns);
   else if (result)
      vivgpu_group_put(&out, ",%" PRIu64 ",,,,,%" PRIu64, result->cookie, result->submitted_ns);
   put_result(&out, result);
   if (group)
      vivgpu_group_put(&out, ",%u,%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64, group->stream_bytes,
                       group->num_draws, group->num_commands, group->num_lost_commands,
                       group->vertices, group->predicted_ns, group->bound_ns);
   else
      vivgpu_group_put(&out, ",,,,,,,");
   return out.length;
}
