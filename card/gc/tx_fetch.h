/* SPDX-License-Identifier: MIT */
/*
 * From texel coordinates to texels: address, tile status, memory, decoded
 * blocks. Everything that reads guest memory for the texture unit is here.
 */
#ifndef CARD_GC_TX_FETCH_H
#define CARD_GC_TX_FETCH_H

#include <string.h>

#include "gc/personality.h"
#include "gc/tx.h"

#define TX_LINE_SHIFT 6
#define TX_LINE_BYTES (1u << TX_LINE_SHIFT) /* of the texture cache */

/* What a column's or row's place among the tiles of a supertile adds, in pixels. */
static inline uint32_t tx_supertile(const uint32_t part[4], uint32_t at)
{
	uint32_t sum = 0;

	for (int k = 0; k < 4; k++)
		sum += (at >> (2 + k) & 1) * part[k];
	return sum;
}

/* Offset of a texel or block within its face, layer or slice, in bytes. */
static inline uint32_t tx_offset(const struct gc_texture_unit *unit, enum gc_layout layout,
				 uint32_t stride, uint32_t bytes, uint32_t x, uint32_t y)
{
	uint32_t in_tile = (y & 3) * 4 + (x & 3);

	switch (layout) {
	case GC_LINEAR:
		return y * stride + x * bytes;
	case GC_TILED:
		return (y >> 2) * 4 * stride + ((x >> 2) * 16 + in_tile) * bytes;
	default:
		return (y >> 6) * 64 * stride +
		       ((x >> 6) * 4096 + tx_supertile(unit->supertile_x, x) +
			tx_supertile(unit->supertile_y, y) + in_tile) *
			       bytes;
	}
}

/* The same for any layout, split ones included. */
static inline uint32_t tx_offset_any(const struct gc_texture_unit *unit, const struct tx_sampler *s,
				     unsigned int level, uint32_t x, uint32_t y)
{
	uint32_t stride = s->level[level].stride, base = 0;
	enum gc_layout layout = s->layout;

	if (tx_format_is_compressed(s->format))
		layout = GC_LINEAR;
	if (layout > GC_SUPERTILED) {
		if (gc_layout_split(layout, x, y, &y))
			base = s->split_offset[level];
		layout = layout == GC_MULTI_TILED ? GC_TILED : GC_SUPERTILED;
	}
	return base + tx_offset(unit, layout, stride, s->format->bytes, x, y);
}

/**
 * tx_request_lines - the texture cache is asked for @count lines, by number, in this order
 *
 * The only thing that a lookup tells the cache model.
 */
void tx_request_lines(struct tx_access *a, const uint32_t *line, unsigned int count);

/**
 * tx_next_line - the access leaves the current cache line for that of @address
 *
 * The cache learns of it, and its page is translated.
 */
void tx_next_line(struct tx_access *a, uint32_t address);

/**
 * tx_remember - @line is among the request's from now on
 *
 * Neighbouring lanes come back to the same few lines again and again. A line of
 * this request that is still remembered counts as a hit without asking the cache.
 *
 * Returns: 1 if it was remembered already, else 0.
 */
static inline unsigned int tx_remember(struct tx_access *a, uint32_t line)
{
	uint32_t *seen = &a->seen[(line ^ line >> 4 ^ line >> 8) % TX_SEEN];
	unsigned int again = (*seen == line) & (line != 0);

	*seen = line;
	return again;
}

/* @size bytes (a power of two up to 16) at @address; zeros once an access faulted. */
static inline const uint8_t *tx_memory(struct tx_access *a, uint32_t address, uint32_t size)
{
	address &= ~(size - 1); /* texels are aligned, so none crosses a line */
	a->texels++;
	if (address >> TX_LINE_SHIFT != a->line)
		tx_next_line(a, address);
	return (const uint8_t *)(a->way + address);
}

/** tx_is_cleared - whether the tile of the surface byte at @offset is only marked as cleared. */
bool tx_is_cleared(struct tx_access *a, uint32_t offset);

/* What a texel of @size bytes at @offset is in a cleared tile. */
static inline const uint8_t *tx_cleared(const struct tx_sampler *s, uint32_t offset, uint32_t size)
{
	return s->ts.clear + (offset & 7 & ~(size - 1));
}

/* A texel's bytes; @offset counts from the level's address. */
static inline const uint8_t *tx_texel(struct tx_access *a, uint32_t base, uint32_t offset,
				      uint32_t size)
{
	const struct tx_sampler *s = a->sampler;

	if (s->ts.enabled && base == s->level[0].address && tx_is_cleared(a, offset)) {
		a->texels++;
		return tx_cleared(s, offset, size);
	}
	return tx_memory(a, base + offset, size);
}

/** tx_block - the decoded texels of the compressed block at @address, by rows. */
const uint32_t *tx_block(struct tx_access *a, uint32_t address);

/* A texel of an eight-bit format as packed RGBA8. */
static inline uint32_t tx_texel_rgba8(struct tx_access *a, uint32_t base, uint32_t offset, bool odd)
{
	const struct tx_format *f = a->sampler->format;
	uint32_t raw = 0, size = f->bytes;

	if (f->kind == TX_YUY2 || f->kind == TX_UYVY)
		size = 4; /* the pair that shares its chroma */
	memcpy(&raw, tx_texel(a, base, offset, size), size);
	return tx_unpack_rgba8(f->kind, raw, odd);
}

#endif
