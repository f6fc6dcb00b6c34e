// SPDX-License-Identifier: MIT
/* Tables of pages and pixels, each by a hash of the address. */
#include "gc/draw_claims.h"

#include <string.h>

#define SPOT_SHIFT 8 /* bytes of 64 pixels */
#define SPOT_BYTES (1u << SPOT_SHIFT)
#define AREA_SHIFT 6 /* spots of an area */
#define MOST_PAGES (GC_CLAIM_PAGES / 4 * 3)

void gc_claims_begin(struct gc_claims *claims)
{
	claims->pages = 0;
	if (++claims->epoch)
		return;
	memset(claims, 0, sizeof(*claims));
	claims->epoch = 1;
}

/* The page's entry, or the one it would get. */
static unsigned int find_page(const struct gc_claims *claims, const uint8_t *host)
{
	uint64_t key = (uintptr_t)host >> 12;
	unsigned int i = (unsigned int)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % GC_CLAIM_PAGES;

	while (claims->page[i].epoch == claims->epoch && claims->page[i].host != host)
		i = (i + 1) % GC_CLAIM_PAGES;
	return i;
}

bool gc_claims_page(struct gc_claims *claims, uint32_t page, const uint8_t *host,
		    enum gc_claim claim)
{
	struct gc_claimed_page *entry = &claims->page[find_page(claims, host)];
	unsigned int all;

	if (entry->epoch != claims->epoch) {
		if (claims->pages == MOST_PAGES)
			return false;
		claims->pages++;
		*entry = (struct gc_claimed_page){ .host = host,
						   .page = page,
						   .epoch = claims->epoch };
	}
	all = entry->claims |= claim;
	if (all & GC_CLAIM_PAINTED)
		return all == GC_CLAIM_PAINTED && entry->page == page;
	if (all & GC_CLAIM_TAGS)
		return all == GC_CLAIM_TAGS;
	return !(all & GC_CLAIM_LOOKED && all & GC_CLAIM_WRITTEN);
}

unsigned int gc_claims_of(const struct gc_claims *claims, uint32_t page, const uint8_t *host)
{
	const struct gc_claimed_page *entry = &claims->page[find_page(claims, host)];

	return entry->epoch == claims->epoch && entry->page == page ? entry->claims : 0;
}

/* Entry @s as that of @spot for chunk @number. What another spot has left there counts as all pixels. */
static struct gc_claimed_spot *enter_spot(const struct gc_claims *claims, struct gc_claimed_spot *s,
					  uint32_t spot, uint64_t number)
{
	if (s->epoch != claims->epoch) {
		*s = (struct gc_claimed_spot){ .spot = spot,
					       .epoch = claims->epoch,
					       .newest = number };
		return s;
	}
	if (s->newest != number) {
		s->before = s->newest;
		s->before_pixels |= s->newest_pixels;
		s->newest = number;
		s->newest_pixels = 0;
	}
	if (s->spot != spot) {
		s->spot = spot;
		s->before_pixels = UINT64_MAX;
	}
	return s;
}

/* Chunk @number will paint @pixels there. Returns: as gc_claims_pixels(). */
static uint64_t claim_spot(const struct gc_claims *claims, struct gc_claimed_spot *table_entry,
			   uint32_t spot, uint64_t pixels, uint64_t number, uint64_t retired)
{
	struct gc_claimed_spot *s = enter_spot(claims, table_entry, spot, number);

	if (s->before <= retired)
		s->before_pixels = 0;
	s->newest_pixels |= pixels;
	return s->before_pixels & pixels ? s->before : 0;
}

/* What claim_spot() would return, but nothing is claimed. */
static uint64_t look_at_spot(const struct gc_claims *claims, const struct gc_claimed_spot *s,
			     uint32_t spot, uint64_t pixels, uint64_t number, uint64_t retired)
{
	uint64_t last = 0;

	if (s->epoch != claims->epoch)
		return 0;
	if (s->spot != spot)
		pixels = UINT64_MAX;
	if (s->before_pixels & pixels)
		last = s->before;
	if (s->newest != number && s->newest_pixels & pixels)
		last = s->newest;
	return last > retired ? last : 0;
}

static inline uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t claim_area(struct gc_claims *claims, uint32_t area, uint64_t spots, uint64_t number,
			   uint64_t retired)
{
	unsigned int entry = area % GC_CLAIM_AREAS;

	if (!spots)
		return 0;
	claim_spot(claims, &claims->all[entry], area, spots, number, retired);
	return claim_spot(claims, &claims->some[entry], area, spots, number, retired);
}

uint64_t gc_claims_area(struct gc_claims *claims, uint32_t address, uint64_t spots, uint64_t number,
			uint64_t retired)
{
	uint32_t area = address >> (SPOT_SHIFT + AREA_SHIFT);
	unsigned int shift = address >> SPOT_SHIFT & ((1u << AREA_SHIFT) - 1);
	uint64_t behind = shift ? spots >> ((1u << AREA_SHIFT) - shift) : 0;

	return max(claim_area(claims, area, spots << shift, number, retired),
		   claim_area(claims, area + 1, behind, number, retired));
}

uint64_t gc_claims_pixels(struct gc_claims *claims, uint32_t address, uint64_t pixels,
			  uint64_t number, uint64_t retired)
{
	uint32_t spot = address >> SPOT_SHIFT, area = spot >> AREA_SHIFT;
	uint64_t bit = UINT64_C(1) << spot % (1u << AREA_SHIFT);
	unsigned int entry = area % GC_CLAIM_AREAS;

	claim_spot(claims, &claims->some[entry], area, bit, number, retired);
	return max(claim_spot(claims, &claims->spot[spot % GC_CLAIM_SPOTS], spot, pixels, number,
			      retired),
		   look_at_spot(claims, &claims->all[entry], area, bit, number, retired));
}

/* The pixels of a quad in a tile of four times four. */
static uint64_t quad_pixels(uint32_t address, unsigned int covered)
{
	uint64_t bits = (covered & 3) | (covered & 12) << 2;

	return bits << address % SPOT_BYTES / sizeof(uint32_t);
}

uint64_t gc_claims_quads(struct gc_claims *claims, const uint32_t address[GC_QUADS],
			 uint64_t covered, uint64_t number, uint64_t retired)
{
	uint64_t last = 0;

	while (covered) {
		uint32_t spot = address[__builtin_ctzll(covered) / 4] >> SPOT_SHIFT;
		uint64_t pixels = 0, other;

		/* those that follow in the same place */
		while (covered) {
			unsigned int q = (unsigned int)__builtin_ctzll(covered) / 4;

			if (address[q] >> SPOT_SHIFT != spot)
				break;
			pixels |= quad_pixels(address[q], covered >> 4 * q & 15);
			covered &= ~(UINT64_C(15) << 4 * q);
		}
		other = gc_claims_pixels(claims, spot << SPOT_SHIFT, pixels, number, retired);
		last = other > last ? other : last;
	}
	return last;
}
