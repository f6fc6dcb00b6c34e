// SPDX-License-Identifier: MIT
/*
 * Two-dimensional lookups of eight-bit and depth formats, for all lanes: addresses and filters
 * are computed with vectors, texels are read one by one. The results are those of tx_filter.c,
 * bit by bit: eight-bit components are integers and weights are multiples of 1/256, so the integer
 * sums here equal the float sums there; depth is filtered by the same float operations in the same
 * order.
 */
#include "gc/tx.h"

#include <string.h>

#include "gc/tx_fetch.h"
#include "gc/tx_wrap.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"

#ifdef __AVX__
#define WIDTH GC_VECTOR /* lanes of a vector */
#else
#define WIDTH 4
#endif

#define VECTOR inline __attribute__((always_inline))

typedef float vf __attribute__((vector_size(4 * WIDTH)));
typedef int32_t vi __attribute__((vector_size(4 * WIDTH)));
typedef uint32_t vu __attribute__((vector_size(4 * WIDTH)));

/* State of a pass, which samples one level for each lane. */
struct pass {
	union gc_lanes size[2], fsize[2]; /* of each lane's level */
	union gc_lanes stride, base;      /* of that level; the base includes face or layer */
	uint64_t at_level_0;              /* lanes whose level is 0, which alone has tile status */
	union gc_lanes at[2][2];          /* [axis][first, second] texel */
	union gc_lanes offset[2][2];      /* bytes that it adds to the address */
	union gc_lanes weight[2];         /* 0..255 of the second texel */
	union gc_lanes texel[4];          /* x0y0, x1y0, x0y1, x1y1 */
	bool pairs[2];                    /* some lane has a weight along this axis */
};

static VECTOR vf load_f(const union gc_lanes *lanes, unsigned int i)
{
	vf v;

	memcpy(&v, &lanes->f[i], sizeof(v));
	return v;
}

static VECTOR vi load_i(const union gc_lanes *lanes, unsigned int i)
{
	vi v;

	memcpy(&v, &lanes->i[i], sizeof(v));
	return v;
}

static VECTOR void store_i(union gc_lanes *lanes, unsigned int i, vi v)
{
	memcpy(&lanes->i[i], &v, sizeof(v));
}

static VECTOR vu load_u(const union gc_lanes *lanes, unsigned int i)
{
	vu v;

	memcpy(&v, &lanes->u[i], sizeof(v));
	return v;
}

static VECTOR void store_u(union gc_lanes *lanes, unsigned int i, vu v)
{
	memcpy(&lanes->u[i], &v, sizeof(v));
}

static VECTOR void store_f(union gc_lanes *lanes, unsigned int i, vf v)
{
	memcpy(&lanes->f[i], &v, sizeof(v));
}

/* Select @yes where @mask is all ones, @no where it is zero. */
static VECTOR vi select_i(vi mask, vi yes, vi no)
{
	return (mask & yes) | (~mask & no);
}

static VECTOR vf select_f(vi mask, vf yes, vf no)
{
	return (vf)select_i(mask, (vi)yes, (vi)no);
}

/* For values that fit in 32 bits. */
static VECTOR vi floor_i(vf v)
{
	vi i = __builtin_convertvector(v, vi);

	return i + (__builtin_convertvector(i, vf) > v);
}

static VECTOR vf floor_f(vf v)
{
	return __builtin_convertvector(floor_i(v), vf);
}

#define tx_number(s) select_f((s) == (s), s, (vf){ 0 })
#define tx_floor(s) floor_f(s)
#define tx_smaller(a, b) select_f((a) < (b), a, b)
#define tx_larger(a, b) select_f((a) > (b), a, b)
#define tx_choose(mask, yes, no) select_i(mask, yes, no)

TX_DEFINE_WRAP(fold, wrap_texel, vi, vf)

/* @order at each lane's index 0..15: a sum over its bits. */
static VECTOR vu supertile(const uint8_t order[16], vu index)
{
	vu sum = { 0 };

	for (int k = 0; k < 4; k++)
		sum += (index >> k & 1) * order[1 << k];
	return sum;
}

GC_LAYOUT_DEFINE_AXIS(axis_offset, supertile, vu, vu)

/* As find_axis() in tx_filter.c; @linear is a mask of the lanes with linear filtering. */
static VECTOR void find_axis(const struct tx_access *a, const struct tx_lookup *lookup,
			     struct pass *p, int c, enum gc_layout layout,
			     const union gc_lanes *linear)
{
	const struct tx_sampler *s = a->sampler;
	const uint8_t(*order)[16] = gc_supertile_order(a->unit->supertile_mode);
	const uint32_t bytes = s->format->bytes;
	vi any = { 0 };

	for (unsigned int i = 0; i < GC_LANES; i += WIDTH) {
		vi is_linear = load_i(linear, i), size = load_i(&p->size[c], i), first, second;
		vu stride = load_u(&p->stride, i);
		vi fixed, weight;
		vf u = fold(load_f(&lookup->coord[c], i), s->wrap[c]);

		u = u * load_f(&p->fsize[c], i) * (float)TX_SUBTEXELS;
		if (s->round_uv)
			u = select_f(is_linear, u + 0.5f, u);
		fixed = floor_i(u) - (is_linear & (TX_SUBTEXELS / 2));
		weight = fixed & (TX_SUBTEXELS - 1) & is_linear;
		any |= weight;
		first = wrap_texel(fixed >> TX_SUBTEXEL_BITS, size, s->wrap[c], false);
		second = wrap_texel((fixed >> TX_SUBTEXEL_BITS) + 1, size, s->wrap[c], false);
		store_i(&p->weight[c], i, weight);
		store_i(&p->at[c][0], i, first);
		store_i(&p->at[c][1], i, second);
		store_u(&p->offset[c][0], i,
			axis_offset(order, layout, c, stride, bytes, (vu)first));
		store_u(&p->offset[c][1], i,
			axis_offset(order, layout, c, stride, bytes, (vu)second));
	}
	p->pairs[c] = false;
	for (int i = 0; i < WIDTH; i++)
		p->pairs[c] |= any[i] != 0;
}

static void find_axes(const struct tx_access *a, const struct tx_lookup *lookup, struct pass *p,
		      const union gc_lanes *linear)
{
	for (int c = 0; c < 2; c++) {
		switch (a->sampler->layout) {
		case GC_LINEAR:
			find_axis(a, lookup, p, c, GC_LINEAR, linear);
			break;
		case GC_TILED:
			find_axis(a, lookup, p, c, GC_TILED, linear);
			break;
		default:
			find_axis(a, lookup, p, c, GC_SUPERTILED, linear);
			break;
		}
	}
}

/*
 * Replace the addresses in @to by the texels of @bytes bytes there, for all live lanes. Plain: a
 * texel is what memory has, without tile status or shared chroma.
 */
static VECTOR void gather_plain(struct tx_access *a, union gc_lanes *to, uint64_t live,
				uint32_t bytes)
{
	for (; live; live &= live - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(live);
		uint32_t raw = 0;

		memcpy(&raw, tx_memory(a, to->u[i], bytes), bytes);
		to->u[i] = raw;
	}
}

/* As gather_plain(), for a texture with tile status: cleared tiles have the clear value. */
static void gather_cleared(struct tx_access *a, union gc_lanes *to, uint64_t live,
			   uint64_t at_level_0)
{
	uint32_t base = a->sampler->level[0].address, bytes = a->sampler->format->bytes;

	for (; live; live &= live - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(live);
		uint32_t raw = 0;

		memcpy(&raw,
		       at_level_0 >> i & 1 ? tx_texel(a, base, to->u[i] - base, bytes)
					   : tx_memory(a, to->u[i], bytes),
		       bytes);
		to->u[i] = raw;
	}
}

/* Swap bits 7:0 and 23:16. */
static VECTOR vu swap_rb(vu v)
{
	return (v & 0xff00ff00) | (v & 0xff) << 16 | (v >> 16 & 0xff);
}

/* Convert raw texels to packed RGBA8, as tx_unpack_rgba8(). */
static void unpack(enum tx_texel_kind kind, union gc_lanes *texel)
{
	const uint32_t opaque = 0xff000000;

	if (kind == TX_A8B8G8R8)
		return;
	for (unsigned int i = 0; i < GC_LANES; i += WIDTH) {
		vu v = load_u(texel, i);

		switch (kind) {
		case TX_A8R8G8B8:
			v = swap_rb(v);
			break;
		case TX_X8R8G8B8:
			v = swap_rb(v) | opaque;
			break;
		case TX_X8B8G8R8:
		case TX_R8:
		case TX_G8R8:
			v |= opaque;
			break;
		case TX_L8:
			v = v * 0x010101 | opaque;
			break;
		case TX_A8:
			v = v << 24;
			break;
		default:
			for (int k = 0; k < WIDTH; k++)
				v[k] = tx_unpack_rgba8(kind, v[k], false);
			break;
		}
		store_u(texel, i, v);
	}
}

/* Convert raw depth to 0..1, by the same divisions as tx_unpack_float(). */
static void unpack_depth(enum tx_texel_kind kind, union gc_lanes *texel)
{
	for (unsigned int i = 0; i < GC_LANES; i++) {
		if (kind == TX_D16)
			texel->f[i] = (float)texel->u[i] / 65535.0f;
		else
			texel->f[i] = (float)((texel->u[i] >> 8) / 16777215.0);
	}
}

/*
 * As gather_cleared(), with or without tile status, for formats in which an aligned pair of texels shares
 * its chroma.
 */
static void gather_yuv(struct tx_access *a, union gc_lanes *to, uint64_t live, uint64_t at_level_0)
{
	uint32_t base = a->sampler->level[0].address;

	for (; live; live &= live - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(live);
		uint32_t at = to->u[i], raw;

		memcpy(&raw,
		       at_level_0 >> i & 1 ? tx_texel(a, base, at - base, 4) : tx_memory(a, at, 4),
		       4);
		to->u[i] = tx_unpack_rgba8(a->sampler->format->kind, raw, at & 2);
	}
}

static void gather_texels(struct tx_access *a, struct pass *p, uint64_t live, unsigned int tap)
{
	union gc_lanes *to = &p->texel[tap];
	const struct tx_sampler *s = a->sampler;

	for (unsigned int i = 0; i < GC_LANES; i += WIDTH)
		store_u(to, i,
			load_u(&p->base, i) + load_u(&p->offset[0][tap & 1], i) +
				load_u(&p->offset[1][tap >> 1], i));
	if (s->format->kind == TX_YUY2 || s->format->kind == TX_UYVY) {
		gather_yuv(a, to, live, p->at_level_0);
		return;
	}
	if (s->ts.enabled)
		gather_cleared(a, to, live, p->at_level_0);
	else if (s->format->bytes == 4)
		gather_plain(a, to, live, 4);
	else if (s->format->bytes == 2)
		gather_plain(a, to, live, 2);
	else
		gather_plain(a, to, live, 1);
	if (s->format->depth)
		unpack_depth(s->format->kind, to);
	else
		unpack(s->format->kind, to);
}

static void gather_blocks(struct tx_access *a, struct pass *p, uint64_t live, unsigned int tap)
{
	const struct tx_format *f = a->sampler->format;

	for (; live; live &= live - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(live);
		uint32_t x = p->at[0][tap & 1].u[i], y = p->at[1][tap >> 1].u[i];
		uint32_t bx = x / f->block_w, by = y / f->block_h;
		uint32_t address = p->base.u[i] + by * p->stride.u[i] + bx * f->bytes;

		p->texel[tap].u[i] = tx_block(
			a, address)[(y - by * f->block_h) * f->block_w + x - bx * f->block_w];
	}
}

static void gather(struct tx_access *a, struct pass *p, uint64_t live, unsigned int tap)
{
	if (tx_format_is_compressed(a->sampler->format))
		gather_blocks(a, p, live, tap);
	else
		gather_texels(a, p, live, tap);
}

/* Bilinear filter of the component at bit @shift: 0..255, exact. */
static VECTOR vf filter_channel(const struct pass *p, unsigned int i, int shift)
{
	vi wx = load_i(&p->weight[0], i), wy = load_i(&p->weight[1], i);
	vi t[4], top, bottom;

	for (int k = 0; k < 4; k++)
		t[k] = load_i(&p->texel[k], i) >> shift & 255;
	top = t[0] * TX_SUBTEXELS + (t[1] - t[0]) * wx;
	bottom = t[2] * TX_SUBTEXELS + (t[3] - t[2]) * wx;
	top = top * TX_SUBTEXELS + (bottom - top) * wy;
	return __builtin_convertvector(top, vf) * (1.0f / (TX_SUBTEXELS * TX_SUBTEXELS));
}

TX_DEFINE_COMPARE(compare, vi, vf)

/* @reference: within 0..1 */
static void compare_texels(uint8_t func, const union gc_lanes *reference, union gc_lanes *texel)
{
	const vf zero = { 0 }, one = zero + 1.0f;

	for (unsigned int i = 0; i < GC_LANES; i += WIDTH) {
		vi holds = compare(func, load_f(reference, i), load_f(texel, i));

		store_f(texel, i, select_f(holds, one, zero));
	}
}

/* Bilinear lerps of depth, in the order of tx_filter.c. */
static VECTOR vf filter_depth(const struct pass *p, unsigned int i)
{
	vf wx = __builtin_convertvector(load_i(&p->weight[0], i), vf) * (1.0f / TX_SUBTEXELS);
	vf wy = __builtin_convertvector(load_i(&p->weight[1], i), vf) * (1.0f / TX_SUBTEXELS);
	vf top = load_f(&p->texel[0], i), bottom = load_f(&p->texel[2], i);

	top += (load_f(&p->texel[1], i) - top) * wx;
	bottom += (load_f(&p->texel[3], i) - bottom) * wx;
	return top + (bottom - top) * wy;
}

static void copy_missing(struct pass *p)
{
	/* Without weights along an axis the value of its second texels has no effect. */
	if (!p->pairs[0])
		p->texel[1] = p->texel[0];
	if (!p->pairs[1]) {
		p->texel[2] = p->texel[0];
		p->texel[3] = p->texel[1];
	} else if (!p->pairs[0]) {
		p->texel[3] = p->texel[2];
	}
}

static VECTOR void fill(union gc_lanes *lanes, int32_t value)
{
	const vi zero = { 0 };

	for (unsigned int i = 0; i < GC_LANES; i += WIDTH)
		store_i(lanes, i, zero + value);
}

/* set_levels() for lanes that all have the same level, and all or none of which blend two. */
static void set_levels_uniform(const struct tx_sampler *s, const struct tx_lookup *lookup,
			       struct pass *p, unsigned int next)
{
	const struct tx_level *l = &s->level[lookup->level[0] + (lookup->blended ? next : 0)];

	for (int c = 0; c < 2; c++) {
		const vf zero = { 0 }, size = zero + l->fsize[c];

		fill(&p->size[c], l->size[c]);
		for (unsigned int i = 0; i < GC_LANES; i += WIDTH)
			store_f(&p->fsize[c], i, size);
	}
	p->at_level_0 = l == &s->level[0] ? UINT64_MAX : 0;
	fill(&p->stride, (int32_t)l->stride);
	for (unsigned int i = 0; i < GC_LANES; i += WIDTH)
		store_u(&p->base, i, load_u(&lookup->layer, i) * l->layer_stride + l->address);
}

/* Set the level of each lane; @next: 1 to use the level after it for lanes that blend two levels. */
static void set_levels(const struct tx_sampler *s, const struct tx_lookup *lookup, struct pass *p,
		       unsigned int next)
{
	p->at_level_0 = 0;
	for (unsigned int i = 0; i < GC_LANES; i++) {
		unsigned int level = lookup->level[i] + (lookup->blended >> i & next);
		const struct tx_level *l = &s->level[level];

		for (int c = 0; c < 2; c++) {
			p->size[c].i[i] = l->size[c];
			p->fsize[c].f[i] = l->fsize[c];
		}
		p->at_level_0 |= (uint64_t)!level << i;
		p->stride.u[i] = l->stride;
		p->base.u[i] = l->address + lookup->layer.u[i] * l->layer_stride;
	}
}

static void filter_colors(const struct pass *p, struct gc_vec4 *out)
{
	for (int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < GC_LANES; i += WIDTH)
			store_f(&out->c[c], i, filter_channel(p, i, 8 * c));
}

/* R, G and B are the depth, or the result of its comparison; A is 1. */
static void filter_depths(const struct pass *p, struct gc_vec4 *out)
{
	const vf zero = { 0 };

	for (unsigned int i = 0; i < GC_LANES; i += WIDTH) {
		store_f(&out->c[0], i, filter_depth(p, i));
		store_f(&out->c[3], i, zero + 1.0f);
	}
	out->c[1] = out->c[2] = out->c[0];
}

/*
 * Sample level + @next of the lanes of @live; colours are 0..255. If a lane of @weighed has a
 * weight along an axis, all read the second texel there. @reference is NULL unless the format is
 * one of depth.
 */
static void run_pass(struct tx_access *a, const struct tx_lookup *lookup,
		     const union gc_lanes *reference, const union gc_lanes *linear, uint64_t live,
		     uint64_t weighed, unsigned int next, struct gc_vec4 *out)
{
	const struct tx_sampler *s = a->sampler;
	struct pass p;

	if (lookup->uniform)
		set_levels_uniform(s, lookup, &p, next);
	else
		set_levels(s, lookup, &p, next);
	find_axes(a, lookup, &p, linear);
	for (unsigned int c = 0; ~weighed && c < 2; c++)
		p.pairs[c] = p.pairs[c] && tx_any_weight(&p.weight[c], weighed);
	for (unsigned int tap = 0; tap < 4; tap++) {
		if ((tap & 1 && !p.pairs[0]) || (tap & 2 && !p.pairs[1]))
			continue;
		gather(a, &p, live, tap);
		if (reference)
			compare_texels(s->compare_func, reference, &p.texel[tap]);
	}
	copy_missing(&p);
	if (s->format->depth)
		filter_depths(&p, out);
	else
		filter_colors(&p, out);
}

/* Lanes that do not blend have weight 0, and numbers, not NaN or infinity, in @second. */
static void blend_levels(struct gc_vec4 *out, const struct gc_vec4 *second,
			 const union gc_lanes *weight)
{
	for (int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < GC_LANES; i += WIDTH) {
			vf v = load_f(&out->c[c], i);

			v += (load_f(&second->c[c], i) - v) * load_f(weight, i);
			store_f(&out->c[c], i, v);
		}
}

/* Clamp reference values to 0..1, as compare_texel() in tx_filter.c. */
static void clamp_reference(const union gc_lanes *from, union gc_lanes *to)
{
	const vf zero = { 0 }, one = zero + 1.0f;

	for (unsigned int i = 0; i < GC_LANES; i += WIDTH) {
		vf r = load_f(from, i);

		r = select_f(r > zero, r, zero);
		store_f(to, i, select_f(r < one, r, one));
	}
}

void tx_fast(struct tx_access *a, const struct tx_lookup *lookup, const union gc_lanes *reference,
	     uint64_t live, struct gc_vec4 *out)
{
	union gc_lanes linear, clamped;
	struct gc_vec4 second;

	for (unsigned int i = 0; i < GC_LANES; i++)
		linear.i[i] = -(int32_t)(lookup->linear >> i & 1);
	if (reference) {
		clamp_reference(reference, &clamped);
		reference = &clamped;
	}
	run_pass(a, lookup, reference, &linear, live, live, 0, out);
	if (lookup->blended & live) {
		run_pass(a, lookup, reference, &linear, live & lookup->blended, live, 1, &second);
		blend_levels(out, &second, &lookup->blend);
	}
	if (a->sampler->format->depth)
		return;
	for (int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < GC_LANES; i += WIDTH)
			store_f(&out->c[c], i, load_f(&out->c[c], i) * (1.0f / 255.0f));
}
