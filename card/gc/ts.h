/* SPDX-License-Identifier: MIT */
/*
 * Tile status: two (or four) bits a tile that say "cleared" or "as in memory",
 * so that a fast clear only writes tags.
 */
#ifndef CARD_GC_TS_H
#define CARD_GC_TS_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/mmu.h"

struct gc_core;

/* Tags: 1 means cleared in both widths; every other value means as in memory. */
#define GC_TS_NORMAL 0u
#define GC_TS_CLEARED 1u

/* One surface's tile status, decoded from the TS states. */
struct gc_tile_status {
	bool enabled;
	uint32_t status_address;      /* GPU address of the tags */
	uint32_t surface_address;     /* GPU address of the surface they describe */
	uint64_t clear_value;         /* what a cleared tile holds; 64-bit formats use all of it */
	unsigned int tile_bytes;      /* surface bytes a tag covers */
	unsigned int bits;            /* bits a tag */
	enum gc_memory_client client; /* whose memory accesses these are */
};

/** gc_ts_color - tile status of the first render target, which is also the RS source's; @pixel_bytes: of that surface. */
void gc_ts_color(const struct gc_core *gc, unsigned int pixel_bytes, struct gc_tile_status *ts);

/** gc_ts_target - tile status of render target @target, 1..7. */
void gc_ts_target(const struct gc_core *gc, unsigned int target, unsigned int pixel_bytes,
		  struct gc_tile_status *ts);

/** gc_ts_depth - tile status of the depth and stencil buffer. */
void gc_ts_depth(const struct gc_core *gc, struct gc_tile_status *ts);

/** gc_ts_wide - the described surface is multisampled: some cores have larger tiles then. */
void gc_ts_wide(const struct gc_core *gc, struct gc_tile_status *ts);

/** gc_ts_index - number of the tag for surface @address; wraps below the surface's start. */
static inline uint32_t gc_ts_index(const struct gc_tile_status *ts, uint32_t address)
{
	return (address - ts->surface_address) / ts->tile_bytes;
}

/** gc_ts_tag_address - GPU address of the byte that holds tag @index. */
static inline uint32_t gc_ts_tag_address(const struct gc_tile_status *ts, uint32_t index)
{
	return ts->status_address + (uint32_t)((uint64_t)index * ts->bits / 8);
}

/** gc_ts_tag_is_cleared - look at tag @index; false after a memory fault. */
bool gc_ts_tag_is_cleared(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t index,
			  bool *cleared);

/**
 * gc_ts_is_cleared - look at the tag of surface @address without changing anything
 * @cleared: out
 *
 * Returns: false after a memory fault.
 */
bool gc_ts_is_cleared(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address,
		      bool *cleared);

/** gc_ts_write_clear - write the clear value into all of tile @index, whatever its tag; false after a fault. */
bool gc_ts_write_clear(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t index);

/**
 * gc_ts_fill - make the tile holding surface @address real
 *
 * If its tag says cleared, writes the clear value into the whole tile and sets
 * the tag to normal. Called before a surface tile is read or written.
 *
 * Returns: false after a memory fault.
 */
bool gc_ts_fill(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address);

/**
 * gc_ts_fill_tile - gc_ts_fill() for tile @index
 * @cleared: out, whether its tag said cleared until now; unchanged if the tag cannot be read
 *
 * Returns: false after a memory fault.
 */
bool gc_ts_fill_tile(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t index,
		     bool *cleared);

#define GC_TS_RUN 4 /* tiles whose tags of two bits are a byte */

/**
 * gc_ts_fill_run - gc_ts_fill_tile() for GC_TS_RUN tiles of 64 bytes in a page, two bits a tag
 * @index: of the first, a multiple of that
 *
 * Returns: false if they must be filled one by one: their tags differ, or a translation is
 * not cached. Nothing has happened then.
 */
bool gc_ts_fill_run(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t index,
		    bool *cleared);

#endif
