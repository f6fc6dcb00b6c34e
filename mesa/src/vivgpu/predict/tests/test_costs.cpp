/* SPDX-License-Identifier: MIT */
/* Recursive least squares, terms of groups, costs of commands and ratios of fragments. */

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>

#include "synthetic.h"

extern "C" {
#include "vivgpu_costs.h"
#include "vivgpu_fragments.h"
}

class rls_test : public testing::Test {
 protected:
   std::unique_ptr<struct vivgpu_rls> rls{new struct vivgpu_rls};

   void SetUp() override
   {
      vivgpu_rls_init(rls.get(), 0, 50);
   }

   double value(uint64_t key)
   {
      int index = vivgpu_rls_find(rls.get(), key);

      return index < 0 ? -1 : rls->coefficients[index].value;
   }

   void observe(std::vector<std::pair<uint64_t, double>> amounts, double observed, double doubt = 0)
   {
      std::vector<struct vivgpu_gradient> gradients;
      double expected = 0;

      for (auto &amount : amounts) {
         unsigned index = vivgpu_rls_add(rls.get(), amount.first, 10, 1);

         gradients.push_back({index, amount.second});
         expected += rls->coefficients[index].value * amount.second;
      }
      vivgpu_rls_observe(rls.get(), gradients.data(), gradients.size(), expected, observed,
                         doubt);
   }
};

TEST_F(rls_test, one_observation_by_hand)
{
   /* Prior 10 with variance 100, amount 2, observed 30: variance of y is 400 + 0.04² * 30²;
    * the gain is 200 / 401.44, the error 10. */
   observe({{1, 2}}, 30);
   EXPECT_NEAR(value(1), 10 + 200 / 401.44 * 10, 1e-9);
   EXPECT_NEAR(rls->covariance[0][0], 100 - 200 * 200 / 401.44, 1e-9);
}

TEST_F(rls_test, what_is_in_doubt_counts_less)
{
   /* As above, with a standard deviation of 20 beside the noise */
   observe({{1, 2}}, 30, 20);
   EXPECT_NEAR(value(1), 10 + 200 / 801.44 * 10, 1e-9);
   /* The doubt explains the error: the noise is 0.04² * (1 - 0.02). */
   for (double noise : rls->noises)
      EXPECT_NEAR(noise, 0.04 * 0.04, 0.04 * 0.04 * 0.021);
}

TEST_F(rls_test, noise_of_a_new_filter_is_learnt_fast)
{
   double first = 0.04 * 0.04;

   vivgpu_rls_init(rls.get(), 0, 4);
   /* Nothing is wrong: the weights are 1/5, 1/6 and 1/7. */
   for (unsigned i = 0; i < 3; i++)
      observe({{1, 1}}, 10);
   EXPECT_NEAR(*std::min_element(rls->noises, rls->noises + VIVGPU_RLS_KINDS),
               first * 4 / 5 * 5 / 6 * 6 / 7, 1e-12);
}

TEST_F(rls_test, a_kind_that_is_not_described_well_does_not_spoil_another)
{
   for (unsigned i = 0; i < 100; i++) {
      observe({{1, 1}}, 10);
      observe({{2, 1}, {3, 2}}, i % 2 ? 20 : 40);
   }
   EXPECT_LT(*std::min_element(rls->noises, rls->noises + VIVGPU_RLS_KINDS), 0.02 * 0.02);
   EXPECT_GT(*std::max_element(rls->noises, rls->noises + VIVGPU_RLS_KINDS), 0.2 * 0.2);
   /* The first kind has no noise, so a change of one tenth is followed at once. */
   for (unsigned i = 0; i < 4; i++)
      observe({{1, 1}}, 11);
   EXPECT_NEAR(value(1), 11, 0.1);
}

TEST_F(rls_test, two_costs_are_separated)
{
   for (unsigned i = 0; i < 40; i++)
      observe({{1, 1.0 + i % 3}, {2, 1.0 + i % 5}}, (1.0 + i % 3) * 7 + (1.0 + i % 5) * 11);
   EXPECT_NEAR(value(1), 7, 0.05);
   EXPECT_NEAR(value(2), 11, 0.05);
}

TEST_F(rls_test, costs_are_not_negative)
{
   for (unsigned i = 0; i < 40; i++)
      observe({{1, 1.0 + i % 3}, {2, 1.0 + i % 5}}, (1.0 + i % 3) * 20);
   EXPECT_GE(value(1), 0);
   EXPECT_GE(value(2), 0);
   EXPECT_NEAR(value(2), 0, 0.3);
}

TEST_F(rls_test, one_outlier_hardly_counts_and_three_do)
{
   for (unsigned i = 0; i < 200; i++)
      observe({{1, 1}}, 10);
   observe({{1, 1}}, 100);
   EXPECT_NEAR(value(1), 10, 1);
   for (unsigned i = 0; i < 12; i++)
      observe({{1, 1}}, 20);
   EXPECT_NEAR(value(1), 20, 2);
}

TEST_F(rls_test, outliers_of_other_observations_do_not_hide_a_change)
{
   /* Observations of two kinds take turns; one of them changes. */
   for (unsigned i = 0; i < 200; i++) {
      observe({{1, 1}, {2, 1}}, 20);
      observe({{1, 1}}, 10);
   }
   for (unsigned i = 0; i < 30; i++) {
      observe({{1, 1}, {2, 1}}, 40);
      observe({{1, 1}}, 10);
   }
   EXPECT_NEAR(value(1), 10, 1);
   EXPECT_NEAR(value(2), 30, 2);
}

TEST_F(rls_test, a_cost_of_zero_leaves_the_error_to_others)
{
   /* The second kind of observation is shorter than the first one without its own costs. */
   for (unsigned i = 0; i < 400; i++) {
      double amount = i % 10;

      observe({{1, 1}, {2, 1}, {3, amount}}, 100 + amount);
      observe({{1, 1}, {4, 1}, {5, amount}}, 2);
   }
   EXPECT_NEAR(value(1) + value(2), 100, 1);
   EXPECT_NEAR(value(3), 1, 0.1);
   EXPECT_NEAR(value(1) + value(4), 2, 0.2);
   EXPECT_NEAR(value(5), 0, 0.05);
}

TEST_F(rls_test, the_one_unused_for_longest_is_replaced)
{
   for (uint64_t key = 1; key <= VIVGPU_RLS_SIZE; key++)
      observe({{key, 1}}, 10);
   observe({{1, 1}}, 10);
   observe({{1000, 1}}, 10);
   EXPECT_GE(value(1), 0);
   EXPECT_LT(value(2), 0);
   EXPECT_GE(value(1000), 0);
}

/* A group of one synthetic scene, and its terms. */
static struct vivgpu_terms
terms_of(const std::vector<vivgpu_command> &commands)
{
   synthetic_scene scene(1);
   synthetic_group made = scene.run(commands, std::vector<double>(commands.size()));
   struct vivgpu_terms terms;

   vivgpu_terms_of_group(&terms, &made.group, made.commands.data());
   return terms;
}

static double
amount(const struct vivgpu_terms &terms, enum vivgpu_term_kind kind)
{
   double sum = 0;

   for (unsigned i = 0; i < terms.num_terms; i++)
      sum += terms.terms[i].kind == kind ? terms.terms[i].amount : 0;
   return sum;
}

TEST(terms, amounts_of_a_group)
{
   struct vivgpu_terms terms =
      terms_of({synthetic_scene::clear(4320, VIVGPU_CLEAR_FAST),
                synthetic_scene::draw(1, 300, 10, 5), synthetic_scene::draw(1, 600, 10, 5),
                synthetic_scene::draw(2, 90, 10, 5), synthetic_scene::copy(64, 32),
                synthetic_scene::swap(64, 32)});

   EXPECT_EQ(amount(terms, VIVGPU_TERM_GROUP), 1);
   EXPECT_EQ(amount(terms, VIVGPU_TERM_CLEAR), 1);
   EXPECT_EQ(amount(terms, VIVGPU_TERM_CLEAR_BYTES), 4320);
   EXPECT_EQ(amount(terms, VIVGPU_TERM_SWAP_BYTES), 2 * 64 * 32 * 4);
   EXPECT_EQ(amount(terms, VIVGPU_TERM_DRAW), 3);
   EXPECT_EQ(amount(terms, VIVGPU_TERM_VERTEX), 990);
   EXPECT_EQ(terms.num_classes, 2u);
   EXPECT_EQ(terms.classes[0].vertices, 900);
   EXPECT_EQ(terms.classes[0].area, 2 * 640 * 432);
}

TEST(terms, a_swap_counts_if_its_window_is_copied)
{
   const vivgpu_command draw = synthetic_scene::draw(1, 300, 10, 5),
                        copy = synthetic_scene::copy(64, 32), other = synthetic_scene::copy(32, 32),
                        swap = synthetic_scene::swap(64, 32);

   EXPECT_EQ(amount(terms_of({draw, copy, swap}), VIVGPU_TERM_SWAP), 1);
   EXPECT_EQ(amount(terms_of({draw, swap}), VIVGPU_TERM_SWAP), 0);
   EXPECT_EQ(amount(terms_of({draw, swap}), VIVGPU_TERM_SWAP_BYTES), 0);
   EXPECT_EQ(amount(terms_of({other, swap}), VIVGPU_TERM_SWAP), 0);
}

TEST(terms, a_split_draw_counts_in_its_second_group)
{
   vivgpu_command first = synthetic_scene::draw(1, 300, 10, 5), second = first;

   first.flags = VIVGPU_COMMAND_FIRST_PART;
   second.flags = VIVGPU_COMMAND_SECOND_PART;
   EXPECT_EQ(terms_of({first}).vertices, 0);
   EXPECT_EQ(terms_of({second}).vertices, 300);
}

TEST(terms, repeated_draws_have_the_class_of_the_draw_before)
{
   vivgpu_command one = synthetic_scene::draw(1, 300, 10, 5), other = synthetic_scene::draw(2, 30, 10, 5);
   vivgpu_command repeated = one, indexed = one, swap = synthetic_scene::swap(64, 32);
   struct vivgpu_terms terms;

   repeated.repeats = indexed.repeats = 1;
   repeated.draw.count = 500;
   indexed.draw.state |= VIVGPU_DRAW_INDEXED;
   terms = terms_of({other, one, repeated, swap, repeated, indexed});
   ASSERT_EQ(terms.num_classes, 3u);
   EXPECT_EQ(terms.classes[0].vertices, 30);
   EXPECT_EQ(terms.classes[1].vertices, 1300);
   EXPECT_EQ(terms.classes[1].draws, 3);
   EXPECT_EQ(terms.classes[2].vertices, 300);
   repeated.repeats = indexed.repeats = 0;
   EXPECT_EQ(terms.exact, terms_of({other, one, repeated, swap, repeated, indexed}).exact);
   /* The draw before is the last one of the next group: it tells nothing. */
   one.flags = VIVGPU_COMMAND_FIRST_PART;
   repeated.repeats = 1;
   EXPECT_EQ(terms_of({other, one, repeated}).num_classes, 2u);
}

TEST(terms, target_textures_and_samples_are_classes_of_their_own)
{
   vivgpu_command plain = synthetic_scene::draw(1, 300, 10, 5);
   vivgpu_command sampled = plain, textured = plain, wide = plain;

   sampled.target.samples = 4;
   textured.draw.num_textures = 1;
   textured.draw.textures[0].width = 512;
   wide.target.width = 1024;
   EXPECT_EQ(terms_of({plain, sampled, textured, wide, plain}).num_classes, 4u);
   /* But vertices cost the same in all. */
   EXPECT_EQ(terms_of({plain, sampled}).classes[0].vertex_term,
             terms_of({plain, sampled}).classes[1].vertex_term);
}

TEST(terms, exact_hash_and_shape)
{
   vivgpu_command a = synthetic_scene::draw(1, 300, 10, 5),
                  b = synthetic_scene::draw(1, 330, 10, 5);

   EXPECT_EQ(terms_of({a}).exact, terms_of({a}).exact);
   EXPECT_NE(terms_of({a}).exact, terms_of({b}).exact);
   EXPECT_EQ(terms_of({a}).shape, terms_of({b}).shape);
   EXPECT_NE(terms_of({a}).shape, terms_of({a, synthetic_scene::copy(8, 8)}).shape);
}

TEST(terms, the_exact_hash_has_areas_and_no_queue)
{
   vivgpu_command a = synthetic_scene::draw(1, 300, 10, 5), b = a;
   synthetic_scene scene(1);
   synthetic_group made = scene.run({a}, {0});
   struct vivgpu_terms terms;

   b.draw.area[3]++;
   EXPECT_NE(terms_of({a}).exact, terms_of({b}).exact);
   EXPECT_EQ(terms_of({a}).shape, terms_of({b}).shape);
   made.group.queue = 7;
   vivgpu_terms_of_group(&terms, &made.group, made.commands.data());
   EXPECT_EQ(terms.exact, terms_of({a}).exact);
   EXPECT_EQ(terms.shape, terms_of({a}).shape);
}

TEST(terms, alike_draws_are_found_among_many_others)
{
   std::vector<vivgpu_command> commands;
   struct vivgpu_terms terms;

   /* More variants than are remembered, but few classes: scissors are no part of a class. */
   for (unsigned i = 0; i < 200; i++) {
      vivgpu_command draw = synthetic_scene::draw(1 + i % 5, 100, 10, 5);

      draw.target.id = i % 40;
      commands.push_back(draw);
   }
   terms = terms_of(commands);
   EXPECT_EQ(terms.num_classes, 5u);
   for (unsigned i = 0; i < 5; i++) {
      EXPECT_EQ(terms.classes[i].draws, 40);
      EXPECT_EQ(terms.classes[i].vertices, 4000);
   }
   EXPECT_EQ(amount(terms, VIVGPU_TERM_DRAW), 200);
}

TEST(terms, more_kinds_than_there_is_room_for)
{
   std::vector<vivgpu_command> commands;
   struct vivgpu_terms terms;

   for (unsigned i = 0; i < 300; i++) {
      vivgpu_command copy = synthetic_scene::swap(8, 8);

      copy.type = VIVGPU_COMMAND_COPY;
      copy.copy.source_format = i;
      commands.push_back(copy);
   }
   for (unsigned i = 0; i < 300; i++)
      commands.push_back(synthetic_scene::draw(i, 3, 1, 1));
   terms = terms_of(commands);
   EXPECT_LE(terms.num_terms, (unsigned)VIVGPU_TERMS);
   EXPECT_EQ(terms.vertices, 900);
   EXPECT_EQ(amount(terms, VIVGPU_TERM_VERTEX), 900);
}

class costs_test : public testing::Test {
 protected:
   std::unique_ptr<struct vivgpu_costs> costs{new struct vivgpu_costs};
   struct vivgpu_estimate estimate;

   double ns(const struct vivgpu_terms &terms, std::vector<double> fragments)
   {
      vivgpu_costs_estimate(costs.get(), &terms, fragments.data(), &estimate);
      return estimate.ns;
   }

   /* Learn draws of a program whose vertices cost 30 ns and fragments 2 ns. */
   void learn(double exponent)
   {
      vivgpu_costs_init(costs.get(), exponent, 2);
      for (unsigned i = 0; i < 300; i++) {
         uint32_t vertices = 100 + i * 37 % 1000 * 10;
         double fragments = 1000.0 * (i * 53 % 97), a = vertices * 30, b = fragments * 2;
         struct vivgpu_terms terms = terms_of({synthetic_scene::draw(5, vertices, 10, 5)});

         vivgpu_costs_observe(
            costs.get(), &terms, &fragments, 0,
            8000 + (exponent == 1 ? a + b : std::pow(std::pow(a, 4) + std::pow(b, 4), 0.25)));
      }
   }
};

TEST_F(costs_test, sum_of_vertices_and_fragments)
{
   learn(1);
   EXPECT_NEAR(ns(terms_of({synthetic_scene::draw(5, 5000, 10, 5)}), {50000}), 258000, 2580);
   EXPECT_NEAR(estimate.parts_ns[VIVGPU_PREDICT_PART_VERTEX], 150000, 6000);
   EXPECT_NEAR(estimate.parts_ns[VIVGPU_PREDICT_PART_FRAGMENT], 100000, 4000);
   EXPECT_LT(estimate.unknown, 0.1);
}

TEST_F(costs_test, bottleneck)
{
   learn(4);
   /* 150 µs of vertices beside 10 µs or 400 µs of fragments */
   EXPECT_NEAR(ns(terms_of({synthetic_scene::draw(5, 5000, 10, 5)}), {5000}), 158000, 4000);
   EXPECT_NEAR(ns(terms_of({synthetic_scene::draw(5, 5000, 10, 5)}), {200000}), 409970, 8000);
}

TEST_F(costs_test, new_programs_scale_with_their_instructions)
{
   double known, twice;

   learn(1);
   known = ns(terms_of({synthetic_scene::draw(5, 100000, 20, 5)}), {0});
   /* Another program with twice the instructions of vertices: 30 ns were 10 instructions. */
   twice = ns(terms_of({synthetic_scene::draw(6, 100000, 40, 5)}), {0});
   EXPECT_NEAR(twice / known, 2 * 10 / 10.0 * 2, 0.6);
   EXPECT_GT(estimate.unknown, 0.5);
   EXPECT_GT(vivgpu_costs_deviation(costs.get(), &estimate), 0.2 * estimate.ns);
}

TEST(fragments, ratios_of_two_programs)
{
   std::unique_ptr<struct vivgpu_fragments> fragments{new struct vivgpu_fragments};
   struct vivgpu_terms terms;
   double classes[VIVGPU_DRAW_CLASSES];

   vivgpu_fragments_init(fragments.get());
   for (uint32_t i = 0; i < 200; i++) {
      uint32_t a = 100 + i * 7 % 50 * 10, b = 200 + i * 13 % 40 * 10;

      terms = terms_of({synthetic_scene::draw(1, a, 10, 5), synthetic_scene::draw(2, b, 10, 5)});
      vivgpu_fragments_observe(fragments.get(), &terms, a * 20 + b * 3, 0);
   }
   terms = terms_of({synthetic_scene::draw(1, 1000, 10, 5), synthetic_scene::draw(2, 500, 10, 5)});
   EXPECT_NEAR(vivgpu_fragments_estimate(fragments.get(), &terms, classes), 21500, 215);
   EXPECT_NEAR(classes[0], 20000, 400);
   EXPECT_NEAR(classes[1], 1500, 300);

   vivgpu_fragments_scale(&terms, classes, 100);
   EXPECT_NEAR(classes[0] + classes[1], 100, 1e-9);
}

TEST(fragments, many_new_draws_are_not_much_larger_than_many_known_ones)
{
   std::unique_ptr<struct vivgpu_fragments> fragments{new struct vivgpu_fragments};
   std::vector<vivgpu_command> commands(20, synthetic_scene::draw(1, 100, 10, 5)), others;
   struct vivgpu_terms terms;
   double classes[VIVGPU_DRAW_CLASSES];

   vivgpu_fragments_init(fragments.get());
   terms = terms_of(commands);
   for (unsigned i = 0; i < 20; i++)
      vivgpu_fragments_observe(fragments.get(), &terms, 2000, 0);

   /* Each of the known draws has a hundred fragments, each of ten new ones four times as many at most. */
   others = commands;
   others.insert(others.end(), 10, synthetic_scene::draw(2, 100, 10, 5));
   terms = terms_of(others);
   vivgpu_fragments_estimate(fragments.get(), &terms, classes);
   EXPECT_NEAR(classes[0], 2000, 20);
   EXPECT_NEAR(classes[1], 4000, 40);

   /* A single one may cover the target. */
   others = commands;
   others.push_back(synthetic_scene::draw(3, 100, 10, 5));
   terms = terms_of(others);
   vivgpu_fragments_estimate(fragments.get(), &terms, classes);
   EXPECT_GT(classes[1], 50000);
}
