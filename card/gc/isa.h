/* SPDX-License-Identifier: MIT */
/*
 * The shader instruction set: position of the fields in a 128-bit instruction, and their
 * values, as described by etna_viv and Mesa (src/etnaviv/isa/etnaviv.xml). Bits are numbered
 * from bit 0 of the first word to bit 31 of the fourth, 0 to 127.
 */
#ifndef CARD_GC_ISA_H
#define CARD_GC_ISA_H

#include <stdbool.h>
#include <stdint.h>

#define ISA_WORDS 4 /* 32-bit words of an instruction */
#define ISA_BYTES 16

/* Opcodes: bits 5:0, and bit 80 as bit 6. */
enum isa_opcode {
	ISA_NOP = 0x00,
	ISA_ADD = 0x01,
	ISA_MAD = 0x02,
	ISA_MUL = 0x03,
	ISA_DP3 = 0x05,
	ISA_DP4 = 0x06,
	ISA_DSX = 0x07,
	ISA_DSY = 0x08,
	ISA_MOV = 0x09,
	ISA_MOVAR = 0x0a,
	ISA_MOVAF = 0x0b,
	ISA_RCP = 0x0c,
	ISA_RSQ = 0x0d,
	ISA_LITP = 0x0e,
	ISA_SELECT = 0x0f,
	ISA_SET = 0x10,
	ISA_EXP = 0x11,
	ISA_LOG = 0x12,
	ISA_FRC = 0x13,
	ISA_CALL = 0x14,
	ISA_RET = 0x15,
	ISA_BRANCH = 0x16,
	ISA_TEXKILL = 0x17,
	ISA_TEXLD = 0x18,
	ISA_TEXLDB = 0x19,
	ISA_TEXLDD = 0x1a,
	ISA_TEXLDL = 0x1b,
	ISA_TEXLDPCF = 0x1c,
	ISA_SQRT = 0x21,
	ISA_SIN = 0x22,
	ISA_COS = 0x23,
	ISA_BRANCH_ANY = 0x24,
	ISA_FLOOR = 0x25,
	ISA_CEIL = 0x26,
	ISA_SIGN = 0x27,
	ISA_ADDLO = 0x28,
	ISA_MULLO = 0x29,
	ISA_BARRIER = 0x2a,
	ISA_I2I = 0x2c,
	ISA_I2F = 0x2d,
	ISA_F2I = 0x2e,
	ISA_F2IRND = 0x2f,
	ISA_CMP = 0x31,
	ISA_LOAD = 0x32,
	ISA_STORE = 0x33,
	ISA_CLAMP0_MAX = 0x36,
	ISA_IADDSAT = 0x3b,
	ISA_IMULLO0 = 0x3c,
	ISA_IMULLOSAT0 = 0x3e,
	ISA_IMULHI0 = 0x40,
	ISA_IDIV0 = 0x44,
	ISA_IMOD0 = 0x48,
	ISA_TXF = 0x49,
	ISA_IMADLO0 = 0x4c,
	ISA_IMADLOSAT0 = 0x4e,
	ISA_IMADHI0 = 0x50,
	ISA_IMADHISAT0 = 0x52,
	ISA_MOVAI = 0x56,
	ISA_IABS = 0x57,
	ISA_LEADZERO = 0x58,
	ISA_LSHIFT = 0x59,
	ISA_RSHIFT = 0x5a,
	ISA_ROTATE = 0x5b,
	ISA_OR = 0x5c,
	ISA_AND = 0x5d,
	ISA_XOR = 0x5e,
	ISA_NOT = 0x5f,
	ISA_BIT_EXTRACT = 0x60,
	ISA_POPCOUNT = 0x61,
	ISA_DIV = 0x64,
	ISA_ATOM_ADD = 0x65,
	ISA_ATOM_XCHG = 0x66,
	ISA_ATOM_CMP_XCHG = 0x67,
	ISA_ATOM_MIN = 0x68,
	ISA_ATOM_MAX = 0x69,
	ISA_ATOM_OR = 0x6a,
	ISA_ATOM_AND = 0x6b,
	ISA_ATOM_XOR = 0x6c,
	ISA_BIT_REV = 0x6d,
	ISA_TEXLDLPCF = 0x6f,
	ISA_DP2 = 0x73,
	ISA_IMG_LOAD = 0x79,
	ISA_IMG_STORE = 0x7a,
	ISA_EXTENDED = 0x7f, /* the opcode is in SRC2's register number */
	ISA_OPCODES = 0x80,
};

/* Extended opcodes. */
enum isa_extended { ISA_EXT_FINDLSB = 0x0b, ISA_EXT_FINDMSB = 0x0c };

/* Conditions, bits 10:6. */
enum isa_cond {
	ISA_COND_TRUE,
	ISA_COND_GT,
	ISA_COND_LT,
	ISA_COND_GE,
	ISA_COND_LE,
	ISA_COND_EQ,
	ISA_COND_NE,
	ISA_COND_AND,
	ISA_COND_OR,
	ISA_COND_XOR,
	/* of one operand: */
	ISA_COND_NOT,
	ISA_COND_NZ,
	ISA_COND_GEZ,
	ISA_COND_GZ,
	ISA_COND_LEZ,
	ISA_COND_LZ,
	ISA_COND_SELMSB = 22,
};

/* Operand types: bits 95:94, and bit 53 as bit 2. */
enum isa_type {
	ISA_F32,
	ISA_S32,
	ISA_S8,
	ISA_U16,
	ISA_F16,
	ISA_S16,
	ISA_U32,
	ISA_U8,
};

/* Register groups of a source. */
enum isa_group {
	ISA_GROUP_TEMP = 0,
	ISA_GROUP_INTERNAL = 1,
	ISA_GROUP_UNIFORM = 2,
	ISA_GROUP_UNIFORM_HIGH = 3,
	ISA_GROUP_HALF_TEMP = 4,
	ISA_GROUP_IMMEDIATE = 7,
};

/* Kinds of 20-bit immediates. */
enum isa_immediate { ISA_IMM_F20, ISA_IMM_S20, ISA_IMM_U20, ISA_IMM_F16 };

/* Rounding modes, bits 33:32 of ALU instructions. */
enum isa_rounding { ISA_ROUND_DEFAULT, ISA_ROUND_ZERO, ISA_ROUND_EVEN };

/* Addressing modes: 0 direct, 1..4 plus a0.x .. a0.w. */

/* First bit of each part of a source operand. */
struct isa_source_bits {
	uint8_t use, reg, swizzle, neg, abs, amode, group;
};

static const struct isa_source_bits isa_source_bits[3] = {
	{ 43, 44, 54, 62, 63, 64, 67 },
	{ 70, 71, 81, 89, 90, 91, 96 },
	{ 99, 100, 110, 118, 119, 121, 124 },
};

struct isa_source {
	bool use, neg, abs;
	uint8_t group, amode, swizzle; /* swizzle: 2 bits a component, x lowest */
	uint16_t reg;
};

/* An instruction's fields, not interpreted. */
struct isa_instruction {
	uint8_t opcode, cond, type;
	bool sat;
	bool dst_use;
	uint8_t dst_reg, dst_amode, dst_mask;
	uint8_t sampler, sampler_amode, sampler_swizzle; /* texture instructions */
	uint8_t rounding;
	uint8_t left_shift; /* LOAD, STORE */
	bool local, skip_helpers;
	bool half;       /* any of the dual-16 flags */
	uint16_t target; /* branches */
	struct isa_source src[3];
};

/* isa_bits - @count bits from bit @low on of the instruction at @words. */
static inline uint32_t isa_bits(const uint32_t *words, unsigned int low, unsigned int count)
{
	return (words[low / 32] >> (low % 32)) & ((1u << count) - 1); /* no field spans two words */
}

static inline void isa_unpack_source(const uint32_t *words, unsigned int i, struct isa_source *src)
{
	const struct isa_source_bits *at = &isa_source_bits[i];

	src->use = isa_bits(words, at->use, 1);
	src->reg = isa_bits(words, at->reg, 9);
	src->swizzle = isa_bits(words, at->swizzle, 8);
	src->neg = isa_bits(words, at->neg, 1);
	src->abs = isa_bits(words, at->abs, 1);
	src->amode = isa_bits(words, at->amode, 3);
	src->group = isa_bits(words, at->group, 3);
}

/** isa_unpack - decode the fields of the instruction at @words */
static inline void isa_unpack(const uint32_t words[ISA_WORDS], struct isa_instruction *inst)
{
	inst->opcode = isa_bits(words, 0, 6) | isa_bits(words, 80, 1) << 6;
	inst->cond = isa_bits(words, 6, 5);
	inst->sat = isa_bits(words, 11, 1);
	inst->type = isa_bits(words, 94, 2) | isa_bits(words, 53, 1) << 2;
	inst->dst_use = isa_bits(words, 12, 1);
	inst->dst_amode = isa_bits(words, 13, 3);
	inst->dst_reg = isa_bits(words, 16, 7);
	inst->dst_mask = isa_bits(words, 23, 4);
	inst->sampler = isa_bits(words, 27, 5);
	inst->sampler_amode = isa_bits(words, 32, 3);
	inst->sampler_swizzle = isa_bits(words, 35, 8);
	inst->rounding = isa_bits(words, 32, 2);
	inst->left_shift = isa_bits(words, 35, 3);
	inst->skip_helpers = isa_bits(words, 39, 1);
	inst->local = isa_bits(words, 40, 1);
	inst->half = isa_bits(words, 109, 1) || isa_bits(words, 120, 1) || isa_bits(words, 127, 1);
	inst->target = isa_bits(words, 103, 15);
	for (unsigned int i = 0; i < 3; i++)
		isa_unpack_source(words, i, &inst->src[i]);
}

/** isa_immediate - the 20 bits of an immediate operand; @kind receives its type */
static inline uint32_t isa_immediate(const struct isa_source *src, enum isa_immediate *kind)
{
	*kind = (enum isa_immediate)(src->amode >> 1);
	return src->reg | (uint32_t)src->swizzle << 9 | (uint32_t)src->neg << 17 |
	       (uint32_t)src->abs << 18 | (uint32_t)(src->amode & 1) << 19;
}

#endif
