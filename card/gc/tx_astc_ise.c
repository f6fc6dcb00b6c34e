// SPDX-License-Identifier: MIT
/* Decoding of ASTC's integer sequences. */
#include "gc/tx_astc_ise.h"

#include <string.h>

#define RANGES 21
#define MIN_COLOR_RANGE 4 /* six values */

/* A value has @bits plain bits and a digit of base 3 or 5; base 1: none. */
static const struct {
	uint8_t base, bits;
} ranges[RANGES] = {
	{ 1, 1 }, { 3, 0 }, { 1, 2 }, { 5, 0 }, { 3, 1 }, { 1, 3 }, { 5, 1 },
	{ 3, 2 }, { 1, 4 }, { 5, 2 }, { 3, 3 }, { 1, 5 }, { 5, 3 }, { 3, 4 },
	{ 1, 6 }, { 5, 4 }, { 3, 5 }, { 1, 7 }, { 5, 5 }, { 3, 6 }, { 1, 8 },
};

struct astc_bits astc_load(const uint8_t *bytes)
{
	struct astc_bits bits;

	memcpy(&bits.low, bytes, sizeof(bits.low));
	memcpy(&bits.high, bytes + 8, sizeof(bits.high));
	return bits;
}

static uint64_t reverse64(uint64_t v)
{
	v = __builtin_bswap64(v);
	v = (v >> 4 & 0x0f0f0f0f0f0f0f0full) | (v & 0x0f0f0f0f0f0f0f0full) << 4;
	v = (v >> 2 & 0x3333333333333333ull) | (v & 0x3333333333333333ull) << 2;
	return (v >> 1 & 0x5555555555555555ull) | (v & 0x5555555555555555ull) << 1;
}

struct astc_bits astc_reverse(const struct astc_bits *bits)
{
	return (struct astc_bits){ reverse64(bits->high), reverse64(bits->low) };
}

uint32_t astc_get(const struct astc_bits *bits, unsigned int at, unsigned int count)
{
	uint64_t v;

	if (at >= 128)
		return 0;
	if (at >= 64)
		v = bits->high >> (at - 64);
	else
		v = at ? bits->low >> at | bits->high << (64 - at) : bits->low;
	return (uint32_t)(v & ((1ull << count) - 1));
}

unsigned int astc_ise_bits(unsigned int range, unsigned int count)
{
	unsigned int bits = ranges[range].bits * count;

	if (ranges[range].base == 3)
		bits += (8 * count + 4) / 5;
	else if (ranges[range].base == 5)
		bits += (7 * count + 2) / 3;
	return bits;
}

bool astc_ise_fit(unsigned int count, unsigned int bits, unsigned int *range)
{
	for (unsigned int r = RANGES; r-- > MIN_COLOR_RANGE;) {
		if (astc_ise_bits(r, count) <= bits) {
			*range = r;
			return true;
		}
	}
	return false;
}

/* Five digits of base 3 from eight bits. */
static void split_trits(unsigned int t, unsigned int digit[5])
{
	unsigned int c;

	if ((t >> 2 & 7) == 7) {
		c = (t >> 5 & 7) << 2 | (t & 3);
		digit[4] = digit[3] = 2;
	} else {
		c = t & 31;
		if ((t >> 5 & 3) == 3) {
			digit[4] = 2;
			digit[3] = t >> 7 & 1;
		} else {
			digit[4] = t >> 7 & 1;
			digit[3] = t >> 5 & 3;
		}
	}
	if ((c & 3) == 3) {
		digit[2] = 2;
		digit[1] = c >> 4 & 1;
		digit[0] = (c >> 3 & 1) << 1 | (c >> 2 & ~(c >> 3) & 1);
	} else if ((c >> 2 & 3) == 3) {
		digit[2] = digit[1] = 2;
		digit[0] = c & 3;
	} else {
		digit[2] = c >> 4 & 1;
		digit[1] = c >> 2 & 3;
		digit[0] = (c >> 1 & 1) << 1 | (c & ~(c >> 1) & 1);
	}
}

/* Three digits of base 5 from seven bits. */
static void split_quints(unsigned int q, unsigned int digit[3])
{
	unsigned int c;

	if ((q >> 1 & 3) == 3 && (q >> 5 & 3) == 0) {
		digit[2] = (q & 1) << 2 | (q >> 4 & ~q & 1) << 1 | (q >> 3 & ~q & 1);
		digit[1] = digit[0] = 4;
		return;
	}
	if ((q >> 1 & 3) == 3) {
		digit[2] = 4;
		c = (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | (q & 1);
	} else {
		digit[2] = q >> 5 & 3;
		c = q & 31;
	}
	if ((c & 7) == 5) {
		digit[1] = 4;
		digit[0] = c >> 3 & 3;
	} else {
		digit[1] = c >> 3 & 3;
		digit[0] = c & 7;
	}
}

/* Bits of the digits that follow each value's plain bits in a group. */
static const uint8_t trit_bits[5] = { 2, 2, 1, 2, 1 };
static const uint8_t quint_bits[3] = { 3, 2, 2 };

/* Decode a group of up to five or three values; returns the position of the next one. */
static unsigned int decode_group(const struct astc_bits *bits, unsigned int at, unsigned int range,
				 unsigned int count, uint8_t *value)
{
	unsigned int n = ranges[range].bits, packed = 0, shift = 0, digit[5] = { 0 };
	bool trits = ranges[range].base == 3;
	const uint8_t *width = trits ? trit_bits : quint_bits;

	for (unsigned int i = 0; i < count; i++) {
		value[i] = (uint8_t)astc_get(bits, at, n);
		at += n;
		packed |= astc_get(bits, at, width[i]) << shift;
		at += width[i];
		shift += width[i];
	}
	if (trits)
		split_trits(packed, digit);
	else
		split_quints(packed, digit);
	for (unsigned int i = 0; i < count; i++)
		value[i] = (uint8_t)(value[i] | digit[i] << n);
	return at;
}

/*
 * The last group may be incomplete: its missing digit bits count as zero. The bits after the
 * last value do not belong to the sequence and are not read.
 */
void astc_ise_decode(const struct astc_bits *bits, unsigned int at, unsigned int range,
		     unsigned int count, uint8_t *value)
{
	unsigned int group = ranges[range].base == 3 ? 5 : 3;

	if (ranges[range].base == 1) {
		for (unsigned int i = 0; i < count; i++)
			value[i] = (uint8_t)astc_get(bits, at + i * ranges[range].bits,
						     ranges[range].bits);
		return;
	}
	for (unsigned int i = 0; i < count; i += group)
		at = decode_group(bits, at, range, count - i < group ? count - i : group,
				  value + i);
}

/* Repeat the @bits bits of @v downwards until @to bits are filled. */
static int replicate(unsigned int v, unsigned int bits, unsigned int to)
{
	unsigned int out = 0;
	int shift = (int)to - (int)bits;

	for (; shift > -(int)bits; shift -= (int)bits)
		out |= shift >= 0 ? v << shift : v >> -shift;
	return (int)out;
}

/* Constants of the unquantisation formulas, by plain bits: digit factor and bit pattern. */
struct unquantize {
	uint16_t factor;
	/* which bit of the value each bit of the pattern B is, B's highest first; 0: a zero bit */
	uint8_t pattern[9];
};

/* B has nine bits for colours, seven for weights. */
static const struct unquantize color_trits[7] = {
	[1] = { 204, { 0 } },
	[2] = { 93, { 1, 0, 0, 0, 1, 0, 1, 1, 0 } },
	[3] = { 44, { 2, 1, 0, 0, 0, 2, 1, 2, 1 } },
	[4] = { 22, { 3, 2, 1, 0, 0, 0, 3, 2, 1 } },
	[5] = { 11, { 4, 3, 2, 1, 0, 0, 0, 4, 3 } },
	[6] = { 5, { 5, 4, 3, 2, 1, 0, 0, 0, 5 } },
};

static const struct unquantize color_quints[6] = {
	[1] = { 113, { 0 } },
	[2] = { 54, { 1, 0, 0, 0, 0, 1, 1, 0, 0 } },
	[3] = { 26, { 2, 1, 0, 0, 0, 0, 2, 1, 2 } },
	[4] = { 13, { 3, 2, 1, 0, 0, 0, 0, 3, 2 } },
	[5] = { 6, { 4, 3, 2, 1, 0, 0, 0, 0, 4 } },
};

static const struct unquantize weight_trits[4] = {
	[1] = { 50, { 0 } },
	[2] = { 23, { 1, 0, 0, 0, 1, 0, 1 } },
	[3] = { 11, { 2, 1, 0, 0, 0, 2, 1 } },
};

static const struct unquantize weight_quints[3] = {
	[1] = { 28, { 0 } },
	[2] = { 13, { 1, 0, 0, 0, 0, 1, 0 } },
};

/* @width: bits of the pattern, 9 for colours and 7 for weights */
static int unquantize(const struct unquantize *u, unsigned int width, unsigned int value,
		      unsigned int bits)
{
	unsigned int digit = value >> bits, pattern = 0, all = value & 1 ? (1u << width) - 1 : 0;
	unsigned int top = 1u << (width - 2), t;

	for (unsigned int k = 0; k < width; k++)
		pattern = pattern << 1 | (u->pattern[k] ? value >> u->pattern[k] & 1 : 0);
	t = (digit * u->factor + pattern) ^ all;
	return (int)((all & top) | t >> 2);
}

int astc_color_value(unsigned int range, unsigned int value)
{
	unsigned int bits = ranges[range].bits;

	switch (ranges[range].base) {
	case 3:
		return unquantize(&color_trits[bits], 9, value, bits);
	case 5:
		return unquantize(&color_quints[bits], 9, value, bits);
	default:
		return replicate(value, bits, 8);
	}
}

int astc_weight_value(unsigned int range, unsigned int value)
{
	static const uint8_t three[] = { 0, 32, 63 }, five[] = { 0, 16, 32, 47, 63 };
	unsigned int bits = ranges[range].bits;
	int weight;

	if (ranges[range].base == 1)
		weight = replicate(value, bits, 6);
	else if (!bits)
		weight = ranges[range].base == 3 ? three[value % 3] : five[value % 5];
	else if (ranges[range].base == 3)
		weight = unquantize(&weight_trits[bits], 7, value, bits);
	else
		weight = unquantize(&weight_quints[bits], 7, value, bits);
	return weight > 32 ? weight + 1 : weight;
}
