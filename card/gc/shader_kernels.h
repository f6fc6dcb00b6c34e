/* SPDX-License-Identifier: MIT */
/*
 * Kernels: what an instruction computes, for all lanes of a batch. A kernel computes components
 * m->work. Its operands are in the order of the table in shader_opcode.c.
 */
#ifndef CARD_GC_SHADER_KERNELS_H
#define CARD_GC_SHADER_KERNELS_H

#include "gc/shader_program.h"

#define SHADER_KERNEL(name) \
	void name(const struct shader_run *run, const struct shader_micro *m, union gc_lanes *out)

/* shader_float.c */
SHADER_KERNEL(shader_fmov);   /* a, unchanged */
SHADER_KERNEL(shader_fabs);   /* a with its sign bit clear */
SHADER_KERNEL(shader_fneg);   /* a with its sign bit inverted */
SHADER_KERNEL(shader_fadd);   /* a + b */
SHADER_KERNEL(shader_fsub);   /* a - b */
SHADER_KERNEL(shader_fmul);   /* a * b */
SHADER_KERNEL(shader_fmuln);  /* -(a * b) */
SHADER_KERNEL(shader_fmad);   /* a * b + c, rounded twice */
SHADER_KERNEL(shader_fmads);  /* a * b - c */
SHADER_KERNEL(shader_fnmad);  /* c - a * b */
SHADER_KERNEL(shader_fnmads); /* -(a * b) - c */
SHADER_KERNEL(shader_fdp2);
SHADER_KERNEL(shader_fdp3);
SHADER_KERNEL(shader_fdp4);
SHADER_KERNEL(shader_fdsx);
SHADER_KERNEL(shader_fdsy);
SHADER_KERNEL(shader_frcp);
SHADER_KERNEL(shader_frsq);
SHADER_KERNEL(shader_fsqrt);
SHADER_KERNEL(shader_flitp);
SHADER_KERNEL(shader_fexp);
SHADER_KERNEL(shader_flog);
SHADER_KERNEL(shader_ffrc);
SHADER_KERNEL(shader_fsin_pi); /* sin(pi * a) */
SHADER_KERNEL(shader_fcos_pi);
SHADER_KERNEL(shader_fsin_half); /* sin(pi/2 * a) */
SHADER_KERNEL(shader_fcos_half);
SHADER_KERNEL(shader_ffloor);
SHADER_KERNEL(shader_fceil);
SHADER_KERNEL(shader_fsign);
SHADER_KERNEL(shader_faddlo);
SHADER_KERNEL(shader_fmullo);
SHADER_KERNEL(shader_fclamp0_max); /* a between 0 and b */
SHADER_KERNEL(shader_fdiv);        /* a / b */
SHADER_KERNEL(shader_mova_round);
SHADER_KERNEL(shader_mova_floor);

/* shader_integer.c */
SHADER_KERNEL(shader_iadd);
SHADER_KERNEL(shader_isign);
SHADER_KERNEL(shader_usign);
SHADER_KERNEL(shader_i2f);
SHADER_KERNEL(shader_u2f);
SHADER_KERNEL(shader_f2i);      /* truncate to m->type; NaN gives 0 */
SHADER_KERNEL(shader_f2i_sign); /* the same; NaN saturates by its sign */
SHADER_KERNEL(shader_f2irnd);
SHADER_KERNEL(shader_f2irnd_sign);
SHADER_KERNEL(shader_iaddsat); /* in m->type */
SHADER_KERNEL(shader_imullo);
SHADER_KERNEL(shader_imulhi);
SHADER_KERNEL(shader_umulhi);
SHADER_KERNEL(shader_imullosat);
SHADER_KERNEL(shader_umullosat);
SHADER_KERNEL(shader_imadlo);
SHADER_KERNEL(shader_imadhi);
SHADER_KERNEL(shader_umadhi);
SHADER_KERNEL(shader_imadlosat);
SHADER_KERNEL(shader_umadlosat);
SHADER_KERNEL(shader_imadhisat);
SHADER_KERNEL(shader_umadhisat);
SHADER_KERNEL(shader_idiv);
SHADER_KERNEL(shader_udiv);
SHADER_KERNEL(shader_imod);
SHADER_KERNEL(shader_umod);
SHADER_KERNEL(shader_iabs);
SHADER_KERNEL(shader_leadzero);
SHADER_KERNEL(shader_lshift);
SHADER_KERNEL(shader_rshift); /* arithmetic */
SHADER_KERNEL(shader_urshift);
SHADER_KERNEL(shader_rotate);
SHADER_KERNEL(shader_or);
SHADER_KERNEL(shader_and);
SHADER_KERNEL(shader_xor);
SHADER_KERNEL(shader_not);
SHADER_KERNEL(shader_bit_extract);
SHADER_KERNEL(shader_ubit_extract);
SHADER_KERNEL(shader_popcount);
SHADER_KERNEL(shader_bit_rev);
SHADER_KERNEL(shader_findlsb);
SHADER_KERNEL(shader_findmsb);
SHADER_KERNEL(shader_ufindmsb);

/* Uses of a condition. */
enum shader_conditional {
	SHADER_SELECT, /* two operands: b COND a ? c : b; one: COND a ? b : c */
	SHADER_SET,    /* a COND b ? 1.0 : 0.0 */
	SHADER_CMP,    /* a COND b ? c : 0 */
	SHADER_TEST,   /* a COND b ? -1 : 0 */
};

/**
 * shader_conditional_kernel - kernel for a condition, in shader_condition.c
 * @what: its use
 * @cond: ISA_COND_*
 * @type: ISA_F32, ISA_S32 or ISA_U32
 *
 * Returns: NULL if the condition is undefined.
 */
shader_kernel shader_conditional_kernel(enum shader_conditional what, unsigned int cond,
					unsigned int type);

/* macros for the definition of kernels */
#define FOR_COMPONENTS(c, mask)                                                                    \
	for (unsigned int left_ = (mask), c; left_ && (c = (unsigned int)__builtin_ctz(left_), 1); \
	     left_ &= left_ - 1)
#define FOR_CHUNKS(i) for (unsigned int i = 0, chunks_ = run->chunks; i < chunks_; i++)

/* Operand @s, component @c, as vectors of type @T. */
#define OPERAND(T, s, c) ((const T *)shader_lanes(run, m, s, c)->f)
#define RESULT(T, c) ((T *)out[c].f)

/* Kernels with one, two and three operands, computed a vector of lanes at a time. */
#define KERNEL1(name, T, TD, expression)                \
	SHADER_KERNEL(name)                             \
	{                                               \
		FOR_COMPONENTS(c, m->work)              \
		{                                       \
			const T *pa = OPERAND(T, 0, c); \
			TD *d = RESULT(TD, c);          \
			FOR_CHUNKS(i)                   \
			{                               \
				T a V_UNUSED = pa[i];   \
				d[i] = expression;      \
			}                               \
		}                                       \
	}

#define KERNEL2(name, T, TD, expression)                \
	SHADER_KERNEL(name)                             \
	{                                               \
		FOR_COMPONENTS(c, m->work)              \
		{                                       \
			const T *pa = OPERAND(T, 0, c); \
			const T *pb = OPERAND(T, 1, c); \
			TD *d = RESULT(TD, c);          \
			FOR_CHUNKS(i)                   \
			{                               \
				T a V_UNUSED = pa[i];   \
				T b V_UNUSED = pb[i];   \
				d[i] = expression;      \
			}                               \
		}                                       \
	}

#define KERNEL3(name, T, TD, expression)                \
	SHADER_KERNEL(name)                             \
	{                                               \
		FOR_COMPONENTS(k, m->work)              \
		{                                       \
			const T *pa = OPERAND(T, 0, k); \
			const T *pb = OPERAND(T, 1, k); \
			const T *pc = OPERAND(T, 2, k); \
			TD *d = RESULT(TD, k);          \
			FOR_CHUNKS(i)                   \
			{                               \
				T a V_UNUSED = pa[i];   \
				T b V_UNUSED = pb[i];   \
				T c V_UNUSED = pc[i];   \
				d[i] = expression;      \
			}                               \
		}                                       \
	}

#endif
