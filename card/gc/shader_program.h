/* SPDX-License-Identifier: MIT */
/*
 * Inside the shader core: the decoded form of a program, and the state of a
 * run. Only shader*.c and their tests include it.
 *
 * An instruction becomes a micro-op: operands in the order in which its kernel
 * takes them, immediates and uniforms gathered in a pool that is spread over
 * all lanes once per draw, so that a kernel only ever sees pointers to lanes.
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

/* Where an operand's lanes are counted from. */
enum shader_base {
	SHADER_TEMP,     /* the batch's temporaries; component = register * 4 + component */
	SHADER_POOL,     /* the program's pool */
	SHADER_INTERNAL, /* PS: face; VS: vertex id, instance id */
	SHADER_PREPARED, /* copied by shader_prepare_operand() before the kernel runs */
	SHADER_BASES,
};

/* What has to be done to an operand's value, in this order: absolute, negative. */
#define SHADER_MOD_ABS 1u
#define SHADER_MOD_NEG 2u
#define SHADER_MOD_INT 4u /* as two's complement integers; else the sign bit */

struct shader_operand {
	uint8_t base;     /* enum shader_base */
	uint16_t comp[4]; /* for each component read: which component from the base on */
};

/* How to make an operand of base SHADER_PREPARED. */
struct shader_preparation {
	bool relative;              /* register number plus an address component */
	uint8_t address;            /* which component of a0 */
	bool uniform;               /* relative: a uniform, else a temporary */
	uint16_t reg;               /* relative: register number without a0 */
	uint8_t swizzle[4];         /* relative: component read */
	struct shader_operand from; /* not relative */
	uint8_t mods;               /* SHADER_MOD_* */
	uint8_t type;               /* ISA_S8 .. ISA_U8 narrow the value; others don't */
	uint8_t components;         /* mask of those the kernel reads */
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

/** shader_kernel - compute the components m->work of all lanes into @out[component]. */
typedef void (*shader_kernel)(const struct shader_run *run, const struct shader_micro *m,
			      union gc_lanes *out);

struct shader_micro {
	shader_kernel kernel; /* ALU, ADDRESS; BRANCH* and KILL: condition into out[0] */
	uint8_t kind;         /* enum shader_kind */
	uint8_t reads[3];     /* components of each operand that the kernel looks at */
	uint8_t mask;         /* components written */
	uint8_t work;         /* components the kernel computes; the rest are copies, or 1.0 */
	bool factors;         /* the components beyond the first are the factor 1.0 */
	bool scratch;         /* result must not go straight to the destination */
	bool saturate;
	uint8_t narrow;       /* type the result is narrowed to, or ISA_F32 */
	uint8_t dst;          /* register */
	uint8_t dst_address;  /* 0 direct, else 1 + component of a0 */
	uint8_t prepare;      /* mask of operands to prepare */
	uint16_t preparation; /* index of the first one's preparation, others follow */
	struct shader_operand src[3];
	uint16_t target; /* BRANCH, CALL */
	/* TEX */
	uint8_t mode; /* enum gc_texture_mode */
	bool shadow;
	uint8_t sampler, sampler_address, swizzle[4];
	bool whole_texel;  /* all of it goes to one register as it is */
	bool lod_in_coord; /* bias or LOD is the coordinates' fourth component */
	/* LOAD, STORE, ATOMIC */
	uint8_t opcode, type, shift;
};

/* One component of the pool. */
struct shader_constant {
	bool uniform; /* value is the number of a uniform component, else the value itself */
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
	uint32_t start; /* where it begins */
	uint32_t *words;
	/* decoded */
	struct shader_micro *micro; /* count of them and an SHADER_END */
	struct shader_preparation *preparation;
	uint32_t preparations, preparation_room;
	struct shader_constant *constant;
	uint32_t constants, constant_room;
	bool uses_kill;
	/* what shader_flow.c found out */
	uint8_t reads[GC_TEMPS]; /* components that may be read anywhere */
	bool reads_internal;
	bool straight; /* every lane runs every instruction once, in order */
	uint32_t tail; /* from here on there are only moves, whose results are outputs alone */
	struct shader_place output[4 * GC_TEMPS]; /* after those moves, by register and component */
	uint32_t uniform_end; /* first uniform component beyond those in the pool */
	char error[96];       /* why it was refused, or empty */
	/* spread over the lanes for the uniforms as they stood at uniform_stamp */
	union gc_lanes *pool;
	const uint32_t *uniform; /* first uniform's words */
	uint32_t uniform_words;  /* how many may be read */
	uint64_t uniform_stamp;
	uint64_t used; /* for the cache: when it was last asked for */
};

/* One group of lanes that run together. */
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
	unsigned int chunks; /* vectors a component that hold live lanes */
	bool whole;          /* lanes that don't run now may be overwritten */
	bool mask_valid;
	bool stop;
	uint64_t idle;           /* lanes whose registers nobody looks at any more */
	struct shader_group now; /* the lanes that run now */
	struct shader_group waiting[GC_LANES];
	unsigned int waitings;
	uint32_t next_pc;     /* lowest of the waiting groups */
	unsigned int running; /* number of lanes in now */
	struct gc_shader_cost cost;
	vi mask[GC_CHUNKS]; /* now.lanes as vectors, valid if mask_valid */
	struct gc_vec4 result, texel;
	struct gc_vec4 prepared[3];
};

/** shader_lanes - the lanes of component @c of operand @s. */
static inline const union gc_lanes *shader_lanes(const struct shader_run *run,
						 const struct shader_micro *m, unsigned int s,
						 unsigned int c)
{
	return run->base[m->src[s].base] + m->src[s].comp[c];
}

/**
 * gc_shader_decode - turn words into a program
 * @personality: for its behaviours
 * @words: @count instructions; copied
 * @start: instruction at which it begins
 *
 * Returns: the program; with error set when it has to be refused. NULL when out of memory.
 */
struct gc_shader *gc_shader_decode(const struct gc_personality *personality, enum gc_stage stage,
				   const uint32_t *words, uint32_t count, uint32_t start);
void gc_shader_destroy(struct gc_shader *shader);

/** shader_find_flow - fill in what a decoded program reads, whether it branches, and its tail. */
void shader_find_flow(struct gc_shader *shader);

/**
 * gc_shader_set_uniforms - spread the uniforms a program uses over the lanes
 * @uniform: the first one's words, which must stay where they are while the program runs
 * @words: how many of them there are; reads beyond give 0 [chosen]
 */
void gc_shader_set_uniforms(struct gc_shader *shader, const uint32_t *uniform, uint32_t words);

/** gc_shader_disassemble - one line of text for the instruction at @words. */
void gc_shader_disassemble(const uint32_t words[ISA_WORDS], char *text, size_t bytes);

/** gc_shader_opcode_name - the instruction's mnemonic, or NULL when there is no such one. */
const char *gc_shader_opcode_name(const struct isa_instruction *inst);

/** shader_modify - @x with SHADER_MOD_* applied, then narrowed to @type. */
vi shader_modify(vi x, unsigned int mods, unsigned int type);

#endif
