/* SPDX-License-Identifier: MIT */
/*
 * A renderer in double precision. Where OpenGL leaves a choice, each value of a pixel is the
 * interval of the permitted values.
 */
#ifndef TESTS_DRAWS_REFERENCE_H
#define TESTS_DRAWS_REFERENCE_H

#include "scene.h"

/** Deviations of drivers from OpenGL, as bits; see Documentation/mesa/draws.rst */
enum deviation {
	DEVIATION_BIAS = 1 << 0,          /* no LOD bias without mipmaps */
	DEVIATION_BORDER = 1 << 1,        /* edges instead of borders */
	DEVIATION_CONSTANT = 1 << 2,      /* blend constant: red and blue may be exchanged */
	DEVIATION_BACK_MASK = 1 << 3,     /* stencil mask 0 of back faces: front faces' state */
	DEVIATION_FACELESS = 1 << 4,      /* points and lines are clockwise faces */
	DEVIATION_STENCIL_BLIT = 1 << 5,  /* no stencil in mirrored and clipped blits */
	DEVIATION_LIMITS = 1 << 6,        /* limits of the LOD select no filter */
	DEVIATION_BORDER_LEVELS = 1 << 7, /* two levels' texels and borders mixed apart */
	DEVIATION_LOGIC = 1 << 8,         /* no logic operations */
	DEVIATION_BASE = 1 << 9,          /* no magnification with a base level above 0 */
	DEVIATION_MIXED = 1 << 10,        /* the same and masks' in a second target */
};
#define DEVIATIONS 11
/** Colour buffers of a scene at most */
#define TARGETS 2

/** Choices of an implementation, as it reports them */
struct choices {
	/** Bits of the target's red, green, blue, alpha */
	int target[4];
	/** The same of the second colour buffer */
	int second[4];
	/** Bits of depth and stencil; 0: none */
	int depth, stencil;
	/** Tolerance of blending in steps of the target, in addition to rounding */
	double blend_slack;
	/** Deviations from OpenGL that the reference reproduces */
	unsigned deviations;
};

/** The picture that was drawn, in rows from bottom to top, and that in the second colour buffer */
struct picture_read {
	uint8_t color[SIZE][SIZE][4];
	uint8_t second[SIZE][SIZE][4];
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

/** Draw a scene into SIZE x SIZE pixels: what is in the first colour buffer. */
void draw_reference(const struct scene *scene, const struct choices *choices,
		    struct allowed pixels[SIZE][SIZE]);

/**
 * Put the second colour buffer's bits and picture in the place of the first's. Depth and stencil,
 * which both share, stay.
 */
void use_second(struct choices *choices, struct picture_read *picture);

/**
 * Find the first value that is not permitted. Returns true if there is one; @text, if not NULL,
 * then describes it.
 */
bool find_difference(struct allowed pixels[SIZE][SIZE], const struct choices *choices,
		     const struct picture_read *picture, char text[160]);

/** Number of colour components, of 4 * SIZE * SIZE, whose range is at most a few steps. */
unsigned count_sure(struct allowed pixels[SIZE][SIZE], const struct choices *choices);

#endif
