/* SPDX-License-Identifier: MIT */
/*
 * Prediction of the execution time of command groups, before they run.
 *
 * A predictor learns from groups whose results have come (vivgpu_predict_observe) and predicts
 * those that are about to be submitted (vivgpu_predict_group). It is deterministic, has no global
 * state and allocates memory at its creation only. Calls for one predictor must be serialized by
 * the caller; different predictors are independent.
 *
 * Documentation/mesa/prediction.rst describes the models, and how their constants were chosen.
 */
#ifndef VIVGPU_PREDICT_H
#define VIVGPU_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vivgpu_group.h"

/** The predicted quantity; vivgpu_predict_config.unit */
enum vivgpu_predict_unit {
   /** Time between the kernel's stamps of start and finish */
   VIVGPU_PREDICT_NS,
   /** Cycles of the core, converted to ns by clock_hz; results that are OVERLAPPED teach nothing */
   VIVGPU_PREDICT_CYCLES,
};

struct vivgpu_predict_config {
   /** Frequency of the core in Hz; 0 if unknown: 500 MHz is assumed */
   uint64_t clock_hz;
   enum vivgpu_predict_unit unit;
   /** Histories of groups that do the same work (vivgpu_slots.h): at most 4096, 0 for 64 */
   uint32_t slots;
   /**
    * Level of bounds: at least this share of errors is within, from 0.5 to 0.99; see
    * vivgpu_bound.h. 0: the widest, a multiple of the largest error
    */
   double level;
   /** Values of a history, 0 for 1024; 16 to 8192 */
   uint32_t history;
};

/** Parts of a predicted time, by kind of command */
enum vivgpu_predict_part {
   /** Start, end and the words of the command stream: what flush and finish cost */
   VIVGPU_PREDICT_PART_FLUSH,
   VIVGPU_PREDICT_PART_CLEAR,
   /** Copies and resolves */
   VIVGPU_PREDICT_PART_COPY,
   VIVGPU_PREDICT_PART_UPLOAD,
   VIVGPU_PREDICT_PART_SWAP,
   /** Draws: vertices and the draws themselves, and fragments */
   VIVGPU_PREDICT_PART_VERTEX,
   VIVGPU_PREDICT_PART_FRAGMENT,
   VIVGPU_PREDICT_PARTS,
};

/** On what a prediction rests; the best first */
enum vivgpu_predict_source {
   /** History of the same group */
   VIVGPU_PREDICT_HISTORY,
   /** History of groups of the same kind with other counts, or a short one of the same group */
   VIVGPU_PREDICT_SHAPE,
   /** Costs of commands that were learnt from other groups */
   VIVGPU_PREDICT_COSTS,
   /** Some costs are estimates, because a program or kind of command is new */
   VIVGPU_PREDICT_ESTIMATE,
   VIVGPU_PREDICT_SOURCES,
};

struct vivgpu_prediction {
   /**
    * Expected time, and the bound of its error: |time - time_ns| <= bound_ns for as many groups as
    * vivgpu_predict_config.level says. vivgpu_predict_group() sets neither to 0
    */
   uint64_t time_ns, bound_ns;
   /** Sum of all parts is time_ns, except for rounding */
   uint64_t parts_ns[VIVGPU_PREDICT_PARTS];
   /** Predicted number of fragments, of all draws */
   uint64_t fragments;
   enum vivgpu_predict_source source;
};

struct vivgpu_predict;

/** Create a predictor; @config may be NULL for defaults. NULL if memory is short. */
struct vivgpu_predict *vivgpu_predict_create(const struct vivgpu_predict_config *config);

void vivgpu_predict_destroy(struct vivgpu_predict *predict);

/**
 * Predict a group, before it is submitted and in the order of submission. @commands are the
 * group->num_commands commands of the group.
 */
void vivgpu_predict_group(struct vivgpu_predict *predict, const struct vivgpu_group *group,
                          const struct vivgpu_command *commands,
                          struct vivgpu_prediction *prediction);

/**
 * Learn from the result of a group, in the order of results. If vivgpu_predict_group() was called
 * for the group's cookie, the errors of that prediction are learnt as well. @commands may be NULL
 * if it was: what is needed of them is remembered for the last VIVGPU_PREDICT_RECENT groups. The
 * costs learn nothing from older ones then.
 */
void vivgpu_predict_observe(struct vivgpu_predict *predict, const struct vivgpu_group *group,
                            const struct vivgpu_command *commands,
                            const struct vivgpu_group_result *result);

/** Predicted groups of which vivgpu_predict_observe() needs no commands */
#define VIVGPU_PREDICT_RECENT 64

/** Version of the calibration's format */
#define VIVGPU_PREDICT_VERSION 2

/** Largest number of bytes that vivgpu_predict_save() writes */
size_t vivgpu_predict_save_bytes(void);

/**
 * Write the learnt costs and how fragments are spread over frames, not the histories, to @data.
 * Returns the number of bytes, or 0 if @size is less than vivgpu_predict_save_bytes().
 */
size_t vivgpu_predict_save(const struct vivgpu_predict *predict, void *data, size_t size);

/**
 * Replace what is learnt by what was saved; histories stay. False, and nothing is changed, if
 * @data, which is aligned to 8, has another version or a wrong checksum, or if it was saved at
 * another frequency of the core.
 */
bool vivgpu_predict_load(struct vivgpu_predict *predict, const void *data, size_t size);

/**
 * Return the time of a group in ns that a predictor with @config learns, or a negative number if
 * the result has none.
 */
double vivgpu_measured_ns(const struct vivgpu_predict_config *config,
                          const struct vivgpu_group_result *result);

/**
 * False if the counts of a result cannot be those of its group (counts of two jobs may be read
 * together): more vertices than were submitted and copies and clears by draws can have added, or
 * none though some were submitted. Of a group that lost commands all counts are possible.
 */
bool vivgpu_counts_are_possible(const struct vivgpu_group *group,
                                const struct vivgpu_group_result *result);

#endif
