// SPDX-License-Identifier: MIT
/*
 * Colours of 64x64 pixels at once, for targets whose supertiles they are: where
 * their blocks are, and what the cache model learns of them. What cannot be
 * known of all of them together is left to pe_ahead.c, block by block: tags,
 * pages that are not there.
 */
#include "gc/pe_internal.h"
#include "gc/raster.h"

#define TILE_BYTES (GC_TILE_BLOCKS * GC_PE_RUN_BYTES)

_Static_assert(GC_PE_RUN_BYTES == CACHE_MODEL_RUN * PE_LINE_BYTES, "a block is a run of lines");
_Static_assert(GC_TILE == GC_SUPERTILE_SIZE, "a tile is a supertile");

void pe_order_tiles(const struct gc_core *gc, struct gc_pixel_engine *pe)
{
	for (uint32_t i = 0; i < GC_TILE_BLOCKS; i++)
		pe->tile_order[i] =
			(uint8_t)(gc_layout_tile(GC_SUPERTILED, gc->personality->supertile_mode, 0,
						 4, i % GC_TILE_ROW * 2, i / GC_TILE_ROW * 2) /
				  GC_PE_RUN_BYTES);
}

bool gc_pe_takes_tiles(const struct gc_core *gc, struct gc_pe_paint *paint)
{
	const struct pe_surface *surface = &gc->pe->target[0].surface;

	return gc_pe_goes_ahead(gc, paint) && surface->runs && !surface->ts.enabled;
}

/* The page, quietly. */
static inline uint8_t *find_page(struct gc_core *gc, uint32_t address)
{
	uint8_t *host = gc_mmu_cached(&gc->mmu, GC_CLIENT_PE, GC_WRITE, address);

	return host ? host : gc_mmu_probe(&gc->mmu, GC_CLIENT_PE, GC_WRITE, address);
}

bool gc_pe_find_tile(struct gc_core *gc, int x, int y, unsigned int first, unsigned int end,
		     const uint64_t *mask, struct gc_pe_tile *tile)
{
	const struct pe_surface *surface = &gc->pe->target[0].surface;
	uint32_t start;

	tile->order = gc->pe->tile_order;
	tile->address = surface->base[0] +
			gc_layout_tile(GC_SUPERTILED, surface->supertile_mode, surface->stride, 4,
				       (uint32_t)x / GC_TILE_SIZE, (uint32_t)y / GC_TILE_SIZE);
	if (tile->address > UINT32_MAX - TILE_BYTES)
		return false;
	start = tile->address / GC_PAGE_SIZE;
	for (unsigned int i = 0; i < GC_PE_TILE_PAGES; i++)
		tile->page[i] = NULL;
	for (unsigned int i = first; i < end; i++) {
		uint32_t at = tile->address + tile->order[i] * GC_PE_RUN_BYTES;
		uint8_t **page = &tile->page[at / GC_PAGE_SIZE - start];

		if (mask && !mask[i])
			continue;
		if (!*page)
			*page = find_page(gc, at & ~(GC_PAGE_SIZE - 1));
		if (!*page)
			return false;
	}
	return true;
}

/* The lines of a block that have pixels of @mask are written. */
static void touch_lines(struct pe_surface *surface, uint32_t address, uint64_t mask,
			struct pe_traffic *traffic)
{
	static const uint64_t lines[CACHE_MODEL_RUN] = { 0x000000000f0f0f0f, 0x00000000f0f0f0f0,
							 0x0f0f0f0f00000000, 0xf0f0f0f000000000 };
	uint64_t not_read = 0;

	if (mask == UINT64_MAX) {
		cache_model_touch_run(surface->cache, address, true, &not_read,
				      &traffic->write_bytes);
		return;
	}
	for (unsigned int i = 0; i < CACHE_MODEL_RUN; i++)
		if (mask & lines[i])
			cache_model_touch(surface->cache, address + i * PE_LINE_BYTES, true,
					  &not_read, &traffic->write_bytes);
}

/* All of their pixels. */
static void touch_blocks(struct pe_surface *surface, const struct gc_pe_tile *tile,
			 unsigned int first, unsigned int end, struct pe_traffic *traffic)
{
	uint64_t not_read = 0;
	uint64_t *read = surface->use == PE_OVERWRITE ? &not_read : &traffic->read_bytes;

	/* to read a line and then write it is to write it, but for what is read */
	cache_model_write_runs(surface->cache, tile->address, &tile->order[first], end - first,
			       read, &traffic->write_bytes);
}

void gc_pe_place_tile(struct gc_core *gc, const struct gc_pe_tile *tile, unsigned int first,
		      unsigned int end, const uint64_t *mask)
{
	struct pe_surface *surface = &gc->pe->target[0].surface;
	struct pe_traffic traffic = { 0, 0 };
	uint64_t pixels = (uint64_t)GC_LANES * (end - first);

	if (!mask)
		touch_blocks(surface, tile, first, end, &traffic);
	else
		pixels = 0;
	for (unsigned int i = first; mask && i < end; i++) {
		touch_lines(surface, tile->address + tile->order[i] * GC_PE_RUN_BYTES, mask[i],
			    &traffic);
		pixels += (unsigned int)__builtin_popcountll(mask[i]);
	}
	surface->last_valid = false; /* it would only save a look */
	surface->tile_key = PE_NO_TILE;
	surface->run_key = PE_NO_TILE;
	gc->counters.pe_drawn_by_color += pixels;
	pe_report(gc, &traffic);
}
