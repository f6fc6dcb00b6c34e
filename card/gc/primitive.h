/* SPDX-License-Identifier: MIT */
/*
 * Primitive assembly: converts a sequence of vertices to points, lines and triangles. Pure
 * functions on slot numbers.
 */
#ifndef CARD_GC_PRIMITIVE_H
#define CARD_GC_PRIMITIVE_H

#include <stdbool.h>
#include <stdint.h>

/* Number of vertices of an ended batch that an assembler may still need. */
#define GC_HELD_VERTICES 3

/* Most primitives that a vertex completes: a quad is two triangles. */
#define GC_PRIMITIVES_PER_VERTEX 2

#define GC_ALL_EDGES 7

struct gc_primitive {
	uint8_t count;     /* vertices: 1 point, 2 line, 3 triangle */
	uint8_t vertex[3]; /* slots, in order of the winding */
	uint8_t provoking; /* slot whose flat varyings are used */
	uint8_t edges; /* bit i: the edge from vertex i to the next one is an edge of the polygon */
};

struct gc_assembler {
	uint32_t type; /* PRIMITIVE_TYPE_* */
	bool provoking_last;
	bool odd;           /* the first two vertices of the strip's next triangle are exchanged */
	unsigned int count; /* vertices held */
	uint8_t held[GC_HELD_VERTICES];
};

void gc_assembler_begin(struct gc_assembler *a, uint32_t type, bool provoking_last);

/**
 * gc_assembler_push - add a vertex
 * @slot: its slot number
 * @out: receives up to GC_PRIMITIVES_PER_VERTEX primitives
 *
 * Returns: number of primitives.
 */
unsigned int gc_assembler_push(struct gc_assembler *a, uint8_t slot, struct gc_primitive *out);

/**
 * gc_assembler_end - end the sequence (also for primitive restart and the next instance)
 * @out: receives the closing line of a loop
 *
 * Incomplete primitives are dropped.
 *
 * Returns: number of primitives.
 */
unsigned int gc_assembler_end(struct gc_assembler *a, struct gc_primitive *out);

/** gc_assembler_begins_triangle - whether the next three vertices are a triangle of a list */
bool gc_assembler_begins_triangle(const struct gc_assembler *a);

/*
 * gc_assembler_triangle - assemble that triangle; does not change the assembler
 *
 * Inline, and set field by field: a structure of bytes that is loaded as one word right after
 * it was stored by bytes would wait for these stores.
 */
static inline void gc_assembler_triangle(const struct gc_assembler *a, uint8_t v0, uint8_t v1,
					 uint8_t v2, struct gc_primitive *out)
{
	out->count = 3;
	out->vertex[0] = v0;
	out->vertex[1] = v1;
	out->vertex[2] = v2;
	out->provoking = a->provoking_last ? v2 : v0;
	out->edges = GC_ALL_EDGES;
}

/**
 * gc_primitive_vertices - number of vertices of @primitives primitives of @type
 *
 * 64 bits, since the count of a draw command may exceed 32 bits when multiplied.
 */
uint64_t gc_primitive_vertices(uint32_t type, uint32_t primitives);

#endif
