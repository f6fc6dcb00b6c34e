/* SPDX-License-Identifier: MIT */
/*
 * Interpolation: plane equations of the values that vary over a primitive, and their evaluation
 * at the pixels of quads. Pure functions.
 *
 * Varyings are interpolated as value/w and multiplied by w at the pixel. The origin of the
 * planes (anchor) is a pixel near the primitive, so that rounding errors do not grow with the
 * distance of vertices.
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

/* Plane equations of a primitive. */
struct gc_setup {
	int32_t anchor_x, anchor_y; /* origin of the planes: the centre of this pixel */
	bool linear;                /* interpolate without perspective */
	bool front; /* set by the caller: of a triangle that is clockwise on the screen (y down) */
	struct gc_plane z, over_w;
	/* value/w, or the value itself if linear or flat; by component */
	float at[GC_MAX_COMPONENTS] __attribute__((aligned(32)));
	float dx[GC_MAX_COMPONENTS] __attribute__((aligned(32)));
	float dy[GC_MAX_COMPONENTS] __attribute__((aligned(32)));
};

/* The varyings of a draw and the temporaries of the fragment shader that they are written to. */
struct gc_varyings {
	unsigned int count;                        /* number of varyings */
	unsigned int components;                   /* sum over all varyings */
	uint8_t reg[GC_MAX_COMPONENTS];            /* temporary register of a component */
	uint8_t lane_component[GC_MAX_COMPONENTS]; /* its component in that register */
	uint64_t flat;             /* components with the provoking vertex's value */
	uint64_t point_x, point_y; /* components replaced by the point coordinate */
	uint64_t unread;           /* components that the shader does not read; not computed */
	unsigned int unread_t0;    /* components of temporary 0 that the shader does not read */
};

/** gc_setup_anchor - set the origin of the planes */
static inline void gc_setup_anchor(struct gc_setup *s, int32_t x, int32_t y)
{
	s->anchor_x = x;
	s->anchor_y = y;
}

/**
 * gc_setup_triangle - compute the planes of depth, 1/w and varyings
 * @v: corners
 * @provoking: vertex with the values of flat components
 * @area: doubled signed area of the triangle with rounded corners, in 1/256 pixel^2, not 0
 *
 * Uses the exact positions, unless the areas of the exact and the rounded triangle differ too
 * much because it is thin; then the rounded ones.
 */
void gc_setup_triangle(struct gc_setup *s, const struct gc_varyings *varyings,
		       const struct gc_vertex *const v[3], const struct gc_vertex *provoking,
		       int64_t area);

/* The direction in which values vary along a line. */
enum gc_line_axis { GC_LINE_X, GC_LINE_Y, GC_LINE_ALONG };

/** gc_setup_line - planes of a line: values vary along @axis and are constant across it */
void gc_setup_line(struct gc_setup *s, const struct gc_varyings *varyings,
		   const struct gc_vertex *const v[2], const struct gc_vertex *provoking,
		   enum gc_line_axis axis);

/**
 * gc_setup_point - planes of a point: constant, except for the point coordinate; @size in
 * pixels
 */
void gc_setup_point(struct gc_setup *s, const struct gc_varyings *varyings,
		    const struct gc_vertex *v, float size);

/** gc_setup_offset - polygon offset: add @scale times the largest slope of depth, plus @bias */
static inline void gc_setup_offset(struct gc_setup *s, float scale, float bias)
{
	float dx = fabsf(s->z.dx), dy = fabsf(s->z.dy), slope = dx > dy ? dx : dy;

	s->z.at += slope * scale + bias;
}

/**
 * gc_interpolate_quad - compute position and varyings of the quad at (@x, @y) in lanes 4 *
 * @quad ..
 * @dx: for each pixel, the point where varyings are evaluated, from its centre in pixels; or
 *     NULL
 * @dy: the same for y
 *
 * Temporary 0 receives x, y, depth and 1/w of the pixel centres.
 */
void gc_interpolate_quad(const struct gc_setup *s, const struct gc_varyings *varyings, int x, int y,
			 const float dx[4], const float dy[4], unsigned int quad,
			 struct gc_batch *batch);

/**
 * gc_interpolate_quads - the same for the first @count quads of a batch, and only these
 * @setups: array of set-ups
 * @setup: for each quad, its primitive's index in @setups
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

/* GC_PLANE_AT - value of a plane at (@x, @y) from its anchor; floats or vectors of floats */
#define GC_PLANE_AT(p, x, y) ((p)->at + (p)->dx * (x) + (p)->dy * (y))

/** gc_quad_positions - the pixel centres of the quad at (@x, @y), relative to the anchor */
static inline void gc_quad_positions(const struct gc_setup *s, int x, int y, gc_float4 *px,
				     gc_float4 *py)
{
	const gc_int4 in_x = { 0, 1, 0, 1 }, in_y = { 0, 0, 1, 1 };

	*px = __builtin_convertvector(x - s->anchor_x + in_x, gc_float4);
	*py = __builtin_convertvector(y - s->anchor_y + in_y, gc_float4);
}

/** gc_depth_quad - depth at the four pixels of a quad, at (@dx, @dy) from their centres */
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
