/* SPDX-License-Identifier: MIT */
/* Vertex and fragment shaders together; uniforms. */

#include <gtest/gtest.h>
#include <map>

#include "etna_core_info.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "vivgpu_shader.h"

class link_test : public ::testing::Test {
 protected:
   link_test()
   {
      core.vertex_output_buffer_size = 1024;
      core.vertex_cache_size = 16;
      core.shader_core_count = 4;
      key.core = &core;
      key.num_elements = 1;
      key.num_targets = 1;
      vs.stage = MESA_SHADER_VERTEX;
      vs.num_instructions = 10;
      vs.num_temps = 4;
      vs.num_inputs = 1;
      vs.position_reg = 3;
      vs.point_size_reg = vs.vertex_id_reg = VIVGPU_NO_REG;
      fs.stage = MESA_SHADER_FRAGMENT;
      fs.num_instructions = 5;
      fs.num_temps = 2;
      fs.color_reg[0] = 1;
   }

   void output(unsigned location, unsigned reg)
   {
      vs.outputs[vs.num_outputs++] = {(uint8_t)location, (uint8_t)reg, 4, 0};
   }

   void input(unsigned location, unsigned components)
   {
      fs.inputs[fs.num_inputs++] = {(uint8_t)location, 0, (uint8_t)components, 0};
   }

   std::map<uint32_t, uint32_t> states()
   {
      std::map<uint32_t, uint32_t> found;

      vivgpu_link(&link, &vs, &fs, &key);
      EXPECT_LE(link.packed.count, ARRAY_SIZE(link.packed.words));
      for (uint32_t i = 0; i < link.packed.count;) {
         uint32_t count = link.packed.words[i] >> 16 & 0x3ff;

         for (uint32_t j = 0; j < count; j++)
            found[((link.packed.words[i] & 0xffff) << 2) + 4 * j] = link.packed.words[i + 1 + j];
         i += (1 + count + 1) / 2 * 2;
      }
      return found;
   }

   struct etna_core_gpu_info core = {};
   struct vivgpu_link_key key = {};
   struct vivgpu_shader vs = {}, fs = {};
   struct vivgpu_link link = {};
};

TEST_F(link_test, without_a_position)
{
   vs.position_reg = VIVGPU_NO_REG;
   output(VARYING_SLOT_VAR0, 5);
   input(VARYING_SLOT_VAR0, 4);

   auto s = states();

   EXPECT_EQ(s[VIVS_VS_OUTPUT(0)], 0x00000500u);
}

TEST_F(link_test, outputs_in_the_fragment_shaders_order)
{
   output(VARYING_SLOT_VAR0, 5);
   output(VARYING_SLOT_VAR1, 6);
   input(VARYING_SLOT_VAR1, 2);
   input(VARYING_SLOT_VAR0, 4);

   auto s = states();

   EXPECT_EQ(s[VIVS_VS_OUTPUT(0)], 0x050603u);
   EXPECT_EQ(link.vs_output_count, 3u);
   EXPECT_EQ(s[VIVS_GL_VARYING_NUM_COMPONENTS], 0x42u);
   EXPECT_EQ(s[VIVS_GL_VARYING_TOTAL_COMPONENTS] & 0xff, 6u);
   EXPECT_EQ(s[VIVS_VS_END_PC], 10u);
   EXPECT_EQ(s[VIVS_PS_END_PC], 5u);
}

TEST_F(link_test, what_nobody_writes_is_some_register)
{
   input(VARYING_SLOT_VAR3, 4);
   EXPECT_EQ(states()[VIVS_VS_OUTPUT(0)], 0x0303u);
}

TEST_F(link_test, the_point_size_is_the_last_output)
{
   vs.point_size_reg = 7;
   output(VARYING_SLOT_VAR0, 5);
   input(VARYING_SLOT_VAR0, 4);

   auto s = states();

   EXPECT_EQ(s[VIVS_VS_OUTPUT(0)], 0x070503u);
   EXPECT_EQ(link.vs_output_count, 2u);
   EXPECT_EQ(link.vs_output_count_sized, 3u);
   EXPECT_TRUE(link.pa_config_mask & VIVS_PA_CONFIG_POINT_SIZE_ENABLE);
}

TEST_F(link_test, point_coordinates)
{
   fs.uses_point_coord = true;
   input(VARYING_SLOT_PNTC, 2);

   auto s = states();

   EXPECT_EQ(
      s[VIVS_GL_VARYING_COMPONENT_USE(0)],
      (uint32_t)(VARYING_COMPONENT_USE_POINTCOORD_X | VARYING_COMPONENT_USE_POINTCOORD_Y << 2));
   EXPECT_TRUE(link.pa_config_mask & VIVS_PA_CONFIG_POINT_SPRITE_ENABLE);
   fs.uses_point_coord = false;
   states();
   EXPECT_FALSE(link.pa_config_mask & VIVS_PA_CONFIG_POINT_SPRITE_ENABLE);
}

TEST_F(link_test, samples_take_an_input)
{
   EXPECT_EQ(states()[VIVS_PS_INPUT_COUNT] & 0x1f, 1u);
   key.multisample = true;

   auto s = states();

   EXPECT_EQ(s[VIVS_PS_INPUT_COUNT] & 0x1f, 2u);
   EXPECT_EQ(s[VIVS_PS_TEMP_REGISTER_CONTROL] & 0x3f, 3u);
}

TEST_F(link_test, elements_that_are_not_read_go_to_other_temporaries)
{
   key.num_elements = 3;
   vs.inputs[0].reg = 2;

   auto s = states();

   EXPECT_EQ(s[VIVS_VS_INPUT(0)], 0x050402u);
   EXPECT_EQ(s[VIVS_VS_TEMP_REGISTER_CONTROL] & 0x3f, 6u);
}

TEST_F(link_test, numbers_of_vertex_and_instance_come_last)
{
   vs.vertex_id_reg = 1;

   auto s = states();

   EXPECT_EQ(s[VIVS_VS_INPUT(0)] >> 8, 1u);
   EXPECT_TRUE(s[VIVS_VS_INPUT_COUNT] & VIVS_VS_INPUT_COUNT_ID_ENABLE);
   EXPECT_EQ(s[VIVS_VS_INPUT_COUNT] & 0xf, 2u);
}

TEST_F(link_test, as_many_varyings_as_there_can_be)
{
   key.num_elements = vs.num_inputs = 16;
   vs.vertex_id_reg = 1;
   vs.point_size_reg = 2;
   for (unsigned i = 0; i < 16; i++) {
      output(VARYING_SLOT_VAR0 + i, i);
      input(VARYING_SLOT_VAR0 + i, 4);
   }

   auto s = states();

   EXPECT_EQ(s[VIVS_VS_OUTPUT(3)], 0x0e0d0c0bu);
   EXPECT_EQ(link.vs_output_count, 17u | VIVS_VS_OUTPUT_COUNT_OUTPUT16_REG(15) |
                                      VIVS_VS_OUTPUT_COUNT_OUTPUT17_REG(2));
   EXPECT_EQ(link.vs_output_count_sized, 18u | VIVS_VS_OUTPUT_COUNT_OUTPUT16_REG(15) |
                                            VIVS_VS_OUTPUT_COUNT_OUTPUT17_REG(2));
}

TEST(uniforms, sorted_by_where_they_come_from)
{
   struct vivgpu_uniform uniforms[9] = {
      {VIVGPU_UNIFORM_USER, 4},     {VIVGPU_UNIFORM_USER, 5},  {VIVGPU_UNIFORM_USER, 9},
      {VIVGPU_UNIFORM_CONSTANT, 7}, {VIVGPU_UNIFORM_UNUSED},   {VIVGPU_UNIFORM_UBO_ADDRESS, 1},
      {VIVGPU_UNIFORM_USER, 10},    {VIVGPU_UNIFORM_USER, 11}, {VIVGPU_UNIFORM_CLIP_PLANE, 2},
   };
   struct vivgpu_shader shader = {};
   struct vivgpu_variant variant = {};

   shader.uniforms = uniforms;
   shader.num_uniforms = 9;
   variant.shader = &shader;
   ASSERT_TRUE(vivgpu_uniforms_sort(&variant));
   EXPECT_EQ(variant.num_runs, 3u);
   EXPECT_EQ(variant.runs[0].count, 2u);
   EXPECT_EQ(variant.runs[0].word, 4u);
   EXPECT_EQ(variant.runs[1].first, 2u);
   EXPECT_EQ(variant.runs[2].first, 6u);
   EXPECT_EQ(variant.runs[2].count, 2u);
   EXPECT_EQ(variant.run_words, 12u);
   EXPECT_EQ(variant.uniforms[3], 7u);
   ASSERT_EQ(variant.num_computed, 1u);
   EXPECT_EQ(variant.computed[0], 8u);
   ASSERT_EQ(variant.num_addresses, 1u);
   EXPECT_EQ(variant.addresses[0].index, 5u);
   EXPECT_EQ(variant.addresses[0].buffer, 1u);
   EXPECT_EQ(variant.buffers, 1u << 1);
   free(variant.uniforms);
   free(variant.runs);
   free(variant.computed);
   free(variant.addresses);
}
