/* SPDX-License-Identifier: MIT */
/*
 * Quads, strips of quads and polygons as triangles, loops as lines where the core has no loops.
 * With smooth colours, polygons are what the core draws as a fan; quads and strips of them that
 * have no indices share buffers of indices. Everything else gets indices of its own.
 */
#ifndef VIVGPU_PRIMCONVERT_H
#define VIVGPU_PRIMCONVERT_H

#include "pipe/p_state.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_context;

/** Whole quads of @count vertices, alone or in a strip (@mode), and vertices of @quads. Pure. */
unsigned vivgpu_primconvert_quads(enum mesa_prim mode, unsigned count);
unsigned vivgpu_primconvert_vertices(enum mesa_prim mode, unsigned quads);

/** Draw what is not among the core's primitives. Without memory nothing is drawn. */
void vivgpu_primconvert_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                             const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

void vivgpu_primconvert_destroy(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
