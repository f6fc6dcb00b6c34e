// SPDX-License-Identifier: MIT
/*
 * Decoding of shader programs into micro-ops (shader_program.h). For each opcode the table in
 * shader_opcode.c has the sources that are its operands and the kernel, the function that
 * executes it, for each class of types. Uniforms and immediates are put into the constant
 * pool, with their modifiers applied. Register operands with modifiers, narrow types or relative
 * addresses are marked for preparation: they are copied when the instruction executes.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gc/personality.h"
#include "gc/shader_opcode.h"

#define POOL_LIMIT 8192u /* constants of a program; 256 bytes each */
#define POOL_HASH 16384u /* power of two, more than POOL_LIMIT; fewer for short programs */
#define SWIZZLE_XYZW 0xe4u
#define OPERANDS 12u /* constants per instruction at most: four components of three sources */

struct decoder {
	const struct gc_personality *personality;
	struct gc_shader *shader;
	uint32_t pc;
	uint16_t *pool_hash; /* constant index + 1 by hash */
	uint32_t hash_room;  /* power of two, more than the constants that there can be */
};

/* Set the error message of a program that cannot be decoded. Returns: false. */
static bool refuse(struct decoder *d, const char *format, ...)
{
	char why[64];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	snprintf(d->shader->error, sizeof(d->shader->error), "instruction %u: %s", d->pc, why);
	return false;
}

static bool is_narrow(unsigned int type)
{
	return type == ISA_S8 || type == ISA_U8 || type == ISA_S16 || type == ISA_U16;
}

/* The class of a type, for which there are kernels: ISA_F32, ISA_S32 or ISA_U32. */
static unsigned int type_class(unsigned int type)
{
	if (type == ISA_F32)
		return ISA_F32;
	return type == ISA_U32 || type == ISA_U16 || type == ISA_U8 ? ISA_U32 : ISA_S32;
}

vi shader_modify(vi x, unsigned int mods, unsigned int type)
{
	if (type == ISA_S8)
		x = (x << 24) >> 24;
	else if (type == ISA_S16)
		x = (x << 16) >> 16;
	else if (type == ISA_U8)
		x &= 0xff;
	else if (type == ISA_U16)
		x &= 0xffff;
	if (mods & SHADER_MOD_INT) {
		if (mods & SHADER_MOD_ABS)
			x = (vi)((vu)(x ^ (x >> 31)) - (vu)(x >> 31));
		if (mods & SHADER_MOD_NEG)
			x = (vi)(-(vu)x);
		return x;
	}
	if (mods & SHADER_MOD_ABS)
		x &= ~V_SIGN;
	if (mods & SHADER_MOD_NEG)
		x ^= V_SIGN;
	return x;
}

/* Allocate room for one more element. Returns: false if there is no memory. */
static bool grow(void **array, uint32_t count, uint32_t *room, size_t size)
{
	uint32_t more = *room ? *room * 2 : 16;
	void *bigger;

	if (count < *room)
		return true;
	bigger = realloc(*array, more * size);
	if (!bigger)
		return false;
	*array = bigger;
	*room = more;
	return true;
}

/*
 * Find a constant in the pool, or add it. The hash table always has a free entry, where the search
 * ends: see hash_room in gc_shader_decode(). Returns: its index; -1 if the pool is full.
 */
static int pool_index(struct decoder *d, const struct shader_constant *constant)
{
	struct gc_shader *s = d->shader;
	uint32_t key = constant->value * 4 + constant->uniform;
	uint32_t slot;

	key = (key ^ (uint32_t)constant->mods << 24 ^ (uint32_t)constant->type << 28) * 2654435761u;
	for (slot = (key >> 16) % d->hash_room; d->pool_hash[slot];
	     slot = (slot + 1) % d->hash_room) {
		const struct shader_constant *have = &s->constant[d->pool_hash[slot] - 1];

		if (have->uniform == constant->uniform && have->value == constant->value &&
		    have->mods == constant->mods && have->type == constant->type)
			return d->pool_hash[slot] - 1;
	}
	if (s->constants >= POOL_LIMIT ||
	    !grow((void **)&s->constant, s->constants, &s->constant_room, sizeof(*constant)))
		return -1;
	s->constant[s->constants] = *constant;
	d->pool_hash[slot] = (uint16_t)(s->constants + 1);
	if (constant->uniform && constant->value >= s->uniform_end)
		s->uniform_end = constant->value + 1;
	return (int)s->constants++;
}

/* Make @component of @operand a constant. Types that are not narrow are all kept as ISA_F32. */
static bool pool_operand(struct decoder *d, struct shader_operand *operand, unsigned int component,
			 bool uniform, uint32_t value, unsigned int mods, unsigned int type)
{
	struct shader_constant constant = {
		.uniform = uniform,
		.mods = (uint8_t)mods,
		.type = (uint8_t)(is_narrow(type) ? type : ISA_F32),
		.value = value,
	};
	int index = pool_index(d, &constant);

	if (index < 0)
		return refuse(d, "too many constants");
	operand->base = SHADER_POOL;
	operand->comp[component] = (uint16_t)index;
	return true;
}

static bool pool_value(struct decoder *d, struct shader_operand *operand, uint32_t value)
{
	for (unsigned int c = 0; c < 4; c++)
		if (!pool_operand(d, operand, c, false, value, 0, ISA_F32))
			return false;
	return true;
}

static bool immediate_operand(struct decoder *d, const struct isa_source *src,
			      struct shader_operand *operand)
{
	enum isa_immediate kind;
	uint32_t bits = isa_immediate(src, &kind);

	if (d->personality->halti < 2)
		return refuse(d, "immediate operands need HALTI2");
	switch (kind) {
	case ISA_IMM_F20:
		return pool_value(d, operand, bits << 12);
	case ISA_IMM_S20:
		return pool_value(d, operand, (uint32_t)((int32_t)(bits << 12) >> 12));
	case ISA_IMM_U20:
		return pool_value(d, operand, bits);
	default:
		return refuse(d, "half-float immediate");
	}
}

/* Mark operand @index of @m for preparation by @how. */
static bool prepare_operand(struct decoder *d, struct shader_micro *m, unsigned int index,
			    const struct shader_preparation *how)
{
	struct gc_shader *s = d->shader;

	if (s->preparations >= UINT16_MAX ||
	    !grow((void **)&s->preparation, s->preparations, &s->preparation_room, sizeof(*how)))
		return refuse(d, "too many operands to prepare");
	if (!m->prepare)
		m->preparation = (uint16_t)s->preparations;
	s->preparation[s->preparations++] = *how;
	m->prepare |= 1u << index;
	m->src[index].base = SHADER_PREPARED;
	for (unsigned int c = 0; c < 4; c++)
		m->src[index].comp[c] = (uint16_t)(index * 4 + c);
	return true;
}

/* The components of its operands that an instruction reads, one bit each; m->work must be set. */
static unsigned int components_read(const struct shader_opcode *op, const struct shader_micro *m)
{
	switch (op->reads) {
	case OPCODE_READS_X:
		return 0x1;
	case OPCODE_READS_XY:
		return 0x3;
	case OPCODE_READS_XYZ:
		return 0x7;
	case OPCODE_READS_XYZW:
		return 0xf;
	default:
		return m->work;
	}
}

/* Decode a register or uniform source; swizzle and modifiers are those in @how. */
static bool register_operand(struct decoder *d, const struct isa_source *src, unsigned int index,
			     struct shader_micro *m, struct shader_preparation *how)
{
	struct shader_operand *operand = &m->src[index];
	bool uniform = src->group == ISA_GROUP_UNIFORM;

	if (src->group == ISA_GROUP_TEMP && src->reg >= GC_TEMPS)
		return refuse(d, "temporary t%u", src->reg);
	if (src->amode > 4)
		return refuse(d, "addressing mode %u", src->amode);
	if (src->amode) {
		how->relative = true;
		how->uniform = uniform;
		how->address = src->amode - 1;
		how->reg = src->reg;
		return prepare_operand(d, m, index, how);
	}
	for (unsigned int c = 0; c < 4; c++) {
		unsigned int from = how->swizzle[c];

		if (uniform) {
			if (!pool_operand(d, operand, c, true, src->reg * 4u + from, how->mods,
					  how->type))
				return false;
			continue;
		}
		operand->base = src->group == ISA_GROUP_TEMP ? SHADER_TEMP : SHADER_INTERNAL;
		operand->comp[c] = (uint16_t)(src->reg * 4 + from);
		/* x: face or vertex id; y of a vertex shader: instance id */
		if (src->group == ISA_GROUP_INTERNAL)
			operand->comp[c] = d->shader->stage == GC_STAGE_VS && from == 1;
	}
	if (uniform || (!how->mods && !is_narrow(how->type)))
		return true;
	how->from = *operand;
	return prepare_operand(d, m, index, how);
}

/* Decode @src as operand @index of @m. @scalar: the swizzle's first component counts for all. */
static bool decode_operand(struct decoder *d, const struct shader_opcode *op,
			   const struct isa_source *src, unsigned int index, unsigned int type,
			   bool scalar, struct shader_micro *m)
{
	struct shader_preparation how = {
		.type = (uint8_t)(is_narrow(type) ? type : ISA_F32),
		.components = (uint8_t)components_read(op, m),
	};

	m->reads[index] = how.components;
	if (!src->use)
		return pool_value(d, &m->src[index], 0);
	if (src->group == ISA_GROUP_IMMEDIATE)
		return immediate_operand(d, src, &m->src[index]);
	if (src->group > ISA_GROUP_UNIFORM ||
	    (src->group == ISA_GROUP_INTERNAL && (src->reg > 0 || src->amode)))
		return refuse(d, "register group %u", src->group);
	how.mods = (src->abs ? SHADER_MOD_ABS : 0) | (src->neg ? SHADER_MOD_NEG : 0);
	if (how.mods && type_class(type) != ISA_F32)
		how.mods |= SHADER_MOD_INT;
	for (unsigned int c = 0; c < 4; c++)
		how.swizzle[c] = src->swizzle >> (scalar ? 0 : 2 * c) & 3;
	return register_operand(d, src, index, m, &how);
}

/*
 * Choose a variant of @kernel that negates operands itself, so that these need no preparation.
 * Clears the negations in @inst that the variant includes. Returns: the variant, or @kernel.
 */
static shader_kernel absorb_signs(struct isa_instruction *inst, shader_kernel kernel)
{
	struct isa_source *a = &inst->src[0], *b = &inst->src[1], *c = &inst->src[2];

	for (unsigned int i = 0; i < 3; i++) /* an immediate has bits of its value there */
		if (inst->src[i].use &&
		    (inst->src[i].group == ISA_GROUP_IMMEDIATE || inst->src[i].abs))
			return kernel;
	if (kernel == shader_fmov && c->neg) {
		c->neg = false;
		return shader_fneg;
	}
	if (kernel == shader_fadd && c->neg) {
		c->neg = false;
		return shader_fsub;
	}
	if (kernel == shader_fadd && a->neg) { /* c - a */
		struct isa_source swap = *a;

		*a = *c;
		*c = swap;
		c->neg = false;
		return shader_fsub;
	}
	if (kernel == shader_fmul || kernel == shader_fmad) {
		bool minus = a->neg != b->neg, minus_c = kernel == shader_fmad && c->neg;

		a->neg = b->neg = false;
		if (kernel == shader_fmul)
			return minus ? shader_fmuln : shader_fmul;
		c->neg = false;
		if (minus)
			return minus_c ? shader_fnmads : shader_fnmad;
		return minus_c ? shader_fmads : shader_fmad;
	}
	return kernel;
}

/* The kernel of an ALU instruction, with modifiers of @inst that it includes cleared; or NULL. */
static shader_kernel select_kernel(struct decoder *d, const struct shader_opcode *op,
				   struct isa_instruction *inst)
{
	const struct gc_personality *p = d->personality;
	unsigned int class = type_class(inst->type);
	shader_kernel kernel = class == ISA_F32 ? op->f32 : class == ISA_S32 ? op->s32 : op->u32;

	if (inst->type == ISA_F16) {
		refuse(d, "half floats");
		return NULL;
	}
	if (op->flags & OPCODE_CONDITIONAL)
		kernel = shader_conditional_kernel(inst->opcode == ISA_SELECT ? SHADER_SELECT
						   : inst->opcode == ISA_SET  ? SHADER_SET
									      : SHADER_CMP,
						   inst->cond, class);
	if (!kernel) {
		refuse(d, "%s of type %u, condition %u", op->name, inst->type, inst->cond);
		return NULL;
	}
	if (p->fast_transcendentals && kernel == shader_fsin_half)
		return shader_fsin_pi;
	if (p->fast_transcendentals && kernel == shader_fcos_half)
		return shader_fcos_pi;
	if (p->f2i_nan_saturates && kernel == shader_f2i)
		return shader_f2i_sign;
	if (p->f2i_nan_saturates && kernel == shader_f2irnd)
		return shader_f2irnd_sign;
	if (class == ISA_F32 && kernel == shader_fmov && inst->src[2].abs && !inst->src[2].neg &&
	    inst->src[2].group != ISA_GROUP_IMMEDIATE) {
		inst->src[2].abs = false;
		return shader_fabs;
	}
	return class == ISA_F32 ? absorb_signs(inst, kernel) : kernel;
}

/*
 * Whether the result must be written to a scratch register first: components are computed one
 * after the other, x first, and one of them is an operand of a later component.
 */
static bool needs_scratch(const struct shader_opcode *op, const struct shader_micro *m)
{
	for (unsigned int s = 0; s < 3 && op->order[s]; s++) {
		const struct shader_operand *operand = &m->src[s];

		if (operand->base != SHADER_TEMP)
			continue;
		FOR_COMPONENTS(c, m->work)
		{
			unsigned int from = operand->comp[op->reads == OPCODE_READS_X ? 0 : c];

			if (from / 4 == m->dst && from % 4 < c && m->work & 1u << from % 4)
				return true;
		}
	}
	return false;
}

static bool decode_operands(struct decoder *d, const struct shader_opcode *op,
			    const struct isa_instruction *inst, unsigned int type, bool scalar,
			    struct shader_micro *m)
{
	for (unsigned int i = 0; i < 3 && op->order[i]; i++)
		if (!decode_operand(d, op, &inst->src[op->order[i] - '0'], i, type, scalar, m))
			return false;
	return true;
}

static bool decode_alu(struct decoder *d, const struct shader_opcode *op,
		       struct isa_instruction *inst, struct shader_micro *m)
{
	bool broadcast = op->flags & (OPCODE_BROADCAST | OPCODE_FACTORS);
	bool scalar = broadcast && op->reads == OPCODE_READS_WORK;
	unsigned int type = op->flags & OPCODE_FLOAT_SOURCE ? ISA_F32 : inst->type;

	if (op->kind == SHADER_ALU && !inst->dst_use)
		m->mask = 0;
	if (!m->mask) {
		m->kind = SHADER_NOP;
		return true;
	}
	m->kernel = select_kernel(d, op, inst);
	if (!m->kernel)
		return false;
	m->work = broadcast ? m->mask & -m->mask : m->mask;
	m->factors = op->flags & OPCODE_FACTORS && d->personality->fast_transcendentals;
	if (inst->type != ISA_F32 && !d->personality->simd_integers &&
	    !(op->flags & OPCODE_ANY_SIMD))
		scalar = true;
	m->narrow =
		is_narrow(inst->type) && !(op->flags & OPCODE_FLOAT_RESULT) ? inst->type : ISA_F32;
	m->saturate = inst->sat && (inst->type == ISA_F32 || op->flags & OPCODE_FLOAT_RESULT);
	if (!decode_operands(d, op, inst, type, scalar, m))
		return false;
	m->scratch = !broadcast && needs_scratch(op, m);
	return true;
}

static bool decode_texture(struct decoder *d, const struct shader_opcode *op,
			   const struct isa_instruction *inst, struct shader_micro *m)
{
	static const uint8_t mode[ISA_OPCODES] = {
		[ISA_TEXLD] = GC_TEX_IMPLICIT, [ISA_TEXLDPCF] = GC_TEX_IMPLICIT,
		[ISA_TEXLDB] = GC_TEX_BIAS,    [ISA_TEXLDD] = GC_TEX_GRADIENT,
		[ISA_TEXLDL] = GC_TEX_LOD,     [ISA_TEXLDLPCF] = GC_TEX_LOD,
		[ISA_TXF] = GC_TEX_FETCH,
	};

	if (inst->sampler_amode > 4)
		return refuse(d, "sampler addressing mode %u", inst->sampler_amode);
	if (inst->sampler >= d->personality->samplers)
		return refuse(d, "sampler %u, the core has %u", inst->sampler,
			      d->personality->samplers);
	if (!inst->dst_use)
		m->mask = 0;
	m->mode = mode[inst->opcode];
	m->sampler = inst->sampler;
	m->sampler_address = inst->sampler_amode;
	m->lod_in_coord = !inst->src[1].use;
	m->shadow = inst->src[2].use && m->mode != GC_TEX_GRADIENT && m->mode != GC_TEX_FETCH;
	for (unsigned int c = 0; c < 4; c++)
		m->swizzle[c] = inst->sampler_swizzle >> (2 * c) & 3;
	m->whole_texel = m->mask == 0xf && inst->sampler_swizzle == SWIZZLE_XYZW && !m->dst_address;
	m->work = 0xf;
	return decode_operands(d, op, inst, ISA_F32, false, m);
}

/* BRANCH, BRANCH_ANY and TEXKILL: choose the kernel of the condition, unless that is always true. */
static bool decode_condition(struct decoder *d, const struct shader_opcode *op,
			     const struct isa_instruction *inst, struct shader_micro *m)
{
	if (inst->cond == ISA_COND_TRUE)
		return true;
	if (inst->type == ISA_F16)
		return refuse(d, "half floats");
	m->kernel = shader_conditional_kernel(SHADER_TEST, inst->cond, type_class(inst->type));
	if (!m->kernel)
		return refuse(d, "condition %u", inst->cond);
	m->work = op->reads == OPCODE_READS_X ? 0x1 : 0xf;
	if (!decode_operands(d, op, inst, inst->type, false, m))
		return false;
	/* Most programs compare the same component four times; evaluate it once. */
	for (unsigned int c = 1; c < 4; c++)
		if (m->src[0].comp[c] == m->src[0].comp[c - 1] &&
		    (inst->cond >= ISA_COND_NOT || m->src[1].comp[c] == m->src[1].comp[c - 1]))
			m->work &= ~(1u << c);
	return true;
}

static bool decode_memory(struct decoder *d, const struct shader_opcode *op,
			  const struct isa_instruction *inst, struct shader_micro *m)
{
	if (inst->local)
		return refuse(d, "local memory");
	if (inst->type == ISA_F16 || (m->kind == SHADER_ATOMIC && is_narrow(inst->type)))
		return refuse(d, "%s of type %u", op->name, inst->type);
	m->type = inst->type;
	m->shift = m->kind == SHADER_ATOMIC ? 0 : inst->left_shift;
	m->opcode = inst->opcode;
	if (m->kind != SHADER_STORE && !inst->dst_use)
		m->mask = 0;
	m->work = 0xf;
	return decode_operands(d, op, inst, ISA_S32, false, m);
}

static bool decode_instruction(struct decoder *d, const uint32_t *words, struct shader_micro *m)
{
	struct isa_instruction inst;
	const struct shader_opcode *op;
	const char *missing;

	isa_unpack(words, &inst);
	op = shader_find_opcode(&inst);
	if (!op)
		return refuse(d, "opcode 0x%02x", inst.opcode);
	missing = shader_opcode_lacks(d->personality, inst.opcode);
	if (missing)
		return refuse(d, "%s needs %s", op->name, missing);
	m->kind = op->kind;
	if (op->kind == SHADER_BRANCH || op->kind == SHADER_BRANCH_ANY || op->kind == SHADER_CALL) {
		m->target = inst.target < d->shader->count ? inst.target : d->shader->count;
		return decode_condition(d, op, &inst, m);
	}
	/* not for jumps: their target has one of these bits */
	if (inst.half)
		return refuse(d, "dual-16 execution");
	if (op->kind != SHADER_STORE && inst.dst_use &&
	    (inst.dst_reg >= GC_TEMPS || inst.dst_amode > 4))
		return refuse(d, "destination t%u, addressing mode %u", inst.dst_reg,
			      inst.dst_amode);
	m->dst = inst.dst_reg % GC_TEMPS;
	m->dst_address = inst.dst_amode;
	m->mask = inst.dst_mask;
	m->type = inst.type;
	m->shift = inst.rounding; /* of ALU; decode_memory() sets the left shift */
	switch (op->kind) {
	case SHADER_ALU:
	case SHADER_ADDRESS:
		return decode_alu(d, op, &inst, m);
	case SHADER_TEX:
		return decode_texture(d, op, &inst, m);
	case SHADER_KILL:
		d->shader->uses_kill = true;
		return decode_condition(d, op, &inst, m);
	case SHADER_LOAD:
	case SHADER_STORE:
	case SHADER_ATOMIC:
		return decode_memory(d, op, &inst, m);
	default:
		return true;
	}
}

/* Allocate a program of @count instructions; no micro-op is decoded yet. */
static struct gc_shader *new_shader(enum gc_stage stage, const uint32_t *words, uint32_t count,
				    uint32_t start)
{
	struct gc_shader *shader = calloc(1, sizeof(*shader));

	if (!shader)
		return NULL;
	shader->stage = stage;
	shader->count = count;
	shader->start = start < count ? start : count;
	shader->words = malloc(count ? (size_t)count * ISA_BYTES : 1);
	shader->micro = calloc(count + 1, sizeof(*shader->micro));
	if (!shader->words || !shader->micro) {
		gc_shader_destroy(shader);
		return NULL;
	}
	memcpy(shader->words, words, (size_t)count * ISA_BYTES);
	shader->micro[count].kind = SHADER_END;
	return shader;
}

struct gc_shader *gc_shader_decode(const struct gc_personality *personality, enum gc_stage stage,
				   const uint32_t *words, uint32_t count, uint32_t start)
{
	struct gc_shader *shader = new_shader(stage, words, count, start);
	struct decoder d = { .personality = personality, .shader = shader };
	bool good = true;

	if (!shader)
		return NULL;
	for (d.hash_room = 64; d.hash_room < 2 * OPERANDS * count && d.hash_room < POOL_HASH;)
		d.hash_room *= 2;
	d.pool_hash = calloc(d.hash_room, sizeof(*d.pool_hash));
	for (; d.pool_hash && good && d.pc < count; d.pc++)
		good = decode_instruction(&d, words + d.pc * ISA_WORDS, &shader->micro[d.pc]);
	shader->pool = aligned_alloc(64, (shader->constants + 1) * sizeof(*shader->pool));
	if (!d.pool_hash || !shader->pool) {
		free(d.pool_hash);
		gc_shader_destroy(shader);
		return NULL;
	}
	free(d.pool_hash);
	shader_find_flow(shader);
	gc_shader_set_uniforms(shader, NULL, 0);
	return shader;
}

void gc_shader_set_uniforms(struct gc_shader *shader, const uint32_t *uniform, uint32_t words)
{
	shader->uniform = uniform;
	shader->uniform_words = words;
	for (uint32_t i = 0; i < shader->constants; i++) {
		const struct shader_constant *constant = &shader->constant[i];
		uint32_t value = constant->value;
		vi *lanes = (vi *)shader->pool[i].i;
		vi spread;

		if (constant->uniform)
			value = value < words ? uniform[value] : 0;
		spread = shader_modify(v_splati((int32_t)value), constant->mods, constant->type);
		for (unsigned int chunk = 0; chunk < GC_CHUNKS; chunk++)
			lanes[chunk] = spread;
	}
}

void gc_shader_destroy(struct gc_shader *shader)
{
	if (!shader)
		return;
	free(shader->words);
	free(shader->micro);
	free(shader->preparation);
	free(shader->constant);
	free(shader->pool);
	free(shader);
}
