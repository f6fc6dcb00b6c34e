// SPDX-License-Identifier: MIT
/*
 * Surfaces as the pixel engine sees them: from the position of a quad to host
 * memory, and between memory and lanes. In every tiled layout all samples of a
 * quad lie within one 4x4 tile (multisampling makes surfaces larger, not
 * pixels), so one translation finds them all.
 */
#include <string.h>

#include "gc/pe_lines.h"

#define TILE_ROW_BYTES (GC_TILE_SIZE * 4) /* of 32-bit pixels */

/* Without AVX the compiler notes that such vectors are passed differently; none crosses a file. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Two neighbouring 32-bit pixels in each element. */
typedef uint64_t pair4 __attribute__((vector_size(32), aligned(1), may_alias));

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

static uint32_t address_of(const struct pe_surface *surface, uint32_t x, uint32_t y)
{
	uint32_t pipe_y;
	unsigned int pipe = gc_layout_split(surface->layout, x, y, &pipe_y);

	return surface->base[pipe] + gc_layout_offset(surface->layout, surface->supertile_mode,
						      surface->stride, surface->bytes, x, pipe_y);
}

/* Linear surfaces: the two rows are apart, perhaps on different pages. */
static bool locate_rows(struct gc_core *gc, struct pe_surface *surface, uint32_t x, uint32_t y,
			struct pe_traffic *traffic, struct pe_place *place)
{
	place->address = address_of(surface, x, y);
	for (unsigned int r = 0; r < 2; r++) {
		uint32_t address = place->address + r * surface->stride;

		if (!pe_prepare_line(gc, surface, address, traffic))
			return false;
		place->row[r] = pe_map(gc, surface, address);
		if (!place->row[r])
			return false;
	}
	return true;
}

static uint32_t tile_address(const struct pe_surface *surface, uint32_t tile_x, uint32_t tile_y)
{
	enum gc_layout layout = surface->layout;

	if (layout != GC_TILED && layout != GC_SUPERTILED)
		return address_of(surface, tile_x * GC_TILE_SIZE, tile_y * GC_TILE_SIZE);
	return surface->base[0] + gc_layout_tile(layout, surface->supertile_mode, surface->stride,
						 surface->bytes, tile_x, tile_y);
}

static uint32_t tile_key(uint32_t x, uint32_t y)
{
	return (y / GC_TILE_SIZE << 16 | (x / GC_TILE_SIZE & 0xffff)) & PE_TILE_KEY;
}

static inline unsigned int slot_of(uint32_t key)
{
	return (key & 3) | (key >> 14 & 12);
}

static inline struct pe_tile *tile_slot(struct pe_surface *surface, uint32_t key)
{
	return &surface->tile[slot_of(key)];
}

/* Look up tile @key, which is not among those remembered, or no longer. */
static bool find_tile(struct gc_core *gc, struct pe_surface *surface, uint32_t key,
		      struct pe_traffic *traffic)
{
	struct pe_tile *tile = tile_slot(surface, key);

	tile->key = PE_NO_TILE;
	tile->address = tile_address(surface, key & 0xffff, key >> 16);
	if (!surface->two_lines && !pe_prepare_line(gc, surface, tile->address, traffic))
		return false;
	tile->host = pe_map(gc, surface, tile->address);
	if (!tile->host)
		return false;
	__builtin_prefetch(tile->host, 1); /* its pixels come when colours are packed */
	tile->key = key;
	return true;
}

/* The next quad is in another tile than the one before: @key. */
static inline bool enter_tile(struct gc_core *gc, struct pe_surface *surface, uint32_t key,
			      struct pe_traffic *traffic)
{
	const struct pe_tile *tile = tile_slot(surface, key);

	surface->found.key = PE_NO_TILE;
	if (tile->key != key) {
		if (!find_tile(gc, surface, key, traffic))
			return false;
	} else if (!surface->silent && !surface->two_lines &&
		   !pe_prepare_line(gc, surface, tile->address, traffic)) {
		return false;
	}
	surface->found = *tile;
	return true;
}

static inline bool locate(struct gc_core *gc, struct pe_surface *surface,
			  const struct pe_samples *samples, const struct gc_quad *quad,
			  struct pe_traffic *traffic, struct pe_place *place)
{
	uint32_t x = (uint32_t)quad->x * samples->x, y = (uint32_t)quad->y * samples->y;
	uint32_t key = tile_key(x, y), offset;

	if (surface->layout == GC_LINEAR)
		return locate_rows(gc, surface, x, y, traffic, place);
	if (key != surface->found.key && !enter_tile(gc, surface, key, traffic))
		return false;
	offset = (y % GC_TILE_SIZE * GC_TILE_SIZE + x % GC_TILE_SIZE) * surface->bytes;
	place->address = surface->found.address + offset;
	place->row[0] = surface->found.host + offset;
	place->row[1] = place->row[0] + surface->pixel_step;
	/* Tiles of 64-bit pixels have two lines; a quad may need only one of them. */
	return !surface->two_lines ||
	       (pe_prepare_line(gc, surface, place->address, traffic) &&
		pe_prepare_line(gc, surface, place->address + surface->pixel_step, traffic));
}

/* locate() for surfaces that are simple: the quad's place is taken from one word, y << 16 | x. */
static inline bool locate_simple(struct gc_core *gc, struct pe_surface *surface,
				 const struct gc_quad *quad, struct pe_traffic *traffic,
				 struct pe_place *place)
{
	uint32_t xy, key, offset;

	memcpy(&xy, quad, sizeof(xy));
	key = xy >> 2 & PE_TILE_KEY;
	if (key != surface->found.key && !enter_tile(gc, surface, key, traffic))
		return false;
	offset = ((xy >> 14 & 2 * GC_TILE_SIZE) | (xy & 2)) << surface->byte_shift;
	place->address = surface->found.address + offset;
	place->row[0] = surface->found.host + offset;
	place->row[1] = place->row[0] + surface->pixel_step;
	return true;
}

unsigned int pe_run_length(const struct gc_quad *quads, unsigned int first, unsigned int end)
{
	uint64_t seen = 0;
	unsigned int q;

	/* Quads further apart than 16 pixels may look equal here; that only ends a run early. */
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

/* Translations may have changed between two batches. */
static inline void check_generation(const struct gc_core *gc, struct pe_surface *surface)
{
	if (surface->generation == gc->mmu.generation)
		return;
	surface->generation = gc->mmu.generation;
	invalidate_tiles(surface);
}

static bool locate_all_simple(struct gc_core *gc, struct pe_surface *surface,
			      const struct gc_quads *quads, struct pe_run *run,
			      struct pe_traffic *traffic)
{
	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		run->place[q].row[0] = NULL;
		if (quads->quad[q].coverage &&
		    !locate_simple(gc, surface, &quads->quad[q], traffic, &run->place[q]))
			return false;
	}
	return true;
}

bool pe_run_locate(struct gc_core *gc, struct pe_surface *surface, const struct gc_quads *quads,
		   struct pe_run *run, struct pe_traffic *traffic)
{
	const struct pe_samples *samples = &gc->pe->samples;

	check_generation(gc, surface);
	if (surface->runs && surface->simple)
		return pe_super_locate(gc, surface, quads, run, traffic);
	if (surface->simple)
		return locate_all_simple(gc, surface, quads, run, traffic);
	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		run->place[q].row[0] = NULL;
		if (quads->quad[q].coverage &&
		    !locate(gc, surface, samples, &quads->quad[q], traffic, &run->place[q]))
			return false;
	}
	return true;
}

void pe_run_wrote(struct pe_surface *surface, const struct pe_run *run, uint64_t covered,
		  struct pe_traffic *traffic)
{
	uint64_t not_read = 0;
	uint64_t *read = surface->use == PE_OVERWRITE ? &not_read : &traffic->read_bytes;

	if (surface->runs && surface->simple) {
		pe_super_wrote(surface, run, covered, traffic);
		return;
	}
	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		const struct pe_place *place = &run->place[q];

		if (!(covered >> 4 * q & 15))
			continue;
		pe_touch(surface, place->address, true, read, &traffic->write_bytes);
		if (surface->two_lines)
			pe_touch(surface, place->address + surface->pixel_step, true, read,
				 &traffic->write_bytes);
	}
}

/* Where pixel @p (0..3 of the quad), sample @s lies. */
static inline uint8_t *sample_at(const struct pe_surface *surface, const struct pe_place *place,
				 const struct pe_samples *samples, unsigned int p, unsigned int s)
{
	unsigned int right = samples->x == 2 ? s & 1 : 0;
	unsigned int down = samples->y == 2 ? s >> 1 : 0;

	return place->row[p >> 1] + down * surface->sample_step +
	       (samples->x * (p & 1) + right) * surface->bytes;
}

static inline void load(const uint8_t *from, unsigned int bytes, uint32_t *lo, uint32_t *hi)
{
	uint16_t half;

	switch (bytes) {
	case 1:
		*lo = *from;
		break;
	case 2:
		memcpy(&half, from, sizeof(half));
		*lo = half;
		break;
	case 8:
		memcpy(hi, from + 4, sizeof(*hi));
		/* fall through */
	default:
		memcpy(lo, from, sizeof(*lo));
		break;
	}
}

static inline void store(uint8_t *to, unsigned int bytes, uint32_t lo, uint32_t hi)
{
	uint16_t half = (uint16_t)lo;

	switch (bytes) {
	case 1:
		*to = (uint8_t)lo;
		break;
	case 2:
		memcpy(to, &half, sizeof(half));
		break;
	case 8:
		memcpy(to + 4, &hi, sizeof(hi));
		/* fall through */
	default:
		memcpy(to, &lo, sizeof(lo));
		break;
	}
}

static inline void gather_quad(const struct pe_surface *surface, const struct pe_place *place,
			       const struct pe_samples *samples, unsigned int s, uint32_t *lo,
			       uint32_t *hi)
{
	if (surface->bytes == 4 && samples->count == 1) {
		memcpy(lo, place->row[0], 8);
		memcpy(lo + 2, place->row[1], 8);
		return;
	}
	for (unsigned int p = 0; p < 4; p++)
		load(sample_at(surface, place, samples, p, s), surface->bytes, &lo[p], &hi[p]);
}

void pe_run_gather(const struct pe_surface *surface, const struct pe_samples *samples,
		   const struct pe_run *run, unsigned int s, struct gc_pixels *pixels)
{
	for (unsigned int lane = pe_run_first(run); lane < pe_run_end(run); lane += 4) {
		unsigned int q = lane / 4;
		bool there = q >= run->first && q < run->first + run->count && run->place[q].row[0];

		if (!there || surface->bytes != 8)
			memset(&pixels->hi[lane], 0, 4 * sizeof(pixels->hi[0]));
		if (there)
			gather_quad(surface, &run->place[q], samples, s, &pixels->lo[lane],
				    &pixels->hi[lane]);
		else
			memset(&pixels->lo[lane], 0, 4 * sizeof(pixels->lo[0]));
	}
}

/*
 * Pixels that are not covered are read along, which another thread may be painting just now.
 * What comes of those is never looked at, so the thread sanitizer need not know of it; that
 * covered ones are painted by one thread at a time it sees where they are written.
 */
__attribute__((no_sanitize("thread"))) void pe_run_gather_words(const struct pe_run *run,
								uint32_t *pixels)
{
	const struct pe_place *place = &run->place[run->first], *end = place + run->count;

	for (pixels += 4 * run->first; place < end; place++, pixels += 4) {
		if (!place->row[0])
			continue;
		memcpy(&pixels[0], place->row[0], 8);
		memcpy(&pixels[2], place->row[1], 8);
	}
}

static void scatter_pixels(const struct pe_surface *surface, const struct pe_place *place,
			   const struct pe_samples *samples, unsigned int s, unsigned int nibble,
			   const uint32_t *lo, const uint32_t *hi)
{
	for (unsigned int p = 0; nibble; p++, nibble >>= 1)
		if (nibble & 1)
			store(sample_at(surface, place, samples, p, s), surface->bytes, lo[p],
			      hi[p]);
}

void pe_run_scatter(const struct pe_surface *surface, const struct pe_samples *samples,
		    const struct pe_run *run, unsigned int s, uint64_t covered,
		    const struct gc_pixels *pixels)
{
	const bool words = surface->bytes == 4 && samples->count == 1;

	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		const struct pe_place *place = &run->place[q];
		unsigned int lane = 4 * q, nibble = covered >> lane & 15;

		if (words && nibble == 15) {
			memcpy(place->row[0], &pixels->lo[lane], 8);
			memcpy(place->row[1], &pixels->lo[lane + 2], 8);
		} else if (nibble) {
			scatter_pixels(surface, place, samples, s, nibble, &pixels->lo[lane],
				       &pixels->hi[lane]);
		}
	}
}

/*
 * For each coverage of a quad, the pixels that stand for its four, which is a covered one for
 * each that is not: so any part of a quad is four stores, without a branch. Behind them, where
 * those are in a tile: words from the first one.
 */
#define FIRST_OF(n) ((n) & 1 ? 0 : (n) & 2 ? 1 : (n) & 4 ? 2 : 3)
#define PIXEL(n, p) ((n) >> (p) & 1 ? (p) : FIRST_OF(n))
#define PLACE(n, p) (PIXEL(n, p) % 2 + PIXEL(n, p) / 2 * GC_TILE_SIZE)
#define FOUR(of, n) of(n, 0), of(n, 1), of(n, 2), of(n, 3)
#define PART(n) { FOUR(PIXEL, n), FOUR(PLACE, n) }

static inline void scatter_words(uint8_t *to, unsigned int nibble, const uint32_t *pixels)
{
	static const uint8_t parts[16][8] = { PART(0),  PART(1),  PART(2),  PART(3),
					      PART(4),  PART(5),  PART(6),  PART(7),
					      PART(8),  PART(9),  PART(10), PART(11),
					      PART(12), PART(13), PART(14), PART(15) };
	const uint8_t *pixel = parts[nibble], *place = pixel + 4;

#pragma GCC unroll 4
	for (unsigned int i = 0; i < 4; i++)
		memcpy(to + place[i] * sizeof(*pixels), &pixels[pixel[i]], sizeof(*pixels));
}

void pe_run_scatter_words(const struct pe_run *run, uint64_t covered, const uint32_t *pixels)
{
	const struct pe_place *place = &run->place[run->first];

	covered = (covered & pe_run_lanes(run)) >> 4 * run->first;
	for (pixels += 4 * run->first; covered; place++, pixels += 4, covered >>= 4)
		if (covered & 15)
			scatter_words(place->row[0], covered & 15, pixels);
}

/* From a tile at even coordinates to its neighbours, and whether all four are in one page. */
static bool find_neighbours(const struct pe_surface *surface, struct pe_block *block)
{
	uint32_t tile = GC_TILE_SIZE * GC_TILE_SIZE * surface->bytes;
	uint32_t below = surface->layout == GC_TILED ? GC_TILE_SIZE * surface->stride : 2 * tile;

	for (unsigned int i = 1; i < 4; i++)
		block->address[i] = block->address[0] + i % 2 * tile + i / 2 * below;
	return (block->address[0] ^ block->address[3]) < GC_PAGE_SIZE;
}

static bool locate_block_tiles(struct gc_core *gc, struct pe_surface *surface, uint32_t first,
			       struct pe_block *block, struct pe_traffic *traffic)
{
	static const uint32_t step[4] = { 0, 1, 1 << 16, 1 << 16 | 1 };

	check_generation(gc, surface);
	for (unsigned int i = 0; i < 4; i++) {
		uint32_t key = first + step[i];

		if (key != surface->found.key && !enter_tile(gc, surface, key, traffic))
			return false;
		block->address[i] = surface->found.address;
		block->tile[i] = surface->found.host;
	}
	return true;
}

/*
 * make_ready() of the tiles of a run, if that can be done at once. @fresh: all of them were
 * cleared until now, or none.
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

/* prepare_line() of all tiles of a block in one page. */
static inline bool prepare_block(struct gc_core *gc, struct pe_surface *surface,
				 const struct pe_block *block, struct pe_traffic *traffic)
{
	uint32_t first = block->address[0] / PE_LINE_BYTES;
	bool others = surface->last_line - first >= CACHE_MODEL_RUN;
	uint64_t not_read = 0;
	bool fresh = false;

	if (block->run && others &&
	    (!surface->ts.enabled || make_run_ready(gc, surface, block->address[0], &fresh))) {
		if (surface->use == PE_OVERWRITE)
			return true;
		cache_model_touch_run(surface->cache, block->address[0], false,
				      fresh ? &not_read : &traffic->read_bytes,
				      &traffic->write_bytes);
		surface->last_line = first + CACHE_MODEL_RUN - 1;
		surface->last_write = false;
		return true;
	}
	for (unsigned int i = 0; i < 4; i++)
		if (!pe_prepare_line(gc, surface, block->address[i], traffic))
			return false;
	return true;
}

/* All tiles are in one page. */
static inline bool locate_in_page(struct gc_core *gc, struct pe_surface *surface,
				  struct pe_block *block, struct pe_traffic *traffic)
{
	if (!surface->silent && !prepare_block(gc, surface, block, traffic))
		return false;
	block->tile[0] = pe_map(gc, surface, block->address[0]);
	if (!block->tile[0])
		return false;
	for (unsigned int i = 1; i < 4; i++)
		block->tile[i] = block->tile[0] + (block->address[i] - block->address[0]);
	surface->found.key = PE_NO_TILE;
	return true;
}

bool pe_block_locate(struct gc_core *gc, struct pe_surface *surface, int left, int top,
		     struct pe_block *block, struct pe_traffic *traffic)
{
	uint32_t x = (uint32_t)left / GC_TILE_SIZE, y = (uint32_t)top / GC_TILE_SIZE;
	bool even = !((x | y) % 2);

	block->run = surface->runs && even;
	if (block->run) {
		block->address[0] =
			surface->base[0] + gc_layout_tile(GC_SUPERTILED, surface->supertile_mode,
							  surface->stride, 4, x, y);
		for (unsigned int i = 1; i < 4; i++)
			block->address[i] = block->address[0] + i * PE_LINE_BYTES;
		return locate_in_page(gc, surface, block, traffic);
	}
	block->address[0] = tile_address(surface, x, y);
	if (!even || gc_layout_is_multi(surface->layout) || !find_neighbours(surface, block))
		return locate_block_tiles(gc, surface, y << 16 | x, block, traffic);
	return locate_in_page(gc, surface, block, traffic);
}

void pe_block_wrote(struct pe_surface *surface, const struct pe_block *block,
		    struct pe_traffic *traffic)
{
	uint64_t not_read = 0;
	uint64_t *read = surface->use == PE_OVERWRITE ? &not_read : &traffic->read_bytes;

	if (block->run)
		cache_model_touch_run(surface->cache, block->address[0], true, read,
				      &traffic->write_bytes);
	else
		for (unsigned int i = 0; i < 4; i++)
			cache_model_touch(surface->cache, block->address[i], true, read,
					  &traffic->write_bytes);
	surface->last_line = block->address[3] / PE_LINE_BYTES;
	surface->last_write = true;
}

void pe_block_addresses(const struct pe_surface *surface, const struct pe_block *block,
			struct pe_run *run)
{
	for (unsigned int q = 0; q < GC_QUADS; q++) {
		unsigned int x = 2 * (q % 4), y = 2 * (q / 4);
		unsigned int tile = y / GC_TILE_SIZE * 2 + x / GC_TILE_SIZE;
		uint32_t offset = (y % GC_TILE_SIZE * GC_TILE_SIZE + x % GC_TILE_SIZE)
				  << surface->byte_shift;
		struct pe_place *place = &run->place[q];

		place->address = block->address[tile] + offset;
		place->row[0] = block->tile[tile] + offset;
		place->row[1] = place->row[0] + surface->pixel_step;
	}
}

/*
 * Eight lanes are two quads beside each other: two rows of four pixels, which
 * follow each other in a tile. In pairs of lanes, the second and third of the
 * four change places.
 */

static inline pair4 exchange(pair4 v)
{
	return __builtin_shuffle(v, (pair4){ 0, 2, 1, 3 });
}

/* The two pairs of lanes in the upper and in the lower half of tile @i: in vectors of eight. */
#define UPPER(i) ((i) / 2 * 4 + (i) % 2)
#define LOWER(i) (UPPER(i) + 2)

void pe_block_gather(const struct pe_block *block, uint32_t pixels[GC_LANES])
{
	pair4 *out = (pair4 *)pixels;

	for (unsigned int i = 0; i < 4; i++) {
		const pair4 *tile = (const pair4 *)block->tile[i];

		out[UPPER(i)] = exchange(tile[0]);
		out[LOWER(i)] = exchange(tile[1]);
	}
}

void pe_block_scatter(const struct pe_block *block, const uint32_t pixels[GC_LANES])
{
	const pair4 *in = (const pair4 *)pixels;

	for (unsigned int i = 0; i < 4; i++) {
		pair4 *tile = (pair4 *)block->tile[i];

		tile[0] = exchange(in[UPPER(i)]);
		tile[1] = exchange(in[LOWER(i)]);
	}
}
