/* SPDX-License-Identifier: MIT */
/* Blending and storing colours, with ranges of what is allowed. */
#ifndef TESTS_DRAWS_BLEND_H
#define TESTS_DRAWS_BLEND_H

#include "reference.h"

struct blend {
	bool enabled;
	/** Of colour, of alpha */
	GLenum equations[2];
	/** Factors: source and destination of colour, source and destination of alpha */
	GLenum factors[4];
	struct range constant[4];
};

/** The blended colour, before it is clamped to 0 to 1 and rounded. */
void blend_color(const struct blend *blend, const struct range source[4],
		 const struct range target[4], struct range result[4]);

/** Result of a logic operation on @bits bits; the whole range if the operands are not certain. */
struct range logic_operation(GLenum operation, struct range source, struct range target, int bits);

/**
 * Return the stored value of @bits bits; @slack: tolerance of rounding, in steps. A component
 * without bits reads as 1, here and in logic_operation().
 */
struct range store_bits(struct range value, int bits, double slack);

#endif
