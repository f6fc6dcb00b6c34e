/* SPDX-License-Identifier: MIT */
/* Random shader instructions for fuzzing: random bits, and nearly valid instructions. */
#ifndef CARD_TESTS_SHADER_NOISE_H
#define CARD_TESTS_SHADER_NOISE_H

#include "fuzz.h"
#include "gc/shader_program.h"
#include "shader_asm.h"

/* Any value in each field that all instructions have. */
static void noise_fields(struct asm_inst *inst)
{
	memset(inst, 0, sizeof(*inst));
	inst->op = fuzz_u32() & 0x7f;
	inst->cond = fuzz_u32() & 0x1f;
	inst->type = fuzz_u32() & 7;
	inst->sat = fuzz_u32() & 1;
	inst->dst_use = fuzz_u32() & 1;
	inst->dst = fuzz_u32() & 0x7f;
	inst->mask = fuzz_u32() & 0xf;
	inst->dst_amode = fuzz_u32() & 7;
	inst->tex = fuzz_u32() & 0x1f;
	inst->tex_swizzle = fuzz_u32() & 0xff;
	inst->tex_amode = fuzz_u32() & 7;
	for (unsigned int i = 0; i < 3; i++)
		inst->src[i] = (struct asm_src){
			.use = fuzz_u32() & 1,
			.group = fuzz_u32() & 7,
			.reg = fuzz_u32() & 0x1ff,
			.swizzle = fuzz_u32() & 0xff,
			.neg = fuzz_u32() & 1,
			.abs = fuzz_u32() & 1,
			.amode = fuzz_u32() & 7,
		};
}

/* Mostly opcodes that exist, with a type they take. */
static void noise_type(struct asm_inst *inst)
{
	static const uint8_t integers[] = { ISA_S32, ISA_U32, ISA_S32, ISA_U32, ISA_S8, ISA_U16 };
	uint8_t integer = integers[fuzz_below(sizeof(integers))];

	while (fuzz_below(256) &&
	       !gc_shader_opcode_name(&(struct isa_instruction){ .opcode = (uint8_t)inst->op }))
		inst->op = fuzz_u32() & 0x7f;
	switch (inst->op) {
	case ISA_ADD:
	case ISA_MOV:
	case ISA_SELECT:
	case ISA_SET:
	case ISA_CMP:
	case ISA_SIGN:
	case ISA_BRANCH:
	case ISA_TEXKILL:
		inst->type = fuzz_below(2) ? 0 : integer;
		break;
	default:
		inst->type = 0;
		if ((inst->op >= ISA_I2I && inst->op <= ISA_F2IRND) ||
		    (inst->op >= ISA_IADDSAT && inst->op <= ISA_BIT_EXTRACT))
			inst->type = integer;
	}
}

/* Sources of groups that exist; branches go to one of the first @length instructions. */
static void noise_operands(struct asm_inst *inst, unsigned int length)
{
	static const uint8_t groups[] = { 0, 0, 0, 2, 2, 7, 1 };

	for (unsigned int i = 0; i < 3; i++) {
		struct asm_src *src = &inst->src[i];

		src->group = groups[fuzz_below(sizeof(groups))];
		if (src->group < 2)
			src->reg %= src->group ? 1 : 64;
		if (src->group == 7)
			src->amode %= 6;
		else
			src->amode = fuzz_below(4) || src->group == 1 ? 0 : src->amode % 5;
	}
	if (inst->op == ISA_BRANCH || inst->op == ISA_CALL || inst->op == ISA_BRANCH_ANY) {
		memset(&inst->src[2], 0, sizeof(inst->src[2]));
		inst->target = fuzz_below(length);
	}
}

/* One instruction of a program of about @length, encoded into @words. */
static inline void noise_instruction(uint32_t words[4], unsigned int length)
{
	struct asm_inst inst;

	if (fuzz_below(64) == 0) {
		for (unsigned int i = 0; i < 4; i++)
			words[i] = fuzz_u32();
		return;
	}
	noise_fields(&inst);
	inst.cond %= 16;
	inst.dst %= 64;
	inst.dst_amode = fuzz_below(8) ? 0 : inst.dst_amode % 5;
	inst.tex_amode %= 5;
	if (fuzz_below(64))
		noise_type(&inst);
	noise_operands(&inst, length);
	asm_encode(&inst, words);
}

#endif
