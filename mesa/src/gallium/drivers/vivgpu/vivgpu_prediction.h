/* SPDX-License-Identifier: MIT */
/*
 * Prediction of the execution time of this process's command groups, before they are submitted.
 *
 * VIVGPU_PREDICT=1 switches it on: the command monitor then sets predicted_ns and bound_ns of each
 * group. What is learnt is saved when the process ends, and loaded by the next one;
 * VIVGPU_PREDICT=nocache does neither, so that runs are repeatable.
 */
#ifndef VIVGPU_PREDICTION_H
#define VIVGPU_PREDICTION_H

struct vivgpu_screen;

/** Before vivgpu_monitor_screen_init(): create the process's predictor if it is asked for. */
void vivgpu_prediction_screen_init(struct vivgpu_screen *screen);

#endif
