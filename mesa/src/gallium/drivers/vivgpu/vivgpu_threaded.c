/* SPDX-License-Identifier: MIT */
/*
 * What the threaded context needs so that the application's thread waits only where it has to:
 *
 * - fences that exist before their flush is executed (vivgpu_fence.h);
 * - flush(), which waits only if there are other contexts;
 * - vivgpu_threaded_is_resource_busy(): a buffer that is not in use is written in place, without
 *   new memory. The threaded context itself knows which buffers the queued calls use; this adds the
 *   jobs being written and the GPU;
 * - which functions may be called while the driver's thread runs.
 */

#include "vivgpu_threaded.h"

#include "util/u_threaded_context.h"
#include "vivgpu_context.h"
#include "vivgpu_fence.h"
#include "vivgpu_resource.h"
#include "vivgpu_transfer.h"

/*
 * Called in the application's thread; the flush that signals the fence is in the queue behind it.
 */
static struct pipe_fence_handle *
vivgpu_threaded_create_fence(struct pipe_context *pcontext, struct tc_unflushed_batch_token *token)
{
   const struct vivgpu_context *context = vivgpu_context(pcontext);

   return vivgpu_fence_create(context->screen, context->stream.number);
}

/*
 * Called in the application's thread, for buffers that no call in the queue uses. Textures are
 * never written in that thread, because of tiles and tile status.
 */
static bool
vivgpu_threaded_is_resource_busy(struct pipe_screen *screen, struct pipe_resource *resource,
                                 unsigned usage)
{
   struct vivgpu_bo *bo;
   bool busy;

   if (resource->target != PIPE_BUFFER)
      return true;
   bo = vivgpu_resource_take_memory(vivgpu_resource(resource));
   busy = p_atomic_read(&bo->jobs) || vivgpu_bo_busy(bo, usage & PIPE_MAP_WRITE);
   vivgpu_bo_unref(bo);
   return busy;
}

/*
 * A flush may be executed after it returned (PIPE_FLUSH_ASYNC: glFlush). Programs that share
 * objects between contexts rely on it alone, without a fence, so the job is submitted before if
 * there are several contexts.
 */
static void
vivgpu_threaded_flush(struct pipe_context *pcontext, struct pipe_fence_handle **fence,
                      unsigned flags)
{
   const struct vivgpu_context *context = vivgpu_threaded_unwrap(pcontext);

   if (!fence && p_atomic_read(&context->screen->contexts) > 1)
      flags &= ~PIPE_FLUSH_ASYNC;
   context->flush_threaded(pcontext, fence, flags);
}

static const struct threaded_context_options options = {
   .create_fence = vivgpu_threaded_create_fence,
   .is_resource_busy = vivgpu_threaded_is_resource_busy,
   .unsynchronized_get_device_reset_status = true,
   .unsynchronized_create_fence_fd = true,
};

struct pipe_context *
vivgpu_threaded_create(struct vivgpu_context *context)
{
   struct pipe_context *base = &context->base;
   struct pipe_context *threaded =
      threaded_context_create(base, &context->screen->transfers, vivgpu_replace_buffer_storage,
                              &options, &context->threaded);

   if (threaded && threaded != base)
      vivgpu_perfmon_threaded_init(&context->perfmon, threaded);
   /* Not if Mesa's trace driver is between both. */
   if (threaded && threaded->priv == base) {
      context->flush_threaded = threaded->flush;
      threaded->flush = vivgpu_threaded_flush;
   }
   return threaded;
}
