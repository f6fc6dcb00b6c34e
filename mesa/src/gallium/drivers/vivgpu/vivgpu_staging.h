/* SPDX-License-Identifier: MIT */
/*
 * Staging copies: pixels of a texture in a linear texture, which the CPU maps. The resolve engine
 * copies in both directions; it copies windows of 16 by 4 pixels, or whole supertiles, so that a
 * box that is read has its surroundings in the copy. Pixels that are only written need neither the
 * old ones nor a wait (vivgpu_upload.h).
 *
 * Mesa's util/u_transfer_helper has staging for multisampled textures and for formats that are
 * stored as others, and leaves tiling to the driver. With it these textures would be copied twice.
 */
#ifndef VIVGPU_STAGING_H
#define VIVGPU_STAGING_H

struct vivgpu_context;
struct vivgpu_transfer;

/**
 * Create the staging copy of a transfer, with the texture's pixels unless all are overwritten.
 * Returns the address of the first pixel of the transfer's box, and sets its strides; NULL if
 * memory is short.
 */
void *vivgpu_staging_map(struct vivgpu_context *context, struct vivgpu_transfer *transfer);

/** Copy the staging copy to the texture. */
void vivgpu_staging_write_back(struct vivgpu_context *context, struct vivgpu_transfer *transfer);

#endif
