/* SPDX-License-Identifier: MIT */

#include "vivgpu_staging.h"

#include "util/format/u_format.h"
#include "util/u_math.h"
#include "vivgpu_cpu_blit.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_resource.h"
#include "vivgpu_rs.h"
#include "vivgpu_shadow.h"
#include "vivgpu_transfer.h"
#include "vivgpu_upload.h"

/* Extend the box to whole windows of the resolve engine, within the padding of the level. */
static void
vivgpu_staging_align_box(const struct vivgpu_resource *resource, unsigned level,
                         const struct pipe_box *box, struct pipe_box *wide)
{
   const struct vivgpu_level *info = &resource->layout.levels[level];
   unsigned across, down, samples_x, samples_y;

   vivgpu_layout_samples(resource->base.b.nr_samples, &samples_x, &samples_y);
   vivgpu_layout_rs_alignment(resource->layout.tiling, &across, &down);
   *wide = *box;
   wide->x = box->x / across * across;
   wide->y = box->y / down * down;
   wide->width = align(box->x + box->width - wide->x, VIVGPU_WINDOW_WIDTH);
   wide->height = align(box->y + box->height - wide->y, VIVGPU_WINDOW_HEIGHT);
   wide->width = MIN2((unsigned)wide->width, info->padded_width / samples_x - wide->x);
   wide->height = MIN2((unsigned)wide->height, info->padded_height / samples_y - wide->y);
}

/* True if the box contains all pixels of the extended box that exist. */
static bool
vivgpu_staging_contains_all(const struct vivgpu_level *level, const struct pipe_box *box,
                            const struct pipe_box *wide)
{
   int right = MIN2(wide->x + wide->width, (int)level->width);
   int bottom = MIN2(wide->y + wide->height, (int)level->height);

   return box->x == wide->x && box->y == wide->y && box->x + box->width >= right &&
          box->y + box->height >= bottom;
}

/* Blit to a multisampled surface: each sample gets the pixel's value. */
static void
vivgpu_staging_blit_copy(struct vivgpu_context *context, const struct vivgpu_transfer *transfer)
{
   const struct pipe_transfer *base = &transfer->base.b;
   enum pipe_format format = base->resource->format;
   struct pipe_blit_info info = {
      .src = {.resource = transfer->staging, .format = format, .box = base->box},
      .dst = {.resource = base->resource, .level = base->level, .box = base->box, .format = format},
      .mask = util_format_get_mask(format),
   };

   info.src.box.x -= transfer->staging_box.x;
   info.src.box.y -= transfer->staging_box.y;
   info.src.box.z -= transfer->staging_box.z;
   context->base.blit(&context->base, &info);
}

/*
 * True if samples are copied, each to a pixel of its own: if the caller wants them, and those of
 * depth and stencil, whose average is meaningless.
 */
static bool
vivgpu_staging_copies_samples(const struct pipe_transfer *base)
{
   return base->resource->nr_samples > 1 &&
          (base->usage & VIVGPU_MAP_SAMPLES ||
           util_format_is_depth_or_stencil(base->resource->format));
}

/*
 * Copy the staging box from the texture to the staging copy, or @back. To a multisampled texture
 * the pixels are blitted, unless each sample is mapped.
 */
static bool
vivgpu_staging_copy_layers(struct vivgpu_context *context, struct vivgpu_transfer *transfer,
                           bool back)
{
   const struct pipe_box *box = &transfer->staging_box;
   const struct pipe_transfer *base = &transfer->base.b;

   if (back && base->resource->nr_samples > 1 && !(base->usage & VIVGPU_MAP_SAMPLES)) {
      vivgpu_staging_blit_copy(context, transfer);
      return true;
   }

   for (int z = 0; z < box->depth; z++) {
      const struct vivgpu_rs_origin copy = {vivgpu_resource(transfer->staging), 0, 0, 0, z};
      const struct vivgpu_rs_origin texture = {vivgpu_resource(base->resource), base->level, box->x,
                                               box->y, box->z + z};

      if (vivgpu_staging_copies_samples(base)
             ? !vivgpu_rs_copy_samples(context, copy.resource, &texture, box->width, box->height,
                                       back)
             : !vivgpu_shadow_copy_window(context, back ? &texture : &copy, back ? &copy : &texture,
                                          box->width, box->height))
         return false;
   }
   return true;
}

/* Reduce separately copied samples, which are mapped, to the first one of each pixel. */
static void
vivgpu_staging_compact_samples(struct vivgpu_transfer *transfer)
{
   const struct vivgpu_resource *copy = vivgpu_resource(transfer->staging);
   const struct pipe_resource *resource = transfer->base.b.resource;
   const struct vivgpu_rows rows = {
      .pixels = transfer->map,
      .stride = copy->layout.levels[0].stride,
      .bytes = util_format_get_blocksize(resource->format),
   };
   unsigned x, y;

   vivgpu_layout_samples(resource->nr_samples, &x, &y);
   vivgpu_cpu_blit_first_samples(&rows, transfer->staging_box.width, transfer->staging_box.height,
                                 x, y);
}

/* Create a linear texture for the pixels of the staging box, or for their samples. */
static struct vivgpu_resource *
vivgpu_staging_create_staging(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   const struct pipe_transfer *base = &transfer->base.b;
   const struct pipe_box *box = &transfer->staging_box;
   struct pipe_resource linear = {
      .target = base->box.depth > 1 ? PIPE_TEXTURE_2D_ARRAY : PIPE_TEXTURE_2D,
      .format = base->resource->format,
      .depth0 = 1,
      .array_size = base->box.depth,
   };
   unsigned x = 1, y = 1;

   if (vivgpu_staging_copies_samples(base))
      vivgpu_layout_samples(base->resource->nr_samples, &x, &y);
   linear.width0 = box->width * x;
   linear.height0 = box->height * y;
   transfer->staging = vivgpu_resource_create_tiled(&context->screen->base, &linear, VIVGPU_LINEAR);
   return transfer->staging ? vivgpu_resource(transfer->staging) : NULL;
}

/* Fill the staging copy from the texture; the command monitor lists that as a copy. */
static bool
vivgpu_staging_read_back(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   const struct pipe_transfer *base = &transfer->base.b;
   enum pipe_format format = base->resource->format;
   const struct pipe_blit_info info = {
      .src = {.resource = base->resource, .level = base->level, .box = base->box, .format = format},
      .dst = {.resource = transfer->staging, .box = base->box, .format = format},
   };
   const struct vivgpu_monitor_place place = vivgpu_monitor_place(context);
   bool done = vivgpu_staging_copy_layers(context, transfer, false);

   if (unlikely(context->monitor))
      vivgpu_monitor_copied(context, place, &info);
   return done;
}

/* True if all pixels of the box are written, and none is read. */
static bool
vivgpu_staging_only_writes(const struct pipe_transfer *base)
{
   return !(base->usage & PIPE_MAP_READ) &&
          base->usage & (PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE);
}

/*
 * Pixels that are only written go to memory of the upload (vivgpu_upload.h), for which the CPU
 * never waits. If the resolve engine cannot copy the box without its surroundings, it is drawn.
 */
static void *
vivgpu_staging_map_upload(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   struct pipe_transfer *base = &transfer->base.b;
   const struct vivgpu_resource *resource = vivgpu_resource(base->resource);

   transfer->drawn = !vivgpu_staging_contains_all(&resource->layout.levels[base->level], &base->box,
                                                  &transfer->staging_box);
   if (transfer->drawn)
      transfer->staging_box = base->box;
   transfer->staging =
      vivgpu_upload_allocate(context, base->resource->format, transfer->staging_box.width,
                             transfer->staging_box.height, &transfer->map);
   if (!transfer->staging)
      return NULL;
   base->stride = vivgpu_resource(transfer->staging)->layout.levels[0].stride;
   base->layer_stride = vivgpu_resource(transfer->staging)->layout.levels[0].layer_stride;
   return transfer->map;
}

/*
 * Map a copy that includes the surroundings of the box. It is filled from the texture unless all of
 * its pixels are overwritten.
 */
static void *
vivgpu_staging_map_copy(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   struct pipe_transfer *base = &transfer->base.b;
   struct vivgpu_resource *resource = vivgpu_resource(base->resource);
   struct vivgpu_resource *copy = vivgpu_staging_create_staging(context, transfer);
   bool filled = copy && (!vivgpu_staging_only_writes(base) ||
                          !vivgpu_staging_contains_all(&resource->layout.levels[base->level],
                                                       &base->box, &transfer->staging_box));
   unsigned x = 1, y = 1;

   if (!(base->usage & TC_TRANSFER_MAP_THREADED_UNSYNC))
      vivgpu_shadow_update_base(context, resource, 1u << base->level);
   if (!copy || (filled && !vivgpu_staging_read_back(context, transfer)) ||
       !vivgpu_job_wait(context, copy->bo, PIPE_MAP_READ | PIPE_MAP_WRITE))
      return NULL;

   base->stride = copy->layout.levels[0].stride;
   base->layer_stride = copy->layout.levels[0].layer_stride;
   transfer->map = vivgpu_bo_map(copy->bo);
   if (!transfer->map)
      return NULL;
   if (base->usage & VIVGPU_MAP_SAMPLES)
      vivgpu_layout_samples(base->resource->nr_samples, &x, &y);
   else if (filled && vivgpu_staging_copies_samples(base))
      vivgpu_staging_compact_samples(transfer);
   return (char *)transfer->map + (base->box.y - transfer->staging_box.y) * y * base->stride +
          (base->box.x - transfer->staging_box.x) * x *
             util_format_get_blocksize(base->resource->format);
}

void *
vivgpu_staging_map(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   struct pipe_transfer *base = &transfer->base.b;

   vivgpu_staging_align_box(vivgpu_resource(base->resource), base->level, &base->box,
                            &transfer->staging_box);
   if (vivgpu_staging_only_writes(base) && vivgpu_upload_can(context, base))
      return vivgpu_staging_map_upload(context, transfer);
   return vivgpu_staging_map_copy(context, transfer);
}

void
vivgpu_staging_write_back(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   const struct pipe_transfer *base = &transfer->base.b;

   if (transfer->drawn)
      vivgpu_upload_draw(context, base, transfer->staging);
   else
      vivgpu_staging_copy_layers(context, transfer, true);
}
