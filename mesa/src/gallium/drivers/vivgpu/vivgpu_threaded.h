/* SPDX-License-Identifier: MIT */
/*
 * u_threaded_context: the application's thread records calls, and a thread of the driver executes
 * them.
 */
#ifndef VIVGPU_THREADED_H
#define VIVGPU_THREADED_H

#include "vivgpu_context.h"

/**
 * Return the threaded context around @context, which it owns from then on, or @context itself if
 * GALLIUM_THREAD forbids threads. NULL if memory is short; then @context is destroyed.
 */
struct pipe_context *vivgpu_threaded_create(struct vivgpu_context *context);

/**
 * Return the driver's context of a threaded or another one. Other threads may be using it: only
 * what never changes may be read.
 */
static inline const struct vivgpu_context *
vivgpu_threaded_unwrap(const struct pipe_context *context)
{
   return (const struct vivgpu_context *)(context->priv ? context->priv : context);
}

#endif
