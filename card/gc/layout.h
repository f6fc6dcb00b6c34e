/* SPDX-License-Identifier: MIT */
/*
 * Memory layouts of surfaces: linear, 4x4 tiles, 64x64 supertiles, and the latter two split
 * between two pixel pipes. Pure functions.
 */
#ifndef CARD_GC_LAYOUT_H
#define CARD_GC_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

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
enum gc_layout gc_layout_single(enum gc_layout layout);

/** gc_layout_is_multi - whether @layout is split between two pixel pipes. */
bool gc_layout_is_multi(enum gc_layout layout);

/**
 * gc_layout_offset - byte offset of pixel (@x, @y) from the surface's base
 * @layout: one of the single-buffer layouts (LINEAR, TILED, SUPERTILED)
 * @supertile_mode: 1 or 2, the personality's order of tiles in a supertile
 * @stride: bytes from one row of pixels to the next (a row of tiles is 4 * stride)
 * @bytes: bytes per pixel
 */
uint32_t gc_layout_offset(enum gc_layout layout, unsigned int supertile_mode, uint32_t stride,
			  unsigned int bytes, uint32_t x, uint32_t y);

/**
 * gc_layout_tile - byte offset of a 4x4 tile from the surface's base
 * @layout: TILED or SUPERTILED
 * @supertile_mode: 1 or 2
 * @stride: bytes from one row of pixels to the next
 * @bytes: bytes per pixel
 * @x: column of the tile, in tiles
 * @y: row of the tile, in tiles
 *
 * The same as gc_layout_offset() of the tile's first pixel, but cheaper in loops over tiles.
 */
static inline uint32_t gc_layout_tile(enum gc_layout layout, unsigned int supertile_mode,
				      uint32_t stride, unsigned int bytes, uint32_t x, uint32_t y)
{
	/* the bits of 0..15, with a zero before each */
	static const uint8_t spread[16] = { 0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
					    0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55 };
	uint32_t tile;

	if (layout == GC_TILED)
		return y * 4 * stride + x * 16 * bytes;
	if (supertile_mode == 1)
		tile = (x & 1) | (y & 3) << 1 | (x & 14) << 2 | (y & 12) << 4;
	else
		tile = spread[x & 15] | (uint32_t)spread[y & 15] << 1;
	return (y >> 4) * 64 * stride + ((x >> 4) * 256 + tile) * 16 * bytes;
}

/**
 * gc_layout_split - find the pixel pipe of (@x, @y) in a surface of layout @layout
 * @pipe_y: receives the row in that pipe's buffer, to be used with gc_layout_single() of
 *     @layout
 *
 * Returns: the pipe, 0 or 1; 0 if the surface is not split.
 */
unsigned int gc_layout_split(enum gc_layout layout, uint32_t x, uint32_t y, uint32_t *pipe_y);

#endif
