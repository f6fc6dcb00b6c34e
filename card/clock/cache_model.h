/* SPDX-License-Identifier: MIT */
/*
 * Model of a cache for the clock model: tags only, no data. Functional blocks access memory
 * directly and report their accesses here, to get the number of bytes that go to memory.
 */
#ifndef CARD_CLOCK_CACHE_MODEL_H
#define CARD_CLOCK_CACHE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "clock/memory.h"

#define CACHE_MODEL_LINES 64
#define CACHE_MODEL_RUN 4 /* lines per call of cache_model_touch_run() */

/*
 * The MMU reads a page table in lines of 64 bytes: 16 entries of 4 KiB each. It caches some of
 * these lines for each client [chosen: 8, direct-mapped].
 */
#define CACHE_MODEL_WALK_BYTES (16u * 4096u)
#define CACHE_MODEL_TRANSLATIONS 8u

/* tag of an empty entry; no line has it, since lines are larger than a byte */
#define CACHE_MODEL_NONE UINT32_MAX

/*
 * Two ways, indexed by line number, least recently used line is replaced. For each set: the
 * line used last, the other one, and their dirty flags (~0 or 0), as arrays over the sets, so
 * that several sets can be processed as a vector.
 */
struct cache_model {
	uint32_t line_bytes; /* power of two */
	uint32_t line_shift; /* log2 of line_bytes */
	uint32_t sets;       /* power of two; lines = 2 * sets <= CACHE_MODEL_LINES */
	uint32_t page_shift; /* from a line's number to that of its DRAM page */
	/* DRAM page of each bank that was used last: by lines fetched, by lines written back */
	uint32_t read_page[GPU_MEMORY_BANKS], written_page[GPU_MEMORY_BANKS];
	/*
	 * DRAM pages opened since cache_model_new_pages(), as if this cache alone used the memory
	 */
	uint64_t pages;
	/* what the MMU has translated for this cache's client, in units of CACHE_MODEL_WALK_BYTES */
	uint32_t translated[CACHE_MODEL_TRANSLATIONS];
	uint32_t walk_shift;  /* from a DRAM page's number to that of such a unit */
	uint32_t mmu_flushes; /* MMU flushes at the last cache_model_follow_mmu() */
	uint64_t walks;       /* walks of the page tables since cache_model_new_walks() */
	uint32_t newest[CACHE_MODEL_LINES / 2], newest_dirty[CACHE_MODEL_LINES / 2];
	uint32_t older[CACHE_MODEL_LINES / 2], older_dirty[CACHE_MODEL_LINES / 2];
};

void cache_model_init(struct cache_model *cache, uint32_t bytes, uint32_t line_bytes);

/**
 * cache_model_change - slow path of cache_model_touch(), for a line that is not its set's
 * newest
 */
void cache_model_change(struct cache_model *cache, uint32_t line, bool write, uint64_t *read_bytes,
			uint64_t *write_bytes);

/**
 * cache_model_touch - one access to the line that holds @address
 * @cache: the model
 * @address: GPU address, bytes
 * @write: the line becomes dirty
 * @read_bytes: increased by a line if it had to be fetched
 * @write_bytes: increased by a line if a dirty one had to be written back
 */
static inline void cache_model_touch(struct cache_model *cache, uint32_t address, bool write,
				     uint64_t *read_bytes, uint64_t *write_bytes)
{
	uint32_t line = address >> cache->line_shift, set = line & (cache->sets - 1);

	if (__builtin_expect(cache->newest[set] == line, 1))
		cache->newest_dirty[set] |= 0u - write;
	else
		cache_model_change(cache, line, write, read_bytes, write_bytes);
}

/**
 * cache_model_touch_run - cache_model_touch() for CACHE_MODEL_RUN consecutive lines
 * @address: GPU address in the first line; its number is a multiple of CACHE_MODEL_RUN
 *
 * The cache must have at least CACHE_MODEL_RUN sets. Other parameters as cache_model_touch().
 */
void cache_model_touch_run(struct cache_model *cache, uint32_t address, bool write,
			   uint64_t *read_bytes, uint64_t *write_bytes);

/**
 * cache_model_write_runs - cache_model_touch_run() with @write for @count runs, in order
 * @address: GPU address of run 0
 * @order: numbers of the runs, no two equal
 */
void cache_model_write_runs(struct cache_model *cache, uint32_t address, const uint8_t *order,
			    unsigned int count, uint64_t *read_bytes, uint64_t *write_bytes);

/**
 * cache_model_read - cache_model_touch() without @write for @count lines given by number, in
 * order
 *
 * Only for a cache that is never written.
 *
 * Returns: number of lines that were not in the cache.
 */
uint32_t cache_model_read(struct cache_model *cache, const uint32_t *line, unsigned int count);

/**
 * cache_model_flush - write back dirty lines and empty the cache; returns the bytes written
 * back
 */
uint64_t cache_model_flush(struct cache_model *cache);

/**
 * cache_model_follow_mmu - drop translations if the MMU was flushed since the last call
 * @flushes: how often it was flushed since its creation
 */
void cache_model_follow_mmu(struct cache_model *cache, uint32_t flushes);

/** cache_model_new_walks - walks of the page tables since the last call */
static inline uint64_t cache_model_new_walks(struct cache_model *cache)
{
	uint64_t walks = cache->walks;

	cache->walks = 0;
	return walks;
}

/** cache_model_new_pages - DRAM pages opened since the last call */
static inline uint64_t cache_model_new_pages(struct cache_model *cache)
{
	uint64_t pages = cache->pages;

	cache->pages = 0;
	return pages;
}

#endif
