/* SPDX-License-Identifier: MIT */
/*
 * Model of the cache of shaded vertices: which vertices of an indexed draw the core shades.
 *
 * The core keeps the results of the last VERTEX_CACHE_SIZE vertices (CHIP_SPECS); an index that
 * is not among these is shaded, again if need be, and replaces the oldest [chosen: first in,
 * first out]. The draw unit shades batches of up to 64 different vertices instead, with the
 * same results; only counters and modelled time use this model.
 */
#ifndef CARD_GC_VERTEX_CACHE_H
#define CARD_GC_VERTEX_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define GC_VERTEX_CACHE 16u /* VERTEX_CACHE_SIZE of all cores in personality.c */

struct gc_vertex_cache {
	uint32_t index[GC_VERTEX_CACHE];
	unsigned int oldest;
	bool used; /* false: @index has no values yet */
};

/** gc_vertex_cache_reset - empty the cache: a draw or an instance begins. */
static inline void gc_vertex_cache_reset(struct gc_vertex_cache *cache)
{
	cache->used = false;
}

/**
 * gc_vertex_cache_add - look up an index
 * @index: the index, base vertex added
 *
 * Returns: 1 if the core shades this vertex, 0 if its result is in the cache.
 */
static inline unsigned int gc_vertex_cache_add(struct gc_vertex_cache *cache, uint32_t index)
{
	uint32_t hits = 0;

	if (!cache->used) {
		for (unsigned int i = 0; i < GC_VERTEX_CACHE; i++)
			cache->index[i] = index;
		cache->used = true;
		cache->oldest = 1;
		return 1;
	}
	/* without a branch, so that the compiler compares all entries at once */
	for (unsigned int i = 0; i < GC_VERTEX_CACHE; i++)
		hits |= cache->index[i] == index;
	if (hits)
		return 0;
	cache->index[cache->oldest] = index;
	cache->oldest = (cache->oldest + 1) % GC_VERTEX_CACHE;
	return 1;
}

#endif
