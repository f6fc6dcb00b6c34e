/* SPDX-License-Identifier: MIT */
/* Scenes drawn with OpenGL 2.1. */
#ifndef TESTS_DRAWS_RENDER_H
#define TESTS_DRAWS_RENDER_H

#include "reference.h"

/** Make a context and print whose it is. Gives up without one. */
void begin_rendering(void);

/** Is the driver llvmpipe? */
bool is_llvmpipe(void);

/** Samples of a scene's target. */
unsigned scene_samples(const struct scene *scene);

/** Draw a scene and read it back. Returns OpenGL's error; says what it chose for the target. */
GLenum render_scene(const struct scene *scene, struct choices *choices,
		    struct picture_read *picture);

#endif
