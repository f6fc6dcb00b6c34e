// SPDX-License-Identifier: MIT
/*
 * Direct-mapped cache; whole lines are filled. A line lies in one page, so that one translation
 * suffices.
 */
#include "gc/icache.h"

#include <string.h>

static const struct gc_icache_line *get_line(struct gc_icache *cache, struct gc_mmu *mmu,
					     uint32_t address)
{
	uint32_t number = address / GC_ICACHE_LINE_BYTES;
	struct gc_icache_line *line = &cache->line[number % GC_ICACHE_LINES];

	if (line->tag == number + 1)
		return line;
	line->tag = 0;
	cache->changes++;
	cache->fills++;
	if (!gc_mmu_read(mmu, GC_CLIENT_TX, number * GC_ICACHE_LINE_BYTES, line->bytes,
			 GC_ICACHE_LINE_BYTES))
		return NULL;
	line->tag = number + 1;
	return line;
}

bool gc_icache_read(struct gc_icache *cache, struct gc_mmu *mmu, uint32_t address, void *to,
		    uint32_t bytes)
{
	uint8_t *at = to;

	while (bytes) {
		uint32_t offset = address % GC_ICACHE_LINE_BYTES;
		uint32_t part = GC_ICACHE_LINE_BYTES - offset;
		const struct gc_icache_line *line = get_line(cache, mmu, address);

		if (!line)
			return false;
		part = part < bytes ? part : bytes;
		memcpy(at, line->bytes + offset, part);
		at += part;
		address += part;
		bytes -= part;
	}
	return true;
}

void gc_icache_flush(struct gc_icache *cache)
{
	cache->changes++;
	for (unsigned int i = 0; i < GC_ICACHE_LINES; i++)
		cache->line[i].tag = 0;
}
