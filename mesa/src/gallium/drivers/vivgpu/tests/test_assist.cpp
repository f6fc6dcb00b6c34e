/* SPDX-License-Identifier: MIT */
/* Which draws need help, and how vertices of the processor's get to the core. */

#include <gtest/gtest.h>

#include "compiler/shader_enums.h"
#include "compiler/vivgpu_compiler.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/u_math.h"
#include "vivgpu_assist.h"
#include "vivgpu_convert.h"
#include "vivgpu_kept.h"
#include "vivgpu_soft.h"

static uint32_t
bits_of(const struct pipe_rasterizer_state *base)
{
   struct vivgpu_rasterizer rasterizer = {};

   vivgpu_rasterizer_init(&rasterizer, base);
   return rasterizer.modes;
}

static bool
has(uint32_t modes, enum mesa_prim mode)
{
   return modes & BITFIELD_BIT(mode);
}

TEST(assist, most_states_need_none)
{
   struct pipe_rasterizer_state base = {};

   for (unsigned mode = MESA_PRIM_POINTS; mode < MESA_PRIM_QUADS; mode++) {
      EXPECT_TRUE(has(bits_of(&base), (enum mesa_prim)mode)) << mode;
      EXPECT_FALSE(vivgpu_assist_soft(&base, mode, true)) << mode;
   }
   EXPECT_FALSE(has(bits_of(&base), MESA_PRIM_QUADS));
   EXPECT_FALSE(vivgpu_assist_soft(&base, MESA_PRIM_QUADS, true));
}

TEST(assist, stippled_lines)
{
   struct pipe_rasterizer_state base = {};

   base.line_stipple_enable = 1;
   EXPECT_FALSE(has(bits_of(&base), MESA_PRIM_LINE_LOOP));
   EXPECT_TRUE(has(bits_of(&base), MESA_PRIM_TRIANGLES));
   EXPECT_TRUE(vivgpu_assist_soft(&base, MESA_PRIM_LINES, false));
   EXPECT_TRUE(vivgpu_assist_soft(&base, MESA_PRIM_LINE_STRIP, false));
   EXPECT_FALSE(vivgpu_assist_soft(&base, MESA_PRIM_TRIANGLES, false));
   EXPECT_FALSE(vivgpu_assist_soft(&base, MESA_PRIM_POINTS, false));
}

TEST(assist, the_core_draws_outlines_of_triangles)
{
   struct pipe_rasterizer_state base = {};

   base.fill_front = base.fill_back = PIPE_POLYGON_MODE_LINE;
   EXPECT_FALSE(has(bits_of(&base), MESA_PRIM_TRIANGLES));
   EXPECT_TRUE(has(bits_of(&base), MESA_PRIM_LINES));
   EXPECT_FALSE(vivgpu_assist_soft(&base, MESA_PRIM_TRIANGLE_FAN, false));
   EXPECT_TRUE(vivgpu_assist_soft(&base, MESA_PRIM_TRIANGLE_FAN, true));
   EXPECT_TRUE(vivgpu_assist_soft(&base, MESA_PRIM_QUADS, false));
   EXPECT_TRUE(vivgpu_assist_soft(&base, MESA_PRIM_POLYGON, false));
   base.line_stipple_enable = 1;
   EXPECT_TRUE(vivgpu_assist_soft(&base, MESA_PRIM_TRIANGLES, false));
   base.fill_front = base.fill_back = PIPE_POLYGON_MODE_POINT;
   EXPECT_FALSE(vivgpu_assist_soft(&base, MESA_PRIM_TRIANGLES, false));
}

TEST(assist, a_mode_for_each_face)
{
   struct pipe_rasterizer_state base = {};

   base.fill_back = PIPE_POLYGON_MODE_LINE;
   EXPECT_FALSE(has(bits_of(&base), MESA_PRIM_TRIANGLES));
   EXPECT_TRUE(vivgpu_assist_soft(&base, MESA_PRIM_TRIANGLES, false));
   base.cull_face = PIPE_FACE_BACK;
   EXPECT_FALSE(vivgpu_assist_soft(&base, MESA_PRIM_QUADS, false));
   base.cull_face = PIPE_FACE_FRONT;
   EXPECT_TRUE(vivgpu_assist_soft(&base, MESA_PRIM_QUADS, false));
   EXPECT_FALSE(vivgpu_assist_soft(&base, MESA_PRIM_TRIANGLES, false));
}

TEST(convert, only_whole_quads_count)
{
   EXPECT_EQ(vivgpu_convert_quads(MESA_PRIM_QUADS, 3), 0u);
   EXPECT_EQ(vivgpu_convert_quads(MESA_PRIM_QUADS, 11), 2u);
   EXPECT_EQ(vivgpu_convert_quads(MESA_PRIM_QUAD_STRIP, 0), 0u);
   EXPECT_EQ(vivgpu_convert_quads(MESA_PRIM_QUAD_STRIP, 3), 0u);
   EXPECT_EQ(vivgpu_convert_quads(MESA_PRIM_QUAD_STRIP, 7), 2u);
   for (unsigned quads = 1; quads < 5; quads++) {
      for (enum mesa_prim mode : {MESA_PRIM_QUADS, MESA_PRIM_QUAD_STRIP})
         EXPECT_EQ(vivgpu_convert_quads(mode, vivgpu_convert_vertices(mode, quads)), quads);
   }
}

TEST(kept, what_comes_again_is_known)
{
   struct vivgpu_kept kept = {};
   struct vivgpu_kept_key key = {}, other;
   bool again;

   key.written = 5;
   key.count = 8;
   key.mode = MESA_PRIM_QUADS;
   struct vivgpu_kept_place *place = vivgpu_kept_find(&kept, &key, &again);
   EXPECT_FALSE(again);
   EXPECT_EQ(vivgpu_kept_find(&kept, &key, &again), place);
   EXPECT_TRUE(again);
   other = key;
   other.written = 6;
   vivgpu_kept_find(&kept, &other, &again);
   EXPECT_FALSE(again);
   vivgpu_kept_find(&kept, &other, &again);
   EXPECT_TRUE(again);
}

TEST(soft, vertices_hold_what_the_fragment_shader_reads)
{
   struct vivgpu_soft_format format = vivgpu_soft_format(
      VARYING_BIT_POS | VARYING_BIT_COL0 | VARYING_BIT_TEX(2) | VARYING_BIT_PNTC | VARYING_BIT_FACE,
      true, true);
   struct pipe_vertex_element elements[64];

   EXPECT_EQ(format.varyings, (uint64_t)(VARYING_BIT_COL0 | VARYING_BIT_TEX(2)));
   ASSERT_EQ(vivgpu_soft_elements(&format, elements), 5u);
   EXPECT_EQ(elements[1].src_offset, 16);
   EXPECT_EQ(elements[3].src_offset, 48);
   EXPECT_EQ(elements[3].src_format, PIPE_FORMAT_R32_FLOAT);
   EXPECT_EQ(elements[4].src_offset, 52);
   for (unsigned i = 0; i < 5; i++)
      EXPECT_EQ(elements[i].src_stride, 56);
}

TEST(soft, as_many_elements_as_there_may_be_varyings)
{
   struct vivgpu_soft_format format = vivgpu_soft_format(~0ull, true, true);
   struct pipe_vertex_element elements[64];

   EXPECT_GT(vivgpu_soft_elements(&format, elements), (unsigned)VIVGPU_MAX_ELEMENTS);
}

TEST(soft, nothing_is_done_twice)
{
   struct pipe_rasterizer_state base = {}, simple;

   base.clip_plane_enable = 3;
   base.cull_face = PIPE_FACE_BACK;
   base.fill_back = PIPE_POLYGON_MODE_POINT;
   base.offset_line = base.line_stipple_enable = base.scissor = base.flatshade = 1;
   base.line_width = 5;
   vivgpu_soft_rasterizer(&simple, &base);
   EXPECT_EQ(simple.clip_plane_enable, 0u);
   EXPECT_EQ(simple.cull_face, (unsigned)PIPE_FACE_NONE);
   EXPECT_EQ(simple.fill_back, (unsigned)PIPE_POLYGON_MODE_FILL);
   EXPECT_FALSE(simple.offset_line || simple.line_stipple_enable);
   EXPECT_TRUE(simple.scissor && simple.flatshade);
   EXPECT_EQ(simple.line_width, 5);
   EXPECT_EQ(bits_of(&simple), BITFIELD_MASK(MESA_PRIM_QUADS));
}

TEST(soft, the_window_is_large_and_its_box_is_not)
{
   struct pipe_viewport_state state = {};
   struct vivgpu_viewport base = {}, window = {};

   state.scale[0] = state.scale[1] = 20;
   state.translate[0] = state.translate[1] = 30;
   vivgpu_viewport_init(&base, &state);
   vivgpu_soft_viewport(&window, &base);
   EXPECT_EQ(window.box.minx, 10u);
   EXPECT_EQ(window.box.maxy, 50u);
   EXPECT_EQ(window.base.scale[0], VIVGPU_SOFT_WINDOW / 2);
   EXPECT_EQ(window.base.translate[1], VIVGPU_SOFT_WINDOW / 2);
   EXPECT_EQ(window.base.scale[2] + window.base.translate[2], 1);
}
