/* SPDX-License-Identifier: MIT */
/* Events as eglGetEventDataBRCM() returns them: pairs, order, encoding, overflow. */

#include <gtest/gtest.h>
#include <cstring>
#include <map>
#include <set>
#include <vector>

extern "C" {
#include "vivgpu_timeline.h"
}

static struct vivgpu_span
span_of(enum vivgpu_event event, uint64_t begin, uint64_t end)
{
   struct vivgpu_span span = {};

   span.begin_ns = begin;
   span.end_ns = end;
   span.event = event;
   span.track = VIVGPU_TRACK_QUEUE;
   for (unsigned i = 0; i < VIVGPU_EVENT_FIELDS; i++)
      span.values[i] = UINT64_C(0x1111111100000000) * (i + 1) + i + 1;
   return span;
}

struct header {
   uint64_t timestamp;
   uint32_t track, id, event, type;
};

class timeline_test : public testing::Test {
 protected:
   struct vivgpu_timeline timeline = {};

   ~timeline_test()
   {
      vivgpu_timeline_clear(&timeline);
   }

   void add(enum vivgpu_event event, uint64_t begin, uint64_t end)
   {
      struct vivgpu_span span = span_of(event, begin, end);

      vivgpu_timeline_add(&timeline, &span);
   }

   /* Read all events, at most size bytes at a time. */
   std::vector<header> take(size_t size)
   {
      std::vector<uint8_t> data(size);
      std::vector<header> events;
      size_t got;

      while ((got = vivgpu_timeline_read(&timeline, data.data(), size))) {
         EXPECT_LE(got, size);
         for (size_t at = 0; at < got;) {
            header head;

            memcpy(&head, &data[at], VIVGPU_EVENT_HEADER_BYTES);
            events.push_back(head);
            at += VIVGPU_EVENT_HEADER_BYTES + vivgpu_event_info(head.event)->data_bytes;
            EXPECT_LE(at, got);
         }
      }
      return events;
   }
};

TEST_F(timeline_test, encoding_follows_the_specification)
{
   const unsigned size =
      VIVGPU_EVENT_HEADER_BYTES + vivgpu_event_info(VIVGPU_EVENT_FLUSH)->data_bytes;
   std::vector<uint8_t> data(2 * size);
   struct vivgpu_span span = span_of(VIVGPU_EVENT_FLUSH, 1234567, 7654321);
   uint32_t word;
   uint64_t number;

   span.values[VIVGPU_FLUSH_RESULT] = -22;
   vivgpu_timeline_add(&timeline, &span);
   ASSERT_EQ(vivgpu_timeline_read(&timeline, data.data(), data.size()), 2 * size);

   for (unsigned i = 0; i < 2; i++) {
      const uint8_t *event = &data[i * size];
      const uint32_t words[] = {VIVGPU_TRACK_QUEUE, 1, VIVGPU_EVENT_FLUSH,
                                i ? VIVGPU_EVENT_END : VIVGPU_EVENT_BEGIN};

      memcpy(&number, event, 8);
      EXPECT_EQ(number, i ? 7654u : 1234u);
      for (unsigned j = 0; j < 4; j++) {
         memcpy(&word, event + 8 + 4 * j, 4);
         EXPECT_EQ(word, words[j]) << j;
      }
      memcpy(&word, event + 24, 4);
      EXPECT_EQ(word, 1u);
      memcpy(&number, event + 28, 8);
      EXPECT_EQ(number, 0x2222222200000002u);
      for (unsigned j = 2; j < 5; j++) {
         memcpy(&word, event + 28 + 4 * j, 4);
         EXPECT_EQ(word, j + 1);
      }
      memcpy(&number, event + 48, 8);
      EXPECT_EQ(number, 0x6666666600000006u);
      memcpy(&word, event + 56, 4);
      EXPECT_EQ((int32_t)word, -22);
      memcpy(&number, event + 60, 8);
      EXPECT_EQ(number, 0x8888888800000008u);
   }
   EXPECT_EQ(size, 68u);
}

TEST_F(timeline_test, pairs_have_unique_ids)
{
   std::map<uint32_t, std::vector<uint32_t>> types;

   for (unsigned i = 0; i < 50; i++) {
      add(VIVGPU_EVENT_JOB, 1000 * i, 1000 * i + 500);
      add(VIVGPU_EVENT_VBLANK, 1000 * i, 1000 * i);
   }
   for (const header &event : take(4096))
      types[event.id].push_back(event.type);
   EXPECT_EQ(types.size(), 100u);
   for (const auto &pair : types) {
      if (pair.second.size() == 1) {
         EXPECT_EQ(pair.second[0], VIVGPU_EVENT_INSTANT);
      } else {
         EXPECT_EQ(pair.second, (std::vector<uint32_t>{VIVGPU_EVENT_BEGIN, VIVGPU_EVENT_END}));
      }
   }
}

/*
 * Of equal times, the end of a job comes before the begin of the next one, and the begin of an
 * empty span before its end.
 */
TEST_F(timeline_test, events_are_sorted_by_time_and_the_order_is_stable)
{
   add(VIVGPU_EVENT_JOB, 3000, 9000);
   add(VIVGPU_EVENT_JOB, 9000, 9000);
   add(VIVGPU_EVENT_JOB, 9000, 12000);
   add(VIVGPU_EVENT_FLUSH, 1000, 2000);

   std::vector<header> events = take(4096);
   const uint32_t ids[] = {4, 4, 1, 1, 2, 2, 3, 3};
   ASSERT_EQ(events.size(), 8u);
   for (unsigned i = 0; i < 8; i++) {
      EXPECT_EQ(events[i].id, ids[i]) << i;
      EXPECT_EQ(events[i].type, i % 2 ? VIVGPU_EVENT_END : VIVGPU_EVENT_BEGIN) << i;
   }
}

TEST_F(timeline_test, each_batch_is_sorted_by_itself)
{
   add(VIVGPU_EVENT_VBLANK, 5000, 5000);
   vivgpu_timeline_begin_batch(&timeline);
   add(VIVGPU_EVENT_VBLANK, 4000, 4000);
   add(VIVGPU_EVENT_VBLANK, 3000, 3000);
   std::vector<header> events = take(4096);
   ASSERT_EQ(events.size(), 3u);
   EXPECT_EQ(events[0].timestamp, 5u);
   EXPECT_EQ(events[1].timestamp, 3u);
   EXPECT_EQ(events[2].timestamp, 4u);
}

/* A batch stays sorted if events are read, and the rest moved to the front, after it began. */
TEST_F(timeline_test, a_batch_stays_sorted_when_events_are_read)
{
   uint8_t buffer[4096];
   uint64_t last = 0;

   for (unsigned i = 0; i < 512; i++)
      add(VIVGPU_EVENT_VBLANK, 1000 * i, 1000 * i);
   vivgpu_timeline_begin_batch(&timeline);
   ASSERT_GT(vivgpu_timeline_read(&timeline, buffer, sizeof(buffer)), 0u);
   for (unsigned i = 0; i < 600; i++)
      add(VIVGPU_EVENT_VBLANK, 600000 - 1000 * i, 600000 - 1000 * i);
   std::vector<header> events = take(4096);
   for (unsigned i = 0; i < events.size(); i++) {
      if (i != events.size() - 600) {
         EXPECT_GE(events[i].timestamp, last) << i;
      }
      last = events[i].timestamp;
   }
   EXPECT_EQ(events[events.size() - 600].timestamp, 1u);
}

TEST_F(timeline_test, only_whole_events_are_read)
{
   for (unsigned i = 0; i < 20; i++)
      add(VIVGPU_EVENT_JOB, i, i);
   size_t all = vivgpu_timeline_bytes(&timeline);
   unsigned one = VIVGPU_EVENT_HEADER_BYTES + vivgpu_event_info(VIVGPU_EVENT_JOB)->data_bytes;
   std::vector<uint8_t> data(all, 0xee);

   EXPECT_EQ(all, 40u * one);
   EXPECT_EQ(vivgpu_timeline_read(&timeline, data.data(), one - 1), 0u);
   EXPECT_EQ(data[0], 0xee);
   EXPECT_EQ(vivgpu_timeline_read(&timeline, data.data(), 3 * one - 1), 2u * one);
   EXPECT_EQ(data[2 * one], 0xee);
   EXPECT_EQ(vivgpu_timeline_bytes(&timeline), all - 2 * one);
   EXPECT_EQ(vivgpu_timeline_read(&timeline, data.data(), data.size()), all - 2 * one);
   EXPECT_EQ(vivgpu_timeline_bytes(&timeline), 0u);
}

TEST_F(timeline_test, results_do_not_depend_on_the_buffer_size)
{
   for (unsigned size : {76u, 77u, 100u, 1000u, 100000u}) {
      std::set<uint32_t> ids;
      uint32_t before = timeline.last_id;

      for (unsigned i = 0; i < 300; i++)
         add(i % 2 ? VIVGPU_EVENT_JOB : VIVGPU_EVENT_RESET, i, i + 1);
      std::vector<header> events = take(size);
      EXPECT_EQ(events.size(), 450u) << size;
      for (const header &event : events)
         ids.insert(event.id);
      EXPECT_EQ(ids.size(), 300u);
      EXPECT_EQ(*ids.begin(), before + 1);
      EXPECT_FALSE(timeline.lost);
   }
}

/* At the limit both events of a pair are stored or dropped, and lost is set until the next read. */
TEST_F(timeline_test, a_full_timeline_drops_whole_pairs)
{
   std::map<uint32_t, unsigned> counts;
   uint8_t buffer[200];

   add(VIVGPU_EVENT_RESET, 0, 0);
   for (unsigned i = 0; i < VIVGPU_TIMELINE_EVENTS / 2 - 1; i++)
      add(VIVGPU_EVENT_UPLOAD, i, i);
   EXPECT_FALSE(timeline.lost);
   EXPECT_EQ(vivgpu_timeline_count(&timeline), VIVGPU_TIMELINE_EVENTS - 1u);
   add(VIVGPU_EVENT_UPLOAD, 1, 2);
   EXPECT_TRUE(timeline.lost);
   EXPECT_EQ(vivgpu_timeline_count(&timeline), VIVGPU_TIMELINE_EVENTS - 1u);

   /* The room of events that were read is used again. */
   ASSERT_GT(vivgpu_timeline_read(&timeline, buffer, sizeof(buffer)), 0u);
   EXPECT_FALSE(timeline.lost);
   add(VIVGPU_EVENT_UPLOAD, 1, 2);
   EXPECT_FALSE(timeline.lost);
   for (const header &event : take(1 << 20))
      counts[event.id] += event.type == VIVGPU_EVENT_END ? 1 : 2;
   EXPECT_GT(counts.size(), VIVGPU_TIMELINE_EVENTS / 2 - 10u);
}
