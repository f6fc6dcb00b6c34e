// SPDX-License-Identifier: MIT
/*
 * The texture cache's model: hits, misses, and the DRAM pages that misses open. The number of ways
 * is one of gpu_structure's: the usual structure has two.
 */
#include "check.h"
#include "clock/cache_model.h"

/* One access to the line that holds @address. Returns: whether it was fetched. */
static uint32_t touch(struct cache_model *c, uint32_t address)
{
	uint32_t line = address / c->line_bytes;

	return cache_model_read(c, &line, 1);
}

TEST(hits_and_misses)
{
	struct cache_model c;

	cache_model_init(&c, 2048, 64, &gpu_structure_usual);
	CHECK_EQ(c.sets, 16);
	CHECK_EQ(touch(&c, 0x1000), 1);
	CHECK_EQ(touch(&c, 0x103f), 0);
	/* two more lines of the same set push out the least recently used */
	CHECK_EQ(touch(&c, 0x1000 + 1024), 1);
	CHECK_EQ(touch(&c, 0x1000), 0);
	CHECK_EQ(touch(&c, 0x1000 + 2048), 1);
	CHECK_EQ(touch(&c, 0x1000), 0);
	CHECK_EQ(touch(&c, 0x1000 + 1024), 1);
	cache_model_flush(&c);
	CHECK_EQ(touch(&c, 0x1000 + 1024), 1);
}

/* Reading a list of lines has the same effect as reading each line separately. */
TEST(lists_are_their_lines)
{
	struct cache_model lists = { 0 }, lines = { 0 };
	uint32_t seed = 2;

	cache_model_init(&lists, 4096, 64, &gpu_structure_usual);
	cache_model_init(&lines, 4096, 64, &gpu_structure_usual);
	for (unsigned int turn = 0; turn < 5000; turn++) {
		uint32_t line[20], fetched = 0;
		unsigned int count = turn % 20;

		for (unsigned int i = 0; i < count; i++) {
			seed = seed * 1664525u + 1013904223u;
			line[i] = (seed >> 12) % 8192;
			fetched += touch(&lines, line[i] * 64);
		}
		CHECK_EQ(cache_model_read(&lists, line, count), fetched);
		CHECK(!memcmp(&lists, &lines, sizeof(lines)));
	}
	CHECK(lists.memory.pages > 1000);
}

TEST(sizes_are_limited_to_those_of_the_model)
{
	struct cache_model c;

	cache_model_init(&c, 1 << 20, 64, &gpu_structure_usual);
	CHECK_EQ(2 * c.sets, CACHE_MODEL_LINES);
	cache_model_init(&c, 64, 64, &gpu_structure_usual);
	CHECK_EQ(c.sets, 1);
}

int main(void)
{
	return test_all();
}
