/* SPDX-License-Identifier: MIT */
#ifndef VIVGPU_DRAW_H
#define VIVGPU_DRAW_H

#include <stdbool.h>

struct pipe_draw_info;
struct pipe_draw_start_count_bias;
struct vivgpu_context;

/**
 * Draw primitives that the core has, with the state that is bound.
 *
 * @counted: it is the application's draw, and something counts those.
 */
void vivgpu_draw_direct(struct vivgpu_context *context, const struct pipe_draw_info *info,
                        const struct pipe_draw_start_count_bias *draws, unsigned num_draws,
                        bool counted);

/** The same, listed by the command monitor, which the context has. */
void vivgpu_draw_direct_listed(struct vivgpu_context *context, const struct pipe_draw_info *info,
                               const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

#endif
