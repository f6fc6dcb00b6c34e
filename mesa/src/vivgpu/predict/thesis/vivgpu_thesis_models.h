/* SPDX-License-Identifier: MIT */
/*
 * The thesis's models of commands (Hua Ma, "Concepts and Metrics for Measurement and Prediction of
 * the Execution Time of GPU Rendering Commands", 2014, section 5.5): each learns from measured
 * times of its command alone. Times are in ns.
 */
#ifndef VIVGPU_THESIS_MODELS_H
#define VIVGPU_THESIS_MODELS_H

#include <stdint.h>

#include "vivgpu_fit.h"

/**
 * Flush: constant. A finish is two of them, a fast clear takes no time. The distribution is that of
 * figure 7.1, in steps of VIVGPU_HISTOGRAM_NS
 */
struct vivgpu_model_constant {
   double mean;
   uint32_t count;
   /** Number of times in [600 i, 600 (i + 1)); longer ones count in the last */
   uint32_t histogram[64];
};

#define VIVGPU_HISTOGRAM_NS 600

void vivgpu_model_constant_add(struct vivgpu_model_constant *model, double ns);

/** Mean of the times so far; 0 if there are none */
double vivgpu_model_constant_ns(const struct vivgpu_model_constant *model);

/**
 * The time that @share (0 to 1) of the times do not exceed, rounded up to a step of the histogram;
 * one step if there are no times
 */
double vivgpu_model_constant_quantile(const struct vivgpu_model_constant *model, double share);

/** Full clear: proportional to the bytes of the whole target (5.2) */
struct vivgpu_model_clear {
   struct vivgpu_fit fit;
};

void vivgpu_model_clear_add(struct vivgpu_model_clear *model, double bytes, double ns);
double vivgpu_model_clear_ns(const struct vivgpu_model_clear *model, double bytes);

/** Swap: each tile of the target is written, each rendered one is read (5.1) */
struct vivgpu_model_swap {
   struct vivgpu_fit fit;
};

/** Pixels of a tile */
#define VIVGPU_TILE_PIXELS 16

void vivgpu_model_swap_add(struct vivgpu_model_swap *model, double tiles, double rendered_tiles,
                           double ns);
double vivgpu_model_swap_ns(const struct vivgpu_model_swap *model, double tiles,
                            double rendered_tiles);

#define VIVGPU_TEXTURE_SIZES 32

/**
 * Texture loading: proportional to the target's bytes up to @knee, with another slope beyond (5.3).
 * Knees that are tried are the sizes seen so far, and between any two of them the place where the
 * lines through the sizes on both sides meet; taken is the one with the least squares of relative
 * errors.
 */
struct vivgpu_model_texture {
   /** Mean time of each size, in rising order; full: the nearest size takes the observation */
   struct {
      double bytes, ns;
      uint32_t count;
   } sizes[VIVGPU_TEXTURE_SIZES];
   uint32_t num_sizes;
   double knee, slope, slope_beyond;
};

void vivgpu_model_texture_add(struct vivgpu_model_texture *model, double bytes, double ns);
double vivgpu_model_texture_ns(const struct vivgpu_model_texture *model, double bytes);

/**
 * Draw: the sum of vertices' and fragments' times, for one program (5.4). The cost of a vertex is
 * that of groups drawn with a viewport without area, which have no fragments; the cost of a
 * fragment is learnt at run time from what is left of other groups' times. Without such groups both
 * are learnt from ordinary ones by least squares.
 */
struct vivgpu_model_draw {
   /** Sums over the groups without fragments */
   double still_vertices, still_ns;
   /** Sums over the others, weighted as in struct vivgpu_fit */
   double vertices, fragments, ns;
   struct vivgpu_fit fit;
};

/** Learn from a group; one with 0 @fragments was drawn with a viewport without area. */
void vivgpu_model_draw_add(struct vivgpu_model_draw *model, double vertices, double fragments,
                           double ns);

/** The time; its part of vertices goes to @vertex_ns. */
double vivgpu_model_draw_ns(const struct vivgpu_model_draw *model, double vertices,
                            double fragments, double *vertex_ns);

#endif
