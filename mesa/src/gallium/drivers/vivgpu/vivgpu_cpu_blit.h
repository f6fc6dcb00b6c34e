/* SPDX-License-Identifier: MIT */
/*
 * Copies of depth and stencil by the processor: no shader of these cores reads or writes
 * stencil, none reads samples, and the resolve engine only averages them.
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

/** Pixels of one format in rows */
struct vivgpu_rows {
   char *pixels;
   /** Bytes */
   unsigned stride, bytes;
};

/** The first sample of each pixel, in place: of @width by @height pixels, each @x by @y samples. */
void vivgpu_cpu_blit_first_samples(const struct vivgpu_rows *rows, unsigned width, unsigned height,
                                   unsigned x, unsigned y);

/**
 * The part of a pixel that PIPE_MASK_Z and PIPE_MASK_S of @mask are, of formats with their stencil
 * in the lowest byte; 0 if that is none of them. Pure.
 */
uint32_t vivgpu_cpu_blit_mask(enum pipe_format format, unsigned mask);

/** From a pixel of one box to that of another of other size: the nearest. Pure. */
unsigned vivgpu_cpu_blit_nearest(unsigned to, unsigned to_size, int from_size, bool flip);

/**
 * Do a blit of depth or stencil between surfaces of one format. False if it is something else
 * or there is no memory.
 */
bool vivgpu_cpu_blit(struct vivgpu_context *context, const struct pipe_blit_info *info);

#ifdef __cplusplus
}
#endif

#endif
