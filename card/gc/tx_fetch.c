// SPDX-License-Identifier: MIT
/* Slow halves of tx_fetch.h: a new cache line, tile status, decoding a block. */
#include "gc/tx_fetch.h"

const uint8_t tx_zeros[TX_LINE_BYTES];

void tx_fetch_line(struct tx_access *a, uint32_t line, struct tx_line *seen)
{
	uint32_t address = line << TX_LINE_SHIFT;
	uint64_t before = a->read_bytes, written = 0;
	const uint8_t *host;

	cache_model_touch(&a->unit->cache, address, false, &a->read_bytes, &written);
	if (a->read_bytes != before)
		a->misses++;
	/* a line never crosses a page */
	host = gc_mmu_map(&a->gc->mmu, GC_CLIENT_TX, GC_READ, address);
	a->faulted = !host;
	seen->host = host ? host : tx_zeros;
	seen->line = line;
}

/* Tags are read past the cache model: the tile status has a cache of its own. */
bool tx_is_cleared(struct tx_access *a, uint32_t offset)
{
	const struct gc_personality *p = a->gc->personality;
	uint32_t bit = offset / p->ts_tile_bytes * p->ts_bits;
	uint32_t address = a->sampler->ts.status_address + bit / 8;
	const uint8_t *tags = NULL;

	if (!a->faulted)
		tags = gc_mmu_map(&a->gc->mmu, GC_CLIENT_TX, GC_READ, address);
	if (!tags) {
		a->faulted = true;
		return false;
	}
	return (*tags >> bit % 8 & ((1u << p->ts_bits) - 1)) == 1;
}

const uint32_t *tx_block(struct tx_access *a, uint32_t address)
{
	const struct tx_sampler *s = a->sampler;
	struct tx_block_cache *blocks = s->blocks;
	uint64_t key = (uint64_t)a->unit->generation << 32 | address;
	uint32_t slot = address / s->format->bytes % TX_BLOCKS;
	uint32_t *texel = &blocks->texel[slot * s->block_texels];
	const uint8_t *bytes = tx_memory(a, address, s->format->bytes);

	if (blocks->key[slot] == key)
		return texel;
	s->format->decode(bytes, s->format, s->srgb, texel);
	blocks->key[slot] = a->faulted ? 0 : key;
	return texel;
}
