/* SPDX-License-Identifier: MIT */
/* Repeatable random numbers: splitmix64 (Steele, Lea, Flood 2014); works with any seed. */
#ifndef CARD_CLOCK_RANDOM_H
#define CARD_CLOCK_RANDOM_H

#include <stdint.h>

/** random_next - the next number after @state, which is the seed at first; all 64 bits are random. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

#endif
