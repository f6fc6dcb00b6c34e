// SPDX-License-Identifier: MIT
/* Which vertices of an indexed draw the core shades. */
#include "check.h"
#include "gc/vertex_cache.h"

/* A cache and the lanes of a batch; GC_LANES different indices or GC_SEQUENCE of them fill it. */
struct user {
	struct gc_vertex_cache cache;
	uint32_t lane[GC_LANES];
	unsigned int first, lanes; /* lanes of the instance: from @first to @lanes - 1 */
	unsigned int used;         /* length of the batch's sequence */
};

static void begin_batch(struct user *u)
{
	gc_vertex_cache_end_batch(&u->cache, u->lane);
	u->first = u->lanes = u->used = 0;
}

static void begin_instance(struct user *u)
{
	gc_vertex_cache_reset(&u->cache);
	u->first = u->lanes;
}

static void begin_draw(struct user *u)
{
	*u = (struct user){ 0 };
	gc_vertex_cache_init(&u->cache);
}

static unsigned int find_lane(const struct user *u, uint32_t index)
{
	unsigned int lane = u->first;

	while (lane < u->lanes && u->lane[lane] != index)
		lane++;
	return lane;
}

/* Returns: 1 if the core shades the vertex, otherwise 0. */
static unsigned int use(struct user *u, uint32_t index)
{
	unsigned int lane, before;

	if (u->used == GC_SEQUENCE || find_lane(u, index) == GC_LANES)
		begin_batch(u);
	lane = find_lane(u, index);
	before = u->cache.next;
	if (lane == u->lanes) {
		u->lane[u->lanes++] = index;
		gc_vertex_cache_begin_lane(&u->cache, before, lane, index);
	}
	u->used++;
	u->cache.next = gc_vertex_cache_use(&u->cache, before, lane);
	return u->cache.next - before;
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
	struct user u;

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
	struct user u;

	begin_draw(&u);
	CHECK_EQ(shaded(&u, values, 4), 4);
	CHECK_EQ(shaded(&u, values, 4), 0);
	CHECK_EQ(gc_vertex_cache_shaded(&u.cache), 4);
	begin_instance(&u);
	begin_batch(&u);
	CHECK_EQ(shaded(&u, values, 4), 4);
}

/* Two triangles for each square of a row: narrow grids reuse the row before, wide ones do not. */
TEST(grids)
{
	static const struct {
		unsigned int width, shaded;
	} cases[] = { { 6, 7 * 7 }, { 30, 31 * 7 + 31 * 5 } };

	for (unsigned int c = 0; c < 2; c++) {
		struct user u;
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

/* Vertices of an instance are not reused in the next one, in the same batch or in another. */
TEST(instances_share_nothing)
{
	static const uint32_t values[] = { 7, 8, 9 };

	for (unsigned int full = 0; full < 2; full++) {
		struct user u;

		begin_draw(&u);
		CHECK_EQ(shaded(&u, values, 3), 3);
		begin_instance(&u);
		if (full)
			begin_batch(&u);
		CHECK_EQ(shaded(&u, values, 3), 3);
		CHECK_EQ(shaded(&u, values, 3), 0);
		begin_batch(&u);
		CHECK_EQ(shaded(&u, values, 3), 0);
	}
}

/* The last sixteen vertices, searched one by one */
struct list {
	uint64_t index[16];
	unsigned int oldest;
};

static void empty(struct list *list)
{
	memset(list->index, 0xff, sizeof(list->index));
}

static unsigned int use_list(struct list *list, uint32_t index)
{
	for (unsigned int k = 0; k < 16; k++)
		if (list->index[k] == index)
			return 0;
	list->index[list->oldest++ % 16] = index;
	return 1;
}

static unsigned int next_random(unsigned int *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 9;
}

/*
 * Random indices from a window that moves on, in batches of any length, with instances: compared
 * with a list.
 */
TEST(as_a_list)
{
	for (unsigned int range = 4; range < 100; range += 5) {
		struct list list = { 0 };
		struct user u;
		unsigned int seed = range, reused = 0;

		empty(&list);
		begin_draw(&u);
		for (unsigned int i = 0; i < 20000; i++) {
			uint32_t index = next_random(&seed) % range + i / 40 * (range / 2);
			uint32_t expected = use_list(&list, index);

			CHECK_EQ(use(&u, index), expected);
			reused += !expected;
			if (next_random(&seed) % 90 == 0)
				begin_batch(&u);
			if (next_random(&seed) % 150 == 0) {
				begin_instance(&u);
				empty(&list);
			}
		}
		CHECK(reused > 2000 && reused < 19900);
	}
}

int main(void)
{
	return test_all();
}
