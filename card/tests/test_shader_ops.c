// SPDX-License-Identifier: MIT
/*
 * All instructions against a reference that computes one lane at a time in C: random operands,
 * with a higher share of special values, types, conditions, swizzles, modifiers, masks,
 * register groups, relative addresses and saturation.
 */
#include <stdlib.h>

#include "check.h"
#include "shader_bench.h"

#define VARIANTS 400

/* Special values. */
static const uint32_t edge[] = {
	0x00000000, 0x80000000, /* zeros; 0 and INT32_MIN */
	0x3f800000, 0xbf800000, 0x40000000, 0x3f000000, 0xc0490fdb, 0x7f800000, 0xff800000,
	0x7fc00000, 0xffc00001, 0x7f800001,                         /* infinities, NaN */
	0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, /* denormals and their border */
	0x7f7fffff, 0xff7fffff, 0x4b000000, 0x4b7fffff, 0xcb000001, /* large */
	0x4f000000, 0xcf000000, 0x4f800000, 0x4effffff, 0xcf000001, /* borders of the integers */
	0x3fc00000, 0xbfc00000, 0x40200000, 0x3effffff, 0x3f7fffff, /* ties of rounding */
	0x7fffffff, 0xffffffff, 0x00000002, 0xfffffffe, 0x0000007f, 0x00000080, 0x000000ff,
	0x00007fff, 0x00008000, 0x0000ffff, 0x00010000, 0x0000001f, 0x00000020, 0xaaaaaaaa,
};

static uint32_t random_state = 1;

static uint32_t random_u32(void)
{
	random_state = random_state * 1664525 + 1013904223;
	return random_state ^ random_state >> 15;
}

static uint32_t random_below(uint32_t n)
{
	return (random_u32() >> 8) % n;
}

static uint32_t random_value(void)
{
	float f;
	uint32_t bits;

	switch (random_below(4)) {
	case 0:
		return edge[random_below(sizeof(edge) / sizeof(edge[0]))];
	case 1:
		return random_u32();
	case 2:
		return random_below(100) - 50;
	default:
		f = ((float)random_below(20001) - 10000.0f) / 256.0f;
		memcpy(&bits, &f, sizeof(bits));
		return bits;
	}
}

/* The reference */

static float as_f(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof(f));
	return f;
}

static uint32_t as_u(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof(u));
	return u;
}

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
	double x = f ? (double)flush(as_f(a)) : (double)ref_number(a, type);
	double y = f ? (double)flush(as_f(b)) : (double)ref_number(b, type);

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
		return as_u((float)x);
	case ISA_IADDSAT:
		return ref_saturate_int((__int128)x + y, type);
	case ISA_IMULLO0:
		return a * b;
	case ISA_IMULLOSAT0:
		return ref_saturate_int(product, unsigned_type(type) ? ISA_U32 : ISA_S32);
	case ISA_IMULHI0:
		return (uint32_t)(product >> 32);
	case ISA_IMADLO0:
		return a * b + c;
	case ISA_IMADLOSAT0:
		return ref_saturate_int(product + z, unsigned_type(type) ? ISA_U32 : ISA_S32);
	case ISA_IMADHI0:
		return (uint32_t)(product >> 32) + c;
	case ISA_IMADHISAT0:
		return ref_saturate_int((product >> 32) + z,
					unsigned_type(type) ? ISA_U32 : ISA_S32);
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
	TWO_FACTORS,
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
	unsigned int ulp; /* tolerance */
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

/* What component @c of the destination must become. */
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
		f[i] = as_f(u[i]);
	}
	switch (t->shape) {
	case TWO_FACTORS:
		if (p->fast_transcendentals && c != first)
			return as_u(1.0f);
		/* fallthrough */
	case FLOAT_OP:
	case FLOAT_SCALAR_OP:
		if (inst->op == ISA_MOV) {
			result = u[0];
			break;
		}
		f[0] = ref_float(inst->op, f, p->fast_transcendentals);
		result = as_u(inst->op == ISA_CLAMP0_MAX ? f[0] : flush(f[0]));
		break;
	case DOT_OP:
		f[2] = 0;
		for (unsigned int k = 0; k < (inst->op == ISA_DP2   ? 2u
					      : inst->op == ISA_DP3 ? 3u
								    : 4u);
		     k++) {
			f[0] = flush(as_f(ref_source(&inst->src[0], k, lane, type)));
			f[1] = flush(as_f(ref_source(&inst->src[1], k, lane, type)));
			f[2] = k ? flush(f[2] + ref_mul(f[0], f[1])) : ref_mul(f[0], f[1]);
		}
		result = as_u(f[2]);
		break;
	case COND_OP:
		if (inst->op == ISA_SELECT && is_unary(inst->cond))
			result = ref_compare(inst->cond, type, u[0], 0) ? u[1] : u[2];
		else if (inst->op == ISA_SELECT)
			result = ref_compare(inst->cond, type, u[1], u[0]) ? u[2] : u[1];
		else if (inst->op == ISA_SET)
			return ref_compare(inst->cond, type, u[0], u[1]) ? as_u(1.0f) : 0;
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
		f[0] = as_f(result);
		result = as_u(flush(f[0]) > 0.0f ? f[0] < 1.0f ? f[0] : 1.0f : 0.0f);
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
	if (isnan(as_f(got)) || isnan(as_f(want)))
		return isnan(as_f(got)) && isnan(as_f(want)) && t->op != ISA_MOV;
	/* exact results just below the smallest normal number: order of rounding and flushing */
	if ((got & 0x7fffffff) == 0 && (want & 0x7fffffff) == 0x00800000)
		return true;
	if (t->op == ISA_SIN || t->op == ISA_COS) /* zero crossings: pi itself is not a float */
		return llabs(ordered(got) - ordered(want)) <= t->ulp ||
		       fabsf(as_f(got) - as_f(want)) <= 0x1p-23f;
	return llabs(ordered(got) - ordered(want)) <= t->ulp;
}

/* Random instructions */

static void random_source(struct asm_src *src, bool immediates)
{
	static const char *const group_of[] = { "temp",    "temp",     "temp",
						"uniform", "relative", "immediate" };
	const char *what = group_of[random_below(immediates ? 6 : 5)];

	*src = (struct asm_src){ .use = 1, .swizzle = random_u32() >> 8 & 0xff };
	if (!strcmp(what, "immediate")) {
		*src = asm_immediate(random_below(3), random_value());
		return;
	}
	src->neg = random_below(3) == 0;
	src->abs = random_below(4) == 0;
	src->reg = random_below(4);
	if (!strcmp(what, "uniform") || (!strcmp(what, "relative") && random_below(2))) {
		src->group = 2;
		src->reg = random_below(8);
	}
	if (!strcmp(what, "relative"))
		src->amode = 1 + random_below(4);
}

static unsigned int random_type(enum shape shape)
{
	static const uint8_t integer[] = { ISA_S32, ISA_U32, ISA_S32, ISA_U32,
					   ISA_S8,  ISA_U8,  ISA_S16, ISA_U16 };

	if (shape == BIT_OP && random_below(4) == 0)
		return ISA_F32;
	if (shape == COND_OP && random_below(2))
		return ISA_F32;
	return integer[random_below(sizeof(integer))];
}

static void random_instruction(const struct tested *t, struct asm_inst *inst)
{
	static const uint8_t cond[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 22 };
	bool integer = t->shape >= INTEGER_OP && t->shape != DOT_OP;

	memset(inst, 0, sizeof(*inst));
	inst->op = t->op;
	inst->type = integer ? random_type(t->shape) : (unsigned int)ISA_F32;
	inst->cond = t->shape == COND_OP ? cond[random_below(sizeof(cond))] : 0;
	inst->sat = random_below(5) == 0;
	inst->dst_use = 1;
	inst->dst = random_below(5);
	inst->mask = 1 + random_below(15);
	for (unsigned int i = 0; t->sources[i]; i++)
		random_source(&inst->src[t->sources[i] - '0'], bench.gc.personality->halti >= 2);
}

static void random_registers(void)
{
	for (unsigned int reg = 0; reg < 6; reg++)
		for (unsigned int c = 0; c < 4; c++)
			for (unsigned int i = 0; i < GC_LANES; i++)
				bench.batch.temp[reg].c[c].u[i] = random_value();
	for (unsigned int i = 0; i < 12 * 4; i++)
		bench.uniform[i] = random_value();
	for (unsigned int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < GC_LANES; i++)
			bench.batch.address.c[c].i[i] = (int32_t)random_below(8) - (c == 3 ? 4 : 1);
}

static void complain(const struct asm_inst *inst, unsigned int c, unsigned int lane, uint32_t got,
		     uint32_t want)
{
	uint32_t words[4];
	char line[128];

	asm_encode(inst, words);
	gc_shader_disassemble(words, line, sizeof(line));
	printf("%s: %s: lane %u component %u is 0x%08x (%g), expected 0x%08x (%g)\n",
	       bench.gc.personality->name, line, lane, c, got, (double)as_f(got), want,
	       (double)as_f(want));
}

/* One random instruction of kind @t in all lanes; false after a difference. */
static bool try_one(const struct tested *t, const char *personality)
{
	static struct gc_batch saved;
	struct asm_inst inst;

	bench_begin(personality, GC_STAGE_VS);
	random_registers();
	if (random_below(3) == 0)
		bench.batch.live =
			((uint64_t)random_u32() << 32 | random_u32()) >> random_below(64);
	random_instruction(t, &inst);
	bench_emit(&inst);
	saved = bench.batch;
	before = &saved;
	if (!bench_run()) {
		printf("refused: %s\n", bench.shader->error);
		return false;
	}
	for (uint64_t left = bench.batch.live; left; left &= left - 1) {
		unsigned int lane = (unsigned int)__builtin_ctzll(left);

		for (unsigned int c = 0; c < 4; c++) {
			uint32_t got = bench_u(inst.dst, c, lane);
			uint32_t want = inst.mask >> c & 1 ? reference(t, &inst, c, lane)
							   : saved.temp[inst.dst].c[c].u[lane];

			if (!agree(got, want, t) || (!(inst.mask >> c & 1) && got != want)) {
				complain(&inst, c, lane, got, want);
				return false;
			}
		}
	}
	return true;
}

/* DP2 came with HALTI2, DIV with fast transcendentals; all others have features both cores have. */
static bool core_has(const char *personality, unsigned int op)
{
	const struct gc_personality *core = gc_personality_find(personality);

	return op == ISA_DP2 ? core->halti >= 2 : op != ISA_DIV || core->fast_transcendentals;
}

static bool try_all(const char *personality)
{
	for (unsigned int i = 0; i < sizeof(tested) / sizeof(tested[0]); i++)
		for (unsigned int n = 0; n < VARIANTS; n++)
			if (core_has(personality, tested[i].op) &&
			    !try_one(&tested[i], personality))
				return false;
	return true;
}

TEST(all_instructions_gc3000)
{
	CHECK(try_all("gc3000"));
}

TEST(all_instructions_gc2000)
{
	CHECK(try_all("gc2000"));
}

TEST(every_condition_with_nan_and_borders)
{
	static const uint8_t cond[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 22 };
	static const uint8_t types[] = { ISA_F32, ISA_S32, ISA_U32 };
	const unsigned int edges = sizeof(edge) / sizeof(edge[0]);

	for (unsigned int n = 0; n < sizeof(cond) * 3; n++) {
		unsigned int type = types[n % 3], condition = cond[n / 3];

		for (unsigned int first = 0; first < edges; first++) {
			bench_begin("gc3000", GC_STAGE_VS);
			for (unsigned int i = 0; i < GC_LANES; i++) {
				bench_lanes(0, 0)->u[i] = edge[first];
				bench_lanes(0, 1)->u[i] = edge[i % edges];
				bench_lanes(0, 2)->u[i] = 0x12345678;
			}
			ASM(OP(ISA_CMP), COND(condition), TYPE(type), D(1, "x"), S0(T(0, "xxxx")),
			    S1(T(0, "yyyy")), S2(IMM_S(-1)));
			ASM(OP(ISA_SET), COND(condition), TYPE(type), D(1, "y"), S0(T(0, "xxxx")),
			    S1(T(0, "yyyy")));
			ASM(OP(ISA_SELECT), COND(condition), TYPE(type), D(1, "z"),
			    S0(T(0, "xxxx")), S1(T(0, "yyyy")), S2(T(0, "zzzz")));
			CHECK(bench_run());
			for (unsigned int i = 0; i < edges && i < GC_LANES; i++) {
				uint32_t a = edge[first], b = edge[i];
				bool truth = ref_compare(condition, type, a, b);

				CHECK_EQ(bench_u(1, 0, i), truth ? UINT32_MAX : 0);
				CHECK_EQ(bench_u(1, 1, i), truth ? as_u(1.0f) : 0);
				if (is_unary(condition))
					CHECK_EQ(bench_u(1, 2, i), truth ? b : 0x12345678);
				else
					CHECK_EQ(bench_u(1, 2, i),
						 ref_compare(condition, type, b, a) ? 0x12345678
										    : b);
			}
		}
	}
}

TEST(minimum_and_maximum_as_drivers_make_them)
{
	bench_begin("gc3000", GC_STAGE_VS);
	bench_fill(0, 0, -4.0f, 0.5f);
	bench_fill(0, 1, 4.0f, -0.25f);
	ASM(OP(ISA_SELECT), COND(ISA_COND_GT), D(1, "x"), S0(T(0, "xxxx")), S1(T(0, "yyyy")),
	    S2(T(0, "xxxx")));
	ASM(OP(ISA_SELECT), COND(ISA_COND_LT), D(1, "y"), S0(T(0, "xxxx")), S1(T(0, "yyyy")),
	    S2(T(0, "xxxx")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		CHECK_EQ(bench_u(1, 0, i), as_u(fminf(bench_f(0, 0, i), bench_f(0, 1, i))));
		CHECK_EQ(bench_u(1, 1, i), as_u(fmaxf(bench_f(0, 0, i), bench_f(0, 1, i))));
	}
}

TEST(derivatives)
{
	bench_begin("gc3000", GC_STAGE_PS);
	for (unsigned int i = 0; i < GC_LANES; i++) {
		unsigned int quad = i / 4, x = i % 2, y = i / 2 % 2;

		bench_lanes(0, 0)->f[i] = (float)(quad * 10 + 3 * x + 5 * y);
		bench_lanes(0, 1)->f[i] = (float)(quad + x * y); /* differs from row to row */
	}
	ASM(OP(ISA_DSX), D(1, "xy"), S0(T(0, "xyyy")), S2(T(0, "xyyy")));
	ASM(OP(ISA_DSY), D(1, "zw"), S0(T(0, "xyxy")), S2(T(0, "xyxy")));
	ASM(OP(ISA_DSX), D(2, "x"), S0(NEG(T(0, "xxxx"))), S2(NEG(T(0, "xxxx"))));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		unsigned int x = i % 2, y = i / 2 % 2;

		CHECK_EQ(bench_f(1, 0, i) == 3.0f, 1);
		CHECK_EQ(bench_f(1, 1, i) == (float)y, 1);
		CHECK_EQ(bench_f(1, 2, i) == 5.0f, 1);
		CHECK_EQ(bench_f(1, 3, i) == (float)x, 1);
		CHECK_EQ(bench_f(2, 0, i) == -3.0f, 1);
	}
}

TEST(address_register)
{
	bench_begin("gc2000", GC_STAGE_VS);
	for (unsigned int reg = 0; reg < 16; reg++)
		bench_uniform(reg, 1, 100.0f + (float)reg);
	for (unsigned int i = 0; i < GC_LANES; i++) {
		bench_lanes(0, 0)->f[i] = (float)(i % 8) + (i & 1 ? 0.25f : -0.25f);
		bench_lanes(0, 1)->f[i] = (float)(i % 4);
		bench_lanes(2, 0)->f[i] = (float)i;
	}
	ASM(OP(ISA_MOVAR), D(0, "x"), S2(T(0, "xxxx")));
	ASM(OP(ISA_MOVAR), D(0, "z"), S2(T(0, "yyyy")));
	ASM(OP(ISA_MOV), D(1, "x"), S2(REL(U(4, "yyyy"), 'x')));
	ASM(OP(ISA_MOV), D(10, "y"), DREL('z'), S2(T(2, "xxxx")));
	ASM(OP(ISA_MOVAF), D(0, "w"), S2(T(0, "xxxx")));
	ASM(OP(ISA_MOV), D(1, "y"), S2(REL(U(4, "yyyy"), 'w')));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		unsigned int index = i % 8;

		CHECK_EQ(bench_f(1, 0, i) == 104.0f + (float)index, 1);
		CHECK_EQ(bench_f(1, 1, i) ==
				 104.0f + floorf((float)index + (i & 1 ? 0.25f : -0.25f)),
			 1);
		for (unsigned int reg = 10; reg < 14; reg++)
			CHECK_EQ(bench_f(reg, 1, i) == (reg - 10 == i % 4 ? (float)i : 0.0f), 1);
	}

	/* integers on cores that have MOVAI; out of range reads zero and writes nothing */
	bench_begin("gc3000", GC_STAGE_VS);
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench_lanes(0, 0)->i[i] = i == 5 ? 1 : (int32_t)i * 1000 - 4000;
	bench_fill(63, 0, 7.0f, 0.0f);
	ASM(OP(ISA_MOVAI), TYPE(ISA_S32), D(0, "y"), S2(T(0, "xxxx")));
	ASM(OP(ISA_MOV), D(1, "x"), S2(REL(T(63, "xxxx"), 'y')));
	ASM(OP(ISA_MOV), D(2, "x"), DREL('y'), S2(IMM_F(1.0f)));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		CHECK_EQ(bench_f(1, 0, i) == (i == 4 ? 7.0f : 0.0f), 1);
		CHECK_EQ(bench_f(2, 0, i) == (i == 4 ? 1.0f : 0.0f), 1);
	}
}

TEST(litp)
{
	bench_begin("gc2000", GC_STAGE_VS);
	bench_fill(0, 0, -1.0f, 0.5f);
	bench_fill(0, 1, 3.0f, 0.0f);
	ASM(OP(ISA_LITP), D(0, "xyzw"), S1(T(0, "xxxx")), S2(T(0, "yyyy")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		float x = -1.0f + 0.5f * (float)i;

		CHECK_EQ(bench_f(0, 0, i) == 1.0f, 1);
		CHECK_EQ(bench_f(0, 1, i) == (x > 0 ? x : 0), 1);
		CHECK_EQ(bench_f(0, 2, i) == (x > 0 ? 8.0f : 0), 1);
		CHECK_EQ(bench_f(0, 3, i) == 1.0f, 1);
	}
}

TEST(low_parts)
{
	bench_begin("gc3000", GC_STAGE_VS);
	for (unsigned int i = 0; i < GC_LANES; i++) {
		bench_lanes(0, 0)->f[i] = 1.0f + (float)i * 0x1p-20f;
		bench_lanes(0, 1)->f[i] = 3.0f + (float)(i * i) * 0x1p-21f;
	}
	ASM(OP(ISA_ADDLO), D(1, "x"), S0(T(0, "xxxx")), S2(T(0, "yyyy")));
	ASM(OP(ISA_MULLO), D(1, "y"), S0(T(0, "xxxx")), S1(T(0, "yyyy")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		float a = bench_f(0, 0, i), b = bench_f(0, 1, i);

		CHECK_EQ((double)bench_f(1, 0, i) + (double)(a + b) == (double)a + (double)b, 1);
		CHECK_EQ((double)bench_f(1, 1, i) + (double)(a * b) == (double)a * (double)b, 1);
	}
}

TEST(find_bits)
{
	static const uint32_t value[] = { 0, 1, 0x80000000, 0xffffffff, 0x00f0, 0xfffffff0 };
	static const uint32_t lsb[] = { UINT32_MAX, 0, 31, 0, 4, 4 };
	static const uint32_t msb_u[] = { UINT32_MAX, 0, 31, 31, 7, 31 };
	static const uint32_t msb_s[] = { UINT32_MAX, 0, 30, UINT32_MAX, 7, 3 };
	struct asm_src lsb_code = asm_immediate(2, ISA_EXT_FINDLSB);
	struct asm_src msb_code = asm_immediate(2, ISA_EXT_FINDMSB);

	bench_begin("gc3000", GC_STAGE_VS);
	for (unsigned int i = 0; i < 6; i++)
		bench_lanes(0, 0)->u[i] = value[i];
	ASM(OP(ISA_EXTENDED), TYPE(ISA_U32), D(1, "x"), S0(T(0, "xxxx")), S2(lsb_code));
	ASM(OP(ISA_EXTENDED), TYPE(ISA_U32), D(1, "y"), S0(T(0, "xxxx")), S2(msb_code));
	ASM(OP(ISA_EXTENDED), TYPE(ISA_S32), D(1, "z"), S0(T(0, "xxxx")), S2(msb_code));
	CHECK(bench_run());
	for (unsigned int i = 0; i < 6; i++) {
		CHECK_EQ(bench_u(1, 0, i), lsb[i]);
		CHECK_EQ(bench_u(1, 1, i), msb_u[i]);
		CHECK_EQ(bench_u(1, 2, i), msb_s[i]);
	}
}

TEST(denormals_are_zeros)
{
	bench_begin("gc3000", GC_STAGE_VS);
	bench_fill(0, 0, 0x1p-100f, 0.0f);
	bench_fill(0, 1, 0x1p-49f, 0.0f);
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench_lanes(0, 2)->u[i] = 0x7fffff;
	ASM(OP(ISA_MUL), D(1, "x"), S0(T(0, "xxxx")), S1(T(0, "yyyy")));
	ASM(OP(ISA_CMP), COND(ISA_COND_LT), D(1, "y"), S0(IMM_F(0.0f)), S1(T(0, "zzzz")),
	    S2(IMM_S(-1)));
	ASM(OP(ISA_MOV), D(1, "z"), S2(T(0, "zzzz"))); /* no arithmetic: bits are preserved */
	ASM(OP(ISA_RCP), D(1, "w"), S2(T(0, "zzzz")));
	ASM(OP(ISA_EXP), D(2, "x"), S2(NEG(U(0, "xxxx"))));
	ASM(OP(ISA_LOG), D(2, "yz"), S2(T(0, "zzzz")));
	ASM(OP(ISA_ADD), TYPE(ISA_S32), D(2, "w"), S0(T(0, "zzzz")), S2(IMM_S(1)));
	bench_uniform(0, 0, 130.0f);
	CHECK(bench_run());
	CHECK_EQ(bench_u(1, 0, 3), 0);
	CHECK_EQ(bench_u(1, 1, 3), 0);
	CHECK_EQ(bench_u(1, 2, 3), 0x7fffff);
	CHECK_EQ(bench_u(1, 3, 3), as_u(INFINITY));
	CHECK_EQ(bench_u(2, 0, 3), 0);
	CHECK_EQ(bench_u(2, 1, 3), as_u(-INFINITY));
	CHECK_EQ(bench_u(2, 3, 3), 0x800000);
	/* outside of the shader denormals are preserved */
	volatile float tiny = 0x1p-140f;
	CHECK(tiny * 0.5f > 0.0f);
}

int main(void)
{
	RUN(all_instructions_gc3000);
	RUN(all_instructions_gc2000);
	RUN(every_condition_with_nan_and_borders);
	RUN(minimum_and_maximum_as_drivers_make_them);
	RUN(derivatives);
	RUN(address_register);
	RUN(litp);
	RUN(low_parts);
	RUN(find_bits);
	RUN(denormals_are_zeros);
	return test_end();
}
