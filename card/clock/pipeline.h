/* SPDX-License-Identifier: MIT */
/*
 * Prices work in GPU cycles and overlaps the stages as a pipeline does: an
 * operation takes as long as its slowest stage, and the next operation enters
 * a stage as soon as that stage is free. All arithmetic is integer and pure.
 */
#ifndef CARD_CLOCK_PIPELINE_H
#define CARD_CLOCK_PIPELINE_H

#include <stdint.h>

#include "clock/work.h"

/* In the order in which an operation passes through them. */
enum gpu_stage {
	GPU_STAGE_FE, /* command and vertex fetch */
	GPU_STAGE_VS, /* vertex shading */
	GPU_STAGE_PA, /* primitive assembly and set-up */
	GPU_STAGE_RA, /* rasteriser */
	GPU_STAGE_PS, /* pixel shading and texturing */
	GPU_STAGE_PE, /* pixel engine and resolve */
	GPU_STAGE_MC, /* memory traffic of the whole operation */
	GPU_STAGES
};

/* Cost parameters; one table row a set (card/clock/params.c). 16.16 fixed point where said. */
struct gpu_params {
	const char *name; /* imx6q, gc7000-like, slow-memory, wide */
	uint64_t core_hz;
	uint32_t fe_word_fp;        /* cycles per stream word, 16.16 */
	uint32_t fe_index_byte_fp;  /* cycles per index byte, 16.16 */
	uint32_t fe_vertex_byte_fp; /* cycles per attribute byte, 16.16 */
	uint32_t vertex_fp;         /* cycles per vertex besides its instructions, 16.16 */
	uint32_t vs_instruction_fp; /* cycles per lane instruction, 16.16 */
	uint32_t ps_instruction_fp;
	uint32_t texel_fp;       /* cycles per lane texture request, load, store or atomic, 16.16 */
	uint32_t primitive_fp;   /* cycles per assembled primitive, 16.16 */
	uint32_t setup_fp;       /* cycles per drawn primitive, 16.16 */
	uint32_t tile_fp;        /* cycles per raster tile, 16.16 */
	uint32_t quad_fp;        /* cycles per quad, 16.16 */
	uint32_t pe_sample_fp;   /* cycles per sample written, 16.16 */
	uint32_t rs_pixel_fp;    /* cycles per resolved pixel, 16.16 */
	uint32_t memory_byte_fp; /* cycles per byte that misses the caches, 16.16 */
	uint32_t stage_latency[GPU_STAGES]; /* cycles from entering a stage to entering the next */
	uint32_t draw_overhead;             /* cycles a draw costs the front end */
	uint32_t flush_cycles;              /* cycles of a pixel cache flush */
	uint32_t flush_byte_fp;             /* cycles per dirty cache byte written back, 16.16 */
};

/* Operations that may wait behind the front end before it has to wait itself. */
#define GPU_PIPELINE_QUEUE 8

struct gpu_pipeline {
	const struct gpu_params *params;
	uint64_t free_at[GPU_STAGES]; /* cycle at which each stage can take the next operation */
	uint64_t entered[GPU_STAGES]; /* cycle at which the newest operation entered each stage */
	uint64_t taken[GPU_PIPELINE_QUEUE]; /* when the last operations left the queue, a ring */
	unsigned int newest;                /* of that ring */
	uint32_t slowdown_percent;          /* every cost is this much of its price; 0 means 100 */
	uint32_t
		memory_factor_fp; /* so much more time memory takes beside scan-out, 16.16; 0 means 1 */
};

/** gpu_params_find - the set called @name, or NULL. */
const struct gpu_params *gpu_params_find(const char *name);

/** gpu_params_at - set @index for listings, or NULL past the end. */
const struct gpu_params *gpu_params_at(unsigned int index);

/** gpu_stage_cost - cycles that @work keeps @stage busy. */
uint64_t gpu_stage_cost(const struct gpu_params *params, const struct gpu_work *work,
			enum gpu_stage stage);

/** gpu_pipeline_cost - cycles that @work keeps @stage of this pipeline busy: slowed down, and beside scan-out. */
uint64_t gpu_pipeline_cost(const struct gpu_pipeline *pipe, const struct gpu_work *work,
			   enum gpu_stage stage);

/**
 * gpu_pipeline_share_memory - scan-out takes a part of memory's bandwidth
 * @bytes_per_second: so much; the whole is what memory_byte_fp and core_hz make it
 *
 * What is left to the core is at least an eighth.
 */
void gpu_pipeline_share_memory(struct gpu_pipeline *pipe, uint64_t bytes_per_second);

void gpu_pipeline_reset(struct gpu_pipeline *pipe, const struct gpu_params *params, uint64_t now);

/**
 * gpu_pipeline_push - let an operation enter the pipeline
 * @pipe: the pipeline
 * @work: what the operation does
 * @now: earliest cycle at which the front end can begin it
 *
 * Returns: the cycle at which the last stage has finished it.
 */
uint64_t gpu_pipeline_push(struct gpu_pipeline *pipe, const struct gpu_work *work, uint64_t now);

/**
 * gpu_pipeline_token - when a token sent down the pipeline now has arrived behind the pixel engine
 * @now: cycle at which the front end sends it
 *
 * What semaphores and events of the pixel engine wait for: everything pushed
 * so far has drained, and the token itself has passed every stage.
 */
uint64_t gpu_pipeline_token(const struct gpu_pipeline *pipe, uint64_t now);

/** gpu_pipeline_wait - stages from @stage on take no further operation before @cycle (a semaphore inside the pipeline). */
void gpu_pipeline_wait(struct gpu_pipeline *pipe, enum gpu_stage stage, uint64_t cycle);

/** gpu_pipeline_scale - @cycles under the pipeline's slowdown. */
uint64_t gpu_pipeline_scale(const struct gpu_pipeline *pipe, uint64_t cycles);

/** gpu_pipeline_drained - the cycle at which everything pushed so far has left the pixel engine and memory. */
uint64_t gpu_pipeline_drained(const struct gpu_pipeline *pipe);

#endif
