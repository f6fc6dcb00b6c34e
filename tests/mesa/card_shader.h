/* SPDX-License-Identifier: MIT */
/*
 * The card's shader core as a function from machine code and registers to registers. Separate from
 * the rest, so that Mesa and the card do not see each other's headers.
 */
#ifndef TESTS_MESA_CARD_SHADER_H
#define TESTS_MESA_CARD_SHADER_H

#include <stdbool.h>
#include <stdint.h>

/* The core's own: GC_LANES and GC_TEMPS */
#define LANES 64
#define TEMPS 64
#define UNIFORM_WORDS (512 * 4)

/* Memory that LOAD, STORE and ATOMIC access */
#define MEMORY_ADDRESS 0x10000000u
#define MEMORY_BYTES (1u << 22)

/*
 * All registers of a batch, in and out; lanes 4n .. 4n + 3 of a fragment shader are a quad.
 * @face: not 0 for front faces.
 */
struct card_run {
	uint32_t temp[TEMPS][4][LANES];
	uint32_t face[LANES];
	uint64_t killed; /* out: one bit a lane */
	/* out: instructions executed, a mean over the lanes */
	uint64_t instructions;
	uint32_t uniform[UNIFORM_WORDS];
	char error[128];
};

/* Result of a lookup of the texture unit's replacement */
struct card_texel {
	float value[4];
};

/** card_texel - of sampler number @sampler at (@s, @t), with bias or level, and reference. */
static inline struct card_texel card_texel(unsigned int sampler, float s, float t, float fourth,
					   float reference)
{
	return (struct card_texel){ { s * 0.5f + reference, t + 0.25f + fourth,
				      (float)sampler + s * t, fourth } };
}

/** card_shader_memory - MEMORY_BYTES that a shader sees at MEMORY_ADDRESS. */
uint8_t *card_shader_memory(void);

/**
 * card_shader_run - run @count instructions at @words over all lanes of @run
 * @personality: "gc3000" or "gc2000"
 *
 * Returns: false when the core refuses the program; run->error says why.
 */
bool card_shader_run(const char *personality, bool fragment, const uint32_t *words,
		     unsigned int count, struct card_run *run);

#endif
