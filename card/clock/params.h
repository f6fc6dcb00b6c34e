/* SPDX-License-Identifier: MIT */
/*
 * Parameters of the modelled machine. Named sets are the files params/NAME.params; the name counts
 * that is in a file's line "set NAME".
 */
#ifndef CARD_CLOCK_PARAMS_H
#define CARD_CLOCK_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "clock/structure.h"

/* In the order in which work passes through them, but for the memory, which serves the others */
enum gpu_stage {
	GPU_STAGE_FE, /* command and vertex fetch */
	GPU_STAGE_VS, /* vertex shading */
	GPU_STAGE_PA, /* primitive assembly and set-up */
	GPU_STAGE_RA, /* rasteriser, early depth */
	GPU_STAGE_PS, /* pixel shading and texturing */
	GPU_STAGE_PE, /* pixel engine and resolve */
	GPU_STAGE_MC, /* memory */
	GPU_STAGES
};

/* Cost parameters. Cycles of the core, in 16.16 fixed point for names that end in _fp. */
struct gpu_params {
	char name[32]; /* imx6q, gc7000-like, slow-memory, wide; a file's; seed:N; secret */
	uint64_t core_hz;

	/* front end: cost of */
	uint32_t fe_word_fp;        /* a word of the stream */
	uint32_t fe_index_byte_fp;  /* an index byte */
	uint32_t fe_vertex_byte_fp; /* an attribute byte */
	uint32_t draw_overhead;     /* a draw, cycles */

	/* transfer of vertices to and from the shader cores */
	uint32_t vertex_fp; /* a vertex */

	/* shader cores, shared by vertices and pixels */
	uint32_t instruction_fp;      /* an instruction of one lane, issued */
	uint32_t texel_fp;            /* a texture request of one lane, load, store or atomic */
	uint32_t threads;             /* lanes in flight */
	uint32_t thread_temporaries;  /* a shader with more temporaries has fewer lanes in flight */
	uint32_t instruction_latency; /* cycles until the next instruction of the same lane */
	/* cycles until the answer to a texture request that hits the cache */
	uint32_t texture_latency;
	uint32_t texture_misses; /* cache lines that may be requested at the same time */

	/* primitives: cost of */
	uint32_t primitive_fp; /* assembly of one */
	uint32_t setup_fp;     /* set-up of one that is drawn */
	uint32_t tile_fp;      /* a raster tile (8x8 pixels) that is visited */
	uint32_t reject_fp;    /* quad that early depth rejects */
	uint32_t quad_fp;      /* a quad that is shaded */

	/* pixel engine and resolve engine */
	uint32_t pe_sample_fp;        /* sample written */
	uint32_t rs_pixel_fp;         /* pixel resolved */
	uint32_t flush_cycles;        /* pixel cache flush, cycles */
	uint32_t flush_byte_fp;       /* dirty byte written back by it */
	uint32_t status_flush_cycles; /* tile status flush, cycles */

	/* memory */
	uint32_t memory_byte_fp;     /* byte moved */
	uint32_t memory_page_cycles; /* opening a DRAM page */
	uint32_t memory_turn_cycles; /* change between two clients and back, cycles */
	uint32_t memory_burst_lines; /* lines between two such changes */
	uint32_t memory_latency;     /* cycles until the first data */
	uint32_t refresh_ns, refresh_busy_ns;

	/* with jitter only */
	uint32_t flush_spread;        /* a flush takes up to so many cycles more or less */
	uint32_t memory_spread;       /* memory is up to so many percent slower or faster, */
	uint32_t memory_spread_ns;    /* for so long at a time: other masters use it, too */
	uint32_t interrupt_spread_ns; /* an interrupt comes up to so much later */

	uint32_t stage_latency[GPU_STAGES]; /* cycles from one stage to the next */
	uint8_t queue[GPU_STAGES]; /* pieces of work that can wait behind a stage, at least 1 */

	struct gpu_structure structure;
};

/* The largest of gpu_params.queue. */
#define GPU_MAX_QUEUE 16

/** gpu_params_find - the set called @name, or NULL. */
const struct gpu_params *gpu_params_find(const char *name);

/** gpu_params_at - set @index for listings, or NULL past the end. */
const struct gpu_params *gpu_params_at(unsigned int index);

/** gpu_params_ranges - the ranges that sets are drawn from: the lowest and the highest values */
void gpu_params_ranges(struct gpu_params *low, struct gpu_params *high);

/**
 * gpu_params_choose - the set that an option asks for
 * @params: receives it
 * @choice: name of a set; "seed:N", a set drawn from params/ranges; "secret:N", one whose structure
 *	is drawn as well, named "secret"; or a file's path, with a '/'
 *
 * Returns: NULL, or an error message, valid until the next call.
 */
const char *gpu_params_choose(struct gpu_params *params, const char *choice);

#endif
