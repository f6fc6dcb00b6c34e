// SPDX-License-Identifier: MIT
/*
 * MMUv2 without security. The master table has 1024 entries for 4 MiB each, which point to
 * slave tables with 1024 entries for pages of 4 KiB. An access to a page that is not present
 * faults if its entry has the exception bit; otherwise reads get the 64 bytes at the safe address,
 * repeated over the page [chosen], and writes are ignored (rnndb). Until the MMU is enabled,
 * addresses are physical.
 *
 * A master entry can say that the pages of its slave table have 64 KiB, 1 MiB or 16 MiB (galcore); four master
 * entries have the same page of 16 MiB.
 *
 * In 1 KiB mode, which no open driver uses, the master table has 256 entries for 16 MiB each,
 * and slave tables have 4096 entries [chosen].
 */
#include "gc/mmu.h"

static bool read_entry(const struct gc_mmu *mmu, uint64_t address, uint32_t *entry)
{
	const uint32_t *at = guest_memory_at(mmu->memory, address, sizeof(*at));

	if (!at)
		return false;
	gc_mmu_report_walk(mmu, address, at);
	*entry = __atomic_load_n(at, __ATOMIC_RELAXED);
	return true;
}

static enum gc_translation physical_page(const struct gc_mmu *mmu, uint64_t physical,
					 uint8_t **host)
{
	*host = guest_memory_at(mmu->memory, physical, GC_PAGE_SIZE);
	return *host ? GC_TRANSLATED : GC_BUS_ERROR;
}

/* An entry that is not present: the fault @code, or the safe address. */
static enum gc_translation absent(uint32_t entry, enum gc_translation code)
{
	return entry & GC_V2_EXCEPTION ? code : GC_SAFE;
}

enum gc_translation gc_mmu_v2_translate(const struct gc_mmu *mmu, enum gc_access access,
					uint32_t address, uint8_t **host)
{
	unsigned int shift = mmu->mode_1k ? 24 : 22;
	uint32_t page_mask, index, entry;

	if (!mmu->enabled)
		return physical_page(mmu, address & GC_V2_PAGE_ADDRESS, host);
	if (!read_entry(mmu, (uint64_t)mmu->master + 4 * (address >> shift), &entry))
		return GC_FAULT_BOUNDS;
	if (!(entry & GC_V2_PRESENT))
		return absent(entry, GC_FAULT_NO_TABLE);
	page_mask = (1u << (12 + 4 * GC_V2_PAGE_SIZE(entry))) - 1;
	index = (address & ((1u << shift) - 1) & ~page_mask) >> (12 + 4 * GC_V2_PAGE_SIZE(entry));
	if (!read_entry(mmu, (uint64_t)(entry & GC_V2_TABLE_ADDRESS) + 4 * index, &entry))
		return GC_FAULT_BOUNDS;
	if (!(entry & GC_V2_PRESENT))
		return absent(entry, GC_FAULT_NO_PAGE);
	if (access == GC_WRITE && !(entry & GC_V2_WRITEABLE))
		return GC_FAULT_READ_ONLY;
	return physical_page(mmu,
			     (uint64_t)(entry & GC_V2_PAGE_HIGH) << 28 |
				     (entry & GC_V2_PAGE_ADDRESS & ~page_mask) |
				     (address & page_mask & GC_V2_PAGE_ADDRESS),
			     host);
}
