/* SPDX-License-Identifier: MIT */
/*
 * The resolve engine: fills surfaces, copies windows between layouts, averages samples, and
 * resolves tile status: it writes the pixels of tiles that are cleared only by their tags.
 */
#ifndef VIVGPU_RS_H
#define VIVGPU_RS_H

#include <stdbool.h>
#include <stdint.h>

#include "vivgpu_layout.h"

struct vivgpu_context;
struct vivgpu_bo;
struct vivgpu_resource;

/**
 * Limit of the words of one operation below, with vivgpu_emit_flush() before it. Callers of
 * vivgpu_rs_fill(), vivgpu_rs_copy() and vivgpu_rs_fast_clear() reserve them and flush; the other
 * functions do both.
 */
#define VIVGPU_MAX_RS_WORDS 96

/** Memory of a surface, from its first pixel on */
struct vivgpu_rs_surface {
   struct vivgpu_bo *bo;
   uint32_t offset;
   uint32_t stride;
   enum vivgpu_tiling tiling;
   /** Bytes from there to the half of the second pixel pipe; SPLIT only */
   uint32_t pipe1_offset;
};

/**
 * Fill a surface; @bits selects which of every 16 bytes are written. Sizes are in pixels of @bytes
 * bytes.
 */
void vivgpu_rs_fill(struct vivgpu_context *context, const struct vivgpu_rs_surface *to,
                    unsigned bytes, uint32_t width, uint32_t height, uint64_t value, uint32_t bits);

struct vivgpu_rs_copy {
   struct vivgpu_rs_surface from, to;
   /** RS_FORMAT_* of both surfaces */
   uint32_t format;
   /** Size in samples of @from, multiples of the window's alignment */
   uint32_t width, height;
   /** Average neighbouring samples in that direction */
   bool down_x, down_y;
   /** Resource whose tile status applies to @from, or NULL */
   const struct vivgpu_resource *status;
};

void vivgpu_rs_copy(struct vivgpu_context *context, const struct vivgpu_rs_copy *copy);

/**
 * True if some tiles may be cleared only by their tags, for jobs of the context. False until
 * another context's job that clears them is submitted: there is nothing to resolve yet.
 */
bool vivgpu_rs_is_pending(const struct vivgpu_context *context,
                          const struct vivgpu_resource *resource);

/**
 * Write the pixels of tiles that are cleared only by their tags. If there are several contexts, the
 * job is submitted.
 */
void vivgpu_rs_resolve(struct vivgpu_context *context, struct vivgpu_resource *resource);

/** Clear level 0 by its tags. @value: pixels, 64 bits. */
void vivgpu_rs_fast_clear(struct vivgpu_context *context, struct vivgpu_resource *resource,
                          uint64_t value);

/** Origin of a window, in pixels of a layer of a level */
struct vivgpu_rs_origin {
   struct vivgpu_resource *resource;
   unsigned level, x, y, z;
};

/**
 * Copy a window to another resource with pixels of the same size. Shadows are ignored:
 * vivgpu_shadow_copy_window() handles them, too. Samples are copied if both have the same number of
 * them, and averaged if @to has one.
 *
 * @width, @height: pixels. Returns false if the engine cannot do it, because of the alignment of
 * the window, the formats or the numbers of samples.
 */
bool vivgpu_rs_copy_window(struct vivgpu_context *context, const struct vivgpu_rs_origin *to,
                           const struct vivgpu_rs_origin *from, unsigned width, unsigned height);

/**
 * Copy each sample of a window of level 0 to a pixel of its own in a linear resource, from its
 * upper left corner on; or, with @back, in the other direction.
 *
 * @width, @height: pixels; the numbers of samples are multiples of the engine's window. Returns
 * false if the origin is not aligned.
 */
bool vivgpu_rs_copy_samples(struct vivgpu_context *context, struct vivgpu_resource *linear,
                            const struct vivgpu_rs_origin *origin, unsigned width, unsigned height,
                            bool back);

#endif
