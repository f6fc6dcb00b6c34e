/* SPDX-License-Identifier: MIT */
/*
 * The shader core for tests: assembles a program, runs it on one batch, and gives access to
 * registers. Texture requests go to a fake that records them.
 */
#ifndef CARD_TESTS_SHADER_BENCH_H
#define CARD_TESTS_SHADER_BENCH_H

/* The shader core's sources are included here, with the texture unit replaced. */
#define gc_texture_sample bench_texture_sample
#define gc_shader_run bench_shader_run
#define gc_shader_run_short bench_shader_run_short
#define gc_shader_uses_kill bench_shader_uses_kill
#include "gc/shader_run.c"

#include "gc/personality.h"
#include "shader_asm.h"

#define BENCH_PROGRAM 256

struct bench {
	struct gc_core gc;
	struct gc_batch batch;
	struct gc_shader *shader;
	struct gc_shader_cost cost;
	uint32_t uniform[512 * 4];
	uint32_t words[BENCH_PROGRAM * 4];
	unsigned int count;
	enum gc_stage stage;
	unsigned int yields;
	struct gc_texture_request request; /* the last one */
	unsigned int requests;
};

static struct bench bench;

static void bench_yield(void *ctx)
{
	struct bench *b = ctx;

	b->yields++;
}

/* Answers (s, t, sampler, LOD or 0) and keeps the request. */
void bench_texture_sample(struct gc_core *gc, const struct gc_texture_request *request,
			  struct gc_vec4 *result)
{
	for (unsigned int i = 0; i < GC_LANES; i++) {
		float s = request->coord[0]->f[i], t = request->coord[1]->f[i];

		result->c[0].f[i] = s;
		result->c[1].f[i] = t;
		result->c[2].f[i] = (float)request->sampler;
		result->c[3].f[i] = request->mode == GC_TEX_BIAS || request->mode == GC_TEX_LOD
					    ? request->lod->f[i]
					    : 0.0f;
	}
	bench.request = *request;
	bench.requests++;
}

/* Initialise for @personality; all lanes live, registers zero. */
static void bench_begin(const char *personality, enum gc_stage stage)
{
	gc_shader_destroy(bench.shader);
	memset(&bench, 0, sizeof(bench));
	bench.gc.personality = gc_personality_find(personality);
	bench.gc.host.yield = bench_yield;
	bench.gc.host.ctx = &bench;
	bench.stage = stage;
	bench.batch.live = ~UINT64_C(0);
}

static inline void bench_emit(const struct asm_inst *inst)
{
	asm_encode(inst, &bench.words[bench.count++ * 4]);
}

#define ASM(...) bench_emit(&(struct asm_inst){ __VA_ARGS__ })

/* Decode the assembled program; sets the shader's error if it is refused. */
static void bench_decode(void)
{
	gc_shader_destroy(bench.shader);
	bench.shader =
		gc_shader_decode(bench.gc.personality, bench.stage, bench.words, bench.count, 0);
}

/* Decode and run the program; false if it was refused. */
static inline bool bench_run(void)
{
	bench_decode();
	if (!bench.shader || bench.shader->error[0])
		return false;
	gc_shader_set_uniforms(bench.shader, bench.uniform, 512 * 4);
	memset(&bench.cost, 0, sizeof(bench.cost));
	bench_shader_run(&bench.gc, bench.shader, &bench.batch, &bench.cost);
	return true;
}

static inline union gc_lanes *bench_lanes(unsigned int reg, unsigned int component)
{
	return &bench.batch.temp[reg].c[component];
}

static inline float bench_f(unsigned int reg, unsigned int component, unsigned int lane)
{
	return bench.batch.temp[reg].c[component].f[lane];
}

static inline uint32_t bench_u(unsigned int reg, unsigned int component, unsigned int lane)
{
	return bench.batch.temp[reg].c[component].u[lane];
}

static inline void bench_fill(unsigned int reg, unsigned int component, float first, float step)
{
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench_lanes(reg, component)->f[i] = first + step * (float)i;
}

static inline void bench_uniform(unsigned int reg, unsigned int component, float value)
{
	memcpy(&bench.uniform[reg * 4 + component], &value, sizeof(value));
}

#endif
