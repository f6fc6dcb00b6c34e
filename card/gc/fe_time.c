// SPDX-License-Identifier: MIT
/*
 * Modelled time of the front end.
 *
 * fe->cycle is when the front end can begin the next command. If it is ahead of card time by more
 * than FE_SLACK_NS, the front end pauses until a calendar event. fe->cycle is set to card time only
 * by actions of the CPU: a reset, a start, or a change of the WAIT loop. It is not when the card's
 * process runs late, so cycle counts do not depend on the speed of the host.
 */
#include "gc/fe_internal.h"

uint64_t fe_now(const struct gc_core *gc)
{
	return gpu_clock_cycles(&gc->clock, clock_now(gc->host.clock));
}

void fe_account_busy(struct gc_fe *fe, uint64_t from, uint64_t to)
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
		fe_account_busy(fe, fe->cycle, cycle);
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
