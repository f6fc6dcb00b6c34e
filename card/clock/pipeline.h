/* SPDX-License-Identifier: MIT */
/*
 * Converts work to GPU cycles and overlaps the stages as a pipeline does: an operation takes as
 * long as its slowest stage, and the next operation enters a stage as soon as it is free. Pure
 * integer arithmetic.
 */
#ifndef CARD_CLOCK_PIPELINE_H
#define CARD_CLOCK_PIPELINE_H

#include <stdint.h>

#include "clock/work.h"

/* In the order in which operations pass them. */
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

/* Cost parameters; sets are rows of the table in clock/params.c. "16.16": fixed point. */
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

/* Operations queued behind the front end before it has to wait. */
#define GPU_PIPELINE_QUEUE 8

struct gpu_pipeline {
	const struct gpu_params *params;
	uint64_t free_at[GPU_STAGES];       /* cycle at which a stage can take the next operation */
	uint64_t entered[GPU_STAGES];       /* cycle at which the last operation entered a stage */
	uint64_t taken[GPU_PIPELINE_QUEUE]; /* cycles at which operations left the queue; a ring */
	unsigned int newest;                /* index of the last one */
	uint32_t slowdown_percent;          /* factor on all costs; 0 means 100 */
	uint32_t memory_factor_fp; /* factor on memory time because of scan-out, 16.16; 0 means 1 */
};

/** gpu_params_find - the set with this name, or NULL */
const struct gpu_params *gpu_params_find(const char *name);

/** gpu_params_at - set @index, or NULL behind the last one */
const struct gpu_params *gpu_params_at(unsigned int index);

/** gpu_stage_cost - cycles that @work occupies @stage */
uint64_t gpu_stage_cost(const struct gpu_params *params, const struct gpu_work *work,
			enum gpu_stage stage);

/** gpu_pipeline_cost - the same with this pipeline's slowdown and memory share */
uint64_t gpu_pipeline_cost(const struct gpu_pipeline *pipe, const struct gpu_work *work,
			   enum gpu_stage stage);

/**
 * gpu_pipeline_share_memory - set the memory bandwidth that scan-out takes from the core
 * @bytes_per_second: total bandwidth follows from memory_byte_fp and core_hz
 *
 * The core keeps at least an eighth.
 */
void gpu_pipeline_share_memory(struct gpu_pipeline *pipe, uint64_t bytes_per_second);

void gpu_pipeline_reset(struct gpu_pipeline *pipe, const struct gpu_params *params, uint64_t now);

/**
 * gpu_pipeline_push - pass an operation through the pipeline
 * @pipe: the pipeline
 * @work: the work of the operation
 * @now: earliest cycle at which the front end can begin it
 *
 * Returns: the cycle at which it leaves the last stage.
 */
uint64_t gpu_pipeline_push(struct gpu_pipeline *pipe, const struct gpu_work *work, uint64_t now);

/**
 * gpu_pipeline_token - the cycle at which a token arrives behind the pixel engine
 * @now: cycle at which the front end sends it
 *
 * Semaphores and events of the pixel engine wait for this: everything pushed so far has left
 * the pipeline, and the token has passed all stages.
 */
uint64_t gpu_pipeline_token(const struct gpu_pipeline *pipe, uint64_t now);

/**
 * gpu_pipeline_wait - stages from @stage on begin no operation before @cycle (semaphore in the
 * pipeline)
 */
void gpu_pipeline_wait(struct gpu_pipeline *pipe, enum gpu_stage stage, uint64_t cycle);

/** gpu_pipeline_scale - apply the pipeline's slowdown to @cycles */
uint64_t gpu_pipeline_scale(const struct gpu_pipeline *pipe, uint64_t cycles);

/** gpu_pipeline_drained - the cycle at which everything pushed so far has left the pipeline */
uint64_t gpu_pipeline_drained(const struct gpu_pipeline *pipe);

#endif
