/* SPDX-License-Identifier: MIT */
/*
 * Vectors of eight or sixteen lanes: GCC vector types, and operations on them that C lacks. A
 * register component is GC_CHUNKS such vectors.
 */
#ifndef CARD_GC_SHADER_VECTOR_H
#define CARD_GC_SHADER_VECTOR_H

#include <stdint.h>
#if defined(__AVX512BW__) && defined(__AVX512DQ__)
#include <immintrin.h>
#endif

#include "gc/batch.h"

/*
 * Without AVX GCC warns that such vectors are passed differently; all files that include this are
 * compiled for the same instruction set.
 */
#pragma GCC diagnostic ignored "-Wpsabi"

#define GC_CHUNK GC_VECTOR /* lanes */
#define GC_CHUNKS (GC_LANES / GC_CHUNK)

/* may_alias: instructions read registers as floats or integers */
typedef float vf __attribute__((vector_size(4 * GC_CHUNK), may_alias));
typedef int32_t vi __attribute__((vector_size(4 * GC_CHUNK), may_alias));
typedef uint32_t vu __attribute__((vector_size(4 * GC_CHUNK), may_alias));

/* V_QUADS - lanes @a .. @d of every quad of a vector, for a shuffle. */
#if GC_CHUNK == 16
#define V_QUADS(a, b, c, d)                                                                 \
	a, b, c, d, 4 + a, 4 + b, 4 + c, 4 + d, 8 + a, 8 + b, 8 + c, 8 + d, 12 + a, 12 + b, \
		12 + c, 12 + d
#else
#define V_QUADS(a, b, c, d) a, b, c, d, 4 + a, 4 + b, 4 + c, 4 + d
#endif

#define V_UNUSED __attribute__((unused))
#define V_INLINE static inline __attribute__((always_inline, unused))
#define V_SIGN ((int32_t)0x80000000)

V_INLINE vf v_splat(float x)
{
#if GC_CHUNK == 16
	return (vf){ x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x };
#else
	return (vf){ x, x, x, x, x, x, x, x };
#endif
}

V_INLINE vi v_splati(int32_t x)
{
	return (vi){ 0 } + x;
}

/* v_pick - lanes of @yes where @mask is -1, of @no where it is 0. */
V_INLINE vi v_picki(vi mask, vi yes, vi no)
{
	return (mask & yes) | (~mask & no);
}

V_INLINE vf v_pick(vi mask, vf yes, vf no)
{
	return (vf)v_picki(mask, (vi)yes, (vi)no);
}

V_INLINE vf v_abs(vf x)
{
	return (vf)((vi)x & v_splati(~V_SIGN));
}

/* v_copysign - @x with the sign bit of @sign. */
V_INLINE vf v_copysign(vf x, vf sign)
{
	return (vf)(((vi)x & v_splati(~V_SIGN)) | ((vi)sign & v_splati(V_SIGN)));
}

V_INLINE vf v_tofloat(vi x)
{
	return __builtin_convertvector(x, vf);
}

/* v_toint - truncate; lanes beyond the range of int32_t become 0. */
V_INLINE vi v_toint(vf x)
{
	vi in_range = v_abs(x) < v_splat(2147483648.0f);

	return __builtin_convertvector((vf)((vi)x & in_range), vi);
}

/* v_trunc - towards zero; keeps the sign of zero, infinities and NaN. */
V_INLINE vf v_trunc(vf x)
{
	vi small = v_abs(x) < v_splat(8388608.0f); /* from 2^23 on all floats are integers */
	vf t = v_tofloat(__builtin_convertvector((vf)((vi)x & small), vi));

	return v_pick(small, v_copysign(t, x), x);
}

V_INLINE vf v_floor(vf x)
{
	vf t = v_trunc(x);

	return v_copysign(t - (vf)((vi)(t > x) & (vi)v_splat(1.0f)), x);
}

V_INLINE vf v_ceil(vf x)
{
	vf t = v_trunc(x);

	return v_copysign(t + (vf)((vi)(t < x) & (vi)v_splat(1.0f)), x);
}

/* v_rint_small - to nearest, ties to even; |x| < 2^22. */
V_INLINE vf v_rint_small(vf x)
{
	vf magic = v_splat(12582912.0f); /* 1.5 * 2^23: the sum has no fraction bits */

	return (x + magic) - magic;
}

/* v_rint - to nearest, ties to even, any value. */
V_INLINE vf v_rint(vf x)
{
	vf big = v_splat(8388608.0f);
	vf a = v_abs(x);

	return v_pick(a < big, v_copysign((a + big) - big, x), x);
}

/* v_bits - one bit a lane from a vector of 0 and -1. */
V_INLINE uint32_t v_bits(vi mask)
{
#if GC_CHUNK == 16
	return _mm512_movepi32_mask((__m512i)mask);
#elif defined(__AVX__)
	return __builtin_ia32_movmskps256((vf)mask);
#else
	uint32_t bits = 0;

	for (unsigned int i = 0; i < GC_CHUNK; i++)
		bits |= (uint32_t)(mask[i] & 1) << i;
	return bits;
#endif
}

/* v_from_bits - a vector of 0 and -1 from one bit a lane. */
V_INLINE vi v_from_bits(uint32_t bits)
{
#if GC_CHUNK == 16
	const vi weight = { 1,   2,   4,    8,    16,   32,   64,    128,
			    256, 512, 1024, 2048, 4096, 8192, 16384, 32768 };
#else
	const vi weight = { 1, 2, 4, 8, 16, 32, 64, 128 };
#endif

	return (v_splati((int32_t)bits) & weight) == weight;
}

#endif
