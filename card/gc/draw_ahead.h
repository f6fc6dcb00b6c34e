/* SPDX-License-Identifier: MIT */
/*
 * Drawing ahead: the thread that draws does all that has an order, and others
 * interpolate, shade and paint. Inside of the draw unit; see draw_ahead.c.
 */
#ifndef CARD_GC_DRAW_AHEAD_H
#define CARD_GC_DRAW_AHEAD_H

#include <stdbool.h>

#include "gc/draw_unit.h"

#define GC_AHEAD_AFTER 48

/** gc_ahead_create - start @threads - 1 threads for @gc's draws; NULL: there are none. */
struct gc_ahead *gc_ahead_create(struct gc_core *gc, struct gc_draw_unit *unit,
				 unsigned int threads);
void gc_ahead_destroy(struct gc_ahead *ahead);

/** gc_ahead_begin - set unit->goes_ahead if the draw under way may go on so. */
void gc_ahead_begin(struct gc_ahead *ahead);

/**
 * gc_ahead_block, gc_ahead_quads - shade and write a full group, now or later
 *
 * As gc_draw_shade_block() and gc_draw_shade_quads(). What of it is counted is
 * what is known of its pixels alone. The group's references go with it.
 *
 * Returns: false after a fault.
 */
bool gc_ahead_block(struct gc_ahead *ahead, unsigned int setup, int x, int y);
bool gc_ahead_quads(struct gc_ahead *ahead, const struct gc_quad_group *group);

/** gc_ahead_part - the same for blocks of a tile that are placed; they do not fault. */
void gc_ahead_part(struct gc_ahead *ahead, const struct gc_tile_part *part);

/** gc_ahead_settle - all groups so far are written and counted when this returns. */
void gc_ahead_settle(struct gc_ahead *ahead);

/**
 * gc_ahead_leave - the same, and the rest of the draw stays on this thread
 *
 * unit->pixel_batch is as if all of it had.
 */
void gc_ahead_leave(struct gc_ahead *ahead);

/** gc_ahead_end - the draw ends; @ahead may be NULL. */
void gc_ahead_end(struct gc_ahead *ahead);

#endif
