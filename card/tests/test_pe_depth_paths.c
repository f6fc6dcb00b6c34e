// SPDX-License-Identifier: MIT
/* The depth test: special cases of the code give the same result as the general case. */
#include "tests/check.h"
#include "tests/pixel_bench.h"

#define STRIDE 256

static struct pixel_bench b;
static struct gc_quads quads;

static uint64_t digest(uint64_t hash, const void *data, size_t bytes)
{
	const uint8_t *byte = data;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3;
	return hash;
}

/*
 * Random quads, or a whole block. There are eight depths, so that many equal those in memory; half
 * of the groups have one for all pixels.
 */
static void random_quads(uint32_t *seed, bool block)
{
	bench_quads(&quads, 1 + next_random(seed) % 16, 0, 0, 0);
	for (unsigned int q = 0; q < quads.count; q++) {
		quads.quad[q].x = (int16_t)(next_random(seed) % 16 * 2);
		quads.quad[q].y = (int16_t)(next_random(seed) % 16 * 2);
		quads.quad[q].coverage = next_random(seed) & 15;
	}
	if (block) {
		int x = (int)(next_random(seed) % 7 * 4), y = (int)(next_random(seed) % 7 * 4);

		bench_block(&quads, x, y);
	}
	for (unsigned int i = 0; i < GC_LANES; i++)
		quads.z[0][i] = (float)(next_random(seed) % 8) * 0.2f - 0.2f;
	if (next_random(seed) & 1)
		for (unsigned int i = 0; i < GC_LANES; i++)
			quads.z[0][i] = quads.z[0][0];
	if (!(next_random(seed) & 7))
		quads.z[0][5] = NAN;
}

static unsigned int false_blocks; /* groups called blocks that have lost pixels */

/* Random depth functions, layouts and quads, by the seed; @plain: without the special cases. */
static uint64_t test_random(uint32_t seed, bool plain)
{
	uint64_t hash = 0xcbf29ce484222325;
	bool d24 = next_random(&seed) % 4, write = next_random(&seed) & 1;

	bench_open(&b, "gc3000");
	bench_depth(&b, d24, next_random(&seed) % 8, write, STRIDE);
	if (next_random(&seed) & 1)
		set(&b, VIVS_PE_DEPTH_CONFIG,
		    gc_state_u32(&b.gc->state, VIVS_PE_DEPTH_CONFIG) |
			    VIVS_PE_DEPTH_CONFIG_SUPER_TILED);
	if (next_random(&seed) & 1) {
		memset(at(&b, TAGS_BASE), 0x55, 4096);
		set(&b, VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR);
		set(&b, VIVS_TS_DEPTH_STATUS_BASE, TAGS_BASE);
		set(&b, VIVS_TS_DEPTH_SURFACE_BASE, DEPTH_BASE);
		set(&b, VIVS_TS_DEPTH_CLEAR_VALUE, 0x99999900);
	}
	gc_pe_begin_draw(b.gc);
	b.gc->pe->plain = plain;
	for (unsigned int batch = 0; batch < 12; batch++) {
		random_quads(&seed, batch % 2);
		quads.block &= !plain;
		gc_pe_depth(b.gc, &quads);
		false_blocks += quads.block && gc_quads_covered(&quads, 0) != UINT64_MAX;
		for (unsigned int q = 0; q < quads.count; q++)
			hash = digest(hash, &quads.quad[q].coverage, 2);
	}
	gc_pe_flush(b.gc, true, true);
	hash = digest(hash, at(&b, DEPTH_BASE), 65536);
	hash = digest(hash, &b.gc->counters, sizeof(b.gc->counters));
	hash = digest(hash, &b.gc->work, sizeof(b.gc->work));
	bench_close(&b);
	return hash;
}

TEST(shortcuts_change_no_bit)
{
	for (uint32_t seed = 1; seed <= 300; seed++)
		CHECK_EQ(test_random(seed, false), test_random(seed, true));
	CHECK_EQ(false_blocks, 0);
}

int main(void)
{
	return test_all();
}
