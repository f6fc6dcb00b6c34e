/* SPDX-License-Identifier: MIT */
/*
 * A reference for instructions, which computes one component of one lane at a time in C, and the
 * table of instructions that are compared with it.
 */
#ifndef CARD_TESTS_SHADER_REFERENCE_H
#define CARD_TESTS_SHADER_REFERENCE_H

#include <stdlib.h>

#include "tests/check.h"
#include "gc/float_bits.h"
#include "tests/shader_bench.h"

/* Denormals are zeros with their sign. */
static float flush(float f)
{
	return fabsf(f) < 0x1p-126f ? copysignf(0.0f, f) : f;
}

/* A product, rounded with unlimited exponent range, then flushed. */
static float ref_mul(float a, float b)
{
	double exact = (double)a * b;

	return fabsf((float)ldexp(exact, 64)) < 0x1p-62f ? copysignf(0.0f, (float)exact)
							 : (float)exact;
}

static bool unsigned_type(unsigned int type)
{
	return type == ISA_U32 || type == ISA_U16 || type == ISA_U8;
}

static uint32_t ref_narrow(uint32_t u, unsigned int type)
{
	switch (type) {
	case ISA_S8:
		return (uint32_t)(int8_t)u;
	case ISA_U8:
		return (uint8_t)u;
	case ISA_S16:
		return (uint32_t)(int16_t)u;
	case ISA_U16:
		return (uint16_t)u;
	default:
		return u;
	}
}

static unsigned int ref_width(unsigned int type)
{
	return type == ISA_S8 || type == ISA_U8 ? 8 : type == ISA_S16 || type == ISA_U16 ? 16 : 32;
}

static int64_t ref_number(uint32_t u, unsigned int type)
{
	return unsigned_type(type) ? (int64_t)u : (int64_t)(int32_t)u;
}

static int64_t ref_min(unsigned int type)
{
	static const int64_t min[] = { INT32_MIN, INT32_MIN, -128, 0, 0, -32768, 0, 0 };

	return min[type];
}

static int64_t ref_max(unsigned int type)
{
	static const int64_t max[] = {
		INT32_MAX, INT32_MAX, 127, 65535, 0, 32767, UINT32_MAX, 255
	};

	return max[type];
}

static bool ref_compare(unsigned int cond, unsigned int type, uint32_t a, uint32_t b)
{
	bool f = type == ISA_F32;
	double x = f ? (double)flush(bits_float(a)) : (double)ref_number(a, type);
	double y = f ? (double)flush(bits_float(b)) : (double)ref_number(b, type);

	switch (cond) {
	case ISA_COND_TRUE:
		return true;
	case ISA_COND_GT:
		return x > y;
	case ISA_COND_LT:
		return x < y;
	case ISA_COND_GE:
		return x >= y;
	case ISA_COND_LE:
		return x <= y;
	case ISA_COND_EQ:
		return x == y;
	case ISA_COND_NE:
		return !(x == y);
	case ISA_COND_AND:
		return (a & b) != 0;
	case ISA_COND_OR:
		return (a | b) != 0;
	case ISA_COND_XOR:
		return (a ^ b) != 0;
	case ISA_COND_NOT:
		return x == 0;
	case ISA_COND_NZ:
		return !(x == 0);
	case ISA_COND_GEZ:
		return x >= 0;
	case ISA_COND_GZ:
		return x > 0;
	case ISA_COND_LEZ:
		return x <= 0;
	case ISA_COND_LZ:
		return x < 0;
	default:
		return a >> 31; /* SELMSB */
	}
}

static bool is_unary(unsigned int cond)
{
	return cond == ISA_COND_TRUE || cond >= ISA_COND_NOT;
}

static uint32_t ref_f2i(float x, unsigned int type, bool nan_saturates)
{
	if (isnan(x))
		return nan_saturates ? (uint32_t)(signbit(x) ? ref_min(type) : ref_max(type)) : 0;
	if ((double)x <= (double)ref_min(type))
		return (uint32_t)ref_min(type);
	if ((double)x >= (double)ref_max(type))
		return (uint32_t)ref_max(type);
	return (uint32_t)(int64_t)x;
}

static uint32_t ref_saturate_int(__int128 x, unsigned int type)
{
	return (uint32_t)(x < ref_min(type)   ? ref_min(type)
			  : x > ref_max(type) ? ref_max(type)
					      : (int64_t)x);
}

static uint32_t ref_bits(uint32_t x, uint32_t offset, uint32_t count, bool sign)
{
	uint32_t result = 0, width = 0;

	offset %= 32;
	for (; width < count && offset + width < 32; width++)
		result |= (x >> (offset + width) & 1) << width;
	if (sign && width && result >> (width - 1) & 1)
		for (; width < 32; width++)
			result |= 1u << width;
	return result;
}

static uint32_t ref_integer(unsigned int op, unsigned int type, uint32_t a, uint32_t b, uint32_t c)
{
	int64_t x = ref_number(a, type), y = ref_number(b, type), z = ref_number(c, type);
	__int128 product = (__int128)x * y;
	uint32_t count = 0;

	switch (op) {
	case ISA_ADD:
		return a + b;
	case ISA_SIGN:
		return (uint32_t)((x > 0) - (x < 0));
	case ISA_I2I:
		return a;
	case ISA_I2F:
		return float_bits((float)x);
	case ISA_IADDSAT:
		return ref_saturate_int((__int128)x + y, type);
	case ISA_IMULLO0:
		return a * b;
	case ISA_IMULLOSAT0:
		return ref_saturate_int(product, type);
	case ISA_IMULHI0:
		return (uint32_t)(product >> ref_width(type));
	case ISA_IMADLO0:
		return a * b + c;
	case ISA_IMADLOSAT0:
		return ref_saturate_int(product + z, type);
	case ISA_IMADHI0:
		return (uint32_t)(product >> ref_width(type)) + c;
	case ISA_IMADHISAT0:
		return ref_saturate_int((product >> ref_width(type)) + z, type);
	case ISA_IDIV0:
		return y ? (uint32_t)(x / y) : UINT32_MAX;
	case ISA_IMOD0:
		return y ? (uint32_t)(x % y) : a;
	case ISA_IABS:
		return unsigned_type(type) || x >= 0 ? a : (uint32_t)-x;
	case ISA_LSHIFT:
		return a << b % 32;
	case ISA_RSHIFT:
		return type == ISA_F32 || unsigned_type(type) ? a >> b % 32
							      : (uint32_t)((int32_t)a >> b % 32);
	case ISA_ROTATE:
		return b % 32 ? a << b % 32 | a >> (32 - b % 32) : a;
	case ISA_OR:
		return a | b;
	case ISA_AND:
		return a & b;
	case ISA_XOR:
		return a ^ b;
	case ISA_NOT:
		return ~a;
	case ISA_BIT_EXTRACT:
		return ref_bits(a, b, c, type != ISA_F32 && !unsigned_type(type));
	case ISA_LEADZERO:
		while (count < 32 && !(a << count & 0x80000000u))
			count++;
		return count;
	case ISA_POPCOUNT:
		for (; a; a &= a - 1)
			count++;
		return count;
	case ISA_BIT_REV:
		for (unsigned int i = 0; i < 32; i++)
			count |= (a >> i & 1) << (31 - i);
		return count;
	}
	abort();
}

static float ref_pick(float x, float yes, float no)
{
	return x > 0.0f ? yes : no;
}

/* Floating point, one component; @f the operands. */
static float ref_float(unsigned int op, const float *raw, bool fast)
{
	double turn = fast ? M_PI : M_PI / 2, x;
	const float f[3] = { flush(raw[0]), flush(raw[1]), flush(raw[2]) };

	switch (op) {
	case ISA_ADD:
		return f[0] + f[1];
	case ISA_MUL:
		return ref_mul(f[0], f[1]);
	case ISA_MAD:
		return ref_mul(f[0], f[1]) + f[2];
	case ISA_RCP:
		return 1.0f / f[0];
	case ISA_RSQ:
		return 1.0f / sqrtf(f[0]);
	case ISA_SQRT:
		return sqrtf(f[0]);
	case ISA_EXP:
		return (float)exp2((double)f[0]);
	case ISA_LOG:
		return (float)log2((double)f[0]);
	case ISA_FRC:
		return f[0] - floorf(f[0]);
	case ISA_SIN:
		return (float)sin(fmod((double)f[0], 4.0) * turn);
	case ISA_COS:
		return (float)cos(fmod((double)f[0], 4.0) * turn);
	case ISA_FLOOR:
		return floorf(f[0]);
	case ISA_CEIL:
		return ceilf(f[0]);
	case ISA_SIGN:
		return f[0] > 0 ? 1.0f : f[0] < 0 ? -1.0f : f[0];
	case ISA_DIV:
		return f[0] / f[1];
	case ISA_CLAMP0_MAX:
		x = (double)ref_pick(f[0], f[0], 0.0f);
		return (float)x < f[1] ? (float)x : raw[1];
	}
	abort();
}

/* An entry of the table of instructions. */
enum shape {
	FLOAT_OP,
	FLOAT_SCALAR_OP,
	TWO_FACTORS, /* with fast_transcendentals first component written: result, others: 1 */
	INTEGER_OP,
	INTEGER_SCALAR_OP,
	BIT_OP,
	COND_OP,
	CONVERT_OP,
	DOT_OP
};

struct tested {
	unsigned int op;
	const char *sources; /* as in shader_decode.c's table, but written independently */
	enum shape shape;
	unsigned int ulp; /* tolerance, in units in the last place */
};

static const struct tested tested[] = {
	{ ISA_ADD, "02", FLOAT_OP, 0 },
	{ ISA_ADD, "02", INTEGER_OP, 0 },
	{ ISA_MUL, "01", FLOAT_OP, 0 },
	{ ISA_MAD, "012", FLOAT_OP, 0 },
	{ ISA_MOV, "2", FLOAT_OP, 0 },
	{ ISA_RCP, "2", FLOAT_SCALAR_OP, 0 },
	{ ISA_RSQ, "2", FLOAT_SCALAR_OP, 0 },
	{ ISA_SQRT, "2", FLOAT_SCALAR_OP, 0 },
	{ ISA_EXP, "2", FLOAT_SCALAR_OP, 2 },
	{ ISA_LOG, "2", TWO_FACTORS, 3 },
	{ ISA_SIN, "2", TWO_FACTORS, 2 },
	{ ISA_COS, "2", TWO_FACTORS, 2 },
	{ ISA_DIV, "12", TWO_FACTORS, 0 },
	{ ISA_FRC, "2", FLOAT_OP, 0 },
	{ ISA_FLOOR, "2", FLOAT_OP, 0 },
	{ ISA_CEIL, "2", FLOAT_OP, 0 },
	{ ISA_SIGN, "2", FLOAT_OP, 0 },
	{ ISA_SIGN, "2", INTEGER_OP, 0 },
	{ ISA_CLAMP0_MAX, "01", FLOAT_OP, 0 },
	{ ISA_DP2, "01", DOT_OP, 0 },
	{ ISA_DP3, "01", DOT_OP, 0 },
	{ ISA_DP4, "01", DOT_OP, 0 },
	{ ISA_SELECT, "012", COND_OP, 0 },
	{ ISA_SET, "01", COND_OP, 0 },
	{ ISA_CMP, "012", COND_OP, 0 },
	{ ISA_I2I, "0", INTEGER_OP, 0 },
	{ ISA_I2F, "0", INTEGER_OP, 0 },
	{ ISA_F2I, "0", CONVERT_OP, 0 },
	{ ISA_F2IRND, "0", CONVERT_OP, 0 },
	{ ISA_IADDSAT, "02", INTEGER_OP, 0 },
	{ ISA_IMULLO0, "01", INTEGER_SCALAR_OP, 0 },
	{ ISA_IMULLOSAT0, "01", INTEGER_SCALAR_OP, 0 },
	{ ISA_IMULHI0, "01", INTEGER_SCALAR_OP, 0 },
	{ ISA_IMADLO0, "012", INTEGER_SCALAR_OP, 0 },
	{ ISA_IMADLOSAT0, "012", INTEGER_SCALAR_OP, 0 },
	{ ISA_IMADHI0, "012", INTEGER_SCALAR_OP, 0 },
	{ ISA_IMADHISAT0, "012", INTEGER_SCALAR_OP, 0 },
	{ ISA_IDIV0, "01", INTEGER_OP, 0 },
	{ ISA_IMOD0, "01", INTEGER_OP, 0 },
	{ ISA_IABS, "2", INTEGER_OP, 0 },
	{ ISA_LEADZERO, "2", BIT_OP, 0 },
	{ ISA_LSHIFT, "02", BIT_OP, 0 },
	{ ISA_RSHIFT, "02", BIT_OP, 0 },
	{ ISA_ROTATE, "02", BIT_OP, 0 },
	{ ISA_OR, "02", BIT_OP, 0 },
	{ ISA_AND, "02", BIT_OP, 0 },
	{ ISA_XOR, "02", BIT_OP, 0 },
	{ ISA_NOT, "2", BIT_OP, 0 },
	{ ISA_BIT_EXTRACT, "012", BIT_OP, 0 },
	{ ISA_POPCOUNT, "2", BIT_OP, 0 },
	{ ISA_BIT_REV, "0", BIT_OP, 0 },
};

static const struct gc_batch *before; /* the registers before the instruction */

/* Component @c of source @src in @lane, as the instruction sees it. */
static uint32_t ref_source(const struct asm_src *src, unsigned int c, unsigned int lane,
			   unsigned int type)
{
	unsigned int component = src->swizzle >> (2 * c) & 3;
	uint32_t reg = src->reg, bits;

	if (!src->use)
		return 0;
	if (src->group == 7) {
		bits = src->reg | src->swizzle << 9 | src->neg << 17 | src->abs << 18 |
		       (src->amode & 1) << 19;
		if (src->amode >> 1 == 0)
			return bits << 12;
		return src->amode >> 1 == 1 && bits >> 19 ? bits | 0xfff00000 : bits;
	}
	if (src->amode)
		reg += before->address.c[src->amode - 1].u[lane];
	if (src->group == 2)
		bits = reg < 512 ? bench.uniform[reg * 4 + component] : 0;
	else
		bits = reg < GC_TEMPS ? before->temp[reg].c[component].u[lane] : 0;
	bits = ref_narrow(bits, type);
	if (type == ISA_F32) {
		bits = src->abs ? bits & 0x7fffffff : bits;
		return src->neg ? bits ^ 0x80000000 : bits;
	}
	if (src->abs && bits >> 31)
		bits = -bits;
	return src->neg ? -bits : bits;
}

/* Expected value of component @c of the destination in @lane. */
static uint32_t reference(const struct tested *t, const struct asm_inst *inst, unsigned int c,
			  unsigned int lane)
{
	const struct gc_personality *p = bench.gc.personality;
	unsigned int type = t->shape == CONVERT_OP ? (unsigned int)ISA_F32 : inst->type;
	unsigned int first = (unsigned int)__builtin_ctz(inst->mask), from = c;
	uint32_t u[3] = { 0 }, result;
	float f[3] = { 0 };

	if (t->shape == FLOAT_SCALAR_OP || t->shape == TWO_FACTORS ||
	    t->shape == INTEGER_SCALAR_OP ||
	    (!p->simd_integers && inst->type != ISA_F32 && inst->op != ISA_MOV))
		from = 0;
	for (unsigned int i = 0; t->sources[i]; i++) {
		u[i] = ref_source(&inst->src[t->sources[i] - '0'], from, lane, type);
		f[i] = bits_float(u[i]);
	}
	switch (t->shape) {
	case TWO_FACTORS:
		if (p->fast_transcendentals && c != first)
			return float_bits(1.0f);
		/* fallthrough */
	case FLOAT_OP:
	case FLOAT_SCALAR_OP:
		if (inst->op == ISA_MOV) {
			result = u[0];
			break;
		}
		f[0] = ref_float(inst->op, f, p->fast_transcendentals);
		result = float_bits(inst->op == ISA_CLAMP0_MAX ? f[0] : flush(f[0]));
		break;
	case DOT_OP:
		f[2] = 0;
		for (unsigned int k = 0; k < (inst->op == ISA_DP2   ? 2u
					      : inst->op == ISA_DP3 ? 3u
								    : 4u);
		     k++) {
			f[0] = flush(bits_float(ref_source(&inst->src[0], k, lane, type)));
			f[1] = flush(bits_float(ref_source(&inst->src[1], k, lane, type)));
			f[2] = k ? flush(f[2] + ref_mul(f[0], f[1])) : ref_mul(f[0], f[1]);
		}
		result = float_bits(f[2]);
		break;
	case COND_OP:
		if (inst->op == ISA_SELECT && is_unary(inst->cond))
			result = ref_compare(inst->cond, type, u[0], 0) ? u[1] : u[2];
		else if (inst->op == ISA_SELECT)
			result = ref_compare(inst->cond, type, u[1], u[0]) ? u[2] : u[1];
		else if (inst->op == ISA_SET)
			return ref_compare(inst->cond, type, u[0], u[1]) ? float_bits(1.0f) : 0;
		else
			result = ref_compare(inst->cond, type, u[0], u[1]) ? u[2] : 0;
		break;
	case CONVERT_OP:
		f[0] = inst->op == ISA_F2I ? truncf(f[0]) : rintf(f[0]);
		return ref_f2i(f[0], inst->type, p->f2i_nan_saturates);
	default:
		result = ref_integer(inst->op, type, u[0], u[1], u[2]);
		if (inst->op == ISA_I2F)
			type = ISA_F32;
		break;
	}
	if (inst->sat && type == ISA_F32) {
		f[0] = bits_float(result);
		result = float_bits(flush(f[0]) > 0.0f ? f[0] < 1.0f ? f[0] : 1.0f : 0.0f);
	}
	return ref_narrow(result, type);
}

static int64_t ordered(uint32_t u)
{
	return u >> 31 ? -(int64_t)(u & 0x7fffffff) : (int64_t)u;
}

/* Equal, or both NaN if a NaN was computed, or within the tolerance. */
static bool agree(uint32_t got, uint32_t want, const struct tested *t)
{
	if (got == want)
		return true;
	if (t->shape >= INTEGER_OP && t->shape != DOT_OP)
		return false;
	if (isnan(bits_float(got)) || isnan(bits_float(want)))
		return isnan(bits_float(got)) && isnan(bits_float(want)) && t->op != ISA_MOV;
	/* exact results just below the smallest normal number: order of rounding and flushing */
	if ((got & 0x7fffffff) == 0 && (want & 0x7fffffff) == 0x00800000)
		return true;
	if (t->op == ISA_SIN || t->op == ISA_COS) /* zero crossings: pi itself is not a float */
		return llabs(ordered(got) - ordered(want)) <= t->ulp ||
		       fabsf(bits_float(got) - bits_float(want)) <= 0x1p-23f;
	return llabs(ordered(got) - ordered(want)) <= t->ulp;
}

#endif
