/* SPDX-License-Identifier: MIT */
/*
 * The time that the group with the same number in the most recent ended frame took
 * (vivgpu_frames.h); if there is none, that of the last group that was measured.
 */

#include <stdlib.h>

#include "vivgpu_baseline.h"
#include "vivgpu_frames.h"

struct last_frame {
   struct vivgpu_predict_config config;
   struct vivgpu_frames times, fragments;
   /** Time of the last group that was measured */
   double last_ns;
};

static void *
create(const struct vivgpu_predict_config *config)
{
   struct last_frame *last = calloc(1, sizeof(*last));

   if (last && config)
      last->config = *config;
   return last;
}

static void
predict(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        struct vivgpu_prediction *prediction)
{
   struct last_frame *last = predictor;
   uint32_t sequence =
      vivgpu_frames_submit(&last->times, group->queue, group->frame, group->cookie, 0);
   double ns = vivgpu_frames_value(&last->times, sequence);

   (void)commands;
   /* Both see the same groups, so the sequence number is the same. */
   vivgpu_frames_submit(&last->fragments, group->queue, group->frame, group->cookie, 0);
   vivgpu_baseline_fill(prediction, ns >= 0 ? ns : last->last_ns,
                        vivgpu_frames_value(&last->fragments, sequence));
}

static void
observe(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        const struct vivgpu_group_result *result)
{
   struct last_frame *last = predictor;
   double ns = vivgpu_measured_ns(&last->config, result);
   bool counts = ns >= 0 && vivgpu_baseline_counted(group, result);

   (void)commands;
   vivgpu_frames_finish(&last->times, group->cookie, ns);
   vivgpu_frames_finish(&last->fragments, group->cookie, counts ? (double)result->fragments : -1);
   if (ns >= 0)
      last->last_ns = ns;
}

const struct vivgpu_predictor_type vivgpu_predictor_last_frame = {
   .name = "last-frame",
   .description = "the group of the same number in the most recent frame",
   .create = create,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};
