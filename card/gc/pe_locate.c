// SPDX-License-Identifier: MIT
/*
 * From the position of a quad or of an 8x8 block to GPU and host addresses in a surface, with
 * the tile status and cache accesses that belong to it. In all tiled layouts the samples of a
 * quad lie in one 4x4 tile (multisampling multiplies width and height of the surface). A tile lies in
 * one page, so one translation is enough, unless surface->two_pages.
 *
 * locate() finds a quad, and enter_tile() its tile. They are inlined with a constant enum kind, so that the
 * compiler removes what the surface does not need. For supertiles there is locate_in_supertiles().
 */
#include <string.h>

#include "gc/pe_lines.h"

enum kind {
	ANY,        /* any layout, sample count and pixel size */
	SIMPLE,     /* surface->simple: one sample per pixel, a tile is in one cache line */
	SUPERTILED, /* simple and surface->runs: supertiles of 32-bit pixels */
};

#define TILE_ROW_BYTES (GC_TILE_SIZE * 4u) /* of 32-bit pixels */

#define INLINE static inline __attribute__((always_inline))

static void invalidate_tiles(struct pe_surface *surface)
{
	surface->page = PE_NO_PAGE;
	surface->found.key = PE_NO_TILE;
	for (unsigned int i = 0; i < PE_TILES; i++)
		surface->tile[i].key = PE_NO_TILE;
}

void pe_surface_begin(struct pe_surface *surface)
{
	memset(surface->ready, 0, sizeof(surface->ready));
	surface->last_line = PE_NO_LINE;
	surface->last_write = false;
	invalidate_tiles(surface);
}

bool pe_make_ready(struct gc_core *gc, struct pe_surface *surface, uint32_t address, bool *fresh)
{
	const struct gc_tile_status *ts = &surface->ts;
	uint32_t index = (address - ts->surface_address) >> surface->ts_shift;

	if (!gc_ts_fill_tile(gc, &gc->pe->ts_cache, ts, index, fresh))
		return false;
	surface->ready[index % PE_READY_TILES] = index + 1;
	return true;
}

/*
 * For surface->two_pages. The rows of a linear surface are apart. A tile of 64-bit pixels can begin 64
 * bytes before the end of a page: its upper and its lower half then have a page each, and the rows of a
 * quad, those of its upper and of its lower pixels, are each in one half.
 */
static bool locate_rows(struct gc_core *gc, struct pe_surface *surface, uint32_t x, uint32_t y,
			struct pe_traffic *traffic, struct pe_place *place)
{
	for (unsigned int r = 0; r < 2; r++) {
		struct gc_span span =
			gc_surface_span(&surface->memory, x, y + r * gc->pe->samples.y);

		if (r == 0)
			place->address = span.address;
		if (!pe_prepare_line(gc, surface, span.address, traffic))
			return false;
		place->row[r] = pe_map(gc, surface, span.address, span.bytes);
		if (!place->row[r])
			return false;
	}
	return true;
}

INLINE uint32_t tile_address(enum kind kind, const struct gc_surface *memory, uint32_t key)
{
	uint32_t x = key & 0xffff, y = key >> 16;

	if (kind == SUPERTILED)
		return memory->base[0] + gc_layout_tile(GC_SUPERTILED, memory->supertile_mode,
							memory->stride, sizeof(uint32_t), x, y);
	return gc_surface_address(memory, x * GC_TILE_SIZE, y * GC_TILE_SIZE);
}

/* pe_map() with a one-entry cache of the last page, surface->page. */
static inline uint8_t *map_in_page(struct gc_core *gc, struct pe_surface *surface, uint32_t address)
{
	uint32_t in_page = address % GC_PAGE_SIZE;
	uint8_t *host;

	if (address - in_page == surface->page)
		return surface->page_host + in_page;
	host = pe_map(gc, surface, address, PE_LINE_BYTES);
	if (!host)
		return NULL;
	surface->page = address - in_page;
	surface->page_host = host - in_page;
	return host;
}

static inline struct pe_tile *tile_slot(struct pe_surface *surface, uint32_t key)
{
	return &surface->tile[(key & 3) | (key >> 14 & 12)];
}

/*
 * Make the tile with this key surface->found, which it is not yet. Tiles used before are cached
 * in surface->tile, except in supertiled surfaces: there two table lookups give the address faster.
 */
INLINE bool enter_tile(enum kind kind, struct gc_core *gc, struct pe_surface *surface, uint32_t key,
		       struct pe_traffic *traffic)
{
	struct pe_tile *tile = kind == SUPERTILED ? &surface->found : tile_slot(surface, key);
	bool cached = kind != SUPERTILED && tile->key == key;

	surface->found.key = PE_NO_TILE;
	if (!cached) {
		tile->key = PE_NO_TILE;
		tile->address = tile_address(kind, &surface->memory, key);
	}
	if (!surface->silent && !(kind == ANY && surface->two_lines) &&
	    !pe_prepare_line(gc, surface, tile->address, traffic))
		return false;
	if (!cached) {
		tile->host = kind == SUPERTILED ? map_in_page(gc, surface, tile->address)
						: pe_map(gc, surface, tile->address,
							 pe_tile_bytes(surface->memory.bytes));
		if (!tile->host)
			return false;
		__builtin_prefetch(tile->host, 1); /* it is accessed after all quads are located */
		tile->key = key;
	}
	if (kind != SUPERTILED)
		surface->found = *tile;
	return true;
}

/* Address of the quad at @xy (y << 16 | x in samples) in the tile at @address and @host. */
INLINE void place_in_tile(uint32_t address, uint8_t *host, uint32_t xy, unsigned int byte_shift,
			  uint32_t pixel_step, struct pe_place *place)
{
	uint32_t offset = ((xy >> 14 & 2 * GC_TILE_SIZE) | (xy & 2)) << byte_shift;

	place->address = address + offset;
	place->row[0] = host + offset;
	place->row[1] = place->row[0] + pixel_step;
}

/* Position of a quad in samples, y << 16 | x: with one sample, that is the quad's first word. */
INLINE uint32_t sample_position(enum kind kind, const struct pe_samples *samples,
				const struct gc_quad *quad)
{
	uint32_t xy;

	if (kind == ANY)
		return (uint32_t)quad->y * samples->y << 16 |
		       ((uint32_t)quad->x * samples->x & 0xffff);
	memcpy(&xy, quad, sizeof(xy));
	return xy;
}

INLINE bool locate(enum kind kind, struct gc_core *gc, struct pe_surface *surface,
		   const struct gc_quad *quad, struct pe_traffic *traffic, struct pe_place *place)
{
	uint32_t xy = sample_position(kind, &gc->pe->samples, quad), key = xy >> 2 & PE_TILE_KEY;

	if (kind == ANY && surface->two_pages)
		return locate_rows(gc, surface, xy & 0xffff, xy >> 16, traffic, place);
	if (key != surface->found.key && !enter_tile(kind, gc, surface, key, traffic))
		return false;
	place_in_tile(surface->found.address, surface->found.host, xy, surface->byte_shift,
		      surface->pixel_step, place);
	/* a tile of 64-bit pixels has two cache lines; a quad may need only one */
	return kind != ANY || !surface->two_lines ||
	       (pe_prepare_line(gc, surface, place->address, traffic) &&
		pe_prepare_line(gc, surface, place->address + surface->pixel_step, traffic));
}

unsigned int pe_run_length(const struct gc_quad *quads, unsigned int first, unsigned int end)
{
	uint64_t seen = 0;
	unsigned int q;

	/* quads 16 pixels or more apart may share a bit; that only makes a run shorter */
	for (q = first; q < end; q++) {
		uint32_t xy;
		uint64_t bit;

		memcpy(&xy, &quads[q], sizeof(xy));
		bit = 1ull << ((xy >> 1 & 7) | (xy >> 14 & 0x38));
		if (!quads[q].coverage)
			continue;
		if (seen & bit)
			break;
		seen |= bit;
	}
	return q - first;
}

/* Drop cached host addresses if the MMU's translations have changed since the last run. */
static inline void check_generation(const struct gc_core *gc, struct pe_surface *surface)
{
	if (surface->generation == gc->mmu.generation)
		return;
	surface->generation = gc->mmu.generation;
	invalidate_tiles(surface);
}

INLINE bool locate_run(enum kind kind, struct gc_core *gc, struct pe_surface *surface,
		       const struct gc_quads *quads, struct pe_run *run, struct pe_traffic *traffic)
{
	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		if (!quads->quad[q].coverage)
			run->place[q].row[0] = NULL;
		else if (!locate(kind, gc, surface, &quads->quad[q], traffic, &run->place[q]))
			return false;
	}
	return true;
}

/* locate_run() for supertiles of 32-bit pixels: what does not depend on other quads is computed in vectors. */
static bool locate_in_supertiles(struct gc_core *gc, struct pe_surface *surface,
				 const struct gc_quads *quads, struct pe_run *run,
				 struct pe_traffic *traffic)
{
	uint64_t key[GC_QUADS] __attribute__((aligned(32))); /* of a quad's tile */
	uint64_t in_tile[GC_QUADS] __attribute__((aligned(32)));
	const unsigned int end = run->first + run->count;

	for (unsigned int q = run->first & ~3u; q < end; q += 4) {
		gc_quad4 quad = *(const gc_quad4 *)&quads->quad[q];

		*(gc_quad4 *)&key[q] = quad >> 2 & PE_TILE_KEY;
		*(gc_quad4 *)&in_tile[q] = (quad >> 12 & TILE_ROW_BYTES * 2) | (quad & 2) << 2;
	}
	for (unsigned int q = run->first; q < end; q++) {
		struct pe_place *place = &run->place[q];

		if (!quads->quad[q].coverage) {
			place->row[0] = NULL;
			continue;
		}
		if (key[q] != surface->found.key &&
		    !enter_tile(SUPERTILED, gc, surface, (uint32_t)key[q], traffic))
			return false;
		place->address = surface->found.address + (uint32_t)in_tile[q];
		place->row[0] = surface->found.host + in_tile[q];
		place->row[1] = place->row[0] + TILE_ROW_BYTES;
	}
	return true;
}

/* With surface->data: the address in the cache's line, for a row or tile; each is in one line. */
static uint8_t *in_line(struct pe_surface *surface, uint32_t address, const uint8_t *memory)
{
	uint32_t offset = address % PE_LINE_BYTES;

	return data_cache_line(surface->data, address / PE_LINE_BYTES, memory - offset) + offset;
}

/* A run has 32 lines at most, two for each quad; the cache holds as many (PIXEL_CACHE_LINES). */
static void use_lines(struct pe_surface *surface, struct pe_run *run)
{
	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		struct pe_place *place = &run->place[q];

		for (unsigned int r = 0; place->row[0] && r < 2; r++)
			place->row[r] = in_line(surface, place->address + r * surface->pixel_step,
						place->row[r]);
	}
}

static bool locate_in_memory(struct gc_core *gc, struct pe_surface *surface,
			     const struct gc_quads *quads, struct pe_run *run,
			     struct pe_traffic *traffic)
{
	check_generation(gc, surface);
	if (CARD_PLAIN)
		return locate_run(ANY, gc, surface, quads, run, traffic);
	if (surface->runs && surface->simple)
		return locate_in_supertiles(gc, surface, quads, run, traffic);
	if (surface->simple)
		return locate_run(SIMPLE, gc, surface, quads, run, traffic);
	return locate_run(ANY, gc, surface, quads, run, traffic);
}

bool pe_run_locate(struct gc_core *gc, struct pe_surface *surface, const struct gc_quads *quads,
		   struct pe_run *run, struct pe_traffic *traffic)
{
	bool ok = locate_in_memory(gc, surface, quads, run, traffic);

	if (ok && surface->data)
		use_lines(surface, run);
	return ok;
}

/* The counter to which the reads caused by a write are added: none if lines are overwritten. */
static inline uint64_t *read_before_write(const struct pe_surface *surface,
					  struct pe_traffic *traffic, uint64_t *not_read)
{
	return surface->use == PE_OVERWRITE ? not_read : &traffic->read_bytes;
}

/* @two_lines: surface->two_lines, a compile-time constant. */
INLINE void write_run(bool two_lines, struct pe_surface *surface, const struct pe_run *run,
		      uint64_t covered, struct pe_traffic *traffic)
{
	uint64_t not_read = 0, *read = read_before_write(surface, traffic, &not_read);

	covered = (covered & pe_run_lanes(run)) >> 4 * run->first;
	for (const struct pe_place *place = &run->place[run->first]; covered;
	     place++, covered >>= 4) {
		if (!(covered & 15))
			continue;
		pe_touch(surface, place->address, true, read, &traffic->write_bytes);
		if (two_lines)
			pe_touch(surface, place->address + surface->pixel_step, true, read,
				 &traffic->write_bytes);
	}
}

static void mark_lines(struct pe_surface *surface, const struct pe_run *run, uint64_t covered)
{
	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		uint32_t address = run->place[q].address;

		if (!(covered >> 4 * q & 15))
			continue;
		data_cache_mark(surface->data, address / PE_LINE_BYTES);
		data_cache_mark(surface->data, (address + surface->pixel_step) / PE_LINE_BYTES);
	}
}

void pe_run_wrote(struct pe_surface *surface, const struct pe_run *run, uint64_t covered,
		  struct pe_traffic *traffic)
{
	if (surface->data)
		mark_lines(surface, run, covered);
	if (surface->two_lines)
		write_run(true, surface, run, covered, traffic);
	else
		write_run(false, surface, run, covered, traffic);
}

static const uint32_t block_step[4] = { 0, 1, 1 << 16,
					1 << 16 | 1 }; /* of the keys of a block's tiles */

/* Addresses of a block's tiles. Returns: whether all are in one page. */
static bool find_tiles(const struct pe_surface *surface, uint32_t first, struct pe_block *block)
{
	uint32_t differ = 0;

	/* with a stride near 4 GiB the lower tiles are before the upper ones */
	for (unsigned int i = 0; i < 4; i++) {
		block->address[i] = tile_address(SIMPLE, &surface->memory, first + block_step[i]);
		differ |= block->address[i] ^ block->address[0];
	}
	return differ < GC_PAGE_SIZE;
}

static bool locate_block_tiles(struct gc_core *gc, struct pe_surface *surface, uint32_t first,
			       struct pe_block *block, struct pe_traffic *traffic)
{
	check_generation(gc, surface);
	for (unsigned int i = 0; i < 4; i++) {
		uint32_t key = first + block_step[i];

		if (key != surface->found.key && !enter_tile(SIMPLE, gc, surface, key, traffic))
			return false;
		block->address[i] = surface->found.address;
		block->tile[i] = surface->found.host;
	}
	return true;
}

/*
 * pe_make_ready() for the four tiles of a block that is a run of cache lines; reads their tags
 * once.
 * @fresh: receives whether all four were cleared. Returns: false if the tiles must be made
 *     ready one by one: some already are, or gc_ts_fill_run() cannot fill them together.
 */
static inline bool make_run_ready(struct gc_core *gc, struct pe_surface *surface, uint32_t address,
				  bool *fresh)
{
	const struct gc_tile_status *ts = &surface->ts;
	uint32_t index = (address - ts->surface_address) >> surface->ts_shift;
	uint32_t *ready = &surface->ready[index % PE_READY_TILES];
	unsigned int known = 0;

	if (!surface->ts_runs || index % GC_TS_RUN)
		return false;
	for (unsigned int i = 0; i < GC_TS_RUN; i++)
		known += ready[i] == index + i + 1;
	*fresh = false;
	if (known == GC_TS_RUN)
		return true;
	if (known || !gc_ts_fill_run(gc, &gc->pe->ts_cache, ts, index, fresh))
		return false;
	for (unsigned int i = 0; i < GC_TS_RUN; i++)
		ready[i] = index + i + 1;
	return true;
}

/* pe_prepare_line() for all tiles of a block in one page. */
static inline bool prepare_block(struct gc_core *gc, struct pe_surface *surface,
				 const struct pe_block *block, struct pe_traffic *traffic)
{
	uint32_t first = block->address[0] / PE_LINE_BYTES;
	/* the line accessed last is none of the block's, if that is a run */
	bool others = surface->last_line - first >= PIXEL_CACHE_RUN;
	uint64_t not_read = 0;
	bool fresh = false;

	if (block->run && others &&
	    (!surface->ts.enabled || make_run_ready(gc, surface, block->address[0], &fresh))) {
		if (surface->use == PE_OVERWRITE)
			return true;
		pe_access_run(surface, block->address[0], false,
			      fresh ? &not_read : &traffic->read_bytes, &traffic->write_bytes);
		return true;
	}
	for (unsigned int i = 0; i < 4; i++)
		if (!pe_prepare_line(gc, surface, block->address[i], traffic))
			return false;
	return true;
}

/* Locate a block whose tiles are in one page. */
static inline bool locate_in_page(struct gc_core *gc, struct pe_surface *surface,
				  struct pe_block *block, struct pe_traffic *traffic)
{
	if (!surface->silent && !prepare_block(gc, surface, block, traffic))
		return false;
	block->tile[0] = pe_map(gc, surface, block->address[0],
				block->run ? GC_PE_RUN_BYTES : PE_LINE_BYTES);
	if (!block->tile[0])
		return false;
	for (unsigned int i = 1; i < 4; i++)
		block->tile[i] = block->tile[0] + (int32_t)(block->address[i] - block->address[0]);
	surface->found.key = PE_NO_TILE;
	return true;
}

static bool locate_block(struct gc_core *gc, struct pe_surface *surface, int left, int top,
			 struct pe_block *block, struct pe_traffic *traffic)
{
	uint32_t x = (uint32_t)left / GC_TILE_SIZE, y = (uint32_t)top / GC_TILE_SIZE;
	bool even = !((x | y) % 2);

	block->run = surface->runs && even;
	if (block->run) {
		block->address[0] = tile_address(SUPERTILED, &surface->memory, y << 16 | x);
		for (unsigned int i = 1; i < 4; i++)
			block->address[i] = block->address[0] + i * PE_LINE_BYTES;
		return locate_in_page(gc, surface, block, traffic);
	}
	if (!even || gc_layout_is_multi(surface->memory.layout) ||
	    !find_tiles(surface, y << 16 | x, block))
		return locate_block_tiles(gc, surface, y << 16 | x, block, traffic);
	return locate_in_page(gc, surface, block, traffic);
}

bool pe_block_locate(struct gc_core *gc, struct pe_surface *surface, int left, int top,
		     struct pe_block *block, struct pe_traffic *traffic)
{
	bool ok = locate_block(gc, surface, left, top, block, traffic);

	for (unsigned int i = 0; ok && surface->data && i < 4; i++)
		block->tile[i] = in_line(surface, block->address[i], block->tile[i]);
	return ok;
}

void pe_block_wrote(struct pe_surface *surface, const struct pe_block *block,
		    struct pe_traffic *traffic)
{
	uint64_t not_read = 0, *read = read_before_write(surface, traffic, &not_read);

	for (unsigned int i = 0; surface->data && i < 4; i++)
		data_cache_mark(surface->data, block->address[i] / PE_LINE_BYTES);
	if (block->run)
		pe_access_run(surface, block->address[0], true, read, &traffic->write_bytes);
	else
		for (unsigned int i = 0; i < 4; i++)
			pe_access_line(surface, block->address[i], true, read,
				       &traffic->write_bytes);
}

void pe_block_addresses(const struct pe_surface *surface, const struct pe_block *block,
			struct pe_run *run)
{
	for (unsigned int q = 0; q < GC_QUADS; q++) {
		unsigned int x = 2 * (q % 4), y = 2 * (q / 4);
		unsigned int tile = y / GC_TILE_SIZE * 2 + x / GC_TILE_SIZE;

		place_in_tile(block->address[tile], block->tile[tile], y << 16 | x,
			      surface->byte_shift, surface->pixel_step, &run->place[q]);
	}
}
