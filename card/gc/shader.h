/* SPDX-License-Identifier: MIT */
/*
 * The shader core: decodes programs and runs them on batches. Programs are read from the states
 * or, with the instruction cache, from memory; uniforms are states.
 */
#ifndef CARD_GC_SHADER_H
#define CARD_GC_SHADER_H

#include <stdbool.h>
#include <stdint.h>

#include "clock/pipeline.h"
#include "gc/batch.h"

struct gc_core;
struct gc_shader;

enum gc_stage { GC_STAGE_VS, GC_STAGE_PS };

/*
 * First and last instruction of a stage's program, on cores with an instruction cache before HALTI5. Mesa 26
 * writes these, older ones VS_RANGE and PS_RANGE, whose 16-bit fields have the same meaning.
 */
#define GC_VS_FIRST 0x00874u
#define GC_VS_LAST 0x00878u
#define GC_PS_FIRST 0x0087cu
#define GC_PS_LAST 0x00880u

/* Operands of a texture instruction, for all lanes. */
struct gc_texture_request {
	unsigned int sampler; /* 0..31; vertex and pixel programs use the same numbering */
	enum gc_texture_mode {
		GC_TEX_IMPLICIT, /* LOD from derivatives across quads */
		GC_TEX_BIAS,     /* the same plus bias */
		GC_TEX_LOD,      /* explicit LOD */
		GC_TEX_GRADIENT, /* explicit derivatives */
		GC_TEX_FETCH,    /* integer texel coordinates and explicit level */
	} mode;
	bool shadow;                     /* compare with @reference */
	const union gc_lanes *coord[4];  /* s, t, r, q: the first source, swizzled */
	const union gc_lanes *lod;       /* bias, LOD or (GC_TEX_FETCH) level; always a float */
	const union gc_lanes *reference; /* reference value of a comparison */
	const union gc_lanes *ddx[3], *ddy[3]; /* GC_TEX_GRADIENT */
	uint64_t live;                         /* lanes that need a result */
	bool pixel_stage;                      /* lanes form quads, so implicit derivatives exist */
};

/**
 * gc_texture_sample - sample a texture for all live lanes
 * @request: operands
 * @result: receives RGBA; may be the registers of @request's operands: each lane's operands,
 *     and all coordinates, are read before its result is written
 */
void gc_texture_sample(struct gc_core *gc, const struct gc_texture_request *request,
		       struct gc_vec4 *result);

/*
 * Cost of a run, as lanes times instructions, so that it does not depend on the batch size.
 * Helper lanes count, because silicon runs whole quads.
 */
struct gc_shader_cost {
	uint64_t instructions, branches, texlds;
	uint64_t accesses;                /* number of LOAD, STORE and atomics */
	uint64_t read_bytes, write_bytes; /* bytes that these moved; they are not cached */
};

/**
 * gc_shader_get - the decoded program that the states select for @stage
 *
 * Decoded programs are cached by their instruction words. Programs in memory are read through
 * the instruction cache, so a change in memory has an effect only after a flush.
 *
 * Returns: NULL if the program cannot be fetched or decoded. Then a fault is recorded or a
 * trace message gives the reason, and the caller drops the draw.
 */
const struct gc_shader *gc_shader_get(struct gc_core *gc, enum gc_stage stage);

/**
 * gc_shader_run - run @shader on all live lanes of @batch and add its cost to @cost
 *
 * Threads may run a program at the same time if it stands alone (gc_shader_stands_alone()), each on
 * a batch of its own.
 */
void gc_shader_run(struct gc_core *gc, const struct gc_shader *shader, struct gc_batch *batch,
		   struct gc_shader_cost *cost);

/**
 * gc_shader_run_short - gc_shader_run() for callers that use only the outputs
 *
 * Skips the moves at the end of a program: gc_shader_output() returns where their sources are.
 * Their cost is added as usual.
 */
void gc_shader_run_short(struct gc_core *gc, const struct gc_shader *shader, struct gc_batch *batch,
			 struct gc_shader_cost *cost);

/** gc_shader_output - where component @c of register @reg is after gc_shader_run_short() */
const union gc_lanes *gc_shader_output(const struct gc_shader *shader, const struct gc_batch *batch,
				       unsigned int reg, unsigned int c);

/** gc_shader_output_color - the same for all components of a register, with gc_color.same */
void gc_shader_output_color(const struct gc_shader *shader, const struct gc_batch *batch,
			    unsigned int reg, struct gc_color *color);

/** gc_shader_reads - components of register @reg that the program may read, one bit each */
unsigned int gc_shader_reads(const struct gc_shader *shader, unsigned int reg);

/** gc_shader_reads_face - whether a pixel program reads the face register */
bool gc_shader_reads_face(const struct gc_shader *shader);

/**
 * gc_shader_stands_alone - whether runs of a pixel program are independent of each other
 * @provided: components of each temporary that are set before a run
 * @output: the temporary with the result
 * @flat: samplers whose lookups use two coordinates only, one bit each
 *
 * Such a program reads only @provided registers, constants and textures with constant sampler
 * numbers, writes only registers, and always ends. Its runs can be distributed over threads.
 */
bool gc_shader_stands_alone(const struct gc_shader *shader, const uint8_t provided[GC_TEMPS],
			    unsigned int output, uint32_t flat);

/** gc_shader_samplers - samplers that such a program uses, one bit each */
uint32_t gc_shader_samplers(const struct gc_shader *shader);

/** gc_shader_steps - number of such a program's instructions that gc_shader_run_short() executes */
unsigned int gc_shader_steps(const struct gc_shader *shader);

/**
 * gc_shader_price - what the pipeline's model has to know of a program
 * @program: receives all but the temporaries, which a state selects
 */
void gc_shader_price(const struct gc_core *gc, const struct gc_shader *shader,
		     struct gpu_program *program);

/**
 * gc_shader_only_moves - whether the program consists of moves that gc_shader_run_short() skips
 */
bool gc_shader_only_moves(const struct gc_shader *shader);

/** gc_shader_is_inward - whether a program uses neither textures nor memory */
bool gc_shader_is_inward(const struct gc_shader *shader);

/**
 * gc_shader_flush_icache - flush the caches that @control, written to VS_ICACHE_CONTROL,
 * selects
 */
void gc_shader_flush_icache(struct gc_core *gc, uint32_t control);

/** gc_shader_set_range - a write of @value to the state @address, one of GC_VS_FIRST to GC_PS_LAST */
void gc_shader_set_range(struct gc_core *gc, uint32_t address, uint32_t value);

/**
 * gc_shader_load_mirror - a write of @value to the state @address of SH_INST_MEM_MIRROR: the same memory
 * as SH_INST_MEM
 */
void gc_shader_load_mirror(struct gc_core *gc, uint32_t address, uint32_t value);

/** gc_shader_cache_free - free all decoded programs of @gc */
void gc_shader_cache_free(struct gc_core *gc);

/** gc_shader_uses_kill - whether the program contains TEXKILL */
bool gc_shader_uses_kill(const struct gc_shader *shader);

#endif
