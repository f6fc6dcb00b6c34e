// SPDX-License-Identifier: MIT
/*
 * Two-way set-associative tags with least-recently-used replacement. Lines of
 * set s are entries 2s and 2s+1.
 */
#include "clock/cache_model.h"

#include <string.h>

void cache_model_init(struct cache_model *cache, uint32_t bytes, uint32_t line_bytes)
{
	uint32_t sets = bytes / line_bytes / 2;

	memset(cache, 0, sizeof(*cache));
	if (sets > CACHE_MODEL_LINES / 2)
		sets = CACHE_MODEL_LINES / 2;
	cache->line_bytes = line_bytes;
	cache->sets = sets ? sets : 1;
}

void cache_model_touch(struct cache_model *cache, uint32_t address, bool write,
		       uint64_t *read_bytes, uint64_t *write_bytes)
{
	uint32_t tag = address / cache->line_bytes;
	uint32_t set = tag & (cache->sets - 1);
	unsigned int line, way;

	for (way = 0; way < 2; way++) {
		line = 2 * set + way;
		if (cache->valid[line] && cache->tag[line] == tag)
			break;
	}
	if (way == 2) {
		way = 1 - cache->recent[set];
		line = 2 * set + way;
		if (cache->valid[line] && cache->dirty[line])
			*write_bytes += cache->line_bytes;
		*read_bytes += cache->line_bytes;
		cache->tag[line] = tag;
		cache->valid[line] = true;
		cache->dirty[line] = false;
	}
	cache->recent[set] = way;
	if (write)
		cache->dirty[line] = true;
}

uint64_t cache_model_flush(struct cache_model *cache)
{
	uint64_t written = 0;

	for (unsigned int line = 0; line < 2 * cache->sets; line++)
		if (cache->valid[line] && cache->dirty[line])
			written += cache->line_bytes;
	memset(cache->valid, 0, sizeof(cache->valid));
	memset(cache->dirty, 0, sizeof(cache->dirty));
	return written;
}
