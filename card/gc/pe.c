// SPDX-License-Identifier: MIT
/*
 * The pixel engine: creation, start of draws, cache flushes and occlusion queries. States are
 * decoded in pe_state.c; depth and stencil are in pe_depth.c, colour in pe_color.c and
 * pe_blend.c, in separate steps in pe_deferred.c and pe_tile.c, memory accesses in pe_locate.c and
 * pe_surface.c.
 */
#include <stdlib.h>
#include <string.h>

#include "gc/pe_internal.h"
#include "gc/trace.h"

static void lose_lines(struct gc_pixel_engine *pe)
{
	if (!pe->color_data)
		return;
	data_cache_drop(pe->color_data);
	data_cache_drop(pe->depth_data);
}

static void clear_caches(const struct gc_core *gc, struct gc_pixel_engine *pe)
{
	pixel_cache_init(&pe->color_cache, &gc->pipeline.params->structure);
	pixel_cache_init(&pe->depth_cache, &gc->pipeline.params->structure);
	gc_ts_cache_clear(&pe->ts_cache);
	lose_lines(pe);
}

static bool create_data(struct gc_core *gc, struct gc_pixel_engine *pe)
{
	pe->color_data = data_cache_create(1, PIXEL_CACHE_LINES, &gc->mmu, GC_CLIENT_PE);
	pe->depth_data = data_cache_create(1, PIXEL_CACHE_LINES, &gc->mmu, GC_CLIENT_PEZ);
	pe->tile_pages = malloc(GC_PE_TILE_PAGES * GC_PAGE_SIZE);
	return pe->color_data && pe->depth_data && pe->tile_pages;
}

struct gc_pixel_engine *gc_pe_create(struct gc_core *gc)
{
	struct gc_pixel_engine *pe = aligned_alloc(_Alignof(struct gc_pixel_engine), sizeof(*pe));

	if (!pe)
		return NULL;
	memset(pe, 0, sizeof(*pe));
	if (gc->options.cache_data && !create_data(gc, pe)) {
		gc_pe_destroy(pe);
		return NULL;
	}
	clear_caches(gc, pe);
	pe->samples = (struct pe_samples){ 1, 1, 1, 1 };
	pe->targets = 1;
	pe_order_tiles(gc, pe);
	return pe;
}

void gc_pe_destroy(struct gc_pixel_engine *pe)
{
	free(pe->color_data);
	free(pe->depth_data);
	free(pe->tile_pages);
	free(pe);
}

void gc_pe_reset(struct gc_core *gc)
{
	gc->pe->query = (struct pe_query){ .on = false };
	clear_caches(gc, gc->pe);
}

bool gc_pe_begin_draw(struct gc_core *gc)
{
	struct gc_pixel_engine *pe = gc->pe;
	bool color = false;

	pe->shader_kills = true;
	pe->shader_writes_depth = true;
	cache_memory_follow_mmu(&pe->color_cache.memory, gc->mmu.flushes);
	cache_memory_follow_mmu(&pe->depth_cache.memory, gc->mmu.flushes);
	pe_decode_depth(gc);
	pe_decode_color(gc);
	for (unsigned int i = 0; i < pe->targets; i++)
		color |= pe->target[i].on;
	return color || pe->depth.on || pe->query.on;
}

void gc_pe_shader(struct gc_core *gc, bool kills, bool writes_depth)
{
	gc->pe->shader_kills = kills;
	gc->pe->shader_writes_depth = writes_depth;
}

unsigned int gc_pe_samples(const struct gc_core *gc)
{
	return gc->pe->samples.count;
}

unsigned int gc_pe_targets(const struct gc_core *gc)
{
	return gc->pe->targets;
}

bool gc_pe_needs_depth(const struct gc_core *gc)
{
	return gc->pe->depth.on;
}

bool gc_pe_is_late(const struct gc_core *gc)
{
	const struct gc_pixel_engine *pe = gc->pe;

	return pe->depth.on || pe->alpha.on || pe->query.on || pe->samples.count > 1;
}

bool gc_pe_early(const struct gc_core *gc)
{
	const struct gc_pixel_engine *pe = gc->pe;

	return pe->depth.on && pe->depth.early_asked && !pe->alpha.on && !pe->shader_kills &&
	       !pe->shader_writes_depth;
}

void gc_pe_flush(struct gc_core *gc, bool color, bool depth)
{
	struct gc_pixel_engine *pe = gc->pe;
	uint64_t color_bytes = color ? pixel_cache_flush(&pe->color_cache) : 0;
	uint64_t depth_bytes = depth ? pixel_cache_flush(&pe->depth_cache) : 0;

	gc->work.color_write_bytes += color_bytes;
	gc->work.depth_write_bytes += depth_bytes;
	gc->counters.pe_write_bytes += color_bytes + depth_bytes;
	if (color && pe->color_data)
		data_cache_flush(pe->color_data);
	if (depth && pe->depth_data)
		data_cache_flush(pe->depth_data);
}

void gc_pe_lose_lines(struct gc_core *gc)
{
	lose_lines(gc->pe);
}

void gc_pe_flush_status(struct gc_core *gc)
{
	gc_ts_cache_flush(gc, &gc->pe->ts_cache);
}

void gc_pe_query_address(struct gc_core *gc, uint32_t address)
{
	/* results are 64-bit aligned; the low bits are ignored */
	gc->pe->query = (struct pe_query){ .on = true, .address = address & ~7u };
}

void gc_pe_end_query(struct gc_core *gc)
{
	struct pe_query *query = &gc->pe->query;
	uint64_t *to;

	if (!query->on)
		return;
	query->on = false;
	to = gc_mmu_map(&gc->mmu, GC_CLIENT_PE, GC_WRITE, query->address);
	if (!to)
		return;
	*to = query->samples;
	if (gc_tracing(gc))
		gc_trace(gc, "pe", "query of %llu samples to %#x",
			 (unsigned long long)query->samples, query->address);
}
