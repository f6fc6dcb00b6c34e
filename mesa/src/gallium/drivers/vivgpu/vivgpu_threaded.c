/* SPDX-License-Identifier: MIT */
/*
 * What the threaded context needs so that the application's thread waits only where it has to:
 *
 * - fences that exist before their flush is executed (vivgpu_fence.h);
 * - is_resource_busy(): a buffer that is not in use is written in place, without new memory. The threaded
 *   context itself knows which buffers the queued calls use; jobs being written and the GPU are asked
 *   about here;
 * - which functions may be called while the driver's thread runs.
 */

#include "vivgpu_threaded.h"

#include "util/u_threaded_context.h"
#include "vivgpu_context.h"
#include "vivgpu_fence.h"
#include "vivgpu_resource.h"
#include "vivgpu_transfer.h"

/* Called in the application's thread; the flush that signals the fence is in the queue behind it. */
static struct pipe_fence_handle *
create_fence(struct pipe_context *context, struct tc_unflushed_batch_token *token)
{
   return vivgpu_fence_create(vivgpu_screen(context->screen));
}

/*
 * Called in the application's thread, for buffers that no call in the queue uses. Textures are never
 * written in that thread, because of tiles and tile status.
 */
static bool
is_resource_busy(struct pipe_screen *screen, struct pipe_resource *resource, unsigned usage)
{
   struct vivgpu_bo *bo = vivgpu_resource(resource)->bo;

   return resource->target != PIPE_BUFFER || p_atomic_read(&bo->jobs) ||
          vivgpu_bo_busy(bo, usage & PIPE_MAP_WRITE);
}

static const struct threaded_context_options options = {
   .create_fence = create_fence,
   .is_resource_busy = is_resource_busy,
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
   return threaded;
}
