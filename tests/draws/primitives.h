/* SPDX-License-Identifier: MIT */
/* The reference's state and its primitives: OpenGL 2.1, chapters 3 and 4. */
#ifndef TESTS_DRAWS_PRIMITIVES_H
#define TESTS_DRAWS_PRIMITIVES_H

#include <math.h>

#include "blend.h"
#include "fragment.h"
#include "reference.h"
#include "texture.h"

struct state {
	struct choices choices;
	unsigned samples;
	struct allowed (*pixels)[SIZE];
	struct blend blend;
	bool es, mask[4], depth, depth_write, stencil, scissor, logic, alpha, cull, offset, dither;
	GLenum depth_function, logic_operation, alpha_function, cull_face, front_face;
	double alpha_reference, offset_factor, offset_units, point_size, line_width;
	/* Front, back */
	struct stencil faces[2];
	/* Scissor: x, y, width, height */
	int area[4];
	struct texture texture;
};

static inline void widen(struct range *a, struct range b)
{
	a->low = fmin(a->low, b.low);
	a->high = fmax(a->high, b.high);
}

/* Tolerance of a stored value in steps: few bits may be computed from eight. */
static inline double rounding(const struct state *state, int bits)
{
	return state->dither ? 1 : bits < 8 ? 0.5 : 0.02;
}

/* A step of the depth buffer. */
static inline double depth_step(const struct state *state)
{
	return 1.0 / (1 << state->choices.depth);
}

/* Store a component unless it is masked. With a deviation the masks of red and blue may be exchanged. */
static inline void store_masked(const struct state *state, int i, struct range *target,
				struct range stored)
{
	if (state->choices.deviations & DEVIATION_MIXED && i % 2 == 0 &&
	    state->mask[0] != state->mask[2])
		widen(target, stored);
	else if (state->mask[i])
		*target = stored;
}

/** Draw the primitives of a command OP_DRAW into the state's pixels. */
void draw_primitives(struct state *state, const struct command *command);

#endif
