/* SPDX-License-Identifier: MIT */
/*
 * Layouts of surfaces in memory. Pure functions.
 *
 * LINEAR: rows of pixels, or of blocks of a compressed format.
 * TILED: tiles of 4x4 pixels, row by row.
 * SUPER: supertiles of 64x64 pixels, which consist of tiles of 4x4 pixels.
 * SPLIT: two supertiled surfaces, one for each pixel pipe; rows of tiles alternate.
 *
 * The stride is always that of one row of pixels (of samples if a pixel has several), also in tiled
 * layouts.
 */
#ifndef VIVGPU_LAYOUT_H
#define VIVGPU_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vivgpu_tiling {
   VIVGPU_LINEAR,
   VIVGPU_TILED,
   VIVGPU_SUPER,
   VIVGPU_SPLIT,
};

/** Alignment of surfaces for the pixel engine, in bytes */
#define VIVGPU_SURFACE_ALIGN 64

/** Windows of the resolve engine are multiples of this, in pixels */
#define VIVGPU_WINDOW_WIDTH  16
#define VIVGPU_WINDOW_HEIGHT 4

/** Pixels on an edge of a supertile */
#define VIVGPU_SUPER_TILE 64

/** Limit of the levels of a texture: its size is at most 8192 pixels */
#define VIVGPU_MAX_LEVELS 14

struct vivgpu_level {
   /** Pixels */
   uint32_t width, height, depth;
   /** Size in samples, padding included */
   uint32_t padded_width, padded_height;
   /** Bytes from the buffer's start to the level */
   uint32_t offset;
   /** Bytes of a row of samples, and of a layer, face or slice */
   uint32_t stride, layer_stride;
   /** Bytes from a layer's start to the half of the second pixel pipe; SPLIT only */
   uint32_t pipe1_offset;
};

struct vivgpu_layout {
   enum vivgpu_tiling tiling;
   struct vivgpu_level levels[VIVGPU_MAX_LEVELS];
   /** Bytes of all levels */
   uint64_t size;
};

/**
 * Get the number of samples of a pixel in each direction. Returns false for a number that the core
 * does not support.
 */
bool vivgpu_layout_samples(unsigned samples, unsigned *across, unsigned *down);

/**
 * Compute the layout of a resource. Returns false if the core does not support the number of
 * samples.
 */
bool vivgpu_layout_init(struct vivgpu_layout *layout, const struct pipe_resource *resource,
                        enum vivgpu_tiling tiling);

/** Return the HALIGN field of a sampler for this layout. */
uint32_t vivgpu_layout_halign(const struct vivgpu_layout *layout, bool compressed);

/** Get the alignment of the origin of a window of the resolve engine, in pixels. */
void vivgpu_layout_rs_alignment(enum vivgpu_tiling tiling, unsigned *across, unsigned *down);

/**
 * Return the bytes from a level's start to sample (@x, @y), which must be aligned as
 * vivgpu_layout_rs_alignment() says.
 */
uint32_t vivgpu_layout_offset(const struct vivgpu_layout *layout, unsigned level, unsigned bytes,
                              unsigned x, unsigned y);

/**
 * Copy a rectangle between rows of pixels at @linear and tiles of 4x4 pixels.
 *
 * @tiled: start of the tiled surface. @x, @y: origin of the rectangle in it. Strides are those of a
 * row of pixels.
 */
void vivgpu_layout_tile(void *tiled, uint32_t tiled_stride, const void *linear,
                        uint32_t linear_stride, unsigned x, unsigned y, unsigned width,
                        unsigned height, unsigned bytes);
void vivgpu_layout_untile(const void *tiled, uint32_t tiled_stride, void *linear,
                          uint32_t linear_stride, unsigned x, unsigned y, unsigned width,
                          unsigned height, unsigned bytes);

#ifdef __cplusplus
}
#endif

#endif
