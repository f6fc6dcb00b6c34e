// SPDX-License-Identifier: MIT
/*
 * Cost parameters of the clock model. imx6q follows published measurements of a GC2000 in an
 * i.MX6Q at 528 MHz: 1.17 pixels per clock for a plain triangle, four times as long with four
 * samples, 14 to 15 clocks per vertex, 1.9 to 2.1 GB/s for a full clear, some microseconds per
 * flush (see clock.rst). The other sets are invented: plausible but different machines, so that
 * drivers and predictors are not tuned to one of them.
 */
#include "clock/pipeline.h"

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
		.vertex_fp = FP(11.0),
		.vs_instruction_fp = FP(0.25),
		.ps_instruction_fp = FP(0.25),
		.texel_fp = FP(0.5),
		.primitive_fp = FP(2.0),
		.setup_fp = FP(8.0),
		.tile_fp = FP(1.0),
		.quad_fp = FP(1.0),
		.pe_sample_fp = FP(0.855),
		.rs_pixel_fp = FP(1.03),
		.memory_byte_fp = FP(0.125),
		.stage_latency = { 20, 60, 20, 30, 80, 30, 0 },
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
		.vs_instruction_fp = FP(0.125),
		.ps_instruction_fp = FP(0.125),
		.texel_fp = FP(0.25),
		.primitive_fp = FP(1.0),
		.setup_fp = FP(4.0),
		.tile_fp = FP(0.5),
		.quad_fp = FP(0.5),
		.pe_sample_fp = FP(0.25),
		.rs_pixel_fp = FP(0.3),
		.memory_byte_fp = FP(0.0833),
		.stage_latency = { 30, 90, 30, 40, 120, 40, 0 },
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
		.vs_instruction_fp = FP(0.25),
		.ps_instruction_fp = FP(0.25),
		.texel_fp = FP(1.0),
		.primitive_fp = FP(2.0),
		.setup_fp = FP(8.0),
		.tile_fp = FP(1.0),
		.quad_fp = FP(1.0),
		.pe_sample_fp = FP(0.9),
		.rs_pixel_fp = FP(2.5),
		.memory_byte_fp = FP(0.75),
		.stage_latency = { 40, 80, 20, 30, 200, 90, 0 },
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
		.vs_instruction_fp = FP(0.03125),
		.ps_instruction_fp = FP(0.03125),
		.texel_fp = FP(0.0625),
		.primitive_fp = FP(3.0),
		.setup_fp = FP(12.0),
		.tile_fp = FP(0.5),
		.quad_fp = FP(0.125),
		.pe_sample_fp = FP(0.125),
		.rs_pixel_fp = FP(0.125),
		.memory_byte_fp = FP(0.05),
		.stage_latency = { 20, 120, 20, 60, 160, 60, 0 },
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
