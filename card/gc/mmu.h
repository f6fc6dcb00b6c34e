/* SPDX-License-Identifier: MIT */
/*
 * GPU virtual to guest memory: MMUv1 (linear window and one page table) and
 * MMUv2 (two-level tables), with a translation cache and faults.
 *
 * A translation never spans a 4 KiB page; callers split accesses at page
 * ends. NULL means the access faulted: the fault is recorded, the interrupt
 * raised and the core stopped, so the caller just gives up its operation.
 */
#ifndef CARD_GC_MMU_H
#define CARD_GC_MMU_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/memory.h"

#define GC_PAGE_SIZE 4096u
#define GC_TLB_ENTRIES 1024u

enum gc_access { GC_READ, GC_WRITE };

/* Who accesses; MMUv1 has a linear window base for each, MMUv2 reports faults by it. */
enum gc_memory_client {
	GC_CLIENT_FE,
	GC_CLIENT_TX,
	GC_CLIENT_PE,
	GC_CLIENT_PEZ,
	GC_CLIENT_RA,
	GC_CLIENTS
};

struct gc_tlb_entry {
	uint32_t tag; /* virtual address >> 12, with the generation above it */
	uint8_t *host;
};

/** gc_mmu_watcher - @client (GC_CLIENTS: a walk of the tables) is about to access the page at @address, at @host. */
typedef void (*gc_mmu_watcher)(void *ctx, enum gc_memory_client client, enum gc_access access,
			       uint32_t address, const uint8_t *host);

struct gc_mmu {
	unsigned int version; /* 1 or 2 */
	const struct guest_memory *memory;

	/* MMUv2 */
	bool enabled;
	bool mode_1k;    /* master table of 1 KiB mode, else 4 KiB */
	uint32_t master; /* guest address of the master table */
	uint32_t safe_address;
	bool safe_address_set;

	/* MMUv1 */
	uint32_t base[GC_CLIENTS];       /* MEMORY_BASE_ADDR_* */
	uint32_t page_table[GC_CLIENTS]; /* *_PAGE_TABLE */

	/* faults: 4 bits of status a slot as in MMUv2 STATUS, and the address */
	uint32_t fault_status;
	uint32_t fault_address[4];
	bool faulted;                                        /* since the last reset */
	void (*raise)(void *ctx);                            /* a fault was recorded */
	void (*bus_error)(void *ctx, enum gc_access access); /* no memory at a translated address */
	void *raise_ctx;
	bool inject; /* the next miss of the front end faults */

	/*
	 * What stands in for memory that is not there: read as zero, written to be
	 * forgotten. Words in it are aligned as in any page: an atomic access to one
	 * that lies in two cache lines stops all processors, and systems punish it.
	 */
	uint8_t zero_page[GC_PAGE_SIZE] __attribute__((aligned(16)));
	uint8_t sink_page[GC_PAGE_SIZE] __attribute__((aligned(16)));

	/*
	 * Entries of another generation are empty, so that a flush only has to
	 * begin the next one. In bits 31:20; all ones belongs to no generation.
	 */
	uint32_t generation;
	uint32_t oldest;  /* generation whose entries still hold: they are asked for once more */
	uint32_t flushes; /* since creation */
	gc_mmu_watcher watch;
	void *watch_ctx;
	struct gc_tlb_entry tlb[GC_CLIENTS][2][GC_TLB_ENTRIES]; /* [client][access][page & mask] */
};

void gc_mmu_init(struct gc_mmu *mmu, unsigned int version, const struct guest_memory *memory);

/** gc_mmu_reset - as the core's reset leaves it: disabled, no fault, empty cache. */
void gc_mmu_reset(struct gc_mmu *mmu);

/** gc_mmu_flush - forget cached translations (also after guest memory moved). */
void gc_mmu_flush(struct gc_mmu *mmu);

/**
 * gc_mmu_watch - have @watch called before the first access of each kind to each page from now on
 *
 * Translations stay what they are. NULL: no longer.
 */
void gc_mmu_watch(struct gc_mmu *mmu, gc_mmu_watcher watch, void *ctx);

/**
 * gc_mmu_mirror - make @to translate as @from does
 *
 * But for what @from has cached, of which gc_mmu_enter() can tell @to. Faults of
 * @to are nobody's.
 */
void gc_mmu_mirror(struct gc_mmu *to, const struct gc_mmu *from);

/** gc_mmu_enter - the page at @address is at @host; returns false if another one had to make room. */
bool gc_mmu_enter(struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		  uint32_t address, uint8_t *host);

/** gc_mmu_configure - MMUv2 CONFIGURATION: master table, mode and flush, each unless its mask bit keeps it. */
void gc_mmu_configure(struct gc_mmu *mmu, uint32_t value);

/** gc_mmu_set_safe_address - MMUv2 SAFE_ADDRESS; only the first write since reset counts. */
void gc_mmu_set_safe_address(struct gc_mmu *mmu, uint32_t value);

/** gc_mmu_enable - MMUv2 CONTROL: addresses are virtual from here on, until reset. */
void gc_mmu_enable(struct gc_mmu *mmu);

/* How a translation ended; the first four are MMUv2 STATUS codes. */
enum gc_translation {
	GC_TRANSLATED = 0,
	GC_FAULT_NO_TABLE = 1, /* no second level table ("slave") */
	GC_FAULT_NO_PAGE = 2,
	GC_FAULT_READ_ONLY = 3,
	GC_FAULT_BOUNDS = 4, /* beyond what the tables can describe */
	GC_BUS_ERROR = 16,   /* translated, or a table, but there is no memory */
};

/**
 * gc_mmu_v1_translate, gc_mmu_v2_translate - walk the tables
 * @host: gets the host address of @address's page when GC_TRANSLATED
 *
 * Touches no cache, records nothing.
 */
enum gc_translation gc_mmu_v1_translate(const struct gc_mmu *mmu, enum gc_memory_client client,
					uint32_t address, uint8_t **host);
enum gc_translation gc_mmu_v2_translate(const struct gc_mmu *mmu, enum gc_access access,
					uint32_t address, uint8_t **host);

/** gc_mmu_probe - like gc_mmu_map(), but quietly NULL when the access would fault. */
uint8_t *gc_mmu_probe(struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		      uint32_t address);

/** gc_mmu_cached - the same where the translation is cached, else NULL. */
static inline uint8_t *gc_mmu_cached(const struct gc_mmu *mmu, enum gc_memory_client client,
				     enum gc_access access, uint32_t address)
{
	const struct gc_tlb_entry *entry =
		&mmu->tlb[client][access][(address >> 12) % GC_TLB_ENTRIES];

	if (__builtin_expect(entry->tag == (address >> 12 | mmu->generation), 1))
		return entry->host + (address & (GC_PAGE_SIZE - 1));
	return NULL;
}

/** gc_mmu_report_walk - a walk is about to read the word at @physical, which is at @at. */
static inline void gc_mmu_report_walk(const struct gc_mmu *mmu, uint64_t physical, const void *at)
{
	if (mmu->watch)
		mmu->watch(mmu->watch_ctx, GC_CLIENTS, GC_READ, 0,
			   (const uint8_t *)at - physical % GC_PAGE_SIZE);
}

/** gc_mmu_report_walks - have the pages watched that a walk for @address would read. */
void gc_mmu_report_walks(const struct gc_mmu *mmu, enum gc_memory_client client, uint32_t address);

/** gc_mmu_peek - gc_mmu_probe(), but nothing is cached. */
uint8_t *gc_mmu_peek(const struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		     uint32_t address);

/** gc_mmu_miss - slow path of gc_mmu_map(); fills the cache or records the fault. */
void *gc_mmu_miss(struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		  uint32_t address);

/**
 * gc_mmu_map - host pointer for a GPU address, good to the end of its 4 KiB page
 *
 * Returns: the pointer, or NULL after a fault.
 */
static inline void *gc_mmu_map(struct gc_mmu *mmu, enum gc_memory_client client,
			       enum gc_access access, uint32_t address)
{
	struct gc_tlb_entry *entry = &mmu->tlb[client][access][(address >> 12) % GC_TLB_ENTRIES];

	if (__builtin_expect(entry->tag == (address >> 12 | mmu->generation), 1))
		return entry->host + (address & (GC_PAGE_SIZE - 1));
	return gc_mmu_miss(mmu, client, access, address);
}

/** gc_mmu_read, gc_mmu_write - copy @size bytes, split at page ends; false after a fault. */
bool gc_mmu_read(struct gc_mmu *mmu, enum gc_memory_client client, uint32_t address, void *to,
		 uint32_t size);
bool gc_mmu_write(struct gc_mmu *mmu, enum gc_memory_client client, uint32_t address,
		  const void *from, uint32_t size);

#endif
