// SPDX-License-Identifier: MIT
/*
 * Decodes sampler states to struct tx_sampler. Cores without HALTI1 have TE states at 0x02000,
 * newer ones NTE states at 0x10000. Their fields are the same, so both are read into struct
 * tx_words.
 */
#include "gc/tx.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "gc/format.h"
#include "gc/trace.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define FIELD(value, name) (((value) & name##__MASK) >> name##__SHIFT)

/* The states of one sampler. */
struct tx_words {
	uint32_t config0, config1, size, log_size, lod, config_3d, astc0, baselod;
	uint32_t stride[TX_LEVELS], address[TX_LEVELS];
};

static void read_nte(const struct gc_state *state, unsigned int i, struct tx_words *w)
{
	w->config0 = gc_state_u32(state, VIVS_NTE_SAMPLER_CONFIG0(i));
	w->config1 = gc_state_u32(state, VIVS_NTE_SAMPLER_CONFIG1(i));
	w->size = gc_state_u32(state, VIVS_NTE_SAMPLER_SIZE(i));
	w->log_size = gc_state_u32(state, VIVS_NTE_SAMPLER_LOG_SIZE(i));
	w->lod = gc_state_u32(state, VIVS_NTE_SAMPLER_LOD_CONFIG(i));
	w->config_3d = gc_state_u32(state, VIVS_NTE_SAMPLER_3D_CONFIG(i));
	w->astc0 = gc_state_u32(state, VIVS_NTE_SAMPLER_ASTC0(i));
	w->baselod = gc_state_u32(state, VIVS_NTE_SAMPLER_BASELOD(i));
	/* only level 0 has a stride state; the other levels' strides follow from their width */
	w->stride[0] = gc_state_u32(state, VIVS_NTE_SAMPLER_LINEAR_STRIDE(0, i));
	for (unsigned int l = 0; l < TX_LEVELS; l++)
		w->address[l] = gc_state_u32(state, VIVS_NTE_SAMPLER_ADDR_LOD(i, l));
}

static void read_te(const struct gc_state *state, unsigned int i, struct tx_words *w)
{
	w->config0 = gc_state_u32(state, VIVS_TE_SAMPLER_CONFIG0(i));
	w->config1 = gc_state_u32(state, VIVS_TE_SAMPLER_CONFIG1(i));
	w->size = gc_state_u32(state, VIVS_TE_SAMPLER_SIZE(i));
	w->log_size = gc_state_u32(state, VIVS_TE_SAMPLER_LOG_SIZE(i));
	w->lod = gc_state_u32(state, VIVS_TE_SAMPLER_LOD_CONFIG(i));
	w->config_3d = gc_state_u32(state, VIVS_TE_SAMPLER_3D_CONFIG(i));
	w->astc0 = gc_state_u32(state, VIVS_TE_SAMPLER_ASTC0(i));
	/* as etnaviv emits it; by rnndb's indices it would be that of level i of sampler 0 */
	w->stride[0] = gc_state_u32(state, VIVS_TE_SAMPLER_LINEAR_STRIDE(0, i));
	for (unsigned int l = 0; l < TX_LEVELS; l++)
		w->address[l] = gc_state_u32(state, VIVS_TE_SAMPLER_LOD_ADDR(i, l));
}

static bool has_nte(const struct gc_core *gc)
{
	return gc->personality->halti >= 1;
}

uint64_t tx_state_stamp(const struct gc_core *gc)
{
	uint64_t texture, ts;

	if (has_nte(gc))
		texture =
			gc_state_changed(&gc->state, VIVS_NTE_SAMPLER_CONFIG0(0),
					 VIVS_NTE_SAMPLER_ADDR_LOD(TX_SAMPLERS - 1, TX_LEVELS - 1));
	else
		/* to the last word of the strides, whichever way they are indexed */
		texture = gc_state_changed(&gc->state, VIVS_TE_SAMPLER_CONFIG0(0),
					   VIVS_TE_SAMPLER_LINEAR_STRIDE(15, TX_LEVELS - 1));
	ts = gc_state_changed(&gc->state, VIVS_TS_SAMPLER_CONFIG(0),
			      VIVS_TS_SAMPLER_CLEAR_VALUE2(VIVS_TS_SAMPLER__LEN - 1));
	return texture > ts ? texture : ts;
}

static const struct tx_format *find_format(const struct tx_words *w)
{
	unsigned int ext = FIELD(w->config1, VIVS_TE_SAMPLER_CONFIG1_FORMAT_EXT);

	if (w->log_size & VIVS_TE_SAMPLER_LOG_SIZE_ASTC)
		return tx_format_astc(FIELD(w->astc0, VIVS_NTE_SAMPLER_ASTC0_ASTC_FORMAT));
	return tx_format_find(FIELD(w->config0, VIVS_TE_SAMPLER_CONFIG0_FORMAT), ext);
}

/* NULL if the core does not have it */
static const struct tx_format *decode_format(struct gc_core *gc, unsigned int index,
					     const struct tx_words *w)
{
	const struct tx_format *format = find_format(w);
	const char *lacks = format ? tx_format_lacks(gc->personality, format) : "unknown";

	if (!lacks)
		return has_nte(gc) ? format : tx_format_before_halti1(format);
	gc->counters.tx_refused_formats++;
	if (gc_tracing(gc))
		gc_trace(gc, "tx", "sampler %u: format %s refused, off (%s)", index,
			 format ? format->name : "?", lacks);
	return NULL;
}

static enum gc_layout decode_layout(const struct tx_words *w)
{
	if (FIELD(w->config0, VIVS_TE_SAMPLER_CONFIG0_ADDRESSING_MODE) ==
	    TEXTURE_ADDRESSING_MODE_LINEAR)
		return GC_LINEAR;
	switch (FIELD(w->config1, VIVS_TE_SAMPLER_CONFIG1_HALIGN)) {
	case TEXTURE_HALIGN_SUPER_TILED:
		return GC_SUPERTILED;
	case TEXTURE_HALIGN_SPLIT_TILED:
		return GC_MULTI_TILED;
	case TEXTURE_HALIGN_SPLIT_SUPER_TILED:
		return GC_MULTI_SUPERTILED;
	default:
		return GC_TILED;
	}
}

/*
 * Alignment of an uncompressed level's size in texels: tiles, the resolve engine's width, or
 * supertiles; rows of these for each pixel pipe if the surface is split.
 */
static void padding(const struct gc_core *gc, const struct tx_words *w, enum gc_layout layout,
		    uint32_t *pad_x, uint32_t *pad_y)
{
	switch (layout) {
	case GC_SUPERTILED:
		*pad_x = *pad_y = 64;
		break;
	case GC_MULTI_SUPERTILED:
		*pad_x = 64, *pad_y = 64 * gc->personality->pixel_pipes;
		break;
	case GC_MULTI_TILED:
		*pad_x = 16, *pad_y = 4 * gc->personality->pixel_pipes;
		break;
	default:
		*pad_x = FIELD(w->config1, VIVS_TE_SAMPLER_CONFIG1_HALIGN) == TEXTURE_HALIGN_SIXTEEN
				 ? 16
				 : 4;
		*pad_y = 4;
		break;
	}
}

static uint32_t round_up(uint32_t value, uint32_t multiple)
{
	return (value + multiple - 1) / multiple * multiple;
}

static void set_level_address(const struct gc_core *gc, const struct tx_words *w, unsigned int l,
			      struct tx_sampler *s)
{
	struct tx_level *level = &s->level[l];
	const struct tx_format *f = s->format;
	uint32_t pad_x, pad_y, rows;

	if (tx_format_is_compressed(f)) {
		/* blocks are stored in rows without padding, whatever the addressing mode is */
		pad_x = f->block_w;
		pad_y = f->block_h;
	} else {
		padding(gc, w, s->layout, &pad_x, &pad_y);
	}
	rows = round_up((uint32_t)level->size[1], pad_y) / f->block_h;
	level->stride = round_up((uint32_t)level->size[0], pad_x) / f->block_w * f->bytes;
	if (s->layout == GC_LINEAR && !tx_format_is_compressed(f) && w->stride[l])
		level->stride = w->stride[l];
	level->layer_stride = level->stride * rows;
	s->split_offset[l] = level->stride * (rows / 2);
	level->address = w->address[l];
}

static int32_t minified(uint32_t size, unsigned int level)
{
	return size >> level ? (int32_t)(size >> level) : 1;
}

static void decode_levels(const struct gc_core *gc, const struct tx_words *w, struct tx_sampler *s)
{
	uint32_t width = FIELD(w->size, VIVS_TE_SAMPLER_SIZE_WIDTH);
	uint32_t height = FIELD(w->size, VIVS_TE_SAMPLER_SIZE_HEIGHT);
	uint32_t depth = FIELD(w->config_3d, VIVS_TE_SAMPLER_3D_CONFIG_DEPTH);

	for (unsigned int l = 0; l < TX_LEVELS; l++) {
		struct tx_level *level = &s->level[l];

		level->size[0] = minified(width, l);
		level->size[1] = s->filtered_dims > 1 ? minified(height, l) : 1;
		level->size[2] = s->filtered_dims > 2 ? minified(depth, l) : 1;
		for (int i = 0; i < 3; i++)
			level->fsize[i] = (float)level->size[i];
		set_level_address(gc, w, l, s);
	}
	if (s->type == TEXTURE_TYPE_CUBE_MAP)
		s->layers = 6;
	else if (s->array)
		s->layers = (int32_t)(s->type == TEXTURE_TYPE_3D ? depth : height);
	else
		s->layers = 1;
	if (s->layers < 1)
		s->layers = 1;
}

static void decode_shape(const struct tx_words *w, struct tx_sampler *s)
{
	s->type = FIELD(w->config0, VIVS_TE_SAMPLER_CONFIG0_TYPE);
	s->array = w->config1 & VIVS_TE_SAMPLER_CONFIG1_TEXTURE_ARRAY &&
		   s->type != TEXTURE_TYPE_CUBE_MAP;
	s->seamless = w->config1 & VIVS_TE_SAMPLER_CONFIG1_SEAMLESS_CUBE_MAP &&
		      s->type == TEXTURE_TYPE_CUBE_MAP;
	switch (s->type) {
	case TEXTURE_TYPE_1D:
		s->filtered_dims = 1;
		break;
	case TEXTURE_TYPE_3D: /* also arrays of 2D textures, with depth layers */
		s->filtered_dims = s->array ? 2 : 3;
		break;
	/* an array of 1D textures is a 2D texture whose rows are layers */
	case TEXTURE_TYPE_2D:
		s->filtered_dims = s->array ? 1 : 2;
		break;
	default:
		s->filtered_dims = 2;
		break;
	}
	s->wrap[0] = FIELD(w->config0, VIVS_TE_SAMPLER_CONFIG0_UWRAP);
	s->wrap[1] = FIELD(w->config0, VIVS_TE_SAMPLER_CONFIG0_VWRAP);
	s->wrap[2] = FIELD(w->config_3d, VIVS_TE_SAMPLER_3D_CONFIG_WRAP);
	if (s->type == TEXTURE_TYPE_CUBE_MAP)
		s->wrap[0] = s->wrap[1] = TEXTURE_WRAPMODE_CLAMP_TO_EDGE;
}

static void decode_filter(const struct tx_words *w, struct tx_sampler *s)
{
	unsigned int log_ratio = FIELD(w->config0, VIVS_TE_SAMPLER_CONFIG0_ANISOTROPY);

	s->min = FIELD(w->config0, VIVS_TE_SAMPLER_CONFIG0_MIN);
	s->mag = FIELD(w->config0, VIVS_TE_SAMPLER_CONFIG0_MAG);
	s->mip = FIELD(w->config0, VIVS_TE_SAMPLER_CONFIG0_MIP);
	s->round_uv = w->config0 & VIVS_TE_SAMPLER_CONFIG0_ROUND_UV;
	s->anisotropy = 1.0f;
	if (s->min >= TEXTURE_FILTER_LINEAR && s->filtered_dims == 2 && log_ratio)
		s->anisotropy = fminf(gc_exp2_32nds(log_ratio), TX_MAX_ANISOTROPY);
	s->compare = w->baselod & VIVS_NTE_SAMPLER_BASELOD_COMPARE_ENABLE;
	s->compare_func = FIELD(w->baselod, VIVS_NTE_SAMPLER_BASELOD_COMPARE_FUNC);
}

/* LOD fields are 5.5 fixed point; the bias is signed. */
static void decode_lod(const struct tx_words *w, struct tx_sampler *s)
{
	int32_t bias = (int32_t)(FIELD(w->lod, VIVS_TE_SAMPLER_LOD_CONFIG_BIAS) << 22) >> 22;

	s->lod_min = (float)FIELD(w->lod, VIVS_TE_SAMPLER_LOD_CONFIG_MIN) / 32.0f;
	s->lod_max = (float)FIELD(w->lod, VIVS_TE_SAMPLER_LOD_CONFIG_MAX) / 32.0f;
	s->lod_bias = w->lod & VIVS_TE_SAMPLER_LOD_CONFIG_BIAS_ENABLE ? (float)bias / 32.0f : 0.0f;
	if (w->baselod & VIVS_NTE_SAMPLER_BASELOD_BASELOD_ENABLE) {
		float base = (float)FIELD(w->baselod, VIVS_NTE_SAMPLER_BASELOD_BASELOD);
		float last = (float)FIELD(w->baselod, VIVS_NTE_SAMPLER_BASELOD_MAXLOD);

		s->lod_min = fmaxf(s->lod_min, base);
		s->lod_max = fminf(s->lod_max, last);
	}
	s->lod_max = fminf(s->lod_max, TX_LEVELS - 1);
	s->lod_min = fminf(s->lod_min, s->lod_max);
}

static void decode_swizzle(const struct tx_words *w, struct tx_sampler *s)
{
	s->swizzle[0] = FIELD(w->config1, VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_R);
	s->swizzle[1] = FIELD(w->config1, VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_G);
	s->swizzle[2] = FIELD(w->config1, VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_B);
	s->swizzle[3] = FIELD(w->config1, VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_A);
	s->identity = true;
	for (unsigned int c = 0; c < 4; c++)
		s->identity &= s->swizzle[c] == TEXTURE_SWIZZLE_RED + c;
}

static void decode_ts(const struct gc_core *gc, unsigned int i, const struct tx_words *w,
		      struct tx_sampler *s)
{
	const struct gc_state *state = &gc->state;
	uint32_t clear[2];

	s->ts.enabled =
		w->config1 & VIVS_TE_SAMPLER_CONFIG1_USE_TS && i < VIVS_TS_SAMPLER__LEN &&
		gc_state_u32(state, VIVS_TS_SAMPLER_CONFIG(i)) & VIVS_TS_SAMPLER_CONFIG_ENABLE &&
		!tx_format_is_compressed(s->format);
	if (!s->ts.enabled)
		return;
	s->ts.status_address = gc_state_u32(state, VIVS_TS_SAMPLER_STATUS_BASE(i));
	clear[0] = gc_state_u32(state, VIVS_TS_SAMPLER_CLEAR_VALUE(i));
	clear[1] = clear[0];
	if (s->format->bytes > 4)
		clear[1] = gc_state_u32(state, VIVS_TS_SAMPLER_CLEAR_VALUE2(i));
	memcpy(s->ts.clear, clear, 8);
	memcpy(s->ts.clear + 8, clear, 8);
}

/* What tx_fast.c can do; filter_pass() in tx_filter.c and tx_deferred.c rely on it, too. */
static bool is_fast(const struct tx_sampler *s)
{
	bool format = tx_format_is_rgba8(s->format) ? !s->srgb && !s->compare : s->format->depth;

	return format && s->filtered_dims == 2 && !s->seamless && s->anisotropy <= 1.0f &&
	       s->wrap[0] != TEXTURE_WRAPMODE_CLAMP_TO_BORDER &&
	       s->wrap[1] != TEXTURE_WRAPMODE_CLAMP_TO_BORDER && s->layout <= GC_SUPERTILED;
}

bool tx_decode_sampler(struct gc_core *gc, unsigned int index, struct tx_sampler *s)
{
	struct tx_words w = { 0 };

	if (has_nte(gc))
		read_nte(&gc->state, index, &w);
	else if (index < VIVS_TE_SAMPLER__LEN)
		read_te(&gc->state, index, &w);
	s->enabled = false;
	if (FIELD(w.config0, VIVS_TE_SAMPLER_CONFIG0_TYPE) == TEXTURE_TYPE_NONE)
		return false;
	if (!w.size)
		return false;
	s->format = decode_format(gc, index, &w);
	if (!s->format)
		return false;
	s->layout = decode_layout(&w);
	s->srgb = tx_format_is_rgba8(s->format) && w.log_size & VIVS_TE_SAMPLER_LOG_SIZE_SRGB;
	if (w.log_size & VIVS_TE_SAMPLER_LOG_SIZE_ASTC)
		s->srgb = w.astc0 & VIVS_NTE_SAMPLER_ASTC0_ASTC_SRGB;
	decode_shape(&w, s);
	decode_filter(&w, s);
	decode_lod(&w, s);
	decode_swizzle(&w, s);
	decode_levels(gc, &w, s);
	decode_ts(gc, index, &w, s);
	s->fast = is_fast(s);
	s->one_level = tx_allows_one_level(s) && !gc->tx->data[0]; /* tx_one_level() reads memory */
	s->enabled = true;
	return true;
}
