/* SPDX-License-Identifier: MIT */
/* Vertical blanks ahead, and budgets as text. */

#include <gtest/gtest.h>

#include "vivgpu_deadline.h"

TEST(vblank, the_first_one_that_is_not_before_a_time)
{
   const struct vivgpu_vblank vblank = {1000, 16};

   EXPECT_EQ(vivgpu_vblank_after(&vblank, 1000), 1000u);
   EXPECT_EQ(vivgpu_vblank_after(&vblank, 1001), 1016u);
   EXPECT_EQ(vivgpu_vblank_after(&vblank, 1016), 1016u);
   EXPECT_EQ(vivgpu_vblank_after(&vblank, 1017), 1032u);
   EXPECT_EQ(vivgpu_vblank_after(&vblank, 17000), 17000u);
}

TEST(vblank, times_before_the_known_one)
{
   const struct vivgpu_vblank vblank = {1000, 16};

   EXPECT_EQ(vivgpu_vblank_after(&vblank, 999), 1000u);
   EXPECT_EQ(vivgpu_vblank_after(&vblank, 985), 1000u);
   EXPECT_EQ(vivgpu_vblank_after(&vblank, 984), 984u);
   EXPECT_EQ(vivgpu_vblank_after(&vblank, 0), 8u);
}

TEST(vblank, unknown_without_a_display)
{
   const struct vivgpu_vblank vblank = {0, 0};

   EXPECT_EQ(vivgpu_vblank_after(&vblank, 1000), 0u);
}

TEST(split, only_with_a_limit_and_without_a_budget)
{
   struct vivgpu_frames frames = {};

   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 8000000), 0u);
   frames.max_piece_ns = 4000000;
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 0), 0u);
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 8000000), 3u);
   frames.has_budget = true;
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 8000000), 0u);
}

TEST(split, the_dearest_of_the_last_jobs_counts)
{
   struct vivgpu_frames frames = {};
   uint32_t draws = 0;

   frames.max_piece_ns = 4000000;
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 100, 4000000), 75u);
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 100, 6000000), 50u);
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 100, 1000000), 51u);
   for (int i = 0; i < 200; i++)
      draws = vivgpu_frames_max_draws(&frames, 100, 1000000);
   EXPECT_EQ(draws, 300u);
   /* A draw is not divided. */
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 1, 80000000), 1u);
}

TEST(budget, microseconds)
{
   struct vivgpu_budget budget = {};

   ASSERT_TRUE(vivgpu_budget_parse("5000/16667", &budget));
   EXPECT_EQ(budget.budget_ns, 5000000u);
   EXPECT_EQ(budget.period_ns, 16667000u);
   ASSERT_TRUE(vivgpu_budget_parse("1000000/1000000", &budget));
   EXPECT_EQ(budget.budget_ns, 1000000000u);
}

TEST(budget, anything_else_is_refused)
{
   const char *const texts[] = {"",     "5000",     "5000/",    "/16667",    "0/16667",
                                "5/0",  "-5/16667", "5 /16667", "5/16667us", "20000/16667",
                                "5//6", "5/1000001", "5.5/16667",
                                "99999999999999999999/99999999999999999999"};

   for (const char *text : texts) {
      struct vivgpu_budget budget = {7, 8};

      EXPECT_FALSE(vivgpu_budget_parse(text, &budget)) << text;
      EXPECT_EQ(budget.budget_ns, 7u) << text;
      EXPECT_EQ(budget.period_ns, 8u) << text;
   }
}
