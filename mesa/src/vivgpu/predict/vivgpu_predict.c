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

/*
 * Bound: factor of the largest recent error, and the number of errors below which it is larger: up
 * to nearly 1 + FEW_MARGIN times with a single one. See margin_of().
 */
#define MARGIN     2.5
#define FEW_ERRORS 48
#define FEW_MARGIN 8.0
/* Least bound in ns and in times of the prediction, while a source has fewer than 8 errors. */
#define WIDE_NS     1e6
#define WIDE_FACTOR 4.0
/* Least bound: a little more than a step of the guest's clock in virtual time, 256 ns */
#define SMALLEST_BOUND_NS 300.0

/* The configuration with defaults in place of what is 0 or out of range */
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
   vivgpu_clock_init(&predict->clock);
   /* Until the first exact counts, any are better than none. */
   predict->inexact = VIVGPU_INEXACT_RESULTS;
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

/* Fragments in the ratio of the shape's last group, by vertices or by area. */
static double
shape_fragments(const struct vivgpu_shape *shape, const struct vivgpu_terms *terms)
{
   double share = vivgpu_advantage_share(&shape->by_area);

   return share * shape->area_ratio * terms->area +
          (1 - share) * shape->fragment_ratio * terms->vertices;
}

/*
 * Number of groups from the last one in the slot's history, with the number @last, to this one. Of
 * another slot's history the next value is taken.
 */
static uint32_t
ahead_of(const struct vivgpu_pending *pending, uint32_t last)
{
   return pending->history == pending->slot ? pending->number - last : 1;
}

/*
 * Predict the number of fragments; fills @classes.
 *
 * @part: if the group is a part of a frame, what is expected of it; else negative
 */
static double
predict_fragments(struct vivgpu_predict *predict, const struct vivgpu_shape *shape,
                  struct vivgpu_pending *pending, double part, double *classes)
{
   const struct vivgpu_terms *terms = predict->terms;
   double total = vivgpu_fragments_estimate(&predict->fragments, terms, classes);

   if (!terms->num_classes)
      return 0;
   pending->has_fragments = vivgpu_series_forecast(
      &pending->history->fragments, ahead_of(pending, pending->slot->counted), &pending->fragments);
   pending->other_fragments = shape->fragment_ratio >= 0 ? shape_fragments(shape, terms) : -1;
   pending->is_part = part >= 0;
   if (pending->is_part)
      pending->other_fragments = part;
   if (pending->has_fragments && pending->other_fragments >= 0) {
      double share = vivgpu_advantage_share(&pending->slot->fragment_history);

      total = share * pending->fragments.value + (1 - share) * pending->other_fragments;
   } else if (pending->has_fragments) {
      total = pending->fragments.value;
   } else if (pending->other_fragments >= 0) {
      total = pending->other_fragments;
   }
   vivgpu_fragments_scale(terms, classes, total);
   return total;
}

double
vivgpu_predict_costs(struct vivgpu_predict *predict, const double *classes,
                     struct vivgpu_models_estimate *estimate)
{
   double first = vivgpu_advantage_share(&predict->sum);

   estimate->ns = estimate->unknown = 0;
   memset(estimate->parts_ns, 0, sizeof(estimate->parts_ns));
   for (unsigned i = 0; i < VIVGPU_MODELS; i++) {
      double share = estimate->shares[i] = i ? 1 - first : first;
      struct vivgpu_estimate *own = &estimate->models[i];

      vivgpu_costs_estimate(&predict->costs[i], predict->terms, classes, own);
      estimate->ns += share * own->ns;
      estimate->unknown += share * own->unknown;
      for (unsigned part = 0; part < VIVGPU_PREDICT_PARTS; part++)
         estimate->parts_ns[part] += share * own->parts_ns[part];
   }
   return estimate->ns;
}

/* Standard deviation of an estimate in ns */
static double
deviation_of(const struct vivgpu_predict *predict, const struct vivgpu_models_estimate *estimate)
{
   double ns = 0;

   for (unsigned i = 0; i < VIVGPU_MODELS; i++)
      ns += estimate->shares[i] * vivgpu_costs_deviation(&predict->costs[i], &estimate->models[i]);
   return ns;
}

/* Predict the time by history, shape and costs; sets the source, by which its bound is chosen. */
static double
predict_time(const struct vivgpu_predict *predict, const struct vivgpu_shape *shape,
             const struct vivgpu_models_estimate *estimate, struct vivgpu_pending *pending)
{
   const struct vivgpu_slot *slot = pending->slot;

   pending->costs_ns = pending->plain_ns = estimate->ns;
   if (shape->observed) {
      double share = vivgpu_advantage_share(&shape->corrected);

      pending->corrected_ns =
         pending->plain_ns *
         vivgpu_ratios_at(&shape->by_vertices, predict->terms->vertices, shape->ratio);
      pending->costs_ns = share * pending->corrected_ns + (1 - share) * pending->plain_ns;
      pending->source = VIVGPU_PREDICT_SHAPE;
   } else {
      pending->source = estimate->unknown > 0 ? VIVGPU_PREDICT_ESTIMATE : VIVGPU_PREDICT_COSTS;
   }
   pending->has_history = vivgpu_surprise_forecast(
      &pending->history->surprise, &pending->history->time, &predict->slots.follow,
      ahead_of(pending, slot->observed), &pending->time);
   pending->history_ns = pending->time.value;
   if (!pending->has_history)
      return pending->costs_ns;

   /* A history that has just begun, or was interrupted, says less than one that goes on. */
   pending->source = slot->consecutive < VIVGPU_FIRST_RESULTS ||
                           pending->frame - slot->observed_frame > VIVGPU_STALE_FRAMES
                        ? VIVGPU_PREDICT_SHAPE
                        : VIVGPU_PREDICT_HISTORY;
   if (slot->history.count) {
      double history = vivgpu_advantage_share(&slot->history);

      return history * pending->history_ns + (1 - history) * pending->costs_ns;
   }
   return pending->history_ns;
}

/* Factor of the largest of some errors: of few it says less about those to come. */
static double
margin_of(uint32_t errors)
{
   return MARGIN * (1 + fmax(FEW_MARGIN / fmax(errors, 1) - FEW_MARGIN / FEW_ERRORS, 0));
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
      bound = fmax(bound, margin_of(all->count) * vivgpu_bound_value(all) * ns);
      if (all->count < 8)
         bound = fmax(bound, fmax(WIDE_NS, WIDE_FACTOR * ns));
      /* By costs alone, or estimates */
      else if (pending->source > VIVGPU_PREDICT_SHAPE)
         bound = fmax(bound, ns);
   }
   return fmax(bound, SMALLEST_BOUND_NS);
}

/*
 * The same at the level of the configuration: by the errors of the group's own history if there are
 * enough, else by those of all predictions from the same source. Until there are enough of these it
 * is bound_of().
 */
static double
level_bound_of(const struct vivgpu_predict *predict, const struct vivgpu_pending *pending,
               double deviation_ns, double ns)
{
   const struct vivgpu_bound *own = &pending->slot->bound, *all = &predict->bounds[pending->source];
   double level = predict->config.level, relative = INFINITY;

   if (pending->source == VIVGPU_PREDICT_HISTORY)
      relative = vivgpu_bound_conformal(own, level);
   if (isinf(relative))
      relative = vivgpu_bound_conformal(all, level);
   if (isinf(relative))
      return bound_of(predict, pending, deviation_ns, ns);
   return fmax(relative * ns, SMALLEST_BOUND_NS);
}

/* Round to a whole number, from 0 to VIVGPU_LARGEST_NS. */
static uint64_t
to_number(double number)
{
   if (!(number > 0))
      return 0;
   return (uint64_t)(fmin(number, VIVGPU_LARGEST_NS) + 0.5);
}

static void
fill_prediction(struct vivgpu_prediction *prediction, const struct vivgpu_pending *pending,
                const struct vivgpu_models_estimate *estimate)
{
   double scale = estimate->ns > 0 ? pending->predicted_ns / estimate->ns : 0;

   prediction->time_ns = to_number(pending->predicted_ns);
   prediction->bound_ns = to_number(pending->bound_ns);
   for (unsigned i = 0; i < VIVGPU_PREDICT_PARTS; i++)
      prediction->parts_ns[i] = to_number(estimate->parts_ns[i] * scale);
   if (scale == 0)
      prediction->parts_ns[VIVGPU_PREDICT_PART_FLUSH] = prediction->time_ns;
   prediction->fragments = to_number(pending->predicted_fragments);
   prediction->source = pending->source;
}

/*
 * Register the group where its counts will be assigned: with the vertices that the core will count,
 * by the usual ratio once it was confirmed. Returns @part for predict_fragments().
 */
static double
begin_counts(struct vivgpu_predict *predict, const struct vivgpu_group *group,
             struct vivgpu_pending *pending)
{
   const struct vivgpu_majority *ratio = &pending->slot->vertex_ratio;
   double vertices = predict->terms->vertices;
   bool full = group->reason == VIVGPU_GROUP_FULL_STREAM ||
               group->reason == VIVGPU_GROUP_FULL_UPLOAD ||
               group->reason == VIVGPU_GROUP_TOO_MANY_POINTS;

   vivgpu_counts_submit(&predict->counts, group->cookie,
                        ratio->count > 1 ? to_number((double)group->vertices * ratio->value)
                                         : group->vertices);
   pending->vertices = vertices;
   if (!(vertices > 0))
      return -1;
   return vivgpu_parts_submit(&predict->parts, group->queue, group->frame, group->cookie, vertices,
                              full);
}

void
vivgpu_predict_group(struct vivgpu_predict *predict, const struct vivgpu_group *group,
                     const struct vivgpu_command *commands, struct vivgpu_prediction *prediction)
{
   struct vivgpu_recent *recent = &predict->recent[predict->next_pending % VIVGPU_PREDICT_RECENT];
   struct vivgpu_pending *pending = &predict->pending[predict->next_pending++ % VIVGPU_PENDING];
   double classes[VIVGPU_DRAW_CLASSES], deviation_ns = 0, ns, part;
   struct vivgpu_models_estimate estimate;
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

   part = begin_counts(predict, group, pending);
   pending->predicted_fragments = predict_fragments(predict, shape, pending, part, classes);
   vivgpu_predict_costs(predict, classes, &estimate);
   ns = predict_time(predict, shape, &estimate, pending);
   /* A history does not rest on the costs. */
   if (pending->source != VIVGPU_PREDICT_HISTORY)
      deviation_ns = deviation_of(predict, &estimate);
   /* If most of the recent jobs had a prologue */
   if (predict->prologue_rate > 0.5)
      ns += predict->prologue_ns;
   ns *= vivgpu_clock_slowness(&predict->clock);
   deviation_ns *= vivgpu_clock_slowness(&predict->clock);
   pending->predicted_ns = fmin(fmax(ns, 1), VIVGPU_LARGEST_NS);
   pending->bound_ns =
      fmin(predict->config.level > 0
              ? level_bound_of(predict, pending, deviation_ns, pending->predicted_ns)
              : bound_of(predict, pending, deviation_ns, pending->predicted_ns),
           VIVGPU_LARGEST_NS);
   pending->valid = true;
   fill_prediction(prediction, pending, &estimate);
}
