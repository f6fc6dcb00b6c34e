// SPDX-License-Identifier: MIT
/*
 * Functions of tx_fetch.h that are not inlined: a new cache line, tile status, decoding of a
 * block.
 */
#include "gc/tx_fetch.h"

#include "gc/tx_data.h"

static const uint8_t zeros[TX_LINE_BYTES];

unsigned int tx_request_lines(struct tx_access *a, const uint32_t *line, unsigned int count)
{
	unsigned int missed;

	if (a->unit->lines) {
		tx_record_lines(a->unit->lines, line, count);
		return 0;
	}
	missed = cache_model_read(&a->unit->cache, line, count);
	a->misses += missed;
	return missed;
}

/* After a fault all lines read as zero. */
void tx_next_line(struct tx_access *a, uint32_t address)
{
	uint32_t line = address >> TX_LINE_SHIFT, first = line << TX_LINE_SHIFT;
	struct tx_data *data = a->unit->data[a->vertex];
	const uint8_t *host = NULL;

	a->line = line;
	if (!a->faulted) {
		bool seen = tx_remember(a, line);

		if (!seen)
			tx_request_lines(a, &line, 1);
		host = gc_mmu_map(&a->gc->mmu, GC_CLIENT_TX, GC_READ, first);
		a->faulted = !host;
		if (data && host) {
			if (!seen)
				tx_data_fetch(data, line, host);
			host = tx_data_line(data, line);
		}
	}
	a->way = (uintptr_t)(host ? host : zeros) - first;
}

/* Tags are read from memory, and do not pass the texture cache [chosen]. */
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
	return (*tags >> bit % 8 & ((1u << p->ts_bits) - 1)) == 1; /* GC_TS_CLEARED of ts.h */
}

const uint32_t *tx_block(struct tx_access *a, uint32_t address)
{
	const struct tx_sampler *s = a->sampler;
	struct tx_block_cache *blocks = s->blocks;
	uint64_t key = (uint64_t)a->unit->generation << 32 | address;
	uint32_t slot = address / s->format->bytes % TX_BLOCKS;
	uint32_t *texel = &blocks->texel[slot * s->block_texels];
	/* also for a decoded block, as the texture cache is accessed for each texel */
	const uint8_t *bytes = tx_memory(a, address, s->format->bytes);

	if (blocks->key[slot] == key)
		return texel;
	s->format->decode(bytes, s->format, s->srgb, texel);
	blocks->key[slot] = a->faulted ? 0 : key;
	return texel;
}
