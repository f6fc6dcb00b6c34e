// SPDX-License-Identifier: MIT
/*
 * Contents of caches (--caches=data): lines and their replacement, and the pixel engine's colour and depth
 * caches, whose pixels are in memory when they are flushed or replaced.
 */
#include "tests/check.h"
#include "tests/pixel_bench.h"

#define SIDE 128 /* of targets, pixels */
#define LINE DATA_CACHE_BYTES

static struct pixel_bench b;
static struct gc_quads quads;
static struct gc_vec4 color;

/* Byte @index of the line at @address, through @cache. */
static uint8_t *byte(struct data_cache *cache, uint32_t address, unsigned int index)
{
	return data_cache_line(cache, address / LINE, at(&b, address)) + index;
}

static void write_byte(struct data_cache *cache, uint32_t address, uint8_t value)
{
	*byte(cache, address, 0) = value;
	data_cache_mark(cache, address / LINE);
}

TEST(lines_keep_what_they_fetched)
{
	struct data_cache *cache;

	bench_open(&b, "gc3000");
	cache = data_cache_create(4, 2, &b.gc->mmu, GC_CLIENT_TX); /* 4 sets of 2 lines */
	*at(&b, COLOR_BASE + 5) = 10;
	CHECK_EQ(*byte(cache, COLOR_BASE, 5), 10);
	*at(&b, COLOR_BASE + 5) = 20;
	CHECK_EQ(*byte(cache, COLOR_BASE, 5), 10);
	data_cache_drop(cache);
	CHECK_EQ(*byte(cache, COLOR_BASE, 5), 20);
	/* two more lines of this set: the one that was not used for longest goes */
	*at(&b, COLOR_BASE + 5) = 30;
	byte(cache, COLOR_BASE + 4 * LINE, 0);
	CHECK_EQ(*byte(cache, COLOR_BASE, 5), 20);
	byte(cache, COLOR_BASE + 8 * LINE, 0);
	CHECK_EQ(*byte(cache, COLOR_BASE, 5), 20);
	byte(cache, COLOR_BASE + 4 * LINE, 0);
	byte(cache, COLOR_BASE + 8 * LINE, 0);
	CHECK_EQ(*byte(cache, COLOR_BASE, 5), 30);
	free(cache);
}

TEST(lines_are_written_back)
{
	struct data_cache *cache;

	bench_open(&b, "gc3000");
	cache = data_cache_create(1, 2, &b.gc->mmu, GC_CLIENT_TX);
	write_byte(cache, COLOR_BASE, 1);
	CHECK_EQ(*at(&b, COLOR_BASE), 0);
	data_cache_flush(cache);
	CHECK_EQ(*at(&b, COLOR_BASE), 1);
	*at(&b, COLOR_BASE) = 2;
	data_cache_flush(cache); /* it was emptied */
	CHECK_EQ(*at(&b, COLOR_BASE), 2);
	write_byte(cache, COLOR_BASE, 3);
	byte(cache, COLOR_BASE + LINE, 0);
	CHECK_EQ(*at(&b, COLOR_BASE), 2);
	byte(cache, COLOR_BASE + 2 * LINE, 0); /* it is replaced */
	CHECK_EQ(*at(&b, COLOR_BASE), 3);
	write_byte(cache, COLOR_BASE, 4);
	data_cache_drop(cache);
	data_cache_flush(cache);
	CHECK_EQ(*at(&b, COLOR_BASE), 3);
	free(cache);
}

/* A line is written where its address leads to when it is written: another client's page, or nowhere. */
TEST(lines_follow_the_tables)
{
	struct data_cache *cache;
	uint32_t *entry;

	bench_open(&b, "gc3000");
	bench_enable_mmu(&b, RAM_BASE + RAM_BYTES);
	cache = data_cache_create(1, 2, &b.gc->mmu, GC_CLIENT_PE);
	write_byte(cache, COLOR_BASE, 1);
	entry = &b.table[1 + ((COLOR_BASE - RAM_BASE) >> 22)][COLOR_BASE >> 12 & 1023];
	*entry = OTHER_BASE | MMU_PRESENT;
	gc_mmu_flush(&b.gc->mmu);
	data_cache_flush(cache);
	CHECK_EQ(*at(&b, COLOR_BASE), 0);
	CHECK_EQ(*at(&b, OTHER_BASE), 1);
	write_byte(cache, COLOR_BASE, 2);
	*entry = MMU_ABSENT;
	gc_mmu_flush(&b.gc->mmu);
	data_cache_flush(cache);
	CHECK(b.gc->mmu.fault_status);
	CHECK_EQ(*at(&b, OTHER_BASE), 1);
	free(cache);
}

/* A core whose caches have contents. */
static void open_with_data(void)
{
	bench_open(&b, "gc3000");
	gc_pe_destroy(b.gc->pe);
	b.gc->options.cache_data = true;
	b.gc->pe = gc_pe_create(b.gc);
}

/* A white quad of depth 0.25. */
static void draw_white(int x, int y)
{
	for (unsigned int i = 0; i < GC_LANES; i++)
		for (unsigned int c = 0; c < 4; c++)
			color.c[c].f[i] = 1.0f;
	bench_quads(&quads, 1, x, y, 0.25f);
	gc_pe_depth(b.gc, &quads);
	gc_pe_color(b.gc, &quads, &color);
}

static void begin_draws(void)
{
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, SIDE * 4);
	bench_depth(&b, true, 7, true, SIDE * 4);
	gc_pe_begin_draw(b.gc);
}

TEST(pixels_are_in_memory_after_a_flush)
{
	open_with_data();
	begin_draws();
	draw_white(0, 0);
	CHECK_EQ(peek(&b, COLOR_BASE, 4), 0);
	CHECK_EQ(peek(&b, DEPTH_BASE, 4), 0);
	gc_pe_flush(b.gc, true, false);
	CHECK_EQ(peek(&b, COLOR_BASE, 4), 0xffffffff);
	CHECK_EQ(peek(&b, DEPTH_BASE, 4), 0);
	gc_pe_flush(b.gc, false, true);
	CHECK_EQ(peek(&b, DEPTH_BASE, 4), 0x40000000);
}

/* A row of SIDE / 4 tiles, each a line, fills the cache (PIXEL_CACHE_LINES). */
TEST(pixels_are_in_memory_when_they_are_replaced)
{
	open_with_data();
	begin_draws();
	for (int tile = 0; tile < 32; tile++)
		draw_white(4 * tile, 0);
	CHECK_EQ(peek(&b, COLOR_BASE, 4), 0);
	draw_white(0, 4);
	CHECK_EQ(peek(&b, COLOR_BASE, 4), 0xffffffff);
	CHECK_EQ(peek(&b, COLOR_BASE + 64, 4), 0);
}

/* A resolve takes the caches of the pixel pipes: what was not flushed is lost. */
TEST(resolves_lose_pixels)
{
	open_with_data();
	begin_draws();
	draw_white(0, 0);
	gc_pe_lose_lines(b.gc);
	gc_pe_flush(b.gc, true, true);
	CHECK_EQ(peek(&b, COLOR_BASE, 4), 0);
	CHECK_EQ(peek(&b, DEPTH_BASE, 4), 0);
}

static void random_states(uint32_t *seed)
{
	static const unsigned int formats[] = { PE_FORMAT_A8R8G8B8, PE_FORMAT_R5G6B5, PE_FORMAT_A8,
						PE_FORMAT_A16B16G16R16F };
	unsigned int format = formats[next_random(seed) % 4];
	bool linear = next_random(seed) % 4 == 0, d24 = next_random(seed) & 1;

	bench_target(&b, format, next_random(seed) & 1, SIDE * gc_format_color(format)->bytes);
	bench_depth(&b, d24, next_random(seed) % 8, next_random(seed) & 1, SIDE * (d24 ? 4 : 2));
	bench_samples(&b, next_random(seed) % 3);
	if (linear)
		set(&b, VIVS_PE_LOGIC_OP,
		    VIVS_PE_LOGIC_OP_OP(LOGIC_OP_COPY) | VIVS_PE_LOGIC_OP_SINGLE_BUFFER(1));
	if (next_random(seed) & 1)
		set(&b, VIVS_PE_ALPHA_CONFIG,
		    VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR |
			    VIVS_PE_ALPHA_CONFIG_SRC_FUNC_COLOR(BLEND_FUNC_ONE) |
			    VIVS_PE_ALPHA_CONFIG_DST_FUNC_COLOR(BLEND_FUNC_ONE));
	if (next_random(seed) & 1)
		bench_fast_clear(&b, next_random(seed), next_random(seed));
}

/* Returns: hash of memory after random draws and a flush. @work: receives their work */
static uint64_t draw_random(uint32_t seed, bool data, struct gpu_work *work)
{
	uint64_t hash = 0xcbf29ce484222325;

	if (data)
		open_with_data();
	else
		bench_open(&b, "gc3000");
	random_states(&seed);
	gc_pe_begin_draw(b.gc);
	for (unsigned int batch = 0; batch < 32; batch++) {
		if (next_random(&seed) & 1)
			bench_block(&quads, (int)(next_random(&seed) % 8 * 8),
				    (int)(next_random(&seed) % 8 * 8));
		else
			bench_quads(&quads, 1 + next_random(&seed) % 16,
				    (int)(next_random(&seed) % 16 * 2),
				    (int)(next_random(&seed) % 32 * 2), 0);
		for (unsigned int q = 0; q < quads.count; q++)
			if (!quads.block)
				quads.quad[q].coverage = (uint16_t)next_random(&seed);
		for (unsigned int i = 0; i < GC_LANES; i++) {
			for (unsigned int s = 0; s < GC_MAX_SAMPLES; s++)
				quads.z[s][i] = random_unit(&seed);
			for (unsigned int c = 0; c < 4; c++)
				color.c[c].f[i] = random_unit(&seed);
		}
		if (gc_pe_samples(b.gc) > 1)
			quads.block = false; /* whole blocks have one sample a pixel */
		gc_pe_depth(b.gc, &quads);
		gc_pe_color(b.gc, &quads, &color);
	}
	gc_pe_flush(b.gc, true, true);
	gc_pe_flush_status(b.gc);
	for (unsigned int i = 0; i < RAM_BYTES; i += 8)
		hash = (hash ^ peek(&b, RAM_BASE + i, 8)) * 0x100000001b3;
	*work = b.gc->work;
	return hash;
}

/* Caches that have only tags, and caches with contents: the same memory and work in the end. */
TEST(draws_are_equal_with_tags_and_data)
{
	for (uint32_t seed = 1; seed <= 300; seed++) {
		struct gpu_work tags, data;

		CHECK_EQ(draw_random(seed, false, &tags), draw_random(seed, true, &data));
		CHECK(!memcmp(&tags, &data, sizeof(tags)));
	}
}

int main(void)
{
	int status = test_all();

	bench_close(&b);
	return status;
}
