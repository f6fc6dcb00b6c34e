/* SPDX-License-Identifier: MIT */
/* Execution of a draw command, from the front end's parameters to pixels in memory. */
#ifndef CARD_GC_DRAW_H
#define CARD_GC_DRAW_H

#include <stdbool.h>
#include <stdint.h>

struct gc_core;
struct gc_draw_unit;

/* Parameters of the FE commands DRAW_PRIMITIVES, DRAW_INDEXED_PRIMITIVES and DRAW_INSTANCED. */
struct gc_draw {
	uint32_t primitive; /* PRIMITIVE_TYPE_* of the command */
	bool indexed;
	/* count is in vertices or indices (DRAW_INSTANCED), otherwise in primitives */
	bool by_vertices;
	uint32_t count;
	uint32_t first;      /* first vertex, or first index */
	int32_t base_vertex; /* added to each index */
	uint32_t instances;  /* 1 without instancing */
};

struct gc_draw_unit *gc_draw_create(struct gc_core *gc);
void gc_draw_destroy(struct gc_draw_unit *unit);

/**
 * gc_draw_drain - complete the queued part of the current draw, and push its pieces
 *
 * Afterwards memory and counters contain everything the draw has done so far. Must be called
 * before a callback of gc_yield() reads either.
 */
void gc_draw_drain(struct gc_core *gc);

/**
 * gc_draw_abandon_deferred - complete the queued part of the current draw, and go on without other
 *	threads in the rest of it
 *
 * Must be called before address translations change, because the threads have copies of them.
 */
void gc_draw_abandon_deferred(struct gc_core *gc);

/**
 * gc_draw_execute - execute a draw with the current state
 *
 * Adds to gc->work and gc->counters. Ends early after a reset or a memory fault.
 */
void gc_draw_execute(struct gc_core *gc, const struct gc_draw *draw);

#endif
