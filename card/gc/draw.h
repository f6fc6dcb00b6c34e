/* SPDX-License-Identifier: MIT */
/* A draw command, from the front end to the pixels. */
#ifndef CARD_GC_DRAW_H
#define CARD_GC_DRAW_H

#include <stdbool.h>
#include <stdint.h>

struct gc_core;
struct gc_draw_unit;

/* As the FE commands DRAW_PRIMITIVES, DRAW_INDEXED_PRIMITIVES and DRAW_INSTANCED say it. */
struct gc_draw {
	uint32_t primitive; /* PRIMITIVE_TYPE_* of the command */
	bool indexed;
	bool by_vertices; /* count is of vertices or indices (DRAW_INSTANCED), else of primitives */
	uint32_t count;
	uint32_t first;      /* first vertex, or first index */
	int32_t base_vertex; /* added to each index */
	uint32_t instances;  /* 1 without instancing */
};

struct gc_draw_unit *gc_draw_create(struct gc_core *gc);
void gc_draw_destroy(struct gc_draw_unit *unit);

/**
 * gc_draw_drain - let memory and counters hold all that the draw under way has done
 *
 * Before anybody looks who is called back by gc_yield().
 */
void gc_draw_drain(struct gc_core *gc);

/**
 * gc_draw_abandon_deferred - let one thread do what is left of the draw under way
 *
 * Before translations change: other threads have copies of them.
 */
void gc_draw_abandon_deferred(struct gc_core *gc);

/**
 * gc_draw_execute - draw, with the state as it stands
 *
 * Fills gc->work and gc->counters. Stops early when the core was reset or an
 * access faulted.
 */
void gc_draw_execute(struct gc_core *gc, const struct gc_draw *draw);

#endif
