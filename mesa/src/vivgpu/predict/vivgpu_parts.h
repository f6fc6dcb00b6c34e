/* SPDX-License-Identifier: MIT */
/*
 * Fragments of parts of frames, which are groups, not the parts of a predicted time
 * (vivgpu_prediction.parts_ns). A frame that does not fit into one group is split where the command
 * stream is full, which is another place each time. All parts together have the fragments of a whole
 * frame; how they are spread over its vertices is learnt as a curve: the share of the frame's fragments
 * up to a vertex. Each split frame gives points of it, between which it is interpolated without extremes.
 */
#ifndef VIVGPU_PARTS_H
#define VIVGPU_PARTS_H

#include <stdbool.h>
#include <stdint.h>

/** Groups of a frame, frames, curves and points of a curve that are remembered, at most */
#define VIVGPU_PARTS        8
#define VIVGPU_PARTS_FRAMES 16
#define VIVGPU_CURVES       8
#define VIVGPU_CURVE_POINTS 48

/** A frame of a queue, and the groups with vertices in it */
struct vivgpu_parts_frame {
   uint32_t queue, frame;
   /** Vertices of all groups; vertices and fragments of those that were counted */
   double vertices, counted, fragments;
   /** Groups, at most VIVGPU_PARTS + 1: then the frame teaches nothing */
   uint32_t count;
   struct {
      uint64_t cookie;
      /** The frame's vertices before the group */
      double begin;
   } parts[VIVGPU_PARTS];
   /** Vertices up to which fragments were counted, and how many */
   struct {
      double at, fragments;
   } points[VIVGPU_PARTS];
   uint32_t num_points;
   /** A later frame of the queue has begun */
   bool ended;
};

struct vivgpu_curve_point {
   double at, share;
   /** Number of the point, in the order in which they were added */
   uint32_t number;
};

/** How the fragments of frames with a number of vertices are spread */
struct vivgpu_curve {
   /** Of a frame; 0: unused */
   double vertices;
   /** Of the last frame whose counts are known */
   double fragments;
   uint64_t used;
   /** Points in order: vertices, and the share of the fragments up to there */
   struct vivgpu_curve_point points[VIVGPU_CURVE_POINTS];
   uint32_t count, added;
};

struct vivgpu_parts {
   /** A ring */
   struct vivgpu_parts_frame frames[VIVGPU_PARTS_FRAMES];
   struct vivgpu_curve curves[VIVGPU_CURVES];
   uint64_t used;
   /** Number of frames that began; the ring has the last ones */
   uint32_t begun;
};

/**
 * A group with vertices is submitted.
 *
 * @full: it ends because a limit of jobs is reached, such as a full command stream, not because the
 *        application wants it
 *
 * Returns its expected number of fragments; negative if it is not a part of a frame like the last one.
 */
double vivgpu_parts_submit(struct vivgpu_parts *parts, uint32_t queue, uint32_t frame,
                           uint64_t cookie, double vertices, bool full);

/**
 * Fragments were counted from the begin of one group to a vertex of the same or another one.
 *
 * @vertices: of the group @cookie up to there
 */
void vivgpu_parts_point(struct vivgpu_parts *parts, uint64_t first_cookie, uint64_t cookie,
                        double vertices, double fragments);

/**
 * A group was counted, after vivgpu_parts_point() for what ended in it. If its number of fragments is
 * unknown, do not call this for it.
 */
void vivgpu_parts_count(struct vivgpu_parts *parts, uint64_t cookie, double vertices,
                        double fragments);

/**
 * Fragments of a group's first vertices by the curve of its frame; negative if there is no curve.
 *
 * @doubt: if not NULL, by how much this may be wrong as the place is between points of the curve: 0 at a
 *         point, a quarter of the fragments between two points in their middle; INFINITY without a curve
 */
double vivgpu_parts_expect(struct vivgpu_parts *parts, uint64_t cookie, double vertices,
                           double *doubt);

/** The share of the fragments up to a vertex, 0 to 1 */
double vivgpu_curve_at(const struct vivgpu_curve *curve, double at);

/**
 * Add a point. It replaces those at nearly the same vertex; if there are none and all are in use, the
 * oldest one.
 */
void vivgpu_curve_add(struct vivgpu_curve *curve, double at, double share);

#endif
