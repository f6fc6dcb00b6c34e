/* SPDX-License-Identifier: MIT */
/* Access of the CPU to buffers and textures. */
#ifndef VIVGPU_TRANSFER_H
#define VIVGPU_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

/** A usage flag: depth and stencil of each sample is mapped as a pixel of its own */
#define VIVGPU_MAP_SAMPLES PIPE_MAP_DRV_PRV

struct pipe_context;
struct pipe_resource;

/** Size of a transfer, for the slab allocator. */
size_t vivgpu_transfer_size(void);

/**
 * For the threaded context: replace @to's memory by that of @from, which was allocated in the
 * application's thread.
 */
void vivgpu_replace_buffer_storage(struct pipe_context *context, struct pipe_resource *to,
                                   struct pipe_resource *from, unsigned num_rebinds,
                                   uint32_t rebind_mask, uint32_t delete_id);

#endif
