/* SPDX-License-Identifier: MIT */
/*
 * Vectors of eight or sixteen pixels, for the work before and after the shader: GCC vector
 * types. Operations and their order are those of a loop over single lanes, so the results are
 * the same.
 */
#ifndef CARD_GC_PIXEL_VECTOR_H
#define CARD_GC_PIXEL_VECTOR_H

#include <stdint.h>
#if defined(__AVX512BW__) && defined(__AVX512DQ__)
#include <immintrin.h>
#endif

#include "gc/batch.h"

/*
 * Without AVX GCC warns that such vectors are passed differently; no function in another file
 * gets them.
 */
#pragma GCC diagnostic ignored "-Wpsabi"

#define PX_LANES GC_VECTOR
#define PX_BYTES (4 * PX_LANES)
#define PX_VECTORS (GC_LANES / PX_LANES)

typedef float px_float __attribute__((vector_size(PX_BYTES), may_alias));
typedef int32_t px_int __attribute__((vector_size(PX_BYTES), may_alias));
typedef uint32_t px_word __attribute__((vector_size(PX_BYTES), may_alias));
typedef uint16_t px_half __attribute__((vector_size(PX_BYTES), may_alias)); /* two per lane */

/* Vectors of half the lanes, and the same in double precision. */
typedef float px_float_half __attribute__((vector_size(PX_BYTES / 2)));
typedef int32_t px_int_half __attribute__((vector_size(PX_BYTES / 2)));
typedef double px_double_half __attribute__((vector_size(PX_BYTES)));

/*
 * PX_PER_8 - a vector initialiser: @a .. @h, and with sixteen lanes @next(@a) .. @next(@h)
 * after them.
 */
#define PX_SAME(x) x
#define PX_NEXT_8(x) ((x) + 8)
#if PX_LANES == 16
#define PX_PER_8(next, a, b, c, d, e, f, g, h)                                                 \
	a, b, c, d, e, f, g, h, next(a), next(b), next(c), next(d), next(e), next(f), next(g), \
		next(h)
#else
#define PX_PER_8(next, a, b, c, d, e, f, g, h) a, b, c, d, e, f, g, h
#endif

#define PX_INLINE static inline __attribute__((always_inline, unused))

/* px_max, px_min - @b where one of the two is NaN */
PX_INLINE px_float px_max(px_float a, px_float b)
{
#if PX_LANES == 16
	return (px_float)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(__AVX__)
	return __builtin_ia32_maxps256(a, b);
#else
	px_int more = a > b;

	return (px_float)(((px_int)a & more) | ((px_int)b & ~more));
#endif
}

PX_INLINE px_float px_min(px_float a, px_float b)
{
#if PX_LANES == 16
	return (px_float)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(__AVX__)
	return __builtin_ia32_minps256(a, b);
#else
	px_int less = a < b;

	return (px_float)(((px_int)a & less) | ((px_int)b & ~less));
#endif
}

/* px_floor - for values that fit in an int32_t. */
PX_INLINE px_float px_floor(px_float v)
{
#if PX_LANES == 16
	return (px_float)_mm512_roundscale_ps((__m512)v, _MM_FROUND_TO_NEG_INF);
#elif defined(__AVX__)
	return __builtin_ia32_roundps256(v, 1);
#else
	px_float t = __builtin_convertvector(__builtin_convertvector(v, px_int), px_float);

	return t + __builtin_convertvector(t > v, px_float);
#endif
}

/* px_saturate - into 0..1; what is not a number becomes 0. */
PX_INLINE px_float px_saturate(px_float v)
{
	const px_float zero = { 0 };

	return px_min(px_max(v, zero), zero + 1.0f);
}

/* px_bits - one bit a lane from a vector of 0 and -1. */
PX_INLINE uint32_t px_bits(px_int mask)
{
#if PX_LANES == 16
	return _mm512_movepi32_mask((__m512i)mask);
#elif defined(__AVX__)
	return (uint32_t)__builtin_ia32_movmskps256((px_float)mask);
#else
	uint32_t bits = 0;

	for (unsigned int i = 0; i < PX_LANES; i++)
		bits |= (uint32_t)(mask[i] & 1) << i;
	return bits;
#endif
}

/* px_scale - 0..1 times @scale in double precision as an integer, to nearest. */
PX_INLINE px_int_half px_scale(px_float_half v, double scale)
{
	return __builtin_convertvector(__builtin_convertvector(v, px_double_half) * scale + 0.5,
				       px_int_half);
}

/* px_unorm - 0..1 as an integer 0..@scale, to nearest, for a @scale of up to 24 bits (depth). */
PX_INLINE px_int px_unorm(px_float v, double scale)
{
	union {
		px_float whole;
		px_float_half half[2];
	} from = { px_saturate(v) };
	union {
		px_int_half half[2];
		px_int whole;
	} to = { { px_scale(from.half[0], scale), px_scale(from.half[1], scale) } };

	return to.whole;
}

/* px_unorm8 - 0..1 as an integer 0..255, to nearest. */
PX_INLINE px_word px_unorm8(px_float v)
{
	return (px_word) __builtin_convertvector(px_saturate(v) * 255.0f + 0.5f, px_int);
}

#endif
