// SPDX-License-Identifier: MIT
/*
 * Costs of instructions relative to each other. Vivante has not published them; as is common for
 * such cores, functions of one argument and quotients take several cycles, and integer products and
 * jumps take more than sums [chosen].
 */
#include "gc/core.h"
#include "gc/icache.h"
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

/*
 * Bytes of instructions that each wave has to fetch because they do not fit into the direct-mapped
 * instruction cache: each line beyond it and the one that it replaces. A program of twice the cache's
 * size has no other lines.
 */
static uint32_t refetched_bytes(uint32_t instructions)
{
	uint32_t bytes = instructions * ISA_BYTES;

	if (bytes <= GC_ICACHE_BYTES)
		return 0;
	return bytes < 2 * GC_ICACHE_BYTES ? 2 * (bytes - GC_ICACHE_BYTES) : bytes;
}

void gc_shader_price(const struct gc_core *gc, const struct gc_shader *shader,
		     struct gpu_program *program)
{
	program->identity = shader->hash;
	program->issue_percent = shader->issue_percent;
	program->wave_code_bytes =
		gc->personality->instruction_cache ? refetched_bytes(shader->count) : 0;
}
