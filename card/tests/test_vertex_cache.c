// SPDX-License-Identifier: MIT
/* Which vertices of an indexed draw the core shades. */
#include "check.h"
#include "gc/vertex_cache.h"

/* Vertices that are shaded for @count indices. */
static unsigned int shaded(struct gc_vertex_cache *cache, const uint32_t *index, unsigned int count)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += gc_vertex_cache_add(cache, index[i]);
	return sum;
}

TEST(the_last_sixteen_are_kept)
{
	struct gc_vertex_cache cache;

	gc_vertex_cache_reset(&cache);
	for (uint32_t i = 0; i < 16; i++)
		CHECK_EQ(gc_vertex_cache_add(&cache, 100 + i), 1);
	for (uint32_t i = 0; i < 16; i++)
		CHECK_EQ(gc_vertex_cache_add(&cache, 100 + i), 0);
	/* a use does not make an entry younger: the first one goes first */
	CHECK_EQ(gc_vertex_cache_add(&cache, 0), 1);
	CHECK_EQ(gc_vertex_cache_add(&cache, 101), 0);
	CHECK_EQ(gc_vertex_cache_add(&cache, 100), 1);
	CHECK_EQ(gc_vertex_cache_add(&cache, 101), 1);
}

TEST(no_value_is_special)
{
	static const uint32_t values[] = { 0, UINT32_MAX, 1, 0x80000000u };
	struct gc_vertex_cache cache;

	gc_vertex_cache_reset(&cache);
	CHECK_EQ(shaded(&cache, values, 4), 4);
	CHECK_EQ(shaded(&cache, values, 4), 0);
	gc_vertex_cache_reset(&cache);
	CHECK_EQ(shaded(&cache, values, 4), 4);
}

/* Two triangles for each square of a row: narrow grids reuse the row before, wide ones do not. */
TEST(grids)
{
	static const struct {
		unsigned int width, shaded;
	} cases[] = { { 6, 7 * 7 }, { 30, 31 * 7 + 31 * 5 } };

	for (unsigned int c = 0; c < 2; c++) {
		struct gc_vertex_cache cache;
		uint32_t row = cases[c].width + 1;
		unsigned int sum = 0;

		gc_vertex_cache_reset(&cache);
		for (uint32_t y = 0; y < 6; y++) {
			for (uint32_t x = 0; x < cases[c].width; x++) {
				uint32_t a = y * row + x;
				const uint32_t index[] = { a, a + row, a + 1, a + 1, a + row, a + row + 1 };

				sum += shaded(&cache, index, 6);
			}
		}
		CHECK_EQ(sum, cases[c].shaded);
	}
}

int main(void)
{
	RUN(the_last_sixteen_are_kept);
	RUN(no_value_is_special);
	RUN(grids);
	return test_end();
}
