/* SPDX-License-Identifier: MIT */
/*
 * Time by one amount (Dwarakinath, Stony Brook 2008; thesis 2.3): as Bautin's
 * (vivgpu_baseline_vertices.c), with two more amounts. The first of these that a group has decides,
 * in an order that is fixed beforehand: bytes of textures that are loaded, bytes of the buffer that
 * is swapped, vertices, bytes of the command stream. Its time is the amount times the mean time per
 * unit of all groups so far that went by the same one.
 */

#include <stdlib.h>

#include "vivgpu_baseline.h"
#include "thesis/vivgpu_work.h"

enum amount {
   TEXTURE,
   SWAP,
   VERTICES,
   STREAM,
   AMOUNTS,
};

struct order {
   struct vivgpu_predict_config config;
   /** Sums over the groups that went by each amount */
   double sum[AMOUNTS], ns[AMOUNTS];
};

static void *
create(const struct vivgpu_predict_config *config)
{
   struct order *order = calloc(1, sizeof(*order));

   if (order && config)
      order->config = *config;
   return order;
}

/* Bytes of textures that a group loads: uploads of the application, and copies to textures. */
static double
texture_bytes(const struct vivgpu_group *group, const struct vivgpu_command *commands)
{
   double bytes = vivgpu_work_of(group, commands).texture_bytes;

   for (uint32_t i = 0; i < group->num_commands; i++) {
      if (commands[i].type == VIVGPU_COMMAND_UPLOAD && commands[i].upload.format)
         bytes += commands[i].upload.bytes;
   }
   return bytes;
}

/* Which amount decides; sets @amount to it. */
static enum amount
amount_of(const struct vivgpu_group *group, const struct vivgpu_command *commands, double *amount)
{
   *amount = texture_bytes(group, commands);
   if (*amount > 0)
      return TEXTURE;
   for (uint32_t i = 0; i < group->num_commands; i++) {
      if (commands[i].type == VIVGPU_COMMAND_SWAP)
         *amount += commands[i].copy.bytes_written;
   }
   if (*amount > 0)
      return SWAP;
   *amount = (double)group->vertices;
   if (*amount > 0)
      return VERTICES;
   *amount = group->stream_bytes;
   return STREAM;
}

static void
predict(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        struct vivgpu_prediction *prediction)
{
   const struct order *order = predictor;
   double amount;
   enum amount which = amount_of(group, commands, &amount);
   double per_unit = order->sum[which] > 0 ? order->ns[which] / order->sum[which] : 0;

   vivgpu_baseline_fill(prediction, per_unit * amount, 0);
}

static void
observe(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        const struct vivgpu_group_result *result)
{
   struct order *order = predictor;
   double ns = vivgpu_measured_ns(&order->config, result), amount;
   enum amount which = amount_of(group, commands, &amount);

   if (ns < 0)
      return;
   order->sum[which] += amount;
   order->ns[which] += ns;
}

const struct vivgpu_predictor_type vivgpu_predictor_order = {
   .name = "order",
   .description =
      "Dwarakinath 2008: textures, swapped buffer, vertices or stream, the first there is",
   .create = create,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};
