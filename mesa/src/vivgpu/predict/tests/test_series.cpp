/* SPDX-License-Identifier: MIT */
/* Histories: experts with values computed by hand, changes, periods; bounds of errors. */

#include <gtest/gtest.h>
#include <cmath>
#include <vector>

extern "C" {
#include "vivgpu_bound.h"
#include "vivgpu_series.h"
}

class series_test : public testing::Test {
 protected:
   std::vector<char> memory = std::vector<char>(vivgpu_series_bytes(64));
   struct vivgpu_series series = {};
   struct vivgpu_forecast forecast = {};

   void SetUp() override
   {
      vivgpu_series_init(&series, 64, memory.data());
   }

   /* Forecast the next value, then learn it; returns the forecast. */
   double next(double value)
   {
      if (vivgpu_series_forecast(&series, 1, &forecast))
         vivgpu_series_compare(&series, &forecast, value);
      vivgpu_series_add(&series, value);
      return forecast.value;
   }

   double expert(enum vivgpu_expert expert, unsigned ahead = 1)
   {
      vivgpu_series_forecast(&series, ahead, &forecast);
      return forecast.experts[expert];
   }
};

TEST_F(series_test, nothing_is_known_at_first)
{
   EXPECT_FALSE(vivgpu_series_forecast(&series, 1, &forecast));
   EXPECT_TRUE(std::isnan(forecast.experts[VIVGPU_EXPERT_LAST]));
}

TEST_F(series_test, one_value_is_repeated)
{
   vivgpu_series_add(&series, 100);
   EXPECT_TRUE(vivgpu_series_forecast(&series, 1, &forecast));
   EXPECT_EQ(forecast.value, 100);
   EXPECT_LT(forecast.error, 0);
   EXPECT_TRUE(std::isnan(forecast.experts[VIVGPU_EXPERT_LINE]));
}

TEST_F(series_test, experts_by_hand)
{
   for (double value : {10.0, 12.0, 16.0})
      vivgpu_series_add(&series, value);
   EXPECT_EQ(expert(VIVGPU_EXPERT_LAST), 16);
   EXPECT_NEAR(expert(VIVGPU_EXPERT_MEAN), 38 / 3.0, 1e-6);
   EXPECT_EQ(expert(VIVGPU_EXPERT_MEDIAN), 12);
   EXPECT_EQ(expert(VIVGPU_EXPERT_LINE), 20);
   EXPECT_EQ(expert(VIVGPU_EXPERT_LINE, 3), 28);
   /* x² + x + 10 at 3 and 4 */
   EXPECT_EQ(expert(VIVGPU_EXPERT_PARABOLA), 22);
   EXPECT_EQ(expert(VIVGPU_EXPERT_PARABOLA, 2), 30);
}

TEST_F(series_test, fits_are_exact_on_lines_and_parabolas)
{
   for (unsigned i = 0; i < 30; i++)
      vivgpu_series_add(&series, 1000 + 3 * i);
   EXPECT_NEAR(expert(VIVGPU_EXPERT_TREND), 1090, 1e-3);
   EXPECT_NEAR(expert(VIVGPU_EXPERT_LONG_TREND, 2), 1093, 1e-3);
   EXPECT_NEAR(expert(VIVGPU_EXPERT_CURVE, 2), 1093, 1e-3);
   EXPECT_NEAR(expert(VIVGPU_EXPERT_LONG_CURVE, 2), 1093, 1e-3);

   vivgpu_series_clear(&series);
   for (unsigned i = 0; i < 30; i++)
      vivgpu_series_add(&series, i * i);
   EXPECT_NEAR(expert(VIVGPU_EXPERT_CURVE), 900, 1e-2);
   EXPECT_NEAR(expert(VIVGPU_EXPERT_LONG_CURVE), 900, 1e-2);
}

TEST_F(series_test, a_period_is_found)
{
   const double values[] = {100, 300, 200, 500, 150};

   for (unsigned i = 0; i < 60; i++)
      next(values[i % 5]);
   EXPECT_EQ(series.period, 5u);
   EXPECT_EQ(expert(VIVGPU_EXPERT_PERIOD), 100);
   EXPECT_EQ(expert(VIVGPU_EXPERT_PERIOD, 4), 500);
   EXPECT_EQ(expert(VIVGPU_EXPERT_PERIOD, 8), 200);
   for (unsigned i = 60; i < 200; i++)
      EXPECT_NEAR(next(values[i % 5]), values[i % 5], i < 100 ? 30 : 5) << i;
}

TEST_F(series_test, noise_is_averaged)
{
   double last = 0, mean = 0, ours = 0, sum = 0;
   uint32_t random = 1;

   for (unsigned i = 0; i < 400; i++) {
      double value, forecast_value;

      random = random * 1664525 + 1013904223;
      value = 1000 + (random >> 16) % 100;
      forecast_value = next(value);
      if (i > 50) {
         ours += std::fabs(value - forecast_value);
         last += std::fabs(value - series.values[series.count - 2]);
         mean += std::fabs(value - sum / i);
      }
      sum += value;
   }
   EXPECT_LT(ours, 0.85 * last);
   /* Nothing is better than the mean of all; what chases the noise hardly counts. */
   EXPECT_LT(ours, 1.01 * mean);
}

TEST_F(series_test, a_smooth_curve_is_extrapolated)
{
   for (unsigned i = 0; i < 300; i++) {
      double value = 50000 + 10000 * std::sin(i * 0.05);
      double forecast_value = next(value);

      if (i > 40) {
         EXPECT_NEAR(forecast_value, value, 25) << i;
      }
   }
}

TEST_F(series_test, after_a_jump_the_new_level_is_known_at_once)
{
   for (unsigned i = 0; i < 50; i++)
      next(1000 + i % 3);
   next(5000);
   EXPECT_NEAR(next(5001), 5000, 600);
   EXPECT_NEAR(next(5002), 5001, 300);
   for (unsigned i = 0; i < 10; i++)
      next(5000 + i % 3);
   EXPECT_NEAR(next(5001), 5001, 3);
}

TEST_F(series_test, forecasts_are_finite_and_not_negative)
{
   for (unsigned i = 0; i < 500; i++) {
      next(i % 17 == 0 ? 1e12 : i % 13 == 0 ? 0 : 1.0 * i);
      for (unsigned ahead : {1u, 2u, 5u, 1000u}) {
         vivgpu_series_forecast(&series, ahead, &forecast);
         EXPECT_TRUE(std::isfinite(forecast.value));
         EXPECT_GE(forecast.value, 0);
      }
   }
   EXPECT_LE(series.count, 2 * series.capacity);
}

TEST(bound, covers_the_largest_of_the_last_errors)
{
   struct vivgpu_bound bound;

   vivgpu_bound_init(&bound);
   EXPECT_EQ(vivgpu_bound_value(&bound), 0);
   vivgpu_bound_add(&bound, 0.01, true);
   vivgpu_bound_add(&bound, 0.04, true);
   vivgpu_bound_add(&bound, 0.02, true);
   EXPECT_NEAR(vivgpu_bound_value(&bound), 0.04, 1e-6);
   /* An error outside widens by 1.3. */
   vivgpu_bound_add(&bound, 0.1, false);
   EXPECT_NEAR(vivgpu_bound_value(&bound), 0.13, 1e-6);
   /* After 128 more errors it has no effect, except for the factor. */
   for (unsigned i = 0; i < 128; i++)
      vivgpu_bound_add(&bound, 0.01, true);
   EXPECT_NEAR(vivgpu_bound_value(&bound), 0.01 * std::fmax(1, 1.3 * std::pow(0.998252, 128)),
               1e-4);
}

TEST(bound, a_level_needs_enough_errors)
{
   struct vivgpu_bound bound;

   EXPECT_EQ(vivgpu_bound_needed(0.99), 99u);
   EXPECT_EQ(vivgpu_bound_needed(0.9), 9u);
   vivgpu_bound_init(&bound);
   EXPECT_TRUE(std::isinf(vivgpu_bound_conformal(&bound, 0.9)));
   for (unsigned i = 1; i <= 8; i++)
      vivgpu_bound_add(&bound, 0.01 * i, true);
   EXPECT_TRUE(std::isinf(vivgpu_bound_conformal(&bound, 0.9)));
   vivgpu_bound_add(&bound, 0.005, true);
   EXPECT_NEAR(vivgpu_bound_conformal(&bound, 0.9), 0.08, 1e-6);
   /* ceil(10 * 0.8) = 8 of 9 errors: the second largest */
   EXPECT_NEAR(vivgpu_bound_conformal(&bound, 0.8), 0.07, 1e-6);
   EXPECT_NEAR(vivgpu_bound_conformal(&bound, 0.5), 0.04, 1e-6);
}

/* Share of errors within a conformal bound; @scale is the size of errors at a time. */
static double
coverage(double level, double (*scale)(unsigned i), unsigned count)
{
   struct vivgpu_bound bound;
   uint32_t random = 11;
   unsigned within = 0, all = 0;

   vivgpu_bound_init(&bound);
   for (unsigned i = 0; i < count; i++) {
      double value, error;

      random = random * 1664525 + 1013904223;
      /* Without a largest one: the mean is finite, the variance is not. */
      error = scale(i) / std::sqrt((random >> 8) / 16777216.0 + 1e-7);
      value = vivgpu_bound_conformal(&bound, level);
      if (std::isfinite(value)) {
         all++;
         within += error <= value;
      }
      vivgpu_bound_follow(&bound, error, level);
      vivgpu_bound_add(&bound, error, true);
   }
   return (double)within / all;
}

TEST(bound, covers_its_level_of_equal_errors)
{
   for (double level : {0.5, 0.9, 0.95, 0.99})
      EXPECT_NEAR(coverage(level, [](unsigned) { return 0.01; }, 100000), level, 0.003) << level;
}

TEST(bound, covers_its_level_of_errors_that_change)
{
   for (double level : {0.9, 0.99}) {
      EXPECT_NEAR(coverage(level, [](unsigned i) { return 0.01 * (1 + i / 5000); }, 100000), level,
                  0.003) << level;
      EXPECT_NEAR(coverage(level, [](unsigned i) { return i / 300 % 2 ? 0.05 : 0.01; }, 100000), level,
                  0.003) << level;
   }
}

TEST(bound, misses_one_error_in_a_hundred_at_most)
{
   struct vivgpu_bound bound;
   uint32_t random = 7;
   unsigned misses = 0;

   vivgpu_bound_init(&bound);
   for (unsigned i = 0; i < 20000; i++) {
      double error, unit;

      random = random * 1664525 + 1013904223;
      unit = (random >> 8) / 16777216.0;
      /* Errors without a largest one, which grow by the time */
      error = (1 + i / 5000) * 0.01 / std::sqrt(unit + 1e-9);
      misses += error > vivgpu_bound_value(&bound);
      vivgpu_bound_add(&bound, error, error <= vivgpu_bound_value(&bound));
   }
   EXPECT_LT(misses, 200u);
}
