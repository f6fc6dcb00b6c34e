/* SPDX-License-Identifier: MIT */
/* Scenes drawn with OpenGL 2.1 or OpenGL ES 2.0. */
#ifndef TESTS_DRAWS_RENDER_H
#define TESTS_DRAWS_RENDER_H

#include "reference.h"

/** Make contexts and print whose they are. Gives up without one. */
void begin_rendering(void);

/** Is the driver llvmpipe? */
bool is_llvmpipe(void);

/** Most samples that the driver offers; 0: none. */
unsigned most_samples(void);

/** Draw a scene and read it back. Returns OpenGL's error; says what it chose for the target. */
GLenum render_scene(const struct scene *scene, struct choices *choices,
		    struct picture_read *picture);

#endif
