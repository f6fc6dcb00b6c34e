/* SPDX-License-Identifier: MIT */
/*
 * The draw unit for tests: real fetch, assembly, clipping, rasteriser and interpolation, with a
 * fake shader and a fake pixel engine whose data tests can check. The unit's sources are
 * included here, with the names of the neighbouring units' functions replaced by macros.
 *
 * The vertex shader copies its inputs. The pixel shader calls rig.shade, or writes the first
 * varying. The pixel engine stores colour, depth, number of writes and face of each sample.
 */
#ifndef CARD_TESTS_DRAW_RIG_H
#define CARD_TESTS_DRAW_RIG_H

#define gc_pe_begin_draw rig_pe_begin_draw
#define gc_pe_shader rig_pe_shader
#define gc_pe_samples rig_pe_samples
#define gc_pe_targets rig_pe_targets
#define gc_pe_early rig_pe_early
#define gc_pe_is_late rig_pe_is_late
#define gc_pe_needs_depth rig_pe_needs_depth
#define gc_pe_early_test rig_pe_early_test
#define gc_pe_depth rig_pe_depth
#define gc_pe_alpha rig_pe_alpha
#define gc_pe_color_target rig_pe_color_target
#define gc_pe_can_write_blocks rig_pe_takes_blocks
#define gc_pe_can_write_tiles rig_pe_takes_tiles
#define gc_pe_color_block rig_pe_color_block
#define gc_texture_begin_draw rig_texture_begin_draw
#define gc_shader_get rig_shader_get
#define gc_shader_run rig_shader_run
#define gc_shader_run_short rig_shader_run_short
#define gc_shader_output rig_shader_output
#define gc_shader_output_color rig_shader_output_color
#define gc_shader_reads rig_shader_reads
#define gc_shader_reads_face rig_shader_reads_face
#define gc_shader_uses_kill rig_shader_uses_kill
#define gc_shader_price rig_shader_price
#define gc_pieces_is_full rig_pieces_is_full
#define gc_pieces_cut rig_pieces_cut
#define gc_draw_cut rig_draw_cut
#define gc_draw_create rig_draw_create
#define gc_draw_destroy rig_draw_destroy
#define gc_draw_execute rig_draw_execute
#define gc_draw_drain rig_draw_drain
#define gc_draw_abandon_deferred rig_draw_abandon_deferred
#define gc_draw_state_decode rig_draw_state_decode
#define gc_draw_count_vertices rig_draw_count_vertices
#define gc_draw_varyings_fit rig_draw_varyings_fit
#define gc_draw_shade rig_draw_shade
#define gc_draw_primitive rig_draw_primitive
#define gc_draw_shade_quads rig_draw_shade_quads
#define gc_draw_shade_block rig_draw_shade_block
#define gc_draw_groups_left rig_draw_groups_left
#define gc_draw_find_part rig_draw_find_part
#define gc_draw_shade_part rig_draw_shade_part
#define gc_draw_pixels_begin rig_draw_pixels_begin
#define gc_draw_fresh_setup rig_draw_fresh_setup
#define gc_draw_pixels_block rig_draw_pixels_block
#define gc_draw_pixels_whole rig_draw_pixels_whole
#define gc_draw_pixels_tile rig_draw_pixels_tile
#define gc_draw_pixels_finish rig_draw_pixels_finish
#define gc_draw_set_block rig_draw_set_block

#include "gc/draw.c"
#include "gc/draw_pixels.c"
#include "gc/draw_primitives.c"
#include "gc/draw_shading.c"
#include "gc/draw_state.c"
#include "gc/draw_vertices.c"
#include "gc/float_bits.h"
#include "hw/cmdstream.xml.h"
#include "tests/check.h"

#define RIG_DEPTH_BYTES 128 /* counted as read by each depth test of a group of quads */
#define RIG_SIZE 96         /* pixels of the target, each way */
#define RIG_BASE 0x10000000u
#define RIG_BYTES 0x80000u
#define RIG_INDICES 0x40000u /* byte offset of the index buffer */

struct rig_sample {
	float color[4];
	float z;
	unsigned int writes;
	bool front;
};

static struct rig {
	unsigned int pieces; /* that were cut */
	struct gc_core gc;
	struct gc_personality personality;
	struct guest_memory guest;
	uint8_t memory[RIG_BYTES] __attribute__((aligned(4096)));
	struct rig_sample target[RIG_SIZE][RIG_SIZE][GC_MAX_SAMPLES];
	unsigned int samples;
	/*
	 * Before shading, depth is tested and written (early), or quads are only rejected by it
	 * (early_test); not both. The depth function is LESS (depth_less) or ALWAYS.
	 */
	bool early, early_test, depth_less, no_target;
	bool depth_only;           /* no targets, and a program that reads nothing */
	float alpha_tested;        /* first component of lane 0 in the last alpha test */
	bool alpha_refuses;        /* the alpha test refuses all pixels */
	unsigned int false_blocks; /* quads not fully covered, of groups marked as blocks */
	bool straight; /* no late tests, no depth unless it is early, targets accept whole blocks */
	bool no_blocks;                /* targets accept no whole blocks after all */
	unsigned int blocks;           /* whole blocks written */
	unsigned int fail_color_after; /* calls; 0 = never */
	void (*shade)(struct gc_batch *batch);
	unsigned int ps_runs, vs_runs, yields, answers, stop_after_yields;
	uint64_t ps_lanes, vs_lanes;
} rig;

bool rig_pe_begin_draw(struct gc_core *gc)
{
	return !rig.no_target;
}

void rig_pe_shader(struct gc_core *gc, bool kills, bool writes_depth)
{
}

unsigned int rig_pe_samples(const struct gc_core *gc)
{
	return rig.samples;
}

unsigned int rig_pe_targets(const struct gc_core *gc)
{
	return rig.depth_only ? 0 : 1;
}

bool rig_pe_is_late(const struct gc_core *gc)
{
	return !rig.straight;
}

bool rig_pe_needs_depth(const struct gc_core *gc)
{
	return !rig.straight || rig.early;
}

bool rig_pe_takes_blocks(const struct gc_core *gc)
{
	return rig.straight && !rig.no_blocks;
}

/* Tiles as a whole need targets in memory; they are tested in test_threads.c. */
bool rig_pe_takes_tiles(const struct gc_core *gc, struct gc_pe_paint *paint)
{
	return false;
}

bool rig_pe_early(const struct gc_core *gc)
{
	return rig.early;
}

static bool rig_test_depth(struct gc_quads *quads, bool write)
{
	for (unsigned int q = 0; q < quads->count; q++) {
		struct gc_quad *quad = &quads->quad[q];

		for (unsigned int b = 0; b < 16; b++) {
			unsigned int s = b / 4, p = b % 4;
			struct rig_sample *at;

			if (!(quad->coverage >> b & 1))
				continue;
			at = &rig.target[quad->y + p / 2][quad->x + p % 2][s];
			if (rig.depth_less && !(quads->z[s][4 * q + p] < at->z)) {
				quad->coverage &= (uint16_t)~(1u << b);
				quads->block = false;
			} else if (write) {
				at->z = quads->z[s][4 * q + p];
			}
		}
	}
	return true;
}

bool rig_pe_early_test(struct gc_core *gc, struct gc_quads *quads)
{
	if (!rig.early_test)
		return true;
	gc->work.depth_read_bytes += RIG_DEPTH_BYTES;
	return rig_test_depth(quads, false);
}

/*
 * The depth test. Counts quads that are not fully covered although the caller marks their group as
 * a block.
 */
bool rig_pe_depth(struct gc_core *gc, struct gc_quads *quads)
{
	for (unsigned int q = 0; q < quads->count; q++)
		rig.false_blocks += quads->block && (quads->quad[q].coverage & 0xf) != 0xf;
	gc->work.depth_read_bytes += RIG_DEPTH_BYTES;
	return rig_test_depth(quads, true);
}

void rig_pe_alpha(struct gc_core *gc, struct gc_quads *quads, const struct gc_color *color)
{
	rig.alpha_tested = color->c[0]->f[0];
	for (unsigned int q = 0; rig.alpha_refuses && q < quads->count; q++)
		quads->quad[q].coverage = 0;
}

bool rig_pe_color_target(struct gc_core *gc, unsigned int target, const struct gc_quads *quads,
			 const struct gc_color *color)
{
	if (rig.fail_color_after && !--rig.fail_color_after)
		return false;
	for (unsigned int q = 0; q < quads->count; q++) {
		const struct gc_quad *quad = &quads->quad[q];

		for (unsigned int b = 0; b < 16; b++) {
			unsigned int s = b / 4, p = b % 4;
			struct rig_sample *at;

			if (!(quad->coverage >> b & 1))
				continue;
			at = &rig.target[quad->y + p / 2][quad->x + p % 2][s];
			for (unsigned int c = 0; c < 4; c++)
				at->color[c] = color->c[c]->f[4 * q + p];
			at->writes++;
			at->front = quad->front;
		}
	}
	return true;
}

bool rig_pe_color_block(struct gc_core *gc, unsigned int target, int x, int y,
			const struct gc_color *color)
{
	struct gc_quads quads = { .count = GC_QUADS };

	rig.blocks++;
	for (unsigned int q = 0; q < GC_QUADS; q++)
		quads.quad[q] = (struct gc_quad){ .x = (int16_t)(x + 2 * (int)(q % 4)),
						  .y = (int16_t)(y + 2 * (int)(q / 4)),
						  .coverage = 0xf };
	return rig_pe_color_target(gc, target, &quads, color);
}

void rig_texture_begin_draw(struct gc_core *gc)
{
}

const struct gc_shader *rig_shader_get(struct gc_core *gc, enum gc_stage stage)
{
	return stage == GC_STAGE_VS ? (const void *)"vs" : (const void *)"ps";
}

void rig_shader_run(struct gc_core *gc, const struct gc_shader *shader, struct gc_batch *batch,
		    struct gc_shader_cost *cost)
{
	unsigned int lanes = (unsigned int)__builtin_popcountll(batch->live);

	if (*(const char *)shader == 'v') {
		rig.vs_runs++;
		rig.vs_lanes += lanes;
		cost->instructions += 5 * lanes;
		return;
	}
	rig.ps_runs++;
	rig.ps_lanes += lanes;
	cost->instructions += 3 * lanes;
	cost->texlds += lanes;
	if (rig.shade)
		rig.shade(batch);
}

void rig_shader_run_short(struct gc_core *gc, const struct gc_shader *shader,
			  struct gc_batch *batch, struct gc_shader_cost *cost)
{
	rig_shader_run(gc, shader, batch, cost);
}

const union gc_lanes *rig_shader_output(const struct gc_shader *shader,
					const struct gc_batch *batch, unsigned int reg,
					unsigned int c)
{
	return &batch->temp[reg].c[c];
}

void rig_shader_output_color(const struct gc_shader *shader, const struct gc_batch *batch,
			     unsigned int reg, struct gc_color *color)
{
	*color = gc_color_of(&batch->temp[reg]);
}

unsigned int rig_shader_reads(const struct gc_shader *shader, unsigned int reg)
{
	return rig.depth_only ? 0 : 0xf;
}

bool rig_shader_reads_face(const struct gc_shader *shader)
{
	return !rig.straight;
}

void rig_shader_price(const struct gc_core *gc, const struct gc_shader *shader,
		      struct gpu_program *program)
{
}

bool rig_pieces_is_full(const struct gc_core *gc)
{
	return false;
}

void rig_pieces_cut(struct gc_core *gc, uint64_t tiles)
{
	rig.pieces++;
}

bool rig_shader_uses_kill(const struct gc_shader *shader)
{
	return false;
}

static void rig_yield(void *ctx)
{
	if (++rig.yields == rig.stop_after_yields)
		rig.gc.abort = true;
}

static void rig_answer(void *ctx)
{
	rig.answers++;
}

static void rig_set(uint32_t address, uint32_t value)
{
	gc_state_set(&rig.gc.state, address, value);
}

static void rig_set_f(uint32_t address, float value)
{
	rig_set(address, float_bits(value));
}

static void rig_clear(void)
{
	for (unsigned int y = 0; y < RIG_SIZE; y++)
		for (unsigned int x = 0; x < RIG_SIZE; x++)
			for (unsigned int s = 0; s < GC_MAX_SAMPLES; s++)
				rig.target[y][x][s] = (struct rig_sample){ .z = 1.0f };
	memset(&rig.gc.work, 0, sizeof(rig.gc.work));
	memset(&rig.gc.counters, 0, sizeof(rig.gc.counters));
	rig.ps_runs = rig.vs_runs = rig.yields = rig.answers = 0;
	rig.ps_lanes = rig.vs_lanes = 0;
}

/* Position and @varyings varyings of 4 floats, interleaved in stream 0. */
static void rig_inputs(unsigned int varyings)
{
	uint32_t reg[4] = { 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c };

	rig_set(VIVS_VS_INPUT_COUNT, varyings + 1);
	rig_set(VIVS_VS_OUTPUT_COUNT, varyings + 1);
	rig_set(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT(varyings));
	for (unsigned int i = 0; i < 4; i++) {
		rig_set(VIVS_VS_INPUT(i), reg[i]);
		rig_set(VIVS_VS_OUTPUT(i), reg[i]);
	}
	for (unsigned int i = 0; i <= varyings; i++)
		rig_set(VIVS_FE_VERTEX_ELEMENT_CONFIG(i),
			VIVS_FE_VERTEX_ELEMENT_CONFIG_TYPE(FE_DATA_TYPE_FLOAT) |
				VIVS_FE_VERTEX_ELEMENT_CONFIG_START(16 * i));
	rig_set(VIVS_GL_VARYING_NUM_COMPONENTS, 0x44444444);
	rig_set(VIVS_GL_VARYING_NUM_COMPONENTS2, 0x44444444);
	rig_set(VIVS_NFE_VERTEX_STREAMS_BASE_ADDR(0), RIG_BASE);
	rig_set(VIVS_NFE_VERTEX_STREAMS_CONTROL(0), 16 * (varyings + 1));
}

/* Where vertex @i of rig_inputs(@varyings) is. */
static float *rig_vertex(unsigned int varyings, unsigned int i)
{
	return (float *)(rig.memory + 16 * (varyings + 1) * i);
}

/* A GC3000-like core, an empty target, one varying, state as Mesa's defaults. */
static void rig_open(void)
{
	struct gc_draw_unit *unit = rig.gc.draw;

	if (!unit)
		unit = rig_draw_create(&rig.gc);
	memset(&rig.gc, 0, sizeof(rig.gc));
	memset(rig.memory, 0, sizeof(rig.memory));
	rig.gc.draw = unit;
	rig.personality = (struct gc_personality){ .halti = 2, .streams = 16, .varyings = 16 };
	rig.guest = (struct guest_memory){ 1, { { RIG_BASE, RIG_BYTES, rig.memory } } };
	rig.gc.personality = &rig.personality;
	rig.gc.pipeline.params = gpu_params_find("imx6q");
	rig.gc.host.yield = rig_yield;
	rig.gc.host.answer = rig_answer;
	gc_mmu_init(&rig.gc.mmu, 2, &rig.guest);
	rig.samples = 1;
	rig.early = rig.early_test = rig.depth_less = rig.no_target = rig.depth_only = false;
	rig.alpha_refuses = false;
	rig.false_blocks = 0;
	rig.straight = rig.no_blocks = false;
	rig.blocks = 0;
	rig.fail_color_after = rig.stop_after_yields = 0;
	rig.shade = NULL;
	rig_clear();
	rig_inputs(1);
	rig_set_f(VIVS_PA_VIEWPORT_SCALE_X, RIG_SIZE / 2.0f);
	rig_set_f(VIVS_PA_VIEWPORT_SCALE_Y, RIG_SIZE / 2.0f);
	rig_set_f(VIVS_PA_VIEWPORT_SCALE_Z, 1.0f);
	rig_set_f(VIVS_PA_VIEWPORT_OFFSET_X, RIG_SIZE / 2.0f);
	rig_set_f(VIVS_PA_VIEWPORT_OFFSET_Y, RIG_SIZE / 2.0f);
	rig_set(VIVS_PA_W_CLIP_LIMIT, 0x34000001);
	rig_set(VIVS_PA_SYSTEM_MODE,
		VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST | VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER);
	rig_set(VIVS_PA_CONFIG, VIVS_PA_CONFIG_FILL_MODE_SOLID | VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH |
					VIVS_PA_CONFIG_WIDE_LINE);
	rig_set_f(VIVS_PA_LINE_WIDTH, 0.5f);
	rig_set_f(VIVS_PA_POINT_SIZE, 0.5f);
	/* with the margins that Mesa's etnaviv adds */
	rig_set_f(VIVS_SE_SCISSOR_RIGHT, RIG_SIZE + 0.0668f);
	rig_set_f(VIVS_SE_SCISSOR_BOTTOM, RIG_SIZE + 0.0667f);
	rig_set_f(VIVS_SE_CLIP_RIGHT, RIG_SIZE + 0.99f);
	rig_set_f(VIVS_SE_CLIP_BOTTOM, RIG_SIZE + 0.99f);
	rig_set(VIVS_PS_OUTPUT_REG, 1);
	rig_set(VIVS_VS_TEMP_REGISTER_CONTROL, 16);
	rig_set(VIVS_PS_TEMP_REGISTER_CONTROL, 16);
	rig_set(VIVS_FE_INDEX_STREAM_BASE_ADDR, RIG_BASE + RIG_INDICES);
}

/* Vertex at pixel position (x, y), depth z in 0..1, with w; its varying is r, g, b, 1. */
static void rig_pixel_vertex(unsigned int i, float x, float y, float z, float w, float r, float g,
			     float b)
{
	float *v = rig_vertex(1, i);
	float half = RIG_SIZE / 2.0f;

	v[0] = (x - half) / half * w;
	v[1] = (y - half) / half * w;
	v[2] = (2.0f * z - 1.0f) * w;
	v[3] = w;
	v[4] = r;
	v[5] = g;
	v[6] = b;
	v[7] = 1.0f;
}

static void rig_draw(uint32_t primitive, uint32_t first, uint32_t vertices)
{
	struct gc_draw draw = { .primitive = primitive,
				.by_vertices = true,
				.count = vertices,
				.first = first,
				.instances = 1 };

	rig_draw_execute(&rig.gc, &draw);
}

static void rig_draw_indexed(uint32_t primitive, const uint16_t *index, uint32_t count,
			     int32_t base_vertex)
{
	struct gc_draw draw = { .primitive = primitive,
				.by_vertices = true,
				.count = count,
				.indexed = true,
				.base_vertex = base_vertex,
				.instances = 1 };

	memcpy(rig.memory + RIG_INDICES, index, 2 * count);
	rig_set(VIVS_FE_INDEX_STREAM_CONTROL,
		(rig.gc.state.word[VIVS_FE_INDEX_STREAM_CONTROL / 4] &
		 VIVS_FE_INDEX_STREAM_CONTROL_PRIMITIVE_RESTART) |
			VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_SHORT);
	rig_draw_execute(&rig.gc, &draw);
}

static unsigned int rig_writes(unsigned int sample)
{
	unsigned int sum = 0;

	for (unsigned int y = 0; y < RIG_SIZE; y++)
		for (unsigned int x = 0; x < RIG_SIZE; x++)
			sum += rig.target[y][x][sample].writes;
	return sum;
}

static uint32_t rig_seed = 11;

static inline double rig_random(void)
{
	rig_seed = rig_seed * 1664525u + 1013904223u;
	return (rig_seed >> 8) / (double)(1 << 24);
}

/* A strip of two triangles over pixels (x0, y0) to (x1, y1), clockwise. */
static inline void rig_quad(float x0, float y0, float x1, float y1, float z)
{
	rig_pixel_vertex(0, x0, y0, z, 1, 1, 0, 0);
	rig_pixel_vertex(1, x1, y0, z, 1, 0, 1, 0);
	rig_pixel_vertex(2, x0, y1, z, 1, 0, 0, 1);
	rig_pixel_vertex(3, x1, y1, z, 1, 1, 1, 1);
}

static inline void rig_random_mesh(unsigned int vertices)
{
	for (unsigned int i = 0; i < vertices; i++)
		rig_pixel_vertex(i, (float)(rig_random() * 120 - 12),
				 (float)(rig_random() * 120 - 12), (float)rig_random(),
				 (float)(0.5 + rig_random()), (float)rig_random(),
				 (float)rig_random(), (float)rig_random());
}

static struct rig_sample rig_saved[RIG_SIZE][RIG_SIZE][GC_MAX_SAMPLES];

static inline void rig_save(void)
{
	memcpy(rig_saved, rig.target, sizeof(rig_saved));
	rig_clear();
}

static inline bool rig_same_as_saved(void)
{
	for (unsigned int y = 0; y < RIG_SIZE; y++)
		for (unsigned int x = 0; x < RIG_SIZE; x++)
			for (unsigned int s = 0; s < rig.samples; s++) {
				const struct rig_sample *a = &rig_saved[y][x][s];
				const struct rig_sample *b = &rig.target[y][x][s];

				if (memcmp(a->color, b->color, sizeof(a->color)) || a->z != b->z ||
				    a->writes != b->writes) {
					printf("differs at %u,%u sample %u\n", x, y, s);
					return false;
				}
			}
	return true;
}

#endif
