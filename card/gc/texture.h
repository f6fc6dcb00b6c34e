/* SPDX-License-Identifier: MIT */
/*
 * The texture unit: sampler states (TE and NTE), addressing, formats, filters.
 * The shader calls gc_texture_sample(), declared in gc/shader.h.
 */
#ifndef CARD_GC_TEXTURE_H
#define CARD_GC_TEXTURE_H

struct gc_core;
struct gc_texture_unit;

struct gc_texture_unit *gc_texture_create(struct gc_core *gc);
void gc_texture_destroy(struct gc_texture_unit *unit);

/** gc_texture_begin_draw - decode changed sampler states; called once before each draw. */
void gc_texture_begin_draw(struct gc_core *gc);

/** gc_texture_flush - forget cached texels (GL FLUSH_CACHE TEXTURE). */
void gc_texture_flush(struct gc_core *gc);

#endif
