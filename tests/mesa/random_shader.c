// SPDX-License-Identifier: MIT
/*
 * Shaders made at random from most of what the compiler takes. Operands are kept
 * where functions are tame, since results are compared with a tolerance.
 */
#include "random_shader.h"

#include <string.h>

#include "compiler/nir/nir_builder.h"

#define POOL 96

struct maker {
	const struct random_kind *kind;
	nir_builder b;
	uint32_t seed;
	nir_def *value[POOL]; /* floats to choose operands from */
	unsigned int values;
	unsigned int depth; /* of control flow */
	nir_variable *local[4];
	nir_variable *output[RANDOM_OUTPUTS];
};

static uint32_t draw(struct maker *m, uint32_t below)
{
	m->seed = m->seed * 1664525u + 1013904223u;
	return (m->seed >> 8) % below;
}

/*
 * Let later operations use a value. One of a branch or a loop must not be used behind it, so these
 * take their values from the pool's end again. That needs a pool that is not full within them: the
 * kinds with control flow have fewer operations.
 */
static void keep(struct maker *m, nir_def *value)
{
	if (m->values < POOL)
		m->value[m->values++] = value;
	else
		m->value[draw(m, POOL)] = value;
}

/* A float value of @n components, swizzled at random. */
static nir_def *pick(struct maker *m, unsigned int n)
{
	nir_def *def = m->value[draw(m, m->values)];
	unsigned int swizzle[4];

	for (unsigned int c = 0; c < n; c++)
		swizzle[c] = draw(m, 3) ? c % def->num_components : draw(m, def->num_components);
	return nir_swizzle(&m->b, def, swizzle, n);
}

static nir_def *constant(struct maker *m, unsigned int n)
{
	static const float nice[] = { 0.0f, 1.0f, -1.0f, 0.5f, 2.0f, 0.37f, -1.7f, 3.14159f };
	nir_const_value value[4] = { 0 };
	unsigned int same = draw(m, 2), first = draw(m, 8);

	for (unsigned int c = 0; c < n; c++)
		value[c].f32 = nice[same ? first : draw(m, 8)];
	return nir_build_imm(&m->b, n, 32, value);
}

static nir_def *uniform(struct maker *m, unsigned int n)
{
	nir_def *offset = nir_imm_int(&m->b, 0);
	unsigned int base = draw(m, RANDOM_UNIFORMS);

	return nir_load_uniform(&m->b, n, 32, offset, .base = base, .range = 1,
				.dest_type = nir_type_float32);
}

/* A uniform whose number is computed: one of eight. */
static nir_def *indirect_uniform(struct maker *m, unsigned int n)
{
	nir_builder *b = &m->b;
	nir_def *index = nir_fmul_imm(b, nir_fsat(b, pick(m, 1)), 7.0);

	return nir_load_uniform(b, n, 32, nir_f2i32(b, index), .base = 8, .range = 8,
				.dest_type = nir_type_float32);
}

/* A part of the uniform buffer, at a fixed or computed place. */
static nir_def *buffer(struct maker *m, unsigned int n)
{
	nir_builder *b = &m->b;
	nir_def *offset = nir_imm_int(b, 16 * (int)draw(m, RANDOM_UNIFORMS));

	if (draw(m, 2))
		offset = nir_imul_imm(
			b, nir_f2i32(b, nir_fmul_imm(b, nir_fsat(b, pick(m, 1)), 15.0)), 16);
	return nir_load_ubo(b, n, 32, nir_imm_int(b, 1), offset, .align_mul = 16, .align_offset = 0,
			    .range_base = 0, .range = ~0u);
}

/* Any operand. */
static nir_def *operand(struct maker *m, unsigned int n)
{
	nir_def *def;

	switch (draw(m, 8)) {
	case 0:
		def = constant(m, n);
		break;
	case 1:
	case 2:
		def = uniform(m, n);
		break;
	default:
		def = pick(m, n);
		break;
	}
	switch (draw(m, 10)) {
	case 0:
		return nir_fneg(&m->b, def);
	case 1:
		return nir_fabs(&m->b, def);
	case 2:
		return nir_fneg(&m->b, nir_fabs(&m->b, def));
	default:
		return def;
	}
}

/* Between 0.25 and 1.25. */
static nir_def *positive(struct maker *m, unsigned int n)
{
	return nir_fadd_imm(&m->b, nir_fsat(&m->b, nir_fabs(&m->b, operand(m, n))), 0.25);
}

static nir_def *comparison(struct maker *m, unsigned int n)
{
	nir_builder *b = &m->b;
	nir_def *x = operand(m, n), *y = draw(m, 2) ? operand(m, n) : nir_imm_zero(b, n, 32);

	switch (draw(m, 5)) {
	case 0:
		return nir_flt(b, x, y);
	case 1:
		return nir_fge(b, x, y);
	case 2:
		return nir_flt(b, y, x);
	case 3:
		return nir_ior(b, nir_flt(b, x, y), nir_fge(b, x, nir_fadd_imm(b, y, 1.0)));
	default:
		return nir_inot(b, nir_flt(b, x, y));
	}
}

static nir_def *arithmetic(struct maker *m, unsigned int n)
{
	nir_builder *b = &m->b;

	switch (draw(m, 12)) {
	case 0:
	case 1:
		return nir_fadd(b, operand(m, n), operand(m, n));
	case 2:
	case 3:
		return nir_fmul(b, operand(m, n), operand(m, n));
	case 4:
	case 5:
		return nir_fadd(b, nir_fmul(b, operand(m, n), operand(m, n)), operand(m, n));
	case 6:
		return nir_fsat(b, nir_fadd(b, operand(m, n), operand(m, n)));
	case 7:
		return nir_fmin(b, operand(m, n), operand(m, n));
	case 8:
		return nir_fmax(b, operand(m, n), operand(m, n));
	case 9:
		return nir_fsub(b, operand(m, n), operand(m, n));
	case 10:
		return nir_flrp(b, operand(m, n), operand(m, n), nir_fsat(b, operand(m, n)));
	default:
		return nir_bcsel(b, comparison(m, n), operand(m, n), operand(m, n));
	}
}

static nir_def *function(struct maker *m, unsigned int n)
{
	nir_builder *b = &m->b;

	switch (draw(m, 15)) {
	case 0:
		return nir_frcp(b, positive(m, n));
	case 1:
		return nir_frsq(b, positive(m, n));
	case 2:
		return nir_fsqrt(b, positive(m, n));
	case 3:
		return nir_fexp2(b, nir_fsat(b, operand(m, n)));
	case 4:
		return nir_flog2(b, positive(m, n));
	case 5:
		return nir_fsin(b, nir_fmin(b, operand(m, n), nir_imm_floatN_t(b, 3.0, 32)));
	case 6:
		return nir_fcos(b, nir_fmin(b, operand(m, n), nir_imm_floatN_t(b, 3.0, 32)));
	case 7:
		return nir_ffloor(b, operand(m, n));
	case 8:
		return nir_fceil(b, operand(m, n));
	case 9:
		return nir_ffract(b, operand(m, n));
	case 10:
		return nir_fsign(b, operand(m, n));
	case 11:
		return nir_b2f32(b, comparison(m, n));
	case 12:
		return nir_fpow(b, positive(m, n), nir_fsat(b, operand(m, n)));
	case 13:
		return nir_fdiv(b, operand(m, n), positive(m, n));
	default:
		return nir_fmod(b, operand(m, n), positive(m, n));
	}
}

/* one() asks for more functions of scalars than of vectors. */
static nir_def *scalar_function(struct maker *m)
{
	return function(m, 1);
}

static nir_def *reduction(struct maker *m)
{
	unsigned int n = 2 + draw(m, 3);
	nir_def *x = operand(m, n), *y = operand(m, n);

	return nir_fdot(&m->b, x, y);
}

static nir_def *gather_vector(struct maker *m, unsigned int n)
{
	nir_def *c[4];

	if (n == 1)
		return pick(m, 1);
	for (unsigned int i = 0; i < n; i++)
		c[i] = operand(m, 1);
	return nir_vec(&m->b, c, n);
}

static nir_def *integer_operation(struct maker *m, unsigned int n)
{
	nir_builder *b = &m->b;
	nir_def *x = nir_f2i32(b, nir_fmul_imm(b, nir_fsat(b, operand(m, n)), 40.0));
	nir_def *y = nir_f2i32(b, nir_fmul_imm(b, nir_fsat(b, operand(m, n)), 40.0));

	if (!draw(m, 3))
		y = nir_replicate(b, nir_imm_int(b, (int)draw(m, 4096) - 2048), n);
	switch (draw(m, m->kind->integers ? 16 : 6)) {
	case 0:
		return nir_iadd(b, x, y);
	case 1:
		return nir_isub(b, x, y);
	case 2:
		return nir_imul(b, x, y);
	case 3:
		return nir_imin(b, x, y);
	case 4:
		return nir_imax(b, x, y);
	case 5:
		return nir_iabs(b, nir_ineg(b, x));
	case 6:
		return nir_iand(b, x, y);
	case 7:
		return nir_ior(b, x, y);
	case 8:
		return nir_ixor(b, x, y);
	case 9:
		return nir_ishl_imm(b, x, draw(m, 5));
	case 10:
		return nir_ishr_imm(b, nir_isub(b, x, y), draw(m, 5));
	case 11:
		return nir_ushr_imm(b, x, draw(m, 5));
	case 12:
		return nir_inot(b, x);
	case 13:
		return nir_umin(b, x, y);
	case 14:
		return nir_bcsel(b, nir_ilt(b, x, y), x, nir_iadd(b, y, y));
	default:
		return nir_idiv(b, y, nir_iadd_imm(b, x, 1));
	}
}

static nir_def *texture(struct maker *m)
{
	unsigned int bias = m->kind->stage == MESA_SHADER_FRAGMENT && draw(m, 2);
	bool level = m->kind->stage == MESA_SHADER_VERTEX;
	bool shadow = m->kind->integers && !draw(m, 3); /* older cores leave it to the shader */
	unsigned int sources = 1 + (bias || level);
	nir_tex_instr *tex = nir_tex_instr_create(m->b.shader, sources + shadow);

	tex->op = level ? nir_texop_txl : bias ? nir_texop_txb : nir_texop_tex;
	tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
	tex->coord_components = 2;
	tex->dest_type = nir_type_float32;
	tex->sampler_index = tex->texture_index = draw(m, 4);
	tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, operand(m, 2));
	if (bias || level)
		tex->src[1] = nir_tex_src_for_ssa(bias ? nir_tex_src_bias : nir_tex_src_lod,
						  operand(m, 1));
	if (shadow)
		tex->src[sources] = nir_tex_src_for_ssa(nir_tex_src_comparator, operand(m, 1));
	tex->is_shadow = shadow;
	tex->is_new_style_shadow = shadow && draw(m, 2);
	nir_def_init(&tex->instr, &tex->def, tex->is_new_style_shadow ? 1 : 4, 32);
	nir_builder_instr_insert(&m->b, &tex->instr);
	return &tex->def;
}

static void some(struct maker *m, unsigned int count);

static void branch(struct maker *m)
{
	nir_builder *b = &m->b;
	unsigned int had = m->values;
	nir_variable *local = m->local[draw(m, 4)];

	nir_push_if(b, comparison(m, 1));
	m->depth++;
	some(m, 1 + draw(m, 8));
	nir_store_var(b, local, pick(m, 4), 1 + draw(m, 15));
	m->values = had;
	if (draw(m, 2)) {
		nir_push_else(b, NULL);
		some(m, 1 + draw(m, 8));
		nir_store_var(b, m->local[draw(m, 4)], pick(m, 4), 0xf);
		m->values = had;
	}
	nir_pop_if(b, NULL);
	m->depth--;
	keep(m, nir_load_var(b, local));
}

/* A loop of at most eight rounds, too many to be unrolled when it has much in it. */
static void loop(struct maker *m)
{
	nir_builder *b = &m->b;
	unsigned int had = m->values;
	nir_variable *counter = nir_local_variable_create(b->impl, glsl_float_type(), "counter");
	nir_variable *local = m->local[draw(m, 4)];
	nir_def *rounds = nir_fmul_imm(b, nir_fsat(b, pick(m, 1)), 7.9);

	nir_store_var(b, counter, nir_imm_float(b, 0.5f), 1);
	nir_push_loop(b);
	m->depth++;
	nir_push_if(b, nir_fge(b, nir_load_var(b, counter), rounds));
	nir_jump(b, nir_jump_break);
	nir_pop_if(b, NULL);
	nir_store_var(b, counter, nir_fadd_imm(b, nir_load_var(b, counter), 1.0), 1);
	some(m, 1 + draw(m, 6));
	if (draw(m, 2)) {
		nir_push_if(b, comparison(m, 1));
		nir_jump(b, nir_jump_continue);
		nir_pop_if(b, NULL);
	}
	nir_store_var(b, local, nir_ffract(b, nir_fadd(b, nir_load_var(b, local), pick(m, 4))),
		      0xf);
	nir_pop_loop(b, NULL);
	m->depth--;
	m->values = had;
	keep(m, nir_load_var(b, local));
}

static void one(struct maker *m)
{
	unsigned int n = 1 + draw(m, 4);
	bool pixel = m->kind->stage == MESA_SHADER_FRAGMENT;

	if (m->kind->control && m->depth < 3 && !draw(m, 12)) {
		if (draw(m, 2))
			branch(m);
		else
			loop(m);
		return;
	}
	switch (draw(m, m->kind->integers ? 17 : 16)) {
	case 16:
		keep(m, buffer(m, n));
		break;
	case 0:
	case 1:
		keep(m, scalar_function(m));
		break;
	case 2:
		keep(m, reduction(m));
		break;
	case 3:
	case 4:
		keep(m, gather_vector(m, n));
		break;
	case 5:
		keep(m, nir_i2f32(&m->b, integer_operation(m, n)));
		break;
	case 6:
		keep(m, texture(m));
		break;
	case 7:
		keep(m, indirect_uniform(m, n));
		break;
	case 8:
		/* Derivatives are undefined where lanes of a quad may not be active. */
		if (pixel && !m->depth)
			keep(m,
			     draw(m, 2) ? nir_ddx(&m->b, pick(m, n)) : nir_ddy(&m->b, pick(m, n)));
		break;
	case 9:
		keep(m, function(m, n));
		break;
	default:
		keep(m, arithmetic(m, n));
		break;
	}
}

static void some(struct maker *m, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		one(m);
}

/*
 * Constant number @i of kind->constants: between 0.5 and about 1.5, with 23 or 24 significant bits.
 */
static float exact_constant(unsigned int i)
{
	return 0.5f + (float)(i * 7919 % 8191 * 1024 + 2 * i + 1) * 0x1p-23f;
}

/*
 * The sum of many uniforms, each multiplied by constants: with kind->more as tests have it, they
 * need about as many uniform registers as the core has.
 */
static nir_def *sum_of_more(struct maker *m)
{
	unsigned int count = m->kind->more - draw(m, 5), at = draw(m, RANDOM_MORE);
	nir_builder *b = &m->b;
	nir_def *sum = pick(m, 4);

	for (unsigned int i = 0; i < count; i++) {
		nir_def *value = nir_load_uniform(b, 4, 32, nir_imm_int(b, 0),
						  .base = RANDOM_UNIFORMS + (at + i) % RANDOM_MORE,
						  .range = 1, .dest_type = nir_type_float32);
		nir_const_value factor[4] = { 0 };

		for (unsigned int c = 0; c < 4; c++)
			factor[c].f32 = exact_constant(draw(m, m->kind->constants));
		if (m->kind->scalars)
			value = nir_replicate(b, nir_channel(b, value, draw(m, 4)), 4);
		sum = nir_fadd(b, sum, nir_fmul(b, value, nir_build_imm(b, 4, 32, factor)));
	}
	return sum;
}

static nir_variable *io(struct maker *m, nir_variable_mode mode, unsigned int n,
			unsigned int location, unsigned int driver_location)
{
	nir_variable *variable = nir_variable_create(m->b.shader, mode, glsl_vec_type(n), "io");

	variable->data.location = location;
	variable->data.driver_location = driver_location;
	return variable;
}

static void make_inputs(struct maker *m)
{
	bool vertex = m->kind->stage == MESA_SHADER_VERTEX;

	for (unsigned int i = 0; i < RANDOM_INPUTS; i++) {
		nir_variable *input =
			io(m, nir_var_shader_in, 1 + draw(m, 4),
			   (vertex ? VERT_ATTRIB_GENERIC0 : VARYING_SLOT_VAR0) + i, i);

		keep(m, nir_load_var(&m->b, input));
	}
	for (unsigned int i = 0; i < 4; i++) {
		m->local[i] = nir_local_variable_create(m->b.impl, glsl_vec4_type(), "local");
		nir_store_var(&m->b, m->local[i], pick(m, 4), 0xf);
	}
	if (!vertex && !draw(m, 4))
		keep(m, nir_fmul_imm(&m->b, nir_load_frag_coord(&m->b), 0.1));
	if (!vertex && !draw(m, 4))
		keep(m, nir_b2f32(&m->b, nir_load_front_face(&m->b, 1)));
}

/* Outputs; what has to stay alive is mixed into them at the end. */
static void make_outputs(struct maker *m, nir_def **kept, unsigned int count)
{
	bool vertex = m->kind->stage == MESA_SHADER_VERTEX;

	for (unsigned int i = 0; i < RANDOM_OUTPUTS; i++) {
		unsigned int location = !vertex ? FRAG_RESULT_DATA0 + i
					: i     ? VARYING_SLOT_VAR0 + i
						: VARYING_SLOT_POS;
		nir_def *value = pick(m, 4);

		for (unsigned int k = i; k < count; k += RANDOM_OUTPUTS)
			value = nir_fadd(&m->b, nir_fmul_imm(&m->b, value, 0.5), kept[k]);
		m->output[i] = io(m, nir_var_shader_out, 4, location, i);
		nir_store_var(&m->b, m->output[i], value, 0xf);
	}
	if (!vertex && !draw(m, 4))
		nir_store_var(&m->b,
			      io(m, nir_var_shader_out, 1, FRAG_RESULT_DEPTH, RANDOM_OUTPUTS),
			      nir_fsat(&m->b, pick(m, 1)), 0x1);
}

nir_shader *random_shader(const struct random_kind *kind,
			  const nir_shader_compiler_options *options, uint32_t seed)
{
	struct maker m = {
		.kind = kind,
		.b = nir_builder_init_simple_shader(kind->stage, options, "random %u", seed),
		.seed = seed * 2654435761u + 12345,
	};
	/* kind->kept is less than POOL: sum_of_more() may be one more. */
	nir_def *kept[POOL];
	unsigned int count = kind->kept;

	make_inputs(&m);
	for (unsigned int i = 0; i < kind->kept; i++)
		kept[i] = nir_fsin(&m.b, nir_fmul(&m.b, pick(&m, 4), uniform(&m, 4)));
	some(&m, kind->ops);
	if (kind->stage == MESA_SHADER_FRAGMENT && !draw(&m, 3))
		nir_terminate_if(&m.b, comparison(&m, 1));
	if (kind->more)
		kept[count++] = sum_of_more(&m);
	make_outputs(&m, kept, count);
	return m.b.shader;
}
