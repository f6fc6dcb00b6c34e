/* SPDX-License-Identifier: MIT */
/*
 * The text format of parameter sets and of the ranges that sets are drawn from.
 *
 * One parameter a line: its name, its value (ranges: lowest and highest), its unit. Each
 * parameter has one unit and is given once; none may be left out. A set has a line "set NAME" as
 * well. '#' begins a comment, which ends with its line.
 */
#ifndef CARD_CLOCK_PARAMS_TEXT_H
#define CARD_CLOCK_PARAMS_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "clock/params.h"

#define GPU_PARAMS_ERROR_BYTES 128

/**
 * gpu_params_parse - read a set
 * @params: receives it
 * @text: of @length bytes
 * @error: receives the fault and its line, of GPU_PARAMS_ERROR_BYTES
 *
 * Returns: whether the text is valid.
 */
bool gpu_params_parse(struct gpu_params *params, const char *text, size_t length, char *error);

/**
 * gpu_params_parse_ranges - read ranges
 * @low: receives the lowest values; it has no name
 * @high: receives the highest values, none below the lowest one
 *
 * Other parameters and result as gpu_params_parse().
 */
bool gpu_params_parse_ranges(struct gpu_params *low, struct gpu_params *high, const char *text,
			     size_t length, char *error);

/** gpu_params_write - write a set; gpu_params_parse() reads the same values but the structure. */
void gpu_params_write(const struct gpu_params *params, FILE *out);

#endif
