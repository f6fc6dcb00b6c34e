/* SPDX-License-Identifier: MIT */
/* Vertices that are too far apart for the core. */

#include <gtest/gtest.h>
#include <vector>

#include "etna_core_info.h"
#include "vivgpu_generation.h"
#include "vivgpu_translate.h"

static struct pipe_vertex_element
element(unsigned buffer, unsigned offset, unsigned stride, unsigned divisor = 0)
{
   struct pipe_vertex_element made = {};

   made.src_format = PIPE_FORMAT_R32G32B32A32_FLOAT;
   made.src_offset = offset;
   made.src_stride = stride;
   made.vertex_buffer_index = buffer;
   made.instance_divisor = divisor;
   return made;
}

class translate : public ::testing::Test {
 protected:
   translate()
   {
      generation.instances = true;
      generation.num_streams = 16;
   }

   bool plan(const std::vector<struct pipe_vertex_element> &base, uint32_t misaligned = 0)
   {
      return vivgpu_translate_plan(&made, base.size(), base.data(), misaligned, &generation);
   }

   struct vivgpu_generation generation = {};
   struct vivgpu_translate made = {};
};

TEST_F(translate, nothing_to_do_up_to_255_bytes)
{
   EXPECT_FALSE(plan({element(0, 0, 252), element(1, 0, 16)}));
}

TEST_F(translate, unaligned_elements_become_aligned)
{
   ASSERT_TRUE(plan({element(0, 0, 18), element(1, 2, 20), element(2, 0, 16)}));
   ASSERT_EQ(made.num_streams, 2u);
   EXPECT_EQ(made.streams[0].from_stride, 18u);
   EXPECT_EQ(made.streams[0].stride, 16u);
   EXPECT_EQ(made.streams[1].elements[0].from, 2u);
   EXPECT_EQ(made.streams[1].elements[0].to, 0u);
}

TEST_F(translate, buffers_with_an_unaligned_offset_are_translated)
{
   ASSERT_TRUE(plan({element(0, 0, 16), element(1, 0, 16)}, 1 << 1));
   ASSERT_EQ(made.num_streams, 1u);
   EXPECT_EQ(made.streams[0].buffer, 1u);
   EXPECT_EQ(made.misaligned, 1u << 1);
   EXPECT_FALSE(plan({element(0, 0, 16), element(1, 0, 16)}, 1 << 2)) << "no element uses it";
}

/* Contexts share the elements of display lists: nothing is added to them when they are drawn. */
TEST_F(translate, elements_for_a_buffer_with_an_unaligned_offset_have_the_plan)
{
   const struct pipe_vertex_element base = element(0, 0, 16);
   struct vivgpu_vertex_elements *elements =
      vivgpu_vertex_elements_create(1, &base, 1, &generation);

   ASSERT_NE(elements, nullptr);
   ASSERT_NE(elements->translate, nullptr);
   EXPECT_EQ(elements->translate->misaligned, 1u);
   vivgpu_vertex_elements_destroy(elements);
}

TEST_F(translate, a_value_for_all_vertices_is_one_row)
{
   struct vivgpu_translate_rows rows;

   ASSERT_TRUE(plan({element(0, 2, 0)}));
   rows = vivgpu_translate_rows(&made.streams[0], 100, 5, 9);
   EXPECT_EQ(rows.first, 0u);
   EXPECT_EQ(rows.count, 1u);
}

TEST_F(translate, doubles_become_floats)
{
   struct pipe_vertex_element doubles = element(0, 8, 24);
   const double from[] = {-1.0, 1.5, 2.25};
   float to[2];

   doubles.src_format = PIPE_FORMAT_R64G64_FLOAT;
   ASSERT_TRUE(plan({doubles}));
   EXPECT_EQ(made.streams[0].stride, 8u);
   EXPECT_EQ(made.elements.vertex_bytes, 16u) << "as the application has them";
   vivgpu_translate_copy(&made.streams[0], to, from, sizeof(from), 1);
   EXPECT_EQ(to[0], 1.5f);
   EXPECT_EQ(to[1], 2.25f);
   vivgpu_translate_copy(&made.streams[0], to, from, sizeof(from) - 1, 1);
   EXPECT_EQ(to[1], 0.0f) << "the element is not wholly in the buffer";
}

TEST_F(translate, elements_of_a_row_stay_together)
{
   ASSERT_TRUE(plan({element(0, 16, 256), element(0, 240, 256), element(1, 0, 16)}));
   ASSERT_EQ(made.num_streams, 1u);
   EXPECT_EQ(made.streams[0].number, 0u);
   EXPECT_EQ(made.streams[0].stride, 32u);
   EXPECT_EQ(made.streams[0].elements[1].from, 240u);
   EXPECT_EQ(made.streams[0].elements[1].to, 16u);
   EXPECT_EQ(made.elements.num_elements, 3u);
}

TEST_F(translate, what_is_in_use_is_not_taken)
{
   ASSERT_TRUE(plan({element(0, 0, 16), element(3, 0, 300), element(3, 0, 300, 2)}));
   ASSERT_EQ(made.num_streams, 2u);
   EXPECT_EQ(made.streams[0].number, 1u);
   EXPECT_EQ(made.streams[1].number, 2u);
   EXPECT_EQ(made.streams[1].divisor, 2u);
}

TEST_F(translate, sixteen_vectors_need_two_streams)
{
   std::vector<struct pipe_vertex_element> base;

   for (unsigned i = 0; i < 16; i++)
      base.push_back(element(0, 16 * i, 256));
   ASSERT_TRUE(plan(base));
   EXPECT_EQ(made.num_streams, 2u);
   EXPECT_EQ(made.streams[0].num_elements + made.streams[1].num_elements, 16u);
   EXPECT_LE(made.streams[0].stride, (unsigned)VIVGPU_MAX_STRIDE);
}

TEST_F(translate, without_a_free_stream_all_elements_are_moved)
{
   generation.num_streams = 1;
   ASSERT_TRUE(plan({element(0, 0, 40), element(0, 18, 40)}));
   EXPECT_EQ(made.num_streams, 1u);
   EXPECT_EQ(made.streams[0].num_elements, 2u);
   EXPECT_EQ(made.streams[0].stride, 32u);
}

TEST_F(translate, without_enough_streams_there_is_no_plan)
{
   generation.num_streams = 2;
   EXPECT_FALSE(plan({element(0, 0, 16), element(1, 0, 16), element(2, 0, 300)}));
}

TEST_F(translate, rows_are_copied_and_what_is_missing_is_zero)
{
   std::vector<uint8_t> from(300 + 40), to(2 * 32, 0xff);

   for (size_t i = 0; i < from.size(); i++)
      from[i] = i % 251;
   ASSERT_TRUE(plan({element(0, 0, 300), element(0, 32, 300)}));
   vivgpu_translate_copy(&made.streams[0], to.data(), from.data(), from.size(), 2);
   for (unsigned i = 0; i < 16; i++) {
      EXPECT_EQ(to[i], i);
      EXPECT_EQ(to[16 + i], 32 + i);
      EXPECT_EQ(to[32 + i], (300 + i) % 251);
      EXPECT_EQ(to[48 + i], 0) << "8 of 16 bytes are missing";
   }
}

TEST_F(translate, rows_of_a_draw)
{
   struct vivgpu_translate_rows rows;

   ASSERT_TRUE(plan({element(0, 0, 256)}));
   rows = vivgpu_translate_rows(&made.streams[0], 10 * 256, 3, 7);
   EXPECT_EQ(rows.first, 3u);
   EXPECT_EQ(rows.count, 5u);
}

TEST_F(translate, an_index_behind_the_buffer_takes_no_memory)
{
   struct vivgpu_translate_rows rows;

   ASSERT_TRUE(plan({element(0, 0, 256)}));
   rows = vivgpu_translate_rows(&made.streams[0], 10 * 256 + 1, 0, 0x10000000);
   EXPECT_EQ(rows.first, 0u);
   EXPECT_EQ(rows.count, 11u) << "the last row begins within the buffer";
   rows = vivgpu_translate_rows(&made.streams[0], 10 * 256, 10, 0xffffffff);
   EXPECT_EQ(rows.first, 0u);
   EXPECT_EQ(rows.count, 1u);
   rows = vivgpu_translate_rows(&made.streams[0], 0, 0, 3);
   EXPECT_EQ(rows.count, 1u);
}

TEST_F(translate, restart_indices_alone_read_one_row)
{
   struct vivgpu_translate_rows rows;

   ASSERT_TRUE(plan({element(0, 0, 256)}));
   rows = vivgpu_translate_rows(&made.streams[0], 10 * 256, 0xffffffff, 0);
   EXPECT_EQ(rows.first, 0u);
   EXPECT_EQ(rows.count, 1u);
}

TEST_F(translate, a_negative_bias_begins_at_the_buffer)
{
   struct vivgpu_translate_rows rows;

   ASSERT_TRUE(plan({element(0, 0, 256)}));
   rows = vivgpu_translate_rows(&made.streams[0], 10 * 256, -4, 2);
   EXPECT_EQ(rows.first, 0u);
   EXPECT_EQ(rows.count, 3u);
}

/* 32 bits hold neither the copies of 256 MB of overlapping elements nor the offset of the last. */
TEST_F(translate, copies_above_2_gib_do_not_fit)
{
   const uint32_t rows = 1u << 28;

   ASSERT_TRUE(plan({element(0, 0, 1)}));
   ASSERT_EQ(made.streams[0].stride, 16u);
   EXPECT_FALSE(vivgpu_translate_fits(&made.streams[0], {0, rows}));
   EXPECT_FALSE(vivgpu_translate_fits(&made.streams[0], {rows - 1, 1}));
   EXPECT_FALSE(vivgpu_translate_fits(&made.streams[0], {UINT32_MAX, 1}));
   EXPECT_FALSE(vivgpu_translate_fits(&made.streams[0], {0, rows / 2}));
   EXPECT_TRUE(vivgpu_translate_fits(&made.streams[0], {0, rows / 2 - 1}));
   EXPECT_TRUE(vivgpu_translate_fits(&made.streams[0], {rows / 2 - 2, 1}));
}
