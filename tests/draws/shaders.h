/* SPDX-License-Identifier: MIT */
/* What OpenGL ES 2.0 has instead of the fixed function: programs. */
#ifndef TESTS_DRAWS_SHADERS_H
#define TESTS_DRAWS_SHADERS_H

#include "scene.h"

/** What the fixed function would know beside the vertices. */
struct shading {
	bool textured;
	/** Of the level of detail */
	double bias;
	/** Pixels */
	double point_size;
};

/** Compile the programs in the current context, of OpenGL ES. Gives up on failure. */
void make_programs(void);

/** Draw with a program: the colour, times the texel if there is a texture. */
void draw_with_program(const struct shading *shading, const struct command *command);

#endif
