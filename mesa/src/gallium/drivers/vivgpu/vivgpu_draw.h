/* SPDX-License-Identifier: MIT */
#ifndef VIVGPU_DRAW_H
#define VIVGPU_DRAW_H

#include <stdbool.h>

#include "pipe/p_state.h"
#include "util/macros.h"

struct vivgpu_context;

/** The draw command has 24 bits for the vertices and as many for the instances. */
#define VIVGPU_DRAW_MAX_COUNT BITFIELD_MASK(24)

/** True if the numbers of vertices and instances of each draw fit the draw command's fields. */
static ALWAYS_INLINE bool
vivgpu_draw_counts_fit(const struct pipe_draw_info *info,
                       const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   uint32_t bits = info->instance_count;

   for (unsigned i = 0; i < num_draws; i++)
      bits |= draws[i].count;
   return bits <= VIVGPU_DRAW_MAX_COUNT;
}

/**
 * Draw with the bound state: primitives that the core has (vivgpu_generation.primitives), and
 * numbers of them for which vivgpu_draw_counts_fit() is true.
 *
 * @counted: the draw is the application's, and accumulating queries are active
 * (vivgpu_acc_query.h).
 */
void vivgpu_draw_direct(struct vivgpu_context *context, const struct pipe_draw_info *info,
                        const struct pipe_draw_start_count_bias *draws, unsigned num_draws,
                        bool counted);

/** The same, listed by the command monitor, which the context has. */
void vivgpu_draw_direct_listed(struct vivgpu_context *context, const struct pipe_draw_info *info,
                               const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

#endif
