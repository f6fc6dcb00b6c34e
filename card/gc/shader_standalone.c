// SPDX-License-Identifier: MIT
/*
 * Whether runs of a program can be distributed over threads: no data may pass from one run to
 * another, neither by memory nor in registers.
 */
#include "gc/shader_program.h"

/* below YIELD_INSTRUCTIONS in shader_run.c, as other threads must not call gc_yield() */
#define MAX_INSTRUCTIONS 4096u

uint32_t gc_shader_samplers(const struct gc_shader *shader)
{
	uint32_t samplers = 0;

	for (uint32_t i = shader->start; i < shader->count; i++)
		if (shader->micro[i].kind == SHADER_TEX)
			samplers |= 1u << shader->micro[i].sampler % 32;
	return samplers;
}

unsigned int gc_shader_steps(const struct gc_shader *shader)
{
	return shader->tail - shader->start;
}

bool gc_shader_is_inward(const struct gc_shader *shader)
{
	for (uint32_t i = 0; i < shader->count; i++) {
		switch (shader->micro[i].kind) {
		case SHADER_TEX:
		case SHADER_LOAD:
		case SHADER_STORE:
		case SHADER_ATOMIC:
			return false;
		}
	}
	return true;
}

/* Whether components @mask of @operand are set in @known. */
static bool is_known(const struct shader_operand *operand, unsigned int mask,
		     const uint8_t known[GC_TEMPS])
{
	bool all = true;

	if (operand->base != SHADER_TEMP)
		return true;
	for (unsigned int c = 0; c < 4; c++)
		if (mask >> c & 1)
			all &= known[operand->comp[c] / 4] >> operand->comp[c] % 4 & 1;
	return all;
}

/*
 * Components of operand @i that are used: programs read four of any texture coordinate, lookups of
 * @flat samplers use two.
 */
static unsigned int matters(const struct shader_micro *m, unsigned int i, uint32_t flat)
{
	bool coordinate = m->kind == SHADER_TEX && m->mode == GC_TEX_IMPLICIT && i == 0;

	return m->reads[i] & (coordinate && flat >> m->sampler % 32 & 1 ? 3 : 0xf);
}

/*
 * Whether the instruction reads only registers in @known, and no number of a register that it reads
 * or writes, or of its sampler, is computed.
 */
static bool reads_known(const struct gc_shader *s, const struct shader_micro *m,
			const uint8_t known[GC_TEMPS], uint32_t flat)
{
	const struct shader_preparation *how = &s->preparation[m->preparation];
	bool all = true;

	for (unsigned int i = 0; i < 3; i++)
		all &= is_known(&m->src[i], matters(m, i, flat), known);
	for (unsigned int left = m->prepare; left; left &= left - 1, how++)
		all &= !how->relative && is_known(&how->from, how->components, known);
	return all && !m->dst_address && !m->sampler_address;
}

/* Not TXF, whose level the sampler's range does not limit: gc_texture_pages() misses its pages. */
static bool is_simple(const struct shader_micro *m)
{
	switch (m->kind) {
	case SHADER_NOP:
	case SHADER_ALU:
		return true;
	case SHADER_TEX:
		return m->mode != GC_TEX_FETCH;
	default:
		return false;
	}
}

bool gc_shader_stands_alone(const struct gc_shader *shader, const uint8_t provided[GC_TEMPS],
			    unsigned int output, uint32_t flat)
{
	uint8_t known[GC_TEMPS];

	if (!shader->straight || shader->reads_internal || shader->count > MAX_INSTRUCTIONS)
		return false;
	for (unsigned int r = 0; r < GC_TEMPS; r++)
		known[r] = provided[r];
	for (uint32_t i = shader->start; i < shader->count; i++) {
		const struct shader_micro *m = &shader->micro[i];

		if (!is_simple(m) || !reads_known(shader, m, known, flat))
			return false;
		if (m->kind != SHADER_NOP)
			known[m->dst] |= m->mask;
	}
	return known[output] == 0xf;
}
