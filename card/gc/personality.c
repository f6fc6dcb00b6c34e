// SPDX-License-Identifier: MIT
/*
 * The table of cores. Identity registers are those of real chips, but for the YUV tiler, which the
 * card does not have. CHIP_SPECS hold the limits of Mesa's feature database, encoded as etnaviv
 * decodes them: powers of two as exponents; sixteen streams in CHIP_SPECS_4, since the field of
 * CHIP_SPECS has four bits.
 */
#include "gc/personality.h"

#include <stddef.h>
#include <string.h>

#include "hw/common.xml.h"

#define SPECS(streams, log2_registers, log2_threads, vertex_cache, cores, pipes, log2_output) \
	((uint32_t)(streams) | (log2_registers) << 4 | (log2_threads) << 8 |                  \
	 (vertex_cache) << 12 | (cores) << 20 | (pipes) << 25 | (uint32_t)(log2_output) << 28)
#define SPECS_2(buffer, instruction_code, constants) \
	((uint32_t)(buffer) | (instruction_code) << 8 | (uint32_t)(constants) << 16)
#define SPECS_3(cores, varyings) ((uint32_t)(cores) | (varyings) << 4)
#define SPECS_4(streams) ((uint32_t)(streams) << 12)

static const struct gc_personality personalities[] = {
	{
		/*
		 * i.MX6QP. Its registers read model 0x2000 rev 0xffff5450, which Linux etnaviv
		 * changes to GC3000 rev 0x5450.
		 */
		.name = "gc3000",
		.chip_model = 0x2000,
		.chip_rev = 0xffff5450,
		.chip_date = 0x20140815,
		.features = 0xe0287cad & ~chipFeatures_YUV420_TILER,
		.minor_features = { 0xc9799efb, 0xfefbfadb, 0xeb9d4bbf, 0xedffdced, 0x930d2f47,
				    0x10000133 },
		.specs = { SPECS(0, 6, 10, 16, 4, 2, 10), SPECS_2(0, 0, 320), SPECS_3(1, 16),
			   SPECS_4(16) },
		.mmu_version = 2,
		.halti = 2,
		.pixel_pipes = 2,
		.shader_cores = 4,
		.threads = 1024,
		.uniforms = 320,
		.varyings = 16,
		.samplers = 32,
		.streams = 16,
		.instructions = 512,
		.unified_uniforms = true,
		.instruction_cache = true,
		.single_buffer = true,
		.simd_integers = true,
		.fast_transcendentals = true,
		.supertile_mode = 2,
		.ts_bits = 2,
		.ts_tile_bytes = 64,
		.total_cycles_at_078 = true,
		.clock_params = "imx6q",
	},
	{
		/* i.MX6Q. Twelve varyings in CHIP_SPECS_3 include the position. */
		.name = "gc2000",
		.chip_model = 0x2000,
		.chip_rev = 0x5108,
		.chip_date = 0x20120617,
		.features = 0xe0296cad & ~chipFeatures_YUV420_TILER,
		.minor_features = { 0xc9799eff, 0x2efbf2d9 },
		.specs = { SPECS(8, 6, 10, 16, 4, 2, 9), SPECS_2(0, 0, 168), SPECS_3(1, 12),
			   SPECS_4(0) },
		.mmu_version = 1,
		.halti = 0,
		.pixel_pipes = 2,
		.shader_cores = 4,
		.threads = 1024,
		.uniforms = 168,
		.ps_uniforms = 64,
		.varyings = 11,
		.samplers = 12,
		.streams = 8,
		.instructions = 512,
		.f2i_nan_saturates = true,
		.supertile_mode = 1,
		.ts_bits = 2,
		.ts_tile_bytes = 64,
		.clock_params = "imx6q",
	},
};

const struct gc_personality *gc_personality_at(unsigned int index)
{
	return index < sizeof(personalities) / sizeof(personalities[0]) ? &personalities[index]
									: NULL;
}

const struct gc_personality *gc_personality_find(const char *name)
{
	const struct gc_personality *row;

	for (unsigned int i = 0; (row = gc_personality_at(i)); i++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}
