/* SPDX-License-Identifier: MIT */
/*
 * Time by vertices and the bounding box (Schnitzer and others; thesis 2.3 and figure 7.5): the
 * model of draws of the thesis (5.4), with the area of a bounding box instead of the number of
 * fragments. The command monitor does not look at vertices, so the box is the intersection of
 * viewport, scissor and target.
 */

#include <math.h>
#include <stdlib.h>

#include "vivgpu_baseline.h"
#include "thesis/vivgpu_fit.h"

struct area {
   struct vivgpu_predict_config config;
   struct vivgpu_fit fit;
   /** Mean time of groups without draws */
   double other_ns, others;
};

static void *
create(const struct vivgpu_predict_config *config)
{
   struct area *area = calloc(1, sizeof(*area));

   if (area && config)
      area->config = *config;
   return area;
}

/* Pixels of the boxes of all draws. */
static double
boxes_of(const struct vivgpu_group *group, const struct vivgpu_command *commands)
{
   double pixels = 0;

   for (uint32_t i = 0; i < group->num_commands; i++) {
      if (commands[i].type == VIVGPU_COMMAND_DRAW &&
          !(commands[i].flags & VIVGPU_COMMAND_FIRST_PART))
         pixels += (double)commands[i].draw.area[2] * commands[i].draw.area[3];
   }
   return pixels;
}

static void
predict(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        struct vivgpu_prediction *prediction)
{
   const struct area *area = predictor;
   double boxes = boxes_of(group, commands), per_vertex, per_pixel;

   vivgpu_fit_solve(&area->fit, &per_vertex, &per_pixel);
   if (group->vertices)
      vivgpu_baseline_fill(prediction, per_vertex * (double)group->vertices + per_pixel * boxes,
                           boxes);
   else
      vivgpu_baseline_fill(prediction, area->others > 0 ? area->other_ns / area->others : 0, 0);
}

static void
observe(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        const struct vivgpu_group_result *result)
{
   struct area *area = predictor;
   double ns = vivgpu_measured_ns(&area->config, result);

   if (ns < 0)
      return;
   if (group->vertices) {
      vivgpu_fit_add(&area->fit, (double)group->vertices, boxes_of(group, commands), ns);
   } else {
      area->other_ns += ns;
      area->others++;
   }
}

const struct vivgpu_predictor_type vivgpu_predictor_area = {
   .name = "bounding-box",
   .description = "vertices and the area of viewport and scissor",
   .create = create,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};
