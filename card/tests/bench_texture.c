// SPDX-License-Identifier: MIT
/*
 * Speed of the texture unit: millions of lookups per second on this host, for several cases.
 * Prints a table; not a test. To be built without sanitizers.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "tx_rig.h"

#define SIZE 512
#define ROUNDS 20000

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* An 8x8 block of pixels at (@x, @y), @scale texels apart. */
static void place(struct rig_request *r, unsigned int x, unsigned int y, float scale)
{
	for (unsigned int i = 0; i < GC_LANES; i++) {
		unsigned int quad = i / 4;

		r->coord[0].f[i] = ((float)(x + quad % 4 * 2 + i % 2) * scale + 0.3f) / SIZE;
		r->coord[1].f[i] = ((float)(y + quad / 4 * 2 + i / 2 % 2) * scale + 0.7f) / SIZE;
		r->coord[2].f[i] = 0.6f;
	}
}

static void run(struct rig *rig, const char *name, const struct rig_texture *t, float scale)
{
	struct rig_request r;
	double start, seconds;

	rig_bind(rig, 0, t);
	rig_request_init(&r, GC_TEX_IMPLICIT);
	r.request.shadow = true; /* has no effect without COMPARE_ENABLE */
	r.request.reference = &r.reference;
	start = now();
	for (unsigned int i = 0; i < ROUNDS; i++) {
		place(&r, i * 8 % 256, i / 32 * 8 % 256, scale);
		rig_sample(rig, &r);
	}
	seconds = now() - start;
	printf("%-32s %8.1f Mlookups/s\n", name, ROUNDS * GC_LANES / seconds / 1e6);
}

static struct rig_texture texture(unsigned int format, enum gc_layout layout, unsigned int filter)
{
	struct rig_texture t = rig_texture_2d(format, SIZE, SIZE);

	t.layout = layout;
	t.halign = layout == GC_SUPERTILED ? TEXTURE_HALIGN_SUPER_TILED : TEXTURE_HALIGN_SIXTEEN;
	t.min = t.mag = filter;
	t.round_uv = filter == TEXTURE_FILTER_LINEAR;
	for (unsigned int l = 1; l < 10; l++)
		t.address[l] = RIG_TEXTURE + 0x200000 * l;
	return t;
}

int main(void)
{
	struct rig *rig = rig_create("gc3000");
	struct rig_texture t;

	t = texture(TEXTURE_FORMAT_A8R8G8B8, GC_TILED, TEXTURE_FILTER_NEAREST);
	run(rig, "nearest tiled", &t, 1.0f);
	t = texture(TEXTURE_FORMAT_A8R8G8B8, GC_LINEAR, TEXTURE_FILTER_NEAREST);
	run(rig, "nearest linear", &t, 1.0f);
	t = texture(TEXTURE_FORMAT_A8R8G8B8, GC_SUPERTILED, TEXTURE_FILTER_NEAREST);
	run(rig, "nearest supertiled", &t, 1.0f);
	t = texture(TEXTURE_FORMAT_A8R8G8B8, GC_TILED, TEXTURE_FILTER_LINEAR);
	run(rig, "bilinear tiled", &t, 0.7f);
	t = texture(TEXTURE_FORMAT_A8R8G8B8, GC_SUPERTILED, TEXTURE_FILTER_LINEAR);
	run(rig, "bilinear supertiled", &t, 0.7f);
	t.mip = TEXTURE_FILTER_NEAREST;
	t.lod_max = 9 << 5;
	run(rig, "bilinear, nearest mip", &t, 1.7f);
	t.mip = TEXTURE_FILTER_LINEAR;
	run(rig, "trilinear supertiled", &t, 1.7f);
	t.type = TEXTURE_TYPE_CUBE_MAP;
	run(rig, "trilinear cube", &t, 1.0f);
	t = texture(TEXTURE_FORMAT_R5G6B5, GC_TILED, TEXTURE_FILTER_LINEAR);
	run(rig, "bilinear 565", &t, 0.7f);
	t = texture(TEXTURE_FORMAT_DXT1, GC_TILED, TEXTURE_FILTER_LINEAR);
	run(rig, "bilinear DXT1", &t, 0.7f);
	t = texture(TEXTURE_FORMAT_D24X8, GC_SUPERTILED, TEXTURE_FILTER_LINEAR);
	run(rig, "bilinear D24", &t, 0.7f);
	t.compare = VIVS_NTE_SAMPLER_BASELOD_COMPARE_ENABLE;
	run(rig, "shadow D24", &t, 0.7f);
	t = texture(TEXTURE_FORMAT_A8R8G8B8, GC_SUPERTILED, TEXTURE_FILTER_LINEAR);
	t.srgb = true;
	run(rig, "bilinear sRGB (one by one)", &t, 0.7f);
	rig_destroy(rig);
	return 0;
}
