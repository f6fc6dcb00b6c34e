// SPDX-License-Identifier: MIT
/*
 * Execution of NIR for 64 lanes in parallel: a mask has the lanes that an instruction applies to,
 * so that derivatives find the values of their neighbours.
 */
#include "nir_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_constant_expressions.h"
#include "util/u_math.h"

#define LOOP_LIMIT 1000 /* a loop of a test ends long before */

struct lanes {
	uint64_t active;
	uint64_t broken;    /* left the innermost loop */
	uint64_t continued; /* wait for its next round */
	nir_const_value (*def)[LANES][NIR_MAX_VEC_COMPONENTS];
};

static bool unable(struct nir_run *run, const char *what)
{
	snprintf(run->error, sizeof(run->error), "cannot run %s", what);
	return false;
}

nir_run_value *nir_run_variable(struct nir_run *run, const nir_variable *variable)
{
	for (unsigned int i = 0; i < run->variables; i++)
		if (run->variable[i] == variable)
			return &run->value[i];
	if (run->variables == NIR_RUN_VARIABLES)
		abort();
	run->variable[run->variables] = variable;
	memset(&run->value[run->variables], 0, sizeof(run->value[0]));
	return &run->value[run->variables++];
}

#define FOR_LANES(lane, mask)                             \
	for (unsigned int lane = 0; lane < LANES; lane++) \
		if ((mask) >> lane & 1)

/* Add a small random relative error, so that results that depend on rounding differ. */
static void disturb(struct nir_run *run, nir_const_value *value)
{
	run->seed = run->seed * 1664525u + 1013904223u;
	value->f32 += value->f32 * run->noise * ((float)(run->seed >> 8) / (1 << 23) - 1.0f);
}

/* Size of the operation for nir_eval_const_opcode(): that of what the opcode leaves unsized. */
static unsigned int alu_bits(const nir_alu_instr *alu)
{
	const nir_op_info *info = &nir_op_infos[alu->op];

	if (!nir_alu_type_get_type_size(info->output_type))
		return alu->def.bit_size;
	for (unsigned int i = 0; i < info->num_inputs; i++)
		if (!nir_alu_type_get_type_size(info->input_types[i]))
			return alu->src[i].src.ssa->bit_size;
	return 32;
}

static void run_alu(struct nir_run *run, struct lanes *lanes, const nir_alu_instr *alu)
{
	const nir_op_info *info = &nir_op_infos[alu->op];
	bool is_float = nir_alu_type_get_base_type(info->output_type) == nir_type_float &&
			alu->op != nir_op_mov && alu->def.bit_size == 32;

	FOR_LANES(lane, lanes->active)
	{
		nir_const_value source[NIR_ALU_MAX_INPUTS][NIR_MAX_VEC_COMPONENTS];
		nir_const_value *sources[NIR_ALU_MAX_INPUTS];
		nir_const_value *result = lanes->def[alu->def.index][lane];

		for (unsigned int i = 0; i < info->num_inputs; i++) {
			unsigned int n = nir_ssa_alu_instr_src_components(alu, i);

			for (unsigned int c = 0; c < n; c++)
				source[i][c] = lanes->def[alu->src[i].src.ssa->index][lane]
							 [alu->src[i].swizzle[c]];
			sources[i] = source[i];
		}
		nir_eval_const_opcode(alu->op, result, alu->def.num_components, alu_bits(alu),
				      sources, 0);
		for (unsigned int c = 0; is_float && c < alu->def.num_components; c++)
			disturb(run, &result[c]);
	}
}

static void load(struct lanes *lanes, const nir_def *def, const nir_run_value *value)
{
	FOR_LANES(lane, lanes->active)
	for (unsigned int c = 0; c < def->num_components; c++)
		lanes->def[def->index][lane][c].u32 = (*value)[c][lane];
}

static void store(struct lanes *lanes, const nir_intrinsic_instr *intrin, nir_run_value *value)
{
	FOR_LANES(lane, lanes->active)
	u_foreach_bit(c, nir_intrinsic_write_mask(intrin))(*value)[c][lane] =
		lanes->def[intrin->src[1].ssa->index][lane][c].u32;
}

static void load_uniform(struct nir_run *run, struct lanes *lanes,
			 const nir_intrinsic_instr *intrin)
{
	FOR_LANES(lane, lanes->active)
	{
		nir_const_value offset = lanes->def[intrin->src[0].ssa->index][lane][0];
		const uint32_t *word = run->uniform + 4 * (nir_intrinsic_base(intrin) + offset.u32);

		for (unsigned int c = 0; c < intrin->def.num_components; c++)
			lanes->def[intrin->def.index][lane][c].u32 = word[c];
	}
}

static void load_ubo(struct nir_run *run, struct lanes *lanes, const nir_intrinsic_instr *intrin)
{
	FOR_LANES(lane, lanes->active)
	{
		nir_const_value offset = lanes->def[intrin->src[1].ssa->index][lane][0];

		for (unsigned int c = 0; c < intrin->def.num_components; c++)
			lanes->def[intrin->def.index][lane][c].u32 =
				run->uniform[offset.u32 / 4 + c];
	}
}

static void derive(struct lanes *lanes, const nir_intrinsic_instr *intrin, unsigned int step)
{
	unsigned int source = intrin->src[0].ssa->index;

	FOR_LANES(lane, lanes->active)
	for (unsigned int c = 0; c < intrin->def.num_components; c++)
		lanes->def[intrin->def.index][lane][c].f32 =
			lanes->def[source][lane | step][c].f32 -
			lanes->def[source][lane & ~step][c].f32;
}

static void kill_lanes(struct nir_run *run, struct lanes *lanes, uint64_t dying)
{
	run->killed |= dying & lanes->active;
	/* they go on as helpers; their values do not count */
}

static uint64_t true_lanes(const struct lanes *lanes, const nir_def *condition)
{
	uint64_t mask = 0;

	FOR_LANES(lane, lanes->active)
	if (lanes->def[condition->index][lane][0].b)
		mask |= UINT64_C(1) << lane;
	return mask;
}

static bool run_intrinsic(struct nir_run *run, struct lanes *lanes,
			  const nir_intrinsic_instr *intrin)
{
	switch (intrin->intrinsic) {
	case nir_intrinsic_load_deref:
		load(lanes, &intrin->def, nir_run_variable(run, nir_intrinsic_get_var(intrin, 0)));
		return true;
	case nir_intrinsic_store_deref:
		store(lanes, intrin, nir_run_variable(run, nir_intrinsic_get_var(intrin, 0)));
		return true;
	case nir_intrinsic_load_uniform:
		load_uniform(run, lanes, intrin);
		return true;
	case nir_intrinsic_load_ubo:
		load_ubo(run, lanes, intrin);
		return true;
	case nir_intrinsic_load_frag_coord:
		load(lanes, &intrin->def, &run->frag_coord);
		return true;
	case nir_intrinsic_load_front_face:
		FOR_LANES(lane, lanes->active)
		lanes->def[intrin->def.index][lane][0].b = run->face[lane] != 0;
		return true;
	case nir_intrinsic_ddx:
		derive(lanes, intrin, 1);
		return true;
	case nir_intrinsic_ddy:
		derive(lanes, intrin, 2);
		return true;
	case nir_intrinsic_terminate:
		kill_lanes(run, lanes, lanes->active);
		return true;
	case nir_intrinsic_terminate_if:
		kill_lanes(run, lanes, true_lanes(lanes, intrin->src[0].ssa));
		return true;
	default:
		return unable(run, nir_intrinsic_infos[intrin->intrinsic].name);
	}
}

/* The first component of a source of a lookup, or 0 when there is none. */
static float tex_scalar(const struct lanes *lanes, const nir_tex_instr *tex, nir_tex_src_type type,
			unsigned int lane)
{
	int source = nir_tex_instr_src_index(tex, type);

	return source < 0 ? 0.0f : lanes->def[tex->src[source].src.ssa->index][lane][0].f32;
}

static void run_tex(struct nir_run *run, struct lanes *lanes, const nir_tex_instr *tex)
{
	int coord = nir_tex_instr_src_index(tex, nir_tex_src_coord);

	FOR_LANES(lane, lanes->active)
	{
		const nir_const_value *at = lanes->def[tex->src[coord].src.ssa->index][lane];
		float fourth = tex_scalar(lanes, tex, nir_tex_src_bias, lane) +
			       tex_scalar(lanes, tex, nir_tex_src_lod, lane);
		struct card_texel texel =
			card_texel(run->sampler_base + tex->sampler_index, at[0].f32, at[1].f32,
				   fourth, tex_scalar(lanes, tex, nir_tex_src_comparator, lane));

		for (unsigned int c = 0; c < tex->def.num_components; c++)
			lanes->def[tex->def.index][lane][c].f32 = texel.value[c];
	}
}

static void run_constant(struct lanes *lanes, const nir_load_const_instr *constant)
{
	FOR_LANES(lane, lanes->active)
	memcpy(lanes->def[constant->def.index][lane], constant->value,
	       constant->def.num_components * sizeof(constant->value[0]));
}

static bool run_instr(struct nir_run *run, struct lanes *lanes, nir_instr *instr)
{
	switch (instr->type) {
	case nir_instr_type_alu:
		run_alu(run, lanes, nir_instr_as_alu(instr));
		return true;
	case nir_instr_type_intrinsic:
		return run_intrinsic(run, lanes, nir_instr_as_intrinsic(instr));
	case nir_instr_type_load_const:
		run_constant(lanes, nir_instr_as_load_const(instr));
		return true;
	case nir_instr_type_tex:
		run_tex(run, lanes, nir_instr_as_tex(instr));
		return true;
	case nir_instr_type_deref:
		return true;
	case nir_instr_type_jump:
		if (nir_instr_as_jump(instr)->type == nir_jump_break)
			lanes->broken |= lanes->active;
		else if (nir_instr_as_jump(instr)->type == nir_jump_continue)
			lanes->continued |= lanes->active;
		else
			return unable(run, "this jump");
		lanes->active = 0;
		return true;
	default:
		return unable(run, "an instruction of this type");
	}
}

static bool run_list(struct nir_run *run, struct lanes *lanes, const struct exec_list *list);

static bool run_if(struct nir_run *run, struct lanes *lanes, nir_if *nif)
{
	uint64_t all = lanes->active, yes = true_lanes(lanes, nif->condition.ssa), after;

	lanes->active = yes;
	if (!run_list(run, lanes, &nif->then_list))
		return false;
	after = lanes->active;
	lanes->active = all & ~yes;
	if (!run_list(run, lanes, &nif->else_list))
		return false;
	lanes->active |= after;
	return true;
}

/* The lanes that enter go on behind it: each has left it by a break, or the loop is endless. */
static bool run_loop(struct nir_run *run, struct lanes *lanes, nir_loop *loop)
{
	struct lanes outer = *lanes;

	lanes->broken = 0;
	for (unsigned int round = 0; lanes->active; round++) {
		if (round == LOOP_LIMIT)
			return unable(run, "an endless loop");
		lanes->continued = 0;
		if (!run_list(run, lanes, &loop->body))
			return false;
		lanes->active |= lanes->continued;
	}
	*lanes = outer;
	return true;
}

static bool run_list(struct nir_run *run, struct lanes *lanes, const struct exec_list *list)
{
	foreach_list_typed(nir_cf_node, node, node, list)
	{
		if (node->type == nir_cf_node_if) {
			if (!run_if(run, lanes, nir_cf_node_as_if(node)))
				return false;
			continue;
		}
		if (node->type == nir_cf_node_loop) {
			if (!run_loop(run, lanes, nir_cf_node_as_loop(node)))
				return false;
			continue;
		}
		nir_foreach_instr(
			instr,
			nir_cf_node_as_block(node)) if (!run_instr(run, lanes, instr)) return false;
	}
	return true;
}

bool nir_run_shader(struct nir_run *run)
{
	nir_function_impl *impl = nir_shader_get_entrypoint((nir_shader *)run->shader);
	struct lanes lanes = { .active = ~UINT64_C(0) };
	bool good;

	nir_index_ssa_defs(impl);
	lanes.def = calloc(impl->ssa_alloc + 1, sizeof(*lanes.def));
	good = lanes.def && run_list(run, &lanes, &impl->body);
	free(lanes.def);
	return good;
}
