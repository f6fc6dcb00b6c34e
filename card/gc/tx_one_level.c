// SPDX-License-Identifier: MIT
/*
 * The fastest texture path: one level for all lanes, 32-bit texels with 8-bit channels, wrap
 * modes repeat (for sizes that are powers of two) and clamp to edge. What tx_fast.c stores per
 * lane is constant here. Each axis is processed in one loop; the second texel along an axis is
 * read only if a lane has a weight for it. Results and order of memory accesses are those of
 * tx_fast.c.
 */
#include "gc/tx.h"

#include "gc/pixel_vector.h"
#include "gc/tx_fetch.h"
#include "gc/tx_wrap.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"

#define TEXEL_BYTES 4u
#define NEAR (1u << 30) /* range of signed 32-bit offsets, with room for a page */

/* Texel positions and address offsets along an axis. */
struct axis {
	union gc_lanes first;     /* texel, before wrapping */
	union gc_lanes weight;    /* 0..255 of the second texel */
	union gc_lanes offset[2]; /* address offsets of the first and the second texel */
	bool pairs;               /* a lane has a weight */
};

/* Constants of an axis. */
struct axis_state {
	float scale; /* texels of the level * TX_SUBTEXELS */
	int32_t size;
	bool repeat, round, linear;
	uint32_t stride;
	const uint8_t (*order)[16]; /* see gc_supertile_order() */
};

static bool is_power_of_two(int32_t size)
{
	return size > 0 && !(size & (size - 1));
}

/* Repeat is a mask for powers of two; clamp is two comparisons for any size. */
static bool wrap_is_simple(const struct tx_sampler *s, unsigned int c)
{
	if (s->wrap[c] == TEXTURE_WRAPMODE_CLAMP_TO_EDGE)
		return true;
	return s->wrap[c] == TEXTURE_WRAPMODE_REPEAT && is_power_of_two(s->level[0].size[c]);
}

bool tx_allows_one_level(const struct tx_sampler *s)
{
	enum tx_texel_kind kind = s->format->kind;
	bool words = kind == TX_A8B8G8R8 || kind == TX_X8B8G8R8 || kind == TX_A8R8G8B8 ||
		     kind == TX_X8R8G8B8;

	return s->fast && words && !s->ts.enabled && wrap_is_simple(s, 0) && wrap_is_simple(s, 1);
}

/* @table at each lane's index 0..15. */
PX_INLINE px_word look_up(const uint8_t table[16], px_word index)
{
#if PX_LANES == 16
	__m128i bytes;

	memcpy(&bytes, table, sizeof(bytes));
	return (px_word)_mm512_permutexvar_epi32((__m512i)index, _mm512_cvtepu8_epi32(bytes));
#elif defined(__AVX2__)
	typedef char bytes32 __attribute__((vector_size(32), may_alias));
	typedef uint64_t half2 __attribute__((vector_size(32), may_alias));
	uint64_t low, high;
	half2 both;

	memcpy(&low, table, 8);
	memcpy(&high, table + 8, 8);
	both = (half2){ low, high, low, high };
	/* bytes with bit 7 set give 0 */
	return (px_word)__builtin_ia32_pshufb256((bytes32)both, (bytes32)(index | 0x80808000u));
#else
	px_word found;

	for (unsigned int i = 0; i < PX_LANES; i++)
		found[i] = table[index[i]];
	return found;
#endif
}

#define tx_number(s) ((px_float)((px_int)(s) & ((s) == (s))))
#define tx_floor(s) px_floor(s)
#define tx_smaller(a, b) px_min(a, b)
#define tx_larger(a, b) px_max(a, b)
#define tx_choose(mask, yes, no) (((mask) & (yes)) | (~(mask) & (no)))

TX_DEFINE_WRAP(fold, wrap_texel, px_int, px_float)
GC_LAYOUT_DEFINE_AXIS(axis_offset, look_up, px_word, uint32_t)

/* Address offset of texels @at along axis @c, after wrapping. */
PX_INLINE px_word offsets(const struct axis_state *state, enum gc_layout layout, int c,
			  uint8_t wrap, px_int at)
{
	const px_int size = (px_int){ 0 } + state->size;

	return axis_offset(state->order, layout, c, state->stride, TEXEL_BYTES,
			   (px_word)wrap_texel(at, size, wrap, true));
}

PX_INLINE void find_axis(const struct axis_state *state, enum gc_layout layout, int c, uint8_t wrap,
			 const union gc_lanes *coord, struct axis *out)
{
	const int32_t middle = state->linear ? TX_SUBTEXELS / 2 : 0;
	const int32_t fraction = state->linear ? TX_SUBTEXELS - 1 : 0;
	const float round = state->round && state->linear ? 0.5f : 0.0f;
	px_int any = { 0 };
	uint32_t some = 0;

	for (unsigned int i = 0; i < GC_LANES; i += PX_LANES) {
		px_float u = fold(*(const px_float *)&coord->f[i], wrap) * state->scale + round;
		/* u is not negative, so this rounds down */
		px_int fixed = __builtin_convertvector(u, px_int) - middle, first = fixed >> 8;
		px_int weight = fixed & fraction;

		any |= weight;
		*(px_int *)&out->first.i[i] = first;
		*(px_int *)&out->weight.i[i] = weight;
		*(px_word *)&out->offset[0].u[i] = offsets(state, layout, c, wrap, first);
	}
	for (unsigned int i = 0; i < PX_LANES; i++)
		some |= (uint32_t)any[i];
	out->pairs = some;
	for (unsigned int i = 0; some && i < GC_LANES; i += PX_LANES)
		*(px_word *)&out->offset[1].u[i] =
			offsets(state, layout, c, wrap, *(const px_int *)&out->first.i[i] + 1);
}

/* find_axis() for each layout, axis and wrap mode. */
#define AXIS(layout, c)                                                                          \
	do {                                                                                     \
		if (state.repeat)                                                                \
			find_axis(&state, layout, c, TEXTURE_WRAPMODE_REPEAT, &lookup->coord[c], \
				  out);                                                          \
		else                                                                             \
			find_axis(&state, layout, c, TEXTURE_WRAPMODE_CLAMP_TO_EDGE,             \
				  &lookup->coord[c], out);                                       \
	} while (0)

static void find(const struct tx_access *a, const struct tx_lookup *lookup,
		 const struct tx_level *level, unsigned int c, struct axis *out)
{
	const struct tx_sampler *s = a->sampler;
	struct axis_state state = {
		.scale = level->fsize[c] * TX_SUBTEXELS,
		.size = level->size[c],
		.repeat = s->wrap[c] == TEXTURE_WRAPMODE_REPEAT,
		.round = s->round_uv,
		.linear = lookup->linear & 1,
		.stride = level->stride,
		.order = gc_supertile_order(a->unit->supertile_mode),
	};

	switch (s->layout * 2 + c) {
	case GC_LINEAR * 2:
		AXIS(GC_LINEAR, 0);
		break;
	case GC_LINEAR * 2 + 1:
		AXIS(GC_LINEAR, 1);
		break;
	case GC_TILED * 2:
		AXIS(GC_TILED, 0);
		break;
	case GC_TILED * 2 + 1:
		AXIS(GC_TILED, 1);
		break;
	case GC_SUPERTILED * 2:
		AXIS(GC_SUPERTILED, 0);
		break;
	default:
		AXIS(GC_SUPERTILED, 1);
		break;
	}
}

/* Lanes whose cache line or page is not that of the lane before. */
struct changes {
	uint64_t line, page;
};

/* Compute all lanes' addresses, aligned to texels. */
static struct changes find_addresses(const struct tx_access *a, const union gc_lanes *base,
				     const union gc_lanes *x, const union gc_lanes *y,
				     union gc_lanes *to)
{
	/* lane i of the result is lane i - 1: the last one of @last, then those of @line */
	const px_word before =
		(px_word){ PX_PER_8(PX_NEXT_8, 0, 1, 2, 3, 4, 5, 6, 7) } + (PX_LANES - 1);
	px_word last = (px_word){ 0 } + a->line;
	struct changes changes = { 0 };

	for (unsigned int i = 0; i < GC_LANES; i += PX_LANES) {
		px_word at = *(const px_word *)&base->u[i] + *(const px_word *)&x->u[i] +
			     *(const px_word *)&y->u[i];
		px_word line = at >> TX_LINE_SHIFT;
		px_word differ = __builtin_shuffle(last, line, before) ^ line;

		changes.line |= (uint64_t)px_bits(differ != 0) << i;
		changes.page |= (uint64_t)px_bits(differ >= GC_PAGE_SIZE / TX_LINE_BYTES) << i;
		*(px_word *)&to->u[i] = at & ~(TEXEL_BYTES - 1);
		last = line;
	}
	return changes;
}

/*
 * Translate the page of the previous access and each new page. @ways receives, for each, host
 * minus GPU address; @same whether all that lanes use are equal and the pages within the range of
 * 32-bit offsets. No lane uses the previous page if lane 0 has a new one. Returns: false if a page
 * would fault.
 */
static bool find_ways(const struct tx_access *a, const union gc_lanes *address, uint64_t changes,
		      uintptr_t ways[GC_LANES + 1], bool *same)
{
	struct gc_mmu *mmu = &a->gc->mmu;
	const uintptr_t *first = &ways[changes & 1];
	uintptr_t differ = 0;

	*ways = a->way;
	for (; changes; changes &= changes - 1) {
		uint32_t at = address->u[__builtin_ctzll(changes)];
		const uint8_t *host = gc_mmu_cached(mmu, GC_CLIENT_TX, GC_READ, at);

		if (!host)
			host = gc_mmu_probe(mmu, GC_CLIENT_TX, GC_READ, at);
		if (!host)
			return false;
		*++ways = (uintptr_t)host - at;
		differ |= (*ways ^ *first) | (at - address->u[0] + NEAR >= 2 * NEAR);
	}
	*same = !differ;
	return true;
}

/*
 * Read the texels at all lanes' addresses. Vectors are put together in registers: a vector that was
 * stored by lanes cannot be loaded until all stores are done, and on Zen 4 a gather instruction takes
 * longer than its loads.
 */
static void read_all(const union gc_lanes *address, uintptr_t way, union gc_lanes *to)
{
	for (unsigned int i = 0; i < GC_LANES; i += PX_LANES) {
		px_word texels = { 0 };

#pragma GCC unroll 16
		for (unsigned int lane = 0; lane < PX_LANES; lane++) {
			uint32_t texel;

			memcpy(&texel, (const uint8_t *)(way + address->u[i + lane]), TEXEL_BYTES);
			texels[lane] = texel;
		}
		*(px_word *)&to->u[i] = texels;
	}
}

/* The same with an entry of @way for each page. */
static void read_pages(const union gc_lanes *address, uint64_t changes, const uintptr_t *way,
		       union gc_lanes *to)
{
#pragma GCC unroll 8
	for (unsigned int i = 0; i < GC_LANES; i++, changes >>= 1) {
		way += changes & 1;
		memcpy(&to->u[i], (const uint8_t *)(*way + address->u[i]), TEXEL_BYTES);
	}
}

/* Lanes that pass_lines() takes together: those of a vector, or all */
#define PASS_LANES (PX_LANES == TX_SEEN ? PX_LANES : GC_LANES)

/*
 * Those of PASS_LANES lanes whose line the request remembers, by tx_seen_slot(); 0 without AVX-512,
 * only slower.
 */
PX_INLINE uint64_t remembered(const struct tx_access *a, const uint32_t *address)
{
#if PX_LANES == TX_SEEN
	px_word line = *(const px_word *)address >> TX_LINE_SHIFT;
	px_word slot = (line ^ line >> 4 ^ line >> 8) & (TX_SEEN - 1);
	px_word seen =
		(px_word)_mm512_permutexvar_epi32((__m512i)slot, _mm512_loadu_si512(a->seen));

	return px_bits((seen == line) & (line != 0));
#else
	return 0;
#endif
}

/*
 * Pass the lines that lanes change to, in their order, to the cache model, and prefetch them, so that the
 * model's work overlaps with the latency of the loads. Most lines are remembered; then nothing has to be done.
 * @way: host minus GPU address of the first page
 */
static void pass_lines(struct tx_access *a, const union gc_lanes *address, uint64_t changes,
		       uintptr_t way)
{
	uint32_t line[GC_LANES];
	unsigned int asked = 0;

	for (unsigned int i = 0; i < GC_LANES; i += PASS_LANES) {
		uint64_t lanes = changes >> i & UINT64_MAX >> (GC_LANES - PASS_LANES);

		if (!(lanes & ~remembered(a, &address->u[i])))
			continue;
		for (; lanes; lanes &= lanes - 1) {
			uint32_t at = address->u[i + (unsigned int)__builtin_ctzll(lanes)];

			__builtin_prefetch((const void *)(way + at));
			line[asked] = at >> TX_LINE_SHIFT;
			asked += !tx_remember(a, at >> TX_LINE_SHIFT);
		}
	}
	a->line = address->u[GC_LANES - 1] >> TX_LINE_SHIFT;
	tx_request_lines(a, line, asked);
}

/*
 * Read the texel at the sum of the offsets for each live lane, in the order of the lanes: all at
 * once if all are live and nothing faults, otherwise one by one.
 */
static void gather(struct tx_access *a, const union gc_lanes *base, const union gc_lanes *x,
		   const union gc_lanes *y, uint64_t live, union gc_lanes *to)
{
	union gc_lanes address;
	struct changes changes = find_addresses(a, base, x, y, &address);
	uintptr_t ways[GC_LANES + 1];
	bool same;

	if (!~live && !a->faulted && find_ways(a, &address, changes.page, ways, &same)) {
		pass_lines(a, &address, changes.line, ways[changes.page & 1]);
		if (same)
			read_all(&address, ways[changes.page & 1], to);
		else
			read_pages(&address, changes.page, ways, to);
		a->way = ways[__builtin_popcountll(changes.page)];
		a->texels += GC_LANES;
		return;
	}
	for (; live; live &= live - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(live);

		memcpy(&to->u[i], tx_memory(a, address.u[i], TEXEL_BYTES), TEXEL_BYTES);
	}
}

/* Bit positions of R, G, B and A in a texel; ABSENT: no alpha, which then is 1. */
#define ABSENT 32

static void find_channels(enum tx_texel_kind kind, int shift[4])
{
	bool blue_first = kind == TX_A8R8G8B8 || kind == TX_X8R8G8B8;

	shift[0] = blue_first ? 16 : 0;
	shift[1] = 8;
	shift[2] = blue_first ? 0 : 16;
	shift[3] = kind == TX_A8B8G8R8 || kind == TX_A8R8G8B8 ? 24 : ABSENT;
}

/* Convert texels without filtering. */
static void copy_texels(const union gc_lanes *texel, int shift, union gc_lanes *out)
{
#pragma GCC unroll 4
	for (unsigned int i = 0; i < GC_LANES; i += PX_LANES) {
		px_int channel = *(const px_int *)&texel->i[i] >> shift & 255;

		*(px_float *)&out->f[i] =
			__builtin_convertvector(channel, px_float) * (1.0f / 255.0f);
	}
}

/* Blend bytes @shift and @shift + 16 of two texels by weight; results have 16 bits each. */
PX_INLINE px_word blend_pairs(px_word a, px_word b, unsigned int shift, px_half wa, px_half wb)
{
	const px_word bytes = (px_word){ 0 } + 0x00ff00ff;

	return (px_word)((px_half)(a >> shift & bytes) * wa + (px_half)(b >> shift & bytes) * wb);
}

/* Blend the 16 bits at @shift of two such results by weight, to a colour in 0..1. */
PX_INLINE px_float blend_rows(px_word top, px_word bottom, unsigned int shift, px_float wt,
			      px_float wb)
{
	const float unit = 1.0f / (TX_SUBTEXELS * TX_SUBTEXELS);
	px_float a = __builtin_convertvector((px_int)(top >> shift & 0xffff), px_float);
	px_float b = __builtin_convertvector((px_int)(bottom >> shift & 0xffff), px_float);

	return (a * wt + b * wb) * (unit * (1.0f / 255.0f));
}

/*
 * Blend four texels by their weights, which add up to 256 along each axis. A row's sum fits 16
 * bits, the total is below 2^24 and thus exact as a float. @out[i] receives byte i of the
 * texels.
 */
static void blend_texels(const union gc_lanes texel[4], const struct axis axis[2],
			 union gc_lanes *const out[4])
{
	for (unsigned int i = 0; i < GC_LANES; i += PX_LANES) {
		px_word wx = *(const px_word *)&axis[0].weight.u[i];
		px_half second = (px_half)(wx << 16 | wx), first = TX_SUBTEXELS - second;
		px_float wb =
			__builtin_convertvector(*(const px_int *)&axis[1].weight.i[i], px_float);
		px_float wt = TX_SUBTEXELS - wb;
		px_word t[4];

		for (unsigned int tap = 0; tap < 4; tap++)
			t[tap] = *(const px_word *)&texel[tap].u[i];
#pragma GCC unroll 2
		for (unsigned int c = 0; c < 2; c++) {
			px_word top = blend_pairs(t[0], t[1], 8 * c, first, second);
			px_word bottom = blend_pairs(t[2], t[3], 8 * c, first, second);

			*(px_float *)&out[c]->f[i] = blend_rows(top, bottom, 0, wt, wb);
			*(px_float *)&out[c + 2]->f[i] = blend_rows(top, bottom, 16, wt, wb);
		}
	}
}

static void fill(union gc_lanes *lanes, float value)
{
	for (unsigned int i = 0; i < GC_LANES; i++)
		lanes->f[i] = value;
}

static void finish(const struct tx_sampler *s, const union gc_lanes texel[4],
		   const struct axis axis[2], struct gc_vec4 *out)
{
	bool blend = axis[0].pairs || axis[1].pairs;
	union gc_lanes *byte[4];
	int shift[4];

	find_channels(s->format->kind, shift);
	byte[3] = &out->c[3];
	for (unsigned int c = 0; c < 3; c++)
		byte[shift[c] / 8] = &out->c[c];
	if (blend)
		blend_texels(texel, axis, byte);
	for (unsigned int c = 0; c < 4; c++) {
		if (shift[c] == ABSENT)
			fill(&out->c[c], 1.0f);
		else if (!blend)
			copy_texels(&texel[0], shift[c], &out->c[c]);
	}
}

void tx_one_level(struct tx_access *a, const struct tx_lookup *lookup, uint64_t live,
		  struct gc_vec4 *out)
{
	const struct tx_level *level = &a->sampler->level[lookup->level[0]];
	union gc_lanes base, texel[4];
	struct axis axis[2];

	for (unsigned int i = 0; i < GC_LANES; i += PX_LANES)
		*(px_word *)&base.u[i] =
			*(const px_word *)&lookup->layer.u[i] * level->layer_stride +
			level->address;
	for (unsigned int c = 0; c < 2; c++)
		find(a, lookup, level, c, &axis[c]);
	for (unsigned int c = 0; ~live && c < 2; c++)
		axis[c].pairs = axis[c].pairs && tx_any_weight(&axis[c].weight, live);
	for (unsigned int tap = 0; tap < 4; tap++)
		if ((axis[0].pairs || !(tap & 1)) && (axis[1].pairs || !(tap & 2)))
			gather(a, &base, &axis[0].offset[tap & 1], &axis[1].offset[tap >> 1], live,
			       &texel[tap]);
	/* an axis without weights: copy the first texel, the second one was not read */
	if (axis[1].pairs && !axis[0].pairs)
		texel[1] = texel[0];
	if (axis[0].pairs && !axis[1].pairs) {
		texel[2] = texel[0];
		texel[3] = texel[1];
	} else if (axis[1].pairs && !axis[0].pairs) {
		texel[3] = texel[2];
	}
	finish(a->sampler, texel, axis, out);
}
