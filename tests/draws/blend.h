/* SPDX-License-Identifier: MIT */
/* Blending and storing colours, with ranges of what is allowed. */
#ifndef TESTS_DRAWS_BLEND_H
#define TESTS_DRAWS_BLEND_H

#include "reference.h"

struct blend {
	bool enabled;
	GLenum equations[2];
	/** Of colour: source, destination; of alpha: source, destination */
	GLenum factors[4];
	struct range constant[4];
};

/** The blended colour, from 0 to 1, before it is rounded. */
void blend_color(const struct blend *blend, const struct range source[4],
		 const struct range target[4], struct range result[4]);

/** A logic operation on @bits bits; anything if the operands are not sure. */
struct range logic_operation(GLenum operation, struct range source, struct range target, int bits);

/** What @bits bits store of a value; @slack: how far rounding may be off, in steps. */
struct range store_bits(struct range value, int bits, double slack);

#endif
