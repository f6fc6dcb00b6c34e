// SPDX-License-Identifier: MIT
/*
 * Mipmaps, cubes, volumes, arrays, depth compare, anisotropy, texel fetch and
 * tile status.
 */
#include "check.h"
#include "tx_rig.h"

static struct rig *rig;

#define LEVEL_SPACE 0x40000u

/* A texture whose level l is all of grey 20 * l. */
static struct rig_texture mipmapped(unsigned int size, unsigned int levels)
{
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, size, size);

	t.levels = levels;
	t.lod_max = (levels - 1) << 5;
	for (unsigned int l = 0; l < levels; l++) {
		t.address[l] = RIG_TEXTURE + l * LEVEL_SPACE;
		memset(rig->bytes + t.address[l], (int)(20 * l), LEVEL_SPACE);
	}
	return t;
}

/* Grey level that a quad sees whose pixels are (@dx, @dy) texels apart in s and t. */
static double grey(unsigned int size, float dx, float dy, enum gc_texture_mode mode, float lod)
{
	struct rig_request r;

	rig_request_init(&r, mode);
	r.request.live = 0xf;
	for (int i = 0; i < 4; i++) {
		r.coord[0].f[i] = 0.5f + (float)(i & 1) * dx / (float)size;
		r.coord[1].f[i] = 0.5f + (float)(i >> 1) * dy / (float)size;
		r.lod.f[i] = lod;
		r.ddx[0].f[i] = dx / (float)size;
		r.ddy[1].f[i] = dy / (float)size;
	}
	rig_sample(rig, &r);
	return r.result.c[0].f[0] * 255.0;
}

TEST(nearest_level_by_derivatives)
{
	static const struct {
		float step;
		int level;
	} cases[] = { { 0.1f, 0 },  { 1, 0 },     { 1.41f, 0 }, { 1.42f, 1 }, { 2, 1 },
		      { 2.82f, 1 }, { 2.84f, 2 }, { 4, 2 },     { 60, 6 },    { 1000, 6 } };
	struct rig_texture t = mipmapped(64, 7);

	t.mip = TEXTURE_FILTER_NEAREST;
	rig_bind(rig, 0, &t);
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK_NEAR(grey(64, cases[i].step, 0, GC_TEX_IMPLICIT, 0), 20 * cases[i].level,
			   1e-3);
		CHECK_NEAR(grey(64, 0.5f, cases[i].step, GC_TEX_IMPLICIT, 0), 20 * cases[i].level,
			   1e-3);
		CHECK_NEAR(grey(64, cases[i].step, 0.1f, GC_TEX_GRADIENT, 0), 20 * cases[i].level,
			   1e-3);
	}
}

TEST(linear_between_levels)
{
	struct rig_texture t = mipmapped(64, 7);

	t.mip = TEXTURE_FILTER_LINEAR;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey(64, 1, 0, GC_TEX_IMPLICIT, 0), 0, 1e-3);
	CHECK_NEAR(grey(64, 2, 0, GC_TEX_IMPLICIT, 0), 20, 1e-3);
	/* rho^2 = 9 = 2^3 * 1.125, so lambda is 3.125 / 2 */
	CHECK_NEAR(grey(64, 3, 0, GC_TEX_IMPLICIT, 0), 20 * 1.5625, 1e-3);
	for (float lod = -1.0f; lod < 8.0f; lod += 0.125f)
		CHECK_NEAR(grey(64, 1, 1, GC_TEX_LOD, lod), 20 * fmin(fmax(lod, 0), 6), 1e-3);
	/* never a level after the last */
	t.lod_max = 13 << 5;
	rig_bind(rig, 0, &t);
	rig->gc.tx->sampler[0].level[13] = rig->gc.tx->sampler[0].level[6];
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_LOD, 1e9f), 120, 1e-3);
}

/* OpenGL: halfway between two levels the finer one is taken. */
TEST(nearest_level_ties)
{
	struct rig_texture t = mipmapped(64, 7);

	t.mip = TEXTURE_FILTER_NEAREST;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_LOD, 0.5f), 0, 1e-3);
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_LOD, 0.51f), 20, 1e-3);
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_LOD, 1.5f), 20, 1e-3);
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_LOD, 2.51f), 60, 1e-3);
}

TEST(bias_and_clamps)
{
	struct rig_texture t = mipmapped(64, 7);

	t.mip = TEXTURE_FILTER_LINEAR;
	t.lod_bias = 48; /* 1.5 */
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_IMPLICIT, 0), 20 * 1.5, 1e-3);
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_BIAS, 0.75f), 20 * 2.25, 1e-3);
	t.lod_bias = -16; /* -0.5 */
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey(64, 4, 4, GC_TEX_IMPLICIT, 0), 20 * 1.5, 1e-3);
	t.lod_bias = 0;
	t.lod_min = 2 << 5;
	t.lod_max = 3 << 5;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_IMPLICIT, 0), 40, 1e-3);
	CHECK_NEAR(grey(64, 32, 1, GC_TEX_IMPLICIT, 0), 60, 1e-3);
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_BIAS, NAN), 40, 1e-3);
	/* base level states */
	t.lod_min = 0;
	t.lod_max = 6 << 5;
	t.compare = VIVS_NTE_SAMPLER_BASELOD_BASELOD_ENABLE | VIVS_NTE_SAMPLER_BASELOD_BASELOD(1) |
		    VIVS_NTE_SAMPLER_BASELOD_MAXLOD(4);
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_LOD, 0), 20, 1e-3);
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_LOD, 6), 80, 1e-3);
}

/* Without mipmaps the minimum selects the level; the maximum of 1/32 only enables the filter. */
TEST(no_mip_filter)
{
	struct rig_texture t = mipmapped(64, 7);
	uint32_t white = UINT32_MAX;

	t.lod_min = t.lod_max = 3 << 5;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey(64, 1, 1, GC_TEX_IMPLICIT, 0), 60, 1e-3);
	/* level 0: one white texel right of the middle; seen between texels */
	memcpy(rig->bytes + RIG_TEXTURE + gc_layout_offset(GC_TILED, 2, 64 * 4, 4, 32, 32), &white,
	       4);
	t.lod_min = 0;
	t.lod_max = 1;
	t.min = TEXTURE_FILTER_LINEAR;
	t.mag = TEXTURE_FILTER_NEAREST;
	for (t.mip = TEXTURE_FILTER_NONE; t.mip <= TEXTURE_FILTER_LINEAR; t.mip++) {
		t.address[1] = 0xfffff000; /* must not be read */
		rig_bind(rig, 0, &t);
		CHECK_NEAR(grey(64, 0.5f, 0.5f, GC_TEX_IMPLICIT, 0), 255, 1e-3);
		CHECK_NEAR(grey(64, 4, 4, GC_TEX_IMPLICIT, 0), 255 / 4.0, 1e-3);
	}
	CHECK_EQ(rig->faults, 0);
}

/* Levels of odd sizes: 70x33 has 35x16, 17x8 and so on. */
TEST(odd_level_sizes)
{
	struct rig_texture t = mipmapped(64, 4);
	const struct tx_sampler *s = &rig->gc.tx->sampler[0];

	t.width = 70;
	t.height = 33;
	rig_bind(rig, 0, &t);
	CHECK_EQ(s->level[1].size[0], 35);
	CHECK_EQ(s->level[1].size[1], 16);
	CHECK_EQ(s->level[2].size[0], 17);
	CHECK_EQ(s->level[13].size[0], 1);
	/* rows of 80, 48 and 32 texels with the resolve engine's padding */
	CHECK_EQ(s->level[0].stride, 80 * 4);
	CHECK_EQ(s->level[1].stride, 48 * 4);
	CHECK_EQ(s->level[2].stride, 32 * 4);
	CHECK_EQ(s->level[0].layer_stride, 80 * 4 * 36);
	t.halign = TEXTURE_HALIGN_FOUR;
	rig_bind(rig, 0, &t);
	CHECK_EQ(s->level[0].stride, 72 * 4);
	t.halign = TEXTURE_HALIGN_SUPER_TILED;
	rig_bind(rig, 0, &t);
	CHECK_EQ(s->level[1].stride, 64 * 4);
	CHECK_EQ(s->level[1].layer_stride, 64 * 64 * 4);
	t.format = TEXTURE_FORMAT_DXT1;
	rig_bind(rig, 0, &t);
	CHECK_EQ(s->level[0].stride, 18 * 8);
	CHECK_EQ(s->level[0].layer_stride, 18 * 8 * 9);
}

/* OpenGL ES 3.2, table 8.25, written out as the specification does. */
static int reference_face(const double d[3], double st[2])
{
	double x = fabs(d[0]), y = fabs(d[1]), z = fabs(d[2]), s, t, m;
	int face;

	if (z >= x && z >= y) {
		face = d[2] < 0 ? 5 : 4, m = z, s = d[2] < 0 ? -d[0] : d[0], t = -d[1];
	} else if (x > y) {
		face = d[0] < 0 ? 1 : 0, m = x, s = d[0] < 0 ? d[2] : -d[2], t = -d[1];
	} else {
		face = d[1] < 0 ? 3 : 2, m = y, s = d[0], t = d[1] < 0 ? -d[2] : d[2];
	}
	st[0] = (s / m + 1) / 2;
	st[1] = (t / m + 1) / 2;
	return face;
}

TEST(cube_projection)
{
	uint32_t seed = 99;

	for (int i = 0; i < 20000; i++) {
		float dir[3], st[2];
		double d[3], want[2];

		for (int c = 0; c < 3; c++)
			d[c] = dir[c] = rig_random_float(&seed, -1, 1);
		CHECK_EQ(tx_cube_project(dir, st), reference_face(d, want));
		CHECK_NEAR(st[0], want[0], 1e-6);
		CHECK_NEAR(st[1], want[1], 1e-6);
	}
}

/* Where the centre of a texel of a face lies on the cube from -1 to 1. */
static void texel_position(int face, int size, int x, int y, double p[3])
{
	double s = (2.0 * x + 1) / size - 1, t = (2.0 * y + 1) / size - 1;
	double v[6][3] = { { 1, -t, -s }, { -1, -t, s }, { s, 1, t },
			   { s, -1, -t }, { s, -t, 1 },  { -s, -t, -1 } };

	memcpy(p, v[face], sizeof(v[face]));
}

/* A neighbour over an edge is as far away as two half texels around the corner. */
TEST(cube_neighbours_touch)
{
	static const int sizes[] = { 1, 2, 5, 64 };

	for (unsigned int n = 0; n < 4; n++)
		for (int face = 0; face < 6; face++)
			for (int edge = 0; edge < 4; edge++)
				for (int along = 0; along < sizes[n]; along++) {
					int size = sizes[n], out = edge & 1 ? size : -1;
					int32_t x = edge < 2 ? out : along,
						y = edge < 2 ? along : out;
					int from_x = x < 0 ? 0 : x >= size ? size - 1 : x;
					int from_y = y < 0 ? 0 : y >= size ? size - 1 : y;
					double a[3], b[3], distance = 0;
					int to = tx_cube_neighbour(face, size, &x, &y);

					CHECK(to != face && x >= 0 && x < size && y >= 0 &&
					      y < size);
					texel_position(face, size, from_x, from_y, a);
					texel_position(to, size, x, y, b);
					for (int c = 0; c < 3; c++)
						distance += (a[c] - b[c]) * (a[c] - b[c]);
					CHECK_NEAR(sqrt(distance), sqrt(2.0) / size, 1e-9);
				}
}

/* A cube of @size with grey 40 * face. */
static struct rig_texture cube(unsigned int size)
{
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, size, size);
	uint32_t layer = (size + 15) / 16 * 64 * ((size + 3) & ~3u);

	t.type = TEXTURE_TYPE_CUBE_MAP;
	for (unsigned int face = 0; face < 6; face++)
		memset(rig->bytes + RIG_TEXTURE + face * layer, (int)(40 * face), layer);
	return t;
}

/* Grey at level 0 of sampler 0, of a cube, a volume or an array. */
static double grey_at(float x, float y, float z)
{
	float out[4];

	rig_sample_one(rig, x, y, z, 0, out);
	return out[0] * 255.0;
}

TEST(cube_faces)
{
	struct rig_texture t = cube(8);

	for (t.min = t.mag = 1; t.min <= 2; t.min++, t.mag++) {
		rig_bind(rig, 0, &t);
		CHECK_NEAR(grey_at(1, 0, 0), 0, 1e-3);
		CHECK_NEAR(grey_at(-1, 0, 0), 40, 1e-3);
		CHECK_NEAR(grey_at(0, 3, 0), 80, 1e-3);
		CHECK_NEAR(grey_at(0, -3, 0), 120, 1e-3);
		CHECK_NEAR(grey_at(0, 0, 0.1f), 160, 1e-3);
		CHECK_NEAR(grey_at(0, 0, -0.1f), 200, 1e-3);
		/* edges stay on their face whatever the wraps say */
		CHECK_NEAR(grey_at(1, 0, 0.99999f), 0, 1e-3);
		t.wrap[0] = TEXTURE_WRAPMODE_CLAMP_TO_BORDER;
	}
	/* a direction of length 0 must not crash */
	CHECK(isfinite(grey_at(0, 0, 0)));
	CHECK(isfinite(grey_at(NAN, INFINITY, -INFINITY)));
}

TEST(seamless_edges_and_corners)
{
	struct rig_texture t = cube(4);

	t.seamless = true;
	t.min = t.mag = TEXTURE_FILTER_LINEAR;
	t.round_uv = true;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey_at(1, 0, 0), 0, 1e-3);
	/* halfway between +Z (160) and +X (0) */
	CHECK_NEAR(grey_at(0.9999f, 0, 1), 80, 1);
	CHECK_NEAR(grey_at(1, 0, 0.9999f), 80, 1);
	/* the corner of +X (0), +Y (80) and +Z (160) */
	CHECK_NEAR(grey_at(0.9999f, 0.9999f, 1), 80, 1);
	/* the corner of -X (40), -Y (120) and -Z (200) */
	CHECK_NEAR(grey_at(-0.9999f, -0.9999f, -1), 120, 1);
	/* nearest stays on its face */
	t.min = t.mag = TEXTURE_FILTER_NEAREST;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey_at(0.9999f, 0, 1), 160, 1e-3);
}

/* A step from pixel to pixel of a texel's width in the middle of a face is level 0. */
TEST(cube_level_of_detail)
{
	struct rig_texture t = mipmapped(64, 7);
	struct rig_request r;

	t.type = TEXTURE_TYPE_CUBE_MAP;
	t.mip = TEXTURE_FILTER_LINEAR;
	rig_bind(rig, 0, &t);
	for (int level = 0; level < 5; level++) {
		float step = ldexpf(2.0f / 64, level);

		rig_request_init(&r, GC_TEX_IMPLICIT);
		r.request.live = 0xf;
		for (int i = 0; i < 4; i++) {
			r.coord[0].f[i] = -2;
			r.coord[1].f[i] = (float)(i & 1) * 2 * step;
			r.coord[2].f[i] = (float)(i >> 1) * 2 * step;
		}
		rig_sample(rig, &r);
		CHECK_NEAR(r.result.c[0].f[0] * 255, 20 * level, 0.1);
	}
}

/* A volume of 4x4x4 texels whose slices are grey 0, 60, 120, 180. */
static struct rig_texture volume(unsigned int type)
{
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 4, 4);

	t.type = type;
	t.depth = 4;
	t.halign = TEXTURE_HALIGN_FOUR;
	for (int z = 0; z < 4; z++)
		memset(rig->bytes + RIG_TEXTURE + 64 * z, 60 * z, 64);
	return t;
}

TEST(volumes)
{
	struct rig_texture t = volume(TEXTURE_TYPE_3D);

	t.wrap[2] = TEXTURE_WRAPMODE_CLAMP_TO_EDGE;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 0.1f), 0, 1e-3);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 0.9f), 180, 1e-3);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 7), 180, 1e-3);
	t.min = t.mag = TEXTURE_FILTER_LINEAR;
	t.round_uv = true;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 0.5f), 90, 0.2);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 0.25f), 30, 0.2);
	CHECK_NEAR(grey_at(0.5f, 0.5f, -3), 0, 0.2);
	t.wrap[2] = TEXTURE_WRAPMODE_REPEAT;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 1.0f), 90, 0.2);
	t.wrap[2] = TEXTURE_WRAPMODE_MIRRORED_REPEAT;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 1.125f), 180, 0.2);
	t.wrap[2] = TEXTURE_WRAPMODE_CLAMP_TO_BORDER;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 1.0f), 90, 0.2);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 1.5f), 0, 0.2);
}

TEST(arrays)
{
	struct rig_texture t = volume(TEXTURE_TYPE_3D);

	t.array = true;
	t.min = t.mag = TEXTURE_FILTER_LINEAR;
	rig_bind(rig, 0, &t);
	CHECK(rig->gc.tx->sampler[0].fast);
	/* layers are rounded and limited, never filtered */
	CHECK_NEAR(grey_at(0.5f, 0.5f, 0.4f), 0, 1e-3);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 0.6f), 60, 1e-3);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 2.0f), 120, 1e-3);
	CHECK_NEAR(grey_at(0.5f, 0.5f, 99), 180, 1e-3);
	CHECK_NEAR(grey_at(0.5f, 0.5f, -INFINITY), 0, 1e-3);
	CHECK_NEAR(grey_at(0.5f, 0.5f, NAN), 0, 1e-3);
	/* one-dimensional: the rows of a 2D texture are layers, each padded to a row of tiles */
	t.type = TEXTURE_TYPE_2D;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey_at(0.5f, 1.2f, 0), 60, 1e-3);
	CHECK_NEAR(grey_at(0.5f, 3.0f, 0), 180, 1e-3);
}

/* Depth compare: two texels, 0.25 and 0.75. */
static double shadow(unsigned int function, unsigned int filter, float s, float reference)
{
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_D16, 2, 1);
	uint16_t depth[2] = { 16384, 49151 };
	struct rig_request r;

	t.min = t.mag = filter;
	t.round_uv = true;
	t.wrap[0] = t.wrap[1] = TEXTURE_WRAPMODE_CLAMP_TO_EDGE;
	t.compare = VIVS_NTE_SAMPLER_BASELOD_COMPARE_ENABLE |
		    VIVS_NTE_SAMPLER_BASELOD_COMPARE_FUNC(function);
	memcpy(rig->bytes + RIG_TEXTURE, depth, sizeof(depth));
	rig_bind(rig, 0, &t);
	rig_request_init(&r, GC_TEX_LOD);
	r.request.live = 1;
	r.request.shadow = true;
	r.request.reference = &r.reference;
	r.coord[0].f[0] = s;
	r.reference.f[0] = reference;
	rig_sample(rig, &r);
	return r.result.c[0].f[0];
}

TEST(shadow_functions)
{
	const float at = 16384 / 65535.0f;
	static const uint8_t want[8][3] = {
		/* reference below, equal, above the texel */
		[TEXTURE_COMPARE_FUNC_LEQUAL] = { 1, 1, 0 },
		[TEXTURE_COMPARE_FUNC_GEQUAL] = { 0, 1, 1 },
		[TEXTURE_COMPARE_FUNC_LESS] = { 1, 0, 0 },
		[TEXTURE_COMPARE_FUNC_GREATER] = { 0, 0, 1 },
		[TEXTURE_COMPARE_FUNC_EQUAL] = { 0, 1, 0 },
		[TEXTURE_COMPARE_FUNC_NOTEQUAL] = { 1, 0, 1 },
		[TEXTURE_COMPARE_FUNC_ALWAYS] = { 1, 1, 1 },
		[TEXTURE_COMPARE_FUNC_NEVER] = { 0, 0, 0 },
	};

	for (unsigned int f = 0; f < 8; f++) {
		CHECK_NEAR(shadow(f, TEXTURE_FILTER_NEAREST, 0.25f, 0.1f), want[f][0], 0.0);
		CHECK_NEAR(shadow(f, TEXTURE_FILTER_NEAREST, 0.25f, at), want[f][1], 0.0);
		CHECK_NEAR(shadow(f, TEXTURE_FILTER_NEAREST, 0.25f, 0.5f), want[f][2], 0.0);
	}
	/* a reference past the range of fixed-point depth is brought into it */
	CHECK_NEAR(shadow(TEXTURE_COMPARE_FUNC_GEQUAL, TEXTURE_FILTER_NEAREST, 0.75f, 7.0f), 1,
		   0.0);
	/* linear filters the results, not the depths */
	CHECK_NEAR(shadow(TEXTURE_COMPARE_FUNC_LEQUAL, TEXTURE_FILTER_LINEAR, 0.5f, 0.5f), 0.5,
		   0.0);
	CHECK_NEAR(shadow(TEXTURE_COMPARE_FUNC_LEQUAL, TEXTURE_FILTER_LINEAR, 0.625f, 0.5f), 0.75,
		   0.0);
}

/* Eight texels a pixel along s, one along t. */
TEST(anisotropy_selects_finer_levels)
{
	static const int level[] = { 3, 2, 1, 0, 0 };
	struct rig_texture t = mipmapped(64, 7);

	t.min = t.mag = TEXTURE_FILTER_LINEAR;
	t.mip = TEXTURE_FILTER_LINEAR;
	for (unsigned int log = 0; log < 5; log++) {
		t.anisotropy = log << 5;
		rig_bind(rig, 0, &t);
		CHECK_NEAR(grey(64, 8, 1, GC_TEX_IMPLICIT, 0), 20 * level[log], 1e-3);
		CHECK_NEAR(grey(64, 1, 8, GC_TEX_GRADIENT, 0), 20 * level[log], 1e-3);
		/* equal derivatives: nothing changes */
		CHECK_NEAR(grey(64, 4, 4, GC_TEX_IMPLICIT, 0), 40, 1e-3);
	}
	/* infinitely long and undefined footprints */
	CHECK(isfinite(grey(64, INFINITY, 0, GC_TEX_IMPLICIT, 0)));
	CHECK(isfinite(grey(64, NAN, 1, GC_TEX_GRADIENT, 0)));
}

/* Probes cover the footprint: alternating columns of 0 and 255 give their mean. */
TEST(anisotropy_averages_along_the_axis)
{
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 64, 64);

	for (uint32_t y = 0; y < 64; y++)
		for (uint32_t x = 0; x < 64; x++)
			memset(rig->bytes + RIG_TEXTURE +
				       gc_layout_offset(GC_TILED, 2, 256, 4, x, y),
			       x & 1 ? 255 : 0, 4);
	t.min = t.mag = TEXTURE_FILTER_LINEAR;
	t.mip = TEXTURE_FILTER_NEAREST;
	t.anisotropy = 4 << 5;
	t.lod_max = 1;
	rig_bind(rig, 0, &t);
	CHECK_NEAR(grey(64, 8, 0.5f, GC_TEX_IMPLICIT, 0), 127.5, 1.0);
}

TEST(texel_fetch)
{
	struct rig_texture t = volume(TEXTURE_TYPE_3D);
	struct rig_request r;

	rig_bind(rig, 0, &t);
	rig_request_init(&r, GC_TEX_FETCH);
	for (int i = 0; i < GC_LANES; i++) {
		r.coord[0].i[i] = 3;
		r.coord[1].i[i] = 2;
		r.coord[2].i[i] = i - 4;
		r.lod.f[i] = 0;
	}
	r.coord[0].i[5] = 4;
	r.coord[1].i[6] = INT32_MIN;
	rig_sample(rig, &r);
	for (int i = 0; i < GC_LANES; i++) {
		int z = i - 4;
		double want = z >= 0 && z < 4 && i != 5 && i != 6 ? 60 * z : 0;

		CHECK_NEAR(r.result.c[0].f[i] * 255, want, 1e-3);
	}
}

/* A surface just rendered to: tiles marked as cleared hold the clear value. */
TEST(tile_status)
{
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_A8B8G8R8, 16, 16);
	struct gc_state *state = &rig->gc.state;
	float out[4];

	t.use_ts = true;
	memset(rig->bytes + RIG_TEXTURE, 0x11, 16 * 16 * 4);
	/* two bits a tile: tile 5 is cleared, all others are as in memory */
	memset(rig->bytes + 0x8000, 0, 64);
	rig->bytes[0x8001] = 1 << 2;
	gc_state_set(state, VIVS_TS_SAMPLER_CONFIG(0), VIVS_TS_SAMPLER_CONFIG_ENABLE);
	gc_state_set(state, VIVS_TS_SAMPLER_STATUS_BASE(0), 0x8000);
	gc_state_set(state, VIVS_TS_SAMPLER_CLEAR_VALUE(0), 0xff336600);
	for (int general = 0; general < 2; general++) {
		rig->gc.tx->general_only = general;
		rig_bind(rig, 0, &t);
		for (uint32_t y = 0; y < 16; y++)
			for (uint32_t x = 0; x < 16; x++) {
				bool cleared = x / 4 == 1 && y / 4 == 1;

				rig_sample_one(rig, ((float)x + 0.5f) / 16, ((float)y + 0.5f) / 16,
					       0, 0, out);
				CHECK_NEAR(out[1] * 255, cleared ? 0x66 : 0x11, 1e-3);
				CHECK_NEAR(out[3] * 255, cleared ? 0xff : 0x11, 1e-3);
			}
	}
	rig->gc.tx->general_only = false;
	/* sixteen bits a texel: the driver repeats the value */
	t.format = TEXTURE_FORMAT_R5G6B5;
	gc_state_set(state, VIVS_TS_SAMPLER_CLEAR_VALUE(0), 0xf800f800);
	rig->bytes[0x8000] = 1;
	rig_bind(rig, 0, &t);
	rig_sample_one(rig, 1.5f / 16, 0.5f / 16, 0, 0, out);
	CHECK_NEAR(out[0], 1, 0.0);
	/* 64 bits use both words */
	t.format = 0;
	t.ext = TEXTURE_FORMAT_EXT_G32R32F;
	gc_state_set(state, VIVS_TS_SAMPLER_CLEAR_VALUE(0), 0x3f800000);
	gc_state_set(state, VIVS_TS_SAMPLER_CLEAR_VALUE2(0), 0x40000000);
	rig_bind(rig, 0, &t);
	rig_sample_one(rig, 0.5f / 16, 0.5f / 16, 0, 0, out);
	CHECK_NEAR(out[0], 1, 0.0);
	CHECK_NEAR(out[1], 2, 0.0);
}

int main(void)
{
	int status;

	rig = rig_create("gc3000");
	status = test_all();
	rig_destroy(rig);
	return status;
}
