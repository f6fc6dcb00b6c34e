// SPDX-License-Identifier: MIT
/* Costs, overlap of stages, the published measurements they follow, and the cache model. */
#include "check.h"
#include "clock/cache_model.h"
#include "clock/pipeline.h"

#define ONE 65536u

/* A set with simple costs: one cycle each, no latencies. */
static const struct gpu_params simple = {
	.name = "simple",
	.core_hz = 1000000,
	.fe_word_fp = ONE,
	.vertex_fp = ONE,
	.primitive_fp = ONE,
	.tile_fp = ONE,
	.ps_instruction_fp = ONE / 4,
	.pe_sample_fp = ONE,
	.rs_pixel_fp = ONE,
	.memory_byte_fp = ONE / 2,
	.draw_overhead = 10,
	.flush_cycles = 100,
	.flush_byte_fp = ONE,
};

TEST(prices_each_stage)
{
	const struct gpu_work w = {
		.draws = 1,
		.fe_words = 5,
		.vertices = 7,
		.primitives_in = 3,
		.tiles = 4,
		.ps_instructions = 9,
		.samples = 6,
		.flushes = 2,
		.flush_bytes = 8,
		.texture_bytes = 3,
		.color_write_bytes = 4,
	};

	CHECK_EQ(gpu_stage_cost(&simple, &w, GPU_STAGE_FE), 15);
	CHECK_EQ(gpu_stage_cost(&simple, &w, GPU_STAGE_VS), 7);
	CHECK_EQ(gpu_stage_cost(&simple, &w, GPU_STAGE_PA), 3);
	CHECK_EQ(gpu_stage_cost(&simple, &w, GPU_STAGE_RA), 4);
	CHECK_EQ(gpu_stage_cost(&simple, &w, GPU_STAGE_PS), 3); /* 2.25, rounded up */
	CHECK_EQ(gpu_stage_cost(&simple, &w, GPU_STAGE_PE), 214);
	CHECK_EQ(gpu_stage_cost(&simple, &w, GPU_STAGE_MC), 4);
}

/* LOAD, STORE and atomics: a request of the shader core each, and their bytes. Tile status: bytes. */
TEST(prices_memory_of_shaders_and_tile_status)
{
	const struct gpu_params *p = gpu_params_find("imx6q");
	const struct gpu_work shaders = { .vs_accesses = 64,
					  .ps_accesses = 128,
					  .shader_read_bytes = 512,
					  .shader_write_bytes = 256 };
	const struct gpu_work tags = { .ts_read_bytes = 64, .ts_write_bytes = 128 };

	CHECK_EQ(gpu_stage_cost(p, &shaders, GPU_STAGE_VS), 32);
	CHECK_EQ(gpu_stage_cost(p, &shaders, GPU_STAGE_PS), 64);
	CHECK_EQ(gpu_stage_cost(p, &shaders, GPU_STAGE_MC), 96);
	CHECK_EQ(gpu_stage_cost(p, &tags, GPU_STAGE_MC), 24);
}

TEST(an_operation_takes_its_slowest_stage)
{
	struct gpu_pipeline p = { 0 };
	struct gpu_work w = { .vertices = 100, .samples = 1000 };

	gpu_pipeline_reset(&p, &simple, 50);
	CHECK_EQ(gpu_pipeline_push(&p, &w, 50), 1050);
	gpu_pipeline_reset(&p, &simple, 50);
	w.vertices = 5000; /* then the pixels follow slowly behind the vertices */
	CHECK_EQ(gpu_pipeline_push(&p, &w, 50), 5050);
	CHECK_EQ(gpu_pipeline_drained(&p), 5050);
}

/* The next operation's vertices are shaded while the pixels of this one are written. */
TEST(operations_overlap)
{
	struct gpu_pipeline p = { 0 };
	const struct gpu_work w = { .vertices = 400, .samples = 1000 };

	gpu_pipeline_reset(&p, &simple, 0);
	CHECK_EQ(gpu_pipeline_push(&p, &w, 0), 1000);
	CHECK_EQ(gpu_pipeline_push(&p, &w, 0), 2000); /* not 2400 */
	CHECK_EQ(gpu_pipeline_drained(&p), 2000);
}

TEST(latency_delays_but_does_not_add_up)
{
	struct gpu_params params = simple;
	struct gpu_pipeline p = { 0 };
	const struct gpu_work w = { .samples = 1000 };

	for (unsigned int s = 0; s < GPU_STAGES; s++)
		params.stage_latency[s] = 10;
	gpu_pipeline_reset(&p, &params, 0);
	gpu_pipeline_push(&p, &w, 0);
	CHECK_EQ(gpu_pipeline_drained(&p), 1050); /* five stages before the pixel engine */
	gpu_pipeline_push(&p, &w, 0);
	CHECK_EQ(gpu_pipeline_drained(&p), 2050);
	/* a token passes the same stages, behind the work */
	CHECK_EQ(gpu_pipeline_token(&p, 0), 2050);
	CHECK_EQ(gpu_pipeline_token(&p, 3000), 3050);
}

/* Eight operations can be queued; then the front end waits. */
TEST(queue_holds_the_front_end_back)
{
	struct gpu_pipeline p = { 0 };
	const struct gpu_work w = { .rs_pixels = 1000 };

	gpu_pipeline_reset(&p, &simple, 0);
	for (unsigned int i = 0; i < GPU_PIPELINE_QUEUE; i++) {
		gpu_pipeline_push(&p, &w, 0);
		CHECK_EQ(p.free_at[GPU_STAGE_FE], 0);
	}
	gpu_pipeline_push(&p, &w, 0);
	CHECK_EQ(p.free_at[GPU_STAGE_FE], 1000);
}

TEST(a_semaphore_inside_the_pipeline)
{
	struct gpu_pipeline p = { 0 };
	const struct gpu_work w = { .vertices = 10, .tiles = 10 };

	gpu_pipeline_reset(&p, &simple, 0);
	gpu_pipeline_wait(&p, GPU_STAGE_RA, 500);
	gpu_pipeline_push(&p, &w, 0);
	CHECK_EQ(p.free_at[GPU_STAGE_VS], 10);
	CHECK_EQ(p.free_at[GPU_STAGE_RA], 510);
}

TEST(slowdown_scales_all)
{
	struct gpu_pipeline p = { .slowdown_percent = 250 };
	const struct gpu_work w = { .samples = 1000 };

	gpu_pipeline_reset(&p, &simple, 0);
	CHECK_EQ(gpu_pipeline_push(&p, &w, 0), 2500);
	CHECK_EQ(gpu_pipeline_scale(&p, 3), 8);
}

/* simple's memory moves 2,000,000 bytes a second. */
TEST(scan_out_takes_its_share_of_memory)
{
	const struct gpu_work bytes = { .color_write_bytes = 1000 }, samples = { .samples = 1000 };
	struct gpu_pipeline p = { 0 };

	gpu_pipeline_reset(&p, &simple, 0);
	CHECK_EQ(gpu_pipeline_cost(&p, &bytes, GPU_STAGE_MC), 500);
	gpu_pipeline_share_memory(&p, 1000000);
	CHECK_EQ(gpu_pipeline_cost(&p, &bytes, GPU_STAGE_MC), 1000);
	CHECK_EQ(gpu_pipeline_cost(&p, &samples, GPU_STAGE_PE), 1000);
	CHECK_EQ(gpu_pipeline_push(&p, &bytes, 0), 1000);
	gpu_pipeline_share_memory(&p, 400000);
	CHECK_EQ(gpu_pipeline_cost(&p, &bytes, GPU_STAGE_MC), 625);
	p.slowdown_percent = 200;
	CHECK_EQ(gpu_pipeline_cost(&p, &bytes, GPU_STAGE_MC), 1250);
	p.slowdown_percent = 0;
	gpu_pipeline_share_memory(&p, 1999999); /* an eighth is left at least */
	CHECK_EQ(gpu_pipeline_cost(&p, &bytes, GPU_STAGE_MC), 4000);
	gpu_pipeline_share_memory(&p, UINT64_MAX);
	CHECK_EQ(gpu_pipeline_cost(&p, &bytes, GPU_STAGE_MC), 4000);
	gpu_pipeline_reset(&p, &simple, 0); /* the core's reset does not stop the display */
	CHECK_EQ(gpu_pipeline_cost(&p, &bytes, GPU_STAGE_MC), 4000);
	gpu_pipeline_share_memory(&p, 0);
	CHECK_EQ(gpu_pipeline_cost(&p, &bytes, GPU_STAGE_MC), 500);
}

/* 1280x720 at 60 Hz beside an i.MX6Q's memory of 4.2 GB/s: 5.5 % more for what memory bounds. */
TEST(scan_out_of_a_real_mode)
{
	const struct gpu_work bytes = { .texture_bytes = 1000000 };
	struct gpu_pipeline p = { 0 };

	gpu_pipeline_reset(&p, gpu_params_find("imx6q"), 0);
	gpu_pipeline_share_memory(&p, 1280 * 720 * 4 * 60ull);
	CHECK_EQ(gpu_pipeline_cost(&p, &bytes, GPU_STAGE_MC), 131907);
}

/* The largest reports saturate; time never decreases. */
TEST(no_overflow)
{
	struct gpu_pipeline p = { .slowdown_percent = 100000 };

	for (unsigned int s = 0; gpu_params_at(s); s++) {
		struct gpu_work w;
		uint64_t before = 0;

		memset(&w, 0xff, sizeof(w));
		gpu_pipeline_reset(&p, gpu_params_at(s), 0);
		gpu_pipeline_share_memory(&p, s % 2 ? UINT64_MAX : 0);
		for (unsigned int i = 0; i < 1000; i++) {
			uint64_t end = gpu_pipeline_push(&p, &w, before);

			CHECK(end >= before);
			CHECK(gpu_pipeline_drained(&p) >= before);
			before = gpu_pipeline_drained(&p);
		}
	}
}

TEST(sets_are_found_by_name)
{
	CHECK(gpu_params_find("imx6q"));
	CHECK(gpu_params_find("gc7000-like"));
	CHECK(gpu_params_find("slow-memory"));
	CHECK(gpu_params_find("wide"));
	CHECK(!gpu_params_find("fast"));
	CHECK_EQ(gpu_params_find("imx6q")->core_hz, 528000000);
}

/* Nanoseconds of an operation alone, with the published i.MX6Q figures in mind. */
static double alone_ns(const struct gpu_work *w)
{
	const struct gpu_params *params = gpu_params_find("imx6q");
	struct gpu_pipeline p = { 0 };

	gpu_pipeline_reset(&p, params, 0);
	return gpu_pipeline_push(&p, w, 0) * 1e9 / params->core_hz;
}

/* Half of a 640x432 screen: 224.7 us, 1.17 pixels a clock; four samples: 913.3 us. */
TEST(imx6q_triangle)
{
	struct gpu_work w = {
		.draws = 1,
		.vertices = 3,
		.vs_instructions = 12,
		.primitives_in = 1,
		.primitives_drawn = 1,
		.tiles = 640 * 432 / 2 / 16,
		.quads = 640 * 432 / 8,
		.pixels = 640 * 432 / 2,
		.samples = 640 * 432 / 2,
		.ps_instructions = 640 * 432 / 2,
		.color_write_bytes = 640 * 432 * 2,
	};

	CHECK_NEAR(alone_ns(&w), 224700, 0.05 * 224700);
	w.samples *= 4;
	w.color_write_bytes *= 4;
	CHECK_NEAR(alone_ns(&w), 913300, 0.05 * 913300);
}

/* Models of 21,516 and 43,044 vertices with a shader of 13 instructions: 600.5 and 1138 us. */
TEST(imx6q_vertices)
{
	struct gpu_work w = { .draws = 1, .vertices = 21516, .primitives_in = 7172 };

	w.vs_instructions = 13 * w.vertices;
	CHECK_NEAR(alone_ns(&w), 600500, 0.05 * 600500);
	w.vertices = 43044;
	w.primitives_in = 14348;
	w.vs_instructions = 13 * w.vertices;
	CHECK_NEAR(alone_ns(&w), 1138000, 0.05 * 1138000);
}

/* A full clear writes 1.9 to 2.1 GB/s. */
TEST(imx6q_full_clear)
{
	const struct gpu_work w = { .rs_pixels = 640 * 432, .rs_write_bytes = 640 * 432 * 4 };
	double bytes_a_second = 640 * 432 * 4 / alone_ns(&w) * 1e9;

	CHECK_NEAR(bytes_a_second, 2.0e9, 0.1e9);
}

TEST(cache_hits_and_misses)
{
	struct cache_model c;
	uint64_t read = 0, written = 0;

	cache_model_init(&c, 2048, 64);
	CHECK_EQ(c.sets, 16);
	cache_model_touch(&c, 0x1000, false, &read, &written);
	cache_model_touch(&c, 0x103f, true, &read, &written);
	CHECK_EQ(read, 64);
	CHECK_EQ(written, 0);
	/* two more lines of the same set push out the least recently used, which is dirty */
	cache_model_touch(&c, 0x1000 + 1024, false, &read, &written);
	cache_model_touch(&c, 0x1000 + 2048, false, &read, &written);
	CHECK_EQ(read, 3 * 64);
	CHECK_EQ(written, 64);
	cache_model_touch(&c, 0x1000 + 1024, true, &read, &written);
	CHECK_EQ(read, 3 * 64);
	CHECK_EQ(cache_model_flush(&c), 64);
	CHECK_EQ(cache_model_flush(&c), 0);
	cache_model_touch(&c, 0x1000 + 1024, false, &read, &written);
	CHECK_EQ(read, 4 * 64);
}

/* Runs of lines and single lines in any order give the same result as line by line. */
TEST(cache_takes_lines_in_runs)
{
	struct cache_model runs, lines;
	uint64_t moved[2][2] = { { 0 } };
	uint32_t seed = 1;

	cache_model_init(&runs, 2048, 64);
	cache_model_init(&lines, 2048, 64);
	for (unsigned int turn = 0; turn < 20000; turn++) {
		uint32_t address;
		bool write;

		seed = seed * 1664525u + 1013904223u;
		address = (seed >> 16) % 256 * 64;
		write = seed >> 30 & 1;
		if (seed >> 31) {
			cache_model_touch(&runs, address, write, &moved[0][0], &moved[0][1]);
			cache_model_touch(&lines, address, write, &moved[1][0], &moved[1][1]);
		} else {
			address &= ~(CACHE_MODEL_RUN * 64u - 1);
			cache_model_touch_run(&runs, address, write, &moved[0][0], &moved[0][1]);
			for (unsigned int i = 0; i < CACHE_MODEL_RUN; i++)
				cache_model_touch(&lines, address + 64 * i, write, &moved[1][0],
						  &moved[1][1]);
		}
		CHECK_EQ(moved[0][0], moved[1][0]);
		CHECK_EQ(moved[0][1], moved[1][1]);
	}
	CHECK(moved[0][1] > 0);
	CHECK_EQ(cache_model_flush(&runs), cache_model_flush(&lines));
}

/* Written runs give the same result as line by line. */
TEST(cache_takes_many_runs)
{
	struct cache_model many = { 0 }, runs = { 0 };
	uint64_t moved[2][2] = { { 0 } };
	uint32_t seed = 3;

	cache_model_init(&many, 2048, 64);
	cache_model_init(&runs, 2048, 64);
	for (unsigned int turn = 0; turn < 5000; turn++) {
		uint8_t order[64];
		unsigned int count = turn % 65;
		uint32_t address;

		for (unsigned int i = 0; i < 64; i++) {
			unsigned int other;

			seed = seed * 1664525u + 1013904223u;
			other = (seed >> 16) % (i + 1);
			order[i] = order[other];
			order[other] = (uint8_t)i;
		}
		address = (seed >> 8) % 128 * (CACHE_MODEL_RUN * 64u);
		if (seed >> 31) {
			cache_model_touch_run(&many, address, seed >> 30 & 1, &moved[0][0],
					      &moved[0][1]);
			cache_model_touch_run(&runs, address, seed >> 30 & 1, &moved[1][0],
					      &moved[1][1]);
		}
		cache_model_write_runs(&many, address, order, count, &moved[0][0], &moved[0][1]);
		for (unsigned int i = 0; i < count; i++)
			cache_model_touch_run(&runs, address + order[i] * (CACHE_MODEL_RUN * 64u),
					      true, &moved[1][0], &moved[1][1]);
		CHECK(!memcmp(&many, &runs, sizeof(many)));
		CHECK_EQ(moved[0][0], moved[1][0]);
		CHECK_EQ(moved[0][1], moved[1][1]);
	}
}

/* Lists of lines that are read give the same result as line by line. */
TEST(cache_reads_lists_of_lines)
{
	struct cache_model lists, lines;
	uint64_t fetched = 0, read = 0, written = 0;
	uint32_t seed = 2;

	cache_model_init(&lists, 4096, 64);
	cache_model_init(&lines, 4096, 64);
	for (unsigned int turn = 0; turn < 5000; turn++) {
		uint32_t line[20];
		unsigned int count = turn % 20;

		for (unsigned int i = 0; i < count; i++) {
			seed = seed * 1664525u + 1013904223u;
			line[i] = (seed >> 16) % 160;
			cache_model_touch(&lines, line[i] * 64, false, &read, &written);
		}
		fetched += cache_model_read(&lists, line, count);
		CHECK_EQ(fetched * 64, read);
		CHECK(!memcmp(lists.newest, lines.newest, sizeof(lines.newest)));
		CHECK(!memcmp(lists.older, lines.older, sizeof(lines.older)));
	}
	CHECK(fetched > 0);
	CHECK_EQ(written, 0);
}

TEST(cache_sizes_are_kept_within_the_model)
{
	struct cache_model c;

	cache_model_init(&c, 1 << 20, 64);
	CHECK_EQ(2 * c.sets, CACHE_MODEL_LINES);
	cache_model_init(&c, 64, 64);
	CHECK_EQ(c.sets, 1);
}

int main(void)
{
	RUN(prices_each_stage);
	RUN(prices_memory_of_shaders_and_tile_status);
	RUN(an_operation_takes_its_slowest_stage);
	RUN(operations_overlap);
	RUN(latency_delays_but_does_not_add_up);
	RUN(queue_holds_the_front_end_back);
	RUN(a_semaphore_inside_the_pipeline);
	RUN(slowdown_scales_all);
	RUN(scan_out_takes_its_share_of_memory);
	RUN(scan_out_of_a_real_mode);
	RUN(no_overflow);
	RUN(sets_are_found_by_name);
	RUN(imx6q_triangle);
	RUN(imx6q_vertices);
	RUN(imx6q_full_clear);
	RUN(cache_hits_and_misses);
	RUN(cache_takes_lines_in_runs);
	RUN(cache_takes_many_runs);
	RUN(cache_reads_lists_of_lines);
	RUN(cache_sizes_are_kept_within_the_model);
	return test_end();
}
