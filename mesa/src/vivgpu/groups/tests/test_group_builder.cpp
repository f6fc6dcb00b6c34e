/* SPDX-License-Identifier: MIT */
/* Commands of a group: order, offsets, commands within others, groups that end within one. */

#include <functional>
#include <gtest/gtest.h>
#include <vector>

#include "vivgpu_group_builder.h"

class builder_test : public testing::Test {
 protected:
   ~builder_test()
   {
      vivgpu_group_commands_fini(&commands_);
      vivgpu_group_builder_fini(&builder);
   }

   static struct vivgpu_command command(unsigned type)
   {
      struct vivgpu_command command = {};

      command.type = type;
      return command;
   }

   static struct vivgpu_command draw(uint32_t count, uint32_t instances = 1)
   {
      struct vivgpu_command command = {};

      command.type = VIVGPU_COMMAND_DRAW;
      command.draw.count = count;
      command.draw.instances = instances;
      return command;
   }

   void open(const struct vivgpu_command &command, uint32_t offset)
   {
      vivgpu_group_open(&builder, &command, offset);
   }

   void insert(struct vivgpu_command command, uint32_t from, uint32_t to)
   {
      vivgpu_group_insert(&builder, &command, from, to);
   }

   /* The short way first, as the driver does, where it is permitted. */
   void close(uint32_t offset, bool always = false)
   {
      if (always || !vivgpu_group_close_draw(&builder, offset))
         vivgpu_group_close(&builder, offset, always);
   }

   /* Each command as {type, offset, flags}. */
   using list = std::vector<std::vector<unsigned>>;

   list commands()
   {
      list all;

      unpack();
      for (unsigned i = 0; i < group.num_commands; i++)
         all.push_back({command_at(i).type, command_at(i).offset, command_at(i).flags});
      return all;
   }

   const struct vivgpu_command &command_at(unsigned i) const { return commands_.commands[i]; }

   /* As a reader does: @group has the sums of all commands then. */
   void unpack()
   {
      group = builder.group;
      EXPECT_TRUE(vivgpu_group_unpack(&commands_, &group, builder.list, builder.used, &lookup));
   }

   /* A draw with the parameters of the last one, @words words long; @inside is called amid them. */
   void repeat(uint32_t offset, uint32_t count, uint32_t words,
               const std::function<void()> &inside = nullptr)
   {
      ASSERT_TRUE(vivgpu_group_repeat(&builder, offset,
                                      VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_DRAW, 0, 0, 0), count, 1));
      if (inside)
         inside();
      if (!vivgpu_group_repeated(&builder, offset + 4 * words))
         close(offset + 4 * words);
   }

   const struct vivgpu_group &sums()
   {
      unpack();
      return group;
   }

   /* The table of descriptions to which the builder's lists refer */
   static constexpr uint32_t num_descriptions = 4;
   struct vivgpu_group_description slots[num_descriptions] = {};
   struct vivgpu_group_descriptions table = {slots, num_descriptions, 0};
   const struct vivgpu_group_lookup lookup = vivgpu_group_lookup_in(&table);

   struct vivgpu_group_builder builder = {};
   struct vivgpu_group group = {};
   struct vivgpu_group_commands commands_ = {};
};

TEST_F(builder_test, a_command_has_the_offset_of_its_first_word)
{
   open(draw(3), 40);
   close(80);
   open(draw(4, 5), 80);
   close(88);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FLUSH, 88, 88);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 40, 0}, {VIVGPU_COMMAND_DRAW, 80, 0}}));
   EXPECT_EQ(sums().vertices, 23u);
   EXPECT_EQ(sums().num_draws, 2u);
   EXPECT_EQ(builder.group.stream_bytes, 88u);
   EXPECT_EQ(builder.group.reason, VIVGPU_GROUP_FLUSH);
}

TEST_F(builder_test, a_draw_without_words_is_not_listed)
{
   open(draw(3), 40);
   close(40);
   EXPECT_EQ(commands(), list());
   EXPECT_EQ(sums().vertices, 0u);
   EXPECT_EQ(sums().num_draws, 0u);
}

TEST_F(builder_test, what_the_processor_does_is_listed)
{
   open(command(VIVGPU_COMMAND_UPLOAD), 40);
   close(40, true);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_UPLOAD, 40, 0}}));
}

TEST_F(builder_test, a_resolve_before_a_draws_words_is_before_it)
{
   open(draw(3), 40);
   insert(command(VIVGPU_COMMAND_RESOLVE), 40, 60);
   close(100);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_RESOLVE, 40, 0}, {VIVGPU_COMMAND_DRAW, 60, 0}}));
}

TEST_F(builder_test, a_resolve_amid_a_commands_words_is_behind_it)
{
   open(command(VIVGPU_COMMAND_CLEAR), 40);
   insert(command(VIVGPU_COMMAND_RESOLVE), 48, 60);
   close(100);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_CLEAR, 40, 0}, {VIVGPU_COMMAND_RESOLVE, 48, 0}}));
}

TEST_F(builder_test, draws_within_a_copy_are_the_copys)
{
   open(command(VIVGPU_COMMAND_COPY), 0);
   open(draw(4), 8);
   close(48);
   close(56);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_COPY, 0, 0}}));
   EXPECT_EQ(sums().vertices, 0u);
   EXPECT_EQ(vivgpu_group_opened(&builder), nullptr);
}

TEST_F(builder_test, a_split_draw_is_in_both_groups_and_counts_in_the_second)
{
   open(draw(6), 40);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FULL_STREAM, 64, 64);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 40, VIVGPU_COMMAND_FIRST_PART}}));
   EXPECT_EQ(sums().vertices, 0u);
   EXPECT_EQ(sums().num_draws, 0u);
   vivgpu_group_next(&builder);
   close(24);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, VIVGPU_COMMAND_SECOND_PART}}));
   EXPECT_EQ(sums().vertices, 6u);
   EXPECT_EQ(sums().num_draws, 1u);
}

TEST_F(builder_test, a_part_in_the_middle_has_both_flags)
{
   open(draw(6), 40);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FULL_STREAM, 64, 64);
   vivgpu_group_next(&builder);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FULL_STREAM, 64, 64);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0,
                               VIVGPU_COMMAND_FIRST_PART | VIVGPU_COMMAND_SECOND_PART}}));
}

TEST_F(builder_test, a_first_part_has_a_second_one_even_if_no_words_follow)
{
   open(draw(6), 40);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FULL_STREAM, 64, 64);
   vivgpu_group_next(&builder);
   close(0);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, VIVGPU_COMMAND_SECOND_PART}}));
   EXPECT_EQ(sums().vertices, 6u);
}

TEST_F(builder_test, a_group_that_ends_before_the_first_word_splits_nothing)
{
   open(draw(6), 40);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FULL_STREAM, 40, 40);
   EXPECT_EQ(commands(), list());
   vivgpu_group_next(&builder);
   close(24);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, 0}}));
}

TEST_F(builder_test, a_resolve_alone_before_the_end_splits_no_draw)
{
   open(draw(6), 40);
   insert(command(VIVGPU_COMMAND_RESOLVE), 40, 60);
   vivgpu_group_end(&builder, VIVGPU_GROUP_CONTEXT, 60, 60);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_RESOLVE, 40, 0}}));
   vivgpu_group_next(&builder);
   close(24);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, 0}}));
}

TEST_F(builder_test, words_behind_the_end_split_nothing)
{
   open(draw(6), 40);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FULL_STREAM, 40, 56);
   EXPECT_EQ(commands(), list());
   EXPECT_EQ(builder.group.stream_bytes, 56u);
}

TEST_F(builder_test, parameters_may_change_until_the_close)
{
   open(command(VIVGPU_COMMAND_CLEAR), 0);
   vivgpu_group_opened(&builder)->clear.bytes = 100;
   insert(command(VIVGPU_COMMAND_RESOLVE), 8, 16);
   vivgpu_group_opened(&builder)->clear.bytes = 200;
   close(32);
   unpack();
   EXPECT_EQ(command_at(0).clear.bytes, 200u);
   EXPECT_EQ(command_at(0).offset, 0u);
}

TEST_F(builder_test, commands_without_room_are_counted_once_each)
{
   struct vivgpu_command one = draw(1);
   const uint32_t item = sizeof(struct vivgpu_group_packed) + 8 * vivgpu_command_units(&one);
   const uint32_t room = (VIVGPU_GROUP_LIST_BYTES - VIVGPU_PACKED_BYTES) / item + 1, more = 10;

   for (uint32_t i = 0; i < room + more; i++) {
      open(one, 8 * i);
      close(8 * i + 8);
   }
   EXPECT_EQ(sums().num_commands, room);
   EXPECT_EQ(sums().num_lost_commands, more);
   EXPECT_EQ(sums().vertices, room + more);
   EXPECT_EQ(sums().num_draws, room + more);
   EXPECT_FALSE(vivgpu_group_is_listed(&builder));
   vivgpu_group_next(&builder);
   EXPECT_EQ(sums().num_commands, 0u);
   EXPECT_EQ(sums().num_lost_commands, 0u);
}

TEST_F(builder_test, repeated_draws_differ_in_their_counts_only)
{
   struct vivgpu_command first = draw(6);

   first.draw.mode = 4; /* triangles */
   first.draw.program = 77;
   first.draw.num_textures = 2;
   first.draw.textures[1].width = 64;
   open(first, 0);
   close(40);
   EXPECT_TRUE(vivgpu_group_is_listed(&builder));
   repeat(40, 9, 2);
   repeat(48, 12, 2);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FLUSH, 56, 56);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, 0},
                               {VIVGPU_COMMAND_DRAW, 40, 0},
                               {VIVGPU_COMMAND_DRAW, 48, 0}}));
   EXPECT_EQ(command_at(2).draw.count, 12u);
   EXPECT_EQ(command_at(2).draw.primitives, 4u);
   EXPECT_EQ(command_at(2).draw.program, 77u);
   EXPECT_EQ(command_at(2).draw.textures[1].width, 64u);
   EXPECT_EQ(group.vertices, 27u);
   EXPECT_EQ(group.num_draws, 3u);
}

/* Its item ends before the textures. */
TEST_F(builder_test, a_draw_without_textures_keeps_its_other_parameters)
{
   struct vivgpu_command plain = draw(3);

   plain.draw.area[3] = 432;
   plain.draw.texture_bytes = 5;
   plain.draw.box_pixels = 1234;
   open(plain, 0);
   close(40);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FLUSH, 40, 40);
   unpack();
   EXPECT_EQ(command_at(0).draw.area[3], 432u);
   EXPECT_EQ(command_at(0).draw.texture_bytes, 5u);
   EXPECT_EQ(command_at(0).draw.box_pixels, 1234u);
}

TEST_F(builder_test, a_repeated_draw_without_words_is_not_listed)
{
   open(draw(3), 0);
   close(40);
   repeat(40, 3, 0);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FLUSH, 40, 40);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, 0}}));
   EXPECT_EQ(group.vertices, 3u);
}

TEST_F(builder_test, a_resolve_before_a_repeated_draws_words_is_before_it)
{
   open(draw(3), 0);
   close(40);
   repeat(40, 3, 6, [this] { insert(command(VIVGPU_COMMAND_RESOLVE), 40, 52); });
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, 0},
                               {VIVGPU_COMMAND_RESOLVE, 40, 0},
                               {VIVGPU_COMMAND_DRAW, 52, 0}}));
}

TEST_F(builder_test, a_repeated_draw_is_split_as_any_other)
{
   open(draw(3), 0);
   close(40);
   ASSERT_TRUE(vivgpu_group_repeat(&builder, 40,
                                   VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_DRAW, 0, 0, 2), 9, 2));
   vivgpu_group_end(&builder, VIVGPU_GROUP_FULL_STREAM, 48, 48);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, 0},
                               {VIVGPU_COMMAND_DRAW, 40, VIVGPU_COMMAND_FIRST_PART}}));
   EXPECT_EQ(group.vertices, 3u);
   vivgpu_group_next(&builder);
   EXPECT_FALSE(vivgpu_group_repeated(&builder, 16));
   close(16);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, VIVGPU_COMMAND_SECOND_PART}}));
   EXPECT_EQ(group.vertices, 18u);
   EXPECT_EQ(command_at(0).draw.index_bytes, 2u);
   EXPECT_EQ(command_at(0).draw.state, (uint32_t)VIVGPU_DRAW_INDEXED);
}

/* A draw whose description has a number; the builder's open command has nothing of it. */
class reference_test : public builder_test {
 protected:
   void SetUp() override
   {
      struct vivgpu_command command = draw(99);

      builder.descriptions = &table;
      /* Makes the list's memory, too. */
      open(draw(1), 0);
      close(8);
      vivgpu_group_end(&builder, VIVGPU_GROUP_FLUSH, 8, 8);
      vivgpu_group_next(&builder);
      command.draw.mode = 4;
      command.draw.program = 1234;
      command.draw.state = VIVGPU_DRAW_BLEND;
      command.draw.textures[2].levels = 7;
      command.draw.num_textures = 3;
      number = vivgpu_group_describe(&table, &command);
   }

   void refer(uint32_t from, uint32_t to, uint32_t count)
   {
      struct vivgpu_command *open = vivgpu_group_begin(&builder, from);

      open->type = VIVGPU_COMMAND_DRAW;
      open->flags = 0;
      ASSERT_TRUE(vivgpu_group_is_whole(&builder, to));
      vivgpu_group_refer(&builder, VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_DRAW, 0, 0, 0), count, 1,
                         number);
   }

   /* The description that is referred to */
   struct vivgpu_command command_at_number()
   {
      struct vivgpu_command command = {};

      EXPECT_TRUE(vivgpu_group_described(&table, number, &command));
      return command;
   }

   uint32_t number;
};

TEST_F(reference_test, has_the_parameters_of_the_description)
{
   refer(0, 40, 9);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FLUSH, 40, 40);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, 0}}));
   EXPECT_EQ(command_at(0).draw.count, 9u);
   EXPECT_EQ(command_at(0).draw.primitives, 3u);
   EXPECT_EQ(command_at(0).draw.program, 1234u);
   EXPECT_EQ(command_at(0).draw.textures[2].levels, 7u);
   EXPECT_EQ(group.vertices, 9u);
   EXPECT_EQ(group.num_draws, 1u);
   EXPECT_EQ(commands_.unknown, 0u);
}

TEST_F(reference_test, is_repeated)
{
   refer(0, 40, 9);
   repeat(40, 12, 2);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FLUSH, 48, 48);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, 0}, {VIVGPU_COMMAND_DRAW, 40, 0}}));
   EXPECT_EQ(command_at(1).draw.count, 12u);
   EXPECT_EQ(command_at(1).draw.program, 1234u);
   EXPECT_EQ(command_at(1).draw.primitives, 4u);
}

TEST_F(reference_test, says_whether_only_amounts_differ_from_the_draw_before)
{
   struct vivgpu_command same;

   refer(0, 40, 9);
   refer(40, 80, 9);
   refer(80, 120, 12);
   repeat(120, 12, 1);
   same = command_at_number();
   number = vivgpu_group_describe(&table, &same);
   refer(128, 168, 12);
   vivgpu_group_end(&builder, VIVGPU_GROUP_FLUSH, 168, 168);
   ASSERT_EQ(commands().size(), 5u);
   for (unsigned i = 0; i < 5; i++) {
      EXPECT_EQ(command_at(i).repeats, i > 0 && i < 4) << i;
      EXPECT_EQ(command_at(i).draw.count, i < 2 ? 9u : 12u) << i;
      EXPECT_EQ(command_at(i).draw.primitives, i < 2 ? 3u : 4u) << i;
      EXPECT_EQ(command_at(i).draw.program, 1234u) << i;
      EXPECT_EQ(command_at(i).offset, i < 4 ? 40 * i : 128u) << i;
   }
}

/* A repetition that does not stay one gets the description back, although it was not in the builder. */
TEST_F(reference_test, is_repeated_and_split)
{
   refer(0, 40, 9);
   ASSERT_TRUE(vivgpu_group_repeat(&builder, 40, VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_DRAW, 0, 0, 0),
                                   12, 1));
   vivgpu_group_end(&builder, VIVGPU_GROUP_FULL_STREAM, 48, 48);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, 0},
                               {VIVGPU_COMMAND_DRAW, 40, VIVGPU_COMMAND_FIRST_PART}}));
   EXPECT_EQ(command_at(1).draw.program, 1234u);
   vivgpu_group_next(&builder);
   close(16);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, VIVGPU_COMMAND_SECOND_PART}}));
   EXPECT_EQ(command_at(0).draw.program, 1234u);
   EXPECT_EQ(command_at(0).draw.count, 12u);
   EXPECT_EQ(group.vertices, 12u);
}

TEST_F(reference_test, a_resolve_amid_the_repetition)
{
   refer(0, 40, 9);
   repeat(40, 12, 6, [&] { insert(command(VIVGPU_COMMAND_RESOLVE), 44, 56); });
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, 0},
                               {VIVGPU_COMMAND_DRAW, 40, 0},
                               {VIVGPU_COMMAND_RESOLVE, 44, 0}}));
   EXPECT_EQ(command_at(1).draw.program, 1234u);
}

TEST_F(reference_test, others_are_inserted)
{
   struct vivgpu_command resolve = command(VIVGPU_COMMAND_RESOLVE);
   uint32_t resolves;

   resolve.copy.bytes_read = 4711;
   resolves = vivgpu_group_describe(&table, &resolve);
   open(draw(3), 0);
   vivgpu_group_insert_reference(&builder, VIVGPU_COMMAND_RESOLVE, resolves, 0, 12);
   close(40);
   vivgpu_group_insert_reference(&builder, VIVGPU_COMMAND_RESOLVE, resolves, 40, 52);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_RESOLVE, 0, 0},
                               {VIVGPU_COMMAND_DRAW, 12, 0},
                               {VIVGPU_COMMAND_RESOLVE, 40, 0}}));
   EXPECT_EQ(command_at(2).copy.bytes_read, 4711u);
   vivgpu_group_insert_reference(&builder, VIVGPU_COMMAND_FLUSH, 0, 52, 52);
   unpack();
   ASSERT_EQ(group.num_commands, 4u);
   EXPECT_EQ(command_at(3).type, VIVGPU_COMMAND_FLUSH);
   EXPECT_EQ(command_at(3).offset, 52u);
}

TEST_F(reference_test, needs_a_whole_command)
{
   refer(0, 40, 9);
   open(draw(3), 40);
   EXPECT_FALSE(vivgpu_group_is_whole(&builder, 40));
   EXPECT_TRUE(vivgpu_group_is_whole(&builder, 44));
   vivgpu_group_end(&builder, VIVGPU_GROUP_FULL_STREAM, 48, 48);
   vivgpu_group_next(&builder);
   EXPECT_FALSE(vivgpu_group_is_whole(&builder, 8));
   close(8);
}

/* A description that was replaced: what is known of the commands is there, and they are marked. */
TEST_F(reference_test, lost_descriptions_are_marked)
{
   const struct vivgpu_command other = command(VIVGPU_COMMAND_CLEAR);

   refer(0, 40, 9);
   repeat(40, 12, 2);
   for (uint32_t i = 0; i < num_descriptions; i++)
      vivgpu_group_describe(&table, &other);
   vivgpu_group_insert_reference(&builder, VIVGPU_COMMAND_SWAP, number, 48, 48);
   vivgpu_group_insert_reference(&builder, VIVGPU_COMMAND_CLEAR, table.last, 48, 52);
   EXPECT_EQ(commands(), (list{{VIVGPU_COMMAND_DRAW, 0, VIVGPU_COMMAND_UNKNOWN},
                               {VIVGPU_COMMAND_DRAW, 40, VIVGPU_COMMAND_UNKNOWN},
                               {VIVGPU_COMMAND_SWAP, 48, VIVGPU_COMMAND_UNKNOWN},
                               {VIVGPU_COMMAND_CLEAR, 48, 0}}));
   EXPECT_EQ(commands_.unknown, 3u);
   EXPECT_EQ(group.vertices, 21u);
   EXPECT_EQ(group.num_draws, 2u);
   EXPECT_EQ(command_at(1).draw.count, 12u);
   EXPECT_EQ(command_at(1).draw.primitives, 0u);
   EXPECT_EQ(command_at(1).draw.program, 0u);
}

TEST_F(builder_test, a_list_that_violates_the_format_is_refused)
{
   open(draw(3), 0);
   close(40);
   unpack();

   struct vivgpu_group_packed bad = {};

   bad.head = VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_DRAW, 0, 0, 0);
   EXPECT_FALSE(vivgpu_group_unpack(&commands_, &group, &bad, sizeof(bad), NULL));
   bad.head = VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_CLEAR, 0, 4, 0);
   EXPECT_FALSE(vivgpu_group_unpack(&commands_, &group, &bad, sizeof(bad), NULL));
   for (uint32_t bytes = 1; bytes < builder.used; bytes++)
      EXPECT_FALSE(vivgpu_group_unpack(&commands_, &group, builder.list, bytes, NULL));

   struct vivgpu_group_reference reference = {};

   reference.packed.head =
      VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_CLEAR, 0, VIVGPU_PACKED_REFERENCE, 0);
   EXPECT_FALSE(vivgpu_group_unpack(&commands_, &group, &reference, 16, &lookup));
   EXPECT_FALSE(vivgpu_group_unpack(&commands_, &group, &reference, sizeof(reference), NULL));
   EXPECT_TRUE(vivgpu_group_unpack(&commands_, &group, &reference, sizeof(reference), &lookup));
   EXPECT_EQ(commands_.unknown, 1u);
   reference.number = UINT64_C(1) << 32;
   EXPECT_TRUE(vivgpu_group_unpack(&commands_, &group, &reference, sizeof(reference), &lookup));
   EXPECT_EQ(commands_.unknown, 1u);
}

/* All ends of groups in a row of commands: offsets ascend, each word belongs to one command. */
TEST_F(builder_test, splits_at_every_word)
{
   const uint32_t draws = 5, words = 7;

   for (uint32_t split = 1; split < draws * words; split++) {
      uint32_t at = 0, parts = 0, vertices = 0;

      for (uint32_t i = 0; i < draws; i++) {
         open(draw(3), 4 * at);
         for (uint32_t word = 0; word < words; word++) {
            if (i * words + word == split) {
               vivgpu_group_end(&builder, VIVGPU_GROUP_FULL_STREAM, 4 * at, 4 * at);
               parts += sums().num_commands;
               vertices += sums().vertices;
               vivgpu_group_next(&builder);
               at = 0;
            }
            at++;
         }
         close(4 * at);
      }
      vivgpu_group_end(&builder, VIVGPU_GROUP_FLUSH, 4 * at, 4 * at);
      EXPECT_EQ(parts + sums().num_commands, split % words ? draws + 1 : draws);
      EXPECT_EQ(vertices + sums().vertices, 3 * draws);
      EXPECT_EQ(command_at(0).flags, split % words ? VIVGPU_COMMAND_SECOND_PART : 0);
      vivgpu_group_next(&builder);
   }
}
