// SPDX-License-Identifier: MIT
/*
 * Floating-point kernels. IEEE single precision, round to nearest even, but
 * denormals are zeros (shader_denormals.h); multiplications are not fused [chosen].
 */
#include "gc/shader_kernels.h"
#include "gc/shader_math.h"

KERNEL1(shader_fmov, vi, vi, a)
KERNEL1(shader_fabs, vf, vf, v_abs(a))
KERNEL1(shader_fneg, vi, vi, a ^ V_SIGN)
KERNEL2(shader_fadd, vf, vf, a + b)
KERNEL2(shader_fsub, vf, vf, a - b)
KERNEL2(shader_fmul, vf, vf, a *b)
KERNEL2(shader_fmuln, vf, vf, -(a *b))
KERNEL3(shader_fmad, vf, vf, a *b + c)
KERNEL3(shader_fmads, vf, vf, a *b - c)
KERNEL3(shader_fnmad, vf, vf, c - a * b)
KERNEL3(shader_fnmads, vf, vf, -(a *b) - c)

KERNEL1(shader_frcp, vf, vf, 1.0f / a)
KERNEL1(shader_frsq, vf, vf, 1.0f / v_sqrt(a))
KERNEL1(shader_fsqrt, vf, vf, v_sqrt(a))
KERNEL1(shader_fexp, vf, vf, v_exp2(a))
KERNEL1(shader_flog, vf, vf, v_log2(a))
KERNEL1(shader_ffrc, vf, vf, a - v_floor(a))
KERNEL1(shader_fsin_pi, vf, vf, v_sin_pi(a))
KERNEL1(shader_fcos_pi, vf, vf, v_cos_pi(a))
KERNEL1(shader_fsin_half, vf, vf, v_sin_pi(0.5f * a))
KERNEL1(shader_fcos_half, vf, vf, v_cos_pi(0.5f * a))
KERNEL1(shader_ffloor, vf, vf, v_floor(a))
KERNEL1(shader_fceil, vf, vf, v_ceil(a))
KERNEL2(shader_fdiv, vf, vf, a / b)

/* 1, -1, zero or NaN; a + a flushes denormals to zero. */
static inline vf sign_of(vf a)
{
	return v_pick((a > 0.0f) | (a < 0.0f), v_copysign(v_splat(1.0f), a), a + a);
}

KERNEL1(shader_fsign, vf, vf, sign_of(a))

/* The rounding error of a + b (two-sum). */
static inline vf add_low(vf a, vf b)
{
	vf sum = a + b, virtual_b = sum - a;

	return (a - (sum - virtual_b)) + (b - virtual_b);
}

KERNEL2(shader_faddlo, vf, vf, add_low(a, b))

/* The rounding error of a * b. */
static inline vf mul_low(vf a, vf b)
{
	vf r;

	for (unsigned int i = 0; i < GC_CHUNK; i++)
		r[i] = (float)((double)a[i] * b[i] - (double)(a[i] * b[i]));
	return r;
}

KERNEL2(shader_fmullo, vf, vf, mul_low(a, b))

static inline vf clamp0_max(vf a, vf b)
{
	a = v_pick(a > 0.0f, a, v_splat(0.0f)); /* NaN becomes 0 */
	return v_pick(a < b, a, b);
}

KERNEL2(shader_fclamp0_max, vf, vf, clamp0_max(a, b))

/* Values for address registers: a float, rounded to nearest or down; out of range gives 0. */
KERNEL1(shader_mova_round, vf, vi, v_toint(v_rint(a)))
KERNEL1(shader_mova_floor, vf, vi, v_toint(v_floor(a)))

/*
 * Write the sum of the products of components 0 .. @count - 1 to the only component of m->work;
 * finish() in shader_run.c copies it to the others.
 */
static inline void dot(const struct shader_run *run, const struct shader_micro *m,
		       union gc_lanes *out, unsigned int count)
{
	vf *d = (vf *)out[__builtin_ctz(m->work)].f;
	const vf *a[4], *b[4];

	for (unsigned int c = 0; c < count; c++) {
		a[c] = OPERAND(vf, 0, c);
		b[c] = OPERAND(vf, 1, c);
	}
	FOR_CHUNKS(i)
	{
		vf sum = a[0][i] * b[0][i];

		for (unsigned int c = 1; c < count; c++)
			sum += a[c][i] * b[c][i];
		d[i] = sum;
	}
}

SHADER_KERNEL(shader_fdp2)
{
	dot(run, m, out, 2);
}

SHADER_KERNEL(shader_fdp3)
{
	dot(run, m, out, 3);
}

SHADER_KERNEL(shader_fdp4)
{
	dot(run, m, out, 4);
}

/*
 * DSX, DSY: differences within a quad. Each row has its own horizontal difference and each
 * column its own vertical one [chosen], as in llvmpipe.
 */
KERNEL1(shader_fdsx, vf, vf,
	__builtin_shuffle(a, (vi){ V_QUADS(1, 1, 3, 3) }) -
		__builtin_shuffle(a, (vi){ V_QUADS(0, 0, 2, 2) }))
KERNEL1(shader_fdsy, vf, vf,
	__builtin_shuffle(a, (vi){ V_QUADS(2, 3, 2, 3) }) -
		__builtin_shuffle(a, (vi){ V_QUADS(0, 1, 0, 1) }))

/*
 * LITP, the last step of ARB_vertex_program's LIT: x = 1, y = max(a, 0), z = a > 0 ? 2^b : 0, w
 * = 1; b is the specular exponent times log2 of its base [inferred from how drivers use it].
 */
SHADER_KERNEL(shader_flitp)
{
	const vf *pa = OPERAND(vf, 0, 0), *pb = OPERAND(vf, 1, 0);

	FOR_COMPONENTS(c, m->work)
	{
		vf *d = RESULT(vf, c);

		FOR_CHUNKS(i)
		{
			vi positive = pa[i] > 0.0f;
			vf value = v_splat(1.0f);

			if (c == 1)
				value = (vf)(positive & (vi)pa[i]);
			else if (c == 2)
				value = (vf)(positive & (vi)v_exp2(pb[i]));
			d[i] = value;
		}
	}
}
