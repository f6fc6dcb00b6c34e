/* SPDX-License-Identifier: MIT */
/* The table of parameters: their names and units in files, and where struct gpu_params has them. */
#ifndef CARD_CLOCK_PARAMS_FIELD_H
#define CARD_CLOCK_PARAMS_FIELD_H

#include "clock/params.h"

enum gpu_param_kind {
	GPU_PARAM_FP,  /* uint32_t, 16.16 */
	GPU_PARAM_U32, /* whole numbers */
	GPU_PARAM_U8,
	GPU_PARAM_HZ, /* uint64_t in Hz; whole MHz in files */
};

struct gpu_param_field {
	const char *name, *unit; /* in files */
	enum gpu_param_kind kind;
	unsigned int offset; /* in struct gpu_params */
	double min, max;     /* limits of the value in a file */
};

/** gpu_param_field_at - field @index, in the order of files; NULL past the end. */
const struct gpu_param_field *gpu_param_field_at(unsigned int index);

/** gpu_param_get - the value of @field in the file's unit. */
double gpu_param_get(const struct gpu_params *params, const struct gpu_param_field *field);

/** gpu_param_set - set @field to @value, in the file's unit, rounded to the nearest there is. */
void gpu_param_set(struct gpu_params *params, const struct gpu_param_field *field, double value);

#endif
