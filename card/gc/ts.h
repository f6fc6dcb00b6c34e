/* SPDX-License-Identifier: MIT */
/*
 * Tile status: two (or four) bits a tile that say "cleared" or "as in memory",
 * so that a fast clear only writes tags.
 */
#ifndef CARD_GC_TS_H
#define CARD_GC_TS_H

#include <stdbool.h>
#include <stdint.h>

struct gc_core;

/* One surface's tile status, decoded from the TS states. */
struct gc_tile_status {
	bool enabled;
	uint32_t status_address;  /* GPU address of the tags */
	uint32_t surface_address; /* GPU address of the surface they describe */
	uint64_t clear_value;     /* what a cleared tile holds; 64-bit formats use all of it */
	unsigned int tile_bytes;  /* surface bytes a tag covers */
	unsigned int bits;        /* bits a tag */
};

/**
 * gc_ts_fill - make the tile holding surface @address real
 *
 * If its tag says cleared, writes the clear value into the whole tile and sets
 * the tag to normal. Called before a surface tile is read or written.
 *
 * Returns: false after a memory fault.
 */
bool gc_ts_fill(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address);

#endif
