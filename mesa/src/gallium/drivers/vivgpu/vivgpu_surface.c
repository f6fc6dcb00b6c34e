/* SPDX-License-Identifier: MIT */
/*
 * Surfaces: levels and layers of textures that are rendered to. Handles what follows a write: the
 * texture's sequence number, its shadow, and what others need to see a shared resource.
 */

#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "vivgpu_context.h"
#include "vivgpu_monitor.h"
#include "vivgpu_resource.h"
#include "vivgpu_shadow.h"

/* What has_status of surfaces of other levels than 0 points to: these have no tile status */
static const bool no_status = false;

static struct pipe_surface *
vivgpu_create_surface(struct pipe_context *context, struct pipe_resource *texture,
                      const struct pipe_surface *base)
{
   struct vivgpu_surface *surface = CALLOC_STRUCT(vivgpu_surface);
   struct vivgpu_resource *resource = vivgpu_resource(texture);
   const struct vivgpu_level *level;

   if (!surface || !vivgpu_shadow_for_rendering(resource)) {
      FREE(surface);
      return NULL;
   }
   resource = vivgpu_shadow_render_target(resource);
   level = &resource->layout.levels[base->u.tex.level];
   pipe_reference_init(&surface->base.reference, 1);
   pipe_resource_reference(&surface->base.texture, texture);
   surface->base.context = context;
   surface->base.format = base->format;
   surface->base.u = base->u;
   surface->base.width = level->width;
   surface->base.height = level->height;

   surface->render = resource;
   if (unlikely(vivgpu_context(context)->monitor))
      surface->described_key =
         vivgpu_monitor_surface_key(&surface->base, &vivgpu_resource(texture)->described_number);
   surface->has_status = base->u.tex.level ? &no_status : &resource->status.valid;
   surface->offset = level->offset + base->u.tex.first_layer * level->layer_stride;
   surface->target = (struct vivgpu_target){
      .format = base->format,
      .tiling = resource->layout.tiling,
      .stride = level->stride,
   };
   return &surface->base;
}

static void
vivgpu_surface_destroy(struct pipe_context *context, struct pipe_surface *surface)
{
   pipe_resource_reference(&surface->texture, NULL);
   FREE(surface);
}

void
vivgpu_surface_update_shared(struct vivgpu_context *context)
{
   for (uint32_t i = 0; i < context->job.num_pending_shared; i++) {
      context->base.flush_resource(&context->base, context->job.pending_shared[i]);
      pipe_resource_reference(&context->job.pending_shared[i], NULL);
   }
   context->job.num_pending_shared = 0;
}

static void
vivgpu_surface_add_pending_shared(struct vivgpu_context *context, struct pipe_resource *resource)
{
   for (uint32_t i = 0; i < context->job.num_pending_shared; i++) {
      if (context->job.pending_shared[i] == resource)
         return;
   }
   if (context->job.num_pending_shared == VIVGPU_MAX_PENDING_SHARED)
      vivgpu_surface_update_shared(context);
   pipe_resource_reference(&context->job.pending_shared[context->job.num_pending_shared++],
                           resource);
}

/* Record what was rendered to. Comes first: a new sequence number makes other contexts read it. */
static void
vivgpu_surface_note_rendered(struct vivgpu_context *context, struct pipe_surface *surface)
{
   struct vivgpu_resource *resource = vivgpu_resource(surface->texture);

   vivgpu_shadow_mark_rendered(resource, surface->u.tex.level);
   if (resource->flushed_implicitly && (resource->shadow || resource->status.pending))
      vivgpu_surface_add_pending_shared(context, surface->texture);
}

void
vivgpu_surface_mark_written(struct vivgpu_context *context, struct pipe_surface *surface)
{
   vivgpu_surface_note_rendered(context, surface);
   vivgpu_resource_mark_written(context->screen, vivgpu_surface(surface)->render);
}

/*
 * Colour targets count as written whatever the channel mask is. Step 3 of struct vivgpu_seen: all
 * targets get one number, with which the next draw finds that they are marked.
 */
void
vivgpu_targets_mark_written(struct vivgpu_context *context)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   struct pipe_surface *written[PIPE_MAX_COLOR_BUFS + 1];
   unsigned count = 0;

   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if (fb->cbufs[i])
         written[count++] = fb->cbufs[i];
   }
   if (vivgpu_depth_written(context))
      written[count++] = fb->zsbuf;
   context->seen.depth_marked = vivgpu_depth_written(context);
   if (fb->zsbuf && context->zsa->writes_stencil)
      vivgpu_surface(fb->zsbuf)->render->stencil = VIVGPU_STENCIL_UNKNOWN;
   for (unsigned i = 0; i < count; i++)
      vivgpu_surface_note_rendered(context, written[i]);
   context->seen.invalidations = p_atomic_read(&context->screen->texture_invalidations);
   context->seen.targets = p_atomic_inc_return(&context->screen->write_seqno);
   for (unsigned i = 0; i < count; i++)
      vivgpu_surface(written[i])->render->seqno = context->seen.targets;
   context->seen.targets_marked = true;
}

/* The contents become undefined: the next clear of depth alone may clear stencil, too. */
static void
vivgpu_invalidate_resource(struct pipe_context *context, struct pipe_resource *resource)
{
   if (resource->target != PIPE_BUFFER)
      vivgpu_resource(resource)->stencil = 0;
}

void
vivgpu_surface_init(struct pipe_context *context)
{
   context->create_surface = vivgpu_create_surface;
   context->surface_destroy = vivgpu_surface_destroy;
   context->invalidate_resource = vivgpu_invalidate_resource;
}
