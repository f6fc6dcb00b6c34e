/* SPDX-License-Identifier: MIT */
/*
 * Requests of a cache's client to memory: the DRAM pages that its misses open, and the walks of the
 * MMU for them.
 */
#ifndef CARD_CLOCK_CACHE_MEMORY_H
#define CARD_CLOCK_CACHE_MEMORY_H

#include <stdint.h>

#include "clock/memory.h"

/*
 * The MMU reads entries of a page table by lines of 64 bytes: 16 entries, of 4 KiB each. Of
 * these lines it keeps some for each client [chosen: 8, the last ones that were used].
 */
#define CACHE_MEMORY_WALK_BYTES (16u * 4096u)
#define CACHE_MEMORY_TRANSLATIONS 8u

#define CACHE_MEMORY_NONE UINT32_MAX /* number of no page and of no line */

struct cache_memory {
	uint32_t page_shift;          /* from a line's number to that of its DRAM page */
	uint32_t bank_mask, bank_mix; /* see cache_memory_bank() */
	/* DRAM page of each bank that was used last: by lines fetched, by lines written back */
	uint32_t read_page[GPU_MAX_BANKS], written_page[GPU_MAX_BANKS];
	/* DRAM pages opened since cache_memory_new_pages(), as if only this cache used memory */
	uint64_t pages;
	/* what the MMU keeps for the client, units of CACHE_MEMORY_WALK_BYTES, last used first */
	uint32_t translated[CACHE_MEMORY_TRANSLATIONS];
	uint32_t walk_shift;  /* from a DRAM page's number to that of such a unit */
	uint32_t mmu_flushes; /* MMU flushes at the last cache_memory_follow_mmu() */
	uint64_t walks;       /* walks of the page tables since cache_memory_new_walks() */
};

/** cache_memory_init - all pages are closed, nothing is translated; @line_bytes: a power of two */
void cache_memory_init(struct cache_memory *memory, uint32_t line_bytes,
		       const struct gpu_structure *structure);

/**
 * cache_memory_bank - the bank of a DRAM page
 *
 * Successive pages are in different banks; like in real controllers, higher bits are mixed in.
 */
static inline uint32_t cache_memory_bank(const struct cache_memory *memory, uint32_t page)
{
	return (page ^ page >> memory->bank_mix) & memory->bank_mask;
}

/** cache_memory_open - DRAM page @page is opened in its bank, whose open page is at @open */
void cache_memory_open(struct cache_memory *memory, uint32_t *open, uint32_t page);

/**
 * cache_memory_move - line number @line is fetched or written back
 * @open: read_page or written_page: memory controllers collect reads and writes apart, so each
 *	have pages of their own
 */
static inline void cache_memory_move(struct cache_memory *memory, uint32_t open[GPU_MAX_BANKS],
				     uint32_t line)
{
	uint32_t page = line >> memory->page_shift, bank = cache_memory_bank(memory, page);

	if (open[bank] != page)
		cache_memory_open(memory, &open[bank], page);
}

/**
 * cache_memory_follow_mmu - drop translations if the MMU was flushed since the last call
 * @flushes: how often it was flushed since its creation
 */
void cache_memory_follow_mmu(struct cache_memory *memory, uint32_t flushes);

/** cache_memory_new_walks - walks of the page tables since the last call */
static inline uint64_t cache_memory_new_walks(struct cache_memory *memory)
{
	uint64_t walks = memory->walks;

	memory->walks = 0;
	return walks;
}

/** cache_memory_new_pages - DRAM pages opened since the last call */
static inline uint64_t cache_memory_new_pages(struct cache_memory *memory)
{
	uint64_t pages = memory->pages;

	memory->pages = 0;
	return pages;
}

#endif
