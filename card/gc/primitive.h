/* SPDX-License-Identifier: MIT */
/*
 * Primitive assembly: a sequence of vertices becomes points, lines and
 * triangles. Pure; it works on slot numbers, not on vertices.
 */
#ifndef CARD_GC_PRIMITIVE_H
#define CARD_GC_PRIMITIVE_H

#include <stdbool.h>
#include <stdint.h>

/* Slots of vertices an assembler may still refer to when their batch ends. */
#define GC_HELD_VERTICES 3

/* At most this many primitives come of one vertex (a quad is two triangles). */
#define GC_PRIMITIVES_PER_VERTEX 2

#define GC_ALL_EDGES 7

struct gc_primitive {
	uint8_t count;     /* vertices: 1 point, 2 line, 3 triangle */
	uint8_t vertex[3]; /* slots, in the order that gives the winding */
	uint8_t provoking; /* slot whose flat varyings are used */
	uint8_t edges;     /* bit i: edge from vertex i to the next is one of the polygon drawn */
};

struct gc_assembler {
	uint32_t type; /* PRIMITIVE_TYPE_* */
	bool provoking_last;
	bool odd;           /* the next triangle of a strip has its first two vertices swapped */
	unsigned int count; /* vertices held */
	uint8_t held[GC_HELD_VERTICES];
};

void gc_assembler_begin(struct gc_assembler *a, uint32_t type, bool provoking_last);

/**
 * gc_assembler_push - one more vertex
 * @slot: where it is
 * @out: gets up to GC_PRIMITIVES_PER_VERTEX primitives
 *
 * Returns: how many.
 */
unsigned int gc_assembler_push(struct gc_assembler *a, uint8_t slot, struct gc_primitive *out);

/**
 * gc_assembler_end - the sequence ends (also: primitive restart, next instance)
 * @out: gets the closing line of a loop
 *
 * Incomplete primitives are dropped. Returns: how many primitives.
 */
unsigned int gc_assembler_end(struct gc_assembler *a, struct gc_primitive *out);

/** gc_assembler_begins_triangle - whether the next three vertices are a triangle of a list. */
bool gc_assembler_begins_triangle(const struct gc_assembler *a);

/*
 * gc_assembler_triangle - that triangle; the assembler need not know of it
 *
 * Here, and field by field: a structure that is passed on as one word would
 * have to wait for the bytes it is made of.
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
 * gc_primitive_vertices - vertices that @primitives of @type need
 * (64-bit, as the counts of a draw command do not overflow it)
 */
uint64_t gc_primitive_vertices(uint32_t type, uint32_t primitives);

#endif
