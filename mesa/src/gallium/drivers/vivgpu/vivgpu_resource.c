/* SPDX-License-Identifier: MIT */

#include "vivgpu_resource.h"

#include "drm-uapi/drm_fourcc.h"
#include "drm/etnaviv_drmif.h"
#include "frontend/winsys_handle.h"
#include "renderonly/renderonly.h"
#include "util/box.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "vivgpu_format.h"
#include "vivgpu_kernel.h"
#include "vivgpu_screen.h"

/*
 * Bytes that a two-bit tag stands for. The resolve engine writes tags in blocks of 64 bytes by 4
 * rows; it hangs unless each of two pixel pipes has whole ones (etnaviv, Mesa 52f6c8c).
 */
#define TILE_BYTES      64
#define TILE_BYTES_MSAA 256
#define TAGS_A_BYTE     4
#define STATUS_ALIGN    (64 * VIVGPU_WINDOW_HEIGHT * 2)

/* The pixel engine's unit of strides, in bytes */
#define TARGET_STRIDE_ALIGN 32

/* Bytes. A buffer with a copy in the CPU's memory is written whole after each change. */
#define MAX_CPU_STORAGE (64 * 1024)

static uint64_t
vivgpu_resource_modifier_of(enum vivgpu_tiling tiling)
{
   switch (tiling) {
   case VIVGPU_TILED:
      return DRM_FORMAT_MOD_VIVANTE_TILED;
   case VIVGPU_SUPER:
      return DRM_FORMAT_MOD_VIVANTE_SUPER_TILED;
   case VIVGPU_SPLIT:
      return DRM_FORMAT_MOD_VIVANTE_SPLIT_SUPER_TILED;
   default:
      return DRM_FORMAT_MOD_LINEAR;
   }
}

static bool
vivgpu_resource_tiling_of(uint64_t modifier, enum vivgpu_tiling *tiling)
{
   switch (modifier) {
   case DRM_FORMAT_MOD_INVALID:
   case DRM_FORMAT_MOD_LINEAR:
      *tiling = VIVGPU_LINEAR;
      return true;
   case DRM_FORMAT_MOD_VIVANTE_TILED:
      *tiling = VIVGPU_TILED;
      return true;
   case DRM_FORMAT_MOD_VIVANTE_SUPER_TILED:
      *tiling = VIVGPU_SUPER;
      return true;
   default:
      return false;
   }
}

/*
 * True for buffers of which the threaded context keeps a copy in the CPU's memory. Parts of them
 * are replaced in the copy, which becomes the contents of new memory: otherwise that would have to
 * wait for the GPU, which cannot copy between buffers.
 */
static bool
vivgpu_resource_allows_cpu_storage(const struct pipe_resource *base)
{
   return base->target == PIPE_BUFFER && base->width0 <= MAX_CPU_STORAGE &&
          base->usage != PIPE_USAGE_STREAM && base->usage != PIPE_USAGE_STAGING &&
          !(base->flags & VIVGPU_RESOURCE_FLAG_CPU);
}

struct vivgpu_resource *
vivgpu_resource_new(struct pipe_screen *screen, const struct pipe_resource *base,
                    enum vivgpu_tiling tiling)
{
   struct vivgpu_resource *resource = CALLOC_STRUCT(vivgpu_resource);

   if (!resource)
      return NULL;
   resource->base.b = *base;
   resource->base.b.screen = screen;
   resource->base.b.next = NULL;
   if (!vivgpu_layout_init(&resource->layout, base, tiling) || resource->layout.size > UINT32_MAX) {
      FREE(resource);
      return NULL;
   }

   pipe_reference_init(&resource->base.b.reference, 1);
   threaded_resource_init(&resource->base.b, vivgpu_resource_allows_cpu_storage(base));
   if (base->target == PIPE_BUFFER)
      resource->base.buffer_id_unique = util_idalloc_mt_alloc(&vivgpu_screen(screen)->buffer_ids);
   return resource;
}

static void
vivgpu_resource_destroy(struct pipe_screen *pscreen, struct pipe_resource *base)
{
   struct vivgpu_screen *screen = vivgpu_screen(pscreen);
   struct vivgpu_resource *resource = vivgpu_resource(base);

   pipe_resource_reference(&resource->shadow, NULL);
   vivgpu_bo_unref(resource->bo);
   vivgpu_bo_unref(resource->status.bo);
   FREE(resource->copy);
   if (resource->scanout)
      renderonly_scanout_destroy(resource->scanout, screen->ro);
   if (resource->base.buffer_id_unique)
      util_idalloc_mt_free(&screen->buffer_ids, resource->base.buffer_id_unique);
   threaded_resource_deinit(base);
   FREE(resource);
}

/* Allocate memory of the display device, if that is not the device of the core. */
static bool
vivgpu_resource_allocate_scanout(struct vivgpu_screen *screen, struct vivgpu_resource *resource)
{
   struct vivgpu_level *level = &resource->layout.levels[0];
   struct pipe_resource padded = resource->base.b;
   struct winsys_handle handle;

   padded.width0 = level->padded_width;
   padded.height0 = level->padded_height;
   resource->scanout = renderonly_scanout_for_resource(&padded, screen->ro, &handle);
   if (!resource->scanout)
      return false;

   resource->bo =
      vivgpu_bo_wrap(screen->kernel, etna_bo_from_dmabuf(screen->kernel->dev, handle.handle));
   close(handle.handle);
   level->stride = handle.stride;
   resource->shared = resource->base.is_shared = true;
   if (resource->bo)
      vivgpu_bo_share(resource->bo);
   return resource->bo;
}

struct pipe_resource *
vivgpu_resource_create_tiled(struct pipe_screen *pscreen, const struct pipe_resource *base,
                             enum vivgpu_tiling tiling)
{
   struct vivgpu_screen *screen = vivgpu_screen(pscreen);
   struct vivgpu_resource *resource = vivgpu_resource_new(pscreen, base, tiling);
   bool done;

   if (!resource)
      return NULL;

   if (base->bind & PIPE_BIND_SCANOUT && screen->ro) {
      done = vivgpu_resource_allocate_scanout(screen, resource);
   } else {
      uint32_t size = MAX2(resource->layout.size, 1);

      resource->bo = base->flags & VIVGPU_RESOURCE_FLAG_CPU
                        ? vivgpu_bo_create_cached(screen->kernel, size)
                        : vivgpu_bo_create(screen->kernel, size);
      done = resource->bo;
   }
   if (!done) {
      vivgpu_resource_destroy(pscreen, &resource->base.b);
      return NULL;
   }
   return &resource->base.b;
}

/*
 * False if pictures for the display are better linear. A client that names no modifier relies on
 * the kernel to know the layout (vivgpu_kernel.bo_set_modifier); the display of another device
 * cannot. Split surfaces are copied in any case, and Vivante's driver always copies.
 */
static bool
vivgpu_resource_may_show_tiles(const struct vivgpu_screen *screen)
{
   return screen->kernel->bo_set_modifier && !screen->ro && !screen->generation.split &&
          !(screen->debug & VIVGPU_DEBUG_VENDOR);
}

/* Choose the best layout for a resource that is created without modifiers. */
static enum vivgpu_tiling
vivgpu_resource_choose_tiling(const struct vivgpu_screen *screen, const struct pipe_resource *base)
{
   bool must_tile = base->bind & PIPE_BIND_DEPTH_STENCIL || base->nr_samples > 1;
   unsigned linear = PIPE_BIND_LINEAR | PIPE_BIND_CURSOR;

   if (!vivgpu_resource_may_show_tiles(screen))
      linear |= PIPE_BIND_SCANOUT;
   if (base->target == PIPE_BUFFER || util_format_is_compressed(base->format) ||
       base->bind & linear)
      return VIVGPU_LINEAR;
   if (screen->generation.split)
      return must_tile ? VIVGPU_SPLIT : VIVGPU_TILED;
   if (!vivgpu_format_can_tile(base->format))
      return VIVGPU_TILED;
   if (must_tile)
      return VIVGPU_SUPER;
   /* Padding each layer and level of a small texture to supertiles would waste memory. */
   if (MAX2(base->width0, base->height0) < VIVGPU_SUPER_TILE ||
       screen->debug & VIVGPU_DEBUG_NO_SUPER_TILES)
      return VIVGPU_TILED;
   return VIVGPU_SUPER;
}

/* Tell the kernel the layout. False if the display cannot show it. */
static bool
vivgpu_resource_set_modifier(struct vivgpu_screen *screen, struct vivgpu_resource *resource)
{
   uint64_t modifier = vivgpu_resource_modifier_of(resource->layout.tiling);

   return screen->kernel->bo_set_modifier(screen->kernel, resource->bo->etna, modifier) == 0;
}

static struct pipe_resource *
vivgpu_resource_create(struct pipe_screen *screen, const struct pipe_resource *base)
{
   enum vivgpu_tiling tiling = vivgpu_resource_choose_tiling(vivgpu_screen(screen), base);
   struct pipe_resource *resource = vivgpu_resource_create_tiled(screen, base, tiling);

   /*
    * Tiles for scanout were chosen by vivgpu_resource_may_show_tiles(): bo_set_modifier is not
    * NULL.
    */
   if (!resource || !(base->bind & PIPE_BIND_SCANOUT) || tiling == VIVGPU_LINEAR ||
       vivgpu_resource_set_modifier(vivgpu_screen(screen), vivgpu_resource(resource)))
      return resource;
   pipe_resource_reference(&resource, NULL);
   return vivgpu_resource_create_tiled(screen, base, VIVGPU_LINEAR);
}

/*
 * Choose the layout that is last in enum vivgpu_tiling: later ones are faster. Another device's
 * display shows linear pictures only.
 */
static struct pipe_resource *
vivgpu_resource_create_with_modifiers(struct pipe_screen *screen, const struct pipe_resource *base,
                                      const uint64_t *modifiers, int count)
{
   int best = -1;

   for (int i = 0; i < count; i++) {
      enum vivgpu_tiling tiling;

      if (modifiers[i] != DRM_FORMAT_MOD_INVALID &&
          vivgpu_resource_tiling_of(modifiers[i], &tiling) &&
          (tiling != VIVGPU_SUPER || !vivgpu_screen(screen)->generation.split))
         best = MAX2(best, (int)tiling);
   }
   if (best < 0)
      return NULL;
   if (base->bind & PIPE_BIND_SCANOUT && vivgpu_screen(screen)->ro)
      best = VIVGPU_LINEAR;
   return vivgpu_resource_create_tiled(screen, base, best);
}

static bool
vivgpu_can_create_resource(struct pipe_screen *screen, const struct pipe_resource *base)
{
   struct vivgpu_layout layout;

   /* One texture may take a quarter of the core's addresses, which have 32 bits. */
   return vivgpu_layout_init(&layout, base,
                             vivgpu_resource_choose_tiling(vivgpu_screen(screen), base)) &&
          base->width0 <= screen->caps.max_texture_2d_size &&
          base->height0 <= screen->caps.max_texture_2d_size && layout.size <= UINT32_MAX / 4;
}

static struct etna_bo *
vivgpu_resource_import(struct vivgpu_screen *screen, const struct winsys_handle *handle)
{
   switch (handle->type) {
   case WINSYS_HANDLE_TYPE_SHARED:
      return etna_bo_from_name(screen->kernel->dev, handle->handle);
   case WINSYS_HANDLE_TYPE_FD:
      return etna_bo_from_dmabuf(screen->kernel->dev, handle->handle);
   default:
      return NULL;
   }
}

/*
 * True for linear pictures that are not rendered to, like planes of video. The texture unit reads
 * them with any stride and without padding.
 */
static bool
vivgpu_resource_is_only_sampled(const struct vivgpu_resource *resource)
{
   return resource->layout.tiling == VIVGPU_LINEAR &&
          !(resource->base.b.bind & PIPE_BIND_RENDER_TARGET);
}

/*
 * Set where another process or device has the level. If its rows have less padding than the
 * driver's, the resolve engine copies no windows that reach into it.
 */
static void
vivgpu_resource_set_place(struct vivgpu_resource *resource, const struct winsys_handle *handle)
{
   struct vivgpu_level *level = &resource->layout.levels[0];

   if (vivgpu_resource_is_only_sampled(resource)) {
      level->padded_width = level->width;
      level->padded_height = level->height;
   } else if (resource->layout.tiling == VIVGPU_LINEAR) {
      uint32_t held = handle->stride / util_format_get_blocksize(resource->base.b.format);

      level->padded_width = CLAMP(held, level->width, level->padded_width);
   }
   level->stride = handle->stride;
   level->offset = handle->offset;
   level->layer_stride = level->stride * level->padded_height;
}

/*
 * True if the core supports the stride, and the memory includes the padding that is accessed. Where
 * targets have a shadow, the copy from it needs all of the padding.
 */
static bool
vivgpu_resource_suits(const struct vivgpu_screen *screen, const struct vivgpu_resource *resource)
{
   const struct vivgpu_level *level = &resource->layout.levels[0];
   enum pipe_format format = resource->base.b.format;
   bool whole =
      vivgpu_resource_is_only_sampled(resource) || level->padded_width % VIVGPU_WINDOW_WIDTH == 0;
   uint32_t unit = vivgpu_resource_is_only_sampled(resource) ? util_format_get_blocksize(format)
                                                             : TARGET_STRIDE_ALIGN;
   /* A clear fills whole windows, also past the last row. */
   uint64_t end = level->offset + (uint64_t)level->stride * level->padded_height +
                  (whole ? 0 : VIVGPU_WINDOW_WIDTH * util_format_get_blocksize(format));

   return (whole || !screen->generation.split) &&
          level->stride >= util_format_get_stride(format, level->padded_width) &&
          level->stride % unit == 0 && level->offset % VIVGPU_SURFACE_ALIGN == 0 &&
          end <= resource->bo->size;
}

/* The layout that the other user names, or gave to the kernel. */
static uint64_t
vivgpu_resource_modifier_of_handle(const struct vivgpu_screen *screen,
                                   const struct winsys_handle *handle, const struct vivgpu_bo *bo)
{
   if (handle->modifier != DRM_FORMAT_MOD_INVALID || !screen->kernel->bo_modifier)
      return handle->modifier;
   return screen->kernel->bo_modifier(screen->kernel, bo->etna);
}

static struct pipe_resource *
vivgpu_resource_from_handle(struct pipe_screen *pscreen, const struct pipe_resource *base,
                            struct winsys_handle *handle, unsigned usage)
{
   struct vivgpu_screen *screen = vivgpu_screen(pscreen);
   struct vivgpu_bo *bo = vivgpu_bo_wrap(screen->kernel, vivgpu_resource_import(screen, handle));
   struct vivgpu_resource *resource = NULL;
   enum vivgpu_tiling tiling;

   if (bo &&
       vivgpu_resource_tiling_of(vivgpu_resource_modifier_of_handle(screen, handle, bo), &tiling))
      resource = vivgpu_resource_new(pscreen, base, tiling);
   if (!resource) {
      vivgpu_bo_unref(bo);
      return NULL;
   }

   /* The other planes of a picture, whose references the caller gives away. */
   resource->base.b.next = base->next;
   resource->shared = resource->base.is_shared = resource->imported = true;
   resource->flushed_implicitly = true;
   resource->stencil = VIVGPU_STENCIL_UNKNOWN;
   resource->bo = bo;
   vivgpu_resource_set_place(resource, handle);
   if (!vivgpu_resource_suits(screen, resource)) {
      vivgpu_resource_destroy(pscreen, &resource->base.b);
      return NULL;
   }

   vivgpu_bo_share(resource->bo);
   /* Texture caches may have what another buffer had at these addresses. */
   vivgpu_resource_mark_written(screen, resource);
   if (screen->ro)
      resource->scanout =
         renderonly_create_gpu_import_for_resource(&resource->base.b, screen->ro, NULL);
   return &resource->base.b;
}

/* Return a plane of a picture, of which @base is the first; NULL if it has fewer. */
static struct pipe_resource *
vivgpu_resource_plane_of(struct pipe_resource *base, unsigned plane)
{
   while (base && plane--)
      base = base->next;
   return base;
}

static unsigned
vivgpu_resource_num_planes(const struct pipe_resource *base)
{
   unsigned count = 0;

   for (; base; base = base->next)
      count++;
   return count;
}

static bool
vivgpu_resource_get_handle(struct pipe_screen *pscreen, struct pipe_context *context,
                           struct pipe_resource *first, struct winsys_handle *handle,
                           unsigned usage)
{
   struct vivgpu_screen *screen = vivgpu_screen(pscreen);
   struct pipe_resource *base = vivgpu_resource_plane_of(first, handle->plane);
   struct vivgpu_resource *resource = vivgpu_resource(base);

   if (!base)
      return false;
   /* Others see memory only: resolve tags, and copy from the shadow. */
   if (!(usage & PIPE_HANDLE_USAGE_EXPLICIT_FLUSH)) {
      resource->flushed_implicitly = true;
      if (context)
         context->flush_resource(context, base);
   }
   handle->stride = resource->layout.levels[0].stride;
   handle->offset = resource->layout.levels[0].offset;
   handle->modifier = vivgpu_resource_modifier_of(resource->layout.tiling);
   /* The memory may have been that of a picture with another layout. */
   if (!resource->shared && screen->kernel->bo_set_modifier)
      vivgpu_resource_set_modifier(screen, resource);
   resource->shared = resource->base.is_shared = true;
   vivgpu_bo_share(resource->bo);
   switch (handle->type) {
   case WINSYS_HANDLE_TYPE_SHARED:
      return etna_bo_get_name(resource->bo->etna, &handle->handle) == 0;
   case WINSYS_HANDLE_TYPE_KMS:
      if (screen->ro)
         return renderonly_get_handle(resource->scanout, handle);
      handle->handle = resource->bo->handle;
      return true;
   case WINSYS_HANDLE_TYPE_FD:
      handle->handle = etna_bo_dmabuf(resource->bo->etna);
      return (int)handle->handle >= 0;
   default:
      return false;
   }
}

static bool
vivgpu_resource_get_param(struct pipe_screen *screen, struct pipe_context *context,
                          struct pipe_resource *first, unsigned plane, unsigned layer,
                          unsigned level, enum pipe_resource_param param, unsigned usage,
                          uint64_t *value)
{
   const struct vivgpu_resource *resource = vivgpu_resource(vivgpu_resource_plane_of(first, plane));

   if (!resource)
      return false;
   switch (param) {
   case PIPE_RESOURCE_PARAM_NPLANES:
      *value = vivgpu_resource_num_planes(first);
      return true;
   case PIPE_RESOURCE_PARAM_STRIDE:
      *value = resource->layout.levels[level].stride;
      return true;
   case PIPE_RESOURCE_PARAM_OFFSET:
      *value = resource->layout.levels[level].offset;
      return true;
   case PIPE_RESOURCE_PARAM_MODIFIER:
      *value = vivgpu_resource_modifier_of(resource->layout.tiling);
      return true;
   default:
      return false;
   }
}

/* Called when another process wrote to it: the texture caches are stale, for all planes. */
static void
vivgpu_resource_changed(struct pipe_screen *screen, struct pipe_resource *base)
{
   for (; base; base = base->next)
      vivgpu_resource_mark_written(vivgpu_screen(screen), vivgpu_resource(base));
}

/* Keep the box around all rectangles, whose origin is the lower left corner. */
static void
vivgpu_set_damage_region(struct pipe_screen *screen, struct pipe_resource *base, unsigned count,
                         const struct pipe_box *rects)
{
   int width = base->width0, height = base->height0;
   int minx = width, miny = height, maxx = 0, maxy = 0;
   uint64_t damage = 0;

   for (unsigned i = 0; i < count; i++) {
      minx = MIN2(minx, MAX2(rects[i].x, 0));
      maxx = MAX2(maxx, MIN2(rects[i].x + rects[i].width, width));
      miny = MIN2(miny, MAX2(height - rects[i].y - rects[i].height, 0));
      maxy = MAX2(maxy, MIN2(height - rects[i].y, height));
   }
   if (minx < maxx && miny < maxy)
      damage = (uint64_t)minx | (uint64_t)miny << 16 | (uint64_t)maxx << 32 | (uint64_t)maxy << 48;
   p_atomic_set(&vivgpu_resource(base)->damage, damage);
}

bool
vivgpu_resource_damage(const struct vivgpu_resource *resource, struct pipe_box *box)
{
   uint64_t damage = p_atomic_read(&resource->damage);
   unsigned minx = damage & 0xffff, miny = damage >> 16 & 0xffff;

   u_box_2d(minx, miny, (damage >> 32 & 0xffff) - minx, (damage >> 48) - miny, box);
   return damage;
}

uint32_t
vivgpu_resource_tile_bytes(const struct vivgpu_resource *resource)
{
   return resource->base.b.nr_samples > 1 ? TILE_BYTES_MSAA : TILE_BYTES;
}

struct vivgpu_bo *
vivgpu_resource_take_memory(struct vivgpu_resource *resource)
{
   struct vivgpu_screen *screen = vivgpu_screen(resource->base.b.screen);
   bool locked = vivgpu_lock_buffers(screen);
   struct vivgpu_bo *bo = vivgpu_bo_ref(resource->bo);

   vivgpu_unlock_buffers(screen, locked);
   return bo;
}

void
vivgpu_resource_mark_written(struct vivgpu_screen *screen, struct vivgpu_resource *resource)
{
   resource->seqno = p_atomic_inc_return(&screen->write_seqno);
}

void
vivgpu_resource_add_status(struct vivgpu_resource *resource)
{
   const struct pipe_resource *base = &resource->base.b;
   struct vivgpu_screen *screen = vivgpu_screen(base->screen);
   uint32_t tags = resource->layout.levels[0].layer_stride / vivgpu_resource_tile_bytes(resource);

   /* Tags are for one layer. Others that render to an imported resource do not keep them. */
   if (resource->status.bo || resource->imported || resource->layout.tiling < VIVGPU_SUPER ||
       base->depth0 > 1 || base->array_size > 1 || screen->debug & VIVGPU_DEBUG_NO_FAST_CLEAR ||
       !vivgpu_has(screen, ETNA_FEATURE_FAST_CLEAR))
      return;

   resource->status.size = align(DIV_ROUND_UP(tags, TAGS_A_BYTE), STATUS_ALIGN);
   resource->status.bo = vivgpu_bo_create(screen->kernel, resource->status.size);
   p_atomic_inc(&screen->num_resolvable);
}

void
vivgpu_resource_screen_init(struct pipe_screen *screen)
{
   screen->resource_create = vivgpu_resource_create;
   screen->resource_create_with_modifiers = vivgpu_resource_create_with_modifiers;
   screen->can_create_resource = vivgpu_can_create_resource;
   screen->resource_destroy = vivgpu_resource_destroy;
   screen->resource_from_handle = vivgpu_resource_from_handle;
   screen->resource_get_handle = vivgpu_resource_get_handle;
   screen->resource_get_param = vivgpu_resource_get_param;
   screen->resource_changed = vivgpu_resource_changed;
   screen->set_damage_region = vivgpu_set_damage_region;
}
