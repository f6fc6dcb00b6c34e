/* SPDX-License-Identifier: MIT */
/* Texels in the formats of glTexImage2D. */
#ifndef TESTS_DRAWS_UPLOAD_H
#define TESTS_DRAWS_UPLOAD_H

#include "scene.h"

/** Arguments format and type of glTexImage2D */
struct upload {
	GLenum format, type;
};

/** Return the upload format for a texture of this internal format in OpenGL ES 2.0. */
struct upload upload_of(GLenum internal_format);

/**
 * Write the texels of a level, each row starting at a multiple of 4 bytes: not more than
 * 4 * width * height bytes.
 */
void pack_texels(struct upload upload, unsigned seed, unsigned level, unsigned width,
		 unsigned height, uint8_t *texels);

#endif
