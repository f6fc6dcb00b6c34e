/* SPDX-License-Identifier: MIT */
/*
 * Vertices and indices of display lists (pipe_context.draw_vertex_state): bound in one step, with
 * elements that are packed when the list is first drawn.
 *
 * A list stays bound after its draw, since the next draw is often of the same buffers. What the
 * application bound is put aside meanwhile, and bound again before anything else uses it.
 */
#ifndef VIVGPU_VERTEX_STATE_H
#define VIVGPU_VERTEX_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"

struct pipe_screen;
struct vivgpu_context;
struct vivgpu_vertex_elements;

/** The list that is bound, and what it replaced */
struct vivgpu_bound_list {
   /** NULL if no list is bound */
   struct pipe_vertex_state *state;
   /** Which elements of @state are bound: those that the vertex shader reads */
   uint32_t mask;
   /** What the list replaced: the application's elements, its buffer 0, the masks of its buffers */
   struct vivgpu_vertex_elements *elements;
   struct pipe_vertex_buffer buffer;
   uint32_t buffer_mask, misaligned;
   /** The list is being drawn: what Mesa binds meanwhile for the draw, it restores */
   bool drawing;
};

/** Bind the elements in @mask of a display list. Returns false if memory is short. */
bool vivgpu_vertex_state_bind(struct vivgpu_context *context, struct pipe_vertex_state *state,
                              uint32_t mask);

/** Bind again what the application bound, unless the list is being drawn. A list must be bound. */
void vivgpu_vertex_state_unbind(struct vivgpu_context *context);

void vivgpu_vertex_state_screen_init(struct pipe_screen *screen);
void vivgpu_vertex_state_screen_fini(struct pipe_screen *screen);

#endif
