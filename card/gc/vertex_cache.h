/* SPDX-License-Identifier: MIT */
/*
 * Model of the cache of shaded vertices: which vertices of an indexed draw the core shades.
 *
 * The core keeps the results of the last GC_VERTEX_CACHE vertices (VERTEX_CACHE_SIZE in CHIP_SPECS); an
 * index that is not among these is shaded, again if need be, and replaces the oldest [chosen: first in,
 * first out]. The draw unit shades batches of up to 64 different vertices instead, with the same results;
 * only counters and modelled time use this model.
 *
 * Shaded vertices have places in the order in which they are shaded. A vertex can be reused until
 * GC_VERTEX_CACHE others have been shaded after it, so it suffices to know the last place for each lane.
 * Vertices of earlier batches are looked for only when a lane gets its vertex.
 */
#ifndef CARD_GC_VERTEX_CACHE_H
#define CARD_GC_VERTEX_CACHE_H

#include <stdint.h>
#include <string.h>

#include "gc/shader_vector.h"

#define GC_VERTEX_CACHE 16u /* VERTEX_CACHE_SIZE of all cores in personality.c */

/* Length of a batch's sequence of slots and GC_SEQUENCE_END. A full sequence ends the batch. */
#define GC_SEQUENCE 256

struct gc_vertex_cache {
	/* indices of the vertices at places 0 to GC_VERTEX_CACHE - 1: the last ones before the batch */
	_Alignas(64) uint32_t earlier[GC_VERTEX_CACHE];
	unsigned int first; /* place of the oldest vertex that may be reused */
	unsigned int next;  /* place of the next vertex that is shaded */
	/* lanes of the vertices at places from GC_VERTEX_CACHE on, at most GC_SEQUENCE a batch */
	uint8_t lane[GC_VERTEX_CACHE + GC_SEQUENCE];
	uint16_t until
		[GC_LANES]; /* by lane: the largest @next at which the cache holds its vertex */
};

/** gc_vertex_cache_reset - empty the cache: a draw or an instance begins; its vertices get new lanes. */
static inline void gc_vertex_cache_reset(struct gc_vertex_cache *cache)
{
	cache->first = cache->next;
}

/** gc_vertex_cache_init - an empty cache at the beginning of a batch */
static inline void gc_vertex_cache_init(struct gc_vertex_cache *cache)
{
	cache->first = cache->next = GC_VERTEX_CACHE;
}

/**
 * gc_vertex_cache_end_batch - lanes get other vertices from now on
 * @index: the vertices of the lanes until now
 */
static inline void gc_vertex_cache_end_batch(struct gc_vertex_cache *cache,
					     const uint32_t index[GC_LANES])
{
	unsigned int shaded = cache->next - GC_VERTEX_CACHE, kept = 0;

	if (shaded < GC_VERTEX_CACHE) {
		kept = GC_VERTEX_CACHE - shaded;
		memmove(cache->earlier, &cache->earlier[shaded], kept * sizeof(cache->earlier[0]));
	}
	for (unsigned int i = kept; i < GC_VERTEX_CACHE; i++)
		cache->earlier[i] = index[cache->lane[shaded + i]];
	cache->first = cache->first > shaded ? cache->first - shaded : 0;
	cache->next = GC_VERTEX_CACHE;
}

/** gc_vertex_cache_shaded - how many vertices the core has shaded in this batch */
static inline unsigned int gc_vertex_cache_shaded(const struct gc_vertex_cache *cache)
{
	return cache->next - GC_VERTEX_CACHE;
}

/* Place of a vertex among those of earlier batches that may be reused; GC_VERTEX_CACHE: it is not there */
static inline unsigned int gc_vertex_cache_place(const struct gc_vertex_cache *cache,
						 uint32_t index)
{
	uint32_t found = 0;

	for (unsigned int i = 0; i < GC_VERTEX_CACHE; i += GC_CHUNK)
		found |= v_bits(*(const vi *)&cache->earlier[i] == v_splati((int32_t)index)) << i;
	found &= ~0u << cache->first;
	return (unsigned int)__builtin_ctz(found | 1u << GC_VERTEX_CACHE);
}

/**
 * gc_vertex_cache_begin_lane - a lane gets its vertex
 * @next: cache->next, which callers keep in a variable
 * @index: the vertex, no other lane has it since the last reset; base vertex added
 */
static inline void gc_vertex_cache_begin_lane(struct gc_vertex_cache *cache, unsigned int next,
					      unsigned int lane, uint32_t index)
{
	unsigned int place = GC_VERTEX_CACHE;

	/* vertices of earlier batches are not in the cache any more when as many others were shaded */
	if (next < 2 * GC_VERTEX_CACHE && cache->first < GC_VERTEX_CACHE)
		place = gc_vertex_cache_place(cache, index);
	cache->until[lane] = place < GC_VERTEX_CACHE ? (uint16_t)(place + GC_VERTEX_CACHE) : 0;
}

/**
 * gc_vertex_cache_use - look up the vertex of a lane, at most GC_SEQUENCE times a batch
 *
 * Returns: cache->next, which callers keep in a variable; one larger than @next if the core shades the
 * vertex.
 */
static inline unsigned int gc_vertex_cache_use(struct gc_vertex_cache *cache, unsigned int next,
					       unsigned int lane)
{
	if (cache->until[lane] >= next)
		return next;
	cache->until[lane] = (uint16_t)(next + GC_VERTEX_CACHE);
	cache->lane[next] = (uint8_t)lane;
	return next + 1;
}

#endif
