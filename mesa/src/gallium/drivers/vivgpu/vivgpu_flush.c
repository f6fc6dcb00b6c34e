/* SPDX-License-Identifier: MIT */
/*
 * pipe_context.flush: at the end of a frame, for a fence, or because the application asks for it.
 *
 * A deferred flush (PIPE_FLUSH_DEFERRED: glFenceSync) submits nothing. Its fence becomes that of
 * the job being written, which is submitted when the fence is waited for, or for another reason
 * before.
 */

#include "hw/cmdstream.xml.h"
#include "util/u_threaded_context.h"
#include "vivgpu_context.h"
#include "vivgpu_deadline.h"
#include "vivgpu_fence.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_vendor.h"

/*
 * True if no commands were written after the last job that has a fence, and the next job waits for
 * nothing: waiting for that fence then waits for everything.
 */
static bool
vivgpu_flush_last_fence_is_current(const struct vivgpu_context *context)
{
   return context->job.last_fence && context->job.last_fence_jobs == context->stream.jobs &&
          !context->stream.used && context->stream.in_fence < 0 && !context->lost;
}

/*
 * Give the job being written a fence, @created if that is not NULL. Jobs of a queue end in order:
 * the fence of an empty job signals after all earlier jobs. Returns NULL if memory is short.
 */
static struct pipe_fence_handle *
vivgpu_flush_add_fence(struct vivgpu_context *context, struct pipe_fence_handle *created)
{
   struct pipe_screen *screen = context->base.screen;
   struct vivgpu_stream *stream = &context->stream;

   if (!stream->used && vivgpu_stream_fits(stream, 2)) {
      stream->words[stream->used++] = VIV_FE_NOP_HEADER_OP_NOP;
      stream->words[stream->used++] = 0;
   }
   if (!context->job.fence && created)
      screen->fence_reference(screen, &context->job.fence, created);
   else if (!context->job.fence)
      context->job.fence = vivgpu_fence_create(context->screen, stream->number);
   return context->job.fence;
}

/*
 * Return the fence of a flush in @out, where the threaded context already put one if @created.
 * @fence is NULL if memory is short; not if @created, since a job without a fence got *@out.
 */
static void
vivgpu_flush_return_fence(struct vivgpu_context *context, struct pipe_fence_handle **out,
                          bool created, struct pipe_fence_handle *fence)
{
   struct pipe_screen *screen = context->base.screen;

   if (!created)
      screen->fence_reference(screen, out, fence);
   else if (fence != *out)
      vivgpu_fence_replace(*out, fence);
}

static void
vivgpu_flush_deferred_flush(struct vivgpu_context *context, struct pipe_fence_handle **out,
                            bool created)
{
   struct pipe_fence_handle *fence;

   fence = vivgpu_flush_last_fence_is_current(context)
              ? context->job.last_fence
              : vivgpu_flush_add_fence(context, created ? *out : NULL);
   vivgpu_flush_return_fence(context, out, created, fence);
}

/* Everything that a flush does before it submits the job. */
static void
vivgpu_flush_prepare_flush(struct vivgpu_context *context, unsigned flags)
{
   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_FLUSHES, 1);
   if (vivgpu_vendor(context) && flags & PIPE_FLUSH_HINT_FINISH)
      vivgpu_vendor_submit(context);
   if (!vivgpu_vendor(context) || flags & PIPE_FLUSH_END_OF_FRAME)
      vivgpu_surface_update_shared(context);
   if (vivgpu_vendor(context))
      vivgpu_vendor_flush(context);
   if (flags & PIPE_FLUSH_END_OF_FRAME && context->screen->has_deadlines)
      vivgpu_deadline_end_frame(context);
}

static void
vivgpu_flush(struct pipe_context *pcontext, struct pipe_fence_handle **out, unsigned flags)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   enum vivgpu_group_reason reason = VIVGPU_GROUP_FLUSH;
   bool created = flags & TC_FLUSH_ASYNC, submits;
   struct pipe_fence_handle *fence;

   if (flags & PIPE_FLUSH_DEFERRED) {
      if (out)
         vivgpu_flush_deferred_flush(context, out, created);
      return;
   }
   vivgpu_flush_prepare_flush(context, flags);
   submits = out ? !vivgpu_flush_last_fence_is_current(context) : context->stream.used;
   if (unlikely(context->monitor))
      reason = vivgpu_monitor_flush(context, flags, out, submits);
   fence = !out      ? NULL
           : submits ? vivgpu_flush_add_fence(context, created ? *out : NULL)
                     : context->job.last_fence;
   if (out)
      vivgpu_flush_return_fence(context, out, created, fence);
   vivgpu_job_submit(context, reason);
   vivgpu_deadline_flushed(context);
}

void
vivgpu_flush_init(struct pipe_context *context)
{
   context->flush = vivgpu_flush;
}
