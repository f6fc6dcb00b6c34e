// SPDX-License-Identifier: MIT
/*
 * Sampling one lane: addressing, texel fetch, filters within and between levels, comparison,
 * anisotropy. This is the reference implementation: it supports all features. tx_fast.c
 * and tx_one_level.c compute the same for common samplers, bit by bit.
 *
 * Components of eight-bit formats are filtered as numbers 0..255, with weights that are multiples
 * of 1/256: in two dimensions a float holds these sums exactly.
 */
#include "gc/tx.h"

#include <math.h>
#include <string.h>

#include "gc/format.h"
#include "gc/tx_fetch.h"
#include "gc/tx_wrap.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"

/* The texels that a coordinate selects along one axis. */
struct axis {
	int32_t at[2]; /* texel coordinates, or TX_BORDER */
	float weight;  /* of at[1]; 0: only at[0] counts */
};

#define tx_number(s) (isnan(s) ? 0.0f : (s))
#define tx_floor(s) floorf(s)
#define tx_smaller(a, b) fminf(a, b)
#define tx_larger(a, b) fmaxf(a, b)
#define tx_choose(mask, yes, no) ((mask) ? (yes) : (no))

TX_DEFINE_WRAP(fold, wrap_texel, int32_t, float)

static int32_t clamp_texel(int32_t i, int32_t size)
{
	return wrap_texel(i, size, TEXTURE_WRAPMODE_CLAMP_TO_EDGE, false);
}

static struct axis find_axis(const struct tx_sampler *s, const struct tx_level *level, int c,
			     float coord, bool linear)
{
	float u = fold(coord, s->wrap[c]) * level->fsize[c] * TX_SUBTEXELS;
	int32_t fixed, size = level->size[c];
	struct axis axis = { .weight = 0.0f };

	if (linear) {
		fixed = (int32_t)floorf(s->round_uv ? u + 0.5f : u) - TX_SUBTEXELS / 2;
		axis.weight = (float)(fixed & (TX_SUBTEXELS - 1)) / TX_SUBTEXELS;
	} else {
		fixed = (int32_t)floorf(u);
	}
	axis.at[0] = fixed >> TX_SUBTEXEL_BITS;
	axis.at[1] = axis.at[0] + 1;
	if (s->seamless)
		return axis; /* fetch_seamless() reads texels beyond an edge from other faces */
	axis.at[0] = wrap_texel(axis.at[0], size, s->wrap[c], false);
	axis.at[1] = wrap_texel(axis.at[1], size, s->wrap[c], false);
	return axis;
}

/* RGBA8 as floats: 0..255, or 0..1 for sRGB. */
static void unpack(const struct tx_sampler *s, uint32_t rgba, float out[4])
{
	for (int i = 0; i < 4; i++)
		out[i] = (float)(rgba >> 8 * i & 255);
	if (!s->srgb)
		return;
	for (int i = 0; i < 3; i++)
		out[i] = gc_srgb_decode((rgba >> 8 * i) & 255);
	out[3] /= 255.0f;
}

/* Decoded EAC blocks have 16-bit fixed-point components. */
static void unpack_rg16(const struct tx_format *f, uint32_t rg, float out[4])
{
	out[0] = (float)(int16_t)rg * f->eac_scale;
	out[1] = f->bytes > 8 ? (float)(int16_t)(rg >> 16) * f->eac_scale : 0.0f;
	out[2] = 0.0f;
	out[3] = 1.0f;
}

static void fetch_compressed(struct tx_access *a, unsigned int l, uint32_t base, int32_t x,
			     int32_t y, float out[4])
{
	const struct tx_format *f = a->sampler->format;
	uint32_t bx = (uint32_t)x / f->block_w, by = (uint32_t)y / f->block_h;
	uint32_t in_block = (uint32_t)y % f->block_h * f->block_w + (uint32_t)x % f->block_w;
	uint32_t texel = tx_block(a, base + tx_offset(a->unit, a->sampler, l, bx, by))[in_block];

	if (f->kind == TX_BLOCK_RG16)
		unpack_rg16(f, texel, out);
	else
		unpack(a->sampler, texel, out);
}

/* Read the texel at @x, @y of slice, layer or face @z, which is inside the texture. */
static void fetch(struct tx_access *a, unsigned int l, int32_t x, int32_t y, int32_t z,
		  float out[4])
{
	const struct tx_sampler *s = a->sampler;
	uint32_t layer = (uint32_t)z * s->level[l].layer_stride;
	uint32_t base = s->level[l].address;
	uint32_t offset;

	if (tx_format_is_compressed(s->format)) {
		fetch_compressed(a, l, base + layer, x, y, out);
		return;
	}
	offset = layer + tx_offset(a->unit, s, l, (uint32_t)x, (uint32_t)y);
	if (tx_format_is_rgba8(s->format))
		unpack(s, tx_texel_rgba8(a, base, offset, x & 1), out);
	else
		tx_unpack_float(s->format->kind, tx_texel(a, base, offset, s->format->bytes), out);
}

TX_DEFINE_COMPARE(compare, int, float)

static void compare_texel(const struct tx_sampler *s, float reference, float out[4])
{
	/* The reference is clamped for fixed-point depth (OpenGL ES 3.2, 8.20.1); NaN becomes 0. */
	if (s->format->depth)
		reference = fminf(reference > 0.0f ? reference : 0.0f, 1.0f);
	out[0] = out[1] = out[2] = (float)compare(s->compare_func, reference, out[0]);
	out[3] = 1.0f;
}

/* Parameters of a filter's taps that are the same for all of them. */
struct tap {
	unsigned int level;
	const float *reference; /* value to compare with, or NULL */
};

static void fetch_tap(struct tx_access *a, const struct tap *tap, int32_t x, int32_t y, int32_t z,
		      float out[4])
{
	if (x == TX_BORDER || y == TX_BORDER || z == TX_BORDER)
		memset(out, 0, 4 * sizeof(out[0])); /* the border is transparent black */
	else
		fetch(a, tap->level, x, y, z, out);
	if (tap->reference)
		compare_texel(a->sampler, *tap->reference, out);
}

static void lerp(float a[4], const float b[4], float weight)
{
	for (int i = 0; i < 4; i++)
		a[i] += (b[i] - a[i]) * weight;
}

/* Filter along the first axis. A texel of weight 0 is not read, and not counted. */
static void filter_row(struct tx_access *a, const struct tap *tap, const struct axis *x, int32_t y,
		       int32_t z, float out[4])
{
	float second[4];

	fetch_tap(a, tap, x->at[0], y, z, out);
	if (x->weight == 0.0f)
		return;
	fetch_tap(a, tap, x->at[1], y, z, second);
	lerp(out, second, x->weight);
}

static void filter_plane(struct tx_access *a, const struct tap *tap, const struct axis axis[3],
			 int32_t z, float out[4])
{
	float second[4];

	filter_row(a, tap, &axis[0], axis[1].at[0], z, out);
	if (axis[1].weight == 0.0f)
		return;
	filter_row(a, tap, &axis[0], axis[1].at[1], z, second);
	lerp(out, second, axis[1].weight);
}

/* Texel of a seamless cube; false at a corner, where three faces meet and there is none. */
static bool fetch_seamless(struct tx_access *a, const struct tap *tap, int face, int32_t x,
			   int32_t y, float out[4])
{
	int32_t size = a->sampler->level[tap->level].size[0];
	bool out_x = x < 0 || x >= size, out_y = y < 0 || y >= size;

	if (out_x && out_y)
		return false;
	if (out_x || out_y)
		face = tx_cube_neighbour(face, size, &x, &y);
	fetch_tap(a, tap, clamp_texel(x, size), clamp_texel(y, size), face, out);
	return true;
}

/* A missing corner is the mean of the other three (OpenGL ES 3.2, 8.14.3). */
static void fill_corner(float texel[4][4], int missing)
{
	for (int c = 0; c < 4; c++) {
		float sum = 0.0f;

		for (int i = 0; i < 4; i++)
			sum += i == missing ? 0.0f : texel[i][c];
		texel[missing][c] = sum / 3.0f;
	}
}

/* filter_level() for a seamless cube: reads all four texels, also those with weight 0. */
static void filter_seamless(struct tx_access *a, const struct tap *tap, const struct axis axis[3],
			    int face, bool linear, float out[4])
{
	int32_t size = a->sampler->level[tap->level].size[0];
	float texel[4][4];
	int missing = -1;

	if (!linear) {
		fetch_tap(a, tap, clamp_texel(axis[0].at[0], size),
			  clamp_texel(axis[1].at[0], size), face, out);
		return;
	}
	for (int i = 0; i < 4; i++)
		if (!fetch_seamless(a, tap, face, axis[0].at[i & 1], axis[1].at[i >> 1], texel[i]))
			missing = i;
	if (missing >= 0)
		fill_corner(texel, missing);
	lerp(texel[0], texel[1], axis[0].weight);
	lerp(texel[2], texel[3], axis[0].weight);
	lerp(texel[0], texel[2], axis[1].weight);
	memcpy(out, texel[0], sizeof(texel[0]));
}

/* Sample one level at @coord. */
static void filter_level(struct tx_access *a, const struct tap *tap, const float coord[3],
			 int32_t layer, bool linear, float out[4])
{
	const struct tx_sampler *s = a->sampler;
	const struct tx_level *level = &s->level[tap->level];
	struct axis axis[3] = { 0 };
	float second[4];

	linear = linear && !tx_format_is_integer(s->format);
	for (unsigned int c = 0; c < s->filtered_dims; c++)
		axis[c] = find_axis(s, level, (int)c, coord[c], linear);
	if (s->seamless) {
		filter_seamless(a, tap, axis, layer, linear, out);
		return;
	}
	if (s->filtered_dims < 3)
		axis[2].at[0] = layer;
	filter_plane(a, tap, axis, axis[2].at[0], out);
	if (axis[2].weight == 0.0f)
		return;
	filter_plane(a, tap, axis, axis[2].at[1], second);
	lerp(out, second, axis[2].weight);
}

/* Sample the lookup's level, or two levels and interpolate, at @coord. */
static void filter_probe(struct tx_access *a, const struct tx_lookup *lookup, unsigned int lane,
			 const float coord[3], const float *reference, float out[4])
{
	struct tap tap = { lookup->level[lane], reference };
	bool linear = lookup->linear >> lane & 1;
	int32_t layer = lookup->layer.i[lane];
	float second[4];

	filter_level(a, &tap, coord, layer, linear, out);
	if (!(lookup->blended >> lane & 1) || tx_format_is_integer(a->sampler->format))
		return;
	tap.level++;
	filter_level(a, &tap, coord, layer, linear, second);
	lerp(out, second, lookup->blend.f[lane]);
}

/*
 * Scale filtered components 0..255 to 0..1; other formats, and results of comparisons, are in their
 * range already.
 */
static void finish(const struct tx_sampler *s, const float *reference, float out[4])
{
	if (!tx_format_is_rgba8(s->format) || s->srgb || reference)
		return;
	for (int i = 0; i < 4; i++)
		out[i] *= 1.0f / 255.0f;
}

void tx_filter_lane(struct tx_access *a, const struct tx_lookup *lookup, unsigned int lane,
		    const float *reference, float out[4])
{
	unsigned int probes = lookup->probes[lane];
	float coord[3], sum[4] = { 0 };

	for (int c = 0; c < 3; c++)
		coord[c] = lookup->coord[c].f[lane];
	if (probes <= 1) {
		filter_probe(a, lookup, lane, coord, reference, out);
		finish(a->sampler, reference, out);
		return;
	}
	for (unsigned int p = 0; p < probes; p++) {
		float along = (float)p + 0.5f - 0.5f * (float)probes;

		for (int c = 0; c < 2; c++)
			coord[c] = lookup->coord[c].f[lane] + lookup->step[c][lane] * along;
		filter_probe(a, lookup, lane, coord, reference, out);
		for (int i = 0; i < 4; i++)
			sum[i] += out[i];
	}
	for (int i = 0; i < 4; i++)
		out[i] = sum[i] / (float)probes;
	finish(a->sampler, reference, out);
}

/*
 * Sample level + @next of each lane of @live; @out receives these lanes only. Lookups of samplers
 * with @fast, which are 2D and have one probe, read the first texel of all lanes, then the second
 * one of all, and so on, on which depends what the cache holds. If a lane of @weighed has a weight
 * along an axis, all read the second texel there.
 */
static void filter_pass(struct tx_access *a, const struct tx_lookup *lookup,
			const union gc_lanes *reference, uint64_t live, uint64_t weighed,
			unsigned int next, float out[GC_LANES][4])
{
	float texel[4][GC_LANES][4];
	struct axis axis[2][GC_LANES];
	struct tap tap[GC_LANES];
	bool pairs[2] = { false, false };

	for (unsigned int i = 0; i < GC_LANES; i++) {
		tap[i].level = lookup->level[i] + (lookup->blended >> i & next);
		tap[i].reference = reference ? &reference->f[i] : NULL;
		for (int c = 0; c < 2; c++) {
			axis[c][i] = find_axis(a->sampler, &a->sampler->level[tap[i].level], c,
					       lookup->coord[c].f[i], lookup->linear >> i & 1);
			pairs[c] |= weighed >> i & 1 && axis[c][i].weight != 0.0f;
		}
	}
	for (unsigned int t = 0; t < 4; t++)
		for (unsigned int i = 0; i < GC_LANES; i++)
			if (live >> i & 1 && (pairs[0] || !(t & 1)) && (pairs[1] || !(t & 2)))
				fetch_tap(a, &tap[i], axis[0][i].at[t & 1], axis[1][i].at[t >> 1],
					  lookup->layer.i[i], texel[t][i]);
	for (unsigned int i = 0; i < GC_LANES; i++) {
		if (!(live >> i & 1))
			continue;
		memcpy(out[i], texel[0][i], sizeof(out[i]));
		if (pairs[0])
			lerp(out[i], texel[1][i], axis[0][i].weight);
		if (pairs[0] && pairs[1])
			lerp(texel[2][i], texel[3][i], axis[0][i].weight);
		if (pairs[1])
			lerp(out[i], texel[2][i], axis[1][i].weight);
	}
}

void tx_filter_taps(struct tx_access *a, const struct tx_lookup *lookup,
		    const union gc_lanes *reference, uint64_t live, struct gc_vec4 *to)
{
	uint64_t blended = lookup->blended & live;
	float out[GC_LANES][4], second[GC_LANES][4];

	filter_pass(a, lookup, reference, live, live, 0, out);
	if (blended)
		filter_pass(a, lookup, reference, blended, live, 1, second);
	for (unsigned int i = 0; i < GC_LANES; i++) {
		if (!(live >> i & 1))
			continue;
		if (blended >> i & 1)
			lerp(out[i], second[i], lookup->blend.f[i]);
		finish(a->sampler, reference ? &reference->f[i] : NULL, out[i]);
		for (int c = 0; c < 4; c++)
			to->c[c].f[i] = out[i][c];
	}
}

void tx_fetch_lane(struct tx_access *a, const int32_t at[3], float lod, float out[4])
{
	const struct tx_sampler *s = a->sampler;
	unsigned int l = lod > 0.0f ? (unsigned int)(int)fminf(lod, TX_LEVELS - 1) : 0;
	int32_t limits[3] = { s->level[l].size[0], s->level[l].size[1], s->level[l].size[2] };
	int32_t where[3] = { at[0], 0, 0 };

	for (unsigned int c = 1; c < s->filtered_dims; c++)
		where[c] = at[c];
	if (s->filtered_dims < 3) {
		limits[2] = s->layers;
		where[2] = s->layers > 1 ? at[s->filtered_dims] : 0;
	}
	for (int c = 0; c < 3; c++) {
		if (where[c] < 0 || where[c] >= limits[c]) {
			memset(out, 0, 4 * sizeof(out[0]));
			return;
		}
	}
	fetch(a, l, where[0], where[1], where[2], out);
	finish(s, NULL, out);
}
