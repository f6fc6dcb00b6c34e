/* SPDX-License-Identifier: MIT */
/*
 * The common interface of all predictors: the one in use, the thesis's, and the baselines that they
 * are compared with.
 */
#ifndef VIVGPU_PREDICTOR_H
#define VIVGPU_PREDICTOR_H

#include "vivgpu_predict.h"

/** A kind of predictor; the functions are as in vivgpu_predict.h, for void * instead of its type */
struct vivgpu_predictor_type {
   /** Short name, for tables */
   const char *name;
   /** Whose it is and what it does, in one line */
   const char *description;
   /** Learns from calibration runs on the same machine before it predicts a program */
   bool calibrated;
   void *(*create)(const struct vivgpu_predict_config *config);
   void (*destroy)(void *predictor);
   /** Predictors without an error bound leave bound_ns 0 */
   void (*predict)(void *predictor, const struct vivgpu_group *group,
                   const struct vivgpu_command *commands, struct vivgpu_prediction *prediction);
   void (*observe)(void *predictor, const struct vivgpu_group *group,
                   const struct vivgpu_command *commands, const struct vivgpu_group_result *result);
};

/** vivgpu_predict.h */
extern const struct vivgpu_predictor_type vivgpu_predictor_ours;
/** Thesis 5.5 with the first and the second predictor of fragments of 6.3 */
extern const struct vivgpu_predictor_type vivgpu_predictor_thesis_ratio;
extern const struct vivgpu_predictor_type vivgpu_predictor_thesis_sequence;
/** Thesis, chapter 2: Bautin, Dwarakinath, Kato, Raravi, Schnitzer */
extern const struct vivgpu_predictor_type vivgpu_predictor_vertices;
extern const struct vivgpu_predictor_type vivgpu_predictor_order;
extern const struct vivgpu_predictor_type vivgpu_predictor_table;
extern const struct vivgpu_predictor_type vivgpu_predictor_instructions;
extern const struct vivgpu_predictor_type vivgpu_predictor_box;
/** The same group of the last frame; linear regression over all counts */
extern const struct vivgpu_predictor_type vivgpu_predictor_last_frame;
extern const struct vivgpu_predictor_type vivgpu_predictor_regression;

/** All of the above, NULL at the end */
extern const struct vivgpu_predictor_type *const vivgpu_predictors[];

#endif
