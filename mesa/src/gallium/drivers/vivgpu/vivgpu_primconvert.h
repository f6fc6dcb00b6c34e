/* SPDX-License-Identifier: MIT */
/*
 * Conversion of quads, quad strips and polygons to triangles, and of line loops to lines and
 * indexed triangle strips to triangles if the core does not draw them. With smooth shading a
 * polygon is drawn as a triangle fan; quads and quad strips without indices use shared index
 * buffers. For all other draws indices are generated.
 */
#ifndef VIVGPU_PRIMCONVERT_H
#define VIVGPU_PRIMCONVERT_H

#include "pipe/p_state.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_context;

/**
 * Return the number of complete quads in @count vertices (@mode: quads or quad strip), and of
 * vertices in @quads quads. Pure.
 */
unsigned vivgpu_primconvert_quads(enum mesa_prim mode, unsigned count);
unsigned vivgpu_primconvert_vertices(enum mesa_prim mode, unsigned quads);

/** Draw primitives that the core does not have. Draws nothing if memory is short. */
void vivgpu_primconvert_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                             const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

void vivgpu_primconvert_destroy(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
