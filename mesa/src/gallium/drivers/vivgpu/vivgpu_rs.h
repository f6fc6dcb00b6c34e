/* SPDX-License-Identifier: MIT */
/*
 * The resolve engine: fills surfaces, copies windows between layouts, averages
 * samples, and makes surfaces real that were cleared by their tile status.
 */
#ifndef VIVGPU_RS_H
#define VIVGPU_RS_H

#include <stdbool.h>
#include <stdint.h>

#include "vivgpu_layout.h"

struct vivgpu_context;
struct vivgpu_bo;
struct vivgpu_resource;

/** Words that one of the operations below takes at most. */
#define VIVGPU_MAX_RS_WORDS 96

/** A surface from a byte on. */
struct vivgpu_rs_surface {
   struct vivgpu_bo *bo;
   uint32_t offset;
   uint32_t stride;
   enum vivgpu_tiling tiling;
   /** Bytes from there to the second pixel pipe's part; SPLIT */
   uint32_t pipe1_offset;
};

/** Write the bytes that @bits selects of every 16. Sizes in pixels of @bytes bytes. */
void vivgpu_rs_fill(struct vivgpu_context *context, const struct vivgpu_rs_surface *to,
                    unsigned bytes, uint32_t width, uint32_t height, uint64_t value, uint32_t bits);

struct vivgpu_rs_copy {
   struct vivgpu_rs_surface from, to;
   /** RS_FORMAT_* of both */
   uint32_t format;
   /** Samples of @from: multiples of the window's */
   uint32_t width, height;
   /** Average neighbours */
   bool down_x, down_y;
   /** The surface whose tile status @from is to be looked at through, or NULL */
   const struct vivgpu_resource *status;
};

void vivgpu_rs_copy(struct vivgpu_context *context, const struct vivgpu_rs_copy *copy);

/** Write what is cleared by tags only into memory. */
void vivgpu_rs_resolve(struct vivgpu_context *context, struct vivgpu_resource *resource);

/** Clear level 0 by its tags. @value: 64 bits of pixels. */
void vivgpu_rs_fast_clear(struct vivgpu_context *context, struct vivgpu_resource *resource,
                          uint64_t value);

/** A place in a layer of a level, in pixels */
struct vivgpu_rs_origin {
   struct vivgpu_resource *resource;
   unsigned level, x, y, z;
};

/**
 * Copy a window of a layer to another resource with pixels of the same size, without regard to
 * the shadows of the resources: vivgpu_shadow_copy_window() updates them, too.
 *
 * @width, @height: pixels. Samples are averaged if @from has more. False if the engine can't:
 * window not aligned, formats, numbers of samples.
 */
bool vivgpu_rs_copy_window(struct vivgpu_context *context, const struct vivgpu_rs_origin *to,
                           const struct vivgpu_rs_origin *from, unsigned width, unsigned height);

/**
 * Copy each sample of a window of level 0 to a pixel of its own, from the upper left corner of a
 * linear resource on, or @back. False if the window is not aligned.
 *
 * @width, @height: pixels.
 */
bool vivgpu_rs_copy_samples(struct vivgpu_context *context, struct vivgpu_resource *linear,
                            const struct vivgpu_rs_origin *origin, unsigned width, unsigned height,
                            bool back);

#endif
