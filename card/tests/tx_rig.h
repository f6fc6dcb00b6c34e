/* SPDX-License-Identifier: MIT */
/*
 * A texture unit for tests: a core with guest memory at address 0, samplers with states as Mesa
 * writes them, and requests.
 */
#ifndef CARD_TESTS_TX_RIG_H
#define CARD_TESTS_TX_RIG_H

#include <stdlib.h>
#include <string.h>

#include "gc/core.h"
#include "gc/layout.h"
#include "gc/personality.h"
#include "gc/shader.h"
#include "gc/texture.h"
#include "gc/tx.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define RIG_MEMORY (64u << 20)
#define RIG_TEXTURE 0x100000u /* where rig_bind() puts level 0 */

struct rig {
	struct gc_core gc;
	struct guest_memory memory;
	uint8_t *bytes;
	unsigned int faults;
};

/* A texture and its sampler, in the units of the states. */
struct rig_texture {
	unsigned int type, format, ext, astc;
	unsigned int width, height, depth, levels;
	enum gc_layout layout;
	unsigned int halign, stride;
	unsigned int wrap[3];
	unsigned int min, mag, mip;
	unsigned int swizzle;                      /* CONFIG1 bits; 0 = RGBA */
	unsigned int lod_min, lod_max, anisotropy; /* 5.5 fixed point */
	int lod_bias;
	bool array, seamless, srgb, is_astc, round_uv, use_ts;
	unsigned int compare; /* BASELOD bits */
	uint32_t address[TX_LEVELS];
};

static void rig_raise(void *ctx)
{
	struct rig *rig = ctx;

	rig->faults++;
}

static struct rig *rig_create(const char *personality)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	rig->bytes = calloc(1, RIG_MEMORY);
	rig->memory.count = 1;
	rig->memory.region[0] = (struct guest_region){ 0, RIG_MEMORY, rig->bytes };
	rig->gc.personality = gc_personality_find(personality);
	rig->gc.pipeline.params = gpu_params_find("imx6q");
	gc_mmu_init(&rig->gc.mmu, rig->gc.personality->mmu_version, &rig->memory);
	rig->gc.mmu.raise = rig_raise;
	rig->gc.mmu.raise_ctx = rig;
	rig->gc.tx = gc_texture_create(&rig->gc);
	return rig;
}

/* From now on, the lines of the cache have contents. */
static inline void rig_use_cache_data(struct rig *rig)
{
	gc_texture_destroy(rig->gc.tx);
	rig->gc.options.cache_data = true;
	rig->gc.tx = gc_texture_create(&rig->gc);
}

static void rig_destroy(struct rig *rig)
{
	gc_texture_destroy(rig->gc.tx);
	free(rig->bytes);
	free(rig);
}

static inline struct rig_texture rig_texture_2d(unsigned int format, unsigned int width,
						unsigned int height)
{
	return (struct rig_texture){
		.type = TEXTURE_TYPE_2D,
		.format = format,
		.width = width,
		.height = height,
		.depth = 1,
		.levels = 1,
		.layout = GC_TILED,
		.halign = TEXTURE_HALIGN_SIXTEEN,
		.min = TEXTURE_FILTER_NEAREST,
		.mag = TEXTURE_FILTER_NEAREST,
		.address = { RIG_TEXTURE },
	};
}

static uint32_t rig_config0(const struct rig_texture *t)
{
	return VIVS_TE_SAMPLER_CONFIG0_TYPE(t->type) | VIVS_TE_SAMPLER_CONFIG0_UWRAP(t->wrap[0]) |
	       VIVS_TE_SAMPLER_CONFIG0_VWRAP(t->wrap[1]) | VIVS_TE_SAMPLER_CONFIG0_MIN(t->min) |
	       VIVS_TE_SAMPLER_CONFIG0_MIP(t->mip) | VIVS_TE_SAMPLER_CONFIG0_MAG(t->mag) |
	       VIVS_TE_SAMPLER_CONFIG0_FORMAT(t->format) |
	       (t->round_uv ? VIVS_TE_SAMPLER_CONFIG0_ROUND_UV : 0) |
	       VIVS_TE_SAMPLER_CONFIG0_ADDRESSING_MODE(
		       t->layout == GC_LINEAR ? TEXTURE_ADDRESSING_MODE_LINEAR : 0) |
	       VIVS_TE_SAMPLER_CONFIG0_ANISOTROPY(t->anisotropy);
}

static uint32_t rig_config1(const struct rig_texture *t)
{
	uint32_t swizzle = t->swizzle;

	if (!swizzle)
		swizzle = VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_R(0) |
			  VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_G(1) |
			  VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_B(2) |
			  VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_A(3);
	return VIVS_TE_SAMPLER_CONFIG1_FORMAT_EXT(t->ext) | swizzle |
	       (t->array ? VIVS_TE_SAMPLER_CONFIG1_TEXTURE_ARRAY : 0) |
	       (t->seamless ? VIVS_TE_SAMPLER_CONFIG1_SEAMLESS_CUBE_MAP : 0) |
	       VIVS_TE_SAMPLER_CONFIG1_HALIGN(t->halign) |
	       (t->use_ts ? VIVS_TE_SAMPLER_CONFIG1_USE_TS : 0);
}

static uint32_t rig_lod(const struct rig_texture *t)
{
	return (t->lod_bias ? VIVS_TE_SAMPLER_LOD_CONFIG_BIAS_ENABLE : 0) |
	       VIVS_TE_SAMPLER_LOD_CONFIG_MAX(t->lod_max) |
	       VIVS_TE_SAMPLER_LOD_CONFIG_MIN(t->lod_min) |
	       VIVS_TE_SAMPLER_LOD_CONFIG_BIAS((uint32_t)t->lod_bias);
}

/* Load the states of NTE sampler @i and let the unit decode them. */
static void rig_bind(struct rig *rig, unsigned int i, const struct rig_texture *t)
{
	struct gc_state *state = &rig->gc.state;

	gc_state_set(state, VIVS_NTE_SAMPLER_CONFIG0(i), rig_config0(t));
	gc_state_set(state, VIVS_NTE_SAMPLER_SIZE(i),
		     VIVS_TE_SAMPLER_SIZE_WIDTH(t->width) | VIVS_TE_SAMPLER_SIZE_HEIGHT(t->height));
	gc_state_set(state, VIVS_NTE_SAMPLER_LOG_SIZE(i),
		     (t->srgb ? VIVS_TE_SAMPLER_LOG_SIZE_SRGB : 0) |
			     (t->is_astc ? VIVS_TE_SAMPLER_LOG_SIZE_ASTC : 0));
	gc_state_set(state, VIVS_NTE_SAMPLER_LOD_CONFIG(i), rig_lod(t));
	gc_state_set(state, VIVS_NTE_SAMPLER_LINEAR_STRIDE(0, i), t->stride);
	gc_state_set(state, VIVS_NTE_SAMPLER_3D_CONFIG(i),
		     VIVS_TE_SAMPLER_3D_CONFIG_DEPTH(t->depth) |
			     VIVS_TE_SAMPLER_3D_CONFIG_WRAP(t->wrap[2]));
	gc_state_set(state, VIVS_NTE_SAMPLER_CONFIG1(i), rig_config1(t));
	gc_state_set(state, VIVS_NTE_SAMPLER_ASTC0(i), t->astc);
	gc_state_set(state, VIVS_NTE_SAMPLER_BASELOD(i), t->compare);
	for (unsigned int l = 0; l < TX_LEVELS; l++)
		gc_state_set(state, VIVS_NTE_SAMPLER_ADDR_LOD(i, l), t->address[l]);
	gc_texture_begin_draw(&rig->gc);
}

/* A request of 64 lanes with its storage. */
struct rig_request {
	union gc_lanes coord[4], lod, reference, ddx[3], ddy[3];
	struct gc_texture_request request;
	struct gc_vec4 result;
};

static void rig_request_init(struct rig_request *r, enum gc_texture_mode mode)
{
	memset(r, 0, sizeof(*r));
	r->request.mode = mode;
	for (int c = 0; c < 4; c++)
		r->request.coord[c] = &r->coord[c];
	for (int c = 0; c < 3; c++) {
		r->request.ddx[c] = &r->ddx[c];
		r->request.ddy[c] = &r->ddy[c];
	}
	r->request.lod = &r->lod;
	r->request.live = UINT64_MAX;
	r->request.pixel_stage = true;
}

static void rig_sample(struct rig *rig, struct rig_request *r)
{
	gc_texture_sample(&rig->gc, &r->request, &r->result);
}

/* One lookup of sampler 0 at level @lod. */
static inline void rig_sample_one(struct rig *rig, float s, float t, float p, float lod,
				  float out[4])
{
	struct rig_request r;

	rig_request_init(&r, GC_TEX_LOD);
	r.request.live = 1;
	r.coord[0].f[0] = s;
	r.coord[1].f[0] = t;
	r.coord[2].f[0] = p;
	r.lod.f[0] = lod;
	rig_sample(rig, &r);
	for (int c = 0; c < 4; c++)
		out[c] = r.result.c[c].f[0];
}

/* A small reproducible random generator (xorshift). */
static inline uint32_t rig_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static inline float rig_random_float(uint32_t *seed, float low, float high)
{
	return low + (high - low) * (float)(rig_random(seed) >> 8) / 16777216.0f;
}

#endif
