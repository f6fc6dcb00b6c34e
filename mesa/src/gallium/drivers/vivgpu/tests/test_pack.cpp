/* SPDX-License-Identifier: MIT */
/* Commands that load states. */

#include <gtest/gtest.h>

#include "util/macros.h"
#include "vivgpu_decode.h"
#include "vivgpu_pack.h"

TEST(pack, one_state_is_a_command_of_two_words)
{
   uint32_t words[4];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack(&pack, 0xa18, 7);
   EXPECT_EQ(vivgpu_pack_end(&pack), 2u);
   EXPECT_EQ(words[0], 0x08010000u | 0xa18 >> 2);
   EXPECT_EQ(words[1], 7u);
}

TEST(pack, neighbours_share_a_command_that_is_filled_up)
{
   uint32_t words[8];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack(&pack, 0x100, 1);
   vivgpu_pack(&pack, 0x104, 2);
   EXPECT_EQ(vivgpu_pack_end(&pack), 4u);
   EXPECT_EQ(words[0], 0x08020000u | 0x100 >> 2);
   EXPECT_EQ(words[3], 0u);
}

TEST(pack, others_do_not)
{
   uint32_t words[8];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack(&pack, 0x100, 1);
   vivgpu_pack(&pack, 0x108, 2);
   EXPECT_EQ(vivgpu_pack_end(&pack), 4u);
   EXPECT_EQ(words[2], 0x08010000u | 0x108 >> 2);
}

TEST(pack, fixed_point_is_a_command_of_its_own)
{
   uint32_t words[8];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack(&pack, 0xa00, 1);
   vivgpu_pack_fixp(&pack, 0xa04, 2);
   vivgpu_pack_fixp(&pack, 0xa08, 3);
   EXPECT_EQ(vivgpu_pack_end(&pack), 6u);
   EXPECT_EQ(words[0], 0x08010000u | 0xa00 >> 2);
   EXPECT_EQ(words[2], 0x0c020000u | 0xa04 >> 2);
}

TEST(pack, a_command_holds_no_more_than_its_count_can_say)
{
   static uint32_t words[4096];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);
   uint32_t loaded = 0;

   for (uint32_t i = 0; i < 1500; i++)
      vivgpu_pack(&pack, 0x30000 + 4 * i, i);

   uint32_t count = vivgpu_pack_end(&pack);

   for (uint32_t i = 0; i < count;) {
      uint32_t states = words[i] >> 16 & 0x3ff;

      ASSERT_EQ((words[i] & 0xffff) << 2, 0x30000 + 4 * loaded);
      ASSERT_GT(states, 0u);
      loaded += states;
      i += (1 + states + 1) / 2 * 2;
   }
   EXPECT_EQ(loaded, 1500u);
}

TEST(pack, an_array_is_what_its_words_are)
{
   static uint32_t values[2500], one_by_one[8192], at_once[8192];
   struct vivgpu_pack a = vivgpu_pack_begin(one_by_one), b = vivgpu_pack_begin(at_once);

   for (uint32_t i = 0; i < 2500; i++)
      values[i] = i;
   for (uint32_t count : {1, 2, 1021, 1022, 1023, 2500}) {
      /* The first of them continues the command that is open. */
      vivgpu_pack(&a, 0x2fffc, 7);
      vivgpu_pack(&b, 0x2fffc, 7);
      for (uint32_t i = 0; i < count; i++)
         vivgpu_pack(&a, 0x30000 + 4 * i, values[i]);
      vivgpu_pack_array(&b, 0x30000, values, count);
   }
   ASSERT_EQ(vivgpu_pack_end(&a), vivgpu_pack_end(&b));
   EXPECT_EQ(memcmp(one_by_one, at_once, a.used * sizeof(uint32_t)), 0);
}

TEST(pack, a_stall_of_the_front_end_is_a_command)
{
   uint32_t words[8];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack(&pack, 0x100, 1);
   vivgpu_pack_stall(&pack, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
   EXPECT_EQ(vivgpu_pack_end(&pack), 6u);
   EXPECT_EQ(words[2], 0x08010000u | 0x3808 >> 2);
   EXPECT_EQ(words[4], 0x48000000u);
   EXPECT_EQ(words[5], 0x701u);
}

TEST(pack, what_follows_a_stall_begins_anew)
{
   uint32_t words[16];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack_stall(&pack, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
   vivgpu_pack(&pack, 0x380c, 1);
   EXPECT_EQ(vivgpu_pack_end(&pack), 6u);
   EXPECT_EQ(words[4], 0x08010000u | 0x380c >> 2);
}

/* Each command loads one state, between two stalls of the front end. */
TEST(pack, a_texture_barrier_writes_pixels_and_tags)
{
   uint32_t words[16];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack_texture_barrier(&pack);
   ASSERT_EQ(vivgpu_pack_end(&pack), 14u);
   EXPECT_EQ(words[2], 0x48000000u);
   EXPECT_EQ(words[4], 0x08010000u | 0x380c >> 2);
   EXPECT_EQ(words[5], VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH |
                          VIVS_GL_FLUSH_CACHE_TEXTURE);
   EXPECT_EQ(words[6], 0x08010000u | 0x1650 >> 2);
   EXPECT_EQ(words[7], VIVS_TS_FLUSH_CACHE_FLUSH);
   EXPECT_EQ(words[8], 0x08010000u | 0x380c >> 2);
   EXPECT_EQ(words[9], VIVS_GL_FLUSH_CACHE_TEXTUREVS);
   EXPECT_EQ(words[12], 0x48000000u);
}

TEST(decode, prints_a_line_for_each_state)
{
   const uint32_t words[] = {0x08020000 | 0x100 >> 2, 1, 2, 0, 0x18000000, 5,
                             0x08010000 | 0x380c >> 2, 3, 0x08020000 | 0x146c >> 2, 4, 5, 0,
                             0x08010000 | (0x2400 + 11 * 4 + 2 * 0x40) >> 2, 6};
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);

   vivgpu_decode(file, words, ARRAY_SIZE(words));
   fclose(file);
   EXPECT_NE(strstr(text, "00100 (no name) = 00000001"), nullptr);
   EXPECT_NE(strstr(text, "00104 (no name) = 00000002"), nullptr);
   EXPECT_NE(strstr(text, "nop 18000000 00000005"), nullptr);
   EXPECT_NE(strstr(text, "0380c GL_FLUSH_CACHE = 00000003"), nullptr);
   EXPECT_NE(strstr(text, "0146c PE_PIPE_COLOR_ADDR(3) = 00000004"), nullptr);
   EXPECT_NE(strstr(text, "01470 PE_PIPE_COLOR_ADDR(4) = 00000005"), nullptr);
   EXPECT_NE(strstr(text, "024ac TE_SAMPLER_LOD_ADDR(11)(2) = 00000006"), nullptr);
   free(text);
}

TEST(decode, survives_a_stream_that_is_cut_off)
{
   const uint32_t words[] = {0x08ff0000 | 0x100 >> 2, 1};
   FILE *file = tmpfile();

   vivgpu_decode(file, words, 2);
   fclose(file);
}
