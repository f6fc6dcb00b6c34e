/* SPDX-License-Identifier: MIT */
/*
 * The predictor: chooses between the history of a group and the learnt costs of its commands, by
 * their recent errors. See vivgpu_predict.h.
 */

#include "vivgpu_predict_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SLOTS    64
#define DEFAULT_HISTORY  1024
#define DEFAULT_CLOCK_HZ UINT64_C(500000000)

/* Exponents with which the models combine vertices and fragments. */
static const double exponents[VIVGPU_MODELS] = {1, 4};

/* How much the better of two alternatives is preferred, and the weight of one comparison. */
#define SHARPNESS        25.0
#define ADVANTAGE_WEIGHT 0.02
/* Weight of one job in the mean time of prologues. */
#define PROLOGUE_WEIGHT 0.1
/*
 * Weight of one job in the rate of jobs with a prologue. A job has one if another client's job ran before
 * it. That usually lasts for many jobs, so the last job decides.
 */
#define PROLOGUE_RATE_WEIGHT 0.6
/* Shape ratios: weight of one group, at first and later. */
#define SHAPE_FIRST_WEIGHT 0.5
#define SHAPE_WEIGHT       0.03
/* A ratio that is this many mean errors away is a change, if the next one is as well. */
#define SHAPE_CHANGE 4
/* Counts that include neighbours' are used if the last results had no others. */
#define INEXACT_RESULTS 32
/* Vertices of a copy or clear by a draw, at most. */
#define OTHER_VERTICES 8
/* Frames without a result of a group, after which its history is no longer recent. */
#define STALE_FRAMES 8
/* Results from which on a history, after such a gap, is recent again. */
#define FIRST_RESULTS 12
/* Bounds: factor of the largest recent error; while there are few errors, and at least. */
#define MARGIN            2.5
#define FEW_ERRORS        48
#define WIDE_NS           1e6
#define WIDE_FACTOR       4.0
#define SMALLEST_BOUND_NS 300.0
#define SMALLEST_BOUND    0.001
/* Share of a time that rests on estimated costs, from which on it is called an estimate. */
#define ESTIMATE_SHARE 0.1
/* Largest predicted time in ns: an hour. */
#define LARGEST_NS 3.6e12

static struct vivgpu_predict_config
with_defaults(const struct vivgpu_predict_config *config)
{
   struct vivgpu_predict_config result = {0};

   if (config)
      result = *config;
   if (!result.clock_hz)
      result.clock_hz = DEFAULT_CLOCK_HZ;
   if (!result.slots || result.slots > 4096)
      result.slots = DEFAULT_SLOTS;
   if (result.history < 16 || result.history > 8192)
      result.history = DEFAULT_HISTORY;
   return result;
}

struct vivgpu_predict *
vivgpu_predict_create(const struct vivgpu_predict_config *config)
{
   struct vivgpu_predict *predict = calloc(1, sizeof(*predict));

   if (!predict)
      return NULL;
   predict->config = with_defaults(config);
   if (!vivgpu_slots_init(&predict->slots, predict->config.slots, predict->config.history)) {
      free(predict);
      return NULL;
   }
   for (unsigned i = 0; i < VIVGPU_MODELS; i++)
      vivgpu_costs_init(&predict->costs[i], exponents[i], 1e9 / predict->config.clock_hz);
   vivgpu_fragments_init(&predict->fragments);
   /* Any counts are better than none. */
   predict->inexact = INEXACT_RESULTS;
   for (unsigned i = 0; i < VIVGPU_PREDICT_SOURCES; i++)
      vivgpu_bound_init(&predict->bounds[i]);
   return predict;
}

void
vivgpu_predict_destroy(struct vivgpu_predict *predict)
{
   if (!predict)
      return;
   vivgpu_slots_finish(&predict->slots);
   free(predict);
}

double
vivgpu_measured_ns(const struct vivgpu_predict_config *config,
                   const struct vivgpu_group_result *result)
{
   if (result->flags & VIVGPU_RESULT_FAILED)
      return -1;
   if (config && config->unit == VIVGPU_PREDICT_CYCLES) {
      if ((result->flags & VIVGPU_RESULT_OVERLAPPED) || !config->clock_hz)
         return -1;
      return result->cycles * (1e9 / config->clock_hz);
   }
   if (result->finished_ns < result->started_ns)
      return -1;
   return (double)(result->finished_ns - result->started_ns);
}

bool
vivgpu_counts_are_possible(const struct vivgpu_group *group,
                           const struct vivgpu_group_result *result)
{
   uint64_t others = group->num_commands - (uint64_t)group->num_draws;

   if (group->num_lost_commands || !group->vertices || group->num_draws > group->num_commands)
      return true;
   return result->vertices && result->vertices <= group->vertices + OTHER_VERTICES * others;
}

/* Share of the first of two alternatives by its advantage. */
static double
share_of(const struct vivgpu_advantage *advantage)
{
   return 1 / (1 + exp(-SHARPNESS * advantage->mean));
}

/*
 * Learn which of two alternatives has smaller errors: the mean of a number that is 1 if the first
 * is right, -1 if the second is, and 0 if they are equal, so that few large errors do not decide.
 */
static void
compare(struct vivgpu_advantage *advantage, double first, double second)
{
   double squares = first * first + second * second, value = 0;

   if (squares > 0)
      value = (second * second - first * first) / squares;
   advantage->count++;
   advantage->mean += fmax(ADVANTAGE_WEIGHT, 1.0 / advantage->count) * (value - advantage->mean);
}

/* Fragments in the ratio of the shape's last group, by vertices or by area. */
static double
shape_fragments(const struct vivgpu_shape *shape, const struct vivgpu_terms *terms)
{
   double share = share_of(&shape->by_area);

   return share * shape->area_ratio * terms->area +
          (1 - share) * shape->fragment_ratio * terms->vertices;
}

/* Learn a shape's ratios of fragments. */
static void
learn_shape_fragments(struct vivgpu_shape *shape, const struct vivgpu_terms *terms,
                      double fragments)
{
   if (fragments < 0 || terms->vertices <= 0 || terms->area <= 0)
      return;
   if (shape->fragment_ratio >= 0)
      compare(&shape->by_area, shape->area_ratio * terms->area - fragments,
              shape->fragment_ratio * terms->vertices - fragments);
   shape->fragment_ratio = fragments / terms->vertices;
   shape->area_ratio = fragments / terms->area;
}

/* Number of groups from the last one in the history to this one. */
static uint32_t
ahead_of(const struct vivgpu_pending *pending)
{
   return pending->history == pending->slot ? pending->number - pending->slot->observed : 1;
}

/* Predict the number of fragments; fills @classes. */
static double
predict_fragments(struct vivgpu_predict *predict, const struct vivgpu_shape *shape,
                  struct vivgpu_pending *pending, double *classes)
{
   const struct vivgpu_terms *terms = predict->terms;
   double total = vivgpu_fragments_estimate(&predict->fragments, terms, classes);

   if (!terms->num_classes)
      return 0;
   pending->has_fragments =
      vivgpu_series_forecast(&pending->history->fragments, ahead_of(pending), &pending->fragments);
   pending->shape_fragments = shape->fragment_ratio >= 0 ? shape_fragments(shape, terms) : -1;
   if (pending->has_fragments && pending->shape_fragments >= 0) {
      double share = share_of(&pending->slot->fragment_history);

      total = share * pending->fragments.value + (1 - share) * pending->shape_fragments;
   } else if (pending->has_fragments) {
      total = pending->fragments.value;
   } else if (pending->shape_fragments >= 0) {
      total = pending->shape_fragments;
   }
   vivgpu_fragments_scale(terms, classes, total);
   return total;
}

/*
 * Time by the learnt costs: the models' estimates, weighted by their errors. @deviation_ns is their
 * standard deviation, or NULL.
 */
static double
predict_costs(struct vivgpu_predict *predict, const double *classes,
              struct vivgpu_estimate *estimate, double *deviation_ns)
{
   struct vivgpu_estimate estimates[VIVGPU_MODELS];
   double first = share_of(&predict->sum);

   memset(estimate, 0, sizeof(*estimate));
   if (deviation_ns)
      *deviation_ns = 0;
   for (unsigned i = 0; i < VIVGPU_MODELS; i++) {
      double share = i ? 1 - first : first;

      vivgpu_costs_estimate(&predict->costs[i], predict->terms, classes, &estimates[i]);
      estimate->ns += share * estimates[i].ns;
      if (deviation_ns)
         *deviation_ns += share * vivgpu_costs_deviation(&predict->costs[i], &estimates[i]);
      estimate->unknown += share * estimates[i].unknown;
      for (unsigned part = 0; part < VIVGPU_PREDICT_PARTS; part++)
         estimate->parts_ns[part] += share * estimates[i].parts_ns[part];
   }
   return estimate->ns;
}

/* The time of a group by what is known of its shape, from the time by costs. */
static double
correct_costs(const struct vivgpu_shape *shape, double vertices, double ns)
{
   double by_ratio = ns * vivgpu_ratios_at(&shape->by_vertices, vertices, shape->ratio);
   double by_time = vivgpu_ratios_at(&shape->times, vertices, by_ratio);
   double share = share_of(&shape->by_time);

   return share * by_time + (1 - share) * by_ratio;
}

/* Choose between history, shape and costs; sets the source. */
static double
predict_time(const struct vivgpu_predict *predict, const struct vivgpu_shape *shape,
             const struct vivgpu_estimate *estimate, struct vivgpu_pending *pending)
{
   const struct vivgpu_slot *slot = pending->slot;

   pending->costs_ns = estimate->ns;
   if (shape->observed) {
      pending->costs_ns = correct_costs(shape, predict->terms->vertices, pending->costs_ns);
      pending->source = VIVGPU_PREDICT_SHAPE;
   } else {
      pending->source =
         estimate->unknown > ESTIMATE_SHARE ? VIVGPU_PREDICT_ESTIMATE : VIVGPU_PREDICT_COSTS;
   }
   pending->has_history =
      vivgpu_series_forecast(&pending->history->time, ahead_of(pending), &pending->time);
   pending->history_ns = pending->time.value;
   if (!pending->has_history)
      return pending->costs_ns;

   /* A history that has just begun, or was interrupted, says less than one that goes on. */
   pending->source =
      slot->consecutive < FIRST_RESULTS || pending->frame - slot->observed_frame > STALE_FRAMES
         ? VIVGPU_PREDICT_SHAPE
         : VIVGPU_PREDICT_HISTORY;
   if (slot->history.count) {
      double history = share_of(&slot->history);

      return history * pending->history_ns + (1 - history) * pending->costs_ns;
   }
   return pending->history_ns;
}

/* Bound of a prediction's error in ns. */
static double
bound_of(const struct vivgpu_predict *predict, const struct vivgpu_pending *pending,
         double deviation_ns, double ns)
{
   const struct vivgpu_bound *own = &pending->slot->bound, *all = &predict->bounds[pending->source];
   double bound = own->count ? MARGIN * vivgpu_bound_value(own) * ns : 0;

   if (pending->source != VIVGPU_PREDICT_HISTORY)
      bound = fmax(bound, 3 * deviation_ns);
   /* Until the slot has errors of its own, those of all slots matter as well. */
   if (own->count < FEW_ERRORS || pending->source != VIVGPU_PREDICT_HISTORY) {
      bound = fmax(bound, MARGIN * vivgpu_bound_value(all) * ns);
      if (all->count < 8)
         bound = fmax(bound, fmax(WIDE_NS, WIDE_FACTOR * ns));
      else if (pending->source > VIVGPU_PREDICT_SHAPE)
         bound = fmax(bound, ns);
   }
   return fmax(bound, SMALLEST_BOUND_NS + SMALLEST_BOUND * ns);
}

/* A finite number of ns that is not negative. */
static uint64_t
to_ns(double ns)
{
   if (!(ns > 0))
      return 0;
   return (uint64_t)(fmin(ns, LARGEST_NS) + 0.5);
}

static void
fill_prediction(struct vivgpu_prediction *prediction, const struct vivgpu_pending *pending,
                const struct vivgpu_estimate *estimate)
{
   double scale = estimate->ns > 0 ? pending->predicted_ns / estimate->ns : 0;

   prediction->time_ns = to_ns(pending->predicted_ns);
   prediction->bound_ns = to_ns(pending->bound_ns);
   for (unsigned i = 0; i < VIVGPU_PREDICT_PARTS; i++)
      prediction->parts_ns[i] = to_ns(estimate->parts_ns[i] * scale);
   if (scale == 0)
      prediction->parts_ns[VIVGPU_PREDICT_PART_FLUSH] = prediction->time_ns;
   prediction->fragments = to_ns(pending->predicted_fragments);
   prediction->source = pending->source;
}

void
vivgpu_predict_group(struct vivgpu_predict *predict, const struct vivgpu_group *group,
                     const struct vivgpu_command *commands, struct vivgpu_prediction *prediction)
{
   struct vivgpu_recent *recent = &predict->recent[predict->next_pending % VIVGPU_RECENT];
   struct vivgpu_pending *pending = &predict->pending[predict->next_pending++ % VIVGPU_PENDING];
   double classes[VIVGPU_DRAW_CLASSES], deviation_ns, ns;
   struct vivgpu_estimate estimate;
   struct vivgpu_shape *shape;

   vivgpu_terms_of_group(&recent->terms, group, commands);
   recent->cookie = group->cookie;
   recent->valid = true;
   predict->terms = &recent->terms;
   memset(pending, 0, sizeof(*pending));
   pending->cookie = group->cookie;
   pending->slot =
      vivgpu_slots_next(&predict->slots, predict->terms->exact, group->queue, group->frame);
   pending->slot_key = pending->slot->key;
   pending->number = pending->slot->predicted;
   pending->frame = group->frame;
   pending->history = pending->slot;
   if (!pending->slot->time.count) {
      const struct vivgpu_slot *like = vivgpu_slots_like(&predict->slots, pending->slot->exact);

      if (like)
         pending->history = like;
   }
   shape = vivgpu_slots_shape(&predict->slots, predict->terms->shape);

   pending->predicted_fragments = predict_fragments(predict, shape, pending, classes);
   predict_costs(predict, classes, &estimate, &deviation_ns);
   ns = predict_time(predict, shape, &estimate, pending);
   if (predict->prologue_rate > 0.5)
      ns += predict->prologue_ns;
   pending->predicted_ns = fmin(fmax(ns, 1), LARGEST_NS);
   pending->bound_ns =
      fmin(bound_of(predict, pending, deviation_ns, pending->predicted_ns), LARGEST_NS);
   pending->valid = true;
   fill_prediction(prediction, pending, &estimate);
}

/* The prediction of a group that waits for its result; NULL if there is none. */
static struct vivgpu_pending *
find_pending(struct vivgpu_predict *predict, uint64_t cookie)
{
   /* The newest first: cookies may repeat in different processes' recordings. */
   for (uint32_t i = 1; i <= VIVGPU_PENDING; i++) {
      struct vivgpu_pending *pending =
         &predict->pending[(predict->next_pending - i) % VIVGPU_PENDING];

      if (pending->valid && pending->cookie == cookie)
         return pending;
   }
   return NULL;
}

/*
 * Terms of a group whose result has come: those that its prediction left in @recent, if they are still
 * there, else computed from its commands again.
 */
static const struct vivgpu_terms *
terms_of_result(struct vivgpu_predict *predict, const struct vivgpu_group *group,
                const struct vivgpu_command *commands)
{
   for (uint32_t i = 1; i <= VIVGPU_RECENT; i++) {
      struct vivgpu_recent *recent = &predict->recent[(predict->next_pending - i) % VIVGPU_RECENT];

      if (!recent->valid || recent->cookie != group->cookie)
         continue;
      recent->valid = false;
      return &recent->terms;
   }
   vivgpu_terms_of_group(&predict->found, group, commands);
   return &predict->found;
}

/*
 * True if counts that are not exact are probably those of the group alone: the vertices are in the
 * usual ratio to the submitted ones.
 */
static bool
are_own_counts(const struct vivgpu_pending *pending, const struct vivgpu_group *group,
               const struct vivgpu_group_result *result)
{
   if (!pending || pending->slot->key != pending->slot_key || !group->vertices)
      return true;
   return vivgpu_majority_add(&pending->slot->vertex_ratio,
                              (double)result->vertices / group->vertices);
}

/* Number of fragments that was counted, or negative if it is not known. */
static double
counted_fragments(struct vivgpu_predict *predict, const struct vivgpu_pending *pending,
                  const struct vivgpu_group *group, const struct vivgpu_group_result *result)
{
   bool own;

   if (!(result->flags & VIVGPU_RESULT_COUNTS) || !vivgpu_counts_are_possible(group, result))
      return -1;
   own = are_own_counts(pending, group, result);
   if (result->flags & VIVGPU_RESULT_EXACT)
      predict->inexact = 0;
   else if (predict->inexact < INEXACT_RESULTS)
      predict->inexact++;
   if (predict->inexact && (!own || predict->inexact < INEXACT_RESULTS))
      return -1;
   return (double)result->fragments;
}

/* Learn what prologues cost; returns the ns of this job's. */
static double
learn_prologue(struct vivgpu_predict *predict, const struct vivgpu_pending *pending,
               const struct vivgpu_group_result *result, double measured)
{
   bool with = result->flags & VIVGPU_RESULT_PROLOGUE;

   predict->prologue_rate += PROLOGUE_RATE_WEIGHT * (with - predict->prologue_rate);
   if (!with)
      return 0;
   if (pending && pending->has_history) {
      double ns = fmin(fmax(measured - pending->history_ns, 0), 1e5);

      predict->prologue_ns += PROLOGUE_WEIGHT * (ns - predict->prologue_ns);
   }
   return fmin(predict->prologue_ns, 0.5 * measured);
}

/* Append to a history; values of groups whose results never came are filled by the last one. */
static void
append(struct vivgpu_series *series, uint32_t missing, double value)
{
   struct vivgpu_forecast forecast;

   while (series->count && missing-- && missing < 8) {
      vivgpu_series_forecast(series, 1, &forecast);
      vivgpu_series_add(series, forecast.value);
   }
   vivgpu_series_add(series, value);
}

/* Learn from the errors of a prediction, and append to the slot's histories. */
static void
learn_slot(struct vivgpu_predict *predict, struct vivgpu_pending *pending, double measured,
           double own_ns, double fragments)
{
   struct vivgpu_slot *slot = pending->slot;
   double error = fabs(measured - pending->predicted_ns);
   int within = error <= pending->bound_ns;
   uint32_t missing;

   vivgpu_bound_add(&predict->bounds[pending->source], error / pending->predicted_ns, within);
   if (slot->key != pending->slot_key || pending->number <= slot->observed)
      return;
   missing = pending->number - slot->observed - 1;
   if (pending->source == VIVGPU_PREDICT_HISTORY)
      vivgpu_bound_add(&slot->bound, error / pending->predicted_ns, within);
   if (pending->has_history) {
      compare(&slot->history, pending->history_ns - own_ns, pending->costs_ns - own_ns);
      if (slot->consecutive < FIRST_RESULTS)
         compare(&predict->slots.young, pending->history_ns - own_ns, pending->costs_ns - own_ns);
      vivgpu_series_compare(&slot->time, &pending->time, own_ns);
   }
   append(&slot->time, missing, own_ns);
   if (fragments >= 0) {
      if (pending->has_fragments && pending->shape_fragments >= 0)
         compare(&slot->fragment_history, pending->fragments.value - fragments,
                 pending->shape_fragments - fragments);
      if (pending->has_fragments)
         vivgpu_series_compare(&slot->fragments, &pending->fragments, fragments);
      append(&slot->fragments, missing, fragments);
   } else if (pending->has_fragments) {
      append(&slot->fragments, missing, pending->fragments.value);
   }
   slot->consecutive =
      pending->frame - slot->observed_frame > STALE_FRAMES ? 0 : slot->consecutive + 1;
   slot->observed = pending->number;
   slot->observed_frame = pending->frame;
}

/* Learn the ratio of a shape: a mean that begins anew when the ratio changes. */
static void
learn_ratio(struct vivgpu_shape *shape, double vertices, double ratio)
{
   double error = fabs(ratio - vivgpu_ratios_at(&shape->by_vertices, vertices, shape->ratio));
   double weight = fmax(1.0 / (shape->observed + 2), SHAPE_WEIGHT);

   shape->unexpected =
      shape->observed && error > SHAPE_CHANGE * shape->error + 0.002 ? shape->unexpected + 1 : 0;
   if (shape->unexpected > 1) {
      shape->observed = 0;
      weight = SHAPE_FIRST_WEIGHT;
   }
   if (shape->unexpected > 1)
      vivgpu_ratios_clear(&shape->by_vertices);
   if (vertices > 0)
      vivgpu_ratios_add(&shape->by_vertices, vertices, ratio);
   shape->error += fmax(weight, 0.1) * (error - shape->error);
   shape->ratio += weight * (ratio - shape->ratio);
   shape->observed++;
}

/* Learn the models' errors, costs, and the ratio of the group's shape. */
static void
learn_costs(struct vivgpu_predict *predict, const double *classes, double own_ns, double fragments)
{
   struct vivgpu_shape *shape = vivgpu_slots_shape(&predict->slots, predict->terms->shape);
   struct vivgpu_estimate estimate;
   double errors[VIVGPU_MODELS], vertices = predict->terms->vertices, ns, ratio;

   for (unsigned i = 0; i < VIVGPU_MODELS; i++)
      errors[i] =
         own_ns - vivgpu_costs_observe(&predict->costs[i], predict->terms, classes, own_ns);
   compare(&predict->sum, errors[0], errors[1]);
   if (fragments >= 0)
      vivgpu_fragments_observe(&predict->fragments, predict->terms, fragments);

   /* What the costs, with what they have just learnt, do not explain. */
   ns = fmax(predict_costs(predict, classes, &estimate, NULL), 1);
   ratio = own_ns / ns;
   if (vertices > 0 && shape->observed) {
      double by_ratio = ns * vivgpu_ratios_at(&shape->by_vertices, vertices, shape->ratio);

      compare(&shape->by_time, vivgpu_ratios_at(&shape->times, vertices, by_ratio) - own_ns,
              by_ratio - own_ns);
   }
   if (vertices > 0)
      vivgpu_ratios_add(&shape->times, vertices, own_ns);
   learn_ratio(shape, vertices, fmin(fmax(ratio, 0.2), 5));
   learn_shape_fragments(shape, predict->terms, fragments);
}

void
vivgpu_predict_observe(struct vivgpu_predict *predict, const struct vivgpu_group *group,
                       const struct vivgpu_command *commands,
                       const struct vivgpu_group_result *result)
{
   struct vivgpu_pending *pending = find_pending(predict, group->cookie);
   double measured = vivgpu_measured_ns(&predict->config, result);
   double classes[VIVGPU_DRAW_CLASSES], fragments, own_ns, estimated;

   if (pending)
      pending->valid = false;
   if (measured < 0 || measured > LARGEST_NS)
      return;
   fragments = counted_fragments(predict, pending, group, result);
   own_ns = measured - learn_prologue(predict, pending, result, measured);
   if (pending)
      learn_slot(predict, pending, measured, own_ns, fragments);

   predict->terms = terms_of_result(predict, group, commands);
   estimated = vivgpu_fragments_estimate(&predict->fragments, predict->terms, classes);
   if (fragments >= 0)
      vivgpu_fragments_scale(predict->terms, classes, fragments);
   else
      vivgpu_fragments_scale(predict->terms, classes,
                             pending ? pending->predicted_fragments : estimated);
   learn_costs(predict, classes, own_ns, fragments);
}
