// SPDX-License-Identifier: MIT
/* Structures of machines: which there are, what each member changes, and what secrets give. */
#include "check.h"

#include <stdlib.h>

#include "clock/cache_model.h"
#include "clock/params.h"
#include "clock/pipeline.h"
#include "clock/pixel_cache.h"
#include "clock/random.h"

#define SECRETS 400

static struct gpu_params choose(uint64_t secret)
{
	struct gpu_params params;
	char choice[40];

	snprintf(choice, sizeof(choice), "secret:%llu", (unsigned long long)secret);
	if (gpu_params_choose(&params, choice))
		abort();
	return params;
}

TEST(named_sets_and_seeds_have_the_usual_one)
{
	struct gpu_params seeded;

	for (unsigned int i = 0; gpu_params_at(i); i++)
		CHECK(!memcmp(&gpu_params_at(i)->structure, &gpu_structure_usual,
			      sizeof(gpu_structure_usual)));
	CHECK(!gpu_params_choose(&seeded, "seed:7"));
	CHECK(!memcmp(&seeded.structure, &gpu_structure_usual, sizeof(gpu_structure_usual)));
}

/* The same secret is the same machine; each of its bits changes prices, and structure or queues. */
TEST(secrets_are_machines)
{
	struct gpu_params one = choose(0x123456789abcdef), again = choose(0x123456789abcdef);

	CHECK(!memcmp(&one, &again, sizeof(one)));
	CHECK(!strcmp(one.name, "secret"));
	for (unsigned int bit = 0; bit < 64; bit++) {
		struct gpu_params other = choose(0x123456789abcdef ^ UINT64_C(1) << bit);

		CHECK(memcmp(&one.structure, &other.structure, sizeof(one.structure)) ||
		      memcmp(one.queue, other.queue, sizeof(one.queue)));
		CHECK(one.vertex_fp != other.vertex_fp);
		CHECK_EQ(other.core_hz, one.core_hz);
		CHECK(!strcmp(one.name, other.name));
	}
}

/*
 * Caches hold whole sets; sizes are what the models can have. Choices are equally frequent: a third
 * of the secrets has each arbitration, a quarter both of two booleans; a fifth of the queues is 16.
 */
TEST(structures_are_possible)
{
	unsigned int seen[GPU_ARBITRATIONS] = { 0 }, drains = 0, late = 0, queues = 0;

	for (unsigned int i = 0; i < SECRETS; i++) {
		const struct gpu_params params = choose(i);
		const struct gpu_structure *s = &params.structure;

		CHECK(s->wave >= 8 && s->wave <= 64);
		CHECK(s->pixel_lines % PIXEL_CACHE_RUN == 0 && s->pixel_lines <= PIXEL_CACHE_LINES);
		CHECK(s->texture_lines % s->texture_ways == 0 &&
		      s->texture_lines <= CACHE_MODEL_LINES);
		CHECK(s->banks <= GPU_MAX_BANKS && !(s->banks & (s->banks - 1)));
		CHECK(s->page_log2 >= 11 && s->page_log2 <= 16);
		CHECK(s->vertex_prefetch <= GPU_MAX_VERTEX_PREFETCH);
		seen[s->arbitration]++;
		drains += s->program_drains && s->target_drains;
		late += s->late_depth && s->late_setup;
		for (unsigned int q = 0; q < GPU_STAGES; q++)
			queues += params.queue[q] == 16;
	}
	for (unsigned int i = 0; i < GPU_ARBITRATIONS; i++)
		CHECK(seen[i] > SECRETS / 5);
	CHECK(drains > SECRETS / 6 && drains < SECRETS / 3);
	CHECK(late > SECRETS / 6 && late < SECRETS / 3);
	CHECK(queues > SECRETS && queues < 2 * SECRETS);
}

/* Cycles of draws that use all of the machine, each of so many primitives. */
static uint64_t draws(const struct gpu_structure *structure, uint64_t primitives)
{
	const struct gpu_work work = {
		.draws = 1,
		.fe_words = 20,
		.index_bytes = 128,
		.vertex_bytes = 2048,
		.vertices = 64,
		.vs_instructions = 64 * 20,
		.primitives_in = primitives,
		.primitives_drawn = primitives,
		.tiles = 60,
		.quads = 400,
		.pixels = 1500,
		.samples = 1500,
		.ps_instructions = 1600 * 4,
		.ps_texels = 1600,
		.texture_bytes = 4096,
		.texture_pages = 4,
		.color_read_bytes = 4096,
		.color_write_bytes = 4096,
		.color_pages = 6,
		.depth_read_bytes = 6400,
		.depth_write_bytes = 4096,
		.depth_pages = 8,
	};
	struct gpu_params params = *gpu_params_find("imx6q");
	struct gpu_pipeline pipe = { 0 };

	params.structure = *structure;
	gpu_pipeline_reset(&pipe, &params, 0);
	for (unsigned int i = 0; i < 64; i++) {
		const struct gpu_program program = { .identity = i / 8,
						     .temporaries = 4,
						     .wave_code_bytes = 64 };
		uint64_t frontier = gpu_pipeline_free_at(&pipe, GPU_STAGE_FE);

		gpu_pipeline_set_programs(&pipe, &program, &program);
		gpu_pipeline_set_target(&pipe, i / 16);
		gpu_pipeline_push(&pipe, &work, frontier);
	}
	return gpu_pipeline_drained(&pipe);
}

#define CHANGES(member, value, primitives)                                                     \
	do {                                                                                   \
		struct gpu_structure changed = gpu_structure_usual;                            \
		changed.member = value;                                                        \
		CHECK(draws(&changed, primitives) != draws(&gpu_structure_usual, primitives)); \
	} while (0)

TEST(each_member_changes_the_time)
{
	CHANGES(wave, 8, 40);
	CHANGES(arbitration, GPU_ARBITER_ORDER, 40);
	CHANGES(arbitration, GPU_ARBITER_WHOLE, 40);
	CHANGES(program_drains, false, 40);
	CHANGES(target_drains, false, 40);
	CHANGES(late_depth, true, 40);
	CHANGES(late_setup, true, 600);
}

/* Cycles of pieces that only read vertices: each waits for memory unless it was read ahead. */
static uint64_t fetches(uint8_t prefetch)
{
	static const struct gpu_work work = { .vertex_bytes = 64 };
	struct gpu_params params = *gpu_params_find("imx6q");
	struct gpu_pipeline pipe = { 0 };

	params.structure.vertex_prefetch = prefetch;
	gpu_pipeline_reset(&pipe, &params, 0);
	for (unsigned int i = 0; i < 64; i++)
		gpu_pipeline_push(&pipe, &work, 0);
	return gpu_pipeline_drained(&pipe);
}

TEST(prefetch_hides_latency)
{
	CHECK(fetches(1) < fetches(0));
	CHECK(fetches(4) < fetches(1));
}

/* Moves lines in an order that is not that of addresses; returns the DRAM pages that it opens. */
static uint64_t pages(const struct gpu_structure *structure)
{
	struct cache_memory memory;

	cache_memory_init(&memory, 64, structure);
	for (uint32_t i = 0; i < 4096; i++)
		cache_memory_move(&memory, memory.read_page, (i % 4) * 77777 + i * 3);
	return memory.pages;
}

TEST(banks_and_mapping_change_pages)
{
	struct gpu_structure changed = gpu_structure_usual;

	changed.banks = 2;
	CHECK(pages(&changed) > pages(&gpu_structure_usual));
	changed = gpu_structure_usual;
	changed.bank_mix = 0;
	CHECK(pages(&changed) != pages(&gpu_structure_usual));
	changed = gpu_structure_usual;
	changed.page_log2 = 11;
	CHECK(pages(&changed) > pages(&gpu_structure_usual));
}

/*
 * Whether a set holds @line, which then is its newest one. A list that is searched, the newest line
 * first.
 */
static bool held(uint32_t *lines, unsigned int ways, uint32_t line)
{
	unsigned int i = 0;
	bool found;

	while (i < ways - 1 && lines[i] != line)
		i++;
	found = lines[i] == line;
	memmove(lines + 1, lines, i * sizeof(*lines));
	lines[0] = line;
	return found;
}

TEST(texture_caches_of_any_ways)
{
	static const uint8_t ways[] = { 1, 2, 4 }, lines[] = { 16, 32, 64 };

	for (unsigned int i = 0; i < 9; i++) {
		struct gpu_structure s = gpu_structure_usual;
		uint32_t list[64];
		struct cache_model cache;
		uint64_t state = i;

		memset(list, 0xff, sizeof(list));
		s.texture_ways = ways[i % 3];
		s.texture_lines = lines[i / 3];
		cache_model_init(&cache, 4096, 64, &s);
		for (unsigned int k = 0; k < 3000; k++) {
			uint32_t line = random_next(&state) % 100;
			uint32_t *set =
				list + line % (s.texture_lines / s.texture_ways) * s.texture_ways;

			CHECK_EQ(cache_model_read(&cache, &line, 1),
				 !held(set, s.texture_ways, line));
		}
	}
}

/* Fewer lines, by single lines and by runs */
TEST(pixel_caches_of_any_size)
{
	for (unsigned int size = 8; size <= PIXEL_CACHE_LINES; size += 8) {
		struct gpu_structure s = gpu_structure_usual;
		uint32_t list[PIXEL_CACHE_LINES];
		struct pixel_cache cache;
		uint64_t state = size, read = 0, written = 0, expected = 0;

		memset(list, 0xff, sizeof(list));
		s.pixel_lines = (uint8_t)size;
		pixel_cache_init(&cache, &s);
		for (unsigned int k = 0; k < 3000; k++) {
			uint32_t line = random_next(&state) % 16 * 4;

			if (k % 3) {
				pixel_cache_touch(&cache, line * 64, true, &read, &written);
				expected += 64 * !held(list, size, line);
				continue;
			}
			pixel_cache_touch_run(&cache, line * 64, true, &read, &written);
			for (uint32_t i = 0; i < 4; i++)
				expected += 64 * !held(list, size, line + i);
		}
		CHECK_EQ(read, expected);
		written += pixel_cache_flush(&cache);
		CHECK_EQ(written, read);
	}
}

int main(void)
{
	return test_all();
}
