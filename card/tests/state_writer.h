/* SPDX-License-Identifier: MIT */
/*
 * Writes states and programs directly to a core without front end, for draws of whole cores
 * (bench_draw.c, test_threads.c).
 */
#ifndef CARD_TESTS_STATE_WRITER_H
#define CARD_TESTS_STATE_WRITER_H

#include <stdint.h>

#include "gc/core.h"
#include "gc/draw.h"
#include "gc/float_bits.h"
#include "hw/cmdstream.xml.h"
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

/*
 * Indices of a grid of @columns x @rows squares, each two triangles, whose (@columns + 1) *
 * (@rows + 1) vertices are numbered row by row; and the draw of it.
 */
static inline struct gc_draw draw_grid(uint16_t *index, unsigned int columns, unsigned int rows)
{
	for (unsigned int y = 0; y < rows; y++)
		for (unsigned int x = 0; x < columns; x++) {
			uint16_t a = (uint16_t)(y * (columns + 1) + x);
			uint16_t c = (uint16_t)(a + columns + 1);

			*index++ = a, *index++ = a + 1, *index++ = c;
			*index++ = a + 1, *index++ = c + 1, *index++ = c;
		}
	return (struct gc_draw){ .primitive = PRIMITIVE_TYPE_TRIANGLES,
				 .indexed = true,
				 .by_vertices = true,
				 .count = 6 * columns * rows,
				 .instances = 1 };
}

#define ASM(...) emit(&(struct asm_inst){ __VA_ARGS__ })

#endif
