/* SPDX-License-Identifier: MIT */
/*
 * Uploads of pixels to textures: memory that the CPU writes without waiting, and draws that copy it
 * to boxes that the resolve engine cannot copy.
 *
 * Memory is taken from a buffer of which no byte is used twice, so that nothing is allocated,
 * mapped or waited for at each upload.
 */
#ifndef VIVGPU_UPLOAD_H
#define VIVGPU_UPLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "util/format/u_formats.h"

struct pipe_resource;
struct pipe_transfer;
struct vivgpu_bo;
struct vivgpu_context;

/** Memory for uploads of a context */
struct vivgpu_upload_memory {
   /** The buffer that memory is taken from; NULL before the first upload */
   struct vivgpu_bo *bo;
   /** Bytes of @bo that are taken */
   uint32_t used;
   /** vivgpu_screen.write_seqno when @bo was allocated */
   uint32_t seqno;
   /** Bytes taken for the job being written; vivgpu_job_begin() sets it to 0 */
   uint32_t job_bytes;
};

/**
 * True if vivgpu_upload_draw() can write the box of @transfer: a single layer of a texture that can
 * be a render target, apart from its format. The caller has made sure that the transfer only
 * writes. False on cores that render to split surfaces, where a draw needs a copy of the texture in
 * another layout.
 */
bool vivgpu_upload_can(const struct vivgpu_context *context, const struct pipe_transfer *transfer);

/**
 * Create a linear texture in memory that the GPU does not use, for pixels of the size of @format's.
 * @map receives its address. May submit the job. Returns NULL if memory is short.
 */
struct pipe_resource *vivgpu_upload_allocate(struct vivgpu_context *context,
                                             enum pipe_format format, unsigned width,
                                             unsigned height, void **map);

/** Draw @pixels, from vivgpu_upload_allocate(), to the box of @transfer. */
void vivgpu_upload_draw(struct vivgpu_context *context, const struct pipe_transfer *transfer,
                        struct pipe_resource *pixels);

#endif
