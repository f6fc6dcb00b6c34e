/* SPDX-License-Identifier: MIT */
/* The ring of groups: order, loss, several readers, a writer at work, damaged files. */

#include <gtest/gtest.h>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "drm-uapi/vivgpu_drm.h"
#include "vivgpu_group_reader.h"
#include "vivgpu_group_record.h"

/* Called after each copy of entries by a reader */
static std::function<void()> after_copy;

/* The reader's pread(): that of the kernel, then after_copy. */
extern "C" ssize_t
pread(int fd, void *to, size_t count, off_t offset)
{
   const ssize_t done = syscall(SYS_pread64, fd, to, count, offset);

   if (after_copy && offset >= VIVGPU_GROUP_HEADER_BYTES)
      after_copy();
   return done;
}

class group_ring_test : public testing::Test {
 protected:
   static constexpr size_t size = 65536;
   static constexpr uint32_t descriptions = 8;
   static constexpr size_t bytes =
      VIVGPU_GROUP_HEADER_BYTES + size + descriptions * sizeof(struct vivgpu_group_description);

   void SetUp() override
   {
      fd = fileno(file = tmpfile());
      ASSERT_EQ(ftruncate(fd, bytes), 0);
      map = (uint8_t *)mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                            MAP_SHARED, fd, 0);
      ASSERT_NE(map, MAP_FAILED);
      vivgpu_group_ring_init(&ring, map, size, descriptions);
   }

   void TearDown() override
   {
      vivgpu_group_reader_close(&reader);
      munmap(map, bytes);
      fclose(file);
   }

   /* A group whose commands contain its number */
   void write(uint64_t sequence, uint32_t num_commands)
   {
      struct vivgpu_group group = {};
      std::vector<struct vivgpu_group_packed> list(num_commands);

      group.sequence = sequence;
      for (auto &packed : list) {
         packed.offset = sequence;
         packed.head = VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_FLUSH, 0, 0, 0);
      }
      vivgpu_group_ring_write(&ring, &group, list.data(), list.size() * sizeof(list[0]));
   }

   /* A description with a number in it, and the number of the description */
   uint32_t describe(uint32_t bytes_read)
   {
      struct vivgpu_command command = {};

      command.type = VIVGPU_COMMAND_SWAP;
      command.copy.bytes_read = bytes_read;
      return vivgpu_group_describe(&ring.descriptions, &command);
   }

   /* A group of a command with this description */
   void write_reference(uint64_t sequence, uint32_t number)
   {
      struct vivgpu_group group = {};
      struct vivgpu_group_reference item = {};

      group.sequence = sequence;
      item.packed.offset = sequence;
      item.packed.head = VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_SWAP, 0, VIVGPU_PACKED_REFERENCE, 0);
      item.number = number;
      vivgpu_group_ring_write(&ring, &group, &item, sizeof(item));
   }

   /* Read a group and check that it is whole. */
   bool read(uint64_t *sequence)
   {
      if (!vivgpu_group_reader_next(&reader, &item) || !item.group)
         return false;
      *sequence = item.group->sequence;
      for (uint32_t i = 0; i < item.group->num_commands; i++)
         EXPECT_EQ(item.commands[i].offset, *sequence);
      return true;
   }

   FILE *file;
   int fd;
   uint8_t *map;
   struct vivgpu_group_ring ring;
   struct vivgpu_group_reader reader = {};
   struct vivgpu_group_item item = {};
   uint64_t sequence = 0;
};

TEST_F(group_ring_test, a_new_ring_is_empty)
{
   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   EXPECT_FALSE(read(&sequence));
   EXPECT_FALSE(reader.damaged);
   EXPECT_EQ(reader.lost, 0u);
}

TEST_F(group_ring_test, groups_and_results_are_read_in_order)
{
   struct drm_vivgpu_record records[3] = {};

   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   write(1, 3);
   for (unsigned i = 0; i < 3; i++) {
      records[i].type = i == 1 ? DRM_VIVGPU_RECORD_MARK : DRM_VIVGPU_RECORD_JOB;
      records[i].size = sizeof(records[i]);
      records[i].cookie = 77 + i;
   }
   vivgpu_group_ring_write_records(&ring, records, sizeof(records), 3);
   write(2, 0);
   EXPECT_TRUE(read(&sequence));
   EXPECT_EQ(sequence, 1u);
   EXPECT_EQ(item.group->num_commands, 3u);
   ASSERT_TRUE(vivgpu_group_reader_next(&reader, &item));
   ASSERT_NE(item.result, nullptr);
   EXPECT_EQ(item.result->cookie, 77u);
   ASSERT_TRUE(vivgpu_group_reader_next(&reader, &item));
   ASSERT_NE(item.result, nullptr);
   EXPECT_EQ(item.result->cookie, 79u);
   EXPECT_TRUE(read(&sequence));
   EXPECT_EQ(sequence, 2u);
   EXPECT_FALSE(read(&sequence));
}

TEST_F(group_ring_test, the_oldest_are_overwritten_and_the_loss_is_exact)
{
   uint64_t expected = 0, got = 0;

   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   for (uint64_t i = 0; i < 1000; i++)
      write(i, i % 23);
   while (read(&sequence)) {
      if (got++ == 0)
         expected = sequence;
      EXPECT_EQ(sequence, expected++);
   }
   EXPECT_EQ(expected, 1000u);
   EXPECT_EQ(reader.lost, 1000 - got);
   EXPECT_GT(reader.lost, 0u);
   EXPECT_FALSE(reader.damaged);
}

TEST_F(group_ring_test, readers_do_not_disturb_each_other)
{
   struct vivgpu_group_reader other;

   write(1, 1);
   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   ASSERT_EQ(vivgpu_group_reader_open(&other, fd), 0);
   EXPECT_TRUE(read(&sequence));
   EXPECT_FALSE(read(&sequence));
   ASSERT_TRUE(vivgpu_group_reader_next(&other, &item));
   EXPECT_EQ(item.group->sequence, 1u);
   vivgpu_group_reader_skip(&other);
   write(2, 1);
   ASSERT_TRUE(vivgpu_group_reader_next(&other, &item));
   EXPECT_EQ(item.group->sequence, 2u);
   vivgpu_group_reader_close(&other);
}

TEST_F(group_ring_test, commands_of_a_group_that_is_too_large_are_counted)
{
   write(1, size / sizeof(struct vivgpu_group_packed));
   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   EXPECT_TRUE(read(&sequence));
   EXPECT_GT(item.group->num_lost_commands, 0u);
   EXPECT_EQ(item.group->num_commands + item.group->num_lost_commands,
             size / sizeof(struct vivgpu_group_packed));
}

/* While a thread writes, what is read is whole, and each group is read or counted as lost. */
TEST_F(group_ring_test, a_writer_at_work)
{
   const uint64_t groups = 200000;
   std::atomic<bool> done{false};
   uint64_t got = 0, last = 0;

   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   std::thread writer([&] {
      for (uint64_t i = 1; i <= groups; i++)
         write(i, i % 17);
      done = true;
   });
   for (bool over = false; !over;) {
      over = done;
      while (read(&sequence)) {
         EXPECT_GT(sequence, last);
         last = sequence;
         got++;
      }
   }
   writer.join();
   EXPECT_FALSE(reader.damaged);
   EXPECT_EQ(last, groups);
   EXPECT_EQ(got + reader.lost, groups);
}

TEST_F(group_ring_test, other_files_are_refused)
{
   ASSERT_EQ(pwrite(fd, "x", 1, 0), 1);
   EXPECT_EQ(vivgpu_group_reader_open(&reader, fd), -EINVAL);
   ring.header->magic = VIVGPU_GROUP_MAGIC;
   ring.header->command_bytes++;
   EXPECT_EQ(vivgpu_group_reader_open(&reader, fd), -EINVAL);
   ring.header->command_bytes--;
   ring.header->size *= 2;
   EXPECT_EQ(vivgpu_group_reader_open(&reader, fd), -EINVAL);
   ring.header->size /= 2;
   /* A ring that a reader need not hold: its file has all the bytes, but no pages. */
   ring.header->size = 2ull * VIVGPU_GROUP_MAX_RING;
   ASSERT_EQ(ftruncate(fd, bytes + ring.header->size), 0);
   EXPECT_EQ(vivgpu_group_reader_open(&reader, fd), -EINVAL);
   ring.header->size /= 2;
   EXPECT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   ASSERT_EQ(ftruncate(fd, bytes), 0);
   ring.header->size = size;
   for (uint32_t count : {0u, 3u, 2 * descriptions, 2u * VIVGPU_GROUP_MAX_DESCRIPTIONS}) {
      ring.header->descriptions = count;
      EXPECT_EQ(vivgpu_group_reader_open(&reader, fd), -EINVAL);
   }
   ring.header->descriptions = descriptions;
   EXPECT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
}

TEST_F(group_ring_test, groups_refer_to_descriptions)
{
   const uint32_t first = describe(11), second = describe(22);

   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   for (uint64_t i = 0; i < 6; i++)
      write_reference(i, i % 2 ? second : first);
   for (uint64_t i = 0; i < 6; i++) {
      ASSERT_TRUE(read(&sequence));
      ASSERT_EQ(item.group->num_commands, 1u);
      EXPECT_EQ(item.commands[0].copy.bytes_read, i % 2 ? 22u : 11u);
      EXPECT_EQ(item.commands[0].flags, 0u);
   }
   EXPECT_EQ(reader.unknown, 0u);
}

/* The group that came with the description was overwritten: the description was not. */
TEST_F(group_ring_test, who_comes_late_finds_the_descriptions)
{
   const uint32_t number = describe(11);

   for (uint64_t i = 0; i < 10000; i++)
      write_reference(i, number);
   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   ASSERT_TRUE(read(&sequence));
   EXPECT_GT(reader.lost, 0u);
   EXPECT_EQ(item.commands[0].copy.bytes_read, 11u);
   vivgpu_group_reader_skip(&reader);
   write_reference(10000, number);
   ASSERT_TRUE(read(&sequence));
   EXPECT_EQ(sequence, 10000u);
   EXPECT_EQ(item.commands[0].copy.bytes_read, 11u);
   EXPECT_EQ(reader.unknown, 0u);
}

TEST_F(group_ring_test, replaced_descriptions_are_counted)
{
   const uint32_t number = describe(11);

   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   write_reference(1, number);
   write_reference(2, describe(22));
   for (uint32_t i = 0; i < descriptions - 1; i++)
      describe(33);
   ASSERT_TRUE(read(&sequence));
   EXPECT_EQ(sequence, 1u);
   EXPECT_EQ(item.commands[0].type, VIVGPU_COMMAND_SWAP);
   EXPECT_EQ(item.commands[0].flags, VIVGPU_COMMAND_UNKNOWN);
   EXPECT_EQ(item.commands[0].copy.bytes_read, 0u);
   EXPECT_EQ(reader.unknown, 1u);
   ASSERT_TRUE(read(&sequence));
   EXPECT_EQ(item.commands[0].copy.bytes_read, 22u);
   EXPECT_EQ(reader.unknown, 1u);
}

/* A reader keeps what it has read. */
TEST_F(group_ring_test, a_replaced_description_that_was_read_is_known)
{
   const uint32_t number = describe(11);

   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   write_reference(1, number);
   ASSERT_TRUE(read(&sequence));
   write_reference(2, number);
   for (uint32_t i = 0; i < descriptions; i++)
      describe(33);
   ASSERT_TRUE(read(&sequence));
   EXPECT_EQ(item.commands[0].copy.bytes_read, 11u);
   EXPECT_EQ(reader.unknown, 0u);
}

/* While a thread replaces descriptions, each that is read is the right one, or is marked as lost. */
TEST_F(group_ring_test, a_writer_of_descriptions_at_work)
{
   const uint64_t groups = 100000;
   std::atomic<bool> done{false};
   uint64_t got = 0, unknown = 0;

   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   std::thread writer([&] {
      for (uint64_t i = 1; i <= groups; i++)
         write_reference(i, describe(i));
      done = true;
   });
   for (bool over = false; !over;) {
      over = done;
      while (read(&sequence)) {
         got++;
         if (item.commands[0].flags)
            unknown++;
         else
            EXPECT_EQ(item.commands[0].copy.bytes_read, sequence);
      }
   }
   writer.join();
   EXPECT_FALSE(reader.damaged);
   EXPECT_EQ(reader.unknown, unknown);
   EXPECT_EQ(got + reader.lost, groups);
   EXPECT_LT(unknown, got);
}

/* Whatever bytes are in a file, the reader ends. */
TEST_F(group_ring_test, damaged_files_do_no_harm)
{
   uint32_t random = 1;

   for (unsigned round = 0; round < 2000; round++) {
      ring.header->head = ring.header->tail = 0;
      for (uint64_t i = 1; i < 40; i++) {
         write(i, i % 5);
         write_reference(i, i % 3);
      }
      for (unsigned i = 0; i < 4; i++) {
         random = random * 1664525 + 1013904223;
         ring.entries[(random >> 8) % ring.header->head] = random >> 24;
      }
      if (round % 4 == 0)
         ring.header->head = random & ~7u;
      if (vivgpu_group_reader_open(&reader, fd) == 0) {
         unsigned items = 0;

         while (vivgpu_group_reader_next(&reader, &item))
            ASSERT_LT(++items, size);
         vivgpu_group_reader_close(&reader);
      }
   }
}

/* The writer is always one ring ahead of what is being copied: the reader gives up. */
TEST_F(group_ring_test, a_reader_that_is_overtaken_for_ever_ends)
{
   unsigned copies = 0;

   write(1, 20);
   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   after_copy = [&] {
      ring.header->head += size;
      ring.header->tail += size;
      ASSERT_LT(++copies, 1000u);
   };
   EXPECT_FALSE(read(&sequence));
   after_copy = nullptr;
   EXPECT_GT(copies, 1u);
   EXPECT_FALSE(reader.damaged);
   /* It goes on where the writer is. */
   ring.header->tail = ring.header->head;
   write(2, 3);
   EXPECT_TRUE(read(&sequence));
   EXPECT_EQ(sequence, 2u);
}

TEST_F(group_ring_test, a_file_that_is_shortened_ends_the_reading)
{
   write(1, 20);
   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   ASSERT_EQ(ftruncate(fd, VIVGPU_GROUP_HEADER_BYTES + 64), 0);
   EXPECT_FALSE(read(&sequence));
   EXPECT_TRUE(reader.damaged);
   ASSERT_EQ(ftruncate(fd, bytes), 0);
}

TEST_F(group_ring_test, records_that_are_overwritten_count_one_by_one)
{
   struct drm_vivgpu_record records[3] = {};
   uint64_t got = 0;

   for (auto &record : records) {
      record.type = DRM_VIVGPU_RECORD_JOB;
      record.size = sizeof(record);
   }
   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   for (unsigned i = 0; i < 500; i++)
      vivgpu_group_ring_write_records(&ring, records, sizeof(records), 3);
   while (vivgpu_group_reader_next(&reader, &item))
      got++;
   EXPECT_GT(got, 0u);
   EXPECT_EQ(got + reader.lost, 1500u);
}

TEST(group_records, are_counted_with_those_that_are_lost)
{
   struct vivgpu_group_losses losses = {};
   struct drm_vivgpu_record records[3] = {};
   uint32_t lost;

   for (auto &record : records)
      record.size = sizeof(record);
   records[0].sequence = UINT32_MAX;
   records[1].sequence = 0;
   records[2].sequence = 5;
   EXPECT_EQ(vivgpu_group_count_records(&losses, records, sizeof(records), &lost), 3u);
   EXPECT_EQ(lost, 4u);
   records[0].sequence = 8;
   EXPECT_EQ(vivgpu_group_count_records(&losses, records, sizeof(records[0]), &lost), 1u);
   EXPECT_EQ(lost, 2u);
   records[0].size = 2;
   EXPECT_EQ(vivgpu_group_count_records(&losses, records, sizeof(records), &lost), 0u);
}
