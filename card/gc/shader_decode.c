// SPDX-License-Identifier: MIT
/*
 * Decoding shader programs into micro-ops. A table says for each opcode which
 * of the instruction's sources are its operands and which kernel computes it
 * for each class of types; what the table cannot say is in the functions below.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gc/personality.h"
#include "gc/shader_kernels.h"
#include "hw/common.xml.h"

#define POOL_LIMIT 8192u /* constants of a program; 256 bytes each */
#define POOL_HASH 16384u /* power of two, more than POOL_LIMIT; fewer for short programs */
#define SWIZZLE_XYZW 0xe4u
#define OPERANDS 12u /* constants that an instruction can take: components of its sources */

/* Which components of its operands a kernel looks at. */
enum reads { READS_WORK, READS_X, READS_XY, READS_XYZ, READS_XYZW };

/* What is special about an opcode. */
#define BROADCAST 0x01u    /* one result for all components written, from operands' first one */
#define FACTORS 0x02u      /* the same; with fast transcendentals the rest are factors of 1.0 */
#define FLOAT_SOURCE 0x04u /* the type is the result's, operands are floats */
#define FLOAT_RESULT 0x08u /* the type is the operands', the result is a float */
#define BITS 0x10u         /* the type does not matter but for its width */
#define CONDITIONAL 0x20u  /* SELECT, SET, CMP: the kernel depends on the condition */
#define ANY_SIMD 0x40u     /* moves bits, on all components even with scalar integers */

struct opcode {
	const char *name; /* NULL: no such instruction */
	uint8_t kind;     /* enum shader_kind */
	char order[4];    /* which sources become the operands a, b, c */
	uint8_t reads;    /* enum reads */
	uint8_t flags;
	shader_kernel f32, s32, u32; /* NULL: not for that type; see select_kernel() */
};

#define FLOAT1(op, src, kernel) { op, SHADER_ALU, src, READS_WORK, 0, kernel, NULL, NULL }
#define FLOAT_SCALAR(op, src, kernel) \
	{ op, SHADER_ALU, src, READS_WORK, BROADCAST, kernel, NULL, NULL }
#define INTEGER(op, src, s, u) { op, SHADER_ALU, src, READS_WORK, 0, NULL, s, u }
#define INTEGER_SCALAR(op, src, s, u) { op, SHADER_ALU, src, READS_WORK, BROADCAST, NULL, s, u }
#define BITWISE(op, src, s, u) { op, SHADER_ALU, src, READS_WORK, BITS, u, s, u }
#define TEXTURE(op) { op, SHADER_TEX, "012", READS_XYZW, 0, NULL, NULL, NULL }
#define ATOM(op) { op, SHADER_ATOMIC, "012", READS_X, 0, NULL, NULL, NULL }
#define OTHER(op, kind, src, reads, flags) { op, kind, src, reads, flags, NULL, NULL, NULL }

static const struct opcode opcodes[ISA_OPCODES] = {
	[ISA_NOP] = OTHER("nop", SHADER_NOP, "", 0, 0),
	[ISA_ADD] = { "add", SHADER_ALU, "02", READS_WORK, 0, shader_fadd, shader_iadd,
		      shader_iadd },
	[ISA_MAD] = FLOAT1("mad", "012", shader_fmad),
	[ISA_MUL] = FLOAT1("mul", "01", shader_fmul),
	[ISA_DP2] = { "dp2", SHADER_ALU, "01", READS_XY, BROADCAST, shader_fdp2, NULL, NULL },
	[ISA_DP3] = { "dp3", SHADER_ALU, "01", READS_XYZ, BROADCAST, shader_fdp3, NULL, NULL },
	[ISA_DP4] = { "dp4", SHADER_ALU, "01", READS_XYZW, BROADCAST, shader_fdp4, NULL, NULL },
	[ISA_DSX] = FLOAT1("dsx", "0", shader_fdsx),
	[ISA_DSY] = FLOAT1("dsy", "0", shader_fdsy),
	[ISA_MOV] = { "mov", SHADER_ALU, "2", READS_WORK, ANY_SIMD, shader_fmov, shader_fmov,
		      shader_fmov },
	[ISA_MOVAR] = { "movar", SHADER_ADDRESS, "2", READS_WORK, FLOAT_SOURCE, shader_mova_round,
			shader_mova_round, shader_mova_round },
	[ISA_MOVAF] = { "movaf", SHADER_ADDRESS, "2", READS_WORK, FLOAT_SOURCE, shader_mova_floor,
			shader_mova_floor, shader_mova_floor },
	[ISA_MOVAI] = { "movai", SHADER_ADDRESS, "2", READS_WORK, ANY_SIMD, shader_fmov,
			shader_fmov, shader_fmov },
	[ISA_RCP] = FLOAT_SCALAR("rcp", "2", shader_frcp),
	[ISA_RSQ] = FLOAT_SCALAR("rsq", "2", shader_frsq),
	[ISA_LITP] = { "litp", SHADER_ALU, "12", READS_X, 0, shader_flitp, NULL, NULL },
	[ISA_SELECT] = OTHER("select", SHADER_ALU, "012", READS_WORK, CONDITIONAL),
	[ISA_SET] = OTHER("set", SHADER_ALU, "01", READS_WORK, CONDITIONAL | FLOAT_RESULT),
	[ISA_CMP] = OTHER("cmp", SHADER_ALU, "012", READS_WORK, CONDITIONAL),
	[ISA_EXP] = FLOAT_SCALAR("exp", "2", shader_fexp),
	[ISA_LOG] = { "log", SHADER_ALU, "2", READS_WORK, FACTORS, shader_flog, NULL, NULL },
	[ISA_FRC] = FLOAT1("frc", "2", shader_ffrc),
	[ISA_CALL] = OTHER("call", SHADER_CALL, "01", READS_X, 0),
	[ISA_RET] = OTHER("ret", SHADER_RET, "", 0, 0),
	[ISA_BRANCH] = OTHER("branch", SHADER_BRANCH, "01", READS_X, 0),
	[ISA_BRANCH_ANY] = OTHER("branch_any", SHADER_BRANCH_ANY, "01", READS_XYZW, 0),
	[ISA_TEXKILL] = OTHER("texkill", SHADER_KILL, "01", READS_XYZW, 0),
	[ISA_TEXLD] = TEXTURE("texld"),
	[ISA_TEXLDB] = TEXTURE("texldb"),
	[ISA_TEXLDD] = TEXTURE("texldd"),
	[ISA_TEXLDL] = TEXTURE("texldl"),
	[ISA_TEXLDPCF] = TEXTURE("texldpcf"),
	[ISA_TEXLDLPCF] = TEXTURE("texldlpcf"),
	[ISA_TXF] = TEXTURE("txf"),
	[ISA_SQRT] = FLOAT_SCALAR("sqrt", "2", shader_fsqrt),
	[ISA_SIN] = { "sin", SHADER_ALU, "2", READS_WORK, FACTORS, shader_fsin_half, NULL, NULL },
	[ISA_COS] = { "cos", SHADER_ALU, "2", READS_WORK, FACTORS, shader_fcos_half, NULL, NULL },
	[ISA_FLOOR] = FLOAT1("floor", "2", shader_ffloor),
	[ISA_CEIL] = FLOAT1("ceil", "2", shader_fceil),
	[ISA_SIGN] = { "sign", SHADER_ALU, "2", READS_WORK, 0, shader_fsign, shader_isign,
		       shader_usign },
	[ISA_ADDLO] = FLOAT1("addlo", "02", shader_faddlo),
	[ISA_MULLO] = FLOAT1("mullo", "01", shader_fmullo),
	[ISA_BARRIER] = OTHER("barrier", SHADER_NOP, "", 0, 0),
	[ISA_I2I] = INTEGER("i2i", "0", shader_fmov, shader_fmov),
	[ISA_I2F] = { "i2f", SHADER_ALU, "0", READS_WORK, FLOAT_RESULT, NULL, shader_i2f,
		      shader_u2f },
	[ISA_F2I] = { "f2i", SHADER_ALU, "0", READS_WORK, FLOAT_SOURCE, NULL, shader_f2i,
		      shader_f2i },
	[ISA_F2IRND] = { "f2irnd", SHADER_ALU, "0", READS_WORK, FLOAT_SOURCE, NULL, shader_f2irnd,
			 shader_f2irnd },
	[ISA_LOAD] = OTHER("load", SHADER_LOAD, "01", READS_X, 0),
	[ISA_STORE] = OTHER("store", SHADER_STORE, "012", READS_XYZW, 0),
	[ISA_CLAMP0_MAX] = FLOAT1("clamp0_max", "01", shader_fclamp0_max),
	[ISA_IADDSAT] = INTEGER("iaddsat", "02", shader_iaddsat, shader_iaddsat),
	[ISA_IMULLO0] = INTEGER_SCALAR("imullo0", "01", shader_imullo, shader_imullo),
	[ISA_IMULLOSAT0] = INTEGER_SCALAR("imullosat0", "01", shader_imullosat, shader_umullosat),
	[ISA_IMULHI0] = INTEGER_SCALAR("imulhi0", "01", shader_imulhi, shader_umulhi),
	[ISA_IDIV0] = INTEGER("idiv0", "01", shader_idiv, shader_udiv),
	[ISA_IMOD0] = INTEGER("imod", "01", shader_imod, shader_umod),
	[ISA_IMADLO0] = INTEGER_SCALAR("imadlo0", "012", shader_imadlo, shader_imadlo),
	[ISA_IMADLOSAT0] = INTEGER_SCALAR("imadlosat0", "012", shader_imadlosat, shader_umadlosat),
	[ISA_IMADHI0] = INTEGER_SCALAR("imadhi0", "012", shader_imadhi, shader_umadhi),
	[ISA_IMADHISAT0] = INTEGER_SCALAR("imadhisat0", "012", shader_imadhisat, shader_umadhisat),
	[ISA_IABS] = INTEGER("iabs", "2", shader_iabs, shader_fmov),
	[ISA_LEADZERO] = BITWISE("leadzero", "2", shader_leadzero, shader_leadzero),
	[ISA_LSHIFT] = BITWISE("lshift", "02", shader_lshift, shader_lshift),
	[ISA_RSHIFT] = BITWISE("rshift", "02", shader_rshift, shader_urshift),
	[ISA_ROTATE] = BITWISE("rotate", "02", shader_rotate, shader_rotate),
	[ISA_OR] = BITWISE("or", "02", shader_or, shader_or),
	[ISA_AND] = BITWISE("and", "02", shader_and, shader_and),
	[ISA_XOR] = BITWISE("xor", "02", shader_xor, shader_xor),
	[ISA_NOT] = BITWISE("not", "2", shader_not, shader_not),
	[ISA_BIT_EXTRACT] = BITWISE("bit_extract", "012", shader_bit_extract, shader_ubit_extract),
	[ISA_POPCOUNT] = BITWISE("popcount", "2", shader_popcount, shader_popcount),
	[ISA_BIT_REV] = BITWISE("bit_rev", "0", shader_bit_rev, shader_bit_rev),
	[ISA_DIV] = { "div", SHADER_ALU, "12", READS_WORK, FACTORS, shader_fdiv, NULL, NULL },
	[ISA_ATOM_ADD] = ATOM("atomic_add"),
	[ISA_ATOM_XCHG] = ATOM("atomic_xchg"),
	[ISA_ATOM_CMP_XCHG] = OTHER("atomic_cmp_xchg", SHADER_ATOMIC, "012", READS_XY, 0),
	[ISA_ATOM_MIN] = ATOM("atomic_min"),
	[ISA_ATOM_MAX] = ATOM("atomic_max"),
	[ISA_ATOM_OR] = ATOM("atomic_or"),
	[ISA_ATOM_AND] = ATOM("atomic_and"),
	[ISA_ATOM_XOR] = ATOM("atomic_xor"),
};

static const struct opcode find_lsb = BITWISE("bit_findlsb", "0", shader_findlsb, shader_findlsb);
static const struct opcode find_msb = BITWISE("bit_findmsb", "0", shader_findmsb, shader_ufindmsb);

struct decoder {
	const struct gc_personality *personality;
	struct gc_shader *shader;
	uint32_t pc;
	uint16_t *pool_hash; /* constant index + 1 by hash */
	uint32_t hash_room;  /* power of two */
};

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

/* The feature that a core lacks for an opcode, or NULL. */
static const char *lacks(const struct gc_personality *p, unsigned int opcode)
{
	switch (opcode) {
	case ISA_SIGN:
	case ISA_FLOOR:
	case ISA_CEIL:
		return p->minor_features[0] & chipMinorFeatures0_HAS_SIGN_FLOOR_CEIL
			       ? NULL
			       : "HAS_SIGN_FLOOR_CEIL";
	case ISA_SQRT:
	case ISA_SIN:
	case ISA_COS:
		return p->minor_features[0] & chipMinorFeatures0_HAS_SQRT_TRIG ? NULL
									       : "HAS_SQRT_TRIG";
	case ISA_DIV:
		return p->fast_transcendentals ? NULL : "HAS_FAST_TRANSCENDENTALS";
	case ISA_DP2:
	case ISA_TXF:
	case ISA_ATOM_ADD:
	case ISA_ATOM_XCHG:
	case ISA_ATOM_CMP_XCHG:
	case ISA_ATOM_MIN:
	case ISA_ATOM_MAX:
	case ISA_ATOM_OR:
	case ISA_ATOM_AND:
	case ISA_ATOM_XOR:
		return p->halti >= 2 ? NULL : "HALTI2";
	default:
		return NULL;
	}
}

static const struct opcode *find_opcode(const struct isa_instruction *inst)
{
	const struct opcode *op = &opcodes[inst->opcode];

	if (inst->opcode == ISA_EXTENDED && inst->src[2].reg == ISA_EXT_FINDLSB)
		return &find_lsb;
	if (inst->opcode == ISA_EXTENDED && inst->src[2].reg == ISA_EXT_FINDMSB)
		return &find_msb;
	return op->name ? op : NULL;
}

const char *gc_shader_opcode_name(const struct isa_instruction *inst)
{
	const struct opcode *op = find_opcode(inst);

	return op ? op->name : NULL;
}

static bool is_narrow(unsigned int type)
{
	return type == ISA_S8 || type == ISA_U8 || type == ISA_S16 || type == ISA_U16;
}

/* The class of a type: kernels work on these three. */
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

/* Makes room for one more element; false when out of memory. */
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

/* Index in the pool of a constant, which is added when it is new; -1 when there are too many. */
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

/* Lets operand @index of @m be prepared as @how says. */
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

/* Components of its operands that an instruction looks at. */
static unsigned int components_read(const struct opcode *op, const struct shader_micro *m)
{
	switch (op->reads) {
	case READS_X:
		return 0x1;
	case READS_XY:
		return 0x3;
	case READS_XYZ:
		return 0x7;
	case READS_XYZW:
		return 0xf;
	default:
		return m->work;
	}
}

/* A register source, with swizzle and modifiers from @how. */
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
		if (src->group == ISA_GROUP_INTERNAL)
			operand->comp[c] = d->shader->stage == GC_STAGE_VS && from == 1;
	}
	if (uniform || (!how->mods && !is_narrow(how->type)))
		return true;
	how->from = *operand;
	return prepare_operand(d, m, index, how);
}

/* Operand @index of @m from @src. @type: the operand's; @scalar: only the first component counts. */
static bool decode_operand(struct decoder *d, const struct opcode *op, const struct isa_source *src,
			   unsigned int index, unsigned int type, bool scalar,
			   struct shader_micro *m)
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
 * Kernels that take a minus themselves spare the preparation of an operand.
 * Clears the signs in @inst that the chosen kernel accounts for.
 */
static shader_kernel absorb_signs(struct isa_instruction *inst, shader_kernel kernel)
{
	struct isa_source *a = &inst->src[0], *b = &inst->src[1], *c = &inst->src[2];

	for (unsigned int i = 0; i < 3; i++) /* in an immediate these bits belong to the value */
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

/* The kernel of an ALU or address instruction for its type; NULL after refusing. */
static shader_kernel select_kernel(struct decoder *d, const struct opcode *op,
				   struct isa_instruction *inst)
{
	const struct gc_personality *p = d->personality;
	unsigned int class = type_class(inst->type);
	shader_kernel kernel = class == ISA_F32 ? op->f32 : class == ISA_S32 ? op->s32 : op->u32;

	if (inst->type == ISA_F16) {
		refuse(d, "half floats");
		return NULL;
	}
	if (op->flags & CONDITIONAL)
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
 * Whether writing the destination component by component, x first, would
 * spoil an operand of a later component.
 */
static bool needs_scratch(const struct opcode *op, const struct shader_micro *m)
{
	for (unsigned int s = 0; s < 3 && op->order[s]; s++) {
		const struct shader_operand *operand = &m->src[s];

		if (operand->base != SHADER_TEMP)
			continue;
		FOR_COMPONENTS(c, m->work)
		{
			unsigned int from = operand->comp[op->reads == READS_X ? 0 : c];

			if (from / 4 == m->dst && from % 4 < c && m->work & 1u << from % 4)
				return true;
		}
	}
	return false;
}

static bool decode_operands(struct decoder *d, const struct opcode *op,
			    const struct isa_instruction *inst, unsigned int type, bool scalar,
			    struct shader_micro *m)
{
	for (unsigned int i = 0; i < 3 && op->order[i]; i++)
		if (!decode_operand(d, op, &inst->src[op->order[i] - '0'], i, type, scalar, m))
			return false;
	return true;
}

static bool decode_alu(struct decoder *d, const struct opcode *op, struct isa_instruction *inst,
		       struct shader_micro *m)
{
	bool broadcast = op->flags & (BROADCAST | FACTORS);
	bool scalar = broadcast && op->reads == READS_WORK;
	unsigned int type = op->flags & FLOAT_SOURCE ? ISA_F32 : inst->type;

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
	m->factors = op->flags & FACTORS && d->personality->fast_transcendentals;
	if (inst->type != ISA_F32 && !d->personality->simd_integers && !(op->flags & ANY_SIMD))
		scalar = true;
	m->narrow = is_narrow(inst->type) && !(op->flags & FLOAT_RESULT) ? inst->type : ISA_F32;
	m->saturate = inst->sat && (inst->type == ISA_F32 || op->flags & FLOAT_RESULT);
	if (!decode_operands(d, op, inst, type, scalar, m))
		return false;
	m->scratch = !broadcast && needs_scratch(op, m);
	return true;
}

static bool decode_texture(struct decoder *d, const struct opcode *op,
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

/* BRANCH, BRANCH_ANY and TEXKILL: the condition's kernel, unless it is always true. */
static bool decode_condition(struct decoder *d, const struct opcode *op,
			     const struct isa_instruction *inst, struct shader_micro *m)
{
	if (inst->cond == ISA_COND_TRUE)
		return true;
	if (inst->type == ISA_F16)
		return refuse(d, "half floats");
	m->kernel = shader_conditional_kernel(SHADER_TEST, inst->cond, type_class(inst->type));
	if (!m->kernel)
		return refuse(d, "condition %u", inst->cond);
	m->work = op->reads == READS_X ? 0x1 : 0xf;
	if (!decode_operands(d, op, inst, inst->type, false, m))
		return false;
	/* most compare one component only, given four times over */
	for (unsigned int c = 1; c < 4; c++)
		if (m->src[0].comp[c] == m->src[0].comp[c - 1] &&
		    (inst->cond >= ISA_COND_NOT || m->src[1].comp[c] == m->src[1].comp[c - 1]))
			m->work &= ~(1u << c);
	return true;
}

static bool decode_memory(struct decoder *d, const struct opcode *op,
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
	const struct opcode *op;
	const char *missing;

	isa_unpack(words, &inst);
	op = find_opcode(&inst);
	if (!op)
		return refuse(d, "opcode 0x%02x", inst.opcode);
	missing = lacks(d->personality, inst.opcode);
	if (missing)
		return refuse(d, "%s needs %s", op->name, missing);
	m->kind = op->kind;
	if (op->kind == SHADER_BRANCH || op->kind == SHADER_BRANCH_ANY || op->kind == SHADER_CALL) {
		m->target = inst.target < d->shader->count ? inst.target : d->shader->count;
		return decode_condition(d, op, &inst, m);
	}
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
	m->shift = inst.rounding;
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

/* Everything allocated, nothing decoded. */
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
