/* SPDX-License-Identifier: MIT */
/*
 * Prediction of the execution time of this process's command groups, before they are submitted.
 *
 * VIVGPU_PREDICT=1 switches it on: the command monitor then sets predicted_ns and bound_ns of each
 * group. What is learnt is saved when the process ends, and loaded by the next one, unless
 * VIVGPU_PREDICT=nocache forbids it to make runs repeatable. Without the variable, other parts of
 * the driver may ask for predictions (vivgpu_prediction_enable()); VIVGPU_PREDICT=0 forbids that.
 */
#ifndef VIVGPU_PREDICTION_H
#define VIVGPU_PREDICTION_H

#include <stdbool.h>
#include <stdint.h>

struct vivgpu_screen;

/**
 * Predict the groups of all contexts of @screen that get a monitor, or have one, for a part of the
 * driver that needs vivgpu_monitor_predicted().
 *
 * @calibrated: load the calibration, unless it was loaded or VIVGPU_PREDICT=nocache forbids it, and
 * save it when the process ends. If no call asks for it, and VIVGPU_PREDICT is not set, no file is
 * read or written.
 *
 * Returns false, and nothing is predicted, if the kernel has no records of jobs, if memory is short
 * or with VIVGPU_PREDICT=0. May be called again, and by several threads.
 */
bool vivgpu_prediction_enable(struct vivgpu_screen *screen, bool calibrated);

/** Before vivgpu_monitor_screen_init(): create the process's predictor if VIVGPU_PREDICT asks. */
void vivgpu_prediction_screen_init(struct vivgpu_screen *screen);

#endif
