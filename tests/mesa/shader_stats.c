// SPDX-License-Identifier: MIT
/*
 * Compiles programs from GLSL with our compiler and with Mesa's etnaviv and
 * prints a line for each shader:
 *
 *	NAME STAGE INSTRUCTIONS TEMPS ETNAVIV-INSTRUCTIONS ETNAVIV-TEMPS
 *
 *	mesa-shader-stats VERSION VERTEX-FILE FRAGMENT-FILE verbose
 *	mesa-shader-stats <LIST-OF-PROGRAMS
 *
 * The first prints the code, too. A shader that etnaviv refuses has 0 0. The list has a line
 * "VERSION VERTEX-FILE FRAGMENT-FILE" for each program, "-" for no file; after the lines of each
 * comes one "end STATUS MILLISECONDS": 0, 1 when our compiler refuses a shader, 2 when it is no
 * valid program, 3 when Mesa's GLSL compiler has not ended after PATIENCE seconds, 16 plus the
 * signal's number when anything crashed, or a later step took too long. The time is that of our
 * compiler.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compiler/glsl_types.h"
#include "etnaviv/common/etna_core_info.h"
#include "etnaviv_compiler.h"
#include "etnaviv_shader.h"
#include "glsl_nir.h"
#include "vivgpu_compiler.h"

int etna_mesa_debug; /* a global variable of the driver that its compiler needs */

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

/* Seconds after which a program is given up, and statuses. */
#define PATIENCE 60
#define NOT_VALID 2
#define ENDLESS 3
#define CRASHED 16

static bool verbose;

/* Processor time that our compiler took for the program. */
static double our_ms;

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static bool report_ours(const struct vivgpu_compiler *compiler, const nir_shader *s,
			const char *name)
{
	const struct vivgpu_shader_key key = { 0 };
	const double begin = now_ms();
	struct vivgpu_compile_error error;
	struct vivgpu_shader *shader = vivgpu_compile(compiler, s, &key, &error);

	our_ms += now_ms() - begin;
	if (!shader) {
		printf("%s %s refused: %s\n", name, gl_shader_stage_name(s->info.stage),
		       error.reason);
		free(error.reason);
		return false;
	}
	printf("%s %s %u %u", name, gl_shader_stage_name(s->info.stage), shader->num_instructions,
	       shader->num_temps);
	if (verbose) {
		char *text = vivgpu_shader_disassemble(shader);

		printf("\n%s", text);
		free(text);
	}
	fflush(stdout); /* etnaviv aborts at instructions that it does not support */
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

/* The three words of a line of the list, and the compilers. */
struct job {
	struct vivgpu_compiler *ours;
	struct etna_compiler *theirs;
	const char *version, *vertex, *fragment;
};

static const char *file_name(const char *word)
{
	return word[0] == '-' ? NULL : word;
}

static void give_up(int signal)
{
	(void)signal;
	_exit(ENDLESS);
}

/* Both compilers' NIR of the program; false when it is none. */
static bool read_program(const struct job *job, nir_shader **for_us, nir_shader **for_them)
{
	const char *vertex = file_name(job->vertex), *fragment = file_name(job->fragment);
	int version = atoi(job->version);
	bool good;

	signal(SIGALRM, give_up);
	alarm(PATIENCE);
	good = glsl_nir(version, vertex, fragment, vivgpu_compiler_nir_options(job->ours),
			for_us) &&
	       glsl_nir(version, vertex, fragment, etna_compiler_get_options(job->theirs),
			for_them);
	/* From here on the alarm ends the process as a crash does. */
	signal(SIGALRM, SIG_DFL);
	alarm(PATIENCE);
	return good;
}

/* The program's status; may end the process instead. */
static int compile(const struct job *job)
{
	nir_shader *for_us[MESA_SHADER_FRAGMENT + 1], *for_them[MESA_SHADER_FRAGMENT + 1];
	int status = 0;

	if (!read_program(job, for_us, for_them))
		return NOT_VALID;
	for (unsigned int stage = 0; stage <= MESA_SHADER_FRAGMENT; stage++) {
		if (!for_us[stage])
			continue;
		if (!report_ours(job->ours, for_us[stage], job->vertex))
			status = 1;
		else
			report_theirs(job->theirs, for_them[stage]);
	}
	return status;
}

/* Run in a child process, so that a crash ends only that process. */
static void compile_apart(const struct job *job)
{
	pid_t child;
	int status;

	fflush(stdout);
	child = fork();
	if (child < 0)
		exit(3);
	if (child == 0) {
		status = compile(job);
		printf("\nend %d %.0f\n", status, our_ms);
		fflush(stdout);
		_exit(0); /* standard input belongs to the parent */
	}
	if (waitpid(child, &status, 0) != child)
		exit(3);
	if (WIFSIGNALED(status))
		printf("\nend %d 0\n", CRASHED + WTERMSIG(status));
	else if (WEXITSTATUS(status))
		printf("\nend %d 0\n", WEXITSTATUS(status));
}

static void compile_list(struct job *job)
{
	static char version[8], vertex[256], fragment[256];

	while (scanf("%7s %255s %255s", version, vertex, fragment) == 3) {
		job->version = version;
		job->vertex = vertex;
		job->fragment = fragment;
		compile_apart(job);
	}
}

int main(int argc, char **argv)
{
	struct job job = { 0 };

	etna_core_enable_feature(&gc3000, ETNA_FEATURE_HAS_FAST_TRANSCENDENTALS);
	etna_core_enable_feature(&gc3000, ETNA_FEATURE_HAS_SIGN_FLOOR_CEIL);
	etna_core_enable_feature(&gc3000, ETNA_FEATURE_HAS_SQRT_TRIG);
	etna_core_enable_feature(&gc3000, ETNA_FEATURE_INSTRUCTION_CACHE);
	etna_core_enable_feature(&gc3000, ETNA_FEATURE_HALTI2);
	glsl_type_singleton_init_or_ref();
	job.ours = vivgpu_compiler_create(&gc3000, 1024);
	job.theirs = etna_compiler_create("none", &gc3000);
	if (argc < 4) {
		glsl_nir_keep();
		compile_list(&job);
		return 0;
	}
	verbose = argc > 4;
	job.version = argv[1];
	job.vertex = argv[2];
	job.fragment = argv[3];
	return compile(&job);
}
