/* SPDX-License-Identifier: MIT */
/* Programs of OpenGL ES 2.0 that use as much of something as the driver offers. */
#ifndef TESTS_DRAWS_LIMITS_H
#define TESTS_DRAWS_LIMITS_H

#include "scene.h"

/**
 * Use a program at a limit; it draws the colour of the vertices as long as everything that it uses
 * has the right value, and otherwise black, or with LIMIT_VARYINGS another colour. Returns the
 * program, or 0 if the driver says when linking, with a reason, that the program does not fit.
 */
GLuint use_limit(enum limit limit);

/** Bind the texture again that was bound before the last use_limit() that returned a program. */
void end_limit(void);

#endif
