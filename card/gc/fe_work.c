// SPDX-License-Identifier: MIT
/* What encloses the operations of other blocks: their modelled time, their traffic, their writes to memory. */
#include "gc/fe_internal.h"

#include <string.h>

#include "gc/counted.h"
#include "gc/posted.h"
#include "gc/trace.h"

void fe_begin_writes(struct gc_core *gc)
{
	if (!gc->posted)
		return;
	gc_posted_begin(gc->posted);
	gc_counted_begin(gc->counted, &gc->counters, fe_now(gc));
	gc_mmu_drop(&gc->mmu);
}

void fe_end_writes(struct gc_core *gc)
{
	if (!gc->posted)
		return;
	gc_posted_end(gc->posted, fe_frontier(gc));
	gc_counted_end(gc->counted, &gc->counters, fe_frontier(gc));
	gc_mmu_drop(&gc->mmu);
	fe_arm_alarm(gc);
}

void fe_begin_work(struct gc_core *gc)
{
	gc->fe->working = gc->fe->worked = true;
	gc->fe->work_ns = clock_now(gc->host.clock);
	memset(&gc->work, 0, sizeof(gc->work));
	gc_pieces_begin(gc, gc->fe->cycle);
	gpu_clock_hold(&gc->clock, gc->fe->work_ns, fe_frontier(gc));
	fe_begin_writes(gc);
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
	c->sh_read_bytes += w->vs_read_bytes + w->ps_read_bytes;
	c->sh_write_bytes += w->vs_write_bytes + w->ps_write_bytes;
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
		fe_end_writes(gc);
		return;
	}
	end = gc_pieces_end(gc);
	if (gc_tracing(gc))
		trace_work(gc, end);
	fe_account_busy(fe, fe->cycle, end);
	fe_advance(gc, gpu_pipeline_free_at(&gc->pipeline, GPU_STAGE_FE), true);
	count_memory(&gc->counters, &gc->work);
	gc->counters.sh_cycles += gpu_pipeline_shading(&gc->pipeline, &gc->work);
	fe_end_writes(gc);
}
