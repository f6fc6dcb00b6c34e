/* SPDX-License-Identifier: MIT */
/*
 * Deferred shading: the drawing thread does everything whose order matters (depth test,
 * addresses, cache model) and queues groups of quads; other threads interpolate, shade and
 * write them. See draw_deferred.c.
 */
#ifndef CARD_GC_DRAW_DEFERRED_H
#define CARD_GC_DRAW_DEFERRED_H

#include <stdbool.h>

#include "gc/draw_unit.h"

#define GC_DEFERRED_AFTER 48

/** gc_deferred_create - start @threads - 1 threads for @gc's draws; NULL: there are none. */
struct gc_deferred *gc_deferred_create(struct gc_core *gc, struct gc_draw_unit *unit,
				       unsigned int threads);
void gc_deferred_destroy(struct gc_deferred *queue);

/** gc_deferred_begin - set unit->deferrable if the draw under way may go on so. */
void gc_deferred_begin(struct gc_deferred *queue);

/**
 * gc_deferred_block, gc_deferred_quads - shade and write a full group, now or later
 *
 * As gc_draw_shade_block() and gc_draw_shade_quads(). What of it is counted is
 * what is known of its pixels alone. The group's references go with it.
 *
 * Returns: false after a fault.
 */
bool gc_deferred_block(struct gc_deferred *queue, unsigned int setup, int x, int y);
bool gc_deferred_quads(struct gc_deferred *queue, const struct gc_quad_group *group);

/** gc_deferred_part - the same for blocks of a tile that are placed; they do not fault. */
void gc_deferred_part(struct gc_deferred *queue, const struct gc_tile_part *part);

/** gc_deferred_drain - all groups so far are written and counted when this returns. */
void gc_deferred_drain(struct gc_deferred *queue);

/**
 * gc_deferred_abandon - the same, and the rest of the draw stays on this thread
 *
 * unit->pixel_batch is as if all of it had.
 */
void gc_deferred_abandon(struct gc_deferred *queue);

/** gc_deferred_end - the draw ends; @deferred may be NULL. */
void gc_deferred_end(struct gc_deferred *queue);

#endif
