// SPDX-License-Identifier: MIT
/*
 * Creation and reset of a core, fault injection, statistics. Commands are executed by the other
 * files of this folder.
 */
#include "gc/core.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gc/counted.h"
#include "gc/draw.h"
#include "gc/fe_internal.h"
#include "gc/pe.h"
#include "gc/posted.h"
#include "gc/record.h"
#include "gc/shader.h"
#include "gc/texture.h"
#include "gc/trace.h"
#include "hw/state_3d.xml.h"

#define FSCALE_FULL 64 /* 64 of 64ths: the core's full frequency */
#define L1_SETS 16     /* 4 KiB [chosen] */
#define L1_WAYS 4

static void mmu_fault(void *ctx)
{
	struct gc_core *gc = ctx;

	for (unsigned int slot = 0; slot < 4; slot++)
		if (gc->mmu.fault_status >> 4 * slot & 0xf)
			gc_trace(gc, "mmu", "fault %u of unit %u at 0x%08x",
				 gc->mmu.fault_status >> 4 * slot & 0xf, slot,
				 gc->mmu.fault_address[slot]);
	gc_fe_fault(gc);
}

static void bus_error(void *ctx, enum gc_access access)
{
	struct gc_core *gc = ctx;

	gc_trace(gc, "hi", "bus error on a %s", access == GC_WRITE ? "write" : "read");
	/* MMUv1 cannot report bus errors: reads return zero, writes have no effect */
	if (gc->personality->mmu_version == 1)
		return;
	/* one interrupt, until the status is read */
	if (!gc->fe->axi_status)
		fe_raise_at(gc, HI_INTR_AXI_BIT, gc->fe->cycle);
	gc->fe->axi_status |= access == GC_WRITE ? HI_AXI_WRITE_ERROR : HI_AXI_READ_ERROR;
}

static void power_on(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;

	memset(fe->reg, 0, sizeof(fe->reg));
	fe->clock_control = FSCALE_FULL << HI_CLOCK_FSCALE_SHIFT;
	fe->fscale = FSCALE_FULL;
	fe->enabled = 0;
	fe_update_clock(gc);
	fe_core_reset(gc);
}

/*
 * States are zero after reset. The stamps change, so that everything decoded from states is
 * decoded again.
 */
static void clear_states(struct gc_state *state)
{
	uint64_t stamp = state->stamp + 1;

	memset(state->word, 0, sizeof(state->word));
	state->stamp = stamp;
	for (unsigned int page = 0; page < GC_STATE_PAGES; page++)
		state->page_stamp[page] = stamp;
}

void fe_core_reset(struct gc_core *gc)
{
	gc->counters.resets++;
	if (gc->fe->in_run) {
		gc->abort = true;
		gc_pieces_drop(gc);
	}
	clear_states(&gc->state);
	gc_mmu_reset(&gc->mmu);
	gc_pe_reset(gc);
	gc_texture_flush(gc, true, true);
	if (gc->l1)
		data_cache_drop(gc->l1);
	if (gc->posted)
		gc_posted_drop(gc->posted);
	if (gc->counted)
		gc_counted_drop(gc->counted);
	gc_shader_flush_icache(gc,
			       VIVS_VS_ICACHE_CONTROL_FLUSH_VS | VIVS_VS_ICACHE_CONTROL_FLUSH_PS);
	gc->fe->axi_status = 0;
	gc_fe_reset(gc);
	gpu_pipeline_reset(&gc->pipeline, gc->pipeline.params, gc->fe->cycle);
	gc_perfmon_reset(gc);
	gc_trace(gc, "hi", "reset");
}

static bool create_blocks(struct gc_core *gc)
{
	gc->fe = gc_fe_create(gc);
	if (!gc->fe)
		return false;
	gc->draw = gc_draw_create(gc);
	gc->pe = gc_pe_create(gc);
	gc->tx = gc_texture_create(gc);
	if (gc->options.cache_data) {
		gc->l1 = data_cache_create(L1_SETS, L1_WAYS, &gc->mmu, GC_CLIENT_TX);
		gc->mmu.posted = gc->posted = gc_posted_create();
		gc->counted = gc_counted_create();
		if (!gc->l1 || !gc->posted || !gc->counted)
			return false;
	}
	return gc->draw && gc->pe && gc->tx;
}

struct gc_core *gc_create(const struct gc_personality *personality, const struct gc_host *host,
			  const struct gc_options *options)
{
	const struct gpu_params *params =
		options->params ? options->params : gpu_params_find(personality->clock_params);
	struct gc_core *gc;

	if (!params)
		return NULL;
	gc = aligned_alloc(64, (sizeof(*gc) + 63) & ~(size_t)63);
	if (!gc)
		return NULL;
	memset(gc, 0, sizeof(*gc));
	gc->personality = personality;
	gc->host = *host;
	gc->options = *options;
	gc_mmu_init(&gc->mmu, personality->mmu_version, host->memory);
	gc->mmu.raise = mmu_fault;
	gc->mmu.bus_error = bus_error;
	gc->mmu.raise_ctx = gc;
	gpu_clock_init(&gc->clock, clock_now(host->clock), params->core_hz);
	gc->pipeline.jitter = options->jitter;
	gpu_pipeline_reset(&gc->pipeline, params, 0);
	if (!create_blocks(gc) || !gc_record_create(gc)) {
		gc_destroy(gc);
		return NULL;
	}
	power_on(gc);
	gc->counters.resets = 0;
	return gc;
}

void gc_destroy(struct gc_core *gc)
{
	if (!gc)
		return;
	if (gc->tx)
		gc_texture_destroy(gc->tx);
	if (gc->pe)
		gc_pe_destroy(gc->pe);
	if (gc->draw)
		gc_draw_destroy(gc->draw);
	free(gc->l1);
	gc_posted_destroy(gc->posted);
	gc_counted_destroy(gc->counted);
	gc_shader_cache_free(gc);
	gc_record_free(gc);
	gc_fe_destroy(gc->fe);
	free(gc);
}

void gc_reset(struct gc_core *gc)
{
	power_on(gc);
	gc_record_put(gc, GC_RECORD_RESET, 0, 0);
}

void gc_inject(struct gc_core *gc, enum gc_fault fault)
{
	struct gc_fe *fe = gc->fe;

	switch (fault) {
	case GC_FAULT_HANG_FE:
		fe->inject_hang = true;
		break;
	case GC_FAULT_MMU:
		if (gc->personality->mmu_version == 2) {
			gc->mmu.inject = true;
			gc_mmu_flush(&gc->mmu);
			fe_jump(gc, fe->address, 0); /* the next fetch misses */
		}
		break;
	case GC_FAULT_AXI:
		fe->axi_status |= HI_AXI_READ_ERROR;
		fe_raise_at(gc, HI_INTR_AXI_BIT, fe_now(gc));
		break;
	case GC_FAULT_LOSE_EVENT:
		fe->inject_lost_event = true;
		break;
	}
}

void gc_set_slowdown(struct gc_core *gc, unsigned int factor_percent)
{
	gc->pipeline.slowdown_percent = factor_percent;
}

void gc_set_display_traffic(struct gc_core *gc, uint64_t bytes_per_second)
{
	gpu_pipeline_share_memory(&gc->pipeline, bytes_per_second);
}

void gc_set_count_from(struct gc_core *gc, uint32_t value)
{
	gc->fe->next_count_from = value;
}

void gc_set_null_draw(struct gc_core *gc, bool on)
{
	gc->options.null_draw = on;
}

#define FIGURE(unit, name, counter) { "gc." unit "." name, offsetof(struct gc_counters, counter) }

static const struct {
	const char *name;
	size_t offset;
} figures[] = {
	FIGURE("fe", "commands", fe_commands),
	FIGURE("fe", "words", fe_words),
	FIGURE("fe", "draws", fe_draws),
	FIGURE("fe", "indices", fe_indices),
	FIGURE("fe", "vertices_fetched", fe_vertices_fetched),
	FIGURE("fe", "read_bytes", fe_read_bytes),
	FIGURE("fe", "refused_formats", fe_refused_formats),
	FIGURE("vs", "vertices", vs_vertices),
	FIGURE("vs", "instructions", vs_instructions),
	FIGURE("vs", "branches", vs_branches),
	FIGURE("vs", "texlds", vs_texlds),
	FIGURE("ps", "pixels", ps_pixels),
	FIGURE("ps", "instructions", ps_instructions),
	FIGURE("ps", "branches", ps_branches),
	FIGURE("ps", "texlds", ps_texlds),
	FIGURE("sh", "cycles", sh_cycles),
	FIGURE("sh", "accesses", sh_accesses),
	FIGURE("sh", "read_bytes", sh_read_bytes),
	FIGURE("sh", "write_bytes", sh_write_bytes),
	FIGURE("pa", "input_vertices", pa_input_vertices),
	FIGURE("pa", "input_primitives", pa_input_primitives),
	FIGURE("pa", "output_primitives", pa_output_primitives),
	FIGURE("pa", "depth_clipped", pa_depth_clipped),
	FIGURE("pa", "trivial_rejected", pa_trivial_rejected),
	FIGURE("pa", "culled", pa_culled),
	FIGURE("pa", "dropped_zero_area", pa_dropped_zero_area),
	FIGURE("pa", "clipped", pa_clipped),
	FIGURE("se", "culled_triangles", se_culled_triangles),
	FIGURE("se", "triangles", se_triangles),
	FIGURE("se", "lines", se_lines),
	FIGURE("se", "points", se_points),
	FIGURE("ra", "pixels", ra_pixels),
	FIGURE("ra", "quads", ra_quads),
	FIGURE("ra", "quads_after_early_z", ra_quads_after_early_z),
	FIGURE("ra", "primitives", ra_primitives),
	FIGURE("ra", "eez_culled_quads", ra_eez_culled_quads),
	FIGURE("ra", "pipe_cache_misses", ra_pipe_cache_misses),
	FIGURE("sh", "icache_flushes", sh_icache_flushes),
	FIGURE("tx", "requests", tx_requests),
	FIGURE("tx", "bilinear_requests", tx_bilinear_requests),
	FIGURE("tx", "trilinear_requests", tx_trilinear_requests),
	FIGURE("tx", "discarded_requests", tx_discarded_requests),
	FIGURE("tx", "mem_reads", tx_mem_reads),
	FIGURE("tx", "mem_read_8b", tx_mem_read_8b),
	FIGURE("tx", "cache_hits", tx_cache_hits),
	FIGURE("tx", "cache_misses", tx_cache_misses),
	FIGURE("tx", "read_bytes", tx_read_bytes),
	FIGURE("tx", "refused_formats", tx_refused_formats),
	FIGURE("pe", "killed_by_color", pe_killed_by_color),
	FIGURE("pe", "killed_by_depth", pe_killed_by_depth),
	FIGURE("pe", "drawn_pixels", pe_drawn_by_color),
	FIGURE("pe", "drawn_by_depth", pe_drawn_by_depth),
	FIGURE("pe", "read_bytes", pe_read_bytes),
	FIGURE("pe", "write_bytes", pe_write_bytes),
	FIGURE("pe", "refused_formats", pe_refused_formats),
	FIGURE("mc", "color_read_bytes", mc_color_read_bytes),
	FIGURE("mc", "color_write_bytes", mc_color_write_bytes),
	FIGURE("mc", "depth_read_bytes", mc_depth_read_bytes),
	FIGURE("mc", "depth_write_bytes", mc_depth_write_bytes),
	FIGURE("ts", "read_bytes", ts_read_bytes),
	FIGURE("ts", "write_bytes", ts_write_bytes),
	FIGURE("rs", "resolves", rs_resolves),
	FIGURE("rs", "pixels", rs_pixels),
	FIGURE("rs", "read_bytes", rs_read_bytes),
	FIGURE("rs", "write_bytes", rs_write_bytes),
	FIGURE("hi", "read_stalls", hi_read_stalls),
	FIGURE("hi", "write_stalls", hi_write_stalls),
	FIGURE("hi", "events", events),
	FIGURE("hi", "interrupts", interrupts),
	FIGURE("hi", "mmu_faults", mmu_faults),
	FIGURE("hi", "resets", resets),
};

static uint64_t counter_at(const struct gc_counters *counters, size_t offset)
{
	return *(const uint64_t *)((const uint8_t *)counters + offset);
}

void gc_print_statistics(struct gc_core *gc,
			 void (*emit)(void *ctx, const char *name, uint64_t value), void *ctx)
{
	const struct gc_fe *fe = gc->fe;

	emit(ctx, "gc.cycles", fe_now(gc) - fe->statistics_cycle);
	emit(ctx, "gc.busy_cycles", fe_total_busy_cycles(gc) - fe->statistics_busy);
	for (unsigned int i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		emit(ctx, figures[i].name,
		     counter_at(&gc->counters, figures[i].offset) -
			     counter_at(&fe->statistics_base, figures[i].offset));
	if (gc->options.cache_data)
		emit(ctx, "gc.tx.stale_lines", gc_texture_stale_lines(gc) - fe->statistics_stale);
}

void gc_clear_statistics(struct gc_core *gc)
{
	gc->fe->statistics_base = gc->counters;
	gc->fe->statistics_stale = gc_texture_stale_lines(gc);
	gc->fe->statistics_cycle = fe_now(gc);
	gc->fe->statistics_busy = fe_total_busy_cycles(gc);
}
