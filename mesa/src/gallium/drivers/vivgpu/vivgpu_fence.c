/* SPDX-License-Identifier: MIT */

#include "vivgpu_fence.h"

#include <libsync.h>
#include <unistd.h>

#include "util/os_time.h"
#include "util/u_memory.h"
#include "vivgpu_events.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_screen.h"
#include "vivgpu_threaded.h"

struct pipe_fence_handle *
vivgpu_fence_create(struct vivgpu_screen *screen, uint32_t stream)
{
   struct pipe_fence_handle *fence = CALLOC_STRUCT(pipe_fence_handle);

   if (!fence)
      return NULL;
   pipe_reference_init(&fence->reference, 1);
   fence->stream = stream;
   if (screen->kernel->fence_init(screen->kernel, &fence->kernel)) {
      FREE(fence);
      return NULL;
   }
   util_queue_fence_init(&fence->submitted);
   util_queue_fence_reset(&fence->submitted);
   return fence;
}

static void
vivgpu_fence_destroy(struct vivgpu_kernel *kernel, struct pipe_fence_handle *fence)
{
   kernel->fence_fini(kernel, &fence->kernel);
   /* A fence that got no job, because memory was short, is destroyed unsignaled. */
   util_queue_fence_signal(&fence->submitted);
   util_queue_fence_destroy(&fence->submitted);
   FREE(fence);
}

static void
vivgpu_fence_reference(struct pipe_screen *screen, struct pipe_fence_handle **to,
                       struct pipe_fence_handle *fence)
{
   struct vivgpu_kernel *kernel = vivgpu_screen(screen)->kernel;
   struct pipe_fence_handle *old = *to;

   if (pipe_reference(old ? &old->reference : NULL, fence ? &fence->reference : NULL)) {
      /* A job's own fence has no @same, so this needs no recursion. */
      if (old->same && pipe_reference(&old->same->reference, NULL))
         vivgpu_fence_destroy(kernel, old->same);
      vivgpu_fence_destroy(kernel, old);
   }
   *to = fence;
}

void
vivgpu_fence_replace(struct pipe_fence_handle *fence, struct pipe_fence_handle *same)
{
   pipe_reference(NULL, &same->reference);
   fence->same = same;
   util_queue_fence_signal(&fence->submitted);
}

/*
 * The fence that the job signals. It is another one than @fence if vivgpu_fence_replace() was
 * called.
 */
static struct pipe_fence_handle *
vivgpu_fence_of_job(struct pipe_fence_handle *fence)
{
   return util_queue_fence_is_signalled(&fence->submitted) && fence->same ? fence->same : fence;
}

static bool
vivgpu_fence_is_submitted(struct pipe_fence_handle *fence)
{
   return util_queue_fence_is_signalled(&vivgpu_fence_of_job(fence)->submitted);
}

/* Wait until the job is submitted; at most until @end in ns. */
static bool
vivgpu_fence_wait_until_submitted(struct pipe_fence_handle *fence, int64_t end)
{
   return util_queue_fence_wait_timeout(&fence->submitted, end) &&
          util_queue_fence_wait_timeout(&vivgpu_fence_of_job(fence)->submitted, end);
}

/*
 * Have the job submitted without waiting for it: polling has to end, too (ARB_sync). The threaded
 * context queues the flush. Only the context that created the fence can do that.
 */
static void
vivgpu_fence_request(struct pipe_context *pcontext, struct pipe_fence_handle *fence)
{
   if (!pcontext || fence->requested ||
       vivgpu_threaded_unwrap(pcontext)->stream.number != fence->stream)
      return;
   fence->requested = true;
   pcontext->flush(pcontext, NULL, PIPE_FLUSH_ASYNC);
}

static bool
vivgpu_fence_finish(struct pipe_screen *pscreen, struct pipe_context *context,
                    struct pipe_fence_handle *fence, uint64_t timeout)
{
   struct vivgpu_kernel *kernel = vivgpu_screen(pscreen)->kernel;
   int64_t end = os_time_get_absolute_timeout(timeout);
   bool submitted = vivgpu_fence_is_submitted(fence);

   if (fence->signaled)
      return true;
   if (end < 0 || timeout == OS_TIMEOUT_INFINITE)
      end = INT64_MAX;
   if (!submitted)
      vivgpu_fence_request(context, fence);

   /* Only waits that block are recorded as events. */
   if (vivgpu_events_enabled() && submitted &&
       kernel->fence_wait(kernel, &vivgpu_fence_of_job(fence)->kernel, 0)) {
      fence->signaled = true;
      return true;
   }

   uint64_t begin = vivgpu_events_begin();

   fence->signaled = vivgpu_fence_wait_until_submitted(fence, end) &&
                     kernel->fence_wait(kernel, &vivgpu_fence_of_job(fence)->kernel, end);
   vivgpu_events_end(begin, VIVGPU_EVENT_WAIT, 0, fence->signaled ? 0 : -ETIME);
   if (unlikely(vivgpu_screen(pscreen)->results))
      vivgpu_monitor_read_results(vivgpu_screen(pscreen));
   return fence->signaled;
}

static int
vivgpu_fence_get_fd(struct pipe_screen *screen, struct pipe_fence_handle *fence)
{
   struct vivgpu_kernel *kernel = vivgpu_screen(screen)->kernel;
   int fd;

   vivgpu_fence_wait_until_submitted(fence, INT64_MAX);
   fd = kernel->fence_export(kernel, &vivgpu_fence_of_job(fence)->kernel);
   return MAX2(fd, -1);
}

static void
vivgpu_create_fence_fd(struct pipe_context *context, struct pipe_fence_handle **fence, int fd,
                       enum pipe_fd_type type)
{
   struct vivgpu_screen *screen = vivgpu_screen(context->screen);

   *fence = vivgpu_fence_create(screen, 0);
   if (*fence)
      util_queue_fence_signal(&(*fence)->submitted);
   if (*fence && screen->kernel->fence_import(screen->kernel, &(*fence)->kernel, fd,
                                              type == PIPE_FD_TYPE_SYNCOBJ))
      vivgpu_fence_reference(context->screen, fence, NULL);
}

/*
 * Only later jobs wait for the fence: submit the job being written first. Commands of one context
 * wait for each other anyway.
 */
static void
vivgpu_fence_server_sync(struct pipe_context *pcontext, struct pipe_fence_handle *fence)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   int fd;

   if (vivgpu_fence_of_job(fence) == context->job.fence)
      return;
   fd = vivgpu_fence_get_fd(pcontext->screen, fence);
   if (fd < 0)
      return;
   vivgpu_job_submit(context, VIVGPU_GROUP_FENCE);
   sync_accumulate("vivgpu", &context->stream.in_fence, fd);
   close(fd);
}

void
vivgpu_fence_screen_init(struct pipe_screen *screen)
{
   screen->fence_reference = vivgpu_fence_reference;
   screen->fence_finish = vivgpu_fence_finish;
   screen->fence_get_fd = vivgpu_fence_get_fd;
}

void
vivgpu_fence_context_init(struct pipe_context *context)
{
   context->create_fence_fd = vivgpu_create_fence_fd;
   context->fence_server_sync = vivgpu_fence_server_sync;
}
