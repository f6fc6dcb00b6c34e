/* SPDX-License-Identifier: MIT */
/* The ring buffer of spans: order, overflow, several writers. */

#include <gtest/gtest.h>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

extern "C" {
#include "vivgpu_ring.h"
}

static struct vivgpu_span
numbered(uint64_t number, uint64_t who = 0)
{
   struct vivgpu_span span = {};

   span.begin_ns = number;
   span.values[0] = who;
   span.values[7] = ~number;
   return span;
}

class ring_test : public testing::Test {
 protected:
   std::unique_ptr<struct vivgpu_ring> ring{new struct vivgpu_ring()};
   struct vivgpu_span span = {};
};

TEST_F(ring_test, a_ring_of_zeros_is_empty)
{
   EXPECT_FALSE(vivgpu_ring_read(ring.get(), &span));
   EXPECT_EQ(vivgpu_ring_lost(ring.get()), 0u);
}

TEST_F(ring_test, spans_are_read_in_order)
{
   uint64_t in = 0, out = 0;

   for (unsigned step = 0; step < 5 * VIVGPU_RING_SPANS; step++) {
      struct vivgpu_span next = numbered(in++);

      ASSERT_TRUE(vivgpu_ring_write(ring.get(), &next));
      if (step % 3 == 2) {
         while (vivgpu_ring_read(ring.get(), &span)) {
            ASSERT_EQ(span.begin_ns, out);
            ASSERT_EQ(span.values[7], ~out);
            out++;
         }
      }
   }
   while (vivgpu_ring_read(ring.get(), &span))
      out++;
   EXPECT_EQ(out, in);
   EXPECT_EQ(vivgpu_ring_lost(ring.get()), 0u);
}

TEST_F(ring_test, a_full_ring_drops_and_counts_new_spans)
{
   for (unsigned i = 0; i < VIVGPU_RING_SPANS + 5; i++) {
      struct vivgpu_span next = numbered(i);

      EXPECT_EQ(vivgpu_ring_write(ring.get(), &next), i < VIVGPU_RING_SPANS);
   }
   EXPECT_EQ(vivgpu_ring_lost(ring.get()), 5u);
   EXPECT_EQ(vivgpu_ring_lost(ring.get()), 0u);

   /* The oldest spans are kept, and reading one frees space for another. */
   ASSERT_TRUE(vivgpu_ring_read(ring.get(), &span));
   EXPECT_EQ(span.begin_ns, 0u);
   struct vivgpu_span next = numbered(99999);
   EXPECT_TRUE(vivgpu_ring_write(ring.get(), &next));
   EXPECT_FALSE(vivgpu_ring_write(ring.get(), &next));
   for (unsigned i = 1; i < VIVGPU_RING_SPANS; i++) {
      ASSERT_TRUE(vivgpu_ring_read(ring.get(), &span));
      ASSERT_EQ(span.begin_ns, i);
   }
   ASSERT_TRUE(vivgpu_ring_read(ring.get(), &span));
   EXPECT_EQ(span.begin_ns, 99999u);
   EXPECT_FALSE(vivgpu_ring_read(ring.get(), &span));
}

/* Each thread's spans arrive whole and in order, and all dropped spans are counted. */
TEST_F(ring_test, several_threads_write)
{
   const unsigned threads = 4;
   const uint64_t each = 50000;
   std::vector<std::thread> writers;
   std::vector<uint64_t> last(threads, 0);
   std::atomic<unsigned> done{0};
   uint64_t got = 0, lost = 0;

   for (unsigned who = 0; who < threads; who++) {
      writers.emplace_back([&, who] {
         for (uint64_t i = 1; i <= each; i++) {
            struct vivgpu_span next = numbered(i, who);

            vivgpu_ring_write(ring.get(), &next);
         }
         done++;
      });
   }
   for (bool more = true; more;) {
      more = done != threads;
      while (vivgpu_ring_read(ring.get(), &span)) {
         uint64_t who = span.values[0];

         ASSERT_LT(who, threads);
         ASSERT_EQ(span.values[7], ~span.begin_ns);
         ASSERT_GT(span.begin_ns, last[who]);
         last[who] = span.begin_ns;
         got++;
         more = true;
      }
      lost += vivgpu_ring_lost(ring.get());
   }
   for (std::thread &writer : writers)
      writer.join();
   EXPECT_EQ(got + lost, threads * each);
   EXPECT_GT(got, 0u);
}
