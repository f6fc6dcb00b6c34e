// SPDX-License-Identifier: MIT
/* Hash tables of pages and pixels, indexed by address. */
#include "gc/draw_hazards.h"

#include <string.h>

#define GRANULE_SHIFT 8 /* log2 of the bytes of 64 pixels */
#define GRANULE_BYTES (1u << GRANULE_SHIFT)
#define AREA_SHIFT 6 /* log2 of the granules of an area */
#define MAX_PAGES (GC_HAZARD_PAGES / 4 * 3)

void gc_hazards_begin(struct gc_hazards *hazards)
{
	hazards->pages = 0;
	if (++hazards->epoch)
		return;
	memset(hazards, 0, sizeof(*hazards));
	hazards->epoch = 1;
}

/* Index of the page's entry, or of the free entry it would use. */
static unsigned int find_page(const struct gc_hazards *hazards, const uint8_t *host)
{
	uint64_t key = (uintptr_t)host >> 12;
	unsigned int i = (unsigned int)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % GC_HAZARD_PAGES;

	while (hazards->page[i].epoch == hazards->epoch && hazards->page[i].host != host)
		i = (i + 1) % GC_HAZARD_PAGES;
	return i;
}

bool gc_hazards_page(struct gc_hazards *hazards, uint32_t page, const uint8_t *host,
		     enum gc_page_use use)
{
	struct gc_hazard_page *entry = &hazards->page[find_page(hazards, host)];
	unsigned int all;

	if (entry->epoch != hazards->epoch) {
		if (hazards->pages == MAX_PAGES)
			return false;
		hazards->pages++;
		*entry = (struct gc_hazard_page){ .host = host,
						  .page = page,
						  .epoch = hazards->epoch };
	}
	all = entry->uses |= use;
	if (all & GC_USE_COLOR)
		return all == GC_USE_COLOR && entry->page == page;
	if (all & GC_USE_TILE_STATUS)
		return all == GC_USE_TILE_STATUS;
	return !(all & GC_USE_TEXTURE && all & GC_USE_WRITE);
}

unsigned int gc_hazards_find_page(const struct gc_hazards *hazards, uint32_t page,
				  const uint8_t *host)
{
	const struct gc_hazard_page *entry = &hazards->page[find_page(hazards, host)];

	return entry->epoch == hazards->epoch && entry->page == page ? entry->uses : 0;
}

/*
 * Update entry @s for chunk @number and @granule. If the entry held another granule, all its
 * pixels count as written: that may report a hazard that does not exist, never miss one.
 */
static struct gc_hazard_granule *insert_granule(const struct gc_hazards *hazards,
						struct gc_hazard_granule *s, uint32_t granule,
						uint64_t number)
{
	if (s->epoch != hazards->epoch) {
		*s = (struct gc_hazard_granule){ .granule = granule,
						 .epoch = hazards->epoch,
						 .newest = number };
		return s;
	}
	if (s->newest != number) {
		s->before = s->newest;
		s->before_pixels |= s->newest_pixels;
		s->newest = number;
		s->newest_pixels = 0;
	}
	if (s->granule != granule) {
		s->granule = granule;
		s->before_pixels = UINT64_MAX;
	}
	return s;
}

/* Chunk @number will paint @pixels there. Returns: as gc_hazards_pixels(). */
static uint64_t add_granule(const struct gc_hazards *hazards, struct gc_hazard_granule *table_entry,
			    uint32_t granule, uint64_t pixels, uint64_t number, uint64_t retired)
{
	struct gc_hazard_granule *s = insert_granule(hazards, table_entry, granule, number);

	if (s->before <= retired)
		s->before_pixels = 0;
	s->newest_pixels |= pixels;
	return s->before_pixels & pixels ? s->before : 0;
}

/* Like add_granule(), without recording the write */
static uint64_t check_granule(const struct gc_hazards *hazards, const struct gc_hazard_granule *s,
			      uint32_t granule, uint64_t pixels, uint64_t number, uint64_t retired)
{
	uint64_t last = 0;

	if (s->epoch != hazards->epoch)
		return 0;
	if (s->granule != granule)
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

static uint64_t add_area(struct gc_hazards *hazards, uint32_t area, uint64_t granules,
			 uint64_t number, uint64_t retired)
{
	unsigned int entry = area % GC_HAZARD_AREAS;

	if (!granules)
		return 0;
	add_granule(hazards, &hazards->all[entry], area, granules, number, retired);
	return add_granule(hazards, &hazards->some[entry], area, granules, number, retired);
}

uint64_t gc_hazards_area(struct gc_hazards *hazards, uint32_t address, uint64_t granules,
			 uint64_t number, uint64_t retired)
{
	uint32_t area = address >> (GRANULE_SHIFT + AREA_SHIFT);
	unsigned int shift = address >> GRANULE_SHIFT & ((1u << AREA_SHIFT) - 1);
	uint64_t behind = shift ? granules >> ((1u << AREA_SHIFT) - shift) : 0;

	return max(add_area(hazards, area, granules << shift, number, retired),
		   add_area(hazards, area + 1, behind, number, retired));
}

uint64_t gc_hazards_pixels(struct gc_hazards *hazards, uint32_t address, uint64_t pixels,
			   uint64_t number, uint64_t retired)
{
	uint32_t granule = address >> GRANULE_SHIFT, area = granule >> AREA_SHIFT;
	uint64_t bit = UINT64_C(1) << granule % (1u << AREA_SHIFT);
	unsigned int entry = area % GC_HAZARD_AREAS;

	add_granule(hazards, &hazards->some[entry], area, bit, number, retired);
	return max(add_granule(hazards, &hazards->granule[granule % GC_HAZARD_GRANULES], granule,
			       pixels, number, retired),
		   check_granule(hazards, &hazards->all[entry], area, bit, number, retired));
}

/* Bits of a quad's covered pixels in its granule, for a quad of a 4x4 tile. */
static uint64_t quad_pixels(uint32_t address, unsigned int covered)
{
	uint64_t bits = (covered & 3) | (covered & 12) << 2;

	return bits << address % GRANULE_BYTES / sizeof(uint32_t);
}

uint64_t gc_hazards_quads(struct gc_hazards *hazards, const uint32_t address[GC_QUADS],
			  uint64_t covered, uint64_t number, uint64_t retired)
{
	uint64_t last = 0;

	while (covered) {
		uint32_t granule = address[__builtin_ctzll(covered) / 4] >> GRANULE_SHIFT;
		uint64_t pixels = 0, other;

		/* combine the following quads in the same granule */
		while (covered) {
			unsigned int q = (unsigned int)__builtin_ctzll(covered) / 4;

			if (address[q] >> GRANULE_SHIFT != granule)
				break;
			pixels |= quad_pixels(address[q], covered >> 4 * q & 15);
			covered &= ~(UINT64_C(15) << 4 * q);
		}
		other = gc_hazards_pixels(hazards, granule << GRANULE_SHIFT, pixels, number,
					  retired);
		last = other > last ? other : last;
	}
	return last;
}
