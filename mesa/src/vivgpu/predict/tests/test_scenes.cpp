/* SPDX-License-Identifier: MIT */
/* Predictors on scenes of a synthetic machine: errors, bounds, changes. */

#include <gtest/gtest.h>
#include <cstdio>

#include "synthetic.h"

/* Groups of a frame by its number. */
typedef std::vector<synthetic_group> (*frame_function)(synthetic_scene &scene, unsigned frame);

static double
wave(unsigned frame, double mean)
{
   return mean * (1 + 0.25 * std::sin(frame * 0.05) + 0.05 * std::sin(frame * 0.15 + 1));
}

/* One object that turns, in one group. */
static std::vector<synthetic_group>
turning(synthetic_scene &scene, unsigned frame)
{
   return {scene.run(
      {scene.clear(4320, VIVGPU_CLEAR_FAST), scene.draw(1, 21516, 13, 2), scene.copy(640, 432), scene.swap(640, 432)},
      {wave(frame, 40000)})};
}

/* Two programs, the second one bound by fragments, in two groups. */
static std::vector<synthetic_group>
two_programs(synthetic_scene &scene, unsigned frame)
{
   return {scene.run({scene.clear(4320, VIVGPU_CLEAR_FAST), scene.draw(1, 9000, 13, 2)},
                     {wave(frame, 20000)}),
           scene.run({scene.draw(2, 600, 6, 30), scene.draw(3, 12000, 20, 8), scene.copy(640, 432), scene.swap(640, 432)},
                     {wave(frame + 50, 90000), wave(frame + 20, 30000)})};
}

/* Many equal draws, split into two groups at a place of chance. */
static std::vector<synthetic_group>
split(synthetic_scene &scene, unsigned frame)
{
   std::vector<synthetic_group> groups;
   std::vector<vivgpu_command> commands;
   std::vector<double> fragments;
   unsigned at = (unsigned)(scene.random.unit() * 280);

   (void)frame;
   for (unsigned i = 0; i < 280; i++) {
      if (i == at && !commands.empty()) {
         groups.push_back(scene.run(commands, fragments));
         commands.clear();
         fragments.clear();
      }
      commands.push_back(scene.draw(7, 12 + i % 5 * 6, 10, 4));
      fragments.push_back(100 + i % 7 * 30);
   }
   commands.push_back(scene.copy(640, 432));
   commands.push_back(scene.swap(640, 432));
   groups.push_back(scene.run(commands, fragments));
   return groups;
}

/* Another of three scenes every 60 frames. */
static std::vector<synthetic_group>
changing(synthetic_scene &scene, unsigned frame)
{
   switch (frame / 60 % 3) {
   case 0:
      return turning(scene, frame);
   case 1:
      return two_programs(scene, frame);
   default:
      return {scene.run({scene.draw(9, 43044, 14, 4), scene.copy(640, 432), scene.swap(640, 432)}, {wave(frame, 60000)})};
   }
}

static const struct {
   const char *name;
   frame_function groups;
} scenes[] = {
   {"turning", turning},
   {"two programs", two_programs},
   {"split", split},
   {"changing", changing},
};

static synthetic_errors
errors_of(const vivgpu_predictor_type *type, frame_function groups, double jitter, unsigned delay)
{
   synthetic_scene scene(42);
   synthetic_run run(type, delay);

   scene.machine.jitter = jitter;
   for (unsigned frame = 0; frame < 600; frame++) {
      scene.frame = frame;
      for (const synthetic_group &group : groups(scene, frame))
         run.feed(group, frame >= 30);
   }
   return run.errors;
}

TEST(scenes, errors_are_smaller_than_those_of_all_baselines)
{
   for (const auto &scene : scenes) {
      for (double jitter : {0.0, 0.02}) {
         synthetic_errors ours = errors_of(&vivgpu_predictor_ours, scene.groups, jitter, 1);

         printf("%-14s jitter %.2f %-16s %7.3f %% fragments %6.3f %% within %.4f\n", scene.name,
                jitter, "ours", 100 * ours.mean(), 100 * ours.fragments / ours.groups,
                (double)ours.within / ours.groups);
         for (unsigned i = 1; vivgpu_predictors[i]; i++) {
            synthetic_errors other = errors_of(vivgpu_predictors[i], scene.groups, jitter, 1);

            printf("%-14s              %-16s %7.3f %% fragments %6.3f %%\n", "",
                   vivgpu_predictors[i]->name, 100 * other.mean(),
                   100 * other.fragments / other.groups);
            /* With noise no prediction can be better than the noise. */
            EXPECT_LT(ours.mean(), other.mean() * (jitter ? 1.03 : 1))
               << scene.name << vivgpu_predictors[i]->name;
         }
      }
   }
}

TEST(scenes, ninety_nine_of_hundred_are_within_the_bound)
{
   for (const auto &scene : scenes) {
      for (double jitter : {0.0, 0.05}) {
         for (unsigned delay : {0, 1, 3}) {
            synthetic_errors ours = errors_of(&vivgpu_predictor_ours, scene.groups, jitter, delay);

            EXPECT_GE(ours.within, 0.99 * ours.groups) << scene.name << jitter << delay;
         }
      }
   }
}

TEST(scenes, smooth_animation_is_extrapolated)
{
   synthetic_errors ours = errors_of(&vivgpu_predictor_ours, turning, 0, 1);

   EXPECT_LT(ours.mean(), 0.001);
   EXPECT_LT(ours.fragments / ours.groups, 0.0005);
}

TEST(scenes, a_change_of_scene_is_followed_within_three_frames)
{
   synthetic_scene scene(1);
   synthetic_run run(&vivgpu_predictor_ours, 1);

   for (unsigned frame = 0; frame < 600; frame++) {
      scene.frame = frame;
      for (const synthetic_group &group : changing(scene, frame)) {
         double error = run.feed(group, true);

         if (frame % 60 >= 3) {
            EXPECT_LT(error, 0.03) << frame;
         }
         /* A scene that was there before is known. */
         if (frame > 180) {
            EXPECT_LT(error, 0.3) << frame;
         }
      }
   }
}

TEST(scenes, parts_sum_up_to_the_time)
{
   synthetic_scene scene(5);
   synthetic_run run(&vivgpu_predictor_ours, 1);

   for (unsigned frame = 0; frame < 100; frame++) {
      scene.frame = frame;
      for (const synthetic_group &group : two_programs(scene, frame)) {
         uint64_t sum = 0;

         run.feed(group, true);
         for (uint64_t part : run.last.parts_ns)
            sum += part;
         EXPECT_NEAR(sum, run.last.time_ns, VIVGPU_PREDICT_PARTS);
      }
   }
}

TEST(scenes, are_predicted_the_same_twice)
{
   synthetic_errors first = errors_of(&vivgpu_predictor_ours, changing, 0.02, 2);
   synthetic_errors second = errors_of(&vivgpu_predictor_ours, changing, 0.02, 2);

   EXPECT_EQ(first.relative, second.relative);
   EXPECT_EQ(first.within, second.within);
}
