/* SPDX-License-Identifier: MIT */
/* The calibration in a file: $XDG_CACHE_HOME/vivgpu/NAME.calibration, or below ~/.cache. */
#ifndef VIVGPU_PREDICT_FILE_H
#define VIVGPU_PREDICT_FILE_H

#include "vivgpu_predict.h"

/**
 * The path of the user's file with a name. False if there is no folder for it, or the path is
 * longer than @size - 1 bytes.
 */
bool vivgpu_predict_path(char *path, size_t size, const char *name);

/** Load the calibration; false if there is no file, or none for this version and clock. */
bool vivgpu_predict_load_file(struct vivgpu_predict *predict, const char *path);

/**
 * Save the calibration; the folder is made if need be. The file is replaced at once, so that
 * programs that end at the same time do not mix theirs. False if that fails.
 */
bool vivgpu_predict_save_file(const struct vivgpu_predict *predict, const char *path);

#endif
