/* SPDX-License-Identifier: MIT */
/*
 * Model of a texture cache for the clock model: tags only, no data (for --caches=data see
 * gc/tx_data.h). The texture unit reports its accesses here, to get the number of lines that go to
 * memory.
 */
#ifndef CARD_CLOCK_CACHE_MODEL_H
#define CARD_CLOCK_CACHE_MODEL_H

#include <stdint.h>

#include "clock/cache_memory.h"

#define CACHE_MODEL_LINES 64 /* at most */

/*
 * Indexed by line number; the least recently used line is replaced. With the two ways of the usual
 * structure [chosen] page, newest and older are in use, otherwise, and on the plain card (plain.h),
 * line is.
 */
struct cache_model {
	struct cache_memory memory;
	uint32_t line_bytes; /* power of two */
	uint32_t sets, ways; /* powers of two; lines = ways * sets <= CACHE_MODEL_LINES */
	uint32_t page;       /* DRAM page of the last line that was fetched; it is still open */
	/* of each set: the line used last, and the other one */
	uint32_t newest[CACHE_MODEL_LINES / 2], older[CACHE_MODEL_LINES / 2];
	uint32_t line[CACHE_MODEL_LINES]; /* set by set, the line used last first */
};

/** cache_model_init - an empty cache of @bytes, unless the structure has another number of lines */
void cache_model_init(struct cache_model *cache, uint32_t bytes, uint32_t line_bytes,
		      const struct gpu_structure *structure);

/**
 * cache_model_read - accesses to @count lines given by number, in order
 *
 * Returns: number of lines that were not in the cache.
 */
uint32_t cache_model_read(struct cache_model *cache, const uint32_t *line, unsigned int count);

/** cache_model_flush - empty the cache */
void cache_model_flush(struct cache_model *cache);

#endif
