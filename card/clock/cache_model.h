/* SPDX-License-Identifier: MIT */
/*
 * A cache as the clock model sees it: tags only, no data. The functional
 * blocks always read and write memory itself; they tell the model what they
 * touched and learn how many bytes went to memory.
 */
#ifndef CARD_CLOCK_CACHE_MODEL_H
#define CARD_CLOCK_CACHE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define CACHE_MODEL_LINES 64
#define CACHE_MODEL_RUN 4 /* lines that cache_model_touch_run() takes at once */

#define CACHE_MODEL_NONE UINT32_MAX /* a tag that no line has: lines are larger than a byte */

/*
 * Direct mapped by line address with two ways, least recently used goes. Of each
 * set the line used last and the other one, and whether they are dirty: ~0 or 0,
 * arrays over the sets, so that several of them can be looked at together.
 */
struct cache_model {
	uint32_t line_bytes; /* power of two */
	uint32_t line_shift; /* the same as a shift */
	uint32_t sets;       /* power of two; lines = 2 * sets <= CACHE_MODEL_LINES */
	uint32_t newest[CACHE_MODEL_LINES / 2], newest_dirty[CACHE_MODEL_LINES / 2];
	uint32_t older[CACHE_MODEL_LINES / 2], older_dirty[CACHE_MODEL_LINES / 2];
};

void cache_model_init(struct cache_model *cache, uint32_t bytes, uint32_t line_bytes);

/** cache_model_change - cache_model_touch() of a line that is not its set's newest. */
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
 * cache_model_touch_run - cache_model_touch() of CACHE_MODEL_RUN lines from that of @address on
 *
 * The first one's number is a multiple of CACHE_MODEL_RUN, and the cache has that
 * many sets at least.
 */
void cache_model_touch_run(struct cache_model *cache, uint32_t address, bool write,
			   uint64_t *read_bytes, uint64_t *write_bytes);

/**
 * cache_model_write_runs - cache_model_touch_run() to write @count runs, one after the other
 * @address: number @order[i] from there on is the i-th; no two are the same
 */
void cache_model_write_runs(struct cache_model *cache, uint32_t address, const uint8_t *order,
			    unsigned int count, uint64_t *read_bytes, uint64_t *write_bytes);

/**
 * cache_model_read - cache_model_touch() of the lines with these numbers, one after the other
 *
 * Only for a cache that is never written to. Returns: how many had to be fetched.
 */
uint32_t cache_model_read(struct cache_model *cache, const uint32_t *line, unsigned int count);

/** cache_model_flush - write back and empty; returns the bytes written back. */
uint64_t cache_model_flush(struct cache_model *cache);

#endif
