/* SPDX-License-Identifier: MIT */
/*
 * Instruction cache of a shader stage.
 *
 * A line is identified by its GPU address only and is never compared with memory. It stays
 * valid until it is flushed (VS_ICACHE_CONTROL) or replaced, even if the MMU's tables change:
 * as on silicon, a driver that does not flush executes old instructions.
 */
#ifndef CARD_GC_ICACHE_H
#define CARD_GC_ICACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/mmu.h"

#define GC_ICACHE_LINE_BYTES 64u
#define GC_ICACHE_LINES 128u /* 512 instructions, those of a GC3000 [chosen] */
#define GC_ICACHE_BYTES (GC_ICACHE_LINES * GC_ICACHE_LINE_BYTES)

struct gc_icache {
	uint64_t changes; /* fills and flushes since creation */
	uint64_t fills;   /* lines read from memory since then */
	struct gc_icache_line {
		uint32_t
			tag; /* GPU address / GC_ICACHE_LINE_BYTES + 1, or 0 if the line is empty */
		uint8_t bytes[GC_ICACHE_LINE_BYTES];
	} line[GC_ICACHE_LINES];
};

/**
 * gc_icache_read - copy instructions through the cache
 * @mmu: translates the addresses of lines that are not cached
 * @address: GPU address, a multiple of 4
 * @to: receives @bytes bytes
 * @bytes: a multiple of 4
 *
 * Returns: false after an MMU fault; lines read before it stay in the cache.
 */
bool gc_icache_read(struct gc_icache *cache, struct gc_mmu *mmu, uint32_t address, void *to,
		    uint32_t bytes);

/** gc_icache_flush - empty the cache. */
void gc_icache_flush(struct gc_icache *cache);

#endif
