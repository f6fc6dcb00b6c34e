/* SPDX-License-Identifier: MIT */
/*
 * Wrap modes of textures: one definition for single lanes and for vectors of lanes.
 */
#ifndef CARD_GC_TX_WRAP_H
#define CARD_GC_TX_WRAP_H

#include <stdbool.h>
#include <stdint.h>

#include "hw/common_3d.xml.h"

#define TX_BORDER (-1)    /* a texel of the border */
#define TX_FAR 8388608.0f /* 2^23: floats from here on have no fraction, and int32_t holds them */

/*
 * TX_DEFINE_WRAP - define functions that apply a wrap mode
 * @fold: name of a function: reduces a coordinate to 0..1, with a border to -1..2; NaN becomes 0
 * @wrap_texel: name of a function: wraps the number @i of a texel that is at most one outside of
 *     0..@size - 1, or any with a border. @power_of_two: repeat is a mask; then any @i
 * @integer: int32_t, or a vector of these
 * @value: float, or a vector of as many
 *
 * The file defines, for @value: tx_number() (NaN becomes 0), tx_floor(), tx_smaller(), tx_larger();
 * and tx_choose(mask, yes, no) for @integer, whose @mask is the result of a comparison.
 */
#define TX_DEFINE_WRAP(fold, wrap_texel, integer, value)                                \
	static inline __attribute__((always_inline)) value fold(value s, uint8_t wrap)  \
	{                                                                               \
		const value zero = { 0 }, one = zero + 1.0f, far = zero + TX_FAR;       \
                                                                                        \
		s = tx_smaller(tx_larger(tx_number(s), -far), far);                     \
		switch (wrap) {                                                         \
		case TEXTURE_WRAPMODE_REPEAT:                                           \
			return s - tx_floor(s);                                         \
		case TEXTURE_WRAPMODE_MIRRORED_REPEAT:                                  \
			s -= 2.0f * tx_floor(s * 0.5f);                                 \
			return tx_smaller(s, 2.0f - s);                                 \
		case TEXTURE_WRAPMODE_CLAMP_TO_EDGE:                                    \
			return tx_smaller(tx_larger(s, zero), one);                     \
		default:                                                                \
			return tx_smaller(tx_larger(s, -one), one + 1.0f);              \
		}                                                                       \
	}                                                                               \
                                                                                        \
	static inline __attribute__((always_inline)) integer wrap_texel(                \
		integer i, integer size, uint8_t wrap, bool power_of_two)               \
	{                                                                               \
		const integer zero = { 0 };                                             \
                                                                                        \
		if (wrap == TEXTURE_WRAPMODE_REPEAT)                                    \
			return power_of_two ? i & (size - 1)                            \
					    : i + tx_choose(i < 0, size, zero) -        \
						      tx_choose(i >= size, size, zero); \
		if (wrap == TEXTURE_WRAPMODE_CLAMP_TO_BORDER)                           \
			return tx_choose((i < 0) | (i >= size), zero + TX_BORDER, i);   \
		return tx_choose(i < 0, zero, tx_choose(i >= size, size - 1, i));       \
	}

#endif
