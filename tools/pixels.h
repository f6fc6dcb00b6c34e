/* SPDX-License-Identifier: MIT */
/* Pixels of framebuffers as 8-bit red, green and blue. */
#ifndef VIVGPU_TOOLS_PIXELS_H
#define VIVGPU_TOOLS_PIXELS_H

#include <stdint.h>

/** pixels_bytes - bytes of a pixel in a DRM_FORMAT_*; 0 if pixels_to_rgb() cannot read it */
unsigned int pixels_bytes(uint32_t format);

/**
 * pixels_to_rgb - convert a row of pixels as the display shows them
 * @format: a DRM_FORMAT_* for which pixels_bytes() is not 0
 * @from: the pixels
 * @rgb: receives three bytes a pixel
 * @count: number of pixels
 *
 * Narrow channels repeat their upper bits, wide ones lose the lower ones. Alpha is dropped.
 */
void pixels_to_rgb(uint32_t format, const uint8_t *from, uint8_t *rgb, unsigned int count);

#endif
