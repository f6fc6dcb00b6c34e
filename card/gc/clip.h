/* SPDX-License-Identifier: MIT */
/*
 * Clipping and the way from clip space to the window. Pure functions over
 * vertex records.
 *
 * The volume is -w <= z <= w (or 0 <= z <= w when the state says that depth
 * comes ready), w at least PA_W_CLIP_LIMIT, and in x and y not the view but a
 * guard band of +-GC_GUARD_BAND pixels: what lies between the two is left to
 * the scissor. Only primitives that leave the volume are cut.
 */
#ifndef CARD_GC_CLIP_H
#define CARD_GC_CLIP_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/vertex.h"

/* Window coordinates the rasteriser takes, in pixels [chosen]; its edge functions rest on it. */
#define GC_GUARD_BAND 32768

#define GC_SUBPIXEL_BITS 4
#define GC_SUBPIXELS (1 << GC_SUBPIXEL_BITS)

/* Outcodes. The first seven are clip planes, in the order in which they cut. */
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
	/* a position that is not a number or infinite: its primitives are dropped */
	GC_OUT_BROKEN = 1 << 11,
};

#define GC_CLIP_PLANES 7
#define GC_CLIP_MAX_VERTICES (3 + GC_CLIP_PLANES)

/* From clip space to the window, from the PA states. */
struct gc_viewport {
	float scale[3], offset[3]; /* of x/w, y/w, z/w after conversion */
	bool z_ready;              /* depth is 0..w, not -w..w */
	bool integer_centers;      /* pixel centres are at integers: shift by half a pixel */
	float w_limit;
	bool view_in_band; /* what is in the view is in the guard band */
};

/* A clipped polygon; its vertices are in the caller's pool. */
struct gc_clip_polygon {
	unsigned int count;
	const struct gc_vertex *vertex[GC_CLIP_MAX_VERTICES];
	unsigned int made; /* of the pool */
	struct gc_vertex pool[2 * GC_CLIP_PLANES];
};

/** gc_viewport_set - z scale and offset as the state has them, turned for z/w. */
void gc_viewport_set(struct gc_viewport *vp, const float scale[3], const float offset[3],
		     bool z_ready, float w_limit);

/** gc_vertex_outcode - where @v->clip lies; GC_OUT_* bits. */
uint32_t gc_vertex_outcode(const struct gc_viewport *vp, const float clip[4]);

/** gc_vertex_project - window position and its snap to 1/16 pixel (to nearest, ties up). */
void gc_vertex_project(const struct gc_viewport *vp, struct gc_vertex *v);

/**
 * gc_clip_triangle - cut a triangle at the planes its vertices are outside of
 * @components: varyings to interpolate
 * @polygon: gets the convex polygon, winding kept, vertices projected; count 0 if nothing is left
 *
 * An edge is always cut from its inner to its outer end, so that two triangles
 * that share it get the same vertex to the bit.
 */
void gc_clip_triangle(const struct gc_viewport *vp, const struct gc_vertex *const v[3],
		      unsigned int components, struct gc_clip_polygon *polygon);

/** gc_clip_line - the same for a line; false if nothing is left. */
bool gc_clip_line(const struct gc_viewport *vp, const struct gc_vertex *const v[2],
		  unsigned int components, struct gc_vertex out[2]);

/**
 * gc_snap - window coordinate to 1/16 pixel, round to nearest, ties up
 * @pixels: any number; clamped to the guard band, NaN gives 0
 */
int32_t gc_snap(float pixels);

#endif
