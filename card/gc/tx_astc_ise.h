/* SPDX-License-Identifier: MIT */
/*
 * ASTC's encoding of integers: sequences with ranges of 2^n, 3*2^n or 5*2^n values, and
 * conversion of these values (Khronos Data Format Specification 1.3, sections "Integer sequence
 * encoding", "Endpoint unquantization" and "Weight unquantization").
 */
#ifndef CARD_GC_TX_ASTC_ISE_H
#define CARD_GC_TX_ASTC_ISE_H

#include <stdbool.h>
#include <stdint.h>

/* A block's 128 bits. */
struct astc_bits {
	uint64_t low, high;
};

struct astc_bits astc_load(const uint8_t *bytes);

/** astc_reverse - reverse the order of bits: bit 127 becomes bit 0 */
struct astc_bits astc_reverse(const struct astc_bits *bits);

/** astc_get - @count (up to 32) bits from @at on; bits past the end are zero. */
uint32_t astc_get(const struct astc_bits *bits, unsigned int at, unsigned int count);

/* A range is given by its index: 0 = two values, 1 = three, ... 20 = 256. */

/** astc_ise_bits - length of @count values of @range, in bits. */
unsigned int astc_ise_bits(unsigned int range, unsigned int count);

/**
 * astc_ise_fit - the largest range with which @count values fit in @bits; false if there is
 * none
 */
bool astc_ise_fit(unsigned int count, unsigned int bits, unsigned int *range);

/** astc_ise_decode - decode @count values from bit @at on */
void astc_ise_decode(const struct astc_bits *bits, unsigned int at, unsigned int range,
		     unsigned int count, uint8_t *value);

/** astc_color_value - 0..255 for a coded endpoint value. */
int astc_color_value(unsigned int range, unsigned int value);

/** astc_weight_value - 0..64 for a coded weight. */
int astc_weight_value(unsigned int range, unsigned int value);

#endif
