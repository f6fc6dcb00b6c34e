// SPDX-License-Identifier: MIT
/*
 * Transfers pixels between a surface's memory and the lanes of a batch, at addresses that
 * pe_locate.c has found. Samples of any size are copied one by one, 32-bit pixels with one
 * sample in rows of a quad or whole tiles.
 */
#include <string.h>

#include "gc/pe_internal.h"

/*
 * Without AVX GCC warns that such vectors are passed differently; no function in another file
 * gets them.
 */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Each element is two neighbouring 32-bit pixels. */
typedef uint64_t pair4 __attribute__((vector_size(32), aligned(1), may_alias));

/* Address of sample @s of pixel @p (0..3 of the quad). */
static inline uint8_t *sample_at(const struct pe_surface *surface, const struct pe_place *place,
				 const struct pe_samples *samples, unsigned int p, unsigned int s)
{
	unsigned int right = samples->x == 2 ? s & 1 : 0;
	unsigned int down = samples->y == 2 ? s >> 1 : 0;

	return place->row[p >> 1] + down * surface->sample_step +
	       (samples->x * (p & 1) + right) * surface->memory.bytes;
}

static inline void load(const uint8_t *from, unsigned int bytes, uint32_t *lo, uint32_t *hi)
{
	uint16_t half;

	switch (bytes) {
	case 1:
		*lo = *from;
		break;
	case 2:
		memcpy(&half, from, sizeof(half));
		*lo = half;
		break;
	case 8:
		memcpy(hi, from + 4, sizeof(*hi));
		/* fall through */
	default:
		memcpy(lo, from, sizeof(*lo));
		break;
	}
}

static inline void store(uint8_t *to, unsigned int bytes, uint32_t lo, uint32_t hi)
{
	uint16_t half = (uint16_t)lo;

	switch (bytes) {
	case 1:
		*to = (uint8_t)lo;
		break;
	case 2:
		memcpy(to, &half, sizeof(half));
		break;
	case 8:
		memcpy(to + 4, &hi, sizeof(hi));
		/* fall through */
	default:
		memcpy(to, &lo, sizeof(lo));
		break;
	}
}

static inline void gather_quad(const struct pe_surface *surface, const struct pe_place *place,
			       const struct pe_samples *samples, unsigned int s, uint32_t *lo,
			       uint32_t *hi)
{
	if (surface->memory.bytes == 4 && samples->count == 1) {
		memcpy(lo, place->row[0], 8);
		memcpy(lo + 2, place->row[1], 8);
		return;
	}
	for (unsigned int p = 0; p < 4; p++)
		load(sample_at(surface, place, samples, p, s), surface->memory.bytes, &lo[p],
		     &hi[p]);
}

void pe_run_gather(const struct pe_surface *surface, const struct pe_samples *samples,
		   const struct pe_run *run, unsigned int s, struct gc_pixels *pixels)
{
	for (unsigned int lane = pe_run_first(run); lane < pe_run_end(run); lane += 4) {
		unsigned int q = lane / 4;
		bool there = q >= run->first && q < run->first + run->count && run->place[q].row[0];

		if (!there || surface->memory.bytes != 8)
			memset(&pixels->hi[lane], 0, 4 * sizeof(pixels->hi[0]));
		if (there)
			gather_quad(surface, &run->place[q], samples, s, &pixels->lo[lane],
				    &pixels->hi[lane]);
		else
			memset(&pixels->lo[lane], 0, 4 * sizeof(pixels->lo[0]));
	}
}

/*
 * Also reads pixels that are not covered, which another thread may be writing. Their values are
 * not used, so the thread sanitizer is disabled here; it still checks the writes of covered
 * pixels.
 */
__attribute__((no_sanitize("thread"))) void pe_run_gather_words(const struct pe_run *run,
								uint32_t *pixels)
{
	const struct pe_place *place = &run->place[run->first], *end = place + run->count;

	for (pixels += 4 * run->first; place < end; place++, pixels += 4) {
		if (!place->row[0])
			continue;
		memcpy(&pixels[0], place->row[0], 8);
		memcpy(&pixels[2], place->row[1], 8);
	}
}

static void scatter_pixels(const struct pe_surface *surface, const struct pe_place *place,
			   const struct pe_samples *samples, unsigned int s, unsigned int nibble,
			   const uint32_t *lo, const uint32_t *hi)
{
	for (unsigned int p = 0; nibble; p++, nibble >>= 1)
		if (nibble & 1)
			store(sample_at(surface, place, samples, p, s), surface->memory.bytes,
			      lo[p], hi[p]);
}

void pe_run_scatter(const struct pe_surface *surface, const struct pe_samples *samples,
		    const struct pe_run *run, unsigned int s, uint64_t covered,
		    const struct gc_pixels *pixels)
{
	const bool words = surface->memory.bytes == 4 && samples->count == 1;

	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		const struct pe_place *place = &run->place[q];
		unsigned int lane = 4 * q, nibble = covered >> lane & 15;

		if (words && nibble == 15) {
			memcpy(place->row[0], &pixels->lo[lane], 8);
			memcpy(place->row[1], &pixels->lo[lane + 2], 8);
		} else if (nibble) {
			scatter_pixels(surface, place, samples, s, nibble, &pixels->lo[lane],
				       &pixels->hi[lane]);
		}
	}
}

/*
 * For each coverage of a quad, a source pixel for each of four stores: the pixel itself if
 * covered, otherwise the first covered one. Then any part of a quad is written by four stores
 * without a branch. Behind them, their destination in the tile, in words from the quad's first
 * pixel.
 */
#define FIRST_OF(n) ((n) & 1 ? 0 : (n) & 2 ? 1 : (n) & 4 ? 2 : 3)
#define PIXEL(n, p) ((n) >> (p) & 1 ? (p) : FIRST_OF(n))
#define PLACE(n, p) (PIXEL(n, p) % 2 + PIXEL(n, p) / 2 * GC_TILE_SIZE)
#define FOUR(of, n) of(n, 0), of(n, 1), of(n, 2), of(n, 3)
#define PART(n) { FOUR(PIXEL, n), FOUR(PLACE, n) }

static inline void scatter_words(uint8_t *to, unsigned int nibble, const uint32_t *pixels)
{
	static const uint8_t parts[16][8] = { PART(0),  PART(1),  PART(2),  PART(3),
					      PART(4),  PART(5),  PART(6),  PART(7),
					      PART(8),  PART(9),  PART(10), PART(11),
					      PART(12), PART(13), PART(14), PART(15) };
	const uint8_t *pixel = parts[nibble], *place = pixel + 4;

#pragma GCC unroll 4
	for (unsigned int i = 0; i < 4; i++)
		memcpy(to + place[i] * sizeof(*pixels), &pixels[pixel[i]], sizeof(*pixels));
}

void pe_run_scatter_words(const struct pe_run *run, uint64_t covered, const uint32_t *pixels)
{
	const struct pe_place *place = &run->place[run->first];

	covered = (covered & pe_run_lanes(run)) >> 4 * run->first;
	for (pixels += 4 * run->first; covered; place++, pixels += 4, covered >>= 4)
		if (covered & 15)
			scatter_words(place->row[0], covered & 15, pixels);
}

/*
 * Conversion of a tile (rows of four pixels) to lanes (quads of two by two): eight lanes are
 * two neighbouring quads. In pairs of pixels, the second and third of four are exchanged.
 */

static inline pair4 exchange(pair4 v)
{
	return __builtin_shuffle(v, (pair4){ 0, 2, 1, 3 });
}

/* Vectors of eight lanes, in pairs of lanes, with the upper and the lower half of tile @i. */
#define UPPER(i) ((i) / 2 * 4 + (i) % 2)
#define LOWER(i) (UPPER(i) + 2)

void pe_block_gather(const struct pe_block *block, uint32_t pixels[GC_LANES])
{
	pair4 *out = (pair4 *)pixels;

	for (unsigned int i = 0; i < 4; i++) {
		const pair4 *tile = (const pair4 *)block->tile[i];

		out[UPPER(i)] = exchange(tile[0]);
		out[LOWER(i)] = exchange(tile[1]);
	}
}

void pe_block_scatter(const struct pe_block *block, const uint32_t pixels[GC_LANES])
{
	const pair4 *in = (const pair4 *)pixels;

	for (unsigned int i = 0; i < 4; i++) {
		pair4 *tile = (pair4 *)block->tile[i];

		tile[0] = exchange(in[UPPER(i)]);
		tile[1] = exchange(in[LOWER(i)]);
	}
}
