/* SPDX-License-Identifier: MIT */
/*
 * A renderer in double precision that knows what OpenGL leaves open: each value of a pixel is
 * an interval of what is allowed.
 */
#ifndef TESTS_DRAWS_REFERENCE_H
#define TESTS_DRAWS_REFERENCE_H

#include "scene.h"

/** What an implementation may choose, as it says itself. */
struct choices {
	/** Bits of the target's red, green, blue, alpha */
	int target[4];
	/** How far blending may be off, in steps of the target, beside rounding */
	double blend_slack;
};

/** What was drawn: rows upwards. */
struct picture_read {
	uint8_t color[SIZE][SIZE][4];
	/** Depth in the upper 24 bits, stencil in the lower 8; none with samples */
	uint32_t depth_stencil[SIZE][SIZE];
};

/** A range of values. */
struct range {
	double low, high;
};

struct allowed {
	struct range color[4], depth, stencil;
};

/** Draw a scene into SIZE x SIZE pixels. */
void draw_reference(const struct scene *scene, const struct choices *choices,
		    struct allowed pixels[SIZE][SIZE]);

/**
 * Look for the first value that is not allowed. Returns whether there is one; @text, if not NULL,
 * then says which. @samples of the target: without them depth and stencil count, too.
 */
bool find_difference(struct allowed pixels[SIZE][SIZE], const struct choices *choices,
		     const struct picture_read *picture, unsigned samples, char text[160]);

#endif
