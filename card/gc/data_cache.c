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

static struct data_cache_line *first_of_set(struct data_cache *cache, uint32_t number)
{
	return &cache->line[number % cache->sets * cache->ways];
}

static struct data_cache_line *find(struct data_cache *cache, uint32_t number)
{
	struct data_cache_line *set = first_of_set(cache, number);

	for (unsigned int way = 0; way < cache->ways; way++)
		if (set[way].number == number)
			return &set[way];
	return NULL;
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

static struct data_cache_line *make_room(struct data_cache *cache, uint32_t number)
{
	struct data_cache_line *set = first_of_set(cache, number), *oldest = set;

	for (unsigned int way = 1; way < cache->ways; way++)
		if (set[way].used < oldest->used)
			oldest = &set[way];
	write_back(cache, oldest);
	return oldest;
}

uint8_t *data_cache_line(struct data_cache *cache, uint32_t number, const uint8_t *memory)
{
	struct data_cache_line *line = find(cache, number);

	if (!line) {
		line = make_room(cache, number);
		line->number = number;
		memcpy(line->bytes, memory, DATA_CACHE_BYTES);
	}
	line->used = ++cache->uses;
	return line->bytes;
}

void data_cache_mark(struct data_cache *cache, uint32_t number)
{
	struct data_cache_line *line = find(cache, number);

	if (line)
		line->dirty = true;
}

void data_cache_drop(struct data_cache *cache)
{
	for (unsigned int i = 0; i < DATA_CACHE_LINES; i++) {
		cache->line[i].number = DATA_CACHE_NO_LINE;
		cache->line[i].dirty = false;
		cache->line[i].used = 0;
	}
}

void data_cache_flush(struct data_cache *cache)
{
	for (unsigned int i = 0; i < cache->sets * cache->ways; i++)
		write_back(cache, &cache->line[i]);
	data_cache_drop(cache);
}
