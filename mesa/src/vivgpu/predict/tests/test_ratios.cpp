/* SPDX-License-Identifier: MIT */
/* Ratios by amounts, and the value that most observations have. */

#include <gtest/gtest.h>

extern "C" {
#include "vivgpu_majority.h"
#include "vivgpu_ratios.h"
}

TEST(ratios, are_interpolated_between_samples)
{
   struct vivgpu_ratios ratios = {};

   EXPECT_EQ(vivgpu_ratios_at(&ratios, 100, 7), 7);
   vivgpu_ratios_add(&ratios, 100, 1);
   vivgpu_ratios_add(&ratios, 300, 3);
   EXPECT_DOUBLE_EQ(vivgpu_ratios_at(&ratios, 150, 7), 1.5);
   EXPECT_DOUBLE_EQ(vivgpu_ratios_at(&ratios, 300, 7), 3);
   EXPECT_DOUBLE_EQ(vivgpu_ratios_at(&ratios, 310, 7), 7);
   EXPECT_DOUBLE_EQ(vivgpu_ratios_at(&ratios, 1000, 7), 7);
   EXPECT_DOUBLE_EQ(vivgpu_ratios_at(&ratios, 10, 7), 7);
}

TEST(ratios, of_the_same_amount_are_averaged)
{
   struct vivgpu_ratios ratios = {};

   vivgpu_ratios_add(&ratios, 1000, 1);
   vivgpu_ratios_add(&ratios, 1001, 2);
   vivgpu_ratios_add(&ratios, 999, 3);
   EXPECT_EQ(ratios.count, 1u);
   EXPECT_NEAR(vivgpu_ratios_at(&ratios, 1000, 7), 2, 1e-6);
}

TEST(ratios, the_oldest_samples_are_replaced)
{
   struct vivgpu_ratios ratios = {};

   for (unsigned i = 1; i <= 3 * VIVGPU_RATIO_SAMPLES; i++)
      vivgpu_ratios_add(&ratios, 100.0 * i * i, i);
   EXPECT_EQ(vivgpu_ratios_at(&ratios, 100, -1), -1);
   EXPECT_DOUBLE_EQ(vivgpu_ratios_at(&ratios, 100.0 * 144 * 144, -1), 144);
}

TEST(majority, counts_of_two_jobs_are_rejected)
{
   struct vivgpu_majority majority = {};

   /* One of two jobs' counts was read with the other's again and again. */
   EXPECT_TRUE(vivgpu_majority_add(&majority, 1));
   for (unsigned i = 0; i < 100; i++) {
      EXPECT_TRUE(vivgpu_majority_add(&majority, 1));
      EXPECT_FALSE(vivgpu_majority_add(&majority, 2 + 0.01 * i));
      EXPECT_FALSE(vivgpu_majority_add(&majority, 0));
   }
   EXPECT_EQ(majority.value, 1);
}

TEST(majority, a_first_value_that_is_wrong_is_given_up)
{
   struct vivgpu_majority majority = {};

   vivgpu_majority_add(&majority, 2);
   vivgpu_majority_add(&majority, 1);
   EXPECT_TRUE(vivgpu_majority_add(&majority, 1));
   EXPECT_EQ(majority.value, 1);
}
