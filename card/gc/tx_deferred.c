// SPDX-License-Identifier: MIT
/*
 * Texture lookups on other threads (draw_deferred.c). The texture cache has to be accessed in the
 * order of drawing, so such lookups record the lines they access, and the cache model processes
 * them when their chunk retires. They must not fault, so the pages they may read are mapped before.
 */
#include <math.h>
#include <stdlib.h>

#include "gc/texture.h"
#include "gc/tx_fetch.h"

#define INITIAL_LINES 1024
#define TEXEL_ALIGN_MASK 15u /* texels are aligned, and have 16 bytes at most */

void tx_record_lines(struct gc_texture_lines *lines, const uint32_t *line, unsigned int count)
{
	if (lines->count + count > lines->room) {
		lines->room = 2 * lines->room + count + INITIAL_LINES;
		lines->line = realloc(lines->line, lines->room * sizeof(lines->line[0]));
		if (!lines->line)
			abort();
	}
	memcpy(&lines->line[lines->count], line, count * sizeof(line[0]));
	lines->count += count;
}

/*
 * Number of bytes that a face or layer of @level occupies. Samplers with @fast, the only ones here,
 * have no slices, and are linear, tiled or supertiled.
 */
static uint64_t reach(const struct tx_sampler *s, const struct tx_level *level)
{
	uint64_t width = (uint32_t)level->size[0], height = (uint32_t)level->size[1];
	uint64_t bytes = s->format->bytes, stride = level->stride;

	switch (s->layout) {
	case GC_LINEAR:
		return (height - 1) * stride + width * bytes;
	case GC_TILED:
		return ((height + 3) / 4 - 1) * 4 * stride + (width + 3) / 4 * 16 * bytes;
	default:
		return ((height + 63) / 64 - 1) * 64 * stride + (width + 63) / 64 * 4096 * bytes;
	}
}

static bool pages_of_level(const struct tx_sampler *s, unsigned int l,
			   bool (*each)(void *ctx, uint32_t address), void *ctx)
{
	const struct tx_level *level = &s->level[l];
	uint64_t first = level->address & ~TEXEL_ALIGN_MASK;
	uint64_t end =
		level->address + (uint64_t)(s->layers - 1) * level->layer_stride + reach(s, level);

	/*
	 * round up to the largest texel, not further: the next page may be written by this draw
	 */
	end = (end + TEXEL_ALIGN_MASK) & ~(uint64_t)TEXEL_ALIGN_MASK;
	if (end > UINT32_MAX)
		return false;
	for (uint64_t at = first & ~(uint64_t)(GC_PAGE_SIZE - 1); at < end; at += GC_PAGE_SIZE)
		if (!each(ctx, (uint32_t)at))
			return false;
	return true;
}

bool gc_texture_is_flat(const struct gc_core *gc, unsigned int index)
{
	const struct tx_sampler *s = &gc->tx->sampler[index % TX_SAMPLERS];

	return s->enabled && s->fast && s->layers == 1 && !s->array;
}

bool gc_texture_pages(const struct gc_core *gc, unsigned int index,
		      bool (*each)(void *ctx, uint32_t address), void *ctx)
{
	const struct tx_sampler *s = &gc->tx->sampler[index % TX_SAMPLERS];

	if (!s->enabled)
		return true;
	/* with --caches=data, what a lookup reads depends on those before it */
	if (!s->fast || s->ts.enabled || tx_format_is_compressed(s->format) || gc->tx->data[0])
		return false;
	for (unsigned int l = 0; l < TX_LEVELS && (float)l <= ceilf(s->lod_max); l++)
		if (!pages_of_level(s, l, each, ctx))
			return false;
	return true;
}

void gc_texture_mirror(struct gc_core *to, const struct gc_core *from, unsigned int index)
{
	to->tx->sampler[index % TX_SAMPLERS] = from->tx->sampler[index % TX_SAMPLERS];
	/* for compressed formats only, which gc_texture_pages() refuses; @from frees them */
	to->tx->sampler[index % TX_SAMPLERS].blocks = NULL;
	to->tx->general_only = from->tx->general_only;
}

void gc_texture_record(struct gc_core *gc, struct gc_texture_lines *lines)
{
	gc->tx->lines = lines;
}

void gc_texture_replay(struct gc_core *gc, const struct gc_texture_lines *lines, size_t from,
		       size_t to, struct gpu_work *work)
{
	struct gc_counters *n = &gc->counters;
	uint64_t misses =
		cache_model_read(&gc->tx->cache, &lines->line[from], (unsigned int)(to - from));
	uint64_t bytes = misses * TX_LINE_BYTES;
	uint32_t page = UINT32_MAX;

	for (size_t i = from; i < to; i++) {
		uint32_t address = lines->line[i] << TX_LINE_SHIFT;

		if (address / GC_PAGE_SIZE == page)
			continue;
		page = address / GC_PAGE_SIZE;
		gc_mmu_map(&gc->mmu, GC_CLIENT_TX, GC_READ, address); /* as a read fills the TLB */
	}
	n->tx_mem_reads += misses;
	n->tx_mem_read_8b += bytes / 8;
	n->tx_cache_misses += misses;
	n->tx_cache_hits -= misses; /* the lookups counted all texels as hits */
	n->tx_read_bytes += bytes;
	work->texture_bytes += bytes;
	work->texture_pages += cache_memory_new_pages(&gc->tx->cache.memory);
	work->texture_walks += cache_memory_new_walks(&gc->tx->cache.memory);
}
