/* SPDX-License-Identifier: MIT */

#include "vivgpu_upload.h"

#include "util/box.h"
#include "util/format/u_format.h"
#include "util/u_blitter.h"
#include "util/u_inlines.h"
#include "vivgpu_blit.h"
#include "vivgpu_context.h"
#include "vivgpu_format.h"
#include "vivgpu_job.h"
#include "vivgpu_resource.h"
#include "vivgpu_transfer.h"

/* Size of a buffer from which memory is taken; larger uploads get one of their own. */
#define MEMORY_BYTES (1 << 20)

/* Bytes of uploads from which on a job is submitted: they are freed only when it has ended. */
#define MAX_JOB_BYTES (16 << 20)

/*
 * For a format of two or four bytes: one of the same size whose channels a shader reads and writes
 * without changing a bit, whatever the texture's own format is.
 */
static enum pipe_format
vivgpu_upload_raw_format(enum pipe_format format)
{
   return util_format_get_blocksize(format) == 2 ? PIPE_FORMAT_B4G4R4A4_UNORM
                                                 : PIPE_FORMAT_B8G8R8A8_UNORM;
}

bool
vivgpu_upload_can(const struct vivgpu_context *context, const struct pipe_transfer *transfer)
{
   const struct pipe_resource *texture = transfer->resource;

   /* With blackhole nothing would be drawn, and the blitter cannot be called from within itself. */
   return !context->screen->generation.split && transfer->box.depth == 1 &&
          texture->nr_samples <= 1 && vivgpu_format_can_tile(texture->format) &&
          !util_format_is_depth_or_stencil(texture->format) &&
          !(transfer->usage & (TC_TRANSFER_MAP_THREADED_UNSYNC | VIVGPU_MAP_SAMPLES)) &&
          !context->blackhole && !context->blitter->running;
}

/* Take memory for a texture. Returns false if memory is short. */
static bool
vivgpu_upload_take(struct vivgpu_context *context, struct vivgpu_resource *pixels)
{
   struct vivgpu_upload_memory *memory = &context->upload_memory;
   uint64_t bytes = pixels->layout.size;

   if (bytes > UINT32_MAX)
      return false;
   if (!memory->bo || memory->used + bytes > memory->bo->size) {
      struct vivgpu_bo *bo = vivgpu_bo_create(context->screen->kernel, MAX2(bytes, MEMORY_BYTES));

      if (!bo)
         return false;
      vivgpu_bo_unref(memory->bo);
      memory->bo = bo;
      memory->used = 0;
      /* Texture caches may have what another buffer had at these addresses. */
      memory->seqno = p_atomic_inc_return(&context->screen->write_seqno);
   }
   pixels->bo = vivgpu_bo_ref(memory->bo);
   pixels->seqno = memory->seqno;
   pixels->layout.levels[0].offset = memory->used;
   memory->used += align(bytes, VIVGPU_SURFACE_ALIGN);
   memory->job_bytes += bytes;
   return true;
}

struct pipe_resource *
vivgpu_upload_allocate(struct vivgpu_context *context, enum pipe_format format, unsigned width,
                       unsigned height, void **map)
{
   const struct pipe_resource linear = {
      .target = PIPE_TEXTURE_2D,
      .format = vivgpu_upload_raw_format(format),
      .width0 = width,
      .height0 = height,
      .depth0 = 1,
      .array_size = 1,
   };
   struct vivgpu_resource *pixels =
      vivgpu_resource_new(&context->screen->base, &linear, VIVGPU_LINEAR);
   struct pipe_resource *created = pixels ? &pixels->base.b : NULL;
   char *start;

   if (context->upload_memory.job_bytes > MAX_JOB_BYTES)
      vivgpu_job_submit(context, VIVGPU_GROUP_FULL_UPLOAD);
   if (!pixels || !vivgpu_upload_take(context, pixels) || !(start = vivgpu_bo_map(pixels->bo))) {
      pipe_resource_reference(&created, NULL);
      return NULL;
   }
   *map = start + pixels->layout.levels[0].offset;
   return created;
}

void
vivgpu_upload_draw(struct vivgpu_context *context, const struct pipe_transfer *transfer,
                   struct pipe_resource *pixels)
{
   struct pipe_context *pcontext = &context->base;
   struct pipe_surface to = {0}, *surface;
   struct pipe_sampler_view from = {0}, *view;
   struct pipe_box box;

   util_blitter_default_dst_texture(&to, transfer->resource, transfer->level, transfer->box.z);
   to.format = vivgpu_upload_raw_format(transfer->resource->format);
   surface = pcontext->create_surface(pcontext, transfer->resource, &to);
   util_blitter_default_src_texture(context->blitter, &from, pixels, 0);
   view = pcontext->create_sampler_view(pcontext, pixels, &from);
   if (surface && view) {
      u_box_2d(0, 0, transfer->box.width, transfer->box.height, &box);
      vivgpu_blit_save(context, false);
      util_blitter_blit_generic(context->blitter, surface, &transfer->box, view, &box,
                                pixels->width0, pixels->height0, PIPE_MASK_RGBA,
                                PIPE_TEX_FILTER_NEAREST, NULL, false, false, 0, NULL);
   }
   pipe_surface_reference(&surface, NULL);
   pipe_sampler_view_reference(&view, NULL);
}
