/* SPDX-License-Identifier: MIT */
/*
 * The rasteriser: which pixels and samples a snapped primitive covers. Pure;
 * integer arithmetic throughout, in units of 1/16 pixel.
 *
 * Coverage leaves as blocks of 8x8 pixels with a mask for each sample.
 */
#ifndef CARD_GC_RASTER_H
#define CARD_GC_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/pe.h"

#define GC_BLOCK 8
#define GC_TILE 64 /* pixels each way of a tile, whose places are multiples of that */
#define GC_TILE_ROW (GC_TILE / GC_BLOCK)
#define GC_TILE_BLOCKS (GC_TILE_ROW * GC_TILE_ROW)

/* Bit of pixel (x, y) in a block's mask. */
#define GC_BLOCK_BIT(x, y) (1ull << ((y) * GC_BLOCK + (x)))

/* Pixels to draw in: left <= x < right, top <= y < bottom; all within 0..32766. */
struct gc_rect {
	int32_t left, top, right, bottom;
};

/* Where samples lie in a pixel, in 1/16 pixel from its upper left corner. */
struct gc_sample_point {
	uint8_t x, y;
};

struct gc_raster {
	struct gc_rect scissor;
	unsigned int samples; /* 1, 2 or 4 */
	struct gc_sample_point sample[GC_MAX_SAMPLES];
	/**
	 * @block: some of the 8x8 pixels at (@x, @y), both even, are covered
	 * @mask: one a sample; bit GC_BLOCK_BIT(column, row)
	 *
	 * A pixel and sample is reported once for each primitive at most.
	 */
	void (*block)(void *ctx, int x, int y, const uint64_t mask[GC_MAX_SAMPLES]);
	/** @whole: all of them are, and @x and @y multiples of 8; NULL: @block is told that too. */
	void (*whole)(void *ctx, int x, int y);
	/**
	 * @tile: all pixels of these blocks of the tile at (@x, @y) are, one bit each, row by
	 * row; NULL: @whole or @block is told of each
	 */
	void (*tile)(void *ctx, int x, int y, uint64_t blocks);
	void *ctx;
	uint64_t tiles; /* 8x8 tiles looked at; counted up */
};

/** gc_raster_bounds - pixels of @r's scissor in which the box of 1/16 pixels may cover samples. */
struct gc_rect gc_raster_bounds(const struct gc_raster *r, int32_t left, int32_t top, int32_t right,
				int32_t bottom);

/**
 * gc_raster_triangle - the samples inside a triangle
 * @x, @y: corners; clockwise on the screen (positive area with y down)
 *
 * A sample on an edge belongs to the triangle of which that is a left or a
 * top edge, so that triangles that share an edge cover each sample once.
 */
void gc_raster_triangle(struct gc_raster *r, const int32_t x[3], const int32_t y[3]);

/**
 * gc_raster_line - a line without multisampling: GL's diamond-exit rule
 * @x, @y: ends, of which the second does not belong to the line
 * @width: pixels, >= 1
 * @last: draw the second end's pixel too
 *
 * Wide lines repeat each fragment across the minor axis.
 */
void gc_raster_line(struct gc_raster *r, const int32_t x[2], const int32_t y[2], unsigned int width,
		    bool last);

/** gc_raster_box - samples with left <= x < right, top <= y < bottom, all in 1/16 pixel. */
void gc_raster_box(struct gc_raster *r, int32_t left, int32_t top, int32_t right, int32_t bottom);

#endif
