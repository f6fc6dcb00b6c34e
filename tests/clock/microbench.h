/* SPDX-License-Identifier: MIT */
/* Common declarations of microbench: the tables of cases, shaders and squares. */
#ifndef TESTS_CLOCK_MICROBENCH_H
#define TESTS_CLOCK_MICROBENCH_H

#include "harness.h"

/* Side in pixels of the render target that most cases draw to. */
#define SIDE 256
#define MAX_SERIES 3
#define MAX_VALUES 12

/** A case: one or several curves of the same work for each value of a parameter */
struct bench_case {
	const char *name;
	const char *series[MAX_SERIES];  /* names of the curves, NULL after the last */
	unsigned int values[MAX_VALUES]; /* values of the parameter, END after the last */
	/** True if the driver supports what this value needs; NULL: always */
	bool (*offers)(unsigned int value);
	/** Create the objects that the work needs; not measured */
	void (*prepare)(unsigned int series, unsigned int value);
	/** The measured GL commands, called several times; glFinish() follows each */
	void (*work)(unsigned int series, unsigned int value);
};

extern const struct bench_case pixel_cases[], texture_cases[], vertex_cases[], job_cases[];

/** Terminates the values of a case */
#define END 0

/** Declarations of a vertex shader that passes its position on in "place" */
#define VERTEX_HEAD                  \
	"#version 120\n"             \
	"attribute vec4 position;\n" \
	"varying vec4 place;\n"

/**
 * Use a program whose fragment shader computes "c" from "place", the position in clip
 * coordinates. @declarations come before main().
 */
void use_fragments(const char *declarations, const char *body);

/** Upload float triples as attribute 0, in a new buffer. */
void use_vertices(const float *xyz, unsigned int count);

/** A square of @side pixels in the lower left of a target of @target pixels, at depth @z. */
void use_square(unsigned int side, unsigned int target, float z);

/** Draw what use_square() prepared. */
void draw_prepared_square(void);

/** A texture of @size x @size RGBA texels with mipmaps, not filtered, repeated; bound. */
GLuint make_pattern(unsigned int size);

/** A growing program text: append like printf(). Gives up if it is too long. */
struct text {
	char bytes[16384];
	unsigned int length;
};
void append(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
