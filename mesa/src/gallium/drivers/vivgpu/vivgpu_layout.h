/* SPDX-License-Identifier: MIT */
/*
 * How pictures lie in memory. Pure functions.
 *
 * LINEAR	rows of pixels, or of blocks of a compressed format
 * TILED	tiles of 4x4 pixels, row by row
 * SUPER	64x64 pixels of such tiles in an order of the core's own
 * SPLIT	two surfaces like that, one for each pixel pipe; tiles alternate
 *
 * The stride is always that of one row of pixels, also where rows of tiles are
 * what follows one another.
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

/** The pixel engine wants its surfaces aligned so, in bytes. */
#define VIVGPU_SURFACE_ALIGN 64

/** The resolve engine works on windows that are a multiple of this, in pixels. */
#define VIVGPU_WINDOW_WIDTH  16
#define VIVGPU_WINDOW_HEIGHT 4

/** Pixels on an edge of a supertile */
#define VIVGPU_SUPER_TILE 64

/** Levels a texture has at most: 8192 pixels */
#define VIVGPU_MAX_LEVELS 14

struct vivgpu_level {
   /** Pixels */
   uint32_t width, height, depth;
   /** Samples across and down, padding included */
   uint32_t padded_width, padded_height;
   /** Bytes from the buffer's start */
   uint32_t offset;
   /** Bytes of a row, and of a layer, face or slice */
   uint32_t stride, layer_stride;
   /** Bytes from a layer's beginning to what the second pixel pipe has of it; SPLIT */
   uint32_t pipe1_offset;
};

struct vivgpu_layout {
   enum vivgpu_tiling tiling;
   struct vivgpu_level levels[VIVGPU_MAX_LEVELS];
   /** Bytes of everything */
   uint64_t size;
};

/** Samples of a pixel across and down. False for a number the core doesn't do. */
bool vivgpu_layout_samples(unsigned samples, unsigned *across, unsigned *down);

/**
 * Lay out a resource.
 *
 * Returns false if the core can't do the number of samples.
 */
bool vivgpu_layout_init(struct vivgpu_layout *layout, const struct pipe_resource *resource,
                        enum vivgpu_tiling tiling);

/** Field HALIGN of a sampler for such a layout. */
uint32_t vivgpu_layout_halign(const struct vivgpu_layout *layout, bool compressed);

/** Pixels between places where a window of the resolve engine may begin. */
void vivgpu_layout_rs_alignment(enum vivgpu_tiling tiling, unsigned *across, unsigned *down);

/** Bytes from a level's start to sample (@x, @y), which is a multiple of the steps. */
uint32_t vivgpu_layout_offset(const struct vivgpu_layout *layout, unsigned level, unsigned bytes,
                              unsigned x, unsigned y);

/**
 * Copy a rectangle between rows of pixels at @linear and tiles of 4x4 at @tiled.
 *
 * @tiled is the surface's start, (@x, @y) where in it; strides are those of rows.
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
