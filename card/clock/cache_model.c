// SPDX-License-Identifier: MIT
/*
 * Two-way set-associative tags with least-recently-used replacement. The order
 * of a set's two entries is the order of their last use, so that an access to
 * the line used last, as most are, changes nothing but its dirty bit.
 */
#include "clock/cache_model.h"

static void empty(struct cache_model *cache)
{
	for (uint32_t i = 0; i < cache->sets; i++)
		cache->set[i] =
			(struct cache_model_set){ .tag = { CACHE_MODEL_NONE, CACHE_MODEL_NONE } };
}

void cache_model_init(struct cache_model *cache, uint32_t bytes, uint32_t line_bytes)
{
	uint32_t sets = bytes / line_bytes / 2;

	if (sets > CACHE_MODEL_LINES / 2)
		sets = CACHE_MODEL_LINES / 2;
	cache->line_bytes = line_bytes;
	cache->line_shift = (uint32_t)__builtin_ctz(line_bytes);
	cache->sets = sets ? sets : 1;
	empty(cache);
}

void cache_model_change(struct cache_model *cache, uint32_t line, bool write, uint64_t *read_bytes,
			uint64_t *write_bytes)
{
	struct cache_model_set *set = &cache->set[line & (cache->sets - 1)];
	bool dirty = set->dirty[1];

	if (set->tag[1] != line) {
		if (dirty)
			*write_bytes += cache->line_bytes;
		*read_bytes += cache->line_bytes;
		dirty = false;
	}
	set->tag[1] = set->tag[0];
	set->dirty[1] = set->dirty[0];
	set->tag[0] = line;
	set->dirty[0] = dirty || write;
}

uint64_t cache_model_flush(struct cache_model *cache)
{
	uint64_t written = 0;

	for (uint32_t i = 0; i < cache->sets; i++)
		written += (uint64_t)cache->line_bytes *
			   (cache->set[i].dirty[0] + cache->set[i].dirty[1]);
	empty(cache);
	return written;
}
