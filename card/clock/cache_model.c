// SPDX-License-Identifier: MIT
/*
 * Set-associative tags with least-recently-used replacement. A set's entries are kept in order of
 * their last use.
 */
#include "clock/cache_model.h"

#include <stdbool.h>
#include "plain.h"

void cache_model_flush(struct cache_model *cache)
{
	for (uint32_t i = 0; i < CACHE_MODEL_LINES / 2; i++)
		cache->newest[i] = cache->older[i] = CACHE_MEMORY_NONE;
	for (uint32_t i = 0; i < CACHE_MODEL_LINES; i++)
		cache->line[i] = CACHE_MEMORY_NONE;
}

void cache_model_init(struct cache_model *cache, uint32_t bytes, uint32_t line_bytes,
		      const struct gpu_structure *structure)
{
	uint32_t lines = structure->texture_lines ? structure->texture_lines : bytes / line_bytes;

	if (lines > CACHE_MODEL_LINES)
		lines = CACHE_MODEL_LINES;
	cache->line_bytes = line_bytes;
	cache->ways = structure->texture_ways;
	cache->sets = lines >= cache->ways ? lines / cache->ways : 1;
	cache->page = CACHE_MEMORY_NONE;
	cache_memory_init(&cache->memory, line_bytes, structure);
	cache_model_flush(cache);
}

/* Make @wanted the newest line of its set; returns whether it was not there. */
static bool use(struct cache_model *cache, uint32_t wanted)
{
	uint32_t *set = &cache->line[(wanted & (cache->sets - 1)) * cache->ways], newer = wanted;

	for (uint32_t i = 0; i < cache->ways; i++) {
		uint32_t here = set[i];

		set[i] = newer;
		if (here == wanted)
			return false;
		newer = here;
	}
	return true;
}

/* cache_model_read() with any number of ways, two among them on the plain card */
static __attribute__((noinline, cold)) uint32_t read_any(struct cache_model *cache,
							 const uint32_t *line, unsigned int count)
{
	uint32_t fetched = 0;

	for (unsigned int i = 0; i < count; i++) {
		if (!use(cache, line[i]))
			continue;
		fetched++;
		cache_memory_move(&cache->memory, cache->memory.read_page, line[i]);
	}
	return fetched;
}

/*
 * Lines are processed without branches, since hits and misses are unpredictable. Only for a miss in
 * another DRAM page than the last one cache_memory_move() is called: that one is open.
 */
uint32_t cache_model_read(struct cache_model *cache, const uint32_t *line, unsigned int count)
{
	struct cache_memory *memory = &cache->memory;
	const uint32_t mask = cache->sets - 1, shift = memory->page_shift;
	uint32_t fetched = 0, last = cache->page;

	if (CARD_PLAIN || __builtin_expect(cache->ways != 2, 0))
		return read_any(cache, line, count);
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
