/* SPDX-License-Identifier: MIT */
/* Surprises in a history: errors of one measurement, changes, values that come again. */

#include <gtest/gtest.h>
#include <vector>

extern "C" {
#include "vivgpu_surprise.h"
}

class surprise_test : public testing::Test {
 protected:
   std::vector<char> memory = std::vector<char>(vivgpu_series_bytes(64));
   struct vivgpu_series series = {};
   struct vivgpu_surprise surprise = {};
   struct vivgpu_advantage follow = {0.2, 8};

   void SetUp() override
   {
      vivgpu_series_init(&series, 64, memory.data());
      vivgpu_surprise_init(&surprise);
      for (unsigned i = 0; i < 20; i++)
         next(100);
   }

   double forecast(unsigned ahead = 1)
   {
      struct vivgpu_forecast forecast;

      vivgpu_surprise_forecast(&surprise, &series, &follow, ahead, &forecast);
      return forecast.value;
   }

   /* Forecast the next value, then learn it; returns the forecast. */
   double next(double value, unsigned missing = 0)
   {
      struct vivgpu_forecast forecast;
      bool known = vivgpu_surprise_forecast(&surprise, &series, &follow, 1 + missing, &forecast);

      vivgpu_surprise_add(&surprise, &series, &follow, missing, known ? &forecast : nullptr,
                          value);
      return forecast.value;
   }
};

TEST_F(surprise_test, a_change_is_followed_at_once)
{
   next(150);
   EXPECT_NEAR(forecast(), 150, 1);
   EXPECT_NEAR(next(150), 150, 1);
   EXPECT_FALSE(surprise.waits);
   EXPECT_NEAR(forecast(), 150, 1e-3);
   EXPECT_EQ(series.count, 22u);
}

TEST_F(surprise_test, one_wrong_value_leaves_no_trace)
{
   next(150);
   EXPECT_TRUE(surprise.waits);
   next(100);
   EXPECT_FALSE(surprise.waits);
   EXPECT_EQ(series.steady, 22u);
   EXPECT_NEAR(forecast(), 100, 1e-3);
   EXPECT_NEAR(series.mean, 100, 1e-3);
}

TEST_F(surprise_test, it_is_learnt_that_surprises_are_errors)
{
   double last = 0;

   for (double wrong : {150.0, 260.0, 30.0, 330.0, 190.0, 440.0}) {
      next(wrong);
      last = forecast();
      EXPECT_NEAR(forecast(3), last, 1e-3);
      next(100);
      next(100);
   }
   EXPECT_NEAR(last, 100, 5);
   /* A change is believed after two values then. */
   next(150);
   next(150);
   EXPECT_NEAR(forecast(), 150, 1);
}

TEST_F(surprise_test, what_comes_again_is_believed)
{
   for (unsigned i = 0; i < 60; i++)
      next(i % 3 ? 100 : 150);
   EXPECT_NEAR(forecast(1), 150, 1);
   EXPECT_NEAR(forecast(2), 100, 1);
   EXPECT_NEAR(forecast(3), 100, 1);
}

TEST_F(surprise_test, missing_values_are_filled_in)
{
   next(150);
   next(100, 2);
   EXPECT_EQ(series.count, 24u);
   EXPECT_NEAR(forecast(), 100, 1e-3);
}
