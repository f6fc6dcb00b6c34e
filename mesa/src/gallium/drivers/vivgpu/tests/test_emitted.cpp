/* SPDX-License-Identifier: MIT */
/* States that are loaded only if they change. */

#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "vivgpu_emitted.h"

/* The values that commands load, by header and index */
static std::map<uint32_t, uint32_t>
loads(const std::vector<uint32_t> &words)
{
   std::map<uint32_t, uint32_t> states;

   for (size_t i = 0; i < words.size();) {
      uint32_t count = (words[i] & VIV_FE_LOAD_STATE_HEADER_COUNT__MASK) >>
                       VIV_FE_LOAD_STATE_HEADER_COUNT__SHIFT;
      uint32_t header = words[i] & ~VIV_FE_LOAD_STATE_HEADER_COUNT__MASK;

      for (uint32_t j = 0; j < count; j++)
         states[header + j] = words[i + 1 + j];
      i += (1 + count + 1) / 2 * 2;
   }
   return states;
}

/* Commands for states from an address on. */
static std::vector<uint32_t>
row(uint32_t address, const std::vector<uint32_t> &values)
{
   std::vector<uint32_t> words(2 * values.size() + 2);
   struct vivgpu_pack pack = vivgpu_pack_begin(words.data());

   vivgpu_pack_array(&pack, address, values.data(), values.size());
   words.resize(vivgpu_pack_end(&pack));
   return words;
}

static std::vector<uint32_t>
join(std::vector<uint32_t> a, const std::vector<uint32_t> &b)
{
   a.insert(a.end(), b.begin(), b.end());
   return a;
}

static std::vector<uint32_t>
changes(const std::vector<uint32_t> &before, const std::vector<uint32_t> &words)
{
   std::vector<uint32_t> loaded(words.size());

   loaded.resize(vivgpu_emitted_delta(loaded.data(), before.data(), before.size(), words.data(),
                                      words.size()));
   return loaded;
}

/* A GPU that nothing is emitted of, and what it is loaded. */
class emitted_state : public ::testing::Test {
protected:
   void SetUp() override
   {
      vivgpu_emitted_invalidate(&emitted);
   }

   void emit(enum vivgpu_emitted_state state, uint32_t value)
   {
      vivgpu_emitted_pack(&emitted, &pack, state, value);
   }

   /* The values, each in a command of its own. */
   std::vector<uint32_t> loaded()
   {
      std::vector<uint32_t> values;

      for (uint32_t i = 1; i < vivgpu_pack_end(&pack); i += 2)
         values.push_back(words[i]);
      return values;
   }

   uint32_t words[8];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);
   struct vivgpu_emitted emitted;
};

TEST_F(emitted_state, is_emitted_once)
{
   emit(VIVGPU_EMITTED_PA_CONFIG, 7);
   emit(VIVGPU_EMITTED_PA_CONFIG, 7);
   emit(VIVGPU_EMITTED_PA_CONFIG, 8);
   EXPECT_EQ(loaded(), (std::vector<uint32_t>{7, 8}));
}

/* 32 bits of ones are the restart index of most applications. */
TEST_F(emitted_state, may_be_all_ones)
{
   emit(VIVGPU_EMITTED_RESTART_INDEX, ~0u);
   EXPECT_EQ(loaded(), (std::vector<uint32_t>{~0u}));
}

TEST_F(emitted_state, is_emitted_again_after_a_reset)
{
   emit(VIVGPU_EMITTED_ALPHA_OP, 1);
   vivgpu_emitted_invalidate(&emitted);
   emit(VIVGPU_EMITTED_ALPHA_OP, 1);
   EXPECT_EQ(loaded(), (std::vector<uint32_t>{1, 1}));
}

TEST(emitted, words_after_none_are_loaded_whole)
{
   std::vector<uint32_t> words = join(row(0x800, {1, 2, 3}), row(0xa00, {4}));

   EXPECT_EQ(changes({}, words), words);
}

TEST(emitted, only_states_that_change_are_loaded)
{
   std::vector<uint32_t> before = join(row(0x800, {1, 2, 3}), row(0xa00, {4}));

   EXPECT_TRUE(changes(before, before).empty());
   EXPECT_EQ(changes(before, join(row(0x800, {1, 7, 3}), row(0xa00, {8}))),
             join(row(0x804, {7}), row(0xa00, {8})));
   EXPECT_EQ(changes(before, join(row(0x800, {1, 2, 9}), row(0xa00, {4}))), row(0x808, {9}));
}

TEST(emitted, one_state_between_others_is_loaded_with_them)
{
   EXPECT_EQ(changes(row(0x800, {1, 2, 3, 4, 5}), row(0x800, {6, 7, 3, 8, 9})),
             row(0x800, {6, 7, 3, 8, 9}));
   EXPECT_EQ(changes(row(0x800, {1, 2, 3, 4, 5}), row(0x800, {6, 2, 3, 4, 9})),
             join(row(0x800, {6}), row(0x810, {9})));
}

TEST(emitted, fixed_point_stays_fixed_point)
{
   std::vector<uint32_t> words[2];

   for (uint32_t i = 0; i < 2; i++) {
      words[i].resize(8);

      struct vivgpu_pack pack = vivgpu_pack_begin(words[i].data());

      vivgpu_pack_fixp(&pack, 0xa00, 1);
      vivgpu_pack_fixp(&pack, 0xa04, 2 + i);
      words[i].resize(vivgpu_pack_end(&pack));
   }
   EXPECT_EQ(changes(words[0], words[1]), (std::vector<uint32_t>{0x0c010000u | 0xa04 >> 2, 3}));
}

/* Rows of other lengths: what follows lies elsewhere, and is loaded whole. */
TEST(emitted, other_commands_are_loaded_from_there_on)
{
   std::vector<uint32_t> first = row(0x700, {1}), end = row(0xa00, {4});
   std::vector<uint32_t> two = row(0x800, {1, 2}), four = row(0x800, {1, 2, 3, 4});

   EXPECT_EQ(changes(join(join(first, two), end), join(join(first, four), end)), join(four, end));
   EXPECT_EQ(changes(join(join(first, four), end), join(join(first, two), end)), join(two, end));
}

/* Whatever comes after whatever: the GPU has in the end what the last words load. */
TEST(emitted, the_end_is_as_if_all_was_loaded)
{
   std::map<uint32_t, uint32_t> gpu;
   std::vector<uint32_t> before;
   uint32_t chance = 1;

   for (unsigned round = 0; round < 1000; round++) {
      std::vector<uint32_t> words;

      for (uint32_t address = 0x800; address < 0x880; address += 0x20) {
         std::vector<uint32_t> values;

         chance = chance * 1664525 + 1013904223;
         for (uint32_t i = 0; i <= (chance >> 20) % 5; i++)
            values.push_back(chance >> (24 + i) & 3);
         words = join(words, row(address, values));
      }

      std::vector<uint32_t> loaded = changes(before, words);

      EXPECT_LE(loaded.size(), words.size());
      for (auto [state, value] : loads(loaded))
         gpu[state] = value;
      for (auto [state, value] : loads(words))
         ASSERT_EQ(gpu[state], value) << "round " << round;
      before = words;
   }
}

TEST(range, of_changes)
{
   const uint32_t old[] = {1, 2, 3, 4}, same[] = {1, 2, 3, 4}, middle[] = {1, 9, 9, 4};
   uint32_t first, end;

   EXPECT_FALSE(vivgpu_emitted_range(old, 4, same, 4, &first, &end));
   EXPECT_FALSE(vivgpu_emitted_range(old, 9, same, 4, &first, &end));
   EXPECT_TRUE(vivgpu_emitted_range(old, 4, middle, 4, &first, &end));
   EXPECT_EQ(first, 1u);
   EXPECT_EQ(end, 3u);
   EXPECT_FALSE(vivgpu_emitted_range(old, 4, middle, 0, &first, &end));
}

TEST(range, with_states_that_were_not_emitted)
{
   const uint32_t old[] = {1, 2, 3, 4}, same[] = {1, 2, 3, 4}, middle[] = {1, 9, 3, 4};
   uint32_t first, end;

   EXPECT_TRUE(vivgpu_emitted_range(old, 3, same, 4, &first, &end));
   EXPECT_EQ(first, 3u);
   EXPECT_EQ(end, 4u);
   EXPECT_TRUE(vivgpu_emitted_range(old, 3, middle, 4, &first, &end));
   EXPECT_EQ(first, 1u);
   EXPECT_EQ(end, 4u);
   EXPECT_TRUE(vivgpu_emitted_range(old, 0, same, 4, &first, &end));
   EXPECT_EQ(first, 0u);
   EXPECT_EQ(end, 4u);
}

TEST(range, among_many_that_are_the_same)
{
   uint32_t old[100] = {}, now[100] = {}, first, end;

   EXPECT_FALSE(vivgpu_emitted_range(old, 100, now, 100, &first, &end));
   for (uint32_t from = 0; from < 100; from++) {
      for (uint32_t to = from; to < 100; to += 7) {
         now[from] = now[to] = 1;
         ASSERT_TRUE(vivgpu_emitted_range(old, 100, now, 100, &first, &end));
         ASSERT_EQ(first, from);
         ASSERT_EQ(end, to + 1);
         now[from] = now[to] = 0;
      }
   }
}
