/* SPDX-License-Identifier: MIT */
/*
 * Memory hazards of a draw whose groups are shaded by several threads: how each page is used in
 * the draw, and the pixels that unfinished chunks will write. Pure functions on struct
 * gc_hazards; draw_deferred.c uses them.
 */
#ifndef CARD_GC_DRAW_HAZARDS_H
#define CARD_GC_DRAW_HAZARDS_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/batch.h"

/*
 * Uses of a page in a draw. COLOR and TEXTURE are accesses by chunks, and clear colours that the
 * drawing thread fills in for them; the others are accesses by the drawing thread.
 */
enum gc_page_use {
	GC_USE_COLOR = 1,   /* colours are written, and read to be blended */
	GC_USE_TEXTURE = 2, /* texels are read */
	GC_USE_READ = 4,
	GC_USE_WRITE = 8,        /* written and possibly read */
	GC_USE_TILE_STATUS = 16, /* tile status of the colour buffer */
};

#define GC_HAZARD_PAGES 4096    /* size of the hash table, a power of two; filled to 3/4 at most */
#define GC_HAZARD_GRANULES 2048 /* hash table of 64-pixel granules, a power of two */
#define GC_HAZARD_AREAS 256     /* hash table of areas of 64 granules, a power of two */

struct gc_hazard_page {
	const uint8_t *host;
	uint32_t page; /* page number of the GPU address */
	uint32_t epoch;
	unsigned int uses; /* GC_USE_* */
};

/* 64 consecutive pixels of 32 bits and the last chunks that write them. */
struct gc_hazard_granule {
	uint32_t granule; /* GPU address / 256 */
	uint32_t epoch;
	uint64_t newest;        /* chunk */
	uint64_t before;        /* the newest chunk before that one */
	uint64_t newest_pixels; /* one bit each */
	uint64_t before_pixels; /* of that chunk and earlier ones */
};

struct gc_hazards {
	uint32_t epoch; /* entries with another epoch are empty */
	unsigned int pages;
	struct gc_hazard_page page[GC_HAZARD_PAGES];
	struct gc_hazard_granule granule[GC_HAZARD_GRANULES];
	/*
	 * The same for areas, a bit for each granule: @all has those that gc_hazards_area() writes,
	 * whole ones; @some has these and those in which gc_hazards_pixels() writes
	 */
	struct gc_hazard_granule some[GC_HAZARD_AREAS], all[GC_HAZARD_AREAS];
};

/** gc_hazards_begin - empty the tables at the start of a draw. */
void gc_hazards_begin(struct gc_hazards *hazards);

/**
 * gc_hazards_page - record a use of a page
 * @page: page number of its GPU address
 * @host: its memory in the address space of this process
 *
 * Returns: false if this use conflicts with an earlier use of the same memory, also (if chunks
 * write it) with one at another GPU address, or if the table is full.
 */
bool gc_hazards_page(struct gc_hazards *hazards, uint32_t page, const uint8_t *host,
		     enum gc_page_use use);

/** gc_hazards_find_page - uses (GC_USE_*) of the page @page whose memory is @host. */
unsigned int gc_hazards_find_page(const struct gc_hazards *hazards, uint32_t page,
				  const uint8_t *host);

/**
 * gc_hazards_pixels - chunk @number will paint pixels of 32 bits
 * @address: a GPU address in their granule, which begins at a multiple of 256
 * @pixels: one bit for each of the 64 pixels of the granule
 * @retired: number of the last chunk that is finished together with all earlier ones
 *
 * Returns: the last earlier chunk that may paint one of them too, 0 for none.
 */
uint64_t gc_hazards_pixels(struct gc_hazards *hazards, uint32_t address, uint64_t pixels,
			   uint64_t number, uint64_t retired);

/**
 * gc_hazards_area - as gc_hazards_pixels(), for whole granules
 * @address: a multiple of 256
 * @granules: bit i is the granule at @address + 256 * i
 * @number: number of the chunk that writes them
 * @retired: number of the last chunk that is finished together with all earlier ones
 */
uint64_t gc_hazards_area(struct gc_hazards *hazards, uint32_t address, uint64_t granules,
			 uint64_t number, uint64_t retired);

/**
 * gc_hazards_quads - as gc_hazards_pixels(), for quads of a tiled surface
 * @address: GPU address of the first pixel of each quad; its tile begins at a multiple of 64
 * @covered: lanes that are written, one bit each
 * @number: number of the chunk that writes them
 * @retired: number of the last chunk that is finished together with all earlier ones
 */
uint64_t gc_hazards_quads(struct gc_hazards *hazards, const uint32_t address[GC_QUADS],
			  uint64_t covered, uint64_t number, uint64_t retired);

#endif
