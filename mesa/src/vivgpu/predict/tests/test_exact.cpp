/* SPDX-License-Identifier: MIT */
/*
 * The thesis's predictor and the baselines on data that their own equations made: after training each has to
 * be right to 0.1 %, for amounts that it has not seen.
 */

#include <gtest/gtest.h>
#include <cstring>
#include <vector>

extern "C" {
#include "baselines/vivgpu_baseline.h"
#include "thesis/vivgpu_thesis_models.h"
}

/* Costs of the machine that the data comes from; the thesis's figures where it has some */
#define FLUSH_NS    9000.0
#define BYTE_NS     0.5
#define WRITE_NS    20.0
#define READ_NS     15.0
#define LOAD_NS     0.6
#define BEYOND_NS   0.9
#define KNEE        700000.0
#define VERTEX_NS   25.0
#define FRAGMENT_NS 1.5

/* A predictor and the groups that it is fed with, one after the other. */
class trainer {
   const vivgpu_predictor_type *type;
   void *predictor;
   uint64_t now = 1000, cookie = 1;

 public:
   vivgpu_group group;
   std::vector<vivgpu_command> commands;
   vivgpu_prediction prediction;
   uint32_t frame = 0;

   explicit trainer(const vivgpu_predictor_type *type_)
      : type(type_), predictor(type_->create(nullptr))
   {
      begin();
   }

   ~trainer()
   {
      type->destroy(predictor);
   }

   void begin()
   {
      commands.clear();
      group = {};
      group.queue = 1;
      group.stream_bytes = 16;
   }

   vivgpu_command *add(unsigned kind)
   {
      vivgpu_command command = {};

      command.type = kind;
      commands.push_back(command);
      return &commands.back();
   }

   void draw(uint32_t vertices, uint32_t width, uint32_t height, uint32_t program = 7)
   {
      vivgpu_command *command = add(VIVGPU_COMMAND_DRAW);

      command->draw.count = vertices;
      command->draw.instances = 1;
      command->draw.program = program;
      command->draw.instructions[0] = 13;
      command->draw.instructions[1] = 2;
      command->draw.area[2] = width;
      command->draw.area[3] = height;
      group.vertices += vertices;
      group.num_draws++;
   }

   void clear(uint32_t bytes, unsigned kind)
   {
      vivgpu_command *command = add(VIVGPU_COMMAND_CLEAR);

      command->clear.kind = kind;
      command->clear.bytes = bytes;
   }

   void copy(unsigned kind, unsigned width, unsigned height)
   {
      vivgpu_command *command = add(kind);

      command->copy.width = width;
      command->copy.height = height;
      command->copy.bytes_read = command->copy.bytes_written = width * height * 4;
   }

   /* End the group, which takes @ns; returns the relative error of its prediction. */
   double end(double ns, double fragments = 0)
   {
      vivgpu_group_result result = {};

      group.cookie = result.cookie = cookie++;
      group.frame = frame;
      group.num_commands = commands.size();
      type->predict(predictor, &group, commands.data(), &prediction);
      result.started_ns = now;
      now += (uint64_t)(ns + 0.5);
      result.finished_ns = now;
      result.cycles = (uint64_t)(ns / 2);
      result.vertices = group.vertices;
      result.fragments = (uint64_t)fragments;
      result.flags = VIVGPU_RESULT_COUNTS | VIVGPU_RESULT_EXACT;
      type->observe(predictor, &group, commands.data(), &result);
      begin();
      return std::abs((double)prediction.time_ns - ns) / ns;
   }

   double flush(unsigned kind = VIVGPU_COMMAND_FLUSH)
   {
      add(kind);
      return end(FLUSH_NS);
   }

   double full_clear(unsigned size)
   {
      clear(size * size * 4, VIVGPU_CLEAR_FULL);
      return end(FLUSH_NS + BYTE_NS * size * size * 4);
   }

   /* (5.1): a rectangle over some tiles, and the group that copies the window of 640x432 pixels */
   double swap(unsigned tiles, double *draw_error = nullptr)
   {
      const double all = 640 * 432 / VIVGPU_TILE_PIXELS;
      double fragments = tiles * VIVGPU_TILE_PIXELS, error;

      frame++;
      draw(tiles, 640, 432);
      error = end(FLUSH_NS + VERTEX_NS * tiles + FRAGMENT_NS * fragments, fragments);
      if (draw_error)
         *draw_error = error;
      copy(VIVGPU_COMMAND_RESOLVE, 640, 432);
      copy(VIVGPU_COMMAND_SWAP, 640, 432);
      return end(FLUSH_NS + WRITE_NS * all + READ_NS * tiles);
   }

   /* (5.3), with a draw of four pixels, without which nothing is loaded */
   double load(unsigned size)
   {
      double bytes = size * size * 4.0;

      copy(VIVGPU_COMMAND_RESOLVE, size, size);
      draw(4, size, size, 9);
      return end(FLUSH_NS + LOAD_NS * std::min(bytes, KNEE) +
                    BEYOND_NS * std::max(bytes - KNEE, 0.0),
                 16);
   }

   /* (5.4): fragments in the ratio 2 to vertices, which the predictor of fragments finds */
   double object(unsigned vertices)
   {
      frame++;
      draw(vertices, 640, 432);
      return end(FLUSH_NS + VERTEX_NS * vertices + FRAGMENT_NS * 2 * vertices, 2 * vertices);
   }

   /* The same with a viewport without area */
   double still(unsigned vertices)
   {
      draw(vertices, 0, 0);
      return end(FLUSH_NS + VERTEX_NS * vertices);
   }
};

TEST(exact, flush_and_finish)
{
   trainer trainer(&vivgpu_predictor_thesis_ratio);

   trainer.flush();
   EXPECT_LT(trainer.flush(), 1e-3);
   /* Finish: two groups that take as long as a flush each */
   EXPECT_LT(trainer.flush(VIVGPU_COMMAND_FINISH), 1e-3);
   EXPECT_LT(trainer.flush(VIVGPU_COMMAND_FINISH), 1e-3);
}

TEST(exact, fast_clears_take_no_time)
{
   trainer trainer(&vivgpu_predictor_thesis_ratio);

   trainer.flush();
   trainer.clear(4320, VIVGPU_CLEAR_FAST);
   EXPECT_LT(trainer.end(FLUSH_NS), 1e-3);
   EXPECT_EQ(trainer.prediction.parts_ns[VIVGPU_PREDICT_PART_CLEAR], 0u);
}

TEST(exact, clear)
{
   trainer trainer(&vivgpu_predictor_thesis_ratio);

   trainer.flush();
   for (unsigned size = 128; size <= 1024; size += 128)
      trainer.full_clear(size);
   EXPECT_LT(trainer.full_clear(96), 1e-3);
   EXPECT_LT(trainer.full_clear(700), 1e-3);
}

TEST(exact, swap)
{
   trainer trainer(&vivgpu_predictor_thesis_ratio);

   trainer.flush();
   for (unsigned tiles = 160; tiles <= 17280; tiles += 1600)
      trainer.swap(tiles);
   EXPECT_LT(trainer.swap(170), 1e-3);
   EXPECT_LT(trainer.swap(9000), 1e-3);
   EXPECT_EQ(trainer.prediction.parts_ns[VIVGPU_PREDICT_PART_COPY], 0u);
}

TEST(exact, texture_loading_with_a_knee_at_no_size)
{
   trainer trainer(&vivgpu_predictor_thesis_ratio);

   trainer.flush();
   for (unsigned round = 0; round < 2; round++) {
      for (unsigned size = 64; size <= 1024; size += 64)
         trainer.load(size);
   }
   EXPECT_LT(trainer.load(100), 1e-3);
   EXPECT_LT(trainer.load(417), 1e-3);
   EXPECT_LT(trainer.load(900), 1e-3);
   EXPECT_LT(trainer.load(1200), 1e-3);
}

TEST(exact, copies_by_the_processor_take_no_time)
{
   for (const vivgpu_predictor_type *type :
        {&vivgpu_predictor_thesis_ratio, &vivgpu_predictor_thesis_sequence, &vivgpu_predictor_box,
         &vivgpu_predictor_ours, &vivgpu_predictor_order, &vivgpu_predictor_regression}) {
      trainer trainer(type);
      uint64_t expected;

      for (unsigned i = 0; i < 20; i++) {
         trainer.flush();
         trainer.load(64 + 64 * (i % 4));
      }
      trainer.flush();
      expected = trainer.prediction.time_ns;
      /* The same number of commands: one counts that of them. */
      trainer.copy(VIVGPU_COMMAND_COPY, 256, 256);
      trainer.commands.back().copy.by = VIVGPU_COPY_CPU;
      trainer.end(FLUSH_NS);
      EXPECT_NEAR(trainer.prediction.time_ns, expected, 0.01 * expected) << type->name;
   }
}

TEST(exact, draw_with_vertices_calibrated_by_viewports_without_area)
{
   for (const vivgpu_predictor_type *type :
        {&vivgpu_predictor_thesis_ratio, &vivgpu_predictor_thesis_sequence}) {
      trainer trainer(type);

      trainer.flush();
      for (unsigned vertices : {1000, 2500})
         trainer.still(vertices);
      EXPECT_LT(trainer.still(7000), 1e-3);
      for (unsigned i = 0; i < 4; i++)
         trainer.object(5000);
      EXPECT_LT(trainer.object(5000), 1e-3) << type->name;
      EXPECT_NEAR(trainer.prediction.parts_ns[VIVGPU_PREDICT_PART_VERTEX], 125000, 125);
   }
}

TEST(exact, draw_of_another_size)
{
   trainer trainer(&vivgpu_predictor_thesis_ratio);

   trainer.flush();
   trainer.still(1000);
   for (unsigned i = 0; i < 4; i++)
      trainer.object(5000);
   EXPECT_LT(trainer.object(12345), 1e-3);
}

/* The models do not learn from one another's groups. */
TEST(exact, all_of_the_thesis_in_turn)
{
   trainer trainer(&vivgpu_predictor_thesis_ratio);
   double draw_error;

   for (unsigned round = 0; round < 20; round++) {
      trainer.flush();
      trainer.full_clear(128 + 32 * round);
      if (round < 3)
         trainer.still(1000 + 100 * round);
      trainer.swap(160 + 800 * round);
      trainer.load(64 + 48 * round);
      trainer.object(5000);
   }
   EXPECT_LT(trainer.flush(), 1e-3);
   EXPECT_LT(trainer.full_clear(1000), 1e-3);
   EXPECT_LT(trainer.load(333), 1e-3);
   EXPECT_LT(trainer.load(1100), 1e-3);
   trainer.swap(777);
   EXPECT_LT(trainer.swap(999, &draw_error), 1e-3);
   EXPECT_LT(draw_error, 1e-3);
}

/* A frame in one group, as where nothing is flushed before the swap, once all else is calibrated */
TEST(exact, whole_frame_in_one_group)
{
   trainer trainer(&vivgpu_predictor_thesis_ratio);
   double error = 1;

   trainer.flush();
   for (unsigned tiles = 160; tiles <= 17280; tiles += 1600)
      trainer.swap(tiles);
   for (unsigned i = 0; i < 10; i++) {
      trainer.frame++;
      trainer.draw(8000, 640, 432, 21);
      trainer.copy(VIVGPU_COMMAND_RESOLVE, 640, 432);
      trainer.copy(VIVGPU_COMMAND_SWAP, 640, 432);
      error = trainer.end(FLUSH_NS + WRITE_NS * 17280 + READ_NS * 2500 + VERTEX_NS * 8000 +
                             FRAGMENT_NS * 40000,
                          40000);
   }
   EXPECT_LT(error, 1e-3);
}

TEST(exact, bounding_box)
{
   trainer trainer(&vivgpu_predictor_box);
   double error = 1;

   trainer.flush();
   trainer.still(1000);
   for (unsigned i = 1; i < 20; i++) {
      trainer.draw(1000 + 37 * i, 640, 432);
      trainer.commands.back().draw.box_pixels = 50000 + 1000 * (i % 7) + 1;
      error = trainer.end(FLUSH_NS + VERTEX_NS * (1000 + 37 * i) +
                             FRAGMENT_NS * (50000 + 1000 * (i % 7)),
                          12345);
   }
   EXPECT_LT(error, 1e-3);
   EXPECT_EQ(trainer.prediction.fragments, 55000u);
}

/* Ours is no formula, but sizes that it has not seen are near: bytes are padded, time follows the pixels. */
TEST(exact, copies_of_unseen_sizes)
{
   trainer trainer(&vivgpu_predictor_ours);
   double worst = 0;

   for (unsigned i = 1; i <= 16; i += 1) {
      unsigned size = 64 * (i <= 8 ? 2 * i - 1 : 2 * (i - 8));

      for (unsigned round = 0; round < (i <= 8 ? 16 : 1); round++) {
         trainer.copy(VIVGPU_COMMAND_RESOLVE, size, size);
         trainer.commands.back().copy.bytes_written = (size + 127) / 128 * 128 * size * 4;
         trainer.draw(4, size, size, 9);
         double error = trainer.end(FLUSH_NS + 2 * size * size, 16);

         if (i > 8)
            worst = std::max(worst, error);
      }
   }
   EXPECT_LT(worst, 0.01);
}

TEST(exact, bautin)
{
   trainer trainer(&vivgpu_predictor_vertices);

   for (unsigned vertices : {100, 5000, 777}) {
      trainer.draw(vertices, 10, 10);
      trainer.end(VERTEX_NS * vertices);
   }
   trainer.draw(4321, 10, 10);
   EXPECT_LT(trainer.end(VERTEX_NS * 4321), 1e-3);
   trainer.group.stream_bytes = 16000;
   trainer.end(2.0 * 16000);
   trainer.group.stream_bytes = 5000;
   EXPECT_LT(trainer.end(2.0 * 5000), 1e-3);
}

/* Textures before swaps before vertices before the stream; each with a cost of its own */
TEST(exact, dwarakinath)
{
   trainer trainer(&vivgpu_predictor_order);
   double errors[4] = {};

   for (unsigned i = 1; i < 6; i++) {
      trainer.copy(VIVGPU_COMMAND_COPY, 64 * i, 64);
      trainer.draw(1000 * i, 10, 10);
      errors[0] = trainer.end(LOAD_NS * 64 * i * 64 * 4);
      trainer.copy(VIVGPU_COMMAND_RESOLVE, 640, 100 * i);
      trainer.copy(VIVGPU_COMMAND_SWAP, 640, 100 * i);
      trainer.draw(10, 10, 10);
      errors[1] = trainer.end(BYTE_NS * 640 * 100 * i * 4);
      trainer.draw(1000 * i, 10, 10);
      errors[2] = trainer.end(VERTEX_NS * 1000 * i);
      trainer.group.stream_bytes = 8000 * i;
      errors[3] = trainer.end(2.0 * 8000 * i);
   }
   for (double error : errors)
      EXPECT_LT(error, 1e-3);
}

TEST(exact, kato)
{
   trainer trainer(&vivgpu_predictor_table);

   trainer.draw(100, 10, 10);
   trainer.end(50000);
   trainer.clear(1000, VIVGPU_CLEAR_FULL);
   trainer.end(80000);
   trainer.draw(100, 10, 10);
   EXPECT_LT(trainer.end(50000), 1e-3);
   /* Other methods, and another size of the data: the longest time so far */
   trainer.draw(100, 10, 10);
   trainer.draw(100, 10, 10);
   EXPECT_LT(trainer.end(80000), 1e-3);
   trainer.draw(100, 10, 10);
   trainer.group.stream_bytes = 20;
   EXPECT_LT(trainer.end(80000), 1e-3);
}

TEST(exact, raravi)
{
   trainer trainer(&vivgpu_predictor_instructions);

   /* 13 instructions a vertex, 2 a pixel of the area */
   trainer.draw(3000, 100, 50);
   trainer.end(0.3 * (3000 * 13 + 5000 * 2));
   trainer.draw(800, 640, 432);
   EXPECT_LT(trainer.end(0.3 * (800 * 13 + 640 * 432 * 2)), 1e-3);
   /* It is an upper bound: a faster group changes nothing. */
   trainer.draw(3000, 100, 50);
   trainer.end(1000);
   trainer.draw(3000, 100, 50);
   EXPECT_LT(trainer.end(0.3 * (3000 * 13 + 5000 * 2)), 1e-3);
}

TEST(exact, last_frame)
{
   trainer trainer(&vivgpu_predictor_last_frame);
   double error = 1;

   for (unsigned i = 0; i < 9; i++) {
      if (i % 3 == 0)
         trainer.frame++;
      trainer.draw(100, 10, 10);
      error = trainer.end(10000 * (i % 3 + 1), 5);
   }
   EXPECT_LT(error, 1e-3);
}

/* The first part of a split draw has its words in a group, and all of its work in the next one. */
TEST(exact, regression_counts_a_split_draw_in_its_second_group)
{
   trainer trainer(&vivgpu_predictor_regression);
   double error = 1;

   for (unsigned i = 0; i < 100; i++) {
      uint32_t primitives = 3000 + 700 * (i % 7);
      unsigned draws = 1 + i % 3;

      trainer.frame++;
      /* A group with the first part of another draw, and one with the second parts of some */
      trainer.clear(40000, VIVGPU_CLEAR_FULL);
      trainer.draw(0, 640, 432);
      trainer.commands.back().flags = VIVGPU_COMMAND_FIRST_PART;
      trainer.commands.back().draw.primitives = primitives;
      error = trainer.end(FLUSH_NS + BYTE_NS * 40000);
      for (unsigned j = 0; j < draws; j++) {
         trainer.draw(0, 640, 432);
         trainer.commands.back().draw.primitives = primitives;
      }
      trainer.end(FLUSH_NS + 1000.0 * draws + VERTEX_NS * primitives * draws);
   }
   EXPECT_LT(error, 1e-3);
}

TEST(exact, regression)
{
   trainer trainer(&vivgpu_predictor_regression);
   double error = 1;

   for (unsigned i = 0; i < 60; i++) {
      trainer.frame++;
      if (i % 2)
         trainer.clear(40000 + 3000 * (i % 5), VIVGPU_CLEAR_FULL);
      trainer.draw(1000 + 100 * (i % 7), 640, 432);
      error = trainer.end(FLUSH_NS + (i % 2) * BYTE_NS * (40000 + 3000 * (i % 5)) +
                             VERTEX_NS * (1000 + 100 * (i % 7)),
                          5000);
   }
   EXPECT_LT(error, 1e-3);
}
