/* SPDX-License-Identifier: MIT */
/*
 * VIVGPU_DEBUG=vendor: do the work that Vivante's own driver does as Hua Ma describes it (thesis of
 * 2014, sections 5.3 and 5.5), and that this driver avoids. For comparisons of predictions only;
 * pictures of windows are the same.
 *
 * - A flush without commands submits a job that flushes the caches; other flushes do not copy to
 *   shared resources, so that the copy is a job of eglSwapBuffers' own.
 * - glFinish and eglSwapBuffers submit two jobs: what is pending, or else a flush of the caches;
 *   then another such flush, or the copy to the window's buffer.
 * - Render targets that are not a window's are cleared without tile status, in all of their memory.
 * - A render target is copied whenever it is bound, to the layout in which it is rendered to.
 * - The command stream is written to buffers of 128 KB one after the other; where one is full, the
 *   job ends (vivgpu_job.c). It ends also when vertices of the application's memory fill a buffer
 *   of 1 MB.
 */
#ifndef VIVGPU_VENDOR_H
#define VIVGPU_VENDOR_H

#include <stdbool.h>

#include "vivgpu_context.h"
#include "vivgpu_screen.h"

struct pipe_surface;
struct vivgpu_resource;

/** True with VIVGPU_DEBUG=vendor. */
static inline bool
vivgpu_vendor(const struct vivgpu_context *context)
{
   return unlikely(context->screen->debug & VIVGPU_DEBUG_VENDOR);
}

/** Before a flush: add the commands that flush the caches if there are no others. */
void vivgpu_vendor_flush(struct vivgpu_context *context);

/** Before the flush of glFinish: submit the first of its two jobs. */
void vivgpu_vendor_submit(struct vivgpu_context *context);

/** The same before eglSwapBuffers copies a window, if there is something to copy. */
void vivgpu_vendor_swap(struct vivgpu_context *context, struct vivgpu_resource *resource);

/** True if a surface is cleared without tile status: its framebuffer is not a window's. */
bool vivgpu_vendor_clears_fully(const struct vivgpu_context *context);

/** The framebuffer was bound: its targets are to be copied before the next draw or clear. */
void vivgpu_vendor_bind_framebuffer(struct vivgpu_context *context);

/** Before a draw: end the job if the vertices are in another buffer than the last draw's. */
void vivgpu_vendor_draw(struct vivgpu_context *context);

#endif
