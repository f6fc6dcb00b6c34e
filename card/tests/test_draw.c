// SPDX-License-Identifier: MIT
/*
 * Draws from states and memory to samples, with a fake shader and pixel engine: order, vertex
 * reuse, interpolation, culling, depth, counters.
 */
#include "tests/draw_rig.h"

static uint32_t seed = 11;

static double random_unit(void)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) / (double)(1 << 24);
}

/* A quad of two triangles over pixels (x0, y0) to (x1, y1), clockwise. */
static void quad_vertices(float x0, float y0, float x1, float y1, float z)
{
	rig_pixel_vertex(0, x0, y0, z, 1, 1, 0, 0);
	rig_pixel_vertex(1, x1, y0, z, 1, 0, 1, 0);
	rig_pixel_vertex(2, x0, y1, z, 1, 0, 0, 1);
	rig_pixel_vertex(3, x1, y1, z, 1, 1, 1, 1);
}

TEST(a_quad_covers_its_pixels_once)
{
	rig_open();
	quad_vertices(10, 20, 41, 33, 0.25f);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	for (unsigned int y = 0; y < RIG_SIZE; y++)
		for (unsigned int x = 0; x < RIG_SIZE; x++) {
			bool in = x >= 10 && x < 41 && y >= 20 && y < 33;

			CHECK_EQ(rig.target[y][x][0].writes, in);
			if (in)
				CHECK_NEAR(rig.target[y][x][0].z, 0.25, 1e-7);
		}
}

/* Counters and work of that scene, computed by hand. */
TEST(counts_of_a_quad)
{
	rig_open();
	quad_vertices(10, 20, 42, 36, 0.5f);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig.gc.counters.fe_vertices_fetched, 4);
	CHECK_EQ(rig.gc.work.vertex_bytes, 4 * 32);
	CHECK_EQ(rig.gc.work.vertices, 4);
	CHECK_EQ(rig.gc.counters.vs_vertices, 4);
	CHECK_EQ(rig.gc.counters.vs_instructions, 20);
	CHECK_EQ(rig.gc.counters.pa_input_vertices, 4);
	CHECK_EQ(rig.gc.counters.pa_input_primitives, 2);
	CHECK_EQ(rig.gc.counters.pa_output_primitives, 2);
	CHECK_EQ(rig.gc.counters.se_triangles, 2);
	CHECK_EQ(rig.gc.counters.ra_primitives, 2);
	CHECK_EQ(rig.gc.counters.ra_pixels, 32 * 16);
	CHECK_EQ(rig.gc.counters.ps_pixels, 32 * 16);
	CHECK_EQ(rig.gc.work.pixels, 32 * 16);
	CHECK_EQ(rig.gc.work.samples, 32 * 16);
	/* 16x8 quads, and the diagonal from (42,20) to (10,36) splits those it crosses: 16 */
	CHECK_EQ(rig.gc.counters.ra_quads, 16 * 8 + 16);
	CHECK_EQ(rig.gc.counters.ra_quads_after_early_z, 16 * 8 + 16);
	CHECK_EQ(rig.gc.work.quads, 16 * 8 + 16);
	CHECK_EQ(rig.gc.counters.ps_instructions, 3 * 4 * (16 * 8 + 16));
	CHECK_EQ(rig.gc.work.ps_texels, 4 * (16 * 8 + 16));
	CHECK_EQ(rig.gc.work.primitives_in, 2);
	CHECK_EQ(rig.gc.work.primitives_drawn, 2);
	CHECK_EQ(rig.gc.work.index_bytes, 0);
	CHECK_EQ(rig.ps_runs, (16 * 8 + 16) / 16);
}

/* More varyings than the core has are no draw. */
TEST(too_many_varyings)
{
	rig_open();
	rig.personality.varyings = 3;
	quad_vertices(10, 20, 42, 36, 0.5f);
	rig_set(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT(4));
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig.gc.counters.vs_vertices, 0);
	CHECK_EQ(rig.gc.counters.ps_pixels, 0);
	rig_set(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT(3));
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig.gc.counters.ps_pixels, 32 * 16);
}

/* Perspective-correct value at a pixel centre, in double. */
static void reference(const double p[3][4], double x, double y, double out[3], double *over_w)
{
	double sx[3], sy[3], area, b[3], sum = 0;
	static const double color[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

	for (int i = 0; i < 3; i++) {
		sx[i] = p[i][0];
		sy[i] = p[i][1];
	}
	area = (sx[1] - sx[0]) * (sy[2] - sy[0]) - (sx[2] - sx[0]) * (sy[1] - sy[0]);
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;

		b[i] = ((sx[j] - x) * (sy[k] - y) - (sx[k] - x) * (sy[j] - y)) / area / p[i][3];
		sum += b[i];
	}
	*over_w = sum;
	for (int c = 0; c < 3; c++)
		out[c] = (b[0] * color[0][c] + b[1] * color[1][c] + b[2] * color[2][c]) / sum;
}

static void keep_position(struct gc_batch *batch)
{
	batch->temp[1].c[3] = batch->temp[0].c[3]; /* alpha is 1/w */
}

TEST(interpolation_is_perspective_correct)
{
	rig_open();
	for (unsigned int n = 0; n < 60; n++) {
		double p[3][4], area;

		rig_clear();
		for (unsigned int i = 0; i < 3; i++) {
			p[i][0] = (float)(random_unit() * 300 - 100);
			p[i][1] = (float)(random_unit() * 300 - 100);
			p[i][2] = (float)random_unit();
			p[i][3] = (float)(0.2 + 5 * random_unit());
			rig_pixel_vertex(i, (float)p[i][0], (float)p[i][1], (float)p[i][2],
					 (float)p[i][3], i == 0, i == 1, i == 2);
		}
		area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
		       (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
		if (fabs(area) < 500)
			continue;
		rig.shade = keep_position;
		rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
		for (unsigned int y = 0; y < RIG_SIZE; y++)
			for (unsigned int x = 0; x < RIG_SIZE; x++) {
				double want[3], over_w;

				if (!rig.target[y][x][0].writes)
					continue;
				reference(p, x + 0.5, y + 0.5, want, &over_w);
				for (unsigned int c = 0; c < 3; c++)
					CHECK_NEAR(rig.target[y][x][0].color[c], want[c], 3e-4);
				CHECK_NEAR(rig.target[y][x][0].color[3], over_w, 3e-4 * over_w);
			}
	}
}

static void show_position(struct gc_batch *batch)
{
	batch->temp[1] = batch->temp[0];
}

TEST(t0_is_the_fragment_position)
{
	rig_open();
	rig.shade = show_position;
	rig_pixel_vertex(0, 0, 0, 0.0f, 2, 0, 0, 0);
	rig_pixel_vertex(1, 96, 0, 0.5f, 2, 0, 0, 0);
	rig_pixel_vertex(2, 0, 96, 0.5f, 2, 0, 0, 0);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	for (unsigned int i = 0; i < 90; i += 7) {
		CHECK_NEAR(rig.target[2][i][0].color[0], i + 0.5, 0);
		CHECK_NEAR(rig.target[2][i][0].color[1], 2.5, 0);
		CHECK_NEAR(rig.target[2][i][0].color[2], (i + 3.0) / 96 / 2, 1e-6);
		CHECK_NEAR(rig.target[2][i][0].color[3], 0.5, 1e-7);
	}
}

static void random_mesh(unsigned int vertices)
{
	for (unsigned int i = 0; i < vertices; i++)
		rig_pixel_vertex(i, (float)(random_unit() * 120 - 12),
				 (float)(random_unit() * 120 - 12), (float)random_unit(),
				 (float)(0.5 + random_unit()), (float)random_unit(),
				 (float)random_unit(), (float)random_unit());
}

static struct rig_sample saved[RIG_SIZE][RIG_SIZE][GC_MAX_SAMPLES];

static void save(void)
{
	memcpy(saved, rig.target, sizeof(saved));
	rig_clear();
}

static bool same_as_saved(void)
{
	for (unsigned int y = 0; y < RIG_SIZE; y++)
		for (unsigned int x = 0; x < RIG_SIZE; x++)
			for (unsigned int s = 0; s < rig.samples; s++) {
				const struct rig_sample *a = &saved[y][x][s];
				const struct rig_sample *b = &rig.target[y][x][s];

				if (memcmp(a->color, b->color, sizeof(a->color)) || a->z != b->z ||
				    a->writes != b->writes) {
					printf("differs at %u,%u sample %u\n", x, y, s);
					return false;
				}
			}
	return true;
}

/* The distribution of vertices and quads over batches must not change any bit of the pixels. */
TEST(batching_changes_nothing)
{
	uint16_t index[300];

	rig_open();
	rig.depth_less = true;
	random_mesh(100);
	for (unsigned int i = 0; i < 300; i++)
		index[i] = (uint16_t)(random_unit() * 100);
	rig_draw_indexed(PRIMITIVE_TYPE_TRIANGLES, index, 300, 0);
	CHECK(rig.vs_lanes > 100 && rig.vs_lanes < 300); /* reuse, but not across batches */
	save();
	for (unsigned int i = 0; i < 300; i += 3)
		rig_draw_indexed(PRIMITIVE_TYPE_TRIANGLES, index + i, 3, 0);
	CHECK(same_as_saved());
}

TEST(strips_and_fans_equal_lists)
{
	static const uint32_t types[] = { PRIMITIVE_TYPE_TRIANGLE_STRIP,
					  PRIMITIVE_TYPE_TRIANGLE_FAN };

	rig_open();
	random_mesh(200);
	for (unsigned int t = 0; t < 2; t++) {
		rig_clear();
		rig_draw(types[t], 3, 190); /* several batches */
		CHECK_EQ(rig.vs_lanes, 190);
		save();
		for (uint16_t i = 0; i < 188; i++) {
			uint16_t odd = i & 1, strip[3], fan[3] = { 3, i + 4, i + 5 };

			strip[0] = (uint16_t)(3 + i + odd);
			strip[1] = (uint16_t)(3 + i + 1 - odd);
			strip[2] = (uint16_t)(3 + i + 2);
			rig_draw_indexed(PRIMITIVE_TYPE_TRIANGLES, t ? fan : strip, 3, 0);
		}
		CHECK(same_as_saved());
	}
}

/* Loops and line strips over several batches; the closing line needs the first vertex. */
TEST(loops_close_over_batches)
{
	enum { N = 150 };

	rig_open();
	for (unsigned int i = 0; i < N; i++)
		rig_pixel_vertex(i, 48.2f + 40 * cosf(6.2831853f * i / N),
				 48.3f + 40 * sinf(6.2831853f * i / N), 0.5f, 1, 1, 1, 1);
	rig_draw(PRIMITIVE_TYPE_LINE_LOOP, 0, N);
	CHECK_EQ(rig.gc.counters.se_lines, N);
	CHECK_EQ(rig.vs_lanes, N);
	save();
	for (uint16_t i = 0; i < N; i++)
		rig_draw_indexed(PRIMITIVE_TYPE_LINES, (uint16_t[]){ i, (uint16_t)((i + 1) % N) },
				 2, 0);
	CHECK(same_as_saved());
}

TEST(index_sizes_base_and_first)
{
	struct gc_draw draw = { .primitive = PRIMITIVE_TYPE_TRIANGLES,
				.count = 1,
				.indexed = true,
				.instances = 1,
				.first = 2,
				.base_vertex = -3 };
	static const uint32_t type[] = { VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_CHAR,
					 VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_SHORT,
					 VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_INT };

	for (unsigned int t = 0; t < 3; t++) {
		rig_open();
		quad_vertices(10, 10, 20, 20, 0.5f);
		for (unsigned int i = 0; i < 5; i++) {
			uint32_t value = i < 2 ? 99 : i + 1;

			memcpy(rig.memory + RIG_INDICES + (i << t), &value, 1u << t);
		}
		rig_set(VIVS_FE_INDEX_STREAM_CONTROL, type[t]);
		rig_draw_execute(&rig.gc, &draw);
		CHECK_EQ(rig_writes(0),
			 45); /* half of the square, its diagonal is owned by the other */
		CHECK_EQ(rig.gc.counters.fe_indices, 3);
		CHECK_EQ(rig.gc.work.index_bytes, 3u << t);
	}
}

TEST(restart_cuts_strips)
{
	static const uint16_t index[] = { 0, 1, 2, 3, 0xffff, 4, 5, 6, 7 };

	rig_open();
	quad_vertices(10, 10, 20, 20, 0.5f);
	for (unsigned int i = 0; i < 4; i++)
		rig_pixel_vertex(4 + i, 30.0f + 10 * (i & 1), 30.0f + 10 * (i >> 1), 0.5f, 1, 1, 1,
				 1);
	rig_set(VIVS_FE_PRIMITIVE_RESTART_INDEX, 0xffff);
	rig_set(VIVS_FE_INDEX_STREAM_CONTROL, VIVS_FE_INDEX_STREAM_CONTROL_PRIMITIVE_RESTART);
	rig_draw_indexed(PRIMITIVE_TYPE_TRIANGLE_STRIP, index, 9, 0);
	CHECK_EQ(rig_writes(0), 200);
	CHECK_EQ(rig.gc.counters.pa_input_primitives, 4);
}

TEST(instances)
{
	struct gc_draw draw = { .primitive = PRIMITIVE_TYPE_TRIANGLES,
				.by_vertices = true,
				.count = 3,
				.instances = 50 };

	rig_open();
	quad_vertices(0, 0, 96, 96, 0.5f);
	rig_set(VIVS_VS_INPUT_COUNT, 2);
	rig_set(VIVS_FE_VERTEX_ELEMENT_CONFIG(1),
		VIVS_FE_VERTEX_ELEMENT_CONFIG_TYPE(FE_DATA_TYPE_FLOAT) |
			VIVS_FE_VERTEX_ELEMENT_CONFIG_STREAM(1));
	rig_set(VIVS_NFE_VERTEX_STREAMS_BASE_ADDR(1), RIG_BASE + 0x1000);
	rig_set(VIVS_NFE_VERTEX_STREAMS_CONTROL(1), 16);
	rig_set(VIVS_NFE_VERTEX_STREAMS_VERTEX_DIVISOR(1), 7);
	for (unsigned int i = 0; i < 16; i++)
		((float *)(rig.memory + 0x1000))[4 * i] = (float)i;
	rig_draw_execute(&rig.gc, &draw);
	CHECK_EQ(rig.vs_lanes, 150);
	CHECK_EQ(rig.gc.counters.pa_input_primitives, 50);
	CHECK_EQ(rig.target[5][5][0].writes, 50);
	CHECK_NEAR(rig.target[5][5][0].color[0], 49 / 7, 1e-5);
}

/*
 * Two overlapping triangles: the later one is visible, for all kinds of depth test and shading.
 */
TEST(early_and_late_depth_agree)
{
	rig_open();
	random_mesh(150);
	rig.depth_less = true;
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 150);
	CHECK_EQ(rig.gc.counters.ra_pipe_cache_misses, 0);
	CHECK_EQ(rig.gc.counters.ra_eez_culled_quads, 0);
	for (unsigned int mode = 0; mode < 2; mode++) {
		uint64_t late_quads = rig.gc.work.quads, misses;

		save();
		for (unsigned int y = 0; y < RIG_SIZE; y++)
			for (unsigned int x = 0; x < RIG_SIZE; x++)
				saved[y][x][0].writes = 0;
		rig.early = mode == 0;
		rig.early_test = mode == 1;
		rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 150);
		CHECK(rig.gc.counters.ra_quads > rig.gc.counters.ra_quads_after_early_z);
		CHECK_EQ(rig.gc.counters.ra_eez_culled_quads,
			 rig.gc.counters.ra_quads - rig.gc.counters.ra_quads_after_early_z);
		misses = rig.gc.work.depth_read_bytes / GC_PE_LINE_BYTES;
		CHECK(rig.gc.counters.ra_pipe_cache_misses > 0);
		CHECK(mode ? rig.gc.counters.ra_pipe_cache_misses < misses
			   : rig.gc.counters.ra_pipe_cache_misses == misses);
		CHECK(mode || rig.gc.work.quads < late_quads);
		CHECK_EQ(rig.gc.work.quads, rig.gc.counters.ra_quads_after_early_z);
		for (unsigned int y = 0; y < RIG_SIZE; y++)
			for (unsigned int x = 0; x < RIG_SIZE; x++)
				rig.target[y][x][0].writes = 0;
		CHECK(same_as_saved());
	}
}

/* A triangle that covers the whole target. */
static void whole_target(void)
{
	rig_pixel_vertex(0, 0, 0, 0.5f, 1, 1, 0, 0);
	rig_pixel_vertex(1, 3 * RIG_SIZE, 0, 0.5f, 1, 0, 1, 0);
	rig_pixel_vertex(2, 0, 3 * RIG_SIZE, 0.5f, 1, 0, 0, 1);
}

/*
 * Whole blocks that go straight to the target: the same pictures and counts as
 * with a writer that takes them as quads, with and without early depth.
 */
TEST(blocks_go_straight)
{
	for (unsigned int mode = 0; mode < 4; mode++) {
		struct gc_counters counters;
		struct gpu_work work;

		rig_open();
		random_mesh(60);
		rig.straight = true;
		rig.depth_less = rig.early = mode & 1;
		rig.no_blocks = true;
		whole_target();
		rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
		if (mode & 2)
			rig_draw(PRIMITIVE_TYPE_TRIANGLES, 3, 57);
		CHECK_EQ(rig.blocks, 0);
		counters = rig.gc.counters;
		work = rig.gc.work;
		save(); /* and clear */
		rig.no_blocks = false;
		rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
		if (mode & 2)
			rig_draw(PRIMITIVE_TYPE_TRIANGLES, 3, 57);
		CHECK(rig.blocks >= RIG_SIZE * RIG_SIZE / 64);
		CHECK(same_as_saved());
		CHECK(!memcmp(&counters, &rig.gc.counters, sizeof(counters)));
		CHECK(!memcmp(&work, &rig.gc.work, sizeof(work)));
	}
}

/* A fault or an abort in the middle of such blocks ends the draw. */
TEST(straight_blocks_stop)
{
	rig_open();
	rig.straight = true;
	whole_target();
	rig.fail_color_after = 40;
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig.ps_runs, 40);
	rig_clear();
	rig.fail_color_after = 0;
	rig.stop_after_yields = 2;
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig.ps_runs, 64);
}

/* Many quads are rejected early between two that remain: set-ups must not be reused too early. */
TEST(planes_live_as_long_as_their_quads)
{
	rig_open();
	rig.early = rig.depth_less = true;
	rig_pixel_vertex(0, 0, 0, 0.1f, 1, 1, 0, 0);
	rig_pixel_vertex(1, 2, 0, 0.1f, 1, 1, 0, 0);
	rig_pixel_vertex(2, 0, 2, 0.1f, 1, 1, 0, 0);
	for (unsigned int i = 0; i < 300; i++) { /* behind the first triangle */
		rig_pixel_vertex(3 + 3 * i, 0, 0, 0.9f, 1, 0, 1, 0);
		rig_pixel_vertex(4 + 3 * i, 2, 0, 0.9f, 1, 0, 1, 0);
		rig_pixel_vertex(5 + 3 * i, 0, 2, 0.9f, 1, 0, 1, 0);
	}
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 903);
	CHECK_NEAR(rig.target[0][0][0].color[0], 1.0, 1e-6);
	CHECK_EQ(rig.target[0][0][0].writes, 1);
	CHECK_EQ(rig.ps_runs, 1);
}

static void kill_left(struct gc_batch *batch)
{
	for (unsigned int lane = 0; lane < GC_LANES; lane++)
		if (batch->temp[0].c[0].f[lane] < 48.0f)
			batch->killed |= 1ull << lane & batch->live;
}

static void write_depth(struct gc_batch *batch)
{
	for (unsigned int lane = 0; lane < GC_LANES; lane++)
		batch->temp[0].c[2].f[lane] = 0.125f;
}

TEST(kill_and_shader_depth)
{
	rig_open();
	quad_vertices(40, 10, 60, 20, 0.5f);
	rig.shade = kill_left;
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig_writes(0), 12 * 10);
	CHECK_EQ(rig.target[15][47][0].writes, 0);
	rig.shade = write_depth;
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_NEAR(rig.target[15][45][0].z, 0.125, 0);
}

TEST(culling_and_facing)
{
	static const uint32_t modes[] = { VIVS_PA_CONFIG_CULL_FACE_MODE_OFF,
					  VIVS_PA_CONFIG_CULL_FACE_MODE_CW,
					  VIVS_PA_CONFIG_CULL_FACE_MODE_CCW };

	for (unsigned int clockwise = 0; clockwise < 2; clockwise++)
		for (unsigned int m = 0; m < 3; m++) {
			bool hidden = m && (m == 1) == clockwise;

			rig_open();
			rig_set(VIVS_PA_CONFIG, VIVS_PA_CONFIG_FILL_MODE_SOLID |
							VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH |
							modes[m]);
			rig_pixel_vertex(0, 10, 10, 0.5f, 1, 1, 1, 1);
			rig_pixel_vertex(1, clockwise ? 30 : 10, clockwise ? 10 : 30, 0.5f, 1, 1, 1,
					 1);
			rig_pixel_vertex(2, clockwise ? 10 : 30, clockwise ? 30 : 10, 0.5f, 1, 1, 1,
					 1);
			rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
			CHECK_EQ(rig_writes(0) == 0, hidden);
			CHECK_EQ(rig.gc.counters.pa_culled, hidden);
			if (!hidden)
				CHECK_EQ(rig.target[12][12][0].front, clockwise);
		}
}

static void show_face(struct gc_batch *batch)
{
	batch->temp[1].c[0] = batch->face;
}

TEST(face_register)
{
	rig_open();
	rig.shade = show_face;
	quad_vertices(10, 10, 20, 20, 0.5f);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK(rig.target[15][15][0].color[0] == 1.0f);
	rig_draw_indexed(PRIMITIVE_TYPE_TRIANGLES, (uint16_t[]){ 0, 2, 1 }, 3, 0);
	CHECK(rig.target[11][11][0].color[0] == 0.0f);
}

TEST(flat_shading_takes_the_provoking_vertex)
{
	for (unsigned int last = 0; last < 2; last++) {
		rig_open();
		quad_vertices(10, 10, 20, 20, 0.5f);
		rig_set(VIVS_PA_CONFIG,
			VIVS_PA_CONFIG_FILL_MODE_SOLID | VIVS_PA_CONFIG_SHADE_MODEL_FLAT);
		rig_set(VIVS_PA_SYSTEM_MODE,
			VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER |
				(last ? VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST : 0));
		rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
		CHECK(rig.target[11][11][0].color[0] == (last ? 0.0f : 1.0f)); /* red or blue */
		CHECK(rig.target[11][11][0].color[2] == (last ? 1.0f : 0.0f));
		CHECK(rig.target[18][18][0].color[1] == 1.0f); /* green or white */
		CHECK(rig.target[18][18][0].color[0] == (last ? 1.0f : 0.0f));
		/* a texture coordinate is not affected */
		rig_set(VIVS_PA_SHADER_ATTRIBUTES(0), VIVS_PA_SHADER_ATTRIBUTES_BYPASS_FLAT);
		rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
		CHECK(rig.target[11][11][0].color[0] > 0.5f &&
		      rig.target[11][11][0].color[0] < 1.0f);
	}
}

TEST(varyings_with_fewer_components)
{
	rig_open();
	rig_inputs(3);
	rig_set(VIVS_GL_VARYING_NUM_COMPONENTS, 0x124);
	rig_set(VIVS_PS_OUTPUT_REG, 2);
	for (unsigned int i = 0; i < 3; i++) {
		float *v = rig_vertex(3, i);
		const float x[] = { -1, 3, -1 }, y[] = { -1, -1, 3 };

		v[0] = x[i];
		v[1] = y[i];
		v[3] = 1;
		for (unsigned int c = 0; c < 12; c++)
			v[4 + c] = (float)c;
	}
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_NEAR(rig.target[40][40][0].color[0], 4, 1e-5);
	CHECK_NEAR(rig.target[40][40][0].color[1], 5, 1e-5);
	CHECK_NEAR(rig.target[40][40][0].color[2], 0, 0); /* not a component: keeps its value */
	rig_set(VIVS_PS_OUTPUT_REG, 3);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_NEAR(rig.target[40][40][0].color[0], 8, 1e-5);
}

TEST(clipped_at_the_near_plane)
{
	rig_open();
	/* the third vertex has negative w: the visible part reaches the upper edge */
	rig_pixel_vertex(0, 20, 20, 0.5f, 1, 1, 0, 0);
	rig_pixel_vertex(1, 76, 20, 0.5f, 1, 1, 0, 0);
	memcpy(rig_vertex(1, 2), (float[]){ 0, -2, -2, -1, 1, 0, 0, 1 }, 32);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig.gc.counters.pa_clipped, 1);
	CHECK_EQ(rig.gc.counters.se_triangles, 1);
	CHECK_EQ(rig.target[10][48][0].writes, 1);
	CHECK_EQ(rig.target[0][48][0].writes, 1);
	CHECK_EQ(rig.target[21][48][0].writes, 0);
	for (unsigned int y = 0; y < RIG_SIZE; y++)
		for (unsigned int x = 0; x < RIG_SIZE; x++) {
			CHECK(rig.target[y][x][0].writes <= 1);
			if (rig.target[y][x][0].writes)
				CHECK_NEAR(rig.target[y][x][0].color[0], 1.0, 1e-5);
		}
}

TEST(rejected_and_degenerate)
{
	rig_open();
	rig_pixel_vertex(0, -30, 10, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(1, -10, 10, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(2, -10, 90, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(3, 10, 10, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(4, 20, 20, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(5, 30, 30, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(6, 10, 10, 1.5f, 1, 0, 0, 0);
	rig_pixel_vertex(7, 20, 20, 1.5f, 1, 0, 0, 0);
	rig_pixel_vertex(8, 10, 30, 1.5f, 1, 0, 0, 0);
	rig_pixel_vertex(9, NAN, 10, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(10, 20, 20, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(11, 10, 30, 0.5f, 1, 0, 0, 0);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 12);
	CHECK_EQ(rig_writes(0), 0);
	CHECK_EQ(rig.gc.counters.pa_trivial_rejected, 3);
	CHECK_EQ(rig.gc.counters.pa_depth_clipped, 1);
	CHECK_EQ(rig.gc.counters.pa_dropped_zero_area, 1);
}

TEST(polygon_offset)
{
	rig_open();
	rig_set_f(VIVS_SE_DEPTH_SCALE, 2.0f);
	rig_set_f(VIVS_SE_DEPTH_BIAS, 0.125f);
	rig_pixel_vertex(0, 0, 0, 0.0f, 1, 1, 1, 1);
	rig_pixel_vertex(1, 96, 0, 0.96f, 1, 1, 1, 1); /* slope 0.01 a pixel in x */
	rig_pixel_vertex(2, 0, 96, 0.48f, 1, 1, 1, 1);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_NEAR(rig.target[4][10][0].z, 10.5 * 0.01 + 4.5 * 0.005 + 2 * 0.01 + 0.125, 1e-6);
	rig_clear(); /* lines and points have no polygon offset */
	rig_draw(PRIMITIVE_TYPE_POINTS, 0, 1);
	rig_pixel_vertex(0, 10.5f, 10.5f, 0.25f, 1, 1, 1, 1);
	rig_draw(PRIMITIVE_TYPE_POINTS, 0, 1);
	CHECK_NEAR(rig.target[10][10][0].z, 0.25, 1e-7);
}

TEST(points)
{
	static const float sizes[] = { 0.3f, 1, 2, 3, 7.4f };
	static const unsigned int want[] = { 1, 1, 4, 9, 49 };

	for (unsigned int i = 0; i < 5; i++) {
		rig_open();
		rig_set_f(VIVS_PA_POINT_SIZE, sizes[i] / 2);
		rig_pixel_vertex(0, 40.5f, 50.5f, 0.5f, 1, 1, 1, 1);
		rig_draw(PRIMITIVE_TYPE_POINTS, 0, 1);
		CHECK_EQ(rig.target[50][40][0].writes, 1);
		if (sizes[i] == 2.0f) /* between two pixels: right and below without sprites */
			CHECK_EQ(rig.target[51][41][0].writes, 1);
		CHECK_EQ(rig_writes(0), want[i]);
	}
	rig_open();
	rig_set(VIVS_PA_CONFIG, VIVS_PA_CONFIG_POINT_SIZE_ENABLE | VIVS_PA_CONFIG_FILL_MODE_SOLID);
	rig_set(VIVS_VS_OUTPUT(0), 0x00010100); /* the size's register is the varying's */
	rig_pixel_vertex(0, 40, 50, 0.5f, 1, 6, 1, 1);
	rig_draw(PRIMITIVE_TYPE_POINTS, 0, 1);
	CHECK_EQ(rig_writes(0), 36);
}

TEST(point_sprites)
{
	rig_open();
	rig_set(VIVS_PA_CONFIG,
		VIVS_PA_CONFIG_POINT_SPRITE_ENABLE | VIVS_PA_CONFIG_FILL_MODE_SOLID);
	rig_set(VIVS_GL_VARYING_COMPONENT_USE(0),
		VIVS_GL_VARYING_COMPONENT_USE_COMP0(VARYING_COMPONENT_USE_POINTCOORD_X) |
			VIVS_GL_VARYING_COMPONENT_USE_COMP1(VARYING_COMPONENT_USE_POINTCOORD_Y));
	rig_set_f(VIVS_PA_POINT_SIZE, 4);
	rig_pixel_vertex(0, 20, 30, 0.5f, 3, 7, 7, 7);
	rig_draw(PRIMITIVE_TYPE_POINTS, 0, 1);
	CHECK_EQ(rig_writes(0), 64);
	for (unsigned int y = 0; y < 8; y++)
		for (unsigned int x = 0; x < 8; x++) {
			const float *c = rig.target[26 + y][16 + x][0].color;

			CHECK_NEAR(c[0], (x + 0.5) / 8, 1e-5);
			CHECK_NEAR(c[1], (y + 0.5) / 8, 1e-5);
			CHECK_NEAR(c[2], 7, 1e-5);
		}
	/* triangles are not replaced */
	rig_pixel_vertex(1, 90, 0, 0.5f, 1, 7, 7, 7);
	rig_pixel_vertex(2, 90, 90, 0.5f, 1, 7, 7, 7);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_NEAR(rig.target[40][80][0].color[0], 7, 1e-4);
}

TEST(lines_interpolate_along_themselves)
{
	rig_open();
	rig_pixel_vertex(0, 10.5f, 10.5f, 0.0f, 1, 0, 0, 0);
	rig_pixel_vertex(1, 60.5f, 35.5f, 1.0f, 1, 1, 0, 0);
	rig_draw(PRIMITIVE_TYPE_LINES, 0, 2);
	CHECK_EQ(rig_writes(0), 50);
	for (unsigned int y = 0; y < RIG_SIZE; y++)
		for (unsigned int x = 0; x < RIG_SIZE; x++)
			if (rig.target[y][x][0].writes)
				CHECK_NEAR(rig.target[y][x][0].color[0], (x - 10) / 50.0, 1e-5);
	rig_clear();
	rig_set_f(VIVS_PA_LINE_WIDTH, 2.5f);
	rig_draw(PRIMITIVE_TYPE_LINES, 0, 2);
	CHECK_EQ(rig_writes(0), 250);
	rig_clear();
	rig_set(VIVS_PA_CONFIG, VIVS_PA_CONFIG_FILL_MODE_SOLID); /* a core without wide lines */
	rig_draw(PRIMITIVE_TYPE_LINES, 0, 2);
	CHECK_EQ(rig_writes(0), 50);
}

TEST(fill_modes)
{
	rig_open();
	quad_vertices(10.5f, 10.5f, 30.5f, 30.5f, 0.5f);
	rig_set(VIVS_PA_CONFIG,
		VIVS_PA_CONFIG_FILL_MODE_WIREFRAME | VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig_writes(0), 60);
	CHECK_EQ(rig.target[10][20][0].writes, 1);
	CHECK_EQ(rig.target[20][20][0].writes, 1);
	CHECK_EQ(rig.target[15][12][0].writes, 0);
	CHECK_EQ(rig.gc.counters.se_lines, 3);
	rig_clear();
	rig_set(VIVS_PA_CONFIG, VIVS_PA_CONFIG_FILL_MODE_POINT | VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig_writes(0), 3);
	rig_set(VIVS_PA_CONFIG, VIVS_PA_CONFIG_FILL_MODE_POINT | VIVS_PA_CONFIG_CULL_FACE_MODE_CW);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig_writes(0), 3);
}

/* Four samples with the positions and centroids that Mesa programs. */
static void multisample(unsigned int samples)
{
	rig.samples = samples;
	if (samples == 4) {
		rig_set(VIVS_RA_MULTISAMPLE_UNK00E10(0), 0xeaa26e26);
		rig_set(VIVS_RA_CENTROID_TABLE(0), 0x4a6e2688);
		rig_set(VIVS_RA_CENTROID_TABLE(1), 0x888888a2);
		rig_set(VIVS_RA_CENTROID_TABLE(2), 0x888888ea);
		rig_set(VIVS_RA_CENTROID_TABLE(3), 0x888888c6);
	} else {
		rig_set(VIVS_RA_MULTISAMPLE_UNK00E10(0), 0x0000aa22);
		rig_set(VIVS_RA_CENTROID_TABLE(0), 0x66aa2288);
	}
	rig_set(VIVS_GL_MULTI_SAMPLE_CONFIG, VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES(15));
}

TEST(samples)
{
	rig_open();
	multisample(4);
	quad_vertices(10.5f, 20, 40, 33, 0.25f);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	/* x samples at 6, 14, 2 and 10 sixteenths: in pixel 10 the second and fourth */
	CHECK_EQ(rig.target[25][10][0].writes, 0);
	CHECK_EQ(rig.target[25][10][1].writes, 1);
	CHECK_EQ(rig.target[25][10][2].writes, 0);
	CHECK_EQ(rig.target[25][10][3].writes, 1);
	for (unsigned int s = 0; s < 4; s++)
		CHECK_EQ(rig_writes(s), (s & 1 ? 30 : 29) * 13);
	CHECK_EQ(rig.gc.work.samples, (29 + 30) * 2 * 13);
	rig_clear();
	rig_set(VIVS_GL_MULTI_SAMPLE_CONFIG, VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES(4));
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig_writes(0) + rig_writes(1) + rig_writes(3), 0);
	CHECK_EQ(rig_writes(2), 29 * 13);
}

TEST(depth_of_samples_and_centroid)
{
	static const double sx[] = { 6 / 16.0, 14 / 16.0, 2 / 16.0, 10 / 16.0 };

	rig_open();
	multisample(4);
	rig_pixel_vertex(0, 10.75f, 0, 0.1075f, 1, 10.75f, 0, 0); /* depth x/100, red x, green y */
	rig_pixel_vertex(1, 90.75f, 0, 0.9075f, 1, 90.75f, 0, 0);
	rig_pixel_vertex(2, 10.75f, 96, 0.1075f, 1, 10.75f, 96, 0);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	for (unsigned int s = 0; s < 4; s++) {
		CHECK_NEAR(rig.target[5][20][s].z, (20 + sx[s]) / 100, 1e-6);
		CHECK_NEAR(rig.target[5][20][s].color[0], 20.5, 1e-4);
	}
	/* of pixel 10 only sample 1 is covered, and there varyings are taken */
	CHECK_EQ(rig.target[5][10][0].writes + rig.target[5][10][2].writes +
			 rig.target[5][10][3].writes,
		 0);
	CHECK_NEAR(rig.target[5][10][1].color[0], 10 + 14 / 16.0, 1e-4);
	CHECK_NEAR(rig.target[5][10][1].color[1], 5 + 6 / 16.0, 1e-4);
}

TEST(multisampled_lines_are_rectangles)
{
	rig_open();
	multisample(4);
	rig_set_f(VIVS_PA_LINE_WIDTH, 2.0f);
	rig_pixel_vertex(0, 10, 20, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(1, 50, 20, 0.5f, 1, 1, 0, 0);
	rig_draw(PRIMITIVE_TYPE_LINES, 0, 2);
	for (unsigned int s = 0; s < 4; s++)
		CHECK_EQ(rig_writes(s), 40 * 4);
	CHECK_NEAR(rig.target[20][30][0].color[0], 20.5 / 40, 1e-5);
}

TEST(scissor)
{
	rig_open();
	rig_set_f(VIVS_SE_SCISSOR_LEFT, 12);
	rig_set_f(VIVS_SE_SCISSOR_TOP, 13);
	rig_set_f(VIVS_SE_SCISSOR_RIGHT, 20 + 0.0668f);
	rig_set_f(VIVS_SE_SCISSOR_BOTTOM, 18 + 0.0667f);
	quad_vertices(0, 0, 96, 96, 0.5f);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig_writes(0), 8 * 5);
	CHECK_EQ(rig.target[13][12][0].writes, 1);
	CHECK_EQ(rig.target[17][19][0].writes, 1);
	rig_clear();
	rig_set_f(VIVS_SE_SCISSOR_RIGHT, NAN);
	rig_set_f(VIVS_SE_CLIP_RIGHT, NAN);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig_writes(0), 0);
}

/* The scissor selects pixels, but must not change their values. */
TEST(scissor_does_not_move_values)
{
	rig_open();
	random_mesh(30);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 30);
	save();
	rig_set_f(VIVS_SE_SCISSOR_LEFT, 33);
	rig_set_f(VIVS_SE_SCISSOR_TOP, 21);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 30);
	for (unsigned int y = 21; y < RIG_SIZE; y++)
		for (unsigned int x = 33; x < RIG_SIZE; x++)
			CHECK(!memcmp(saved[y][x], rig.target[y][x], sizeof(saved[y][x])));
}

TEST(null_draw_counts_and_draws_nothing)
{
	struct gc_work_totals {
		uint64_t vertices, instructions, bytes, primitives, indices;
	} full;
	uint16_t index[300];

	rig_open();
	random_mesh(100);
	for (unsigned int i = 0; i < 300; i++)
		index[i] = (uint16_t)(random_unit() * 100);
	rig_draw_indexed(PRIMITIVE_TYPE_TRIANGLES, index, 300, 0);
	full = (struct gc_work_totals){ rig.gc.work.vertices, rig.gc.work.vs_instructions,
					rig.gc.work.vertex_bytes, rig.gc.work.primitives_in,
					rig.gc.work.index_bytes };
	rig_clear();
	rig.gc.options.null_draw = true;
	rig_draw_indexed(PRIMITIVE_TYPE_TRIANGLES, index, 300, 0);
	CHECK_EQ(rig.gc.work.vertices, full.vertices);
	CHECK_EQ(rig.gc.work.vs_instructions, full.instructions);
	CHECK_EQ(rig.gc.work.vertex_bytes, full.bytes);
	CHECK_EQ(rig.gc.work.primitives_in, full.primitives);
	CHECK_EQ(rig.gc.work.index_bytes, full.indices);
	CHECK_EQ(rig_writes(0) + rig.ps_runs, 0);
	CHECK_EQ(rig.vs_lanes, 1);
}

TEST(without_a_target_vertices_are_still_shaded)
{
	rig_open();
	rig.no_target = true;
	quad_vertices(0, 0, 96, 96, 0.5f);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig.vs_lanes, 4);
	CHECK_EQ(rig_writes(0), 0);
	CHECK_EQ(rig.gc.counters.pa_input_primitives, 2);
}

/* The alpha test uses the first colour, even if there is no target. */
TEST(colour_is_there_without_a_target)
{
	rig_open();
	rig.depth_only = true;
	for (unsigned int i = 0; i < 3; i++)
		rig_pixel_vertex(i, i == 1 ? 40 : 0, i == 2 ? 40 : 0, 0.5f, 1, 0.25f, 0, 0);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_NEAR(rig.alpha_tested, 0.25, 1e-5);
}

/* Whole blocks that fail the alpha test do not change depth. */
TEST(a_refused_block_is_none)
{
	rig_open();
	rig.alpha_refuses = true;
	whole_target();
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig.false_blocks, 0);
	CHECK_EQ(rig_writes(0), 0);
}

TEST(stops_on_abort_and_fault)
{
	rig_open();
	quad_vertices(0, 0, 96, 96, 0.5f);
	rig.stop_after_yields = 2;
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK(rig.ps_runs < 100);
	rig_open();
	quad_vertices(0, 0, 96, 96, 0.5f);
	rig.fail_color_after = 3;
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig.ps_runs, 3);
	rig_open();
	rig.gc.abort = true;
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig.vs_runs, 0);
	rig_open(); /* the unit must work after each of them */
	quad_vertices(10, 10, 20, 20, 0.5f);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig_writes(0), 100);
}

TEST(nothing_to_draw)
{
	struct gc_draw draw = { .primitive = PRIMITIVE_TYPE_TRIANGLES, .count = 0, .instances = 1 };

	rig_open();
	rig_draw_execute(&rig.gc, &draw);
	draw.count = 5;
	draw.instances = 0;
	rig_draw_execute(&rig.gc, &draw);
	draw.instances = 1;
	draw.primitive = 77;
	rig_draw_execute(&rig.gc, &draw);
	CHECK_EQ(rig.vs_runs, 0);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 2);
	CHECK_EQ(rig_writes(0), 0);
}

/* Random states and vertices: no crash, and no pixel outside of the scissor. */
TEST(random_states_do_no_harm)
{
	static const uint32_t page[] = { VIVS_PA_VIEWPORT_SCALE_X,
					 VIVS_VS_END_PC,
					 VIVS_SE_DEPTH_SCALE,
					 VIVS_GL_VARYING_TOTAL_COMPONENTS,
					 VIVS_RA_MULTISAMPLE_UNK00E10(0),
					 VIVS_FE_VERTEX_ELEMENT_CONFIG(0) };

	for (unsigned int n = 0; n < 400; n++) {
		rig_open();
		random_mesh(90);
		rig.samples = 1u << (n % 3);
		for (unsigned int i = 0; i < 12; i++) {
			uint32_t at = page[(unsigned int)(random_unit() * 6)] +
				      4 * (uint32_t)(random_unit() * 30);
			uint32_t value = (uint32_t)(random_unit() * 65536) << 16 |
					 (uint32_t)(random_unit() * 65536);

			if (at < VIVS_SE_SCISSOR_LEFT || at > VIVS_SE_SCISSOR_BOTTOM)
				rig_set(at, value);
		}
		for (unsigned int i = 0; i < 40; i++)
			rig_vertex(1, 0)[(unsigned int)(random_unit() * 700)] =
				(float)((random_unit() - 0.5) * pow(10, random_unit() * 60 - 20));
		rig_draw(1 + n % 8, 0, 80);
	}
}

int main(void)
{
	RUN(a_quad_covers_its_pixels_once);
	RUN(counts_of_a_quad);
	RUN(too_many_varyings);
	RUN(interpolation_is_perspective_correct);
	RUN(t0_is_the_fragment_position);
	RUN(batching_changes_nothing);
	RUN(strips_and_fans_equal_lists);
	RUN(loops_close_over_batches);
	RUN(index_sizes_base_and_first);
	RUN(restart_cuts_strips);
	RUN(instances);
	RUN(early_and_late_depth_agree);
	RUN(blocks_go_straight);
	RUN(straight_blocks_stop);
	RUN(planes_live_as_long_as_their_quads);
	RUN(kill_and_shader_depth);
	RUN(culling_and_facing);
	RUN(face_register);
	RUN(flat_shading_takes_the_provoking_vertex);
	RUN(varyings_with_fewer_components);
	RUN(clipped_at_the_near_plane);
	RUN(rejected_and_degenerate);
	RUN(polygon_offset);
	RUN(points);
	RUN(point_sprites);
	RUN(lines_interpolate_along_themselves);
	RUN(fill_modes);
	RUN(samples);
	RUN(depth_of_samples_and_centroid);
	RUN(multisampled_lines_are_rectangles);
	RUN(scissor);
	RUN(scissor_does_not_move_values);
	RUN(null_draw_counts_and_draws_nothing);
	RUN(without_a_target_vertices_are_still_shaded);
	RUN(colour_is_there_without_a_target);
	RUN(a_refused_block_is_none);
	RUN(stops_on_abort_and_fault);
	RUN(nothing_to_draw);
	RUN(random_states_do_no_harm);
	return test_end();
}
