/* SPDX-License-Identifier: MIT */
/* Opcodes of shader instructions: their operands, and the functions that compute them. */
#ifndef CARD_GC_SHADER_OPCODE_H
#define CARD_GC_SHADER_OPCODE_H

#include "gc/shader_kernels.h"

struct gc_personality;

/* Components of its operands that a kernel reads; WORK: those that the instruction computes */
enum shader_opcode_reads {
	OPCODE_READS_WORK,
	OPCODE_READS_X,
	OPCODE_READS_XY,
	OPCODE_READS_XYZ,
	OPCODE_READS_XYZW
};

/* Flags of an opcode */
/* one result for all components written; READS_WORK: from the operands' first component */
#define OPCODE_BROADCAST 0x01u
/* the same, but 1.0 for the others with fast transcendentals: drivers multiply x and y */
#define OPCODE_FACTORS 0x02u
#define OPCODE_FLOAT_SOURCE 0x04u /* the type is the result's, operands are floats */
#define OPCODE_FLOAT_RESULT 0x08u /* the type is the operands', the result is a float */
#define OPCODE_CONDITIONAL 0x20u  /* SELECT, SET, CMP: the kernel depends on the condition */
#define OPCODE_ANY_SIMD 0x40u     /* moves bits, on all components even with scalar integers */

struct shader_opcode {
	const char *name; /* NULL: no such instruction */
	uint8_t kind;     /* enum shader_kind */
	char order[4];    /* which sources become the operands a, b, c */
	uint8_t reads;    /* enum shader_opcode_reads */
	uint8_t flags;
	shader_kernel f32, s32, u32; /* NULL: not for that type; see select_kernel() */
};

/** shader_find_opcode - the opcode of an instruction, or NULL if there is none */
const struct shader_opcode *shader_find_opcode(const struct isa_instruction *inst);

/** shader_opcode_lacks - the name of the feature that a core lacks for an opcode, or NULL */
const char *shader_opcode_lacks(const struct gc_personality *p, unsigned int opcode);

#endif
