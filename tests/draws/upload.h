/* SPDX-License-Identifier: MIT */
/* Texels in the formats in which OpenGL takes them. */
#ifndef TESTS_DRAWS_UPLOAD_H
#define TESTS_DRAWS_UPLOAD_H

#include "scene.h"

/** Format and type as glTexImage2D has them. */
struct upload {
	GLenum format, type;
};

/** What OpenGL ES 2.0 takes for a texture of this internal format. */
struct upload upload_of(GLenum internal_format);

/**
 * Write the texels of a level, each row starting at a multiple of 4 bytes: not more than
 * 4 * width * height bytes.
 */
void pack_texels(struct upload upload, unsigned seed, unsigned level, unsigned width,
		 unsigned height, uint8_t *texels);

#endif
