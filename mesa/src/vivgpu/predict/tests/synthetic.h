/* SPDX-License-Identifier: MIT */
/*
 * A small machine and scenes for tests of predictors: groups with results from a queueing model of
 * a pipeline. It is not a model of any GPU, but has the properties that matter: vertices and
 * fragments share the shader cores, a pixel engine works beside them, stages wait for each other
 * batch by batch, so that the bottleneck changes within a draw.
 */
#ifndef VIVGPU_SYNTHETIC_H
#define VIVGPU_SYNTHETIC_H

#include <cmath>
#include <cstring>
#include <deque>
#include <vector>

extern "C" {
#include "vivgpu_predictor.h"
}

/** Pseudo-random numbers, the same on every machine (xorshift64*) */
class chance {
   uint64_t state;

 public:
   explicit chance(uint64_t seed) : state(seed * 2654435761u + 88172645463325252ull)
   {
   }

   uint64_t next()
   {
      state ^= state >> 12;
      state ^= state << 25;
      state ^= state >> 27;
      return state * 2685821657736338717ull;
   }

   /** 0 to 1 */
   double unit()
   {
      return (next() >> 11) * (1.0 / 9007199254740992.0);
   }
};

/** A group with its commands and, when it has run, its result */
struct synthetic_group {
   vivgpu_group group = {};
   std::vector<vivgpu_command> commands;
   vivgpu_group_result result = {};
};

/** Prices in ns */
struct synthetic_machine {
   double group = 8000, draw = 120, word = 2;
   double vertex_instruction = 0.8, fragment_instruction = 0.5;
   double pixel = 1.6, clear_byte = 0.01, copy_byte = 0.25;
   /** Amplitude of noise of the whole, 0: none */
   double jitter = 0;
};

/** Time of a draw: batches of 64 vertices and their fragments through cores and pixel engine. */
static inline double
synthetic_draw_ns(const synthetic_machine &machine, const vivgpu_command &command, double fragments)
{
   const vivgpu_command_draw &draw = command.draw;
   double vertices = (double)draw.count * draw.instances;
   unsigned batches = (unsigned)(vertices / 64) + 1;
   double cores = 0, pixels = 0, sum = 0;

   for (unsigned i = 0; i < batches; i++)
      sum += 1 + std::sin(7.0 * i / batches);
   for (unsigned i = 0; i < batches; i++) {
      /* Pixels of a mesh are not spread evenly over its vertices. */
      double share = (1 + std::sin(7.0 * i / batches)) / sum;
      double own = fragments * share;

      cores += vertices / batches * draw.instructions[0] * machine.vertex_instruction +
               own * draw.instructions[1] * machine.fragment_instruction;
      pixels = std::fmax(pixels, cores) + own * machine.pixel * command.target.samples;
      /* Fragments wait in a queue: the cores are ahead of the engine by at most 20 us. */
      cores = std::fmax(cores, pixels - 20000);
   }
   return std::fmax(cores, pixels) + machine.draw;
}

/** Makes commands, and runs groups of them on a machine, one after the other */
class synthetic_scene {
 public:
   synthetic_machine machine;
   chance random;
   uint32_t frame = 0;
   uint64_t cookie = 1;
   uint64_t now = 1000000;

   explicit synthetic_scene(uint64_t seed) : random(seed)
   {
   }

   static vivgpu_command draw(uint32_t program, uint32_t vertices, unsigned vs, unsigned fs)
   {
      vivgpu_command command = {};

      command.type = VIVGPU_COMMAND_DRAW;
      command.target.width = 640;
      command.target.height = 432;
      command.target.color_format = 1;
      command.target.depth_format = 2;
      command.target.color_bytes = 4;
      command.target.depth_bytes = 4;
      command.target.samples = 1;
      command.target.num_colors = 1;
      command.target.id = 1;
      command.draw.count = vertices;
      command.draw.instances = 1;
      command.draw.primitives = vertices / 3;
      command.draw.state = VIVGPU_DRAW_DEPTH_TEST | VIVGPU_DRAW_DEPTH_WRITE;
      command.draw.program = program;
      command.draw.vertex_bytes = 24;
      command.draw.instructions[0] = vs;
      command.draw.instructions[1] = fs;
      command.draw.area[2] = 640;
      command.draw.area[3] = 432;
      return command;
   }

   static vivgpu_command clear(uint32_t bytes, unsigned kind)
   {
      vivgpu_command command = {};

      command.type = VIVGPU_COMMAND_CLEAR;
      command.target.samples = 1;
      command.clear.kind = kind;
      command.clear.buffers = 4;
      command.clear.bytes = bytes;
      return command;
   }

   /** The copy to the window, which a swap has before it where the window is not shown itself */
   static vivgpu_command copy(unsigned width, unsigned height)
   {
      vivgpu_command command = swap(width, height);

      command.type = VIVGPU_COMMAND_RESOLVE;
      return command;
   }

   static vivgpu_command swap(unsigned width, unsigned height)
   {
      vivgpu_command command = {};

      command.type = VIVGPU_COMMAND_SWAP;
      command.copy.width = width;
      command.copy.height = height;
      command.copy.bytes_read = command.copy.bytes_written = width * height * 4;
      return command;
   }

   /** A group of these commands; fragments[i] are those of draw i. */
   synthetic_group run(const std::vector<vivgpu_command> &commands,
                       const std::vector<double> &fragments)
   {
      synthetic_group made;
      double ns = machine.group, total = 0;
      size_t draw = 0;

      made.commands = commands;
      made.group.cookie = cookie++;
      made.group.frame = frame;
      made.group.queue = 1;
      made.group.num_commands = commands.size();
      made.group.stream_bytes = 64 * commands.size();
      ns += machine.word * 16 * commands.size();
      for (const vivgpu_command &command : commands) {
         if (command.type == VIVGPU_COMMAND_DRAW) {
            made.group.vertices += (uint64_t)command.draw.count * command.draw.instances;
            made.group.num_draws++;
            total += fragments[draw];
            ns += synthetic_draw_ns(machine, command, fragments[draw++]);
         } else if (command.type == VIVGPU_COMMAND_CLEAR) {
            ns += command.clear.bytes * machine.clear_byte;
         } else if (command.type == VIVGPU_COMMAND_RESOLVE) {
            ns += command.copy.bytes_written * machine.copy_byte;
         }
      }
      ns *= 1 + machine.jitter * (random.unit() - 0.5);
      made.result.cookie = made.group.cookie;
      made.result.started_ns = now;
      now += (uint64_t)ns;
      made.result.finished_ns = now;
      made.result.cycles = (uint64_t)(ns / 2);
      made.result.vertices = made.group.vertices;
      made.result.fragments = (uint64_t)total;
      made.result.flags = VIVGPU_RESULT_COUNTS | VIVGPU_RESULT_EXACT;
      return made;
   }
};

/** Errors of a predictor over a run */
struct synthetic_errors {
   unsigned groups = 0, within = 0;
   double relative = 0, fragments = 0, largest = 0;

   double mean() const
   {
      return relative / groups;
   }
};

/** Predictor that is fed with groups whose results come some groups later */
class synthetic_run {
   const vivgpu_predictor_type *type;
   void *predictor;
   std::deque<synthetic_group> waiting;
   size_t delay;

 public:
   synthetic_errors errors;
   vivgpu_prediction last = {};

   synthetic_run(const vivgpu_predictor_type *type_, size_t delay_) : type(type_), delay(delay_)
   {
      predictor = type->create(nullptr);
   }

   ~synthetic_run()
   {
      type->destroy(predictor);
   }

   void *get()
   {
      return predictor;
   }

   /** Predict, and observe @delay groups later; returns the relative error. @counts: add it up */
   double feed(const synthetic_group &made, bool counts)
   {
      double time = made.result.finished_ns - made.result.started_ns, error;

      type->predict(predictor, &made.group, made.commands.data(), &last);
      error = std::fabs((double)last.time_ns - time);
      if (counts) {
         errors.groups++;
         errors.relative += error / time;
         errors.largest = std::fmax(errors.largest, error / time);
         errors.within += error <= last.bound_ns;
         if (made.result.fragments)
            errors.fragments +=
               std::fabs((double)last.fragments - made.result.fragments) / made.result.fragments;
      }
      waiting.push_back(made);
      while (waiting.size() > delay) {
         const synthetic_group &done = waiting.front();

         type->observe(predictor, &done.group, done.commands.data(), &done.result);
         waiting.pop_front();
      }
      return error / time;
   }
};

#endif
