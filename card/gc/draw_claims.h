/* SPDX-License-Identifier: MIT */
/*
 * Memory hazards of a draw whose groups are shaded by several threads: the uses
 * of each page in this draw, and the pixels that unfinished chunks will write.
 * Pure functions on struct gc_claims; see draw_ahead.c for their use.
 */
#ifndef CARD_GC_DRAW_CLAIMS_H
#define CARD_GC_DRAW_CLAIMS_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/batch.h"

/* Uses of a page. PAINTED and LOOKED are uses by chunks, the others by the thread that draws. */
enum gc_claim {
	GC_CLAIM_PAINTED = 1, /* colours are written, and read to be blended */
	GC_CLAIM_LOOKED = 2,  /* texels are read */
	GC_CLAIM_READ = 4,
	GC_CLAIM_WRITTEN = 8, /* written and perhaps read */
	GC_CLAIM_TAGS = 16,   /* tile status of the colour buffer */
};

#define GC_CLAIM_PAGES 4096 /* size of the hash table, a power of two; filled to 3/4 at most */
#define GC_CLAIM_SPOTS 2048 /* hash table of 64-pixel spots, a power of two */
#define GC_CLAIM_AREAS 256  /* hash table of areas of 64 spots, a power of two */

struct gc_claimed_page {
	const uint8_t *host;
	uint32_t page; /* page number of the GPU address */
	uint32_t epoch;
	unsigned int claims;
};

/* 64 consecutive pixels of 32 bits and the last chunks that write them. */
struct gc_claimed_spot {
	uint32_t spot; /* GPU address / 256 */
	uint32_t epoch;
	uint64_t newest;        /* chunk */
	uint64_t before;        /* the newest chunk before that one */
	uint64_t newest_pixels; /* one bit each */
	uint64_t before_pixels; /* of that chunk and earlier ones */
};

struct gc_claims {
	uint32_t epoch; /* entries with another epoch are empty */
	unsigned int pages;
	struct gc_claimed_page page[GC_CLAIM_PAGES];
	struct gc_claimed_spot spot[GC_CLAIM_SPOTS];
	/* One bit for each of 64 spots: some of its pixels are written; all of them are. */
	struct gc_claimed_spot some[GC_CLAIM_AREAS], all[GC_CLAIM_AREAS];
};

/** gc_claims_begin - empty the tables at the start of a draw. */
void gc_claims_begin(struct gc_claims *claims);

/**
 * gc_claims_page - claim a page
 * @page: page number of its GPU address
 * @host: its memory in the address space of this process
 *
 * Returns: false if this use conflicts with an earlier use of the same memory, also (if chunks
 * write it) with one at another GPU address, or if the table is full.
 */
bool gc_claims_page(struct gc_claims *claims, uint32_t page, const uint8_t *host,
		    enum gc_claim claim);

/** gc_claims_of - uses (GC_CLAIM_*) of the page @page whose memory is @host. */
unsigned int gc_claims_of(const struct gc_claims *claims, uint32_t page, const uint8_t *host);

/**
 * gc_claims_pixels - chunk @number will paint pixels of 32 bits
 * @address: GPU address of the first pixel, rounded down to the multiple of 256 where the spot begins
 * @pixels: one bit for each of the 64 pixels of the spot
 * @retired: number of the last chunk that is finished together with all earlier ones
 *
 * Returns: the last earlier chunk that may paint one of them too, 0 for none.
 */
uint64_t gc_claims_pixels(struct gc_claims *claims, uint32_t address, uint64_t pixels,
			  uint64_t number, uint64_t retired);

/**
 * gc_claims_area - the same for many pixels
 * @address: a multiple of 256
 * @spots: those of the 64 times 64 from there on that are meant, one bit each
 */
uint64_t gc_claims_area(struct gc_claims *claims, uint32_t address, uint64_t spots, uint64_t number,
			uint64_t retired);

/** gc_claims_quads - the same for the @covered lanes of quads in tiles, by the addresses of their first. */
uint64_t gc_claims_quads(struct gc_claims *claims, const uint32_t address[GC_QUADS],
			 uint64_t covered, uint64_t number, uint64_t retired);

#endif
