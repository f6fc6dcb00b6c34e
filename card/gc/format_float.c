// SPDX-License-Identifier: MIT
/* Conversion of 16-, 11- and 10-bit floats, and of sRGB. */
#include "gc/format.h"
#include "gc/float_bits.h"

#include <math.h>
#include <pthread.h>

#define FLOAT_INFINITY 0x7f800000u
#define FLOAT_MANTISSA_BITS 23

/*
 * Convert a positive finite float to 5 exponent and @mantissa bits, to nearest even. The result
 * may have the exponent of infinity or a larger one.
 */
static uint32_t shrink(uint32_t bits, unsigned int mantissa)
{
	unsigned int shift = FLOAT_MANTISSA_BITS - mantissa;
	const uint32_t rebias = (127u - 15u) << FLOAT_MANTISSA_BITS;

	if (bits < (127u - 14u) << FLOAT_MANTISSA_BITS) {
		/*
		 * Denormal in the small format: adding 2^(9 - @mantissa) makes the FPU round at
		 * its last place.
		 */
		uint32_t magic = (127u + 9u - mantissa) << FLOAT_MANTISSA_BITS;

		return float_bits(bits_float(bits) + bits_float(magic)) - magic;
	}
	bits += ((1u << shift) >> 1) - 1 + (bits >> shift & 1);
	return (bits - rebias) >> shift;
}

/* The reverse, for finite values. */
static float grow(uint32_t value, unsigned int mantissa)
{
	if (value >> mantissa == 0)
		return ldexpf((float)value, -14 - (int)mantissa);
	return bits_float((value << (FLOAT_MANTISSA_BITS - mantissa)) +
			  ((127u - 15u) << FLOAT_MANTISSA_BITS));
}

uint16_t gc_half_from_float(float value)
{
	uint32_t bits = float_bits(value), sign = bits >> 16 & 0x8000;
	uint32_t magnitude = bits & 0x7fffffff, half;

	if (magnitude > FLOAT_INFINITY)
		return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
	if (magnitude == FLOAT_INFINITY)
		return (uint16_t)(sign | 0x7c00);
	half = magnitude >= float_bits(65536.0f) ? 0x7c00 : shrink(magnitude, 10);
	return (uint16_t)(sign | half);
}

float gc_half_to_float(uint16_t half)
{
	uint32_t sign = (uint32_t)(half & 0x8000) << 16, magnitude = half & 0x7fff;

	if (magnitude >= 0x7c00)
		return bits_float(sign | FLOAT_INFINITY | (magnitude & 0x3ff) << 13);
	return bits_float(sign | float_bits(grow(magnitude, 10)));
}

uint32_t gc_ufloat_from_float(float value, unsigned int mantissa)
{
	const uint32_t infinity = 31u << mantissa;
	uint32_t bits = float_bits(value), small;

	if ((bits & 0x7fffffff) > FLOAT_INFINITY)
		return infinity | 1;
	if (bits >> 31)
		return 0;
	if (bits == FLOAT_INFINITY)
		return infinity;
	if (bits >= float_bits(65536.0f))
		return infinity - 1;
	small = shrink(bits, mantissa);
	return small < infinity ? small : infinity - 1;
}

float gc_ufloat_to_float(uint32_t value, unsigned int mantissa)
{
	uint32_t infinity = 31u << mantissa;

	if (value >= infinity)
		return bits_float(FLOAT_INFINITY | (value - infinity)
							   << (FLOAT_MANTISSA_BITS - mantissa));
	return grow(value, mantissa);
}

/*
 * Two powers, computed only by operations whose results IEEE 754 defines to the last bit: those of
 * the library's pow() and exp2() may differ from host to host.
 */

/* @x to the power of 2.4, 0 <= @x <= 1 */
static double power_2_4(double x)
{
	const double square = x * x;
	double root = 1.0; /* the fifth root of the square, by Newton's method */

	for (unsigned int i = 0; x > 0.0 && i < 32; i++) {
		double fourth = root * root * root * root;

		root -= (root * fourth - square) / (5.0 * fourth);
	}
	return square * root;
}

float gc_exp2_32nds(unsigned int n)
{
	double root = 2.0, result = 1.0;

	for (unsigned int bit = 16; bit; bit >>= 1) {
		root = sqrt(root);
		if (n & bit)
			result *= root;
	}
	return (float)ldexp(result, (int)(n / 32));
}

/* Linear values of the codes */
static float srgb_decoded[256];

static double srgb_linear(double code)
{
	return code <= 0.04045 ? code / 12.92 : power_2_4((code + 0.055) / 1.055);
}

static void srgb_init(void)
{
	for (int k = 0; k < 256; k++)
		srgb_decoded[k] = (float)srgb_linear(k / 255.0);
}

static pthread_once_t srgb_once = PTHREAD_ONCE_INIT;

float gc_srgb_decode(uint8_t code)
{
	pthread_once(&srgb_once, srgb_init);
	return srgb_decoded[code];
}
