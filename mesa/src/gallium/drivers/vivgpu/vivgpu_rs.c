/* SPDX-License-Identifier: MIT */

#include "vivgpu_rs.h"

#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/format/u_format.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "vivgpu_bo.h"
#include "vivgpu_emit.h"
#include "vivgpu_format.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_resource.h"

/* Any value written to RS_KICKER starts the engine. */
#define KICK 0xbeebbeeb

#define NO_DITHER 0xffffffff

/* Tags that mark all tiles as cleared */
#define ALL_CLEARED 0x55555555

/* Tile status is filled like a surface with rows of 16 pixels of 4 bytes. */
#define STATUS_PIXEL  4
#define STATUS_STRIDE (VIVGPU_WINDOW_WIDTH * STATUS_PIXEL)

#define ALL_BYTES 0xffff

/* In tiled surfaces the unit is a row of 4x4 tiles: 4 rows of pixels. */
static uint32_t
vivgpu_rs_stride(const struct vivgpu_rs_surface *surface)
{
   return surface->tiling == VIVGPU_LINEAR ? surface->stride : surface->stride * 4;
}

static uint32_t
vivgpu_rs_tiled(const struct vivgpu_rs_surface *surface, uint32_t bit)
{
   return surface->tiling == VIVGPU_LINEAR ? 0 : bit;
}

static uint32_t
vivgpu_rs_super_tiled(const struct vivgpu_rs_surface *surface, uint32_t bit)
{
   return surface->tiling >= VIVGPU_SUPER ? bit : 0;
}

static uint32_t
vivgpu_rs_split(const struct vivgpu_rs_surface *surface, uint32_t bit)
{
   return surface->tiling == VIVGPU_SPLIT ? bit : 0;
}

/* Pack the addresses for both pipes; @state is the one for the first. */
static void
vivgpu_rs_pack_address(struct vivgpu_pack *pack, uint32_t state,
                       const struct vivgpu_rs_surface *surface, uint32_t address)
{
   vivgpu_pack(pack, state, address);
   if (surface->tiling == VIVGPU_SPLIT)
      vivgpu_pack(pack, state + 4, address + surface->pipe1_offset);
}

/*
 * Pack the window. Pipes with separate surfaces do half of the window each, if its height can be
 * divided.
 */
static void
vivgpu_rs_pack_window(struct vivgpu_pack *pack, bool pipes, uint32_t width, uint32_t height,
                      unsigned step)
{
   bool halves = pipes && height % (2 * step) == 0;

   if (halves)
      height /= 2;
   vivgpu_pack(pack, VIVS_RS_PIPE_OFFSET(0), 0);
   vivgpu_pack(pack, VIVS_RS_PIPE_OFFSET(1), halves ? VIVS_RS_PIPE_OFFSET_Y(height) : 0);
   vivgpu_pack(pack, VIVS_RS_WINDOW_SIZE,
               VIVS_RS_WINDOW_SIZE_WIDTH(width) | VIVS_RS_WINDOW_SIZE_HEIGHT(height));
   vivgpu_pack(pack, VIVS_RS_DITHER(0), NO_DITHER);
   vivgpu_pack(pack, VIVS_RS_DITHER(1), NO_DITHER);
}

void
vivgpu_rs_fill(struct vivgpu_context *context, const struct vivgpu_rs_surface *to, unsigned bytes,
               uint32_t width, uint32_t height, uint64_t value, uint32_t bits)
{
   uint32_t address = vivgpu_stream_use(&context->stream, to->bo, to->offset, VIVGPU_WRITE);
   uint32_t format = vivgpu_format_copy(bytes);
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_pack(&pack, VIVS_RS_CONFIG,
               VIVS_RS_CONFIG_SOURCE_FORMAT(format) | VIVS_RS_CONFIG_DEST_FORMAT(format) |
                  vivgpu_rs_tiled(to, VIVS_RS_CONFIG_DEST_TILED));
   /* There is no source. */
   vivgpu_pack(&pack, VIVS_RS_SOURCE_STRIDE, 0);
   vivgpu_pack(&pack, VIVS_RS_DEST_STRIDE,
               vivgpu_rs_stride(to) | vivgpu_rs_super_tiled(to, VIVS_RS_DEST_STRIDE_TILING) |
                  vivgpu_rs_split(to, VIVS_RS_DEST_STRIDE_MULTI));
   vivgpu_rs_pack_address(&pack, VIVS_RS_PIPE_DEST_ADDR(0), to, address);
   vivgpu_rs_pack_window(&pack, context->screen->generation.split, width, height,
                         VIVGPU_WINDOW_HEIGHT);
   vivgpu_pack(&pack, VIVS_RS_CLEAR_CONTROL,
               VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1 | VIVS_RS_CLEAR_CONTROL_BITS(bits));
   /* ENABLED1 repeats the first value, or for pixels of 8 bytes the first two. */
   for (unsigned i = 0; i < VIVS_RS_FILL_VALUE__LEN; i++)
      vivgpu_pack(&pack, VIVS_RS_FILL_VALUE(i), i % 2 ? value >> 32 : value);
   vivgpu_pack(&pack, VIVS_RS_EXTRA_CONFIG, 0);
   vivgpu_pack(&pack, VIVS_RS_KICKER, KICK);
   vivgpu_stream_end(&context->stream, &pack);
}

/*
 * Set up tile status for the source: the engine uses that of the first color target. COMPRESSION
 * selects the larger tiles of multisampled surfaces. The caller adds @resource->bo to the job.
 */
static void
vivgpu_rs_pack_status(struct vivgpu_context *context, struct vivgpu_pack *pack,
                      const struct vivgpu_resource *resource)
{
   const struct vivgpu_tile_status *status = &resource->status;
   bool small_msaa = resource->base.b.nr_samples > 1;

   vivgpu_pack(pack, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
   vivgpu_pack(pack, VIVS_TS_MEM_CONFIG,
               VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR |
                  (small_msaa ? VIVS_TS_MEM_CONFIG_COLOR_COMPRESSION : 0));
   vivgpu_pack(pack, VIVS_TS_COLOR_STATUS_BASE,
               vivgpu_stream_use(&context->stream, status->bo, 0, VIVGPU_READ | VIVGPU_WRITE));
   vivgpu_pack(pack, VIVS_TS_COLOR_SURFACE_BASE,
               resource->bo->va + resource->layout.levels[0].offset);
   vivgpu_pack(pack, VIVS_TS_COLOR_CLEAR_VALUE, status->clear_value);
   vivgpu_pack(pack, VIVS_TS_COLOR_CLEAR_VALUE_EXT, status->clear_value >> 32);
   context->dirty |= VIVGPU_DIRTY_STATUS;
}

static uint32_t
vivgpu_rs_source_stride(const struct vivgpu_rs_copy *copy)
{
   /* With multisampling a tag stands for a larger tile on these cores. */
   uint32_t mode =
      copy->down_x || copy->down_y || (copy->status && copy->status->base.b.nr_samples > 1)
         ? VIVS_RS_SOURCE_STRIDE_TS_MODE(TS_MODE_256B)
         : 0;

   return vivgpu_rs_stride(&copy->from) |
          vivgpu_rs_super_tiled(&copy->from, VIVS_RS_SOURCE_STRIDE_TILING) |
          vivgpu_rs_split(&copy->from, VIVS_RS_SOURCE_STRIDE_MULTI) | mode;
}

void
vivgpu_rs_copy(struct vivgpu_context *context, const struct vivgpu_rs_copy *copy)
{
   struct vivgpu_stream *stream = &context->stream;
   const struct vivgpu_rs_surface *from = &copy->from, *to = &copy->to;
   uint32_t source = vivgpu_stream_use(stream, from->bo, from->offset, VIVGPU_READ);
   uint32_t dest = vivgpu_stream_use(stream, to->bo, to->offset, VIVGPU_WRITE);
   struct vivgpu_pack pack = vivgpu_stream_begin(stream);

   if (copy->status)
      vivgpu_rs_pack_status(context, &pack, copy->status);
   else
      vivgpu_pack(&pack, VIVS_TS_MEM_CONFIG, 0);
   context->dirty |= VIVGPU_DIRTY_STATUS;

   vivgpu_pack(&pack, VIVS_RS_CONFIG,
               VIVS_RS_CONFIG_SOURCE_FORMAT(copy->format) |
                  VIVS_RS_CONFIG_DEST_FORMAT(copy->format) |
                  (copy->down_x ? VIVS_RS_CONFIG_DOWNSAMPLE_X : 0) |
                  (copy->down_y ? VIVS_RS_CONFIG_DOWNSAMPLE_Y : 0) |
                  vivgpu_rs_tiled(from, VIVS_RS_CONFIG_SOURCE_TILED) |
                  vivgpu_rs_tiled(to, VIVS_RS_CONFIG_DEST_TILED));
   vivgpu_pack(&pack, VIVS_RS_SOURCE_STRIDE, vivgpu_rs_source_stride(copy));
   vivgpu_pack(&pack, VIVS_RS_DEST_STRIDE,
               vivgpu_rs_stride(to) | vivgpu_rs_super_tiled(to, VIVS_RS_DEST_STRIDE_TILING) |
                  vivgpu_rs_split(to, VIVS_RS_DEST_STRIDE_MULTI));
   vivgpu_rs_pack_address(&pack, VIVS_RS_PIPE_SOURCE_ADDR(0), from, source);
   vivgpu_rs_pack_address(&pack, VIVS_RS_PIPE_DEST_ADDR(0), to, dest);
   vivgpu_rs_pack_window(&pack, context->screen->generation.split, copy->width, copy->height,
                         VIVGPU_WINDOW_HEIGHT << copy->down_y);
   vivgpu_pack(&pack, VIVS_RS_CLEAR_CONTROL, VIVS_RS_CLEAR_CONTROL_MODE_DISABLED);
   vivgpu_pack(&pack, VIVS_RS_EXTRA_CONFIG, 0);
   vivgpu_pack(&pack, VIVS_RS_KICKER, KICK);
   vivgpu_stream_end(stream, &pack);
}

/*
 * Pixels are also to be resolved if another context has recorded a resolve, but not submitted it:
 * it has cleared @pending already, but a job of this context may run before.
 */
bool
vivgpu_rs_is_pending(const struct vivgpu_context *context, const struct vivgpu_resource *resource)
{
   const struct vivgpu_tile_status *status = &resource->status;

   return status->valid &&
          (status->pending || vivgpu_stream_lacks(&context->stream, resource->bo)) &&
          !vivgpu_stream_lacks(&context->stream, status->bo);
}

/*
 * Resolve in place, which also sets the tags to those of tiles in memory: they remain valid.
 * Multisampled and split surfaces, for which that is not possible, are copied onto themselves,
 * which leaves the tags as they are: they are not valid then.
 */
static void
vivgpu_rs_record_resolve(struct vivgpu_context *context, struct vivgpu_resource *resource)
{
   const struct vivgpu_level *level = &resource->layout.levels[0];
   const struct vivgpu_rs_surface surface = {
      .bo = resource->bo,
      .offset = level->offset,
      .stride = level->stride,
      .tiling = resource->layout.tiling,
      .pipe1_offset = level->pipe1_offset,
   };
   bool in_place = true;

   if (!vivgpu_job_reserve(context, VIVGPU_MAX_RS_WORDS))
      return;

   const struct vivgpu_monitor_place place = vivgpu_monitor_place(context);

   vivgpu_emit_flush(context);
   if (resource->base.b.nr_samples > 1 || surface.tiling == VIVGPU_SPLIT) {
      vivgpu_rs_copy(context, &(struct vivgpu_rs_copy){
                                 .from = surface,
                                 .to = surface,
                                 .format = vivgpu_format_copy(
                                    util_format_get_blocksize(resource->base.b.format)),
                                 .width = level->padded_width,
                                 .height = level->padded_height,
                                 .status = resource,
                              });
      in_place = false;
   } else {
      struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

      vivgpu_stream_use(&context->stream, resource->bo, 0, VIVGPU_READ | VIVGPU_WRITE);
      vivgpu_rs_pack_status(context, &pack, resource);
      vivgpu_pack(&pack, VIVS_RS_EXTRA_CONFIG, 0);
      vivgpu_pack(&pack, VIVS_RS_SOURCE_STRIDE,
                  vivgpu_rs_stride(&surface) |
                     vivgpu_rs_super_tiled(&surface, VIVS_RS_SOURCE_STRIDE_TILING));
      vivgpu_pack(&pack, VIVS_RS_KICKER_INPLACE,
                  level->layer_stride / vivgpu_resource_tile_bytes(resource));
      vivgpu_stream_end(&context->stream, &pack);
   }
   vivgpu_stream_record(&context->stream, resource->bo);
   context->dirty |= VIVGPU_DIRTY_STATUS;
   vivgpu_resource_mark_written(context->screen, resource);
   if (unlikely(context->monitor))
      vivgpu_monitor_resolved(context, place, resource, resource, 0, NULL);
   /* Other contexts may read the pixels from here on: the kernel lets their jobs wait for this one.
    */
   if (p_atomic_read(&context->screen->contexts) > 1)
      vivgpu_job_submit(context, VIVGPU_GROUP_CONTEXT);
   resource->status.valid = in_place;
   resource->status.pending = false;
}

void
vivgpu_rs_resolve(struct vivgpu_context *context, struct vivgpu_resource *resource)
{
   if (!vivgpu_rs_is_pending(context, resource))
      return;
   simple_mtx_lock(&context->screen->status_lock);
   if (vivgpu_rs_is_pending(context, resource))
      vivgpu_rs_record_resolve(context, resource);
   simple_mtx_unlock(&context->screen->status_lock);
}

void
vivgpu_rs_fast_clear(struct vivgpu_context *context, struct vivgpu_resource *resource,
                     uint64_t value)
{
   const struct vivgpu_rs_surface tags = {
      .bo = resource->status.bo,
      .stride = STATUS_STRIDE,
      .tiling = VIVGPU_TILED,
   };
   uint64_t pattern = (uint64_t)ALL_CLEARED << 32 | ALL_CLEARED;
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   /* The cache may hold tags of earlier draws; if written back later they would undo the fill. */
   vivgpu_pack(&pack, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
   vivgpu_pack_stall(&pack, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
   vivgpu_stream_end(&context->stream, &pack);
   vivgpu_rs_fill(context, &tags, STATUS_PIXEL, VIVGPU_WINDOW_WIDTH,
                  resource->status.size / STATUS_STRIDE, pattern, ALL_BYTES);
   simple_mtx_lock(&context->screen->status_lock);
   vivgpu_stream_record(&context->stream, resource->status.bo);
   resource->status.valid = resource->status.pending = true;
   resource->status.clear_value = value;
   simple_mtx_unlock(&context->screen->status_lock);
   context->dirty |= VIVGPU_DIRTY_STATUS;
}

static bool
vivgpu_rs_is_aligned(const struct vivgpu_rs_origin *origin)
{
   unsigned across, down;

   vivgpu_layout_rs_alignment(origin->resource->layout.tiling, &across, &down);
   return origin->x % across == 0 && origin->y % down == 0;
}

static struct vivgpu_rs_surface
vivgpu_rs_surface_at(const struct vivgpu_rs_origin *origin, unsigned bytes, unsigned scale_x,
                     unsigned scale_y)
{
   const struct vivgpu_layout *layout = &origin->resource->layout;
   const struct vivgpu_level *level = &layout->levels[origin->level];

   return (struct vivgpu_rs_surface){
      .bo = origin->resource->bo,
      .offset = level->offset + origin->z * level->layer_stride +
                vivgpu_layout_offset(layout, origin->level, bytes, origin->x * scale_x,
                                     origin->y * scale_y),
      .stride = level->stride,
      .tiling = layout->tiling,
      .pipe1_offset = level->pipe1_offset,
   };
}

/*
 * Compute the size in samples of @from to copy: @width and @height are rounded up to windows if the
 * excess is padding of @to, and within the memory of the level of @from. Returns false if it is
 * not.
 * @to_x, @to_y, @from_x, @from_y: samples of a pixel in each direction
 */
static bool
vivgpu_rs_fit_window(const struct vivgpu_rs_origin *to, unsigned to_x, unsigned to_y,
                     const struct vivgpu_rs_origin *from, unsigned from_x, unsigned from_y,
                     unsigned *width, unsigned *height)
{
   const struct vivgpu_level *source = &from->resource->layout.levels[from->level];
   const struct vivgpu_level *dest = &to->resource->layout.levels[to->level];
   unsigned w = align(*width, VIVGPU_WINDOW_WIDTH), h = align(*height, VIVGPU_WINDOW_HEIGHT);

   if (w != *width && to->x + *width < dest->width)
      return false;
   if (h != *height && to->y + *height < dest->height)
      return false;
   if ((to->x + w) * to_x > dest->padded_width || (to->y + h) * to_y > dest->padded_height ||
       (from->x + w) * from_x > source->padded_width ||
       (from->y + h) * from_y > source->padded_height)
      return false;
   *width = w * from_x;
   *height = h * from_y;
   return true;
}

bool
vivgpu_rs_copy_window(struct vivgpu_context *context, const struct vivgpu_rs_origin *to,
                      const struct vivgpu_rs_origin *from, unsigned width, unsigned height)
{
   const struct pipe_resource *source = &from->resource->base.b, *dest = &to->resource->base.b;
   unsigned bytes = util_format_get_blocksize(source->format);
   unsigned from_x, from_y, to_x, to_y;
   uint32_t format = vivgpu_format_copy(bytes);
   bool averages;

   vivgpu_layout_samples(source->nr_samples, &from_x, &from_y);
   vivgpu_layout_samples(dest->nr_samples, &to_x, &to_y);
   averages = from_x != to_x || from_y != to_y;
   if (averages)
      format = vivgpu_format_resolve(source->format);
   /* Averages of a part of the samples cannot be computed: @to has one then. */
   if ((averages && to_x > 1) || format == VIVGPU_NO_FORMAT ||
       !vivgpu_format_can_tile(source->format) ||
       util_format_get_blocksize(dest->format) != bytes || !vivgpu_rs_is_aligned(to) ||
       !vivgpu_rs_is_aligned(from) ||
       !vivgpu_rs_fit_window(to, to_x, to_y, from, from_x, from_y, &width, &height))
      return false;

   /* The copy does not update the destination's tile status: resolve it before. */
   if (to->level == 0)
      vivgpu_rs_resolve(context, to->resource);
   if (!vivgpu_job_reserve(context, VIVGPU_MAX_RS_WORDS))
      return false;

   vivgpu_emit_flush(context);
   vivgpu_rs_copy(
      context,
      &(struct vivgpu_rs_copy){
         .from = vivgpu_rs_surface_at(from, bytes, from_x, from_y),
         .to = vivgpu_rs_surface_at(to, bytes, to_x, to_y),
         .format = format,
         .width = width,
         .height = height,
         .down_x = averages && from_x > 1,
         .down_y = averages && from_y > 1,
         .status = from->level == 0 && from->resource->status.valid ? from->resource : NULL,
      });
   if (to->level == 0)
      to->resource->status.valid = false;
   to->resource->stencil = VIVGPU_STENCIL_UNKNOWN;
   vivgpu_resource_mark_written(context->screen, to->resource);
   return true;
}

bool
vivgpu_rs_copy_samples(struct vivgpu_context *context, struct vivgpu_resource *linear,
                       const struct vivgpu_rs_origin *origin, unsigned width, unsigned height,
                       bool back)
{
   const struct vivgpu_rs_origin start = {linear};
   struct vivgpu_resource *resource = origin->resource;
   unsigned bytes = util_format_get_blocksize(resource->base.b.format), x, y;
   struct vivgpu_rs_surface pixels, samples;

   vivgpu_layout_samples(resource->base.b.nr_samples, &x, &y);
   if (!vivgpu_rs_is_aligned(origin))
      return false;
   if (back)
      vivgpu_rs_resolve(context, resource);
   if (!vivgpu_job_reserve(context, VIVGPU_MAX_RS_WORDS))
      return false;
   pixels = vivgpu_rs_surface_at(&start, bytes, 1, 1);
   samples = vivgpu_rs_surface_at(origin, bytes, x, y);
   vivgpu_emit_flush(context);
   vivgpu_rs_copy(context, &(struct vivgpu_rs_copy){
                              .from = back ? pixels : samples,
                              .to = back ? samples : pixels,
                              .format = vivgpu_format_copy(bytes),
                              .width = width * x,
                              .height = height * y,
                              .status = !back && resource->status.valid ? resource : NULL,
                           });
   if (back) {
      resource->status.valid = false;
      resource->stencil = VIVGPU_STENCIL_UNKNOWN;
   }
   vivgpu_resource_mark_written(context->screen, back ? resource : linear);
   return true;
}
