// SPDX-License-Identifier: MIT
/*
 * Colours of 64x64 pixels at once, for targets in supertiles: addresses of their blocks, and the
 * accesses that the cache model has to count. Surfaces with tile status, and tiles with
 * unmapped pages, are processed block by block in pe_color.c or pe_deferred.c.
 */
#include <string.h>

#include "gc/pe_lines.h"
#include "gc/raster.h"

#define TILE_BYTES (GC_TILE_BLOCKS * GC_PE_RUN_BYTES)

_Static_assert(GC_PE_RUN_BYTES == PIXEL_CACHE_RUN * PE_LINE_BYTES, "a block is a run of lines");
_Static_assert(GC_TILE == GC_SUPERTILE_SIZE, "a tile is a supertile");

void pe_order_tiles(const struct gc_core *gc, struct gc_pixel_engine *pe)
{
	for (uint32_t i = 0; i < GC_TILE_BLOCKS; i++)
		pe->tile_order[i] =
			(uint8_t)(gc_layout_tile(GC_SUPERTILED, gc->personality->supertile_mode, 0,
						 4, i % GC_TILE_ROW * 2, i / GC_TILE_ROW * 2) /
				  GC_PE_RUN_BYTES);
}

bool gc_pe_can_write_tiles(const struct gc_core *gc, struct gc_pe_paint *paint)
{
	const struct pe_surface *surface = &gc->pe->target[0].surface;

	return gc_pe_can_defer(gc, paint) && surface->runs && !surface->ts.enabled;
}

/* Host address of the page, or NULL, without recording a fault. */
static inline uint8_t *find_page(struct gc_core *gc, uint32_t address)
{
	uint8_t *host = gc_mmu_cached(&gc->mmu, GC_CLIENT_PE, GC_WRITE, address);

	return host ? host : gc_mmu_probe(&gc->mmu, GC_CLIENT_PE, GC_WRITE, address);
}

/*
 * With surface->data: copy the lines of @blocks to the pages in which they are painted, or @back.
 * They are not painted in the cache, since a tile has more lines than it.
 */
static void copy_lines(struct gc_core *gc, const struct gc_pe_tile *tile, uint64_t blocks,
		       bool back)
{
	struct data_cache *data = gc->pe->target[0].surface.data;
	const uint32_t start = tile->address / GC_PAGE_SIZE;

	for (; blocks; blocks &= blocks - 1) {
		uint32_t at =
			tile->address + tile->order[__builtin_ctzll(blocks)] * GC_PE_RUN_BYTES;

		for (uint32_t end = at + GC_PE_RUN_BYTES; at != end; at += PE_LINE_BYTES) {
			unsigned int page = at / GC_PAGE_SIZE - start;
			uint8_t *painted = tile->page[page] + at % GC_PAGE_SIZE;
			uint8_t *line =
				data_cache_line(data, at / PE_LINE_BYTES,
						gc->pe->tile_memory[page] + at % GC_PAGE_SIZE);

			memcpy(back ? line : painted, back ? painted : line, PE_LINE_BYTES);
			if (back)
				data_cache_mark(data, at / PE_LINE_BYTES);
		}
	}
}

static void paint_beside(struct gc_core *gc, struct gc_pe_tile *tile, uint64_t blocks)
{
	for (unsigned int i = 0; i < GC_PE_TILE_PAGES; i++) {
		gc->pe->tile_memory[i] = tile->page[i];
		tile->page[i] = gc->pe->tile_pages + i * GC_PAGE_SIZE;
	}
	copy_lines(gc, tile, blocks, false);
}

void gc_pe_finish_tile(struct gc_core *gc, const struct gc_pe_tile *tile, uint64_t blocks)
{
	if (gc->pe->target[0].surface.data)
		copy_lines(gc, tile, blocks, true);
}

bool gc_pe_find_tile(struct gc_core *gc, int x, int y, uint64_t blocks, struct gc_pe_tile *tile)
{
	const struct pe_surface *surface = &gc->pe->target[0].surface;
	const uint64_t all = blocks;
	uint32_t start;

	tile->order = gc->pe->tile_order;
	tile->address = surface->memory.base[0] +
			gc_layout_tile(GC_SUPERTILED, surface->memory.supertile_mode,
				       surface->memory.stride, 4, (uint32_t)x / GC_TILE_SIZE,
				       (uint32_t)y / GC_TILE_SIZE);
	if (tile->address > UINT32_MAX - TILE_BYTES)
		return false;
	start = tile->address / GC_PAGE_SIZE;
	for (unsigned int i = 0; i < GC_PE_TILE_PAGES; i++)
		tile->page[i] = NULL;
	for (; blocks; blocks &= blocks - 1) {
		uint32_t at =
			tile->address + tile->order[__builtin_ctzll(blocks)] * GC_PE_RUN_BYTES;
		uint8_t **page = &tile->page[at / GC_PAGE_SIZE - start];

		if (!*page)
			*page = find_page(gc, at & ~(GC_PAGE_SIZE - 1));
		if (!*page)
			return false;
	}
	if (!CARD_PLAIN && surface->data)
		paint_beside(gc, tile, all);
	return true;
}

/* Report a write of all pixels of @blocks to the cache. Returns: number of blocks. */
static unsigned int touch_blocks(struct pe_surface *surface, const struct gc_pe_tile *tile,
				 uint64_t blocks, struct pe_traffic *traffic)
{
	uint64_t not_read = 0;
	uint64_t *read = surface->use == PE_OVERWRITE ? &not_read : &traffic->read_bytes;
	uint8_t order[GC_TILE_BLOCKS];
	unsigned int n = 0;

	for (; blocks; blocks &= blocks - 1)
		order[n++] = tile->order[__builtin_ctzll(blocks)];
	/*
	 * a write that follows a read of the line only adds the bytes read, so one access is
	 * reported
	 */
	pixel_cache_write_runs(surface->cache, tile->address, order, n, read,
			       &traffic->write_bytes);
	return n;
}

void gc_pe_locate_tile(struct gc_core *gc, const struct gc_pe_tile *tile, uint64_t blocks)
{
	struct pe_surface *surface = &gc->pe->target[0].surface;
	struct pe_traffic traffic = { 0, 0 };

	gc->counters.pe_drawn_by_color +=
		(uint64_t)GC_LANES * touch_blocks(surface, tile, blocks, &traffic);
	/* the line and the tile used last are not known: blocks are in any order */
	surface->last_line = PE_NO_LINE;
	surface->found.key = PE_NO_TILE;
	pe_report(gc, &traffic);
}
