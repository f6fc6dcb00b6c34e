/* SPDX-License-Identifier: MIT */
/*
 * Types and functions of the resolve engine's files. It works on blocks of 4x4 pixels, which
 * are contiguous in tiled layouts and four separate rows in linear ones.
 */
#ifndef CARD_GC_RS_INTERNAL_H
#define CARD_GC_RS_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/core.h"
#include "gc/format.h"
#include "gc/layout.h"
#include "gc/ts.h"

#define RS_BLOCK 4 /* pixels per side */
#define RS_BLOCK_PIXELS 16
#define RS_BLOCK_BYTES (RS_BLOCK_PIXELS * 8)
#define RS_CLIENT GC_CLIENT_RA /* the memory client for faults and MMUv1's linear window */

/* The pixels of a block as in memory, row by row without gaps. */
struct rs_block {
	uint8_t byte[RS_BLOCK_BYTES];
} __attribute__((aligned(64)));

/* The pixels of a block as 8-bit channels R, G, B, A. */
struct rs_texels {
	uint8_t c[4][RS_BLOCK_PIXELS];
};

/*
 * Pattern of a fill: 16 bytes and a mask of the bytes to write, aligned to addresses that are
 * multiples of 16
 */
struct rs_fill {
	uint64_t pattern[2];
	uint64_t mask[2];
};

/* Bytes moved, and the tag of the source that was read last. */
struct rs_traffic {
	uint64_t read_bytes, write_bytes, ts_bytes; /* ts_bytes: tile status read */
	bool tag_valid, tag_cleared;
	uint32_t tag_index, tag_line;
};

/* Conversion of a block's pixels. */
struct rs_conversion {
	bool raw;                         /* pixels keep format and number; @endian counts */
	unsigned int source, destination; /* RS_FORMAT_* */
	unsigned int shift_x, shift_y;    /* 1: average two pixels in this direction */
	bool swap_rb;
	bool dither;
	float bias[RS_BLOCK_PIXELS]; /* see gc_dither_bias() */
	unsigned int endian;         /* ENDIAN_MODE_* */
};

/**
 * rs_load - read a block
 * @ts: the surface's tile status; cleared tiles are not read from memory
 * @x: of its first pixel, a multiple of 4
 * @y: of its first pixel, a multiple of 4
 * @rows: number of rows that exist, 1..4; counts for linear surfaces only
 * @traffic: the bytes read are added
 * @block: receives the pixels
 *
 * Returns: false after a memory fault.
 */
bool rs_load(struct gc_core *gc, const struct gc_surface *surface, const struct gc_tile_status *ts,
	     uint32_t x, uint32_t y, unsigned int rows, struct rs_traffic *traffic,
	     struct rs_block *block);

/** rs_store - write the block at (@x, @y), as rs_load(); false after a memory fault */
bool rs_store(struct gc_core *gc, const struct gc_surface *surface, uint32_t x, uint32_t y,
	      unsigned int rows, struct rs_traffic *traffic, const struct rs_block *block);

/** rs_fill - fill the block at (@x, @y); false after a memory fault */
bool rs_fill(struct gc_core *gc, const struct gc_surface *surface, uint32_t x, uint32_t y,
	     unsigned int rows, struct rs_traffic *traffic, const struct rs_fill *fill);

/** rs_format_bytes - bytes per pixel of RS_FORMAT_* @format, or 0 if undefined */
unsigned int rs_format_bytes(unsigned int format);

/**
 * rs_unpack, rs_pack - convert a block from RS_FORMAT_* pixels to 8-bit channels and back
 *
 * Only for YUY2 and formats with channels (gc_format_rs()), not for RS_FORMAT_64BPP_CLEAR.
 */
void rs_unpack(unsigned int format, const struct rs_block *block, struct rs_texels *texels);
void rs_pack(const struct rs_conversion *conversion, const struct rs_texels *texels,
	     struct rs_block *block);

/**
 * rs_convert - compute a destination block
 * @source: (1 << shift_x) by (1 << shift_y) source blocks, row by row
 * @destination: receives the block
 */
void rs_convert(const struct rs_conversion *conversion, const struct rs_block *source,
		struct rs_block *destination);

#endif
