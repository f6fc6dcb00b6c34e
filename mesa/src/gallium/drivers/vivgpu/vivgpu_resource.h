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

/**
 * Tile status of level 0: two bits for each tile, so that clearing a surface
 * writes its tags only. Surfaces with several samples have larger tiles.
 */
struct vivgpu_tile_status {
   /** NULL: there is none */
   struct vivgpu_bo *bo;
   /** Bytes */
   uint32_t size;
   /** The tags tell about the surface as it is */
   bool valid;
   /** Some tiles may be cleared by their tags only */
   bool pending;
   uint64_t clear_value;
};

struct vivgpu_resource {
   struct threaded_resource base;
   struct vivgpu_layout layout;
   struct vivgpu_bo *bo;
   struct vivgpu_tile_status status;
   /**
    * The same picture in another layout, where what is drawn to can't be sampled or
    * shown: see vivgpu_shadow.h. NULL: there is none
    */
   struct pipe_resource *shadow;
   /** Levels that are newer there than here, and here than there */
   uint32_t shadow_newer, base_newer;
   struct renderonly_scanout *scanout;
   /** Others may read or write it, too */
   bool shared;
   /** Somebody else made it, and may draw to it, too */
   bool imported;
   /** vivgpu_screen.writes at the last write; what texture caches hold may be older */
   uint32_t seqno;
};

static inline struct vivgpu_resource *
vivgpu_resource(struct pipe_resource *resource)
{
   return (struct vivgpu_resource *)resource;
}

/**
 * A flag of buffers that the processor writes and reads, and the GPU doesn't touch:
 * where the threaded context puts constants.
 */
#define VIVGPU_RESOURCE_FLAG_CPU PIPE_RESOURCE_FLAG_DRV_PRIV

/** A texture in a layout of one's choice. NULL if there is no memory. */
struct pipe_resource *vivgpu_resource_create_tiled(struct pipe_screen *screen,
                                                   const struct pipe_resource *base,
                                                   enum vivgpu_tiling tiling);

/** Bytes that a tag of the tile status stands for. */
uint32_t vivgpu_resource_tile_bytes(const struct vivgpu_resource *resource);

/** Note that the GPU or the processor wrote to a texture. */
void vivgpu_resource_mark_written(struct vivgpu_screen *screen, struct vivgpu_resource *resource);

/** Give level 0 a tile status, if it can have one and has none. */
void vivgpu_resource_add_status(struct vivgpu_resource *resource);

#endif
