/* SPDX-License-Identifier: MIT */
/* Vertical blanks ahead, trust in predictions, and budgets as text. */

#include <gtest/gtest.h>

#include "vivgpu_deadline.h"
#include "vivgpu_trust.h"

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

   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 8000000, 0), 0u);
   frames.max_piece_ns = 4000000;
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 0, 0), 1u);
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 8000000, 0), 3u);
   frames.has_budget = true;
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 8000000, 0), 0u);
}

TEST(split, measured_draws_count_without_predictions)
{
   struct vivgpu_frames frames = {};

   frames.max_piece_ns = 4000000;
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 0, 500000), 6u);
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 2000000, 500000), 12u);
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 0, 0), 12u);
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 8, 0, 500000), 6u);
}

TEST(split, the_dearest_of_the_last_jobs_counts)
{
   struct vivgpu_frames frames = {};
   uint32_t draws = 0;

   frames.max_piece_ns = 4000000;
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 100, 4000000, 0), 75u);
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 100, 6000000, 0), 50u);
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 100, 1000000, 0), 51u);
   for (int i = 0; i < 200; i++)
      draws = vivgpu_frames_max_draws(&frames, 100, 1000000, 0);
   EXPECT_EQ(draws, 300u);
   /* A draw is not divided. */
   EXPECT_EQ(vivgpu_frames_max_draws(&frames, 1, 80000000, 0), 1u);
}

TEST(trust, bounds_of_predictions)
{
   EXPECT_EQ(vivgpu_trust_bound(1000, 500, false), 1500u);
   EXPECT_EQ(vivgpu_trust_bound(1000, 20, false), 1020u);
   EXPECT_EQ(vivgpu_trust_bound(1000, 20, true), 1020u);
   /* A guess, unless the last ones came true within a half */
   EXPECT_EQ(vivgpu_trust_bound(1000, 501, false), 0u);
   EXPECT_EQ(vivgpu_trust_bound(1000, UINT64_MAX, true), 1500u);
   EXPECT_EQ(vivgpu_trust_bound(0, 0, true), 0u);
}

TEST(trust, only_after_a_number_of_good_results)
{
   struct vivgpu_trust trust = {};

   for (int i = 0; i < VIVGPU_TRUST_RESULTS; i++) {
      EXPECT_FALSE(vivgpu_trust_is_good(&trust)) << i;
      vivgpu_trust_add(&trust, 1000, i % 2 ? 1499 : 501, 1);
   }
   EXPECT_TRUE(vivgpu_trust_is_good(&trust));
}

TEST(trust, the_dearest_draw)
{
   struct vivgpu_trust trust = {};

   EXPECT_EQ(vivgpu_trust_ns_per_draw(&trust), 0);
   vivgpu_trust_add(&trust, 1000, 1000, 0);
   EXPECT_EQ(vivgpu_trust_ns_per_draw(&trust), 0);
   vivgpu_trust_add(&trust, 1000, 1200, 4);
   vivgpu_trust_add(&trust, 1000, 1000, 10);
   EXPECT_EQ(vivgpu_trust_ns_per_draw(&trust), 300);
   for (int i = 0; i < VIVGPU_TRUST_RESULTS - 1; i++)
      vivgpu_trust_add(&trust, 1000, 1000, 10);
   EXPECT_EQ(vivgpu_trust_ns_per_draw(&trust), 100);
}

TEST(trust, lost_by_one_bad_result_for_a_while)
{
   struct vivgpu_trust trust = {};

   for (int i = 0; i < 100; i++)
      vivgpu_trust_add(&trust, 1000, 1000, 1);
   EXPECT_TRUE(vivgpu_trust_is_good(&trust));
   vivgpu_trust_add(&trust, 1000, 1501, 1);
   for (int i = 0; i < VIVGPU_TRUST_RESULTS; i++) {
      EXPECT_FALSE(vivgpu_trust_is_good(&trust)) << i;
      vivgpu_trust_add(&trust, 1000, 1000, 1);
   }
   EXPECT_TRUE(vivgpu_trust_is_good(&trust));
}

TEST(trust, jobs_without_a_prediction)
{
   struct vivgpu_trust trust = {};

   for (int i = 0; i < VIVGPU_TRUST_RESULTS; i++)
      vivgpu_trust_add(&trust, 0, 1000, 4);
   EXPECT_FALSE(vivgpu_trust_is_good(&trust));
   EXPECT_EQ(vivgpu_trust_ns_per_draw(&trust), 250);
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
   const char *const texts[] = {"",          "5000",
                                "5000/",     "/16667",
                                "0/16667",   "5/0",
                                "-5/16667",  "5 /16667",
                                "5/16667us", "20000/16667",
                                "5//6",      "5/1000001",
                                "5.5/16667", "99999999999999999999/99999999999999999999"};

   for (const char *text : texts) {
      struct vivgpu_budget budget = {7, 8};

      EXPECT_FALSE(vivgpu_budget_parse(text, &budget)) << text;
      EXPECT_EQ(budget.budget_ns, 7u) << text;
      EXPECT_EQ(budget.period_ns, 8u) << text;
   }
}
