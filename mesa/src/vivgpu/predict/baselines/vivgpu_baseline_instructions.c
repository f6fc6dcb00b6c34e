/* SPDX-License-Identifier: MIT */
/*
 * Upper bound by instructions (Raravi and others, RTCSA 2010; thesis 2.3): no instruction of a
 * thread takes longer than the slowest that was seen, which is the largest mean of a group. A group
 * has as many threads as vertices and pixels of its draws' viewports and scissors, each with the
 * instructions of its program; a group without instructions is bounded by the longest such group.
 *
 * It is a bound and not an expected time, but is predicted as one: its errors are one-sided.
 */

#include <math.h>
#include <stdlib.h>

#include "vivgpu_baseline.h"

struct instructions {
   struct vivgpu_predict_config config;
   /** Largest time per instruction of a group, and largest time of a group without instructions */
   double instruction_ns, other_ns;
};

static void *
create(const struct vivgpu_predict_config *config)
{
   struct instructions *instructions = calloc(1, sizeof(*instructions));

   if (instructions && config)
      instructions->config = *config;
   return instructions;
}

/* Instructions of all threads of a group. The core executes a split draw in its second part. */
static double
instructions_of(const struct vivgpu_group *group, const struct vivgpu_command *commands)
{
   double sum = 0;

   for (uint32_t i = 0; i < group->num_commands; i++) {
      const struct vivgpu_command_draw *draw = &commands[i].draw;

      if (commands[i].type != VIVGPU_COMMAND_DRAW || commands[i].flags & VIVGPU_COMMAND_FIRST_PART)
         continue;
      sum += (double)draw->count * draw->instances * draw->instructions[0] +
             (double)draw->area[2] * draw->area[3] * draw->instructions[1];
   }
   return sum;
}

static void
predict(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        struct vivgpu_prediction *prediction)
{
   const struct instructions *instructions = predictor;
   double sum = instructions_of(group, commands);

   vivgpu_baseline_fill(prediction,
                        sum > 0 ? instructions->instruction_ns * sum : instructions->other_ns, 0);
}

static void
observe(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        const struct vivgpu_group_result *result)
{
   struct instructions *instructions = predictor;
   double ns = vivgpu_measured_ns(&instructions->config, result);
   double sum = instructions_of(group, commands);

   if (ns < 0)
      return;
   if (sum > 0)
      instructions->instruction_ns = fmax(instructions->instruction_ns, ns / sum);
   else
      instructions->other_ns = fmax(instructions->other_ns, ns);
}

const struct vivgpu_predictor_type vivgpu_predictor_instructions = {
   .name = "instructions",
   .description = "Raravi 2010: upper bound by the slowest instruction of all threads",
   .create = create,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};
