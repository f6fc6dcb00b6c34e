/* SPDX-License-Identifier: MIT */

#include "vivgpu_job.h"

#include <string.h>

#include "util/log.h"
#include "util/u_atomic.h"
#include "vivgpu_deadline.h"
#include "vivgpu_decode.h"
#include "vivgpu_fence.h"
#include "vivgpu_monitor.h"
#include "vivgpu_sample_counter.h"
#include "vivgpu_vendor.h"

/* A value that no draw emits, for state whose value in the GPU is unknown. */
#define UNKNOWN ~0u

/* Words of a command buffer of Vivante's driver: 128 KB */
#define VENDOR_BUFFER_WORDS (128 * 1024 / 4)

void
vivgpu_job_begin(struct vivgpu_context *context)
{
   context->dirty = VIVGPU_DIRTY_ALL;
   /* The prologue switches samplers off: emit the active ones again. */
   context->textures.dirty |= context->textures.active;
   context->textures.active = 0;
   vivgpu_emitted_invalidate(&context->emitted.values);
   context->job.copied_constant_bytes = 0;
   context->upload_memory.job_bytes = 0;
   context->emitted.rasterizer.count = 0;
   context->emitted.blend.count = 0;
   context->emitted.link = NULL;
   context->emitted.samplers.known = context->emitted.samplers.without_status = 0;
   context->emitted.vertices.packed[0] = 0;
   context->emitted.vertices.known_elements = context->emitted.vertices.known_streams = 0;
   context->emitted.num_streams = 0;
   context->emitted.code[0] = context->emitted.code[1] = 0;
   memset(&context->emitted.scissor, UNKNOWN, sizeof(context->emitted.scissor));
   context->emitted.uniforms[0].emitted = context->emitted.uniforms[1].emitted = 0;
   vivgpu_constants_invalidate(context->constants);
}

/* After a job of @words, let the next one end once the vendor's buffer is full. */
static void
vivgpu_job_limit_to_vendor_buffer(struct vivgpu_context *context, uint32_t words)
{
   struct vivgpu_stream *stream = &context->stream;

   context->vendor.words += words;
   stream->split_words = VENDOR_BUFFER_WORDS - context->vendor.words % VENDOR_BUFFER_WORDS;
   stream->limit = 0;
}

/* The job was submitted, or refused with the error @ret: its fence may be waited for. */
static void
vivgpu_job_signal_submitted(struct vivgpu_context *context, int ret)
{
   struct vivgpu_kernel *kernel = context->screen->kernel;
   struct pipe_screen *screen = &context->screen->base;
   struct pipe_fence_handle *fence = context->job.fence;

   if (!fence)
      return;
   if (ret)
      kernel->fence_signal(kernel, &fence->kernel);
   screen->fence_reference(screen, &context->job.last_fence, NULL);
   context->job.last_fence = fence;
   context->job.last_fence_jobs = context->stream.jobs;
   context->job.fence = NULL;
   util_queue_fence_signal(&fence->submitted);
}

void
vivgpu_job_submit(struct vivgpu_context *context, enum vivgpu_group_reason reason)
{
   uint32_t words = context->stream.used, end = words * sizeof(uint32_t);
   bool shared = p_atomic_read(&context->screen->contexts) > 1;
   int ret;

   if (!words)
      return;
   vivgpu_sample_counter_stop(context);
   vivgpu_acc_query_request_job(context);
   if (context->screen->debug & VIVGPU_DEBUG_STREAM)
      vivgpu_decode(stderr, context->stream.words, context->stream.used);
   if (unlikely(context->monitor))
      vivgpu_monitor_end_group(context, reason, end);
   vivgpu_deadline_set(context);
   ret = vivgpu_stream_submit(&context->stream,
                              context->job.fence ? &context->job.fence->kernel : NULL,
                              shared ? &context->screen->write_seqno : NULL);
   vivgpu_deadline_submitted(context);
   if (unlikely(context->monitor))
      vivgpu_monitor_submitted(context);
   if (ret) {
      mesa_loge("vivgpu: a job was refused: %s", strerror(-ret));
      context->lost = true;
   }
   vivgpu_job_signal_submitted(context, ret);

   if (vivgpu_vendor(context))
      vivgpu_job_limit_to_vendor_buffer(context, words);
   vivgpu_job_begin(context);
}

bool
vivgpu_job_reserve_slow(struct vivgpu_context *context, uint32_t count)
{
   const struct vivgpu_stream *stream = &context->stream;
   bool split = stream->split_words && stream->used >= stream->split_words;

   count += VIVGPU_END_WORDS;
   if (!split && vivgpu_stream_fits(&context->stream, count))
      return true;
   vivgpu_job_submit(context, VIVGPU_GROUP_FULL_STREAM);
   return vivgpu_stream_fits(&context->stream, count);
}

/* True if the job being written uses the buffer so that an access by the CPU must wait. */
static bool
vivgpu_job_uses(struct vivgpu_context *context, const struct vivgpu_bo *bo, bool write)
{
   uint32_t uses = vivgpu_stream_uses(&context->stream, bo);

   return write ? uses : uses & VIVGPU_WRITE;
}

bool
vivgpu_job_busy(struct vivgpu_context *context, struct vivgpu_bo *bo, bool write)
{
   return vivgpu_job_uses(context, bo, write) || vivgpu_bo_busy(bo, write);
}

bool
vivgpu_job_wait(struct vivgpu_context *context, struct vivgpu_bo *bo, unsigned usage)
{
   bool write = usage & PIPE_MAP_WRITE;

   if (usage & PIPE_MAP_UNSYNCHRONIZED)
      return true;
   if (vivgpu_job_uses(context, bo, write))
      vivgpu_job_submit(context, VIVGPU_GROUP_TRANSFER);
   if (usage & PIPE_MAP_DONTBLOCK && vivgpu_bo_busy(bo, write))
      return false;
   return vivgpu_bo_wait(bo, write);
}
