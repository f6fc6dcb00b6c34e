// SPDX-License-Identifier: MIT
/* OpenGL 2.1, sections 4.1.8 (blending), 4.1.10 (logic operations), 2.14.9 (fixed point). */
#include "blend.h"

#include <math.h>

static struct range at(double value)
{
	return (struct range){ value, value };
}

static struct range complement(struct range a)
{
	return (struct range){ 1 - a.high, 1 - a.low };
}

static struct range lesser(struct range a, struct range b)
{
	return (struct range){ fmin(a.low, b.low), fmin(a.high, b.high) };
}

/* Neither has negative values. */
static struct range times(struct range a, struct range b)
{
	return (struct range){ a.low * b.low, a.high * b.high };
}

static struct range factor_of(GLenum factor, int i, const struct range *source,
			      const struct range *target, const struct range *constant)
{
	switch (factor) {
	case GL_ZERO:
		return at(0);
	case GL_SRC_COLOR:
		return source[i];
	case GL_ONE_MINUS_SRC_COLOR:
		return complement(source[i]);
	case GL_DST_COLOR:
		return target[i];
	case GL_ONE_MINUS_DST_COLOR:
		return complement(target[i]);
	case GL_SRC_ALPHA:
		return source[3];
	case GL_ONE_MINUS_SRC_ALPHA:
		return complement(source[3]);
	case GL_DST_ALPHA:
		return target[3];
	case GL_ONE_MINUS_DST_ALPHA:
		return complement(target[3]);
	case GL_CONSTANT_COLOR:
		return constant[i];
	case GL_ONE_MINUS_CONSTANT_COLOR:
		return complement(constant[i]);
	case GL_CONSTANT_ALPHA:
		return constant[3];
	case GL_ONE_MINUS_CONSTANT_ALPHA:
		return complement(constant[3]);
	case GL_SRC_ALPHA_SATURATE:
		return i == 3 ? at(1) : lesser(source[3], complement(target[3]));
	default:
		return at(1);
	}
}

void blend_color(const struct blend *blend, const struct range source[4],
		 const struct range target[4], struct range result[4])
{
	for (int i = 0; i < 4; i++) {
		const GLenum *factors = &blend->factors[i == 3 ? 2 : 0];
		struct range a =
			times(source[i], factor_of(factors[0], i, source, target, blend->constant));
		struct range b =
			times(target[i], factor_of(factors[1], i, source, target, blend->constant));

		switch (blend->equations[i == 3]) {
		case GL_FUNC_SUBTRACT:
			result[i] = (struct range){ a.low - b.high, a.high - b.low };
			break;
		case GL_FUNC_REVERSE_SUBTRACT:
			result[i] = (struct range){ b.low - a.high, b.high - a.low };
			break;
		case GL_MIN:
			result[i] = lesser(source[i], target[i]);
			break;
		case GL_MAX:
			result[i].low = fmax(source[i].low, target[i].low);
			result[i].high = fmax(source[i].high, target[i].high);
			break;
		default:
			result[i] = (struct range){ a.low + b.low, a.high + b.high };
		}
	}
}

struct range store_bits(struct range value, int bits, double slack)
{
	double most = (1 << bits) - 1;

	if (bits == 0)
		return at(1);
	return (struct range){
		fmin(fmax(ceil(value.low * most - 0.5 - slack), 0), most) / most,
		fmin(fmax(floor(value.high * most + 0.5 + slack), 0), most) / most,
	};
}

struct range logic_operation(GLenum operation, struct range source, struct range target, int bits)
{
	unsigned most = (1u << bits) - 1, s, d, result = 0, table = operation - GL_CLEAR;
	/* For each operation from GL_CLEAR on: bit 2s + d is its result for bits s and d. */
	static const uint8_t truth[16] = { 0x0, 0x8, 0x4, 0xc, 0x2, 0xa, 0x6, 0xe,
					   0x1, 0x9, 0x5, 0xd, 0x3, 0xb, 0x7, 0xf };

	if (bits == 0)
		return at(1);
	if (source.low != source.high || target.low != target.high)
		return (struct range){ 0, 1 };
	s = (unsigned)lrint(source.low * most);
	d = (unsigned)lrint(target.low * most);
	if (truth[table] & 8)
		result |= s & d;
	if (truth[table] & 4)
		result |= s & ~d;
	if (truth[table] & 2)
		result |= ~s & d;
	if (truth[table] & 1)
		result |= ~s & ~d;
	return at((double)(result & most) / most);
}
