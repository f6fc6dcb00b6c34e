// SPDX-License-Identifier: MIT
/*
 * Passage of a piece of work through the stages.
 *
 * A piece enters a stage when the stage is free, when its first part has come from the stage
 * before, and when the queue behind the stage has space: at most gpu_params.queue pieces wait
 * there. It leaves the stage when the stage has finished and its last part has come. Stages without
 * work for the piece are skipped.
 *
 * Vertices and pixels share the shader cores (instructions issued), their threads (lanes in
 * flight), the texture unit and the memory.
 */
#include "clock/pipeline.h"

#include <stdbool.h>
#include <string.h>

#include "clock/jitter.h"

/* Limit of a stage's ticks for one piece (two hours at 528 MHz): sums do not overflow */
#define COST_MAX (UINT64_C(1) << 50)

/* Amounts (24 bits) that can be multiplied by a price (32 bits) and GPU_TICKS in 64 bits */
#define UNITS_64 0xffff00u

/* A piece of work on its way through the stages */
struct passage {
	uint64_t start;      /* arrival of its first part */
	uint64_t end;        /* arrival of its last part */
	enum gpu_stage last; /* last stage that worked on it; GPU_STAGES: none */
};

static uint64_t maximum(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t minimum(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t capped(unsigned __int128 ticks)
{
	return ticks < COST_MAX ? (uint64_t)ticks : COST_MAX;
}

/*
 * Out of line, as the functions below: code of the pipeline runs once per piece and must leave room
 * in the host's instruction cache for what runs for each quad.
 */
static __attribute__((noinline, cold)) uint64_t slow_down(const struct gpu_pipeline *pipe,
							  uint64_t cost)
{
	return capped(((unsigned __int128)cost * pipe->slowdown_percent + 99) / 100);
}

static inline uint64_t scale(const struct gpu_pipeline *pipe, uint64_t cost)
{
	if (__builtin_expect(!pipe->slowdown_percent || pipe->slowdown_percent == 100, 1))
		return cost;
	return slow_down(pipe, cost);
}

/* price() of more units than UNITS_64, without the slowdown */
static __attribute__((noinline, cold)) uint64_t large_price(uint64_t units, uint32_t fp)
{
	return capped(((unsigned __int128)units * fp * GPU_TICKS + 0xffff) >> 16);
}

/* Ticks of @units at a cost in 16.16 cycles, rounded up: no work is free unless its price is 0. */
static __attribute__((noinline)) uint64_t price(const struct gpu_pipeline *pipe, uint64_t units,
						uint32_t fp)
{
	if (__builtin_expect(units > UNITS_64, 0))
		return scale(pipe, large_price(units, fp));
	return scale(pipe, (units * fp * GPU_TICKS + 0xffff) >> 16);
}

static __attribute__((noinline)) uint64_t price_cycles(const struct gpu_pipeline *pipe,
						       uint64_t units, uint32_t cycles)
{
	if (__builtin_expect(units > UNITS_64, 0))
		return scale(pipe, capped((unsigned __int128)units * cycles * GPU_TICKS));
	return scale(pipe, minimum(units * cycles * GPU_TICKS, COST_MAX));
}

static __attribute__((noinline, cold)) uint64_t large_fraction(uint64_t a, uint64_t b, uint64_t c)
{
	return capped((unsigned __int128)a * b / c);
}

/* @a * @b / @c */
static inline uint64_t fraction(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		return large_fraction(a, b, c);
	return minimum(product / c, COST_MAX);
}

static uint64_t to_ticks(uint64_t cycles)
{
	return cycles < UINT64_MAX / GPU_TICKS / 2 ? cycles * GPU_TICKS : UINT64_MAX / 2;
}

static uint64_t to_cycles(uint64_t ticks)
{
	return (ticks + GPU_TICKS - 1) / GPU_TICKS;
}

/* ---- stages and queues ---- */

static uint64_t latency(const struct gpu_pipeline *pipe, enum gpu_stage stage)
{
	return scale(pipe, (uint64_t)pipe->params->stage_latency[stage] * GPU_TICKS);
}

/* Place of the oldest of the last gpu_params.queue pieces that left the queue behind @stage */
static inline unsigned int oldest_taken(const struct gpu_pipeline *pipe, enum gpu_stage stage)
{
	unsigned int next = pipe->taken[stage].newest + 1;

	return next < pipe->params->queue[stage] ? next : 0;
}

/* At @start the piece leaves the queue behind @stage, for the next stage that works on it. */
static inline void note_taken(struct gpu_pipeline *pipe, enum gpu_stage stage, uint64_t start)
{
	unsigned int place = oldest_taken(pipe, stage);

	pipe->taken[stage].newest = place;
	pipe->taken[stage].at[place] = start;
}

/* Time at which the queue behind @stage has space */
static inline uint64_t room_at(const struct gpu_pipeline *pipe, enum gpu_stage stage)
{
	return pipe->taken[stage].at[oldest_taken(pipe, stage)];
}

static __attribute__((noinline)) void enter(struct gpu_pipeline *pipe, struct passage *piece,
					    enum gpu_stage stage)
{
	piece->start = maximum(piece->start, pipe->free_at[stage]);
	piece->start = maximum(piece->start, room_at(pipe, stage));
	if (piece->last != GPU_STAGES)
		note_taken(pipe, piece->last, piece->start);
	piece->last = stage;
}

/* The stage has finished the piece at @end, or when its last part came if that is later. */
static void leave(struct gpu_pipeline *pipe, struct passage *piece, enum gpu_stage stage,
		  uint64_t end)
{
	piece->end = maximum(piece->end, end);
	pipe->free_at[stage] = piece->end;
}

static void pass_on(const struct gpu_pipeline *pipe, struct passage *piece, enum gpu_stage stage)
{
	piece->start += latency(pipe, stage);
	piece->end += latency(pipe, stage);
}

/* ---- shared resources ---- */

/*
 * Bytes that a client transfers, the part of them that it writes, the DRAM pages that they open,
 * and the MMU's walks for them
 */
struct traffic {
	uint64_t bytes, written, pages, walks;
};

/*
 * Transfer what a client's caches miss, from @arrival on. A walk of the MMU is a read of its own,
 * in another page, and delays the client by the memory's latency. Returns: when the last bytes are
 * transferred.
 */
static __attribute__((noinline)) uint64_t move(struct gpu_pipeline *pipe,
					       enum gpu_memory_client client, uint64_t arrival,
					       const struct traffic *traffic)
{
	struct gpu_memory_request request;
	uint64_t end;

	if (!traffic->bytes)
		return arrival;
	request = (struct gpu_memory_request){
		.bytes = traffic->bytes + traffic->walks * GPU_MEMORY_LINE_BYTES,
		.pages = traffic->pages + traffic->walks,
		.written_bytes = traffic->written,
	};
	end = gpu_memory_serve(&pipe->memory, client, arrival, &request);
	pipe->free_at[GPU_STAGE_MC] = maximum(pipe->free_at[GPU_STAGE_MC], end);
	return end + price_cycles(pipe, 1 + traffic->walks, pipe->params->memory_latency);
}

static uint64_t stream_pages(const struct gpu_pipeline *pipe, uint64_t bytes)
{
	return gpu_memory_pages(bytes, pipe->params->structure.page_log2);
}

/* Read and write bytes at successive addresses. */
static __attribute__((noinline)) uint64_t move_stream(struct gpu_pipeline *pipe,
						      enum gpu_memory_client client,
						      uint64_t arrival, uint64_t read,
						      uint64_t written)
{
	struct traffic traffic = { .bytes = read + written, .written = written };

	if (!traffic.bytes)
		return arrival;
	traffic.pages = stream_pages(pipe, traffic.bytes);
	return move(pipe, client, arrival, &traffic);
}

/* Work of one stage for the shader cores */
struct shading {
	const struct gpu_program *program;
	uint64_t lanes, instructions, texels, accesses;
	uint64_t read, written; /* bytes of loads, stores and atomics */
	uint64_t filters;
	struct traffic texture;
};

/* Ticks for which the cores issue the instructions */
static uint64_t issue_time(const struct gpu_pipeline *pipe, const struct gpu_program *program,
			   uint64_t instructions)
{
	uint32_t percent = program->issue_percent ? program->issue_percent : 100;

	return price(pipe, fraction(instructions, percent, 100), pipe->params->instruction_fp);
}

/* Waves that fit into the cores with the program's temporaries, at least one. */
static uint64_t waves_in_flight(const struct gpu_params *params, const struct gpu_program *program)
{
	uint64_t lanes = params->threads;

	if (program->temporaries > params->thread_temporaries)
		lanes = lanes * params->thread_temporaries / program->temporaries;
	return maximum(lanes / params->structure.wave, 1);
}

/* Ticks from the first instruction of a lane to its last one. */
static uint64_t lane_time(const struct gpu_pipeline *pipe, const struct shading *s)
{
	const struct gpu_params *p = pipe->params;
	uint64_t issued = price_cycles(pipe, s->instructions, p->instruction_latency);
	uint64_t looked_up = price_cycles(pipe, s->texels + s->accesses, p->texture_latency);

	return minimum(issued / s->lanes + looked_up / s->lanes, COST_MAX);
}

/*
 * The texture unit: filters, and the latency of misses, of which a limited number can be
 * outstanding.
 */
static uint64_t look_up(struct gpu_pipeline *pipe, const struct shading *s, uint64_t arrival)
{
	const struct gpu_params *p = pipe->params;
	uint64_t lines = s->texture.bytes / GPU_MEMORY_LINE_BYTES;
	uint64_t start = maximum(arrival, pipe->texture_free_at), moved, filters, misses;

	if (!s->texels && !s->accesses)
		return arrival;
	filters = price(pipe, s->texels + s->accesses + s->filters, p->texel_fp);
	misses = price_cycles(pipe, lines, p->memory_latency) / p->texture_misses;
	moved = move(pipe, GPU_MEMORY_TX, start, &s->texture);
	pipe->texture_free_at = start + maximum(filters, misses);
	return maximum(pipe->texture_free_at, moved);
}

/* Shade the lanes of one stage. Returns: when the last one has finished. */
static uint64_t shade(struct gpu_pipeline *pipe, const struct shading *s, uint64_t arrival)
{
	uint64_t issue = issue_time(pipe, s->program, s->instructions);
	uint64_t wave = pipe->params->structure.wave;
	uint64_t lane = lane_time(pipe, s), waves = (s->lanes + wave - 1) / wave;
	uint64_t in_flight = waves_in_flight(pipe->params, s->program);
	uint64_t occupied = fraction(lane, waves, in_flight);
	uint64_t end = maximum(arrival + lane, gpu_resource_reserve(&pipe->cores, arrival, issue));

	end = maximum(end, move_stream(pipe, GPU_MEMORY_SH, arrival, s->read, s->written));
	end = maximum(end, move_stream(pipe, GPU_MEMORY_SH, arrival,
				       waves * s->program->wave_code_bytes, 0));
	end = maximum(end, gpu_resource_reserve(&pipe->threads, arrival, occupied));
	return maximum(end, look_up(pipe, s, arrival));
}

/* ---- the stages ---- */

/*
 * When the front end requests vertices and indices of a piece that came at @came and that it begins
 * at @begin. With a prefetch of N pieces it does so when it begins the Nth piece before this one.
 */
static uint64_t prefetched(struct gpu_pipeline *pipe, uint64_t came, uint64_t begin)
{
	unsigned int depth = pipe->params->structure.vertex_prefetch;
	uint64_t *oldest;

	if (!depth)
		return begin;
	oldest = &pipe->fetched_at[pipe->fetches++ % depth];
	came = maximum(came, *oldest);
	*oldest = begin;
	return minimum(came, begin);
}

static void fetch(struct gpu_pipeline *pipe, struct passage *piece, const struct gpu_work *w)
{
	const struct gpu_params *p = pipe->params;
	uint64_t cost = price(pipe, w->fe_words, p->fe_word_fp) +
			price(pipe, w->index_bytes, p->fe_index_byte_fp) +
			price(pipe, w->vertex_bytes, p->fe_vertex_byte_fp) +
			price_cycles(pipe, w->draws, p->draw_overhead);

	if (cost) {
		uint64_t came = piece->start, bytes = w->index_bytes + w->vertex_bytes, request;

		enter(pipe, piece, GPU_STAGE_FE);
		request = bytes ? prefetched(pipe, came, piece->start) : piece->start;
		leave(pipe, piece, GPU_STAGE_FE,
		      maximum(piece->start + cost,
			      move_stream(pipe, GPU_MEMORY_FE, request, bytes, 0)));
	}
	pass_on(pipe, piece, GPU_STAGE_FE);
}

static void shade_vertices(struct gpu_pipeline *pipe, struct passage *piece,
			   const struct gpu_work *w)
{
	const struct shading s = {
		.program = &pipe->vs,
		.lanes = maximum(w->vertices, 1),
		.instructions = w->vs_instructions,
		.texels = w->vs_texels,
		.accesses = w->vs_accesses,
		.read = w->vs_read_bytes,
		.written = w->vs_write_bytes,
	};

	if (w->vertices) {
		enter(pipe, piece, GPU_STAGE_VS);
		piece->start = move_stream(pipe, GPU_MEMORY_SH, piece->start, w->code_bytes, 0);
		leave(pipe, piece, GPU_STAGE_VS,
		      maximum(piece->start + price(pipe, w->vertices, pipe->params->vertex_fp),
			      shade(pipe, &s, piece->start)));
		pipe->vertices_ready = piece->end;
	}
	pass_on(pipe, piece, GPU_STAGE_VS);
}

static void assemble(struct gpu_pipeline *pipe, struct passage *piece, const struct gpu_work *w)
{
	uint64_t cost = price(pipe, w->primitives_in, pipe->params->primitive_fp);

	if (!pipe->params->structure.late_setup)
		cost += price(pipe, w->primitives_drawn, pipe->params->setup_fp);
	if (cost) {
		enter(pipe, piece, GPU_STAGE_PA);
		leave(pipe, piece, GPU_STAGE_PA, piece->start + cost);
	}
	pass_on(pipe, piece, GPU_STAGE_PA);
}

/* Transfer the depth buffer's lines. */
static uint64_t move_depth(struct gpu_pipeline *pipe, uint64_t arrival, const struct gpu_work *w)
{
	const struct traffic depth = {
		.bytes = w->depth_read_bytes + w->depth_write_bytes,
		.written = w->depth_write_bytes,
		.pages = w->depth_pages,
		.walks = w->depth_walks,
	};

	return move(pipe, GPU_MEMORY_RA, arrival, &depth);
}

static void rasterise(struct gpu_pipeline *pipe, struct passage *piece, const struct gpu_work *w)
{
	const struct gpu_params *p = pipe->params;
	uint64_t cost = price(pipe, w->tiles, p->tile_fp) + price(pipe, w->rejected, p->reject_fp) +
			price(pipe, w->quads, p->quad_fp);

	if (p->structure.late_setup)
		cost += price(pipe, w->primitives_drawn, p->setup_fp);
	if (cost) {
		uint64_t moved;

		enter(pipe, piece, GPU_STAGE_RA);
		moved = p->structure.late_depth ? piece->start : move_depth(pipe, piece->start, w);
		leave(pipe, piece, GPU_STAGE_RA, maximum(piece->start + cost, moved));
	}
	pass_on(pipe, piece, GPU_STAGE_RA);
}

static void shade_pixels(struct gpu_pipeline *pipe, struct passage *piece, const struct gpu_work *w)
{
	const struct shading s = {
		.program = &pipe->ps,
		.lanes = maximum(4 * w->quads, 1),
		.instructions = w->ps_instructions,
		.texels = w->ps_texels,
		.accesses = w->ps_accesses,
		.read = w->ps_read_bytes,
		.written = w->ps_write_bytes,
		.filters = w->filters,
		.texture = { w->texture_bytes, 0, w->texture_pages, w->texture_walks },
	};

	if (w->ps_instructions || w->ps_texels) {
		enter(pipe, piece, GPU_STAGE_PS);
		leave(pipe, piece, GPU_STAGE_PS, shade(pipe, &s, piece->start));
	}
	pass_on(pipe, piece, GPU_STAGE_PS);
}

/* Transfer colours, and for resolves what they read from one surface and write to another. */
static uint64_t move_pixels(struct gpu_pipeline *pipe, uint64_t arrival, const struct gpu_work *w)
{
	const uint64_t written = w->color_write_bytes + w->ts_write_bytes + w->rs_write_bytes;
	const struct traffic traffic = {
		.bytes = w->color_read_bytes + w->ts_read_bytes + w->rs_read_bytes + written,
		.written = written,
		.pages = w->color_pages + stream_pages(pipe, w->ts_read_bytes + w->ts_write_bytes) +
			 stream_pages(pipe, w->rs_read_bytes) +
			 stream_pages(pipe, w->rs_write_bytes),
		.walks = w->color_walks,
	};

	return move(pipe, GPU_MEMORY_PE, arrival, &traffic);
}

/*
 * Ticks of cache flushes; with jitter it matters what the caches and the memory are doing. A spread
 * above the cost, which could make it negative, is ignored.
 */
static uint64_t flush_time(struct gpu_pipeline *pipe, uint64_t flushes, uint64_t now)
{
	const struct gpu_params *p = pipe->params;
	uint64_t cycles = p->flush_cycles;

	if (pipe->jitter != GPU_JITTER_OFF && cycles >= p->flush_spread)
		cycles += gpu_jitter(pipe->jitter, GPU_JITTER_FLUSH, now, 2 * p->flush_spread) -
			  p->flush_spread;
	pipe->drawn_flush += (int64_t)flushes * ((int64_t)cycles - (int64_t)p->flush_cycles);
	return price_cycles(pipe, flushes, (uint32_t)cycles);
}

static void write_pixels(struct gpu_pipeline *pipe, struct passage *piece, const struct gpu_work *w)
{
	const struct gpu_params *p = pipe->params;
	uint64_t cost = price(pipe, w->samples, p->pe_sample_fp) +
			price(pipe, w->rs_pixels, p->rs_pixel_fp) +
			flush_time(pipe, w->flushes, piece->start) +
			price_cycles(pipe, w->status_flushes, p->status_flush_cycles) +
			price(pipe, w->flush_bytes, p->flush_byte_fp);
	bool depth = p->structure.late_depth && w->depth_read_bytes + w->depth_write_bytes;

	if (cost || w->ts_read_bytes || w->ts_write_bytes || depth) {
		uint64_t moved;

		enter(pipe, piece, GPU_STAGE_PE);
		moved = depth ? move_depth(pipe, piece->start, w) : piece->start;
		moved = maximum(moved, move_pixels(pipe, piece->start, w));
		leave(pipe, piece, GPU_STAGE_PE, maximum(piece->start + cost, moved));
	}
}

uint64_t gpu_pipeline_push(struct gpu_pipeline *pipe, const struct gpu_work *w, uint64_t now)
{
	struct passage piece = { .start = to_ticks(now), .end = to_ticks(now), .last = GPU_STAGES };

	/* primitives without vertices of their own are those of an earlier piece's vertices */
	if (!w->vertices && w->primitives_in + w->tiles + w->quads)
		piece.start = piece.end = maximum(piece.start, pipe->vertices_ready);
	fetch(pipe, &piece, w);
	shade_vertices(pipe, &piece, w);
	assemble(pipe, &piece, w);
	rasterise(pipe, &piece, w);
	shade_pixels(pipe, &piece, w);
	write_pixels(pipe, &piece, w);
	return to_cycles(piece.end);
}

/* ---- the whole ---- */

/* Set the costs of the memory, in ticks. */
static void set_memory(struct gpu_pipeline *pipe)
{
	const struct gpu_params *p = pipe->params;
	uint64_t ticks_a_second = p->core_hz * GPU_TICKS;

	pipe->memory_params = (struct gpu_memory_params){
		.line = (uint32_t)(((uint64_t)p->memory_byte_fp * GPU_MEMORY_LINE_BYTES *
				    GPU_TICKS) >>
				   16),
		.page = p->memory_page_cycles * GPU_TICKS,
		.turn = p->memory_turn_cycles * GPU_TICKS,
		.burst_lines = p->memory_burst_lines ? p->memory_burst_lines : 1,
		.arbitration = p->structure.arbitration,
		.refresh_interval = ticks_a_second * p->refresh_ns / 1000000000,
		.refresh_time = ticks_a_second * p->refresh_busy_ns / 1000000000,
		.seed = pipe->jitter,
		.spread = p->memory_spread,
		.spread_time = ticks_a_second * p->memory_spread_ns / 1000000000,
	};
}

void gpu_pipeline_drawn(const struct gpu_pipeline *pipe, int64_t *flush, int64_t *memory)
{
	*flush = pipe->drawn_flush;
	*memory = pipe->memory.drawn / (int64_t)GPU_TICKS;
}

void gpu_pipeline_reset(struct gpu_pipeline *pipe, const struct gpu_params *params, uint64_t now)
{
	uint64_t start = to_ticks(now);

	pipe->params = params;
	for (unsigned int s = 0; s < GPU_STAGES; s++) {
		pipe->free_at[s] = start;
		memset(&pipe->taken[s], 0, sizeof(pipe->taken[s]));
	}
	pipe->texture_free_at = pipe->vertices_ready = start;
	memset(pipe->fetched_at, 0, sizeof(pipe->fetched_at));
	pipe->fetches = 0;
	gpu_resource_reset(&pipe->cores, start);
	gpu_resource_reset(&pipe->threads, start);
	set_memory(pipe);
	gpu_memory_reset(&pipe->memory, &pipe->memory_params, start);
}

void gpu_pipeline_set_programs(struct gpu_pipeline *pipe, const struct gpu_program *vs,
			       const struct gpu_program *ps)
{
	if (pipe->params->structure.program_drains &&
	    (vs->identity != pipe->vs.identity || ps->identity != pipe->ps.identity))
		pipe->free_at[GPU_STAGE_VS] =
			maximum(pipe->free_at[GPU_STAGE_VS], pipe->free_at[GPU_STAGE_PS]);
	pipe->vs = *vs;
	pipe->ps = *ps;
}

void gpu_pipeline_set_target(struct gpu_pipeline *pipe, uint64_t target)
{
	if (pipe->params->structure.target_drains && target != pipe->target)
		pipe->free_at[GPU_STAGE_RA] =
			maximum(pipe->free_at[GPU_STAGE_RA], pipe->free_at[GPU_STAGE_PE]);
	pipe->target = target;
}

void gpu_pipeline_share_memory(struct gpu_pipeline *pipe, uint64_t bytes_per_second)
{
	uint64_t ticks_a_second = pipe->params->core_hz * GPU_TICKS;
	uint64_t lines = GPU_SCANOUT_BYTES / GPU_MEMORY_LINE_BYTES;
	uint64_t interval = 0;

	if (bytes_per_second) {
		interval = (uint64_t)((unsigned __int128)ticks_a_second * GPU_SCANOUT_BYTES /
				      bytes_per_second);
		interval = maximum(interval, lines * pipe->memory_params.line * 8 / 7);
	}
	gpu_memory_set_scanout(
		&pipe->memory, interval,
		interval ? lines * pipe->memory_params.line + pipe->memory_params.page : 0);
}

uint64_t gpu_pipeline_scale(const struct gpu_pipeline *pipe, uint64_t cycles)
{
	return scale(pipe, cycles);
}

uint64_t gpu_pipeline_token(const struct gpu_pipeline *pipe, uint64_t now)
{
	uint64_t ticks = to_ticks(now);

	for (unsigned int s = 0; s < GPU_STAGE_PE; s++)
		ticks += latency(pipe, s);
	return maximum(to_cycles(ticks), gpu_pipeline_drained(pipe));
}

void gpu_pipeline_wait(struct gpu_pipeline *pipe, enum gpu_stage stage, uint64_t cycle)
{
	for (unsigned int s = stage; s < GPU_STAGES; s++)
		pipe->free_at[s] = maximum(pipe->free_at[s], to_ticks(cycle));
}

uint64_t gpu_pipeline_free_at(const struct gpu_pipeline *pipe, enum gpu_stage stage)
{
	return to_cycles(pipe->free_at[stage]);
}

uint64_t gpu_pipeline_drained(const struct gpu_pipeline *pipe)
{
	uint64_t last = 0;

	for (unsigned int s = 0; s < GPU_STAGES; s++)
		last = maximum(last, pipe->free_at[s]);
	return to_cycles(last);
}

uint64_t gpu_pipeline_shading(const struct gpu_pipeline *pipe, const struct gpu_work *w)
{
	return to_cycles(issue_time(pipe, &pipe->vs, w->vs_instructions) +
			 issue_time(pipe, &pipe->ps, w->ps_instructions) +
			 price(pipe, w->vs_texels + w->ps_texels + w->vs_accesses + w->ps_accesses,
			       pipe->params->texel_fp));
}

uint64_t gpu_pipeline_waited(const struct gpu_pipeline *pipe, enum gpu_memory_direction direction)
{
	return gpu_memory_waited(&pipe->memory, direction) / GPU_TICKS;
}
