/* SPDX-License-Identifier: MIT */
/*
 * Tile status: two or four bits per tile that mean "cleared" or "as in memory". A fast clear
 * only writes these tags. The pixel engine caches tags; lines are written back when they are
 * replaced and when the cache is flushed (TS_FLUSH_CACHE). All other units read the tags in
 * memory.
 */
#ifndef CARD_GC_TS_H
#define CARD_GC_TS_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/mmu.h"

struct gc_core;

/*
 * Values of a tag: 1 means cleared, in both widths; all others mean as in memory, but the pixel
 * engine hangs at some, see gc_ts_fill_tile().
 */
#define GC_TS_NORMAL 0u
#define GC_TS_CLEARED 1u

/* Tile status of a surface, decoded from the TS states. */
struct gc_tile_status {
	bool enabled;
	bool compressed;              /* tiles may be */
	uint32_t status_address;      /* GPU address of the tags */
	uint32_t surface_address;     /* GPU address of the surface */
	uint64_t clear_value;         /* contents of a cleared tile; 64-bit formats use all of it */
	unsigned int tile_bytes;      /* bytes of surface per tag */
	unsigned int bits;            /* bits per tag */
	enum gc_memory_client client; /* memory client of the accesses */
};

#define GC_TS_LINE_BYTES 64u
#define GC_TS_SETS 2u
#define GC_TS_WAYS 2u

/* A line of the tag cache: the tags of 256 tiles with two bits each. */
struct gc_ts_line {
	uint32_t number;              /* GPU address / GC_TS_LINE_BYTES, or GC_TS_NO_LINE */
	enum gc_memory_client client; /* client that fetched the line, used to write it back */
	bool dirty;
	uint8_t tags[GC_TS_LINE_BYTES];
};

#define GC_TS_NO_LINE UINT32_MAX

/* The least recently used line of a set is replaced. */
struct gc_ts_cache {
	struct gc_ts_line line[GC_TS_SETS][GC_TS_WAYS];
	unsigned int newest[GC_TS_SETS]; /* way used last */
};

/** gc_ts_cache_clear - empty the cache as a reset does, without writing anything back */
void gc_ts_cache_clear(struct gc_ts_cache *cache);

/** gc_ts_cache_is_dirty - whether a flush would write to memory */
bool gc_ts_cache_is_dirty(const struct gc_ts_cache *cache);

/**
 * gc_ts_cache_flush - write dirty lines back to memory and empty the cache
 *
 * Adds the bytes to gc->work.ts_write_bytes. Lines that cannot be written cause a fault and are
 * lost.
 */
void gc_ts_cache_flush(struct gc_core *gc, struct gc_ts_cache *cache);

/**
 * gc_ts_color - tile status of render target 0 and of the resolve engine's source
 * @pixel_bytes: bytes per pixel of the surface
 * @ts: receives the tile status
 */
void gc_ts_color(const struct gc_core *gc, unsigned int pixel_bytes, struct gc_tile_status *ts);

/** gc_ts_target - tile status of render target @target, 1..7, as gc_ts_color() */
void gc_ts_target(const struct gc_core *gc, unsigned int target, unsigned int pixel_bytes,
		  struct gc_tile_status *ts);

/** gc_ts_depth - tile status of the depth and stencil buffer. */
void gc_ts_depth(const struct gc_core *gc, struct gc_tile_status *ts);

/** gc_ts_wide - adjust @ts for a multisampled surface, for which some cores have larger tiles */
void gc_ts_wide(const struct gc_core *gc, struct gc_tile_status *ts);

/**
 * gc_ts_index - number of the tag for surface address @address; wraps below the surface's start
 */
static inline uint32_t gc_ts_index(const struct gc_tile_status *ts, uint32_t address)
{
	return (address - ts->surface_address) / ts->tile_bytes;
}

/** gc_ts_tag_address - GPU address of the byte with tag @index */
static inline uint32_t gc_ts_tag_address(const struct gc_tile_status *ts, uint32_t index)
{
	return ts->status_address + (uint32_t)((uint64_t)index * ts->bits / 8);
}

/**
 * gc_ts_is_cleared - read the tag for surface address @address from memory
 * @cleared: receives whether the tile is cleared
 *
 * Returns: false after a memory fault.
 */
bool gc_ts_is_cleared(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address,
		      bool *cleared);

/**
 * gc_ts_fill - if the tag in memory for surface address @address says cleared, fill the tile
 *
 * Writes the clear value to the whole tile and sets the tag to normal.
 *
 * Returns: false after a memory fault.
 */
bool gc_ts_fill(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address);

/**
 * gc_ts_fill_tile - gc_ts_fill() for tile @index, with the tag in the cache
 * @cleared: receives whether the tile was cleared; unchanged if the tag cannot be read
 *
 * Called before a tile is read or written. Adds the bytes that the cache reads and writes to
 * gc->work.ts_read_bytes and ts_write_bytes.
 *
 * Returns: false after a memory fault, or if the tag has a value that nothing writes: then gc->hang
 * is set, as silicon hangs.
 */
bool gc_ts_fill_tile(struct gc_core *gc, struct gc_ts_cache *cache, const struct gc_tile_status *ts,
		     uint32_t index, bool *cleared);

#define GC_TS_RUN 4 /* tiles whose tags of two bits form a byte */

/**
 * gc_ts_fill_run - gc_ts_fill_tile() for GC_TS_RUN tiles of 64 bytes in one page, with two bits
 * per tag
 * @index: of the first tile, a multiple of GC_TS_RUN
 * @cleared: receives whether all of them were cleared
 *
 * Returns: false if the tiles must be filled one by one, because their tags differ or are not
 * cached, or their translation is not cached. Then no tag and no tile was changed.
 */
bool gc_ts_fill_run(struct gc_core *gc, struct gc_ts_cache *cache, const struct gc_tile_status *ts,
		    uint32_t index, bool *cleared);

#endif
