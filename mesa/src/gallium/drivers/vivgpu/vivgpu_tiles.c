/* SPDX-License-Identifier: MIT */

#include "vivgpu_tiles.h"

#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "vivgpu_context.h"
#include "vivgpu_emit.h"
#include "vivgpu_format.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_resource.h"
#include "vivgpu_rs.h"
#include "vivgpu_transfer.h"
#include "vivgpu_upload.h"

#define TILE 4

/*
 * To the resolve engine a window is a linear surface of four-byte pixels, each row of which is a
 * row of tiles.
 */
#define WORD_FORMAT  PIPE_FORMAT_B8G8R8A8_UNORM
#define WORD         4
#define WINDOW_BYTES (VIVGPU_WINDOW_WIDTH * WORD)
/* In bytes: copies of linear surfaces have 17 pixels at least (etna_viv, doc/hardware.md). */
#define MIN_WIDTH    (2 * WINDOW_BYTES)

/* Bytes of a texture's memory: @rows rows of @width bytes, @pitch bytes apart */
struct window {
   uint64_t offset;
   uint32_t width, rows, pitch;
};

static uint64_t
vivgpu_tiles_layer_offset(const struct vivgpu_resource *resource, unsigned level, unsigned layer)
{
   const struct vivgpu_level *info = &resource->layout.levels[level];

   return info->offset + (uint64_t)layer * info->layer_stride;
}

static uint64_t
vivgpu_tiles_area(const struct vivgpu_tiles *tiles)
{
   return (uint64_t)(tiles->right - tiles->left) * (tiles->bottom - tiles->top);
}

bool
vivgpu_tiles_join(struct vivgpu_tiles *tiles, const struct vivgpu_tiles *more)
{
   const struct vivgpu_tiles both = {
      .level = tiles->level,
      .layer = tiles->layer,
      .left = MIN2(tiles->left, more->left),
      .top = MIN2(tiles->top, more->top),
      .right = MAX2(tiles->right, more->right),
      .bottom = MAX2(tiles->bottom, more->bottom),
   };

   if (tiles->level != more->level || tiles->layer != more->layer ||
       vivgpu_tiles_area(&both) > 2 * (vivgpu_tiles_area(tiles) + vivgpu_tiles_area(more)))
      return false;
   *tiles = both;
   return true;
}

/*
 * Find a window that contains the tiles. It may contain other tiles of the level and, if the level
 * has few rows, tiles that follow it in memory. That is harmless, since the copy holds the whole
 * texture.
 */
static struct window
vivgpu_tiles_find_window(const struct vivgpu_resource *resource, const struct vivgpu_tiles *tiles)
{
   const struct vivgpu_level *level = &resource->layout.levels[tiles->level];
   uint32_t bytes = TILE * TILE * util_format_get_blocksize(resource->base.b.format);
   uint32_t left = tiles->left * bytes / WINDOW_BYTES * WINDOW_BYTES;
   uint32_t rows = align(tiles->bottom - tiles->top, VIVGPU_WINDOW_HEIGHT);
   uint32_t top = MIN2(tiles->top, MAX2(level->padded_height / TILE, rows) - rows);
   uint32_t pitch = TILE * level->stride;
   uint32_t width = MAX2(align(tiles->right * bytes, WINDOW_BYTES) - left, MIN_WIDTH);

   left = MIN2(left, MAX2(pitch, width) - width); /* rows of a narrow level overlap */
   return (struct window){
      .offset = vivgpu_tiles_layer_offset(resource, tiles->level, tiles->layer) +
                (uint64_t)top * pitch + left,
      .width = width,
      .rows = rows,
      .pitch = pitch,
   };
}

/* Number of the window's rows that lie within the texture's memory. */
static uint32_t
vivgpu_tiles_rows_within(const struct vivgpu_resource *resource, const struct window *window)
{
   uint64_t end = window->offset + window->width, size = resource->bo->size;

   return end > size ? 0 : MIN2(window->rows, (size - end) / window->pitch + 1);
}

/* Create a copy of the texture, whose memory is up to date since the GPU only reads it. */
static struct vivgpu_tiles_copy *
vivgpu_tiles_create_copy(struct vivgpu_context *context, struct vivgpu_resource *resource)
{
   const void *memory = vivgpu_bo_map(resource->bo);
   struct vivgpu_tiles_copy *copy = memory ? MALLOC(sizeof(*copy) + resource->bo->size) : NULL;

   if (!copy)
      return NULL;
   copy->pending = false;
   memcpy(copy->memory, memory, resource->bo->size);
   p_atomic_inc(&context->screen->num_resolvable);
   return copy;
}

/* True if the GPU only reads the texture, and this context is the only one that writes to it. */
static bool
vivgpu_tiles_only_writer(const struct vivgpu_context *context,
                         const struct vivgpu_resource *resource)
{
   return util_format_get_blocksize(resource->base.b.format) == 1 && !resource->shared &&
          p_atomic_read(&context->screen->contexts) == 1;
}

/*
 * Decide whether the box is written to a copy, which is created if there is none. That needs no
 * lock as there is no other context (vivgpu_tiles_only_writer()).
 */
static bool
vivgpu_tiles_use_copy(struct vivgpu_context *context, const struct pipe_transfer *base)
{
   const unsigned no = PIPE_MAP_READ | PIPE_MAP_UNSYNCHRONIZED | PIPE_MAP_DONTBLOCK |
                       TC_TRANSFER_MAP_THREADED_UNSYNC;
   struct vivgpu_resource *resource = vivgpu_resource(base->resource);

   if (base->usage & no || !vivgpu_tiles_only_writer(context, resource) ||
       !vivgpu_job_busy(context, resource->bo, true))
      return false;
   if (!resource->copy)
      resource->copy = vivgpu_tiles_create_copy(context, resource);
   return resource->copy;
}

void *
vivgpu_tiles_map(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   struct pipe_transfer *base = &transfer->base.b;
   struct vivgpu_resource *resource = vivgpu_resource(base->resource);
   const struct vivgpu_level *level = &resource->layout.levels[base->level];
   unsigned bytes = util_format_get_blocksize(base->resource->format);

   transfer->to_copy = vivgpu_tiles_use_copy(context, base);
   if (!transfer->to_copy && resource->copy && !(base->usage & TC_TRANSFER_MAP_THREADED_UNSYNC))
      vivgpu_tiles_update(context, resource);
   if (!transfer->to_copy && !vivgpu_job_wait(context, resource->bo, base->usage))
      return NULL;
   transfer->map = vivgpu_bo_map(resource->bo);
   base->stride = base->box.width * bytes;
   base->layer_stride = (uintptr_t)base->stride * base->box.height;
   transfer->rows = MALLOC(base->layer_stride * base->box.depth);
   if (!transfer->map || !transfer->rows)
      return NULL;

   for (int z = 0; base->usage & PIPE_MAP_READ && z < base->box.depth; z++)
      vivgpu_layout_untile(
         (char *)transfer->map + vivgpu_tiles_layer_offset(resource, base->level, base->box.z + z),
         level->stride, (char *)transfer->rows + z * base->layer_stride, base->stride, base->box.x,
         base->box.y, base->box.width, base->box.height, bytes);
   return transfer->rows;
}

/* Write the transfer's rows as tiles to @memory: the texture's, or that of its copy. */
static void
vivgpu_tiles_write_tiles(const struct vivgpu_transfer *transfer, char *memory)
{
   const struct pipe_transfer *base = &transfer->base.b;
   const struct vivgpu_resource *resource = vivgpu_resource(base->resource);

   for (int z = 0; z < base->box.depth; z++)
      vivgpu_layout_tile(memory + vivgpu_tiles_layer_offset(resource, base->level, base->box.z + z),
                         resource->layout.levels[base->level].stride,
                         (char *)transfer->rows + z * base->layer_stride, base->stride, base->box.x,
                         base->box.y, base->box.width, base->box.height,
                         util_format_get_blocksize(base->resource->format));
}

static void
vivgpu_tiles_copy_rows(char *to, uint32_t to_pitch, const char *from, uint32_t from_pitch,
                       uint32_t width, uint32_t rows)
{
   for (uint32_t row = 0; row < rows; row++)
      memcpy(to + (size_t)row * to_pitch, from + (size_t)row * from_pitch, width);
}

/* Copy a window in a level to the texture with the resolve engine. Returns false if an allocation fails. */
static bool
vivgpu_tiles_upload_window(struct vivgpu_context *context, struct vivgpu_resource *resource,
                           unsigned copied_level, const struct window *window)
{
   const struct vivgpu_monitor_place place = vivgpu_monitor_place(context);
   void *map;
   struct pipe_resource *words =
      vivgpu_upload_allocate(context, WORD_FORMAT, window->width / WORD, window->rows, &map);

   if (!words || !vivgpu_job_reserve(context, VIVGPU_MAX_RS_WORDS)) {
      pipe_resource_reference(&words, NULL);
      return false;
   }

   const struct vivgpu_level *level = &vivgpu_resource(words)->layout.levels[0];

   vivgpu_tiles_copy_rows(map, level->stride, resource->copy->memory + window->offset,
                          window->pitch, window->width, window->rows);
   vivgpu_emit_flush(context);
   vivgpu_rs_copy(context, &(struct vivgpu_rs_copy){
                              .from = {.bo = vivgpu_resource(words)->bo,
                                       .offset = level->offset,
                                       .stride = level->stride,
                                       .tiling = VIVGPU_LINEAR},
                              .to = {.bo = resource->bo,
                                     .offset = window->offset,
                                     .stride = window->pitch,
                                     .tiling = VIVGPU_LINEAR},
                              .format = vivgpu_format_copy(WORD),
                              .width = window->width / WORD,
                              .height = window->rows,
                           });
   vivgpu_stream_record(&context->stream, resource->bo);
   if (unlikely(context->monitor))
      vivgpu_monitor_tiles_resolved(context, place, resource, copied_level,
                                    vivgpu_resource(words));
   pipe_resource_reference(&words, NULL);
   return true;
}

/*
 * Copy tiles from the copy to the texture with the resolve engine, or with the CPU if the GPU does
 * not use the texture, the window exceeds its memory, or an allocation fails.
 */
static void
vivgpu_tiles_update_one(struct vivgpu_context *context, struct vivgpu_resource *resource,
                        const struct vivgpu_tiles *tiles)
{
   struct window window = vivgpu_tiles_find_window(resource, tiles);
   char *memory = vivgpu_bo_map(resource->bo);

   if (!vivgpu_job_busy(context, resource->bo, true) ||
       vivgpu_tiles_rows_within(resource, &window) < window.rows ||
       !vivgpu_tiles_upload_window(context, resource, tiles->level, &window)) {
      if (memory && vivgpu_job_wait(context, resource->bo, PIPE_MAP_WRITE))
         vivgpu_tiles_copy_rows(memory + window.offset, window.pitch,
                                resource->copy->memory + window.offset, window.pitch, window.width,
                                vivgpu_tiles_rows_within(resource, &window));
   }
   vivgpu_resource_mark_written(context->screen, resource);
}

/*
 * Copy the whole copy to the texture with the CPU: tiles that another context has recorded, but not
 * submitted, are not known.
 */
static void
vivgpu_tiles_update_all(struct vivgpu_context *context, struct vivgpu_resource *resource)
{
   void *memory = vivgpu_bo_map(resource->bo);

   if (memory && vivgpu_job_wait(context, resource->bo, PIPE_MAP_WRITE))
      memcpy(memory, resource->copy->memory, resource->bo->size);
   vivgpu_resource_mark_written(context->screen, resource);
}

/*
 * If there are several contexts, the job is submitted before others can see that nothing is
 * pending: a context that was added after tiles were recorded does not know that a job which is not
 * submitted yet writes them.
 */
void
vivgpu_tiles_update(struct vivgpu_context *context, struct vivgpu_resource *resource)
{
   struct vivgpu_tiles_copy *copy = resource->copy;

   simple_mtx_lock(&context->screen->shadow_lock);
   if (vivgpu_stream_lacks(&context->stream, resource->bo)) {
      vivgpu_tiles_update_all(context, resource);
      copy->pending = false;
   } else if (copy->pending) {
      vivgpu_tiles_update_one(context, resource, &copy->tiles);
      if (p_atomic_read(&context->screen->contexts) > 1)
         vivgpu_job_submit(context, VIVGPU_GROUP_CONTEXT);
      copy->pending = false;
   }
   simple_mtx_unlock(&context->screen->shadow_lock);
}

/*
 * Record tiles that only the copy has. Tiles that were recorded before are copied to the texture
 * first, unless they can be joined with these.
 */
static void
vivgpu_tiles_note_pending(struct vivgpu_context *context, struct vivgpu_resource *resource,
                          const struct vivgpu_tiles *tiles)
{
   struct vivgpu_tiles_copy *copy = resource->copy;
   bool joined;

   simple_mtx_lock(&context->screen->shadow_lock);
   joined = copy->pending && vivgpu_tiles_join(&copy->tiles, tiles);
   simple_mtx_unlock(&context->screen->shadow_lock);
   if (joined)
      return;
   vivgpu_tiles_update(context, resource);
   simple_mtx_lock(&context->screen->shadow_lock);
   copy->pending = true;
   copy->tiles = *tiles;
   simple_mtx_unlock(&context->screen->shadow_lock);
}

void
vivgpu_tiles_write_back(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   const struct pipe_transfer *base = &transfer->base.b;
   const struct pipe_box *box = &base->box;
   struct vivgpu_resource *resource = vivgpu_resource(base->resource);

   if (resource->copy)
      vivgpu_tiles_write_tiles(transfer, resource->copy->memory);
   if (!transfer->to_copy)
      vivgpu_tiles_write_tiles(transfer, transfer->map);
   for (int z = 0; transfer->to_copy && z < box->depth; z++)
      vivgpu_tiles_note_pending(context, resource,
                                &(struct vivgpu_tiles){
                                   .level = base->level,
                                   .layer = box->z + z,
                                   .left = box->x / TILE,
                                   .top = box->y / TILE,
                                   .right = DIV_ROUND_UP(box->x + box->width, TILE),
                                   .bottom = DIV_ROUND_UP(box->y + box->height, TILE),
                                });
}
