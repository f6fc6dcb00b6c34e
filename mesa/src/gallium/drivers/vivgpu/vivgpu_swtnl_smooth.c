/* SPDX-License-Identifier: MIT */

#include "vivgpu_swtnl_smooth.h"

#include <math.h>
#include <string.h>

#include "util/macros.h"

/* Half of the distance over which coverage falls from 1 to 0, in pixels */
#define HALF_RAMP 0.5f

/* A corner of the quad around a line or point, in the order of its two triangles */
struct corner {
   bool end;
   int across;
};

static const struct corner corners[VIVGPU_SWTNL_SMOOTH_VERTICES] = {
   {false, 1}, {false, -1}, {true, 1}, {false, -1}, {true, -1}, {true, 1},
};

/* @coverage: the vertex's last four floats, see enum vivgpu_coverage */
static void
vivgpu_swtnl_write_vertex(float *vertex, const float *from, unsigned floats, const float move[2],
                          const float coverage[4])
{
   memcpy(vertex, from, (floats - 4) * sizeof(float));
   vertex[0] += move[0];
   vertex[1] += move[1];
   memcpy(vertex + floats - 4, coverage, 4 * sizeof(float));
}

bool
vivgpu_swtnl_smooth_line(float *vertices, const float *from, const float *to, unsigned floats,
                         float width, int side)
{
   float dx = to[0] - from[0], dy = to[1] - from[1], length = hypotf(dx, dy);
   float half_width = MAX2(width, 1) / 2 + HALF_RAMP, half_length = length / 2 + HALF_RAMP;

   if (!(length > 0))
      return false;
   dx /= length;
   dy /= length;
   for (unsigned i = 0; i < VIVGPU_SWTNL_SMOOTH_VERTICES; i++) {
      float across = corners[i].across * side * half_width;
      float along = corners[i].end ? HALF_RAMP : -HALF_RAMP;
      const float move[2] = {along * dx - across * dy, along * dy + across * dx};
      const float coverage[4] = {across, half_width, corners[i].end ? half_length : -half_length,
                                 half_length};

      vivgpu_swtnl_write_vertex(vertices + i * floats, corners[i].end ? to : from, floats, move,
                                coverage);
   }
   return true;
}

bool
vivgpu_swtnl_smooth_point(float *vertices, const float *at, unsigned floats, float size, int side)
{
   float radius = MAX2(size, 1) / 2, area = MIN2((float)M_PI * radius * radius, 1);
   /* A ramp around a circle has more area outside than inside: this radius corrects the sum. */
   float reach = sqrtf(radius * radius - 1.0f / 12) + HALF_RAMP;

   for (unsigned i = 0; i < VIVGPU_SWTNL_SMOOTH_VERTICES; i++) {
      const float move[2] = {corners[i].end ? reach : -reach, corners[i].across * side * reach};
      const float coverage[4] = {move[0], reach, move[1], area};

      vivgpu_swtnl_write_vertex(vertices + i * floats, at, floats, move, coverage);
   }
   return true;
}
