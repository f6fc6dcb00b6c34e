/* SPDX-License-Identifier: MIT */
/*
 * The texture unit: sampler states (TE and NTE), addressing, formats, filters.
 * The shader calls gc_texture_sample(), declared in gc/shader.h.
 */
#ifndef CARD_GC_TEXTURE_H
#define CARD_GC_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gc_core;
struct gc_texture_unit;

struct gc_texture_unit *gc_texture_create(struct gc_core *gc);
void gc_texture_destroy(struct gc_texture_unit *unit);

/** gc_texture_begin_draw - decode changed sampler states; called once before each draw. */
void gc_texture_begin_draw(struct gc_core *gc);

/* Cache lines that lookups asked for, in order, by number. */
struct gc_texture_lines {
	uint32_t *line;
	size_t count, room;
};

/** gc_texture_is_flat - whether lookups of sampler @index look at no more than two coordinates. */
bool gc_texture_is_flat(const struct gc_core *gc, unsigned int index);

/**
 * gc_texture_pages - every page that lookups of sampler @index may read in this draw
 * @each: called with an address in each; false ends it
 *
 * Returns: false if @each said so or if they are not known beforehand.
 */
bool gc_texture_pages(const struct gc_core *gc, unsigned int index,
		      bool (*each)(void *ctx, uint32_t address), void *ctx);

/** gc_texture_mirror - make sampler @index of @to the same as that of @from. */
void gc_texture_mirror(struct gc_core *to, const struct gc_core *from, unsigned int index);

/**
 * gc_texture_record - lookups of @gc note lines in @lines from now on
 *
 * They count as if each line were in the cache. gc_texture_replay() does the rest.
 */
void gc_texture_record(struct gc_core *gc, struct gc_texture_lines *lines);

/** gc_texture_replay - cache and translations of @gc learn of @lines, which are then forgotten. */
void gc_texture_replay(struct gc_core *gc, struct gc_texture_lines *lines);

/** gc_texture_flush - forget cached texels (GL FLUSH_CACHE TEXTURE). */
void gc_texture_flush(struct gc_core *gc);

#endif
