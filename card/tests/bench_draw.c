// SPDX-License-Identifier: MIT
/*
 * Speed of whole draws without a guest. A core gets states as Mesa sets them (the first four cases
 * are those of tests/bench/draw-bench.c) and draws into its memory; the results are pixels and
 * vertices per second of processor time, or of elapsed time if there are several threads. Also
 * prints a digest of target, depth, counters and work, which must be the same for two builds that
 * are compared. Not a test.
 *
 *  build/card/bench/draw [CASE [ROUNDS [THREADS [data]]]]
 *
 * "data": with --caches=data, whose digest is the same.
 * ROUNDS 0 draws once and measures nothing: for a profiler that counts the instructions of one draw.
 *
 *  build/card/bench/draw turns CASE
 *
 * A round for each line of the standard input, until a line "end", for tests/bench/turns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gc/core.h"
#include "gc/draw.h"
#include "gc/pe.h"
/* Not in the earlier cards with which tests/bench/card-turns compares. */
#if __has_include("gc/posted.h")
#include "gc/posted.h"
#endif
#include "gc/texture.h"
#include "hw/cmdstream.xml.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "tests/state_writer.h"

#define SIZE 1024 /* of the target, both ways */
#define GRID 256  /* squares a side of the cases "vertices" and "small" */
#define TEXTURE_SIZE 256
#define ROUNDS 60 /* short ones, of which the fastest counts: the machine may be busy */
#define LEQUAL 3  /* COMPARE_FUNC */

/* Guest memory, by physical address. */
#define RAM_BASE 0x10000000u
#define RAM_BYTES (32u << 20)
#define TARGET_AT (0u << 20)
#define DEPTH_AT (8u << 20)
#define TEXTURE_AT (16u << 20)
#define VERTICES_AT (20u << 20)
#define INDICES_AT (24u << 20)
#define TARGET_TAGS_AT (28u << 20)
#define DEPTH_TAGS_AT (29u << 20)
#define TAG_BYTES (SIZE * SIZE / 64) /* two bits a tile of 64 bytes */

static struct {
	struct gc_core *gc;
	struct guest_memory memory;
	uint8_t *ram;
	unsigned int threads;
	bool data; /* caches have contents, writes are posted */
} bench;

static void no_irq(void *ctx, bool level)
{
}

static void begin_vs(void)
{
	writer.instructions = 0;
}

static void begin_ps(void)
{
	set(VIVS_VS_RANGE, VIVS_VS_RANGE_HIGH(writer.instructions - 1));
	writer.instructions = 256;
}

static void end_ps(unsigned int output)
{
	set(VIVS_PS_RANGE, VIVS_PS_RANGE_LOW(256) | VIVS_PS_RANGE_HIGH(writer.instructions - 1));
	set(VIVS_PS_OUTPUT_REG, output);
	set(VIVS_PS_TEMP_REGISTER_CONTROL, output + 1);
}

/* gl_Position = vec4(position, 0, 1); v = position */
static void position_vs(void)
{
	begin_vs();
	ASM(OP(ISA_MOV), D(1, "xy"), S2(T(0, "xyxx")));
	ASM(OP(ISA_MOV), D(1, "zw"), S2(U(0, "xxxy")));
}

/* gl_FragColor = vec4(v, 0.5, 1), red and blue exchanged as Mesa does */
static void position_ps(void)
{
	begin_ps();
	ASM(OP(ISA_MOV), D(2, "xy"), S2(T(1, "xyxx")));
	ASM(OP(ISA_MOV), D(2, "zw"), S2(U(0, "xxxy")));
	ASM(OP(ISA_MOV), D(3, "xw"), S2(U(0, "xxxy")));
	ASM(OP(ISA_MOV), D(3, "yz"), S2(T(1, "yyxy")));
	end_ps(3);
}

/* gl_FragColor = texture2D(image, v * 2.0) */
static void textured_ps(void)
{
	begin_ps();
	ASM(OP(ISA_MUL), D(1, "xy"), S0(T(1, "xyyy")), S1(IMM_F(2.0f)));
	ASM(OP(ISA_TEXLD), D(1, "xyzw"), TEX(0, "xyzw"), S0(T(1, "xyyy")));
	ASM(OP(ISA_MOV), D(2, "xyzw"), S2(T(1, "zyxw")));
	end_ps(2);
}

/* One light on a textured surface: what most scenes of glmark2 do. */
static void lit_ps(void)
{
	begin_ps();
	ASM(OP(ISA_ADD), D(2, "xyz"), S0(T(1, "xyyy")), S2(U(0, "xyxx")));
	ASM(OP(ISA_DP3), D(2, "w"), S0(T(2, "xyzz")), S1(T(2, "xyzz")));
	ASM(OP(ISA_RSQ), D(2, "w"), S2(T(2, "wwww")));
	ASM(OP(ISA_MUL), D(3, "xyz"), S0(T(2, "xyzz")), S1(T(2, "wwww")));
	ASM(OP(ISA_DP3), SAT, D(3, "x"), S0(T(3, "xyzz")), S1(U(0, "xyxx")));
	ASM(OP(ISA_TEXLD), D(1, "xyzw"), TEX(0, "xyzw"), S0(T(1, "xyyy")));
	ASM(OP(ISA_MUL), D(1, "xyz"), S0(T(1, "xyzz")), S1(T(3, "xxxx")));
	ASM(OP(ISA_MOV), D(2, "xyzw"), S2(T(1, "zyxw")));
	end_ps(3); /* t3 is the last temporary, the colour is in t2 */
	set(VIVS_PS_OUTPUT_REG, 2);
}

/* gl_FragColor = texture2D(image, v turned and enlarged) */
static void turned_ps(void)
{
	set_f(VIVS_SH_UNIFORMS(8), -0.5f);
	set_f(VIVS_SH_UNIFORMS(9), 0.5f);
	begin_ps();
	ASM(OP(ISA_MUL), D(2, "xy"), S0(T(1, "yxxx")), S1(U(1, "xyxx")));
	ASM(OP(ISA_MAD), D(1, "xy"), S0(T(1, "xyyy")), S1(IMM_F(1.2f)), S2(T(2, "xyxx")));
	ASM(OP(ISA_TEXLD), D(1, "xyzw"), TEX(0, "xyzw"), S0(T(1, "xyyy")));
	ASM(OP(ISA_MOV), D(2, "xyzw"), S2(T(1, "zyxw")));
	end_ps(2);
}

static void common_states(void)
{
	set(VIVS_FE_VERTEX_ELEMENT_CONFIG(0), 0x08002088); /* two floats */
	set(VIVS_FE_GENERIC_ATTRIB_SCALE(0), 0x3f800000);
	set(VIVS_NFE_VERTEX_STREAMS_BASE_ADDR(0), RAM_BASE + VERTICES_AT);
	set(VIVS_NFE_VERTEX_STREAMS_CONTROL(0), 8);
	set(VIVS_FE_INDEX_STREAM_BASE_ADDR, RAM_BASE + INDICES_AT);
	set(VIVS_FE_INDEX_STREAM_CONTROL, VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_SHORT);
	set(VIVS_VS_INPUT_COUNT, 0x101);
	set(VIVS_VS_OUTPUT_COUNT, 2);
	set(VIVS_VS_OUTPUT(0), 1); /* position in t1, varying in t0 */
	set(VIVS_VS_TEMP_REGISTER_CONTROL, 2);
	set_f(VIVS_PA_VIEWPORT_SCALE_X, SIZE / 2);
	set_f(VIVS_PA_VIEWPORT_SCALE_Y, SIZE / 2);
	set_f(VIVS_PA_VIEWPORT_SCALE_Z, 1.0f);
	set_f(VIVS_PA_VIEWPORT_OFFSET_X, SIZE / 2);
	set_f(VIVS_PA_VIEWPORT_OFFSET_Y, SIZE / 2);
	set(VIVS_PA_W_CLIP_LIMIT, 0x34000001);
	set(VIVS_PA_SYSTEM_MODE, 0x11);
	set(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, 0x100);
	set(VIVS_PA_CONFIG, 0x412000);
	set(VIVS_PA_SHADER_ATTRIBUTES(0), 0x2f1);
	set(VIVS_GL_VARYING_NUM_COMPONENTS, 2);
	set_f(VIVS_SE_SCISSOR_RIGHT, SIZE);
	set_f(VIVS_SE_SCISSOR_BOTTOM, SIZE);
	set_f(VIVS_SE_CLIP_RIGHT, SIZE);
	set_f(VIVS_SE_CLIP_BOTTOM, SIZE);
	set(VIVS_PS_CONTROL, 2);
	set(VIVS_PE_DEPTH_CONFIG, 0x01000700);
	set(VIVS_PE_COLOR_FORMAT, 0x00110f06); /* A8R8G8B8, supertiled, OVERWRITE */
	set(VIVS_PE_COLOR_STRIDE, SIZE * 4);
	set(VIVS_PE_PIPE_COLOR_ADDR(0), RAM_BASE + TARGET_AT);
	set(VIVS_PE_PIPE_COLOR_ADDR(1), RAM_BASE + TARGET_AT);
	set(VIVS_PE_LOGIC_OP, 0x000e426c);
	set(VIVS_PE_DITHER(0), 0x6e4ca280);
	set(VIVS_PE_DITHER(1), 0x5d7f91b3);
	set(VIVS_PS_UNIFORM_BASE, 1);
	set_f(VIVS_SH_UNIFORMS(1), 1.0f);
	set_f(VIVS_SH_UNIFORMS(4), 0.5f);
	set_f(VIVS_SH_UNIFORMS(5), 1.0f);
	position_vs();
}

static void texture_states(void)
{
	set(VIVS_NTE_SAMPLER_CONFIG0(0), 0x00093102); /* bilinear, repeat */
	set(VIVS_NTE_SAMPLER_SIZE(0), TEXTURE_SIZE << 16 | TEXTURE_SIZE);
	set(VIVS_NTE_SAMPLER_LOG_SIZE(0), 0x20040100);
	set(VIVS_NTE_SAMPLER_3D_CONFIG(0), 1);
	set(VIVS_NTE_SAMPLER_CONFIG1(0), 0x08321000);
	set(VIVS_NTE_SAMPLER_ASTC0(0), 0x0c0c0c00);
	set(VIVS_NTE_SAMPLER_ADDR(0), RAM_BASE + TEXTURE_AT);
}

/* Nearest, supertiled, twice as large each way. */
static void large_texture_states(void)
{
	texture_states();
	set(VIVS_NTE_SAMPLER_CONFIG0(0), 0x000148d2);
	set(VIVS_NTE_SAMPLER_SIZE(0), 2 * TEXTURE_SIZE << 16 | 2 * TEXTURE_SIZE);
	set(VIVS_NTE_SAMPLER_LOG_SIZE(0), 0x20048120);
	set(VIVS_NTE_SAMPLER_CONFIG1(0), 0x08521000);
	for (uint32_t i = 0; i < 4 * TEXTURE_SIZE * TEXTURE_SIZE * 4; i++)
		bench.ram[TEXTURE_AT + i] = (uint8_t)(i * 7 ^ i >> 9);
}

/* Target and depth have tile status. */
static void tag_states(void)
{
	set(VIVS_TS_MEM_CONFIG,
	    VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR | VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR);
	set(VIVS_TS_COLOR_STATUS_BASE, RAM_BASE + TARGET_TAGS_AT);
	set(VIVS_TS_COLOR_SURFACE_BASE, RAM_BASE + TARGET_AT);
	set(VIVS_TS_COLOR_CLEAR_VALUE, 0xff000000);
	set(VIVS_TS_DEPTH_STATUS_BASE, RAM_BASE + DEPTH_TAGS_AT);
	set(VIVS_TS_DEPTH_SURFACE_BASE, RAM_BASE + DEPTH_AT);
	set(VIVS_TS_DEPTH_CLEAR_VALUE, 0xffffff00);
}

/* A fast clear of both: each tile's tag is 1. */
static void clear_tags(void)
{
	memset(bench.ram + TARGET_TAGS_AT, 0x55, TAG_BYTES);
	memset(bench.ram + DEPTH_TAGS_AT, 0x55, TAG_BYTES);
}

static void blend_states(void)
{
	set(VIVS_PE_ALPHA_CONFIG, 0x05400541); /* SRC_ALPHA, ONE_MINUS_SRC_ALPHA */
	set(VIVS_PE_COLOR_FORMAT, 0x00100f06); /* as before, without OVERWRITE */
}

/* D24S8, LEQUAL, written, decided early. */
static void depth_states(void)
{
	set(VIVS_PE_DEPTH_CONFIG,
	    VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_Z | VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8 |
		    VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC(LEQUAL) | VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE |
		    VIVS_PE_DEPTH_CONFIG_EARLY_Z | VIVS_PE_DEPTH_CONFIG_SUPER_TILED);
	set(VIVS_RA_EARLY_DEPTH, VIVS_RA_EARLY_DEPTH_TEST_ENABLE);
	set(VIVS_PE_PIPE_DEPTH_ADDR(0), RAM_BASE + DEPTH_AT);
	set(VIVS_PE_PIPE_DEPTH_ADDR(1), RAM_BASE + DEPTH_AT);
	set(VIVS_PE_DEPTH_STRIDE, SIZE * 4);
	memset(bench.ram + DEPTH_AT, 0xff, SIZE * SIZE * 4);
}

static void open_core(void)
{
	struct gc_host host = { .set_irq = no_irq, .memory = &bench.memory };
	struct gc_options options = { .threads = bench.threads, .cache_data = bench.data };

	bench.ram = aligned_alloc(4096, RAM_BYTES);
	memset(bench.ram, 0, RAM_BYTES);
	for (uint32_t i = 0; i < TEXTURE_SIZE * TEXTURE_SIZE * 4; i++)
		bench.ram[TEXTURE_AT + i] = (uint8_t)(i * 7);
	bench.memory.count = 1;
	bench.memory.region[0] = (struct guest_region){ RAM_BASE, RAM_BYTES, bench.ram };
	host.clock = clock_create(true);
	bench.gc = gc_create(gc_personality_find("gc3000"), &host, &options);
	writer.gc = bench.gc;
	common_states();
}

static void close_core(void)
{
	struct card_clock *clock = bench.gc->host.clock;

	gc_destroy(bench.gc);
	clock_destroy(clock);
	free(bench.ram);
}

/* The cases: each sets states and vertices and returns the draw. */

static struct gc_draw quad(void)
{
	static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };

	memcpy(bench.ram + VERTICES_AT, corners, sizeof(corners));
	return (struct gc_draw){ .primitive = PRIMITIVE_TYPE_TRIANGLE_STRIP,
				 .by_vertices = true,
				 .count = 4,
				 .instances = 1 };
}

/*
 * @side x @side squares of two triangles over the target, without rows whose vertices exceed
 * 16-bit indices.
 */
static struct gc_draw grid(unsigned int side)
{
	float *vertex = (float *)(bench.ram + VERTICES_AT);
	unsigned int rows = 0;

	for (unsigned int y = 0; y <= side; y++)
		for (unsigned int x = 0; x <= side; x++) {
			*vertex++ = 2.0f * (float)x / (float)side - 1.0f;
			*vertex++ = 2.0f * (float)y / (float)side - 1.0f;
		}
	while (rows < side && (rows + 2) * (side + 1) < 65536)
		rows++;
	return draw_grid((uint16_t *)(bench.ram + INDICES_AT), side, rows);
}

static struct gc_draw fill(void)
{
	position_ps();
	return quad();
}

static struct gc_draw fill_blended(void)
{
	position_ps();
	blend_states();
	return quad();
}

static struct gc_draw fill_textured(void)
{
	textured_ps();
	texture_states();
	return quad();
}

static struct gc_draw vertices(void)
{
	position_ps();
	return grid(GRID);
}

/* Like glmark2's build scene: small triangles with depth, tile status cleared for each draw. */
static struct gc_draw small_triangles(void)
{
	position_ps();
	depth_states();
	tag_states();
	return grid(GRID);
}

/* Triangles of 128 pixels, lit, textured, depth tested. */
static struct gc_draw mesh(void)
{
	lit_ps();
	texture_states();
	depth_states();
	return grid(SIZE / 16);
}

/* An effect over the whole target, with depth. */
static struct gc_draw fill_lit(void)
{
	lit_ps();
	texture_states();
	depth_states();
	return quad();
}

/* Three faces of a cube that meet in the middle. */
static struct gc_draw cube(void)
{
	static const float edge[3][2] = { { 0.1f, 0.6f }, { 0.5f, -0.35f }, { -0.6f, -0.25f } };
	float *vertex = (float *)(bench.ram + VERTICES_AT);

	for (unsigned int face = 0; face < 3; face++) {
		const float *a = edge[face], *b = edge[(face + 1) % 3];
		const float corners[6][2] = { { 0.0f, 0.0f },
					      { a[0], a[1] },
					      { a[0] + b[0], a[1] + b[1] },
					      { 0.0f, 0.0f },
					      { a[0] + b[0], a[1] + b[1] },
					      { b[0], b[1] } };

		memcpy(vertex + 12 * face, corners, sizeof(corners));
	}
	return (struct gc_draw){ .primitive = PRIMITIVE_TYPE_TRIANGLES,
				 .by_vertices = true,
				 .count = 18,
				 .instances = 1 };
}

/* Like glmark2's texture scene: blocks cut by edges, sparse texels, cleared for each draw. */
static struct gc_draw textured_cube(void)
{
	turned_ps();
	large_texture_states();
	depth_states();
	tag_states();
	return cube();
}

static const struct {
	const char *name;
	struct gc_draw (*prepare)(void);
	unsigned int draws;  /* a round */
	void (*clear)(void); /* before each draw, or NULL */
} cases[] = {
	{ "fill", fill, 2, NULL },
	{ "fill_blended", fill_blended, 2, NULL },
	{ "fill_textured", fill_textured, 1, NULL },
	{ "vertices", vertices, 1, NULL },
	{ "small", small_triangles, 1, clear_tags },
	{ "mesh", mesh, 1, NULL },
	{ "fill_lit", fill_lit, 1, NULL },
	{ "textured_cube", textured_cube, 1, clear_tags },
};

/* Measurement */

static double seconds(void)
{
	struct timespec now;

	clock_gettime(bench.threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t digest(uint64_t hash, const void *data, size_t words)
{
	const uint32_t *word = data;

	for (size_t i = 0; i < words; i++)
		hash = (hash ^ word[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

/* As the front end encloses an operation, but all writes are due when it ends. */
static void begin_writes(void)
{
#ifdef CARD_GC_POSTED_H
	gc_posted_begin(bench.gc->posted);
	gc_mmu_drop(&bench.gc->mmu);
#endif
}

static void end_writes(void)
{
#ifdef CARD_GC_POSTED_H
	gc_posted_end(bench.gc->posted, 0);
	gc_posted_deliver(bench.gc->posted, 0);
	gc_mmu_drop(&bench.gc->mmu);
#endif
}

static void draw(const struct gc_draw *what, void (*clear)(void))
{
	if (clear)
		clear();
	if (bench.data)
		begin_writes();
	gc_draw_execute(bench.gc, what);
	if (bench.data)
		end_writes();
}

static uint64_t results(void)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	gc_pe_flush(bench.gc, true, true);
	gc_texture_flush(bench.gc, true, true);
#if __has_include("gc/pieces.h")
	gc_pieces_end(bench.gc);
#endif
	hash = digest(hash, bench.ram + TARGET_AT, SIZE * SIZE);
	hash = digest(hash, bench.ram + DEPTH_AT, SIZE * SIZE);
	hash = digest(hash, &bench.gc->counters, sizeof(bench.gc->counters) / 4);
	return digest(hash, &bench.gc->work, sizeof(bench.gc->work) / 4);
}

/* Set up a case and draw once. */
static struct gc_draw begin_case(unsigned int number)
{
	struct gc_draw what;

	open_core();
	what = cases[number].prepare();
	draw(&what, cases[number].clear);
	return what;
}

/* Returns: the seconds of a draw. */
static double run_round(unsigned int number, const struct gc_draw *what)
{
	double start = seconds();

	for (unsigned int n = 0; n < cases[number].draws; n++)
		draw(what, cases[number].clear);
	return (seconds() - start) / cases[number].draws;
}

static void measure(unsigned int number, unsigned int rounds)
{
	struct gc_draw what = begin_case(number);
	uint64_t hash = results(), pixels = bench.gc->counters.ps_pixels;
	uint64_t shaded = bench.gc->counters.vs_vertices;
	double best = 1e9;

	for (unsigned int round = 0; round < rounds; round++) {
		double time = run_round(number, &what);

		best = time < best ? time : best;
	}
	printf("%-14s %8.1f Mpixel/s %7.3f ns/pixel %8.3f Mvertex/s  %016llx\n", cases[number].name,
	       (double)pixels / best * 1e-6, best / (double)pixels * 1e9,
	       (double)shaded / best * 1e-6, (unsigned long long)hash);
	close_core();
}

/* Prints an empty line; for each line of the standard input Mpixel/s, and an empty line. */
static void take_turns(unsigned int number)
{
	struct gc_draw what = begin_case(number);
	double pixels = (double)bench.gc->counters.ps_pixels;
	char line[64];

	puts("");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) && strcmp(line, "end\n")) {
		printf("draw.%s %.3f\n\n", cases[number].name,
		       pixels / run_round(number, &what) * 1e-6);
		fflush(stdout);
	}
	close_core();
}

int main(int argc, char **argv)
{
	bool turns = argc > 2 && !strcmp(argv[1], "turns");
	const char *name = turns ? argv[2] : argc > 1 ? argv[1] : NULL;
	unsigned int rounds = argc > 2 ? (unsigned int)atoi(argv[2]) : ROUNDS;

	bench.threads = argc > 3 ? (unsigned int)atoi(argv[3]) : 1;
	bench.data = argc > 4 && !strcmp(argv[4], "data");
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (name && strcmp(name, cases[i].name))
			continue;
		if (turns)
			take_turns(i);
		else
			measure(i, rounds);
	}
	return 0;
}
