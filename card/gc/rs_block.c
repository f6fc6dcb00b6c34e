// SPDX-License-Identifier: MIT
/* Memory accesses of the resolve engine, in blocks of 4x4 pixels. */
#include <string.h>

#include "gc/rs_internal.h"

#define PIECE 64u /* bytes that do not cross a page, because bases are aligned to it */
#define TAG_LINE 64u

static uint32_t address_of(const struct rs_surface *surface, uint32_t x, uint32_t y)
{
	enum gc_layout layout = surface->layout;
	uint32_t pipe_y;
	unsigned int pipe;

	if (layout == GC_LINEAR)
		return surface->base[0] + y * surface->stride + x * surface->bytes;
	if (layout == GC_TILED || layout == GC_SUPERTILED)
		return surface->base[0] + gc_layout_tile(layout, surface->supertile_mode,
							 surface->stride, surface->bytes,
							 x / RS_BLOCK, y / RS_BLOCK);
	pipe = gc_layout_split(layout, x, y, &pipe_y);
	return surface->base[pipe] + gc_layout_offset(surface->layout, surface->supertile_mode,
						      surface->stride, surface->bytes, x, pipe_y);
}

/*
 * A block as contiguous pieces of memory: its rows in linear surfaces; in tiles, pieces of at
 * most 64 bytes.
 */
struct pieces {
	uint32_t address;
	uint32_t step; /* bytes from one piece to the next */
	unsigned int count;
	unsigned int bytes; /* of each */
};

static struct pieces find_pieces(const struct rs_surface *surface, uint32_t x, uint32_t y,
				 unsigned int rows)
{
	uint32_t address = address_of(surface, x, y);
	unsigned int all = RS_BLOCK_PIXELS * surface->bytes;
	unsigned int bytes = all < PIECE ? all : PIECE;

	if (surface->layout == GC_LINEAR)
		return (struct pieces){ address, surface->stride, rows, RS_BLOCK * surface->bytes };
	return (struct pieces){ address, bytes, all / bytes, bytes };
}

/*
 * Find out whether the memory at @address is fast-cleared; each tag is read once. False after a
 * fault.
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

bool rs_load(struct gc_core *gc, const struct rs_surface *surface, const struct gc_tile_status *ts,
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
		from = gc_mmu_map(&gc->mmu, RS_CLIENT, GC_READ, p.address);
		if (!from)
			return false;
		copy_piece(to, from, p.bytes);
		traffic->read_bytes += p.bytes;
	}
	return true;
}

bool rs_store(struct gc_core *gc, const struct rs_surface *surface, uint32_t x, uint32_t y,
	      unsigned int rows, struct rs_traffic *traffic, const struct rs_block *block)
{
	struct pieces p = find_pieces(surface, x, y, rows);

	for (unsigned int i = 0; i < p.count; i++, p.address += p.step) {
		uint8_t *to = gc_mmu_map(&gc->mmu, RS_CLIENT, GC_WRITE, p.address);

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

bool rs_fill(struct gc_core *gc, const struct rs_surface *surface, uint32_t x, uint32_t y,
	     unsigned int rows, struct rs_traffic *traffic, const struct rs_fill *fill)
{
	struct pieces p = find_pieces(surface, x, y, rows);

	for (unsigned int i = 0; i < p.count; i++, p.address += p.step) {
		uint8_t *to = gc_mmu_map(&gc->mmu, RS_CLIENT, GC_WRITE, p.address);

		if (!to)
			return false;
		fill_piece(to, p.address, p.bytes, fill);
		traffic->write_bytes += p.bytes;
	}
	return true;
}
