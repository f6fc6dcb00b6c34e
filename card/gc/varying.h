/* SPDX-License-Identifier: MIT */
/*
 * Interpolation: plane equations of what varies over a primitive, and their
 * values at the pixels of a quad. Pure.
 *
 * A varying is interpolated as value/w and multiplied by w = 1/(1/w) at the
 * pixel. Planes are anchored at a pixel near the primitive, so that the
 * products stay small however far the vertices are.
 */
#ifndef CARD_GC_VARYING_H
#define CARD_GC_VARYING_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "gc/batch.h"
#include "gc/pe.h"
#include "gc/vertex.h"

/* value(x, y) = at + dx * (x - anchor x) + dy * (y - anchor y), in pixels */
struct gc_plane {
	float at, dx, dy;
};

/* A primitive as the rasteriser and the interpolators see it. */
struct gc_setup {
	int32_t anchor_x, anchor_y; /* pixel whose centre the planes are anchored at */
	bool linear;                /* values are interpolated without perspective */
	bool front;                 /* turns clockwise on the screen (y down) */
	struct gc_plane z, over_w;
	/* value/w, or the value itself where linear or flat; by component */
	float at[GC_MAX_COMPONENTS] __attribute__((aligned(32)));
	float dx[GC_MAX_COMPONENTS] __attribute__((aligned(32)));
	float dy[GC_MAX_COMPONENTS] __attribute__((aligned(32)));
};

/* The varyings of a draw and the temporaries of the fragment shader that they are written to. */
struct gc_varyings {
	unsigned int count;                        /* varyings; number i goes to temporary i + 1 */
	unsigned int components;                   /* of all of them */
	uint8_t reg[GC_MAX_COMPONENTS];            /* temporary of a component */
	uint8_t lane_component[GC_MAX_COMPONENTS]; /* x, y, z or w of it */
	uint64_t flat;             /* components that take the provoking vertex's value */
	uint64_t point_x, point_y; /* components replaced by the point coordinate */
	uint64_t unread;           /* components that the shader does not read: not written */
	unsigned int unread_t0;    /* components of temporary 0 that the shader does not read */
};

/** gc_setup_anchor - remember the anchor pixel. */
static inline void gc_setup_anchor(struct gc_setup *s, int32_t x, int32_t y)
{
	s->anchor_x = x;
	s->anchor_y = y;
}

/**
 * gc_setup_triangle - planes of depth, 1/w and varyings
 * @v: corners; @provoking: whose flat components count
 * @area: doubled signed area of the snapped triangle, in 1/256 pixel^2, not 0
 *
 * The exact positions are used; where the triangle is so thin that they and
 * the snapped ones disagree about its shape, the snapped ones.
 */
void gc_setup_triangle(struct gc_setup *s, const struct gc_varyings *varyings,
		       const struct gc_vertex *const v[3], const struct gc_vertex *provoking,
		       int64_t area);

/* The direction in which values vary along a line. */
enum gc_line_axis { GC_LINE_X, GC_LINE_Y, GC_LINE_ALONG };

/** gc_setup_line - planes of a line: values vary along it and are constant across it. */
void gc_setup_line(struct gc_setup *s, const struct gc_varyings *varyings,
		   const struct gc_vertex *const v[2], const struct gc_vertex *provoking,
		   enum gc_line_axis axis);

/** gc_setup_point - planes of a point: all constant but the point coordinate; @size in pixels. */
void gc_setup_point(struct gc_setup *s, const struct gc_varyings *varyings,
		    const struct gc_vertex *v, float size);

/** gc_setup_offset - polygon offset: add @scale times the steepest slope of depth plus @bias. */
static inline void gc_setup_offset(struct gc_setup *s, float scale, float bias)
{
	float dx = fabsf(s->z.dx), dy = fabsf(s->z.dy), slope = dx > dy ? dx : dy;

	s->z.at += slope * scale + bias;
}

/**
 * gc_interpolate_quad - position and varyings of the quad at (@x, @y) into lanes 4 * @quad ..
 * @dx, @dy: NULL, or for each pixel where in it varyings are taken, from its centre, in pixels
 *
 * Temporary 0 gets x, y, depth and 1/w of the pixel centres.
 */
void gc_interpolate_quad(const struct gc_setup *s, const struct gc_varyings *varyings, int x, int y,
			 const float dx[4], const float dy[4], unsigned int quad,
			 struct gc_batch *batch);

/**
 * gc_interpolate_group - gc_interpolate_quad() without offsets for all quads of one primitive
 * @quads: GC_QUADS of them; where fewer are used, lanes of the others get values too
 */
void gc_interpolate_group(const struct gc_setup *s, const struct gc_varyings *varyings,
			  const struct gc_quad *quads, struct gc_batch *batch);

/**
 * gc_interpolate_quads - the same for the first @count quads of a batch, and only those
 * @setups, @setup: quad q is of primitive @setups[@setup[q]]
 */
void gc_interpolate_quads(const struct gc_setup *setups, const uint16_t *setup,
			  const struct gc_varyings *varyings, const struct gc_quad *quads,
			  unsigned int count, struct gc_batch *batch);

/** gc_interpolate_block - the same for the quads of the 8x8 pixels at (@x, @y), in rows of four. */
void gc_interpolate_block(const struct gc_setup *s, const struct gc_varyings *varyings, int x,
			  int y, struct gc_batch *batch);

/** gc_depth_block - depth at the centres of the 8x8 pixels at (@x, @y), in rows of four quads. */
void gc_depth_block(const struct gc_setup *s, int x, int y, float depth[GC_LANES]);

typedef float gc_float4 __attribute__((vector_size(16)));
typedef int32_t gc_int4 __attribute__((vector_size(16)));

/* GC_PLANE_AT - a plane's value at @x, @y from its anchor: floats, or vectors of floats. */
#define GC_PLANE_AT(p, x, y) ((p)->at + (p)->dx * (x) + (p)->dy * (y))

/** gc_quad_positions - the four pixel centres of the quad at (@x, @y), from the anchor. */
static inline void gc_quad_positions(const struct gc_setup *s, int x, int y, gc_float4 *px,
				     gc_float4 *py)
{
	const gc_int4 in_x = { 0, 1, 0, 1 }, in_y = { 0, 0, 1, 1 };

	*px = __builtin_convertvector(x - s->anchor_x + in_x, gc_float4);
	*py = __builtin_convertvector(y - s->anchor_y + in_y, gc_float4);
}

/** gc_depth_quad - depth at the four pixels of a quad, (@dx, @dy) from their centres. */
static inline void gc_depth_quad(const struct gc_setup *s, int x, int y, float dx, float dy,
				 float depth[4])
{
	gc_float4 px, py, v;

	gc_quad_positions(s, x, y, &px, &py);
	v = GC_PLANE_AT(&s->z, px + dx, py + dy);
	memcpy(depth, &v, sizeof(v));
}

/** gc_depth_centers - depth at the four pixel centres of a quad. */
static inline void gc_depth_centers(const struct gc_setup *s, int x, int y, float depth[4])
{
	gc_float4 px, py, v;

	gc_quad_positions(s, x, y, &px, &py);
	v = GC_PLANE_AT(&s->z, px, py);
	memcpy(depth, &v, sizeof(v));
}

#endif
