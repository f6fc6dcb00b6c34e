// SPDX-License-Identifier: MIT
/* OpenGL 2.1, sections 4.1.4 to 4.1.6: comparisons, stencil of 8 bits. */
#include "fragment.h"

#include <math.h>

enum sure compare_ranges(GLenum function, struct range a, struct range b)
{
	enum sure less = a.high < b.low ? YES : a.low >= b.high ? NO : MAYBE;
	enum sure greater = a.low > b.high ? YES : a.high <= b.low ? NO : MAYBE;
	enum sure equal = a.high < b.low || a.low > b.high                       ? NO
			  : a.low == a.high && b.low == b.high && a.low == b.low ? YES
										 : MAYBE;

	switch (function) {
	case GL_NEVER:
		return NO;
	case GL_LESS:
		return less;
	case GL_EQUAL:
		return equal;
	case GL_LEQUAL:
		return YES - greater;
	case GL_GREATER:
		return greater;
	case GL_NOTEQUAL:
		return YES - equal;
	case GL_GEQUAL:
		return YES - less;
	default:
		return YES;
	}
}

enum sure test_stencil(const struct stencil *stencil, struct range value)
{
	double reference = stencil->reference & stencil->mask;
	struct range masked = { 0, stencil->mask };

	if (value.low == value.high)
		masked.low = masked.high = (unsigned)value.low & stencil->mask;
	return compare_ranges(stencil->function, (struct range){ reference, reference }, masked);
}

struct range change_stencil(const struct stencil *stencil, GLenum operation, struct range old)
{
	struct range new = old;
	int step = operation == GL_INCR || operation == GL_INCR_WRAP ? 1 : -1;

	if (operation == GL_KEEP)
		return old;
	if (operation == GL_ZERO)
		new = (struct range){ 0, 0 };
	else if (operation == GL_REPLACE)
		new = (struct range){ stencil->reference, stencil->reference };
	else if (operation == GL_INVERT)
		new = (struct range){ 255 - old.high, 255 - old.low };
	else
		new = (struct range){ old.low + step, old.high + step };
	if (operation == GL_INCR || operation == GL_DECR) {
		new.low = fmin(fmax(new.low, 0), 255);
		new.high = fmin(fmax(new.high, 0), 255);
	} else if ((new.low < 0 || new.high > 255) && new.low == new.high) {
		new.low = new.high = (int)new.low & 255;
	} else if (new.low < 0 || new.high > 255) {
		return (struct range){ 0, 255 };
	}
	if (stencil->write == 255)
		return new;
	if (old.low != old.high || new.low != new.high)
		return (struct range){ 0, 255 };
	new.low = ((unsigned)old.low & ~stencil->write) | ((unsigned)new.low & stencil->write);
	return (struct range){ new.low, new.low };
}
