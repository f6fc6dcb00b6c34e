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

/* The entry of @spot for chunk @number. What another spot has left there counts as all pixels. */
static struct gc_claimed_spot *find_spot(struct gc_claims *claims, uint32_t spot, uint64_t number)
{
	struct gc_claimed_spot *s = &claims->spot[spot % GC_CLAIM_SPOTS];

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

/* The chunk @number is the newest from now on. */
static inline void renew(uint64_t *newest, uint64_t *before, uint64_t number)
{
	*before = *newest == number ? *before : *newest;
	*newest = number;
}

/* The area of @spot, in which chunk @number paints something. Areas that share an entry are one. */
static struct gc_claimed_area *find_area(struct gc_claims *claims, uint32_t spot, uint64_t number)
{
	struct gc_claimed_area *a = &claims->area[(spot >> AREA_SHIFT) % GC_CLAIM_AREAS];

	if (a->epoch != claims->epoch)
		*a = (struct gc_claimed_area){ .epoch = claims->epoch };
	renew(&a->newest, &a->before, number);
	return a;
}

uint64_t gc_claims_area(struct gc_claims *claims, uint32_t address, uint32_t bytes, uint64_t number,
			uint64_t retired)
{
	uint32_t first = address >> SPOT_SHIFT, last = (address + bytes - 1) >> SPOT_SHIFT;
	uint64_t after = 0;

	for (uint32_t area = first >> AREA_SHIFT; area <= last >> AREA_SHIFT; area++) {
		struct gc_claimed_area *a = find_area(claims, area << AREA_SHIFT, number);

		renew(&a->newest_whole, &a->before_whole, number);
		after = a->before > after ? a->before : after;
	}
	return after > retired ? after : 0;
}

/* The last earlier chunk that may paint all around @spot. */
static inline uint64_t area_before(struct gc_claims *claims, uint32_t spot, uint64_t number,
				   uint64_t retired)
{
	const struct gc_claimed_area *a = find_area(claims, spot, number);
	uint64_t whole = a->newest_whole == number ? a->before_whole : a->newest_whole;

	return whole > retired ? whole : 0;
}

uint64_t gc_claims_pixels(struct gc_claims *claims, uint32_t address, uint64_t pixels,
			  uint64_t number, uint64_t retired)
{
	struct gc_claimed_spot *s = find_spot(claims, address >> SPOT_SHIFT, number);
	uint64_t around = area_before(claims, address >> SPOT_SHIFT, number, retired), last;

	if (s->before <= retired)
		s->before_pixels = 0;
	s->newest_pixels |= pixels;
	last = s->before_pixels & pixels ? s->before : 0;
	return last > around ? last : around;
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
