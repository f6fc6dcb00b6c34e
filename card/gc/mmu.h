/* SPDX-License-Identifier: MIT */
/*
 * Translation of GPU addresses to guest memory: MMUv1 (linear window and one page table), MMUv2
 * (two-level tables), a translation cache and faults.
 *
 * A translation is valid to the end of its 4 KiB page; callers split accesses there. NULL means
 * that the access faulted: the fault is then recorded, the interrupt raised and the core
 * stopped, and the caller ends its operation.
 */
#ifndef CARD_GC_MMU_H
#define CARD_GC_MMU_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "bus/memory.h"

struct gc_posted;

#define GC_PAGE_SIZE 4096u

/* GC_ASSERT_IN_PAGE - abort if the bytes do not end in the page of @address; in builds with sanitizers */
#ifdef __SANITIZE_ADDRESS__
#define GC_ASSERT_IN_PAGE(address, bytes) \
	((address) % GC_PAGE_SIZE + (bytes) <= GC_PAGE_SIZE ? (void)0 : abort())
#else
#define GC_ASSERT_IN_PAGE(address, bytes) ((void)0)
#endif
#define GC_TLB_ENTRIES 1024u
#define GC_MMU_SAFE_BYTES 64u /* at MMUv2's safe address */

/* Entries of MMUv2's tables */
#define GC_V2_PRESENT (1u << 0)
#define GC_V2_EXCEPTION (1u << 1)
#define GC_V2_WRITEABLE (1u << 2)
#define GC_V2_TABLE_ADDRESS 0xffffffc0u           /* of a slave table, in a master entry */
#define GC_V2_PAGE_SIZE(entry) ((entry) >> 2 & 3) /* in a master entry: 4K, 64K, 1M, 16M */
#define GC_V2_PAGE_ADDRESS 0xfffff000u
#define GC_V2_PAGE_HIGH 0x00000ff0u /* address bits 39:32 */

enum gc_access { GC_READ, GC_WRITE };

/* Memory clients. MMUv1 has a linear window base for each, MMUv2 reports faults by client. */
enum gc_memory_client {
	GC_CLIENT_FE,  /* commands, indices, vertices */
	GC_CLIENT_TX,  /* textures, programs, loads and stores of shaders */
	GC_CLIENT_PE,  /* colours and their tile status, query results */
	GC_CLIENT_PEZ, /* depth, stencil, and their tile status */
	GC_CLIENT_RA,  /* the resolve engine */
	GC_CLIENTS
};

struct gc_tlb_entry {
	uint32_t tag; /* GPU address >> 12 in bits 19:0, the generation in bits 31:20 */
	uint8_t *host;
};

/**
 * gc_mmu_watcher - called before a page is first accessed: finds conflicts of draws that are shaded on
 *	several threads (gc/draw_deferred.c)
 * @client: who accesses it; GC_CLIENTS for a walk of the page tables
 * @access: read or write
 * @address: GPU address; 0 for a walk
 * @host: the page in host memory
 */
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

	/*
	 * faults: 4 bits of status per slot, as in the MMUv2 STATUS register, and the addresses
	 */
	uint32_t fault_status;
	uint32_t fault_address[4];
	bool faulted;                                        /* since the last reset */
	void (*raise)(void *ctx);                            /* a fault was recorded */
	void (*bus_error)(void *ctx, enum gc_access access); /* no memory at a translated address */
	void *raise_ctx;
	bool inject; /* the next miss of the front end faults */

	/*
	 * Substitutes for addresses without memory: reads return zero, writes are ignored.
	 * Aligned so that 64-bit words never cross a cache line: an atomic access that does
	 * locks the bus of all processors, and Linux may slow it down (split lock detection).
	 */
	uint8_t zero_page[GC_PAGE_SIZE] __attribute__((aligned(16)));
	uint8_t safe_page[GC_PAGE_SIZE] __attribute__((aligned(16))); /* filled by read_safe() */
	uint8_t sink_page[GC_PAGE_SIZE] __attribute__((aligned(16)));

	/*
	 * Generation in the tags of new entries, in bits 31:20. Entries outside
	 * oldest..generation are invalid, so that a flush only has to increment it. All ones is
	 * used by no generation.
	 */
	uint32_t generation;
	/*
	 * oldest valid generation; entries of other generations than the newest take the slow
	 * path
	 */
	uint32_t oldest;
	uint32_t flushes; /* since creation */
	gc_mmu_watcher watch;
	void *watch_ctx;
	struct gc_posted *posted; /* copies of pages during an operation (gc/posted.h), or NULL */
	struct gc_tlb_entry tlb[GC_CLIENTS][2][GC_TLB_ENTRIES]; /* [client][access][page & mask] */
};

void gc_mmu_init(struct gc_mmu *mmu, unsigned int version, const struct guest_memory *memory);

/** gc_mmu_reset - reset of the core: MMU disabled, no fault, empty translation cache */
void gc_mmu_reset(struct gc_mmu *mmu);

/** gc_mmu_flush - invalidate cached translations; also needed after a change of guest memory */
void gc_mmu_flush(struct gc_mmu *mmu);

/**
 * gc_mmu_drop - empty the translation cache because its host addresses change (gc/posted.h)
 *
 * Not a flush by the guest: mmu->flushes, by which models of caches notice one, stays.
 */
void gc_mmu_drop(struct gc_mmu *mmu);

/**
 * gc_mmu_watch - call @watch before the first access of each kind to each page from now on
 * @watch: NULL to end this
 * @ctx: passed to @watch
 *
 * Cached translations stay valid, but the first use of each takes the slow path.
 */
void gc_mmu_watch(struct gc_mmu *mmu, gc_mmu_watcher watch, void *ctx);

/**
 * gc_mmu_mirror - copy the configuration of @from to @to
 *
 * @to does not get the cached translations; gc_mmu_enter() adds single ones. Faults of @to are
 *     not reported to the core.
 */
void gc_mmu_mirror(struct gc_mmu *to, const struct gc_mmu *from);

/**
 * gc_mmu_enter - add a translation to the cache
 * @address: GPU address in the page
 * @host: the page in host memory
 *
 * Returns: false if that replaced the translation of another page.
 */
bool gc_mmu_enter(struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		  uint32_t address, uint8_t *host);

/**
 * gc_mmu_configure - write MMUv2 CONFIGURATION: address of the master table, mode, flush; a
 * part is not changed if its mask bit is set
 */
void gc_mmu_configure(struct gc_mmu *mmu, uint32_t value);

/**
 * gc_mmu_set_safe_address - write MMUv2 SAFE_ADDRESS; only the first write after a reset has
 * effect
 */
void gc_mmu_set_safe_address(struct gc_mmu *mmu, uint32_t value);

/** gc_mmu_enable - write MMUv2 CONTROL: addresses are virtual from now on, until reset */
void gc_mmu_enable(struct gc_mmu *mmu);

/* Result of a translation; 1 to 4 are the codes of the MMUv2 STATUS register. */
enum gc_translation {
	GC_TRANSLATED = 0,
	GC_FAULT_NO_TABLE = 1, /* no second level table ("slave") */
	GC_FAULT_NO_PAGE = 2,
	GC_FAULT_READ_ONLY = 3,
	GC_FAULT_BOUNDS = 4, /* no memory at a table's entry */
	GC_BUS_ERROR = 16,   /* no memory at the translated address */
	GC_SAFE,             /* MMUv2's safe address */
};

/* MMUv1: where the linear window ends and the translated half begins */
#define GC_V1_TABLE_START 0x80000000u

/**
 * gc_mmu_v1_translate, gc_mmu_v2_translate - walk the page tables
 * @host: receives the host address of the page of @address, if the result is GC_TRANSLATED
 *
 * Neither uses the translation cache nor records faults.
 */
enum gc_translation gc_mmu_v1_translate(const struct gc_mmu *mmu, enum gc_memory_client client,
					uint32_t address, uint8_t **host);
enum gc_translation gc_mmu_v2_translate(const struct gc_mmu *mmu, enum gc_access access,
					uint32_t address, uint8_t **host);

/** gc_mmu_probe - gc_mmu_map() without a fault: NULL if the page is absent or has no memory */
uint8_t *gc_mmu_probe(struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		      uint32_t address);

/** gc_mmu_cached - gc_mmu_map() if the translation is cached, otherwise NULL */
static inline uint8_t *gc_mmu_cached(const struct gc_mmu *mmu, enum gc_memory_client client,
				     enum gc_access access, uint32_t address)
{
	const struct gc_tlb_entry *entry =
		&mmu->tlb[client][access][(address >> 12) % GC_TLB_ENTRIES];

	if (__builtin_expect(entry->tag == (address >> 12 | mmu->generation), 1))
		return entry->host + (address & (GC_PAGE_SIZE - 1));
	return NULL;
}

/**
 * gc_mmu_report_walk - report the read of a page table entry to the watcher
 * @physical: guest address of the entry
 * @at: its host address
 */
static inline void gc_mmu_report_walk(const struct gc_mmu *mmu, uint64_t physical, const void *at)
{
	if (mmu->watch)
		mmu->watch(mmu->watch_ctx, GC_CLIENTS, GC_READ, 0,
			   (const uint8_t *)at - physical % GC_PAGE_SIZE);
}

/**
 * gc_mmu_report_walks - report the pages that a page table walk for @address reads to the
 * watcher
 */
void gc_mmu_report_walks(const struct gc_mmu *mmu, enum gc_memory_client client, uint32_t address);

/** gc_mmu_peek - gc_mmu_probe() without adding the translation to the cache */
uint8_t *gc_mmu_peek(const struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		     uint32_t address);

/**
 * gc_mmu_miss - slow path of gc_mmu_map(): adds the translation to the cache or records the
 * fault
 */
void *gc_mmu_miss(struct gc_mmu *mmu, enum gc_memory_client client, enum gc_access access,
		  uint32_t address);

/**
 * gc_mmu_map - host pointer for a GPU address, valid to the end of its 4 KiB page
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
