// SPDX-License-Identifier: MIT
/* DRAM pages that are opened for a cache, and translations of the MMU. */
#include "clock/cache_memory.h"

static void drop_translations(struct cache_memory *memory)
{
	for (unsigned int i = 0; i < CACHE_MEMORY_TRANSLATIONS; i++)
		memory->translated[i] = CACHE_MEMORY_NONE;
}

#define NEVER 31 /* mixes nothing: numbers of pages are shorter */

/* A DRAM page is at least a line and at most CACHE_MEMORY_WALK_BYTES (struct gpu_structure). */
void cache_memory_init(struct cache_memory *memory, uint32_t line_bytes,
		       const struct gpu_structure *structure)
{
	memory->page_shift = structure->page_log2 - (uint32_t)__builtin_ctz(line_bytes);
	memory->bank_mask = structure->banks - 1u;
	memory->bank_mix = structure->bank_mix ? structure->bank_mix : NEVER;
	for (unsigned int i = 0; i < GPU_MAX_BANKS; i++)
		memory->read_page[i] = memory->written_page[i] = CACHE_MEMORY_NONE;
	memory->pages = 0;
	memory->walk_shift =
		(uint32_t)__builtin_ctz(CACHE_MEMORY_WALK_BYTES) - structure->page_log2;
	memory->walks = 0;
	memory->mmu_flushes = 0;
	drop_translations(memory);
}

void cache_memory_follow_mmu(struct cache_memory *memory, uint32_t flushes)
{
	if (memory->mmu_flushes != flushes)
		drop_translations(memory);
	memory->mmu_flushes = flushes;
}

/*
 * Addresses of a page that is opened may have to be translated. An access to a page that is
 * still open finds its translation nearly always, so these are not looked up.
 */
void cache_memory_open(struct cache_memory *memory, uint32_t *open, uint32_t page)
{
	/* looked up from the newest on; those before its place, or all, move one further */
	uint32_t unit = page >> memory->walk_shift, *translated = memory->translated;
	uint32_t newer = unit;

	*open = page;
	memory->pages++;
	for (unsigned int i = 0; i < CACHE_MEMORY_TRANSLATIONS; i++) {
		uint32_t here = translated[i];

		translated[i] = newer;
		if (here == unit)
			return;
		newer = here;
	}
	memory->walks++;
}
