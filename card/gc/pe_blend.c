// SPDX-License-Identifier: MIT
/*
 * Blending and logic operations over lanes. Blending computes in 32-bit
 * floats whatever the target's format; packing rounds once at the end.
 */
#include "gc/pe_internal.h"
#include "hw/state_3d.xml.h"

#define BLOCK PE_BLOCK
#define ALPHA 3

/* One component of sixteen pixels: what the factors and equations choose from. */
struct operands {
	const float *source, *source_alpha;
	const float *destination, *destination_alpha;
	float constant, constant_alpha;
	bool alpha; /* the component is alpha itself */
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
/* BLEND_FUNC_* of one component; numbers beyond the known ones act as ZERO. */
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

/* BLEND_EQ_*; numbers beyond the known ones act as ADD. */
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

static uint32_t logic(unsigned int op, uint32_t s, uint32_t d)
{
	/* The operation's bits are its truth table: bit 2s+d is the result for those inputs. */
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
