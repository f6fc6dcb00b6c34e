/* SPDX-License-Identifier: MIT */
/* State objects as words of registers. */

#include <gtest/gtest.h>

#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/u_math.h"
#include "compiler/vivgpu_compiler.h"
#include "state_test.h"
#include "vivgpu_format.h"
#include "vivgpu_pack.h"
#include "vivgpu_state.h"
#include "vivgpu_stipple.h"

static struct pipe_blend_state
writes_all()
{
   struct pipe_blend_state base = {};

   base.rt[0].colormask = PIPE_MASK_RGBA;
   return base;
}

TEST(blend, off_is_opaque)
{
   struct pipe_blend_state base = writes_all();
   struct vivgpu_blend blend = {};

   vivgpu_blend_init(&blend, &base);
   EXPECT_TRUE(blend.opaque);
   EXPECT_EQ(loaded(blend.packed.words, blend.packed.count)[VIVS_PE_ALPHA_CONFIG], 0u);
   EXPECT_TRUE(vivgpu_blend_channels(&blend, PIPE_FORMAT_B8G8R8A8_UNORM) &
               VIVS_PE_COLOR_FORMAT_OVERWRITE);
}

TEST(blend, one_and_zero_is_no_blending)
{
   struct pipe_blend_state base = writes_all();
   struct vivgpu_blend blend = {};

   base.rt[0].blend_enable = 1;
   base.rt[0].rgb_src_factor = base.rt[0].alpha_src_factor = PIPE_BLENDFACTOR_ONE;
   base.rt[0].rgb_dst_factor = base.rt[0].alpha_dst_factor = PIPE_BLENDFACTOR_ZERO;
   vivgpu_blend_init(&blend, &base);
   EXPECT_TRUE(blend.opaque);
}

TEST(blend, alpha_of_its_own)
{
   struct pipe_blend_state base = writes_all();
   struct vivgpu_blend blend = {};

   base.rt[0].blend_enable = 1;
   base.rt[0].rgb_src_factor = PIPE_BLENDFACTOR_SRC_ALPHA;
   base.rt[0].rgb_dst_factor = PIPE_BLENDFACTOR_INV_SRC_ALPHA;
   base.rt[0].alpha_src_factor = PIPE_BLENDFACTOR_ONE;
   base.rt[0].alpha_dst_factor = PIPE_BLENDFACTOR_INV_SRC_ALPHA;
   vivgpu_blend_init(&blend, &base);

   uint32_t config = loaded(blend.packed.words, blend.packed.count)[VIVS_PE_ALPHA_CONFIG];

   EXPECT_TRUE(config & VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR);
   EXPECT_TRUE(config & VIVS_PE_ALPHA_CONFIG_BLEND_SEPARATE_ALPHA);
   EXPECT_FALSE(blend.opaque);
}

TEST(blend, masks_follow_the_targets_order_of_channels)
{
   struct pipe_blend_state base = {};
   struct vivgpu_blend blend = {};

   base.rt[0].colormask = PIPE_MASK_R;
   vivgpu_blend_init(&blend, &base);
   EXPECT_EQ(vivgpu_blend_channels(&blend, PIPE_FORMAT_B8G8R8A8_UNORM),
             VIVS_PE_COLOR_FORMAT_COMPONENTS(PIPE_MASK_R));
   EXPECT_EQ(vivgpu_blend_channels(&blend, PIPE_FORMAT_R8G8B8A8_UNORM),
             VIVS_PE_COLOR_FORMAT_COMPONENTS(PIPE_MASK_B));
}

TEST(blend, a_missing_alpha_does_not_matter)
{
   struct pipe_blend_state base = {};
   struct vivgpu_blend blend = {};

   base.rt[0].colormask = PIPE_MASK_RGBA & ~PIPE_MASK_A;
   vivgpu_blend_init(&blend, &base);
   EXPECT_TRUE(vivgpu_blend_channels(&blend, PIPE_FORMAT_B8G8R8X8_UNORM) &
               VIVS_PE_COLOR_FORMAT_OVERWRITE);
   EXPECT_FALSE(vivgpu_blend_channels(&blend, PIPE_FORMAT_B8G8R8A8_UNORM) &
                VIVS_PE_COLOR_FORMAT_OVERWRITE);
}

TEST(blend, red_differs_from_blue)
{
   const float grey[] = {0.5, 0, 0.5, 1}, red[] = {1, 0, 0, 1};
   struct pipe_blend_state base = writes_all();
   struct vivgpu_blend blend = {};

   vivgpu_blend_init(&blend, &base);
   EXPECT_FALSE(vivgpu_blend_tells_red_from_blue(&blend, red)); /* which is not used */

   base.rt[0].colormask = PIPE_MASK_RGBA & ~PIPE_MASK_B;
   vivgpu_blend_init(&blend, &base);
   EXPECT_TRUE(vivgpu_blend_tells_red_from_blue(&blend, grey));

   base = writes_all();
   base.rt[0].blend_enable = 1;
   base.rt[0].rgb_src_factor = PIPE_BLENDFACTOR_ONE;
   base.rt[0].rgb_dst_factor = PIPE_BLENDFACTOR_INV_CONST_COLOR;
   vivgpu_blend_init(&blend, &base);
   EXPECT_TRUE(vivgpu_blend_tells_red_from_blue(&blend, red));
   EXPECT_FALSE(vivgpu_blend_tells_red_from_blue(&blend, grey));
}

static struct pipe_depth_stencil_alpha_state
depth(enum pipe_compare_func func, bool writes)
{
   struct pipe_depth_stencil_alpha_state base = {};

   base.depth_enabled = 1;
   base.depth_writemask = writes;
   base.depth_func = func;
   return base;
}

TEST(zsa, early_test_and_late_write)
{
   struct pipe_depth_stencil_alpha_state base = depth(PIPE_FUNC_LESS, true);
   struct vivgpu_zsa zsa = {};
   uint32_t config, early;

   vivgpu_zsa_init(&zsa, &base);
   vivgpu_zsa_depth(&zsa, true, false, &config, &early);
   EXPECT_TRUE(config & VIVS_PE_DEPTH_CONFIG_EARLY_Z);
   EXPECT_TRUE(config & VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE);
   EXPECT_FALSE(config & VIVS_PE_DEPTH_CONFIG_DISABLE_ZS);
   EXPECT_TRUE(early & VIVS_RA_EARLY_DEPTH_TEST_ENABLE);
}

TEST(zsa, a_test_alone_is_done_early_only)
{
   struct pipe_depth_stencil_alpha_state base = depth(PIPE_FUNC_LESS, false);
   struct vivgpu_zsa zsa = {};
   uint32_t config, early;

   vivgpu_zsa_init(&zsa, &base);
   vivgpu_zsa_depth(&zsa, true, false, &config, &early);
   EXPECT_TRUE(config & VIVS_PE_DEPTH_CONFIG_DISABLE_ZS);
   vivgpu_zsa_depth(&zsa, true, true, &config, &early);
   EXPECT_FALSE(config & VIVS_PE_DEPTH_CONFIG_DISABLE_ZS);
   EXPECT_FALSE(early & VIVS_RA_EARLY_DEPTH_TEST_ENABLE);
}

TEST(zsa, off_touches_nothing)
{
   struct pipe_depth_stencil_alpha_state base = {};
   struct vivgpu_zsa zsa = {};
   uint32_t config, early;

   vivgpu_zsa_init(&zsa, &base);
   vivgpu_zsa_depth(&zsa, true, false, &config, &early);
   EXPECT_TRUE(config & VIVS_PE_DEPTH_CONFIG_DISABLE_ZS);
   EXPECT_FALSE(config & (VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE | VIVS_PE_DEPTH_CONFIG_EARLY_Z));
}

TEST(zsa, the_cores_front_is_clockwise)
{
   struct pipe_depth_stencil_alpha_state base = {};
   struct pipe_stencil_ref ref = {};
   struct vivgpu_zsa zsa = {};
   uint32_t config, config_ext;

   for (unsigned i = 0; i < 2; i++) {
      base.stencil[i].enabled = 1;
      base.stencil[i].func = PIPE_FUNC_ALWAYS;
      base.stencil[i].valuemask = base.stencil[i].writemask = 0xff;
   }
   base.stencil[0].func = PIPE_FUNC_LESS;
   ref.ref_value[0] = 1;
   ref.ref_value[1] = 2;
   vivgpu_zsa_init(&zsa, &base);

   EXPECT_EQ(zsa.stencil_op[0], VIVS_PE_STENCIL_OP_FUNC_FRONT(PIPE_FUNC_LESS) |
                                   VIVS_PE_STENCIL_OP_FUNC_BACK(PIPE_FUNC_ALWAYS));
   EXPECT_EQ(zsa.stencil_op[1], VIVS_PE_STENCIL_OP_FUNC_FRONT(PIPE_FUNC_ALWAYS) |
                                   VIVS_PE_STENCIL_OP_FUNC_BACK(PIPE_FUNC_LESS));
   vivgpu_zsa_references(&zsa, &ref, VIVGPU_FRONT_CW, &config, &config_ext);
   EXPECT_EQ(config, VIVS_PE_STENCIL_CONFIG_REF_FRONT(1));
   EXPECT_EQ(config_ext, VIVS_PE_STENCIL_CONFIG_EXT_REF_BACK(2));
   vivgpu_zsa_references(&zsa, &ref, VIVGPU_FRONT_CCW, &config, &config_ext);
   EXPECT_EQ(config, VIVS_PE_STENCIL_CONFIG_REF_FRONT(2));
   EXPECT_EQ(config_ext, VIVS_PE_STENCIL_CONFIG_EXT_REF_BACK(1));
   EXPECT_EQ(zsa.stencil_op[VIVGPU_FRONT_BOTH], VIVS_PE_STENCIL_OP_FUNC_FRONT(PIPE_FUNC_LESS) |
                                                   VIVS_PE_STENCIL_OP_FUNC_BACK(PIPE_FUNC_LESS));
   vivgpu_zsa_references(&zsa, &ref, VIVGPU_FRONT_BOTH, &config, &config_ext);
   EXPECT_EQ(config, VIVS_PE_STENCIL_CONFIG_REF_FRONT(1));
   EXPECT_EQ(config_ext, VIVS_PE_STENCIL_CONFIG_EXT_REF_BACK(1));
}

TEST(zsa, one_side_counts_for_both)
{
   struct pipe_depth_stencil_alpha_state base = {};
   struct pipe_stencil_ref ref = {};
   struct vivgpu_zsa zsa = {};
   uint32_t config, config_ext;

   base.stencil[0].enabled = 1;
   base.stencil[0].func = PIPE_FUNC_EQUAL;
   ref.ref_value[0] = 5;
   ref.ref_value[1] = 9;
   vivgpu_zsa_init(&zsa, &base);
   vivgpu_zsa_references(&zsa, &ref, VIVGPU_FRONT_CCW, &config, &config_ext);
   EXPECT_EQ(config, VIVS_PE_STENCIL_CONFIG_REF_FRONT(5));
   EXPECT_EQ(config_ext, VIVS_PE_STENCIL_CONFIG_EXT_REF_BACK(5));
   EXPECT_EQ(zsa.stencil_op[0], zsa.stencil_op[1]);
}

TEST(rasterizer, culling_depends_on_the_front)
{
   struct pipe_rasterizer_state base = {};
   struct vivgpu_rasterizer rasterizer = {};
   const uint32_t mask = VIVS_PA_CONFIG_CULL_FACE_MODE__MASK;

   base.cull_face = PIPE_FACE_BACK;
   vivgpu_rasterizer_init(&rasterizer, &base);
   EXPECT_EQ(rasterizer.pa_config & mask, VIVS_PA_CONFIG_CULL_FACE_MODE_CCW);
   base.front_ccw = 1;
   vivgpu_rasterizer_init(&rasterizer, &base);
   EXPECT_EQ(rasterizer.pa_config & mask, VIVS_PA_CONFIG_CULL_FACE_MODE_CW);
   base.cull_face = PIPE_FACE_FRONT;
   vivgpu_rasterizer_init(&rasterizer, &base);
   EXPECT_EQ(rasterizer.pa_config & mask, VIVS_PA_CONFIG_CULL_FACE_MODE_CCW);
}

/* Half the size of points, as packed for the core. */
static float
packed_point_size(const struct pipe_rasterizer_state *base, bool *rounds)
{
   struct vivgpu_rasterizer rasterizer = {};

   vivgpu_rasterizer_init(&rasterizer, base);
   *rounds = rasterizer.key.round_point_size;
   return uif(loaded(rasterizer.packed.words, rasterizer.packed.count)[VIVS_PA_POINT_SIZE]) * 2;
}

TEST(rasterizer, points_have_integer_sizes_unless_they_are_sprites_or_multisampled)
{
   struct pipe_rasterizer_state base = {};
   bool rounds;

   base.point_size = 2.5f;
   EXPECT_EQ(packed_point_size(&base, &rounds), 3);
   EXPECT_FALSE(rounds); /* there is no size in the vertex shader */
   base.point_size = 0.3f;
   EXPECT_EQ(packed_point_size(&base, &rounds), 1);
   base.point_size_per_vertex = true;
   packed_point_size(&base, &rounds);
   EXPECT_TRUE(rounds);

   base.point_size = 2.5f;
   base.multisample = true;
   EXPECT_EQ(packed_point_size(&base, &rounds), 2.5f);
   EXPECT_FALSE(rounds);
   base.multisample = false;
   base.point_quad_rasterization = true;
   EXPECT_EQ(packed_point_size(&base, &rounds), 2.5f);
   EXPECT_FALSE(rounds);
}

TEST(rasterizer, offsets_are_for_the_mode_that_is_drawn)
{
   struct pipe_rasterizer_state base = {};
   struct vivgpu_rasterizer rasterizer = {};

   base.offset_line = 1;
   base.offset_units = 3;
   base.fill_front = base.fill_back = PIPE_POLYGON_MODE_FILL;
   vivgpu_rasterizer_init(&rasterizer, &base);
   EXPECT_EQ(rasterizer.depth_bias, 0);
   base.fill_front = base.fill_back = PIPE_POLYGON_MODE_LINE;
   vivgpu_rasterizer_init(&rasterizer, &base);
   EXPECT_EQ(rasterizer.depth_bias, 6);
}

TEST(viewport, closed_it_has_no_area)
{
   struct pipe_viewport_state base = {};
   struct vivgpu_viewport viewport = {};

   base.scale[0] = 50;
   base.scale[1] = 12.5;
   base.translate[0] = 60;
   base.translate[1] = 12.5;
   vivgpu_viewport_close(&base);
   vivgpu_viewport_init(&viewport, &base);
   EXPECT_EQ(viewport.box.minx, viewport.box.maxx);
   EXPECT_EQ(viewport.box.miny, viewport.box.maxy);
   EXPECT_EQ(viewport.box.minx, 60u);
}

TEST(viewport, box_and_depth)
{
   struct pipe_viewport_state base = {};
   struct vivgpu_viewport viewport = {};

   base.scale[0] = 50;
   base.scale[1] = -25;
   base.scale[2] = 0.5;
   base.translate[0] = 60;
   base.translate[1] = 25;
   base.translate[2] = 0.5;
   vivgpu_viewport_init(&viewport, &base);
   EXPECT_EQ(viewport.box.minx, 10u);
   EXPECT_EQ(viewport.box.maxx, 110u);
   EXPECT_EQ(viewport.box.miny, 0u);
   EXPECT_EQ(viewport.box.maxy, 50u);
   EXPECT_LE(viewport.packed.count, ARRAY_SIZE(viewport.packed.words));

   auto states = loaded(viewport.packed.words, viewport.packed.count);

   EXPECT_EQ(states[VIVS_PA_VIEWPORT_SCALE_X], 50u << 16);
   EXPECT_EQ(states[VIVS_PA_VIEWPORT_SCALE_Z], fui(1));
   EXPECT_EQ(states[VIVS_PA_VIEWPORT_OFFSET_Z], fui(0));
}

TEST(viewport, numbers_beyond_all_surfaces_are_limited)
{
   struct pipe_viewport_state base = {};
   struct vivgpu_viewport viewport = {};

   base.scale[0] = 1e30;
   base.scale[1] = 1e30;
   vivgpu_viewport_init(&viewport, &base);
   EXPECT_EQ(viewport.box.minx, 0u);
   EXPECT_EQ(viewport.box.maxx, 8192u);
   EXPECT_EQ(loaded(viewport.packed.words, viewport.packed.count)[VIVS_PA_VIEWPORT_SCALE_X],
             0x7fffffffu);
}

TEST(scissor, box_is_the_intersection)
{
   const struct pipe_scissor_state scissor = {20, 5, 70, 40};
   struct vivgpu_viewport viewport = {};
   struct pipe_scissor_state box;

   viewport.box = {10, 10, 100, 100};
   box = vivgpu_scissor_box(&viewport, NULL, 64, 200);
   EXPECT_EQ(box.minx, 10);
   EXPECT_EQ(box.miny, 10);
   EXPECT_EQ(box.maxx, 64);
   EXPECT_EQ(box.maxy, 100);
   box = vivgpu_scissor_box(&viewport, &scissor, 64, 200);
   EXPECT_EQ(box.minx, 20);
   EXPECT_EQ(box.miny, 10);
   EXPECT_EQ(box.maxx, 64);
   EXPECT_EQ(box.maxy, 40);
}

TEST(scissor, an_empty_one_is_not_negative)
{
   const struct pipe_scissor_state box = {100, 100, 50, 50};
   uint32_t words[16];
   uint32_t count = vivgpu_scissor_pack(&box, words);
   auto states = loaded(words, count);

   EXPECT_LE(count, 16u);
   EXPECT_EQ(states[VIVS_SE_SCISSOR_LEFT], 100u << 16);
   EXPECT_EQ(states[VIVS_SE_SCISSOR_RIGHT] >> 16, 100u);
}

static struct vivgpu_target
target(enum pipe_format format, enum vivgpu_tiling tiling)
{
   return {format, tiling, 256};
}

TEST(framebuffer, single_buffer_mode)
{
   struct vivgpu_target colors[] = {target(PIPE_FORMAT_B8G8R8A8_UNORM, VIVGPU_SUPER)};
   struct vivgpu_target z16 = target(PIPE_FORMAT_Z16_UNORM, VIVGPU_SUPER);
   struct vivgpu_framebuffer fb = {};

   vivgpu_framebuffer_init(&fb, colors, 1, NULL, 1);
   EXPECT_EQ(fb.pe_logic_op, VIVS_PE_LOGIC_OP_SINGLE_BUFFER(2));
   EXPECT_FALSE(fb.early_depth);
   vivgpu_framebuffer_init(&fb, colors, 1, &z16, 1);
   EXPECT_EQ(fb.pe_logic_op, VIVS_PE_LOGIC_OP_SINGLE_BUFFER(3));
   EXPECT_TRUE(fb.early_depth);
   EXPECT_TRUE(fb.ts_mem_config & VIVS_TS_MEM_CONFIG_DEPTH_16BPP);
   colors[0].tiling = VIVGPU_LINEAR;
   vivgpu_framebuffer_init(&fb, colors, 1, &z16, 1);
   EXPECT_EQ(fb.pe_logic_op, VIVS_PE_LOGIC_OP_SINGLE_BUFFER(1));
   EXPECT_FALSE(fb.early_depth);
}

TEST(framebuffer, orders_of_channels)
{
   struct vivgpu_target colors[] = {target(PIPE_FORMAT_R8G8B8A8_UNORM, VIVGPU_SUPER),
                                    target(PIPE_FORMAT_R8G8B8X8_UNORM, VIVGPU_SUPER),
                                    target(PIPE_FORMAT_R16G16B16A16_FLOAT, VIVGPU_TILED)};
   struct vivgpu_framebuffer fb = {};

   vivgpu_framebuffer_init(&fb, colors, 2, NULL, 1);
   EXPECT_EQ(fb.native_prims, ~0u);
   vivgpu_framebuffer_init(&fb, colors, 3, NULL, 1);
   EXPECT_EQ(fb.native_prims, 0u);
   vivgpu_framebuffer_init(&fb, NULL, 0, NULL, 1);
   EXPECT_EQ(fb.native_prims, ~0u);
}

TEST(framebuffer, samples_apart_or_at_the_centre)
{
   for (unsigned samples : {2, 4}) {
      struct vivgpu_target color = target(PIPE_FORMAT_B8G8R8A8_UNORM, VIVGPU_SUPER);
      struct vivgpu_framebuffer fb = {};

      vivgpu_framebuffer_init(&fb, &color, 1, NULL, samples);
      ASSERT_LE(fb.sample_positions.count, ARRAY_SIZE(fb.sample_positions.words));
      ASSERT_LE(fb.center_positions.count, ARRAY_SIZE(fb.center_positions.words));

      auto apart = loaded(fb.sample_positions.words, fb.sample_positions.count);
      auto centred = loaded(fb.center_positions.words, fb.center_positions.count);

      EXPECT_EQ(apart[VIVS_RA_MULTISAMPLE_UNK00E10(0)], samples == 4 ? 0xeaa26e26 : 0x0000aa22);
      ASSERT_EQ(apart.size(), centred.size());
      for (auto [address, value] : centred) {
         EXPECT_TRUE(apart.count(address));
         EXPECT_EQ(value, 0x88888888);
      }
   }
}

TEST(framebuffer, samples_without_attachments)
{
   struct vivgpu_framebuffer fb = {};

   vivgpu_framebuffer_init(&fb, NULL, 0, NULL, 4);
   EXPECT_TRUE(fb.multisample);
   EXPECT_EQ(fb.gl_multi_sample_config, VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_4X);
   vivgpu_framebuffer_init(&fb, NULL, 0, NULL, 1);
   EXPECT_FALSE(fb.multisample);
}

TEST(framebuffer, the_largest_fits)
{
   struct vivgpu_target colors[VIVGPU_MAX_TARGETS];
   struct vivgpu_target z24 = target(PIPE_FORMAT_S8_UINT_Z24_UNORM, VIVGPU_SUPER);
   struct vivgpu_framebuffer fb = {};

   for (auto &color : colors)
      color = target(PIPE_FORMAT_R16G16B16A16_FLOAT, VIVGPU_TILED);
   vivgpu_framebuffer_init(&fb, colors, VIVGPU_MAX_TARGETS, &z24, 4);
   EXPECT_LE(fb.packed.count, ARRAY_SIZE(fb.packed.words));
   EXPECT_TRUE(fb.multisample);

   auto states = loaded(fb.packed.words, fb.packed.count);

   EXPECT_TRUE(states.count(VIVS_PE_RT_CONFIG_8(2)));
   EXPECT_EQ(states[VIVS_PE_DEPTH_NORMALIZE], fui(16777215.0f));
}

/* Triangle strips with indices are wrong on cores without BUG_FIXES8, those without indices are not. */
TEST(generation, indexed_strips_are_not_for_the_gc2000)
{
   const uint32_t strip = vivgpu_primitive_bit(MESA_PRIM_TRIANGLE_STRIP, false);
   const uint32_t indexed = vivgpu_primitive_bit(MESA_PRIM_TRIANGLE_STRIP, true);

   EXPECT_NE(strip, indexed);
   EXPECT_EQ(gc3000.primitives & (strip | indexed), strip | indexed);
   EXPECT_EQ(gc2000.primitives & (strip | indexed), strip);
   for (unsigned mode : {MESA_PRIM_POINTS, MESA_PRIM_LINE_STRIP, MESA_PRIM_TRIANGLES,
                         MESA_PRIM_TRIANGLE_FAN}) {
      EXPECT_TRUE(gc2000.primitives & vivgpu_primitive_bit(mode, true)) << mode;
      EXPECT_TRUE(gc2000.primitives & vivgpu_primitive_bit(mode, false)) << mode;
   }
}

TEST(rasterizer, primitives_with_and_without_indices)
{
   struct pipe_rasterizer_state base = {};
   struct vivgpu_rasterizer rasterizer;

   base.line_smooth = true;
   vivgpu_rasterizer_init(&rasterizer, &base);
   for (bool indexed : {false, true}) {
      EXPECT_TRUE(rasterizer.native_prims & vivgpu_primitive_bit(MESA_PRIM_TRIANGLES, indexed));
      EXPECT_FALSE(rasterizer.native_prims & vivgpu_primitive_bit(MESA_PRIM_LINES, indexed));
   }
}

/* States that are loaded behind others. */
static std::map<uint32_t, uint32_t>
loaded_behind(struct vivgpu_emitted_vertices *emitted, const struct vivgpu_vertex_elements &elements,
              const struct vivgpu_generation &generation)
{
   uint32_t words[VIVGPU_VERTEX_WORDS];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_vertex_elements_pack(&elements, &generation, emitted, &pack);

   uint32_t count = vivgpu_pack_end(&pack);

   EXPECT_LE(count, ARRAY_SIZE(words));
   return loaded(words, count);
}

/* States that are loaded at the beginning of a job. */
static std::map<uint32_t, uint32_t>
loaded_by(const struct vivgpu_vertex_elements &elements, const struct vivgpu_generation &generation)
{
   struct vivgpu_emitted_vertices emitted = {};

   return loaded_behind(&emitted, elements, generation);
}

TEST(vertex, runs_of_elements)
{
   struct pipe_vertex_element base[3] = {};
   struct vivgpu_vertex_elements elements = {};

   for (auto &element : base) {
      element.src_format = PIPE_FORMAT_R32G32B32A32_FLOAT;
      element.src_stride = 64;
   }
   base[1].src_offset = 16;
   base[2].src_offset = 48;
   ASSERT_TRUE(vivgpu_vertex_elements_init(&elements, 3, base, &gc3000));

   auto states = loaded_by(elements, gc3000);
   uint32_t last = VIVS_FE_VERTEX_ELEMENT_CONFIG_NONCONSECUTIVE;

   EXPECT_FALSE(states[VIVS_FE_VERTEX_ELEMENT_CONFIG(0)] & last);
   EXPECT_TRUE(states[VIVS_FE_VERTEX_ELEMENT_CONFIG(1)] & last);
   EXPECT_TRUE(states[VIVS_FE_VERTEX_ELEMENT_CONFIG(2)] & last);
   EXPECT_EQ(states[VIVS_FE_VERTEX_ELEMENT_CONFIG(1)] >> 24, 32u);
   EXPECT_EQ(states[VIVS_FE_VERTEX_ELEMENT_CONFIG(2)] >> 24, 16u);
   EXPECT_EQ(states[VIVS_NFE_VERTEX_STREAMS_CONTROL(0)] & 0xff, 64u);
}

/* One or two elements in streams of their own with this stride. */
static struct vivgpu_vertex_elements
streams(unsigned count, unsigned stride)
{
   struct pipe_vertex_element base[2] = {};
   struct vivgpu_vertex_elements elements = {};

   for (unsigned i = 0; i < count; i++) {
      base[i].src_format = PIPE_FORMAT_R32G32B32A32_FLOAT;
      base[i].src_stride = stride;
      base[i].vertex_buffer_index = i;
   }
   EXPECT_TRUE(vivgpu_vertex_elements_init(&elements, count, base, &gc3000));
   return elements;
}

TEST(vertex, states_that_stay_the_same_are_not_loaded)
{
   struct vivgpu_emitted_vertices emitted = {};
   auto near = streams(2, 16), far = streams(2, 32);

   EXPECT_EQ(loaded_behind(&emitted, near, gc3000).size(), 8u);
   EXPECT_EQ(loaded_behind(&emitted, near, gc3000).size(), 0u);

   auto states = loaded_behind(&emitted, far, gc3000);

   EXPECT_EQ(states.size(), 2u);
   EXPECT_EQ(states[VIVS_NFE_VERTEX_STREAMS_CONTROL(1)] & 0xff, 32u);
   EXPECT_EQ(loaded_behind(&emitted, near, gc3000).size(), 2u);
}

TEST(vertex, divisors_and_integers_are_loaded_again)
{
   struct vivgpu_emitted_vertices emitted = {};
   struct pipe_vertex_element base = {};
   struct vivgpu_vertex_elements instanced = {};
   auto plain = streams(2, 16);

   base.src_format = PIPE_FORMAT_R32G32B32A32_UINT;
   base.src_stride = 16;
   base.instance_divisor = 3;
   ASSERT_TRUE(vivgpu_vertex_elements_init(&instanced, 1, &base, &gc3000));
   loaded_behind(&emitted, plain, gc3000);

   auto states = loaded_behind(&emitted, instanced, gc3000);

   EXPECT_EQ(states[VIVS_NFE_VERTEX_STREAMS_VERTEX_DIVISOR(0)], 3u);
   EXPECT_EQ(states[VIVS_FE_GENERIC_ATTRIB_SCALE(0)], 1u);
   states = loaded_behind(&emitted, plain, gc3000);
   EXPECT_EQ(states[VIVS_NFE_VERTEX_STREAMS_VERTEX_DIVISOR(0)], 0u);
   EXPECT_EQ(states[VIVS_FE_GENERIC_ATTRIB_SCALE(0)], fui(1));
   EXPECT_EQ(loaded_behind(&emitted, plain, gc3000).size(), 0u);
}

TEST(vertex, configurations_are_loaded_all_or_not_at_all)
{
   struct vivgpu_emitted_vertices emitted = {};
   auto one = streams(1, 16), two = streams(2, 16);

   loaded_behind(&emitted, two, gc3000);
   EXPECT_EQ(loaded_behind(&emitted, one, gc3000).size(), 1u) << "another number of elements";

   auto states = loaded_behind(&emitted, two, gc3000);

   EXPECT_EQ(states.size(), 2u) << "the other states are still known";
   EXPECT_TRUE(states.count(VIVS_FE_VERTEX_ELEMENT_CONFIG(0)));
   EXPECT_TRUE(states.count(VIVS_FE_VERTEX_ELEMENT_CONFIG(1)));
}

TEST(vertex, no_run_is_longer_than_its_field)
{
   struct pipe_vertex_element base[16] = {};
   struct vivgpu_vertex_elements elements = {};

   for (unsigned i = 0; i < 16; i++) {
      base[i].src_format = PIPE_FORMAT_R32G32B32A32_FLOAT;
      base[i].src_offset = 16 * i;
      base[i].src_stride = 255;
   }
   ASSERT_TRUE(vivgpu_vertex_elements_init(&elements, 16, base, &gc3000));

   auto states = loaded_by(elements, gc3000);

   for (unsigned i = 0; i < 16; i++)
      EXPECT_NE(states[VIVS_FE_VERTEX_ELEMENT_CONFIG(i)] >> 24, 0u) << i;
}

TEST(vertex, something_is_always_fetched)
{
   struct vivgpu_vertex_elements elements = {};

   ASSERT_TRUE(vivgpu_vertex_elements_init(&elements, 0, NULL, &gc3000));
   EXPECT_EQ(elements.num_elements, 1u);
   EXPECT_EQ(elements.num_streams, 1u);
   EXPECT_FALSE(vivgpu_vertex_elements_init(&elements, 17, NULL, &gc3000));
}

TEST(sampler, levels_of_detail)
{
   struct pipe_sampler_state base = {};
   struct vivgpu_view_state view = {};
   struct vivgpu_sampler sampler = {};

   base.min_mip_filter = PIPE_TEX_MIPFILTER_LINEAR;
   base.min_lod = 1;
   base.max_lod = 100;
   view.max_lod = 3 * 32;
   vivgpu_sampler_init(&sampler, &base);
   EXPECT_EQ(vivgpu_view_lod(&view, &sampler),
             VIVS_TE_SAMPLER_LOD_CONFIG_MAX(3 * 32) | VIVS_TE_SAMPLER_LOD_CONFIG_MIN(1 * 32));
}

/* A view of levels @first to @last of a texture of 48 by 20 texels with five levels */
static struct vivgpu_view_state
view_of_levels(unsigned first, unsigned last)
{
   struct pipe_resource texture = {};
   struct pipe_sampler_view base = {};
   struct vivgpu_view_state view = {};
   struct vivgpu_layout layout;

   texture.target = base.target = PIPE_TEXTURE_2D;
   texture.format = base.format = PIPE_FORMAT_B8G8R8A8_UNORM;
   texture.width0 = 48;
   texture.height0 = 20;
   texture.depth0 = texture.array_size = 1;
   texture.last_level = 4;
   base.u.tex.first_level = first;
   base.u.tex.last_level = last;
   EXPECT_TRUE(vivgpu_layout_init(&layout, &texture, VIVGPU_LINEAR));
   vivgpu_view_init(&view, &base, &texture, &layout);
   EXPECT_EQ(view.linear_stride, layout.levels[first].stride);
   return view;
}

/* The core compares the level of detail with 0 to choose between magnification and minification. */
TEST(view, the_first_level_is_the_cores_level_0)
{
   struct pipe_sampler_state base = {};
   struct vivgpu_sampler sampler = {};
   struct vivgpu_view_state view = view_of_levels(2, 4);

   EXPECT_EQ(view.size, VIVS_TE_SAMPLER_SIZE_WIDTH(12) | VIVS_TE_SAMPLER_SIZE_HEIGHT(5));
   EXPECT_EQ(view.first_level, 2u);

   base.min_mip_filter = PIPE_TEX_MIPFILTER_LINEAR;
   base.max_lod = 100;
   vivgpu_sampler_init(&sampler, &base);
   EXPECT_EQ(vivgpu_view_lod(&view, &sampler), VIVS_TE_SAMPLER_LOD_CONFIG_MAX(2 * 32));
}

TEST(view, a_single_level_is_not_mixed_with_the_next)
{
   EXPECT_FALSE(view_of_levels(1, 1).config0_keep & VIVS_TE_SAMPLER_CONFIG0_MIP__MASK);
   EXPECT_TRUE(view_of_levels(1, 2).config0_keep & VIVS_TE_SAMPLER_CONFIG0_MIP__MASK);
}

TEST(sampler, borders_are_left_to_the_shader)
{
   struct pipe_sampler_state base = {};
   struct vivgpu_sampler sampler = {};

   base.wrap_s = PIPE_TEX_WRAP_CLAMP_TO_EDGE;
   base.wrap_t = PIPE_TEX_WRAP_CLAMP;
   vivgpu_sampler_init(&sampler, &base);
   EXPECT_EQ(sampler.border, 0); /* GL_CLAMP has none where texels are not filtered */

   base.wrap_r = PIPE_TEX_WRAP_CLAMP_TO_BORDER;
   base.mag_img_filter = PIPE_TEX_FILTER_LINEAR;
   base.min_mip_filter = PIPE_TEX_MIPFILTER_NONE;
   vivgpu_sampler_init(&sampler, &base);
   EXPECT_EQ(sampler.border,
             VIVGPU_BORDER_CLAMP(1) | VIVGPU_BORDER_AXIS(2) | VIVGPU_BORDER_MAG_LINEAR);

   base.min_mip_filter = PIPE_TEX_MIPFILTER_LINEAR;
   base.compare_mode = PIPE_TEX_COMPARE_R_TO_TEXTURE;
   base.compare_func = PIPE_FUNC_GEQUAL;
   vivgpu_sampler_init(&sampler, &base);
   EXPECT_TRUE(sampler.border & VIVGPU_BORDER_MIPMAPS);
   EXPECT_TRUE(sampler.border & VIVGPU_BORDER_MIP_LINEAR);
   EXPECT_EQ(VIVGPU_BORDER_FUNC(sampler.border), (unsigned)PIPE_FUNC_GEQUAL);
}

TEST(sampler, without_mipmaps_the_minifying_filter_is_reached)
{
   struct pipe_sampler_state base = {};
   struct vivgpu_view_state view = {};
   struct vivgpu_sampler sampler = {};

   base.min_mip_filter = PIPE_TEX_MIPFILTER_NONE;
   base.min_img_filter = PIPE_TEX_FILTER_LINEAR;
   base.mag_img_filter = PIPE_TEX_FILTER_NEAREST;
   base.max_lod = 10;
   vivgpu_sampler_init(&sampler, &base);
   EXPECT_EQ(vivgpu_view_lod(&view, &sampler), VIVS_TE_SAMPLER_LOD_CONFIG_MAX(1));
}

TEST(sampler, limits_of_the_level_of_detail_choose_the_filter)
{
   struct pipe_sampler_state base = {};
   struct vivgpu_view_state view = {};
   struct vivgpu_sampler sampler = {};

   base.min_mip_filter = PIPE_TEX_MIPFILTER_NONE;
   base.min_img_filter = PIPE_TEX_FILTER_LINEAR;
   base.mag_img_filter = PIPE_TEX_FILTER_NEAREST;
   base.min_lod = 2;
   base.max_lod = 10;
   vivgpu_sampler_init(&sampler, &base); /* it always minifies */
   EXPECT_EQ(vivgpu_view_lod(&view, &sampler),
             VIVS_TE_SAMPLER_LOD_CONFIG_MAX(1) | VIVS_TE_SAMPLER_LOD_CONFIG_MIN(1));

   base.min_lod = base.max_lod = 0;
   vivgpu_sampler_init(&sampler, &base); /* it always magnifies */
   EXPECT_EQ(vivgpu_view_lod(&view, &sampler), 0u);
}

TEST(sampler, borders_know_the_level_of_detail)
{
   struct pipe_sampler_state base = {};
   struct vivgpu_sampler sampler = {};

   base.wrap_s = PIPE_TEX_WRAP_CLAMP_TO_BORDER;
   base.min_mip_filter = PIPE_TEX_MIPFILTER_LINEAR;
   base.lod_bias = -1.5;
   base.min_lod = 1;
   base.max_lod = 1000;
   vivgpu_sampler_init(&sampler, &base);
   EXPECT_EQ(vivgpu_sampler_lod(&sampler, 3, 0), -1.5f);
   EXPECT_EQ(vivgpu_sampler_lod(&sampler, 3, 1), 1.0f);
   EXPECT_EQ(vivgpu_sampler_lod(&sampler, 3, 2), 3.0f); /* the view has no more */
   base.max_lod = 2;
   vivgpu_sampler_init(&sampler, &base);
   EXPECT_EQ(vivgpu_sampler_lod(&sampler, 3, 2), 2.0f);
}

TEST(vertex, older_cores_have_no_divisors)
{
   struct pipe_vertex_element base[1] = {};
   struct vivgpu_vertex_elements elements = {};

   base[0].src_format = PIPE_FORMAT_R32G32B32A32_FLOAT;
   base[0].src_stride = 64;
   ASSERT_TRUE(vivgpu_vertex_elements_init(&elements, 1, base, &gc2000));

   auto states = loaded_by(elements, gc2000);

   EXPECT_EQ(states[VIVS_FE_VERTEX_STREAMS_CONTROL(0)] & 0xff, 64u);
   EXPECT_FALSE(states.count(VIVS_NFE_VERTEX_STREAMS_CONTROL(0)));
   EXPECT_FALSE(states.count(VIVS_NFE_VERTEX_STREAMS_VERTEX_DIVISOR(0)));
   EXPECT_FALSE(states.count(VIVS_FE_GENERIC_ATTRIB_SCALE(0)));
}

TEST(format, depth_of_each_unit)
{
   EXPECT_EQ(vivgpu_format_target(PIPE_FORMAT_B8G8R8A8_UNORM), (uint32_t)PE_FORMAT_A8R8G8B8);
   EXPECT_EQ(vivgpu_format_target(PIPE_FORMAT_Z16_UNORM), (uint32_t)VIVGPU_NO_FORMAT);
   EXPECT_EQ(vivgpu_format_texture(PIPE_FORMAT_B8G8R8A8_SRGB), (uint32_t)TEXTURE_FORMAT_A8R8G8B8);
   EXPECT_EQ(vivgpu_format_target(PIPE_FORMAT_B8G8R8A8_SRGB), (uint32_t)VIVGPU_NO_FORMAT);
   EXPECT_TRUE(vivgpu_format_rb_swap(PIPE_FORMAT_R8G8B8A8_UNORM));
   EXPECT_EQ(vivgpu_format_vertex(PIPE_FORMAT_R8G8B8A8_UNORM),
             (uint32_t)FE_DATA_TYPE_UNSIGNED_BYTE);
   EXPECT_EQ(vivgpu_format_vertex(PIPE_FORMAT_B8G8R8A8_UNORM), (uint32_t)VIVGPU_NO_FORMAT);
   EXPECT_TRUE(vivgpu_format_can_tile(PIPE_FORMAT_Z16_UNORM));
   EXPECT_FALSE(vivgpu_format_can_tile(PIPE_FORMAT_R8_UNORM));
   EXPECT_EQ(vivgpu_format_resolve(PIPE_FORMAT_R16_FLOAT), (uint32_t)VIVGPU_NO_FORMAT);
}

TEST(format, compression_is_a_feature_of_the_core)
{
   static const struct {
      enum etna_feature feature;
      enum pipe_format format;
   } cases[] = {
      {ETNA_FEATURE_DXT_TEXTURE_COMPRESSION, PIPE_FORMAT_DXT1_SRGB},
      {ETNA_FEATURE_DXT_TEXTURE_COMPRESSION, PIPE_FORMAT_DXT5_RGBA},
      {ETNA_FEATURE_ETC1_TEXTURE_COMPRESSION, PIPE_FORMAT_ETC1_RGB8},
      {ETNA_FEATURE_TEXTURE_ASTC, PIPE_FORMAT_ASTC_8x5},
   };

   for (const auto &i : cases) {
      struct etna_core_info info = {};

      EXPECT_FALSE(vivgpu_format_decompresses(&info, i.format));
      etna_core_enable_feature(&info, i.feature);
      EXPECT_TRUE(vivgpu_format_decompresses(&info, i.format));
      EXPECT_TRUE(vivgpu_format_decompresses(&info, PIPE_FORMAT_B8G8R8A8_UNORM));
      etna_core_enable_feature(&info, ETNA_FEATURE_NO_ASTC);
      EXPECT_EQ(vivgpu_format_decompresses(&info, i.format), i.format != PIPE_FORMAT_ASTC_8x5);
   }
}

TEST(stipple, takes_a_sampler_that_the_shader_leaves)
{
   BITSET_WORD used[1] = {0};

   EXPECT_EQ(vivgpu_stipple_sampler(used, 8), 0);
   used[0] = 0x17;
   EXPECT_EQ(vivgpu_stipple_sampler(used, 8), 3);
   used[0] = 0xff;
   EXPECT_EQ(vivgpu_stipple_sampler(used, 8), -1);
}
