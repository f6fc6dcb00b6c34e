/* SPDX-License-Identifier: MIT */
/*
 * u_threaded_context: the application's thread records calls, and a thread of the driver executes
 * them.
 */
#ifndef VIVGPU_THREADED_H
#define VIVGPU_THREADED_H

struct pipe_context;
struct vivgpu_context;

/**
 * Return the threaded context around @context, which it owns from then on, or @context itself if
 * GALLIUM_THREAD forbids threads. NULL if memory is short; then @context is destroyed.
 */
struct pipe_context *vivgpu_threaded_create(struct vivgpu_context *context);

#endif
