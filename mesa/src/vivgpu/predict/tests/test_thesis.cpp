/* SPDX-License-Identifier: MIT */
/* The thesis's models with values computed by hand. */

#include <gtest/gtest.h>

extern "C" {
#include "thesis/vivgpu_thesis_models.h"
#include "vivgpu_frames.h"
}

TEST(fit, two_equations)
{
   struct vivgpu_fit fit = {};
   double a, b;

   /* 2 u + 3 v */
   vivgpu_fit_add(&fit, 1, 1, 5);
   vivgpu_fit_add(&fit, 1, 2, 8);
   vivgpu_fit_solve(&fit, &a, &b);
   EXPECT_NEAR(a, 2, 1e-9);
   EXPECT_NEAR(b, 3, 1e-9);
}

TEST(fit, nothing_learnt)
{
   struct vivgpu_fit fit = {};
   double a = 1, b = 1;

   vivgpu_fit_solve(&fit, &a, &b);
   EXPECT_EQ(a, 0);
   EXPECT_EQ(b, 0);
}

TEST(fit, proportional_amounts_have_the_shortest_solution)
{
   struct vivgpu_fit fit = {};
   double a, b;

   /* u = 3, v = 4, y = 50: (6, 8), of length 10. */
   vivgpu_fit_add(&fit, 3, 4, 50);
   vivgpu_fit_solve(&fit, &a, &b);
   EXPECT_NEAR(a, 6, 1e-9);
   EXPECT_NEAR(b, 8, 1e-9);
}

TEST(fit, coefficients_are_not_negative)
{
   struct vivgpu_fit fit = {};
   double a, b;

   /* Exactly -1 u + 2 v; without u: (1 * 1 * 0.995 + 2 * 3) / (0.995 + 4) = 6.995 / 4.995 */
   vivgpu_fit_add(&fit, 1, 1, 1);
   vivgpu_fit_add(&fit, 1, 2, 3);
   vivgpu_fit_solve(&fit, &a, &b);
   EXPECT_EQ(a, 0);
   EXPECT_NEAR(b, 6.995 / 4.995, 1e-9);
}

TEST(fit, old_observations_lose_their_weight)
{
   struct vivgpu_fit fit = {};
   double a, b;

   for (unsigned i = 0; i < 100; i++)
      vivgpu_fit_add(&fit, 1, 0, 10);
   for (unsigned i = 0; i < 2000; i++)
      vivgpu_fit_add(&fit, 1, 0, 20);
   vivgpu_fit_solve(&fit, &a, &b);
   EXPECT_NEAR(a, 20, 0.01);
}

TEST(fit, without_decay_all_observations_have_the_same_weight)
{
   struct vivgpu_fit fit = {};
   double a, b;

   vivgpu_fit_add_equal(&fit, 1, 0, 10);
   vivgpu_fit_add_equal(&fit, 1, 0, 20);
   vivgpu_fit_solve(&fit, &a, &b);
   EXPECT_NEAR(a, 15, 1e-9);
}

TEST(flush, mean_and_distribution)
{
   struct vivgpu_model_constant flush = {};

   EXPECT_EQ(vivgpu_model_constant_ns(&flush), 0);
   /* Steps 10 (6000 ns), 13, 13 (7800 to 8399 ns), 20 (12000 ns) */
   for (double ns : {6000.0, 7800.0, 8399.0, 12000.0})
      vivgpu_model_constant_add(&flush, ns);
   EXPECT_NEAR(vivgpu_model_constant_ns(&flush), 34199 / 4.0, 1e-9);
   EXPECT_EQ(flush.histogram[10], 1u);
   EXPECT_EQ(flush.histogram[13], 2u);
   EXPECT_EQ(flush.histogram[20], 1u);
   EXPECT_EQ(vivgpu_model_constant_quantile(&flush, 0.25), 6600);
   EXPECT_EQ(vivgpu_model_constant_quantile(&flush, 0.75), 8400);
   EXPECT_EQ(vivgpu_model_constant_quantile(&flush, 1), 12600);
   vivgpu_model_constant_add(&flush, 1e9);
   EXPECT_EQ(flush.histogram[63], 1u);
}

TEST(clear, half_a_nanosecond_per_byte)
{
   struct vivgpu_model_clear clear = {};

   /* The thesis's figures: 0.48 to 0.53 ns a byte */
   vivgpu_model_clear_add(&clear, 1 << 20, 0.5 * (1 << 20));
   EXPECT_NEAR(vivgpu_model_clear_ns(&clear, 640 * 432 * 4), 552960, 1e-3);
   EXPECT_EQ(vivgpu_model_clear_ns(&clear, 0), 0);
}

TEST(swap, linear_in_rendered_tiles)
{
   struct vivgpu_model_swap swap = {};

   /* 17,280 tiles are written at 20 ns, rendered ones read at 15 ns. */
   for (unsigned tiles = 160; tiles <= 17280; tiles += 1712)
      vivgpu_model_swap_add(&swap, 17280, tiles, 17280 * 20 + tiles * 15);
   EXPECT_NEAR(vivgpu_model_swap_ns(&swap, 17280, 0), 345600, 1e-3);
   EXPECT_NEAR(vivgpu_model_swap_ns(&swap, 17280, 17280), 604800, 1e-3);
}

/* Neither a smaller nor a larger slope has less squares of relative errors. */
TEST(texture, slopes_have_the_smallest_squares)
{
   struct vivgpu_model_texture texture = {};
   double by_slope = 0, by_beyond = 0;

   for (unsigned i = 1; i <= VIVGPU_TEXTURE_SIZES; i++)
      vivgpu_model_texture_add(&texture, i * 1000.0, i * 500.0 * (1 + 0.001 * (i * 7 % 32) * i));
   ASSERT_GT(texture.slope, 0);
   ASSERT_GT(texture.slope_beyond, 0);
   /* Half the derivatives of the sum of squares */
   for (unsigned i = 0; i < texture.num_sizes; i++) {
      double bytes = texture.sizes[i].bytes, ns = texture.sizes[i].ns;
      double error = vivgpu_model_texture_ns(&texture, bytes) / ns - 1;

      by_slope += error * std::min(bytes, texture.knee) / ns;
      by_beyond += error * std::max(bytes - texture.knee, 0.0) / ns;
   }
   EXPECT_NEAR(by_slope, 0, 1e-9);
   EXPECT_NEAR(by_beyond, 0, 1e-9);
}

TEST(texture, grows_and_is_flat_from_the_size_of_the_front_buffer_on)
{
   struct vivgpu_model_texture texture = {};

   for (unsigned i = 0; i < 3; i++) {
      for (double kib = 64; kib <= 4096; kib *= 2)
         vivgpu_model_texture_add(&texture, kib * 1024, std::min(kib, 1024.0) * 300);
   }
   EXPECT_EQ(texture.knee, 1024 * 1024);
   EXPECT_NEAR(vivgpu_model_texture_ns(&texture, 96 * 1024), 96 * 300, 1);
   EXPECT_NEAR(vivgpu_model_texture_ns(&texture, 8192 * 1024), 1024 * 300, 10);
}

TEST(texture, one_size_is_a_line)
{
   struct vivgpu_model_texture texture = {};

   EXPECT_EQ(vivgpu_model_texture_ns(&texture, 1000), 0);
   vivgpu_model_texture_add(&texture, 1000, 500);
   EXPECT_NEAR(vivgpu_model_texture_ns(&texture, 500), 250, 1e-6);
}

TEST(texture, more_sizes_than_entries)
{
   struct vivgpu_model_texture texture = {};

   for (unsigned i = 1; i < 200; i++)
      vivgpu_model_texture_add(&texture, i * 1000, i * 100);
   EXPECT_EQ(texture.num_sizes, (uint32_t)VIVGPU_TEXTURE_SIZES);
   EXPECT_GT(vivgpu_model_texture_ns(&texture, 20000), 0);
}

TEST(draw, sum_of_vertices_and_fragments)
{
   struct vivgpu_model_draw draw = {};
   double vertex;

   /* The horse: 21,516 vertices at 25 ns, fragments at 1.5 ns */
   vivgpu_model_draw_add(&draw, 21516, 40000, 537900 + 60000);
   vivgpu_model_draw_add(&draw, 21516, 30000, 537900 + 45000);
   EXPECT_NEAR(vivgpu_model_draw_ns(&draw, 21516, 20000, &vertex), 567900, 1e-3);
   EXPECT_NEAR(vertex, 537900, 1e-3);
}

TEST(frames, the_latest_frame_that_has_ended)
{
   struct vivgpu_frames frames = {};

   EXPECT_LT(vivgpu_frames_ratio(&frames), 0);
   EXPECT_EQ(vivgpu_frames_submit(&frames, 1, 0, 10, 100), 0u);
   EXPECT_EQ(vivgpu_frames_submit(&frames, 1, 0, 11, 300), 1u);
   vivgpu_frames_finish(&frames, 10, 1000);
   vivgpu_frames_finish(&frames, 11, 3000);
   /* All groups so far have ended, but the frame may have more. */
   EXPECT_LT(vivgpu_frames_ratio(&frames), 0);

   EXPECT_EQ(vivgpu_frames_submit(&frames, 1, 1, 12, 100), 0u);
   EXPECT_EQ(vivgpu_frames_ratio(&frames), 10);
   EXPECT_EQ(vivgpu_frames_value(&frames, 1), 3000);
   EXPECT_LT(vivgpu_frames_value(&frames, 2), 0);

   /* Frame 2 begins before frame 1 has ended: frame 0 stays the recent one. */
   vivgpu_frames_submit(&frames, 1, 2, 13, 100);
   EXPECT_EQ(vivgpu_frames_value(&frames, 0), 1000);
   vivgpu_frames_finish(&frames, 12, 2000);
   EXPECT_EQ(vivgpu_frames_value(&frames, 0), 2000);
   EXPECT_EQ(vivgpu_frames_ratio(&frames), 20);
}

/* Queues end their frames independently: the frame that was begun later stays the recent one. */
TEST(frames, a_late_frame_of_another_queue_does_not_replace_a_newer_one)
{
   struct vivgpu_frames frames = {};

   vivgpu_frames_submit(&frames, 1, 0, 10, 100);
   vivgpu_frames_submit(&frames, 2, 0, 20, 100);
   vivgpu_frames_submit(&frames, 1, 1, 11, 100);
   vivgpu_frames_finish(&frames, 20, 2000);
   EXPECT_EQ(vivgpu_frames_value(&frames, 0), 2000);
   vivgpu_frames_finish(&frames, 10, 1000);
   EXPECT_EQ(vivgpu_frames_value(&frames, 0), 2000);
   EXPECT_EQ(vivgpu_frames_ratio(&frames), 20);
}

TEST(frames, groups_that_fail_have_no_value)
{
   struct vivgpu_frames frames = {};

   vivgpu_frames_submit(&frames, 1, 0, 10, 100);
   vivgpu_frames_finish(&frames, 10, -1);
   vivgpu_frames_submit(&frames, 1, 1, 11, 100);
   EXPECT_TRUE(frames.has_recent);
   EXPECT_LT(vivgpu_frames_value(&frames, 0), 0);
   EXPECT_LT(vivgpu_frames_ratio(&frames), 0);
}

TEST(frames, what_is_unknown_is_as_in_the_frame_before)
{
   struct vivgpu_frames frames = {};

   vivgpu_frames_submit(&frames, 1, 0, 10, 100);
   vivgpu_frames_submit(&frames, 1, 0, 11, 200);
   vivgpu_frames_finish(&frames, 10, 1000);
   vivgpu_frames_finish(&frames, 11, 4000);
   vivgpu_frames_submit(&frames, 1, 1, 12, 100);
   vivgpu_frames_submit(&frames, 1, 1, 13, 200);
   vivgpu_frames_finish(&frames, 12, 3000);
   vivgpu_frames_finish(&frames, 13, -1);
   vivgpu_frames_submit(&frames, 1, 2, 14, 100);
   EXPECT_EQ(vivgpu_frames_value(&frames, 0), 3000);
   EXPECT_EQ(vivgpu_frames_value(&frames, 1), 4000);
   /* The ratio is that of the group whose value is known. */
   EXPECT_EQ(vivgpu_frames_ratio(&frames), 30);
   vivgpu_frames_finish(&frames, 14, -1);
   vivgpu_frames_submit(&frames, 1, 3, 15, 100);
   EXPECT_EQ(vivgpu_frames_value(&frames, 0), 3000);
   EXPECT_EQ(vivgpu_frames_ratio(&frames), 30);
}

TEST(frames, a_program_that_never_swaps_has_frames)
{
   struct vivgpu_frames frames = {};

   for (unsigned i = 0; i < VIVGPU_FRAME_GROUPS; i++) {
      vivgpu_frames_submit(&frames, 1, 0, i, 1);
      vivgpu_frames_finish(&frames, i, 5);
   }
   EXPECT_LT(vivgpu_frames_ratio(&frames), 0);
   vivgpu_frames_submit(&frames, 1, 0, 1000, 1);
   EXPECT_EQ(vivgpu_frames_ratio(&frames), 5);
}
