/* SPDX-License-Identifier: MIT */
/* A GL client of the storm: a scene whose picture depends on nothing but how it is turned. */
#ifndef TESTS_STORM_GL_H
#define TESTS_STORM_GL_H

#include <stdint.h>

#define GL_SIDE 128
#define GL_PIXELS (GL_SIDE * GL_SIDE)

/** gl_init - a context on the render node, without a window; asserts that it is our driver's. */
void gl_init(void);

/**
 * gl_draw - draw the scene, wait for it
 * @turn: which way it is turned
 * @pixels: what it looks like, RGBA
 */
void gl_draw(unsigned int turn, uint32_t pixels[GL_PIXELS]);

#endif
