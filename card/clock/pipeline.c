// SPDX-License-Identifier: MIT
/*
 * Costs of work, and the overlap of pipeline stages. Costs are 16.16 fixed point cycles per
 * unit of work. Products are computed in 128 bits and saturate, so that no reported amount of
 * work can overflow.
 */
#include "clock/pipeline.h"

#include <string.h>

/* Upper limit of an operation's cost (years), so that sums cannot overflow. */
#define COST_MAX (UINT64_MAX >> 8)

/* The core gets at least 1 / MIN_SHARE of the memory's bandwidth beside scan-out. */
#define MIN_SHARE 8

struct cost {
	unsigned __int128 fixed; /* 16.16 */
};

static void add(struct cost *cost, uint64_t units, uint32_t price_fp)
{
	cost->fixed += (unsigned __int128)units * price_fp;
}

static void add_cycles(struct cost *cost, uint64_t units, uint32_t cycles)
{
	cost->fixed += (unsigned __int128)units * cycles << 16;
}

/* Rounded up: any work takes at least a cycle. */
static uint64_t whole(const struct cost *cost)
{
	unsigned __int128 cycles = (cost->fixed + 0xffff) >> 16;

	return cycles < COST_MAX ? (uint64_t)cycles : COST_MAX;
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t maximum(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* All traffic at the memory interface, except for the front end's fetches of commands. */
static void add_memory(struct cost *cost, const struct gpu_params *p, const struct gpu_work *w)
{
	const uint64_t bytes[] = {
		w->index_bytes,       w->vertex_bytes,       w->texture_bytes,
		w->color_read_bytes,  w->color_write_bytes,  w->depth_read_bytes,
		w->depth_write_bytes, w->ts_read_bytes,      w->ts_write_bytes,
		w->shader_read_bytes, w->shader_write_bytes, w->rs_read_bytes,
		w->rs_write_bytes,
	};

	for (unsigned int i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
		add(cost, bytes[i], p->memory_byte_fp);
}

uint64_t gpu_stage_cost(const struct gpu_params *p, const struct gpu_work *w, enum gpu_stage stage)
{
	struct cost cost = { 0 };

	switch (stage) {
	case GPU_STAGE_FE:
		add(&cost, w->fe_words, p->fe_word_fp);
		add(&cost, w->index_bytes, p->fe_index_byte_fp);
		add(&cost, w->vertex_bytes, p->fe_vertex_byte_fp);
		add_cycles(&cost, w->draws, p->draw_overhead);
		break;
	case GPU_STAGE_VS:
		add(&cost, w->vertices, p->vertex_fp);
		add(&cost, w->vs_instructions, p->vs_instruction_fp);
		add(&cost, w->vs_texels + w->vs_accesses, p->texel_fp);
		break;
	case GPU_STAGE_PA:
		add(&cost, w->primitives_in, p->primitive_fp);
		add(&cost, w->primitives_drawn, p->setup_fp);
		break;
	case GPU_STAGE_RA:
		add(&cost, w->tiles, p->tile_fp);
		add(&cost, w->quads, p->quad_fp);
		break;
	case GPU_STAGE_PS:
		add(&cost, w->ps_instructions, p->ps_instruction_fp);
		add(&cost, w->ps_texels + w->ps_accesses, p->texel_fp);
		break;
	case GPU_STAGE_PE:
		add(&cost, w->samples, p->pe_sample_fp);
		add(&cost, w->rs_pixels, p->rs_pixel_fp);
		add_cycles(&cost, w->flushes, p->flush_cycles);
		add(&cost, w->flush_bytes, p->flush_byte_fp);
		break;
	case GPU_STAGE_MC:
		add_memory(&cost, p, w);
		break;
	default:
		break;
	}
	return whole(&cost);
}

void gpu_pipeline_reset(struct gpu_pipeline *pipe, const struct gpu_params *params, uint64_t now)
{
	pipe->params = params;
	for (unsigned int s = 0; s < GPU_STAGES; s++)
		pipe->free_at[s] = pipe->entered[s] = now;
	for (unsigned int i = 0; i < GPU_PIPELINE_QUEUE; i++)
		pipe->taken[i] = now;
	pipe->newest = 0;
}

uint64_t gpu_pipeline_scale(const struct gpu_pipeline *pipe, uint64_t cycles)
{
	unsigned __int128 scaled;

	if (!pipe->slowdown_percent || pipe->slowdown_percent == 100)
		return cycles;
	scaled = ((unsigned __int128)cycles * pipe->slowdown_percent + 99) / 100;
	return scaled < COST_MAX ? (uint64_t)scaled : COST_MAX;
}

uint64_t gpu_pipeline_cost(const struct gpu_pipeline *pipe, const struct gpu_work *work,
			   enum gpu_stage stage)
{
	uint64_t cost = gpu_stage_cost(pipe->params, work, stage);
	unsigned __int128 shared =
		((unsigned __int128)cost * pipe->memory_factor_fp + 0xffff) >> 16;

	if (stage == GPU_STAGE_MC && pipe->memory_factor_fp)
		cost = shared < COST_MAX ? (uint64_t)shared : COST_MAX;
	return gpu_pipeline_scale(pipe, cost);
}

void gpu_pipeline_share_memory(struct gpu_pipeline *pipe, uint64_t bytes_per_second)
{
	uint32_t price = pipe->params->memory_byte_fp;
	uint64_t all = price ? (pipe->params->core_hz << 16) / price : 0;
	uint64_t most = all - all / MIN_SHARE;
	uint64_t taken = bytes_per_second < most ? bytes_per_second : most;

	pipe->memory_factor_fp = taken ? (all << 16) / (all - taken) : 0;
}

/* The front end waits while the queue behind it is full, until its oldest operation was taken. */
static void enqueue(struct gpu_pipeline *pipe, uint64_t taken)
{
	pipe->newest = (pipe->newest + 1) % GPU_PIPELINE_QUEUE;
	pipe->taken[pipe->newest] = taken;
	pipe->free_at[GPU_STAGE_FE] = maximum(pipe->free_at[GPU_STAGE_FE],
					      pipe->taken[(pipe->newest + 1) % GPU_PIPELINE_QUEUE]);
}

/*
 * An operation enters a stage when the stage is free and the operation before it has entered
 * the next stage: there are no queues between later stages. It leaves a stage no earlier than
 * its last part can have arrived from the stage before. Stages without work are passed without
 * waiting.
 */
uint64_t gpu_pipeline_push(struct gpu_pipeline *pipe, const struct gpu_work *work, uint64_t now)
{
	uint64_t arrive = now, end = now, taken = 0;

	for (unsigned int s = 0; s < GPU_STAGES; s++) {
		uint64_t cost = gpu_pipeline_cost(pipe, work, s);
		uint64_t latency = gpu_pipeline_scale(pipe, pipe->params->stage_latency[s]);
		uint64_t enter = arrive;

		if (cost) {
			enter = maximum(enter, pipe->free_at[s]);
			if (s + 1 < GPU_STAGES)
				enter = maximum(enter, pipe->entered[s + 1]);
			end = maximum(saturating_add(enter, cost), end);
			pipe->entered[s] = enter;
			pipe->free_at[s] = end;
			if (s != GPU_STAGE_FE && !taken)
				taken = enter;
		}
		arrive = saturating_add(enter, latency);
		end = saturating_add(end, latency);
	}
	if (taken)
		enqueue(pipe, taken);
	return end;
}

uint64_t gpu_pipeline_token(const struct gpu_pipeline *pipe, uint64_t now)
{
	for (unsigned int s = 0; s < GPU_STAGE_PE; s++)
		now = saturating_add(now, gpu_pipeline_scale(pipe, pipe->params->stage_latency[s]));
	return maximum(now, gpu_pipeline_drained(pipe));
}

void gpu_pipeline_wait(struct gpu_pipeline *pipe, enum gpu_stage stage, uint64_t cycle)
{
	for (unsigned int s = stage; s < GPU_STAGES; s++)
		pipe->free_at[s] = maximum(pipe->free_at[s], cycle);
}

uint64_t gpu_pipeline_drained(const struct gpu_pipeline *pipe)
{
	uint64_t last = 0;

	for (unsigned int s = 0; s < GPU_STAGES; s++)
		last = maximum(last, pipe->free_at[s]);
	return last;
}
