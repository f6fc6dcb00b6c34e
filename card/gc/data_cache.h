/* SPDX-License-Identifier: MIT */
/*
 * Contents of a cache's lines, for --caches=data: what memory held when a line was fetched, or what
 * the cache's unit has written there since. There is one for each cache: textures, vertex textures,
 * colour, depth, and the shaders' L1. It does not model time or traffic: card/clock does.
 *
 * A line is identified by its GPU address, as on silicon: it is written back to the memory at which
 * that is mapped by then.
 */
#ifndef CARD_GC_DATA_CACHE_H
#define CARD_GC_DATA_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/mmu.h"

#define DATA_CACHE_LINES 64u
#define DATA_CACHE_BYTES 64u /* of a line */

struct data_cache {
	unsigned int sets, ways; /* at most DATA_CACHE_LINES lines together */
	struct gc_mmu *mmu;      /* for lines that are written back */
	enum gc_memory_client client;
	/* set by set, the lines by their last use, the latest one first: the last one is replaced */
	uint8_t order[DATA_CACHE_LINES];
	/* how many lines it has of each number modulo this size: most that are looked for are not there */
	uint8_t held[4 * DATA_CACHE_LINES];
	struct data_cache_line {
		uint32_t number; /* GPU address / DATA_CACHE_BYTES, or DATA_CACHE_NO_LINE */
		bool dirty;
		_Alignas(64) uint8_t bytes[DATA_CACHE_BYTES];
	} line[DATA_CACHE_LINES];
};

#define DATA_CACHE_NO_LINE UINT32_MAX

/** data_cache_create - an empty cache that writes as @client; NULL if there is no memory */
struct data_cache *data_cache_create(unsigned int sets, unsigned int ways, struct gc_mmu *mmu,
				     enum gc_memory_client client);

/**
 * data_cache_line - a line's contents
 * @number: of the line
 * @memory: from where it is fetched if the cache does not have it
 *
 * The line that it replaces is written back if it is dirty; if that faults, the MMU reports the
 * fault, and the contents are lost.
 *
 * Returns: the bytes, to be read and, with data_cache_mark(), written. They are valid until @ways
 * other lines of the set are used.
 */
uint8_t *data_cache_line(struct data_cache *cache, uint32_t number, const uint8_t *memory);

/** data_cache_mark - line @number was or will be written; no effect if it is not in the cache */
void data_cache_mark(struct data_cache *cache, uint32_t number);

/** data_cache_flush - write back what is dirty, and empty the cache */
void data_cache_flush(struct data_cache *cache);

/** data_cache_drop - empty the cache; what is dirty is lost */
void data_cache_drop(struct data_cache *cache);

#endif
