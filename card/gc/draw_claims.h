/* SPDX-License-Identifier: MIT */
/*
 * Who touches which memory in a draw that goes ahead: pages by what for, and
 * the pixels of chunks that are under way. Pure.
 */
#ifndef CARD_GC_DRAW_CLAIMS_H
#define CARD_GC_DRAW_CLAIMS_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/batch.h"

/* What a page is for; PAINTED and LOOKED by chunks, the others by the thread that draws. */
enum gc_claim {
	GC_CLAIM_PAINTED = 1, /* colours are written, and read to be blended */
	GC_CLAIM_LOOKED = 2,  /* texels are read */
	GC_CLAIM_READ = 4,
	GC_CLAIM_WRITTEN = 8, /* and read */
	GC_CLAIM_TAGS = 16,   /* of colours; nobody else may say that a tile is cleared */
};

#define GC_CLAIM_PAGES 4096 /* a power of two; three quarters of them can be told apart */
#define GC_CLAIM_SPOTS 2048 /* the same; places where pixels of chunks are remembered */
#define GC_CLAIM_AREAS 256  /* the same; of those that follow each other */

struct gc_claimed_page {
	const uint8_t *host;
	uint32_t page; /* of the GPU's addresses */
	uint32_t epoch;
	unsigned int claims;
};

/* 64 pixels of 32 bits that follow each other, and the chunks that paint them. */
struct gc_claimed_spot {
	uint32_t spot; /* GPU address / 256 */
	uint32_t epoch;
	uint64_t newest;        /* chunk */
	uint64_t before;        /* the newest chunk before that one */
	uint64_t newest_pixels; /* one bit each */
	uint64_t before_pixels; /* of that chunk and earlier ones */
};

struct gc_claims {
	uint32_t epoch; /* what is of another one is forgotten */
	unsigned int pages;
	struct gc_claimed_page page[GC_CLAIM_PAGES];
	struct gc_claimed_spot spot[GC_CLAIM_SPOTS];
	/* the same with 64 such places for 64 pixels: that something of is painted, and all of */
	struct gc_claimed_spot some[GC_CLAIM_AREAS], all[GC_CLAIM_AREAS];
};

/** gc_claims_begin - forget everything. */
void gc_claims_begin(struct gc_claims *claims);

/**
 * gc_claims_page - claim a page
 * @page: its number among the GPU's
 * @host: where it is
 *
 * Returns: false if it clashes with what else it is claimed for; if painted, also under
 * another number; or if there are too many pages.
 */
bool gc_claims_page(struct gc_claims *claims, uint32_t page, const uint8_t *host,
		    enum gc_claim claim);

/** gc_claims_of - what the page at @host is claimed for under this number. */
unsigned int gc_claims_of(const struct gc_claims *claims, uint32_t page, const uint8_t *host);

/**
 * gc_claims_pixels - chunk @number will paint pixels of 32 bits
 * @address: of the first one, for the GPU; the 64 from the multiple of 256 before it on are meant
 * @pixels: one bit each
 * @retired: chunks up to this one are past
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
