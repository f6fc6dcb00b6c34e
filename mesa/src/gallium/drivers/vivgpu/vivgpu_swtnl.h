/* SPDX-License-Identifier: MIT */
/*
 * Software vertex processing (swtnl) for lines and outlines that the core does not have: Mesa's
 * draw module runs the vertex shader, clips, and converts stippled lines and outlines of polygons
 * to simple points, lines and triangles in window coordinates. Smooth lines and points become
 * triangles (vivgpu_swtnl_smooth.h). The core draws them with the application's fragment shader and
 * a passthrough vertex shader.
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

/** Size of a viewport that contains all framebuffers, so that the core does not clip again */
#define VIVGPU_SWTNL_WINDOW 8192

/** Layout of the draw module's vertices: the position, then these attributes in this order */
struct vivgpu_swtnl_vertex_format {
   /** Bits of enum gl_varying_slot; four components each */
   uint64_t varyings;
   /** Face of the primitive, one component: 1 (front) or 0 */
   bool face;
   /** Point size in pixels, one component */
   bool point_size;
   /** Position within a smooth line or point, four components: enum vivgpu_coverage */
   bool coverage;
};

/**
 * Return the varyings that the vertices need if the fragment shader reads @inputs (both bits of
 * enum gl_varying_slot). Pure.
 */
uint64_t vivgpu_swtnl_varyings(uint64_t inputs);

/**
 * Fill in the vertex elements of a format. Returns their number, which may exceed what the core
 * supports. Pure.
 */
unsigned vivgpu_swtnl_elements(const struct vivgpu_swtnl_vertex_format *format,
                               struct pipe_vertex_element elements[64]);

/** Set @simple to the rasterizer state for the simple primitives of the draw module. Pure. */
void vivgpu_swtnl_rasterizer(struct pipe_rasterizer_state *simple,
                             const struct pipe_rasterizer_state *base);

/**
 * Set @window to a viewport of VIVGPU_SWTNL_WINDOW pixels, restricted to the pixels of @base. Pure.
 */
void vivgpu_swtnl_viewport(struct vivgpu_viewport *window, const struct vivgpu_viewport *base);

/** Draw. Returns false, with nothing drawn, for too many varyings or if memory is short. */
bool vivgpu_swtnl_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                       const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

/**
 * Return 1 plus the number of pixels of the rectangle around what draws cover, within viewport,
 * scissor and framebuffer; 0 if it is not known. Runs the vertex shader for all vertices on the
 * CPU; nothing is drawn.
 */
uint32_t vivgpu_swtnl_box(struct vivgpu_context *context, const struct pipe_draw_info *info,
                          const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

/**
 * The same of a box of positions: left, top, right, bottom; left > right if there are none. Pure.
 */
uint32_t vivgpu_swtnl_box_pixels(const float box[4], const struct pipe_scissor_state *limits);

void vivgpu_swtnl_destroy(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
