/* SPDX-License-Identifier: MIT */
/*
 * Smooth lines and points as triangles that are a pixel wider. Each vertex carries its position
 * within the line or point, from which the fragment shader computes how much of a fragment is
 * covered (enum vivgpu_coverage).
 */
#ifndef VIVGPU_SWTNL_SMOOTH_H
#define VIVGPU_SWTNL_SMOOTH_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Number of vertices for a line or a point */
#define VIVGPU_SWTNL_SMOOTH_VERTICES 6

/**
 * Convert a line to triangles. Pure.
 *
 * @vertices: receives the vertices. A vertex has @floats floats: x and y in pixels first, and the
 * position within the line last; all others are copied from the line's ends. The first vertex of
 * each triangle is copied from @from and the last from @to, so that flat shading uses the right
 * one.
 * @side: 1 or -1: winding of the triangles.
 * @width: in pixels.
 * Returns false if the line covers nothing.
 */
bool vivgpu_swtnl_smooth_line(float *vertices, const float *from, const float *to, unsigned floats,
                              float width, int side);

/** Likewise for a point of @size pixels diameter. */
bool vivgpu_swtnl_smooth_point(float *vertices, const float *at, unsigned floats, float size,
                               int side);

#ifdef __cplusplus
}
#endif

#endif
