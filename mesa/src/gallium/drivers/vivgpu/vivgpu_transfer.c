/* SPDX-License-Identifier: MIT */
/*
 * Access of the CPU to buffers and textures.
 *
 * Linear memory is mapped directly. Tiles of 4x4 pixels are copied by the CPU from and to memory of
 * its own (vivgpu_tiles.h). Other layouts, and surfaces with tile status, are copied by the resolve
 * engine from and to a linear texture. A buffer that the GPU uses gets new memory if its contents
 * are discarded.
 */

#include "vivgpu_transfer.h"

#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_range.h"
#include "util/u_surface.h"
#include "util/u_transfer.h"
#include "vivgpu_events.h"
#include "vivgpu_format.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_resource.h"
#include "vivgpu_shadow.h"
#include "vivgpu_staging.h"
#include "vivgpu_tiles.h"

/* Smaller uploads are not events of their own */
#define MIN_UPLOAD_EVENT_BYTES (16 * 1024)

static struct vivgpu_transfer *
vivgpu_transfer(struct pipe_transfer *transfer)
{
   return (struct vivgpu_transfer *)transfer;
}

/* Return the slab pool of the calling thread. */
static struct slab_child_pool *
vivgpu_transfer_pool(struct vivgpu_context *context, unsigned usage)
{
   return usage & TC_TRANSFER_MAP_THREADED_UNSYNC ? &context->threaded->pool_transfers
                                                  : &context->transfers;
}

/*
 * Emit the addresses of all buffers again. A buffer's bind flags are those of its creation and
 * don't say what it is bound as now: OpenGL lets any buffer be bound to any target.
 * Index buffers need no flag, since each draw compares their address.
 */
void
vivgpu_transfer_rebind_buffers(struct vivgpu_context *context)
{
   vivgpu_constants_invalidate(context->constants);
   context->dirty |= VIVGPU_DIRTY_VERTEX_BUFFERS | VIVGPU_DIRTY_CONSTANTS;
}

/*
 * True if a buffer may get other memory: not if it is shared or persistently mapped, since others
 * have the address of its memory, or with several contexts, which may use it. The threaded context
 * replaces memory itself, and knows which one is the newest (threaded_resource.latest).
 */
static bool
vivgpu_transfer_may_rename(const struct vivgpu_context *context,
                           const struct vivgpu_resource *resource)
{
   return !resource->shared && !context->threaded &&
          !(resource->base.b.flags & PIPE_RESOURCE_FLAG_MAP_PERSISTENT) &&
          p_atomic_read(&context->screen->contexts) == 1;
}

/*
 * Give a buffer new memory. Returns false if memory is short, or another context was added
 * meanwhile.
 */
static bool
vivgpu_transfer_rename_buffer(struct vivgpu_context *context, struct vivgpu_resource *resource)
{
   struct vivgpu_screen *screen = context->screen;
   struct vivgpu_bo *bo = vivgpu_bo_create(screen->kernel, MAX2(resource->layout.size, 1));
   struct vivgpu_bo *old = NULL;

   if (!bo)
      return false;
   simple_mtx_lock(&screen->buffers_lock);
   if (p_atomic_read(&screen->contexts) == 1) {
      old = resource->bo;
      resource->bo = bo;
   }
   simple_mtx_unlock(&screen->buffers_lock);
   vivgpu_bo_unref(old ? old : bo);
   if (old)
      vivgpu_transfer_rebind_buffers(context);
   return old;
}

/*
 * Return the usage, with PIPE_MAP_UNSYNCHRONIZED if the access need not wait for the GPU: the range
 * was never written, or the buffer gets new memory here since its contents are discarded.
 */
static unsigned
vivgpu_transfer_buffer_usage(struct vivgpu_context *context, struct vivgpu_resource *resource,
                             unsigned usage, const struct pipe_box *box)
{
   if (usage & TC_TRANSFER_MAP_NO_INVALIDATE)
      usage &= ~(PIPE_MAP_DISCARD_WHOLE_RESOURCE | PIPE_MAP_DISCARD_RANGE);
   if (!(usage & PIPE_MAP_WRITE) || usage & PIPE_MAP_UNSYNCHRONIZED)
      return usage;

   if (!(usage & TC_TRANSFER_MAP_NO_INFER_UNSYNCHRONIZED) && !resource->shared &&
       !util_ranges_intersect(&resource->base.valid_buffer_range, box->x, box->x + box->width))
      return usage | PIPE_MAP_UNSYNCHRONIZED;
   if (usage & PIPE_MAP_DISCARD_RANGE && box->x == 0 && box->width == (int)resource->base.b.width0)
      usage |= PIPE_MAP_DISCARD_WHOLE_RESOURCE;
   if (usage & PIPE_MAP_DISCARD_WHOLE_RESOURCE && vivgpu_transfer_may_rename(context, resource) &&
       vivgpu_job_busy(context, resource->bo, true) &&
       vivgpu_transfer_rename_buffer(context, resource)) {
      util_range_set_empty(&resource->base.valid_buffer_range);
      usage |= PIPE_MAP_UNSYNCHRONIZED;
   }
   return usage;
}

static void
vivgpu_transfer_begin(struct vivgpu_transfer *transfer, struct pipe_resource *resource,
                      unsigned level, unsigned usage, const struct pipe_box *box)
{
   struct pipe_transfer *base = &transfer->base.b;

   memset(transfer, 0, sizeof(*transfer));
   pipe_resource_reference(&base->resource, resource);
   base->level = level;
   base->usage = usage;
   base->box = *box;
}

static void
vivgpu_transfer_release(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   unsigned usage = transfer->base.b.usage;

   FREE(transfer->rows);
   vivgpu_bo_unref(transfer->bo);
   pipe_resource_reference(&transfer->staging, NULL);
   pipe_resource_reference(&transfer->base.b.resource, NULL);
   slab_free(vivgpu_transfer_pool(context, usage), transfer);
}

static void *
vivgpu_buffer_map(struct pipe_context *pcontext, struct pipe_resource *base, unsigned level,
                  unsigned usage, const struct pipe_box *box, struct pipe_transfer **out)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_resource *resource = vivgpu_resource(base);
   struct vivgpu_transfer *transfer;

   if (!(usage & TC_TRANSFER_MAP_THREADED_UNSYNC))
      usage = vivgpu_transfer_buffer_usage(context, resource, usage, box);
   transfer = slab_alloc(vivgpu_transfer_pool(context, usage));
   if (!transfer)
      return NULL;
   vivgpu_transfer_begin(transfer, base, level, usage, box);
   transfer->bo = vivgpu_resource_take_memory(resource);
   transfer->map =
      vivgpu_job_wait(context, transfer->bo, usage) ? vivgpu_bo_map(transfer->bo) : NULL;
   if (!transfer->map) {
      vivgpu_transfer_release(context, transfer);
      return NULL;
   }
   /* It may be written from now on, without another call. */
   if (usage & PIPE_MAP_PERSISTENT && usage & PIPE_MAP_WRITE)
      util_range_add(base, &resource->base.valid_buffer_range, box->x, box->x + box->width);
   *out = &transfer->base.b;
   return (char *)transfer->map + box->x;
}

static void
vivgpu_transfer_mark_range_written(struct vivgpu_context *context, struct pipe_transfer *base,
                                   unsigned x, unsigned width)
{
   struct vivgpu_resource *resource = vivgpu_resource(base->resource);
   struct util_range *range = vivgpu_transfer(base)->base.valid_buffer_range;

   util_range_add(&resource->base.b, range ? range : &resource->base.valid_buffer_range, x,
                  x + width);
   p_atomic_set(&vivgpu_transfer(base)->bo->seqno,
                p_atomic_inc_return(&vivgpu_screen(resource->base.b.screen)->buffer_seqno));
   /* This may be the application's thread: the context can get its monitor meanwhile. */
   if (unlikely(p_atomic_read(&context->monitor)))
      vivgpu_monitor_buffer(context, base->usage, width);
}

static void
vivgpu_transfer_flush_region(struct pipe_context *context, struct pipe_transfer *base,
                             const struct pipe_box *box)
{
   if (base->resource->target == PIPE_BUFFER)
      vivgpu_transfer_mark_range_written(vivgpu_context(context), base, base->box.x + box->x,
                                         box->width);
}

static void
vivgpu_buffer_unmap(struct pipe_context *context, struct pipe_transfer *base)
{
   if (base->usage & PIPE_MAP_WRITE && !(base->usage & PIPE_MAP_FLUSH_EXPLICIT))
      vivgpu_transfer_mark_range_written(vivgpu_context(context), base, base->box.x,
                                         base->box.width);
   vivgpu_transfer_release(vivgpu_context(context), vivgpu_transfer(base));
}

static void *
vivgpu_transfer_map_linear(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   struct pipe_transfer *base = &transfer->base.b;
   struct vivgpu_resource *resource = vivgpu_resource(base->resource);
   const struct vivgpu_level *level = &resource->layout.levels[base->level];
   enum pipe_format format = base->resource->format;

   if (!vivgpu_job_wait(context, resource->bo, base->usage))
      return NULL;
   transfer->map = vivgpu_bo_map(resource->bo);
   if (!transfer->map)
      return NULL;
   base->stride = level->stride;
   base->layer_stride = level->layer_stride;
   return (char *)transfer->map + level->offset + base->box.z * level->layer_stride +
          base->box.y / util_format_get_blockheight(format) * level->stride +
          base->box.x / util_format_get_blockwidth(format) * util_format_get_blocksize(format);
}

static void *
vivgpu_transfer_map_texture(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   const struct pipe_transfer *base = &transfer->base.b;
   struct vivgpu_resource *resource = vivgpu_resource(base->resource);
   bool linear = resource->layout.tiling == VIVGPU_LINEAR;

   if (!linear && base->usage & PIPE_MAP_DIRECTLY)
      return NULL;
   if (!linear && vivgpu_format_can_tile(base->resource->format))
      return vivgpu_staging_map(context, transfer);
   if (!(base->usage & TC_TRANSFER_MAP_THREADED_UNSYNC))
      vivgpu_shadow_update_base(context, resource, 1u << base->level);
   return linear ? vivgpu_transfer_map_linear(context, transfer)
                 : vivgpu_tiles_map(context, transfer);
}

static void *
vivgpu_texture_map(struct pipe_context *pcontext, struct pipe_resource *resource, unsigned level,
                   unsigned usage, const struct pipe_box *box, struct pipe_transfer **out)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_transfer *transfer = slab_alloc(vivgpu_transfer_pool(context, usage));
   void *map;

   if (!transfer)
      return NULL;
   vivgpu_transfer_begin(transfer, resource, level, usage, box);
   map = vivgpu_transfer_map_texture(context, transfer);
   if (!map) {
      vivgpu_transfer_release(context, transfer);
      return NULL;
   }
   *out = &transfer->base.b;
   return map;
}

/*
 * Return the start time of an upload while events are recorded. Small uploads take about as long as
 * reading the clock; the next flush event reports the sum of their bytes.
 */
static uint64_t
vivgpu_transfer_begin_upload(struct vivgpu_context *context, uint64_t bytes)
{
   if (bytes >= MIN_UPLOAD_EVENT_BYTES)
      return vivgpu_events_begin();
   context->stream.uploaded += bytes;
   return 0;
}

/* Bytes of pixels that a transfer uploads. */
static uint64_t
vivgpu_transfer_bytes_of(const struct pipe_transfer *transfer)
{
   enum pipe_format format = transfer->resource->format;

   return (uint64_t)transfer->box.depth * util_format_get_blocksize(format) *
          util_format_get_nblocks(format, transfer->box.width, transfer->box.height);
}

/* Copy what the CPU wrote, a staging copy or rows, to the texture. */
static void
vivgpu_transfer_write_back(struct vivgpu_context *context, struct vivgpu_transfer *transfer)
{
   const struct pipe_transfer *base = &transfer->base.b;
   uint64_t begin = vivgpu_events_enabled()
                       ? vivgpu_transfer_begin_upload(context, vivgpu_transfer_bytes_of(base))
                       : 0;

   if (unlikely(context->monitor))
      vivgpu_monitor_open_upload(context, vivgpu_transfer_bytes_of(base), base->resource->format,
                                 base->box.width, base->box.height, base->level, transfer->staging);
   if (transfer->staging)
      vivgpu_staging_write_back(context, transfer);
   else
      vivgpu_tiles_write_back(context, transfer);
   if (unlikely(context->monitor))
      vivgpu_monitor_close(context, true);
   vivgpu_events_end(begin, VIVGPU_EVENT_UPLOAD, vivgpu_transfer_bytes_of(base));
}

static void
vivgpu_texture_unmap(struct pipe_context *pcontext, struct pipe_transfer *base)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_transfer *transfer = vivgpu_transfer(base);

   if (base->usage & PIPE_MAP_WRITE) {
      if (transfer->staging || transfer->rows)
         vivgpu_transfer_write_back(context, transfer);
      else if (unlikely(context->monitor))
         vivgpu_monitor_upload(context, vivgpu_transfer_bytes_of(base), base->resource->format,
                               base->box.width, base->box.height, base->level);
      vivgpu_resource(base->resource)->stencil = VIVGPU_STENCIL_UNKNOWN;
      vivgpu_resource_mark_written(context->screen, vivgpu_resource(base->resource));
      /* A staging copy is copied or drawn by functions that mark what they write. */
      if (!transfer->staging)
         vivgpu_shadow_mark_base_written(vivgpu_resource(base->resource), base->level);
   }
   vivgpu_transfer_release(context, transfer);
}

static void
vivgpu_buffer_subdata(struct pipe_context *context, struct pipe_resource *resource, unsigned usage,
                      unsigned offset, unsigned size, const void *data)
{
   uint64_t begin =
      vivgpu_events_enabled() ? vivgpu_transfer_begin_upload(vivgpu_context(context), size) : 0;

   u_default_buffer_subdata(context, resource, usage, offset, size, data);
   vivgpu_events_end(begin, VIVGPU_EVENT_UPLOAD, size);
}

void
vivgpu_replace_buffer_storage(struct pipe_context *pcontext, struct pipe_resource *to,
                              struct pipe_resource *from, unsigned num_rebinds,
                              uint32_t rebind_mask, uint32_t delete_id)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_screen *screen = context->screen;
   struct vivgpu_resource *resource = vivgpu_resource(to);
   struct vivgpu_bo *old;

   simple_mtx_lock(&screen->buffers_lock);
   old = resource->bo;
   resource->bo = vivgpu_bo_ref(vivgpu_resource(from)->bo);
   simple_mtx_unlock(&screen->buffers_lock);
   vivgpu_bo_unref(old);
   vivgpu_transfer_rebind_buffers(context);
   /* Other contexts look at replaced_buffers only if write_seqno has changed. */
   if (p_atomic_read(&screen->contexts) > 1) {
      p_atomic_inc(&screen->replaced_buffers);
      p_atomic_inc(&screen->write_seqno);
   }
   util_idalloc_mt_free(&screen->buffer_ids, delete_id);
}

void
vivgpu_transfer_init(struct pipe_context *context)
{
   slab_create_child(&vivgpu_context(context)->transfers,
                     &vivgpu_context(context)->screen->transfers);
   context->buffer_map = vivgpu_buffer_map;
   context->buffer_unmap = vivgpu_buffer_unmap;
   context->texture_map = vivgpu_texture_map;
   context->texture_unmap = vivgpu_texture_unmap;
   context->transfer_flush_region = vivgpu_transfer_flush_region;
   context->buffer_subdata = vivgpu_buffer_subdata;
   context->texture_subdata = u_default_texture_subdata;
}
