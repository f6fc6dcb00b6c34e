// SPDX-License-Identifier: MIT
/*
 * The compiler's code on the card's shader core against NIR itself.
 *
 * Each test is a shader made at random. Rounding differs, so the reference
 * runs a second time with small errors everywhere: what those change, the
 * compiler may change too, and what they change much does not count.
 *
 *	mesa-execute [FIRST [COUNT [KIND]]]	COUNT seeds from FIRST on (150 from 0 without both,
 *						1 with FIRST alone), of all kinds or one; of
 *						one seed also the code, and what differs in
 *						detail
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/glsl_types.h"
#include "etnaviv/common/etna_core_info.h"
#include "nir_run.h"
#include "random_shader.h"
#include "vivgpu_compiler.h"

#define SEEDS 150
/* Relative errors of the reference's further runs; results above TOO_LARGE are not compared. */
#define NOISE 0x1p-20f
#define NOISY_RUNS 4
#define TOO_LARGE 1e5f

struct core {
	const char *personality;
	struct etna_core_info info;
	unsigned int vertex_samplers; /* number of a vertex shader's first */
	struct vivgpu_compiler *compiler;
};

static struct core cores[] = {
	{ .personality = "gc3000",
	  .vertex_samplers = 16,
	  .info = { .model = 0x3000,
		    .revision = 0x5450,
		    .halti = 2,
		    .type = ETNA_CORE_GPU,
		    .gpu = { .max_instructions = 512,
			     .max_registers = 64,
			     .num_constants = 320 } } },
	{ .personality = "gc2000",
	  .vertex_samplers = 8,
	  .info = { .model = 0x2000,
		    .revision = 0x5108,
		    .halti = 0,
		    .type = ETNA_CORE_GPU,
		    .gpu = { .max_instructions = 512,
			     .max_registers = 64,
			     .num_constants = 168 } } },
};

struct kind {
	const char *name;
	unsigned int core;
	struct random_kind random;
};

static const struct kind kinds[] = {
	{ "vertex", 0, { MESA_SHADER_VERTEX, true, false, 30, 0 } },
	{ "fragment", 0, { MESA_SHADER_FRAGMENT, true, false, 30, 0 } },
	{ "vertex control flow", 0, { MESA_SHADER_VERTEX, true, true, 50, 0 } },
	{ "fragment control flow", 0, { MESA_SHADER_FRAGMENT, true, true, 50, 0 } },
	{ "many values", 0, { MESA_SHADER_FRAGMENT, true, true, 40, 40 } },
	{ "too many values", 0, { MESA_SHADER_VERTEX, true, true, 40, 90 } },
	{ "gc2000 vertex", 1, { MESA_SHADER_VERTEX, false, false, 30, 0 } },
	{ "gc2000 fragment", 1, { MESA_SHADER_FRAGMENT, false, true, 40, 0 } },
	{ "vertex constants", 0, { MESA_SHADER_VERTEX, true, true, 20, 0, 192, false, 8000 } },
	{ "fragment constants", 0, { MESA_SHADER_FRAGMENT, true, true, 20, 0, 128, false, 8000 } },
	{ "vertex uniforms", 0, { MESA_SHADER_VERTEX, true, false, 20, 0, 256, true, 400 } },
	{ "constants and values",
	  0,
	  { MESA_SHADER_FRAGMENT, true, false, 20, 70, 120, false, 8000 } },
	{ "gc2000 vertex uniforms", 1, { MESA_SHADER_VERTEX, false, false, 4, 0, 70, false, 40 } },
	{ "gc2000 fragment uniforms",
	  1,
	  { MESA_SHADER_FRAGMENT, false, false, 4, 0, 44, false, 16 } },
	{ "gc2000 scalars", 1, { MESA_SHADER_FRAGMENT, false, false, 4, 0, 72, true, 16 } },
};

/*
 * Shader threads of the cores; the compiler gives a core with so many 4,096 slots of scratch
 * memory.
 */
#define THREADS 512

static bool verbose;
static unsigned int passed, failed, spilled;
static uint32_t user[(RANDOM_UNIFORMS + RANDOM_MORE) * 4];
static struct nir_run exact, noisy[NOISY_RUNS];
static struct card_run card;

static float random_float(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (float)(*seed >> 8) / (1 << 22) - 2.0f; /* -2 .. 2 */
}

static uint32_t bits(float value)
{
	uint32_t u;

	memcpy(&u, &value, sizeof(u));
	return u;
}

static float number(uint32_t u)
{
	float value;

	memcpy(&value, &u, sizeof(value));
	return value;
}

static void open_cores(void)
{
	struct etna_core_info *big = &cores[0].info, *small = &cores[1].info;

	etna_core_enable_feature(big, ETNA_FEATURE_HAS_FAST_TRANSCENDENTALS);
	etna_core_enable_feature(big, ETNA_FEATURE_INSTRUCTION_CACHE);
	for (unsigned int i = 0; i < 2; i++) {
		etna_core_enable_feature(i ? small : big, ETNA_FEATURE_HAS_SIGN_FLOOR_CEIL);
		etna_core_enable_feature(i ? small : big, ETNA_FEATURE_HAS_SQRT_TRIG);
		cores[i].compiler = vivgpu_compiler_create(&cores[i].info, THREADS);
	}
}

static void prepare_run(struct nir_run *run, const struct kind *kind, const nir_shader *shader,
			float noise, uint32_t seed)
{
	memset(run, 0, sizeof(*run));
	run->shader = shader;
	run->uniform = user;
	if (shader->info.stage == MESA_SHADER_VERTEX)
		run->sampler_base = cores[kind->core].vertex_samplers;
	run->noise = noise;
	run->seed = seed;
	for (unsigned int lane = 0; lane < LANES; lane++)
		run->face[lane] = lane & 8 ? bits(1.0f) : 0;
	for (unsigned int c = 0; c < 4; c++)
		for (unsigned int lane = 0; lane < LANES; lane++)
			run->frag_coord[c][lane] = bits(0.5f + (float)(lane * (c + 1) % 23));
	nir_foreach_shader_in_variable(variable, shader)
	{
		nir_run_value *value = nir_run_variable(run, variable);
		uint32_t s = 77 + variable->data.driver_location;

		for (unsigned int c = 0; c < 4; c++)
			for (unsigned int lane = 0; lane < LANES; lane++)
				(*value)[c][lane] = bits(random_float(&s));
	}
}

/* Initial registers: inputs, and large numbers in all others, so that it shows if they are read. */
static void fill_registers(const struct vivgpu_shader *code, const nir_shader *shader)
{
	memset(card.temp, 0x7f, sizeof(card.temp)); /* as floats: 3e38 */
	memcpy(card.face, exact.face, sizeof(card.face));
	if (code->stage == MESA_SHADER_FRAGMENT)
		memcpy(card.temp[0], exact.frag_coord, sizeof(card.temp[0]));
	nir_foreach_shader_in_variable(variable, shader)
	{
		for (unsigned int i = 0; i < code->num_inputs; i++) {
			bool mine = code->stage == MESA_SHADER_VERTEX
					    ? i == variable->data.driver_location
					    : code->inputs[i].location == variable->data.location;

			if (mine && code->inputs[i].components)
				memcpy(card.temp[code->inputs[i].reg],
				       nir_run_variable(&exact, variable), sizeof(card.temp[0]));
		}
	}
}

/* Constant buffer 0 is at the start of the card's memory, the scratch buffer after it. */
#define SCRATCH_OFFSET 0x10000u

/* False if the code has a uniform of another kind, or more scratch memory than there is here. */
static bool fill_uniforms(const struct vivgpu_shader *code)
{
	memset(card_shader_memory(), 0, SCRATCH_OFFSET + VIVGPU_SCRATCH_HEADER);
	memcpy(card_shader_memory(), user, sizeof(user));
	for (uint32_t i = 0; i < code->num_uniforms; i++) {
		const struct vivgpu_uniform *uniform = &code->uniforms[i];

		switch (uniform->kind) {
		case VIVGPU_UNIFORM_UNUSED:
			card.uniform[i] = 0x7f7f7f7f;
			break;
		case VIVGPU_UNIFORM_CONSTANT:
			card.uniform[i] = uniform->value;
			break;
		case VIVGPU_UNIFORM_USER:
			card.uniform[i] = user[uniform->value];
			break;
		case VIVGPU_UNIFORM_UBO_ADDRESS:
			card.uniform[i] = MEMORY_ADDRESS;
			break;
		case VIVGPU_UNIFORM_SCRATCH_ADDRESS:
			card.uniform[i] = MEMORY_ADDRESS + SCRATCH_OFFSET;
			break;
		default:
			return false;
		}
	}
	return SCRATCH_OFFSET + (uint64_t)code->scratch_bytes <= MEMORY_BYTES;
}

/*
 * Where the code leaves what the shader stores in @variable; -1 if nowhere. The depth is in z of
 * register 0.
 */
static int output_register(const struct vivgpu_shader *code, const nir_variable *variable)
{
	if (variable->data.location == FRAG_RESULT_DEPTH && code->stage == MESA_SHADER_FRAGMENT)
		return code->writes_depth ? 0 : -1;
	if (code->stage == MESA_SHADER_FRAGMENT)
		return code->color_reg[variable->data.location - FRAG_RESULT_DATA0];
	if (variable->data.location == VARYING_SLOT_POS)
		return code->position_reg;
	for (uint32_t i = 0; i < code->num_outputs; i++)
		if (code->outputs[i].location == variable->data.location)
			return code->outputs[i].reg;
	return -1;
}

/* Largest deviation from @want of the reference's runs with noise; infinite if it is unbounded. */
static float spread_of(const nir_variable *variable, unsigned int c, unsigned int lane, float want)
{
	float spread = 0.0f;

	for (unsigned int i = 0; i < NOISY_RUNS; i++) {
		float other = number((*nir_run_variable(&noisy[i], variable))[c][lane]);

		if (!isfinite(other))
			return INFINITY;
		spread = fmaxf(spread, fabsf(want - other));
	}
	return spread;
}

static bool is_close(float want, float spread, float got)
{
	float size = fabsf(want);

	if (!isfinite(want) || size > TOO_LARGE || spread > 1e-2f * fmaxf(size, 1.0f))
		return true; /* rounding decides what this is */
	return fabsf(got - want) <= 64.0f * spread + 1e-3f * size + 1e-4f;
}

/* Lanes that any (all: each) run of the reference kills. */
static uint64_t reference_kills(bool all)
{
	uint64_t lanes = exact.killed;

	for (unsigned int i = 0; i < NOISY_RUNS; i++)
		lanes = all ? lanes & noisy[i].killed : lanes | noisy[i].killed;
	return lanes;
}

/* Compares one output; false and a line when it differs. */
static bool compare(const struct vivgpu_shader *code, const nir_variable *variable)
{
	int reg = output_register(code, variable);
	nir_run_value *want = nir_run_variable(&exact, variable);
	bool is_depth =
		code->stage == MESA_SHADER_FRAGMENT && variable->data.location == FRAG_RESULT_DEPTH;
	unsigned int components = glsl_get_components(variable->type);
	unsigned int first = is_depth ? 2 : 0; /* depth is in z */
	uint64_t killed = reference_kills(false);
	unsigned int wrong = 0;

	if (reg < 0) {
		printf("  output %d has no register\n", variable->data.location);
		return false;
	}
	for (unsigned int lane = 0; lane < LANES; lane++) {
		if (killed >> lane & 1)
			continue;
		for (unsigned int c = 0; c < components; c++) {
			float w = number((*want)[c][lane]);
			float got = number(card.temp[reg][first + c][lane]);

			if (is_close(w, spread_of(variable, c, lane, w), got))
				continue;
			if (verbose && wrong < 4)
				printf("  output %d.%c lane %u: %g, not %g\n",
				       variable->data.location, "xyzw"[c], lane, got, w);
			wrong++;
		}
	}
	return !wrong;
}

/* Check that exactly those lanes are killed that the reference kills, with or without noise. */
static bool compare_kills(void)
{
	uint64_t sure = reference_kills(true), perhaps = reference_kills(false);
	bool good = (card.killed & sure) == sure && !(card.killed & ~perhaps);

	if (!good)
		printf("  killed %016llx, not %016llx\n", (unsigned long long)card.killed,
		       (unsigned long long)exact.killed);
	return good;
}

static bool run_code(const struct kind *kind, const struct vivgpu_shader *code,
		     const nir_shader *shader)
{
	bool good = true;

	fill_registers(code, shader);
	if (!fill_uniforms(code)) {
		printf("  a uniform of a kind that has no place here\n");
		return false;
	}
	if (!card_shader_run(cores[kind->core].personality, code->stage == MESA_SHADER_FRAGMENT,
			     code->code, code->num_instructions, &card)) {
		printf("  refused: %s\n", card.error);
		return false;
	}
	nir_foreach_shader_out_variable(variable, shader) good &= compare(code, variable);
	if (code->stage == MESA_SHADER_FRAGMENT)
		good &= compare_kills();
	return good;
}

static bool run_references(const struct kind *kind, const nir_shader *shader)
{
	prepare_run(&exact, kind, shader, 0.0f, 1);
	for (unsigned int i = 0; i < NOISY_RUNS; i++) {
		prepare_run(&noisy[i], kind, shader, NOISE, i + 2);
		if (!nir_run_shader(&noisy[i]))
			break;
	}
	return nir_run_shader(&exact);
}

static bool test_shader(const struct kind *kind, nir_shader *shader)
{
	const struct vivgpu_shader_key key = { 0 };
	struct vivgpu_compile_error error;
	struct vivgpu_shader *code;
	bool good;

	if (!run_references(kind, shader)) {
		printf("  %s\n", exact.error);
		return false;
	}
	code = vivgpu_compile(cores[kind->core].compiler, shader, &key, &error);
	if (!code) {
		printf("  not compiled: %s\n", error.reason);
		free(error.reason);
		return false;
	}
	good = run_code(kind, code, shader);
	spilled += code->stats.spills > 0;
	if (verbose || !good) {
		char *text = vivgpu_shader_disassemble(code);

		if (verbose) {
			nir_print_shader(shader, stdout);
			puts(text);
		}
		free(text);
	}
	vivgpu_shader_destroy(code);
	return good;
}

static void test_seed(const struct kind *kind, uint32_t seed)
{
	const struct vivgpu_compiler *compiler = cores[kind->core].compiler;
	nir_shader *shader =
		random_shader(&kind->random, vivgpu_compiler_nir_options(compiler), seed);

	if (test_shader(kind, shader)) {
		passed++;
	} else {
		failed++;
		printf("FAIL %s, seed %u\n", kind->name, seed);
	}
	ralloc_free(shader);
}

int main(int argc, char **argv)
{
	unsigned int first = argc > 1 ? (unsigned int)atoi(argv[1]) : 0;
	unsigned int count = argc > 2 ? (unsigned int)atoi(argv[2]) : argc > 1 ? 1 : SEEDS;
	const char *only = argc > 3 ? argv[3] : NULL;
	uint32_t s = 5;

	verbose = argc > 1 && count == 1;
	glsl_type_singleton_init_or_ref();
	open_cores();
	for (unsigned int i = 0; i < sizeof(user) / sizeof(user[0]); i++)
		user[i] = bits(random_float(&s));
	for (unsigned int k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		for (uint32_t seed = first; seed < first + count; seed++)
			if (!only || !strcmp(only, kinds[k].name))
				test_seed(&kinds[k], seed);
	for (unsigned int i = 0; i < 2; i++)
		vivgpu_compiler_destroy(cores[i].compiler);
	glsl_type_singleton_decref();
	printf("%u shaders went to scratch memory\n", spilled);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
