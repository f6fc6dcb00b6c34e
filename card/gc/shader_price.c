// SPDX-License-Identifier: MIT
/*
 * What instructions cost the shader cores beside each other. Vivante has not published
 * it; that functions of one argument take several cycles and integer products more than
 * sums is common to such cores [chosen].
 */
#include "gc/shader_kernels.h"

#define MOVE 100u

/* Percent of a move. */
static uint32_t instruction_percent(unsigned int opcode)
{
	switch (opcode) {
	case ISA_NOP:
		return 25;
	case ISA_RCP:
	case ISA_RSQ:
	case ISA_SQRT:
	case ISA_EXP:
	case ISA_LOG:
	case ISA_SIN:
	case ISA_COS:
	case ISA_DIV:
		return 4 * MOVE;
	case ISA_IMULLO0:
	case ISA_IMULLOSAT0:
	case ISA_IMULHI0:
	case ISA_IMADLO0:
	case ISA_IMADLOSAT0:
	case ISA_IMADHI0:
	case ISA_IMADHISAT0:
		return 2 * MOVE;
	case ISA_IDIV0:
	case ISA_IMOD0:
		return 16 * MOVE;
	case ISA_BRANCH:
	case ISA_CALL:
	case ISA_RET:
	case ISA_TEXKILL:
		return 2 * MOVE;
	default:
		return MOVE;
	}
}

uint32_t shader_issue_percent(const uint32_t *words, uint32_t count)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct isa_instruction instruction;

		isa_unpack(&words[i * ISA_WORDS], &instruction);
		sum += instruction_percent(instruction.opcode);
	}
	return count ? (uint32_t)(sum / count) : MOVE;
}

uint32_t gc_shader_issue_percent(const struct gc_shader *shader)
{
	return shader->issue_percent;
}
