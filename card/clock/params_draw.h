/* SPDX-License-Identifier: MIT */
/* Machines drawn at random, from ranges in the format of params_text.h. */
#ifndef CARD_CLOCK_PARAMS_DRAW_H
#define CARD_CLOCK_PARAMS_DRAW_H

#include "clock/params.h"

/**
 * gpu_params_draw - draw a set
 * @params: receives it; its name is "seed:" and the seed
 * @low: lowest values
 * @high: highest values
 * @seed: the same seed and ranges give the same set, on each host
 *
 * Each parameter is drawn by itself from the seed and its name, its logarithm with a uniform
 * distribution. So a parameter that is added changes no other one.
 */
void gpu_params_draw(struct gpu_params *params, const struct gpu_params *low,
		     const struct gpu_params *high, uint64_t seed);

/**
 * gpu_params_draw_secret - draw a machine that a guest cannot recognise
 *
 * As gpu_params_draw() with a seed that is computed from @secret, but structure and all queues are
 * drawn as well, and the core's clock, which the guest can read, is the same for all; its name is
 * "secret".
 */
void gpu_params_draw_secret(struct gpu_params *params, const struct gpu_params *low,
			    const struct gpu_params *high, uint64_t secret);

#endif
