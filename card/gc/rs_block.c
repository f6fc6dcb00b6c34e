// SPDX-License-Identifier: MIT
/* Memory accesses of the resolve engine, in blocks of 4x4 pixels. */
#include <string.h>

#include "gc/rs_internal.h"

#define PIECE 64u    /* bytes at most; pieces are aligned to their size, so none crosses a page */
#define TAG_LINE 64u /* bytes of tile status that are read at once */

/*
 * A block as contiguous pieces of memory: those of its rows that exist in linear surfaces; in
 * tiled ones all of it, in pieces of at most 64 bytes.
 */
struct pieces {
	uint32_t address;
	uint32_t step; /* bytes from one piece to the next */
	unsigned int count;
	unsigned int bytes; /* of each */
};

static struct pieces find_pieces(const struct gc_surface *surface, uint32_t x, uint32_t y,
				 unsigned int rows)
{
	const unsigned int row = RS_BLOCK * surface->bytes, all = RS_BLOCK * row;
	const struct gc_span span = gc_surface_span(surface, x, y);
	unsigned int bytes = span.bytes < PIECE ? span.bytes : PIECE;

	if (surface->layout == GC_LINEAR)
		return (struct pieces){ span.address, surface->stride, rows, row };
	return (struct pieces){ span.address, bytes, all / bytes, bytes };
}

/* Host address of the piece at @address, or NULL after a fault */
static uint8_t *map_piece(struct gc_core *gc, const struct pieces *p, enum gc_access access)
{
	GC_ASSERT_IN_PAGE(p->address, p->bytes);
	return gc_mmu_map(&gc->mmu, RS_CLIENT, access, p->address);
}

/*
 * Find out whether the memory at @address is fast-cleared, for traffic->tag_cleared; a tag is not
 * read again for the next piece of its tile. False after a fault.
 */
static bool look_up_tag(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address,
			struct rs_traffic *traffic)
{
	uint32_t index = gc_ts_index(ts, address);
	uint32_t line = gc_ts_tag_address(ts, index) / TAG_LINE;

	if (traffic->tag_valid && traffic->tag_index == index)
		return true;
	if (!gc_ts_is_cleared(gc, ts, address, &traffic->tag_cleared))
		return false;
	if (!traffic->tag_valid || traffic->tag_line != line)
		traffic->ts_bytes += TAG_LINE;
	traffic->tag_valid = true;
	traffic->tag_index = index;
	traffic->tag_line = line;
	return true;
}

/* memcpy() with the common sizes inlined. */
static inline void copy_piece(uint8_t *to, const uint8_t *from, unsigned int bytes)
{
	if (bytes == PIECE)
		memcpy(to, from, PIECE);
	else if (bytes == PIECE / 4)
		memcpy(to, from, PIECE / 4);
	else
		memcpy(to, from, bytes);
}

static void fill_words(uint8_t *to, unsigned int bytes, uint64_t value)
{
	for (unsigned int i = 0; i < bytes; i += sizeof(value))
		memcpy(to + i, &value, sizeof(value));
}

bool rs_load(struct gc_core *gc, const struct gc_surface *surface, const struct gc_tile_status *ts,
	     uint32_t x, uint32_t y, unsigned int rows, struct rs_traffic *traffic,
	     struct rs_block *block)
{
	struct pieces p = find_pieces(surface, x, y, rows);

	for (unsigned int i = 0; i < p.count; i++, p.address += p.step) {
		uint8_t *to = block->byte + i * p.bytes;
		const uint8_t *from;

		if (ts->enabled) {
			if (!look_up_tag(gc, ts, p.address, traffic))
				return false;
			if (traffic->tag_cleared) {
				fill_words(to, p.bytes, ts->clear_value);
				continue;
			}
		}
		from = map_piece(gc, &p, GC_READ);
		if (!from)
			return false;
		copy_piece(to, from, p.bytes);
		traffic->read_bytes += p.bytes;
	}
	return true;
}

bool rs_store(struct gc_core *gc, const struct gc_surface *surface, uint32_t x, uint32_t y,
	      unsigned int rows, struct rs_traffic *traffic, const struct rs_block *block)
{
	struct pieces p = find_pieces(surface, x, y, rows);

	for (unsigned int i = 0; i < p.count; i++, p.address += p.step) {
		uint8_t *to = map_piece(gc, &p, GC_WRITE);

		if (!to)
			return false;
		copy_piece(to, block->byte + i * p.bytes, p.bytes);
		traffic->write_bytes += p.bytes;
	}
	return true;
}

static void fill_piece(uint8_t *to, uint32_t address, unsigned int bytes,
		       const struct rs_fill *fill)
{
	for (unsigned int i = 0; i < bytes; i += sizeof(uint64_t)) {
		unsigned int half = (address + i) >> 3 & 1;
		uint64_t word = 0;

		if (fill->mask[half] != UINT64_MAX)
			memcpy(&word, to + i, sizeof(word));
		word = (word & ~fill->mask[half]) | (fill->pattern[half] & fill->mask[half]);
		memcpy(to + i, &word, sizeof(word));
	}
}

bool rs_fill(struct gc_core *gc, const struct gc_surface *surface, uint32_t x, uint32_t y,
	     unsigned int rows, struct rs_traffic *traffic, const struct rs_fill *fill)
{
	struct pieces p = find_pieces(surface, x, y, rows);

	for (unsigned int i = 0; i < p.count; i++, p.address += p.step) {
		uint8_t *to = map_piece(gc, &p, GC_WRITE);

		if (!to)
			return false;
		fill_piece(to, p.address, p.bytes, fill);
		traffic->write_bytes += p.bytes;
	}
	return true;
}
