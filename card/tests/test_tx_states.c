// SPDX-License-Identifier: MIT
/*
 * Sampler states of both generations, repeated decoding after changes, counters against lookups
 * computed by hand, faults and invalid states.
 */
#include "check.h"
#include "tx_rig.h"

/* One lookup of sampler 0, level 0, at (@value, @value). */
static void look_up(struct rig *rig, float value, float out[4])
{
	rig_sample_one(rig, value, value, 0, 0, out);
}

/* GC2000 has the TE states; sampler 8 is its first vertex sampler. */
TEST(te_states)
{
	struct rig *rig = rig_create("gc2000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 4, 4);
	struct gc_state *state = &rig->gc.state;
	struct rig_request r;

	memset(rig->bytes + RIG_TEXTURE, 0x33, 64);
	gc_state_set(state, VIVS_TE_SAMPLER_CONFIG0(8), rig_config0(&t));
	gc_state_set(state, VIVS_TE_SAMPLER_CONFIG1(8), rig_config1(&t));
	gc_state_set(state, VIVS_TE_SAMPLER_SIZE(8), 4 | 4 << 16);
	gc_state_set(state, VIVS_TE_SAMPLER_LOD_ADDR(8, 0), RIG_TEXTURE);
	gc_texture_begin_draw(&rig->gc);
	rig_request_init(&r, GC_TEX_IMPLICIT);
	r.request.sampler = 8;
	rig_sample(rig, &r);
	CHECK_NEAR(r.result.c[2].f[63], 0.2, 1e-6);
	r.request.sampler = 12; /* there are twelve */
	rig_sample(rig, &r);
	CHECK_NEAR(r.result.c[2].f[63], 0, 0);
	CHECK_NEAR(r.result.c[3].f[63], 1, 0);
	rig_destroy(rig);
}

/* The second index of LINEAR_STRIDE is the sampler, as etnaviv emits it, and not the level. */
TEST(te_linear_stride)
{
	struct rig *rig = rig_create("gc2000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 4, 4);
	struct gc_state *state = &rig->gc.state;
	struct rig_request r;

	t.layout = GC_LINEAR;
	memset(rig->bytes + RIG_TEXTURE + 3 * 64, 0x33, 16);
	gc_state_set(state, VIVS_TE_SAMPLER_CONFIG0(8), rig_config0(&t));
	gc_state_set(state, VIVS_TE_SAMPLER_CONFIG1(8), rig_config1(&t));
	gc_state_set(state, VIVS_TE_SAMPLER_SIZE(8), 4 | 4 << 16);
	gc_state_set(state, VIVS_TE_SAMPLER_LOD_ADDR(8, 0), RIG_TEXTURE);
	gc_state_set(state, VIVS_TE_SAMPLER_LINEAR_STRIDE(8, 0), 32);
	gc_state_set(state, VIVS_TE_SAMPLER_LINEAR_STRIDE(0, 8), 64);
	gc_texture_begin_draw(&rig->gc);
	rig_request_init(&r, GC_TEX_IMPLICIT);
	r.request.sampler = 8;
	for (int i = 0; i < GC_LANES; i++)
		r.coord[1].f[i] = 0.9f;
	rig_sample(rig, &r);
	CHECK_NEAR(r.result.c[0].f[0], 0.2, 1e-6);
	rig_destroy(rig);
}

/* GC3000's vertex samplers begin at 16 and vertices have no derivatives. */
TEST(vertex_samplers)
{
	struct rig *rig = rig_create("gc3000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 4, 4);
	struct rig_request r;

	memset(rig->bytes + RIG_TEXTURE, 0x33, 64);
	t.mip = TEXTURE_FILTER_NEAREST;
	t.lod_max = 2 << 5;
	t.address[1] = t.address[2] = RIG_TEXTURE + 0x1000;
	rig_bind(rig, 31, &t);
	rig_request_init(&r, GC_TEX_IMPLICIT);
	r.request.sampler = 31;
	r.request.pixel_stage = false;
	for (int i = 0; i < GC_LANES; i++)
		r.coord[0].f[i] = (float)(i * i);
	rig_sample(rig, &r);
	for (int i = 0; i < GC_LANES; i++)
		CHECK_NEAR(r.result.c[0].f[i], 0.2, 1e-6);
	rig_destroy(rig);
}

/* States count from the next draw on. */
TEST(states_are_taken_at_draws)
{
	struct rig *rig = rig_create("gc3000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 4, 4);
	float out[4];

	memset(rig->bytes + RIG_TEXTURE, 0x33, 64);
	memset(rig->bytes + RIG_TEXTURE + 4096, 0x66, 64);
	rig_bind(rig, 0, &t);
	gc_state_set(&rig->gc.state, VIVS_NTE_SAMPLER_ADDR_LOD(0, 0), RIG_TEXTURE + 4096);
	look_up(rig, 0.5f, out);
	CHECK_NEAR(out[0], 0.2, 1e-6);
	gc_texture_begin_draw(&rig->gc);
	look_up(rig, 0.5f, out);
	CHECK_NEAR(out[0], 0.4, 1e-6);
	gc_state_set(&rig->gc.state, VIVS_NTE_SAMPLER_CONFIG0(0), 0);
	gc_texture_begin_draw(&rig->gc);
	look_up(rig, 0.5f, out);
	CHECK_NEAR(out[0], 0, 0);
	CHECK_NEAR(out[3], 1, 0);
	rig_destroy(rig);
}

/* Decoded blocks live until the next draw or flush. */
TEST(decoded_blocks_are_dropped_at_a_flush)
{
	struct rig *rig = rig_create("gc3000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_DXT1, 4, 4);
	float out[4];

	rig_bind(rig, 0, &t);
	look_up(rig, 0.5f, out);
	CHECK_NEAR(out[0], 0, 0);
	memcpy(rig->bytes + RIG_TEXTURE, "\xff\xff\xff\xff", 4);
	look_up(rig, 0.5f, out);
	CHECK_NEAR(out[0], 0, 0);
	gc_texture_flush(&rig->gc, true, true);
	look_up(rig, 0.5f, out);
	CHECK_NEAR(out[0], 1, 0);
	memset(rig->bytes + RIG_TEXTURE, 0, 4);
	gc_texture_begin_draw(&rig->gc);
	look_up(rig, 0.5f, out);
	CHECK_NEAR(out[0], 0, 0);
	rig_destroy(rig);
}

/* 64-byte lines: a 4x4 tile of 32-bit texels is one. */
TEST(counters)
{
	struct rig *rig = rig_create("gc3000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 64, 64);
	const struct gc_counters *n = &rig->gc.counters;
	struct rig_request r;
	float out[4];

	t.min = t.mag = TEXTURE_FILTER_LINEAR;
	t.round_uv = true;
	rig_bind(rig, 0, &t);
	/* between texels 1 and 2 of the first tile: four texels, one line */
	look_up(rig, 2.0f / 64, out);
	CHECK_EQ(n->tx_requests, 1);
	CHECK_EQ(n->tx_bilinear_requests, 1);
	CHECK_EQ(n->tx_cache_misses, 1);
	CHECK_EQ(n->tx_cache_hits, 3);
	CHECK_EQ(n->tx_mem_reads, 1);
	CHECK_EQ(n->tx_mem_read_8b, 8);
	CHECK_EQ(n->tx_read_bytes, 64);
	CHECK_EQ(rig->gc.work.texture_bytes, 64);
	/* the same again is in the cache */
	look_up(rig, 2.0f / 64, out);
	CHECK_EQ(n->tx_cache_misses, 1);
	CHECK_EQ(n->tx_cache_hits, 7);
	/* where four tiles meet: three new lines */
	look_up(rig, 4.0f / 64, out);
	CHECK_EQ(n->tx_cache_misses, 4);
	CHECK_EQ(n->tx_read_bytes, 256);
	gc_texture_flush(&rig->gc, true, true);
	look_up(rig, 2.0f / 64, out);
	CHECK_EQ(n->tx_cache_misses, 5);
	/* nothing but requests is counted for a sampler that is off */
	rig_request_init(&r, GC_TEX_IMPLICIT);
	r.request.sampler = 5;
	r.request.live = 0xff;
	rig_sample(rig, &r);
	CHECK_EQ(n->tx_requests, 12);
	CHECK_EQ(n->tx_discarded_requests, 8);
	CHECK_EQ(n->tx_cache_misses, 5);
	rig_destroy(rig);
}

TEST(trilinear_counters)
{
	struct rig *rig = rig_create("gc3000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 64, 64);
	const struct gc_counters *n = &rig->gc.counters;
	float out[4];

	t.mip = TEXTURE_FILTER_LINEAR;
	t.lod_max = 3 << 5;
	t.address[1] = RIG_TEXTURE + 0x10000;
	rig_bind(rig, 0, &t);
	rig_sample_one(rig, 0.5f, 0.5f, 0, 0.5f, out);
	CHECK_EQ(n->tx_trilinear_requests, 1);
	CHECK_EQ(n->tx_bilinear_requests, 0);
	CHECK_EQ(n->tx_cache_misses, 2);
	rig_sample_one(rig, 0.5f, 0.5f, 0, 0.0f, out);
	CHECK_EQ(n->tx_trilinear_requests, 1);
	CHECK_EQ(n->tx_requests, 2);
	rig_destroy(rig);
}

#define MASTER 0x10000u
#define SLAVES 0x20000u

/* Turn the MMU on: memory at its own address, everything else faults. */
static void enable_mmu(struct rig *rig)
{
	for (uint32_t i = 0; i < 1024; i++) {
		uint32_t entry = i < RIG_MEMORY >> 22 ? (SLAVES + 4096 * i) | 1 : 2;

		memcpy(rig->bytes + MASTER + 4 * i, &entry, 4);
	}
	for (uint32_t page = 0; page < RIG_MEMORY >> 12; page++) {
		uint32_t entry = page << 12 | 1;

		memcpy(rig->bytes + SLAVES + 4 * page, &entry, 4);
	}
	rig->gc.mmu.master = MASTER;
	gc_mmu_enable(&rig->gc.mmu);
}

/* A miss of the MMU ends the request: one fault, the rest reads zero. */
TEST(faults_end_a_request)
{
	struct rig *rig = rig_create("gc3000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 64, 64);
	struct rig_request r;

	enable_mmu(rig);
	for (int general = 0; general < 2; general++) {
		rig->gc.tx->general_only = general;
		rig->faults = 0;
		t.address[0] = RIG_MEMORY - 4096;
		rig_bind(rig, 0, &t);
		rig_request_init(&r, GC_TEX_LOD);
		for (int i = 0; i < GC_LANES; i++)
			r.coord[0].f[i] = r.coord[1].f[i] = ((float)i + 0.5f) / GC_LANES;
		memset(rig->bytes + RIG_MEMORY - 4096, 0xff, 4096);
		rig_sample(rig, &r);
		CHECK_EQ(rig->faults, 1);
		CHECK_NEAR(r.result.c[0].f[0], 1, 0);
		CHECK_NEAR(r.result.c[0].f[63], 0, 0);
	}
	rig_destroy(rig);
}

/* Returns the page table entry of the GPU address @address. */
static uint32_t *page_entry(struct rig *rig, uint32_t address)
{
	uint32_t *master = (uint32_t *)(rig->bytes + MASTER);
	uint32_t *slave = (uint32_t *)(rig->bytes + (master[address >> 22] & ~63u));

	return &slave[address >> 12 & 1023];
}

/* Map the @pages pages of the texture in random order, then unmap up to @missing of them. */
static void scatter_pages(struct rig *rig, unsigned int pages, unsigned int missing, uint32_t *seed)
{
	for (unsigned int i = 0; i < pages; i++) {
		uint32_t *one = page_entry(rig, RIG_TEXTURE + i * GC_PAGE_SIZE), kept = *one;
		uint32_t *other =
			page_entry(rig, RIG_TEXTURE + rig_random(seed) % pages * GC_PAGE_SIZE);

		*one = *other;
		*other = kept;
	}
	for (unsigned int i = 0; i < missing; i++)
		*page_entry(rig, RIG_TEXTURE + rig_random(seed) % pages * GC_PAGE_SIZE) = 2;
	gc_mmu_flush(&rig->gc.mmu);
}

/* Results that must be the same for two paths of sampling */
struct outcome {
	struct gc_vec4 result;
	struct gc_counters counters;
	unsigned int faults;
	uint32_t fault_address; /* of the texture unit: [1] of the MMU's */
};

static void sample_as(struct rig *rig, bool one_level, struct rig_request *r, struct outcome *to)
{
	memset(&rig->gc.counters, 0, sizeof(rig->gc.counters));
	cache_model_flush(&rig->gc.tx->cache);
	gc_mmu_flush(&rig->gc.mmu);
	rig->faults = rig->gc.mmu.fault_status = rig->gc.mmu.fault_address[1] = 0;
	rig->gc.tx->sampler[0].one_level = one_level;
	rig_sample(rig, r);
	to->result = r->result;
	to->counters = rig->gc.counters;
	to->faults = rig->faults;
	to->fault_address = rig->gc.mmu.fault_address[1];
}

/*
 * Texels on pages at random addresses, or not mapped: tx_one_level(), which sampler[0].one_level allows,
 * gives the same values, counts and faults as tx_fast().
 */
TEST(lookups_of_one_level_on_scattered_pages)
{
	enum { SIZE = 256, PAGES = SIZE * SIZE * 4 / GC_PAGE_SIZE };
	struct rig *rig = rig_create("gc3000");
	uint32_t seed = 815, faults = 0;

	for (uint32_t i = 0; i < SIZE * SIZE * 4; i++)
		rig->bytes[RIG_TEXTURE + i] = (uint8_t)rig_random(&seed);
	for (int round = 0; round < 400; round++) {
		struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, SIZE, SIZE);
		float step = round & 1 ? 1.5f / SIZE : 0.2f;
		struct rig_request r;
		struct outcome one_level, fast;

		enable_mmu(rig);
		scatter_pages(rig, PAGES, round % 4 ? 0 : 8, &seed);
		t.min = t.mag = round & 2 ? TEXTURE_FILTER_LINEAR : TEXTURE_FILTER_NEAREST;
		rig_bind(rig, 0, &t);
		CHECK(rig->gc.tx->sampler[0].one_level);
		rig_request_init(&r, GC_TEX_IMPLICIT);
		for (unsigned int k = 0; k < GC_LANES; k++) {
			float x = (float)(k / 4 % 4 * 2 + k % 2),
			      y = (float)(k / 16 * 2 + k / 2 % 2);

			r.coord[0].f[k] = (float)round * 0.37f + x * step - y * step * 0.6f;
			r.coord[1].f[k] = (float)round * 0.11f + y * step + x * step * 0.6f;
		}
		sample_as(rig, true, &r, &one_level);
		sample_as(rig, false, &r, &fast);
		CHECK(!memcmp(&one_level.result, &fast.result, sizeof(one_level.result)));
		CHECK(!memcmp(&one_level.counters, &fast.counters, sizeof(one_level.counters)));
		CHECK_EQ(one_level.faults, fast.faults);
		CHECK_EQ(one_level.fault_address, fast.fault_address);
		CHECK(!one_level.faults || round % 4 == 0);
		faults += one_level.faults;
	}
	CHECK(faults > 20);
	rig_destroy(rig);
}

/*
 * Random words in all states of sampler 0 and all samplers' addresses, random requests: no access
 * outside, no trap.
 */
TEST(hostile_states)
{
	struct rig *rig = rig_create("gc3000");
	uint32_t seed = 2012;

	enable_mmu(rig);
	for (int round = 0; round < 4000; round++) {
		struct gc_state *state = &rig->gc.state;
		struct rig_request r;

		for (uint32_t at = VIVS_NTE_SAMPLER_CONFIG0(0); at < 0x11400; at += 4)
			if (at % 128 == 0 || at >= 0x10800) /* arrays of 32 words; addresses */
				gc_state_set(state, at, rig_random(&seed));
		for (uint32_t at = VIVS_TS_SAMPLER_CONFIG(0); at < 0x17a0; at += 4)
			gc_state_set(state, at, rig_random(&seed));
		if (round & 1) { /* addresses inside memory */
			for (unsigned int l = 0; l < TX_LEVELS; l++)
				gc_state_set(state, VIVS_NTE_SAMPLER_ADDR_LOD(0, l),
					     rig_random(&seed) % RIG_MEMORY);
			gc_state_set(state, VIVS_TS_SAMPLER_STATUS_BASE(0), 0x1000);
		}
		gc_texture_begin_draw(&rig->gc);
		rig_request_init(&r, rig_random(&seed) % 5);
		r.request.shadow = round & 2;
		r.request.reference = round & 4 ? &r.reference : NULL;
		r.request.live = (uint64_t)rig_random(&seed) << 32 | rig_random(&seed);
		for (int c = 0; c < 4; c++)
			for (int i = 0; i < GC_LANES; i++)
				r.coord[c].u[i] = rig_random(&seed);
		for (int i = 0; i < GC_LANES; i++)
			r.lod.u[i] = r.ddx[0].u[i] = r.ddy[1].u[i] = rig_random(&seed);
		if (round % 8 == 0)
			r.request.coord[2] = r.request.coord[3] = NULL;
		rig_sample(rig, &r);
	}
	/* it did happen */
	CHECK(rig->faults > 500);
	CHECK(rig->gc.counters.tx_cache_hits > 100000);
	rig_destroy(rig);
}

/* Tags belong to level 0: what is behind them says nothing about other levels. */
TEST(tile_status_of_levels)
{
	struct rig *rig = rig_create("gc3000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 16, 16);
	const uint32_t tags = 0x8000, level_0 = 16 * 16 * 4;

	t.use_ts = true;
	t.levels = 2;
	t.lod_max = 32;
	t.mip = TEXTURE_FILTER_NEAREST;
	t.address[0] = RIG_TEXTURE;
	t.address[1] = RIG_TEXTURE + level_0;
	memset(rig->bytes + RIG_TEXTURE, 0, level_0);
	memset(rig->bytes + RIG_TEXTURE + level_0, 0x33, level_0 / 4);
	memset(rig->bytes + tags, 0x55, 64);
	gc_state_set(&rig->gc.state, VIVS_TS_SAMPLER_CONFIG(0), VIVS_TS_SAMPLER_CONFIG_ENABLE);
	gc_state_set(&rig->gc.state, VIVS_TS_SAMPLER_STATUS_BASE(0), tags);
	gc_state_set(&rig->gc.state, VIVS_TS_SAMPLER_CLEAR_VALUE(0), 0xffffffff);
	for (unsigned int general = 0; general < 2; general++) {
		float out[4];

		rig->gc.tx->general_only = general;
		rig_bind(rig, 0, &t);
		rig_sample_one(rig, 0.1f, 0.1f, 0, 0, out);
		CHECK_EQ(out[0], 1.0f);
		rig_sample_one(rig, 0.1f, 0.1f, 0, 1, out);
		CHECK_EQ(out[0], 0.2f);
	}
	rig_destroy(rig);
}

/* Both texels of a pair in a cleared tile, and of one that is not. */
TEST(tile_status_of_yuv)
{
	struct rig *rig = rig_create("gc3000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_YUY2, 16, 16);
	const uint32_t tags = 0x8000;
	const uint32_t white = 235 | 128 << 8 | 235 << 16 | 128u << 24;
	const uint32_t black = 16 | 128 << 8 | 16 << 16 | 128u << 24;

	t.use_ts = true;
	for (uint32_t i = 0; i < 16 * 16 * 2; i += 4)
		memcpy(rig->bytes + RIG_TEXTURE + i, &black, 4);
	rig->bytes[tags] = 1; /* the first 64 bytes, 8x4 texels, are cleared */
	gc_state_set(&rig->gc.state, VIVS_TS_SAMPLER_CONFIG(0), VIVS_TS_SAMPLER_CONFIG_ENABLE);
	gc_state_set(&rig->gc.state, VIVS_TS_SAMPLER_STATUS_BASE(0), tags);
	gc_state_set(&rig->gc.state, VIVS_TS_SAMPLER_CLEAR_VALUE(0), white);
	for (unsigned int general = 0; general < 2; general++) {
		rig->gc.tx->general_only = general;
		rig_bind(rig, 0, &t);
		for (unsigned int x = 0; x < 2; x++) {
			float out[4];

			ROW("column %u, general %u", x, general);
			rig_sample_one(rig, (0.5f + (float)x) / 16, 0.5f / 16, 0, 0, out);
			CHECK_EQ(out[1], 1.0f);
			rig_sample_one(rig, (0.5f + (float)x) / 16, 4.5f / 16, 0, 0, out);
			CHECK_EQ(out[1], 0.0f);
		}
	}
	rig_destroy(rig);
}

/* Split between two pixel pipes: the second half belongs to the other pipe. */
TEST(split_layouts)
{
	struct rig *rig = rig_create("gc3000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 32, 32);
	float out[4];

	t.halign = TEXTURE_HALIGN_SPLIT_TILED;
	t.layout = GC_MULTI_TILED;
	for (uint32_t y = 0; y < 32; y++)
		for (uint32_t x = 0; x < 32; x++) {
			uint32_t pipe_y, base = RIG_TEXTURE;

			if (gc_layout_split(GC_MULTI_TILED, x, y, &pipe_y))
				base += 32 * 4 * 16;
			memset(rig->bytes + base + gc_layout_offset(GC_TILED, 2, 128, 4, x, pipe_y),
			       (int)(x * 7 + y), 4);
		}
	rig_bind(rig, 0, &t);
	for (uint32_t y = 0; y < 32; y++)
		for (uint32_t x = 0; x < 32; x++) {
			rig_sample_one(rig, ((float)x + 0.5f) / 32, ((float)y + 0.5f) / 32, 0, 0,
				       out);
			CHECK_NEAR(out[0] * 255, (uint8_t)(x * 7 + y), 1e-3);
		}
	rig_destroy(rig);
}

/*
 * Lanes that are not live hold anything; which texels are read does not depend on them. The 16 live
 * ones are at a texel's centre, and read that texel alone.
 */
TEST(only_live_lanes_have_weights)
{
	static const unsigned int formats[] = { TEXTURE_FORMAT_A8B8G8R8, TEXTURE_FORMAT_L8,
						TEXTURE_FORMAT_D24X8 };

	for (unsigned int i = 0; i < 6; i++) {
		struct rig *rig = rig_create("gc3000");
		struct rig_texture t = rig_texture_2d(formats[i % 3], 16, 16);
		struct rig_request r;

		rig->gc.tx->general_only = i / 3;
		t.min = t.mag = TEXTURE_FILTER_LINEAR;
		rig_bind(rig, 0, &t);
		rig_request_init(&r, GC_TEX_LOD);
		r.request.live = 0xff0ff;
		for (unsigned int lane = 0; lane < GC_LANES; lane++)
			r.coord[0].f[lane] = r.coord[1].f[lane] =
				(r.request.live >> lane & 1 ? 3.5f : 3.7f) / 16;
		rig_sample(rig, &r);
		CHECK_EQ(rig->gc.counters.tx_cache_hits + rig->gc.counters.tx_cache_misses, 16);
		rig_destroy(rig);
	}
}

int main(void)
{
	return test_all();
}
