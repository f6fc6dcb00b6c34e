/* SPDX-License-Identifier: MIT */
/* The predictor's state, shared by vivgpu_predict.c, vivgpu_observe.c and vivgpu_calibration.c. */
#ifndef VIVGPU_PREDICT_PRIVATE_H
#define VIVGPU_PREDICT_PRIVATE_H

#include "vivgpu_clock.h"
#include "vivgpu_costs.h"
#include "vivgpu_counts.h"
#include "vivgpu_fragments.h"
#include "vivgpu_parts.h"
#include "vivgpu_predict.h"
#include "vivgpu_slots.h"

/** Models of costs: vertices and fragments of a draw are added, or overlap */
#define VIVGPU_MODELS 2

/** Groups whose results have not come yet; older ones are given up */
#define VIVGPU_PENDING 256

/** Counts that may include neighbours' are used once so many results in sequence were not exact */
#define VIVGPU_INEXACT_RESULTS 32
/** Frames without a result of a group, after which its history is no longer recent */
#define VIVGPU_STALE_FRAMES 8
/** Results from which on a history, after such a gap, is recent again */
#define VIVGPU_FIRST_RESULTS 12
/** Largest predicted time in ns: an hour */
#define VIVGPU_LARGEST_NS 3.6e12

/** Terms of a group that was predicted */
struct vivgpu_recent {
   uint64_t cookie;
   bool valid;
   struct vivgpu_terms terms;
};

/** A prediction that waits for its result */
struct vivgpu_pending {
   uint64_t cookie;
   bool valid;
   struct vivgpu_slot *slot;
   /** Whose history is continued: the slot, or one of equal groups if it has none */
   const struct vivgpu_slot *history;
   /** The slot's key and number at the prediction */
   uint64_t slot_key;
   uint32_t number;
   uint32_t frame;
   struct vivgpu_forecast time, fragments;
   /** Fragments in the shape's ratio, or of this part of a frame (@is_part); negative: unknown */
   double other_fragments;
   bool is_part;
   /** Submitted vertices */
   double vertices;
   /**
    * Fragments that were counted, negative if they are unknown; valid if @is_counted. @doubt: their
    * standard deviation if vivgpu_divide() divided them among groups, else 0
    */
   double counted, doubt;
   bool is_counted;
   bool has_history, has_fragments;
   /** Predicted by history, by costs alone, corrected by the shape, by a mean of these two; ns */
   double history_ns, plain_ns, corrected_ns, costs_ns;
   double predicted_ns, bound_ns, predicted_fragments;
   enum vivgpu_predict_source source;
};

struct vivgpu_predict {
   struct vivgpu_predict_config config;
   struct vivgpu_costs costs[VIVGPU_MODELS];
   /** Advantage of the model that adds over the other one */
   struct vivgpu_advantage sum;
   struct vivgpu_fragments fragments;
   struct vivgpu_slots slots;
   struct vivgpu_counts counts;
   struct vivgpu_parts parts;
   /** Errors of all predictions, by source */
   struct vivgpu_bound bounds[VIVGPU_PREDICT_SOURCES];
   struct vivgpu_pending pending[VIVGPU_PENDING];
   uint32_t next_pending;
   /** Results since the last one whose counts were those of its job only */
   uint32_t inexact;
   /**
    * Histories and costs have times at full speed, so a change of the clock is one of all
    * predictions at once
    */
   struct vivgpu_clock clock;
   /** Prologues: share of the recent jobs that had one, and ns of one */
   double prologue_rate, prologue_ns;
   /** Terms of the last predicted groups, by @next_pending, and of one that was not kept */
   struct vivgpu_recent recent[VIVGPU_PREDICT_RECENT];
   struct vivgpu_terms found;
   /** Terms of the group that is being predicted or observed: one of the above */
   const struct vivgpu_terms *terms;
};

/** Estimates of all models, and their common one: weighted by the models' errors */
struct vivgpu_models_estimate {
   struct vivgpu_estimate models[VIVGPU_MODELS];
   double shares[VIVGPU_MODELS];
   /** As in struct vivgpu_estimate */
   double ns, unknown;
   double parts_ns[VIVGPU_PREDICT_PARTS];
};

/**
 * Time by the learnt costs of predict->terms; returns estimate->ns.
 *
 * @classes: fragments of each class of draws
 */
double vivgpu_predict_costs(struct vivgpu_predict *predict, const double *classes,
                            struct vivgpu_models_estimate *estimate);

#endif
