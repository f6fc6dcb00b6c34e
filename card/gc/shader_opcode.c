// SPDX-License-Identifier: MIT
/* The table of opcodes, and the features that some of them need. */
#include "gc/shader_opcode.h"

#include "gc/personality.h"
#include "hw/common.xml.h"

/*
 * FLOAT, INTEGER: no kernel for the other types. *_SCALAR: one component is computed and copied to
 * the others (OPCODE_BROADCAST).
 */
#define FLOAT(op, src, kernel) { op, SHADER_ALU, src, OPCODE_READS_WORK, 0, kernel, NULL, NULL }
#define FLOAT_SCALAR(op, src, kernel) \
	{ op, SHADER_ALU, src, OPCODE_READS_WORK, OPCODE_BROADCAST, kernel, NULL, NULL }
#define INTEGER(op, src, s, u) { op, SHADER_ALU, src, OPCODE_READS_WORK, 0, NULL, s, u }
#define INTEGER_SCALAR(op, src, s, u) \
	{ op, SHADER_ALU, src, OPCODE_READS_WORK, OPCODE_BROADCAST, NULL, s, u }
/* Float types are used as their bits. */
#define BITWISE(op, src, s, u) { op, SHADER_ALU, src, OPCODE_READS_WORK, 0, u, s, u }
#define TEXTURE(op) { op, SHADER_TEX, "012", OPCODE_READS_XYZW, 0, NULL, NULL, NULL }
#define ATOM(op) { op, SHADER_ATOMIC, "012", OPCODE_READS_X, 0, NULL, NULL, NULL }
#define OTHER(op, kind, src, reads, flags) { op, kind, src, reads, flags, NULL, NULL, NULL }

static const struct shader_opcode opcodes[ISA_OPCODES] = {
	[ISA_NOP] = OTHER("nop", SHADER_NOP, "", 0, 0),
	[ISA_ADD] = { "add", SHADER_ALU, "02", OPCODE_READS_WORK, 0, shader_fadd, shader_iadd,
		      shader_iadd },
	[ISA_MAD] = FLOAT("mad", "012", shader_fmad),
	[ISA_MUL] = FLOAT("mul", "01", shader_fmul),
	[ISA_DP2] = { "dp2", SHADER_ALU, "01", OPCODE_READS_XY, OPCODE_BROADCAST, shader_fdp2, NULL,
		      NULL },
	[ISA_DP3] = { "dp3", SHADER_ALU, "01", OPCODE_READS_XYZ, OPCODE_BROADCAST, shader_fdp3,
		      NULL, NULL },
	[ISA_DP4] = { "dp4", SHADER_ALU, "01", OPCODE_READS_XYZW, OPCODE_BROADCAST, shader_fdp4,
		      NULL, NULL },
	[ISA_DSX] = FLOAT("dsx", "0", shader_fdsx),
	[ISA_DSY] = FLOAT("dsy", "0", shader_fdsy),
	[ISA_MOV] = { "mov", SHADER_ALU, "2", OPCODE_READS_WORK, OPCODE_ANY_SIMD, shader_fmov,
		      shader_fmov, shader_fmov },
	[ISA_MOVAR] = { "movar", SHADER_ADDRESS, "2", OPCODE_READS_WORK, OPCODE_FLOAT_SOURCE,
			shader_mova_round, shader_mova_round, shader_mova_round },
	[ISA_MOVAF] = { "movaf", SHADER_ADDRESS, "2", OPCODE_READS_WORK, OPCODE_FLOAT_SOURCE,
			shader_mova_floor, shader_mova_floor, shader_mova_floor },
	[ISA_MOVAI] = { "movai", SHADER_ADDRESS, "2", OPCODE_READS_WORK, OPCODE_ANY_SIMD,
			shader_fmov, shader_fmov, shader_fmov },
	[ISA_RCP] = FLOAT_SCALAR("rcp", "2", shader_frcp),
	[ISA_RSQ] = FLOAT_SCALAR("rsq", "2", shader_frsq),
	[ISA_LITP] = { "litp", SHADER_ALU, "12", OPCODE_READS_X, 0, shader_flitp, NULL, NULL },
	[ISA_SELECT] = OTHER("select", SHADER_ALU, "012", OPCODE_READS_WORK, OPCODE_CONDITIONAL),
	[ISA_SET] = OTHER("set", SHADER_ALU, "01", OPCODE_READS_WORK,
			  OPCODE_CONDITIONAL | OPCODE_FLOAT_RESULT),
	[ISA_CMP] = OTHER("cmp", SHADER_ALU, "012", OPCODE_READS_WORK, OPCODE_CONDITIONAL),
	[ISA_EXP] = FLOAT_SCALAR("exp", "2", shader_fexp),
	[ISA_LOG] = { "log", SHADER_ALU, "2", OPCODE_READS_WORK, OPCODE_FACTORS, shader_flog, NULL,
		      NULL },
	[ISA_FRC] = FLOAT("frc", "2", shader_ffrc),
	[ISA_CALL] = OTHER("call", SHADER_CALL, "01", OPCODE_READS_X, 0),
	[ISA_RET] = OTHER("ret", SHADER_RET, "", 0, 0),
	[ISA_BRANCH] = OTHER("branch", SHADER_BRANCH, "01", OPCODE_READS_X, 0),
	[ISA_BRANCH_ANY] = OTHER("branch_any", SHADER_BRANCH_ANY, "01", OPCODE_READS_XYZW, 0),
	[ISA_TEXKILL] = OTHER("texkill", SHADER_KILL, "01", OPCODE_READS_XYZW, 0),
	[ISA_TEXLD] = TEXTURE("texld"),
	[ISA_TEXLDB] = TEXTURE("texldb"),
	[ISA_TEXLDD] = TEXTURE("texldd"),
	[ISA_TEXLDL] = TEXTURE("texldl"),
	[ISA_TEXLDPCF] = TEXTURE("texldpcf"),
	[ISA_TEXLDLPCF] = TEXTURE("texldlpcf"),
	[ISA_TXF] = TEXTURE("txf"),
	[ISA_SQRT] = FLOAT_SCALAR("sqrt", "2", shader_fsqrt),
	[ISA_SIN] = { "sin", SHADER_ALU, "2", OPCODE_READS_WORK, OPCODE_FACTORS, shader_fsin_half,
		      NULL, NULL },
	[ISA_COS] = { "cos", SHADER_ALU, "2", OPCODE_READS_WORK, OPCODE_FACTORS, shader_fcos_half,
		      NULL, NULL },
	[ISA_FLOOR] = FLOAT("floor", "2", shader_ffloor),
	[ISA_CEIL] = FLOAT("ceil", "2", shader_fceil),
	[ISA_SIGN] = { "sign", SHADER_ALU, "2", OPCODE_READS_WORK, 0, shader_fsign, shader_isign,
		       shader_usign },
	[ISA_ADDLO] = FLOAT("addlo", "02", shader_faddlo),
	[ISA_MULLO] = FLOAT("mullo", "01", shader_fmullo),
	[ISA_BARRIER] = OTHER("barrier", SHADER_NOP, "", 0, 0),
	[ISA_I2I] = INTEGER("i2i", "0", shader_fmov, shader_fmov),
	[ISA_I2F] = { "i2f", SHADER_ALU, "0", OPCODE_READS_WORK, OPCODE_FLOAT_RESULT, NULL,
		      shader_i2f, shader_u2f },
	[ISA_F2I] = { "f2i", SHADER_ALU, "0", OPCODE_READS_WORK, OPCODE_FLOAT_SOURCE, NULL,
		      shader_f2i, shader_f2i },
	[ISA_F2IRND] = { "f2irnd", SHADER_ALU, "0", OPCODE_READS_WORK, OPCODE_FLOAT_SOURCE, NULL,
			 shader_f2irnd, shader_f2irnd },
	[ISA_LOAD] = OTHER("load", SHADER_LOAD, "01", OPCODE_READS_X, 0),
	[ISA_STORE] = OTHER("store", SHADER_STORE, "012", OPCODE_READS_XYZW, 0),
	[ISA_CLAMP0_MAX] = FLOAT("clamp0_max", "01", shader_fclamp0_max),
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
	[ISA_DIV] = { "div", SHADER_ALU, "12", OPCODE_READS_WORK, OPCODE_FACTORS, shader_fdiv, NULL,
		      NULL },
	[ISA_ATOM_ADD] = ATOM("atomic_add"),
	[ISA_ATOM_XCHG] = ATOM("atomic_xchg"),
	[ISA_ATOM_CMP_XCHG] = OTHER("atomic_cmp_xchg", SHADER_ATOMIC, "012", OPCODE_READS_XY, 0),
	[ISA_ATOM_MIN] = ATOM("atomic_min"),
	[ISA_ATOM_MAX] = ATOM("atomic_max"),
	[ISA_ATOM_OR] = ATOM("atomic_or"),
	[ISA_ATOM_AND] = ATOM("atomic_and"),
	[ISA_ATOM_XOR] = ATOM("atomic_xor"),
};

static const struct shader_opcode find_lsb =
	BITWISE("bit_findlsb", "0", shader_findlsb, shader_findlsb);
static const struct shader_opcode find_msb =
	BITWISE("bit_findmsb", "0", shader_findmsb, shader_ufindmsb);

const char *shader_opcode_lacks(const struct gc_personality *p, unsigned int opcode)
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

const struct shader_opcode *shader_find_opcode(const struct isa_instruction *inst)
{
	const struct shader_opcode *op = &opcodes[inst->opcode];

	if (inst->opcode == ISA_EXTENDED && inst->src[2].reg == ISA_EXT_FINDLSB)
		return &find_lsb;
	if (inst->opcode == ISA_EXTENDED && inst->src[2].reg == ISA_EXT_FINDMSB)
		return &find_msb;
	return op->name ? op : NULL;
}

const char *gc_shader_opcode_name(const struct isa_instruction *inst)
{
	const struct shader_opcode *op = shader_find_opcode(inst);

	return op ? op->name : NULL;
}
