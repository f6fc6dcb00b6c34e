/* SPDX-License-Identifier: MIT */
/*
 * Prediction of the execution time of this process's command groups, before they are submitted.
 *
 * VIVGPU_PREDICT=1 switches it on: the command monitor then sets predicted_ns and bound_ns of each
 * group. What is learnt is saved when the process ends, and loaded by the next one;
 * VIVGPU_PREDICT=nocache does neither, so that runs are repeatable. VIVGPU_PREDICT=0 forbids it, if
 * other parts of the driver ask for predictions, too.
 */
#ifndef VIVGPU_PREDICTION_H
#define VIVGPU_PREDICTION_H

#include <stdbool.h>
#include <stdint.h>

struct vivgpu_screen;

/**
 * Predict the groups of all contexts of @screen that are created from now on, for a part of the
 * driver that needs vivgpu_monitor_predicted(). No file is read or written. With VIVGPU_PREDICT=1
 * the predictor, and its calibration, exist already and stay.
 *
 * Returns false, and nothing is predicted, if the kernel has no records of jobs, if memory is short
 * or with VIVGPU_PREDICT=0. May be called again, and by several threads.
 */
bool vivgpu_prediction_enable(struct vivgpu_screen *screen);

/**
 * Return whether the last predictions of this process came true within a half of them, whatever
 * their bounds say. May be called by any thread.
 */
bool vivgpu_prediction_is_trusted(void);

/**
 * Return the largest mean time of a draw in the last predicted jobs of this process, as measured;
 * 0 if there were none. May be called by any thread.
 */
uint64_t vivgpu_prediction_measured_draw(void);

/** Before vivgpu_monitor_screen_init(): create the process's predictor if VIVGPU_PREDICT asks. */
void vivgpu_prediction_screen_init(struct vivgpu_screen *screen);

#endif
