/* SPDX-License-Identifier: MIT */
/*
 * Where a pixel lies in memory: linear, 4x4 tiles, 64x64 supertiles, and the
 * same split between two pixel pipes. Pure functions.
 */
#ifndef CARD_GC_LAYOUT_H
#define CARD_GC_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

enum gc_layout { GC_LINEAR, GC_TILED, GC_SUPERTILED, GC_MULTI_TILED, GC_MULTI_SUPERTILED };

#define GC_TILE_SIZE 4       /* pixels, both ways */
#define GC_SUPERTILE_SIZE 64 /* pixels, both ways */

/**
 * gc_layout_from_bits - the layout that a surface's bits ask for
 * @tiled: 4x4 tiles at least; without it the surface is linear
 * @super: 64x64 supertiles
 * @multi: split between two pixel pipes
 */
enum gc_layout gc_layout_from_bits(bool tiled, bool super, bool multi);

/** gc_layout_single - what each half of a split @layout looks like; others are their own. */
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
 * gc_layout_split - which pixel pipe owns (@x, @y) of a split surface, and where in its half
 *
 * Returns: the pipe (0 or 1); @pipe_y gets the row to look up in that pipe's buffer
 * with the layout's single-buffer form.
 */
unsigned int gc_layout_split(enum gc_layout layout, uint32_t x, uint32_t y, uint32_t *pipe_y);

#endif
