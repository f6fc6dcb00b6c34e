// SPDX-License-Identifier: MIT
/* Contents of the texture cache's lines (--caches=data): stale until the cache is flushed. */
#include "tests/check.h"
#include "tests/tx_rig.h"

#define SIDE 64u /* of the texture: 256 lines of one tile each */

static struct rig *create(void)
{
	struct rig *rig = rig_create("gc3000");

	rig_use_cache_data(rig);
	return rig;
}

/* Red of the texel in the corner of tile (@x, @y), 0..255. */
static unsigned int red(struct rig *rig, unsigned int x, unsigned int y)
{
	float out[4];

	rig_sample_one(rig, (4.0f * (float)x + 0.5f) / SIDE, (4.0f * (float)y + 0.5f) / SIDE, 0.0f,
		       0.0f, out);
	return (unsigned int)(out[0] * 255.0f + 0.5f);
}

static void write_texture(struct rig *rig, uint8_t value)
{
	memset(rig->bytes + RIG_TEXTURE, value, SIDE * SIDE * 4);
}

static void bind(struct rig *rig)
{
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, SIDE, SIDE);

	rig_bind(rig, 0, &t);
}

TEST(replaced_textures_are_stale_until_a_flush)
{
	struct rig *rig = create();

	bind(rig);
	write_texture(rig, 10);
	CHECK_EQ(red(rig, 0, 0), 10);
	write_texture(rig, 20);
	gc_texture_begin_draw(&rig->gc);
	CHECK_EQ(red(rig, 0, 0), 10);
	CHECK_EQ(gc_texture_stale_lines(&rig->gc), 1);
	CHECK_EQ(red(rig, 1, 0), 20); /* another line */
	gc_texture_flush(&rig->gc, true, true);
	CHECK_EQ(red(rig, 0, 0), 20);
	CHECK_EQ(gc_texture_stale_lines(&rig->gc), 1);
	rig_destroy(rig);
}

/* Vertex textures have a cache of their own, and a flush of its own. */
TEST(vertex_textures_have_their_own_cache)
{
	struct rig *rig = create();
	struct rig_request r;

	bind(rig);
	write_texture(rig, 10);
	for (unsigned int flush = 0; flush < 3; flush++) {
		rig_request_init(&r, GC_TEX_IMPLICIT);
		r.request.pixel_stage = false;
		rig_sample(rig, &r);
		CHECK_NEAR(r.result.c[0].f[0] * 255, flush == 2 ? 20 : 10, 0.1);
		write_texture(rig, 20);
		gc_texture_begin_draw(&rig->gc);
		if (!flush)
			CHECK_EQ(red(rig, 0, 0), 20);
		gc_texture_flush(&rig->gc, flush == 0, flush == 1);
	}
	rig_destroy(rig);
}

/* With tags only, lookups read memory: no texture is stale. */
TEST(tags_forgive)
{
	struct rig *rig = rig_create("gc3000");

	bind(rig);
	write_texture(rig, 10);
	CHECK_EQ(red(rig, 0, 0), 10);
	write_texture(rig, 20);
	CHECK_EQ(red(rig, 0, 0), 20);
	CHECK_EQ(rig->gc.counters.tx_cache_misses, 1);
	CHECK_EQ(gc_texture_stale_lines(&rig->gc), 0);
	rig_destroy(rig);
}

/* Two ways: the third line of a set replaces the one that was used least recently. */
TEST(replaced_lines_are_read_again)
{
	struct rig *rig = create();
	unsigned int rows = rig->gc.tx->cache.sets / (SIDE / 4); /* of tiles, to the same set */

	bind(rig);
	write_texture(rig, 10);
	red(rig, 3, 0);
	red(rig, 3, rows);
	write_texture(rig, 20);
	CHECK_EQ(red(rig, 3, 0), 10);
	CHECK_EQ(red(rig, 3, 2 * rows), 20);
	CHECK_EQ(red(rig, 3, 0), 10);
	CHECK_EQ(red(rig, 3, rows), 20);
	CHECK_EQ(red(rig, 3, 2 * rows), 20);
	CHECK_EQ(red(rig, 3, 0), 20);
	rig_destroy(rig);
}

/* Compressed blocks are decoded from the line, too. */
TEST(stale_blocks)
{
	struct rig *rig = create();
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_DXT1, 4, 4);
	float out[4];

	rig_bind(rig, 0, &t);
	rig_sample_one(rig, 0.5f, 0.5f, 0.0f, 0.0f, out);
	CHECK_NEAR(out[0], 0, 0);
	memcpy(rig->bytes + RIG_TEXTURE, "\xff\xff\xff\xff", 4);
	gc_texture_begin_draw(&rig->gc);
	rig_sample_one(rig, 0.5f, 0.5f, 0.0f, 0.0f, out);
	CHECK_NEAR(out[0], 0, 0);
	gc_texture_flush(&rig->gc, true, true);
	rig_sample_one(rig, 0.5f, 0.5f, 0.0f, 0.0f, out);
	CHECK_NEAR(out[0], 1, 0);
	rig_destroy(rig);
}

/* Requests of more lines than the cache has: all texels are those of memory if nothing is stale. */
TEST(requests_of_many_lines)
{
	struct rig *tags = rig_create("gc3000"), *data = create(); /* without and with contents */
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 512, 512);
	uint32_t seed = 7;

	t.min = t.mag = TEXTURE_FILTER_LINEAR;
	for (uint32_t i = 0; i < 512 * 512 * 4; i++)
		data->bytes[RIG_TEXTURE + i] = tags->bytes[RIG_TEXTURE + i] =
			(uint8_t)rig_random(&seed);
	rig_bind(tags, 0, &t);
	rig_bind(data, 0, &t);
	for (unsigned int round = 0; round < 1000; round++) {
		struct rig_request r;
		struct gc_vec4 expected;

		rig_request_init(&r, GC_TEX_IMPLICIT);
		for (unsigned int i = 0; i < GC_LANES; i++)
			for (int c = 0; c < 2; c++)
				r.coord[c].f[i] = rig_random_float(&seed, 0.0f, 1.0f);
		rig_sample(tags, &r);
		expected = r.result;
		rig_sample(data, &r);
		CHECK(!memcmp(&expected, &r.result, sizeof(expected)));
	}
	CHECK(data->gc.counters.tx_cache_misses > 100000);
	CHECK_EQ(gc_texture_stale_lines(&data->gc), 0);
	CHECK(!memcmp(&tags->gc.counters, &data->gc.counters, sizeof(tags->gc.counters)));
	CHECK_EQ(tags->gc.work.texture_pages, data->gc.work.texture_pages);
	rig_destroy(tags);
	rig_destroy(data);
}

int main(void)
{
	return test_all();
}
