/* SPDX-License-Identifier: MIT */
/*
 * The decoded form of a program and the state of a run. Only shader*.c and their tests include
 * this.
 *
 * Each instruction becomes a micro-op. Its operands are in the order of its kernel's
 * parameters. Immediates and uniforms are collected in a pool with a copy for each lane,
 * computed when uniforms change, so that kernels get pointers to lanes for all operands.
 */
#ifndef CARD_GC_SHADER_PROGRAM_H
#define CARD_GC_SHADER_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gc/isa.h"
#include "gc/shader.h"
#include "gc/shader_vector.h"

struct gc_personality;
struct shader_micro;
struct shader_run;

#define SHADER_MAX_INSTRUCTIONS 32768u /* branch targets have 15 bits */
#define SHADER_CALL_DEPTH 8            /* [chosen] */

/* The array that contains an operand's lanes. */
enum shader_base {
	SHADER_TEMP,     /* the batch's temporaries; component = register * 4 + component */
	SHADER_POOL,     /* the program's pool */
	SHADER_INTERNAL, /* PS: face; VS: vertex id, instance id */
	SHADER_PREPARED, /* result of prepare() in shader_run.c */
	SHADER_BASES,
};

/* Modifiers of an operand, applied in this order: absolute value, negation. */
#define SHADER_MOD_ABS 1u
#define SHADER_MOD_NEG 2u
#define SHADER_MOD_INT 4u /* two's complement integers; otherwise the sign bit */

struct shader_operand {
	uint8_t base;     /* enum shader_base */
	uint16_t comp[4]; /* for each component read: its index in the array */
};

/* How to compute an operand of base SHADER_PREPARED. */
struct shader_preparation {
	bool relative;              /* the register number is computed with a0 */
	uint8_t address;            /* component of a0 */
	bool uniform;               /* relative: uniform, otherwise temporary */
	uint16_t reg;               /* relative: register number without a0 */
	uint8_t swizzle[4];         /* relative: component read */
	struct shader_operand from; /* not relative */
	uint8_t mods;               /* SHADER_MOD_* */
	uint8_t type;       /* narrow the value: ISA_S8 .. ISA_U8; other types have no effect */
	uint8_t components; /* mask of components that the kernel reads */
};

enum shader_kind {
	SHADER_NOP,
	SHADER_ALU,
	SHADER_ADDRESS,
	SHADER_TEX,
	SHADER_BRANCH,
	SHADER_BRANCH_ANY,
	SHADER_CALL,
	SHADER_RET,
	SHADER_KILL,
	SHADER_LOAD,
	SHADER_STORE,
	SHADER_ATOMIC,
	SHADER_END,
};

/** shader_kernel - compute components m->work of all lanes into @out[component] */
typedef void (*shader_kernel)(const struct shader_run *run, const struct shader_micro *m,
			      union gc_lanes *out);

struct shader_micro {
	shader_kernel kernel; /* BRANCH*, CALL, KILL: of the condition, NULL if always true */
	uint8_t kind;         /* enum shader_kind */
	uint8_t reads[3];     /* components of each operand that the kernel reads */
	uint8_t mask;         /* components written */
	uint8_t work;         /* components computed by the kernel; the others are copies, or 1.0 */
	bool factors;         /* the components after the first are 1.0, see OPCODE_FACTORS */
	bool scratch;         /* the kernel must not write to the destination directly */
	bool saturate;
	uint8_t narrow;       /* type the result is narrowed to, or ISA_F32 */
	uint8_t dst;          /* register */
	uint8_t dst_address;  /* 0: none, otherwise 1 + component of a0 */
	uint8_t prepare;      /* mask of operands to prepare */
	uint16_t preparation; /* index of the first operand's preparation; others follow */
	struct shader_operand src[3];
	uint16_t target; /* BRANCH, CALL */
	/* TEX */
	uint8_t mode; /* enum gc_texture_mode */
	bool shadow;
	uint8_t sampler, sampler_address, swizzle[4];
	bool whole_texel;  /* all components go to one register, not swizzled */
	bool lod_in_coord; /* bias or LOD is the coordinates' fourth component */
	/* LOAD, STORE, ATOMIC; ALU has its type, and the rounding mode in @shift */
	uint8_t opcode, type, shift;
};

/* A component of the pool. */
struct shader_constant {
	bool uniform; /* @value is the number of a uniform component, otherwise a constant */
	uint8_t mods;
	uint8_t type; /* narrowing, as in shader_preparation */
	uint32_t value;
};

/* Where a component's lanes are before the moves at the program's end. */
struct shader_place {
	uint8_t base; /* enum shader_base */
	uint16_t comp;
};

struct gc_shader {
	enum gc_stage stage;
	/* what it was decoded from */
	uint64_t hash;
	uint32_t count; /* instructions */
	uint32_t start; /* first instruction */
	uint32_t *words;
	/* decoded */
	struct shader_micro *micro; /* count of them and a SHADER_END */
	struct shader_preparation *preparation;
	uint32_t preparations, preparation_room;
	struct shader_constant *constant;
	uint32_t constants, constant_room;
	bool uses_kill;
	uint32_t issue_percent; /* see shader_issue_percent() */
	/* computed by shader_flow.c */
	uint8_t reads[GC_TEMPS]; /* components that are read anywhere */
	bool reads_internal;
	bool straight; /* no branches, calls or kills: each lane runs each instruction once */
	/* from here on all instructions are moves whose results nothing else reads */
	uint32_t tail;
	/* by register and component: where it is before those moves */
	struct shader_place output[4 * GC_TEMPS];
	uint32_t uniform_end; /* first uniform component after those in the pool */
	char error[96];       /* reason for a refusal, or empty */
	/* values for all lanes, from the uniforms as of uniform_stamp */
	union gc_lanes *pool;
	const uint32_t *uniform; /* first uniform's words */
	uint32_t uniform_words;  /* number of words that may be read */
	uint64_t uniform_stamp;
	uint64_t used; /* time of the last use, for the program cache */
};

/* Lanes that run together. */
struct shader_group {
	uint64_t lanes;
	uint32_t pc;
	uint32_t depth;
	uint32_t stack[SHADER_CALL_DEPTH];
};

struct shader_run {
	struct gc_core *gc;
	const struct gc_shader *shader;
	struct gc_batch *batch;
	const union gc_lanes *base[SHADER_BASES];
	unsigned int chunks; /* vectors per component with live lanes */
	bool whole;          /* other lanes' registers may be overwritten */
	bool mask_valid;
	bool stop;
	uint64_t idle;           /* lanes whose registers are not used any more */
	struct shader_group now; /* the running lanes */
	struct shader_group waiting[GC_LANES];
	unsigned int waitings;
	uint32_t next_pc;     /* lowest pc of the waiting groups */
	unsigned int running; /* number of lanes in now */
	struct gc_shader_cost cost;
	vi mask[GC_CHUNKS]; /* now.lanes as vectors, if mask_valid */
	struct gc_vec4 result, texel;
	struct gc_vec4 prepared[3];
};

/** shader_lanes - the lanes of component @c of operand @s */
static inline const union gc_lanes *shader_lanes(const struct shader_run *run,
						 const struct shader_micro *m, unsigned int s,
						 unsigned int c)
{
	return run->base[m->src[s].base] + m->src[s].comp[c];
}

/**
 * gc_shader_decode - decode a program
 * @personality: for differences between cores
 * @stage: vertex or pixel shader
 * @words: the instructions; copied
 * @count: number of instructions
 * @start: the first instruction to execute
 *
 * Returns: the program, with @error set if it has to be refused; NULL if out of memory.
 */
struct gc_shader *gc_shader_decode(const struct gc_personality *personality, enum gc_stage stage,
				   const uint32_t *words, uint32_t count, uint32_t start);
void gc_shader_destroy(struct gc_shader *shader);

/** shader_issue_percent - mean price of the @count instructions of @words; 100 is that of a move. */
uint32_t shader_issue_percent(const uint32_t *words, uint32_t count);

/**
 * shader_find_flow - compute which registers a decoded program reads, whether it branches, and
 * its tail
 */
void shader_find_flow(struct gc_shader *shader);

/**
 * gc_shader_set_uniforms - fill the pool with the values of the uniforms
 * @uniform: the first uniform; must stay valid while the program runs
 * @words: number of words that may be read; uniforms after them are 0 [chosen]
 */
void gc_shader_set_uniforms(struct gc_shader *shader, const uint32_t *uniform, uint32_t words);

/** gc_shader_disassemble - write the instruction at @words as text */
void gc_shader_disassemble(const uint32_t words[ISA_WORDS], char *text, size_t bytes);

/** gc_shader_opcode_name - the instruction's mnemonic, or NULL if undefined */
const char *gc_shader_opcode_name(const struct isa_instruction *inst);

/** shader_modify - extend the low bits of @x if @type is narrow, then apply SHADER_MOD_* @mods */
vi shader_modify(vi x, unsigned int mods, unsigned int type);

#endif
