/* SPDX-License-Identifier: MIT */
/*
 * The thesis's predictor (5.5 and 6.3): the time of a group is the sum of those of its commands.
 * Each model learns from groups in which everything else is known. Fragments come from the most
 * recent frame that has ended, by the ratio of fragments to vertices, or by the sequence number of
 * the group among those with draws.
 *
 * Draws of a group belong to one program, the group's, as in the thesis: coefficients are learnt
 * for each set of programs. The thesis measures the cost of vertices with a viewport without area;
 * here both costs are learnt from ordinary frames, because what is drawn must not change.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vivgpu_frames.h"
#include "vivgpu_hash.h"
#include "vivgpu_predictor.h"
#include "vivgpu_thesis_models.h"

#define PROGRAMS 64

struct program {
   uint64_t key;
   uint64_t used;
   struct vivgpu_model_draw draw;
};

struct thesis {
   struct vivgpu_predict_config config;
   bool by_sequence;
   struct vivgpu_model_constant flush;
   struct vivgpu_model_clear clear;
   struct vivgpu_model_swap swap;
   struct vivgpu_model_texture texture;
   struct program programs[PROGRAMS];
   uint64_t used;
   struct vivgpu_frames frames;
   /** Fragments of the current frame, predicted or counted: what a swap has to copy */
   double frame_fragments;
   uint32_t frame;
};

/* Properties of a group that the models use */
struct work {
   bool draws;
   double vertices;
   double clear_bytes, texture_bytes, swap_tiles;
   uint64_t programs;
};

static struct work
work_of(const struct vivgpu_group *group, const struct vivgpu_command *commands)
{
   struct work work = {0};

   for (uint32_t i = 0; i < group->num_commands; i++) {
      const struct vivgpu_command *command = &commands[i];

      switch (command->type) {
      case VIVGPU_COMMAND_DRAW:
         if (command->flags & VIVGPU_COMMAND_FIRST_PART)
            break;
         work.draws = true;
         work.vertices += (double)command->draw.count * command->draw.instances;
         if (work.programs != vivgpu_hash_add(0, command->draw.program))
            work.programs += vivgpu_hash_add(0, command->draw.program);
         break;
      case VIVGPU_COMMAND_CLEAR:
         if (command->clear.kind == VIVGPU_CLEAR_FULL)
            work.clear_bytes += command->clear.bytes;
         break;
      case VIVGPU_COMMAND_SWAP:
         work.swap_tiles += (double)command->copy.width * command->copy.height / VIVGPU_TILE_PIXELS;
         break;
      case VIVGPU_COMMAND_COPY:
      case VIVGPU_COMMAND_RESOLVE:
         work.texture_bytes += command->copy.bytes_written;
         break;
      }
   }
   return work;
}

static void *
create(const struct vivgpu_predict_config *config, bool by_sequence)
{
   struct thesis *thesis = calloc(1, sizeof(*thesis));

   if (!thesis)
      return NULL;
   if (config)
      thesis->config = *config;
   thesis->by_sequence = by_sequence;
   return thesis;
}

static void *
create_ratio(const struct vivgpu_predict_config *config)
{
   return create(config, false);
}

static void *
create_sequence(const struct vivgpu_predict_config *config)
{
   return create(config, true);
}

/*
 * Return the model of a set of programs; if none is free, the least recently used one is replaced.
 */
static struct program *
program_of(struct thesis *thesis, uint64_t key)
{
   struct program *victim = &thesis->programs[0];

   thesis->used++;
   for (unsigned i = 0; i < PROGRAMS; i++) {
      struct program *program = &thesis->programs[i];

      if (program->key == key && program->used) {
         program->used = thesis->used;
         return program;
      }
      if (program->used < victim->used)
         victim = program;
   }
   *victim = (struct program){.key = key, .used = thesis->used};
   return victim;
}

/* Predict the fragments of a group with draws, and count it in its frame. */
static double
predict_fragments(struct thesis *thesis, const struct vivgpu_group *group, const struct work *work)
{
   uint32_t sequence = vivgpu_frames_submit(&thesis->frames, group->queue, group->frame,
                                            group->cookie, work->vertices);
   double fragments;

   if (thesis->by_sequence)
      fragments = vivgpu_frames_value(&thesis->frames, sequence);
   else
      fragments = vivgpu_frames_ratio(&thesis->frames) * work->vertices;
   return fmax(fragments, 0);
}

/* Tiles that a swap reads: a sixteenth of the frame's fragments, at most all. */
static double
rendered_tiles(const struct thesis *thesis, const struct work *work)
{
   return fmin(thesis->frame_fragments / VIVGPU_TILE_PIXELS, work->swap_tiles);
}

static uint64_t
to_ns(double ns)
{
   return ns > 0 ? (uint64_t)(fmin(ns, 3.6e12) + 0.5) : 0;
}

static void
predict(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        struct vivgpu_prediction *prediction)
{
   struct thesis *thesis = predictor;
   struct work work = work_of(group, commands);
   uint64_t *parts = prediction->parts_ns;
   double fragments = 0, vertex = 0, draw = 0;

   memset(prediction, 0, sizeof(*prediction));
   if (thesis->frame != group->frame)
      thesis->frame_fragments = 0;
   thesis->frame = group->frame;
   if (work.draws) {
      fragments = predict_fragments(thesis, group, &work);
      draw = vivgpu_model_draw_ns(&program_of(thesis, work.programs)->draw, work.vertices,
                                  fragments, &vertex);
   }
   thesis->frame_fragments += fragments;
   prediction->fragments = to_ns(fragments);
   parts[VIVGPU_PREDICT_PART_FLUSH] = to_ns(vivgpu_model_constant_ns(&thesis->flush));
   parts[VIVGPU_PREDICT_PART_CLEAR] =
      to_ns(vivgpu_model_clear_ns(&thesis->clear, work.clear_bytes));
   parts[VIVGPU_PREDICT_PART_COPY] =
      to_ns(vivgpu_model_texture_ns(&thesis->texture, work.texture_bytes));
   parts[VIVGPU_PREDICT_PART_SWAP] =
      to_ns(vivgpu_model_swap_ns(&thesis->swap, work.swap_tiles, rendered_tiles(thesis, &work)));
   parts[VIVGPU_PREDICT_PART_VERTEX] = to_ns(vertex);
   parts[VIVGPU_PREDICT_PART_FRAGMENT] = to_ns(draw - vertex);
   for (unsigned i = 0; i < VIVGPU_PREDICT_PARTS; i++)
      prediction->time_ns += parts[i];
}

/*
 * Update the model of the only type of command whose time is unknown after subtracting the others.
 */
static void
learn(struct thesis *thesis, const struct work *work, double fragments, double ns)
{
   double flush = vivgpu_model_constant_ns(&thesis->flush);
   double clear = vivgpu_model_clear_ns(&thesis->clear, work->clear_bytes);
   double texture = vivgpu_model_texture_ns(&thesis->texture, work->texture_bytes);
   double swap =
      vivgpu_model_swap_ns(&thesis->swap, work->swap_tiles, rendered_tiles(thesis, work));

   if (work->draws) {
      if (fragments >= 0)
         vivgpu_model_draw_add(&program_of(thesis, work->programs)->draw, work->vertices, fragments,
                               fmax(ns - flush - clear - texture - swap, 0));
   } else if (work->texture_bytes > 0) {
      vivgpu_model_texture_add(&thesis->texture, work->texture_bytes,
                               fmax(ns - flush - clear - swap, 0));
   } else if (work->swap_tiles > 0) {
      vivgpu_model_swap_add(&thesis->swap, work->swap_tiles, rendered_tiles(thesis, work),
                            fmax(ns - flush - clear, 0));
   } else if (work->clear_bytes > 0) {
      vivgpu_model_clear_add(&thesis->clear, work->clear_bytes, fmax(ns - flush, 0));
   } else {
      vivgpu_model_constant_add(&thesis->flush, ns);
   }
}

static void
observe(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        const struct vivgpu_group_result *result)
{
   struct thesis *thesis = predictor;
   struct work work = work_of(group, commands);
   double ns = vivgpu_measured_ns(&thesis->config, result), fragments = -1;

   if (ns >= 0 && (result->flags & VIVGPU_RESULT_COUNTS))
      fragments = (double)result->fragments;
   if (work.draws)
      vivgpu_frames_finish(&thesis->frames, group->cookie, fragments);
   if (ns >= 0)
      learn(thesis, &work, fragments, ns);
}

const struct vivgpu_predictor_type vivgpu_predictor_thesis_ratio = {
   .name = "thesis-ratio",
   .description = "thesis 5.5, fragments by the recent frame's ratio to vertices",
   .create = create_ratio,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};

const struct vivgpu_predictor_type vivgpu_predictor_thesis_sequence = {
   .name = "thesis-sequence",
   .description = "thesis 5.5, fragments of the recent frame's group of the same number",
   .create = create_sequence,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};
