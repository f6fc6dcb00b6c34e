// SPDX-License-Identifier: MIT
/*
 * Integer kernels. Operands of less than 32 bits are extended before, and results are narrowed
 * afterwards, so only F2I, F2IRND, saturation and the upper halves of products use the width (m->type).
 */
#include "gc/shader_kernels.h"
#include "gc/shader_math.h"

KERNEL2(shader_iadd, vu, vu, a + b)
KERNEL1(shader_i2f, vi, vf, v_tofloat(a))
KERNEL1(shader_u2f, vu, vf, __builtin_convertvector(a, vf))
KERNEL2(shader_imullo, vu, vu, a *b)
KERNEL3(shader_imadlo, vu, vu, a *b + c)
KERNEL1(shader_isign, vi, vi, (a < 0) - (a > 0)) /* comparisons give -1 */
KERNEL1(shader_usign, vi, vi, -(a != 0))
KERNEL1(shader_iabs, vi, vu, (vu)(a ^ (a >> 31)) - (vu)(a >> 31)) /* INT32_MIN for itself */
KERNEL2(shader_or, vi, vi, a | b)
KERNEL2(shader_and, vi, vi, a &b)
KERNEL2(shader_xor, vi, vi, a ^ b)
KERNEL1(shader_not, vi, vi, ~a)
KERNEL2(shader_lshift, vu, vu, a << (b & 31))
KERNEL2(shader_rshift, vi, vi, a >> (b & 31))
KERNEL2(shader_urshift, vu, vu, a >> (b & 31))
KERNEL2(shader_rotate, vu, vu, (a << (b & 31)) | (a >> (-b & 31)))

/* Define a kernel by a function of one lane, or by an expression of a[i], b[i], c[i] and @m. */
#define LANES1(name, T, TD, function)                                             \
	SHADER_KERNEL(name)                                                       \
	{                                                                         \
		FOR_COMPONENTS(c, m->work)                                        \
		{                                                                 \
			const T *a = (const T *)shader_lanes(run, m, 0, c);       \
			TD *d = (TD *)&out[c];                                    \
			for (unsigned int i = 0; i < run->chunks * GC_CHUNK; i++) \
				d[i] = function(a[i]);                            \
		}                                                                 \
	}

#define LANES2(name, T, result)                                                   \
	SHADER_KERNEL(name)                                                       \
	{                                                                         \
		FOR_COMPONENTS(c, m->work)                                        \
		{                                                                 \
			const T *a = (const T *)shader_lanes(run, m, 0, c);       \
			const T *b = (const T *)shader_lanes(run, m, 1, c);       \
			T *d = (T *)&out[c];                                      \
			for (unsigned int i = 0; i < run->chunks * GC_CHUNK; i++) \
				d[i] = (result);                                  \
		}                                                                 \
	}

#define LANES3(name, T, result)                                                   \
	SHADER_KERNEL(name)                                                       \
	{                                                                         \
		FOR_COMPONENTS(k, m->work)                                        \
		{                                                                 \
			const T *a = (const T *)shader_lanes(run, m, 0, k);       \
			const T *b = (const T *)shader_lanes(run, m, 1, k);       \
			const T *c = (const T *)shader_lanes(run, m, 2, k);       \
			T *d = (T *)&out[k];                                      \
			for (unsigned int i = 0; i < run->chunks * GC_CHUNK; i++) \
				d[i] = (result);                                  \
		}                                                                 \
	}

/*
 * The range and the bits of each integer type; kernels that use it are not run with ISA_F32 and
 * ISA_F16.
 */
static const struct {
	int64_t min, max;
	unsigned int bits;
} range[] = {
	[ISA_F32] = { INT32_MIN, INT32_MAX, 32 }, [ISA_S32] = { INT32_MIN, INT32_MAX, 32 },
	[ISA_S8] = { INT8_MIN, INT8_MAX, 8 },     [ISA_U16] = { 0, UINT16_MAX, 16 },
	[ISA_F16] = { INT32_MIN, INT32_MAX, 32 }, [ISA_S16] = { INT16_MIN, INT16_MAX, 16 },
	[ISA_U32] = { 0, UINT32_MAX, 32 },        [ISA_U8] = { 0, UINT8_MAX, 8 },
};

static int64_t clamp(int64_t x, int64_t min, int64_t max)
{
	return x < min ? min : x > max ? max : x;
}

/* F2I: @x is a whole number or NaN. */
static uint32_t convert(float x, int64_t min, int64_t max, bool nan_saturates)
{
	if (x != x) {
		if (!nan_saturates)
			return 0;
		return (uint32_t)(__builtin_signbit(x) ? min : max);
	}
	if (x <= (float)min)
		return (uint32_t)min;
	if (x >= (float)max) /* the rounded-up maximum: anything below fits */
		return (uint32_t)max;
	return (uint32_t)(int64_t)x;
}

/* The common case, a vector at a time: to int32_t, NaN gives 0. */
static inline vi convert_s32(vf x)
{
	vi result = v_toint(x);

	result = v_picki(x >= 2147483648.0f, v_splati(INT32_MAX), result);
	return v_picki(x <= -2147483648.0f, v_splati(INT32_MIN), result);
}

static void float_to_int(const struct shader_run *run, const struct shader_micro *m,
			 union gc_lanes *out, bool round, bool nan_saturates)
{
	int64_t min = range[m->type].min, max = range[m->type].max;
	bool plain = m->type == ISA_S32 && !nan_saturates; /* the faster way */

	FOR_COMPONENTS(c, m->work)
	{
		const vf *a = OPERAND(vf, 0, c);
		vi *d = RESULT(vi, c);

		FOR_CHUNKS(i)
		{
			vf whole = round ? v_rint(a[i]) : v_trunc(a[i]);
			vi result;

			if (plain) {
				d[i] = convert_s32(whole);
				continue;
			}
			for (unsigned int lane = 0; lane < GC_CHUNK; lane++)
				result[lane] =
					(int32_t)convert(whole[lane], min, max, nan_saturates);
			d[i] = result;
		}
	}
}

SHADER_KERNEL(shader_f2i)
{
	float_to_int(run, m, out, false, false);
}

SHADER_KERNEL(shader_f2i_sign)
{
	float_to_int(run, m, out, false, true);
}

/*
 * F2IRND rounds to nearest even, or to zero if the instruction's rounding mode (m->shift) is
 * ZERO.
 */
SHADER_KERNEL(shader_f2irnd)
{
	float_to_int(run, m, out, m->shift != ISA_ROUND_ZERO, false);
}

SHADER_KERNEL(shader_f2irnd_sign)
{
	float_to_int(run, m, out, m->shift != ISA_ROUND_ZERO, true);
}

SHADER_KERNEL(shader_iaddsat)
{
	bool is_unsigned = m->type == ISA_U32 || m->type == ISA_U16 || m->type == ISA_U8;

	FOR_COMPONENTS(c, m->work)
	{
		const union gc_lanes *a = shader_lanes(run, m, 0, c);
		const union gc_lanes *b = shader_lanes(run, m, 1, c);

		for (unsigned int i = 0; i < run->chunks * GC_CHUNK; i++) {
			int64_t sum = is_unsigned ? (int64_t)a->u[i] + b->u[i]
						  : (int64_t)a->i[i] + b->i[i];

			out[c].u[i] = (uint32_t)clamp(sum, range[m->type].min, range[m->type].max);
		}
	}
}

/* A product without its lower half, as long as @m->type; immediates can have more bits than that. */
static int64_t mulhi_s(const struct shader_micro *m, int32_t a, int32_t b)
{
	return (int64_t)a * b >> range[m->type].bits;
}

static uint64_t mulhi_u(const struct shader_micro *m, uint32_t a, uint32_t b)
{
	return (uint64_t)a * b >> range[m->type].bits;
}

static int32_t saturate_s(const struct shader_micro *m, int64_t x)
{
	return (int32_t)clamp(x, range[m->type].min, range[m->type].max);
}

static uint32_t saturate_u(const struct shader_micro *m, uint64_t x)
{
	uint64_t max = (uint64_t)range[m->type].max;

	return (uint32_t)(x > max ? max : x);
}

/* A product and a summand of 32 bits fit 64 bits. */
LANES2(shader_imulhi, int32_t, (int32_t)mulhi_s(m, a[i], b[i]))
LANES2(shader_umulhi, uint32_t, (uint32_t)mulhi_u(m, a[i], b[i]))
LANES2(shader_imullosat, int32_t, saturate_s(m, (int64_t)a[i] * b[i]))
LANES2(shader_umullosat, uint32_t, saturate_u(m, (uint64_t)a[i] * b[i]))
LANES3(shader_imadhi, int32_t, (int32_t)(mulhi_s(m, a[i], b[i]) + c[i]))
LANES3(shader_umadhi, uint32_t, (uint32_t)(mulhi_u(m, a[i], b[i]) + c[i]))
LANES3(shader_imadlosat, int32_t, saturate_s(m, (int64_t)a[i] * b[i] + c[i]))
LANES3(shader_umadlosat, uint32_t, saturate_u(m, (uint64_t)a[i] * b[i] + c[i]))
LANES3(shader_imadhisat, int32_t, saturate_s(m, mulhi_s(m, a[i], b[i]) + c[i]))
LANES3(shader_umadhisat, uint32_t, saturate_u(m, mulhi_u(m, a[i], b[i]) + c[i]))

/* Division by zero gives all ones, its remainder the dividend [chosen]. */
static int32_t div_s(int32_t a, int32_t b)
{
	return b ? (int32_t)((int64_t)a / b) : -1;
}

static uint32_t div_u(uint32_t a, uint32_t b)
{
	return b ? a / b : UINT32_MAX;
}

static int32_t mod_s(int32_t a, int32_t b)
{
	return b ? (int32_t)((int64_t)a % b) : a;
}

static uint32_t mod_u(uint32_t a, uint32_t b)
{
	return b ? a % b : a;
}

LANES2(shader_idiv, int32_t, div_s(a[i], b[i]))
LANES2(shader_udiv, uint32_t, div_u(a[i], b[i]))
LANES2(shader_imod, int32_t, mod_s(a[i], b[i]))
LANES2(shader_umod, uint32_t, mod_u(a[i], b[i]))

static uint32_t leading_zeros(uint32_t x)
{
	return x ? (uint32_t)__builtin_clz(x) : 32;
}

static uint32_t reverse_bits(uint32_t x)
{
	x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
	x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
	x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
	return __builtin_bswap32(x);
}

/* Position of the lowest set bit, -1 if there is none. */
static uint32_t lowest_bit(uint32_t x)
{
	return (uint32_t)__builtin_ffs((int)x) - 1;
}

/* Position of the highest set bit, -1 if there is none. */
static uint32_t highest_bit_u(uint32_t x)
{
	return 31 - leading_zeros(x);
}

/* Position of the highest bit that differs from the sign, -1 if there is none. */
static uint32_t highest_bit_s(uint32_t x)
{
	return highest_bit_u(x >> 31 ? ~x : x);
}

LANES1(shader_leadzero, uint32_t, uint32_t, leading_zeros)
LANES1(shader_popcount, uint32_t, uint32_t, (uint32_t)__builtin_popcount)
LANES1(shader_bit_rev, uint32_t, uint32_t, reverse_bits)
LANES1(shader_findlsb, uint32_t, uint32_t, lowest_bit)
LANES1(shader_findmsb, uint32_t, uint32_t, highest_bit_s)
LANES1(shader_ufindmsb, uint32_t, uint32_t, highest_bit_u)

/* @count bits of @x from bit @offset on; @offset modulo 32, @count limited to bit 31 [chosen]. */
static uint32_t extract_u(uint32_t x, uint32_t offset, uint32_t count)
{
	offset &= 31;
	if (count > 32 - offset)
		count = 32 - offset;
	return count ? (x >> offset) & (UINT32_MAX >> (32 - count)) : 0;
}

static uint32_t extract_s(uint32_t x, uint32_t offset, uint32_t count)
{
	uint32_t bits = extract_u(x, offset, count);
	uint32_t room = 32 - (offset & 31);

	count = count > room ? room : count;
	return count ? (uint32_t)((int32_t)(bits << (32 - count)) >> (32 - count)) : 0;
}

LANES3(shader_ubit_extract, uint32_t, extract_u(a[i], b[i], c[i]))
LANES3(shader_bit_extract, uint32_t, extract_s(a[i], b[i], c[i]))
