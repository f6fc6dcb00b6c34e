/* SPDX-License-Identifier: MIT */
/*
 * The thesis's predictor (5.5 and 6.3): the time of a group is the sum of those of its commands.
 * Each model learns from groups in which all else is known, and from groups of its own if there are
 * any. Fragments come from the most recent frame that has ended, by the ratio of fragments to
 * vertices, or by the sequence number of the group among those with draws.
 *
 * Draws of a group belong to one program, the group's, as in the thesis: coefficients are learnt
 * for each set of programs.
 *
 * The predictor of Schnitzer and others (thesis, 2.3) sums up commands in the same way, but with
 * the pixels of the objects' bounding boxes as fragments.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "baselines/vivgpu_baseline.h"
#include "vivgpu_frames.h"
#include "vivgpu_predictor.h"
#include "vivgpu_thesis_models.h"
#include "vivgpu_work.h"

#define PROGRAMS 64
/* Frames whose fragments are remembered until their swap's result comes */
#define TOTALS 16
/* Draws are nothing beside this many cleared or copied pixels for each vertex and fragment. */
#define NEGLIGIBLE 16

/* Where the number of fragments comes from */
enum source {
   RATIO,
   SEQUENCE,
   BOX,
};

/* What the time of a group consists of, beside the flush */
enum part {
   CLEAR,
   TEXTURE,
   SWAP,
   DRAW,
   PARTS,
};

struct program {
   uint64_t key;
   uint64_t used;
   /** There were groups with nothing but its draws */
   bool own;
   struct vivgpu_model_draw draw;
};

/* Fragments of a frame */
struct total {
   uint32_t frame, queue;
   /** Sums over its groups so far that were predicted, and that have a result */
   double predicted, counted;
   /** Of some results they are not known: @counted is too small */
   bool incomplete;
};

struct thesis {
   struct vivgpu_predict_config config;
   enum source source;
   struct vivgpu_model_constant flush;
   struct vivgpu_model_clear clear;
   struct vivgpu_model_swap swap;
   struct vivgpu_model_texture texture;
   /** There were groups with nothing but this; DRAW: in struct program */
   bool own[PARTS];
   struct program programs[PROGRAMS];
   uint64_t used;
   /** Fragments of groups with draws, but for BOX and for groups that are still */
   struct vivgpu_frames frames;
   struct total totals[TOTALS];
};

static void *
create(const struct vivgpu_predict_config *config, enum source source)
{
   struct thesis *thesis = calloc(1, sizeof(*thesis));

   if (!thesis)
      return NULL;
   if (config)
      thesis->config = *config;
   thesis->source = source;
   return thesis;
}

static void *
create_ratio(const struct vivgpu_predict_config *config)
{
   return create(config, RATIO);
}

static void *
create_sequence(const struct vivgpu_predict_config *config)
{
   return create(config, SEQUENCE);
}

static void *
create_box(const struct vivgpu_predict_config *config)
{
   return create(config, BOX);
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

/* The fragments of the frame of a group; a frame that is not remembered begins with none. */
static struct total *
total_of(struct thesis *thesis, const struct vivgpu_group *group)
{
   struct total *total = &thesis->totals[group->frame % TOTALS];

   if (total->frame != group->frame || total->queue != group->queue)
      *total = (struct total){.frame = group->frame, .queue = group->queue};
   return total;
}

/*
 * Predict the fragments of a group with draws, and submit it to @frames if it may have some:
 * observe() finishes these groups there.
 */
static double
predict_fragments(struct thesis *thesis, const struct vivgpu_group *group,
                  const struct vivgpu_work *work)
{
   uint32_t sequence;

   if (work->still)
      return 0;
   if (thesis->source == BOX)
      return work->boxes;
   sequence = vivgpu_frames_submit(&thesis->frames, group->queue, group->frame, group->cookie,
                                   work->vertices);
   if (thesis->source == SEQUENCE)
      return fmax(vivgpu_frames_value(&thesis->frames, sequence), 0);
   return fmax(vivgpu_frames_ratio(&thesis->frames) * work->vertices, 0);
}

/* Tiles that a swap reads: a sixteenth of the frame's fragments, at most all. */
static double
rendered_tiles(const struct vivgpu_work *work, double fragments)
{
   return fmin(fragments / VIVGPU_TILE_PIXELS, work->swap_tiles);
}

/* Round a time, or a number of fragments; 0 if it is negative, limited to an hour in ns. */
static uint64_t
to_ns(double ns)
{
   return ns > 0 ? (uint64_t)(fmin(ns, 3.6e12) + 0.5) : 0;
}

/*
 * The time of each part of a group, and that of vertices in ns[DRAW]; @frame_fragments are those of
 * its frame so far, which a swap reads.
 */
static void
parts_of(struct thesis *thesis, const struct vivgpu_work *work, double fragments,
         double frame_fragments, double ns[PARTS], double *vertex_ns)
{
   ns[CLEAR] = vivgpu_model_clear_ns(&thesis->clear, work->clear_bytes);
   ns[TEXTURE] = vivgpu_model_texture_ns(&thesis->texture, work->texture_bytes);
   ns[SWAP] =
      vivgpu_model_swap_ns(&thesis->swap, work->swap_tiles, rendered_tiles(work, frame_fragments));
   ns[DRAW] = *vertex_ns = 0;
   if (work->draws)
      ns[DRAW] = vivgpu_model_draw_ns(&program_of(thesis, work->programs)->draw, work->vertices,
                                      fragments, vertex_ns);
}

static void
predict(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        struct vivgpu_prediction *prediction)
{
   struct thesis *thesis = predictor;
   struct vivgpu_work work = vivgpu_work_of(group, commands);
   struct total *total = total_of(thesis, group);
   uint64_t *parts = prediction->parts_ns;
   double fragments = work.draws ? predict_fragments(thesis, group, &work) : 0;
   double ns[PARTS], vertex;

   memset(prediction, 0, sizeof(*prediction));
   total->predicted += fragments;
   parts_of(thesis, &work, fragments, total->predicted, ns, &vertex);
   prediction->fragments = to_ns(fragments);
   parts[VIVGPU_PREDICT_PART_FLUSH] = to_ns(vivgpu_model_constant_ns(&thesis->flush));
   parts[VIVGPU_PREDICT_PART_CLEAR] = to_ns(ns[CLEAR]);
   parts[VIVGPU_PREDICT_PART_COPY] = to_ns(ns[TEXTURE]);
   parts[VIVGPU_PREDICT_PART_SWAP] = to_ns(ns[SWAP]);
   parts[VIVGPU_PREDICT_PART_VERTEX] = to_ns(vertex);
   parts[VIVGPU_PREDICT_PART_FRAGMENT] = to_ns(ns[DRAW] - vertex);
   for (unsigned i = 0; i < VIVGPU_PREDICT_PARTS; i++)
      prediction->time_ns += parts[i];
}

/*
 * Choose the part that a group teaches; PARTS: none. If it has one part only, that is it, and is
 * noted to have groups of its own. Else it is the largest of clear, texture and swap without such
 * groups
 *
 * - if there are no draws,
 * - if it is the only one without, and the draws' program has such groups,
 * - or if the draws are nothing beside it;
 *
 * and otherwise the draws.
 */
static enum part
choose(struct thesis *thesis, const struct vivgpu_work *work, double fragments)
{
   /* Of 4 bytes each, whatever the format is */
   const double pixels[PARTS] = {[CLEAR] = work->clear_bytes / 4,
                                 [TEXTURE] = work->texture_bytes / 4,
                                 [SWAP] = work->swap_tiles * VIVGPU_TILE_PIXELS};
   struct program *program = work->draws ? program_of(thesis, work->programs) : NULL;
   enum part unknown = PARTS, only = work->draws ? DRAW : PARTS;
   unsigned present = work->draws, num_unknown = 0;

   for (enum part part = CLEAR; part < DRAW; part++) {
      if (!(pixels[part] > 0))
         continue;
      present++;
      only = part;
      if (thesis->own[part])
         continue;
      if (!num_unknown || pixels[part] > pixels[unknown])
         unknown = part;
      num_unknown++;
   }
   if (present == 1) {
      if (program)
         program->own = true;
      else
         thesis->own[only] = true;
      return only;
   }
   if (!program || (num_unknown == 1 && program->own))
      return unknown;
   if (num_unknown && NEGLIGIBLE * (work->vertices + fragments) <= pixels[unknown])
      return unknown;
   return DRAW;
}

/* Update the model of one part by what the others leave of the time. */
static void
learn(struct thesis *thesis, const struct vivgpu_group *group, const struct vivgpu_work *work,
      double fragments, double ns)
{
   const struct total *total = total_of(thesis, group);
   double of_frame = total->incomplete ? total->predicted : total->counted;
   double parts[PARTS], vertex, rest = ns - vivgpu_model_constant_ns(&thesis->flush);
   enum part part = choose(thesis, work, fmax(fragments, 0));

   parts_of(thesis, work, fmax(fragments, 0), of_frame, parts, &vertex);
   for (enum part other = CLEAR; other < PARTS; other++)
      rest -= other == part ? 0 : parts[other];
   rest = fmax(rest, 0);
   switch (part) {
   case CLEAR:
      vivgpu_model_clear_add(&thesis->clear, work->clear_bytes, rest);
      break;
   case TEXTURE:
      vivgpu_model_texture_add(&thesis->texture, work->texture_bytes, rest);
      break;
   case SWAP:
      vivgpu_model_swap_add(&thesis->swap, work->swap_tiles, rendered_tiles(work, of_frame), rest);
      break;
   case DRAW:
      if (fragments > 0 || work->still)
         vivgpu_model_draw_add(&program_of(thesis, work->programs)->draw, work->vertices,
                               work->still ? 0 : fragments, rest);
      break;
   default:
      break;
   }
}

/* True if a group has nothing but flushes and finishes, each of which is a group of its own. */
static bool
is_flush(const struct vivgpu_group *group, const struct vivgpu_command *commands)
{
   for (uint32_t i = 0; i < group->num_commands; i++) {
      if (commands[i].type != VIVGPU_COMMAND_FLUSH && commands[i].type != VIVGPU_COMMAND_FINISH)
         return false;
   }
   return true;
}

static void
observe(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        const struct vivgpu_group_result *result)
{
   struct thesis *thesis = predictor;
   struct vivgpu_work work = vivgpu_work_of(group, commands);
   struct total *total = total_of(thesis, group);
   double ns = vivgpu_measured_ns(&thesis->config, result), counted = -1;

   if (ns >= 0 && vivgpu_baseline_counted(group, result))
      counted = (double)result->fragments;
   if (work.draws && !work.still)
      vivgpu_frames_finish(&thesis->frames, group->cookie, counted);
   if (thesis->source == BOX)
      counted = work.boxes;
   if (counted >= 0)
      total->counted += work.draws ? counted : 0;
   else
      total->incomplete = true;
   if (ns < 0 || work.uploads)
      return;
   if (is_flush(group, commands))
      vivgpu_model_constant_add(&thesis->flush, ns);
   else
      learn(thesis, group, &work, counted, ns);
}

const struct vivgpu_predictor_type vivgpu_predictor_thesis_ratio = {
   .name = "thesis-ratio",
   .description = "thesis 5.5, fragments by the recent frame's ratio to vertices",
   .calibrated = true,
   .create = create_ratio,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};

const struct vivgpu_predictor_type vivgpu_predictor_thesis_sequence = {
   .name = "thesis-sequence",
   .description = "thesis 5.5, fragments of the recent frame's group of the same number",
   .calibrated = true,
   .create = create_sequence,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};

const struct vivgpu_predictor_type vivgpu_predictor_box = {
   .name = "bounding-box",
   .description = "Schnitzer 2014: sum of commands, fragments by the objects' bounding boxes",
   .calibrated = true,
   .create = create_box,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};
