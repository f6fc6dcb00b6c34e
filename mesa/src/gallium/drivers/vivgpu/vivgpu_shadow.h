/* SPDX-License-Identifier: MIT */
/*
 * Shadow resources: a second resource with the same contents in another layout.
 *
 * On cores with split surfaces (each pixel pipe renders to a half of its own) such surfaces can be
 * neither sampled nor scanned out. A color resource has the layout for the texture unit, the
 * display and the CPU, and its shadow is rendered to. A depth buffer is rendered to itself, and its
 * shadow is sampled.
 *
 * On other cores only linear resources for scanout have a shadow, which is rendered to: the pixel
 * engine is faster with supertiles.
 *
 * The resolve engine copies a level from one resource to the other when the older one is used.
 * Shared resources are updated at each flush (vivgpu_surface_update_shared()).
 *
 * Locking: frontends create shadows from their threads, and contexts share resources. The screen's
 * shadow_lock is held while a shadow is added and while shadow_newer or base_newer change. A shadow
 * is never removed before its resource. If there are several contexts, a copy is submitted before
 * the lock is released: a context that finds both resources equally new may read either, since the
 * kernel orders its job after the copy. A context that was added after a copy was recorded, but
 * before it is submitted, copies again (vivgpu_bo.recorder). Levels that are copied before another
 * context has submitted its job with the newer resource are copied again after that.
 */
#ifndef VIVGPU_SHADOW_H
#define VIVGPU_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "util/u_atomic.h"
#include "vivgpu_resource.h"

struct vivgpu_context;
struct vivgpu_rs_origin;

/**
 * Create the shadow that a resource needs to be rendered to, or to be sampled. Returns false if
 * memory is short.
 */
bool vivgpu_shadow_for_rendering(struct vivgpu_resource *resource);
bool vivgpu_shadow_for_sampling(struct vivgpu_resource *resource);

/** Return the resource that is rendered to: the resource itself or its shadow. */
static inline struct vivgpu_resource *
vivgpu_shadow_render_target(struct vivgpu_resource *resource)
{
   struct pipe_resource *shadow = p_atomic_read(&resource->shadow);

   return shadow && resource->layout.tiling != VIVGPU_SPLIT ? vivgpu_resource(shadow) : resource;
}

/** Return the resource that is sampled: the resource itself or its shadow. */
static inline struct vivgpu_resource *
vivgpu_shadow_sampled(struct vivgpu_resource *resource)
{
   struct pipe_resource *shadow = p_atomic_read(&resource->shadow);

   return shadow && resource->layout.tiling == VIVGPU_SPLIT ? vivgpu_resource(shadow) : resource;
}

/** Copy those of @levels (a bit mask) from the shadow to the resource that are newer there. */
void vivgpu_shadow_update_base(struct vivgpu_context *context, struct vivgpu_resource *resource,
                               uint32_t levels);

/** Update those of @levels that are older in @used, which is the resource or its shadow. */
void vivgpu_shadow_update(struct vivgpu_context *context, struct vivgpu_resource *resource,
                          const struct vivgpu_resource *used, uint32_t levels);

/** Record that a level of the resource itself was written. */
void vivgpu_shadow_mark_base_written(struct vivgpu_resource *resource, unsigned level);

/**
 * Like vivgpu_rs_copy_window() between the resources themselves: they are updated before, and their
 * shadows are older afterwards.
 */
bool vivgpu_shadow_copy_window(struct vivgpu_context *context, const struct vivgpu_rs_origin *to,
                               const struct vivgpu_rs_origin *from, unsigned width,
                               unsigned height);

/** Record that a level was rendered to: in the shadow if that is the render target. */
void vivgpu_shadow_mark_rendered(struct vivgpu_resource *resource, unsigned level);

#endif
