/* SPDX-License-Identifier: MIT */
/* Numbers of vertices and primitives that draws submit. */

#include <gtest/gtest.h>
#include <vector>

#include "vivgpu_submitted.h"

static struct vivgpu_submitted
of(enum mesa_prim mode, unsigned count, unsigned instances = 1)
{
   struct vivgpu_submitted sum = {0, 0};

   vivgpu_submitted_add(&sum, mode, count, instances);
   return sum;
}

template <typename T>
static struct vivgpu_submitted
restarted(enum mesa_prim mode, const std::vector<T> &indices, uint32_t restart,
          unsigned instances = 1)
{
   struct vivgpu_submitted sum = {0, 0};

   vivgpu_submitted_add_restarted(&sum, mode, indices.data(), sizeof(T), indices.size(), restart,
                                instances);
   return sum;
}

TEST(submitted, primitives_are_those_that_were_named)
{
   EXPECT_EQ(of(MESA_PRIM_POINTS, 5).primitives, 5u);
   EXPECT_EQ(of(MESA_PRIM_LINES, 6).primitives, 3u);
   EXPECT_EQ(of(MESA_PRIM_LINE_LOOP, 5).primitives, 5u);
   EXPECT_EQ(of(MESA_PRIM_LINE_STRIP, 5).primitives, 4u);
   EXPECT_EQ(of(MESA_PRIM_TRIANGLES, 6).primitives, 2u);
   EXPECT_EQ(of(MESA_PRIM_TRIANGLE_STRIP, 6).primitives, 4u);
   EXPECT_EQ(of(MESA_PRIM_TRIANGLE_FAN, 6).primitives, 4u);
   EXPECT_EQ(of(MESA_PRIM_QUADS, 8).primitives, 2u);
   EXPECT_EQ(of(MESA_PRIM_QUAD_STRIP, 8).primitives, 3u);
   EXPECT_EQ(of(MESA_PRIM_POLYGON, 8).primitives, 1u);
   EXPECT_EQ(of(MESA_PRIM_POLYGON, 8).vertices, 8u);
}

TEST(submitted, incomplete_primitives_are_none)
{
   EXPECT_EQ(of(MESA_PRIM_TRIANGLES, 5).primitives, 1u);
   EXPECT_EQ(of(MESA_PRIM_QUADS, 3).primitives, 0u);
   EXPECT_EQ(of(MESA_PRIM_POLYGON, 2).primitives, 0u);
   EXPECT_EQ(of(MESA_PRIM_LINE_LOOP, 1).primitives, 0u);
   EXPECT_EQ(of(MESA_PRIM_TRIANGLE_STRIP, 0).vertices, 0u);
}

TEST(submitted, instances_multiply_beyond_32_bits)
{
   struct vivgpu_submitted sum = of(MESA_PRIM_POINTS, 3u << 28, 1u << 12);

   EXPECT_EQ(sum.vertices, UINT64_C(3) << 40);
   EXPECT_EQ(sum.primitives, UINT64_C(3) << 40);
}

TEST(submitted, a_restart_is_no_vertex)
{
   const std::vector<uint16_t> rows = {0, 1, 2, 3, 999, 4, 5, 6, 999, 999, 7, 8, 9};
   struct vivgpu_submitted sum = restarted(MESA_PRIM_TRIANGLE_STRIP, rows, 999, 2);

   EXPECT_EQ(sum.vertices, 20u);
   EXPECT_EQ(sum.primitives, 8u);
   EXPECT_EQ(restarted(MESA_PRIM_POLYGON, rows, 999).primitives, 3u);
   EXPECT_EQ(restarted(MESA_PRIM_POINTS, rows, 1000).vertices, 13u);
}

TEST(submitted, indices_of_all_sizes_restart)
{
   EXPECT_EQ(restarted<uint8_t>(MESA_PRIM_LINE_STRIP, {0, 1, 255, 2, 3}, 255).primitives, 2u);
   EXPECT_EQ(restarted<uint16_t>(MESA_PRIM_LINE_STRIP, {0, 1, 255, 2, 3}, 255).primitives, 2u);
   EXPECT_EQ(restarted<uint32_t>(MESA_PRIM_LINE_STRIP, {0, 1, ~0u, 2, 3}, ~0u).primitives, 2u);
   /* One of a byte is never so large. */
   EXPECT_EQ(restarted<uint8_t>(MESA_PRIM_LINE_STRIP, {0, 1, 255, 2, 3}, 65535).primitives, 4u);
}
