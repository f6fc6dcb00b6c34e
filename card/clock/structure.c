// SPDX-License-Identifier: MIT
/* Structures of modelled machines: the usual one, and those drawn from a secret. */
#include "clock/structure.h"

#include "clock/random.h"

const struct gpu_structure gpu_structure_usual = GPU_STRUCTURE_USUAL;

#define CHOICES 4

/* Each member is drawn by itself, from the rows with equal chances. */
static const struct choices {
	uint8_t wave, texture_lines, texture_ways, pixel_lines, banks, page_log2, bank_mix,
		prefetch;
} choices[CHOICES] = {
	{ 8, 16, 1, 8, 2, 11, 0, 0 },
	{ 16, 32, 2, 16, 4, 12, 2, 1 },
	{ 32, 64, 4, 24, 8, 13, 3, 4 },
	{ 64, 0, 2, 32, 16, 14, 5, 8 },
};

static const struct choices *choice(uint64_t *state)
{
	return &choices[random_next(state) % CHOICES];
}

static bool coin(uint64_t *state)
{
	return random_next(state) & 1;
}

void gpu_structure_draw(struct gpu_structure *structure, uint64_t secret)
{
	uint64_t state = secret;

	*structure = (struct gpu_structure){ .wave = choice(&state)->wave };
	structure->texture_lines = choice(&state)->texture_lines;
	structure->texture_ways = choice(&state)->texture_ways;
	structure->pixel_lines = choice(&state)->pixel_lines;
	structure->banks = choice(&state)->banks;
	structure->page_log2 = choice(&state)->page_log2;
	structure->bank_mix = choice(&state)->bank_mix;
	structure->vertex_prefetch = choice(&state)->prefetch;
	structure->arbitration = random_next(&state) % GPU_ARBITRATIONS;
	structure->program_drains = coin(&state);
	structure->target_drains = coin(&state);
	structure->late_depth = coin(&state);
	structure->late_setup = coin(&state);
}
