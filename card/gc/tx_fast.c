// SPDX-License-Identifier: MIT
/*
 * Plain two-dimensional lookups of eight-bit formats, all lanes side by side:
 * addressing and filtering with vectors, texels gathered one by one. The
 * arithmetic is that of tx_filter.c: texels are integers and weights multiples
 * of 1/256, so integer sums here equal the float ones there, bit for bit.
 */
#include "gc/tx.h"

#include <string.h>

#include "gc/tx_fetch.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors never leave this file */

#define WIDTH 8 /* lanes of a vector */

typedef float v8f __attribute__((vector_size(4 * WIDTH)));
typedef int32_t v8i __attribute__((vector_size(4 * WIDTH)));
typedef uint32_t v8u __attribute__((vector_size(4 * WIDTH)));

/* One pass over one level of each lane. */
struct pass {
	const struct tx_level *level[GC_LANES];
	union gc_lanes size[2], fsize[2]; /* of each lane's level */
	union gc_lanes at[2][2];          /* [axis][first, second] texel */
	union gc_lanes weight[2];         /* 0..255 of the second texel */
	union gc_lanes texel[4];          /* x0y0, x1y0, x0y1, x1y1 */
	bool pairs[2];                    /* some lane has a weight along this axis */
};

static inline v8f load_f(const union gc_lanes *lanes, unsigned int i)
{
	v8f v;

	memcpy(&v, &lanes->f[i], sizeof(v));
	return v;
}

static inline v8i load_i(const union gc_lanes *lanes, unsigned int i)
{
	v8i v;

	memcpy(&v, &lanes->i[i], sizeof(v));
	return v;
}

static inline void store_i(union gc_lanes *lanes, unsigned int i, v8i v)
{
	memcpy(&lanes->i[i], &v, sizeof(v));
}

static inline void store_f(union gc_lanes *lanes, unsigned int i, v8f v)
{
	memcpy(&lanes->f[i], &v, sizeof(v));
}

/* @mask all ones: @yes, all zeros: @no */
static inline v8i select_i(v8i mask, v8i yes, v8i no)
{
	return (mask & yes) | (~mask & no);
}

static inline v8f select_f(v8i mask, v8f yes, v8f no)
{
	return (v8f)select_i(mask, (v8i)yes, (v8i)no);
}

/* For values that fit in 32 bits. */
static inline v8i floor_i(v8f v)
{
	v8i i = __builtin_convertvector(v, v8i);

	return i + (__builtin_convertvector(i, v8f) > v);
}

static inline v8f floor_f(v8f v)
{
	return __builtin_convertvector(floor_i(v), v8f);
}

/* As limit() and fold() in tx_filter.c. */
static inline v8f fold(v8f s, uint8_t wrap)
{
	const v8f zero = { 0 }, one = zero + 1.0f, far = zero + 8388608.0f;

	s = select_f(s == s, s, zero);
	s = select_f(s > -far, s, -far);
	s = select_f(s < far, s, far);
	switch (wrap) {
	case TEXTURE_WRAPMODE_REPEAT: return s - floor_f(s);
	case TEXTURE_WRAPMODE_MIRRORED_REPEAT:
		s -= 2.0f * floor_f(s * 0.5f);
		return select_f(s > one, 2.0f - s, s);
	default:
		s = select_f(s > zero, s, zero);
		return select_f(s < one, s, one);
	}
}

/* As wrap_texel() in tx_filter.c. */
static inline v8i wrap_texel(v8i i, v8i size, uint8_t wrap)
{
	v8i below = i < 0, above = i >= size;

	if (wrap == TEXTURE_WRAPMODE_REPEAT)
		return i + (below & size) - (above & size);
	i = ~below & i;
	return select_i(above, size - 1, i);
}

/* As find_axis() in tx_filter.c, for both filters. */
static void find_axis(const struct tx_sampler *s, const struct tx_lookup *lookup, struct pass *p,
		      int c, const union gc_lanes *linear)
{
	v8i any = { 0 };

	for (unsigned int i = 0; i < GC_LANES; i += WIDTH) {
		v8i is_linear = load_i(linear, i), size = load_i(&p->size[c], i), first;
		v8f u = fold(load_f(&lookup->coord[c], i), s->wrap[c]);
		v8i fixed, weight;

		u = u * load_f(&p->fsize[c], i) * (float)TX_SUBTEXELS;
		if (s->round_uv)
			u = select_f(is_linear, u + 0.5f, u);
		fixed = floor_i(u) - (is_linear & (TX_SUBTEXELS / 2));
		weight = fixed & (TX_SUBTEXELS - 1) & is_linear;
		first = fixed >> TX_SUBTEXEL_BITS;
		any |= weight;
		store_i(&p->weight[c], i, weight);
		store_i(&p->at[c][0], i, wrap_texel(first, size, s->wrap[c]));
		store_i(&p->at[c][1], i, wrap_texel(first + 1, size, s->wrap[c]));
	}
	p->pairs[c] = false;
	for (int i = 0; i < WIDTH; i++)
		p->pairs[c] |= any[i] != 0;
}

/* A tap of uncompressed texels of all live lanes. */
static inline __attribute__((always_inline)) void
gather_layout(struct tx_access *a, const struct tx_lookup *lookup, struct pass *p, uint64_t live,
	      unsigned int tap, enum gc_layout layout)
{
	const uint32_t bytes = a->sampler->format->bytes;

	for (; live; live &= live - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(live);
		const struct tx_level *l = p->level[i];
		uint32_t x = p->at[0][tap & 1].u[i], y = p->at[1][tap >> 1].u[i];
		uint32_t offset = (uint32_t)lookup->layer[i] * l->layer_stride +
				  tx_offset(a->unit, layout, l->stride, bytes, x, y);

		p->texel[tap].u[i] = tx_texel_rgba8(a, l->address, offset, x & 1);
	}
}

static void gather_blocks(struct tx_access *a, const struct tx_lookup *lookup, struct pass *p,
			  uint64_t live, unsigned int tap)
{
	const struct tx_format *f = a->sampler->format;

	for (; live; live &= live - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(live);
		const struct tx_level *l = p->level[i];
		uint32_t x = p->at[0][tap & 1].u[i], y = p->at[1][tap >> 1].u[i];
		uint32_t bx = x / f->block_w, by = y / f->block_h;
		uint32_t address = l->address + (uint32_t)lookup->layer[i] * l->layer_stride +
				   tx_offset(a->unit, GC_LINEAR, l->stride, f->bytes, bx, by);

		p->texel[tap].u[i] = tx_block(a, address)[(y - by * f->block_h) * f->block_w +
							  x - bx * f->block_w];
	}
}

static void gather(struct tx_access *a, const struct tx_lookup *lookup, struct pass *p,
		   uint64_t live, unsigned int tap)
{
	if (tx_format_is_compressed(a->sampler->format))
		gather_blocks(a, lookup, p, live, tap);
	else if (a->sampler->layout == GC_LINEAR)
		gather_layout(a, lookup, p, live, tap, GC_LINEAR);
	else if (a->sampler->layout == GC_TILED)
		gather_layout(a, lookup, p, live, tap, GC_TILED);
	else
		gather_layout(a, lookup, p, live, tap, GC_SUPERTILED);
}

/* Bilinear sum of one channel, 0..255 * 65536. */
static inline v8f filter_channel(const struct pass *p, unsigned int i, int shift)
{
	v8i wx = load_i(&p->weight[0], i), wy = load_i(&p->weight[1], i);
	v8i t[4], top, bottom;

	for (int k = 0; k < 4; k++)
		t[k] = load_i(&p->texel[k], i) >> shift & 255;
	top = t[0] * TX_SUBTEXELS + (t[1] - t[0]) * wx;
	bottom = t[2] * TX_SUBTEXELS + (t[3] - t[2]) * wx;
	top = top * TX_SUBTEXELS + (bottom - top) * wy;
	return __builtin_convertvector(top, v8f) * (1.0f / (TX_SUBTEXELS * TX_SUBTEXELS));
}

static void copy_missing(struct pass *p)
{
	/* without weights along an axis its second texel does not matter */
	if (!p->pairs[0])
		p->texel[1] = p->texel[0];
	if (!p->pairs[1]) {
		p->texel[2] = p->texel[0];
		p->texel[3] = p->texel[1];
	} else if (!p->pairs[0]) {
		p->texel[3] = p->texel[2];
	}
}

/* Level + @next of every lane; results are 0..255. */
static void run_pass(struct tx_access *a, const struct tx_lookup *lookup,
		     const union gc_lanes *linear, uint64_t live, unsigned int next,
		     struct gc_vec4 *out)
{
	struct pass p;

	for (unsigned int i = 0; i < GC_LANES; i++) {
		p.level[i] = &a->sampler->level[lookup->level[i] + (lookup->blend[i] > 0.0f ? next : 0)];
		for (int c = 0; c < 2; c++) {
			p.size[c].i[i] = p.level[i]->size[c];
			p.fsize[c].f[i] = p.level[i]->fsize[c];
		}
	}
	memset(p.texel, 0, sizeof(p.texel));
	for (int c = 0; c < 2; c++)
		find_axis(a->sampler, lookup, &p, c, linear);
	for (unsigned int tap = 0; tap < 4; tap++)
		if ((!(tap & 1) || p.pairs[0]) && (!(tap & 2) || p.pairs[1]))
			gather(a, lookup, &p, live, tap);
	copy_missing(&p);
	for (int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < GC_LANES; i += WIDTH)
			store_f(&out->c[c], i, filter_channel(&p, i, 8 * c));
}

static void blend_levels(struct gc_vec4 *out, const struct gc_vec4 *second,
			 const union gc_lanes *weight)
{
	for (int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < GC_LANES; i += WIDTH) {
			v8f v = load_f(&out->c[c], i);

			v += (load_f(&second->c[c], i) - v) * load_f(weight, i);
			store_f(&out->c[c], i, v);
		}
}

void tx_fast(struct tx_access *a, const struct tx_lookup *lookup, uint64_t live,
	     struct gc_vec4 *out)
{
	union gc_lanes linear, blend;
	struct gc_vec4 second;
	uint64_t two = 0;

	for (unsigned int i = 0; i < GC_LANES; i++) {
		linear.i[i] = lookup->linear[i] ? -1 : 0;
		blend.f[i] = lookup->blend[i];
		if (blend.f[i] > 0.0f)
			two |= 1ull << i;
	}
	run_pass(a, lookup, &linear, live, 0, out);
	if (two & live) {
		run_pass(a, lookup, &linear, live & two, 1, &second);
		blend_levels(out, &second, &blend);
	}
	for (int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < GC_LANES; i += WIDTH)
			store_f(&out->c[c], i, load_f(&out->c[c], i) * (1.0f / 255.0f));
}
