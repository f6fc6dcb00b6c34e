/* SPDX-License-Identifier: MIT */
/* Selection of draw fallbacks, and the vertices of the draw module. */

#include <gtest/gtest.h>

#include "compiler/shader_enums.h"
#include "compiler/vivgpu_compiler.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/u_math.h"
#include "vivgpu_generation.h"
#include "vivgpu_draw_fallback.h"
#include "vivgpu_primconvert.h"
#include "vivgpu_index_cache.h"
#include "vivgpu_alpha_to_coverage.h"
#include "vivgpu_swtnl.h"
#include "vivgpu_swtnl_smooth.h"
#include "vivgpu_swtnl_texture.h"
#include "vivgpu_cpu_blit.h"

/* Bits of enum mesa_prim; they are the same with indices. */
static uint32_t
bits_of(const struct pipe_rasterizer_state *base)
{
   struct vivgpu_rasterizer rasterizer = {};
   uint32_t modes;

   vivgpu_rasterizer_init(&rasterizer, base);
   modes = rasterizer.native_prims & BITFIELD_MASK(16);
   EXPECT_EQ(rasterizer.native_prims, vivgpu_primitive_bits(modes));
   return modes;
}

static bool
has(uint32_t modes, enum mesa_prim mode)
{
   return modes & BITFIELD_BIT(mode);
}

TEST(assist, ordinary_states_need_none)
{
   struct pipe_rasterizer_state base = {};

   for (unsigned mode = MESA_PRIM_POINTS; mode < MESA_PRIM_QUADS; mode++) {
      EXPECT_TRUE(has(bits_of(&base), (enum mesa_prim)mode)) << mode;
      EXPECT_FALSE(vivgpu_needs_swtnl(&base, mode, true)) << mode;
   }
   EXPECT_FALSE(has(bits_of(&base), MESA_PRIM_QUADS));
   EXPECT_FALSE(vivgpu_needs_swtnl(&base, MESA_PRIM_QUADS, true));
}

TEST(assist, stippled_lines)
{
   struct pipe_rasterizer_state base = {};

   base.line_stipple_enable = 1;
   EXPECT_FALSE(has(bits_of(&base), MESA_PRIM_LINE_LOOP));
   EXPECT_TRUE(has(bits_of(&base), MESA_PRIM_TRIANGLES));
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_LINES, false));
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_LINE_STRIP, false));
   EXPECT_FALSE(vivgpu_needs_swtnl(&base, MESA_PRIM_TRIANGLES, false));
   EXPECT_FALSE(vivgpu_needs_swtnl(&base, MESA_PRIM_POINTS, false));
}

TEST(assist, the_core_draws_outlines_of_triangles)
{
   struct pipe_rasterizer_state base = {};

   base.fill_front = base.fill_back = PIPE_POLYGON_MODE_LINE;
   EXPECT_FALSE(has(bits_of(&base), MESA_PRIM_TRIANGLES));
   EXPECT_TRUE(has(bits_of(&base), MESA_PRIM_LINES));
   EXPECT_FALSE(vivgpu_needs_swtnl(&base, MESA_PRIM_TRIANGLE_FAN, false));
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_TRIANGLE_FAN, true));
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_QUADS, false));
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_POLYGON, false));
   base.line_stipple_enable = 1;
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_TRIANGLES, false));
   base.fill_front = base.fill_back = PIPE_POLYGON_MODE_POINT;
   EXPECT_FALSE(vivgpu_needs_swtnl(&base, MESA_PRIM_TRIANGLES, false));
}

TEST(assist, smooth_lines_and_points)
{
   struct pipe_rasterizer_state base = {};

   base.line_smooth = 1;
   EXPECT_FALSE(has(bits_of(&base), MESA_PRIM_LINE_STRIP));
   EXPECT_TRUE(has(bits_of(&base), MESA_PRIM_POINTS));
   EXPECT_TRUE(has(bits_of(&base), MESA_PRIM_TRIANGLES));
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_LINE_LOOP, false));
   EXPECT_FALSE(vivgpu_needs_swtnl(&base, MESA_PRIM_QUADS, false));
   base.fill_front = base.fill_back = PIPE_POLYGON_MODE_LINE;
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_TRIANGLES, false));
   base.fill_front = base.fill_back = PIPE_POLYGON_MODE_POINT;
   EXPECT_FALSE(vivgpu_needs_swtnl(&base, MESA_PRIM_TRIANGLES, false));
   base.point_smooth = 1;
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_TRIANGLES, false));
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_POINTS, false));
   EXPECT_FALSE(has(bits_of(&base), MESA_PRIM_POINTS));
}

TEST(assist, a_mode_for_each_face)
{
   struct pipe_rasterizer_state base = {};

   base.fill_back = PIPE_POLYGON_MODE_LINE;
   EXPECT_FALSE(has(bits_of(&base), MESA_PRIM_TRIANGLES));
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_TRIANGLES, false));
   base.cull_face = PIPE_FACE_BACK;
   EXPECT_FALSE(vivgpu_needs_swtnl(&base, MESA_PRIM_QUADS, false));
   base.cull_face = PIPE_FACE_FRONT;
   EXPECT_TRUE(vivgpu_needs_swtnl(&base, MESA_PRIM_QUADS, false));
   EXPECT_FALSE(vivgpu_needs_swtnl(&base, MESA_PRIM_TRIANGLES, false));
}

TEST(assist, what_is_culled_altogether_is_not_drawn)
{
   struct pipe_rasterizer_state base = {};

   base.cull_face = PIPE_FACE_FRONT_AND_BACK;
   EXPECT_EQ(bits_of(&base), BITFIELD_MASK(MESA_PRIM_TRIANGLES));
}

TEST(samples, as_many_as_alpha_says)
{
   for (unsigned count : {2, 4}) {
      for (unsigned alpha = 0; alpha <= 8; alpha++) {
         unsigned covered = 0;

         for (unsigned sample = 0; sample < count; sample++)
            covered += alpha >= vivgpu_alpha_to_coverage_ref(sample, count);
         EXPECT_EQ(covered, (alpha * count + 4) / 8) << alpha << "/8 of " << count;
      }
   }
}

TEST(samples, only_some_blends_change_alpha)
{
   struct pipe_blend_state base = {};
   struct vivgpu_blend blend = {};

   vivgpu_blend_init(&blend, &base);
   EXPECT_EQ(blend.native_prims, ~0u);
   base.alpha_to_one = 1;
   vivgpu_blend_init(&blend, &base);
   EXPECT_EQ(blend.native_prims, 0u);
   base.alpha_to_one = 0;
   base.alpha_to_coverage = 1;
   vivgpu_blend_init(&blend, &base);
   EXPECT_EQ(blend.native_prims, 0u);
}

TEST(convert, only_whole_quads_count)
{
   EXPECT_EQ(vivgpu_primconvert_quads(MESA_PRIM_QUADS, 3), 0u);
   EXPECT_EQ(vivgpu_primconvert_quads(MESA_PRIM_QUADS, 11), 2u);
   EXPECT_EQ(vivgpu_primconvert_quads(MESA_PRIM_QUAD_STRIP, 0), 0u);
   EXPECT_EQ(vivgpu_primconvert_quads(MESA_PRIM_QUAD_STRIP, 3), 0u);
   EXPECT_EQ(vivgpu_primconvert_quads(MESA_PRIM_QUAD_STRIP, 7), 2u);
   for (unsigned quads = 1; quads < 5; quads++) {
      for (enum mesa_prim mode : {MESA_PRIM_QUADS, MESA_PRIM_QUAD_STRIP})
         EXPECT_EQ(vivgpu_primconvert_quads(mode, vivgpu_primconvert_vertices(mode, quads)), quads);
   }
}

TEST(cache, what_comes_again_is_known)
{
   struct vivgpu_index_cache cache = {};
   struct vivgpu_index_cache_key key = {}, other;
   bool hit;

   key.seqno = 5;
   key.count = 8;
   key.mode = MESA_PRIM_QUADS;
   struct vivgpu_index_cache_entry *place = vivgpu_index_cache_find(&cache, &key, &hit);
   EXPECT_FALSE(hit);
   EXPECT_EQ(vivgpu_index_cache_find(&cache, &key, &hit), place);
   EXPECT_TRUE(hit);
   other = key;
   other.seqno = 6;
   vivgpu_index_cache_find(&cache, &other, &hit);
   EXPECT_FALSE(hit);
   vivgpu_index_cache_find(&cache, &other, &hit);
   EXPECT_TRUE(hit);
}

TEST(soft, vertices_hold_what_the_fragment_shader_reads)
{
   struct vivgpu_swtnl_vertex_format format = {
      .varyings = vivgpu_swtnl_varyings(VARYING_BIT_POS | VARYING_BIT_COL0 | VARYING_BIT_TEX(2) |
                                        VARYING_BIT_PNTC | VARYING_BIT_FACE),
      .face = true,
      .point_size = true,
   };
   struct pipe_vertex_element elements[64];

   EXPECT_EQ(format.varyings, (uint64_t)(VARYING_BIT_COL0 | VARYING_BIT_TEX(2)));
   ASSERT_EQ(vivgpu_swtnl_elements(&format, elements), 5u);
   EXPECT_EQ(elements[1].src_offset, 16);
   EXPECT_EQ(elements[3].src_offset, 48);
   EXPECT_EQ(elements[3].src_format, PIPE_FORMAT_R32_FLOAT);
   EXPECT_EQ(elements[4].src_offset, 52);
   for (unsigned i = 0; i < 5; i++)
      EXPECT_EQ(elements[i].src_stride, 56);
   format.coverage = true;
   ASSERT_EQ(vivgpu_swtnl_elements(&format, elements), 6u);
   EXPECT_EQ(elements[5].src_offset, 56);
   EXPECT_EQ(elements[0].src_stride, 72);
}

TEST(soft, as_many_elements_as_there_may_be_varyings)
{
   struct vivgpu_swtnl_vertex_format format = {.varyings = vivgpu_swtnl_varyings(~0ull)};
   struct pipe_vertex_element elements[64];

   EXPECT_GT(vivgpu_swtnl_elements(&format, elements), (unsigned)VIVGPU_MAX_ELEMENTS);
}

TEST(soft, nothing_is_done_twice)
{
   struct pipe_rasterizer_state base = {}, simple;

   base.clip_plane_enable = 3;
   base.cull_face = PIPE_FACE_BACK;
   base.fill_back = PIPE_POLYGON_MODE_POINT;
   base.offset_line = base.line_stipple_enable = base.scissor = base.flatshade = 1;
   base.line_width = 5;
   vivgpu_swtnl_rasterizer(&simple, &base);
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
   vivgpu_swtnl_viewport(&window, &base);
   EXPECT_EQ(window.box.minx, 10u);
   EXPECT_EQ(window.box.maxy, 50u);
   EXPECT_EQ(window.base.scale[0], VIVGPU_SWTNL_WINDOW / 2);
   EXPECT_EQ(window.base.translate[1], VIVGPU_SWTNL_WINDOW / 2);
   EXPECT_EQ(window.base.scale[2] + window.base.translate[2], 1);
}

/* Twice the area of a triangle of vertices with @floats floats; its sign is which way round. */
static float
area(const float *v, unsigned floats)
{
   const float *a = v, *b = v + floats, *c = v + 2 * floats;

   return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
}

TEST(soft, pixels_of_a_box)
{
   struct pipe_scissor_state limits = {};

   limits.minx = 10;
   limits.maxx = 100;
   limits.maxy = 50;
   const float inside[] = {20.5, 1, 29.5, 3.5}, beyond[] = {0, 40, 20, 80}, none[] = {1, 1, 0, 0};
   const float outside[] = {0, 0, 9, 9};

   EXPECT_EQ(vivgpu_swtnl_box_pixels(inside, &limits), 10u * 3 + 1);
   EXPECT_EQ(vivgpu_swtnl_box_pixels(beyond, &limits), 10u * 10 + 1);
   EXPECT_EQ(vivgpu_swtnl_box_pixels(none, &limits), 1u);
   EXPECT_EQ(vivgpu_swtnl_box_pixels(outside, &limits), 1u);
}

TEST(smooth, a_line_is_a_pixel_wider_and_longer)
{
   const float from[9] = {10, 20, 0, 1, 7}, to[9] = {13, 24, 0, 1, 8};
   float v[VIVGPU_SWTNL_SMOOTH_VERTICES * 9];

   for (int side : {1, -1}) {
      ASSERT_TRUE(vivgpu_swtnl_smooth_line(v, from, to, 9, 2, side));
      EXPECT_NEAR(area(v, 9), side * 18, 1e-4);
      EXPECT_NEAR(area(v + 27, 9), side * 18, 1e-4);
      for (unsigned i = 0; i < VIVGPU_SWTNL_SMOOTH_VERTICES; i++) {
         EXPECT_EQ(fabsf(v[9 * i + 5]), 1.5f);
         EXPECT_EQ(v[9 * i + 6], 1.5f);
         EXPECT_EQ(v[9 * i + 7], v[9 * i + 4] == 8 ? 3.0f : -3.0f);
         EXPECT_EQ(v[9 * i + 8], 3.0f);
      }
      for (unsigned triangle : {0, 27}) {
         EXPECT_EQ(v[triangle + 4], 7);
         EXPECT_EQ(v[triangle + 18 + 4], 8);
      }
   }
   EXPECT_FALSE(vivgpu_swtnl_smooth_line(v, from, from, 9, 2, 1));
}

TEST(smooth, a_point_has_its_area)
{
   const float at[8] = {10, 20, 0, 1};
   float v[VIVGPU_SWTNL_SMOOTH_VERTICES * 8];

   ASSERT_TRUE(vivgpu_swtnl_smooth_point(v, at, 8, 1, 1));
   EXPECT_NEAR(v[7], M_PI / 4, 1e-6);
   ASSERT_TRUE(vivgpu_swtnl_smooth_point(v, at, 8, 5, 1));
   EXPECT_EQ(v[7], 1);
   for (unsigned i = 0; i < VIVGPU_SWTNL_SMOOTH_VERTICES; i++) {
      EXPECT_NEAR(v[8 * i + 5], 2.98, 0.01);
      EXPECT_NEAR(v[8 * i] - 10, v[8 * i + 4], 1e-5);
      EXPECT_NEAR(v[8 * i + 1] - 20, v[8 * i + 6], 1e-5);
      EXPECT_EQ(fabsf(v[8 * i + 4]), v[8 * i + 5]);
   }
   EXPECT_EQ(signbit(area(v, 8)), signbit(area(v + 24, 8)));
}

TEST(words, each_part_of_a_pixel)
{
   EXPECT_EQ(vivgpu_cpu_blit_mask(PIPE_FORMAT_S8_UINT_Z24_UNORM, PIPE_MASK_S), 0xffu);
   EXPECT_EQ(vivgpu_cpu_blit_mask(PIPE_FORMAT_S8_UINT_Z24_UNORM, PIPE_MASK_ZS), 0xffffffffu);
   EXPECT_EQ(vivgpu_cpu_blit_mask(PIPE_FORMAT_X8Z24_UNORM, PIPE_MASK_ZS), 0xffffff00u);
   EXPECT_EQ(vivgpu_cpu_blit_mask(PIPE_FORMAT_Z16_UNORM, PIPE_MASK_S), 0u);
   EXPECT_EQ(vivgpu_cpu_blit_mask(PIPE_FORMAT_B8G8R8A8_UNORM, PIPE_MASK_RGBA), 0xffffffffu);
   EXPECT_EQ(vivgpu_cpu_blit_mask(PIPE_FORMAT_B5G6R5_UNORM, PIPE_MASK_RGBA), 0xffffu);
   EXPECT_EQ(vivgpu_cpu_blit_mask(PIPE_FORMAT_B5G6R5_UNORM, PIPE_MASK_ZS), 0u);
   EXPECT_EQ(vivgpu_cpu_blit_mask(PIPE_FORMAT_Z16_UNORM, PIPE_MASK_RGBA), 0u);
}

TEST(words, the_nearest_pixel)
{
   for (unsigned i = 0; i < 6; i++) {
      EXPECT_EQ(vivgpu_cpu_blit_nearest(i, 6, 6, false), i);
      EXPECT_EQ(vivgpu_cpu_blit_nearest(i, 6, 6, true), 5 - i);
      EXPECT_EQ(vivgpu_cpu_blit_nearest(i, 6, 3, false), i / 2);
      EXPECT_EQ(vivgpu_cpu_blit_nearest(i, 6, 12, false), 2 * i + 1);
   }
}

TEST(words, first_samples_close_up)
{
   uint16_t pixels[4][6] = {{1, 0, 2, 0, 3, 0}, {}, {4, 0, 5, 0, 6, 0}, {}};
   const struct vivgpu_rows rows = {(char *)pixels, sizeof(pixels[0]), 2};

   vivgpu_cpu_blit_first_samples(&rows, 3, 2, 2, 2);
   for (uint16_t i = 0; i < 3; i++) {
      EXPECT_EQ(pixels[0][i], i + 1);
      EXPECT_EQ(pixels[1][i], i + 4);
   }
}

TEST(soft_texture, texels_beyond_the_edge)
{
   static const struct {
      unsigned mode;
      int texels[6]; /* of -2, -1, 0, 3, 4, 5 in a row of 4 */
   } cases[] = {
      {PIPE_TEX_WRAP_REPEAT, {2, 3, 0, 3, 0, 1}},
      {PIPE_TEX_WRAP_MIRROR_REPEAT, {1, 0, 0, 3, 3, 2}},
      {PIPE_TEX_WRAP_CLAMP_TO_EDGE, {0, 0, 0, 3, 3, 3}},
      {PIPE_TEX_WRAP_CLAMP_TO_BORDER, {-1, -1, 0, 3, -1, -1}},
   };
   static const int places[6] = {-2, -1, 0, 3, 4, 5};

   for (const auto &one : cases) {
      for (unsigned i = 0; i < 6; i++)
         EXPECT_EQ(vivgpu_swtnl_wrap(places[i], 4, one.mode), one.texels[i]) << one.mode;
   }
}

TEST(soft_texture, layers_of_an_array)
{
   EXPECT_EQ(vivgpu_swtnl_layer(-3, 4), 0);
   EXPECT_EQ(vivgpu_swtnl_layer(0.49f, 4), 0);
   EXPECT_EQ(vivgpu_swtnl_layer(0.5f, 4), 1);
   EXPECT_EQ(vivgpu_swtnl_layer(2.4f, 4), 2);
   EXPECT_EQ(vivgpu_swtnl_layer(9, 4), 3);
}

TEST(soft_texture, faces_of_a_cube)
{
   static const float directions[6][3] = {{2, 1, 1},  {-2, 1, 1}, {1, 2, 1},
                                          {1, -2, 1}, {1, 1, 2},  {1, 1, -2}};
   static const float places[6][2] = {{0.25, 0.25}, {0.75, 0.25}, {0.75, 0.75},
                                      {0.75, 0.25}, {0.75, 0.25}, {0.25, 0.25}};
   float place[2];

   for (unsigned face = 0; face < 6; face++) {
      EXPECT_EQ(vivgpu_swtnl_face(directions[face], place), face);
      EXPECT_EQ(place[0], places[face][0]) << face;
      EXPECT_EQ(place[1], places[face][1]) << face;
   }
}
