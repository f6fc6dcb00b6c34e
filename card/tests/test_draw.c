// SPDX-License-Identifier: MIT
/*
 * Draws from states and memory to samples, with a fake shader and pixel engine: order, vertex
 * reuse, indices, instances, depth, whole blocks, scissor, aborts, counters. Primitives:
 * test_draw_primitives.c.
 */
#include "tests/draw_rig.h"

TEST(a_quad_covers_its_pixels_once)
{
	rig_open();
	rig_quad(10, 20, 41, 33, 0.25f);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	for (unsigned int y = 0; y < RIG_SIZE; y++)
		for (unsigned int x = 0; x < RIG_SIZE; x++) {
			bool in = x >= 10 && x < 41 && y >= 20 && y < 33;

			CHECK_EQ(rig.target[y][x][0].writes, in);
			if (in)
				CHECK_NEAR(rig.target[y][x][0].z, 0.25, 1e-7);
		}
}

/* Counters and work of a quad of 32 x 16 pixels, computed by hand. */
TEST(counts_of_a_quad)
{
	rig_open();
	rig_quad(10, 20, 42, 36, 0.5f);
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
	rig_quad(10, 20, 42, 36, 0.5f);
	rig_set(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT(4));
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig.gc.counters.vs_vertices, 0);
	CHECK_EQ(rig.gc.counters.ps_pixels, 0);
	rig_set(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT(3));
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig.gc.counters.ps_pixels, 32 * 16);
}

/* The distribution of vertices and quads over batches must not change any bit of the pixels. */
TEST(batching_changes_nothing)
{
	uint16_t index[300];

	rig_open();
	rig.depth_less = true;
	rig_random_mesh(100);
	for (unsigned int i = 0; i < 300; i++)
		index[i] = (uint16_t)(rig_random() * 100);
	rig_draw_indexed(PRIMITIVE_TYPE_TRIANGLES, index, 300, 0);
	CHECK(rig.vs_lanes > 100 && rig.vs_lanes < 300); /* reuse, but not across batches */
	rig_save();
	for (unsigned int i = 0; i < 300; i += 3)
		rig_draw_indexed(PRIMITIVE_TYPE_TRIANGLES, index + i, 3, 0);
	CHECK(rig_same_as_saved());
}

TEST(strips_and_fans_equal_lists)
{
	static const uint32_t types[] = { PRIMITIVE_TYPE_TRIANGLE_STRIP,
					  PRIMITIVE_TYPE_TRIANGLE_FAN };

	rig_open();
	rig_random_mesh(200);
	for (unsigned int t = 0; t < 2; t++) {
		rig_clear();
		rig_draw(types[t], 3, 190); /* several batches */
		CHECK_EQ(rig.vs_lanes, 190);
		rig_save();
		for (uint16_t i = 0; i < 188; i++) {
			uint16_t odd = i & 1, strip[3], fan[3] = { 3, i + 4, i + 5 };

			strip[0] = (uint16_t)(3 + i + odd);
			strip[1] = (uint16_t)(3 + i + 1 - odd);
			strip[2] = (uint16_t)(3 + i + 2);
			rig_draw_indexed(PRIMITIVE_TYPE_TRIANGLES, t ? fan : strip, 3, 0);
		}
		CHECK(rig_same_as_saved());
	}
}

/* Line loops over several batches; the closing line needs the first vertex. */
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
	rig_save();
	for (uint16_t i = 0; i < N; i++)
		rig_draw_indexed(PRIMITIVE_TYPE_LINES, (uint16_t[]){ i, (uint16_t)((i + 1) % N) },
				 2, 0);
	CHECK(rig_same_as_saved());
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
		rig_quad(10, 10, 20, 20, 0.5f);
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
	rig_quad(10, 10, 20, 20, 0.5f);
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
	rig_quad(0, 0, 96, 96, 0.5f);
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
 * Random triangles leave the same colours and depths by late and by early depth, and by an early
 * test only.
 */
TEST(early_and_late_depth_agree)
{
	rig_open();
	rig_random_mesh(150);
	rig.depth_less = true;
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 150);
	CHECK_EQ(rig.gc.counters.ra_pipe_cache_misses, 0);
	CHECK_EQ(rig.gc.counters.ra_eez_culled_quads, 0);
	for (unsigned int mode = 0; mode < 2; mode++) {
		uint64_t late_quads = rig.gc.work.quads, misses;

		rig_save();
		for (unsigned int y = 0; y < RIG_SIZE; y++)
			for (unsigned int x = 0; x < RIG_SIZE; x++)
				rig_saved[y][x][0].writes = 0;
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
		CHECK(rig_same_as_saved());
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
 * Whole blocks that go straight to the target: the same pictures and counts as with a writer that
 * takes them as quads, with and without early depth, alone and with random triangles over them.
 */
TEST(blocks_go_straight)
{
	for (unsigned int mode = 0; mode < 4; mode++) {
		struct gc_counters counters;
		struct gpu_work work;

		rig_open();
		rig_random_mesh(60);
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
		rig_save(); /* and clear */
		rig.no_blocks = false;
		rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
		if (mode & 2)
			rig_draw(PRIMITIVE_TYPE_TRIANGLES, 3, 57);
		CHECK(CARD_PLAIN || rig.blocks >= RIG_SIZE * RIG_SIZE / 64);
		CHECK(rig_same_as_saved());
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
	rig.stop_after_yields = 2; /* of which there is one after each 32 runs */
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig.ps_runs, 64);
}

/* Register accesses are answered after each group, also if none gets to the shader. */
TEST(answers_between_groups)
{
	rig_open();
	rig_quad(0, 0, 96, 96, 0.5f);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK(rig.ps_runs > 100);
	CHECK(rig.answers >= rig.ps_runs);
	rig.early = rig.depth_less = true;
	rig.ps_runs = rig.answers = 0;
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig.ps_runs, 0);
	CHECK(rig.answers >= 96 * 96 / GC_LANES);
}

/*
 * A quad waits for its group to fill while those of 300 triangles are rejected early: its set-up
 * must not be reused before it is shaded.
 */
TEST(planes_live_as_long_as_their_quads)
{
	rig_open();
	rig.early = rig.depth_less = true;
	rig_pixel_vertex(0, 0, 0, 0.1f, 1, 1, 0, 0);
	rig_pixel_vertex(1, 2, 0, 0.1f, 1, 1, 0, 0);
	rig_pixel_vertex(2, 0, 2, 0.1f, 1, 1, 0, 0);
	for (unsigned int i = 0; i < 300; i++) { /* after the first triangle */
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
	rig_quad(40, 10, 60, 20, 0.5f);
	rig.shade = kill_left;
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig_writes(0), 12 * 10);
	CHECK_EQ(rig.target[15][47][0].writes, 0);
	rig.shade = write_depth;
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_NEAR(rig.target[15][45][0].z, 0.125, 0);
}

TEST(scissor)
{
	rig_open();
	rig_set_f(VIVS_SE_SCISSOR_LEFT, 12);
	rig_set_f(VIVS_SE_SCISSOR_TOP, 13);
	rig_set_f(VIVS_SE_SCISSOR_RIGHT, 20 + 0.0668f);
	rig_set_f(VIVS_SE_SCISSOR_BOTTOM, 18 + 0.0667f);
	rig_quad(0, 0, 96, 96, 0.5f);
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
	rig_random_mesh(30);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 30);
	rig_save();
	rig_set_f(VIVS_SE_SCISSOR_LEFT, 33);
	rig_set_f(VIVS_SE_SCISSOR_TOP, 21);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 30);
	for (unsigned int y = 21; y < RIG_SIZE; y++)
		for (unsigned int x = 33; x < RIG_SIZE; x++)
			CHECK(!memcmp(rig_saved[y][x], rig.target[y][x], sizeof(rig_saved[y][x])));
}

TEST(without_a_target_vertices_are_still_shaded)
{
	rig_open();
	rig.no_target = true;
	rig_quad(0, 0, 96, 96, 0.5f);
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

/* A whole block whose pixels fail the alpha test is no block any more when depth is tested. */
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
	rig_quad(0, 0, 96, 96, 0.5f);
	rig.stop_after_yields = 2;
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK(rig.ps_runs < 100);
	rig_open();
	rig_quad(0, 0, 96, 96, 0.5f);
	rig.fail_color_after = 3;
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig.ps_runs, 3);
	rig_open();
	rig.gc.abort = true;
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig.vs_runs, 0);
	rig_open(); /* the unit must work after each of them */
	rig_quad(10, 10, 20, 20, 0.5f);
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

/*
 * Random states and vertices: no crash, and no pixel outside of the target (sanitizers), which the
 * scissor bounds and which therefore stays.
 */
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
		rig_random_mesh(90);
		rig.samples = 1u << (n % 3);
		for (unsigned int i = 0; i < 12; i++) {
			uint32_t at = page[(unsigned int)(rig_random() * 6)] +
				      4 * (uint32_t)(rig_random() * 30);
			uint32_t value = (uint32_t)(rig_random() * 65536) << 16 |
					 (uint32_t)(rig_random() * 65536);

			if (at < VIVS_SE_SCISSOR_LEFT || at > VIVS_SE_SCISSOR_BOTTOM)
				rig_set(at, value);
		}
		for (unsigned int i = 0; i < 40; i++)
			rig_vertex(1, 0)[(unsigned int)(rig_random() * 700)] =
				(float)((rig_random() - 0.5) * pow(10, rig_random() * 60 - 20));
		rig_draw(1 + n % 8, 0, 80);
	}
}

int main(void)
{
	return test_all();
}
