/* SPDX-License-Identifier: MIT */
/*
 * Jitter: what differs between repetitions of the same work, repeatable by a seed. A value depends
 * only on the seed, on what it is for, and on the modelled time for which it is asked, so neither
 * the host nor the order of questions matters.
 */
#ifndef CARD_CLOCK_JITTER_H
#define CARD_CLOCK_JITTER_H

#include <stdint.h>

#include "clock/random.h"

enum gpu_jitter_use {
	GPU_JITTER_REFRESH,   /* phase of the memory's refresh */
	GPU_JITTER_FLUSH,     /* what a flush waits for */
	GPU_JITTER_MEMORY,    /* other masters of the memory, such as processors */
	GPU_JITTER_INTERRUPT, /* latency of an interrupt */
};

#define GPU_JITTER_OFF 0u /* as a seed: there is no jitter */

/** gpu_jitter_bits - 64 random bits. */
static inline uint64_t gpu_jitter_bits(uint64_t seed, enum gpu_jitter_use use, uint64_t time)
{
	uint64_t state = seed;

	state = random_next(&state) + use;
	state = random_next(&state) + time;
	return random_next(&state);
}

/**
 * gpu_jitter - a value from 0 to @range
 * @range: below 2^32
 *
 * The sum of two uniform ones: the middle is the most frequent, the ends are rare.
 */
static inline uint64_t gpu_jitter(uint64_t seed, enum gpu_jitter_use use, uint64_t time,
				  uint64_t range)
{
	uint64_t bits = gpu_jitter_bits(seed, use, time);

	return ((bits >> 33) * range + (bits & 0x7fffffff) * range + range) >> 32;
}

#endif
