/* SPDX-License-Identifier: MIT */
/*
 * Clipping, and the transformation from clip space to the window. Pure functions on vertex
 * records.
 *
 * The clip volume is -w <= z <= w (0 <= z <= w if PA_FLAGS.ZCONVERT_BYPASS is set) and w >=
 * PA_W_CLIP_LIMIT. In x and y primitives are clipped at a guard band of +-GC_GUARD_BAND pixels
 * instead of the view; the rasteriser's scissor removes what lies between the two. Primitives
 * inside the volume are not changed.
 */
#ifndef CARD_GC_CLIP_H
#define CARD_GC_CLIP_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/vertex.h"

/*
 * Largest window coordinate that the rasteriser accepts, in pixels. The value is a choice of
 * this model; the precision of the edge functions depends on it.
 */
#define GC_GUARD_BAND 32768

#define GC_SUBPIXEL_BITS 4
#define GC_SUBPIXELS (1 << GC_SUBPIXEL_BITS)

/* Outcodes. The first seven are clip planes, in the order in which they are applied. */
enum gc_out {
	GC_OUT_W = 1 << 0,
	GC_OUT_NEAR = 1 << 1,
	GC_OUT_FAR = 1 << 2,
	GC_OUT_BAND_LEFT = 1 << 3,
	GC_OUT_BAND_RIGHT = 1 << 4,
	GC_OUT_BAND_TOP = 1 << 5,
	GC_OUT_BAND_BOTTOM = 1 << 6,
	GC_OUT_CLIPPED = 0x7f, /* any of these: the vertex has no window position */
	/* outside the view, but inside the guard band: for trivial rejection only */
	GC_OUT_LEFT = 1 << 7,
	GC_OUT_RIGHT = 1 << 8,
	GC_OUT_BELOW = 1 << 9,
	GC_OUT_ABOVE = 1 << 10,
	/* the position contains an infinity or a NaN: its primitives are dropped */
	GC_OUT_BROKEN = 1 << 11,
};

#define GC_CLIP_PLANES 7
#define GC_CLIP_MAX_VERTICES (3 + GC_CLIP_PLANES)

/* From clip space to the window, from the PA states. */
struct gc_viewport {
	float scale[3], offset[3]; /* applied to x/w, y/w and z/w */
	bool z_ready;              /* depth is 0..w, not -w..w */
	bool integer_centers;      /* pixel centres are at integers: shift by half a pixel */
	float w_limit;
	/* everything inside the view is inside the guard band, by a sufficient condition */
	bool view_in_band;
};

/* A clipped polygon; its vertices are in the caller's pool. */
struct gc_clip_polygon {
	unsigned int count;
	const struct gc_vertex *vertex[GC_CLIP_MAX_VERTICES];
	unsigned int made; /* entries used in the pool: a plane cuts two edges at most */
	struct gc_vertex pool[2 * GC_CLIP_PLANES];
};

/**
 * gc_viewport_set - set all members of @vp but integer_centers
 * @scale: PA_VIEWPORT_SCALE_X, Y, Z
 * @offset: PA_VIEWPORT_OFFSET_X, Y, Z
 * @z_ready: PA_FLAGS.ZCONVERT_BYPASS: clip space depth is 0..w; otherwise -w..w, and the
 *     conversion to 0..w is included in vp->scale[2] and vp->offset[2]
 * @w_limit: PA_W_CLIP_LIMIT; raised to FLT_MIN if smaller
 */
void gc_viewport_set(struct gc_viewport *vp, const float scale[3], const float offset[3],
		     bool z_ready, float w_limit);

/** gc_vertex_outcode - GC_OUT_* bits of the clip space position @clip */
uint32_t gc_vertex_outcode(const struct gc_viewport *vp, const float clip[4]);

/** gc_vertex_project - set window position of @v and its value in 1/16 pixel (see gc_snap()) */
void gc_vertex_project(const struct gc_viewport *vp, struct gc_vertex *v);

/**
 * gc_clip_triangle - clip a triangle at the planes that any of its vertices is outside of
 * @v: none is GC_OUT_BROKEN; those that are not GC_OUT_CLIPPED are projected
 * @components: number of varying components to interpolate
 * @polygon: receives the convex polygon, same winding, vertices projected; count 0 if nothing
 *     is left
 *
 * An edge is always cut from its inner to its outer end, so that two triangles that share an
 * edge get bit-identical new vertices.
 */
void gc_clip_triangle(const struct gc_viewport *vp, const struct gc_vertex *const v[3],
		      unsigned int components, struct gc_clip_polygon *polygon);

/** gc_clip_line - the same for a line; false if nothing is left */
bool gc_clip_line(const struct gc_viewport *vp, const struct gc_vertex *const v[2],
		  unsigned int components, struct gc_vertex out[2]);

/**
 * gc_snap - convert a window coordinate to 1/16 pixel, to nearest, ties up
 * @pixels: any number; clamped to the guard band, NaN gives 0
 */
int32_t gc_snap(float pixels);

#endif
