/* SPDX-License-Identifier: MIT */
/* Whose the counts of results are, and the fragments of parts of frames. */

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

extern "C" {
#include "vivgpu_counts.h"
#include "vivgpu_division.h"
#include "vivgpu_parts.h"
}

#define OVERLAPPED (VIVGPU_RESULT_COUNTS | VIVGPU_RESULT_OVERLAPPED)

class counts_test : public testing::Test {
 protected:
   struct vivgpu_counts counts = {};

   /* Jobs @first to @last have a hundred vertices each. */
   void submit(uint64_t first, uint64_t last)
   {
      for (uint64_t cookie = first; cookie <= last; cookie++)
         vivgpu_counts_submit(&counts, cookie, 100);
   }

   /* The jobs of the run that a result ends; each vertex has three fragments. */
   std::vector<uint64_t> result(uint64_t cookie, uint64_t vertices, uint32_t flags = OVERLAPPED)
   {
      struct vivgpu_group_result result = {};
      const struct vivgpu_counts_run *run;
      std::vector<uint64_t> jobs;

      result.cookie = cookie;
      result.vertices = vertices;
      result.fragments = 3 * vertices;
      result.flags = flags;
      run = vivgpu_counts_result(&counts, &result);
      for (unsigned i = 0; run && i < run->num_jobs; i++)
         jobs.push_back(run->jobs[i].cookie);
      return jobs;
   }

   static std::vector<uint64_t> jobs(std::vector<uint64_t> cookies)
   {
      return cookies;
   }
};

TEST_F(counts_test, are_unknown_at_first)
{
   submit(1, 3);
   EXPECT_EQ(result(1, 100), jobs({}));
   EXPECT_FALSE(counts.aligned);
   /* The next job had not begun: from now on it is known. */
   EXPECT_EQ(result(2, 100, VIVGPU_RESULT_COUNTS), jobs({}));
   EXPECT_TRUE(counts.aligned);
   EXPECT_EQ(result(3, 100), jobs({3}));
   EXPECT_EQ(counts.run.fragments, 300u);
}

TEST_F(counts_test, exact_ones_are_the_jobs_own)
{
   submit(1, 1);
   EXPECT_EQ(result(1, 60, VIVGPU_RESULT_COUNTS | VIVGPU_RESULT_EXACT), jobs({1}));
   EXPECT_TRUE(counts.aligned);
}

TEST_F(counts_test, of_the_next_jobs)
{
   submit(1, 9);
   result(1, 100, VIVGPU_RESULT_COUNTS);
   /* Two jobs at once, then always those of the next job, then nothing. */
   EXPECT_EQ(result(2, 200), jobs({2, 3}));
   EXPECT_EQ(counts.run.fragments, 600u);
   EXPECT_EQ(result(3, 100), jobs({4}));
   EXPECT_EQ(result(4, 100), jobs({5}));
   EXPECT_EQ(result(5, 0), jobs({}));
   EXPECT_TRUE(counts.aligned);
   EXPECT_EQ(result(6, 100), jobs({6}));
}

TEST_F(counts_test, of_a_part_of_the_next_job)
{
   submit(1, 4);
   result(1, 100, VIVGPU_RESULT_COUNTS);
   EXPECT_EQ(result(2, 130), jobs({}));
   EXPECT_TRUE(counts.aligned);
   EXPECT_EQ(result(3, 80), jobs({}));
   EXPECT_EQ(result(4, 90), jobs({2, 3, 4}));
   EXPECT_EQ(counts.run.fragments, 900u);
   ASSERT_EQ(counts.run.num_points, 2u);
   EXPECT_EQ(counts.run.points[0].cookie, 3u);
   EXPECT_EQ(counts.run.points[0].vertices, 30u);
   EXPECT_EQ(counts.run.points[0].fragments, 390u);
   EXPECT_EQ(counts.run.points[1].cookie, 4u);
   EXPECT_EQ(counts.run.points[1].vertices, 10u);
   EXPECT_EQ(counts.run.points[1].fragments, 630u);
}

TEST_F(counts_test, jobs_without_vertices_have_none)
{
   vivgpu_counts_submit(&counts, 1, 0);
   submit(2, 2);
   vivgpu_counts_submit(&counts, 3, 0);
   submit(4, 4);
   /* An empty result of a job with vertices tells that the next one was not counted. */
   EXPECT_EQ(result(1, 100), jobs({}));
   EXPECT_EQ(result(2, 0), jobs({}));
   EXPECT_TRUE(counts.aligned);
   EXPECT_EQ(result(3, 0), jobs({}));
   EXPECT_TRUE(counts.aligned);
   EXPECT_EQ(result(4, 100), jobs({4}));
}

TEST_F(counts_test, that_do_not_fit_are_nobodys)
{
   submit(1, 6);
   result(1, 100, VIVGPU_RESULT_COUNTS);
   /* Less than the job has */
   EXPECT_EQ(result(2, 90), jobs({}));
   EXPECT_FALSE(counts.aligned);
   result(3, 0);
   EXPECT_TRUE(counts.aligned);
   /* More than was submitted */
   EXPECT_EQ(result(4, 301), jobs({}));
   EXPECT_FALSE(counts.aligned);
   result(5, 0);
   EXPECT_EQ(result(6, 100, OVERLAPPED | VIVGPU_RESULT_FAILED), jobs({}));
   EXPECT_FALSE(counts.aligned);
   EXPECT_EQ(result(77, 100), jobs({}));
   /* Of more jobs than one run can have */
   submit(7, 20);
   result(7, 0);
   EXPECT_EQ(result(8, 500), jobs({}));
   EXPECT_FALSE(counts.aligned);
}

TEST_F(counts_test, old_jobs_are_unknown)
{
   submit(1, 1);
   result(1, 100, VIVGPU_RESULT_COUNTS);
   submit(2, 2 + VIVGPU_COUNTS_JOBS);
   EXPECT_FALSE(counts.aligned);
   EXPECT_EQ(result(2, 100, VIVGPU_RESULT_COUNTS | VIVGPU_RESULT_EXACT), jobs({}));
}

TEST(curve, without_points_is_a_line)
{
   struct vivgpu_curve curve = {};

   curve.vertices = 1000;
   EXPECT_DOUBLE_EQ(vivgpu_curve_at(&curve, 0), 0);
   EXPECT_DOUBLE_EQ(vivgpu_curve_at(&curve, 250), 0.25);
   EXPECT_DOUBLE_EQ(vivgpu_curve_at(&curve, 2000), 1);
}

TEST(curve, goes_through_its_points)
{
   struct vivgpu_curve curve = {};

   curve.vertices = 1000;
   vivgpu_curve_add(&curve, 500, 0.8);
   EXPECT_DOUBLE_EQ(vivgpu_curve_at(&curve, 500), 0.8);
   /* Slopes: 0.0022 at the begin, 3 / (3 / 0.0016 + 3 / 0.0004) * 2 = 0.00064 at the point, 0 at the end */
   EXPECT_NEAR(vivgpu_curve_at(&curve, 250), 0.4 + 125 * (0.0011 - 0.00032), 1e-12);
   EXPECT_NEAR(vivgpu_curve_at(&curve, 750), 0.9 + 125 * 0.00032, 1e-12);
   /* Nearly the same place */
   vivgpu_curve_add(&curve, 502, 0.7);
   EXPECT_EQ(curve.count, 1u);
   EXPECT_DOUBLE_EQ(vivgpu_curve_at(&curve, 502), 0.7);
   /* Near two points that are not near each other: in place of both */
   vivgpu_curve_add(&curve, 506, 0.75);
   vivgpu_curve_add(&curve, 512, 0.8);
   vivgpu_curve_add(&curve, 508, 0.75);
   EXPECT_EQ(curve.count, 1u);
   vivgpu_curve_add(&curve, 504, 0.72);
   vivgpu_curve_add(&curve, 502, 0.7);
   EXPECT_EQ(curve.count, 1u);
   /* Shares that do not grow: flat between them */
   vivgpu_curve_add(&curve, 600, 0.6);
   vivgpu_curve_add(&curve, 200, 0.1);
   EXPECT_DOUBLE_EQ(vivgpu_curve_at(&curve, 200), 0.1);
   EXPECT_DOUBLE_EQ(vivgpu_curve_at(&curve, 600), 0.6);
   for (unsigned at = 502; at <= 600; at++) {
      EXPECT_GE(vivgpu_curve_at(&curve, at), 0.6 - 1e-12);
      EXPECT_LE(vivgpu_curve_at(&curve, at), 0.7 + 1e-12);
   }
}

TEST(curve, the_oldest_points_are_replaced)
{
   struct vivgpu_curve curve = {};

   curve.vertices = 10000;
   for (unsigned i = 0; i < VIVGPU_CURVE_POINTS + 10; i++)
      vivgpu_curve_add(&curve, 100 + 150 * i, (100 + 150 * i) / 20000.0);
   EXPECT_EQ(curve.count, (uint32_t)VIVGPU_CURVE_POINTS);
   EXPECT_EQ(curve.points[0].at, 1600);
   /* One that is replaced needs no space */
   vivgpu_curve_add(&curve, 1601, 0.1);
   EXPECT_EQ(curve.count, (uint32_t)VIVGPU_CURVE_POINTS);
   EXPECT_EQ(curve.points[0].at, 1601);
   for (uint32_t i = 1; i < curve.count; i++)
      EXPECT_GT(curve.points[i].at, curve.points[i - 1].at);
}

class parts_test : public testing::Test {
 protected:
   struct vivgpu_parts parts = {};
   uint64_t cookie = 0;

   double submit(uint32_t frame, double vertices, bool full)
   {
      return vivgpu_parts_submit(&parts, 3, frame, ++cookie, vertices, full);
   }

   /* The last group was counted, alone. */
   void count(double vertices, double fragments)
   {
      vivgpu_parts_point(&parts, cookie, cookie, vertices, fragments);
      vivgpu_parts_count(&parts, cookie, vertices, fragments);
   }
};

TEST_F(parts_test, are_predicted_from_whole_frames_and_earlier_splits)
{
   EXPECT_LT(submit(0, 1000, false), 0);
   count(1000, 500);
   /* Of frames that are not split nothing more is expected. */
   EXPECT_LT(submit(1, 1000, false), 0);
   count(1000, 500);
   /* Before there was a split: by vertices */
   EXPECT_DOUBLE_EQ(submit(2, 400, true), 200);
   count(400, 300);
   EXPECT_DOUBLE_EQ(submit(2, 600, false), 300);
   count(600, 300);
   /* At the same place: half of 600 */
   EXPECT_DOUBLE_EQ(submit(3, 400, true), 300);
   count(400, 300);
   EXPECT_DOUBLE_EQ(submit(3, 600, false), 300);
   count(600, 300);
   /* Twice: both ends of the group in the middle are on the curve. */
   EXPECT_DOUBLE_EQ(submit(4, 400, true), 300);
   EXPECT_NEAR(submit(4, 300, true) + submit(4, 300, false), 300, 1e-9);
}

TEST_F(parts_test, points_are_where_the_counts_end)
{
   submit(0, 1000, false);
   count(1000, 500);
   submit(1, 400, true);
   submit(1, 600, false);
   /* The first result has a hundred vertices of the second group. */
   vivgpu_parts_point(&parts, cookie - 1, cookie, 100, 350);
   vivgpu_parts_point(&parts, cookie - 1, cookie, 600, 500);
   vivgpu_parts_count(&parts, cookie - 1, 400, 250);
   vivgpu_parts_count(&parts, cookie, 600, 250);
   EXPECT_DOUBLE_EQ(submit(2, 500, true), 350);
   ASSERT_EQ(parts.curves[0].count, 1u);
   EXPECT_EQ(parts.curves[0].points[0].at, 500);
}

TEST_F(parts_test, counts_of_two_groups_are_divided_by_the_curve)
{
   struct vivgpu_counts_run run = {};
   struct vivgpu_division part;
   double doubt;

   submit(0, 1000, false);
   count(1000, 500);
   submit(1, 400, true);
   submit(1, 600, false);
   /* The curve has no points yet. In its middle all may be wrong by a quarter. */
   EXPECT_NEAR(vivgpu_parts_expect(&parts, cookie, 100, &doubt), 50, 1e-9);
   EXPECT_NEAR(doubt, 125, 1e-9);
   /* 350 fragments were counted up to vertex 100 of the second group: of 500 vertices the first has 400. */
   run.jobs[0] = {cookie - 1, 400};
   run.jobs[1] = {cookie, 100};
   run.num_jobs = 2;
   run.fragments = 350;
   part = vivgpu_divide(&parts, &run, 0);
   EXPECT_NEAR(part.fragments, 280, 1e-9);
   EXPECT_NEAR(part.doubt, 350 * 0.8 * 0.2, 1e-9);
   /* The same when the other 150 have come */
   run.points[0] = {cookie, 100, 350};
   run.num_points = 1;
   run.jobs[1].vertices = 600;
   run.fragments = 500;
   EXPECT_NEAR(vivgpu_divide(&parts, &run, 0).fragments, 280, 1e-9);
   part = vivgpu_divide(&parts, &run, 1);
   EXPECT_NEAR(part.fragments, 500, 1e-9);
   EXPECT_NEAR(part.doubt, 0, 1e-9);
   vivgpu_parts_count(&parts, cookie - 1, 400, 280);
   vivgpu_parts_count(&parts, cookie, 600, 220);

   /* In a later frame 400 vertices have 300 of 500 fragments: that is a point of the curve. */
   submit(2, 400, true);
   count(400, 300);
   submit(2, 600, false);
   count(600, 200);
   submit(3, 400, true);
   submit(3, 600, false);
   run.jobs[0].cookie = cookie - 1;
   run.jobs[1].cookie = cookie;
   run.num_points = 0;
   part = vivgpu_divide(&parts, &run, 0);
   EXPECT_NEAR(part.fragments, 300, 1e-9);
   EXPECT_NEAR(part.doubt, 0, 1e-9);
   EXPECT_NEAR(vivgpu_parts_expect(&parts, cookie, 0, &doubt), 0, 1e-9);
   EXPECT_NEAR(doubt, 0, 1e-9);
   /* Nothing is known of other groups. */
   EXPECT_LT(vivgpu_parts_expect(&parts, cookie + 1, 10, &doubt), 0);
   EXPECT_TRUE(std::isinf(doubt));
}

TEST_F(parts_test, frames_that_were_not_counted_teach_nothing)
{
   submit(0, 1000, false);
   count(1000, 500);
   submit(1, 400, true);
   submit(1, 600, false);
   count(600, 400);
   EXPECT_DOUBLE_EQ(submit(2, 400, true), 200);
   /* More vertices than a frame has */
   EXPECT_LT(submit(2, 700, true), 0);
   EXPECT_LT(submit(3, 10, true), 0);
}

TEST_F(parts_test, queues_and_sizes_of_frames_are_apart)
{
   for (uint32_t queue = 0; queue < 40; queue++) {
      vivgpu_parts_submit(&parts, queue, 0, ++cookie, 1000 + queue, false);
      count(1000 + queue, 500 + queue);
   }
   for (uint32_t queue = 38; queue < 40; queue++)
      EXPECT_DOUBLE_EQ(
         vivgpu_parts_submit(&parts, queue, 1, ++cookie, 500 + queue / 2.0, true),
         (500 + queue) / 2.0);
   /* Only the last frames are remembered. */
   EXPECT_LT(vivgpu_parts_submit(&parts, 0, 1, ++cookie, 500, true), 0);
}
