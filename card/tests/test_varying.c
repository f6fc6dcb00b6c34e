// SPDX-License-Identifier: MIT
/*
 * Interpolation of varyings and depth: the functions of gc/varying.h for quads and blocks against
 * the equations for one pixel, bit for bit.
 */
#include <string.h>

#include "check.h"
#include "gc/varying.h"

static struct gc_setup setup;
static struct gc_batch one, many;

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static float next_float(uint32_t *seed)
{
	return ((float)next_random(seed) / (1 << 23) - 1.0f) * 4.0f;
}

/* Seven components of two varyings; the last component is flat. */
static const struct gc_varyings varyings = {
	.count = 2,
	.components = 7,
	.reg = { 1, 1, 1, 1, 2, 2, 2 },
	.lane_component = { 0, 1, 2, 3, 0, 1, 2 },
	.flat = 1 << 6,
};

static void random_setup(uint32_t *seed)
{
	static const struct gc_plane over_w[3] = { { 1.0f, 0.0f, 0.0f },
						   { 0.25f, 0.0f, 0.0f },
						   { 0.5f, 0.001f, -0.0007f } };

	gc_setup_anchor(&setup, (int32_t)(next_random(seed) % 64),
			(int32_t)(next_random(seed) % 64));
	setup.linear = next_random(seed) % 4 == 0;
	setup.over_w = over_w[next_random(seed) % 3];
	setup.z = (struct gc_plane){ next_float(seed), next_float(seed), next_float(seed) };
	for (unsigned int i = 0; i < varyings.components; i++) {
		setup.at[i] = next_float(seed);
		setup.dx[i] = next_float(seed);
		setup.dy[i] = next_float(seed);
	}
}

static bool same(void)
{
	bool equal = true;

	for (unsigned int reg = 0; reg < 3; reg++)
		for (unsigned int c = 0; c < (reg == 2 ? 3u : 4u); c++)
			equal &= !memcmp(&one.temp[reg].c[c], &many.temp[reg].c[c],
					 sizeof(one.temp[reg].c[c]));
	return equal;
}

/* A plane's value at (@x, @y), in pixels from the centre of pixel (0, 0). */
static float plane_at(struct gc_plane p, float x, float y)
{
	return p.at + p.dx * (x - (float)setup.anchor_x) + p.dy * (y - (float)setup.anchor_y);
}

/* The values of one quad, a pixel and a component at a time, into @one. */
static void reference_quad(int x, int y, const float dx[4], const float dy[4], unsigned int quad)
{
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int lane = 4 * quad + i;
		float px = (float)x + (float)(i % 2), py = (float)y + (float)(i / 2), w;

		one.temp[0].c[0].f[lane] = px + 0.5f;
		one.temp[0].c[1].f[lane] = py + 0.5f;
		one.temp[0].c[2].f[lane] = plane_at(setup.z, px, py);
		one.temp[0].c[3].f[lane] = plane_at(setup.over_w, px, py);
		px += dx ? dx[i] : 0.0f;
		py += dy ? dy[i] : 0.0f;
		w = 1.0f / plane_at(setup.over_w, px, py);
		for (unsigned int c = 0; c < varyings.components; c++) {
			float v = plane_at(
				(struct gc_plane){ setup.at[c], setup.dx[c], setup.dy[c] }, px, py);

			if (!setup.linear && !(varyings.flat >> c & 1))
				v *= w;
			one.temp[varyings.reg[c]].c[varyings.lane_component[c]].f[lane] = v;
		}
	}
}

/* With and without centroids, which are multiples of 1/16 pixel. */
TEST(a_quad_equals_its_pixels)
{
	uint32_t seed = 4;

	for (unsigned int round = 0; round < 500; round++) {
		int x = (int)(next_random(&seed) % 200 * 2),
		    y = (int)(next_random(&seed) % 200 * 2);
		unsigned int quad = next_random(&seed) % GC_QUADS;
		float dx[4], dy[4];

		memset(&one, 0x55, sizeof(one));
		memset(&many, 0x55, sizeof(many));
		random_setup(&seed);
		for (unsigned int i = 0; i < 4; i++) {
			dx[i] = (float)(next_random(&seed) % 16) / 16.0f - 0.5f;
			dy[i] = (float)(next_random(&seed) % 16) / 16.0f - 0.5f;
		}
		if (round % 2) {
			gc_interpolate_quad(&setup, &varyings, x, y, dx, dy, quad, &many);
			reference_quad(x, y, dx, dy, quad);
		} else {
			gc_interpolate_quad(&setup, &varyings, x, y, NULL, NULL, quad, &many);
			reference_quad(x, y, NULL, NULL, quad);
		}
		CHECK(same());
	}
}

/* Runs of any length, and lanes of quads that are not there stay as they are. */
TEST(runs_of_primitives_equal_their_quads)
{
	uint32_t seed = 3;

	for (unsigned int round = 0; round < 500; round++) {
		struct gc_quads quads = { .count = 1 + next_random(&seed) % GC_QUADS };
		struct gc_setup setups[GC_QUADS];
		uint16_t of[GC_QUADS];
		unsigned int n = 0;

		memset(&one, 0x55, sizeof(one));
		memset(&many, 0x55, sizeof(many));
		for (unsigned int q = 0; q < quads.count; q++) {
			if (q == 0 || next_random(&seed) % 4 == 0) {
				random_setup(&seed);
				setups[n++] = setup;
			}
			of[q] = (uint16_t)(n - 1);
			quads.quad[q].x = (int16_t)(next_random(&seed) % 200 * 2);
			quads.quad[q].y = (int16_t)(next_random(&seed) % 200 * 2);
			reference_quad(quads.quad[q].x, quads.quad[q].y, NULL, NULL, q);
		}
		gc_interpolate_quads(setups, of, &varyings, quads.quad, quads.count, &many);
		CHECK(same());
	}
}

TEST(a_block_equals_its_quads)
{
	uint32_t seed = 2;

	for (unsigned int round = 0; round < 500; round++) {
		int x = (int)(next_random(&seed) % 100 * 4),
		    y = (int)(next_random(&seed) % 100 * 4);
		float depth[GC_LANES], quad[4];

		random_setup(&seed);
		gc_interpolate_block(&setup, &varyings, x, y, &many);
		gc_depth_block(&setup, x, y, depth);
		for (int q = 0; q < GC_QUADS; q++) {
			reference_quad(x + q % 4 * 2, y + q / 4 * 2, NULL, NULL, (unsigned int)q);
			gc_depth_quad(&setup, x + q % 4 * 2, y + q / 4 * 2, 0.0f, 0.0f, quad);
			CHECK(!memcmp(quad, depth + 4 * q, sizeof(quad)));
			gc_depth_centers(&setup, x + q % 4 * 2, y + q / 4 * 2, quad);
			CHECK(!memcmp(quad, depth + 4 * q, sizeof(quad)));
		}
		CHECK(same());
	}
}

TEST(what_nobody_reads_is_left_alone)
{
	struct gc_varyings some = varyings;
	uint32_t seed = 3;

	random_setup(&seed);
	memset(&many, 0x5a, sizeof(many));
	some.unread = 1 << 2 | 1 << 6;
	some.unread_t0 = 0xf;
	gc_interpolate_block(&setup, &some, 0, 0, &many);
	CHECK_EQ(many.temp[0].c[0].u[0], 0x5a5a5a5a);
	CHECK_EQ(many.temp[1].c[2].u[63], 0x5a5a5a5a);
	CHECK_EQ(many.temp[2].c[2].u[7], 0x5a5a5a5a);
	CHECK(many.temp[1].c[3].u[0] != 0x5a5a5a5a);
	CHECK(many.temp[2].c[1].u[63] != 0x5a5a5a5a);
}

/* As many components as there are, all read; flat ones come last. */
TEST(all_components)
{
	struct gc_varyings all = { .count = 16, .components = GC_MAX_COMPONENTS, .flat = 0xf };
	const struct gc_quad quad = { 0 };
	const uint16_t none = 0;
	static struct gc_setup flat;

	all.unread_t0 = 0xf;
	flat.over_w.at = 1.0f;
	for (unsigned int i = 0; i < GC_MAX_COMPONENTS; i++) {
		all.reg[i] = (uint8_t)(1 + i / 4);
		all.lane_component[i] = i % 4;
		flat.at[i] = (float)i;
	}
	gc_interpolate_quads(&flat, &none, &all, &quad, 1, &many);
	for (unsigned int i = 0; i < GC_MAX_COMPONENTS; i++)
		CHECK_EQ(many.temp[1 + i / 4].c[i % 4].f[0], (float)i);
}

int main(void)
{
	return test_all();
}
