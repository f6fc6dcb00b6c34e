/* SPDX-License-Identifier: MIT */
/*
 * Vertices: layout of their attributes in memory, fetch of a batch into shader registers, and
 * the record of a shaded vertex.
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

/* An attribute, from FE_VERTEX_ELEMENT_CONFIG. */
struct gc_element {
	uint8_t type;       /* FE_DATA_TYPE_* */
	uint8_t components; /* 1..4; 0: a type that the core does not have */
	uint8_t stream;
	uint8_t start; /* bytes from the start of the vertex in its stream */
	uint8_t size;  /* bytes in memory */
	uint8_t reg;   /* temporary of the vertex shader that receives it */
	/* NORMALIZE_SIGN_EXTEND: to 0..1 or -1..1, by the symmetric rule; *_I: extends the sign */
	bool sign_extend;
	/* NORMALIZE_ON: the same by the asymmetric rule of GL 2 for signed values */
	bool normalize;
	uint32_t one; /* bits of the default for w */
};

struct gc_stream {
	uint32_t address; /* GPU address of vertex 0 */
	uint32_t stride;  /* bytes */
	uint32_t divisor; /* instances per value; 0: one value per vertex */
};

/* The layout of a draw's attributes. */
struct gc_vertex_layout {
	unsigned int count;
	struct gc_element element[GC_MAX_ELEMENTS];
	struct gc_stream stream[GC_MAX_STREAMS];
	bool ids;           /* load vertex and instance number */
	bool float_ids;     /* as floats: cores without integer shaders */
	uint8_t id_reg;     /* x = vertex, y = instance */
	unsigned int bytes; /* attribute bytes per vertex */
};

/* A batch of vertices to fetch. */
struct gc_vertex_run {
	unsigned int count; /* <= GC_LANES */
	uint32_t index[GC_LANES];
	uint32_t instance[GC_LANES];
};

/* A shaded vertex. Varyings are stored component by component without gaps. */
struct gc_vertex {
	float clip[4];    /* position from the shader */
	float window[4];  /* x, y in pixels, depth, 1/w; invalid if the vertex has to be clipped */
	int32_t x, y;     /* window position in 1/16 pixel */
	uint32_t outcode; /* GC_OUT_* */
	float point_size; /* pixels */
	float varying[GC_MAX_COMPONENTS] __attribute__((aligned(16)));
};

/**
 * gc_element_size - bytes of an attribute with FE_DATA_TYPE_* @type and @components components
 */
unsigned int gc_element_size(unsigned int type, unsigned int components);

/**
 * gc_element_decode - convert an attribute from memory to register bits
 * @element: its format
 * @from: gc_element_size() bytes
 * @to: receives x, y, z, w; components not in memory are 0, 0, 0, 1
 */
void gc_element_decode(const struct gc_element *element, const uint8_t *from, uint32_t to[4]);

/** gc_vertex_layout_decode - decode the layout from the FE and VS states */
void gc_vertex_layout_decode(struct gc_core *gc, struct gc_vertex_layout *layout);

/**
 * gc_vertex_fetch - load the attributes of @run into the registers of @batch
 *
 * Lane i receives vertex run->index[i] of instance run->instance[i]; other lanes are not
 * changed.
 *
 * Returns: false after a memory fault.
 */
bool gc_vertex_fetch(struct gc_core *gc, const struct gc_vertex_layout *layout,
		     const struct gc_vertex_run *run, struct gc_batch *batch);

#endif
