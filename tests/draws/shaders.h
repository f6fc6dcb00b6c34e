/* SPDX-License-Identifier: MIT */
/* Programs that replace the fixed function in OpenGL ES 2.0. */
#ifndef TESTS_DRAWS_SHADERS_H
#define TESTS_DRAWS_SHADERS_H

#include "scene.h"

/** highp where there is one: mediump may be half-floats, less exact than the fixed function. */
#define HIGH_PRECISION                        \
	"#ifdef GL_FRAGMENT_PRECISION_HIGH\n" \
	"precision highp float;\n"            \
	"#else\n"                             \
	"precision mediump float;\n"          \
	"#endif\n"

/** State that the fixed function would read, besides the vertices */
struct shading {
	bool textured;
	/** Bias of the level of detail */
	double bias;
	/** Pixels */
	double point_size;
	/** Draw with a program at this limit if there is no texture; LIMITS: with none */
	enum limit limit;
	/** Set by draw_with_program() if the driver does not link the program */
	bool unfit;
};

/** Compile the programs in the current OpenGL ES context. Gives up on failure. */
void make_programs(void);

/** Link a program. Returns 0 if that fails with a reason; gives up if there is no reason. */
GLuint try_program(const char *vertex, const char *fragment);

/**
 * Convert vertices to x, y, z from -1 to 1, colour, coordinates, as OpenGL takes them. Returns
 * their number.
 */
unsigned load_vertices(const struct command *command, GLfloat vertices[][VERTEX]);

/** Draw with a program: the colour, times the texel if there is a texture. */
void draw_with_program(struct shading *shading, const struct command *command);

#endif
