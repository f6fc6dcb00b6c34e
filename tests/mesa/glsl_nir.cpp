// SPDX-License-Identifier: MIT
/*
 * Mesa's standalone GLSL compiler, and after it what the state tracker does
 * before a driver sees a shader.
 */
#include "glsl_nir.h"

#include <cstring>

#include "compiler/glsl/glsl_parser_extras.h"
#include "compiler/glsl/builtin_functions.h"
#include "compiler/glsl/gl_nir.h"
#include "compiler/glsl/standalone.h"
#include "compiler/nir/nir_builder.h"
#include "main/mtypes.h"
#include "program/program.h"
#include "state_tracker/st_nir.h"

static int vec4_slots(const struct glsl_type *type, bool bindless)
{
	return glsl_count_vec4_slots(type, false, bindless);
}

/* Position and face are varyings for the standalone compiler, system values for us. */
static bool use_system_value(nir_builder *b, nir_intrinsic_instr *intrin, void *)
{
	nir_variable *variable;
	nir_def *value;

	if (intrin->intrinsic != nir_intrinsic_load_deref)
		return false;
	variable = nir_intrinsic_get_var(intrin, 0);
	if (!variable || variable->data.mode != nir_var_shader_in)
		return false;
	b->cursor = nir_before_instr(&intrin->instr);
	if (variable->data.location == VARYING_SLOT_POS)
		value = nir_load_frag_coord(b);
	else if (variable->data.location == VARYING_SLOT_FACE)
		value = nir_load_front_face(b, 1);
	else
		return false;
	if (value->num_components != intrin->def.num_components ||
	    value->bit_size != intrin->def.bit_size)
		return false;
	nir_def_replace(&intrin->def, value);
	return true;
}

static void number_inputs(nir_shader *s)
{
	unsigned next = 0;

	nir_foreach_shader_in_variable(variable, s)
	{
		variable->data.driver_location = next;
		next += glsl_count_attribute_slots(variable->type, false);
	}
	s->num_inputs = next;
}

static nir_shader *finish(struct gl_shader_program *program, struct gl_linked_shader *linked,
			  const nir_shader_compiler_options *options)
{
	nir_shader *s = nir_shader_clone(NULL, linked->Program->nir);

	s->options = options;
	NIR_PASS(_, s, st_nir_unlower_io_to_vars);
	if (s->info.stage == MESA_SHADER_FRAGMENT)
		NIR_PASS(_, s, nir_shader_intrinsics_pass, use_system_value,
			 nir_metadata_control_flow, NULL);
	NIR_PASS(_, s, nir_lower_system_values);
	NIR_PASS(_, s, nir_lower_global_vars_to_local);
	NIR_PASS(_, s, nir_lower_vars_to_ssa);
	if (options->lower_flrp32)
		NIR_PASS(_, s, nir_lower_flrp, 32, false);
	NIR_PASS(_, s, gl_nir_lower_samplers, program);
	nir_assign_var_locations(s, nir_var_uniform, &s->num_uniforms, vec4_slots);
	NIR_PASS(_, s, nir_lower_io, nir_var_uniform, vec4_slots, (nir_lower_io_options)0);
	NIR_PASS(_, s, nir_lower_indirect_derefs, nir_var_function_temp, UINT32_MAX);
	NIR_PASS(_, s, nir_remove_dead_variables,
		 (nir_variable_mode)(nir_var_function_temp | nir_var_shader_in), NULL);
	number_inputs(s);
	nir_shader_gather_info(s, nir_shader_get_entrypoint(s));
	return s;
}

bool glsl_nir(int version, const char *vertex, const char *fragment,
	      const nir_shader_compiler_options *options,
	      nir_shader *shaders[MESA_SHADER_FRAGMENT + 1])
{
	static struct gl_context context;
	struct standalone_options how = {};
	char *files[2];
	unsigned count = 0;

	how.glsl_version = version;
	how.do_link = 1;
	how.just_log = 1;
	if (vertex)
		files[count++] = (char *)vertex;
	if (fragment)
		files[count++] = (char *)fragment;
	struct gl_shader_program *program =
		standalone_compile_shader(&how, count, files, &context);
	if (!program || program->data->LinkStatus != LINKING_SUCCESS)
		return false;
	memset(shaders, 0, sizeof(shaders[0]) * (MESA_SHADER_FRAGMENT + 1));
	for (unsigned stage = 0; stage <= MESA_SHADER_FRAGMENT; stage++)
		if (program->_LinkedShaders[stage])
			shaders[stage] = finish(program, program->_LinkedShaders[stage], options);
	return true;
}

void glsl_nir_keep(void)
{
	_mesa_glsl_builtin_functions_init_or_ref();
}
