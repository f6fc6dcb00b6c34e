/* SPDX-License-Identifier: MIT */
/*
 * The texture unit: sampler states (TE and NTE), addressing, formats, filters. The shader calls
 * gc_texture_sample(), declared in gc/shader.h.
 */
#ifndef CARD_GC_TEXTURE_H
#define CARD_GC_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gc_core;
struct gpu_work;
struct gc_texture_unit;

struct gc_texture_unit *gc_texture_create(struct gc_core *gc);
void gc_texture_destroy(struct gc_texture_unit *unit);

/** gc_texture_begin_draw - decode changed sampler states; called before each draw */
void gc_texture_begin_draw(struct gc_core *gc);

/* Numbers of the cache lines that lookups accessed, in order. */
struct gc_texture_lines {
	uint32_t *line;
	size_t count, room;
};

/** gc_texture_is_flat - whether lookups of sampler @index use at most two coordinates */
bool gc_texture_is_flat(const struct gc_core *gc, unsigned int index);

/**
 * gc_texture_pages - enumerate the pages that lookups of sampler @index may read in this draw
 * @index: number of the sampler
 * @each: called with an address in each page; returns false to stop
 * @ctx: passed to @each
 *
 * Returns: false if @each returned false, or if the pages are not known in advance.
 */
bool gc_texture_pages(const struct gc_core *gc, unsigned int index,
		      bool (*each)(void *ctx, uint32_t address), void *ctx);

/** gc_texture_mirror - copy the decoded state of sampler @index */
void gc_texture_mirror(struct gc_core *to, const struct gc_core *from, unsigned int index);

/**
 * gc_texture_record - from now on, append the lines that lookups access to @lines
 * @lines: NULL to end this
 *
 * Lookups are counted as cache hits; gc_texture_replay() corrects that.
 */
void gc_texture_record(struct gc_core *gc, struct gc_texture_lines *lines);

/**
 * gc_texture_replay - update cache and translations of @gc by lines @from to @to - 1 of @lines
 * @work: gets the bytes and DRAM pages that they miss
 */
void gc_texture_replay(struct gc_core *gc, const struct gc_texture_lines *lines, size_t from,
		       size_t to, struct gpu_work *work);

/**
 * gc_texture_stale_lines - accesses to cached lines that did not hold what memory did
 *
 * Always 0 unless gc_options.cache_data.
 */
uint64_t gc_texture_stale_lines(const struct gc_core *gc);

/**
 * gc_texture_flush - invalidate cached texels
 * @fragment: of fragment textures (GL_FLUSH_CACHE.TEXTURE)
 * @vertex: of vertex textures (TEXTUREVS); the model of time has one cache for both
 */
void gc_texture_flush(struct gc_core *gc, bool fragment, bool vertex);

#endif
