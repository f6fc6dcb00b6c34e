/* SPDX-License-Identifier: MIT */
/*
 * Access of the CPU to textures in tiles of 4x4 pixels that the resolve engine cannot convert: those of
 * one byte a pixel and of more than four.
 *
 * The GPU writes no textures of one byte a pixel. While it reads one, the CPU does not wait to write
 * to it, but writes to a copy of its memory. Before the next draw samples the texture, the resolve engine
 * copies what changed to it, within the job being written.
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
   /** The texture lacks what the copy has at @tiles. Both are under the lock of vivgpu_shadow.h. */
   bool pending;
   struct vivgpu_tiles tiles;
   char memory[];
};

/**
 * Map the box of @transfer: return pixels in rows, and set the strides. Waits for the GPU unless it is as
 * above. Returns NULL if memory is short.
 */
void *vivgpu_tiles_map(struct vivgpu_context *context, struct vivgpu_transfer *transfer);

/** Write the rows of vivgpu_tiles_map() to the texture or to its copy. */
void vivgpu_tiles_write_back(struct vivgpu_context *context, struct vivgpu_transfer *transfer);

/** Bring a texture that has a copy up to date, before the next draw. */
void vivgpu_tiles_update(struct vivgpu_context *context, struct vivgpu_resource *resource);

/**
 * Join @more to @tiles if both are in one layer, and at most half of the resulting tiles are in
 * neither. Returns false if they are not joined.
 */
bool vivgpu_tiles_join(struct vivgpu_tiles *tiles, const struct vivgpu_tiles *more);

#endif
