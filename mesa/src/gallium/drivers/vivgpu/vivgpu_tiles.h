/* SPDX-License-Identifier: MIT */
/*
 * Access of the CPU to textures in tiles of 4x4 pixels that the resolve engine cannot convert:
 * those with one byte or with more than four bytes per pixel.
 *
 * The GPU never writes textures with one byte per pixel. To write one that the GPU is reading, the
 * CPU does not wait: it writes to a copy of the texture's memory. Before the next draw samples the
 * texture, the resolve engine copies the changed tiles to it, within the job being written.
 */
#ifndef VIVGPU_TILES_H
#define VIVGPU_TILES_H

#include <stdbool.h>

struct vivgpu_context;
struct vivgpu_resource;
struct vivgpu_transfer;

/** Tiles of a layer of a level */
struct vivgpu_tiles {
   unsigned level, layer;
   unsigned left, top, right, bottom;
};

/** The newest contents of a texture's memory; freed by FREE() */
struct vivgpu_tiles_copy {
   /**
    * Only the copy has the contents of @tiles, the texture does not. Both members are protected by
    * vivgpu_screen.shadow_lock.
    */
   bool pending;
   struct vivgpu_tiles tiles;
   char memory[];
};

/**
 * Map the box of @transfer: return pixels in rows, and set the strides. Waits for the GPU unless
 * the box will be written to the copy. Returns NULL if memory is short.
 */
void *vivgpu_tiles_map(struct vivgpu_context *context, struct vivgpu_transfer *transfer);

/** Write the rows of vivgpu_tiles_map() to the texture or to its copy. */
void vivgpu_tiles_write_back(struct vivgpu_context *context, struct vivgpu_transfer *transfer);

/** Bring a texture that has a copy up to date, before the next draw. */
void vivgpu_tiles_update(struct vivgpu_context *context, struct vivgpu_resource *resource);

/**
 * Extend @tiles to contain @more if both are in one layer, and at most half of the resulting tiles
 * are in neither. Returns false if @tiles was not extended.
 */
bool vivgpu_tiles_join(struct vivgpu_tiles *tiles, const struct vivgpu_tiles *more);

#endif
