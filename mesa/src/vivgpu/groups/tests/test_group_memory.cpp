/* SPDX-License-Identifier: MIT */
/* Descriptions by number, and keys that are known. */

#include <gtest/gtest.h>
#include <memory>
#include <thread>

#include "vivgpu_group_descriptions.h"
#include "vivgpu_group_memory.h"

static struct vivgpu_command
upload(uint32_t bytes)
{
   struct vivgpu_command command = {};

   command.type = VIVGPU_COMMAND_UPLOAD;
   command.offset = 12;
   command.flags = VIVGPU_COMMAND_FIRST_PART;
   command.upload.bytes = bytes;
   return command;
}

/* Whether the description is there; its bytes */
static bool
described(const struct vivgpu_group_descriptions *table, uint32_t number, uint32_t *bytes)
{
   struct vivgpu_command command;

   if (!vivgpu_group_described(table, number, &command))
      return false;
   EXPECT_EQ(command.offset, 0u);
   EXPECT_EQ(command.flags, 0u);
   *bytes = command.upload.bytes;
   return true;
}

TEST(group_descriptions, have_numbers_until_they_are_replaced)
{
   struct vivgpu_group_description slots[4] = {};
   struct vivgpu_group_descriptions table = {slots, 4, 0};
   uint32_t bytes;

   EXPECT_FALSE(described(&table, 0, &bytes));
   EXPECT_FALSE(described(&table, 1, &bytes));
   for (uint32_t i = 1; i <= 6; i++) {
      const struct vivgpu_command command = upload(100 + i);

      EXPECT_EQ(vivgpu_group_describe(&table, &command), i);
      EXPECT_EQ(vivgpu_group_last_number(&table), i);
   }
   EXPECT_FALSE(described(&table, 2, &bytes));
   ASSERT_TRUE(described(&table, 3, &bytes));
   EXPECT_EQ(bytes, 103u);
   ASSERT_TRUE(described(&table, 6, &bytes));
   EXPECT_EQ(bytes, 106u);
   EXPECT_FALSE(described(&table, 7, &bytes));
}

TEST(group_descriptions, without_a_table_there_are_none)
{
   struct vivgpu_group_descriptions table = {};
   const struct vivgpu_command command = upload(1);
   uint32_t bytes;

   EXPECT_EQ(vivgpu_group_describe(&table, &command), 0u);
   EXPECT_FALSE(described(&table, 1, &bytes));
}

/* Numbers are not used again, so they end. */
TEST(group_descriptions, the_last_number_is_the_last)
{
   struct vivgpu_group_description slots[4] = {};
   struct vivgpu_group_descriptions table = {slots, 4, UINT32_MAX - 1};
   const struct vivgpu_command command = upload(1);
   uint32_t bytes;

   EXPECT_EQ(vivgpu_group_describe(&table, &command), UINT32_MAX);
   EXPECT_EQ(vivgpu_group_describe(&table, &command), 0u);
   EXPECT_EQ(vivgpu_group_describe(&table, &command), 0u);
   EXPECT_TRUE(described(&table, UINT32_MAX, &bytes));
}

/* A description that another thread replaces meanwhile is whole or lost: all its bytes are its number's. */
TEST(group_descriptions, are_whole_while_another_thread_writes)
{
   enum { WRITES = 2000000 };
   struct vivgpu_group_description slots[1] = {};
   struct vivgpu_group_descriptions table = {slots, 1, 0};
   uint64_t found = 0, torn = 0;
   std::thread writer([&table] {
      for (uint32_t i = 1; i <= WRITES; i++) {
         struct vivgpu_command command = upload(0);

         memset(command.text, i & 0xff, sizeof(command.text));
         vivgpu_group_describe(&table, &command);
      }
   });

   for (uint32_t number = 0; number < WRITES;) {
      struct vivgpu_command command;

      number = __atomic_load_n(&slots[0].number, __ATOMIC_RELAXED);
      if (!vivgpu_group_described(&table, number, &command))
         continue;
      found++;
      for (char byte : command.text)
         torn += (uint8_t)byte != (number & 0xff);
   }
   writer.join();
   EXPECT_GT(found, 0u);
   EXPECT_EQ(torn, 0u);
}

class group_memory_test : public testing::Test {
 protected:
   void SetUp() override { vivgpu_group_memory_reset(memory.get(), 0); }

   static struct vivgpu_group_key key(uint64_t value, unsigned word = 3)
   {
      struct vivgpu_group_key key = {{VIVGPU_COMMAND_DRAW}};

      key.words[word] += value;
      return key;
   }

   struct vivgpu_group_known *find(uint64_t value, unsigned word = 3)
   {
      const struct vivgpu_group_key wanted = key(value, word);

      return vivgpu_group_find(memory.get(), &wanted, 0);
   }

   struct vivgpu_group_known *remember(uint64_t value, unsigned word = 3)
   {
      const struct vivgpu_group_key wanted = key(value, word);

      return vivgpu_group_remember(memory.get(), &wanted, 0);
   }

   std::unique_ptr<struct vivgpu_group_memory> memory{new struct vivgpu_group_memory};
};

TEST_F(group_memory_test, finds_what_it_got)
{
   EXPECT_EQ(find(1), nullptr);
   remember(1)->number = 11;
   remember(2)->number = 12;
   ASSERT_NE(find(1), nullptr);
   EXPECT_EQ(find(1)->number, 11u);
   EXPECT_EQ(find(2)->number, 12u);
   EXPECT_EQ(find(3), nullptr);
}

TEST_F(group_memory_test, each_word_of_a_key_counts)
{
   for (unsigned word = 0; word < VIVGPU_GROUP_KEY_WORDS; word++) {
      EXPECT_EQ(find(UINT64_C(1) << 40, word), nullptr);
      remember(UINT64_C(1) << 40, word)->number = word + 1;
   }
   for (unsigned word = 0; word < VIVGPU_GROUP_KEY_WORDS; word++)
      EXPECT_EQ(find(UINT64_C(1) << 40, word)->number, word + 1);
}

TEST_F(group_memory_test, what_followed_the_last_time_is_expected)
{
   unsigned expected[3] = {};

   for (unsigned frame = 0; frame < 3; frame++) {
      memory->place = 0;
      for (uint64_t value = 1; value <= 5; value++) {
         const struct vivgpu_group_known *next = vivgpu_group_expected(memory.get(), 0);

         if (vivgpu_group_expects(next, VIVGPU_COMMAND_DRAW, 0, 0, value)) {
            vivgpu_group_confirm(memory.get(), next);
            expected[frame]++;
            EXPECT_EQ(next->number, value);
         } else if (!find(value)) {
            remember(value)->number = value;
         }
      }
   }
   EXPECT_EQ(expected[0], 0u);
   EXPECT_EQ(expected[1], 4u);
   EXPECT_EQ(expected[2], 5u);
}

/* Of each target another entry follows. */
TEST_F(group_memory_test, targets_in_turns)
{
   unsigned expected = 0;

   for (unsigned frame = 0; frame < 9; frame++) {
      const uint32_t target = 20 + frame % 3;
      const struct vivgpu_group_key common = key(1), own = key(target);

      memory->place = 0;
      for (const struct vivgpu_group_key *wanted : {&common, &own}) {
         const uint32_t of = wanted == &own ? target : 7;
         struct vivgpu_group_known *next = vivgpu_group_expected(memory.get(), of);

         if (!memcmp(&next->key, wanted, sizeof(*wanted))) {
            expected += wanted == &own;
            vivgpu_group_confirm(memory.get(), next);
         } else if (!vivgpu_group_find(memory.get(), wanted, of)) {
            vivgpu_group_remember(memory.get(), wanted, of);
         }
      }
   }
   EXPECT_EQ(expected, 6u);
}

/* An entry that occurs twice in a frame is followed by another one each time. */
TEST_F(group_memory_test, places_of_an_entry)
{
   const uint64_t frame[] = {1, 2, 1, 3};
   unsigned expected = 0;

   for (unsigned i = 0; i < 3; i++) {
      memory->place = 0;
      for (uint64_t value : frame) {
         const struct vivgpu_group_known *next = vivgpu_group_expected(memory.get(), 0);

         expected += vivgpu_group_expects(next, VIVGPU_COMMAND_DRAW, 0, 0, value);
         if (!find(value))
            remember(value)->number = value;
      }
   }
   EXPECT_EQ(expected, 7u);
}

/* Several targets in turns, and an entry that occurs several times in the frames of each. */
TEST_F(group_memory_test, places_of_an_entry_for_several_targets)
{
   const unsigned frames = 24, commands = 8;
   unsigned expected = 0;

   for (unsigned frame = 0; frame < frames; frame++) {
      const uint32_t target = 20 + 8 * (frame % 3);

      memory->place = 0;
      for (unsigned i = 0; i < commands; i++) {
         const struct vivgpu_group_key wanted = key(i % 2 ? 100 * target + i : 1);
         const uint32_t of = i % 2 ? target : 7;

         expected += !memcmp(&vivgpu_group_expected(memory.get(), of)->key, &wanted, sizeof(wanted));
         if (!vivgpu_group_find(memory.get(), &wanted, of))
            vivgpu_group_remember(memory.get(), &wanted, of);
      }
   }
   /* In the first frame of each target nothing follows, but for what is the same for all. */
   EXPECT_GE(expected, (frames - 4) * commands);
}

TEST_F(group_memory_test, what_has_no_number_is_not_expected)
{
   remember(1);
   remember(2);
   memory->place = 0;
   find(1);
   EXPECT_FALSE(vivgpu_group_expects(vivgpu_group_expected(memory.get(), 0), VIVGPU_COMMAND_DRAW, 0, 0, 2));
   find(2)->number = 5;
   memory->place = 0;
   find(1);
   EXPECT_TRUE(vivgpu_group_expects(vivgpu_group_expected(memory.get(), 0), VIVGPU_COMMAND_DRAW, 0, 0, 2));
}

TEST_F(group_memory_test, forgets)
{
   remember(1)->number = 11;
   vivgpu_group_memory_reset(memory.get(), 77);
   EXPECT_EQ(find(1), nullptr);
   EXPECT_EQ(memory->base, 77u);
}

/* With more keys than entries some are forgotten, and none is mistaken for another. */
TEST_F(group_memory_test, more_keys_than_entries)
{
   unsigned known = 0;

   for (uint64_t value = 1; value <= 4 * VIVGPU_GROUP_KNOWN; value++)
      remember(value)->number = value;
   for (uint64_t value = 1; value <= 4 * VIVGPU_GROUP_KNOWN; value++) {
      const struct vivgpu_group_known *found = find(value);

      if (!found)
         continue;
      EXPECT_EQ(found->number, value);
      known++;
   }
   EXPECT_GT(known, VIVGPU_GROUP_KNOWN / 2u);
   EXPECT_LE(known, (unsigned)VIVGPU_GROUP_KNOWN);
}
