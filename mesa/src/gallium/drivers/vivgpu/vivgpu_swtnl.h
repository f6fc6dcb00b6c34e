/* SPDX-License-Identifier: MIT */
/*
 * Vertices by the processor, for lines and outlines that the core doesn't have: Mesa's draw
 * module runs the vertex shader, clips, and makes stippled lines and polygons' outlines simple
 * points, lines and triangles in window coordinates. Smooth lines and points become triangles
 * (vivgpu_swtnl_smooth.h). The core draws these with the application's
 * fragment shader and a vertex shader that only passes on what was computed.
 */
#ifndef VIVGPU_SWTNL_H
#define VIVGPU_SWTNL_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"
#include "vivgpu_state.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_context;

/** A window that holds all others: no side of it is ever clipped at */
#define VIVGPU_SWTNL_WINDOW 8192

/** What vertices consist of besides the position, in this order */
struct vivgpu_swtnl_vertex_format {
   /** Bits of enum gl_varying_slot, four components each */
   uint64_t varyings;
   /** Which face it was, one component: 1 or 0 */
   bool face;
   /** One component, pixels */
   bool point_size;
   /** Where the vertex is in a smooth line or point, four components: enum vivgpu_coverage */
   bool coverage;
};

/** What a fragment shader reads that reads @inputs (bits of enum gl_varying_slot). Pure. */
uint64_t vivgpu_swtnl_varyings(uint64_t inputs);

/** Vertex elements of a format: their number, which may be more than the core has. Pure. */
unsigned vivgpu_swtnl_elements(const struct vivgpu_swtnl_vertex_format *format,
                               struct pipe_vertex_element elements[64]);

/** The state that simple primitives are drawn with in place of the application's. Pure. */
void vivgpu_swtnl_rasterizer(struct pipe_rasterizer_state *simple,
                             const struct pipe_rasterizer_state *base);

/** VIVGPU_SWTNL_WINDOW as a viewport, of which pixels of @base are drawn to. Pure. */
void vivgpu_swtnl_viewport(struct vivgpu_viewport *window, const struct vivgpu_viewport *base);

/** Draw. False if it can't be done: too many varyings, no memory. */
bool vivgpu_swtnl_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                       const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

void vivgpu_swtnl_destroy(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
