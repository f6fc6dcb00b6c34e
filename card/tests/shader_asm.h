/* SPDX-License-Identifier: MIT */
/*
 * A small assembler for shader tests; instructions are C expressions:
 *
 *  ASM(OP(ISA_ADD), D(2, "xy"), S0(T(1, "yyyy")), S2(NEG(U(0, "xyzw"))))
 *
 * Uses its own table of bit positions, so that errors in gc/isa.h are found.
 */
#ifndef CARD_TESTS_SHADER_ASM_H
#define CARD_TESTS_SHADER_ASM_H

#include <stdint.h>
#include <string.h>

#include "gc/float_bits.h"
#include "gc/isa.h"

struct asm_src {
	unsigned int use, group, reg, swizzle, neg, abs, amode;
};

struct asm_inst {
	unsigned int op, cond, type, sat, rounding;
	unsigned int dst_use, dst, mask, dst_amode;
	unsigned int tex, tex_swizzle, tex_amode, shift, local, target;
	struct asm_src src[3];
};

static unsigned int asm_component(char c)
{
	return c == 'x' ? 0 : c == 'y' ? 1 : c == 'z' ? 2 : 3;
}

static inline unsigned int asm_swizzle(const char *text)
{
	unsigned int swizzle = 0;

	for (unsigned int c = 0; c < 4; c++)
		swizzle |= asm_component(text[c]) << (2 * c);
	return swizzle;
}

static inline unsigned int asm_mask(const char *text)
{
	unsigned int mask = 0;

	for (; *text; text++)
		mask |= 1u << asm_component(*text);
	return mask;
}

static inline struct asm_src asm_register(unsigned int group, unsigned int reg, const char *swizzle)
{
	return (struct asm_src){
		.use = 1, .group = group, .reg = reg, .swizzle = asm_swizzle(swizzle)
	};
}

static inline struct asm_src asm_neg(struct asm_src src)
{
	src.neg = 1;
	return src;
}

static inline struct asm_src asm_abs(struct asm_src src)
{
	src.abs = 1;
	return src;
}

static inline struct asm_src asm_relative(struct asm_src src, char component)
{
	src.amode = 1 + asm_component(component);
	return src;
}

/* @kind: 0 float (upper 20 bits of @bits), 1 signed, 2 unsigned 20-bit number */
static inline struct asm_src asm_immediate(unsigned int kind, uint32_t bits)
{
	if (kind == 0)
		bits >>= 12;
	return (struct asm_src){
		.use = 1,
		.group = 7,
		.reg = bits & 0x1ff,
		.swizzle = bits >> 9 & 0xff,
		.neg = bits >> 17 & 1,
		.abs = bits >> 18 & 1,
		.amode = kind << 1 | (bits >> 19 & 1),
	};
}

static inline struct asm_src asm_immediate_f(float value)
{
	return asm_immediate(0, float_bits(value));
}

static inline void asm_put(uint32_t *words, unsigned int bit, unsigned int count, uint32_t value)
{
	for (unsigned int i = 0; i < count; i++)
		if (value >> i & 1)
			words[(bit + i) / 32] |= 1u << (bit + i) % 32;
}

static inline void asm_encode(const struct asm_inst *inst, uint32_t words[4])
{
	static const unsigned char at[3][7] = {
		/* use, reg, swizzle, neg, abs, amode, group */
		{ 43, 44, 54, 62, 63, 64, 67 },
		{ 70, 71, 81, 89, 90, 91, 96 },
		{ 99, 100, 110, 118, 119, 121, 124 },
	};

	memset(words, 0, 16);
	asm_put(words, 0, 6, inst->op);
	asm_put(words, 80, 1, inst->op >> 6);
	asm_put(words, 6, 5, inst->cond);
	asm_put(words, 11, 1, inst->sat);
	asm_put(words, 12, 1, inst->dst_use);
	asm_put(words, 13, 3, inst->dst_amode);
	asm_put(words, 16, 7, inst->dst);
	asm_put(words, 23, 4, inst->mask);
	asm_put(words, 27, 5, inst->tex);
	asm_put(words, 32, 3, inst->rounding | inst->tex_amode);
	asm_put(words, 35, 8, inst->tex_swizzle | inst->shift | inst->local << 5);
	asm_put(words, 53, 1, inst->type >> 2);
	asm_put(words, 94, 2, inst->type);
	asm_put(words, 103, 15, inst->target);
	for (unsigned int i = 0; i < 3; i++) {
		const struct asm_src *src = &inst->src[i];

		asm_put(words, at[i][0], 1, src->use);
		asm_put(words, at[i][1], 9, src->reg);
		asm_put(words, at[i][2], 8, src->swizzle);
		asm_put(words, at[i][3], 1, src->neg);
		asm_put(words, at[i][4], 1, src->abs);
		asm_put(words, at[i][5], 3, src->amode);
		asm_put(words, at[i][6], 3, src->group);
	}
}

#define T(reg, swizzle) asm_register(0, reg, swizzle)
#define I(reg, swizzle) asm_register(1, reg, swizzle)
#define U(reg, swizzle) asm_register(2, reg, swizzle)
#define IMM_F(value) asm_immediate_f(value)
#define IMM_S(value) asm_immediate(1, (uint32_t)(value))
#define IMM_U(value) asm_immediate(2, (uint32_t)(value))
#define NEG(source) asm_neg(source)
#define ABS(source) asm_abs(source)
#define REL(source, component) asm_relative(source, component)

#define OP(number) .op = (number)
#define COND(number) .cond = (number)
#define TYPE(number) .type = (number)
#define D(reg, components) .dst_use = 1, .dst = (reg), .mask = asm_mask(components)
#define DREL(component) .dst_amode = 1 + asm_component(component)
#define S0(source) .src[0] = (source)
#define S1(source) .src[1] = (source)
#define S2(source) .src[2] = (source)
#define TEX(number, swizzle) .tex = (number), .tex_swizzle = asm_swizzle(swizzle)
#define TO(number) .target = (number)
#define SAT .sat = 1

#endif
