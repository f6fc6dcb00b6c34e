// SPDX-License-Identifier: MIT
/*
 * Surfaces of the pixel engine whose pages are not in the order of their addresses. The result must
 * be that of surfaces in one piece: no access crosses a page with the translation of its first
 * byte.
 */
#include "tests/check.h"
#include "tests/pixel_bench.h"

#define SIZE 32   /* pixels each way */
#define WIDTH 64  /* samples of a row in memory */
#define PAGES 10u /* 8 for WIDTH * WIDTH samples of 64 bits, 1 for the offset, 1 spare */
#define COLOR_AT (COLOR_BASE + 0x1000)
#define DEPTH_AT (DEPTH_BASE + 0x1000)
#define FOREIGN 0xee /* bytes of no surface */

static struct pixel_bench b;
static struct gc_quads quads;
static struct gc_vec4 color;

/* A draw; the rest is random, by the seed. */
struct scene {
	const char *personality;
	unsigned int format, samples; /* samples: their logarithm */
	bool super, linear, d24;
	uint32_t offset; /* of the surfaces in their first page */
	uint32_t seed;
};

static void map_page(uint32_t address, uint32_t physical)
{
	uint32_t page = (address - RAM_BASE) >> 12;

	b.table[1 + page / TABLE_WORDS][page % TABLE_WORDS] =
		physical ? physical | MMU_PRESENT : MMU_ABSENT;
}

/* Page @i of a surface: in the order of addresses, or reversed with foreign pages between. */
static uint32_t physical(uint32_t base, unsigned int i, bool scattered)
{
	return base + 4096 * (scattered ? 2 * (PAGES - i) : i);
}

static void map_surface(uint32_t base, bool scattered)
{
	memset(at(&b, base - 4096), FOREIGN, 4096 * (2 * PAGES + 3));
	for (unsigned int i = 0; i < PAGES; i++) {
		map_page(base + 4096 * i, physical(base, i, scattered));
		memset(at(&b, physical(base, i, scattered)), 0x3c, 4096);
	}
	gc_mmu_flush(&b.gc->mmu);
}

static uint64_t hash_bytes(uint64_t hash, const uint8_t *byte, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3;
	return hash;
}

/* Hash of the surface's pages in the order of addresses; adds changed other bytes to @foreign. */
static uint64_t surface_hash(uint64_t hash, uint32_t base, bool scattered, unsigned int *foreign)
{
	for (unsigned int i = 0; i < PAGES; i++) {
		uint8_t *page = at(&b, physical(base, i, scattered));

		hash = hash_bytes(hash, page, 4096);
		memset(page, FOREIGN, 4096);
	}
	for (uint32_t i = 0; i < 4096 * (2 * PAGES + 3); i++)
		*foreign += at(&b, base - 4096)[i] != FOREIGN;
	return hash;
}

static void set_states(const struct scene *scene, uint32_t *seed)
{
	const unsigned int bytes = gc_format_color(scene->format)->bytes;

	bench_target(&b, scene->format, scene->super, WIDTH * bytes);
	bench_depth(&b, scene->d24, 1 + next_random(seed) % 7, next_random(seed) & 1,
		    WIDTH * (scene->d24 ? 4 : 2));
	bench_samples(&b, scene->samples);
	if (scene->super)
		set(&b, VIVS_PE_DEPTH_CONFIG,
		    gc_state_u32(&b.gc->state, VIVS_PE_DEPTH_CONFIG) |
			    VIVS_PE_DEPTH_CONFIG_SUPER_TILED);
	if (scene->linear)
		set(&b, VIVS_PE_LOGIC_OP,
		    VIVS_PE_LOGIC_OP_OP(LOGIC_OP_COPY) | VIVS_PE_LOGIC_OP_SINGLE_BUFFER(1));
	if (next_random(seed) & 1)
		set(&b, VIVS_PE_ALPHA_CONFIG,
		    VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR |
			    VIVS_PE_ALPHA_CONFIG_SRC_FUNC_COLOR(BLEND_FUNC_SRC_ALPHA) |
			    VIVS_PE_ALPHA_CONFIG_DST_FUNC_COLOR(BLEND_FUNC_ONE_MINUS_SRC_ALPHA));
	if (next_random(seed) & 1)
		bench_fast_clear(&b, next_random(seed), next_random(seed));
	set(&b, VIVS_TS_COLOR_SURFACE_BASE, COLOR_AT + scene->offset);
	for (unsigned int pipe = 0; pipe < 2; pipe++) {
		set(&b, VIVS_PE_PIPE_COLOR_ADDR(pipe), COLOR_AT + scene->offset);
		set(&b, VIVS_PE_PIPE_DEPTH_ADDR(pipe), DEPTH_AT + scene->offset);
	}
}

/* Random quads anywhere, or a whole block. */
static void random_quads(const struct scene *scene, uint32_t *seed)
{
	bench_quads(&quads, GC_QUADS, 0, 0, 0);
	for (unsigned int q = 0; q < GC_QUADS; q++) {
		quads.quad[q].x = (int16_t)(next_random(seed) % (SIZE / 2) * 2);
		quads.quad[q].y = (int16_t)(next_random(seed) % (SIZE / 2) * 2);
		quads.quad[q].coverage = (uint16_t)next_random(seed);
	}
	if (!scene->samples && next_random(seed) & 1) {
		int x = (int)(next_random(seed) % (SIZE / 4 - 1) * 4);
		int y = (int)(next_random(seed) % (SIZE / 4 - 1) * 4);

		bench_block(&quads, x, y);
	}
	for (unsigned int i = 0; i < GC_MAX_SAMPLES * GC_LANES; i++)
		quads.z[i / GC_LANES][i % GC_LANES] = random_unit(seed);
	for (unsigned int i = 0; i < 4 * GC_LANES; i++)
		color.c[i / GC_LANES].f[i % GC_LANES] = random_unit(seed);
}

static uint64_t draw(const struct scene *scene, bool scattered, unsigned int *foreign)
{
	uint32_t seed = scene->seed;
	uint64_t hash = 0xcbf29ce484222325;

	bench_open(&b, scene->personality);
	bench_enable_mmu(&b, RAM_BASE + RAM_BYTES);
	map_surface(COLOR_AT, scattered);
	map_surface(DEPTH_AT, scattered);
	set_states(scene, &seed);
	gc_pe_begin_draw(b.gc);
	for (unsigned int batch = 0; batch < 40; batch++) {
		random_quads(scene, &seed);
		gc_pe_depth(b.gc, &quads);
		gc_pe_color(b.gc, &quads, &color);
	}
	hash = surface_hash(hash, COLOR_AT, scattered, foreign);
	hash = surface_hash(hash, DEPTH_AT, scattered, foreign);
	hash = (hash ^ b.gc->counters.pe_read_bytes) * 3;
	hash = (hash ^ b.gc->counters.pe_write_bytes) * 3 + b.gc->mmu.faulted;
	return hash;
}

static void check_scene(const struct scene *scene)
{
	unsigned int foreign = 0;
	uint64_t in_order = draw(scene, false, &foreign);

	CHECK_EQ(foreign, 0);
	CHECK_EQ(draw(scene, true, &foreign), in_order);
	CHECK_EQ(foreign, 0);
}

/* All formats, layouts and numbers of samples; tiles of 128 bytes in two pages, and in one. */
static void check_personality(const char *personality)
{
	uint32_t seed = 4711;

	for (unsigned int format = 0; format < 64; format++) {
		if (!gc_format_color(format))
			continue;
		for (unsigned int i = 0; i < 3 * 3 * 2 && test_ok; i++) {
			const struct scene scene = {
				.personality = personality,
				.format = format,
				.samples = i % 3,
				.super = i / 3 % 3 == 1,
				.linear = i / 3 % 3 == 2,
				.d24 = next_random(&seed) & 1,
				.offset = 64 + i / 9 * 64,
				.seed = next_random(&seed),
			};

			check_scene(&scene);
		}
	}
}

TEST(order_of_pages_of_gc3000_surfaces)
{
	check_personality("gc3000");
}

TEST(order_of_pages_of_gc2000_surfaces)
{
	check_personality("gc2000");
}

/* Draw the first row of tiles of 64-bit pixels; the first one is at @base. */
static bool draw_row(uint32_t base)
{
	bench_target(&b, PE_FORMAT_A16B16G16R16F, false, WIDTH * 8);
	set(&b, VIVS_PE_PIPE_COLOR_ADDR(0), base);
	set(&b, VIVS_PE_PIPE_COLOR_ADDR(1), base);
	bench_color(&color, 1, 1, 1, 1);
	if (!gc_pe_begin_draw(b.gc))
		return false;
	for (int y = 0; y < 4; y += 2) {
		bench_quads(&quads, SIZE / 2, 0, y, 0);
		if (!gc_pe_color(b.gc, &quads, &color))
			return false;
	}
	return true;
}

static void open_with_last_page(uint32_t second)
{
	bench_open(&b, "gc3000");
	bench_enable_mmu(&b, RAM_BASE + RAM_BYTES);
	map_page(COLOR_BASE, RAM_BASE + RAM_BYTES - 4096);
	map_page(COLOR_BASE + 4096, second);
	gc_mmu_flush(&b.gc->mmu);
}

/* The first page is the last one of memory: what is after it belongs to this process. */
TEST(tile_at_the_end_of_memory)
{
	const uint64_t white = 0x3c003c003c003c00;

	open_with_last_page(OTHER_BASE);
	CHECK(draw_row(COLOR_BASE + 4096 - 64));
	CHECK_EQ(peek(&b, RAM_BASE + RAM_BYTES - 8, 8), white);
	CHECK_EQ(peek(&b, OTHER_BASE, 8), white);
	CHECK_EQ(peek(&b, OTHER_BASE + 56, 8), white);
}

TEST(tile_with_an_unmapped_half)
{
	open_with_last_page(0);
	CHECK(!draw_row(COLOR_BASE + 4096 - 64));
	CHECK(b.gc->mmu.faulted);
	/* 2: the pixel engine's */
	CHECK_EQ(b.gc->mmu.fault_address[2] / 4096, COLOR_BASE / 4096 + 1);
}

/* Four strides are -64 bytes: a block's lower tiles are before its upper ones, in another page. */
TEST(block_with_a_stride_near_4_gib)
{
	bench_open(&b, "gc3000");
	bench_enable_mmu(&b, RAM_BASE + RAM_BYTES);
	map_page(COLOR_BASE + 4096, OTHER_BASE);
	gc_mmu_flush(&b.gc->mmu);
	bench_target(&b, PE_FORMAT_A8R8G8B8, false, 0x3ffffff0);
	set(&b, VIVS_PE_PIPE_COLOR_ADDR(0), COLOR_BASE + 4096);
	bench_color(&color, 1, 1, 1, 1);
	CHECK(gc_pe_begin_draw(b.gc));
	bench_block(&quads, 0, 0);
	CHECK(gc_pe_color(b.gc, &quads, &color));
	CHECK_EQ(peek(&b, COLOR_BASE + 4096 - 64, 4), 0xffffffff);
	CHECK_EQ(peek(&b, OTHER_BASE, 4), 0xffffffff);
	CHECK_EQ(peek(&b, OTHER_BASE - 64, 4), 0);
}

int main(void)
{
	int status = test_all();

	bench_close(&b);
	return status;
}
