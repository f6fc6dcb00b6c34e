/* SPDX-License-Identifier: MIT */
/* What a job refers to when memory is short. */

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "vivgpu_stream.h"

/* Buffers whose list, twice as long, needs more than ADDRESS_SPACE */
#define FULL          0x7fffffffu
#define ADDRESS_SPACE (16ull << 30)

/* A stream whose list of buffers is full and cannot grow. */
class short_memory : public ::testing::Test {
 protected:
   void SetUp() override
   {
      const struct rlimit limit = {ADDRESS_SPACE, unlimited.rlim_max};

      ASSERT_EQ(getrlimit(RLIMIT_AS, &unlimited), 0);
      ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
      stream.num_bos = stream.max_bos = FULL;
      stream.words = words;
      stream.points = points;
      bo.slot = UINT32_MAX;
   }

   void TearDown() override
   {
      setrlimit(RLIMIT_AS, &unlimited);
   }

   struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
   struct vivgpu_stream stream = {};
   struct vivgpu_bo bo = {};
   struct drm_vivgpu_point points[1] = {};
   uint32_t words[VIVGPU_POINT_WORDS] = {};
};

/* Its buffer's index would be that of another job's list. */
TEST_F(short_memory, no_point_without_its_buffer)
{
   EXPECT_FALSE(vivgpu_stream_point(&stream, &bo, 0));
   EXPECT_EQ(stream.num_points, 0u);
   EXPECT_EQ(stream.used, 0u);
}

TEST_F(short_memory, no_counter_without_its_buffer)
{
   util_dynarray_init(&stream.counters, NULL);
   EXPECT_FALSE(vivgpu_stream_count(&stream, 0, 0, &bo, 0));
   EXPECT_EQ(stream.counters.size, 0u);
}
