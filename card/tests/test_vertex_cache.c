// SPDX-License-Identifier: MIT
/* Which vertices of an indexed draw the core shades. */
#include "check.h"
#include "gc/vertex_cache.h"

/* A cache and the lanes of a batch; more than GC_LANES different indices begin another one. */
struct user {
	struct gc_vertex_cache cache;
	uint32_t lane[GC_LANES];
	unsigned int lanes;
};

static void begin_batch(struct user *u)
{
	u->lanes = 0;
	gc_vertex_cache_begin_batch(&u->cache);
}

static void begin_draw(struct user *u)
{
	gc_vertex_cache_reset(&u->cache);
	begin_batch(u);
}

static unsigned int use(struct user *u, uint32_t index)
{
	unsigned int lane = 0;

	while (lane < u->lanes && u->lane[lane] != index)
		lane++;
	if (lane == GC_LANES) {
		begin_batch(u);
		lane = 0;
	}
	if (lane == u->lanes)
		u->lane[u->lanes++] = index;
	return gc_vertex_cache_use(&u->cache, lane, index);
}

/* Vertices that are shaded for @count indices. */
static unsigned int shaded(struct user *u, const uint32_t *index, unsigned int count)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += use(u, index[i]);
	return sum;
}

TEST(the_last_sixteen_are_cached)
{
	struct user u = { 0 };

	begin_draw(&u);
	for (uint32_t i = 0; i < 16; i++)
		CHECK_EQ(use(&u, 100 + i), 1);
	for (uint32_t i = 0; i < 16; i++)
		CHECK_EQ(use(&u, 100 + i), 0);
	/* a use does not make an entry younger: the first one goes first */
	CHECK_EQ(use(&u, 0), 1);
	CHECK_EQ(use(&u, 101), 0);
	CHECK_EQ(use(&u, 100), 1);
	CHECK_EQ(use(&u, 101), 1);
}

TEST(no_value_is_special)
{
	static const uint32_t values[] = { 0, UINT32_MAX, 1, 0x80000000u };
	struct user u = { 0 };

	begin_draw(&u);
	CHECK_EQ(shaded(&u, values, 4), 4);
	CHECK_EQ(shaded(&u, values, 4), 0);
	begin_draw(&u);
	CHECK_EQ(shaded(&u, values, 4), 4);
}

/* Two triangles for each square of a row: narrow grids reuse the row before, wide ones do not. */
TEST(grids)
{
	static const struct {
		unsigned int width, shaded;
	} cases[] = { { 6, 7 * 7 }, { 30, 31 * 7 + 31 * 5 } };

	for (unsigned int c = 0; c < 2; c++) {
		struct user u = { 0 };
		uint32_t row = cases[c].width + 1;
		unsigned int sum = 0;

		begin_draw(&u);
		for (uint32_t y = 0; y < 6; y++) {
			for (uint32_t x = 0; x < cases[c].width; x++) {
				uint32_t a = y * row + x;
				const uint32_t index[] = { a,     a + row, a + 1,
							   a + 1, a + row, a + row + 1 };

				sum += shaded(&u, index, 6);
			}
		}
		CHECK_EQ(sum, cases[c].shaded);
	}
}

/* Random indices, compared with a list of the last sixteen vertices. */
TEST(as_a_list)
{
	struct user u = { 0 };
	uint64_t list[16];
	unsigned int oldest = 0, seed = 1, reused = 0;

	memset(list, 0xff, sizeof(list));
	begin_draw(&u);
	for (unsigned int i = 0; i < 20000; i++) {
		uint32_t index, expected = 1;

		seed = seed * 1664525u + 1013904223u;
		index = (seed >> 16) % 24 + i / 40 * 12;
		for (unsigned int k = 0; k < 16; k++)
			if (list[k] == index)
				expected = 0;
		if (expected)
			list[oldest++ % 16] = index;
		if (seed >> 9 & 1 && i % 50 == 0)
			begin_batch(&u);
		CHECK_EQ(use(&u, index), expected);
		reused += !expected;
	}
	CHECK(reused > 5000 && reused < 19000);
}

int main(void)
{
	RUN(the_last_sixteen_are_cached);
	RUN(no_value_is_special);
	RUN(grids);
	RUN(as_a_list);
	return test_end();
}
