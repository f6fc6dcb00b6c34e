/* SPDX-License-Identifier: MIT */
/* The states that a queue's prologue loads. */

#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "state_test.h"
#include "vivgpu_emit.h"

TEST(prologue, leaves_nothing_of_others)
{
   uint32_t words[VIVGPU_MAX_PROLOGUE_WORDS];
   uint32_t count = vivgpu_emit_prologue(&gc3000, words);
   auto states = loaded(words, count);

   EXPECT_LE(count, VIVGPU_MAX_PROLOGUE_WORDS);
   for (unsigned i = 0; i < 32; i++)
      EXPECT_TRUE(states.count(VIVS_NTE_SAMPLER_CONFIG0(i))) << i;
   EXPECT_TRUE(states.count(VIVS_PE_PIPE_COLOR_ADDR(0)));
   EXPECT_TRUE(states.count(VIVS_PE_PIPE_DEPTH_ADDR(1)));
   EXPECT_TRUE(states.count(VIVS_FE_INDEX_STREAM_BASE_ADDR));
   EXPECT_TRUE(states.count(VIVS_RS_SINGLE_BUFFER));
}

TEST(prologue, older_cores_have_their_states_elsewhere)
{
   uint32_t words[VIVGPU_MAX_PROLOGUE_WORDS];
   auto states = loaded(words, vivgpu_emit_prologue(&gc2000, words));

   for (unsigned i = 0; i < 12; i++)
      EXPECT_TRUE(states.count(VIVS_TE_SAMPLER_CONFIG0(i))) << i;
   for (unsigned i = 0; i < 8; i++)
      EXPECT_TRUE(states.count(VIVS_FE_VERTEX_STREAMS_BASE_ADDR(i))) << i;
   EXPECT_FALSE(states.count(VIVS_FE_VERTEX_STREAMS_CONTROL(0)));
   EXPECT_FALSE(states.count(VIVS_TE_SAMPLER_CONFIG0(12)));
   EXPECT_FALSE(states.count(VIVS_NTE_SAMPLER_CONFIG0(0)));
   EXPECT_FALSE(states.count(VIVS_NFE_VERTEX_STREAMS_BASE_ADDR(0)));
   EXPECT_FALSE(states.count(VIVS_RS_SINGLE_BUFFER));
}

TEST(prologue, divides_a_file_of_uniforms_between_the_stages)
{
   uint32_t words[VIVGPU_MAX_PROLOGUE_WORDS];
   struct vivgpu_generation generation = gc3000;

   vivgpu_generation_divide_uniforms(&generation, 192);
   EXPECT_EQ(generation.uniforms[0], VIVS_SH_UNIFORMS(0));
   EXPECT_EQ(generation.uniforms[1], VIVS_SH_UNIFORMS(4 * 192));

   auto states = loaded(words, vivgpu_emit_prologue(&generation, words));

   EXPECT_EQ(states[VIVS_VS_UNIFORM_BASE], 0u);
   EXPECT_EQ(states[VIVS_PS_UNIFORM_BASE], 192u);
}

TEST(prologue, older_cores_have_a_file_for_each_stage)
{
   uint32_t words[VIVGPU_MAX_PROLOGUE_WORDS];
   struct vivgpu_generation generation = gc2000;

   vivgpu_generation_divide_uniforms(&generation, 168);
   EXPECT_EQ(generation.uniforms[1], VIVS_PS_UNIFORMS(0));
   EXPECT_FALSE(
      loaded(words, vivgpu_emit_prologue(&generation, words)).count(VIVS_PS_UNIFORM_BASE));
}
