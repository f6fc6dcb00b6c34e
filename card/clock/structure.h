/* SPDX-License-Identifier: MIT */
/*
 * Structure of the modelled machine: what is in parallel, what waits for what, and how large its
 * caches are. Prices of units of work are in params.h. Named sets, files and machines of seeds have
 * the structure gpu_structure_usual; those of a secret have one of their own.
 */
#ifndef CARD_CLOCK_STRUCTURE_H
#define CARD_CLOCK_STRUCTURE_H

#include <stdbool.h>
#include <stdint.h>

/* How the memory's arbiter changes between clients that are served at the same time */
enum gpu_arbitration {
	GPU_ARBITER_TURNS, /* they take turns after each burst, while both have lines left */
	/* in the order of enum gpu_memory_client: earlier ones interrupt a client, once a burst */
	GPU_ARBITER_ORDER,
	GPU_ARBITER_WHOLE, /* a request is served as a whole: one change for each other client */
	GPU_ARBITRATIONS
};

#define GPU_MAX_BANKS 16u
#define GPU_MAX_VERTEX_PREFETCH 8u

struct gpu_structure {
	uint8_t wave; /* lanes that are shaded together */
	/* Caches: lines of 64 bytes, ways. */
	uint8_t texture_lines; /* 0: as many as the personality has */
	uint8_t texture_ways;
	uint8_t pixel_lines; /* of the colour cache, and of the depth cache; a multiple of 4 */
	/*
	 * DRAM: banks, a power of two, each with one open page; log2 of a page's bytes, at most 16;
	 * log2 of the pages after which the mapping to banks changes, 0: never
	 */
	uint8_t banks;
	uint8_t page_log2;
	uint8_t bank_mix;
	uint8_t arbitration; /* enum gpu_arbitration */
	/* Pieces of vertices and indices that are read ahead of the one that is used */
	uint8_t vertex_prefetch;
	/* Another program begins when the cores have ended the pixels of the one before. */
	bool program_drains;
	/* Another target begins when the pixel engine has written all pixels of the one before. */
	bool target_drains;
	/* The pixel engine transfers the lines of depth, not the rasteriser. */
	bool late_depth;
	/* The rasteriser sets primitives up, not the assembly. */
	bool late_setup;
};

/* That of all sets but those of a secret */
#define GPU_STRUCTURE_USUAL                       \
	{                                         \
		.wave = 64,                       \
		.texture_ways = 2,                \
		.pixel_lines = 32,                \
		.banks = 8,                       \
		.page_log2 = 13,                  \
		.bank_mix = 3,                    \
		.program_drains = true,           \
		.target_drains = true,            \
		.arbitration = GPU_ARBITER_TURNS, \
	}
extern const struct gpu_structure gpu_structure_usual;

/**
 * gpu_structure_draw - draw a structure
 * @structure: receives it; depends on @secret only, on each host
 * @secret: all 64 bits count
 */
void gpu_structure_draw(struct gpu_structure *structure, uint64_t secret);

#endif
