/* SPDX-License-Identifier: MIT */
/*
 * Eight pixels at a time: vector types of the compiler for what happens to
 * values before and after the shader. All of it is arithmetic that loops over
 * single lanes would do, in the same order.
 */
#ifndef CARD_GC_PIXEL_VECTOR_H
#define CARD_GC_PIXEL_VECTOR_H

#include <stdint.h>

#include "gc/batch.h"

/* Without AVX the compiler notes that such vectors are passed differently; none crosses a file. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define PX_LANES 8
#define PX_VECTORS (GC_LANES / PX_LANES)

typedef float px_float __attribute__((vector_size(32), may_alias));
typedef int32_t px_int __attribute__((vector_size(32), may_alias));
typedef uint32_t px_word __attribute__((vector_size(32), may_alias));

#define PX_INLINE static inline __attribute__((always_inline, unused))

/* px_saturate - into 0..1; what is not a number becomes 0. */
PX_INLINE px_float px_saturate(px_float v)
{
	const px_float zero = { 0 }, one = zero + 1.0f;

#ifdef __AVX__
	return __builtin_ia32_minps256(__builtin_ia32_maxps256(v, zero), one);
#else
	px_int positive = v > zero, below;

	v = (px_float)((px_int)v & positive);
	below = v < one;
	return (px_float)(((px_int)v & below) | ((px_int)one & ~below));
#endif
}

/* px_unorm8 - 0..1 as an integer 0..255, to nearest. */
PX_INLINE px_word px_unorm8(px_float v)
{
	return (px_word) __builtin_convertvector(px_saturate(v) * 255.0f + 0.5f, px_int);
}

#endif
