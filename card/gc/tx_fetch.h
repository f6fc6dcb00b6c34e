/* SPDX-License-Identifier: MIT */
/*
 * From texel coordinates to texels: address, tile status, memory, decoded blocks. All lookups read
 * guest memory by these functions, except for tx_one_level(), which reads whole vectors itself.
 */
#ifndef CARD_GC_TX_FETCH_H
#define CARD_GC_TX_FETCH_H

#include <string.h>

#include "gc/personality.h"
#include "gc/tx.h"

/* Offset in bytes of a texel or block in its face, layer or slice; any layout, also split ones. */
static inline uint32_t tx_offset(const struct gc_texture_unit *unit, const struct tx_sampler *s,
				 unsigned int level, uint32_t x, uint32_t y)
{
	enum gc_layout layout = tx_format_is_compressed(s->format) ? GC_LINEAR : s->layout;
	const struct gc_surface surface = { layout,
					    unit->supertile_mode,
					    s->format->bytes,
					    s->level[level].stride,
					    { 0, s->split_offset[level] } };

	return gc_surface_address(&surface, x, y);
}

/**
 * tx_request_lines - access @count lines of the texture cache, by number, in this order
 *
 * All lookups access the cache model here, gc_texture_replay() those lines that were recorded.
 *
 * Returns: number of lines that were not in the cache; 0 while lines are recorded.
 */
unsigned int tx_request_lines(struct tx_access *a, const uint32_t *line, unsigned int count);

/**
 * tx_next_line - make the line of @address the current one: access the cache and translate its
 * page
 *
 * Decides what a line of texels is: guest memory, or with --caches=data what the cache holds.
 */
void tx_next_line(struct tx_access *a, uint32_t address);

/**
 * tx_remember - add @line to the lines of this request
 *
 * Neighbouring lanes access the same few lines repeatedly. A remembered line counts as a hit
 * without an access to the cache model.
 *
 * Returns: 1 if it was remembered already, otherwise 0.
 */
static inline unsigned int tx_remember(struct tx_access *a, uint32_t line)
{
	uint32_t *seen = &a->seen[tx_seen_slot(line)];
	unsigned int again = (*seen == line) & (line != 0);

	*seen = line;
	return again;
}

/* @size bytes (a power of two up to 16) at @address; zeros after a fault. */
static inline const uint8_t *tx_memory(struct tx_access *a, uint32_t address, uint32_t size)
{
	address &= ~(size - 1); /* texels are aligned, so none crosses a line */
	a->texels++;
	if (address >> TX_LINE_SHIFT != a->line)
		tx_next_line(a, address);
	return (const uint8_t *)(a->way + address);
}

/** tx_is_cleared - whether the tile with the byte at @offset of the surface is fast-cleared */
bool tx_is_cleared(struct tx_access *a, uint32_t offset);

/* Contents of a texel of @size bytes at @offset in a cleared tile. */
static inline const uint8_t *tx_cleared(const struct tx_sampler *s, uint32_t offset, uint32_t size)
{
	return s->ts.clear + (offset & 7 & ~(size - 1));
}

/* A texel's bytes; @offset is relative to the level's address @base. */
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

/** tx_block - decoded texels of the compressed block at @address, row by row */
const uint32_t *tx_block(struct tx_access *a, uint32_t address);

/* A texel of a format with 8-bit channels as packed RGBA8. */
static inline uint32_t tx_texel_rgba8(struct tx_access *a, uint32_t base, uint32_t offset, bool odd)
{
	const struct tx_format *f = a->sampler->format;
	uint32_t raw = 0, size = f->bytes;

	if (f->kind == TX_YUY2 || f->kind == TX_UYVY)
		size = 4; /* two texels with common chroma */
	memcpy(&raw, tx_texel(a, base, offset, size), size);
	return tx_unpack_rgba8(f->kind, raw, odd);
}

#endif
