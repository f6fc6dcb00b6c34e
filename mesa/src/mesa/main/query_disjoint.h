/* SPDX-License-Identifier: MIT */
/*
 * GPU_DISJOINT of GL_EXT_disjoint_timer_query, asked of the driver by a Gallium
 * query that is always active.
 */
#ifndef QUERY_DISJOINT_H
#define QUERY_DISJOINT_H

#include <stdbool.h>

struct gl_context;

/** Begin to watch, when a context of OpenGL ES 2 or later is made. */
void
_mesa_init_gpu_disjoint(struct gl_context *ctx);

void
_mesa_free_gpu_disjoint(struct gl_context *ctx);

/**
 * Were times disturbed since this was asked last, or since the context was made?
 * False if the driver doesn't tell.
 */
bool
_mesa_get_gpu_disjoint(struct gl_context *ctx);

#endif
