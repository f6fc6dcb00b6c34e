/* SPDX-License-Identifier: MIT */
/*
 * Draws that the core can't do by itself. Who helps:
 *
 *  - quads, their strips and polygons become triangles, loops lines (vivgpu_primconvert.h);
 *  - for stippled lines, smooth lines and points, and outlines of polygons the processor computes
 *    the vertices (vivgpu_swtnl.h);
 *  - where alpha chooses samples, there is a draw for each (vivgpu_alpha_to_coverage.h).
 *
 * struct vivgpu_rasterizer says of which primitives this may be true, struct vivgpu_blend whether
 * it is true of all; no other draw comes here.
 */
#ifndef VIVGPU_DRAW_FALLBACK_H
#define VIVGPU_DRAW_FALLBACK_H

#include <stdbool.h>

#include "pipe/p_state.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_context;

/**
 * Does the processor have to compute the vertices? Pure.
 *
 * @mode: enum mesa_prim.
 * @edge_flags: the vertex shader says which edges are to be drawn.
 */
bool vivgpu_needs_swtnl(const struct pipe_rasterizer_state *rasterizer, unsigned mode,
                        bool edge_flags);

/** Draw with help, if any is needed; @counted as of vivgpu_draw_direct(). */
void vivgpu_draw_fallback(struct vivgpu_context *context, const struct pipe_draw_info *info,
                          const struct pipe_draw_start_count_bias *draws, unsigned num_draws,
                          bool counted);

#ifdef __cplusplus
}
#endif

#endif
