// SPDX-License-Identifier: MIT
/* The pixel cache's model: hits, misses, runs of lines, and the DRAM pages that misses open. */
#include "check.h"
#include "clock/pixel_cache.h"

#define LINE PIXEL_CACHE_LINE_BYTES
#define RUN_BYTES (PIXEL_CACHE_RUN * LINE)

struct traffic {
	uint64_t read, written;
};

static void touch(struct pixel_cache *c, uint32_t address, bool write, struct traffic *t)
{
	pixel_cache_touch(c, address, write, &t->read, &t->written);
}

TEST(hits_and_misses)
{
	struct pixel_cache c;
	struct traffic t = { 0 };

	pixel_cache_init(&c, &gpu_structure_usual);
	touch(&c, 0x1000, false, &t);
	touch(&c, 0x103f, true, &t);
	CHECK_EQ(t.read, LINE);
	CHECK_EQ(t.written, 0);
	CHECK_EQ(pixel_cache_flush(&c), LINE);
	CHECK_EQ(pixel_cache_flush(&c), 0);
	touch(&c, 0x1000, false, &t);
	CHECK_EQ(t.read, 2 * LINE);
}

/*
 * PIXEL_CACHE_LINES lines fit at any addresses (the cache is fully associative); one more replaces
 * the least recently used line.
 */
TEST(any_lines_fit_together)
{
	struct pixel_cache c;
	struct traffic t = { 0 };

	pixel_cache_init(&c, &gpu_structure_usual);
	for (unsigned int turn = 0; turn < 3; turn++)
		for (uint32_t i = 0; i < PIXEL_CACHE_LINES; i++)
			touch(&c, i * 0x10000, i == 0, &t);
	CHECK_EQ(t.read, PIXEL_CACHE_LINES * LINE);
	CHECK_EQ(t.written, 0);
	touch(&c, 0, false, &t);
	touch(&c, 0x999000, false, &t); /* in place of the second one, as the first was just used */
	CHECK_EQ(t.read, (PIXEL_CACHE_LINES + 1) * LINE);
	touch(&c, 0, false, &t);
	CHECK_EQ(t.read, (PIXEL_CACHE_LINES + 1) * LINE);
	CHECK_EQ(t.written, 0);
	touch(&c, 0x10000, false, &t);
	CHECK_EQ(t.read, (PIXEL_CACHE_LINES + 2) * LINE);
	for (uint32_t i = 0; i < PIXEL_CACHE_LINES; i++)
		touch(&c, 0x800000 + i * 0x10000, false, &t);
	CHECK_EQ(t.written, LINE); /* only one was dirty */
}

/* A reference model: ways that are searched one by one, each with the time of its last use. */
struct reference {
	struct cache_memory memory;
	uint32_t line[PIXEL_CACHE_LINES];
	bool valid[PIXEL_CACHE_LINES], dirty[PIXEL_CACHE_LINES];
	unsigned int used[PIXEL_CACHE_LINES], now; /* when each was used last */
	struct traffic t;
};

static void reference_begin(struct reference *r)
{
	*r = (struct reference){ 0 };
	cache_memory_init(&r->memory, LINE, &gpu_structure_usual);
}

/* The way of a line, PIXEL_CACHE_LINES if there is none */
static unsigned int reference_find(const struct reference *r, uint32_t line)
{
	unsigned int way = 0;

	while (way < PIXEL_CACHE_LINES && !(r->valid[way] && r->line[way] == line))
		way++;
	return way;
}

/* Empty the way that was not used for longest. */
static unsigned int reference_evict(struct reference *r)
{
	unsigned int way = 0;

	for (unsigned int i = 1; i < PIXEL_CACHE_LINES; i++)
		way = r->used[i] < r->used[way] ? i : way;
	if (r->dirty[way]) {
		r->t.written += LINE;
		cache_memory_move(&r->memory, r->memory.written_page, r->line[way]);
	}
	r->valid[way] = r->dirty[way] = false;
	return way;
}

static void reference_fetch(struct reference *r, unsigned int way, uint32_t line)
{
	r->t.read += LINE;
	cache_memory_move(&r->memory, r->memory.read_page, line);
	r->line[way] = line;
	r->valid[way] = true;
}

static void reference_use(struct reference *r, unsigned int way, bool write)
{
	r->dirty[way] |= write;
	r->used[way] = ++r->now;
}

static void reference_touch(struct reference *r, uint32_t address, bool write)
{
	unsigned int way = reference_find(r, address / LINE);

	if (way == PIXEL_CACHE_LINES) {
		way = reference_evict(r);
		reference_fetch(r, way, address / LINE);
	}
	reference_use(r, way, write);
}

/* Of a run of which no line is there, all are written back before the first one is fetched. */
static void reference_touch_run(struct reference *r, uint32_t address, bool write)
{
	unsigned int way[PIXEL_CACHE_RUN];
	bool any = false;

	for (uint32_t i = 0; i < PIXEL_CACHE_RUN; i++)
		any |= reference_find(r, address / LINE + i) < PIXEL_CACHE_LINES;
	for (uint32_t i = 0; i < PIXEL_CACHE_RUN && any; i++)
		reference_touch(r, address + LINE * i, write);
	for (uint32_t i = 0; i < PIXEL_CACHE_RUN && !any; i++) {
		way[i] = reference_evict(r);
		r->used[way[i]] = UINT32_MAX; /* until it is used */
	}
	for (uint32_t i = 0; i < PIXEL_CACHE_RUN && !any; i++) {
		reference_fetch(r, way[i], address / LINE + i);
		reference_use(r, way[i], write);
	}
}

/* The lines that both hold, newest first, and what they did to memory are the same. */
static void compare_with_reference(const struct pixel_cache *c, const struct reference *r)
{
	unsigned int held = 0;

	for (unsigned int i = 0; i < PIXEL_CACHE_LINES; i++) {
		unsigned int way = reference_find(r, c->line[i]), newer = 0;

		if (way == PIXEL_CACHE_LINES) {
			CHECK_EQ(c->line[i], CACHE_MEMORY_NONE);
			continue;
		}
		for (unsigned int k = 0; k < PIXEL_CACHE_LINES; k++)
			newer += r->valid[k] && r->used[k] > r->used[way];
		CHECK_EQ(newer, i);
		CHECK_EQ(c->dirty >> i & 1, r->dirty[way]);
		held++;
	}
	for (unsigned int k = 0; k < PIXEL_CACHE_LINES; k++)
		held -= r->valid[k];
	CHECK_EQ(held, 0);
	CHECK_EQ(c->memory.pages, r->memory.pages);
	CHECK_EQ(c->memory.walks, r->memory.walks);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Runs of lines and single ones in any order. */
TEST(runs_are_their_lines)
{
	static const uint32_t spans[] = { 24, 60, 4096, 1 << 22 }; /* lines that are touched */
	struct pixel_cache c;
	struct reference r;
	struct traffic t = { 0 };
	uint32_t seed = 1;

	pixel_cache_init(&c, &gpu_structure_usual);
	reference_begin(&r);
	for (unsigned int turn = 0; turn < 60000; turn++) {
		uint32_t address = next_random(&seed) % spans[turn / 15000] * LINE;
		bool write = next_random(&seed) & 1;

		if (next_random(&seed) % 4 == 0) {
			touch(&c, address, write, &t);
			reference_touch(&r, address, write);
		} else {
			address &= ~(RUN_BYTES - 1);
			pixel_cache_touch_run(&c, address, write, &t.read, &t.written);
			reference_touch_run(&r, address, write);
		}
		CHECK_EQ(t.read, r.t.read);
		CHECK_EQ(t.written, r.t.written);
		compare_with_reference(&c, &r);
	}
	CHECK(t.written > 0);
}

/* A permutation of 0 to 63. */
static void shuffle(uint8_t order[64], uint32_t *seed)
{
	for (unsigned int i = 0; i < 64; i++) {
		unsigned int other = next_random(seed) % (i + 1);

		order[i] = order[other];
		order[other] = (uint8_t)i;
	}
}

/* pixel_cache_write_runs() does the same as pixel_cache_touch_run() for each of its runs. */
TEST(many_runs)
{
	struct pixel_cache many, runs;
	struct traffic m = { 0 }, r = { 0 };
	uint32_t seed = 3;

	pixel_cache_init(&many, &gpu_structure_usual);
	pixel_cache_init(&runs, &gpu_structure_usual);
	for (unsigned int turn = 0; turn < 5000; turn++) {
		uint8_t order[64] = { 0 };
		unsigned int count = turn % 65;
		uint32_t address = next_random(&seed) % 64 * RUN_BYTES;

		shuffle(order, &seed);
		if (next_random(&seed) & 1) {
			touch(&many, address + LINE, false, &m);
			touch(&runs, address + LINE, false, &r);
		}
		pixel_cache_write_runs(&many, address, order, count, &m.read, &m.written);
		for (unsigned int i = 0; i < count; i++)
			pixel_cache_touch_run(&runs, address + order[i] * RUN_BYTES, true, &r.read,
					      &r.written);
		CHECK(!memcmp(many.line, runs.line, sizeof(many.line)));
		CHECK_EQ(many.dirty, runs.dirty);
		CHECK_EQ(many.memory.pages, runs.memory.pages);
		CHECK_EQ(m.read, r.read);
		CHECK_EQ(m.written, r.written);
	}
}

/* Lines of one page open it once; a hit opens none; another page of the same bank closes it. */
TEST(misses_open_pages)
{
	const uint32_t page = GPU_MEMORY_PAGE_BYTES;
	struct pixel_cache c;
	struct traffic t = { 0 };

	pixel_cache_init(&c, &gpu_structure_usual);
	touch(&c, 0, false, &t);
	touch(&c, LINE, false, &t);
	touch(&c, LINE, false, &t);
	CHECK_EQ(cache_memory_new_pages(&c.memory), 1);
	touch(&c, page, false, &t); /* of another bank */
	touch(&c, 2 * LINE, false, &t);
	CHECK_EQ(cache_memory_new_pages(&c.memory), 1);
	CHECK_EQ(cache_memory_bank(&c.memory, 0), cache_memory_bank(&c.memory, 9));
	touch(&c, 9 * page, false, &t);
	touch(&c, 3 * LINE, false, &t);
	CHECK_EQ(cache_memory_new_pages(&c.memory), 2);
}

/* A write back opens a page of its own: reads and writes are collected apart. */
TEST(written_lines_open_pages)
{
	const uint32_t page = GPU_MEMORY_PAGE_BYTES;
	struct pixel_cache c;
	struct traffic t = { 0 };

	pixel_cache_init(&c, &gpu_structure_usual);
	for (uint32_t i = 0; i < PIXEL_CACHE_LINES; i++)
		touch(&c, i * LINE, true, &t);
	CHECK_EQ(cache_memory_new_pages(&c.memory), 1);
	for (uint32_t i = 0; i < PIXEL_CACHE_LINES; i++)
		touch(&c, page + i * LINE, true, &t);
	CHECK_EQ(t.written, PIXEL_CACHE_LINES * LINE);
	CHECK_EQ(cache_memory_new_pages(&c.memory), 2); /* one read, one written */
}

/* A line of the page table covers 64 KiB; eight of them are kept, until the MMU is flushed. */
TEST(misses_walk_the_page_tables)
{
	const uint32_t unit = CACHE_MEMORY_WALK_BYTES;
	struct pixel_cache c;
	struct traffic t = { 0 };

	pixel_cache_init(&c, &gpu_structure_usual);
	for (uint32_t at = 0; at < unit; at += LINE)
		touch(&c, at, false, &t);
	CHECK_EQ(cache_memory_new_walks(&c.memory), 1);
	for (uint32_t at = 0; at < 8 * unit; at += LINE)
		touch(&c, at, false, &t);
	CHECK_EQ(cache_memory_new_walks(&c.memory), 7);
	touch(&c, 0, false, &t);
	CHECK_EQ(cache_memory_new_walks(&c.memory), 0);
	touch(&c, 8 * unit, false, &t); /* in place of unit 1, which was not used for longest */
	touch(&c, LINE, false, &t);
	CHECK_EQ(cache_memory_new_walks(&c.memory), 1);
	touch(&c, unit, false, &t);
	CHECK_EQ(cache_memory_new_walks(&c.memory), 1);
	cache_memory_follow_mmu(&c.memory, 0); /* no flush since */
	touch(&c, 8 * unit + GPU_MEMORY_PAGE_BYTES, false, &t);
	CHECK_EQ(cache_memory_new_walks(&c.memory), 0);
	cache_memory_follow_mmu(&c.memory, 1);
	touch(&c, 8 * unit + 2 * GPU_MEMORY_PAGE_BYTES, false, &t); /* was kept until then */
	CHECK_EQ(cache_memory_new_walks(&c.memory), 1);
}

/* Two halves of a target in alternation: a walk each, whatever is between their addresses. */
TEST(halves_of_a_target_share_no_translation)
{
	for (uint32_t apart = GPU_MEMORY_PAGE_BYTES * 8; apart <= 1u << 26; apart *= 2) {
		struct pixel_cache c;
		struct traffic t = { 0 };

		pixel_cache_init(&c, &gpu_structure_usual);
		for (uint32_t at = 0; at < CACHE_MEMORY_WALK_BYTES; at += LINE) {
			touch(&c, at, true, &t);
			touch(&c, apart + at, true, &t);
		}
		CHECK_EQ(cache_memory_new_walks(&c.memory), 2);
	}
}

int main(void)
{
	return test_all();
}
