// SPDX-License-Identifier: MIT
/*
 * MMUv1: the lower half of the addresses is a linear window to memory, with a base address for each
 * client (MEMORY_BASE_ADDR_*); the upper half is translated by a flat table of page addresses, one
 * for each client too (*_PAGE_TABLE). There are no permissions and no faults: without memory, reads
 * return zero and writes have no effect.
 */
#include "gc/mmu.h"

static uint8_t *page_at(const struct gc_mmu *mmu, uint64_t physical)
{
	return guest_memory_at(mmu->memory, physical & ~(uint64_t)(GC_PAGE_SIZE - 1), GC_PAGE_SIZE);
}

enum gc_translation gc_mmu_v1_translate(const struct gc_mmu *mmu, enum gc_memory_client client,
					uint32_t address, uint8_t **host)
{
	uint32_t physical, index;
	const uint32_t *entry;

	if (address < GC_V1_TABLE_START) {
		/* the sum wraps at 4 GiB, the width of the address bus */
		physical = mmu->base[client] + address;
	} else {
		index = (address - GC_V1_TABLE_START) >> 12;
		entry = guest_memory_at(mmu->memory,
					(uint64_t)(mmu->page_table[client] & ~3u) + 4 * index,
					sizeof(*entry));
		if (!entry)
			return GC_BUS_ERROR;
		gc_mmu_report_walk(mmu, (mmu->page_table[client] & ~3u) + 4 * index, entry);
		physical = __atomic_load_n(entry, __ATOMIC_RELAXED);
	}
	/*
	 * bases are page aligned in practice; otherwise the page at the rounded address is used
	 */
	*host = page_at(mmu, physical & ~(GC_PAGE_SIZE - 1));
	return *host ? GC_TRANSLATED : GC_BUS_ERROR;
}
