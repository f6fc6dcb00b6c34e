/* SPDX-License-Identifier: MIT */
/*
 * Blits by the CPU: of depth and stencil, and between surfaces with the same number of samples. No
 * shader of these cores reads or writes stencil or reads single samples, and the resolve engine
 * copies only aligned windows.
 */
#ifndef VIVGPU_CPU_BLIT_H
#define VIVGPU_CPU_BLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_context;

/** An array of pixels of one format */
struct vivgpu_rows {
   char *pixels;
   /** Bytes from row to row, and of a pixel */
   unsigned stride, bytes;
};

/**
 * Move the first sample of each pixel to the pixel's place, in the same memory, for @width by
 * @height pixels of @x by @y samples each.
 */
void vivgpu_cpu_blit_first_samples(const struct vivgpu_rows *rows, unsigned width, unsigned height,
                                   unsigned x, unsigned y);

/**
 * Return the mask of the bits of a pixel that PIPE_MASK_Z and PIPE_MASK_S in @mask select, for
 * formats with stencil in the lowest byte; all bits for PIPE_MASK_RGBA and colour. Pure.
 */
uint32_t vivgpu_cpu_blit_mask(enum pipe_format format, unsigned mask);

/**
 * Return the source pixel nearest to pixel @to when @from_size pixels are scaled to @to_size.
 * @flip: the source is read from its end. Pure.
 */
unsigned vivgpu_cpu_blit_nearest(unsigned to, unsigned to_size, int from_size, bool flip);

/**
 * Execute a blit between surfaces of the same format, of at most 32 bits a pixel, by copying the
 * nearest pixels: with their samples if both have several, or else the first ones. Returns false if
 * the blit is of another kind or memory is short.
 */
bool vivgpu_cpu_blit(struct vivgpu_context *context, const struct pipe_blit_info *info);

#ifdef __cplusplus
}
#endif

#endif
