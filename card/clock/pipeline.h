/* SPDX-License-Identifier: MIT */
/*
 * Modelled time of the core: pieces of work pass through stages with bounded queues
 * between them, share the shader cores and the memory, and wait for each other there.
 *
 * A draw enters in pieces of some vertices or pixels, in the order in which the machine
 * would have them, so the slowest stage may be another one for each piece. All
 * arithmetic is integer and pure: the same pieces take the same time on each host.
 *
 * Arguments and results are cycles; inside, times are in ticks (GPU_TICKS a cycle).
 */
#ifndef CARD_CLOCK_PIPELINE_H
#define CARD_CLOCK_PIPELINE_H

#include <stdint.h>

#include "clock/memory.h"
#include "clock/params.h"
#include "clock/resource.h"
#include "clock/work.h"

/* Properties of a shader program that its time depends on */
struct gpu_program {
	uint64_t identity; /* equal numbers: the same program */
	uint32_t temporaries;
	/* mean issue cost of its instructions in percent of a move's; 0 means 100 */
	uint32_t issue_percent;
	uint32_t wave_code_bytes; /* bytes of instructions that each wave fetches from memory */
};

struct gpu_pipeline {
	const struct gpu_params *params;
	struct gpu_program vs, ps;
	uint64_t target;           /* see gpu_pipeline_set_target() */
	uint32_t slowdown_percent; /* factor on all costs, in percent; 0 means 100 */
	uint64_t jitter; /* seed, GPU_JITTER_OFF: none; for the memory from the next reset on */

	int64_t drawn_flush; /* cycles that jitter has added to flushes, never set back */

	/* ticks */
	uint64_t free_at[GPU_STAGES]; /* time at which the stage has finished all pieces so far */
	uint64_t texture_free_at;     /* likewise for the texture unit */
	uint64_t vertices_ready;      /* time at which the newest vertices have left their stage */
	/* times at which the front end began the last pieces with vertices or indices, in a ring */
	uint64_t fetched_at[GPU_MAX_VERTEX_PREFETCH];
	unsigned int fetches;
	struct {
		/* times at which the last gpu_params.queue pieces left the queue behind it */
		uint64_t at[GPU_MAX_QUEUE];
		unsigned int newest;
	} taken[GPU_STAGES];
	struct gpu_resource cores, threads;
	struct gpu_memory memory;
	struct gpu_memory_params memory_params;
};

/** gpu_pipeline_reset - empty it from cycle @now on; scan-out, slowdown and jitter stay */
void gpu_pipeline_reset(struct gpu_pipeline *pipe, const struct gpu_params *params, uint64_t now);

/**
 * gpu_pipeline_set_programs - set the programs that shade the following pieces
 *
 * With gpu_structure.program_drains the shader cores begin with another program when they have
 * finished the one before [chosen]: the stages share instruction memory, uniforms and registers.
 */
void gpu_pipeline_set_programs(struct gpu_pipeline *pipe, const struct gpu_program *vs,
			       const struct gpu_program *ps);

/**
 * gpu_pipeline_set_target - set the buffers that the following pieces draw into
 * @target: equal numbers mean the same buffers
 *
 * With gpu_structure.target_drains the rasteriser begins with other buffers when the pixel engine
 * has written all pixels of the ones before [chosen]: its early depth test reads what that writes.
 */
void gpu_pipeline_set_target(struct gpu_pipeline *pipe, uint64_t target);

/**
 * gpu_pipeline_share_memory - set the part of memory's bandwidth that scan-out uses
 * @pipe: one that was reset; later resets keep this, in ticks of the clock that it has now
 * @bytes_per_second: bandwidth; 0: no scan-out
 *
 * Scan-out reads GPU_SCANOUT_BYTES at a time, at equal intervals. At least an eighth of the
 * bandwidth is left.
 */
void gpu_pipeline_share_memory(struct gpu_pipeline *pipe, uint64_t bytes_per_second);

#define GPU_SCANOUT_BYTES 1024u /* a refill of the display's FIFO [chosen] */

/**
 * gpu_pipeline_push - let a piece of work enter the pipeline
 * @work: its amounts of work
 * @now: earliest cycle at which the front end can begin it
 *
 * Returns: the cycle at which the last stage has finished it.
 */
uint64_t gpu_pipeline_push(struct gpu_pipeline *pipe, const struct gpu_work *work, uint64_t now);

/**
 * gpu_pipeline_token - compute when a token that is sent now arrives behind the pixel engine
 * @now: cycle at which the front end sends it
 *
 * Semaphores and events of the pixel engine wait for this: everything pushed so far has drained,
 * and the token has passed every stage.
 */
uint64_t gpu_pipeline_token(const struct gpu_pipeline *pipe, uint64_t now);

/**
 * gpu_pipeline_wait - let stages from @stage on begin nothing before @cycle (a semaphore inside the
 * pipeline)
 */
void gpu_pipeline_wait(struct gpu_pipeline *pipe, enum gpu_stage stage, uint64_t cycle);

/** gpu_pipeline_scale - @cycles under the pipeline's slowdown. */
uint64_t gpu_pipeline_scale(const struct gpu_pipeline *pipe, uint64_t cycles);

/** gpu_pipeline_free_at - the cycle at which @stage has finished all that was pushed so far */
uint64_t gpu_pipeline_free_at(const struct gpu_pipeline *pipe, enum gpu_stage stage);

/** gpu_pipeline_drained - the cycle at which everything pushed so far has left all stages. */
uint64_t gpu_pipeline_drained(const struct gpu_pipeline *pipe);

/**
 * gpu_pipeline_drawn - cycles that jitter has added to work since the pipeline was created
 * @flush: those of flushes, all of which show in the time of the work
 * @memory: those of memory requests, which other work may have hidden
 */
void gpu_pipeline_drawn(const struct gpu_pipeline *pipe, int64_t *flush, int64_t *memory);

/**
 * gpu_pipeline_shading - cycles for which the shader cores issue the instructions of @work, and its
 * texture requests, loads, stores and atomics
 */
uint64_t gpu_pipeline_shading(const struct gpu_pipeline *pipe, const struct gpu_work *work);

/**
 * gpu_pipeline_waited - cycles in which requests to memory waited since the last reset
 * @direction: of the requests
 *
 * See gpu_memory_waited(). Whole cycles of the sum, so that differences add up.
 */
uint64_t gpu_pipeline_waited(const struct gpu_pipeline *pipe, enum gpu_memory_direction direction);

#endif
