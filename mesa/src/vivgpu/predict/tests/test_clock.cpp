/* SPDX-License-Identifier: MIT */
/* The core's clock by jobs' times and cycles. */

#include <gtest/gtest.h>

extern "C" {
#include "vivgpu_clock.h"
}

class clock_test : public testing::Test {
 protected:
   struct vivgpu_clock clock;

   void SetUp() override
   {
      vivgpu_clock_init(&clock);
   }

   /* Learn from a job with this clock; returns what is expected of the next one. */
   double job(double slowness, double full_ns = 1e6)
   {
      vivgpu_clock_observe(&clock, full_ns, full_ns * slowness);
      return vivgpu_clock_slowness(&clock);
   }
};

TEST_F(clock_test, a_change_is_followed_at_once)
{
   for (unsigned i = 0; i < 20; i++) {
      EXPECT_EQ(job(2), 2);
      EXPECT_EQ(job(2), 2);
      EXPECT_EQ(job(1), 1);
      EXPECT_EQ(job(1), 1);
   }
}

TEST_F(clock_test, small_differences_and_stamps_are_none)
{
   EXPECT_EQ(job(1.007), 1);
   EXPECT_EQ(job(0.993), 1);
   EXPECT_EQ(job(1.5, 9000), 1);
   EXPECT_EQ(job(1.5, 11000), 1.5);
}

TEST_F(clock_test, a_short_job_confirms_nothing)
{
   job(3);
   EXPECT_EQ(clock.believed, 1);
   job(3, 1000);
   EXPECT_EQ(clock.believed, 1);
   EXPECT_EQ(clock.last, 3);
   job(3);
   EXPECT_EQ(clock.believed, 3);
}

TEST_F(clock_test, jobs_without_cycles_or_time_say_nothing)
{
   vivgpu_clock_observe(&clock, 0, 1e6);
   vivgpu_clock_observe(&clock, 1e6, 0);
   EXPECT_EQ(vivgpu_clock_slowness(&clock), 1);
}

/* A machine whose cycles do not go with time, such as an emulated one */
TEST_F(clock_test, ratios_that_differ_each_time_are_not_followed)
{
   for (unsigned i = 0; i < 30; i++)
      job(i % 2 ? 1 : 2 + i * 0.1);
   EXPECT_EQ(job(3), 1);
   /* A lasting change is, when it is confirmed. */
   EXPECT_EQ(job(3), 3);
}
