// SPDX-License-Identifier: MIT
/*
 * Blending and logic operations on lanes. Blending computes in 32-bit floats for all formats;
 * rounding happens when the result is packed.
 */
#include <string.h>

#include "gc/pe_internal.h"
#include "hw/state_3d.xml.h"

#define BLOCK PE_BLOCK
#define ALPHA 3

/* Operands of the blend factors and equations: one component of sixteen pixels. */
struct operands {
	const float *source, *source_alpha;
	const float *destination, *destination_alpha;
	float constant, constant_alpha;
	bool alpha; /* the component is alpha */
};

static void fill(float *restrict out, float value)
{
	for (unsigned int i = 0; i < BLOCK; i++)
		out[i] = value;
}

static void copy(float *restrict out, const float *restrict in)
{
	for (unsigned int i = 0; i < BLOCK; i++)
		out[i] = in[i];
}

static void complement(float *restrict out, const float *restrict in)
{
	for (unsigned int i = 0; i < BLOCK; i++)
		out[i] = 1.0f - in[i];
}

static void saturate_factor(float *restrict out, const struct operands *o)
{
	for (unsigned int i = 0; i < BLOCK; i++) {
		float room = 1.0f - o->destination_alpha[i];

		out[i] = o->source_alpha[i] < room ? o->source_alpha[i] : room;
	}
}

/* clang-format off */
/* BLEND_FUNC_* of one component; undefined numbers act as ZERO. */
static void factor(unsigned int func, const struct operands *o, float *out)
{
	switch (func) {
	case BLEND_FUNC_ONE: fill(out, 1.0f); break;
	case BLEND_FUNC_SRC_COLOR: copy(out, o->source); break;
	case BLEND_FUNC_ONE_MINUS_SRC_COLOR: complement(out, o->source); break;
	case BLEND_FUNC_SRC_ALPHA: copy(out, o->source_alpha); break;
	case BLEND_FUNC_ONE_MINUS_SRC_ALPHA: complement(out, o->source_alpha); break;
	case BLEND_FUNC_DST_ALPHA: copy(out, o->destination_alpha); break;
	case BLEND_FUNC_ONE_MINUS_DST_ALPHA: complement(out, o->destination_alpha); break;
	case BLEND_FUNC_DST_COLOR: copy(out, o->destination); break;
	case BLEND_FUNC_ONE_MINUS_DST_COLOR: complement(out, o->destination); break;
	case BLEND_FUNC_SRC_ALPHA_SATURATE:
		if (o->alpha)
			fill(out, 1.0f);
		else
			saturate_factor(out, o);
		break;
	case BLEND_FUNC_CONSTANT_ALPHA: fill(out, o->constant_alpha); break;
	case BLEND_FUNC_ONE_MINUS_CONSTANT_ALPHA: fill(out, 1.0f - o->constant_alpha); break;
	case BLEND_FUNC_CONSTANT_COLOR: fill(out, o->constant); break;
	case BLEND_FUNC_ONE_MINUS_CONSTANT_COLOR: fill(out, 1.0f - o->constant); break;
	default: fill(out, 0.0f); break;
	}
}
/* clang-format on */

/* BLEND_EQ_*; undefined numbers act as ADD. */
static void combine(unsigned int equation, const float *restrict s, const float *restrict sf,
		    const float *restrict d, const float *restrict df, float *restrict out)
{
	switch (equation) {
	case BLEND_EQ_SUBTRACT:
		for (unsigned int i = 0; i < BLOCK; i++)
			out[i] = s[i] * sf[i] - d[i] * df[i];
		break;
	case BLEND_EQ_REVERSE_SUBTRACT:
		for (unsigned int i = 0; i < BLOCK; i++)
			out[i] = d[i] * df[i] - s[i] * sf[i];
		break;
	case BLEND_EQ_MIN:
		for (unsigned int i = 0; i < BLOCK; i++)
			out[i] = s[i] < d[i] ? s[i] : d[i];
		break;
	case BLEND_EQ_MAX:
		for (unsigned int i = 0; i < BLOCK; i++)
			out[i] = s[i] > d[i] ? s[i] : d[i];
		break;
	default:
		for (unsigned int i = 0; i < BLOCK; i++)
			out[i] = s[i] * sf[i] + d[i] * df[i];
		break;
	}
}

static void blend_block(const struct pe_blend *blend, const struct gc_vec4 *source, unsigned int at,
			struct gc_vec4 *destination)
{
	float result[4][BLOCK] __attribute__((aligned(64)));
	float sf[BLOCK] __attribute__((aligned(64))), df[BLOCK] __attribute__((aligned(64)));

	for (unsigned int c = 0; c < 4; c++) {
		bool alpha = c == ALPHA;
		struct operands o = {
			.source = source->c[c].f + at,
			.source_alpha = source->c[ALPHA].f + at,
			.destination = destination->c[c].f + at,
			.destination_alpha = destination->c[ALPHA].f + at,
			.constant = blend->constant[c],
			.constant_alpha = blend->constant[ALPHA],
			.alpha = alpha,
		};

		factor(blend->source[alpha], &o, sf);
		factor(blend->destination[alpha], &o, df);
		combine(blend->equation[alpha], o.source, sf, o.destination, df, result[c]);
	}
	for (unsigned int c = 0; c < 4; c++)
		copy(destination->c[c].f + at, result[c]);
}

void pe_blend_lanes(const struct pe_blend *blend, const struct gc_vec4 *source, unsigned int first,
		    unsigned int end, struct gc_vec4 *destination)
{
	for (unsigned int at = first; at < end; at += BLOCK)
		blend_block(blend, source, at, destination);
}

/*
 * Blending of 8-bit targets in one function from pixels to pixels, for common factors. The
 * operations on each component and their order are those of pe_blend_lanes() and
 * gc_format_pack(), so the results are the same.
 */

static inline float saturate(float v)
{
	v = v > 0.0f ? v : 0.0f;
	return v < 1.0f ? v : 1.0f;
}

/* A factor that is known at compile time; @own is the source's component, @alpha its alpha. */
static inline __attribute__((always_inline)) float known_factor(unsigned int func, float own,
								float alpha)
{
	switch (func) {
	case BLEND_FUNC_ONE:
		return 1.0f;
	case BLEND_FUNC_SRC_ALPHA:
		return alpha;
	case BLEND_FUNC_ONE_MINUS_SRC_ALPHA:
		return 1.0f - alpha;
	case BLEND_FUNC_SRC_COLOR:
		return own;
	default: /* BLEND_FUNC_ZERO */
		return 0.0f;
	}
}

/* Blend one component of a block and OR it into @out at bit @shift. */
static inline __attribute__((always_inline)) void blend_channel(
	unsigned int source, unsigned int destination, const float *restrict color,
	const float *restrict alpha, unsigned int shift, uint32_t absent,
	const uint32_t *restrict old, uint32_t *restrict out)
{
	for (unsigned int i = 0; i < BLOCK; i++) {
		float s = saturate(color[i]), a = saturate(alpha[i]);
		float d = (float)(int32_t)((old[i] | absent) >> shift & 255) * (1.0f / 255.0f);
		float v = s * known_factor(source, s, a) + d * known_factor(destination, s, a);

		out[i] |= (uint32_t)(int32_t)(saturate(v) * 255.0f + 0.5f) << shift;
	}
}

static inline __attribute__((always_inline)) void blend_words(
	unsigned int source, unsigned int destination, const struct gc_color *color,
	unsigned int first, unsigned int end, uint32_t opaque, const uint32_t *old, uint32_t *out)
{
	static const uint8_t shift[4] = { 16, 8, 0, 24 }; /* R, G, B, A */

	for (unsigned int at = first; at < end; at += BLOCK) {
		uint32_t result[BLOCK] __attribute__((aligned(64)));

		for (unsigned int i = 0; i < BLOCK; i++)
			result[i] = opaque;
		for (unsigned int c = 0; c < 4; c++)
			blend_channel(source, destination, color->c[c]->f + at,
				      color->c[ALPHA]->f + at, shift[c], opaque, old + at, result);
		memcpy(out + at, result, sizeof(result));
	}
}

#define BLENDER(name, source, destination)                                                   \
	static void name(const struct gc_color *color, unsigned int first, unsigned int end, \
			 uint32_t opaque, const uint32_t *old, uint32_t *out)                \
	{                                                                                    \
		blend_words(source, destination, color, first, end, opaque, old, out);       \
	}

BLENDER(over, BLEND_FUNC_SRC_ALPHA, BLEND_FUNC_ONE_MINUS_SRC_ALPHA)
BLENDER(over_premultiplied, BLEND_FUNC_ONE, BLEND_FUNC_ONE_MINUS_SRC_ALPHA)
BLENDER(sum, BLEND_FUNC_ONE, BLEND_FUNC_ONE)
BLENDER(weighted_sum, BLEND_FUNC_SRC_ALPHA, BLEND_FUNC_ONE)
BLENDER(product, BLEND_FUNC_ZERO, BLEND_FUNC_SRC_COLOR)

static const struct {
	uint8_t source, destination;
	pe_blender blender;
} blenders[] = {
	{ BLEND_FUNC_SRC_ALPHA, BLEND_FUNC_ONE_MINUS_SRC_ALPHA, over },
	{ BLEND_FUNC_ONE, BLEND_FUNC_ONE_MINUS_SRC_ALPHA, over_premultiplied },
	{ BLEND_FUNC_ONE, BLEND_FUNC_ONE, sum },
	{ BLEND_FUNC_SRC_ALPHA, BLEND_FUNC_ONE, weighted_sum },
	{ BLEND_FUNC_ZERO, BLEND_FUNC_SRC_COLOR, product },
};

pe_blender pe_find_blender(const struct pe_blend *blend)
{
	if (blend->equation[0] != BLEND_EQ_ADD || blend->equation[1] != BLEND_EQ_ADD ||
	    blend->source[0] != blend->source[1] || blend->destination[0] != blend->destination[1])
		return NULL;
	for (unsigned int i = 0; i < sizeof(blenders) / sizeof(blenders[0]); i++)
		if (blend->source[0] == blenders[i].source &&
		    blend->destination[0] == blenders[i].destination)
			return blenders[i].blender;
	return NULL;
}

static uint32_t logic(unsigned int op, uint32_t s, uint32_t d)
{
	/*
	 * the operation's number is its truth table: bit 2 * s + d is the result for inputs s
	 * and d
	 */
	uint32_t result = 0;

	if (op & LOGIC_OP_NOR)
		result |= ~s & ~d;
	if (op & LOGIC_OP_AND_INVERTED)
		result |= ~s & d;
	if (op & LOGIC_OP_AND_REVERSE)
		result |= s & ~d;
	if (op & LOGIC_OP_AND)
		result |= s & d;
	return result;
}

void pe_logic_lanes(unsigned int op, const struct gc_pixels *destination, unsigned int first,
		    unsigned int end, struct gc_pixels *source)
{
	for (unsigned int i = first; i < end; i++) {
		source->lo[i] = logic(op, source->lo[i], destination->lo[i]);
		source->hi[i] = logic(op, source->hi[i], destination->hi[i]);
	}
}
