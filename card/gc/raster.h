/* SPDX-License-Identifier: MIT */
/*
 * The rasteriser: which pixels and samples a primitive covers. Pure functions; integer
 * arithmetic in units of 1/16 pixel. Coverage is reported in blocks of 8x8 pixels with a mask
 * for each sample.
 */
#ifndef CARD_GC_RASTER_H
#define CARD_GC_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/pe.h"

#define GC_BLOCK 8
#define GC_TILE 64 /* pixels per side of a tile; its coordinates are multiples of this */
#define GC_TILE_ROW (GC_TILE / GC_BLOCK)
#define GC_TILE_BLOCKS (GC_TILE_ROW * GC_TILE_ROW)

/* Bit of pixel (x, y) in a block's mask. */
#define GC_BLOCK_BIT(x, y) (1ull << ((y) * GC_BLOCK + (x)))

/*
 * Pixels with left <= x < right, top <= y < bottom, maybe none. A scissor is within 0..32766, see
 * MAX_PIXEL in draw_state.c.
 */
struct gc_rect {
	int32_t left, top, right, bottom;
};

/* Position of a sample in a pixel, in 1/16 pixel from its upper left corner. */
struct gc_sample_point {
	uint8_t x, y;
};

struct gc_raster {
	struct gc_rect scissor;
	unsigned int samples; /* 1, 2 or 4 */
	struct gc_sample_point sample[GC_MAX_SAMPLES];
	/**
	 * @block: some or all of the 8x8 pixels at (@x, @y), both even so that quads stay whole,
	 *     are covered
	 * @mask: one mask per sample; bit GC_BLOCK_BIT(column, row)
	 *
	 * Called at most once per primitive for each pixel.
	 */
	void (*block)(void *ctx, int x, int y, const uint64_t mask[GC_MAX_SAMPLES]);
	/**
	 * @whole: all 8x8 pixels at (@x, @y), multiples of 8, are covered; only for triangles
	 *     that do not fit in 64x64 pixels, and if @tile is NULL; otherwise, or if this is
	 *     NULL, @block is called
	 */
	void (*whole)(void *ctx, int x, int y);
	/**
	 * @tile: all pixels of @blocks of the 64x64 tile at (@x, @y) are covered; one bit per
	 *     8x8 block, row by row; for the same triangles; NULL: @whole or @block is called for
	 *     each block
	 */
	void (*tile)(void *ctx, int x, int y, uint64_t blocks);
	void *ctx;
	/*
	 * the raster tiles of the clock model: 8x8 blocks that no edge excludes; of a triangle in
	 * 8x8 pixels and of a box all that its bounds touch; of a line those that it reports
	 */
	uint64_t tiles;
};

/**
 * gc_raster_bounds - pixels of @r's scissor in which a box may cover samples; box in 1/16 pixel
 */
struct gc_rect gc_raster_bounds(const struct gc_raster *r, int32_t left, int32_t top, int32_t right,
				int32_t bottom);

/**
 * gc_raster_triangle - report the samples inside a triangle
 * @x: corners in 1/16 pixel
 * @y: corners in 1/16 pixel; clockwise on the screen (positive area with y down)
 *
 * A sample on an edge belongs to the triangle if the edge is a left or top edge of it (top-left
 * rule), so that triangles with a common edge cover each sample once.
 */
void gc_raster_triangle(struct gc_raster *r, const int32_t x[3], const int32_t y[3]);

/**
 * gc_raster_line - a line without multisampling, by GL's diamond-exit rule
 * @x: ends in 1/16 pixel
 * @y: ends in 1/16 pixel
 * @width: pixels; 0 counts as 1
 * @last: draw the second end's pixel too, which otherwise does not belong to the line
 *
 * Wide lines repeat each fragment across the minor axis.
 */
void gc_raster_line(struct gc_raster *r, const int32_t x[2], const int32_t y[2], unsigned int width,
		    bool last);

/** gc_raster_box - report samples with left <= x < right, top <= y < bottom, all in 1/16 pixel */
void gc_raster_box(struct gc_raster *r, int32_t left, int32_t top, int32_t right, int32_t bottom);

#endif
