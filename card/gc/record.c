// SPDX-License-Identifier: MIT
/*
 * The record's writer. A page is written when its contents differ from what was written last, zeros at
 * first. Pages of the guest's memory that the core can reach are those of the stream while the MMU is
 * off, otherwise the page tables and all pages in them.
 */
#include "gc/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gc/core.h"
#include "gc/draw.h"
#include "gc/fe_internal.h"
#include "hw/state.xml.h"

#define PAGES (1u << 20) /* of 32-bit addresses, of the guest's memory as of the core */
#define MAX_WALKS 8u
#define NOT_ZEROS 1u /* set in all hashes but that of zeros, which is 0, as for pages never seen */

struct gc_record {
	FILE *file;
	bool changed;         /* a page was written by this walk */
	uint64_t hash[PAGES]; /* of the contents that were written, by guest page; 0: zeros */
};

void gc_record_put(struct gc_core *gc, enum gc_record_kind kind, uint32_t address, uint32_t value)
{
	struct gc_record_entry entry = { kind, value, address, gc->fe->cycle };

	if (gc->record)
		fwrite(&entry, sizeof(entry), 1, gc->record->file);
}

/* FNV-1a over words, with the high half mixed in; 0 for a page of zeros only. */
static uint64_t hash_page(const uint64_t *words)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325), any = 0;

	for (unsigned int i = 0; i < GC_PAGE_SIZE / sizeof(*words); i++) {
		any |= words[i];
		hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
		hash ^= hash >> 32;
	}
	return any ? hash | NOT_ZEROS : 0;
}

/* Write the guest's page at @address if it has changed. */
static void put_page(struct gc_core *gc, uint32_t address)
{
	struct gc_record *record = gc->record;
	uint64_t copy[GC_PAGE_SIZE / sizeof(uint64_t)], hash;
	const void *host;

	address &= ~(GC_PAGE_SIZE - 1);
	host = guest_memory_at(gc->mmu.memory, address, GC_PAGE_SIZE);
	if (!host)
		return;
	memcpy(copy, host, sizeof(copy));
	hash = hash_page(copy);
	if (record->hash[address / GC_PAGE_SIZE] == hash)
		return;
	record->hash[address / GC_PAGE_SIZE] = hash;
	record->changed = true;
	gc_record_put(gc, GC_RECORD_PAGE, address, 0);
	fwrite(copy, sizeof(copy), 1, record->file);
}

/* The slave table at which @entry of the master table points, and the pages of its entries. */
static void put_slave(struct gc_core *gc, uint32_t entry)
{
	unsigned int entries = 1024 >> 4 * GC_V2_PAGE_SIZE(entry);
	uint32_t pages = 1u << 4 * GC_V2_PAGE_SIZE(entry);
	const uint32_t *table;

	if (!entries)
		entries = 1; /* 16 MiB */
	table = guest_memory_at(gc->mmu.memory, entry & GC_V2_TABLE_ADDRESS, 4 * entries);
	put_page(gc, entry & GC_V2_TABLE_ADDRESS);
	for (unsigned int i = 0; table && i < entries; i++)
		for (uint32_t page = 0; table[i] & GC_V2_PRESENT && page < pages; page++)
			put_page(gc, (table[i] & GC_V2_PAGE_ADDRESS) + page * GC_PAGE_SIZE);
}

/* The pages of a block, which goes on at address 0 behind the last one; at least that of its first word. */
static void put_block(struct gc_core *gc, uint32_t address, unsigned int words)
{
	uint32_t bytes = words ? 8 * words : 8;
	uint32_t pages = (address % GC_PAGE_SIZE + bytes + GC_PAGE_SIZE - 1) / GC_PAGE_SIZE;

	for (uint32_t i = 0; i < pages; i++)
		put_page(gc, address + i * GC_PAGE_SIZE);
}

/* Write what has changed of the memory that the front end can reach from @address on. */
static void put_memory(struct gc_core *gc, uint32_t address, unsigned int words)
{
	const uint32_t *master;

	if (!gc->mmu.enabled) {
		put_block(gc, address, words);
		return;
	}
	master = guest_memory_at(gc->mmu.memory, gc->mmu.master, GC_PAGE_SIZE);
	put_page(gc, gc->mmu.master);
	for (unsigned int i = 0; master && i < 1024; i++)
		if (master[i] & GC_V2_PRESENT)
			put_slave(gc, master[i]);
}

/*
 * The guest goes on writing, so what the stream refers to may have changed after the walk read it.
 * Walk again until nothing has changed, MAX_WALKS times at most. What earlier draws have queued is
 * written first: the core's own results are in the pages, too.
 */
void gc_record_memory(struct gc_core *gc, uint32_t address, unsigned int words)
{
	if (!gc->record)
		return;
	gc_draw_drain(gc);
	for (unsigned int walk = 0; walk < MAX_WALKS; walk++) {
		gc->record->changed = false;
		put_memory(gc, address, words);
		if (!gc->record->changed)
			break;
	}
}

bool gc_record_create(struct gc_core *gc)
{
	char name[GC_RECORD_NAME] = { 0 };

	if (!gc->options.record)
		return true;
	gc->record = calloc(1, sizeof(*gc->record));
	if (!gc->record || gc->personality->mmu_version != 2)
		return false;
	gc->record->file = gc->options.record;
	snprintf(name, sizeof(name), "%s", gc->personality->name);
	fwrite(GC_RECORD_MAGIC, sizeof(GC_RECORD_MAGIC), 1, gc->record->file);
	fwrite(name, sizeof(name), 1, gc->record->file);
	return true;
}

void gc_record_free(struct gc_core *gc)
{
	free(gc->record);
	gc->record = NULL;
}
