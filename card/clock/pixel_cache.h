/* SPDX-License-Identifier: MIT */
/*
 * Model of a pixel cache (colour, depth) for the clock model: tags only, no data. The pixel engine
 * accesses memory directly and reports its accesses here, to get the number of bytes that go to
 * memory.
 *
 * Fully associative, as those of Vivante's cores are (Ma, see params/ranges, 3.3). The
 * least recently used line is replaced [chosen].
 */
#ifndef CARD_CLOCK_PIXEL_CACHE_H
#define CARD_CLOCK_PIXEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "clock/cache_memory.h"

#define PIXEL_CACHE_LINE_BYTES 64u
#define PIXEL_CACHE_LINES 32u /* 2 KB (Ma, 7.1); the most that a structure may have */
#define PIXEL_CACHE_RUN 4u    /* lines per call of pixel_cache_touch_run() */
#define PIXEL_CACHE_RUNS 64u  /* of pixel_cache_write_runs() at most */

struct pixel_cache {
	struct cache_memory memory;
	_Alignas(64) uint32_t line[PIXEL_CACHE_LINES]; /* the newest one first */
	uint32_t dirty;                                /* a bit for each, in the same order */
	uint32_t lines; /* of the structure; the others are always empty */
};

/** pixel_cache_init - an empty cache */
void pixel_cache_init(struct pixel_cache *cache, const struct gpu_structure *structure);

/** pixel_cache_look_up - slow path of pixel_cache_touch(), for a line that is not the newest. */
void pixel_cache_look_up(struct pixel_cache *cache, uint32_t line, bool write, uint64_t *read_bytes,
			 uint64_t *write_bytes);

/**
 * pixel_cache_touch - one access to the line that holds @address
 * @cache: the model
 * @address: GPU address, bytes
 * @write: the line becomes dirty
 * @read_bytes: increased by a line if it had to be fetched
 * @write_bytes: increased by a line if a dirty one had to be written back
 */
static inline void pixel_cache_touch(struct pixel_cache *cache, uint32_t address, bool write,
				     uint64_t *read_bytes, uint64_t *write_bytes)
{
	uint32_t line = address / PIXEL_CACHE_LINE_BYTES;

	if (__builtin_expect(cache->line[0] == line, 1))
		cache->dirty |= (uint32_t)write;
	else
		pixel_cache_look_up(cache, line, write, read_bytes, write_bytes);
}

/**
 * pixel_cache_touch_run - pixel_cache_touch() for PIXEL_CACHE_RUN consecutive lines
 * @address: GPU address in the first line; its number is a multiple of PIXEL_CACHE_RUN
 *
 * Other parameters as pixel_cache_touch().
 */
void pixel_cache_touch_run(struct pixel_cache *cache, uint32_t address, bool write,
			   uint64_t *read_bytes, uint64_t *write_bytes);

/**
 * pixel_cache_write_runs - pixel_cache_touch_run() with @write for @count runs, in order
 * @address: GPU address of run 0
 * @order: numbers of the runs, below PIXEL_CACHE_RUNS, no two equal
 */
void pixel_cache_write_runs(struct pixel_cache *cache, uint32_t address, const uint8_t *order,
			    unsigned int count, uint64_t *read_bytes, uint64_t *write_bytes);

/** pixel_cache_flush - write back dirty lines, empty the cache; returns the bytes written back */
uint64_t pixel_cache_flush(struct pixel_cache *cache);

#endif
