/* SPDX-License-Identifier: MIT */
/* The predictor as a whole: results that are incomplete, calibration, noise of chance as input. */

#include <gtest/gtest.h>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include "synthetic.h"

extern "C" {
#include "vivgpu_predict_file.h"
#include "vivgpu_predict_private.h"
}

class predict_test : public testing::Test {
 protected:
   struct vivgpu_predict *predict = vivgpu_predict_create(nullptr);
   synthetic_scene scene{3};
   struct vivgpu_prediction prediction = {};

   ~predict_test()
   {
      vivgpu_predict_destroy(predict);
   }

   synthetic_group make(double fragments = 40000, uint32_t program = 1)
   {
      return scene.run({scene.draw(program, 21516, 13, 2), scene.copy(640, 432), scene.swap(640, 432)},
                       {fragments});
   }

   void ask(const synthetic_group &made)
   {
      vivgpu_predict_group(predict, &made.group, made.commands.data(), &prediction);
   }

   void observe(const synthetic_group &made)
   {
      vivgpu_predict_observe(predict, &made.group, made.commands.data(), &made.result);
   }

   void frames(unsigned count)
   {
      while (count--) {
         synthetic_group made = make();

         ask(made);
         observe(made);
         scene.frame++;
      }
   }

   static double time_of(const synthetic_group &made)
   {
      return made.result.finished_ns - made.result.started_ns;
   }
};

TEST_F(predict_test, without_history_the_bound_is_wide)
{
   synthetic_group made = make();

   ask(made);
   EXPECT_GT(prediction.time_ns, 0u);
   EXPECT_GE(prediction.bound_ns, 1000000u);
   EXPECT_GE(prediction.time_ns + prediction.bound_ns, time_of(made));
   EXPECT_EQ(prediction.source, VIVGPU_PREDICT_ESTIMATE);
}

TEST_F(predict_test, results_of_the_last_groups_need_no_commands)
{
   struct vivgpu_predict *other = vivgpu_predict_create(nullptr);
   struct vivgpu_prediction same = {};
   std::vector<synthetic_group> groups;

   for (unsigned i = 0; i < 3 * VIVGPU_PREDICT_RECENT; i++) {
      groups.push_back(make(40000 + 100 * i, i % 3));
      ask(groups.back());
      vivgpu_predict_group(other, &groups[i].group, groups[i].commands.data(), &same);
      ASSERT_EQ(prediction.time_ns, same.time_ns) << i;
      ASSERT_EQ(prediction.bound_ns, same.bound_ns) << i;
      scene.frame++;
      if (i < VIVGPU_PREDICT_RECENT - 1)
         continue;
      observe(groups[i - VIVGPU_PREDICT_RECENT + 1]);
      vivgpu_predict_observe(other, &groups[i - VIVGPU_PREDICT_RECENT + 1].group, nullptr,
                             &groups[i - VIVGPU_PREDICT_RECENT + 1].result);
   }
   /* Of an older one only the time is learnt. */
   for (unsigned i = 0; i < VIVGPU_PREDICT_RECENT; i++)
      vivgpu_predict_group(other, &groups[i].group, groups[i].commands.data(), &same);
   vivgpu_predict_observe(other, &groups.back().group, nullptr, &groups.back().result);
   vivgpu_predict_destroy(other);
}

TEST_F(predict_test, a_steady_group_is_known_exactly)
{
   synthetic_group made;

   frames(200);
   made = make();
   ask(made);
   EXPECT_EQ(prediction.source, VIVGPU_PREDICT_HISTORY);
   EXPECT_NEAR(prediction.time_ns, time_of(made), 5);
   EXPECT_EQ(prediction.fragments, 40000u);
   EXPECT_LT(prediction.bound_ns, 0.01 * prediction.time_ns);
   EXPECT_GT(prediction.bound_ns, 0u);
}

/* 2.5 times the largest error, and of n errors 1 + 8 / n - 1 / 6 times as much while n is below 48. */
TEST_F(predict_test, of_few_errors_the_largest_says_less)
{
   struct vivgpu_bound *all = &predict->bounds[VIVGPU_PREDICT_HISTORY];
   const double factors[][2] = {{8, 4.583333}, {24, 2.916667}, {48, 2.5}, {100, 2.5}};

   frames(20);
   for (const double *factor : factors) {
      vivgpu_bound_init(all);
      for (unsigned i = 0; i < factor[0]; i++)
         vivgpu_bound_add(all, 4, true);
      ask(make());
      scene.frame++;
      ASSERT_EQ(prediction.source, VIVGPU_PREDICT_HISTORY);
      EXPECT_NEAR((double)prediction.bound_ns / prediction.time_ns, 4 * factor[1], 1e-3)
         << factor[0];
   }
}

TEST_F(predict_test, failed_groups_teach_nothing)
{
   synthetic_group made;

   frames(50);
   made = make();
   ask(made);
   made.result.flags |= VIVGPU_RESULT_FAILED;
   made.result.finished_ns += 1000000000;
   observe(made);
   scene.frame++;
   made = make();
   ask(made);
   EXPECT_NEAR(prediction.time_ns, time_of(made), 0.001 * time_of(made));
}

TEST_F(predict_test, results_without_counts)
{
   synthetic_group made;

   for (unsigned i = 0; i < 50; i++, scene.frame++) {
      made = make();
      made.result.flags = 0;
      made.result.fragments = 0;
      ask(made);
      observe(made);
   }
   EXPECT_NEAR(prediction.time_ns, time_of(made), 0.001 * time_of(made));
}

TEST_F(predict_test, counts_of_neighbours_are_not_learnt_beside_exact_ones)
{
   for (unsigned i = 0; i < 60; i++, scene.frame++) {
      synthetic_group made = make();

      if (i % 4) {
         made.result.flags = VIVGPU_RESULT_COUNTS | VIVGPU_RESULT_OVERLAPPED;
         made.result.vertices = made.group.vertices * 3 / 2;
         made.result.fragments = 99999;
      }
      ask(made);
      observe(made);
   }
   EXPECT_NEAR(prediction.fragments, 40000, 1);
}

TEST_F(predict_test, counts_of_two_jobs_are_not_learnt_even_at_first)
{
   synthetic_group made = make();

   ask(made);
   made.result.flags = VIVGPU_RESULT_COUNTS;
   made.result.vertices = 2 * made.group.vertices;
   made.result.fragments = 80000;
   EXPECT_FALSE(vivgpu_counts_are_possible(&made.group, &made.result));
   observe(made);
   scene.frame++;
   frames(3);
   EXPECT_NEAR(prediction.fragments, 40000, 1);
}

TEST_F(predict_test, counts_of_the_next_job_are_its_own)
{
   synthetic_group last = make(40000), made;

   /* The first result has the counts of two jobs, all others those of the next one. */
   last.result.flags = VIVGPU_RESULT_COUNTS;
   ask(last);
   observe(last);
   scene.frame++;
   last = make(40000);
   ask(last);
   for (unsigned i = 1; i < 60; i++) {
      scene.frame++;
      made = make(40000 + 100 * i);
      ask(made);
      last.result.flags = VIVGPU_RESULT_COUNTS | VIVGPU_RESULT_OVERLAPPED;
      last.result.vertices = (i == 1 ? 2 : 1) * made.group.vertices;
      last.result.fragments = (i == 1 ? 40000 : 0) + 40000 + 100 * i;
      observe(last);
      last = made;
   }
   EXPECT_NEAR(prediction.fragments, 40000 + 100 * 59, 20);
}

TEST(counts, which_are_possible)
{
   struct vivgpu_group group = {};
   struct vivgpu_group_result result = {};

   EXPECT_TRUE(vivgpu_counts_are_possible(&group, &result));
   group.vertices = 100;
   group.num_draws = 1;
   group.num_commands = 2;
   EXPECT_FALSE(vivgpu_counts_are_possible(&group, &result));
   /* A vertex cache leaves fewer; the other command may be a quad. */
   for (unsigned vertices : {1, 60, 100, 104}) {
      result.vertices = vertices;
      EXPECT_TRUE(vivgpu_counts_are_possible(&group, &result)) << vertices;
   }
   result.vertices = 200;
   EXPECT_FALSE(vivgpu_counts_are_possible(&group, &result));
   group.num_lost_commands = 1;
   EXPECT_TRUE(vivgpu_counts_are_possible(&group, &result));
}

TEST_F(predict_test, without_frames_equal_groups_share_a_history)
{
   /* Two sizes, one after the other, and the first one again in another context. */
   synthetic_group made;

   for (unsigned i = 0; i < 40; i++) {
      made = make(i < 20 ? 40000 : 90000);
      made.commands[0].draw.area[3] = i < 20 ? 200 : 400;
      ask(made);
      observe(made);
   }
   made = make(40000);
   made.commands[0].draw.area[3] = 200;
   ask(made);
   EXPECT_NEAR(prediction.time_ns, time_of(made), 0.005 * time_of(made));
   made.group.queue = 9;
   ask(made);
   EXPECT_NEAR(prediction.time_ns, time_of(made), 0.005 * time_of(made));
   EXPECT_EQ(prediction.source, VIVGPU_PREDICT_SHAPE);
   EXPECT_NEAR(prediction.fragments, 40000, 200);
}

TEST_F(predict_test, a_prologue_is_expected_after_a_job_with_one)
{
   double plain;

   /* @count jobs with a prologue that takes @ns. */
   auto jobs = [this](unsigned count, uint64_t ns) {
      for (; count--; scene.frame++) {
         synthetic_group made = make();

         made.result.finished_ns += ns;
         made.result.flags |= ns ? VIVGPU_RESULT_PROLOGUE : 0;
         ask(made);
         observe(made);
      }
   };
   jobs(40, 0);
   plain = prediction.time_ns;
   jobs(60, 12000);
   EXPECT_NEAR(prediction.time_ns, plain + 12000, 500);
   jobs(10, 0);
   EXPECT_NEAR(prediction.time_ns, plain, 500);
   /* The first one comes unexpected. */
   jobs(2, 12000);
   EXPECT_NEAR(prediction.time_ns, plain + 12000, 500);
   jobs(2, 0);
   EXPECT_NEAR(prediction.time_ns, plain, 500);
}

TEST_F(predict_test, results_that_never_come)
{
   synthetic_group made;

   for (unsigned i = 0; i < 2000; i++, scene.frame++) {
      made = make();
      ask(made);
      if (i % 5 == 0)
         observe(made);
      /* Nor do results of groups that were never seen harm. */
      made.group.cookie = made.result.cookie = 1000000 + i;
      if (i % 7 == 0)
         observe(made);
   }
   EXPECT_NEAR(prediction.time_ns, time_of(made), 0.01 * time_of(made));
}

TEST_F(predict_test, cycles_are_converted_by_the_clock)
{
   struct vivgpu_predict_config config = {};
   synthetic_group made;

   config.unit = VIVGPU_PREDICT_CYCLES;
   config.clock_hz = 250000000;
   vivgpu_predict_destroy(predict);
   predict = vivgpu_predict_create(&config);
   frames(50);
   made = make();
   ask(made);
   /* The synthetic machine counts a cycle each 2 ns; at 250 MHz one takes 4 ns. */
   EXPECT_NEAR(prediction.time_ns, 2 * time_of(made), 50);
}

/* Half the clock: one result of a kind of groups tells it for all kinds, and so does full speed. */
TEST_F(predict_test, a_change_of_the_clock_is_one_of_all_groups)
{
   auto half = [](synthetic_group *made) {
      made->result.finished_ns += made->result.finished_ns - made->result.started_ns;
   };
   synthetic_group one, two;

   for (unsigned i = 0; i < 60; i++) {
      for (uint32_t program : {1, 2}) {
         one = make(20000 * program, program);
         one.result.cycles = time_of(one) / 2; /* 500 MHz */
         ask(one);
         observe(one);
      }
      scene.frame++;
   }
   one = make(20000, 1);
   one.result.cycles = time_of(one) / 2;
   half(&one);
   ask(one);
   observe(one);
   two = make(40000, 2);
   two.result.cycles = time_of(two) / 2;
   half(&two);
   ask(two);
   EXPECT_NEAR(prediction.time_ns / time_of(two), 1, 1e-3);
   EXPECT_LT(prediction.bound_ns, 0.05 * prediction.time_ns);
   observe(two);
   scene.frame++;
   one = make(20000, 1);
   one.result.cycles = time_of(one) / 2;
   ask(one);
   EXPECT_NEAR(prediction.time_ns / time_of(one), 2, 2e-3);
   observe(one);
   two = make(40000, 2);
   ask(two);
   EXPECT_NEAR(prediction.time_ns / time_of(two), 1, 1e-3);
}

TEST(measured, ns_and_cycles)
{
   struct vivgpu_predict_config config = {};
   struct vivgpu_group_result result = {};

   result.started_ns = 1000;
   result.finished_ns = 5000;
   result.cycles = 1000;
   config.clock_hz = 500000000;
   EXPECT_EQ(vivgpu_measured_ns(nullptr, &result), 4000);
   EXPECT_EQ(vivgpu_measured_ns(&config, &result), 4000);
   config.unit = VIVGPU_PREDICT_CYCLES;
   EXPECT_EQ(vivgpu_measured_ns(&config, &result), 2000);
   result.flags = VIVGPU_RESULT_OVERLAPPED;
   EXPECT_LT(vivgpu_measured_ns(&config, &result), 0);
   EXPECT_EQ(vivgpu_measured_ns(nullptr, &result), 4000);
   result.flags = VIVGPU_RESULT_FAILED;
   EXPECT_LT(vivgpu_measured_ns(nullptr, &result), 0);
   result.flags = 0;
   result.finished_ns = 999;
   EXPECT_LT(vivgpu_measured_ns(nullptr, &result), 0);
}

TEST_F(predict_test, calibration_is_loaded)
{
   std::vector<uint64_t> data(vivgpu_predict_save_bytes() / 8 + 1);
   struct vivgpu_predict *other = vivgpu_predict_create(nullptr);
   synthetic_group made;
   double error_before;

   for (unsigned i = 0; i < 200; i++, scene.frame++) {
      made = make(10000 + i * 300);
      ask(made);
      observe(made);
   }
   EXPECT_EQ(vivgpu_predict_save(predict, data.data(), 100), 0u);
   EXPECT_EQ(vivgpu_predict_save(predict, data.data(), data.size() * 8),
             vivgpu_predict_save_bytes());
   made = make(60000);
   vivgpu_predict_group(other, &made.group, made.commands.data(), &prediction);
   error_before = std::fabs(prediction.time_ns - time_of(made));
   EXPECT_TRUE(vivgpu_predict_load(other, data.data(), vivgpu_predict_save_bytes()));
   made.group.queue = 2;
   vivgpu_predict_group(other, &made.group, made.commands.data(), &prediction);
   EXPECT_LT(std::fabs(prediction.time_ns - time_of(made)), 0.1 * error_before);
   vivgpu_predict_destroy(other);
}

TEST_F(predict_test, calibration_has_the_curves_of_split_frames)
{
   std::vector<uint64_t> data(vivgpu_predict_save_bytes() / 8 + 1);
   const vivgpu_command first = scene.draw(1, 1000, 10, 4), second = scene.draw(1, 3000, 10, 4),
                        copy = scene.copy(640, 432), swap = scene.swap(640, 432);
   struct vivgpu_predict *other = vivgpu_predict_create(nullptr);
   synthetic_group made;

   for (; scene.frame < 8; scene.frame++) {
      bool split = scene.frame == 6;

      /* A quarter of the vertices has three quarters of the fragments. */
      if (split) {
         made = scene.run({first}, {30000});
         made.group.reason = VIVGPU_GROUP_FULL_STREAM;
         ask(made);
         EXPECT_NEAR(prediction.fragments, 10000, 100);
         observe(made);
         made = scene.run({second, copy, swap}, {10000});
      } else {
         made = scene.run({first, second, copy, swap}, {30000, 10000});
      }
      ask(made);
      observe(made);
   }
   EXPECT_EQ(vivgpu_predict_save(predict, data.data(), data.size() * 8),
             vivgpu_predict_save_bytes());
   EXPECT_TRUE(vivgpu_predict_load(other, data.data(), vivgpu_predict_save_bytes()));
   made = scene.run({first, second, copy, swap}, {30000, 10000});
   vivgpu_predict_group(other, &made.group, made.commands.data(), &prediction);
   scene.frame++;
   made = scene.run({first}, {30000});
   made.group.reason = VIVGPU_GROUP_FULL_STREAM;
   vivgpu_predict_group(other, &made.group, made.commands.data(), &prediction);
   EXPECT_NEAR(prediction.fragments, 30000, 100);
   vivgpu_predict_destroy(other);
}

/*
 * Where the display shows what was drawn, the core does nothing for a swap. A part of a frame with the
 * swap and few draws is short then, whatever the frame takes.
 */
TEST_F(predict_test, a_swap_that_copies_nothing_takes_no_time)
{
   std::vector<vivgpu_command> draws(280, scene.draw(1, 6, 10, 4));
   synthetic_group made;

   scene.machine.fragment_instruction = 10;
   for (; scene.frame < 16; scene.frame++) {
      std::vector<vivgpu_command> frame = draws;

      if (scene.frame == 15) {
         frame.resize(268);
         made = scene.run(frame, std::vector<double>(268, 100));
         made.group.reason = VIVGPU_GROUP_FULL_STREAM;
         ask(made);
         EXPECT_NEAR(prediction.time_ns / time_of(made), 1, 0.1);
         observe(made);
         frame.resize(12);
      }
      frame.push_back(scene.swap(640, 432));
      made = scene.run(frame, std::vector<double>(frame.size() - 1, 100));
      ask(made);
      observe(made);
   }
   /* How much of a frame is the group's own has not been seen. */
   EXPECT_NEAR(prediction.time_ns / time_of(made), 1, 0.5);
}

/* What a group took is expected of the next one that differs little, whatever its draws share of it. */
TEST_F(predict_test, costs_are_those_of_the_fragments_that_are_expected_next)
{
   const vivgpu_command clear = scene.clear(4320, VIVGPU_CLEAR_FAST),
                        few = scene.draw(1, 6, 10, 40), many = scene.draw(2, 30000, 10, 10),
                        other = scene.draw(3, 6, 10, 20);
   synthetic_group made = scene.run({clear, few, other, many}, {250000, 250000, 900000});

   ask(made);
   observe(made);
   scene.frame++;
   made = scene.run({clear, clear, few, other, many}, {250000, 250000, 900000});
   ask(made);
   EXPECT_NEAR(prediction.fragments / 1400000.0, 1, 1e-3);
   EXPECT_NEAR(prediction.time_ns / time_of(made), 1, 0.01);
}

/* Parts of a frame have other ratios of fragments to vertices than whole frames of the same commands. */
TEST_F(predict_test, parts_say_nothing_of_whole_frames)
{
   const vivgpu_command draw = scene.draw(1, 600, 10, 4);
   synthetic_group made;

   for (; scene.frame < 20; scene.frame++) {
      if (scene.frame == 15) {
         made = scene.run({draw}, {40000});
         made.group.reason = VIVGPU_GROUP_FULL_STREAM;
         ask(made);
         observe(made);
         made = scene.run({draw}, {10000});
      } else {
         made = scene.run({draw, draw}, {40000, 10000});
      }
      ask(made);
      if (scene.frame > 15) {
         EXPECT_NEAR(prediction.fragments, 50000, 500);
         EXPECT_NEAR(prediction.time_ns / time_of(made), 1, 0.01);
      }
      observe(made);
   }
}

/* Programs that use other costs load and save the others' again and again. */
TEST_F(predict_test, calibration_of_costs_that_are_not_used_stays_valid)
{
   size_t bytes = vivgpu_predict_save_bytes();
   std::vector<uint64_t> data(bytes / 8 + 1);
   const struct vivgpu_rls *tables[] = {
      &predict->costs[0].rls,
      &predict->costs[VIVGPU_MODELS - 1].rls,
      &predict->fragments.rls,
   };

   frames(20);
   for (unsigned i = 0; i < 40; i++) {
      vivgpu_predict_save(predict, data.data(), bytes);
      ASSERT_TRUE(vivgpu_predict_load(predict, data.data(), bytes)) << i;
   }
   /* Even then a cost is at most as uncertain as a new one. */
   for (const struct vivgpu_rls *rls : tables) {
      for (unsigned i = 0; i < VIVGPU_RLS_SIZE; i++) {
         const struct vivgpu_coefficient *coefficient = &rls->coefficients[i];

         EXPECT_LE(std::sqrt(rls->covariance[i][i]),
                   3.0 * std::fmax(coefficient->value, coefficient->prior));
      }
   }
}

/* Its variance, in squares of a unit, may be larger than the largest cost. */
TEST_F(predict_test, calibration_with_a_large_uncertain_cost_is_loaded)
{
   size_t bytes = vivgpu_predict_save_bytes();
   std::vector<uint64_t> data(bytes / 8 + 1);

   vivgpu_rls_add(&predict->fragments.rls, 1, 1e8, 2);
   vivgpu_predict_save(predict, data.data(), bytes);
   EXPECT_TRUE(vivgpu_predict_load(predict, data.data(), bytes));
}

TEST_F(predict_test, calibration_that_is_damaged_or_of_another_version_is_refused)
{
   size_t bytes = vivgpu_predict_save_bytes();
   std::vector<uint64_t> data(bytes / 8 + 1), copy;
   uint8_t *at = (uint8_t *)data.data();

   frames(20);
   vivgpu_predict_save(predict, data.data(), bytes);
   copy = data;
   EXPECT_FALSE(vivgpu_predict_load(predict, at, bytes - 8));
   for (size_t i : {(size_t)0, (size_t)4, (size_t)100, bytes - 1}) {
      at[i] ^= 1;
      EXPECT_FALSE(vivgpu_predict_load(predict, at, bytes)) << i;
      data = copy;
      at = (uint8_t *)data.data();
   }
   EXPECT_TRUE(vivgpu_predict_load(predict, at, bytes));

   struct vivgpu_predict_config config = {};

   config.clock_hz = 123456789;
   vivgpu_predict_destroy(predict);
   predict = vivgpu_predict_create(&config);
   EXPECT_FALSE(vivgpu_predict_load(predict, at, bytes));
}

TEST_F(predict_test, calibration_in_a_file)
{
   std::string folder = testing::TempDir() + "/vivgpu-predict-" + std::to_string(getpid());
   char path[512];

   setenv("XDG_CACHE_HOME", folder.c_str(), 1);
   ASSERT_TRUE(vivgpu_predict_path(path, sizeof(path), "gc2000-5108"));
   EXPECT_EQ(path, folder + "/vivgpu/gc2000-5108.calibration");
   EXPECT_FALSE(vivgpu_predict_path(path, 10, "gc2000-5108"));
   ASSERT_TRUE(vivgpu_predict_path(path, sizeof(path), "gc2000-5108"));

   EXPECT_FALSE(vivgpu_predict_load_file(predict, path));
   frames(20);
   EXPECT_TRUE(vivgpu_predict_save_file(predict, path));
   EXPECT_TRUE(vivgpu_predict_load_file(predict, path));
   EXPECT_EQ(truncate(path, vivgpu_predict_save_bytes() - 1), 0);
   EXPECT_FALSE(vivgpu_predict_load_file(predict, path));
   unlink(path);
   rmdir((folder + "/vivgpu").c_str());
   rmdir(folder.c_str());
}

/* Groups, commands and results of chance, some of them of plausible form. */
static synthetic_group
noise(chance &random)
{
   synthetic_group made;
   uint32_t count = random.next() % 40;
   uint64_t *words = (uint64_t *)&made.group;

   for (size_t i = 0; i < sizeof(made.group) / 8; i++)
      words[i] = random.next() >> random.next() % 64;
   words = (uint64_t *)&made.result;
   for (size_t i = 0; i < sizeof(made.result) / 8; i++)
      words[i] = random.next() >> random.next() % 64;
   made.commands.resize(count + 1);
   for (uint32_t n = 0; n < count; n++) {
      uint32_t *command = (uint32_t *)&made.commands[n];

      for (size_t i = 0; i < sizeof(vivgpu_command) / 4; i++)
         command[i] = (uint32_t)random.next() >> random.next() % 32;
      if (random.next() % 4)
         made.commands[n].type = random.next() % 14;
   }
   made.group.num_commands = count;
   made.group.cookie %= 64;
   made.result.flags %= 32;
   return made;
}

TEST(fuzz, noise_never_crashes_nor_makes_nonsense)
{
   for (unsigned i = 0; vivgpu_predictors[i]; i++) {
      const struct vivgpu_predictor_type *type = vivgpu_predictors[i];
      void *predictor = type->create(nullptr);
      chance random(99 + i);

      for (unsigned n = 0; n < 4000; n++) {
         synthetic_group made = noise(random);
         struct vivgpu_prediction prediction;
         uint64_t sum = 0;

         type->predict(predictor, &made.group, made.commands.data(), &prediction);
         EXPECT_LE(prediction.time_ns, UINT64_C(40000000000000)) << type->name;
         for (uint64_t part : prediction.parts_ns)
            sum += part;
         EXPECT_LE(sum, UINT64_C(80000000000000)) << type->name;
         if (type == &vivgpu_predictor_ours) {
            EXPECT_GT(prediction.time_ns, 0u);
            EXPECT_GT(prediction.bound_ns, 0u);
            EXPECT_LE(prediction.bound_ns, UINT64_C(40000000000000));
         }
         type->observe(predictor, &made.group, made.commands.data(), &made.result);
      }
      type->destroy(predictor);
   }
}

TEST(fuzz, the_predictor_recovers_from_noise)
{
   synthetic_run run(&vivgpu_predictor_ours, 1);
   synthetic_scene scene(8);
   chance random(5);

   for (unsigned n = 0; n < 2000; n++) {
      synthetic_group made = noise(random);

      vivgpu_predict_observe((struct vivgpu_predict *)run.get(), &made.group, made.commands.data(),
                             &made.result);
   }
   for (unsigned i = 0; i < 60; i++, scene.frame++) {
      double error = run.feed(scene.run({scene.draw(1, 3000, 10, 5)}, {20000}), true);

      if (i > 5) {
         EXPECT_LT(error, 0.01);
      }
   }
}
