/* SPDX-License-Identifier: MIT */
/* Scenes drawn with OpenGL 2.1 or OpenGL ES 2.0. */
#ifndef TESTS_DRAWS_RENDER_H
#define TESTS_DRAWS_RENDER_H

#include "reference.h"

/** Create contexts and print their renderers. Gives up if there is none. */
void begin_rendering(void);

/** True if the driver is llvmpipe. */
bool is_llvmpipe(void);

/** Largest number of samples that the driver offers; 0: none. */
unsigned max_samples(void);

/**
 * Draw a scene and read it back. Returns OpenGL's error, and the driver's choices for the target.
 */
GLenum render_scene(const struct scene *scene, struct choices *choices,
		    struct picture_read *picture);

#endif
