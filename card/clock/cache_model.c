// SPDX-License-Identifier: MIT
/*
 * Two-way set-associative tags with least-recently-used replacement. A set's two entries are
 * kept in order of their last use.
 */
#include "clock/cache_model.h"

void cache_model_flush(struct cache_model *cache)
{
	for (uint32_t i = 0; i < cache->sets; i++)
		cache->newest[i] = cache->older[i] = CACHE_MEMORY_NONE;
}

void cache_model_init(struct cache_model *cache, uint32_t bytes, uint32_t line_bytes)
{
	uint32_t sets = bytes / line_bytes / 2;

	if (sets > CACHE_MODEL_LINES / 2)
		sets = CACHE_MODEL_LINES / 2;
	cache->line_bytes = line_bytes;
	cache->sets = sets ? sets : 1;
	cache->page = CACHE_MEMORY_NONE;
	cache_memory_init(&cache->memory, line_bytes);
	cache_model_flush(cache);
}

/*
 * Lines are processed without branches, since hits and misses are unpredictable. Only a miss in another
 * page than the last one is looked at.
 */
uint32_t cache_model_read(struct cache_model *cache, const uint32_t *line, unsigned int count)
{
	struct cache_memory *memory = &cache->memory;
	const uint32_t mask = cache->sets - 1, shift = memory->page_shift;
	uint32_t fetched = 0, last = cache->page;

	for (unsigned int i = 0; i < count; i++) {
		uint32_t wanted = line[i], *newest = &cache->newest[wanted & mask];
		uint32_t *older = &cache->older[wanted & mask], page = wanted >> shift;
		uint32_t before = *newest, differs = before != wanted;
		uint32_t miss = differs & (*older != wanted);

		fetched += miss;
		if (__builtin_expect(miss & (page != last), 0)) {
			last = page;
			cache_memory_move(memory, memory->read_page, wanted);
		}
		*older = differs ? before : *older;
		*newest = wanted;
	}
	cache->page = last;
	return fetched;
}
