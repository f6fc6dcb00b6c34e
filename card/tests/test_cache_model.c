// SPDX-License-Identifier: MIT
/* The cache model: hits, misses, runs of lines, and the DRAM pages that misses open. */
#include "check.h"
#include "clock/cache_model.h"

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

/* Runs of lines and single lines in random order have the same effect as single accesses. */
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
		address = (seed >> 12) % 4096 * 64;
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
		CHECK_EQ(runs.pages, lines.pages);
	}
	CHECK(moved[0][1] > 0);
	CHECK_EQ(cache_model_flush(&runs), cache_model_flush(&lines));
}

/* Many written runs have the same effect as single accesses. */
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
		address = (seed >> 8) % 8192 * (CACHE_MODEL_RUN * 64u);
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

/* Lists of lines that are read have the same effect as single accesses. */
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

/* Lines of one page open it once; another page of the same bank closes it. */
TEST(misses_open_pages)
{
	const uint32_t page = GPU_MEMORY_PAGE_BYTES;
	struct cache_model c;
	uint64_t read = 0, written = 0;

	cache_model_init(&c, 2048, 64);
	cache_model_touch(&c, 0, false, &read, &written);
	cache_model_touch(&c, 64, false, &read, &written);
	CHECK_EQ(c.pages, 1);
	cache_model_touch(&c, 64, false, &read, &written); /* a hit asks for no page */
	CHECK_EQ(c.pages, 1);
	cache_model_touch(&c, page, false, &read, &written); /* of another bank */
	cache_model_touch(&c, 128, false, &read, &written);
	CHECK_EQ(c.pages, 2);
	CHECK_EQ(gpu_memory_bank(0), gpu_memory_bank(9));
	cache_model_touch(&c, 9 * page, false, &read, &written);
	cache_model_touch(&c, 192, false, &read, &written);
	CHECK_EQ(c.pages, 4);
}

/* A line of the page table covers 64 KiB; eight of them are kept, until the MMU is flushed. */
TEST(misses_walk_the_page_tables)
{
	const uint32_t unit = CACHE_MODEL_WALK_BYTES;
	struct cache_model c;
	uint64_t read = 0, written = 0;

	cache_model_init(&c, 2048, 64);
	for (uint32_t at = 0; at < unit; at += 64)
		cache_model_touch(&c, at, false, &read, &written);
	CHECK_EQ(cache_model_new_walks(&c), 1);
	for (uint32_t at = 0; at < 8 * unit; at += 64)
		cache_model_touch(&c, at, false, &read, &written);
	CHECK_EQ(cache_model_new_walks(&c), 7);
	cache_model_touch(&c, 0, false, &read, &written);
	CHECK_EQ(cache_model_new_walks(&c), 0);
	cache_model_touch(&c, 8 * unit, false, &read, &written); /* in place of the first */
	cache_model_touch(&c, 64, false, &read, &written);
	CHECK_EQ(cache_model_new_walks(&c), 2);
	cache_model_follow_mmu(&c, 0); /* no flush since */
	cache_model_touch(&c, unit, false, &read, &written);
	CHECK_EQ(cache_model_new_walks(&c), 0);
	cache_model_follow_mmu(&c, 1);
	cache_model_touch(&c, 2 * unit, false, &read, &written);
	CHECK_EQ(cache_model_new_walks(&c), 1);
}

/* The three ways to touch many lines open as many pages as line by line. */
TEST(lists_open_the_same_pages)
{
	struct cache_model lists, lines;
	uint64_t read = 0, written = 0;
	uint32_t seed = 5;

	cache_model_init(&lists, 4096, 64);
	cache_model_init(&lines, 4096, 64);
	for (unsigned int turn = 0; turn < 2000; turn++) {
		uint32_t line[16];

		for (unsigned int i = 0; i < 16; i++) {
			seed = seed * 1664525u + 1013904223u;
			line[i] = (seed >> 12) % 8192;
			cache_model_touch(&lines, line[i] * 64, false, &read, &written);
		}
		cache_model_read(&lists, line, 16);
	}
	CHECK_EQ(lists.pages, lines.pages);
	CHECK_EQ(lists.walks, lines.walks);
	CHECK(lists.pages > 1000);
}

int main(void)
{
	RUN(cache_hits_and_misses);
	RUN(cache_takes_lines_in_runs);
	RUN(cache_takes_many_runs);
	RUN(cache_reads_lists_of_lines);
	RUN(cache_sizes_are_kept_within_the_model);
	RUN(misses_open_pages);
	RUN(misses_walk_the_page_tables);
	RUN(lists_open_the_same_pages);
	return test_end();
}
