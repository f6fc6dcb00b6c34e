// SPDX-License-Identifier: MIT
/*
 * Primitive assembly. Winding and provoking vertex are GL's: odd triangles of a strip exchange
 * their first two vertices, a fan's provoking vertex is never its centre, a quad is split along
 * the diagonal that ends in its provoking vertex.
 */
#include "gc/primitive.h"

#include "hw/cmdstream.xml.h"

void gc_assembler_begin(struct gc_assembler *a, uint32_t type, bool provoking_last)
{
	*a = (struct gc_assembler){ .type = type, .provoking_last = provoking_last };
}

static struct gc_primitive line(const struct gc_assembler *a, uint8_t v0, uint8_t v1)
{
	return (struct gc_primitive){ .count = 2,
				      .vertex = { v0, v1 },
				      .provoking = a->provoking_last ? v1 : v0 };
}

static struct gc_primitive triangle(uint8_t v0, uint8_t v1, uint8_t v2, uint8_t provoking,
				    uint8_t edges)
{
	return (struct gc_primitive){
		.count = 3, .vertex = { v0, v1, v2 }, .provoking = provoking, .edges = edges
	};
}

static void hold(struct gc_assembler *a, uint8_t slot)
{
	a->held[a->count++] = slot;
}

bool gc_assembler_begins_triangle(const struct gc_assembler *a)
{
	return a->type == PRIMITIVE_TYPE_TRIANGLES && !a->count;
}

static unsigned int push_strip(struct gc_assembler *a, uint8_t slot, struct gc_primitive *out)
{
	uint8_t v0, v1;

	if (a->count < 2) {
		hold(a, slot);
		return 0;
	}
	v0 = a->held[0];
	v1 = a->held[1];
	out[0] = a->odd ? triangle(v1, v0, slot, a->provoking_last ? slot : v0, GC_ALL_EDGES)
			: triangle(v0, v1, slot, a->provoking_last ? slot : v0, GC_ALL_EDGES);
	a->odd = !a->odd;
	a->held[0] = v1;
	a->held[1] = slot;
	return 1;
}

static unsigned int push_fan(struct gc_assembler *a, uint8_t slot, struct gc_primitive *out)
{
	if (a->count < 2) {
		hold(a, slot);
		return 0;
	}
	out[0] = triangle(a->held[0], a->held[1], slot, a->provoking_last ? slot : a->held[1],
			  GC_ALL_EDGES);
	a->held[1] = slot;
	return 1;
}

/* Line strip and loop; for a loop held[0] stays the first vertex. */
static unsigned int push_line(struct gc_assembler *a, uint8_t slot, struct gc_primitive *out)
{
	if (a->count < 2) {
		hold(a, slot);
		if (a->count < 2)
			return 0;
		out[0] = line(a, a->held[0], slot);
		return 1;
	}
	out[0] = line(a, a->held[1], slot);
	a->held[1] = slot;
	return 1;
}

static unsigned int push_quad(struct gc_assembler *a, uint8_t slot, struct gc_primitive *out)
{
	const uint8_t *v = a->held;

	if (a->count < 3) {
		hold(a, slot);
		return 0;
	}
	a->count = 0;
	if (a->provoking_last) {
		out[0] = triangle(v[0], v[1], slot, slot, 1 | 4);
		out[1] = triangle(v[1], v[2], slot, slot, 1 | 2);
	} else {
		out[0] = triangle(v[0], v[1], v[2], v[0], 1 | 2);
		out[1] = triangle(v[0], v[2], slot, v[0], 2 | 4);
	}
	return 2;
}

static unsigned int push_list(struct gc_assembler *a, uint8_t slot, unsigned int vertices,
			      struct gc_primitive *out)
{
	hold(a, slot);
	if (a->count < vertices)
		return 0;
	a->count = 0;
	if (vertices == 2)
		out[0] = line(a, a->held[0], slot);
	else
		gc_assembler_triangle(a, a->held[0], a->held[1], slot, out);
	return 1;
}

unsigned int gc_assembler_push(struct gc_assembler *a, uint8_t slot, struct gc_primitive *out)
{
	switch (a->type) {
	case PRIMITIVE_TYPE_POINTS:
		out[0] = (struct gc_primitive){ .count = 1, .vertex = { slot }, .provoking = slot };
		return 1;
	case PRIMITIVE_TYPE_LINES:
		return push_list(a, slot, 2, out);
	case PRIMITIVE_TYPE_LINE_STRIP:
	case PRIMITIVE_TYPE_LINE_LOOP:
		return push_line(a, slot, out);
	case PRIMITIVE_TYPE_TRIANGLES:
		return push_list(a, slot, 3, out);
	case PRIMITIVE_TYPE_TRIANGLE_STRIP:
		return push_strip(a, slot, out);
	case PRIMITIVE_TYPE_TRIANGLE_FAN:
		return push_fan(a, slot, out);
	case PRIMITIVE_TYPE_QUADS:
		return push_quad(a, slot, out);
	default:
		return 0;
	}
}

unsigned int gc_assembler_end(struct gc_assembler *a, struct gc_primitive *out)
{
	unsigned int made = 0;

	if (a->type == PRIMITIVE_TYPE_LINE_LOOP && a->count == 2) {
		out[0] = line(a, a->held[1], a->held[0]);
		made = 1;
	}
	a->count = 0;
	a->odd = false;
	return made;
}

uint64_t gc_primitive_vertices(uint32_t type, uint32_t primitives)
{
	uint64_t n = primitives;

	if (!n)
		return 0;
	switch (type) {
	case PRIMITIVE_TYPE_POINTS:
	case PRIMITIVE_TYPE_LINE_LOOP:
		return n;
	case PRIMITIVE_TYPE_LINES:
		return 2 * n;
	case PRIMITIVE_TYPE_LINE_STRIP:
		return n + 1;
	case PRIMITIVE_TYPE_TRIANGLES:
		return 3 * n;
	case PRIMITIVE_TYPE_TRIANGLE_STRIP:
	case PRIMITIVE_TYPE_TRIANGLE_FAN:
		return n + 2;
	case PRIMITIVE_TYPE_QUADS:
		return 4 * n;
	default:
		return 0;
	}
}
