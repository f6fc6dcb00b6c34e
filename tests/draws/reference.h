/* SPDX-License-Identifier: MIT */
/*
 * A renderer in double precision that knows what OpenGL leaves open: each value of a pixel is
 * an interval of what is allowed.
 */
#ifndef TESTS_DRAWS_REFERENCE_H
#define TESTS_DRAWS_REFERENCE_H

#include "scene.h"

/** Where drivers differ from OpenGL, a bit each; Documentation/mesa/draws.rst says why. */
enum deviation {
	DEVIATION_BIAS = 1 << 0,
	DEVIATION_BORDER = 1 << 1,
	DEVIATION_CONSTANT = 1 << 2,
	DEVIATION_BACK_MASK = 1 << 3,
	DEVIATION_FACELESS = 1 << 4,
	DEVIATION_STENCIL_BLIT = 1 << 5,
	DEVIATION_LIMITS = 1 << 6,
	DEVIATION_BORDER_LEVELS = 1 << 7,
	DEVIATION_LOGIC = 1 << 8,
};
#define DEVIATIONS 9

/** What an implementation may choose, as it says itself. */
struct choices {
	/** Bits of the target's red, green, blue, alpha */
	int target[4];
	/** Bits of its depth and stencil; 0: none */
	int depth, stencil;
	/** How far blending may be off, in steps of the target, beside rounding */
	double blend_slack;
	/** Deviations from OpenGL that are drawn, too */
	unsigned deviations;
};

/** What was drawn: rows upwards. */
struct picture_read {
	uint8_t color[SIZE][SIZE][4];
	/** Whether depth and stencil could be read */
	bool has_depth, has_stencil;
	/** From 0 to 1 */
	double depth[SIZE][SIZE];
	uint8_t stencil[SIZE][SIZE];
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
 * then says which.
 */
bool find_difference(struct allowed pixels[SIZE][SIZE], const struct choices *choices,
		     const struct picture_read *picture, char text[160]);

/** Parts of pixels' colours whose range is as narrow as a few steps, of 4 * SIZE * SIZE. */
unsigned count_sure(struct allowed pixels[SIZE][SIZE], const struct choices *choices);

#endif
