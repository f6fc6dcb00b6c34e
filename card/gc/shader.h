/* SPDX-License-Identifier: MIT */
/*
 * The shader core: decodes a program once, then runs it over batches.
 * Programs and uniforms come from the state words or, with an instruction
 * cache, from memory.
 */
#ifndef CARD_GC_SHADER_H
#define CARD_GC_SHADER_H

#include <stdbool.h>
#include <stdint.h>

#include "gc/batch.h"

struct gc_core;
struct gc_shader;

enum gc_stage { GC_STAGE_VS, GC_STAGE_PS };

/* Texture coordinates and what else a TEXLD brings, all lanes. */
struct gc_texture_request {
	unsigned int sampler; /* number in the sampler file, 0..31; the VS's own base included */
	enum gc_texture_mode {
		GC_TEX_IMPLICIT, /* LOD from derivatives across quads */
		GC_TEX_BIAS,     /* the same plus bias */
		GC_TEX_LOD,      /* explicit LOD */
		GC_TEX_GRADIENT, /* explicit derivatives */
		GC_TEX_FETCH,    /* integer texel coordinates and explicit level */
	} mode;
	bool shadow;                    /* compare against coord component reference */
	const union gc_lanes *coord[4]; /* s, t, r, q as the instruction's first source, swizzled */
	const union gc_lanes *lod;      /* bias, LOD or (GC_TEX_FETCH) level, a float in any case */
	const union gc_lanes *reference;       /* shadow */
	const union gc_lanes *ddx[3], *ddy[3]; /* GC_TEX_GRADIENT */
	uint64_t live;                         /* lanes that want a result */
	bool pixel_stage;                      /* lanes are quads, so implicit derivatives exist */
};

/**
 * gc_texture_sample - the texture unit (tx.c): @result gets RGBA of all live lanes
 *
 * It may be where the request's operands are: lane by lane, and for coordinates
 * altogether, they are read before a result is written.
 */
void gc_texture_sample(struct gc_core *gc, const struct gc_texture_request *request,
		       struct gc_vec4 *result);

/*
 * What a run cost; lanes x instructions, so that it does not depend on
 * batching. Helper lanes count as the others, as silicon runs whole quads.
 */
struct gc_shader_cost {
	uint64_t instructions, branches, texlds;
	uint64_t accesses;                /* of LOAD, STORE and atomics */
	uint64_t read_bytes, write_bytes; /* what these moved; they have no cache */
};

/**
 * gc_shader_get - the decoded program of @stage for the state as it stands
 *
 * Decoded programs are kept until their words change. Those in memory are read
 * through the instruction cache, so new words count after a flush only.
 *
 * Returns: NULL when the program cannot be fetched or decoded; then a fault is
 * raised or the draw is dropped and the trace says why.
 */
const struct gc_shader *gc_shader_get(struct gc_core *gc, enum gc_stage stage);

/** gc_shader_run - run @shader over all live lanes of @batch. Re-entrant per batch. */
void gc_shader_run(struct gc_core *gc, const struct gc_shader *shader, struct gc_batch *batch,
		   struct gc_shader_cost *cost);

/**
 * gc_shader_run_short - gc_shader_run() for callers that only want outputs
 *
 * The moves at the end of a program need not be made: gc_shader_output() says
 * where their sources are. Costs as if they were.
 */
void gc_shader_run_short(struct gc_core *gc, const struct gc_shader *shader, struct gc_batch *batch,
			 struct gc_shader_cost *cost);

/** gc_shader_output - where component @c of register @reg is found after gc_shader_run_short(). */
const union gc_lanes *gc_shader_output(const struct gc_shader *shader, const struct gc_batch *batch,
				       unsigned int reg, unsigned int c);

/** gc_shader_output_color - the same for all components of a register. */
void gc_shader_output_color(const struct gc_shader *shader, const struct gc_batch *batch,
			    unsigned int reg, struct gc_color *color);

/** gc_shader_reads - components of register @reg that the program may read, one bit each. */
unsigned int gc_shader_reads(const struct gc_shader *shader, unsigned int reg);

/** gc_shader_reads_face - whether a pixel program reads the face register. */
bool gc_shader_reads_face(const struct gc_shader *shader);

/**
 * gc_shader_stands_alone - whether runs of a pixel program know nothing of each other
 * @provided: components of each temporary that are filled before
 * @output: the temporary whose components are its result
 * @flat: samplers of which a lookup looks at two coordinates, one bit each
 *
 * Such a program reads nothing but what it is given, constants and textures, whose
 * samplers are known, writes nothing but registers, and comes to its end: it may run
 * on any thread.
 */
bool gc_shader_stands_alone(const struct gc_shader *shader, const uint8_t provided[GC_TEMPS],
			    unsigned int output, uint32_t flat);

/** gc_shader_samplers - samplers that such a program looks up, one bit each. */
uint32_t gc_shader_samplers(const struct gc_shader *shader);

/** gc_shader_steps - instructions that a run of such a program executes. */
unsigned int gc_shader_steps(const struct gc_shader *shader);

/** gc_shader_only_moves - whether gc_shader_run_short() has nothing to do: a program of moves. */
bool gc_shader_only_moves(const struct gc_shader *shader);

/** gc_shader_is_inward - whether a program neither looks up textures nor touches memory. */
bool gc_shader_is_inward(const struct gc_shader *shader);

/** gc_shader_flush_icache - what a write of @control to VS_ICACHE_CONTROL flushes. */
void gc_shader_flush_icache(struct gc_core *gc, uint32_t control);

/** gc_shader_cache_free - forget all decoded programs of @gc. */
void gc_shader_cache_free(struct gc_core *gc);

/** gc_shader_uses_kill - whether the program has a TEXKILL anywhere. */
bool gc_shader_uses_kill(const struct gc_shader *shader);

#endif
