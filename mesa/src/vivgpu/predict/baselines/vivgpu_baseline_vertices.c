/* SPDX-License-Identifier: MIT */
/*
 * Time by the number of vertices (Bautin and others, "Graphic Engine Resource Management", 2008;
 * thesis 2.3): vertices times the mean time per vertex of all groups so far; for groups without
 * vertices, bytes of the command stream times the mean time per byte of such groups.
 */

#include <stdlib.h>

#include "vivgpu_baseline.h"

struct vertices {
   struct vivgpu_predict_config config;
   /** Sums over the groups with vertices: these, and times */
   double vertices, vertex_ns;
   /** Sums over the groups without: bytes of their streams, and times */
   double bytes, byte_ns;
};

static void *
create(const struct vivgpu_predict_config *config)
{
   struct vertices *vertices = calloc(1, sizeof(*vertices));

   if (vertices && config)
      vertices->config = *config;
   return vertices;
}

static void
predict(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        struct vivgpu_prediction *prediction)
{
   const struct vertices *vertices = predictor;
   double ns = 0;

   (void)commands;
   if (group->vertices && vertices->vertices > 0)
      ns = vertices->vertex_ns / vertices->vertices * (double)group->vertices;
   else if (!group->vertices && vertices->bytes > 0)
      ns = vertices->byte_ns / vertices->bytes * group->stream_bytes;
   vivgpu_baseline_fill(prediction, ns, 0);
}

static void
observe(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        const struct vivgpu_group_result *result)
{
   struct vertices *vertices = predictor;
   double ns = vivgpu_measured_ns(&vertices->config, result);

   (void)commands;
   if (ns < 0)
      return;
   if (group->vertices) {
      vertices->vertices += (double)group->vertices;
      vertices->vertex_ns += ns;
   } else {
      vertices->bytes += group->stream_bytes;
      vertices->byte_ns += ns;
   }
}

const struct vivgpu_predictor_type vivgpu_predictor_vertices = {
   .name = "vertices",
   .description = "Bautin 2008: mean time per vertex, or per byte of the stream",
   .create = create,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};
