/* SPDX-License-Identifier: MIT */
/* Tests of fragments, with ranges of what is allowed. */
#ifndef TESTS_DRAWS_FRAGMENT_H
#define TESTS_DRAWS_FRAGMENT_H

#include "reference.h"

/*
 * Outcome of a test; MAYBE if the ranges permit both. The order counts: the least of several is the
 * outcome of all, and YES less an outcome is its opposite.
 */
enum sure { NO, MAYBE, YES };

/** Stencil state of a face. */
struct stencil {
	GLenum function;
	/** Operations if stencil fails, if depth fails, if both pass */
	GLenum operations[3];
	unsigned reference, mask, write;
};

/** Result of the comparison @a @function @b; GL_LESS: a < b. */
enum sure compare_ranges(GLenum function, struct range a, struct range b);

/** The stencil test of a stored value, 0 to 255 (OpenGL 2.1, section 4.1.5). */
enum sure test_stencil(const struct stencil *stencil, struct range value);

/** Return the stencil value after an operation on @old, 0 to 255, under the write mask. */
struct range change_stencil(const struct stencil *stencil, GLenum operation, struct range old);

#endif
