/* SPDX-License-Identifier: MIT */
/* Programs that replace the fixed function in OpenGL ES 2.0. */
#ifndef TESTS_DRAWS_SHADERS_H
#define TESTS_DRAWS_SHADERS_H

#include "scene.h"

/** State that the fixed function would read, besides the vertices */
struct shading {
	bool textured;
	/** Bias of the level of detail */
	double bias;
	/** Pixels */
	double point_size;
};

/** Compile the programs in the current OpenGL ES context. Gives up on failure. */
void make_programs(void);

/** Draw with a program: the colour, times the texel if there is a texture. */
void draw_with_program(const struct shading *shading, const struct command *command);

#endif
