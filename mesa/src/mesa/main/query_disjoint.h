/* SPDX-License-Identifier: MIT */
/*
 * GPU_DISJOINT of GL_EXT_disjoint_timer_query, implemented by a Gallium query of type
 * PIPE_QUERY_TIMESTAMP_DISJOINT that is active for the whole life of the context.
 */
#ifndef QUERY_DISJOINT_H
#define QUERY_DISJOINT_H

#include <stdbool.h>

struct gl_context;

/** Create and begin the query, for contexts of OpenGL ES 2 or later whose driver has timestamps. */
void
_mesa_init_gpu_disjoint(struct gl_context *ctx);

/** Delete the query; called when the context is destroyed. */
void
_mesa_free_gpu_disjoint(struct gl_context *ctx);

/**
 * True if the driver reports a disjoint operation, such as a change of the GPU's clock, since the
 * last call or, at the first call, since the context was created. False if the driver has no such
 * query. Waits for the query's result.
 */
bool
_mesa_get_gpu_disjoint(struct gl_context *ctx);

#endif
