/* SPDX-License-Identifier: MIT */

#include "vivgpu_shadow.h"

#include "util/box.h"
#include "util/macros.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "vivgpu_format.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_rs.h"
#include "vivgpu_screen.h"

static simple_mtx_t *
vivgpu_shadow_lock_of(const struct vivgpu_resource *resource)
{
   return &vivgpu_screen(resource->base.b.screen)->shadow_lock;
}

/*
 * Add a shadow unless there is one. At first all levels are newer in the resource itself, which is
 * recorded before others, who read @shadow without the lock, can see the shadow.
 */
static bool
vivgpu_shadow_add_shadow(struct vivgpu_resource *resource, enum vivgpu_tiling tiling)
{
   struct pipe_resource base = resource->base.b, *shadow;

   if (p_atomic_read(&resource->shadow))
      return true;
   simple_mtx_lock(vivgpu_shadow_lock_of(resource));
   shadow = resource->shadow;
   if (!shadow) {
      base.bind &= ~(PIPE_BIND_SCANOUT | PIPE_BIND_SHARED);
      shadow = vivgpu_resource_create_tiled(base.screen, &base, tiling);
      p_atomic_set(&resource->base_newer, BITFIELD_MASK(base.last_level + 1));
      p_atomic_set(&resource->shadow, shadow);
      p_atomic_inc(&vivgpu_screen(base.screen)->num_resolvable);
   }
   simple_mtx_unlock(vivgpu_shadow_lock_of(resource));
   return shadow;
}

static bool
vivgpu_shadow_is_split(const struct vivgpu_resource *resource)
{
   return vivgpu_screen(resource->base.b.screen)->generation.split;
}

/*
 * Rendering to supertiles and one copy for each frame is faster than rendering to a linear surface:
 * there the pixel engine's caches are less effective, and neither fast clears nor early depth tests
 * are possible.
 */
static bool
vivgpu_shadow_wants_tiles(const struct vivgpu_resource *resource)
{
   const struct pipe_resource *base = &resource->base.b;

   return resource->layout.tiling == VIVGPU_LINEAR && base->bind & PIPE_BIND_SCANOUT &&
          !resource->imported && vivgpu_format_can_tile(base->format) &&
          !(vivgpu_screen(base->screen)->debug & VIVGPU_DEBUG_NO_SUPER_TILES);
}

bool
vivgpu_shadow_for_rendering(struct vivgpu_resource *resource)
{
   if (vivgpu_shadow_is_split(resource))
      return resource->layout.tiling == VIVGPU_SPLIT ||
             vivgpu_shadow_add_shadow(resource, VIVGPU_SPLIT);
   return !vivgpu_shadow_wants_tiles(resource) || vivgpu_shadow_add_shadow(resource, VIVGPU_SUPER);
}

bool
vivgpu_shadow_for_sampling(struct vivgpu_resource *resource)
{
   return resource->layout.tiling != VIVGPU_SPLIT ||
          vivgpu_shadow_add_shadow(resource, VIVGPU_TILED);
}

static unsigned
vivgpu_shadow_num_layers(const struct vivgpu_resource *resource, unsigned level)
{
   return resource->base.b.target == PIPE_TEXTURE_3D ? resource->layout.levels[level].depth
                                                     : MAX2(resource->base.b.array_size, 1);
}

/*
 * Get the box of a level's pixels to copy: all; or, from the supertiles that are rendered to for a
 * linear resource for scanout, those that the frame changed, extended to whole supertiles, if these
 * are known.
 */
static struct pipe_box
vivgpu_shadow_changed_box(const struct vivgpu_resource *to, const struct vivgpu_resource *from,
                          unsigned level)
{
   const struct vivgpu_level *size = &from->layout.levels[level];
   struct pipe_box box;

   if (level == 0 && to->layout.tiling == VIVGPU_LINEAR && from->layout.tiling == VIVGPU_SUPER &&
       vivgpu_resource_damage(to, &box)) {
      int right = MIN2(align(box.x + box.width, VIVGPU_SUPER_TILE), size->width);
      int bottom = MIN2(align(box.y + box.height, VIVGPU_SUPER_TILE), size->height);

      box.x = ROUND_DOWN_TO(box.x, VIVGPU_SUPER_TILE);
      box.y = ROUND_DOWN_TO(box.y, VIVGPU_SUPER_TILE);
      box.width = right - box.x;
      box.height = bottom - box.y;
   } else {
      u_box_2d(0, 0, size->width, size->height, &box);
   }
   return box;
}

/* Copy levels. A copy cannot fail for formats that have shadows. */
static void
vivgpu_shadow_copy_levels(struct vivgpu_context *context, struct vivgpu_resource *to,
                          struct vivgpu_resource *from, uint32_t levels)
{
   u_foreach_bit (level, levels) {
      const struct pipe_box box = vivgpu_shadow_changed_box(to, from, level);
      const struct vivgpu_monitor_place place = vivgpu_monitor_place(context);

      for (unsigned z = 0; z < vivgpu_shadow_num_layers(from, level); z++)
         vivgpu_rs_copy_window(context, &(struct vivgpu_rs_origin){to, level, box.x, box.y, z},
                               &(struct vivgpu_rs_origin){from, level, box.x, box.y, z}, box.width,
                               box.height);
      if (unlikely(context->monitor))
         vivgpu_monitor_resolved(context, place, to, from, level, &box);
   }
}

/*
 * The levels in the set @newer, which are newer in the other resource. While a job that another
 * context writes copies levels to @to, these are all but those in @older, which are newer in @to.
 */
static uint32_t
vivgpu_shadow_newer_levels(const struct vivgpu_context *context, const struct vivgpu_resource *to,
                           const uint32_t *newer, const uint32_t *older)
{
   return p_atomic_read(newer) |
          (vivgpu_stream_lacks(&context->stream, to->bo) ? ~p_atomic_read(older) : 0);
}

/*
 * Copy and, if there are several contexts, submit the job. Returns false if another context has
 * recorded, but not submitted, a job that uses @from: the copy may come before its writes, so the
 * levels have to be copied again later.
 */
static bool
vivgpu_shadow_copy_newest(struct vivgpu_context *context, struct vivgpu_resource *to,
                          struct vivgpu_resource *from, uint32_t levels)
{
   bool newest = true;

   vivgpu_shadow_copy_levels(context, to, from, levels);
   vivgpu_stream_record(&context->stream, to->bo);
   if (p_atomic_read(&context->screen->contexts) > 1) {
      int32_t own = vivgpu_stream_uses(&context->stream, from->bo) ? 1 : 0;

      newest = p_atomic_read(&from->bo->jobs) <= own &&
               !(from->status.bo && vivgpu_stream_lacks(&context->stream, from->status.bo));
      vivgpu_job_submit(context, VIVGPU_GROUP_CONTEXT);
   }
   return newest;
}

/*
 * Copy those of @levels that are set in @newer, the set of levels that are newer in @from. @older:
 * those that are newer in @to
 */
static void
vivgpu_shadow_bring(struct vivgpu_context *context, struct vivgpu_resource *resource,
                    struct vivgpu_resource *to, struct vivgpu_resource *from, uint32_t *newer,
                    const uint32_t *older, uint32_t levels)
{
   levels &= BITFIELD_MASK(resource->base.b.last_level + 1);
   if (!(levels & vivgpu_shadow_newer_levels(context, to, newer, older)))
      return;
   simple_mtx_lock(vivgpu_shadow_lock_of(resource));
   levels &= vivgpu_shadow_newer_levels(context, to, newer, older);
   if (levels && vivgpu_shadow_copy_newest(context, to, from, levels))
      p_atomic_set(newer, *newer & ~levels);
   simple_mtx_unlock(vivgpu_shadow_lock_of(resource));
}

void
vivgpu_shadow_update_base(struct vivgpu_context *context, struct vivgpu_resource *resource,
                          uint32_t levels)
{
   struct pipe_resource *shadow = p_atomic_read(&resource->shadow);

   if (shadow)
      vivgpu_shadow_bring(context, resource, resource, vivgpu_resource(shadow),
                          &resource->shadow_newer, &resource->base_newer, levels);
}

void
vivgpu_shadow_update(struct vivgpu_context *context, struct vivgpu_resource *resource,
                     const struct vivgpu_resource *used, uint32_t levels)
{
   if (used == resource)
      vivgpu_shadow_update_base(context, resource, levels);
   else
      vivgpu_shadow_bring(context, resource, vivgpu_resource(resource->shadow), resource,
                          &resource->base_newer, &resource->shadow_newer, levels);
}

/* Record that a level was written in one resource, and is older in the other. */
static void
vivgpu_shadow_note(struct vivgpu_resource *resource, uint32_t *newer, uint32_t *older,
                   unsigned level)
{
   uint32_t bit = 1u << level;

   if (p_atomic_read(newer) & bit && !(p_atomic_read(older) & bit))
      return;
   simple_mtx_lock(vivgpu_shadow_lock_of(resource));
   p_atomic_set(newer, *newer | bit);
   p_atomic_set(older, *older & ~bit);
   simple_mtx_unlock(vivgpu_shadow_lock_of(resource));
}

void
vivgpu_shadow_mark_base_written(struct vivgpu_resource *resource, unsigned level)
{
   if (p_atomic_read(&resource->shadow))
      vivgpu_shadow_note(resource, &resource->base_newer, &resource->shadow_newer, level);
}

void
vivgpu_shadow_mark_rendered(struct vivgpu_resource *resource, unsigned level)
{
   if (vivgpu_shadow_render_target(resource) == resource)
      vivgpu_shadow_mark_base_written(resource, level);
   else
      vivgpu_shadow_note(resource, &resource->shadow_newer, &resource->base_newer, level);
}

bool
vivgpu_shadow_copy_window(struct vivgpu_context *context, const struct vivgpu_rs_origin *to,
                          const struct vivgpu_rs_origin *from, unsigned width, unsigned height)
{
   vivgpu_shadow_update_base(context, from->resource, 1u << from->level);
   vivgpu_shadow_update_base(context, to->resource, 1u << to->level);
   if (!vivgpu_rs_copy_window(context, to, from, width, height))
      return false;
   vivgpu_shadow_mark_base_written(to->resource, to->level);
   return true;
}
