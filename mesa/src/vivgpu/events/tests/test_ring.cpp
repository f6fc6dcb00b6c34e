/* SPDX-License-Identifier: MIT */
/* The ring buffer of spans: order, overflow, several writers, writers that are killed. */

#include <gtest/gtest.h>
#include <atomic>
#include <csignal>
#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
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

/* Memory that two processes share */
struct shared {
   struct vivgpu_ring ring;
   /* The other process has written its span. */
   bool written;
};

/* Write a span in another process, which is killed after @steps of its instructions. */
static void
write_and_die(struct shared *shared, const struct vivgpu_span *span, unsigned steps)
{
   int status = 0;
   pid_t pid = fork();

   if (!pid) {
      ptrace(PTRACE_TRACEME, 0, NULL, NULL);
      raise(SIGSTOP);
      vivgpu_ring_write(&shared->ring, span);
      shared->written = true;
      _exit(0);
   }
   ASSERT_EQ(waitpid(pid, &status, 0), pid);
   for (unsigned i = 0; i < steps; i++) {
      ASSERT_EQ(ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL), 0);
      ASSERT_EQ(waitpid(pid, &status, 0), pid);
   }
   ASSERT_TRUE(WIFSTOPPED(status));
   kill(pid, SIGKILL);
   ASSERT_EQ(waitpid(pid, &status, 0), pid);
}

/* Wherever a process is killed, only its own span is lost, and room for one. */
TEST(shared_ring, a_writer_is_killed_after_each_instruction)
{
   void *map = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   struct shared *shared = (struct shared *)map;
   struct vivgpu_ring *ring = &shared->ring;
   const struct vivgpu_span first = numbered(1), killed = numbered(2), other = numbered(3);
   unsigned without = 0, with = 0;

   ASSERT_NE(map, MAP_FAILED);
   while (!shared->written) {
      struct vivgpu_span span;
      bool whole;

      SCOPED_TRACE(without + with);
      memset(ring, 0, sizeof(*ring));
      ASSERT_TRUE(vivgpu_ring_write(ring, &first));
      ASSERT_NO_FATAL_FAILURE(write_and_die(shared, &killed, without + with));
      ASSERT_TRUE(vivgpu_ring_write(ring, &other));
      ASSERT_TRUE(vivgpu_ring_read(ring, &span));
      ASSERT_EQ(span.begin_ns, 1u);
      ASSERT_TRUE(vivgpu_ring_read(ring, &span));
      whole = span.begin_ns == 2;
      if (whole) {
         ASSERT_EQ(span.values[7], ~UINT64_C(2));
         ASSERT_TRUE(vivgpu_ring_read(ring, &span));
      }
      ASSERT_EQ(span.begin_ns, 3u);
      ASSERT_FALSE(vivgpu_ring_read(ring, &span));
      ASSERT_EQ(ring->written, ring->read);
      for (unsigned i = 1; i < VIVGPU_RING_SPANS; i++)
         ASSERT_TRUE(vivgpu_ring_write(ring, &other)) << i;
      (whole ? with : without)++;
   }
   EXPECT_GT(without, 1u);
   EXPECT_GT(with, 1u);
   munmap(map, sizeof(struct shared));
}

/* The last span of a writer that was killed before it counted it is read and counted. */
TEST(shared_ring, a_span_that_its_writer_did_not_count)
{
   std::unique_ptr<struct vivgpu_ring> ring{new struct vivgpu_ring()};
   struct vivgpu_span span = numbered(1);

   ASSERT_TRUE(vivgpu_ring_write(ring.get(), &span));
   ring->written = 0;
   ASSERT_TRUE(vivgpu_ring_read(ring.get(), &span));
   EXPECT_EQ(ring->written, 1u);
   span = numbered(2);
   ASSERT_TRUE(vivgpu_ring_write(ring.get(), &span));
   ASSERT_TRUE(vivgpu_ring_read(ring.get(), &span));
   EXPECT_EQ(span.begin_ns, 2u);
}
