// SPDX-License-Identifier: MIT
/*
 * 2D sampling against a reference in double precision: all wrap modes at all edges, both filters,
 * all layouts, invalid coordinates; tx_fast.c against the general path, tx_one_level.c against
 * tx_fast.c.
 */
#include "check.h"
#include "tx_rig.h"

#define SIZE_MAX_2D 128

static uint32_t texels[SIZE_MAX_2D * SIZE_MAX_2D];

/* Fill level 0 with random texels of four bytes, in the layout of @t. */
static void upload(struct rig *rig, const struct rig_texture *t, uint32_t seed)
{
	unsigned int pad = t->layout == GC_SUPERTILED         ? 64
			   : t->halign == TEXTURE_HALIGN_FOUR ? 4
							      : 16;
	uint32_t stride = t->stride ? t->stride : (t->width + pad - 1) / pad * pad * 4;

	for (uint32_t y = 0; y < t->height; y++)
		for (uint32_t x = 0; x < t->width; x++) {
			uint32_t v = rig_random(&seed);
			uint32_t at = gc_layout_offset(
				t->layout, rig->gc.personality->supertile_mode, stride, 4, x, y);

			texels[y * t->width + x] = v;
			memcpy(rig->bytes + t->address[0] + at, &v, 4);
		}
}

/* Texel @i of a row of @n after wrapping, by the specification's formulas. */
static int reference_wrap(int i, int n, unsigned int wrap)
{
	int m;

	switch (wrap) {
	case TEXTURE_WRAPMODE_REPEAT:
		return (i % n + n) % n;
	case TEXTURE_WRAPMODE_MIRRORED_REPEAT:
		m = (i % (2 * n) + 2 * n) % (2 * n);
		return m < n ? m : 2 * n - 1 - m;
	case TEXTURE_WRAPMODE_CLAMP_TO_EDGE:
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	default:
		return i < 0 || i >= n ? -1 : i;
	}
}

static double reference_texel(const struct rig_texture *t, int x, int y, int channel)
{
	x = reference_wrap(x, (int)t->width, t->wrap[0]);
	y = reference_wrap(y, (int)t->height, t->wrap[1]);
	if (x < 0 || y < 0)
		return 0.0;
	return (texels[y * (int)t->width + x] >> 8 * channel & 255) / 255.0;
}

/* A8B8G8R8 texture; channel 0 is red. */
static double reference(const struct rig_texture *t, double s, double v, int channel)
{
	double x = s * t->width, y = v * t->height, fx, fy, top, bottom;

	if (t->mag == TEXTURE_FILTER_NEAREST)
		return reference_texel(t, (int)floor(x), (int)floor(y), channel);
	x -= 0.5;
	y -= 0.5;
	fx = x - floor(x);
	fy = y - floor(y);
	x = floor(x);
	y = floor(y);
	top = reference_texel(t, (int)x, (int)y, channel) * (1 - fx) +
	      reference_texel(t, (int)x + 1, (int)y, channel) * fx;
	bottom = reference_texel(t, (int)x, (int)y + 1, channel) * (1 - fx) +
		 reference_texel(t, (int)x + 1, (int)y + 1, channel) * fx;
	return top * (1 - fy) + bottom * fy;
}

/* Coordinates around every texel edge and centre of three periods, away from ties. */
static float probe(unsigned int i, unsigned int size)
{
	static const float inside[] = { 0.001f, 0.25f, 0.4990f, 0.5f, 0.501f, 0.999f };
	unsigned int count = sizeof(inside) / sizeof(inside[0]);
	int texel = (int)(i / count % (3 * size)) - (int)size;

	return ((float)texel + inside[i % count]) / (float)size;
}

/* Largest difference from the reference over many probes. */
static double worst(struct rig *rig, const struct rig_texture *t)
{
	unsigned int count = 18 * (t->width > t->height ? t->width : t->height);
	double most = 0.0;
	struct rig_request r;

	for (unsigned int i = 0; i < count; i += GC_LANES) {
		rig_request_init(&r, GC_TEX_LOD);
		for (unsigned int k = 0; k < GC_LANES; k++) {
			r.coord[0].f[k] = probe(i + k, t->width);
			r.coord[1].f[k] = probe((i + k) * 7 + 3, t->height);
		}
		rig_sample(rig, &r);
		for (unsigned int k = 0; k < GC_LANES; k++)
			for (int c = 0; c < 4; c++) {
				double want = reference(t, r.coord[0].f[k], r.coord[1].f[k], c);

				most = fmax(most, fabs(want - r.result.c[c].f[k]));
			}
	}
	return most;
}

static const enum gc_layout layouts[] = { GC_LINEAR, GC_TILED, GC_SUPERTILED };

static struct rig_texture shape(enum gc_layout layout, unsigned int width, unsigned int height)
{
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, width, height);

	t.layout = layout;
	if (layout == GC_SUPERTILED)
		t.halign = TEXTURE_HALIGN_SUPER_TILED;
	if (layout == GC_LINEAR)
		t.stride = (width + 15) / 16 * 64 + 64;
	return t;
}

/* The largest difference over all wraps and layouts. @general: without the fast path */
static double worst_of_all(unsigned int width, unsigned int height, unsigned int filter,
			   bool general)
{
	struct rig *rig = rig_create("gc3000");
	double most = 0.0;

	rig->gc.tx->general_only = general;
	for (unsigned int l = 0; l < 3; l++)
		for (unsigned int wrap = 0; wrap < 16; wrap++) {
			struct rig_texture t = shape(layouts[l], width, height);

			t.wrap[0] = wrap & 3;
			t.wrap[1] = wrap >> 2;
			t.min = t.mag = filter;
			t.round_uv = filter == TEXTURE_FILTER_LINEAR;
			upload(rig, &t, 1 + wrap);
			rig_bind(rig, 0, &t);
			most = fmax(most, worst(rig, &t));
		}
	rig_destroy(rig);
	return most;
}

TEST(nearest_is_exact)
{
	CHECK_NEAR(worst_of_all(16, 16, TEXTURE_FILTER_NEAREST, false), 0.0, 1e-7);
	CHECK_NEAR(worst_of_all(33, 70, TEXTURE_FILTER_NEAREST, false), 0.0, 1e-7);
	CHECK_NEAR(worst_of_all(1, 1, TEXTURE_FILTER_NEAREST, false), 0.0, 1e-7);
	CHECK_NEAR(worst_of_all(5, 2, TEXTURE_FILTER_NEAREST, true), 0.0, 1e-7);
}

TEST(bilinear_follows_reference)
{
	/* weights are multiples of 1/256: half of it in each direction */
	const double subtexel = 2 * 0.5 / 256 + 1e-6;

	CHECK_NEAR(worst_of_all(16, 16, TEXTURE_FILTER_LINEAR, false), 0.0, subtexel);
	CHECK_NEAR(worst_of_all(33, 70, TEXTURE_FILTER_LINEAR, false), 0.0, subtexel);
	CHECK_NEAR(worst_of_all(1, 1, TEXTURE_FILTER_LINEAR, false), 0.0, subtexel);
	CHECK_NEAR(worst_of_all(2, 1, TEXTURE_FILTER_LINEAR, false), 0.0, subtexel);
	CHECK_NEAR(worst_of_all(5, 3, TEXTURE_FILTER_LINEAR, true), 0.0, subtexel);
}

/* Coordinates that a hostile shader may compute. */
static float odd_coordinate(uint32_t *seed)
{
	static const float odd[] = { NAN,         INFINITY, -INFINITY,  0.0f,       -0.0f,
				     1.0f,        -1.0f,    1e-45f,     3e38f,      -3e38f,
				     0.99999994f, -1e-9f,   8388608.0f, 16777217.0f };

	if (rig_random(seed) % 4 == 0)
		return odd[rig_random(seed) % (sizeof(odd) / sizeof(odd[0]))];
	return rig_random_float(seed, -3.0f, 3.0f);
}

static void random_texture(struct rig_texture *t, uint32_t *seed)
{
	static const unsigned int formats[] = {
		TEXTURE_FORMAT_A8,       TEXTURE_FORMAT_L8,       TEXTURE_FORMAT_A8L8,
		TEXTURE_FORMAT_A4R4G4B4, TEXTURE_FORMAT_A8R8G8B8, TEXTURE_FORMAT_X8R8G8B8,
		TEXTURE_FORMAT_A8B8G8R8, TEXTURE_FORMAT_R5G6B5,   TEXTURE_FORMAT_A1R5G5B5,
		TEXTURE_FORMAT_YUY2,     TEXTURE_FORMAT_DXT1,     TEXTURE_FORMAT_DXT4_DXT5,
		TEXTURE_FORMAT_ETC1,     TEXTURE_FORMAT_D16,      TEXTURE_FORMAT_D24X8,
	};

	*t = shape(layouts[rig_random(seed) % 3], 1 + rig_random(seed) % 100,
		   1 + rig_random(seed) % 100);
	t->format = formats[rig_random(seed) % (sizeof(formats) / sizeof(formats[0]))];
	t->stride = 0;
	if (t->format == TEXTURE_FORMAT_D16 || t->format == TEXTURE_FORMAT_D24X8)
		t->compare = rig_random(seed) & (VIVS_NTE_SAMPLER_BASELOD_COMPARE_ENABLE |
						 VIVS_NTE_SAMPLER_BASELOD_COMPARE_FUNC__MASK);
	t->wrap[0] = rig_random(seed) % 3;
	t->wrap[1] = rig_random(seed) % 3;
	t->min = 1 + rig_random(seed) % 2;
	t->mag = 1 + rig_random(seed) % 2;
	t->mip = rig_random(seed) % 3;
	t->round_uv = rig_random(seed) & 1;
	t->lod_max = rig_random(seed) % 128;
	t->lod_min = rig_random(seed) % 32;
	if (rig_random(seed) % 4 == 0) {
		t->type = TEXTURE_TYPE_CUBE_MAP;
		t->height = t->width;
	}
	for (unsigned int l = 0; l < 6; l++)
		t->address[l] = RIG_TEXTURE + 0x100000 * l;
}

TEST(fast_equals_general)
{
	struct rig *rig = rig_create("gc3000");
	uint32_t seed = 4711;

	for (uint32_t i = 0; i < 6 << 20; i += 4) {
		uint32_t v = rig_random(&seed);

		memcpy(rig->bytes + RIG_TEXTURE + i, &v, 4);
	}
	for (int round = 0; round < 3000; round++) {
		struct rig_request r;
		struct gc_vec4 fast;
		struct rig_texture t;

		random_texture(&t, &seed);
		rig_bind(rig, 0, &t);
		CHECK(rig->gc.tx->sampler[0].fast);
		rig_request_init(&r, round % 3 ? GC_TEX_IMPLICIT : GC_TEX_LOD);
		r.request.shadow = true;
		r.request.reference = &r.reference;
		for (unsigned int k = 0; k < GC_LANES; k++) {
			for (int c = 0; c < 3; c++)
				r.coord[c].f[k] = odd_coordinate(&seed);
			r.lod.f[k] = rig_random_float(&seed, -2.0f, 6.0f);
			r.reference.f[k] = odd_coordinate(&seed);
		}
		rig_sample(rig, &r);
		fast = r.result;
		rig->gc.tx->general_only = true;
		rig_sample(rig, &r);
		rig->gc.tx->general_only = false;
		CHECK(!memcmp(&fast, &r.result, sizeof(fast)));
	}
	CHECK_EQ(rig->faults, 0);
	rig_destroy(rig);
}

/* Move the counters to @taken and flush the cache: the next path starts with the same state. */
static void take_counters(struct rig *rig, struct gc_counters *taken)
{
	*taken = rig->gc.counters;
	memset(&rig->gc.counters, 0, sizeof(rig->gc.counters));
	cache_model_flush(&rig->gc.tx->cache);
}

/* Samplers that tx_one_level() supports, by it and by tx_fast(). */
TEST(one_level_equals_fast)
{
	static const unsigned int formats[] = { TEXTURE_FORMAT_A8B8G8R8, TEXTURE_FORMAT_X8B8G8R8,
						TEXTURE_FORMAT_A8R8G8B8, TEXTURE_FORMAT_X8R8G8B8 };
	struct rig *rig = rig_create("gc3000");
	uint32_t seed = 1234, one_levels = 0;

	for (uint32_t i = 0; i < 1 << 20; i += 4) {
		uint32_t v = rig_random(&seed);

		memcpy(rig->bytes + RIG_TEXTURE + i, &v, 4);
	}
	for (int round = 0; round < 1000; round++) {
		struct gc_counters counters[2];
		struct rig_texture t;
		struct rig_request r;
		struct gc_vec4 one_level;

		t = rig_texture_2d(formats[rig_random(&seed) % 4], 4u << rig_random(&seed) % 6,
				   4u << rig_random(&seed) % 6);
		t.layout = rig_random(&seed) % 3;
		t.halign = t.layout == GC_SUPERTILED ? TEXTURE_HALIGN_SUPER_TILED
						     : TEXTURE_HALIGN_SIXTEEN;
		for (int c = 0; c < 2; c++)
			t.wrap[c] = rig_random(&seed) & 1 ? TEXTURE_WRAPMODE_REPEAT
							  : TEXTURE_WRAPMODE_CLAMP_TO_EDGE;
		t.min = t.mag =
			rig_random(&seed) & 1 ? TEXTURE_FILTER_LINEAR : TEXTURE_FILTER_NEAREST;
		t.round_uv = rig_random(&seed) & 1;
		rig_bind(rig, 0, &t);
		rig_request_init(&r, GC_TEX_IMPLICIT);
		if (rig_random(&seed) & 1)
			r.request.live = rig_random(&seed) * UINT64_C(0x100000001);
		for (unsigned int k = 0; k < GC_LANES; k++)
			for (int c = 0; c < 2; c++)
				r.coord[c].f[k] =
					round & 1 ? odd_coordinate(&seed) : (float)(k % 8) / 64.0f;
		memset(&r.result, 0, sizeof(r.result));
		rig_sample(rig, &r);
		one_levels += rig->gc.tx->sampler[0].one_level;
		one_level = r.result;
		take_counters(rig, &counters[0]);
		rig->gc.tx->sampler[0].one_level = false;
		memset(&r.result, 0, sizeof(r.result));
		rig_sample(rig, &r);
		take_counters(rig, &counters[1]);
		for (unsigned int k = 0; k < GC_LANES; k++)
			for (int c = 0; c < 4 && r.request.live >> k & 1; c++)
				CHECK_EQ(one_level.c[c].u[k], r.result.c[c].u[k]);
		CHECK(!memcmp(&counters[0], &counters[1], sizeof(counters[0])));
	}
	CHECK_EQ(one_levels, 1000); /* all of them used tx_one_level() */
	rig_destroy(rig);
}

TEST(disabled_sampler_is_black)
{
	struct rig *rig = rig_create("gc3000");
	float out[4];

	rig_sample_one(rig, 0.5f, 0.5f, 0.0f, 0.0f, out);
	CHECK(out[0] == 0.0f && out[1] == 0.0f && out[2] == 0.0f && out[3] == 1.0f);
	CHECK_EQ(rig->gc.counters.tx_discarded_requests, 1);
	rig_destroy(rig);
}

TEST(swizzle_selects_components)
{
	struct rig *rig = rig_create("gc3000");
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 1, 1);
	uint32_t texel = 0xff804000;
	float out[4];

	memcpy(rig->bytes + RIG_TEXTURE, &texel, 4);
	t.swizzle = VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_R(TEXTURE_SWIZZLE_ALPHA) |
		    VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_G(TEXTURE_SWIZZLE_ZERO) |
		    VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_B(TEXTURE_SWIZZLE_ONE) |
		    VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_A(TEXTURE_SWIZZLE_GREEN);
	rig_bind(rig, 0, &t);
	rig_sample_one(rig, 0.5f, 0.5f, 0.0f, 0.0f, out);
	CHECK_NEAR(out[0], 1.0, 0.0);
	CHECK_NEAR(out[1], 0.0, 0.0);
	CHECK_NEAR(out[2], 1.0, 0.0);
	CHECK_NEAR(out[3], 0x40 / 255.0, 1e-7);
	rig_destroy(rig);
}

int main(void)
{
	return test_all();
}
