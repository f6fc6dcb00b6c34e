// SPDX-License-Identifier: MIT
/*
 * SELECT, SET, CMP, and the conditions of BRANCH and TEXKILL: one kernel for each condition and
 * operand type. Comparisons with NaN are false, except for NE and NZ.
 */
#include "gc/shader_kernels.h"

#define ONE ((vi)v_splat(1.0f))

/*
 * NOT is true for zero. AND, OR and XOR are true if the result of the bit operation is not 0
 * [chosen].
 */
#define TRUE_(a, b) (v_splati(-1))
#define GT_(a, b) ((vi)((a) > (b)))
#define LT_(a, b) ((vi)((a) < (b)))
#define GE_(a, b) ((vi)((a) >= (b)))
#define LE_(a, b) ((vi)((a) <= (b)))
#define EQ_(a, b) ((vi)((a) == (b)))
#define NE_(a, b) ((vi)((a) != (b)))
#define AND_(a, b) ((vi)(((vi)(a) & (vi)(b)) != 0))
#define OR_(a, b) ((vi)(((vi)(a) | (vi)(b)) != 0))
#define XOR_(a, b) ((vi)(((vi)(a) ^ (vi)(b)) != 0))
#define NOT_(a, b) ((vi)((a) == 0))
#define NZ_(a, b) ((vi)((a) != 0))
#define GEZ_(a, b) ((vi)((a) >= 0))
#define GZ_(a, b) ((vi)((a) > 0))
#define LEZ_(a, b) ((vi)((a) <= 0))
#define LZ_(a, b) ((vi)((a) < 0))
#define SELMSB_(a, b) ((vi)(a) >> 31)

/*
 * SELECT compares its second operand with its first one, and gives the third one if the condition
 * holds, otherwise the second; with a condition of one operand the second one, otherwise the third.
 */
#define SELECT2(cond, T, suffix) \
	static KERNEL3(select_##cond##suffix, T, vi, v_picki(cond##_(b, a), (vi)c, (vi)b))
#define SELECT1(cond, T, suffix) \
	static KERNEL3(select_##cond##suffix, T, vi, v_picki(cond##_(a, a), (vi)b, (vi)c))
#define OTHERS2(cond, T, suffix)                                                       \
	static KERNEL2(set_##cond##suffix, T, vi, cond##_(a, b) & ONE) static KERNEL3( \
		cmp_##cond##suffix, T, vi,                                             \
		cond##_(a, b) & (vi)c) static KERNEL2(test_##cond##suffix, T, vi, cond##_(a, b))
#define OTHERS1(cond, T, suffix)                                                       \
	static KERNEL1(set_##cond##suffix, T, vi, cond##_(a, a) & ONE) static KERNEL3( \
		cmp_##cond##suffix, T, vi,                                             \
		cond##_(a, a) & (vi)c) static KERNEL1(test_##cond##suffix, T, vi, cond##_(a, a))

#define FOR_TYPES(X, cond) X(cond, vf, _f) X(cond, vi, _i) X(cond, vu, _u)
#define FOR_BINARY(Y) Y(GT) Y(LT) Y(GE) Y(LE) Y(EQ) Y(NE) Y(AND) Y(OR) Y(XOR)
#define FOR_UNARY(Y) Y(TRUE) Y(NOT) Y(NZ) Y(GEZ) Y(GZ) Y(LEZ) Y(LZ) Y(SELMSB)

#define DEFINE_BINARY(cond) FOR_TYPES(SELECT2, cond) FOR_TYPES(OTHERS2, cond)
#define DEFINE_UNARY(cond) FOR_TYPES(SELECT1, cond) FOR_TYPES(OTHERS1, cond)

FOR_BINARY(DEFINE_BINARY)
FOR_UNARY(DEFINE_UNARY)

#define CONDITIONS 23 /* one more than the highest ISA_COND_* */

#define ROW(cond, what) \
	[ISA_COND_##cond] = { what##_##cond##_f, what##_##cond##_i, what##_##cond##_u },
#define ROW_SELECT(cond) ROW(cond, select)
#define ROW_SET(cond) ROW(cond, set)
#define ROW_CMP(cond) ROW(cond, cmp)
#define ROW_TEST(cond) ROW(cond, test)

static const shader_kernel kernels[][CONDITIONS][3] = {
	[SHADER_SELECT] = { FOR_BINARY(ROW_SELECT) FOR_UNARY(ROW_SELECT) },
	[SHADER_SET] = { FOR_BINARY(ROW_SET) FOR_UNARY(ROW_SET) },
	[SHADER_CMP] = { FOR_BINARY(ROW_CMP) FOR_UNARY(ROW_CMP) },
	[SHADER_TEST] = { FOR_BINARY(ROW_TEST) FOR_UNARY(ROW_TEST) },
};

shader_kernel shader_conditional_kernel(enum shader_conditional what, unsigned int cond,
					unsigned int type)
{
	if (cond >= CONDITIONS)
		return NULL;
	return kernels[what][cond][type == ISA_F32 ? 0 : type == ISA_U32 ? 2 : 1];
}
