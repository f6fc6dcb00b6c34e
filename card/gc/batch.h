/* SPDX-License-Identifier: MIT */
/*
 * Batches: 64 vertices or pixels that run through the shader together. Each vertex or pixel is
 * a lane; each register component is an array over the lanes.
 *
 * In a pixel batch four neighbouring lanes are a quad: lane 4q+0 is (x, y), 4q+1 (x+1, y), 4q+2
 * (x, y+1), 4q+3 (x+1, y+1). Lanes outside the primitive are shaded too, because the
 * derivatives of the covered lanes need them, but they are not in the coverage mask.
 */
#ifndef CARD_GC_BATCH_H
#define CARD_GC_BATCH_H

#include <stdint.h>

#define GC_LANES 64
#define GC_QUADS (GC_LANES / 4)

/*
 * Lanes of a host vector, by the instruction set that the card is compiled for: 8 lanes (two
 * quads) with AVX2, 16 (four quads) with AVX-512. Results do not depend on it.
 */
#if defined(__AVX512BW__) && defined(__AVX512DQ__)
#define GC_VECTOR 16
#else
#define GC_VECTOR 8
#endif

/* One register component of all lanes. */
union gc_lanes {
	float f[GC_LANES];
	int32_t i[GC_LANES];
	uint32_t u[GC_LANES];
} __attribute__((aligned(64)));

/* One vec4 register of all lanes. */
struct gc_vec4 {
	union gc_lanes c[4];
};

/* A colour of all lanes: pointers to its four components. */
struct gc_color {
	const union gc_lanes *c[4];
	unsigned int same; /* components that have the same value in all lanes, one bit each */
};

static inline struct gc_color gc_color_of(const struct gc_vec4 *v)
{
	return (struct gc_color){ .c = { &v->c[0], &v->c[1], &v->c[2], &v->c[3] } };
}

#define GC_TEMPS 64

/* The registers of a batch while the shader runs. */
struct gc_batch {
	struct gc_vec4 temp[GC_TEMPS];
	struct gc_vec4 address; /* a0; not visible outside the shader */
	uint64_t live;          /* lanes that are run, helper lanes included; one bit each */
	uint64_t helpers;       /* pixel batches: of these, lanes without a covered sample */
	uint64_t killed;        /* lanes that executed TEXKILL; set by the shader */
	union gc_lanes vertex_id, instance_id; /* vertex batches */
	/* pixel batches: the core's internal face register: 1.0 front (gc_quad.front), 0 back */
	union gc_lanes face;
};

#endif
