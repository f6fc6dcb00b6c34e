// SPDX-License-Identifier: MIT
/*
 * Cost parameters of the clock model. imx6q follows published measurements of a GC2000 in an
 * i.MX6Q at 528 MHz: 1.17 pixels per clock for a plain triangle, four times as long with four
 * samples, 14 to 15 clocks per vertex, 1.9 to 2.1 GB/s for a full clear, some microseconds per
 * flush (see clock.rst). The other sets are invented: plausible but different machines, so that
 * drivers and predictors are not tuned to one of them.
 */
#include "clock/params.h"

#include <stddef.h>
#include <string.h>

#define FP(x) ((uint32_t)((x) * 65536.0 + 0.5))

static const struct gpu_params sets[] = {
	{
		.name = "imx6q",
		.core_hz = 528000000,
		.fe_word_fp = FP(1.0),
		.fe_index_byte_fp = FP(0.5),
		.fe_vertex_byte_fp = FP(0.25),
		.vertex_fp = FP(13.0),
		.instruction_fp = FP(0.25),
		.texel_fp = FP(0.5),
		.threads = 1024,
		.thread_temporaries = 8,
		.instruction_latency = 8,
		.texture_latency = 60,
		.texture_misses = 32,
		.primitive_fp = FP(2.0),
		.setup_fp = FP(8.0),
		.tile_fp = FP(1.0),
		.reject_fp = FP(0.25),
		.quad_fp = FP(1.0),
		.pe_sample_fp = FP(0.84),
		.rs_pixel_fp = FP(1.03),
		.memory_byte_fp = FP(0.125),
		.memory_page_cycles = 6,
		.memory_turn_cycles = 6,
		.memory_burst_lines = 8,
		.memory_latency = 70,
		.refresh_ns = 7800,
		.refresh_busy_ns = 160,
		.stage_latency = { 20, 60, 20, 30, 80, 30, 0 },
		.queue = { 4, 4, 8, 8, 8, 8, 1 },
		.draw_overhead = 100,
		.flush_cycles = 2100,
		.flush_byte_fp = FP(0.25),
	},
	{
		.name = "gc7000-like",
		.core_hz = 800000000,
		.fe_word_fp = FP(0.5),
		.fe_index_byte_fp = FP(0.25),
		.fe_vertex_byte_fp = FP(0.125),
		.vertex_fp = FP(2.0),
		.instruction_fp = FP(0.125),
		.texel_fp = FP(0.25),
		.threads = 2048,
		.thread_temporaries = 16,
		.instruction_latency = 8,
		.texture_latency = 80,
		.texture_misses = 64,
		.primitive_fp = FP(1.0),
		.setup_fp = FP(4.0),
		.tile_fp = FP(0.5),
		.reject_fp = FP(0.125),
		.quad_fp = FP(0.5),
		.pe_sample_fp = FP(0.25),
		.rs_pixel_fp = FP(0.3),
		.memory_byte_fp = FP(0.0833),
		.memory_page_cycles = 18,
		.memory_turn_cycles = 14,
		.memory_burst_lines = 8,
		.memory_latency = 110,
		.refresh_ns = 3900,
		.refresh_busy_ns = 130,
		.stage_latency = { 30, 90, 30, 40, 120, 40, 0 },
		.queue = { 8, 4, 8, 8, 8, 8, 1 },
		.draw_overhead = 60,
		.flush_cycles = 600,
		.flush_byte_fp = FP(0.125),
	},
	{
		/* imx6q with a slow memory: nearly everything is limited by bytes */
		.name = "slow-memory",
		.core_hz = 528000000,
		.fe_word_fp = FP(2.0),
		.fe_index_byte_fp = FP(1.0),
		.fe_vertex_byte_fp = FP(1.0),
		.vertex_fp = FP(11.0),
		.instruction_fp = FP(0.25),
		.texel_fp = FP(1.0),
		.threads = 512,
		.thread_temporaries = 8,
		.instruction_latency = 8,
		.texture_latency = 60,
		.texture_misses = 8,
		.primitive_fp = FP(2.0),
		.setup_fp = FP(8.0),
		.tile_fp = FP(1.0),
		.reject_fp = FP(0.25),
		.quad_fp = FP(1.0),
		.pe_sample_fp = FP(0.9),
		.rs_pixel_fp = FP(2.5),
		.memory_byte_fp = FP(0.75),
		.memory_page_cycles = 30,
		.memory_turn_cycles = 24,
		.memory_burst_lines = 4,
		.memory_latency = 160,
		.refresh_ns = 7800,
		.refresh_busy_ns = 300,
		.stage_latency = { 40, 80, 20, 30, 200, 90, 0 },
		.queue = { 4, 4, 4, 4, 4, 4, 1 },
		.draw_overhead = 150,
		.flush_cycles = 2000,
		.flush_byte_fp = FP(1.0),
	},
	{
		/*
		 * many shader cores and pixel pipes at a low clock: limited by set-up and front
		 * end
		 */
		.name = "wide",
		.core_hz = 300000000,
		.fe_word_fp = FP(1.0),
		.fe_index_byte_fp = FP(0.5),
		.fe_vertex_byte_fp = FP(0.125),
		.vertex_fp = FP(1.0),
		.instruction_fp = FP(0.03125),
		.texel_fp = FP(0.0625),
		.threads = 8192,
		.thread_temporaries = 8,
		.instruction_latency = 6,
		.texture_latency = 50,
		.texture_misses = 64,
		.primitive_fp = FP(3.0),
		.setup_fp = FP(12.0),
		.tile_fp = FP(0.5),
		.reject_fp = FP(0.0625),
		.quad_fp = FP(0.125),
		.pe_sample_fp = FP(0.125),
		.rs_pixel_fp = FP(0.125),
		.memory_byte_fp = FP(0.05),
		.memory_page_cycles = 6,
		.memory_turn_cycles = 5,
		.memory_burst_lines = 16,
		.memory_latency = 40,
		.refresh_ns = 7800,
		.refresh_busy_ns = 110,
		.stage_latency = { 20, 120, 20, 60, 160, 60, 0 },
		.queue = { 4, 2, 2, 8, 8, 8, 1 },
		.draw_overhead = 250,
		.flush_cycles = 300,
		.flush_byte_fp = FP(0.0625),
	},
};

const struct gpu_params *gpu_params_at(unsigned int index)
{
	return index < sizeof(sets) / sizeof(sets[0]) ? &sets[index] : NULL;
}

const struct gpu_params *gpu_params_find(const char *name)
{
	const struct gpu_params *set;

	for (unsigned int i = 0; (set = gpu_params_at(i)); i++)
		if (!strcmp(set->name, name))
			return set;
	return NULL;
}
