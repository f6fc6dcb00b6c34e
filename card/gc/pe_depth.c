// SPDX-License-Identifier: MIT
/*
 * Depth and stencil tests. A D16 pixel is the depth; a D24S8 pixel has the depth in bits 31:8 and
 * the stencil value in bits 7:0. Depths are compared as the integers in memory.
 */
#include <string.h>

#include "gc/pe_internal.h"
#include "gc/pixel_vector.h"
#include "hw/state_3d.xml.h"

#define BLOCK PE_BLOCK
#define STENCIL_BITS 8
#define STENCIL_MASK 0xffu

uint8_t pe_stencil_update(unsigned int op, uint8_t value, uint8_t ref)
{
	switch (op) {
	case STENCIL_OP_ZERO:
		return 0;
	case STENCIL_OP_REPLACE:
		return ref;
	case STENCIL_OP_INCR:
		return value < 0xff ? value + 1 : 0xff;
	case STENCIL_OP_DECR:
		return value > 0 ? value - 1 : 0;
	case STENCIL_OP_INVERT:
		return (uint8_t)~value;
	case STENCIL_OP_INCR_WRAP:
		return (uint8_t)(value + 1);
	case STENCIL_OP_DECR_WRAP:
		return (uint8_t)(value - 1);
	default:
		return value;
	}
}

/* One sample of all lanes of a run. */
struct depth_lanes {
	float depth[GC_LANES];       /* of the primitive */
	uint32_t z[GC_LANES];        /* @depth as an integer */
	struct gc_pixels old, fresh; /* pixels in memory before and after */
	uint8_t pass[GC_LANES];      /* 1 where the depth test passes */
} __attribute__((aligned(64)));

static void quantize(double scale, const float *restrict depth, uint32_t *restrict z)
{
	for (unsigned int i = 0; i < BLOCK; i++) {
		float v = depth[i];

		v = v > 0.0f ? v : 0.0f;
		v = v < 1.0f ? v : 1.0f;
		z[i] = (uint32_t)(int32_t)((double)v * scale + 0.5);
	}
}

static void compare(unsigned int func, unsigned int shift, const uint32_t *restrict z,
		    const uint32_t *restrict old, uint8_t *restrict pass)
{
	const int32_t less = func & 1, equal = func >> 1 & 1, greater = func >> 2 & 1;

	for (unsigned int i = 0; i < BLOCK; i++) {
		int32_t a = (int32_t)z[i], b = (int32_t)(old[i] >> shift);

		pass[i] = (uint8_t)((a < b ? less : 0) | (a == b ? equal : 0) |
				    (a > b ? greater : 0));
	}
}

static void test_lanes(const struct pe_depth *depth, const struct gc_quads *quads,
		       const struct pe_run *run, unsigned int s, struct depth_lanes *l)
{
	/* Whole blocks are tested; results of lanes that are not in the run are not used. */
	for (unsigned int lane = pe_run_first(run); lane < pe_run_end(run); lane += 4)
		memcpy(&l->depth[lane], &quads->z[s][lane], 4 * sizeof(quads->z[s][0]));
	for (unsigned int at = pe_run_first(run); at < pe_run_end(run); at += BLOCK) {
		quantize(depth->scale, l->depth + at, l->z + at);
		compare(depth->func, depth->d24 ? STENCIL_BITS : 0, l->z + at, l->old.lo + at,
			l->pass + at);
	}
}

/* One bit for each byte of l->pass. The product moves bit 0 of eight bytes to the top byte. */
static uint64_t pass_bits(const struct pe_run *run, const struct depth_lanes *l)
{
	uint64_t bits = 0, eight;

	for (unsigned int i = pe_run_first(run); i < pe_run_end(run); i += 8) {
		memcpy(&eight, l->pass + i, sizeof(eight));
		bits |= (eight * 0x0102040810204080ull >> 56) << i;
	}
	return bits;
}

static void merge(unsigned int shift, uint32_t keep, const uint32_t *restrict z,
		  const uint32_t *restrict old, uint32_t *restrict out)
{
	for (unsigned int i = 0; i < BLOCK; i++)
		out[i] = z[i] << shift | (old[i] & keep);
}

/* Set l->fresh to the pixels with the new depth. */
static void write_depth(const struct pe_depth *depth, const struct pe_run *run,
			struct depth_lanes *l)
{
	const uint32_t keep = depth->d24 ? STENCIL_MASK : 0;
	const unsigned int shift = depth->d24 ? STENCIL_BITS : 0;

	for (unsigned int at = pe_run_first(run); at < pe_run_end(run); at += BLOCK)
		merge(shift, keep, l->z + at, l->old.lo + at, l->fresh.lo + at);
}

/*
 * Stencil and depth test of lane @i, which is covered; sets its pixel in l->fresh. Returns: whether it
 * passes both.
 */
static bool stencil_lane(const struct pe_depth *depth, const struct pe_stencil *st,
			 struct depth_lanes *l, unsigned int i)
{
	uint32_t old = l->old.lo[i], word = old;
	uint8_t value = old & STENCIL_MASK, next;
	bool pass = pe_compare(st->func, st->ref & st->mask, value & st->mask);
	unsigned int op = !pass ? st->fail : !l->pass[i] ? st->zfail : st->pass;

	next = pe_stencil_update(op, value, st->ref);
	pass = pass && l->pass[i];
	if (pass && depth->write)
		word = l->z[i] << STENCIL_BITS;
	word &= ~STENCIL_MASK;
	word |= (value & (uint8_t)~st->write_mask) | (next & st->write_mask);
	l->fresh.lo[i] = word;
	return pass;
}

/*
 * Stencil and depth test of the lanes in @covered. @changed receives the lanes whose pixel changes.
 * Returns: the lanes that pass.
 */
static uint64_t stencil_lanes(const struct pe_depth *depth, const struct gc_quads *quads,
			      struct depth_lanes *l, uint64_t covered, uint64_t *changed)
{
	uint64_t passed = 0;

	*changed = 0;
	for (uint64_t left = covered; left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		const struct pe_stencil *st = &depth->stencil[!quads->quad[i / 4].front];

		if (stencil_lane(depth, st, l, i))
			passed |= 1ull << i;
		if (l->fresh.lo[i] != l->old.lo[i])
			*changed |= 1ull << i;
	}
	return passed;
}

/* Clear the coverage of sample @s for lanes of @run that are not in @passed. */
static void keep_passed(struct gc_quads *quads, const struct pe_run *run, unsigned int s,
			uint64_t passed)
{
	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		uint16_t nibble = passed >> 4 * q & 15;

		quads->quad[q].coverage &=
			(uint16_t)(~(15u << 4 * s) | (unsigned int)nibble << 4 * s);
	}
}

/* Test sample @s of a run; @update: also write depth and stencil. */
static void depth_sample(struct gc_core *gc, struct gc_quads *quads, const struct pe_run *run,
			 unsigned int s, bool update, struct pe_traffic *traffic)
{
	struct pe_depth *depth = &gc->pe->depth;
	const struct pe_samples *samples = &gc->pe->samples;
	uint64_t covered = gc_quads_covered(quads, s) & pe_run_lanes(run), passed, changed;
	struct depth_lanes l;

	if (!covered)
		return;
	pe_run_gather(&depth->surface, samples, run, s, &l.old);
	test_lanes(depth, quads, run, s, &l);
	if (update && depth->stencil_on) {
		passed = stencil_lanes(depth, quads, &l, covered, &changed);
	} else {
		passed = pass_bits(run, &l) & covered;
		changed = update && depth->write ? passed : 0;
		if (changed)
			write_depth(depth, run, &l);
	}
	keep_passed(quads, run, s, passed);
	if (changed) {
		pe_run_wrote(&depth->surface, run, changed, traffic);
		pe_run_scatter(&depth->surface, samples, run, s, changed, &l.fresh);
	}
}

/*
 * D24S8 with one sample per pixel and without stencil, the common case: test and new pixel are
 * computed in one loop over vectors.
 */

/*
 * Test the pixels in @old of @run's lanes, and replace them by pixels with the new depth, whether
 * or not they pass. Other lanes in the same vectors become undefined.
 * Returns: the lanes that pass.
 */
static uint64_t test_words(const struct pe_depth *depth, const struct pe_run *run, const float *z,
			   uint32_t old[GC_LANES])
{
	const unsigned int end = 4 * (run->first + run->count);
	const px_int zero = { 0 };
	const px_int less = zero - (depth->func & 1), equal = zero - (depth->func >> 1 & 1);
	const px_int greater = zero - (depth->func >> 2 & 1);
	uint64_t passed = 0;

	for (unsigned int i = 4 * run->first & ~(PX_LANES - 1); i < end; i += PX_LANES) {
		px_word word = *(const px_word *)&old[i];
		px_int a = px_unorm(*(const px_float *)&z[i], depth->scale);
		px_int b = (px_int)(word >> STENCIL_BITS);
		px_int pass = ((a < b) & less) | ((a == b) & equal) | ((a > b) & greater);

		passed |= (uint64_t)px_bits(pass) << i;
		*(px_word *)&old[i] = (px_word)a << STENCIL_BITS | (word & STENCIL_MASK);
	}
	return passed;
}

/*
 * depth_words() for a fully covered 8x8 block. If all lanes pass, or nothing is written, the addresses of
 * its quads are not needed.
 */
static bool depth_block(struct gc_core *gc, struct gc_quads *quads, bool write,
			struct pe_traffic *traffic)
{
	struct pe_depth *depth = &gc->pe->depth;
	uint32_t words[GC_LANES] __attribute__((aligned(64)));
	struct pe_block block;
	struct pe_run run = { .first = 0, .count = GC_QUADS };
	uint64_t passed;

	if (!pe_block_locate(gc, &depth->surface, quads->quad[0].x, quads->quad[0].y, &block,
			     traffic))
		return false;
	pe_block_gather(&block, words);
	passed = test_words(depth, &run, quads->z[0], words);
	if (passed == UINT64_MAX && write) {
		pe_block_scatter(&block, words);
		pe_block_wrote(&depth->surface, &block, traffic);
	}
	if (passed == UINT64_MAX)
		return true;
	keep_passed(quads, &run, 0, passed);
	if (write && passed) {
		pe_block_addresses(&depth->surface, &block, &run);
		pe_run_wrote(&depth->surface, &run, passed, traffic);
		pe_run_scatter_words(&run, passed, words);
	}
	return true;
}

static bool depth_words(struct gc_core *gc, struct gc_quads *quads, bool write,
			struct pe_traffic *traffic)
{
	struct pe_depth *depth = &gc->pe->depth;
	uint32_t words[GC_LANES] __attribute__((aligned(64))) = { 0 };
	struct pe_run run;
	uint64_t all;

	if (quads->block)
		return depth_block(gc, quads, write, traffic);
	all = gc_quads_covered(quads, 0);
	for (run.first = 0; run.first < quads->count; run.first += run.count) {
		uint64_t covered, passed;

		run.count =
			write ? pe_run_length(quads->quad, run.first, quads->count) : quads->count;
		if (!pe_run_locate(gc, &depth->surface, quads, &run, traffic))
			return false;
		pe_run_gather_words(&run, words);
		covered = all & pe_run_lanes(&run);
		passed = test_words(depth, &run, quads->z[0], words) & covered;
		if (passed != covered)
			keep_passed(quads, &run, 0, passed);
		if (!write || !passed)
			continue;
		pe_run_wrote(&depth->surface, &run, passed, traffic);
		pe_run_scatter_words(&run, passed, words);
	}
	return true;
}

static bool can_test_words(const struct gc_pixel_engine *pe)
{
	return pe->depth.surface.simple && pe->depth.d24 && !pe->depth.stencil_on && !pe->plain;
}

/* The depth test for all formats and sample counts, with stencil. */
static bool depth_runs(struct gc_core *gc, struct gc_quads *quads, bool update,
		       struct pe_traffic *traffic)
{
	struct gc_pixel_engine *pe = gc->pe;
	struct pe_run run;
	bool ok = true;

	for (run.first = 0; ok && run.first < quads->count; run.first += run.count) {
		run.count =
			update ? pe_run_length(quads->quad, run.first, quads->count) : quads->count;
		ok = pe_run_locate(gc, &pe->depth.surface, quads, &run, traffic);
		for (unsigned int s = 0; ok && s < pe->samples.count; s++)
			depth_sample(gc, quads, &run, s, update, traffic);
	}
	return ok;
}

static bool depth_quads(struct gc_core *gc, struct gc_quads *quads, bool update)
{
	struct gc_pixel_engine *pe = gc->pe;
	struct pe_traffic traffic = { 0, 0 };
	bool ok;

	if (can_test_words(pe))
		ok = depth_words(gc, quads, update && pe->depth.write, &traffic);
	else
		ok = depth_runs(gc, quads, update, &traffic);
	gc->work.depth_read_bytes += traffic.read_bytes;
	gc->work.depth_write_bytes += traffic.write_bytes;
	gc->work.depth_pages += cache_model_new_pages(&gc->pe->depth_cache);
	gc->counters.pe_read_bytes += traffic.read_bytes;
	gc->counters.pe_write_bytes += traffic.write_bytes;
	return ok;
}

/* Pixels with at least one covered sample. */
static unsigned int pixels(const struct pe_samples *samples, const struct gc_quads *quads)
{
	uint64_t any = 0;

	for (unsigned int s = 0; s < samples->count; s++)
		any |= gc_quads_covered(quads, s);
	return (unsigned int)__builtin_popcountll(any);
}

static void apply_sample_mask(const struct pe_samples *samples, struct gc_quads *quads)
{
	const gc_quad4 ones = (gc_quad4){ 0 } - 1;
	gc_quad4 *quad = (gc_quad4 *)quads->quad;
	uint64_t refused = 0xffff;

	if (quads->block) /* only formed with one sample per pixel, which is enabled */
		return;
	for (unsigned int s = 0; s < samples->count; s++)
		if (samples->enabled >> s & 1)
			refused &= ~(UINT64_C(15) << 4 * s);
	for (unsigned int i = 0; i < GC_QUADS / 4; i++)
		quad[i] &= ones ^ refused << GC_QUAD_COVERAGE_SHIFT;
}

static void count_query(struct pe_query *query, const struct gc_quads *quads)
{
	if (!query->on)
		return;
	for (unsigned int q = 0; q < quads->count; q++)
		query->samples += (unsigned int)__builtin_popcount(quads->quad[q].coverage);
}

/* Test, and count the pixels that fail; @left receives the number of pixels that remain. */
static bool run_stage(struct gc_core *gc, struct gc_quads *quads, bool update, unsigned int *left)
{
	const struct pe_samples *samples = &gc->pe->samples;
	unsigned int before = pixels(samples, quads);
	bool ok = depth_quads(gc, quads, update);

	*left = pixels(samples, quads);
	gc->counters.pe_killed_by_depth += before - *left;
	return ok;
}

bool gc_pe_depth(struct gc_core *gc, struct gc_quads *quads)
{
	struct gc_pixel_engine *pe = gc->pe;
	unsigned int left;

	apply_sample_mask(&pe->samples, quads);
	if (pe->depth.on) {
		if (!run_stage(gc, quads, true, &left))
			return false;
		gc->counters.pe_drawn_by_depth += left;
	}
	count_query(&pe->query, quads);
	return true;
}

/*
 * Whether pixels that fail the test before shading may be discarded. They would have to fail after
 * all earlier pixels are written too: these only move depth in the direction in which more fails,
 * except with "not equal". And failing must not change the stencil value.
 */
static bool rejection_is_final(const struct pe_depth *depth)
{
	bool not_equal = depth->func == (1 | 4);

	for (unsigned int i = 0; depth->stencil_on && i < 2; i++) {
		const struct pe_stencil *st = &depth->stencil[i];

		if (st->fail != STENCIL_OP_KEEP || st->zfail != STENCIL_OP_KEEP)
			return false;
	}
	return !(not_equal && depth->write);
}

bool gc_pe_early_test(struct gc_core *gc, struct gc_quads *quads)
{
	struct gc_pixel_engine *pe = gc->pe;
	unsigned int left;

	if (!pe->depth.on || !pe->depth.early_asked || pe->shader_writes_depth || gc_pe_early(gc) ||
	    !rejection_is_final(&pe->depth))
		return true;
	apply_sample_mask(&pe->samples, quads);
	return run_stage(gc, quads, false, &left);
}
