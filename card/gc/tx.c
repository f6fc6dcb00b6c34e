// SPDX-License-Identifier: MIT
/*
 * Entry points of the texture unit: creation, decoding of samplers before a draw, sampling of a
 * batch, flush.
 */
#include "gc/texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gc/personality.h"
#include "gc/trace.h"
#include "gc/tx_data.h"
#include "gc/tx_fetch.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "plain.h"

#define TX_CACHE_BYTES_HALTI0 2048 /* before HALTI2: that of GC2000 (Ma 2014, see clock.rst) */
#define TX_CACHE_BYTES 4096        /* cores with HALTI2 [chosen] */

struct gc_texture_unit *gc_texture_create(struct gc_core *gc)
{
	struct gc_texture_unit *unit = calloc(1, sizeof(*unit));

	if (!unit)
		return NULL;
	unit->supertile_mode = gc->personality->supertile_mode;
	cache_model_init(&unit->cache,
			 gc->personality->halti >= 2 ? TX_CACHE_BYTES : TX_CACHE_BYTES_HALTI0,
			 TX_LINE_BYTES, &gc->pipeline.params->structure);
	unit->stamp = UINT64_MAX;
	unit->generation = 1;
	for (unsigned int i = 0; gc->options.cache_data && i < 2; i++) {
		unit->data[i] = tx_data_create(&unit->cache);
		if (!unit->data[i]) {
			gc_texture_destroy(unit);
			return NULL;
		}
	}
	return unit;
}

void gc_texture_destroy(struct gc_texture_unit *unit)
{
	if (!unit)
		return;
	for (unsigned int i = 0; i < TX_SAMPLERS; i++)
		free(unit->sampler[i].blocks);
	for (unsigned int i = 0; i < 2; i++)
		tx_data_destroy(unit->data[i]);
	free(unit);
}

/*
 * Allocate the cache of decoded blocks; without memory the sampler is disabled. Keys of 0 are free
 * entries, as the generation is at least 1.
 */
static bool provide_blocks(struct tx_sampler *s)
{
	unsigned int texels = s->format->block_w * s->format->block_h;

	if (!tx_format_is_compressed(s->format) || (s->blocks && s->block_texels >= texels))
		return true;
	free(s->blocks);
	s->blocks = calloc(1, sizeof(*s->blocks) + TX_BLOCKS * texels * sizeof(uint32_t));
	s->block_texels = texels;
	return s->blocks;
}

/* Invalidate decoded blocks of earlier draws, since memory may have changed. */
static void invalidate_blocks(struct gc_texture_unit *unit)
{
	if (++unit->generation)
		return;
	for (unsigned int i = 0; i < TX_SAMPLERS; i++)
		if (unit->sampler[i].blocks)
			memset(unit->sampler[i].blocks->key, 0,
			       sizeof(unit->sampler[i].blocks->key));
	unit->generation = 1;
}

void gc_texture_begin_draw(struct gc_core *gc)
{
	struct gc_texture_unit *unit = gc->tx;
	uint64_t stamp = tx_state_stamp(gc);

	cache_memory_follow_mmu(&unit->cache.memory, gc->mmu.flushes);
	invalidate_blocks(unit);
	if (stamp == unit->stamp)
		return;
	unit->stamp = stamp;
	for (unsigned int i = 0; i < TX_SAMPLERS; i++) {
		struct tx_sampler *s = &unit->sampler[i];

		s->enabled = tx_decode_sampler(gc, i, s) && provide_blocks(s);
		if (s->enabled && gc_tracing(gc))
			gc_trace(gc, "tx", "sampler %u: %s %dx%dx%d layout %d lod %g..%g%s", i,
				 s->format->name, s->level[0].size[0], s->level[0].size[1],
				 s->level[0].size[2], (int)s->layout, s->lod_min, s->lod_max,
				 s->ts.enabled ? " ts" : "");
	}
}

uint64_t gc_texture_stale_lines(const struct gc_core *gc)
{
	const struct gc_texture_unit *unit = gc->tx;

	return unit->data[0] ? unit->data[0]->stale + unit->data[1]->stale : 0;
}

void gc_texture_flush(struct gc_core *gc, bool fragment, bool vertex)
{
	struct gc_texture_unit *unit = gc->tx;

	invalidate_blocks(unit);
	cache_model_flush(&unit->cache);
	if (unit->data[0] && fragment)
		data_cache_drop(unit->data[0]->cache);
	if (unit->data[1] && vertex)
		data_cache_drop(unit->data[1]->cache);
}

static void fill(struct gc_vec4 *result, uint64_t live, const float rgba[4])
{
	for (unsigned int i = 0; i < GC_LANES; i++)
		if (live >> i & 1)
			for (int c = 0; c < 4; c++)
				result->c[c].f[i] = rgba[c];
}

/* Apply the swizzle; components keep their bits. */
static void swizzle(const struct tx_sampler *s, const struct gc_vec4 *from, struct gc_vec4 *to)
{
	union {
		float f;
		uint32_t u;
	} one = { .f = 1.0f };

	if (tx_format_is_integer(s->format))
		one.u = 1;
	for (int c = 0; c < 4; c++) {
		if (s->swizzle[c] <= TEXTURE_SWIZZLE_ALPHA) {
			to->c[c] = from->c[s->swizzle[c]];
			continue;
		}
		for (unsigned int i = 0; i < GC_LANES; i++)
			to->c[c].u[i] = s->swizzle[c] == TEXTURE_SWIZZLE_ONE ? one.u : 0;
	}
}

static void put(struct gc_vec4 *to, unsigned int lane, const float rgba[4])
{
	for (int c = 0; c < 4; c++)
		memcpy(&to->c[c].u[lane], &rgba[c], sizeof(uint32_t));
}

static void fetch_lanes(struct tx_access *a, const struct gc_texture_request *q, struct gc_vec4 *to)
{
	float rgba[4];

	for (unsigned int i = 0; i < GC_LANES; i++) {
		int32_t at[3];

		if (!(q->live >> i & 1))
			continue;
		for (int c = 0; c < 3; c++)
			at[c] = q->coord[c] ? q->coord[c]->i[i] : 0;
		tx_fetch_lane(a, at, q->lod ? q->lod->f[i] : 0.0f, rgba);
		put(to, i, rgba);
	}
}

static void filter_lanes(struct tx_access *a, const union gc_lanes *reference, uint64_t live,
			 const struct tx_lookup *lookup, struct gc_vec4 *to)
{
	float rgba[4];

	for (; live; live &= live - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(live);

		tx_filter_lane(a, lookup, i, reference ? &reference->f[i] : NULL, rgba);
		put(to, i, rgba);
	}
}

/* By tx_filter.c, for @fast samplers in the order in which tx_fast() reads. */
static void filter_general(struct tx_access *a, const struct tx_lookup *lookup,
			   const union gc_lanes *reference, uint64_t live, struct gc_vec4 *to)
{
	if (a->sampler->fast)
		tx_filter_taps(a, lookup, reference, live, to);
	else
		filter_lanes(a, reference, live, lookup, to);
}

/* Probes beyond the first one of anisotropic lookups, in each of the levels that they read. */
static uint64_t count_probes(const struct tx_lookup *lookup, uint64_t live)
{
	uint64_t probes = 0;

	for (; live; live &= live - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(live);

		probes += (lookup->probes[i] - 1u) * (1u + (lookup->blended >> i & 1));
	}
	return probes;
}

static void count_filters(struct gc_core *gc, const struct tx_sampler *sampler,
			  const struct tx_lookup *lookup, uint64_t live)
{
	struct gc_counters *n = &gc->counters;
	uint64_t trilinear = (uint64_t)__builtin_popcountll(lookup->blended & live);

	n->tx_trilinear_requests += trilinear;
	gc->work.filters += trilinear; /* those of the second level */
	if (sampler->anisotropy > 1.0f)
		gc->work.filters += count_probes(lookup, live);
	n->tx_bilinear_requests +=
		(uint64_t)__builtin_popcountll(lookup->linear & ~lookup->blended & live);
}

/* While lines are recorded nothing is missed yet; gc_texture_replay() corrects the hits. */
static void count_memory(struct gc_core *gc, const struct tx_access *a)
{
	struct gc_counters *n = &gc->counters;
	uint64_t read_bytes = a->misses * TX_LINE_BYTES;

	n->tx_mem_reads += a->misses;
	n->tx_mem_read_8b += read_bytes / 8;
	n->tx_cache_misses += a->misses;
	n->tx_cache_hits += a->texels - a->misses;
	n->tx_read_bytes += read_bytes;
	gc->work.texture_bytes += read_bytes;
	gc->work.texture_pages += cache_memory_new_pages(&gc->tx->cache.memory);
	gc->work.texture_walks += cache_memory_new_walks(&gc->tx->cache.memory);
}

/* Whether tx_one_level() can do it: all lanes have one level, the same for all, and the same filter. */
static bool is_one_level(const struct tx_lookup *lookup)
{
	return lookup->uniform && !lookup->blended && (!lookup->linear || !~lookup->linear);
}

static void sample(struct tx_access *a, const struct gc_texture_request *q, struct gc_vec4 *to)
{
	const union gc_lanes *reference = NULL;
	struct tx_lookup lookup;

	if (a->sampler->compare && q->shadow)
		reference = q->reference;
	if (q->mode == GC_TEX_FETCH) {
		fetch_lanes(a, q, to);
		return;
	}
	tx_prepare(a->sampler, q, &lookup);
	count_filters(a->gc, a->sampler, &lookup, q->live);
	if (CARD_PLAIN || a->unit->general_only || !a->sampler->fast)
		filter_general(a, &lookup, reference, q->live, to);
	else if (a->sampler->one_level && is_one_level(&lookup) && !reference)
		tx_one_level(a, &lookup, q->live, to);
	else
		tx_fast(a, &lookup, reference, q->live, to);
}

void gc_texture_sample(struct gc_core *gc, const struct gc_texture_request *request,
		       struct gc_vec4 *result)
{
	static const float off[4] = { 0.0f, 0.0f, 0.0f, 1.0f };
	struct gc_texture_unit *unit = gc->tx;
	struct tx_access access = { .gc = gc, .unit = unit, .line = UINT32_MAX };
	unsigned int lanes = (unsigned int)__builtin_popcountll(request->live);
	struct gc_vec4 texels;

	gc->counters.tx_requests += lanes;
	access.sampler = &unit->sampler[request->sampler % TX_SAMPLERS];
	access.vertex = !request->pixel_stage;
	if (!access.sampler->enabled) {
		gc->counters.tx_discarded_requests += lanes;
		fill(result, request->live, off);
		return;
	}
	if (access.sampler->identity) {
		sample(&access, request, result);
	} else {
		sample(&access, request, &texels);
		swizzle(access.sampler, &texels, result);
	}
	count_memory(gc, &access);
}
