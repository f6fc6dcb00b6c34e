/* SPDX-License-Identifier: MIT */
/*
 * Buffers and textures.
 */
#ifndef VIVGPU_RESOURCE_H
#define VIVGPU_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/u_threaded_context.h"
#include "vivgpu_bo.h"
#include "vivgpu_layout.h"

struct renderonly_scanout;
struct vivgpu_screen;
struct vivgpu_tiles_copy;

/**
 * Tile status of level 0: a tag of two bits for each tile, so that a clear writes tags instead of
 * pixels. With several samples a tag stands for a larger tile.
 */
struct vivgpu_tile_status {
   /** NULL if the resource has no tile status */
   struct vivgpu_bo *bo;
   /** Bytes */
   uint32_t size;
   /** The tags are valid; otherwise all pixels are in memory */
   bool valid;
   /** Some tiles may be cleared only by their tags; says nothing unless @valid is set */
   bool pending;
   uint64_t clear_value;
};

#define VIVGPU_STENCIL_UNKNOWN -1

struct vivgpu_resource {
   struct threaded_resource base;
   struct vivgpu_layout layout;
   struct vivgpu_bo *bo;
   struct vivgpu_tile_status status;
   /**
    * A resource with the same contents in another layout, if this one cannot be rendered to,
    * sampled or scanned out (vivgpu_shadow.h); or NULL
    */
   struct pipe_resource *shadow;
   /** Bit sets of levels that are newer in the shadow, and in this resource */
   uint32_t shadow_newer, base_newer;
   /**
    * With depth and stencil in one word: the stencil value that all pixels of level 0 have, or
    * VIVGPU_STENCIL_UNKNOWN. New memory counts as 0, since its contents are undefined.
    */
   int16_t stencil;
   /**
    * The newest contents, once the CPU wrote while the GPU read (vivgpu_tiles.h); or NULL. Never
    * with @shadow: formats that have such copies are not rendered to
    */
   struct vivgpu_tiles_copy *copy;
   struct renderonly_scanout *scanout;
   /** Other processes or devices may access it */
   bool shared;
   /** They may do so after any flush, not only after pipe_context.flush_resource() */
   bool flushed_implicitly;
   /**
    * The pixels of level 0 that this frame changes (EGL_KHR_partial_update), as
    * vivgpu_resource_damage() reads it; 0: all
    */
   uint64_t damage;
   /** Created by another process or device, which may also render to it; then @shared as well */
   bool imported;
   /** Number of the resource in keys of the command monitor, unique in the process; 0: none yet */
   uint32_t described_number;
   /** vivgpu_screen.write_seqno at the last write: texture caches filled before are stale */
   uint32_t seqno;
};

static inline struct vivgpu_resource *
vivgpu_resource(struct pipe_resource *resource)
{
   return (struct vivgpu_resource *)resource;
}

/** Flag of buffers that only the CPU accesses: the threaded context's copies of constants. */
#define VIVGPU_RESOURCE_FLAG_CPU PIPE_RESOURCE_FLAG_DRV_PRIV

/**
 * Create a resource without memory in the layout @tiling: the caller sets vivgpu_resource.bo.
 * Returns NULL if memory is short, or if the core has no such layout.
 */
struct vivgpu_resource *vivgpu_resource_new(struct pipe_screen *screen,
                                            const struct pipe_resource *base,
                                            enum vivgpu_tiling tiling);

/** Create a texture in the layout @tiling. Returns NULL if memory is short. */
struct pipe_resource *vivgpu_resource_create_tiled(struct pipe_screen *screen,
                                                   const struct pipe_resource *base,
                                                   enum vivgpu_tiling tiling);

/** Return the bytes of memory that a tag of the tile status stands for. */
uint32_t vivgpu_resource_tile_bytes(const struct vivgpu_resource *resource);

/** Return a buffer's memory, with a reference: another context may replace it. */
struct vivgpu_bo *vivgpu_resource_take_memory(struct vivgpu_resource *resource);

/** Record that the GPU or the CPU wrote to a texture. */
void vivgpu_resource_mark_written(struct vivgpu_screen *screen, struct vivgpu_resource *resource);

/**
 * Get the pixels of level 0 that the frame being drawn changes. Returns false if that may be all.
 * Any thread may set them.
 */
bool vivgpu_resource_damage(const struct vivgpu_resource *resource, struct pipe_box *box);

/** True for buffers of windows: shared with a display or a compositor. */
static inline bool
vivgpu_resource_is_window(const struct pipe_resource *resource)
{
   return resource->bind & (PIPE_BIND_SCANOUT | PIPE_BIND_SHARED | PIPE_BIND_DISPLAY_TARGET);
}

/** Allocate tile status for level 0, if possible and not done yet. */
void vivgpu_resource_add_status(struct vivgpu_resource *resource);

#endif
