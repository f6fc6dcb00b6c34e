// SPDX-License-Identifier: MIT
/*
 * Quads in supertiles of 32-bit pixels with one sample each, which is what
 * nearly all of them are drawn to: where they are, and what the cache model
 * learns of them. To find a tile takes less than to look whether it was found
 * before: its address is a sum of two looks into tables, and of its page the
 * last translation is kept.
 */
#include <string.h>

#include "gc/pe_lines.h"

void pe_order_supertile(const struct gc_core *gc, struct gc_pixel_engine *pe)
{
	const unsigned int mode = gc->personality->supertile_mode;

	for (uint32_t i = 0; i < PE_SUPER_TILES; i++) {
		pe->super_column[i] =
			(uint16_t)gc_layout_tile(GC_SUPERTILED, mode, 0, sizeof(uint32_t), i, 0);
		pe->super_row[i] =
			(uint16_t)gc_layout_tile(GC_SUPERTILED, mode, 0, sizeof(uint32_t), 0, i);
	}
}

/* gc_layout_tile() of the tile with this key, and where the surface begins. */
static inline uint32_t tile_address(const struct gc_pixel_engine *pe,
				    const struct pe_surface *surface, uint32_t key)
{
	uint32_t x = key & 0xffff, y = key >> 16;

	return surface->base[0] + y / PE_SUPER_TILES * GC_SUPERTILE_SIZE * surface->stride +
	       x / PE_SUPER_TILES * PE_SUPER_BYTES + pe->super_column[x % PE_SUPER_TILES] +
	       pe->super_row[y % PE_SUPER_TILES];
}

/* pe_map(), of the page before without a look at its translation. */
static inline uint8_t *map_tile(struct gc_core *gc, struct pe_surface *surface, uint32_t address)
{
	uint32_t in_page = address % GC_PAGE_SIZE;
	uint8_t *host;

	if (address - in_page == surface->page)
		return surface->page_host + in_page;
	host = pe_map(gc, surface, address);
	if (!host)
		return NULL;
	surface->page = address - in_page;
	surface->page_host = host - in_page;
	return host;
}

/* The next quad is in another tile than the one before: @key. */
static inline bool enter_tile(struct gc_core *gc, struct pe_surface *surface, uint32_t key,
			      struct pe_traffic *traffic)
{
	uint32_t address = tile_address(gc->pe, surface, key);

	surface->found.key = PE_NO_TILE;
	if (!surface->silent && !pe_prepare_line(gc, surface, address, traffic))
		return false;
	surface->found.host = map_tile(gc, surface, address);
	if (!surface->found.host)
		return false;
	__builtin_prefetch(surface->found.host, 1); /* its pixels come when all quads are found */
	surface->found.address = address;
	surface->found.key = key;
	return true;
}

/* The quad's place is taken from one word, y << 16 | x. */
static inline bool locate(struct gc_core *gc, struct pe_surface *surface,
			  const struct gc_quad *quad, struct pe_traffic *traffic,
			  struct pe_place *place)
{
	uint32_t xy, key, offset;

	memcpy(&xy, quad, sizeof(xy));
	key = xy >> 2 & PE_TILE_KEY;
	if (key != surface->found.key && !enter_tile(gc, surface, key, traffic))
		return false;
	offset = ((xy >> 14 & 2 * GC_TILE_SIZE) | (xy & 2)) * sizeof(uint32_t);
	place->address = surface->found.address + offset;
	place->row[0] = surface->found.host + offset;
	place->row[1] = place->row[0] + GC_TILE_SIZE * sizeof(uint32_t);
	return true;
}

bool pe_super_locate(struct gc_core *gc, struct pe_surface *surface, const struct gc_quads *quads,
		     struct pe_run *run, struct pe_traffic *traffic)
{
	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		if (!quads->quad[q].coverage)
			run->place[q].row[0] = NULL;
		else if (!locate(gc, surface, &quads->quad[q], traffic, &run->place[q]))
			return false;
	}
	return true;
}

void pe_super_wrote(struct pe_surface *surface, const struct pe_run *run, uint64_t covered,
		    struct pe_traffic *traffic)
{
	uint32_t last = surface->last_write ? surface->last_line : PE_NO_LINE;
	uint64_t not_read = 0;
	uint64_t *read = surface->use == PE_OVERWRITE ? &not_read : &traffic->read_bytes;

	covered = (covered & pe_run_lanes(run)) >> 4 * run->first;
	for (const struct pe_place *place = &run->place[run->first]; covered;
	     place++, covered >>= 4) {
		uint32_t line = place->address / PE_LINE_BYTES;

		if (!(covered & 15) || line == last)
			continue;
		cache_model_touch(surface->cache, place->address, true, read,
				  &traffic->write_bytes);
		last = line;
	}
	if (last != PE_NO_LINE) {
		surface->last_line = last;
		surface->last_write = true;
	}
}
