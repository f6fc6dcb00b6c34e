/* SPDX-License-Identifier: MIT */
/*
 * Linear regression over all counts that user space has, with one coefficient per count for all
 * programs, on all groups so far with equal weights. Fragments are those of the group with the same
 * number in the most recent frame; the regression is taught with the counted ones.
 */

#include <math.h>
#include <stdlib.h>

#include "vivgpu_baseline.h"
#include "vivgpu_frames.h"

/* Counts of a group; from COUNT_STREAM on in bytes */
enum {
   COUNT_ONE,
   COUNT_VERTICES,
   COUNT_PRIMITIVES,
   COUNT_FRAGMENTS,
   COUNT_DRAWS,
   COUNT_COMMANDS,
   COUNT_STREAM,
   COUNT_CLEARS,
   COUNT_COPIES,
   COUNT_UPLOADS,
   COUNT_SWAPS,
   COUNTS,
};

struct regression {
   struct vivgpu_predict_config config;
   struct vivgpu_frames fragments;
   double value[COUNTS];
   double covariance[COUNTS][COUNTS];
};

/* Units that make the counts of a typical group comparable. */
static const double units[COUNTS] = {
   [COUNT_ONE] = 1,      [COUNT_VERTICES] = 1e4, [COUNT_PRIMITIVES] = 1e4, [COUNT_FRAGMENTS] = 1e5,
   [COUNT_DRAWS] = 10,   [COUNT_COMMANDS] = 10,  [COUNT_STREAM] = 1e4,     [COUNT_CLEARS] = 1e6,
   [COUNT_COPIES] = 1e6, [COUNT_UPLOADS] = 1e6,  [COUNT_SWAPS] = 1e6,
};

static void *
create(const struct vivgpu_predict_config *config)
{
   struct regression *regression = calloc(1, sizeof(*regression));

   if (!regression)
      return NULL;
   if (config)
      regression->config = *config;
   /* Standard deviations of 10 ms per unit: hardly any regularisation. */
   for (unsigned i = 0; i < COUNTS; i++)
      regression->covariance[i][i] = 1e14;
   return regression;
}

/*
 * Count what a group asks for, in multiples of units[]; @fragments: less than 0 if they are not known.
 * A split draw is a command of both groups, but otherwise counts in the second, where the core
 * executes it. What the processor clears or copies takes no time of the core.
 */
static void
counts_of(const struct vivgpu_group *group, const struct vivgpu_command *commands, double fragments,
          double *counts)
{
   memset(counts, 0, COUNTS * sizeof(*counts));
   counts[COUNT_ONE] = 1;
   counts[COUNT_VERTICES] = (double)group->vertices;
   counts[COUNT_FRAGMENTS] = fragments > 0 ? fragments : 0;
   counts[COUNT_COMMANDS] = group->num_commands;
   counts[COUNT_STREAM] = group->stream_bytes;
   for (uint32_t i = 0; i < group->num_commands; i++) {
      const struct vivgpu_command *command = &commands[i];
      const struct vivgpu_command_copy *copy = &command->copy;

      switch (command->type) {
      case VIVGPU_COMMAND_DRAW:
         if (command->flags & VIVGPU_COMMAND_FIRST_PART)
            break;
         counts[COUNT_PRIMITIVES] += command->draw.primitives;
         counts[COUNT_DRAWS]++;
         break;
      case VIVGPU_COMMAND_CLEAR:
         if (command->clear.kind != VIVGPU_CLEAR_CPU)
            counts[COUNT_CLEARS] += command->clear.bytes;
         break;
      case VIVGPU_COMMAND_COPY:
      case VIVGPU_COMMAND_RESOLVE:
         if (copy->by != VIVGPU_COPY_CPU)
            counts[COUNT_COPIES] += (double)copy->bytes_read + copy->bytes_written;
         break;
      case VIVGPU_COMMAND_UPLOAD:
         counts[COUNT_UPLOADS] += command->upload.bytes;
         break;
      case VIVGPU_COMMAND_SWAP:
         counts[COUNT_SWAPS] += (double)copy->bytes_read + copy->bytes_written;
         break;
      }
   }
   for (unsigned i = 0; i < COUNTS; i++)
      counts[i] /= units[i];
}

static double
product(const double *a, const double *b)
{
   double sum = 0;

   for (unsigned i = 0; i < COUNTS; i++)
      sum += a[i] * b[i];
   return sum;
}

static void
predict(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        struct vivgpu_prediction *prediction)
{
   struct regression *regression = predictor;
   double counts[COUNTS], fragments;
   uint32_t sequence =
      vivgpu_frames_submit(&regression->fragments, group->queue, group->frame, group->cookie, 0);

   fragments = vivgpu_frames_value(&regression->fragments, sequence);
   counts_of(group, commands, fragments, counts);
   vivgpu_baseline_fill(prediction, product(regression->value, counts), fragments);
}

/* Recursive least squares; the standard deviation of a measured time is 1 µs. */
static void
learn(struct regression *regression, const double *counts, double ns)
{
   double gain[COUNTS], scale = 1e6, error = ns - product(regression->value, counts);

   for (unsigned i = 0; i < COUNTS; i++)
      gain[i] = product(regression->covariance[i], counts);
   scale += product(gain, counts);
   for (unsigned i = 0; i < COUNTS; i++) {
      regression->value[i] += gain[i] * error / scale;
      for (unsigned j = 0; j < COUNTS; j++)
         regression->covariance[i][j] -= gain[i] * gain[j] / scale;
   }
}

static void
observe(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        const struct vivgpu_group_result *result)
{
   struct regression *regression = predictor;
   double ns = vivgpu_measured_ns(&regression->config, result), counts[COUNTS];
   bool counted = ns >= 0 && vivgpu_baseline_counted(group, result);
   double fragments = counted ? (double)result->fragments : -1;

   vivgpu_frames_finish(&regression->fragments, group->cookie, fragments);
   if (!counted)
      return;
   counts_of(group, commands, fragments, counts);
   learn(regression, counts, ns);
}

const struct vivgpu_predictor_type vivgpu_predictor_regression = {
   .name = "regression",
   .description = "linear regression over all counts",
   .create = create,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};
