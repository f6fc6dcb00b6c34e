/* SPDX-License-Identifier: MIT */
/* Measurement by polling and by glFinish, with times computed by hand. */

#include <gtest/gtest.h>
#include <vector>

extern "C" {
#include "baselines/vivgpu_measure.h"
}

TEST(polling, groups_that_end_at_a_look_are_exact)
{
   std::vector<vivgpu_measured_group> groups = {
      {1000, 3000, 0, 0}, {2000, 7000, 0, 0}, {9500, 10000, 0, 0}};

   vivgpu_measure_polling(groups.data(), groups.size(), 1000);
   EXPECT_EQ(groups[0].ns, 2000);
   /* It was submitted while the first one ran. */
   EXPECT_EQ(groups[1].ns, 4000);
   EXPECT_EQ(groups[2].ns, 500);
}

TEST(polling, groups_within_one_period_share_it)
{
   std::vector<vivgpu_measured_group> groups = {{0, 100, 0, 0}, {0, 900, 0, 0}, {0, 1600, 0, 0}};

   /* Ends at 100 and 900 are seen at 1000, that at 1600 is seen at 2000. */
   vivgpu_measure_polling(groups.data(), groups.size(), 1000);
   EXPECT_EQ(groups[0].ns, 500);
   EXPECT_EQ(groups[1].ns, 500);
   EXPECT_EQ(groups[2].ns, 1000);
}

TEST(finish, each_time_contains_the_latency)
{
   std::vector<vivgpu_measured_group> groups = {{0, 500, 0, 0}, {600, 1000, 0, 0}};

   vivgpu_measure_finish(groups.data(), groups.size(), 0);
   EXPECT_EQ(groups[0].ns, 500);
   EXPECT_EQ(groups[1].ns, 400);
   /* With 50 ns more it returns at 550 and 1050. */
   vivgpu_measure_finish(groups.data(), groups.size(), 50);
   EXPECT_EQ(groups[0].ns, 550);
   EXPECT_EQ(groups[1].ns, 450);
}

TEST(finish, no_group_begins_before_the_last_has_returned)
{
   std::vector<vivgpu_measured_group> groups = {{0, 500, 0, 0}, {100, 1000, 0, 0}};

   vivgpu_measure_finish(groups.data(), groups.size(), 20);
   EXPECT_EQ(groups[1].ns, 500);
}
