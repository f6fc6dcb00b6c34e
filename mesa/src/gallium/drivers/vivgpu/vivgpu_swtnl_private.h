/* SPDX-License-Identifier: MIT */
/*
 * Interfaces between the files of the swtnl fallback: vertex formats, passthrough shaders, and the
 * back end of the draw module.
 */
#ifndef VIVGPU_SWTNL_PRIVATE_H
#define VIVGPU_SWTNL_PRIVATE_H

#include "draw/draw_vertex.h"
#include "vivgpu_swtnl.h"

struct draw_context;
struct vbuf_render;

/** A passthrough vertex shader and its vertex elements */
struct vivgpu_swtnl_shader {
   struct vivgpu_swtnl_vertex_format format;
   void *shader;
   struct vivgpu_vertex_elements *elements;
};

/** Create both. Returns false if memory is short or if there are too many elements. */
bool vivgpu_swtnl_shader_init(struct vivgpu_swtnl_shader *shader, struct vivgpu_context *context,
                              const struct vivgpu_swtnl_vertex_format *format);
void vivgpu_swtnl_shader_fini(struct vivgpu_swtnl_shader *shader, struct vivgpu_context *context);

/** What the draw module emits */
struct vivgpu_swtnl_output {
   /** The draw module's description of a vertex */
   struct vertex_info info;
   struct vivgpu_swtnl_vertex_format format;
   /** The application's rasterizer state */
   const struct pipe_rasterizer_state *base;
   /** Only find the box of positions: left, top, right, bottom; NULL: draw */
   float *box;
};

/**
 * Set @output to the draw module's outputs that @format needs. Outputs that the vertex shader does
 * not write are zero.
 */
void vivgpu_swtnl_link(const struct vivgpu_swtnl_vertex_format *format,
                       const struct draw_context *draw, struct vivgpu_swtnl_output *output);

/**
 * Create the draw module's back end, which draws its primitives on the core as @output says at the
 * time of each draw. Returns NULL if memory is short.
 */
struct vbuf_render *vivgpu_swtnl_backend_create(struct vivgpu_context *context,
                                                const struct vivgpu_swtnl_output *output);

#endif
