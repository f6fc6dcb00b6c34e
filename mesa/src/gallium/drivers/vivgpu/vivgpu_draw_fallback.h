/* SPDX-License-Identifier: MIT */
/*
 * Draws that the core cannot execute by itself:
 *
 * - quads, quad strips and polygons are converted to triangles, loops to lines
 *   (vivgpu_primconvert.h), as are indexed triangle strips if the core has a bug with them;
 * - for stippled lines, smooth lines and points, and outlines of polygons Mesa's draw module
 *   computes the vertices on the CPU (vivgpu_swtnl.h);
 * - alpha to coverage takes a draw for each sample (vivgpu_alpha_to_coverage.h);
 * - targets with different orders of channels may take two draws (vivgpu_target_order.h);
 * - draws of more vertices or instances than the draw command can count are divided.
 *
 * native_prims of struct vivgpu_rasterizer, vivgpu_blend and vivgpu_framebuffer says which
 * primitives do not need this; unless they are too large, their draws do not come here.
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
 * True if the draw module has to compute the vertices on the CPU. Pure.
 *
 * @mode: enum mesa_prim.
 * @edge_flags: the vertex shader writes edge flags.
 */
bool vivgpu_needs_swtnl(const struct pipe_rasterizer_state *rasterizer, unsigned mode,
                        bool edge_flags);

/** Draw with the fallbacks that are needed, if any. @counted: see vivgpu_draw_direct(). */
void vivgpu_draw_fallback(struct vivgpu_context *context, const struct pipe_draw_info *info,
                          const struct pipe_draw_start_count_bias *draws, unsigned num_draws,
                          bool counted);

#ifdef __cplusplus
}
#endif

#endif
