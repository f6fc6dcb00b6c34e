/* SPDX-License-Identifier: MIT */
/*
 * Memory layouts of surfaces: linear, 4x4 tiles, 64x64 supertiles, and the latter two split
 * between two pixel pipes. Pure functions.
 */
#ifndef CARD_GC_LAYOUT_H
#define CARD_GC_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/mmu.h"

enum gc_layout { GC_LINEAR, GC_TILED, GC_SUPERTILED, GC_MULTI_TILED, GC_MULTI_SUPERTILED };

#define GC_TILE_SIZE 4       /* pixels in each direction */
#define GC_SUPERTILE_SIZE 64 /* pixels in each direction */

/**
 * gc_layout_from_bits - the layout that a surface's state bits select
 * @tiled: 4x4 tiles; linear if neither this nor @super is set
 * @super: 64x64 supertiles
 * @multi: split between two pixel pipes
 */
enum gc_layout gc_layout_from_bits(bool tiled, bool super, bool multi);

/**
 * gc_layout_single - layout of each half of a split layout; other layouts are returned
 * unchanged
 */
static inline enum gc_layout gc_layout_single(enum gc_layout layout)
{
	switch (layout) {
	case GC_MULTI_TILED:
		return GC_TILED;
	case GC_MULTI_SUPERTILED:
		return GC_SUPERTILED;
	default:
		return layout;
	}
}

/** gc_layout_is_multi - whether @layout is split between two pixel pipes. */
static inline bool gc_layout_is_multi(enum gc_layout layout)
{
	return layout == GC_MULTI_TILED || layout == GC_MULTI_SUPERTILED;
}

/*
 * gc_supertile - order of the tiles in a supertile, by mode - 1 and axis (0: x, 1: y): what each column
 * and each row of tiles adds to a tile's number. A permutation of the bits of column and row, so it is also
 * a sum over their bits.
 */
static const uint8_t gc_supertile[2][2][16] = {
	{ { 0, 1, 8, 9, 16, 17, 24, 25, 32, 33, 40, 41, 48, 49, 56, 57 },
	  { 0, 2, 4, 6, 64, 66, 68, 70, 128, 130, 132, 134, 192, 194, 196, 198 } },
	{ { 0, 1, 4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81, 84, 85 },
	  { 0, 2, 8, 10, 32, 34, 40, 42, 128, 130, 136, 138, 160, 162, 168, 170 } },
};

/** gc_supertile_order - the order of @mode, 1 or 2: a table for each axis */
static inline const uint8_t (*gc_supertile_order(unsigned int mode))[16]
{
	return gc_supertile[mode - 1];
}

/*
 * GC_LAYOUT_DEFINE_AXIS - define a function for addresses of pixels, in layouts that are not split
 * @axis_offset: its name: bytes that coordinate @at of axis @c (0: x, 1: y) adds to the surface's base
 * @supertile: a function for the number that column or row @i of tiles adds by table @order, see
 *     gc_supertile
 * @number: uint32_t, or a vector of these
 * @length: type of the stride (bytes from one row of pixels to the next): the same, or uint32_t
 *
 * This is where layouts are defined. Whatever finds pixels is an instance of it, with constants for what it
 * knows.
 */
#define GC_LAYOUT_DEFINE_AXIS(axis_offset, supertile, number, length)                   \
	static inline __attribute__((always_inline)) number axis_offset(                \
		const uint8_t(*order)[16], enum gc_layout layout, int c, length stride, \
		uint32_t bytes, number at)                                              \
	{                                                                               \
		switch (layout) {                                                       \
		case GC_LINEAR:                                                         \
			return c ? at * stride : at * bytes;                            \
		case GC_TILED:                                                          \
			return c ? (at >> 2) * (4 * stride) + (at & 3) * (4 * bytes)    \
				 : (at >> 2) * (16 * bytes) + (at & 3) * bytes;         \
		default:                                                                \
			return supertile(order[c], at >> 2 & 15) * (16 * bytes) +       \
			       (c ? (at >> 6) * (64 * stride) + (at & 3) * (4 * bytes)  \
				  : (at >> 6) * (4096 * bytes) + (at & 3) * bytes);     \
		}                                                                       \
	}

static inline uint32_t gc_supertile_number(const uint8_t order[16], uint32_t i)
{
	return order[i];
}

GC_LAYOUT_DEFINE_AXIS(gc_layout_axis, gc_supertile_number, uint32_t, uint32_t)

/**
 * gc_layout_offset - byte offset of pixel (@x, @y) from the surface's base
 * @layout: of split ones, their halves' layout
 * @supertile_mode: 1 or 2, the personality's order of tiles in a supertile
 * @stride: bytes from one row of pixels to the next (a row of tiles is 4 * stride)
 * @bytes: bytes per pixel
 */
static inline __attribute__((always_inline)) uint32_t gc_layout_offset(enum gc_layout layout,
								       unsigned int supertile_mode,
								       uint32_t stride,
								       unsigned int bytes,
								       uint32_t x, uint32_t y)
{
	const uint8_t(*order)[16] = gc_supertile_order(supertile_mode);

	layout = gc_layout_single(layout);
	return gc_layout_axis(order, layout, 0, stride, bytes, x) +
	       gc_layout_axis(order, layout, 1, stride, bytes, y);
}

/** gc_layout_tile - gc_layout_offset() of the first pixel of the tile in column @x and row @y of tiles */
static inline __attribute__((always_inline)) uint32_t gc_layout_tile(enum gc_layout layout,
								     unsigned int supertile_mode,
								     uint32_t stride,
								     unsigned int bytes, uint32_t x,
								     uint32_t y)
{
	return gc_layout_offset(layout, supertile_mode, stride, bytes, x * GC_TILE_SIZE,
				y * GC_TILE_SIZE);
}

/**
 * gc_layout_split - find the pixel pipe of (@x, @y) in a surface of layout @layout
 * @pipe_y: receives the row in that pipe's buffer, to be used with gc_layout_single() of
 *     @layout
 *
 * Returns: the pipe, 0 or 1; 0 if the surface is not split.
 */
static inline unsigned int gc_layout_split(enum gc_layout layout, uint32_t x, uint32_t y,
					   uint32_t *pipe_y)
{
	if (!gc_layout_is_multi(layout)) {
		*pipe_y = y;
		return 0;
	}
	/*
	 * Two rows of tiles become one row in each half. The pipe alternates with each tile of a row, and the other
	 * way round in the next (thesis, 4.8).
	 */
	*pipe_y = (y >> 3) << 2 | (y & 3);
	return (x >> 2 ^ y >> 2) & 1;
}

/* A surface as the pixel pipes and the resolve engine see it. */
struct gc_surface {
	enum gc_layout layout;
	unsigned int supertile_mode;
	unsigned int bytes; /* bytes per pixel, or per sample: 1, 2, 4 or 8 */
	uint32_t stride;    /* bytes from one row of pixels to the next */
	uint32_t base[2];   /* base address for each pixel pipe; equal unless it is split */
};

/** gc_surface_address - GPU address of the pixel (or sample) at (@x, @y) */
static inline uint32_t gc_surface_address(const struct gc_surface *surface, uint32_t x, uint32_t y)
{
	unsigned int pipe = 0;

	if (gc_layout_is_multi(surface->layout))
		pipe = gc_layout_split(surface->layout, x, y, &y);
	return surface->base[pipe] + gc_layout_offset(surface->layout, surface->supertile_mode,
						      surface->stride, surface->bytes, x, y);
}

/* Where pixels are, and how far the translation of the first one's address reaches. */
struct gc_span {
	uint32_t address;
	uint32_t bytes; /* to the end of the page; in tiled layouts to that of the tile at most */
};

/** gc_surface_span - address of the pixel at (@x, @y) and the bytes that may be used from there on */
static inline struct gc_span gc_surface_span(const struct gc_surface *surface, uint32_t x,
					     uint32_t y)
{
	struct gc_span span = { gc_surface_address(surface, x, y), 0 };
	uint32_t first = y % GC_TILE_SIZE * GC_TILE_SIZE + x % GC_TILE_SIZE;
	uint32_t tile = (GC_TILE_SIZE * GC_TILE_SIZE - first) * surface->bytes;

	span.bytes = GC_PAGE_SIZE - span.address % GC_PAGE_SIZE;
	if (surface->layout != GC_LINEAR && tile < span.bytes)
		span.bytes = tile;
	return span;
}

/**
 * gc_surface_has_whole_tiles - whether each tile is in one page, so that the span of its first pixel is
 * the tile
 */
static inline bool gc_surface_has_whole_tiles(const struct gc_surface *surface)
{
	const uint32_t tile = GC_TILE_SIZE * GC_TILE_SIZE * surface->bytes;

	return surface->layout != GC_LINEAR &&
	       !((surface->base[0] | surface->base[1] | surface->stride * GC_TILE_SIZE) % tile);
}

#endif
