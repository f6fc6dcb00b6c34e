/* SPDX-License-Identifier: MIT */
/*
 * From texel coordinates to texels: address, tile status, memory, decoded blocks. The texture
 * unit reads guest memory only here.
 */
#ifndef CARD_GC_TX_FETCH_H
#define CARD_GC_TX_FETCH_H

#include <string.h>

#include "gc/personality.h"
#include "gc/tx.h"

/*
 * TX_DEFINE_SUPERTILE - define a function for places in a supertile
 * @supertile: its name: offset, in pixels, that coordinate @at of axis @c adds by its tile
 * @number: uint32_t, or a vector of these
 */
#define TX_DEFINE_SUPERTILE(supertile, number)                                    \
	static inline __attribute__((always_inline)) number supertile(            \
		const struct gc_texture_unit *unit, int c, number at)             \
	{                                                                         \
		const uint32_t *part = c ? unit->supertile_y : unit->supertile_x; \
		number sum = { 0 };                                               \
                                                                                  \
		for (int k = 0; k < 4; k++)                                       \
			sum += (at >> (2 + k) & 1) * part[k];                     \
		return sum;                                                       \
	}

/*
 * TX_DEFINE_OFFSETS - define a function for addresses of texels
 * @axis_offset: its name: bytes that coordinate @at of axis @c (0: x, 1: y) adds to the address of
 *     a texel or block in its face, layer or slice
 * @supertile: a function as TX_DEFINE_SUPERTILE() defines
 * @number: uint32_t, or a vector of these
 * @length: type of the stride: the same, or uint32_t
 */
#define TX_DEFINE_OFFSETS(axis_offset, supertile, number, length)                                \
	static inline __attribute__((always_inline)) number axis_offset(                         \
		const struct gc_texture_unit *unit, enum gc_layout layout, int c, length stride, \
		uint32_t bytes, number at)                                                       \
	{                                                                                        \
		switch (layout) {                                                                \
		case GC_LINEAR:                                                                  \
			return c ? at * stride : at * bytes;                                     \
		case GC_TILED:                                                                   \
			return c ? (at >> 2) * (4 * stride) + (at & 3) * (4 * bytes)             \
				 : (at >> 2) * (16 * bytes) + (at & 3) * bytes;                  \
		default:                                                                         \
			return supertile(unit, c, at) * bytes +                                  \
			       (c ? (at >> 6) * (64 * stride) + (at & 3) * (4 * bytes)           \
				  : (at >> 6) * (4096 * bytes) + (at & 3) * bytes);              \
		}                                                                                \
	}

TX_DEFINE_SUPERTILE(tx_supertile, uint32_t)
TX_DEFINE_OFFSETS(tx_axis_offset, tx_supertile, uint32_t, uint32_t)

/* Offset in bytes of a texel or block in its face, layer or slice. */
static inline uint32_t tx_offset(const struct gc_texture_unit *unit, enum gc_layout layout,
				 uint32_t stride, uint32_t bytes, uint32_t x, uint32_t y)
{
	return tx_axis_offset(unit, layout, 0, stride, bytes, x) +
	       tx_axis_offset(unit, layout, 1, stride, bytes, y);
}

/* The same for any layout, including split ones. */
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
 * tx_request_lines - access @count lines of the texture cache, by number, in this order
 *
 * All accesses to the cache model are made here.
 *
 * Returns: number of lines that were not in the cache; 0 while lines are recorded.
 */
unsigned int tx_request_lines(struct tx_access *a, const uint32_t *line, unsigned int count);

/**
 * tx_next_line - make the line of @address the current one: access the cache and translate its
 * page
 *
 * Here alone it is decided what a line of texels is: guest memory, or what the cache holds.
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
