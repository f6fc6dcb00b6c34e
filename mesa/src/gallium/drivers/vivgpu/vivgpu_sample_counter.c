/* SPDX-License-Identifier: MIT */

#include "vivgpu_sample_counter.h"

#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"

/* Number of counts that fit in a buffer */
#define MAX_PARTS 512

/* Any value stops the count. */
#define END_OF_COUNT 0x1df5e76

/* Make sure that the job being written has a buffer for its counts. */
static bool
vivgpu_sample_prepare_buffer(struct vivgpu_context *context)
{
   struct vivgpu_occlusion *occlusion = &context->occlusion;

   if (!occlusion->bo || occlusion->job != context->stream.jobs || occlusion->parts >= MAX_PARTS) {
      vivgpu_bo_unref(occlusion->bo);
      occlusion->bo = vivgpu_bo_create(context->screen->kernel, MAX_PARTS * sizeof(uint64_t));
      occlusion->job = context->stream.jobs;
      occlusion->parts = 0;
   }
   return occlusion->bo && vivgpu_bo_map(occlusion->bo);
}

bool
vivgpu_sample_counter_start(struct vivgpu_context *context)
{
   struct vivgpu_occlusion *occlusion = &context->occlusion;

   if (!vivgpu_sample_prepare_buffer(context))
      return false;

   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   /* The count is 0 if the job is aborted before it is written. */
   ((uint64_t *)vivgpu_bo_map(occlusion->bo))[occlusion->parts] = 0;
   vivgpu_pack(&pack, VIVS_GL_OCCLUSION_QUERY_ADDR,
               vivgpu_stream_use(&context->stream, occlusion->bo,
                                 occlusion->parts * sizeof(uint64_t), VIVGPU_WRITE));
   vivgpu_stream_end(&context->stream, &pack);
   occlusion->counting = true;
   return true;
}

void
vivgpu_sample_counter_stop(struct vivgpu_context *context)
{
   struct vivgpu_occlusion *occlusion = &context->occlusion;

   if (!occlusion->counting)
      return;

   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_pack(&pack, VIVS_GL_OCCLUSION_QUERY_CONTROL, END_OF_COUNT);
   vivgpu_stream_end(&context->stream, &pack);
   occlusion->parts++;
   occlusion->counting = false;
}
