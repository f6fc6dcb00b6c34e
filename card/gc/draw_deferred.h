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

/* Groups that a draw shades without other threads before groups are queued. */
#define GC_DEFERRED_AFTER 48

/**
 * gc_deferred_create - create the queue and start @threads - 1 threads for @gc's draws
 *
 * Returns: the queue; NULL if there are no other threads.
 */
struct gc_deferred *gc_deferred_create(struct gc_core *gc, struct gc_draw_unit *unit,
				       unsigned int threads);
void gc_deferred_destroy(struct gc_deferred *queue);

/** gc_deferred_begin - set unit->deferrable if the current draw can use the queue from now on */
void gc_deferred_begin(struct gc_deferred *queue);

/**
 * gc_deferred_block, gc_deferred_quads - shade and write a full group, possibly later on
 * another thread
 * @setup: number of the block's primitive set-up
 * @x: of the block's first pixel
 * @y: of the block's first pixel
 * @group: the quads
 *
 * As gc_draw_shade_block() and gc_draw_shade_quads(). The group's references to set-ups are
 * passed to the queue. The caller counts its pixels; the cost of its shader is counted later.
 *
 * Returns: false after a memory fault.
 */
bool gc_deferred_block(struct gc_deferred *queue, unsigned int setup, int x, int y);
bool gc_deferred_quads(struct gc_deferred *queue, const struct gc_quad_group *group);

/**
 * gc_deferred_part - the same for blocks of a tile located by gc_pe_locate_tile(); cannot fault
 */
void gc_deferred_part(struct gc_deferred *queue, const struct gc_tile_part *part);

/** gc_deferred_drain - wait until all queued groups are written and counted */
void gc_deferred_drain(struct gc_deferred *queue);

/**
 * gc_deferred_leave - end the use of the queue if an access to memory has found a conflict
 *
 * Called before and after a group is shaded, not within accesses to memory. Only for draws that
 * use the queue.
 *
 * Returns: true if the rest of the draw has to be shaded on this thread.
 */
bool gc_deferred_leave(struct gc_deferred *queue);

/**
 * gc_deferred_abandon - drain the queue, and shade the rest of the draw on this thread
 *
 * The registers in unit->pixel_batch are then as if all groups had been shaded on this thread.
 */
void gc_deferred_abandon(struct gc_deferred *queue);

/** gc_deferred_end - end the use of the queue for this draw; @queue may be NULL */
void gc_deferred_end(struct gc_deferred *queue);

#endif
