// SPDX-License-Identifier: MIT
/*
 * Profiling registers: a byte of CONFIG0..2 selects the count that a unit's register returns. Names
 * of the counts are in drivers/gpu/drm/vivgpu/vivgpu_perfmon.c, their meaning in
 * Documentation/card/clock.rst.
 * All counts always run. The selector 15 clears the counts of its unit, except for MC, where 15
 * is a count and there is no reset.
 *
 * Counts that drivers read of each pixel pipe (per_pipe) are divided evenly among the pipes that
 * CLOCK_CONTROL.DEBUG_PIXEL_PIPE can select, so that a driver that adds the pipes gets the true
 * number. Other counts do not depend on the selected pipe.
 */
#include "gc/counted.h"
#include "gc/fe_internal.h"

#include <stddef.h>

#define PERFMON_SELECT_RESET 15
#define MAX_PARTS 5

/* offset + 1, since 0 ends the list */
#define COUNTER(name) (offsetof(struct gc_counters, name) + 1)

struct signal {
	uint16_t reg;   /* the unit's register */
	uint8_t config; /* which CONFIG */
	uint8_t shift;  /* its byte */
	uint8_t select;
	bool per_pipe;
	uint8_t log2_unit;        /* 3: counts 8 bytes */
	uint16_t part[MAX_PARTS]; /* counters to add */
};

#define FE(select, ...)                                \
	{                                              \
		MC_PROFILE_FE, 0, 0, select, false, 0, \
		{                                      \
			__VA_ARGS__                    \
		}                                      \
	}
#define PE(select, ...)                                \
	{                                              \
		MC_PROFILE_PE, 0, 16, select, true, 0, \
		{                                      \
			__VA_ARGS__                    \
		}                                      \
	}
#define SH(select, pipe, ...)                          \
	{                                              \
		MC_PROFILE_SH, 0, 24, select, pipe, 0, \
		{                                      \
			__VA_ARGS__                    \
		}                                      \
	}
#define PA(select, pipe, ...)                         \
	{                                             \
		MC_PROFILE_PA, 1, 0, select, pipe, 0, \
		{                                     \
			__VA_ARGS__                   \
		}                                     \
	}
#define SE(select, ...)                                \
	{                                              \
		MC_PROFILE_SE, 1, 8, select, false, 0, \
		{                                      \
			__VA_ARGS__                    \
		}                                      \
	}
#define RA(select, ...)                                 \
	{                                               \
		MC_PROFILE_RA, 1, 16, select, false, 0, \
		{                                       \
			__VA_ARGS__                     \
		}                                       \
	}
#define TX(select, ...)                                 \
	{                                               \
		MC_PROFILE_TX, 1, 24, select, false, 0, \
		{                                       \
			__VA_ARGS__                     \
		}                                       \
	}
#define MC(select, ...)                                \
	{                                              \
		MC_PROFILE_MC, 2, 0, select, false, 3, \
		{                                      \
			__VA_ARGS__                    \
		}                                      \
	}
#define HI(select, ...)                                \
	{                                              \
		MC_PROFILE_HI, 2, 8, select, false, 0, \
		{                                      \
			__VA_ARGS__                    \
		}                                      \
	}

/* clang-format off */
static const struct signal signals[] = {
	FE(10, COUNTER(fe_draws)),
	FE(11, COUNTER(fe_vertices_fetched)),
	PE(0, COUNTER(pe_killed_by_color)),
	PE(1, COUNTER(pe_killed_by_depth)),
	PE(2, COUNTER(pe_drawn_by_color)),
	PE(3, COUNTER(pe_drawn_by_depth)),
	SH(4, false, COUNTER(sh_cycles)),
	SH(7, false, COUNTER(ps_instructions)),
	SH(8, false, COUNTER(ps_pixels)),
	SH(9, true, COUNTER(vs_instructions)),
	SH(10, true, COUNTER(vs_vertices)),
	SH(11, true, COUNTER(vs_branches)),
	SH(12, true, COUNTER(vs_texlds)),
	SH(13, true, COUNTER(ps_branches)),
	SH(14, true, COUNTER(ps_texlds)),
	PA(3, false, COUNTER(pa_input_vertices)),
	PA(4, false, COUNTER(pa_input_primitives)),
	PA(5, false, COUNTER(pa_output_primitives)),
	PA(6, true, COUNTER(pa_depth_clipped)),
	PA(7, true, COUNTER(pa_trivial_rejected)),
	PA(8, true, COUNTER(pa_culled)),
	PA(9, false, COUNTER(pa_dropped_zero_area)),
	PA(10, false, COUNTER(pa_clipped)),
	SE(0, COUNTER(se_culled_triangles)),
	RA(0, COUNTER(ra_pixels)),
	RA(1, COUNTER(ra_quads)),
	RA(2, COUNTER(ra_quads_after_early_z)),
	RA(3, COUNTER(ra_primitives)),
	RA(9, COUNTER(ra_pipe_cache_misses)),
	RA(11, COUNTER(ra_eez_culled_quads)),
	TX(0, COUNTER(tx_bilinear_requests)),
	TX(1, COUNTER(tx_trilinear_requests)),
	TX(2, COUNTER(tx_discarded_requests)),
	TX(3, COUNTER(tx_requests)),
	TX(5, COUNTER(tx_mem_reads)),
	TX(6, COUNTER(tx_mem_read_8b)),
	TX(7, COUNTER(tx_cache_misses)),
	TX(8, COUNTER(tx_cache_hits)),
	TX(9, COUNTER(tx_cache_misses)),
	MC(1, COUNTER(pe_read_bytes), COUNTER(tx_read_bytes), COUNTER(rs_read_bytes),
	   COUNTER(ts_read_bytes), COUNTER(sh_read_bytes)),
	MC(2, COUNTER(fe_read_bytes)),
	MC(3, COUNTER(pe_write_bytes), COUNTER(rs_write_bytes), COUNTER(ts_write_bytes),
	   COUNTER(sh_write_bytes)),
	MC(4, COUNTER(mc_color_read_bytes)),
	MC(5, COUNTER(mc_color_write_bytes)),
	MC(7, COUNTER(mc_depth_read_bytes)),
	MC(8, COUNTER(mc_depth_read_bytes)),
	MC(9, COUNTER(mc_depth_write_bytes)),
	MC(10, COUNTER(mc_depth_read_bytes)),
	MC(11, COUNTER(mc_depth_write_bytes)),
	MC(12, COUNTER(fe_read_bytes), COUNTER(tx_read_bytes), COUNTER(rs_read_bytes),
	   COUNTER(ts_read_bytes), COUNTER(sh_read_bytes)),
	MC(13, COUNTER(rs_write_bytes), COUNTER(ts_write_bytes), COUNTER(sh_write_bytes)),
	MC(14, COUNTER(fe_read_bytes), COUNTER(tx_read_bytes), COUNTER(rs_read_bytes),
	   COUNTER(ts_read_bytes), COUNTER(sh_read_bytes)),
	MC(15, COUNTER(rs_write_bytes), COUNTER(ts_write_bytes), COUNTER(sh_write_bytes)),
	HI(0, COUNTER(hi_read_stalls)),
	HI(1, COUNTER(hi_write_stalls)),
	HI(2, COUNTER(hi_write_stalls)), /* an address and its data wait together */
};
/* clang-format on */

#define SIGNALS (sizeof(signals) / sizeof(signals[0]))
_Static_assert(SIGNALS <= PERFMON_SIGNALS, "more signals than places for their bases");

/* The counters as registers show them */
static struct gc_counters counters(const struct gc_core *gc)
{
	return gc->counted ? gc_counted_visible(gc->counted, &gc->counters, fe_now(gc))
			   : gc->counters;
}

static uint64_t count(const struct gc_counters *counters, const struct signal *signal)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < MAX_PARTS && signal->part[i]; i++)
		sum += *(const uint64_t *)((const uint8_t *)counters + signal->part[i] - 1);
	return sum;
}

/* The selected pipe's share; the remainder is pipe 0's. */
static uint64_t share(const struct gc_core *gc, uint64_t value)
{
	unsigned int pipes = gc->personality->pixel_pipes;
	unsigned int pipe = (gc->fe->clock_control & HI_CLOCK_PIPE_MASK) >> HI_CLOCK_PIPE_SHIFT;

	if (pipe >= pipes)
		return 0;
	return value / pipes + (pipe == 0 ? value % pipes : 0);
}

static uint32_t read_unit(struct gc_core *gc, uint32_t offset)
{
	const struct gc_counters now = counters(gc);
	const struct gc_fe *fe = gc->fe;

	for (unsigned int i = 0; i < SIGNALS; i++) {
		const struct signal *signal = &signals[i];
		uint32_t config = fe->reg[MC_PROFILE_CONFIG(signal->config) / 4];
		uint64_t value;

		if (signal->reg != offset || (config >> signal->shift & 0xff) != signal->select)
			continue;
		value = (count(&now, signal) - fe->profile_base[i]) >> signal->log2_unit;
		return fe->count_from + (uint32_t)(signal->per_pipe ? share(gc, value) : value);
	}
	return 0;
}

static uint64_t read_bytes(const struct gc_counters *c)
{
	return c->fe_read_bytes + c->tx_read_bytes + c->pe_read_bytes + c->rs_read_bytes +
	       c->ts_read_bytes + c->sh_read_bytes;
}

static uint64_t write_bytes(const struct gc_counters *c)
{
	return c->pe_write_bytes + c->rs_write_bytes + c->ts_write_bytes + c->sh_write_bytes;
}

static uint32_t total_cycles(const struct gc_core *gc)
{
	return gc->fe->cycles_from + (uint32_t)(fe_now(gc) - gc->fe->reset_cycle);
}

static uint32_t idle_cycles(const struct gc_core *gc)
{
	return total_cycles(gc) - (uint32_t)(fe_total_busy_cycles(gc) - gc->fe->reset_busy);
}

uint32_t gc_perfmon_read(struct gc_core *gc, uint32_t offset)
{
	const struct gc_counters now = counters(gc);
	const struct gc_fe *fe = gc->fe;
	uint64_t read = fe->bytes_held ? 0 : read_bytes(&now) - fe->read_bytes_base;
	uint64_t written = fe->bytes_held ? 0 : write_bytes(&now) - fe->write_bytes_base;
	bool at_078 = gc->personality->total_cycles_at_078;

	switch (offset) {
	case HI_READ_BYTES8:
		return fe->count_from + (uint32_t)share(gc, read / 8);
	case HI_WRITE_BYTES8:
		return fe->count_from + (uint32_t)share(gc, written / 8);
	case HI_TOTAL_CYCLES:
		return at_078 ? total_cycles(gc) : idle_cycles(gc);
	case HI_IDLE_CYCLES:
		return at_078 ? idle_cycles(gc) : 0;
	case MC_CYCLE_COUNTER:
		return total_cycles(gc);
	default:
		if (fe->clock_control & HI_CLOCK_DEBUG_DISABLE)
			return 0;
		return read_unit(gc, offset);
	}
}

void gc_perfmon_config(struct gc_core *gc, unsigned int index, uint32_t value)
{
	const struct gc_counters now = counters(gc);
	struct gc_fe *fe = gc->fe;

	fe->reg[MC_PROFILE_CONFIG(index) / 4] = value;
	for (unsigned int i = 0; i < SIGNALS; i++)
		if (signals[i].config == index && signals[i].reg != MC_PROFILE_MC &&
		    (value >> signals[i].shift & 0xff) == PERFMON_SELECT_RESET)
			fe->profile_base[i] = count(&now, &signals[i]);
}

static void reset_bytes(struct gc_core *gc)
{
	const struct gc_counters now = counters(gc);

	gc->fe->read_bytes_base = read_bytes(&now);
	gc->fe->write_bytes_base = write_bytes(&now);
}

void gc_perfmon_hold_bytes(struct gc_core *gc, bool hold)
{
	if (hold || gc->fe->bytes_held)
		reset_bytes(gc);
	gc->fe->bytes_held = hold;
}

void gc_perfmon_set_cycles(struct gc_core *gc, uint32_t value)
{
	gc->fe->cycles_from = value;
	gc->fe->reset_cycle = fe_now(gc);
	gc->fe->reset_busy = fe_total_busy_cycles(gc);
}

static void clear_counts(struct gc_core *gc)
{
	const struct gc_counters now = counters(gc);

	for (unsigned int i = 0; i < SIGNALS; i++)
		gc->fe->profile_base[i] = count(&now, &signals[i]);
	reset_bytes(gc);
}

void gc_perfmon_reset(struct gc_core *gc)
{
	gc->fe->count_from = gc->fe->next_count_from;
	gc->fe->cycles_from = gc->fe->count_from;
	gc->fe->bytes_held = false;
	clear_counts(gc);
}

void gc_perfmon_skip_aborted(struct gc_core *gc)
{
	if (gc->counted)
		gc_counted_drop(gc->counted);
	clear_counts(gc);
}
