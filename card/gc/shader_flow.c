// SPDX-License-Identifier: MIT
/*
 * Static analysis of a program: the registers it reads (others need not be set), whether it
 * branches, and the moves at its end that only copy results to output registers.
 *
 * Compilers end most programs with such moves. If nothing reads the registers they write,
 * outputs can be read from the moves' sources instead.
 */
#include <string.h>

#include "gc/shader_kernels.h"
#include "plain.h"

#define ALL_COMPONENTS 0xfu

/* A set of components of temporaries, one bit each. */
struct component_set {
	uint8_t of[GC_TEMPS];
};

static void add_operand(struct gc_shader *s, const struct shader_operand *operand,
			unsigned int components, struct component_set *set)
{
	s->reads_internal |= components && operand->base == SHADER_INTERNAL;
	if (operand->base != SHADER_TEMP)
		return;
	FOR_COMPONENTS(c, components)
	{
		set->of[operand->comp[c] / 4] |= (uint8_t)(1u << operand->comp[c] % 4);
	}
}

/* Add the components that @m reads; all, if a register number is computed. */
static void add_reads(struct gc_shader *s, const struct shader_micro *m, struct component_set *set)
{
	const struct shader_preparation *how = &s->preparation[m->preparation];

	for (unsigned int i = 0; i < 3; i++)
		add_operand(s, &m->src[i], m->reads[i], set);
	for (unsigned int left = m->prepare; left; left &= left - 1, how++) {
		if (!how->relative)
			add_operand(s, &how->from, how->components, set);
		else if (!how->uniform)
			memset(set->of, ALL_COMPONENTS, sizeof(set->of));
	}
}

static bool is_straight(const struct gc_shader *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		switch (s->micro[i].kind) {
		case SHADER_BRANCH:
		case SHADER_BRANCH_ANY:
		case SHADER_CALL:
		case SHADER_RET:
		case SHADER_KILL:
			return false;
		}
	}
	return true;
}

/* Whether the instruction only copies components as they are, or does nothing. */
static bool is_move(const struct shader_micro *m)
{
	if (m->kind == SHADER_NOP)
		return true;
	return m->kind == SHADER_ALU && m->kernel == shader_fmov && m->work == m->mask &&
	       !m->saturate && m->narrow == ISA_F32 && !m->dst_address && !m->prepare;
}

/* Components of m->dst that are always written. */
static unsigned int writes(const struct shader_micro *m)
{
	bool result = m->kind == SHADER_ALU || m->kind == SHADER_TEX || m->kind == SHADER_LOAD ||
		      m->kind == SHADER_ATOMIC;

	return result && !m->dst_address ? m->mask : 0;
}

/* Add the components that instruction @m reads and that are not in @written to @first. */
static void add_first_reads(struct gc_shader *s, const struct shader_micro *m,
			    const struct component_set *written, struct component_set *first)
{
	struct component_set reads = { { 0 } };

	add_reads(s, m, &reads);
	for (unsigned int r = 0; r < GC_TEMPS; r++)
		first->of[r] |= reads.of[r] & (uint8_t)~written->of[r];
}

/*
 * Whether a later run of the program reads a result of the instructions from @tail on: registers that are no
 * inputs have what the last run in the same lane left there. This one does not: only moves follow.
 */
static bool tail_is_read(struct gc_shader *s, uint32_t tail)
{
	struct component_set first = { { 0 } }, written = { { 0 } }; /* first: read unwritten */
	bool read = false;

	for (uint32_t i = s->start; i < s->count; i++) {
		const struct shader_micro *m = &s->micro[i];

		add_first_reads(s, m, &written, &first);
		written.of[m->dst] |= (uint8_t)writes(m);
	}
	for (uint32_t i = tail; i < s->count; i++)
		read |= first.of[s->micro[i].dst] & writes(&s->micro[i]);
	return read;
}

/*
 * Follow the moves from the tail on, to find where each component's value is before them. Without a
 * tail that is the component itself.
 */
static void follow_moves(struct gc_shader *s)
{
	for (unsigned int i = 0; i < 4 * GC_TEMPS; i++)
		s->output[i] = (struct shader_place){ SHADER_TEMP, (uint16_t)i };
	for (uint32_t i = s->tail; i < s->count; i++) {
		const struct shader_micro *m = &s->micro[i];
		struct shader_place from[4] = { { 0 } };

		FOR_COMPONENTS(c, writes(m))
		{
			from[c] = (struct shader_place){ m->src[0].base, m->src[0].comp[c] };
			if (from[c].base == SHADER_TEMP)
				from[c] = s->output[from[c].comp];
		}
		FOR_COMPONENTS(c, writes(m))
		{
			s->output[4 * m->dst + c] = from[c];
		}
	}
}

void shader_find_flow(struct gc_shader *s)
{
	struct component_set reads = { { 0 } };

	for (uint32_t i = 0; i < s->count; i++)
		add_reads(s, &s->micro[i], &reads);
	memcpy(s->reads, reads.of, sizeof(s->reads));
	s->straight = !CARD_PLAIN && !s->error[0] && is_straight(s);
	s->tail = s->count;
	while (s->straight && s->tail > s->start && is_move(&s->micro[s->tail - 1]))
		s->tail--;
	if (tail_is_read(s, s->tail))
		s->tail = s->count;
	follow_moves(s);
	s->issue_percent =
		shader_issue_percent(s->words + s->start * ISA_WORDS, s->count - s->start);
}

bool gc_shader_only_moves(const struct gc_shader *shader)
{
	return shader->straight && shader->tail == shader->start;
}

unsigned int gc_shader_reads(const struct gc_shader *shader, unsigned int reg)
{
	return shader->reads[reg % GC_TEMPS];
}

bool gc_shader_reads_face(const struct gc_shader *shader)
{
	return shader->reads_internal;
}

const union gc_lanes *gc_shader_output(const struct gc_shader *shader, const struct gc_batch *batch,
				       unsigned int reg, unsigned int c)
{
	const struct shader_place *place = &shader->output[4 * reg + c];

	if (place->base == SHADER_POOL)
		return &shader->pool[place->comp];
	if (place->base == SHADER_INTERNAL)
		return shader->stage == GC_STAGE_PS ? &batch->face
						    : &batch->vertex_id + place->comp;
	return &batch->temp[0].c[0] + place->comp;
}

void gc_shader_output_color(const struct gc_shader *shader, const struct gc_batch *batch,
			    unsigned int reg, struct gc_color *color)
{
	color->same = 0;
	for (unsigned int c = 0; c < 4; c++) {
		color->c[c] = gc_shader_output(shader, batch, reg, c);
		if (shader->output[4 * reg + c].base == SHADER_POOL)
			color->same |= 1u << c;
	}
}
