/* SPDX-License-Identifier: MIT */
/*
 * Smooth lines and points as triangles, a pixel wider than they are, whose vertices say where in
 * the line or point they are: from that the fragment shader computes how much of a fragment is
 * covered (enum vivgpu_coverage).
 */
#ifndef VIVGPU_SWTNL_SMOOTH_H
#define VIVGPU_SWTNL_SMOOTH_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Vertices that a line or a point becomes */
#define VIVGPU_SWTNL_SMOOTH_VERTICES 6

/**
 * Vertices of @floats floats: x, y in pixels first, the place in the line or point last. What is
 * between is copied. Those of each triangle that come first are from @from, the last from @to,
 * as the first and the last vertex provoke. @side is 1 or -1: which way round triangles are.
 * False: it covers nothing. Pure.
 *
 * @width: pixels.
 */
bool vivgpu_swtnl_smooth_line(float *vertices, const float *from, const float *to, unsigned floats,
                              float width, int side);

/** The same of a point; @size is its diameter in pixels. */
bool vivgpu_swtnl_smooth_point(float *vertices, const float *at, unsigned floats, float size,
                               int side);

#ifdef __cplusplus
}
#endif

#endif
