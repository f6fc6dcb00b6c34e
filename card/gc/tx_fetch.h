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

#define TX_LINE_SHIFT 6 /* bytes of a texture cache line, as a power of two */

/* Offset of a texel or block within its face, layer or slice, in bytes. */
static inline __attribute__((always_inline)) uint32_t
tx_offset(const struct gc_texture_unit *unit, enum gc_layout layout, uint32_t stride,
	  uint32_t bytes, uint32_t x, uint32_t y)
{
	uint32_t in_tile = (y & 3) * 4 + (x & 3);

	switch (layout) {
	case GC_LINEAR: return y * stride + x * bytes;
	case GC_TILED: return (y >> 2) * 4 * stride + ((x >> 2) * 16 + in_tile) * bytes;
	default:
		return (y >> 6) * 64 * stride +
		       ((x >> 6) * 4096 +
			unit->supertile[(y >> 2 & 15) * 16 + (x >> 2 & 15)] * 16u + in_tile) * bytes;
	}
}

/* The same for any layout, split ones included. */
static inline uint32_t tx_offset_any(const struct gc_texture_unit *unit,
				     const struct tx_sampler *s, unsigned int level, uint32_t x,
				     uint32_t y)
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

/* Note an access for the cache model and the counters. */
static inline void tx_touch(struct tx_access *a, uint32_t address)
{
	uint32_t line = address >> TX_LINE_SHIFT;
	uint64_t before = a->read_bytes, none = 0;

	a->texels++;
	if (line == a->line)
		return;
	a->line = line;
	cache_model_touch(&a->unit->cache, address, false, &a->read_bytes, &none);
	if (a->read_bytes != before)
		a->misses++;
}

/* @size bytes (a power of two up to 16) at @address; zeros once an access faulted. */
static inline const uint8_t *tx_memory(struct tx_access *a, uint32_t address, uint32_t size)
{
	static const uint8_t zeros[16];
	const uint8_t *p;

	address &= ~(size - 1); /* texels are aligned, so none crosses a page */
	if (__builtin_expect(a->faulted, 0))
		return zeros;
	p = gc_mmu_map(&a->gc->mmu, GC_CLIENT_TX, GC_READ, address);
	if (__builtin_expect(!p, 0)) {
		a->faulted = true;
		return zeros;
	}
	return p;
}

/* Whether the tile of the surface byte at @offset is only marked as cleared. */
static inline bool tx_is_cleared(struct tx_access *a, uint32_t offset)
{
	const struct gc_personality *p = a->gc->personality;
	uint32_t bit = offset / p->ts_tile_bytes * p->ts_bits;
	const uint8_t *tags = tx_memory(a, a->sampler->ts.status_address + bit / 8, 1);

	return (*tags >> bit % 8 & ((1u << p->ts_bits) - 1)) == 1;
}

/* A texel's bytes; @offset counts from the level's address. */
static inline const uint8_t *tx_texel(struct tx_access *a, uint32_t base, uint32_t offset,
				      uint32_t size)
{
	const struct tx_sampler *s = a->sampler;

	if (s->ts.enabled && base == s->level[0].address && tx_is_cleared(a, offset)) {
		a->texels++;
		return s->ts.clear + (offset & 7 & ~(size - 1));
	}
	tx_touch(a, base + offset);
	return tx_memory(a, base + offset, size);
}

/** tx_block - the decoded texels of the compressed block at @address, by rows. */
const uint32_t *tx_block(struct tx_access *a, uint32_t address);

/* A texel of an eight-bit format as packed RGBA8. */
static inline uint32_t tx_texel_rgba8(struct tx_access *a, uint32_t base, uint32_t offset,
				      bool odd)
{
	const struct tx_format *f = a->sampler->format;
	uint32_t raw = 0, size = f->bytes;

	if (f->kind == TX_YUY2 || f->kind == TX_UYVY)
		size = 4; /* the pair that shares its chroma */
	memcpy(&raw, tx_texel(a, base, offset, size), size);
	return tx_unpack_rgba8(f->kind, raw, odd);
}

#endif
