/* SPDX-License-Identifier: MIT */
/*
 * The processor's access to buffers and textures.
 */
#ifndef VIVGPU_TRANSFER_H
#define VIVGPU_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

/** A usage: depth and stencil of each sample as if it were a pixel */
#define VIVGPU_MAP_SAMPLES PIPE_MAP_DRV_PRV

struct pipe_context;
struct pipe_resource;

/** Bytes of a transfer, for the pool they come from. */
size_t vivgpu_transfer_size(void);

/** For the threaded context: @from was made in its thread, and is @to's memory from now on. */
void vivgpu_replace_buffer_storage(struct pipe_context *context, struct pipe_resource *to,
                                   struct pipe_resource *from, unsigned num_rebinds,
                                   uint32_t rebind_mask, uint32_t delete_id);

#endif
