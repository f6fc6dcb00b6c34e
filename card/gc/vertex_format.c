// SPDX-License-Identifier: MIT
/* Vertex attribute formats: conversion from memory to the bits of shader registers. */
#include "gc/format.h"
#include "gc/float_bits.h"
#include "gc/vertex.h"

#include <string.h>

#include "hw/state.xml.h"

/* Bytes per component; of no meaning for packed formats, which have one word for all components. */
static unsigned int component_size(unsigned int type)
{
	switch (type) {
	case FE_DATA_TYPE_BYTE:
	case FE_DATA_TYPE_UNSIGNED_BYTE:
	case FE_DATA_TYPE_BYTE_I:
		return 1;
	case FE_DATA_TYPE_SHORT:
	case FE_DATA_TYPE_UNSIGNED_SHORT:
	case FE_DATA_TYPE_HALF_FLOAT:
	case FE_DATA_TYPE_SHORT_I:
		return 2;
	default:
		return 4;
	}
}

static bool is_packed(unsigned int type)
{
	return type == FE_DATA_TYPE_INT_2_10_10_10_REV ||
	       type == FE_DATA_TYPE_UNSIGNED_INT_2_10_10_10_REV ||
	       type == FE_DATA_TYPE_INT_10_10_10_2 || type == FE_DATA_TYPE_UNSIGNED_INT_10_10_10_2;
}

unsigned int gc_element_size(unsigned int type, unsigned int components)
{
	return is_packed(type) ? 4 : component_size(type) * components;
}

/* Convert an integer of @bits bits to float bits, by the element's normalization. */
static uint32_t integer(const struct gc_element *element, int64_t value, unsigned int bits,
			bool is_signed)
{
	double max = (double)((1ull << (bits - (is_signed ? 1 : 0))) - 1);

	if (element->sign_extend) {
		double scaled = (double)value / max;

		return float_bits((float)(scaled < -1.0 ? -1.0 : scaled));
	}
	if (element->normalize) /* GL 2.1, table 2.9: signed c -> (2c + 1) / (2^b - 1) */
		return float_bits(is_signed ? (float)((2.0 * value + 1.0) / (2.0 * max + 1.0))
					    : (float)(value / max));
	return float_bits((float)value);
}

static int64_t sign_extended(uint32_t value, unsigned int bits)
{
	return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

static void decode_packed(const struct gc_element *element, const uint8_t *from, uint32_t to[4])
{
	bool is_signed = element->type == FE_DATA_TYPE_INT_2_10_10_10_REV ||
			 element->type == FE_DATA_TYPE_INT_10_10_10_2;
	bool reversed = element->type == FE_DATA_TYPE_INT_2_10_10_10_REV ||
			element->type == FE_DATA_TYPE_UNSIGNED_INT_2_10_10_10_REV;
	uint32_t word;

	memcpy(&word, from, sizeof(word));
	for (unsigned int i = 0; i < element->components; i++) {
		unsigned int bits = i == 3 ? 2 : 10;
		unsigned int shift = reversed ? 10 * i : i == 3 ? 0 : 22 - 10 * i;
		uint32_t field = word >> shift & ((1u << bits) - 1);

		to[i] = integer(element, is_signed ? sign_extended(field, bits) : field, bits,
				is_signed);
	}
}

static uint32_t decode_component(const struct gc_element *element, const uint8_t *from)
{
	uint32_t raw = 0;

	memcpy(&raw, from, component_size(element->type));
	switch (element->type) {
	case FE_DATA_TYPE_BYTE:
		return integer(element, (int8_t)raw, 8, true);
	case FE_DATA_TYPE_UNSIGNED_BYTE:
		return integer(element, raw, 8, false);
	case FE_DATA_TYPE_SHORT:
		return integer(element, (int16_t)raw, 16, true);
	case FE_DATA_TYPE_UNSIGNED_SHORT:
		return integer(element, raw, 16, false);
	case FE_DATA_TYPE_INT:
		return integer(element, (int32_t)raw, 32, true);
	case FE_DATA_TYPE_UNSIGNED_INT:
		return integer(element, raw, 32, false);
	case FE_DATA_TYPE_HALF_FLOAT:
		return float_bits(gc_half_to_float((uint16_t)raw));
	case FE_DATA_TYPE_FIXED:
		return float_bits((float)((int32_t)raw / 65536.0));
	case FE_DATA_TYPE_BYTE_I: /* stays an integer; extension [chosen], see geometry.rst */
		return element->sign_extend ? (uint32_t)(int8_t)raw : raw;
	case FE_DATA_TYPE_SHORT_I:
		return element->sign_extend ? (uint32_t)(int16_t)raw : raw;
	default: /* FLOAT, also used for 32-bit integers: bits as they are */
		return raw;
	}
}

void gc_element_decode(const struct gc_element *element, const uint8_t *from, uint32_t to[4])
{
	unsigned int size = component_size(element->type);

	to[0] = to[1] = to[2] = 0;
	to[3] = element->one;
	if (is_packed(element->type)) {
		decode_packed(element, from, to);
		return;
	}
	for (unsigned int i = 0; i < element->components; i++)
		to[i] = decode_component(element, from + i * size);
}
