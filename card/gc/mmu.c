// SPDX-License-Identifier: MIT
/*
 * Common part of MMUv1 and MMUv2: the translation cache, faults, and copies across pages. Each
 * pointer that is returned comes from guest_memory_at(), or is one of the substitute pages or a
 * copy of gc/posted.h, so no other memory is accessed.
 */
#include "gc/mmu.h"

#include <string.h>

#include "gc/posted.h"
#include "gc/registers.h"

#define TLB_EMPTY 0xffffffffu
#define PAGE_BITS 0x000fffffu /* of a tag */
#define GENERATION_ONE 0x00100000u
#define GENERATION_LAST 0xffe00000u

static void empty_tlb(struct gc_mmu *mmu)
{
	struct gc_tlb_entry *entry = &mmu->tlb[0][0][0];

	for (size_t i = 0; i < sizeof(mmu->tlb) / sizeof(*entry); i++)
		entry[i].tag = TLB_EMPTY;
	mmu->generation = 0;
	mmu->oldest = 0;
}

void gc_mmu_init(struct gc_mmu *mmu, unsigned int version, const struct guest_memory *memory)
{
	mmu->version = version;
	mmu->memory = memory;
	empty_tlb(mmu);
	gc_mmu_reset(mmu);
}

void gc_mmu_reset(struct gc_mmu *mmu)
{
	mmu->enabled = false;
	mmu->mode_1k = false;
	mmu->master = 0;
	mmu->safe_address = 0;
	mmu->safe_address_set = false;
	memset(mmu->base, 0, sizeof(mmu->base));
	memset(mmu->page_table, 0, sizeof(mmu->page_table));
	mmu->fault_status = 0;
	memset(mmu->fault_address, 0, sizeof(mmu->fault_address));
	mmu->faulted = false;
	mmu->inject = false;
	gc_mmu_flush(mmu);
}

void gc_mmu_drop(struct gc_mmu *mmu)
{
	if (mmu->generation == GENERATION_LAST) {
		empty_tlb(mmu);
		return;
	}
	mmu->generation += GENERATION_ONE;
	mmu->oldest = mmu->generation;
}

void gc_mmu_flush(struct gc_mmu *mmu)
{
	mmu->flushes++;
	gc_mmu_drop(mmu);
}

/* Whether @entry is valid for this page: of any generation since the last flush. */
static bool holds(const struct gc_mmu *mmu, const struct gc_tlb_entry *entry, uint32_t page)
{
	uint32_t generation = entry->tag & ~PAGE_BITS;

	return (entry->tag & PAGE_BITS) == page && generation >= mmu->oldest &&
	       generation <= mmu->generation;
}

/*
 * Change the valid entries' generation to the first one, before the generation counter
 * overflows.
 */
static void rejuvenate(struct gc_mmu *mmu)
{
	struct gc_tlb_entry *entry = &mmu->tlb[0][0][0];

	for (size_t i = 0; i < sizeof(mmu->tlb) / sizeof(*entry); i++) {
		uint32_t page = entry[i].tag & PAGE_BITS;

		entry[i].tag = holds(mmu, &entry[i], page) ? page : TLB_EMPTY;
	}
	mmu->generation = 0;
	mmu->oldest = 0;
}

void gc_mmu_watch(struct gc_mmu *mmu, gc_mmu_watcher watch, void *ctx)
{
	mmu->watch = watch;
	mmu->watch_ctx = ctx;
	if (!watch)
		return;
	if (mmu->generation == GENERATION_LAST)
		rejuvenate(mmu);
	mmu->generation += GENERATION_ONE;
}

void gc_mmu_mirror(struct gc_mmu *to, const struct gc_mmu *from)
{
	to->version = from->version;
	to->memory = from->memory;
	to->enabled = from->enabled;
	to->mode_1k = from->mode_1k;
	to->master = from->master;
	to->safe_address = from->safe_address;
	memcpy(to->base, from->base, sizeof(to->base));
	memcpy(to->page_table, from->page_table, sizeof(to->page_table));
	gc_mmu_flush(to);
}

void gc_mmu_configure(struct gc_mmu *mmu, uint32_t value)
{
	if (!(value & MMUV2_ADDRESS_KEEP))
		mmu->master = value & MMUV2_ADDRESS_MASK;
	if (!(value & MMUV2_MODE_KEEP))
		mmu->mode_1k = value & MMUV2_MODE_1K;
	if ((value & MMUV2_FLUSH) && !(value & MMUV2_FLUSH_KEEP))
		gc_mmu_flush(mmu);
}

void gc_mmu_set_safe_address(struct gc_mmu *mmu, uint32_t value)
{
	if (mmu->safe_address_set)
		return;
	mmu->safe_address = value & ~(GC_MMU_SAFE_BYTES - 1);
	mmu->safe_address_set = true;
}

void gc_mmu_enable(struct gc_mmu *mmu)
{
	if (mmu->version != 2 || mmu->enabled)
		return;
	mmu->enabled = true;
	gc_mmu_flush(mmu);
}

static enum gc_translation translate(const struct gc_mmu *mmu, enum gc_memory_client client,
				     enum gc_access access, uint32_t address, uint8_t **host)
{
	if (mmu->version == 1)
		return gc_mmu_v1_translate(mmu, client, address, host);
	return gc_mmu_v2_translate(mmu, access, address, host);
}

/*
 * Exception slot of MMUv2 that a client reports to. The assignment is [chosen]; both parts of
 * the pixel engine share slot 2.
 */
static unsigned int fault_slot(enum gc_memory_client client)
{
	switch (client) {
	case GC_CLIENT_TX:
		return 1;
	case GC_CLIENT_PE:
	case GC_CLIENT_PEZ:
		return 2;
	case GC_CLIENT_RA:
		return 3;
	default:
		return 0;
	}
}

/* The first fault of a slot is kept until reset; later faults of that slot are not recorded. */
static void record_fault(struct gc_mmu *mmu, enum gc_memory_client client, enum gc_translation code,
			 uint32_t address)
{
	unsigned int slot = fault_slot(client);

	if (!(mmu->fault_status >> 4 * slot & 0xf)) {
		mmu->fault_status |= (uint32_t)code << 4 * slot;
		mmu->fault_address[slot] = address;
	}
	mmu->faulted = true;
	if (mmu->raise)
		mmu->raise(mmu->raise_ctx);
}

static void *fill(struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		  uint32_t address, uint8_t *host)
{
	struct gc_tlb_entry *entry = &mmu->tlb[client][access][(address >> 12) % GC_TLB_ENTRIES];

	if (mmu->posted)
		host = gc_posted_page(mmu->posted, host);
	entry->tag = address >> 12 | mmu->generation;
	entry->host = host;
	return host + (address & (GC_PAGE_SIZE - 1));
}

bool gc_mmu_enter(struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		  uint32_t address, uint8_t *host)
{
	const struct gc_tlb_entry *entry =
		&mmu->tlb[client][access][(address >> 12) % GC_TLB_ENTRIES];
	uint32_t page = entry->tag & PAGE_BITS;
	bool room = page == address >> 12 || !holds(mmu, entry, page);

	fill(mmu, client, access, address, host);
	return room;
}

void gc_mmu_report_walks(const struct gc_mmu *mmu, enum gc_memory_client client, uint32_t address)
{
	uint8_t *host;

	translate(mmu, client, GC_READ, address, &host);
}

/* The page's host address from a valid entry of any generation since the last flush, or NULL. */
static uint8_t *renew(const struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		      uint32_t address)
{
	const struct gc_tlb_entry *entry =
		&mmu->tlb[client][access][(address >> 12) % GC_TLB_ENTRIES];

	return holds(mmu, entry, address >> 12) ? entry->host : NULL;
}

/* What reads of absent pages get: the bytes at the safe address as they are at this translation. */
static uint8_t *read_safe(struct gc_mmu *mmu)
{
	const uint8_t *from = guest_memory_at(mmu->memory, mmu->safe_address, GC_MMU_SAFE_BYTES);

	for (uint32_t i = 0; from && i < GC_PAGE_SIZE; i += GC_MMU_SAFE_BYTES)
		memcpy(mmu->safe_page + i, from, GC_MMU_SAFE_BYTES);
	return from ? mmu->safe_page : mmu->zero_page;
}

void *gc_mmu_miss(struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		  uint32_t address)
{
	uint8_t *host = renew(mmu, client, access, address);
	enum gc_translation result = GC_TRANSLATED;

	if (mmu->inject && client == GC_CLIENT_FE) {
		mmu->inject = false;
		record_fault(mmu, client, GC_FAULT_NO_PAGE, address);
		return NULL;
	}
	if (!host)
		result = translate(mmu, client, access, address, &host);
	if (result == GC_BUS_ERROR) {
		if (mmu->bus_error)
			mmu->bus_error(mmu->raise_ctx, access);
		host = access == GC_WRITE ? mmu->sink_page : mmu->zero_page;
	} else if (result == GC_SAFE) {
		host = access == GC_WRITE ? mmu->sink_page : read_safe(mmu);
	} else if (result != GC_TRANSLATED) {
		record_fault(mmu, client, result, address);
		return NULL;
	}
	if (mmu->watch)
		mmu->watch(mmu->watch_ctx, client, access, address, host);
	return fill(mmu, client, access, address, host);
}

uint8_t *gc_mmu_peek(const struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		     uint32_t address)
{
	uint8_t *host = renew(mmu, client, access, address);

	if (!host && ((mmu->inject && client == GC_CLIENT_FE) ||
		      translate(mmu, client, access, address, &host) != GC_TRANSLATED))
		return NULL;
	return host + (address & (GC_PAGE_SIZE - 1));
}

uint8_t *gc_mmu_probe(struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		      uint32_t address)
{
	uint8_t *host = gc_mmu_peek(mmu, client, access, address);

	if (!host)
		return NULL;
	host -= address & (GC_PAGE_SIZE - 1);
	if (mmu->watch)
		mmu->watch(mmu->watch_ctx, client, access, address, host);
	return fill(mmu, client, access, address, host);
}

bool gc_mmu_read(struct gc_mmu *mmu, enum gc_memory_client client, uint32_t address, void *to,
		 uint32_t size)
{
	uint8_t *out = to;

	while (size) {
		uint32_t part = GC_PAGE_SIZE - (address & (GC_PAGE_SIZE - 1));
		const void *from = gc_mmu_map(mmu, client, GC_READ, address);

		if (!from)
			return false;
		if (part > size)
			part = size;
		memcpy(out, from, part);
		out += part;
		address += part;
		size -= part;
	}
	return true;
}

bool gc_mmu_write(struct gc_mmu *mmu, enum gc_memory_client client, uint32_t address,
		  const void *from, uint32_t size)
{
	const uint8_t *in = from;

	while (size) {
		uint32_t part = GC_PAGE_SIZE - (address & (GC_PAGE_SIZE - 1));
		void *to = gc_mmu_map(mmu, client, GC_WRITE, address);

		if (!to)
			return false;
		if (part > size)
			part = size;
		memcpy(to, in, part);
		in += part;
		address += part;
		size -= part;
	}
	return true;
}
