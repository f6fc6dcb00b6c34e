/* SPDX-License-Identifier: MIT */
/*
 * Tile status: two (or four) bits a tile that say "cleared" or "as in memory",
 * so that a fast clear only writes tags. The pixel engine has a cache for tags,
 * which writes back whole lines when they make room for others and when it is
 * flushed (TS_FLUSH_CACHE). All other units use the tags in memory.
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

#define GC_TS_LINE_BYTES 64u
#define GC_TS_SETS 2u
#define GC_TS_WAYS 2u

/* A line of the cache: its tags stand for 256 tiles, if they are of two bits. */
struct gc_ts_line {
	uint32_t number;              /* GPU address / GC_TS_LINE_BYTES, or GC_TS_NO_LINE */
	enum gc_memory_client client; /* who fetched it, and writes it back */
	bool dirty;
	uint8_t tags[GC_TS_LINE_BYTES];
};

#define GC_TS_NO_LINE UINT32_MAX

/* The least recently used line of a set makes room. */
struct gc_ts_cache {
	struct gc_ts_line line[GC_TS_SETS][GC_TS_WAYS];
	unsigned int newest[GC_TS_SETS]; /* way used last */
};

/** gc_ts_cache_clear - empty the cache, as reset does: what was not written back is lost. */
void gc_ts_cache_clear(struct gc_ts_cache *cache);

/** gc_ts_cache_is_dirty - whether flushing it would write to memory. */
bool gc_ts_cache_is_dirty(const struct gc_ts_cache *cache);

/**
 * gc_ts_cache_flush - write dirty lines back to memory, then empty the cache
 *
 * Counts the bytes as gc->work.ts_write_bytes. Lines that cannot be written fault and are lost.
 */
void gc_ts_cache_flush(struct gc_core *gc, struct gc_ts_cache *cache);

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

/**
 * gc_ts_is_cleared - look at the tag of surface @address in memory without changing anything
 * @cleared: out
 *
 * Returns: false after a memory fault.
 */
bool gc_ts_is_cleared(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address,
		      bool *cleared);

/**
 * gc_ts_fill - make the tile holding surface @address real, by its tag in memory
 *
 * If the tag says cleared, writes the clear value into the whole tile and sets
 * the tag to normal.
 *
 * Returns: false after a memory fault.
 */
bool gc_ts_fill(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address);

/**
 * gc_ts_fill_tile - the same for tile @index, by its tag in the cache
 * @cleared: out, whether its tag said cleared until now; unchanged if the tag cannot be read
 *
 * Called before a surface tile is read or written. Counts the bytes that the cache fetches and
 * writes back as gc->work.ts_read_bytes and ts_write_bytes.
 *
 * Returns: false after a memory fault.
 */
bool gc_ts_fill_tile(struct gc_core *gc, struct gc_ts_cache *cache, const struct gc_tile_status *ts,
		     uint32_t index, bool *cleared);

#define GC_TS_RUN 4 /* tiles whose tags of two bits are a byte */

/**
 * gc_ts_fill_run - gc_ts_fill_tile() for GC_TS_RUN tiles of 64 bytes in a page, two bits a tag
 * @index: of the first, a multiple of that
 *
 * Returns: false if they must be filled one by one: their tags differ, are not cached, or the
 * tiles' translation is not. Nothing has happened then.
 */
bool gc_ts_fill_run(struct gc_core *gc, struct gc_ts_cache *cache, const struct gc_tile_status *ts,
		    uint32_t index, bool *cleared);

#endif
