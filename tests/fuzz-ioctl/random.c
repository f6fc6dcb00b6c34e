// SPDX-License-Identifier: MIT
/* Pseudorandom numbers; a seed always gives the same sequence. */
#include "fuzz.h"

/*
 * Vigna's xorshift64*, of which the upper 32 bits are returned. A state of 0 would stay 0: no seed
 * is.
 */
uint32_t fuzz_next(struct fuzz_random *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * 0x2545f4914f6cdd1dull >> 32;
}

uint32_t fuzz_below(struct fuzz_random *r, uint32_t limit)
{
	return fuzz_next(r) % limit;
}

bool fuzz_one_in(struct fuzz_random *r, uint32_t times)
{
	return fuzz_below(r, times) == 0;
}

uint64_t fuzz_bad(struct fuzz_random *r)
{
	uint64_t near = fuzz_below(r, 17) - 8ull;

	switch (fuzz_below(r, 5)) {
	case 0:
		return near;
	case 1:
		return (1ull << fuzz_below(r, 64)) + near;
	case 2:
		return UINT32_MAX + near;
	case 3:
		return fuzz_next(r);
	default:
		return (uint64_t)fuzz_next(r) << 32 | fuzz_next(r);
	}
}
