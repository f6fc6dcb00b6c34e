/* SPDX-License-Identifier: MIT */
/*
 * Common code of fuzzing tests: reproducible random numbers and the number of cases. By default
 * a test runs as many cases as fit in the unit tests' time; tests/fuzz runs others, by
 * environment variables:
 *
 *  FUZZ_SEED=N   begin with seed N instead of the first
 *  FUZZ_CASES=N  run N cases instead of the usual number
 */
#ifndef CARD_TESTS_FUZZ_H
#define CARD_TESTS_FUZZ_H

#include <stdint.h>
#include <stdlib.h>

static uint64_t fuzz_state;

/* The next of Marsaglia's xorshift numbers. */
static inline uint32_t fuzz_u32(void)
{
	fuzz_state ^= fuzz_state << 13;
	fuzz_state ^= fuzz_state >> 7;
	fuzz_state ^= fuzz_state << 17;
	return (uint32_t)(fuzz_state >> 16);
}

/* 0 .. @limit - 1 */
static inline uint32_t fuzz_below(uint32_t limit)
{
	return (uint32_t)((uint64_t)fuzz_u32() * limit >> 32);
}

static inline float fuzz_float(float low, float high)
{
	return low + (high - low) * (float)(fuzz_u32() >> 8) / 16777216.0f;
}

static inline uint64_t fuzz_number(const char *name, uint64_t usual)
{
	const char *wanted = getenv(name);

	return wanted ? strtoull(wanted, NULL, 0) : usual;
}

/* Number of cases: FUZZ_CASES, or @usual. */
static inline uint64_t fuzz_cases(uint64_t usual)
{
	return fuzz_number("FUZZ_CASES", usual);
}

/* Begin case @i; each case has different random numbers. */
static inline void fuzz_begin(uint64_t i)
{
	fuzz_state = 0x9e3779b97f4a7c15ull * (fuzz_number("FUZZ_SEED", 0) + i + 1);
	fuzz_u32();
}

#endif
