/* SPDX-License-Identifier: MIT */
/*
 * Vertices: the layout of their attributes in memory, the fetch of a batch of
 * them into shader registers, and the record a shaded vertex becomes.
 */
#ifndef CARD_GC_VERTEX_H
#define CARD_GC_VERTEX_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/batch.h"

struct gc_core;

#define GC_MAX_ELEMENTS 16
#define GC_MAX_STREAMS 16
#define GC_MAX_VARYINGS 16
#define GC_MAX_COMPONENTS (4 * GC_MAX_VARYINGS)

/* One attribute, as FE_VERTEX_ELEMENT_CONFIG describes it. */
struct gc_element {
	uint8_t type;       /* FE_DATA_TYPE_* */
	uint8_t components; /* 1..4 */
	uint8_t stream;
	uint8_t start;    /* bytes from the start of the vertex in its stream */
	uint8_t size;     /* bytes in memory */
	uint8_t reg;      /* temporary of the vertex shader it is loaded into */
	bool sign_extend; /* NORMALIZE_SIGN_EXTEND: to 0..1 or -1..1, symmetrical */
	bool normalize;   /* NORMALIZE_ON: the same with GL 2's asymmetrical signed rule */
	uint32_t one;     /* bits of the default of w */
};

struct gc_stream {
	uint32_t address; /* GPU address of vertex 0 */
	uint32_t stride;  /* bytes */
	uint32_t divisor; /* instances a value lasts; 0 = per vertex */
};

/* What the vertex fetch of a draw does. */
struct gc_vertex_layout {
	unsigned int count;
	struct gc_element element[GC_MAX_ELEMENTS];
	struct gc_stream stream[GC_MAX_STREAMS];
	bool ids;           /* load vertex and instance number */
	bool float_ids;     /* as floats: cores without integer shaders */
	uint8_t id_reg;     /* x = vertex, y = instance */
	unsigned int bytes; /* attribute bytes of one vertex */
};

/* A batch of vertices to fetch. */
struct gc_vertex_run {
	unsigned int count; /* <= GC_LANES */
	uint32_t index[GC_LANES];
	uint32_t instance[GC_LANES];
};

/* A shaded vertex. Varyings are stored component by component without gaps. */
struct gc_vertex {
	float clip[4];    /* the shader's position */
	float window[4];  /* x, y in pixels, depth, 1/w; valid unless the outcode needs clipping */
	int32_t x, y;     /* window position in 1/16 pixel */
	uint32_t outcode; /* GC_OUT_* */
	float point_size; /* pixels */
	float varying[GC_MAX_COMPONENTS] __attribute__((aligned(16)));
};

/** gc_element_size - bytes an attribute of @type with @components takes. */
unsigned int gc_element_size(unsigned int type, unsigned int components);

/**
 * gc_element_decode - one attribute from memory to register bits
 * @element: its format
 * @from: gc_element_size() bytes
 * @to: x, y, z, w; what memory does not give is 0, 0, 0, 1
 */
void gc_element_decode(const struct gc_element *element, const uint8_t *from, uint32_t to[4]);

/** gc_vertex_layout_decode - the layout from the FE and VS states. */
void gc_vertex_layout_decode(const struct gc_core *gc, struct gc_vertex_layout *layout);

/**
 * gc_vertex_fetch - load the attributes of @run into the registers of @batch
 *
 * Lane i gets vertex run->index[i] of instance run->instance[i]; other lanes
 * keep what they had. Returns: false after a memory fault.
 */
bool gc_vertex_fetch(struct gc_core *gc, const struct gc_vertex_layout *layout,
		     const struct gc_vertex_run *run, struct gc_batch *batch);

#endif
