/* SPDX-License-Identifier: MIT */
/* What the predictor learns from results; see vivgpu_predict.h. */

#include "vivgpu_division.h"
#include "vivgpu_predict_private.h"

#include <math.h>

/* Weight of one job in the mean time of prologues. */
#define PROLOGUE_WEIGHT 0.1
/*
 * Weight of one job in the rate of jobs with a prologue. A job has one if another client's job ran
 * before it. That usually stays so for many jobs, so the last one has most of the weight.
 */
#define PROLOGUE_RATE_WEIGHT 0.6
/* Smallest weight of one group in a shape's ratio */
#define SHAPE_WEIGHT 0.2
/* Vertices of a copy or clear by a draw, at most. */
#define OTHER_VERTICES 8

/* Learn a shape's ratios of fragments: both or none are known. */
static void
learn_shape_fragments(struct vivgpu_shape *shape, const struct vivgpu_terms *terms,
                      double fragments)
{
   if (fragments < 0 || terms->vertices <= 0 || terms->area <= 0)
      return;
   if (shape->fragment_ratio >= 0)
      vivgpu_advantage_compare(&shape->by_area, shape->area_ratio * terms->area - fragments,
                               shape->fragment_ratio * terms->vertices - fragments);
   shape->fragment_ratio = fragments / terms->vertices;
   shape->area_ratio = fragments / terms->area;
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
 * Terms of a group whose result has come: those of its prediction, if they are still in @recent, or
 * else computed again from its commands; NULL if these are not known.
 */
static const struct vivgpu_terms *
terms_of_result(struct vivgpu_predict *predict, const struct vivgpu_group *group,
                const struct vivgpu_command *commands)
{
   for (uint32_t i = 1; i <= VIVGPU_PREDICT_RECENT; i++) {
      struct vivgpu_recent *recent =
         &predict->recent[(predict->next_pending - i) % VIVGPU_PREDICT_RECENT];

      if (!recent->valid || recent->cookie != group->cookie)
         continue;
      recent->valid = false;
      return &recent->terms;
   }
   if (!commands)
      return NULL;
   vivgpu_terms_of_group(&predict->found, group, commands);
   return &predict->found;
}

/*
 * Learn the usual ratio of counted to submitted vertices from a result, be it exact or not. True if
 * this one has it, or nothing is known of the group: counts that are not exact are then probably
 * those of the group alone.
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

/*
 * Number of fragments by a result whose counts may include those of other groups; negative if they
 * probably do, if they are not used since others are exact (VIVGPU_INEXACT_RESULTS), or if there
 * are none.
 */
static double
probable_fragments(struct vivgpu_predict *predict, const struct vivgpu_pending *pending,
                   const struct vivgpu_group *group, const struct vivgpu_group_result *result)
{
   bool own;

   if (!(result->flags & VIVGPU_RESULT_COUNTS) || !vivgpu_counts_are_possible(group, result))
      return -1;
   own = are_own_counts(pending, group, result);
   if (predict->inexact < VIVGPU_INEXACT_RESULTS)
      predict->inexact++;
   if (!own || predict->inexact < VIVGPU_INEXACT_RESULTS)
      return -1;
   return (double)result->fragments;
}

/*
 * Append to a history. The values of @missing groups, whose results never came, are filled in by
 * forecasts; if there are more than 8, none of them is.
 */
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

/*
 * Append the number of a group's fragments to its history, once; negative: it will never be known,
 * and what was forecast takes its place.
 */
static void
learn_fragments(struct vivgpu_pending *pending, double fragments)
{
   struct vivgpu_slot *slot = pending->slot;
   uint32_t missing = pending->number - slot->counted - 1;

   pending->is_counted = true;
   pending->counted = fragments;
   if (slot->key != pending->slot_key || pending->number <= slot->counted)
      return;
   if (fragments >= 0) {
      if (pending->has_fragments && pending->other_fragments >= 0)
         vivgpu_advantage_compare(&slot->fragment_history, pending->fragments.value - fragments,
                                  pending->other_fragments - fragments);
      if (pending->has_fragments)
         vivgpu_series_compare(&slot->fragments, &pending->fragments, fragments);
      append(&slot->fragments, missing, fragments);
   } else if (pending->has_fragments) {
      append(&slot->fragments, missing, pending->fragments.value);
   }
   slot->counted = pending->number;
}

/*
 * The prediction of a group whose fragments are not known yet; NULL if there is none. The group's
 * result may have come already (@valid is false), as counts may come with that of a later one.
 */
static struct vivgpu_pending *
find_uncounted(struct vivgpu_predict *predict, uint64_t cookie)
{
   for (uint32_t i = 1; i <= VIVGPU_PENDING; i++) {
      struct vivgpu_pending *pending =
         &predict->pending[(predict->next_pending - i) % VIVGPU_PENDING];

      if (pending->slot && pending->cookie == cookie)
         return pending->is_counted ? NULL : pending;
   }
   return NULL;
}

/*
 * Forecast the fragments of a group from its history, which may be longer than when the group was
 * predicted; negative if there is no history.
 */
static double
forecast_fragments(const struct vivgpu_pending *pending)
{
   const struct vivgpu_slot *slot = pending->slot;
   struct vivgpu_forecast forecast;

   if (slot->key != pending->slot_key || pending->number <= slot->counted ||
       !vivgpu_series_forecast(&slot->fragments, pending->number - slot->counted, &forecast))
      return -1;
   return fmax(forecast.value, 1);
}

/*
 * Divide the fragments of a run among its groups: by their histories if all have one, with a doubt
 * of 0, or else by vivgpu_divide().
 *
 * @parts: result: fragments of each group
 */
static void
divide_run(struct vivgpu_predict *predict, const struct vivgpu_counts_run *run,
           struct vivgpu_pending *const *pending, struct vivgpu_division *parts)
{
   struct vivgpu_division before = {0};
   double sum = 0;
   bool known = true;

   /* A forecast is at least 1, so the sum is not 0 if all are known. */
   for (unsigned i = 0; i < run->num_jobs; i++) {
      parts[i].fragments = pending[i] ? forecast_fragments(pending[i]) : -1;
      parts[i].doubt = 0;
      known = known && parts[i].fragments >= 0;
      sum += parts[i].fragments;
   }
   for (unsigned i = 0; i < run->num_jobs; i++) {
      struct vivgpu_division up_to;

      if (known) {
         parts[i].fragments *= (double)run->fragments / sum;
         continue;
      }
      up_to = vivgpu_divide(&predict->parts, run, i);
      parts[i].fragments = up_to.fragments - before.fragments;
      parts[i].doubt = up_to.doubt + before.doubt;
      before = up_to;
   }
}

/* Learn from a number of fragments of one or more groups: a run has at least one job. */
static void
learn_run(struct vivgpu_predict *predict, const struct vivgpu_counts_run *run)
{
   struct vivgpu_pending *pending[VIVGPU_COUNTS_SHARED];
   struct vivgpu_division parts[VIVGPU_COUNTS_SHARED] = {{.fragments = (double)run->fragments}};
   unsigned last = run->num_jobs - 1;

   for (unsigned i = 0; i < run->num_points; i++)
      vivgpu_parts_point(&predict->parts, run->jobs[0].cookie, run->points[i].cookie,
                         (double)run->points[i].vertices, (double)run->points[i].fragments);
   vivgpu_parts_point(&predict->parts, run->jobs[0].cookie, run->jobs[last].cookie,
                      (double)run->jobs[last].vertices, (double)run->fragments);
   for (unsigned i = 0; i < run->num_jobs; i++)
      pending[i] = find_uncounted(predict, run->jobs[i].cookie);
   if (last)
      divide_run(predict, run, pending, parts);
   for (unsigned i = 0; i < run->num_jobs; i++) {
      if (!pending[i])
         continue;
      vivgpu_parts_count(&predict->parts, pending[i]->cookie, pending[i]->vertices,
                         parts[i].fragments);
      pending[i]->doubt = parts[i].doubt;
      learn_fragments(pending[i], parts[i].fragments);
   }
}

/*
 * Fragments of a group whose counts end within the next group; negative if the run has others, or
 * if the group has a history, which gives a better estimate once the next result has come.
 */
static double
open_fragments(struct vivgpu_predict *predict, struct vivgpu_pending *pending)
{
   struct vivgpu_counts_run run = predict->counts.run;
   struct vivgpu_division own;

   if (pending->has_fragments || run.num_jobs != 2 || !run.num_points ||
       run.jobs[0].cookie != pending->cookie)
      return -1;
   /* So far the run ends at its last point. */
   run.jobs[1].vertices = run.points[--run.num_points].vertices;
   own = vivgpu_divide(&predict->parts, &run, 0);
   pending->doubt = own.doubt;
   return own.fragments;
}

/*
 * Learn from the counts of a result, which may be those of other groups; @pending: the prediction
 * of its group, not NULL. Returns the number of the group's own fragments; negative if it is not
 * known, or not yet.
 */
static double
learn_counts(struct vivgpu_predict *predict, struct vivgpu_pending *pending,
             const struct vivgpu_group *group, const struct vivgpu_group_result *result)
{
   const struct vivgpu_counts_run *run = vivgpu_counts_result(&predict->counts, result);
   double probable;

   if (run)
      learn_run(predict, run);
   if (result->flags & VIVGPU_RESULT_EXACT) {
      predict->inexact = 0;
      are_own_counts(pending, group, result);
   }
   if (pending->is_counted)
      return pending->counted;
   if (predict->counts.aligned)
      return predict->counts.offset ? open_fragments(predict, pending) : -1;
   probable = probable_fragments(predict, pending, group, result);
   if (probable >= 0)
      vivgpu_parts_count(&predict->parts, group->cookie, pending->vertices, probable);
   learn_fragments(pending, probable);
   return probable;
}

/*
 * Learn what prologues cost, at most 100 µs; returns the ns of this job's, at most half of its
 * time.
 */
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

/* Learn the error of a prediction, relative to what was predicted. */
static void
learn_bound(const struct vivgpu_predict *predict, struct vivgpu_bound *bound, double error,
            int within)
{
   if (predict->config.level > 0)
      vivgpu_bound_follow(bound, error, predict->config.level);
   vivgpu_bound_add(bound, error, within);
}

/*
 * Learn from the errors of a prediction, and append to the slot's history of time.
 *
 * @measured: the job's time, which was predicted
 * @own_ns: the group's own: at full speed of the core and without a prologue, as histories have it
 */
static void
learn_slot(struct vivgpu_predict *predict, struct vivgpu_pending *pending, double measured,
           double own_ns)
{
   struct vivgpu_slot *slot = pending->slot;
   double error = fabs(measured - pending->predicted_ns);
   int within = error <= pending->bound_ns;
   uint32_t missing;

   learn_bound(predict, &predict->bounds[pending->source], error / pending->predicted_ns, within);
   if (slot->key != pending->slot_key || pending->number <= slot->observed)
      return;
   missing = pending->number - slot->observed - 1;
   if (pending->source == VIVGPU_PREDICT_HISTORY)
      learn_bound(predict, &slot->bound, error / pending->predicted_ns, within);
   if (pending->has_history) {
      vivgpu_advantage_compare(&slot->history, pending->history_ns - own_ns,
                               pending->costs_ns - own_ns);
      if (slot->consecutive < VIVGPU_FIRST_RESULTS)
         vivgpu_advantage_compare(&predict->slots.young, pending->history_ns - own_ns,
                                  pending->costs_ns - own_ns);
   }
   vivgpu_surprise_add(&slot->surprise, &slot->time, &predict->slots.follow, missing,
                       pending->has_history ? &pending->time : NULL, own_ns);
   slot->consecutive =
      pending->frame - slot->observed_frame > VIVGPU_STALE_FRAMES ? 0 : slot->consecutive + 1;
   slot->observed = pending->number;
   slot->observed_frame = pending->frame;
}

/* Learn the ratio of a shape. */
static void
learn_ratio(struct vivgpu_shape *shape, double vertices, double ratio)
{
   double weight = fmax(1.0 / (shape->observed + 2), SHAPE_WEIGHT);

   if (vertices > 0)
      vivgpu_ratios_add(&shape->by_vertices, vertices, ratio);
   shape->ratio += weight * (ratio - shape->ratio);
   shape->observed++;
}

/*
 * Learn the models' errors, costs, and the ratio of the shape of the group with predict->terms.
 *
 * @doubt: standard deviation of @fragments
 */
static void
learn_costs(struct vivgpu_predict *predict, const struct vivgpu_pending *pending,
            const double *classes, double own_ns, double fragments, double doubt)
{
   struct vivgpu_shape *shape = vivgpu_slots_shape(&predict->slots, predict->terms->shape);
   struct vivgpu_models_estimate estimate;
   double errors[VIVGPU_MODELS], vertices = predict->terms->vertices, ns, ratio;

   if (pending && pending->corrected_ns > 0)
      vivgpu_advantage_compare(&shape->corrected, pending->corrected_ns - own_ns,
                               pending->plain_ns - own_ns);
   for (unsigned i = 0; i < VIVGPU_MODELS; i++)
      errors[i] = own_ns - vivgpu_costs_observe(&predict->costs[i], predict->terms, classes,
                                                fragments > 0 ? doubt / fragments : 0, own_ns);
   vivgpu_advantage_compare(&predict->sum, errors[0], errors[1]);

   /* The ratio of the measured time to that by the costs, which have learnt from this result */
   ns = fmax(vivgpu_predict_costs(predict, classes, &estimate), 1);
   ratio = own_ns / ns;
   /* An outlier for both models may be an error of one measurement. */
   if (!predict->costs[0].rls.is_outlier || !predict->costs[1].rls.is_outlier)
      learn_ratio(shape, vertices, fmin(fmax(ratio, 0.2), 5));
   /* Parts of a frame have their own share of its fragments, which says nothing of whole frames. */
   if (!pending || !pending->is_part)
      learn_shape_fragments(shape, predict->terms, fragments);
}

void
vivgpu_predict_observe(struct vivgpu_predict *predict, const struct vivgpu_group *group,
                       const struct vivgpu_command *commands,
                       const struct vivgpu_group_result *result)
{
   struct vivgpu_pending *pending = find_pending(predict, group->cookie);
   double measured = vivgpu_measured_ns(&predict->config, result);
   double classes[VIVGPU_DRAW_CLASSES], fragments, own_ns, estimated, doubt;

   if (pending)
      pending->valid = false;
   fragments = pending ? learn_counts(predict, pending, group, result)
                       : probable_fragments(predict, NULL, group, result);
   if (measured < 0 || measured > VIVGPU_LARGEST_NS)
      return;
   if (predict->config.unit == VIVGPU_PREDICT_NS)
      vivgpu_clock_observe(&predict->clock, result->cycles * (1e9 / predict->config.clock_hz),
                           measured);
   own_ns = measured / vivgpu_clock_slowness(&predict->clock);
   own_ns -= learn_prologue(predict, pending, result, own_ns);
   if (pending)
      learn_slot(predict, pending, measured, own_ns);

   predict->terms = terms_of_result(predict, group, commands);
   if (!predict->terms)
      return;
   doubt = pending ? pending->doubt : 0;
   /* First the classes' shares: costs belong to those that the next prediction will have. */
   if (fragments >= 0)
      vivgpu_fragments_observe(&predict->fragments, predict->terms, fragments, doubt);
   estimated = vivgpu_fragments_estimate(&predict->fragments, predict->terms, classes);
   if (fragments >= 0)
      vivgpu_fragments_scale(predict->terms, classes, fragments);
   else
      vivgpu_fragments_scale(predict->terms, classes,
                             pending ? pending->predicted_fragments : estimated);
   learn_costs(predict, pending, classes, own_ns, fragments, doubt);
}
