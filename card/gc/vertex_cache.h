/* SPDX-License-Identifier: MIT */
/*
 * Model of the cache of shaded vertices: which vertices of an indexed draw the core shades.
 *
 * The core keeps the results of the last VERTEX_CACHE_SIZE vertices (CHIP_SPECS); an index that
 * is not among these is shaded, again if need be, and replaces the oldest [chosen: first in,
 * first out]. The draw unit shades batches of up to 64 different vertices instead, with the
 * same results; only counters and modelled time use this model.
 *
 * Shaded vertices are numbered. A vertex is in the cache if fewer than GC_VERTEX_CACHE were
 * shaded after it, so it suffices to remember the number for each lane of the batch, and the
 * indices of the last ones for lanes of the next batch.
 */
#ifndef CARD_GC_VERTEX_CACHE_H
#define CARD_GC_VERTEX_CACHE_H

#include <stdint.h>
#include <string.h>

#include "gc/shader_vector.h"

#define GC_VERTEX_CACHE 16u /* VERTEX_CACHE_SIZE of all cores in personality.c */

struct gc_vertex_cache {
	uint32_t shaded; /* number of the next vertex; wraps around */
	uint32_t first;  /* number of the first one that may be reused */
	uint32_t batch;  /* number of the batch's first one */
	/* of the last ones, by number modulo GC_VERTEX_CACHE */
	_Alignas(64) uint32_t index[GC_VERTEX_CACHE];
	/*
	 * @index when the batch began. Vertices of the batch have lanes, so only older ones are looked
	 * for; a vector of @index would wait for the last stores into it.
	 */
	_Alignas(64) uint32_t earlier[GC_VERTEX_CACHE];
	uint32_t number[GC_LANES]; /* by lane; out of the cache if it was not shaded */
};

/** gc_vertex_cache_reset - empty the cache: a draw or an instance begins. */
static inline void gc_vertex_cache_reset(struct gc_vertex_cache *cache)
{
	cache->first = cache->batch = cache->shaded;
}

/** gc_vertex_cache_begin_batch - lanes get other vertices from now on. */
static inline void gc_vertex_cache_begin_batch(struct gc_vertex_cache *cache)
{
	cache->batch = cache->shaded;
	memcpy(cache->earlier, cache->index, sizeof(cache->earlier));
	for (unsigned int lane = 0; lane < GC_LANES; lane++)
		cache->number[lane] = cache->shaded - (GC_VERTEX_CACHE + 1);
}

/* Whether @index was among the last ones when the batch began, or before a reset. */
static inline uint32_t gc_vertex_cache_may_hold(const struct gc_vertex_cache *cache, uint32_t index)
{
	uint32_t found = 0;

	for (unsigned int i = 0; i < GC_VERTEX_CACHE; i += GC_CHUNK)
		found |= v_bits(*(const vi *)&cache->earlier[i] == v_splati((int32_t)index));
	return found;
}

/* Find @index among the vertices of earlier batches. Returns: whether it is there. */
static inline unsigned int gc_vertex_cache_find(struct gc_vertex_cache *cache, unsigned int lane,
						uint32_t index)
{
	uint32_t age = cache->shaded - cache->batch + 1;

	if (age > GC_VERTEX_CACHE || !gc_vertex_cache_may_hold(cache, index))
		return 0;
	for (; age <= GC_VERTEX_CACHE && age <= cache->shaded - cache->first; age++)
		if (cache->index[(cache->shaded - age) % GC_VERTEX_CACHE] == index) {
			cache->number[lane] = cache->shaded - age;
			return 1;
		}
	return 0;
}

/**
 * gc_vertex_cache_use - look up the vertex of a lane
 * @index: the vertex, no other lane of the batch has it; base vertex added
 *
 * Returns: 1 if the core shades it, 0 if its result is in the cache.
 */
static inline unsigned int gc_vertex_cache_use(struct gc_vertex_cache *cache, unsigned int lane,
					       uint32_t index)
{
	if (cache->shaded - cache->number[lane] <= GC_VERTEX_CACHE)
		return 0;
	if (gc_vertex_cache_find(cache, lane, index))
		return 0;
	cache->number[lane] = cache->shaded;
	cache->index[cache->shaded++ % GC_VERTEX_CACHE] = index;
	return 1;
}

#endif
