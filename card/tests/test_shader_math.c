// SPDX-License-Identifier: MIT
/*
 * The shader core's vector functions against double precision: floats of all magnitudes (every
 * 4099th bit pattern), values around special points, and a checksum over all result bits.
 */
#include "check.h"
#include "gc/float_bits.h"
#include "gc/shader_math.h"

#define STRIDE 4099u /* prime: all low bits occur */

/* Distance of @got from the exact value in units of the last place of a float there. */
static double ulps(float got, double exact)
{
	double size;

	if (isnan(exact) || isnan(got))
		return isnan(exact) && isnan(got) ? 0 : 1e9;
	if ((float)exact == got)
		return 0;
	if (isinf(got) || isinf((float)exact))
		return 1e9;
	size = ldexp(1.0, ilogb(fabs(exact) > 0x1p-126 ? exact : 0x1p-126) - 23);
	return fabs((double)got - exact) / size;
}

enum function { EXP2, LOG2, SIN_PI, COS_PI, SQRT, FLOOR, CEIL, TRUNC, RINT };

static vf compute(enum function function, vf x)
{
	switch (function) {
	case EXP2:
		return v_exp2(x);
	case LOG2:
		return v_log2(x);
	case SIN_PI:
		return v_sin_pi(x);
	case COS_PI:
		return v_cos_pi(x);
	case SQRT:
		return v_sqrt(x);
	case FLOOR:
		return v_floor(x);
	case CEIL:
		return v_ceil(x);
	case TRUNC:
		return v_trunc(x);
	default:
		return v_rint(x);
	}
}

/* sin(pi x), the argument reduced without error */
static double sin_pi(double x)
{
	double r = fmod(x, 2.0);

	if (isinf(x))
		return NAN;
	return r == trunc(r) ? 0.0 : sin(M_PI * r);
}

static double exact(enum function function, double x)
{
	switch (function) {
	case EXP2:
		return exp2(x);
	case LOG2:
		return log2(x);
	case SIN_PI:
		return sin_pi(x);
	case COS_PI:
		return isinf(x) ? NAN : sin_pi(fmod(fabs(x), 2.0) + 0.5);
	case SQRT:
		return sqrt(x);
	case FLOOR:
		return floor(x);
	case CEIL:
		return ceil(x);
	case TRUNC:
		return trunc(x);
	default:
		return rint(x);
	}
}

/* Returns the largest error in units of the last place; prints where it is above @tolerance. */
static double worst(enum function function, double tolerance)
{
	double most = 0;

	for (uint64_t bits = 0; bits < UINT64_C(1) << 32; bits += GC_CHUNK * STRIDE) {
		vf x, y;

		for (unsigned int i = 0; i < GC_CHUNK; i++)
			x[i] = bits_float((uint32_t)bits + i * STRIDE);
		y = compute(function, x);
		for (unsigned int i = 0; i < GC_CHUNK; i++) {
			double want = exact(function, (double)x[i]), error = ulps(y[i], want);

			if (error <= most)
				continue;
			if (error > tolerance)
				printf("function %d of %.9g is %.9g, expected %.17g: %g ulp\n",
				       function, (double)x[i], (double)y[i], want, error);
			most = error;
		}
	}
	return most;
}

TEST(exp2_everywhere)
{
	CHECK(worst(EXP2, 2) <= 2);
}

TEST(log2_everywhere)
{
	CHECK(worst(LOG2, 3) <= 3);
}

TEST(log2_near_one)
{
	for (uint32_t bits = float_bits(0.5f); bits < float_bits(2.0f); bits += 64) {
		vf x, y;

		for (unsigned int i = 0; i < GC_CHUNK; i++)
			x[i] = bits_float(bits + i * 8);
		y = v_log2(x);
		for (unsigned int i = 0; i < GC_CHUNK; i++)
			CHECK(ulps(y[i], log2((double)x[i])) <= 3);
	}
}

TEST(sin_everywhere)
{
	CHECK(worst(SIN_PI, 2) <= 2);
}

TEST(cos_everywhere)
{
	CHECK(worst(COS_PI, 2) <= 2);
}

TEST(rounding_everywhere)
{
	CHECK(worst(SQRT, 0.5) <= 0.5);
	CHECK(worst(FLOOR, 0) == 0);
	CHECK(worst(CEIL, 0) == 0);
	CHECK(worst(TRUNC, 0) == 0);
	CHECK(worst(RINT, 0) == 0);
}

static float one(enum function function, float x)
{
	return compute(function, v_splat(x))[0];
}

TEST(special_values)
{
	CHECK_EQ(float_bits(one(EXP2, 0.0f)), float_bits(1.0f));
	CHECK_EQ(float_bits(one(EXP2, -INFINITY)), 0);
	CHECK_EQ(float_bits(one(EXP2, INFINITY)), float_bits(INFINITY));
	CHECK_EQ(float_bits(one(EXP2, 128.0f)), float_bits(INFINITY));
	CHECK_EQ(float_bits(one(EXP2, -149.0f)), 1);
	CHECK(isnan(one(EXP2, NAN)));
	for (int e = -149; e < 128; e++) /* powers of two are exact both ways */
		CHECK_EQ(float_bits(one(LOG2, ldexpf(1.0f, e))), float_bits((float)e));
	for (int e = -126; e < 128; e++)
		CHECK_EQ(float_bits(one(EXP2, (float)e)), float_bits(ldexpf(1.0f, e)));
	CHECK_EQ(float_bits(one(LOG2, 0.0f)), float_bits(-INFINITY));
	CHECK_EQ(float_bits(one(LOG2, -0.0f)), float_bits(-INFINITY));
	CHECK_EQ(float_bits(one(LOG2, INFINITY)), float_bits(INFINITY));
	CHECK(isnan(one(LOG2, -1.0f)));
	CHECK(isnan(one(LOG2, -INFINITY)));
	CHECK_EQ(float_bits(one(SIN_PI, 0.5f)), float_bits(1.0f));
	CHECK_EQ(float_bits(one(SIN_PI, 1.5f)), float_bits(-1.0f));
	CHECK_EQ(float_bits(one(SIN_PI, -0.5f)), float_bits(-1.0f));
	CHECK(one(SIN_PI, 3.0f) == 0.0f);
	CHECK_EQ(float_bits(one(COS_PI, 0.0f)), float_bits(1.0f));
	CHECK_EQ(float_bits(one(COS_PI, 1.0f)), float_bits(-1.0f));
	CHECK_EQ(float_bits(one(COS_PI, 16777216.0f)), float_bits(1.0f));
	CHECK(one(COS_PI, 0.5f) == 0.0f);
	CHECK(one(COS_PI, -2.5f) == 0.0f);
	CHECK(isnan(one(SIN_PI, INFINITY)));
	CHECK(isnan(one(COS_PI, -INFINITY)));
	CHECK_EQ(float_bits(one(FLOOR, -0.0f)), 0x80000000);
	CHECK_EQ(float_bits(one(CEIL, -0.5f)), 0x80000000);
	CHECK_EQ(float_bits(one(RINT, 2.5f)), float_bits(2.0f));
	CHECK_EQ(float_bits(one(RINT, -3.5f)), float_bits(-4.0f));
}

/* Of the results' bits in a sweep from 2^-33 to 2^23: the same on all machines and builds. */
static uint64_t checksum(enum function function)
{
	uint64_t sum = 0;

	for (uint32_t bits = 0x2f000000; bits < 0x4b000000; bits += STRIDE) {
		float y = one(function, bits_float(bits));

		sum = (sum ^ float_bits(y)) * UINT64_C(0x100000001b3);
	}
	return sum;
}

TEST(same_bits_everywhere)
{
	CHECK_EQ(checksum(EXP2), UINT64_C(0x320d883a0425066e));
	CHECK_EQ(checksum(LOG2), UINT64_C(0x36526f09ed390b4d));
	CHECK_EQ(checksum(SIN_PI), UINT64_C(0x939269c2dde27191));
	CHECK_EQ(checksum(COS_PI), UINT64_C(0x4ac2b64df588b866));
}

int main(void)
{
	return test_all();
}
