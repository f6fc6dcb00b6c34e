// SPDX-License-Identifier: MIT
/* Contents of cache lines: set-associative, the least recently used line of a set is replaced. */
#include "gc/data_cache.h"

#include <stdlib.h>
#include <string.h>

struct data_cache *data_cache_create(unsigned int sets, unsigned int ways, struct gc_mmu *mmu,
				     enum gc_memory_client client)
{
	struct data_cache *cache =
		aligned_alloc(_Alignof(struct data_cache), sizeof(struct data_cache));

	if (!cache)
		return NULL;
	memset(cache, 0, sizeof(*cache));
	cache->sets = sets;
	cache->ways = ways;
	cache->mmu = mmu;
	cache->client = client;
	data_cache_drop(cache);
	return cache;
}

/* The lines of the set that line @number belongs to. */
static uint8_t *set_of(struct data_cache *cache, uint32_t number)
{
	return &cache->order[number % cache->sets * cache->ways];
}

static uint8_t *held(struct data_cache *cache, uint32_t number)
{
	return &cache->held[number % sizeof(cache->held)];
}

/* Returns: the place of line @number in the order of its set; the number of ways if it is not there. */
static unsigned int find(struct data_cache *cache, const uint8_t *set, uint32_t number)
{
	unsigned int place = 0;

	if (!*held(cache, number))
		return cache->ways;
	while (place < cache->ways && cache->line[set[place]].number != number)
		place++;
	return place;
}

static void write_back(struct data_cache *cache, struct data_cache_line *line)
{
	uint8_t *memory;

	if (!line->dirty)
		return;
	line->dirty = false;
	memory = gc_mmu_map(cache->mmu, cache->client, GC_WRITE, line->number * DATA_CACHE_BYTES);
	if (memory)
		memcpy(memory, line->bytes, DATA_CACHE_BYTES);
}

/* Let a line hold what memory does in the place of what it has. */
static void replace(struct data_cache *cache, struct data_cache_line *line, uint32_t number,
		    const uint8_t *memory)
{
	write_back(cache, line);
	if (line->number != DATA_CACHE_NO_LINE)
		--*held(cache, line->number);
	++*held(cache, number);
	line->number = number;
	memcpy(line->bytes, memory, DATA_CACHE_BYTES);
}

uint8_t *data_cache_line(struct data_cache *cache, uint32_t number, const uint8_t *memory)
{
	uint8_t *set = set_of(cache, number), index;
	unsigned int place = find(cache, set, number);

	if (place == cache->ways)
		replace(cache, &cache->line[set[--place]], number, memory);
	index = set[place];
	memmove(set + 1, set, place);
	set[0] = index;
	return cache->line[index].bytes;
}

void data_cache_mark(struct data_cache *cache, uint32_t number)
{
	uint8_t *set = set_of(cache, number);
	unsigned int place = find(cache, set, number);

	if (place < cache->ways)
		cache->line[set[place]].dirty = true;
}

void data_cache_drop(struct data_cache *cache)
{
	memset(cache->held, 0, sizeof(cache->held));
	for (unsigned int i = 0; i < DATA_CACHE_LINES; i++) {
		cache->order[i] = (uint8_t)i;
		cache->line[i].number = DATA_CACHE_NO_LINE;
		cache->line[i].dirty = false;
	}
}

void data_cache_flush(struct data_cache *cache)
{
	for (unsigned int i = 0; i < cache->sets * cache->ways; i++)
		write_back(cache, &cache->line[i]);
	data_cache_drop(cache);
}
