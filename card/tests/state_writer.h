/* SPDX-License-Identifier: MIT */
/*
 * Writes states and programs directly to a core without front end, for draws of whole cores
 * (bench_draw.c, test_threads.c).
 */
#ifndef CARD_TESTS_STATE_WRITER_H
#define CARD_TESTS_STATE_WRITER_H

#include <stdint.h>

#include "gc/core.h"
#include "gc/float_bits.h"
#include "hw/state_3d.xml.h"
#include "shader_asm.h"

static struct {
	struct gc_core *gc;
	unsigned int instructions; /* where the next one of a program goes */
} writer;

static void set(uint32_t address, uint32_t value)
{
	gc_state_set(&writer.gc->state, address, value);
}

static void set_f(uint32_t address, float value)
{
	set(address, float_bits(value));
}

static void emit(const struct asm_inst *inst)
{
	uint32_t words[4];

	asm_encode(inst, words);
	for (unsigned int i = 0; i < 4; i++)
		set(VIVS_SH_INST_MEM(4 * writer.instructions + i), words[i]);
	writer.instructions++;
}

#define ASM(...) emit(&(struct asm_inst){ __VA_ARGS__ })

#endif
