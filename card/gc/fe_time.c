// SPDX-License-Identifier: MIT
/*
 * Modelled time of the front end and of the operations it starts.
 *
 * fe->cycle is when the front end can begin the next command. It may be ahead of card time by
 * at most FE_SLACK_NS; then the front end pauses until a calendar event. fe->cycle is set to
 * card time only by actions of the CPU: a start, or a change of the WAIT loop. It is not when
 * the card's process runs late, so cycle counts do not depend on the speed of the host.
 */
#include "gc/fe_internal.h"

#include <string.h>

#include "gc/trace.h"

uint64_t fe_now(const struct gc_core *gc)
{
	return gpu_clock_cycles(&gc->clock, clock_now(gc->host.clock));
}

/* Add the part of [from, to) that is not counted yet to the busy time. */
static void account_busy(struct gc_fe *fe, uint64_t from, uint64_t to)
{
	if (from < fe->busy_until)
		from = fe->busy_until;
	if (to <= from)
		return;
	fe->busy_cycles += to - from;
	fe->busy_until = to;
}

void fe_advance(struct gc_core *gc, uint64_t cycle, bool busy)
{
	struct gc_fe *fe = gc->fe;

	if (cycle <= fe->cycle)
		return;
	if (busy)
		account_busy(fe, fe->cycle, cycle);
	fe->cycle = cycle;
}

void fe_charge(struct gc_core *gc, uint64_t words)
{
	struct gc_fe *fe = gc->fe;
	uint64_t cost = words * gc->pipeline.params->fe_word_fp;

	fe->cycle_fraction += gpu_pipeline_scale(&gc->pipeline, cost);
	fe_advance(gc, fe->cycle + (fe->cycle_fraction >> 16), true);
	fe->cycle_fraction &= 0xffff;
}

uint64_t fe_frontier(const struct gc_core *gc)
{
	uint64_t drained = gpu_pipeline_drained(&gc->pipeline);

	return drained > gc->fe->cycle ? drained : gc->fe->cycle;
}

void fe_begin_work(struct gc_core *gc)
{
	gc->fe->working = gc->fe->worked = true;
	gc->fe->work_ns = clock_now(gc->host.clock);
	memset(&gc->work, 0, sizeof(gc->work));
	gc_pieces_begin(gc, gc->fe->cycle);
	gpu_clock_hold(&gc->clock, gc->fe->work_ns, fe_frontier(gc));
}

/* Count the operation's memory traffic by the unit that caused it. */
static void count_memory(struct gc_counters *c, const struct gpu_work *w)
{
	c->mc_color_read_bytes += w->color_read_bytes;
	c->mc_color_write_bytes += w->color_write_bytes;
	c->mc_depth_read_bytes += w->depth_read_bytes;
	c->mc_depth_write_bytes += w->depth_write_bytes;
	c->ts_read_bytes += w->ts_read_bytes;
	c->ts_write_bytes += w->ts_write_bytes;
	c->sh_read_bytes += w->shader_read_bytes;
	c->sh_write_bytes += w->shader_write_bytes;
	c->sh_accesses += w->vs_accesses + w->ps_accesses;
}

/* When each stage has done the operation, and when it will have left the last. */
static void trace_work(const struct gc_core *gc, uint64_t end)
{
	unsigned long long at[GPU_STAGES];

	for (unsigned int s = 0; s < GPU_STAGES; s++)
		at[s] = gpu_pipeline_free_at(&gc->pipeline, s);
	gc_trace(gc, "clk", "fe %llu vs %llu pa %llu ra %llu ps %llu pe %llu mc %llu until %llu",
		 at[GPU_STAGE_FE], at[GPU_STAGE_VS], at[GPU_STAGE_PA], at[GPU_STAGE_RA],
		 at[GPU_STAGE_PS], at[GPU_STAGE_PE], at[GPU_STAGE_MC], (unsigned long long)end);
}

void fe_end_work(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint64_t end;

	fe->working = false;
	if (gc->abort) {
		gc_pieces_push(gc);
		return;
	}
	end = gc_pieces_end(gc);
	if (gc_tracing(gc))
		trace_work(gc, end);
	account_busy(fe, fe->cycle, end);
	fe_advance(gc, gpu_pipeline_free_at(&gc->pipeline, GPU_STAGE_FE), true);
	count_memory(&gc->counters, &gc->work);
	gc->counters.sh_cycles += gpu_pipeline_shading(&gc->pipeline, &gc->work);
}

uint64_t fe_total_busy_cycles(const struct gc_core *gc)
{
	const struct gc_fe *fe = gc->fe;
	uint64_t now = fe_now(gc);
	uint64_t future = fe->busy_until > now ? fe->busy_until - now : 0;

	/*
	 * time after now that is already counted, taken as one interval without the gaps inside
	 * the slack
	 */
	return fe->busy_cycles > future ? fe->busy_cycles - future : 0;
}
