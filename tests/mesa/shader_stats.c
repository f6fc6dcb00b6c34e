// SPDX-License-Identifier: MIT
/*
 * Compiles programs from GLSL with our compiler and with Mesa's etnaviv and
 * prints a line for each shader:
 *
 *	NAME STAGE INSTRUCTIONS TEMPS ETNAVIV-INSTRUCTIONS ETNAVIV-TEMPS
 *
 *	mesa-shader-stats VERSION VERTEX-FILE FRAGMENT-FILE
 *
 * Status: 0, 1 when our compiler refuses a shader, 2 when it is no valid program.
 */
#include <stdio.h>
#include <stdlib.h>

#include "compiler/glsl_types.h"
#include "etnaviv/common/etna_core_info.h"
#include "etnaviv_compiler.h"
#include "etnaviv_shader.h"
#include "glsl_nir.h"
#include "vivgpu_compiler.h"

int etna_mesa_debug; /* a global of the driver that its compiler asks */

static struct etna_core_info gc3000 = {
	.model = 0x3000,
	.revision = 0x5450,
	.halti = 2,
	.type = ETNA_CORE_GPU,
	.gpu = { .max_instructions = 512,
		 .max_registers = 64,
		 .num_constants = 320,
		 .shader_core_count = 4,
		 .vertex_output_buffer_size = 1024,
		 .vertex_cache_size = 16,
		 .max_varyings = 16 },
};

static const struct etna_specs specs = {
	.has_new_transcendentals = 1,
	.has_unified_uniforms = 1,
	.has_icache = 1,
	.vertex_sampler_offset = 16,
	.max_instructions = 256,
	.max_vs_outputs = 16,
	.max_varyings = 15,
	.max_vs_uniforms = 256,
	.max_ps_uniforms = 256,
	.num_rts = 1,
};

static bool verbose;

static bool report_ours(const struct vivgpu_compiler *compiler, const nir_shader *s,
			const char *name)
{
	const struct vivgpu_shader_key key = { 0 };
	char *error = NULL;
	struct vivgpu_shader *shader = vivgpu_compile(compiler, s, &key, &error);

	if (!shader) {
		printf("%s %s refused: %s\n", name, gl_shader_stage_name(s->info.stage), error);
		free(error);
		return false;
	}
	printf("%s %s %u %u", name, gl_shader_stage_name(s->info.stage), shader->num_instructions,
	       shader->num_temps);
	if (verbose) {
		char *text = vivgpu_shader_disassemble(shader);

		printf("\n%s", text);
		free(text);
	}
	fflush(stdout); /* etnaviv aborts where it meets what it does not know */
	vivgpu_shader_destroy(shader);
	return true;
}

static void report_theirs(struct etna_compiler *compiler, nir_shader *s)
{
	struct etna_shader shader = {
		.nir = s, .info = &gc3000, .specs = &specs, .compiler = compiler
	};
	struct etna_shader_variant *variant = calloc(1, sizeof(*variant));

	variant->shader = &shader;
	if (etna_compile_shader(variant))
		printf(" %u %u\n", variant->code_size / 4, variant->num_temps);
	else
		printf(" 0 0\n");
	if (verbose)
		etna_dump_shader(variant);
	free(variant);
}

int main(int argc, char **argv)
{
	struct vivgpu_compiler *ours;
	struct etna_compiler *theirs;
	nir_shader *for_us[MESA_SHADER_FRAGMENT + 1], *for_them[MESA_SHADER_FRAGMENT + 1];
	bool good = true;

	if (argc < 4)
		return 2;
	verbose = argc > 4;
	etna_core_enable_feature(&gc3000, ETNA_FEATURE_HAS_FAST_TRANSCENDENTALS);
	etna_core_enable_feature(&gc3000, ETNA_FEATURE_HAS_SIGN_FLOOR_CEIL);
	etna_core_enable_feature(&gc3000, ETNA_FEATURE_HAS_SQRT_TRIG);
	etna_core_enable_feature(&gc3000, ETNA_FEATURE_INSTRUCTION_CACHE);
	etna_core_enable_feature(&gc3000, ETNA_FEATURE_HALTI2);
	glsl_type_singleton_init_or_ref();
	ours = vivgpu_compiler_create(&gc3000);
	theirs = etna_compiler_create("none", &gc3000);
	if (!glsl_nir(atoi(argv[1]), argv[2][0] == '-' ? NULL : argv[2],
		      argv[3][0] == '-' ? NULL : argv[3], vivgpu_compiler_nir_options(ours),
		      for_us) ||
	    !glsl_nir(atoi(argv[1]), argv[2][0] == '-' ? NULL : argv[2],
		      argv[3][0] == '-' ? NULL : argv[3], etna_compiler_get_options(theirs),
		      for_them))
		return 2;
	for (unsigned int stage = 0; stage <= MESA_SHADER_FRAGMENT; stage++) {
		if (!for_us[stage])
			continue;
		if (report_ours(ours, for_us[stage], argv[2]))
			report_theirs(theirs, for_them[stage]);
		else
			good = false;
	}
	return !good;
}
