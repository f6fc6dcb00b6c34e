/* SPDX-License-Identifier: MIT */
/* The bits of a float as a word of a state, a register or memory, and back. */
#ifndef CARD_GC_FLOAT_BITS_H
#define CARD_GC_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline float bits_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

#endif
