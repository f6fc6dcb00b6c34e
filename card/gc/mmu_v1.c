// SPDX-License-Identifier: MIT
/*
 * MMUv1: one address space for everybody. The lower half of it is a linear
 * window onto memory from a base on, one base a client; the upper half goes
 * through one flat table of page addresses. There are no permissions and no
 * faults: where there is no memory, reads give zeros and writes are lost.
 */
#include "gc/mmu.h"

#define V1_TABLE_START 0x80000000u

static uint8_t *page_at(const struct gc_mmu *mmu, uint64_t physical)
{
	return guest_memory_at(mmu->memory, physical & ~(uint64_t)(GC_PAGE_SIZE - 1), GC_PAGE_SIZE);
}

enum gc_translation gc_mmu_v1_translate(const struct gc_mmu *mmu, enum gc_memory_client client,
					uint32_t address, uint8_t **host)
{
	uint32_t physical, index;
	const uint32_t *entry;

	if (address < V1_TABLE_START) {
		/* the sum wraps at 4 GiB as the address bus does */
		physical = mmu->base[client] + address;
	} else {
		index = (address - V1_TABLE_START) >> 12;
		entry = guest_memory_at(mmu->memory,
					(uint64_t)(mmu->page_table[client] & ~3u) + 4 * index,
					sizeof(*entry));
		if (!entry)
			return GC_BUS_ERROR;
		gc_mmu_report_walk(mmu, (mmu->page_table[client] & ~3u) + 4 * index, entry);
		physical = __atomic_load_n(entry, __ATOMIC_RELAXED);
	}
	/* Bases are page aligned in practice; if not, the page is looked up by its start. */
	*host = page_at(mmu, physical & ~(GC_PAGE_SIZE - 1));
	return *host ? GC_TRANSLATED : GC_BUS_ERROR;
}
