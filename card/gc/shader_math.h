/* SPDX-License-Identifier: MIT */
/*
 * Transcendental functions of the shader core, for a vector of lanes. Use only IEEE additions,
 * multiplications and divisions, so the results do not depend on the host. Polynomials are
 * Chebyshev fits. Errors are against double precision, checked by tests/test_shader_math.c.
 */
#ifndef CARD_GC_SHADER_MATH_H
#define CARD_GC_SHADER_MATH_H

#include <math.h>

#include "gc/shader_vector.h"

/* 2^n as a float, n in -126..127. */
V_INLINE vf power_of_two(vi n)
{
	return (vf)((n + 127) << 23);
}

/** v_exp2 - 2^x; within 2 ulp, denormal results included. */
V_INLINE vf v_exp2(vf x)
{
	/* outside this range the result is 0 or infinite; NaN is kept */
	vf clamped = v_pick(x > v_splat(129.0f), v_splat(129.0f), x);

	clamped = v_pick(clamped < v_splat(-151.0f), v_splat(-151.0f), clamped);

	vf whole = v_rint_small(clamped);
	vf f = clamped - whole; /* -0.5..0.5, exact */
	vf p = v_splat(1.54531629451e-4f);

	p = p * f + v_splat(1.33908633647e-3f);
	p = p * f + v_splat(9.61808255728e-3f);
	p = p * f + v_splat(5.55035711422e-2f);
	p = p * f + v_splat(2.40226507606e-1f);
	p = p * f + v_splat(6.93147188026e-1f);
	p = p * f + v_splat(1.0f);

	/* in two steps, as 2^128 and 2^-150 are not floats; only the last one may round */
	vi n = v_toint(whole);
	vi half = n >> 1;

	return (p * power_of_two(half)) * power_of_two(n - half);
}

/** v_log2 - base 2 logarithm; within 3 ulp; of zero -inf, of negative values NaN. */
V_INLINE vf v_log2(vf x)
{
	vi denormal = x < v_splat(0x1p-126f);
	vu bits = (vu)v_pick(denormal, x * v_splat(0x1p24f), x);

	/* x = m * 2^e with m between sqrt(1/2) and sqrt(2) */
	vi e = (vi)(bits - 0x3f3504f3u) >> 23;
	vf m = (vf)(bits - ((vu)e << 23));

	e -= denormal & 24;

	/* log2(m) = 2/ln 2 * artanh(s) */
	vf s = (m - 1.0f) / (m + 1.0f);
	vf t = s * s;
	vf p = v_splat(0.426898041095f);

	p = p * t + v_splat(0.576912842041f);
	p = p * t + v_splat(0.961796967123f);

	/* 2/ln 2 in two parts, so that results near 0 keep their relative precision */
	vf low = s * v_splat(3.85192598e-8f) + s * t * p;
	vf result = v_tofloat(e) + (s * v_splat(2.88539004f) + low);

	result = v_pick((x < v_splat(0.0f)) | (x != x), v_splat(NAN), result);
	result = v_pick(x == v_splat(0.0f), v_splat(-INFINITY), result);
	return v_pick(x == v_splat(INFINITY), x, result);
}

/* sin(pi z), z in -0.25..0.25 */
V_INLINE vf sin_pi_quarter(vf z)
{
	vf u = z * z;
	vf p = v_splat(-0.5915995745f);

	p = p * u + v_splat(2.54998442811f);
	p = p * u + v_splat(-5.1677121556f);
	/* pi in two parts */
	return z * v_splat(3.14159274f) + (z * v_splat(-8.74227800e-8f) + z * u * p);
}

/* cos(pi z), z in -0.25..0.25 */
V_INLINE vf cos_pi_quarter(vf z)
{
	vf u = z * z;
	vf p = v_splat(0.232120318597f);

	p = p * u + v_splat(-1.33513741541f);
	p = p * u + v_splat(4.05871055823f);
	p = p * u + v_splat(-4.93480219748f);
	return 1.0f + u * p;
}

/**
 * v_sin_pi - sine of pi times x; within 2 ulp, NaN for infinities
 *
 * The argument is reduced exactly, so that large arguments have the same error bound.
 */
V_INLINE vf v_sin_pi(vf x)
{
	vf whole = v_rint(x);
	vf z = x - whole; /* -0.5..0.5, exact; NaN for infinities */
	vf a = v_abs(z);
	/* the sign changes with every whole number: odd ones have a fraction when halved */
	vf half = whole * 0.5f;
	vi odd = half != v_trunc(half);
	vf r = v_pick(a > 0.25f, v_copysign(cos_pi_quarter(0.5f - a), z), sin_pi_quarter(z));

	return (vf)((vi)r ^ (odd & V_SIGN));
}

/** v_cos_pi - cosine of pi times x; error as v_sin_pi() */
V_INLINE vf v_cos_pi(vf x)
{
	vf a = v_abs(x);
	vf b = v_abs(a - 2.0f * v_rint(a * 0.5f)); /* 0..1, exact */
	vi beyond = b > 0.5f;
	vf c = v_pick(beyond, 1.0f - b, b); /* 0..0.5, exact */
	vf r = v_pick(c > 0.25f, sin_pi_quarter(0.5f - c), cos_pi_quarter(c));

	return (vf)((vi)r ^ (beyond & V_SIGN));
}

/** v_sqrt - square root, correctly rounded. */
V_INLINE vf v_sqrt(vf x)
{
	vf r = x;

	for (unsigned int i = 0; i < GC_CHUNK; i++)
		r[i] = __builtin_sqrtf(r[i]);
	return r;
}

#endif
