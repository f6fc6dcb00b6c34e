// SPDX-License-Identifier: MIT
/*
 * Colour output: special cases of the code (whole blocks, opaque colours) give the same pixels as
 * the general case; whole blocks also the same counters and bytes of tile status.
 */
#include "tests/check.h"
#include "tests/pixel_bench.h"

static struct pixel_bench b;
static struct gc_quads quads;
static struct gc_vec4 color;

/* Mostly factors for which pe_color.c has a fast writer. */
static uint32_t random_blending(uint32_t *seed)
{
	static const uint8_t factors[][2] = {
		{ BLEND_FUNC_SRC_ALPHA, BLEND_FUNC_ONE_MINUS_SRC_ALPHA },
		{ BLEND_FUNC_ONE, BLEND_FUNC_ONE_MINUS_SRC_ALPHA },
		{ BLEND_FUNC_ONE, BLEND_FUNC_ONE },
		{ BLEND_FUNC_SRC_ALPHA, BLEND_FUNC_ONE },
		{ BLEND_FUNC_ZERO, BLEND_FUNC_SRC_COLOR },
		{ BLEND_FUNC_DST_COLOR, BLEND_FUNC_DST_ALPHA },
	};
	uint32_t i = next_random(seed) % 6;

	return VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR |
	       VIVS_PE_ALPHA_CONFIG_SRC_FUNC_COLOR(factors[i][0]) |
	       VIVS_PE_ALPHA_CONFIG_DST_FUNC_COLOR(factors[i][1]);
}

/* Hash of a random target after random quads, by the seed. @plain: without the special cases */
static uint64_t draw_random(uint32_t seed, bool plain)
{
	static const unsigned int formats[] = { PE_FORMAT_A8R8G8B8, PE_FORMAT_X8R8G8B8,
						PE_FORMAT_R5G6B5,   PE_FORMAT_A16B16G16R16F,
						PE_FORMAT_A8,       PE_FORMAT_A2B10G10R10 };
	uint64_t hash = 0xcbf29ce484222325;
	unsigned int format;

	bench_open(&b, "gc3000");
	b.gc->pe->plain = plain;
	format = formats[next_random(&seed) % 6];
	bench_target(&b, format, next_random(&seed) & 1, 64 * gc_format_color(format)->bytes);
	bench_samples(&b, next_random(&seed) % 3);
	if (next_random(&seed) & 1)
		set(&b, VIVS_PE_DITHER(0), 0x6e4ca280);
	if (next_random(&seed) & 1)
		set(&b, VIVS_PE_ALPHA_CONFIG, random_blending(&seed));
	if (next_random(&seed) & 1)
		bench_fast_clear(&b, next_random(&seed), next_random(&seed));
	gc_pe_begin_draw(b.gc);
	for (unsigned int batch = 0; batch < 8; batch++) {
		bench_quads(&quads, 1 + next_random(&seed) % 16, 0, 0, 0);
		for (unsigned int q = 0; q < quads.count; q++) {
			quads.quad[q].x = (int16_t)(next_random(&seed) % 16 * 2);
			quads.quad[q].y = (int16_t)(next_random(&seed) % 16 * 2);
			quads.quad[q].coverage = (uint16_t)(next_random(&seed) |
							    (next_random(&seed) & 1 ? 0xffff : 0));
		}
		if (b.gc->pe->samples.count == 1 && batch % 2) {
			int x = (int)(next_random(&seed) % 7 * 4);
			int y = (int)(next_random(&seed) % 7 * 4);

			bench_block(&quads, x, y);
			quads.block = !plain;
		}
		for (unsigned int i = 0; i < 4 * GC_LANES; i++)
			color.c[i / GC_LANES].f[i % GC_LANES] = random_unit(&seed) * 2 - 0.5f;
		gc_pe_depth(b.gc, &quads);
		gc_pe_color(b.gc, &quads, &color);
	}
	for (unsigned int i = 0; i < 65536; i++)
		hash = (hash ^ *at(&b, COLOR_BASE + i)) * 0x100000001b3;
	return hash;
}

TEST(shortcuts_change_no_bit)
{
	for (uint32_t seed = 1; seed <= 300; seed++)
		CHECK_EQ(draw_random(seed, false), draw_random(seed, true));
}

/*
 * Blocks and, for a quarter of the batches, some of a block's quads; blocks with or without
 * gc_quads.block. Returns: hash of memory, and of counters and bytes after each batch.
 */
static uint64_t draw_blocks(uint32_t seed, bool as_blocks)
{
	const uint64_t prime = 0x100000001b3;
	uint64_t hash = 0xcbf29ce484222325;

	bench_open(&b, "gc3000");
	bench_target(&b, PE_FORMAT_A8R8G8B8, next_random(&seed) & 1, 64 * 4);
	if (next_random(&seed) & 1)
		set(&b, VIVS_PE_ALPHA_CONFIG, random_blending(&seed));
	if (next_random(&seed) % 4 == 0)
		bench_fast_clear(&b, next_random(&seed), next_random(&seed));
	gc_pe_begin_draw(b.gc);
	for (unsigned int batch = 0; batch < 60; batch++) {
		int x = (int)(next_random(&seed) % 15 * 4), y = (int)(next_random(&seed) % 15 * 4);

		bench_block(&quads, x, y);
		quads.block = as_blocks;
		if (next_random(&seed) % 4 == 0) {
			quads.count = 1 + next_random(&seed) % 16;
			quads.block = false;
		}
		for (unsigned int i = 0; i < 4 * GC_LANES; i++)
			color.c[i / GC_LANES].f[i % GC_LANES] = random_unit(&seed) * 2 - 0.5f;
		gc_pe_color(b.gc, &quads, &color);
		hash = (hash ^ b.gc->counters.pe_read_bytes) * prime;
		hash = (hash ^ b.gc->counters.pe_write_bytes) * prime;
		hash = (hash ^ b.gc->counters.pe_drawn_by_color) * prime;
		hash = (hash ^ (b.gc->work.ts_read_bytes + b.gc->work.ts_write_bytes)) * prime;
	}
	gc_pe_flush(b.gc, true, true);
	hash = (hash ^ b.gc->counters.pe_write_bytes) * prime;
	for (unsigned int i = 0; i < 65536; i++)
		hash = (hash ^ *at(&b, COLOR_BASE + i)) * prime;
	return hash;
}

TEST(blocks_cost_what_their_quads_do)
{
	for (uint32_t seed = 1; seed <= 60; seed++)
		CHECK_EQ(draw_blocks(seed, true), draw_blocks(seed, false));
}

int main(void)
{
	int status = test_all();

	bench_close(&b);
	return status;
}
