/* SPDX-License-Identifier: MIT */
/* Access of the CPU to buffers and textures. */
#ifndef VIVGPU_TRANSFER_H
#define VIVGPU_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "util/u_threaded_context.h"

/** A usage flag: each sample is mapped as a pixel of its own */
#define VIVGPU_MAP_SAMPLES PIPE_MAP_DRV_PRV

/**
 * A texture has either @staging or @rows while it is mapped, or neither if its own memory is
 * mapped.
 */
struct vivgpu_transfer {
   struct threaded_transfer base;
   /** Linear copy, and the box of the pixels in it (vivgpu_staging.h) */
   struct pipe_resource *staging;
   struct pipe_box staging_box;
   /** @staging is drawn to the texture (vivgpu_upload.h), not copied by the resolve engine */
   bool drawn;
   /** Rows of pixels in the CPU's memory (vivgpu_tiles.h) */
   void *rows;
   /** @rows are written to the texture's copy, not to its memory */
   bool to_copy;
   /** Of buffers: the memory that is mapped */
   struct vivgpu_bo *bo;
   /** Mapped memory */
   void *map;
};

struct vivgpu_context;

/** Emit the addresses of all buffers again, since some have new memory. */
void vivgpu_transfer_rebind_buffers(struct vivgpu_context *context);

/**
 * For the threaded context: replace @to's memory by that of @from, which was allocated in the
 * application's thread.
 */
void vivgpu_replace_buffer_storage(struct pipe_context *context, struct pipe_resource *to,
                                   struct pipe_resource *from, unsigned num_rebinds,
                                   uint32_t rebind_mask, uint32_t delete_id);

#endif
