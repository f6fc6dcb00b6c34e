/* SPDX-License-Identifier: MIT */
/*
 * Cores whose pixel pipes have a half of each surface can neither sample nor show
 * what they draw. There a resource may have a shadow: it is here as the texture unit,
 * the display or the processor wants it, and drawn to in its shadow; a depth buffer
 * is drawn to here and sampled in its shadow. The resolve engine copies levels from
 * one to the other when the older one is asked for.
 *
 * On other cores only what is made for a display has a shadow, in which it is drawn to:
 * rows suit displays, supertiles the pixel engine. What others wait for is brought up
 * to date by each flush (vivgpu_context.c).
 *
 * Locking: frontends add shadows from their threads, and contexts share resources. The
 * screen's shadow_lock is held where a shadow is added, and where it changes which of two is
 * newer. Once there, a shadow stays. With several contexts a copy is submitted before
 * the lock is given back: who finds both alike may read either, since the kernel runs the
 * later job behind it.
 */
#ifndef VIVGPU_SHADOW_H
#define VIVGPU_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "util/u_atomic.h"
#include "vivgpu_resource.h"

struct vivgpu_context;
struct vivgpu_rs_origin;

/** Create the shadow that a resource needs to be drawn to, or sampled. False without memory. */
bool vivgpu_shadow_for_rendering(struct vivgpu_resource *resource);
bool vivgpu_shadow_for_sampling(struct vivgpu_resource *resource);

/** Which of the two is drawn to. */
static inline struct vivgpu_resource *
vivgpu_shadow_render_target(struct vivgpu_resource *resource)
{
   struct pipe_resource *shadow = p_atomic_read(&resource->shadow);

   return shadow && resource->layout.tiling != VIVGPU_SPLIT ? vivgpu_resource(shadow) : resource;
}

/** Which of the two is sampled. */
static inline struct vivgpu_resource *
vivgpu_shadow_sampled(struct vivgpu_resource *resource)
{
   struct pipe_resource *shadow = p_atomic_read(&resource->shadow);

   return shadow && resource->layout.tiling == VIVGPU_SPLIT ? vivgpu_resource(shadow) : resource;
}

/** Let the resource itself be up to date in the levels of a mask. */
void vivgpu_shadow_update_base(struct vivgpu_context *context, struct vivgpu_resource *resource,
                               uint32_t levels);

/** Let what is drawn to, or sampled, be up to date in the levels of a mask. */
void vivgpu_shadow_update(struct vivgpu_context *context, struct vivgpu_resource *resource,
                          const struct vivgpu_resource *used, uint32_t levels);

/** Note that a level of the resource itself was written. */
void vivgpu_shadow_mark_base_written(struct vivgpu_resource *resource, unsigned level);

/**
 * vivgpu_rs_copy_window() between the resources themselves, which are brought up to date before;
 * their shadows are older afterwards.
 */
bool vivgpu_shadow_copy_window(struct vivgpu_context *context, const struct vivgpu_rs_origin *to,
                               const struct vivgpu_rs_origin *from, unsigned width,
                               unsigned height);

/** Note that a level was drawn to, in whichever of the two that is. */
void vivgpu_shadow_mark_rendered(struct vivgpu_resource *resource, unsigned level);

#endif
