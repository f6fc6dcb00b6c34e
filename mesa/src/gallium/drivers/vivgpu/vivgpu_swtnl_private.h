/* SPDX-License-Identifier: MIT */
/* What vertices that the processor computed go through on their way to the core. */
#ifndef VIVGPU_SWTNL_PRIVATE_H
#define VIVGPU_SWTNL_PRIVATE_H

#include "draw/draw_vertex.h"
#include "vivgpu_swtnl.h"

struct draw_context;
struct vbuf_render;

/** A vertex shader, and the elements it reads */
struct vivgpu_swtnl_shader {
   struct vivgpu_swtnl_vertex_format format;
   void *shader;
   struct vivgpu_vertex_elements *elements;
};

/** Make both. False without memory, or if there are too many elements. */
bool vivgpu_swtnl_shader_init(struct vivgpu_swtnl_shader *shader, struct vivgpu_context *context,
                              const struct vivgpu_swtnl_vertex_format *format);
void vivgpu_swtnl_shader_fini(struct vivgpu_swtnl_shader *shader, struct vivgpu_context *context);

/** What comes out of the draw module */
struct vivgpu_swtnl_output {
   /** Where in its vertices each element is */
   struct vertex_info info;
   struct vivgpu_swtnl_vertex_format format;
   /** The application's */
   const struct pipe_rasterizer_state *base;
};

/** What the vertex shader doesn't write is zero. */
void vivgpu_swtnl_link(const struct vivgpu_swtnl_vertex_format *format,
                       const struct draw_context *draw, struct vivgpu_swtnl_output *output);

/** The draw module's way to the core, for what @output says at the time. NULL without memory. */
struct vbuf_render *vivgpu_swtnl_backend_create(struct vivgpu_context *context,
                                                const struct vivgpu_swtnl_output *output);

#endif
